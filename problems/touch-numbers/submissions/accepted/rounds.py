"""Settles the game in rounds: round k finds what is decided in k moves.

Which hand is left and which is right does not matter for the value, so only
positions with sorted hands are solved.
"""
import sys


def pair(a, b):
    return (a, b) if a <= b else (b, a)


def solve():
    sides = [(a, b) for a in range(10) for b in range(a, 10) if b]
    children = {}
    value = {}
    for own in sides:
        value[own, (0, 0)] = "LOSE"
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
    while True:
        found = {}
        for state in still_open:
            values = [value.get(after) for after in children[state]]
            if "LOSE" in values:
                found[state] = "WIN"
            elif values.count("WIN") == len(values):
                found[state] = "LOSE"
        if not found:
            return value
        value.update(found)
        still_open = [state for state in still_open if state not in found]


def main():
    value = solve()
    wanted = {"WIN": "LOSE", "LOSE": "WIN", "DRAW": "DRAW"}
    answers = []
    for line in sys.stdin.read().splitlines()[1:]:
        a, b, c, d = map(int, line.split())
        result = value.get((pair(a, b), pair(c, d)), "DRAW")
        goal = wanted[result]
        for name, mine, kept, touched in (
            ("rr", b, a, d),
            ("rl", b, a, c),
            ("lr", a, b, d),
            ("ll", a, b, c),
        ):
            if mine and touched:
                after = (pair(c, d), pair((mine + touched) % 10, kept))
                if value.get(after, "DRAW") == goal:
                    answers.append(result + " " + name)
                    break
    print("\n".join(answers))


main()
