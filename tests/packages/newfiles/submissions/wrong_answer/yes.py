input()
print("yes")
