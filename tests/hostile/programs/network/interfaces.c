// Looks for a network: there is none but a loopback interface that is down.
// only: root user users
// expect: AC
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    for (int index = 1; index < 64; index++) {
        struct ifreq request = {.ifr_ifindex = index};
        if (ioctl(fd, SIOCGIFNAME, &request) < 0) continue;
        char name[IFNAMSIZ + 1] = "";
        memcpy(name, request.ifr_name, IFNAMSIZ);
        ioctl(fd, SIOCGIFFLAGS, &request);
        // The kernel may make templates of tunnels in every namespace; they are down as well.
        if (request.ifr_flags & IFF_UP) printf("%s is up\n", name);
        request.ifr_flags |= IFF_UP;
        if (ioctl(fd, SIOCSIFFLAGS, &request) == 0) printf("%s can be brought up\n", name);
    }
    const char *tables[] = {"/proc/net/route", "/proc/net/tcp", "/proc/net/udp", "/proc/net/arp", "/proc/net/unix"};
    for (int i = 0; i < 5; i++) {
        FILE *table = fopen(tables[i], "r");
        char line[512];
        for (int n = 0; table && fgets(line, sizeof line, table); n++) {
            // A socket without a name is one of those around the program.
            int unnamed = i == 4 && !strchr(line, '/') && !strchr(line, '@');
            if (n > 0 && !unnamed) printf("%s: %s", tables[i], line);
        }
        if (table) fclose(table);
    }
    puts("ok");
    return 0;
}
