# Slow: a right search of all moves, its memory keyed by strings of the state.
import sys

RANKS = "6789TJQKA"


def fits(card, table):
    rank = RANKS.index(card[0])
    if rank == 3:
        return True
    return RANKS[rank + 1 if rank < 3 else rank - 1] + card[1] in table


def wins(own, other, table, player, memo):
    if not other:
        return False
    key = " ".join(own) + "," + " ".join(other)
    key += "," + " ".join(sorted(table)) + "," + player
    if key not in memo:
        following = "Bob" if player == "Alice" else "Alice"
        moves = [card for card in own if fits(card, table)]
        if moves:
            result = False
            for card in moves:
                rest = tuple(c for c in own if c != card)
                if not wins(other, rest, table | {card}, following, memo):
                    result = True
        else:
            result = not wins(other, own, table, following, memo)
        memo[key] = result
    return memo[key]


def main():
    cards = sys.stdin.read().split()
    alice, bob = tuple(cards[:18]), tuple(cards[18:])
    print("Alice" if wins(alice, bob, frozenset(), "Alice", {}) else "Bob")


main()
