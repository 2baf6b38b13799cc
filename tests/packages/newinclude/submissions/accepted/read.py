print(open("squares.txt").read().split()[int(input())])
