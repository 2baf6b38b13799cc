print(int(input()) ** 2 + 5)
