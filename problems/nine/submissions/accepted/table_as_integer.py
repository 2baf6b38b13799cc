"""All tables at once: a set of tables is one integer of 25**4 bits.

A move shifts the set. As 36 cards end the game, 37 rounds of "who can reach
what" settle every table.
"""
import sys

STATES = 25
TABLES = STATES ** 4
EVERY = (1 << TABLES) - 1


def spread(bits, weight):
    """The tables whose suit of this weight is in a state among the bits."""
    run = (1 << weight) - 1
    block = 0
    for state in range(STATES):
        if bits >> state & 1:
            block |= run << (state * weight)
    size = STATES * weight
    while size < TABLES:
        whole = block
        for i in range(1, STATES):
            whole |= block << (i * size)
        block = whole
        size *= STATES
    return block


def main():
    cards = sys.stdin.read().split()
    hands = [set(cards[:18]), set(cards[18:])]
    moves = [[], []]
    done = [EVERY, EVERY]
    for suit_number, suit in enumerate("CDSH"):
        weight = STATES ** suit_number
        ranks = [rank + suit for rank in "6789TJQKA"]
        up, down, finished = [0, 0], [0, 0], [0, 0]
        for player, hand in enumerate(hands):
            for state in range(STATES):
                if state == 0:
                    low, high = 3, 3
                    up[player] |= (ranks[3] in hand)
                else:
                    below, above = divmod(state - 1, 6)
                    low, high = 3 - below, 4 + above
                    if high < 9 and ranks[high] in hand:
                        up[player] |= 1 << state
                    if low > 0 and ranks[low - 1] in hand:
                        down[player] |= 1 << state
                if not hand.intersection(ranks[:low] + ranks[high:]):
                    finished[player] |= 1 << state
            for bits, step in ((up[player], 1), (down[player], 6)):
                if bits:
                    moves[player].append((spread(bits, weight), step * weight))
            done[player] &= spread(finished[player], weight)
    can = [0, 0]
    for player in range(2):
        for tables, _ in moves[player]:
            can[player] |= tables
    over = done[0] | done[1]
    # What the player to move does there: lays a card, or passes; or nothing,
    # as the game is over.
    lay = [can[player] & ~over for player in range(2)]
    skip = [EVERY & ~can[player] & ~over for player in range(2)]
    # The tables Alice wins, with Alice or with Bob to move.
    wins = [done[0], done[0]]
    for _ in range(37):
        good = 0
        for tables, step in moves[0]:
            good |= (wins[1] >> step) & tables
        bad = 0
        lost = EVERY ^ wins[0]
        for tables, step in moves[1]:
            bad |= (lost >> step) & tables
        fine = lay[1] & ~bad
        good &= lay[0]
        new = [done[0] | good | (skip[0] & fine),
               done[0] | fine | (skip[1] & good)]
        if new == wins:
            break
        wins = new
    print("Alice" if wins[0] & 1 else "Bob")


main()
