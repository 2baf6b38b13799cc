import sys

sys.exit(42 if not sys.stdin.read().strip().startswith("-") else 43)
