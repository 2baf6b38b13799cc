low, high = 1, 1000
while True:
    guess = (low + high) // 2
    print(guess, flush=True)
    said = input()
    if said == "correct":
        break
    if said == "lower":
        high = guess - 1
    else:
        low = guess + 1
