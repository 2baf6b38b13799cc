def square(n):
    return sum(abs(n) for _ in range(abs(n)))
