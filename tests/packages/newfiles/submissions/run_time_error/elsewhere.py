open("../words.txt").read()
print(input())
