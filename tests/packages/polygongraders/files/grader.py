from solution import total

print(total(*map(int, input().split())))
