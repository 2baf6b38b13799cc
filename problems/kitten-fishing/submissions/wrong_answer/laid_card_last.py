# Mistake: the card just laid goes to the hand after the cards it caught.
import sys
from collections import deque

NAMES = "小哼", "小哈"


def play(hands):
    """Returns the winner and the row, or None if the game never ends."""
    row = []
    seen = set()
    turn = 0
    while True:
        position = (turn, tuple(hands[0]), tuple(hands[1]), tuple(row))
        if position in seen:
            return None
        seen.add(position)
        hand = hands[turn]
        card = hand.popleft()
        if card in row:
            at = row.index(card)
            hand.extend(reversed(row[at:]))
            hand.append(card)
            del row[at:]
        else:
            row.append(card)
        turn = 1 - turn
        if not hand:
            return turn, row


def main():
    lines = sys.stdin.read().splitlines()
    hands = [deque(line.split()) for line in lines[:2]]
    result = play(hands)
    if result is None:
        text = "平局\n"
    else:
        winner, row = result
        name = NAMES[winner]
        text = f"{name}win\n"
        text += " ".join([name + "当前手中的牌是", *hands[winner]]) + "\n"
        text += " ".join(["桌上的牌是", *row]) + "\n"
    # Bytes, so that the output is UTF-8 whatever the locale says.
    sys.stdout.buffer.write(text.encode())


main()
