# Makes links to what it may not read, of both kinds, and reads those; has others rename, copy and list it.
# only: root user users weak
# limits: time=10
# expect: AC
import os, socket
if input() == "next":
    print("ok")
    raise SystemExit
workspace = input()
for index, target in enumerate([workspace + "/testcases/p/secret/1.ans", "/etc/shadow", workspace + "/home/secret"]):
    for make in [os.link, os.symlink]:
        name = f"{make.__name__}{index}"
        try:
            make(target, name)
            print("read through", make.__name__, target, open(name).read(3))
        except OSError:
            pass
    if not target.startswith(workspace):
        # Should there be no walls, the machine shall survive it.
        continue
    for act in [lambda: os.rename(target, "stolen"), lambda: os.truncate(target, 0), lambda: os.remove(target),
                lambda: os.open(target, os.O_RDONLY | os.O_TRUNC), lambda: os.open(target, os.O_WRONLY | os.O_APPEND)]:
        try:
            act()
            print("changed", target)
        except OSError:
            pass
    try:
        # A directory that is open is a way up.
        here = os.open(".", os.O_RDONLY)
        os.open("../" * 20 + target.lstrip("/"), os.O_RDONLY, dir_fd=here)
        print("opened from here", target)
    except OSError:
        pass
print("ok")
