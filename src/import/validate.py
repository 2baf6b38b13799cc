# Compares the JSON value that a function returned with the expected one. Numbers of which one is no integer may differ
# by 1e-6, absolutely or relatively. With the argument `either`, the expected value may also be the first of a list.
import json
import math
import sys

ACCEPT, REJECT = 42, 43
DEEPEST = 256


def same(expected, actual, depth=0):
    if depth > DEEPEST:
        return False
    if isinstance(expected, list) and isinstance(actual, list):
        return len(expected) == len(actual) and all(same(e, a, depth + 1) for e, a in zip(expected, actual))
    if isinstance(expected, dict) and isinstance(actual, dict):
        return expected.keys() == actual.keys() and all(same(expected[k], actual[k], depth + 1) for k in expected)
    numbers = (bool, int, float)
    if isinstance(expected, numbers) and isinstance(actual, numbers):
        if isinstance(expected, float) or isinstance(actual, float):
            try:
                return math.isclose(expected, actual, rel_tol=1e-6, abs_tol=1e-6)
            except OverflowError:
                return False
        return expected == actual
    return type(expected) is type(actual) and expected == actual


def reject(words):
    with open(sys.argv[3] + "/judgemessage.txt", "w", encoding="utf-8") as file:
        file.write(words + "\n")
    sys.exit(REJECT)


def main():
    # Python otherwise refuses to read integers of more than 4,300 digits.
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    with open(sys.argv[2], encoding="utf-8") as file:
        expected = json.load(file)
    text = sys.stdin.buffer.read()
    if not text.strip():
        reject("the program ended before the function returned")
    try:
        actual = json.loads(text.decode())
    except (ValueError, RecursionError) as error:
        reject(f"the returned value is not JSON: {error}")
    if same(expected, actual):
        sys.exit(ACCEPT)
    if "either" in sys.argv[4:] and isinstance(expected, list) and expected and same(expected[0], actual):
        sys.exit(ACCEPT)
    reject(f"expected {json.dumps(expected)[:200]}, got {json.dumps(actual)[:200]}")


main()
