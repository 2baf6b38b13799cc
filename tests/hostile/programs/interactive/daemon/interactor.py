import sys
sys.stdin.readline()
sys.exit(42 if not sys.stdin.readline() else 43)
