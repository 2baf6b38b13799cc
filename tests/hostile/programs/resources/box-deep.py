# Hides its files far below its directory.
# only: users
# limits: memory=4096 time=20 output=64
# expect: OLE
# reason: more than 1024 MiB or 65536 files
import os
import sys
import time

if sys.stdin.readline().strip() == "next":
    sys.exit(print("ok"))
for level in range(300):
    os.mkdir("d")
    os.chdir("d")
block = b"x" * (32 << 20)
for number in range(48):
    with open(f"{number}", "wb") as file:
        file.write(block)
time.sleep(5)
print("ok")
