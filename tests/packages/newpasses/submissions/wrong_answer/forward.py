what, word = input().split()
print("".join(chr((ord(c) - 96) % 26 + 97) for c in word))
