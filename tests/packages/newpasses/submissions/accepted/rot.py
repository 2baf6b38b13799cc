what, word = input().split()
by = 13
print("".join(chr((ord(c) - 97 + by) % 26 + 97) for c in word))
