# Mistake: places are counted from zero, so the bottom card is left out.
import sys

one, two = (
    [int(line) for line in part.splitlines()[1:]]
    for part in sys.stdin.read().split("\n\n")
)
while one and two:
    first, second = one.pop(0), two.pop(0)
    if first > second:
        one += [first, second]
    else:
        two += [second, first]
print(sum(place * card for place, card in enumerate(reversed(one or two))))
