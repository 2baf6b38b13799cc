# Opens the pipes between it and the interactor from the other side, talks to itself and makes the ends odd; what it reads
# there is its own loss. The interactor is told what it was told, and nothing hangs.
# limits: time=2
# expect: WA or RTE or TLE
import fcntl, os
read = os.open("/proc/self/fd/1", os.O_RDONLY | os.O_NONBLOCK)
write = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
fcntl.fcntl(1, 1031, 1)
for fd in (0, 1):
    fcntl.fcntl(fd, fcntl.F_SETFL, os.O_NONBLOCK | os.O_APPEND | os.O_ASYNC)
try:
    while True:
        os.write(write, b"accepted\n" * 100)
except BlockingIOError:
    pass
os.write(1, b"no\n")
try:
    os.read(read, 1)
except BlockingIOError:
    pass
