import sys

text = sys.stdin.read().lower()
letters = "abcdefghijklmnopqrstuvwxyz"
words = []
word = ""
for c in text:
    if c in letters:
        word += c
    else:
        if word != "":
            words.append(word)
        word = ""
if word != "":
    words.append(word)

counts = {}
for w in words:
    if w in counts:
        counts[w] += 1
    else:
        counts[w] = 1

longest = ""
for w in counts:
    if len(w) > len(longest):
        longest = w

ranking = sorted(counts, key=lambda w: (-counts[w], w))
for w in ranking[:3]:
    print(w, counts[w])
print("different", len(counts))
print("longest", longest)
