print("it is", "odd" if int(input()) % 2 else "even")
