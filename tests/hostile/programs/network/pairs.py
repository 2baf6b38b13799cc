# Talks to the machine through sockets that it may have: those that are connected to each other. Watches directories for the
# names of files that others open there. What was possible is printed.
# only: users
# limits: time=5
# expect: AC
import ctypes
import errno
import socket
import sys

word, workspace, port, name = sys.stdin.read().split()
if word == "next":
    sys.exit(print("ok"))
for family, kind in [(socket.AF_UNIX, socket.SOCK_STREAM), (socket.AF_UNIX, socket.SOCK_DGRAM), (socket.AF_INET, socket.SOCK_DGRAM),
                     (socket.AF_INET6, socket.SOCK_STREAM), (16, socket.SOCK_RAW), (40, socket.SOCK_STREAM)]:
    try:
        socket.socket(family, kind)
        print("made a socket", family, kind)
    except OSError:
        pass
for kind in [socket.SOCK_DGRAM, socket.SOCK_RAW]:
    try:
        one, other = socket.socketpair(socket.AF_UNIX, kind)
        print("made a pair of kind", kind)
        one.sendto(b"hello", "\0" + name)
    except OSError:
        pass
one, other = socket.socketpair()
for act in ["bind", "connect"]:
    for place in ["\0" + name, "\0mine-" + name, "here"]:
        try:
            getattr(one, act)(place)
            print(act, place)
        except OSError as error:
            if error.errno != errno.EPERM:
                print(act, error)
sequenced, end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
for pair in [one, sequenced]:
    try:
        pair.sendmsg([b"hello"], [], 0, "\0" + name)
    except OSError:
        pass
if end.recv(16) != b"hello":
    print("a message went elsewhere")
libc = ctypes.CDLL(None)
watch = libc.inotify_init()
for place in ["/tmp", "/etc", ".", workspace + "/testcases/p/secret"]:
    if libc.inotify_add_watch(watch, place.encode(), 0xFFF) >= 0:
        print("watches", place)
print("ok")
