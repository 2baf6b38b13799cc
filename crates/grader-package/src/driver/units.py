# Serves the program that runs the unit tests of a teacher in Python (runner.py). Each line of standard input asks for one
# thing, and this program answers with what came of it. Neither the tests nor what they expect come here.
import importlib
import io
import operator

# What is kept of what the solution prints during one call.
PRINTED = 1 << 20
# The problem's own files beside the solution.
GIVEN = @GIVEN@
BINARY = "getitem delitem contains eq ne lt le gt ge add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift"
UNARY = "neg pos abs invert"
OPERATIONS = {name: getattr(operator, name) for name in f"{BINARY} {UNARY} setitem".split()}
OPERATIONS.update(len=len, str=str, repr=repr, bool=bool, hash=hash, iter=iter, dir=dir, isinstance=isinstance, round=round)
OPERATIONS.update(enter=lambda it: it.__enter__(), int=int, float=float, index=operator.index, reversed=reversed)


class Units(Served):
    def keep(self, value):
        number = super().keep(value)["object"]
        if isinstance(value, type) and issubclass(value, Exception):
            return {"raises": [number, [kind.__name__ for kind in value.__mro__]]}
        # What extends a built-in type is an object with a plain value.
        as_plain = [encode(value, lambda value: None)] if is_extended(value) else None
        return {"object": [number, callable(value), as_plain]}

    def encode(self, value, other=None):
        return self.keep(value) if other is None and is_extended(value) else encode(value, other or self.keep)

    def decode(self, written):
        find = {"object": lambda which: self.objects[which], "builtin": lambda name: getattr(builtins, name)}
        return decode(written, lambda kind, which: find[kind](which))

    def answer(self, ask):
        what, target, *rest = ask
        if what == "module":
            try:
                return {"value": self.keep(module(target))}
            except EOFError as ended:
                told = "it calls input() when tests import it, and tests give no input. Read input only below `if __name__ == '__main__'`"
                raise EOFError(f"{words_of(ended)}; {told}") from ended
        if what == "operation":
            given = self.decode(rest[0])
            return {"value": self.encode(OPERATIONS[target](*given))}
        return super().answer(ask)


def place_of(error):
    """The line of the solution that raised."""
    here, place, trace = os.path.dirname(os.path.abspath(__file__)) + os.sep, "", error.__traceback__
    while trace:
        path = trace.tb_frame.f_code.co_filename
        if path.startswith(here) and path != os.path.abspath(__file__):
            place = f"{path[len(here):]}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return place


def is_extended(value):
    """Whether a value is of a class of the solution that extends a built-in type."""
    return type(value) not in EXACT and type(value) is not bool and isinstance(value, (str, int, float, list, tuple, dict, set, frozenset))


def module(name):
    """The module of the solution that a test imports. A solution in one file may have any name."""
    here = os.path.dirname(os.path.abspath(__file__))
    own = os.path.basename(__file__)
    others = [other for other in sorted(os.listdir(here)) if other.endswith(".py") and other not in [own, *GIVEN]]
    is_there = os.path.exists(os.path.join(here, *name.split(".")) + ".py") or os.path.isdir(os.path.join(here, *name.split(".")))
    if is_there or len(others) != 1 or "." in name:
        return importlib.import_module(name)
    spec = importlib.util.spec_from_file_location(name, os.path.join(here, others[0]))
    found = importlib.util.module_from_spec(spec)
    sys.modules[name] = found
    try:
        spec.loader.exec_module(found)
    except BaseException:
        del sys.modules[name]
        raise
    return found


def main():
    import importlib.util

    # Bound before anything of the solution runs, which may put other functions into their places.
    write, read, write_json, text_in_memory = os.write, json.loads, json.dumps, io.StringIO
    asks, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.dup(1)
    # What the solution itself prints is no answer, and nothing is there for it to read.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

    def say(line):
        left = memoryview((line + "\n").encode()[: LONGEST + 1])
        while left:
            left = left[write(answers, left) :]

    served, error = Units({}), None
    for line in asks:
        ask = read(line)
        if ask == "raise":
            raise error
        shown, printed = sys.stdout, text_in_memory()
        sys.stdout = printed
        try:
            answer = served.answer(ask)
        except Exception as raised:
            error = raised
            answer = {"error": [kind.__name__ for kind in type(raised).__mro__], "message": words_of(raised), "place": place_of(raised)}
        finally:
            sys.stdout = shown
        text = printed.getvalue()
        if text:
            shown.write(text)
            shown.flush()
            answer["printed"] = text[:PRINTED]
        say(write_json(answer))


main()
