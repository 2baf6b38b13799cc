# Compares the JSON value that a function returned with the expected one, as `grader judge --stream` does. A number may
# differ from an expected float by 1e-6, absolutely or relative to it. An expected integer equals only that number, and an
# expected boolean only a boolean or the integer that equals it. With the argument `either`, the expected value may also be the first of a list.
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
    if isinstance(expected, float) and isinstance(actual, (int, float)):
        return close(expected, actual)
    if isinstance(expected, bool):
        return isinstance(actual, int) and expected == actual
    if isinstance(expected, int):
        # Python compares an integer and a float exactly.
        return isinstance(actual, (int, float)) and expected == actual
    return type(expected) is type(actual) and expected == actual


def close(expected, actual):
    try:
        actual = float(actual)
    except OverflowError:
        return False
    bound = max(1e-6, 1e-6 * abs(expected))
    return math.isfinite(expected) and math.isfinite(actual) and abs(expected - actual) <= bound


def no_json(constant):
    raise ValueError(f"{constant} is not JSON")


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
        actual = json.loads(text.decode(), parse_constant=no_json)
    except (ValueError, RecursionError) as error:
        reject(f"the returned value is not JSON: {error}")
    if same(expected, actual):
        sys.exit(ACCEPT)
    if "either" in sys.argv[4:] and isinstance(expected, list) and expected and same(expected[0], actual):
        sys.exit(ACCEPT)
    reject(f"expected {json.dumps(expected)[:200]}, got {json.dumps(actual)[:200]}")


main()
