n = int(input())
print(n + 1 if n < 100 else n)
