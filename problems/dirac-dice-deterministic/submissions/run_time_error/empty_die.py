# Crash: takes a roll from the list of a hundred after the last one is gone.
import sys


def main():
    place = [int(line.split()[-1]) for line in sys.stdin]
    score = [0, 0]
    die = list(range(100, 0, -1))
    rolls = 0
    player = 1
    while score[player] < 1000:
        player = 1 - player
        place[player] += die.pop() + die.pop() + die.pop()
        rolls += 3
        place[player] = (place[player] - 1) % 10 + 1
        score[player] += place[player]
    print(score[1 - player] * rolls)


main()
