# Mistake: a sub-game is played on the decks themselves, not on copies.
import sys


def play(one, two):
    history = set()
    while one and two:
        state = (tuple(one), tuple(two))
        if state in history:
            return True
        history.add(state)
        first, second = one.pop(0), two.pop(0)
        if first <= len(one) and second <= len(two):
            del one[first:]
            del two[second:]
            won = play(one, two)
        else:
            won = first > second
        if won:
            one += [first, second]
        else:
            two += [second, first]
    return bool(one)


one, two = (
    [int(line) for line in part.splitlines()[1:]]
    for part in sys.stdin.read().split("\n\n")
)
deck = one if play(one, two) else two
print(sum(place * card for place, card in enumerate(reversed(deck), 1)))
