a, b = map(int, input().split())
while b < 0:
    pass
print(a + b)
