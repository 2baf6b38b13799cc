import re
import sys

text = sys.stdin.buffer.read().decode("ascii").replace("\r\n", "\n")
match = re.fullmatch(r"(-?\d+) (-?\d+)\n", text)
sys.exit(42 if match and all(abs(int(x)) <= 10**18 for x in match.groups()) else 43)
