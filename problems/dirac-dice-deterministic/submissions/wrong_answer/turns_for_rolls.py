# Mistake: multiplies by the number of turns, not by the number of rolls.
import sys


def main():
    place = [int(line.split()[-1]) for line in sys.stdin]
    score = [0, 0]
    rolled = 0
    turns = 0
    while max(score) < 1000:
        player = turns % 2
        for _ in range(3):
            place[player] += rolled % 100 + 1
            rolled += 1
        place[player] = (place[player] - 1) % 10 + 1
        score[player] += place[player]
        turns += 1
    print(min(score) * turns)


main()
