# Fills its directories with files that are each small enough.
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
for number in range(400):
    place = [".", os.environ["TMPDIR"]][number % 2] if "TMPDIR" in os.environ else "."
    with open(f"{place}/{number}", "wb") as file:
        file.write(block)
    if number > 48:
        # Nobody should see so much of it for long.
        time.sleep(1)
print("ok")
