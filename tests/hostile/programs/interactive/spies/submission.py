# Looks for the interactor, its files and its processes, and for what both could share.
# only: root user users weak
# limits: time=5
# expect: AC
import os
found = []
try:
    pids = [entry for entry in os.listdir("/proc") if entry.isdigit()]
except OSError:
    # The parent is the only one that it knows.
    pids = [str(os.getppid())]
for pid in pids:
    for name in ["environ", "cwd/answer", "cwd/input", "root/sandbox/box/answer", "fd/0"]:
        try:
            if int(pid) != os.getpid() and open(f"/proc/{pid}/{name}", "rb").read(1):
                found.append(f"{pid}/{name}")
        except OSError:
            pass
for place in ["/tmp", "/dev/shm", "."]:
    try:
        found += [place for name in os.listdir(place) if name == "from-the-interactor"]
    except OSError:
        pass
print("found" if found else "nothing", *found, flush=True)
