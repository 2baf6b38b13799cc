x = float(input())
print(x / x * x ** 0.5)
