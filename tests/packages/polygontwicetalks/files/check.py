"""Compares numbers by testlib's protocol: input, output, answer; 0 accepts, 1 rejects, 2 is a wrong form."""

import sys

output, answer = (open(path, errors="replace").read().split() for path in sys.argv[2:4])
try:
    same = [int(word) for word in output] == [int(word) for word in answer]
except ValueError:
    print("wrong output format expected integers", file=sys.stderr)
    sys.exit(2)
if not same:
    print(f"wrong answer expected {answer}, found {output}", file=sys.stderr)
    sys.exit(1)
print(f"ok {len(answer)} numbers", file=sys.stderr)
