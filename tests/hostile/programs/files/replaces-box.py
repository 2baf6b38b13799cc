# Replaces its own working directory by a link to a place where the next run must not work.
# limits: time=5
# expect: AC
import os
box = os.environ["HOME"]
if input() == "next":
    real = not os.path.islink(box) and os.path.realpath(os.getcwd()) == os.path.realpath(box)
    print("ok" if real else f"in {os.getcwd()}")
    raise SystemExit
try:
    os.mkdir("../elsewhere")
    os.rmdir(box)
    os.symlink("elsewhere", box)
except OSError:
    pass
print("ok")
