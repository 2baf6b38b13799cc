import re
import sys

most = int(sys.argv[1]) if len(sys.argv) > 1 else 10**18
match = re.fullmatch(r"(-?\d+) (-?\d+)\n", sys.stdin.read())
sys.exit(42 if match and all(abs(int(x)) <= most for x in match.groups()) else 43)
