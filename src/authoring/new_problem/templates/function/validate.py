# Exits with 42 when the arguments are valid, else with 43 and a message.
import json
import sys


def check_bounds(name, smallest, largest, low, high):
    """Rejects values outside of their bounds. Writes the bounds if `grader verify` wants them."""
    if smallest < low or largest > high:
        print(f"{name} is not between {low} and {high}")
        sys.exit(43)
    if "--constraints_file" in sys.argv:
        with open(sys.argv[sys.argv.index("--constraints_file") + 1], "a") as file:
            print(name, name, int(smallest == low), int(largest == high), smallest, largest, low, high, file=file)


text = sys.stdin.read()
try:
    arguments = json.loads(text)
except ValueError as error:
    print(f"no JSON: {error}")
    sys.exit(43)
if not (isinstance(arguments, list) and len(arguments) == 1 and type(arguments[0]) is int):
    print("expected a list with one integer")
    sys.exit(43)
if text != json.dumps(arguments) + "\n":
    print("expected one line without further spaces")
    sys.exit(43)
check_bounds("n", arguments[0], arguments[0], 2, 1000)
sys.exit(42)
