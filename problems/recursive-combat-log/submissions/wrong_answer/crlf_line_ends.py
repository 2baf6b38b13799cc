# Mistake: lines end with a carriage return and a line feed.
import sys


def show(cards):
    return ", ".join(map(str, cards))


class Referee:
    def __init__(self):
        self.games = 0

    def play(self, one, two):
        """Yields the lines of a game; the decks are left as it ends."""
        self.games += 1
        game = self.games
        yield f"=== Game {game} ==="
        seen = set()
        number = 0
        while one and two:
            state = (*one, 0, *two)
            if state in seen:
                break
            seen.add(state)
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
        yield f"The winner of game {game} is player {1 if one else 2}!"


def main():
    one, two = (
        [int(line) for line in part.splitlines()[1:]]
        for part in sys.stdin.read().split("\n\n")
    )
    lines = list(Referee().play(one, two))
    lines += ["", "", "== Post-game results =="]
    lines += [f"Player 1's deck: {show(one)}", f"Player 2's deck: {show(two)}"]
    sys.stdout.write("".join(line + "\r\n" for line in lines))


main()
