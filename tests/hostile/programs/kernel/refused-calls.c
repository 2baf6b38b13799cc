// Tries every way into the kernel that no program needs, and prints those that were open.
// only: root user users weak
// expect: AC
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

// Refused means that the filter or the lack of a right said no, and not that an argument was wrong: those are such that a
// call that is let through fails without doing any harm.
static void expect_refusal(const char *what, long result) {
    int why = errno;
    int refused = why == EPERM || why == EACCES || why == ENOSYS || why == EAFNOSUPPORT || why == EPROTONOSUPPORT;
    if (result >= 0 || !refused) printf("%s: %s\n", what, result >= 0 ? "done" : strerror(why));
}

#define TRY(call) (errno = 0, expect_refusal(#call, call))

int main(void) {
    if (is_next()) return puts("ok") < 0;
    int spaces[] = {CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP,
                    0x80 /* CLONE_NEWTIME */};
    for (unsigned i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        TRY(unshare(spaces[i]));
        if (spaces[i] == 0x80) continue;
        errno = 0;
        long child = syscall(SYS_clone, spaces[i] | SIGCHLD, 0, 0, 0, 0);
        if (child == 0) _exit(0);
        expect_refusal("clone into a namespace", child);
    }
    unsigned long long arguments[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
    errno = 0;
    long child = syscall(SYS_clone3, arguments, sizeof arguments);
    if (child == 0) _exit(0);
    expect_refusal("clone3 into a namespace", child);
    TRY(setns(open("/proc/self/ns/net", O_RDONLY), 0));

    TRY(mount("none", "/tmp", "tmpfs", 0, 0));
    TRY(mount(0, "/", 0, MS_REMOUNT | MS_BIND, 0));
    TRY(umount2("/proc", MNT_DETACH));
    TRY(syscall(SYS_pivot_root, ".", "."));
    TRY(chroot("."));
    TRY(syscall(428 /* open_tree */, AT_FDCWD, "/", 1));
    TRY(syscall(429 /* move_mount */, -1, "", -1, "", 0));
    TRY(syscall(430 /* fsopen */, "tmpfs", 0));
    TRY(syscall(431 /* fsconfig */, -1, 6, 0, 0, 0));
    TRY(syscall(432 /* fsmount */, -1, 0, 0));
    TRY(syscall(433 /* fspick */, AT_FDCWD, "/", 0));
    TRY(syscall(442 /* mount_setattr */, -1, "", 0, 0, 0));
    char handle[64] = {0};
    int mount_id;
    TRY(syscall(SYS_name_to_handle_at, AT_FDCWD, "/usr", handle, &mount_id, 0));
    TRY(syscall(SYS_open_by_handle_at, AT_FDCWD, handle, O_RDONLY));
    TRY(mknod("disk", S_IFBLK | 0600, 0xfe00));
    TRY(mknod("kmsg", S_IFCHR | 0600, 0x010b));

    TRY(ptrace(PTRACE_TRACEME, 0, 0, 0));
    TRY(ptrace(PTRACE_ATTACH, getppid(), 0, 0));
    TRY(syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0));
    TRY(syscall(SYS_process_vm_writev, getppid(), 0, 0, 0, 0, 0));
    TRY(syscall(SYS_kcmp, getpid(), getppid(), 0, 0, 0));
    TRY(syscall(438 /* pidfd_getfd */, -1, 0, 0));

    union bpf_attr map = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
    TRY(syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map));
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE, .size = sizeof event, .exclude_kernel = 1};
    TRY(syscall(SYS_perf_event_open, &event, 0, -1, -1, 0));
    char ring[128] = {0};
    TRY(syscall(425 /* io_uring_setup */, 4, ring));
    TRY(syscall(426 /* io_uring_enter */, -1, 0, 0, 0, 0));
    TRY(syscall(SYS_userfaultfd, 1));
    TRY(syscall(SYS_add_key, "user", "hostile", "x", 1, -3));
    TRY(syscall(SYS_request_key, "user", "hostile", 0, -3));
    TRY(syscall(SYS_keyctl, 0, -3, 1));
    TRY(syscall(447 /* memfd_secret */, 0));

    TRY(socket(AF_INET, SOCK_RAW, 1));
    TRY(socket(AF_INET, SOCK_DGRAM, 1));
    TRY(socket(AF_INET6, SOCK_RAW, 58));
    TRY(socket(AF_PACKET, SOCK_RAW, 0));
    TRY(socket(AF_NETLINK, SOCK_RAW, 0));
    TRY(socket(AF_ALG, SOCK_SEQPACKET, 0));
    TRY(socket(AF_VSOCK, SOCK_STREAM, 0));
    TRY(socket(AF_BLUETOOTH, SOCK_RAW, 0));
    TRY(socket(AF_INET, SOCK_STREAM, 132));
    TRY(socket(44 /* AF_XDP */, SOCK_RAW, 0));

    TRY(ioctl(0, TIOCSTI, "x"));
    TRY(ioctl(0, 0x541c /* TIOCLINUX */, "\3"));
    int discipline = 0;
    TRY(ioctl(0, TIOCSETD, &discipline));

    TRY(syscall(SYS_kexec_load, 0, -1L, 0, 0));
    TRY(syscall(SYS_kexec_file_load, -1, -1, 0, 0, 0));
    TRY(syscall(SYS_init_module, 0, 0, ""));
    TRY(syscall(SYS_finit_module, -1, "", 0));
    TRY(syscall(SYS_delete_module, "hostile", 0));
    TRY(syscall(SYS_reboot, 0, 0, 0, 0));
    TRY(syscall(SYS_swapon, "/nothing", 0));
    TRY(syscall(SYS_swapoff, "/nothing"));
    TRY(syscall(SYS_acct, "/nothing"));
    TRY(syscall(SYS_quotactl, 0, 0, 0, 0));
    TRY(syscall(SYS_syslog, 10, 0, 0));
    TRY(syscall(SYS_settimeofday, 0, (void *)1));
    TRY(syscall(SYS_clock_settime, -1, 0));
    TRY(sethostname("hostile", -1));
    TRY(setdomainname("hostile", -1));
    TRY(syscall(SYS_personality, 0x0400000 /* READ_IMPLIES_EXEC */));
    TRY(syscall(SYS_fanotify_init, 0, 0));
#ifdef __x86_64__
    TRY(syscall(SYS_iopl, 3));
    TRY(syscall(SYS_ioperm, 0, 1, 1));
    TRY(syscall(SYS_modify_ldt, 0, 0, 0));
#endif

    TRY(setuid(0) == 0 && getuid() == 0 && geteuid() != 0 ? 0 : -(errno = EPERM));
    TRY(prctl(PR_CAPBSET_READ, 21 /* CAP_SYS_ADMIN */) > 0 ? 0 : -(errno = EPERM));
    TRY(prctl(PR_SET_SECCOMP, 0, 0) == 0 ? 0 : -(errno = EPERM));
    puts("ok");
    return 0;
}
