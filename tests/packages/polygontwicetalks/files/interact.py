"""Gives the number in the first run and a bit of the solution in the second. Writes what the second says about parity."""

import sys

given = open(sys.argv[1]).read().split()
print(*given, flush=True)
said = sys.stdin.readline().strip()
if said not in ("0", "1"):
    print(f"wrong answer {said!r} is not a bit", file=sys.stderr)
    sys.exit(1)
with open(sys.argv[2], "w") as tout:
    print(said if given[0] == "second" else f"second {said}", file=tout)
