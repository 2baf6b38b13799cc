import sys


def split(text):
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
    return words


def count(words):
    counts = {}
    for w in words:
        if w in counts:
            counts[w] += 1
        else:
            counts[w] = 1
    return counts


def find_longest(counts):
    longest = ""
    for w in counts:
        if len(w) > len(longest):
            longest = w
    return longest


def main():
    counts = count(split(sys.stdin.read().lower()))
    ranking = sorted(counts, key=lambda w: (-counts[w], w))
    for w in ranking[:3]:
        print(w, counts[w])
    print("different", len(counts))
    print("longest", find_longest(counts))


main()
