n = int(input())
assert n <= {{most}}
print(n)
