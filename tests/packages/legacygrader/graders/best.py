"""The best points of a group: accepted where any case is."""

import sys

assert sys.argv[1:] == ["best"], sys.argv
results = [line.split() for line in sys.stdin]
best = max((float(points) for verdict, points in results if verdict == "AC"), default=None)
print("WA 0" if best is None else f"AC {best}")
