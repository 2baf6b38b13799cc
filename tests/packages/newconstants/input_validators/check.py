import sys

line = sys.stdin.read()
sys.exit(42 if line.strip().isdigit() and int(line) <= 10 * {{most}} else 43)
