"""Prints two numbers: generator.py SEED MOST."""

import random
import sys

random.seed(" ".join(sys.argv[1:]))
most = int(sys.argv[2])
print(random.randint(-most, most), random.randint(-most, -1))
