# Mistake: fewer than three rolls left before 100 are thrown away, not used.
import sys


def main():
    place = [int(line.split()[-1]) for line in sys.stdin]
    score = [0, 0]
    die = []
    rolls = 0
    player = 1
    while score[player] < 1000:
        player = 1 - player
        if len(die) < 3:
            die = list(range(1, 101))
        place[player] += sum(die[:3])
        die = die[3:]
        rolls += 3
        place[player] = (place[player] - 1) % 10 + 1
        score[player] += place[player]
    print(score[1 - player] * rolls)


main()
