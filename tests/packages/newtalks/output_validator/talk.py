"""Asks for sums; in each pass with the last sum of the pass before."""

import sys
from pathlib import Path

start, feedback = int(Path(sys.argv[1]).read_text()), Path(sys.argv[3])
sum = start
print(start, flush=True)
for number in (1, 2, 3):
    print(number, flush=True)
    sum += number
    line = sys.stdin.readline().strip()
    if line != str(sum):
        (feedback / "judgemessage.txt").write_text(f"{sum} was wanted\n")
        sys.exit(43)
print(0, flush=True)
count = feedback / "count"
done = int(count.read_text()) + 1 if count.exists() else 1
count.write_text(str(done))
if done < 2:
    (feedback / "nextpass.in").write_text(f"{sum}\n")
sys.exit(42)
