"""Places as remainders of the sum of all rolls a player has made."""
import sys


def total(rolls):
    """The sum of the first rolls of the die."""
    rounds, rest = divmod(rolls, 100)
    return 5050 * rounds + rest * (rest + 1) // 2


def main():
    place = [int(line.split()[-1]) for line in sys.stdin]
    score = [0, 0]
    turn = 0
    while max(score) < 1000:
        player = turn % 2
        place[player] += total(3 * turn + 3) - total(3 * turn)
        score[player] += place[player] % 10 or 10
        turn += 1
    print(min(score) * 3 * turn)


main()
