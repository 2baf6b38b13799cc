# Starts the system's programs that run as root for everybody, and looks whether one of them does.
# only: root user users
# limits: time=10
# expect: AC
import os
import stat
import subprocess
import sys

if sys.stdin.readline().strip() == "next":
    sys.exit(print("ok"))
for place in ["/usr/bin", "/usr/sbin", "/bin", "/usr/lib/openssh"]:
    try:
        names = os.listdir(place)
    except OSError:
        continue
    for name in names:
        path = f"{place}/{name}"
        try:
            mode = os.stat(path).st_mode
        except OSError:
            continue
        if mode & (stat.S_ISUID | stat.S_ISGID):
            # It waits for its input: meanwhile it shows its user.
            child = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                if os.stat(f"/proc/{child.pid}").st_uid == 0 and child.poll() is None and os.getuid() != 0:
                    users = open(f"/proc/{child.pid}/status").read().split("Uid:")[1].split()[:4]
                    if "0" in users:
                        print(path, users)
            except OSError:
                pass
            child.kill()
            child.wait()
status = open("/proc/self/status").read()
for line in status.splitlines():
    if line.startswith(("CapInh", "CapPrm", "CapEff", "CapAmb")) and line.split()[1].strip("0"):
        print(line)
    if line.startswith("NoNewPrivs") and line.split()[1] != "1":
        print(line)
    if line.startswith("Groups") and os.getuid() >= 300000 and line.split()[1:]:
        print(line)
print("ok")
