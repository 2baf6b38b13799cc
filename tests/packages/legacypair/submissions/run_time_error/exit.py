import sys

print(1, int(input()) - 1)
sys.exit(3)
