"""Compares guesses with a secret number of at most 100. Writes the last word of the solution for the checker."""

import sys


def wrong(words):
    print("wrong answer", words, file=sys.stderr)
    sys.exit(1)


secret = int(open(sys.argv[1]).read())
sys.stdin.reconfigure(errors="replace")
for _ in range(9):
    words = sys.stdin.readline(100).split()
    if len(words) != 2 or words[0] not in ("?", "!") or not (words[1].isascii() and words[1].isdecimal()):
        wrong("expected `?` or `!` and a number")
    kind, number = words
    if kind == "!":
        with open(sys.argv[2], "w") as tout:
            print(number, file=tout)
        sys.exit(0)
    try:
        print("<" if secret < int(number) else ">" if secret > int(number) else "=", flush=True)
    except BrokenPipeError:
        wrong("the solution does not listen")
wrong("more than 8 guesses")
