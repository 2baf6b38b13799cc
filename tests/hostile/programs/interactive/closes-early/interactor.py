import sys
sys.stdin.readline()
sys.exit(42 if sys.stdin.readline() else 43)
