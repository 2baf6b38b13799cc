n = int(input())
print(sum(n for _ in range(n)))
