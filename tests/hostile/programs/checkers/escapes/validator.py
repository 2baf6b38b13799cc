import sys
text = sys.stdin.read()
open(sys.argv[3] + "/judgemessage.txt", "w").write(text * 1000)
sys.stderr.write(text * 1000)
sys.exit(1)
