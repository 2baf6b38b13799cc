# Hides its files in directories that it closes to everybody.
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
for number in range(48):
    os.mkdir(f"{number}")
    with open(f"{number}/file", "wb") as file:
        file.write(block)
    os.chmod(f"{number}", 0)
time.sleep(5)
print("ok")
