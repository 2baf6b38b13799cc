def {function}(n):
    return sum(range(1, n + 1))
