# Exits with 42 when the arguments are valid, else with 43 and a message.
import json
import sys

text = sys.stdin.read()
try:
    arguments = json.loads(text)
except ValueError as error:
    print(f"no JSON: {error}")
    sys.exit(43)
if not (isinstance(arguments, list) and len(arguments) == 1 and type(arguments[0]) is int):
    print("expected a list with one integer")
    sys.exit(43)
if not 2 <= arguments[0] <= 1000:
    print(f"{arguments[0]} is not between 2 and 1000")
    sys.exit(43)
if text != json.dumps(arguments) + "\n":
    print("expected one line without further spaces")
    sys.exit(43)
sys.exit(42)
