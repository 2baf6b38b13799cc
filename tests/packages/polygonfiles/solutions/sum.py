with open("sum.in") as numbers, open("sum.out", "w") as output:
    print(sum(map(int, numbers.read().split())), file=output)
print("nobody reads this")
