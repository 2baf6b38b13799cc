import sys

factor = {{factor}}
words = sys.stdin.read().split()
good = len(words) == 1 and words[0].isdigit() and int(words[0]) % factor == 0 and int(words[0]) > 0
sys.exit(42 if good and {{half}} == 0.5 else 43)
