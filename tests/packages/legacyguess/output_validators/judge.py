"""Tells whether a guess is lower, higher or correct; ten guesses are enough for 1000 numbers."""

import sys
from pathlib import Path

secret = int(Path(sys.argv[1]).read_text())
guesses = int(sys.argv[4]) if len(sys.argv) > 4 else 10
for _ in range(guesses):
    line = sys.stdin.readline()
    if not line.strip().isdigit():
        (Path(sys.argv[3]) / "judgemessage.txt").write_text("not a number\n")
        sys.exit(43)
    guess = int(line)
    if guess == secret:
        print("correct", flush=True)
        sys.exit(42)
    print("lower" if secret < guess else "higher", flush=True)
(Path(sys.argv[3]) / "judgemessage.txt").write_text("too many guesses\n")
sys.exit(43)
