# Serves the program that runs the unit tests of a teacher in Python (runner.py). Each line of standard input asks for one
# thing, and this program answers with what came of it. Neither the tests nor what they expect come here.
import copy
import importlib
import inspect
import io
import math
import operator

# What is kept of what the solution prints during one call.
PRINTED = 1 << 20
# The problem's own files beside the solution.
GIVEN = @GIVEN@
BINARY = "getitem delitem contains eq ne lt le gt ge add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift"
UNARY = "neg pos abs invert"
IN_PLACE = "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift"
OPERATIONS = {name: getattr(operator, name) for name in f"{BINARY} {UNARY} setitem".split()}
OPERATIONS.update(len=len, str=str, repr=repr, bool=bool, hash=hash, iter=iter, dir=dir, isinstance=isinstance, round=round)
OPERATIONS.update(enter=lambda it: it.__enter__(), int=int, float=float, index=operator.index, reversed=reversed)
OPERATIONS.update({f"i{name.strip('_')}": getattr(operator, f"i{name.strip('_')}") for name in IN_PLACE.split()})
OPERATIONS.update(bytes=bytes, complex=complex, divmod=divmod, floor=math.floor, ceil=math.ceil, trunc=math.trunc, format=format)
OPERATIONS.update(copy=copy.copy, deepcopy=copy.deepcopy, type=type, issubclass=issubclass)
# What built-in errors know besides their arguments.
OF_ERRORS = "errno strerror filename filename2 name path obj msg".split()
# How many causes of an error are sent.
CAUSES = 8


def leave(it, error, arguments):
    """Ends a `with`. `error`: one of the solution, or a built-in class."""
    if isinstance(error, type):
        error = error(*arguments)
    return it.__exit__(None if error is None else type(error), error, None)


def signature(function):
    """The parameters of a function: names, kinds, defaults and annotations."""
    found = inspect.signature(function)
    is_given = lambda value: [] if value is inspect.Parameter.empty else [value]
    each = [[one.name, int(one.kind), is_given(one.default), is_given(one.annotation)] for one in found.parameters.values()]
    return [each, is_given(found.return_annotation)]


OPERATIONS.update(exit=leave, signature=signature)


class Units(Served):
    # The errors that are being sent.
    open_errors = set()

    def keep(self, value):
        if isinstance(value, type) and getattr(builtins, value.__name__, None) is value:
            return {"builtin": value.__name__}
        if isinstance(value, type) and issubclass(value, Exception):
            return {"raises": self.class_of(value)}
        if isinstance(value, Exception):
            return self.error(value)
        number = super().keep(value)["object"]
        # What extends a built-in type is an object with a plain value.
        as_plain = [encode(value, lambda value: None)] if is_extended(value) else None
        return {"object": [number, callable(value), as_plain]}

    def class_of(self, kind):
        """What is sent of a class of errors: where it is known by its name, or what it extends."""
        if kind.__module__ == "builtins":
            return kind.__name__
        place = sys.modules.get(kind.__module__)
        if kind.__module__ in sys.stdlib_module_names or kind.__module__.split(".")[0] in ("json", "asyncio"):
            if getattr(place, kind.__name__, None) is kind:
                return f"{kind.__module__}.{kind.__name__}"
        bases = [self.class_of(base) for base in kind.__bases__ if issubclass(base, BaseException)]
        return [super().keep(kind)["object"], kind.__name__, bases, is_own(kind, "__str__")]

    def error(self, error, causes=CAUSES):
        """What is sent of an error: its class, its arguments, its attributes and its cause."""
        number, cause = super().keep(error)["object"], error.__cause__
        if number in self.open_errors:
            # It is one of its own attributes.
            return {"object": [number, False, None]}
        self.open_errors.add(number)
        try:
            return {"raised": self.parts(error, number, cause if isinstance(cause, Exception) else None, causes)}
        finally:
            self.open_errors.discard(number)

    def parts(self, error, number, cause, causes):
        known = {name for kind in type(error).__mro__ if kind.__module__ == "builtins" for name in vars(kind)}
        more = {name: getattr(error, name, None) for name in OF_ERRORS if name in known}
        more = {name: value for name, value in more.items() if value is not None}
        return {
            "number": number,
            "class": self.class_of(type(error)),
            "message": words_of(error),
            "arguments": [self.encode(one) for one in error.args],
            "attributes": [[name, self.encode(value)] for name, value in {**more, **vars(error)}.items()],
            "cause": self.error(cause, causes - 1) if cause is not None and causes > 0 else None,
        }

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


def is_own(kind, name):
    """Whether a class, or one of the solution that it extends, defines this."""
    return any(name in vars(one) for one in kind.__mro__ if one.__module__ != "builtins")


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
            if error is not None and error is not raised:
                # Its stand-in may live on; the values of its calls need not.
                error.__traceback__ = None
            error = raised
            answer = {"error": [kind.__name__ for kind in type(raised).__mro__], "message": words_of(raised), "place": place_of(raised)}
            try:
                answer.update(served.error(raised))
            except Exception:
                # The error itself is odd. Its class and its words are known.
                pass
        finally:
            sys.stdout = shown
        text = printed.getvalue()
        if text:
            shown.write(text)
            shown.flush()
            answer["printed"] = text[:PRINTED]
        say(write_json(answer))


main()
