run, number = input().split()
print(int(number) % 2)
