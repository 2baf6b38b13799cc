import sys
from pathlib import Path

words = sys.stdin.read().split()
if len(words) != 1 or not words[0].isdigit() or int(words[0]) > 10:
    sys.exit(43)
(Path(sys.argv[3]) / "score.txt").write_text(words[0])
sys.exit(42)
