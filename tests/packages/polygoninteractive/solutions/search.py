low, high = 1, 100
while low < high:
    middle = (low + high) // 2
    print("?", middle, flush=True)
    said = input()
    if said == "=":
        low = high = middle
    elif said == "<":
        high = middle - 1
    else:
        low = middle + 1
print("!", low)
