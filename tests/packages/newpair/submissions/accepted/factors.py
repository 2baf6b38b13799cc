n = int(input())
a = max(d for d in range(1, int(n ** 0.5) + 1) if n % d == 0)
print(a, n // a)
