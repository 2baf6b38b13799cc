# Opens what is not its own by every spelling of its path: answers, inputs, other submissions, the grader's own files,
# secrets of the user and of the system. What could be read is printed.
# only: root user users weak
# limits: time=10
# expect: AC
import os, sys
if input() == "next":
    print("ok")
    raise SystemExit
workspace = input()
def reads(path):
    try:
        if os.path.isdir(path):
            return bool(os.listdir(path))
        with open(path, "rb") as file:
            return file.read(1) != b""
    except OSError:
        return False
def hides(dir):
    """Whether of a home that holds the toolchain nothing else can be seen."""
    while sys.base_prefix.startswith(dir + "/"):
        try:
            beside = set(os.listdir(dir)) - {sys.base_prefix.removeprefix(dir + "/").split("/")[0]}
        except OSError:
            beside = set()
        if beside:
            return False
        dir = os.path.join(dir, sys.base_prefix.removeprefix(dir + "/").split("/")[0])
    return True
secrets = ["testcases/p/secret/1.ans", "testcases/p/secret/2.in", "testcases/p/secret", "grader.toml", "grader",
           "problems/p/submissions/accepted", "problems/p", "home/secret", "home", ".grader", ".grader/index.sqlite",
           ".grader/runs", ".grader/cache", ".grader/cache/outcomes", "report.jsonl", ""]
# In the weak layer a program sees its own directory of builds, where it is.
for secret in secrets:
    path = os.path.join(workspace, secret)
    above = "../" * 30 + path.lstrip("/")
    for spelling in [path, above, "/tmp/" + above, "/." + path, os.path.relpath(path)]:
        if reads(spelling):
            print("read", spelling)
for path in ["/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssh/ssh_host_ed25519_key", "/root", "/home", "/var/log",
             "/root/.ssh", "/root/.bashrc", "/var/lib/dpkg", "/boot", "/run", "/run/grader", "/opt", "/srv", "/mnt",
             "/media", "/sys/fs/cgroup", "/sys/kernel", "/dev/kmsg", "/dev/mem", "/dev/vda", "/dev/sda", "/proc/kcore",
             "/dev/tty", "/dev/console", "/dev/ptmx", "/proc/kallsyms-", "/dev/fuse", "/dev/net/tun"]:
    if reads(path) and not (sys.base_prefix.startswith(path + "/") and hides(path)):
        print("read", path)
print("ok")
