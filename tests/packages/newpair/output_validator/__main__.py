"""Two factors greater than one whose product is the input."""

import sys
from pathlib import Path

from parse import numbers

n = int(Path(sys.argv[1]).read_text())
feedback = Path(sys.argv[3])
smallest = int(sys.argv[4]) if len(sys.argv) > 4 else 2
found = numbers(sys.stdin.read())
if found is None:
    (feedback / "teammessage.txt").write_text("print two numbers\n")
    sys.exit(43)
(feedback / "judgemessage.txt").write_text(f"{found[0]} times {found[1]}\n")
sys.exit(42 if min(found) >= smallest and found[0] * found[1] == n else 43)
