# Writes to what is shared with others: itself, the system, the toolchain, the settings of the kernel. What it does must
# not do any harm where there are no walls: it opens, makes and takes away again, and neither removes nor cuts off.
# only: root user users weak
# limits: time=10
# expect: AC
import os, sys
if input() == "next":
    print("ok")
    raise SystemExit
own = os.path.dirname(os.path.abspath(sys.argv[0]))
for dir in ["/program", own, "/usr", "/usr/bin", "/usr/lib", "/bin", "/lib", "/etc", "/", "/dev", "/proc", "/sys",
            "/var", "/root", "/run", "/opt", "/home", "/toolchains", os.path.dirname(sys.executable), sys.prefix, "/mnt"]:
    path = os.path.join(dir, "hostile")
    for act in [lambda: open(path, "w"), lambda: os.mkdir(path), lambda: os.symlink("/", path), lambda: os.mkfifo(path),
                lambda: os.link("/etc/hosts", path)]:
        try:
            act()
            print("made", path)
            os.rmdir(path) if os.path.isdir(path) and not os.path.islink(path) else os.remove(path)
        except OSError:
            pass
for path in [os.path.abspath(sys.argv[0]), sys.executable, "/bin/sh", "/etc/passwd", "/etc/hosts", "/etc/ld.so.cache",
             "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/proc/sys/vm/drop_caches",
             "/proc/self/oom_score_adj-", "/proc/1/oom_score_adj", "/sys/kernel/uevent_helper", "/dev/mem", "/dev/kmsg",
             "/proc/self/exe", "/proc/sys/fs/file-max", "/proc/sys/net/ipv4/ip_forward", "/proc/sys/kernel/shmmax",
             "/proc/sys/kernel/sem", "/proc/sys/fs/mqueue/queues_max", "/proc/sys/user/max_user_namespaces",
             "/proc/irq/default_smp_affinity"]:
    for flags in [os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_APPEND]:
        try:
            os.open(path, flags)
            print("may write", path)
        except OSError:
            pass
try:
    # Anybody may open it.
    os.write(os.open("/proc/sys/kernel/ns_last_pid", os.O_WRONLY), b"1")
    print("chose a process id")
except OSError:
    pass
print("ok")
