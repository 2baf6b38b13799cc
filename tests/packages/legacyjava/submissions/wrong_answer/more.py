print(*range(1, int(input()) + 2))
