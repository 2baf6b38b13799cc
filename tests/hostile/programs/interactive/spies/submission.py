# Looks for the interactor, its files and its processes, and for what both could share.
# only: root user weak
# limits: time=5
# expect: AC
import os
found = []
for pid in [entry for entry in os.listdir("/proc") if entry.isdigit()]:
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
