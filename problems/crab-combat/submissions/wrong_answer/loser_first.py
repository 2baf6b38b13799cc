# Mistake: the loser's card goes on top of the winner's.
import sys
from collections import deque

one, two = (
    deque(map(int, part.splitlines()[1:]))
    for part in sys.stdin.read().split("\n\n")
)
rounds = 0
# In this order some games never end; stop those somewhere.
while one and two and rounds < 200_000:
    rounds += 1
    first, second = one.popleft(), two.popleft()
    if first > second:
        one.extend((second, first))
    else:
        two.extend((first, second))
deck = one or two
print(sum(place * card for place, card in enumerate(reversed(deck), 1)))
