with open("lists/de/words.txt") as words:
    print("yes" if input() in words.read().split() else "no")
