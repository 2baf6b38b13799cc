import os, sys
dir = sys.argv[3]
try:
    for index in range(70000):
        open(f"{dir}/{index}", "w").close()
except OSError:
    pass
for index in range(1000):
    try:
        os.remove(f"{dir}/{index}")
    except OSError:
        break
try:
    with open(dir + "/judgemessage.txt", "wb") as file:
        for _ in range(2000):
            file.write(b"\x1b[31m\xff\x00" * 100000)
except OSError:
    pass
sys.exit(43)
