import sys


def clean(line):
    result = ""
    for ch in line:
        if ch.isalpha() and ch.isascii():
            result += ch.lower()
        else:
            result += " "
    return result


def main():
    table = {}
    order = []
    for line in sys.stdin:
        for word in clean(line).split():
            if word not in table:
                table[word] = 0
                order.append(word)
            table[word] += 1
    pairs = []
    for word in table:
        pairs.append((-table[word], word))
    pairs.sort()
    for number, word in pairs[:3]:
        print(word, -number)
    print("different", len(table))
    print("longest", max(order, key=len))


main()
