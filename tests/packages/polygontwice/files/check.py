"""After the first run, checks the message and prints the input of the second. After the second, compares the numbers."""

import re
import sys

given, said, answer = (open(path, errors="replace").read().split() for path in sys.argv[1:4])
if given[0] == "send":
    if len(said) != 1 or not re.fullmatch("[ab]{1,10}", said[0]):
        print("wrong answer the message is not of ten letters a and b", file=sys.stderr)
        sys.exit(1)
    print("receive", said[0])
elif said != answer:
    print(f"wrong answer expected {answer}, found {said}", file=sys.stderr)
    sys.exit(1)
