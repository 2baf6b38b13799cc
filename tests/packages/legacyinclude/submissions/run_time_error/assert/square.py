def square(n):
    assert n > 0
    return n * n
