import sys

text = sys.stdin.read().lower()
letters = "abcdefghijklmnopqrstuvwxyz"
word, tokens = "", []
for x in text:
    if x in letters:
        word = word + x
    else:
        if word != "":
            tokens.append(word)
        word = ""
if word != "":
    tokens.append(word)

freq = {}
for y in tokens:
    if not (y in freq):
        freq[y] = 1
    else:
        freq[y] = freq[y] + 1

longest = ""
for y in freq:
    if len(y) > len(longest):
        longest = y

ranking = sorted(freq, key=lambda y: (-freq[y], y))
for y in ranking[:3]:
    sys.stdout.write(y + " " + str(freq[y]) + "\n")
print("different", len(freq))
print("longest", longest)
