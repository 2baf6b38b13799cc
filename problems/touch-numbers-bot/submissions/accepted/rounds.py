"""Settles the game in rounds, one ply further from the end in each.

Which hand is left and which is right does not matter for the value, so only
positions with sorted hands are solved.
"""
import sys

MOVES = {"ll": (0, 0), "lr": (0, 1), "rl": (1, 0), "rr": (1, 1)}
MAX_PLIES = 200


def pair(a, b):
    return (a, b) if a <= b else (b, a)


def solve():
    """Maps decided positions to a score for the player to move.

    The score is positive for a win, and higher for a faster one, and negative
    for a loss.
    """
    sides = [(a, b) for a in range(10) for b in range(a, 10) if b]
    children = {}
    score = {}
    for own in sides:
        score[own, (0, 0)] = -1000
        for other in sides:
            nexts = set()
            for touched in other:
                if touched:
                    if own[0]:
                        now = pair((own[0] + touched) % 10, own[1])
                        nexts.add((other, now))
                    if own[1]:
                        now = pair(own[0], (own[1] + touched) % 10)
                        nexts.add((other, now))
            children[own, other] = nexts
    still_open = list(children)
    plies = 0
    while True:
        plies += 1
        found = {}
        for state in still_open:
            scores = [score.get(after, 0) for after in children[state]]
            worst = min(scores)
            if worst < 0:
                found[state] = 1000 - plies
            elif worst > 0:
                found[state] = plies - 1000
        if not found:
            return score
        score.update(found)
        still_open = [state for state in still_open if state not in found]


def play(own, other, move):
    """The hand of the mover after the move, or None if it is illegal."""
    mine, theirs = MOVES[move]
    if own[mine] == 0 or other[theirs] == 0:
        return None
    own = list(own)
    own[mine] = (own[mine] + other[theirs]) % 10
    return own


def choose(score, own, other):
    def judges_score(move):
        return score.get((pair(*other), pair(*play(own, other, move))), 0)

    return min((m for m in MOVES if play(own, other, m)), key=judges_score)


def main():
    score = solve()
    my_turn = sys.stdin.readline().strip() == "first"
    digits = [int(word) for word in sys.stdin.readline().split()]
    me, judge = digits[:2], digits[2:]
    plies = 0
    while plies < MAX_PLIES and any(me) and any(judge):
        if my_turn:
            move = choose(score, me, judge)
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
