# Mistake: takes the first legal move there is.
import sys

MOVES = {"ll": (0, 0), "lr": (0, 1), "rl": (1, 0), "rr": (1, 1)}
MAX_PLIES = 200


def play(own, other, move):
    """The hand of the mover after the move, or None if it is illegal."""
    mine, theirs = MOVES[move]
    if own[mine] == 0 or other[theirs] == 0:
        return None
    own = list(own)
    own[mine] = (own[mine] + other[theirs]) % 10
    return own


def choose(own, other):
    return next(move for move in MOVES if play(own, other, move))


def main():
    my_turn = sys.stdin.readline().strip() == "first"
    digits = [int(word) for word in sys.stdin.readline().split()]
    me, judge = digits[:2], digits[2:]
    plies = 0
    while plies < MAX_PLIES and any(me) and any(judge):
        if my_turn:
            move = choose(me, judge)
            print(move, flush=True)
            me = play(me, judge, move)
        else:
            move = sys.stdin.readline().strip()
            if move not in MOVES:
                return  # the judge has ended the game
            judge = play(judge, me, move)
        my_turn = not my_turn
        plies += 1
    sys.stdin.readline()


main()
