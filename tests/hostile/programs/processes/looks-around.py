# Learns what it can of all other processes, and tries to reach them. What succeeded is printed.
# only: root user users
# limits: time=10
# expect: AC
import os
import signal
import sys

if sys.stdin.readline().strip() == "next":
    sys.exit(print("ok"))
own = {os.getpid()}
if os.getppid() == 1:
    # The init of its own namespace, which no signal of the program ends.
    own.add(1)
try:
    listed = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    for pid in set(listed) - own:
        print("lists", pid)
except OSError:
    pass
names = ["cmdline", "comm", "status", "stat", "environ", "maps", "cgroup", "mounts", "net/unix", "net/tcp", "fd/0", "fd/1",
         "root/etc/passwd", "cwd/grader.toml", "task"]
for pid in [*range(1, 3000), os.getppid()]:
    if pid in own:
        continue
    for name in names:
        path = f"/proc/{pid}/{name}"
        try:
            found = os.listdir(path) if name == "task" else open(path, "rb").read()
            print("reads", path, found[:60])
        except OSError:
            pass
    for number in [signal.SIGURG, signal.SIGCONT, signal.SIGSTOP, signal.SIGKILL]:
        try:
            os.kill(pid, number)
            print("signals", pid)
        except OSError:
            pass
for name in ["net/unix", "net/tcp", "task/%d/net/unix" % os.getpid()]:
    try:
        for line in open(f"/proc/self/{name}").readlines()[1:]:
            # One without a name is one of those around the program.
            if "/" in line or "@" in line:
                print("reads", name, line)
    except OSError:
        pass
print("ok")
