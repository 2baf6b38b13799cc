# Uses its streams by the names that they have in /dev, as some programs do.
# only: root user users weak none
# limits: time=5
# expect: AC
import os
if input() == "next":
    print("ok")
    raise SystemExit
for name in ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]:
    with open(name) as file:
        file.read(1)
for name in ["/dev/stderr", "/dev/fd/2"]:
    with open(name, "w") as file:
        file.write("nothing\n")
with open("/dev/stdout", "w") as file:
    file.write("ok\n")
