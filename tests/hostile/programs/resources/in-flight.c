// Leaves memory, its output and a socket with a name behind where no process holds them any more: in messages that two
// sockets have sent to each other. The next run needs the memory, and looks for the name.
// only: root user
// limits: memory=80 output=128 time=5
// repeat: 2
// expect: AC
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void send_all(int through, const int *descriptors, int count) {
    char space[CMSG_SPACE(16 * sizeof(int))] = {0}, byte = 0;
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = space};
    message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
    if (sendmsg(through, &message, 0) < 0) printf("sendmsg: %s\n", strerror(errno));
}

int main(void) {
    struct sockaddr_un name = {AF_UNIX, "\0left-in-flight"};
    int visitor = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(visitor, (struct sockaddr *)&name, 20) == 0) puts("an earlier run's socket answers");
    size_t size = 60 << 20;
    int file = memfd_create("left", 0), ends[2], listener = socket(AF_UNIX, SOCK_STREAM, 0);
    // Where memory is sampled there are no files without a name; then it is one that has lost it.
    if (file < 0) file = open("/dev/shm/left", O_RDWR | O_CREAT | O_EXCL, 0600), unlink("/dev/shm/left");
    if (ftruncate(file, size)) return 1;
    void *memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    memset(memory, 1, size);
    munmap(memory, size);
    bind(listener, (struct sockaddr *)&name, 20);
    listen(listener, 5);
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    send_all(ends[0], (int[]){ends[1], file, listener, 1, 2}, 5);
    send_all(ends[1], (int[]){ends[0], file, listener, 1, 2}, 5);
    puts("ok");
    return 0;
}
