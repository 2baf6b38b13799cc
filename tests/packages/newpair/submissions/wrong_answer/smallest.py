n = int(input())
a = next(d for d in range(2, n) if n % d == 0)
print(a, n // a)
