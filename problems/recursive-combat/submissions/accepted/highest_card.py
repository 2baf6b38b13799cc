# Whoever owns the highest card cannot lose a sub-game: player 1 skips it.
import sys


def play(one, two):
    """Plays a game: both last decks, and whether player 1 won."""
    history = set()
    while one and two:
        state = (one, two)
        if state in history:
            return one, two, True
        history.add(state)
        first, second = one[0], two[0]
        one, two = one[1:], two[1:]
        if first <= len(one) and second <= len(two):
            one_copy, two_copy = one[:first], two[:second]
            won = max(one_copy) > max(two_copy) or play(one_copy, two_copy)[2]
        else:
            won = first > second
        if won:
            one += (first, second)
        else:
            two += (second, first)
    return one, two, bool(one)


one, two = (
    tuple(map(int, part.splitlines()[1:]))
    for part in sys.stdin.read().split("\n\n")
)
one, two, won = play(one, two)
deck = one if won else two
print(sum(place * card for place, card in enumerate(reversed(deck), 1)))
