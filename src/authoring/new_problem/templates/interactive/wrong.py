guess = 1
# Wrong: one by one needs too many guesses.
while True:
    print(guess, flush=True)
    if input() == "correct":
        break
    guess += 1
