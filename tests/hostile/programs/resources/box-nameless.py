# Fills the disk with files that have no name any more.
# only: users
# limits: memory=4096 time=20 output=64
# expect: OLE
# reason: more than 1024 MiB or 65536 files
import os
import sys
import time

if sys.stdin.readline().strip() == "next":
    sys.exit(print("ok"))
block = b"x" * (32 << 20)
held = []
for number in range(48):
    held.append(open("file", "wb"))
    held[-1].write(block)
    held[-1].flush()
    os.remove("file")
time.sleep(5)
print("ok")
