a, b = map(int, input().split())
print(round(a / b, 2))
