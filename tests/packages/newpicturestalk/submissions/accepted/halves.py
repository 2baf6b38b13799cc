low, high = 1, 16
while True:
    guess = (low + high) // 2
    print(guess, flush=True)
    answer = input()
    if answer == "right":
        break
    if answer == "low":
        low = guess + 1
    else:
        high = guess - 1
