import sys
from pathlib import Path

n = int(Path(sys.argv[1]).read_text())
words = sys.stdin.read().split()
sys.exit(42 if len(words) == 1 and words[0].isdigit() and 1 < int(words[0]) < n and n % int(words[0]) == 0 else 43)
