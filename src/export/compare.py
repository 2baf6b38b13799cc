# The default output validator of the problem package format (2025-09, "Default output validator"), for judges that do not
# have it. FLAGS are its flags.
import re

FLAGS = "@FLAGS@".split()

NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def tolerance(*names):
    for name, value in zip(FLAGS, FLAGS[1:]):
        if name in names:
            return float(value)
    return None


RELATIVE = tolerance("float_relative_tolerance", "float_tolerance")
ABSOLUTE = tolerance("float_absolute_tolerance", "float_tolerance")


def same_token(output, answer):
    if (RELATIVE is not None or ABSOLUTE is not None) and NUMBER.fullmatch(answer):
        if not NUMBER.fullmatch(output):
            return False
        value, wanted = float(output), float(answer)
        distance = abs(value - wanted)
        return (
            ABSOLUTE is not None and distance <= ABSOLUTE
            or RELATIVE is not None and distance <= RELATIVE * abs(wanted)
            or value == wanted
        )
    if "case_sensitive" not in FLAGS:
        output, answer = output.lower(), answer.lower()
    return output == answer


def same(output, answer):
    if "space_change_sensitive" in FLAGS and re.findall(rb"\s+", output) != re.findall(rb"\s+", answer):
        return False
    outputs, answers = output.split(), answer.split()
    return len(outputs) == len(answers) and all(map(same_token, outputs, answers))
