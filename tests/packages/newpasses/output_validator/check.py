"""The program is told to encode a word, and then to decode what it has made of it."""

import sys
from pathlib import Path

given, feedback = Path(sys.argv[1]).read_text().split(), Path(sys.argv[3])
words = sys.stdin.read().split()
with open(feedback / "judgemessage.txt", "a") as message:
    message.write(f"{given[0]} {words[:1]}\n")
if len(words) != 1:
    sys.exit(43)
if given[0] == "encode":
    if words[0] == given[1] or len(words[0]) > 2 * len(given[1]):
        sys.exit(43)
    (feedback / "nextpass.in").write_text(f"decode {words[0]}\n")
    (feedback / "word").write_text(given[1])
    sys.exit(42)
sys.exit(42 if words[0] == (feedback / "word").read_text() else 43)
