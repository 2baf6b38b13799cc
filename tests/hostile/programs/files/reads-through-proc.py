# Goes through the processes that it can see to what they have open, where they are and what they run; its own file
# descriptors, root and hints of mounts too.
# only: root user users weak
# limits: time=10
# expect: AC
import os
if input() == "next":
    print("ok")
    raise SystemExit
workspace = input()
answer = workspace + "/testcases/p/secret/1.ans"
me = {str(os.getpid()), "self", "thread-self"}
def reads(path):
    try:
        with open(path, "rb") as file:
            return file.read(1) != b""
    except OSError:
        return False
try:
    listed = [entry for entry in os.listdir("/proc") if entry.isdigit() or entry in me]
except OSError:
    listed = [*me, *map(str, range(1, 1000))]
for pid in listed + [str(os.getppid()), "1"]:
    for inside in ["root", "cwd"]:
        for path in [answer, "/../../../../../.." + answer, "/etc/shadow", workspace + "/home/secret"]:
            if reads(f"/proc/{pid}/{inside}/{path}"):
                print("read", f"/proc/{pid}/{inside}/{path}")
    if pid in me:
        continue
    for name in ["exe", "environ", "mem", "maps", "auxv"]:
        if reads(f"/proc/{pid}/{name}"):
            print("read", f"/proc/{pid}/{name}")
    try:
        # Without namespaces numbers can be seen, and nothing else.
        if os.listdir(f"/proc/{pid}/fd") and os.getcwd().startswith("/sandbox"):
            print("listed", f"/proc/{pid}/fd")
    except OSError:
        pass
    for fd in range(20):
        try:
            print("linked", f"/proc/{pid}/fd/{fd}", os.readlink(f"/proc/{pid}/fd/{fd}"))
        except OSError:
            pass
for line in open("/proc/self/mountinfo"):
    root, target = line.split()[3:5]
    for base in {target, target + root, root}:
        if reads(base + answer) or reads(base + "/../" + answer):
            print("read through the mount", target)
print("ok")
