print(input()[-1])
