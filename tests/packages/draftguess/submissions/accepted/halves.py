low, high = 1, 100
while True:
    print((low + high) // 2, flush=True)
    answer = input()
    if answer == "correct":
        break
    if answer == "lower":
        high = (low + high) // 2 - 1
    else:
        low = (low + high) // 2 + 1
