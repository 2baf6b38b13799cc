import sys

print(int(input()) * int([*sys.argv[1:], "{{factor}}"][0]))
