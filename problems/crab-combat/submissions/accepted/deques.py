import sys
from collections import deque

one, two = (
    deque(map(int, part.splitlines()[1:]))
    for part in sys.stdin.read().split("\n\n")
)
while one and two:
    first, second = one.popleft(), two.popleft()
    if first > second:
        one.extend((first, second))
    else:
        two.extend((second, first))
deck = one or two
print(sum(place * card for place, card in enumerate(reversed(deck), 1)))
