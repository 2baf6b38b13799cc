a, b = map(int, input().split())
assert a > 0
print(a + b)
