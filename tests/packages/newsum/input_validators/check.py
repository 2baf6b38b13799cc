import re
import sys

# What the submission is called with comes after its own arguments.
most = next((int(word[5:]) for word in sys.argv[1:] if word.startswith("most=")), 10**18)
match = re.fullmatch(r"(-?\d+) (-?\d+)\n", sys.stdin.read())
sys.exit(42 if match and all(abs(int(x)) <= most for x in match.groups()) else 43)
