n = int(input())
while n > 1 << 64:
    pass
print("odd" if n % 2 else "even")
