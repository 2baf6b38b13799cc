a, b = map(int, input().split())
print(a + b if b >= 0 else 0)
