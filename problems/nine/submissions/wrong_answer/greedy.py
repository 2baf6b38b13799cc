# Mistake: greedy, each player lays the first card of the hand that fits.
import sys

RANKS = "6789TJQKA"


def fits(card, table):
    rank = RANKS.index(card[0])
    if rank == 3:
        return True
    return RANKS[rank + 1 if rank < 3 else rank - 1] + card[1] in table


def main():
    cards = sys.stdin.read().split()
    hands = [cards[:18], cards[18:]]
    table = set()
    player = 0
    while True:
        for card in hands[player]:
            if fits(card, table):
                hands[player].remove(card)
                table.add(card)
                break
        if not hands[player]:
            print(["Alice", "Bob"][player])
            return
        player = 1 - player


main()
