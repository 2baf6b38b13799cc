sum = int(input())
while n := int(input()):
    sum = (sum + n) % 112
    print(sum, flush=True)
