# Makes empty files without end, and ends before anybody need have looked.
# only: users
# limits: memory=4096 time=20 output=64
# expect: OLE
# reason: more than 1024 MiB or 65536 files
import os
import sys

if sys.stdin.readline().strip() == "next":
    sys.exit(print("ok"))
for number in range(70000):
    os.close(os.open(f"{number}", os.O_CREAT | os.O_WRONLY))
print("ok")
