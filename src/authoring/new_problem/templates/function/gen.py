# gen max           the largest argument
# gen random SEED   any argument
import json
import random
import sys

LARGEST = 1000

kind, *arguments = sys.argv[1:]
if kind == "max":
    print(json.dumps([LARGEST]))
elif kind == "random":
    random.seed(arguments[0])
    print(json.dumps([random.randint(2, LARGEST)]))
else:
    sys.exit(f"unknown kind {kind}")
