"""Remembered recursion over places and scores, the mover's always first."""
import sys
from functools import lru_cache

WAYS = ((3, 1), (4, 3), (5, 6), (6, 7), (7, 6), (8, 3), (9, 1))


@lru_cache(maxsize=None)
def wins(place, score, other_place, other_score):
    """The universes in which the mover wins, and those of the other."""
    own, others = 0, 0
    for rolled, ways in WAYS:
        there = (place + rolled - 1) % 10 + 1
        total = score + there
        if total >= 21:
            own += ways
        else:
            lose, win = wins(other_place, other_score, there, total)
            own += ways * win
            others += ways * lose
    return own, others


def main():
    first, second = (int(line.split()[-1]) for line in sys.stdin)
    print(max(wins(first, 0, second, 0)))


main()
