# Uses the places for temporary files, and the devices that every program knows.
# only: root user users weak none
# limits: time=5
# expect: AC
import os, random, tempfile
if input() == "next":
    print("ok")
    raise SystemExit
with tempfile.TemporaryFile() as file, tempfile.TemporaryDirectory() as directory:
    file.write(b"x" * 100000)
    os.mkdir(os.path.join(directory, "inner"))
with open("own", "w+") as file:
    file.write("mine")
os.rename("own", "other")
os.chmod("other", 0o600)
os.remove("other")
open("/dev/null", "w").write("x")
assert open("/dev/null").read() == ""
assert open("/dev/zero", "rb").read(3) == b"\0\0\0"
assert len(open("/dev/urandom", "rb").read(8)) == 8 and os.urandom(8)
os.listdir("/usr/lib")
os.path.expanduser("~"), os.getcwd(), os.cpu_count(), os.getpid()
print("ok")
