"""The closer to the answer, the more."""

import sys
from pathlib import Path

answer = int(Path(sys.argv[2]).read_text())
words = sys.stdin.read().split()
if len(words) != 1 or not words[0].isdigit() or len(words[0]) > 18:
    sys.exit(43)
off = abs(int(words[0]) - answer)
if off >= 10:
    sys.exit(43)
(Path(sys.argv[3]) / "score_multiplier.txt").write_text(str(1 - off / 10))
sys.exit(42)
