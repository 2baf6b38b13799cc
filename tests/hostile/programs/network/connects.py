# Connects to listeners of the host, by port, by abstract name and by a path, and to the rest of the world.
# only: root user users weak
# limits: time=10
# expect: AC
import errno, os, socket
if input() == "next":
    print("ok")
    raise SystemExit
workspace, port, name = input(), int(input()), input()
def reaches(family, kind, address, data=None):
    try:
        with socket.socket(family, kind) as open:
            open.settimeout(0.3)
            # Whether a datagram arrives, its sender does not know: the host looks.
            if data:
                open.sendto(data, address)
            else:
                open.connect(address)
                print("reached", address)
    except OSError:
        pass
for host in ["127.0.0.1", "localhost", "0.0.0.0", "10.0.0.1", "169.254.169.254", "8.8.8.8"]:
    reaches(socket.AF_INET, socket.SOCK_STREAM, (host, port))
    reaches(socket.AF_INET, socket.SOCK_DGRAM, (host, port), b"x")
for host in ["::1", "::ffff:127.0.0.1", "fe80::1"]:
    reaches(socket.AF_INET6, socket.SOCK_STREAM, (host, port))
reaches(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + name)
reaches(socket.AF_UNIX, socket.SOCK_DGRAM, "\0" + name, b"x")
for path in ["/run/dbus/system_bus_socket", "/var/run/docker.sock", "/run/docker.sock", "/run/systemd/private", "/dev/log",
             "/run/systemd/journal/stdout", "/tmp/.X11-unix/X0", workspace + "/home/socket"]:
    reaches(socket.AF_UNIX, socket.SOCK_STREAM, path)
    reaches(socket.AF_UNIX, socket.SOCK_DGRAM, path, b"x")
print("ok")
