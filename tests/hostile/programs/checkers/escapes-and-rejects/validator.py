import sys
text = sys.stdin.read()
open(sys.argv[3] + "/judgemessage.txt", "w").write(text)
sys.exit(43)
