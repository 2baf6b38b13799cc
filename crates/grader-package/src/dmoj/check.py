# Calls a checker of DMOJ in Python by the protocol of the package format, and holds those of its own checkers that compare in
# ways of their own. Source: DMOJ's documentation, "Custom checkers".
import collections
import importlib.util
import json
import os
import re
import sys
import types

SETTING = json.loads(@SETTING@)


class CheckerResult:
    def __init__(self, passed, points, feedback=None, extended_feedback=None):
        self.passed, self.points = passed, points
        self.feedback, self.extended_feedback = feedback, extended_feedback


class InternalError(Exception):
    pass


def utf8bytes(text):
    return text.encode("utf-8") if isinstance(text, str) else text


def utf8text(data, errors="strict"):
    return data.decode("utf-8", errors) if isinstance(data, bytes) else data


def lines(data):
    return [line for line in re.split(rb"[\r\n]", data) if line]


def standard(output, answer, **_):
    def words(data):
        return [line.split() for line in lines(data) if line.strip()]

    return words(output) == words(answer)


def identical(output, answer, **_):
    return output == answer


def easy(output, answer, **_):
    def letters(data):
        return collections.Counter(b"".join(data.split()).lower())

    return letters(output) == letters(answer)


def rstripped(output, answer, filter_new_line=False, **_):
    def stripped(data):
        return [line.rstrip() for line in (lines(data) if filter_new_line else re.split(rb"[\r\n]", data))]

    return stripped(output) == stripped(answer)


def in_any_order(output, answer, split_on="lines", **_):
    def items(data):
        if split_on == "whitespace":
            return sorted(data.split())
        return sorted(line.split() for line in lines(data))

    if split_on not in ("lines", "whitespace"):
        raise InternalError("`split_on` is `lines` or `whitespace`")
    return items(output) == items(answer)


def unordered(output, answer, **_):
    return in_any_order(output, answer, "whitespace")


def linecount(output, answer, point_value=1, **_):
    printed, wanted = lines(output), lines(answer)
    if len(printed) > len(wanted):
        return False
    right = sum(one.strip() == other.strip() for one, other in zip(printed, wanted))
    return CheckerResult(right == len(wanted), point_value * right / max(len(wanted), 1)) if wanted else True


def linematches(output, answer, point_value=1, point_distribution=(1,), filler_lines_required=True, **_):
    printed, wanted = lines(output), lines(answer)
    total = sum(point_distribution)
    if len(wanted) != len(point_distribution) or total <= 0:
        raise InternalError("`point_distribution` needs a number for each line of the answer, and a positive sum")
    if filler_lines_required and len(printed) != len(wanted):
        return False
    given = sum(points for one, other, points in zip(printed, wanted, point_distribution) if one == other)
    return CheckerResult(given > 0, point_value * given / total)


OWN = {
    "standard": standard,
    "identical": identical,
    "easy": easy,
    "rstripped": rstripped,
    "sorted": in_any_order,
    "unordered": unordered,
    "linecount": linecount,
    "linematches": linematches,
}


def module(name, **content):
    made = types.ModuleType(name)
    made.__dict__.update(content)
    sys.modules[name] = made
    return made


def provide():
    """What checkers import from DMOJ."""
    result = module("dmoj.result", CheckerResult=CheckerResult)
    error = module("dmoj.error", InternalError=InternalError)
    texts = module("dmoj.utils.unicode", utf8bytes=utf8bytes, utf8text=utf8text)
    utils = module("dmoj.utils", unicode=texts)
    own = {name: module("dmoj.checkers." + name, check=check) for name, check in OWN.items()}
    module("dmoj", result=result, error=error, utils=utils, checkers=module("dmoj.checkers", **own))


def load(name):
    if name in OWN:
        return OWN[name]
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    spec = importlib.util.spec_from_file_location("checker", path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded.check


def read(path):
    with open(path, "rb") as file:
        return file.read()


def main():
    provide()
    check = load(SETTING["name"])
    feedback = sys.argv[3]
    value = float(sys.argv[4]) if len(sys.argv) > 4 else 1
    value = int(value) if value == int(value) else value
    try:
        result = check(
            sys.stdin.buffer.read(),
            read(sys.argv[2]),
            judge_input=read(sys.argv[1]),
            point_value=value,
            binary_data=SETTING["binary_data"],
            problem_id=SETTING["problem"],
            **SETTING["args"],
        )
    except UnicodeDecodeError:
        result = CheckerResult(False, 0, "the output is not UTF-8")
    if not isinstance(result, CheckerResult):
        result = CheckerResult(bool(result), value if result else 0)
    if result.feedback:
        with open(os.path.join(feedback, "judgemessage.txt"), "w") as file:
            file.write(str(result.feedback))
    is_part = 0 < result.points < value
    if is_part and len(sys.argv) <= 4:
        if result.passed:
            raise InternalError("the checker gives a part of the points, and the problem has none")
        is_part = False
    if is_part:
        with open(os.path.join(feedback, "score_multiplier.txt"), "w") as file:
            file.write(repr(result.points / value))
    sys.exit(42 if is_part or result.passed and result.points >= value else 43)


main()
