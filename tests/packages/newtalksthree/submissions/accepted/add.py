sum = int(input())
while n := int(input()):
    sum += n
    print(sum, flush=True)
