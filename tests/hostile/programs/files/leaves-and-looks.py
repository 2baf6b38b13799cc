# Leaves something in every place that it can write to and everything that outlives a process; the next run looks for it.
# only: root user users weak
# limits: time=10
# expect: AC
import ctypes, ctypes.util, os, socket, stat
libc = ctypes.CDLL(None, use_errno=True)
KEY = 0x686f7374
places = [".", os.environ["HOME"], "/tmp", "/dev/shm", "/var/tmp", "/run", "/sandbox", "/run/lock", "/var/lock", "/dev",
          "/dev/mqueue", os.environ.get("TMPDIR", "/tmp")]
kinds = {"shmget": (KEY, 4096, 0o600), "semget": (KEY, 1, 0o600), "msgget": (KEY, 0o600)}
if input() == "next":
    for place in places:
        if os.path.exists(os.path.join(place, "left-behind")):
            print("a file in", place)
    for place in [".", "/tmp", "/dev/shm"]:
        try:
            if os.listdir(place) and place != "/tmp" or "left-behind" in os.listdir(place):
                print("not empty:", place, os.listdir(place))
        except PermissionError:
            pass
    for name, arguments in kinds.items():
        if getattr(libc, name)(*arguments) >= 0:
            print("an object of", name)
    if libc.syscall(240, b"left-behind", os.O_RDONLY, 0, 0) >= 0:
        print("a message queue")
    try:
        socket.socket(socket.AF_UNIX).connect("\0left-behind")
        print("an abstract socket")
    except OSError:
        pass
    print("ok")
    raise SystemExit
for place in places:
    try:
        open(os.path.join(place, "left-behind"), "w").write("x")
    except OSError:
        pass
IPC_CREAT = 0o1000
for name, arguments in kinds.items():
    getattr(libc, name)(*arguments[:-1], arguments[-1] | IPC_CREAT)
libc.syscall(240, b"left-behind", os.O_RDWR | os.O_CREAT, 0o600, 0)
if os.fork() == 0:
    os.setsid()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("\0left-behind")
    listener.listen()
    while True:
        listener.accept()
os.umask(0)
print("ok")
