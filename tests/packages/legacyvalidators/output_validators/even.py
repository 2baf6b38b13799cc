import sys

words = sys.stdin.read().split()
sys.exit(42 if len(words) == 1 and words[0].lstrip("-").isdigit() and int(words[0]) % 2 == 0 else 43)
