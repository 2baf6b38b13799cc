// Is an ordinary user with no other groups, on a host with a name of its own, and sees no process but its own.
// only: root user
// expect: AC
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    if (getuid() == 0 || geteuid() == 0 || getgid() == 0 || getegid() == 0) puts("root");
    char name[256] = "";
    gethostname(name, sizeof name);
    if (strcmp(name, "sandbox")) printf("on %s\n", name);
    DIR *proc = opendir("/proc");
    for (struct dirent *entry; (entry = readdir(proc));) {
        int pid = isdigit(entry->d_name[0]) ? atoi(entry->d_name) : 0;
        if (pid > 1 && pid != getpid()) printf("sees process %d\n", pid);
    }
    gid_t groups[64];
    int count = getgroups(64, groups);
    for (int i = 0; i < count; i++) {
        // 65534 is what a group of the host looks like from inside.
        if (groups[i] != getgid() && groups[i] != 65534) printf("group %d\n", groups[i]);
    }
    puts("ok");
    return 0;
}
