import os, sys
for place in ["/tmp", "/dev/shm", "."]:
    try:
        open(os.path.join(place, "from-the-interactor"), "w").close()
    except OSError:
        pass
said = sys.stdin.readline()
open(sys.argv[3] + "/judgemessage.txt", "w").write(said)
sys.exit(42 if said.startswith("nothing") else 43)
