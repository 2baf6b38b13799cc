# Floods standard error, which counts like standard output.
# limits: output=1 time=5
# expect: OLE
# reason: more than 1 MiB of output
import sys
if input() == "next":
    print("ok")
    sys.exit()
while True:
    sys.stderr.write("x" * 65536)
