import sys

a, b = map(int, input().split())
print((a + b) * int([*sys.argv[1:], 1][0]))
