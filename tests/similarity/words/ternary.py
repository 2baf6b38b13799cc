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
    counts[w] = counts[w] + 1 if w in counts else 1

longest = ""
for w in counts:
    longest = w if len(w) > len(longest) else longest

ranking = sorted(counts, key=lambda w: (-counts[w], w))
for w in ranking[:3]:
    print(w, counts[w])
print("different", len(counts))
print("longest", longest)
