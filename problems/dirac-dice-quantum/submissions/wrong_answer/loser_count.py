# Mistake: prints the universes of the player who wins fewer.
import sys
from functools import lru_cache

WAYS = {3: 1, 4: 3, 5: 6, 6: 7, 7: 6, 8: 3, 9: 1}


@lru_cache(maxsize=None)
def wins(place, score, other_place, other_score):
    own, others = 0, 0
    for rolled, ways in WAYS.items():
        there = (place + rolled - 1) % 10 + 1
        if score + there >= 21:
            own += ways
        else:
            lose, win = wins(other_place, other_score, there, score + there)
            own += ways * win
            others += ways * lose
    return own, others


def main():
    first, second = (int(line.split()[-1]) for line in sys.stdin)
    print(min(wins(first, 0, second, 0)))


main()
