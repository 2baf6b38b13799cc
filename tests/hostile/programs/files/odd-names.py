# Leaves a tree of odd names, links and directories behind that not even their owner may list; the next run must find
# an empty directory.
# limits: time=5
# expect: AC
import os
if input() == "next":
    print("ok" if os.listdir(".") == [] else f"found {os.listdir('.')}")
    raise SystemExit
for name in [b"\n", b"-rf", b"\x1b[31m\x1b]0;title\x07", b"line\nline\r", b"\xff\xfe", b" ", b"a" * 255, "…".encode(), b"*"]:
    os.mkdir(name)
    for inner in [b"\x01", b"..."]:
        os.makedirs(os.path.join(name, inner, b"deeper"))
        open(os.path.join(name, inner, b"file"), "w").close()
        os.symlink("/", os.path.join(name, inner, b"root"))
        os.chmod(os.path.join(name, inner, b"deeper"), 0)
        os.chmod(os.path.join(name, inner), 0)
    os.chmod(name, 0)
os.symlink("loop", "loop")
os.mkfifo("fifo")
os.chmod(".", 0)
print("ok")
