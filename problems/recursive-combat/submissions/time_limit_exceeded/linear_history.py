# Slow: compares every round with all earlier ones and skips no sub-game.
import sys


def play(one, two):
    history = []
    while one and two:
        if [one, two] in history:
            return one, two, True
        history.append([one, two])
        first, second = one[0], two[0]
        one, two = one[1:], two[1:]
        if first <= len(one) and second <= len(two):
            won = play(one[:first], two[:second])[2]
        else:
            won = first > second
        if won:
            one = one + [first, second]
        else:
            two = two + [second, first]
    return one, two, bool(one)


one, two = (
    [int(line) for line in part.splitlines()[1:]]
    for part in sys.stdin.read().split("\n\n")
)
one, two, won = play(one, two)
deck = one if won else two
print(sum(place * card for place, card in enumerate(reversed(deck), 1)))
