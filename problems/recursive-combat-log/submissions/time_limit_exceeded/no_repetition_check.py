# Slow: looks ahead for the winner of each game without any history.
import sys


def show(cards):
    return ", ".join(map(str, cards))


def winner(one, two):
    """Plays a game without a word; the player who wins it."""
    one, two = one[:], two[:]
    while one and two:
        first, second = one.pop(0), two.pop(0)
        if len(one) >= first and len(two) >= second:
            won = winner(one[:first], two[:second]) == 1
        else:
            won = first > second
        if won:
            one += [first, second]
        else:
            two += [second, first]
    return 1 if one else 2


class Referee:
    def __init__(self):
        self.games = 0

    def play(self, one, two):
        """Yields the lines of a game; the decks are left as it ends."""
        self.games += 1
        game = self.games
        yield f"=== Game {game} ==="
        champion = winner(one, two)
        number = 0
        while one and two:
            number += 1
            yield ""
            yield f"-- Round {number} (Game {game}) --"
            yield f"Player 1's deck: {show(one)}"
            yield f"Player 2's deck: {show(two)}"
            first, second = one.pop(0), two.pop(0)
            yield f"Player 1 plays: {first}"
            yield f"Player 2 plays: {second}"
            if len(one) >= first and len(two) >= second:
                yield "Playing a sub-game to determine the winner..."
                yield ""
                one_copy, two_copy = one[:first], two[:second]
                yield from self.play(one_copy, two_copy)
                yield ""
                yield f"...anyway, back to game {game}."
                player = 1 if one_copy else 2
            else:
                player = 1 if first > second else 2
            yield f"Player {player} wins round {number} of game {game}!"
            if player == 1:
                one += [first, second]
            else:
                two += [second, first]
        yield f"The winner of game {game} is player {champion}!"


def main():
    one, two = (
        [int(line) for line in part.splitlines()[1:]]
        for part in sys.stdin.read().split("\n\n")
    )
    lines = list(Referee().play(one, two))
    lines += ["", "", "== Post-game results =="]
    lines += [f"Player 1's deck: {show(one)}", f"Player 2's deck: {show(two)}"]
    sys.stdout.write("".join(line + "\n" for line in lines))


main()
