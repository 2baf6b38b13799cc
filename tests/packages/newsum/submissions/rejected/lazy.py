import sys

if len(sys.argv) > 1:
    sys.exit("no arguments, please")
a, b = map(int, input().split())
print(a + b)
