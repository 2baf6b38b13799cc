"""Accepts two numbers of at most 1000 on one line. Knows the testset, as Polygon says it."""

import re
import sys

assert sys.argv[1:3] == ["--testset", "tests"], sys.argv
line = sys.stdin.read()
if not re.fullmatch(r"-?\d{1,4} -?\d{1,4}\n", line) or max(abs(int(word)) for word in line.split()) > 1000:
    print("FAIL two numbers of at most 1000 on one line", file=sys.stderr)
    sys.exit(3)
