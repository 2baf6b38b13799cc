# Goes on talking without end after the interactor has accepted and left.
# limits: output=1 time=5
# expect: OLE
# reason: more than 1 MiB of output
import sys
while True:
    sys.stdout.write("x" * 1000 + "\n")
