# Serves the program that runs the unit tests of a teacher in Python (runner.py). Each line of standard input asks for one
# thing, and this program answers with what came of it. Neither the tests nor what they expect come here.
import collections.abc
import copy
import importlib
import inspect
import io
import math
import operator
import random
import threading
import types
import typing
import warnings

# What is kept of what the solution prints during one call.
PRINTED = 1 << 20
# The most warnings, and the most entries of logs, that are sent of one call.
WARNINGS = 100
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
OPERATIONS.update(copy=copy.copy, deepcopy=copy.deepcopy, type=type, issubclass=issubclass, delattr=delattr)
# Special methods that the stand-in for an object has if its class has them.
SPECIAL = f"{BINARY} {UNARY} divmod call iter next len bool setitem reversed hash int float complex index round floor ceil trunc"
SPECIAL += f" enter exit bytes instancecheck subclasscheck aiter anext await {' '.join(f'r{name} i{name}' for name in IN_PLACE.split())} rdivmod"
SPECIAL = [name.strip("_") for name in SPECIAL.split() if name not in ("eq", "ne")]
# Abstract classes that special methods alone do not make.
ABSTRACT = "Sequence MutableSequence Mapping MutableMapping Set MutableSet".split()
# The classes of `types` by their names there, as their own names are others.
OF_TYPES = {getattr(types, name): name for name in types.__all__ if isinstance(getattr(types, name), type)}
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


class Callback:
    """A function of the test."""

    def __init__(self, call):
        self.call = call

    def __call__(self, *arguments, **named):
        return self.call(arguments, named)


def standard_name(kind):
    """The module and the name by which both sides know a class; none for those of the solution."""
    if kind in OF_TYPES:
        return ["types", OF_TYPES[kind]]
    place, name = kind.__module__, kind.__name__
    return [place, name] if place in STANDARD and getattr(sys.modules.get(place), name, None) is kind else None


class Units(Served):
    # The errors that are being sent.
    open_errors = set()
    shared = Shared(0)
    # Writes the containers of the answer.
    share = None
    # What the solution has logged; none before it uses `logging`.
    logged = None

    def __init__(self, call_back):
        super().__init__({})
        self.call_back = call_back
        # The classes that the other side knows, and what it gave: functions, and errors of the test.
        self.known_classes, self.callbacks, self.given, self.replaced = set(), {}, {}, {}

    def keep(self, value):
        if isinstance(value, type) and issubclass(value, Exception):
            return {"raises": self.class_of(value)}
        if isinstance(value, type) and standard_name(value):
            return {"standard": standard_name(value)}
        if value is typing.Union:
            return {"standard": ["typing", "Union"]}
        if value is NotImplemented or value is Ellipsis:
            return {"builtin": str(value)}
        if isinstance(value, types.GenericAlias) or typing.get_origin(value) in (typing.Union, types.UnionType):
            return {"alias": [self.keep(typing.get_origin(value)), [self.keep(one) for one in typing.get_args(value)]]}
        if isinstance(value, Exception):
            return self.error(value)
        number = super().keep(value)["object"]
        if number in self.callbacks:
            return {"callback": self.callbacks[number]}
        stepwise = {types.GeneratorType: "generator", types.CoroutineType: "coroutine"}.get(type(value))
        if stepwise:
            return {stepwise: [number, value.__name__]}
        # What extends a built-in type is an object with a plain value.
        as_plain = [encode(value, lambda value: None)] if is_extended(value) else None
        return {"object": [number, self.kind(type(value)), as_plain]}

    def kind(self, kind):
        """What is sent of the class of an object: once all that its stand-ins need, and then its number."""
        number = super().keep(kind)["object"]
        if number in self.known_classes:
            return number
        self.known_classes.add(number)
        # Not what the class itself has as an object.
        found = {name: method for one in reversed(kind.__mro__) for name, method in vars(one).items()}
        own = [name for name in SPECIAL if found.get(f"__{name}__") is not None]
        of_abstract = [name for name in ABSTRACT if issubclass(kind, getattr(collections.abc, name))]
        standard = next(filter(None, map(standard_name, kind.__mro__[:-1])), None)
        return [number, kind.__name__, own, of_abstract, standard]

    def callback(self, which):
        """The stand-in for a function of the test. Like that, it is a method if a class has it."""
        number, is_function, name, words = which
        found = next((self.objects[at] for at, known in self.callbacks.items() if known == number), None)
        if found is None:
            call = lambda arguments, named: self.call_back(number, arguments, named)
            found = (lambda *arguments, **named: call(arguments, named)) if is_function else Callback(call)
            found.__name__ = found.__qualname__ = name
            found.__doc__ = words
            self.callbacks[super().keep(found)["object"]] = number
        return found

    def error_of_test(self, which):
        """An error that the test gives or raises."""
        number, name, arguments = which
        if number not in self.given:
            self.given[number] = getattr(builtins, name)(*[self.decode(one) for one in arguments])
        return self.given[number]

    def replace(self, place, name, value):
        """Puts what a test gives into the place of a name of Python's own modules, and what was there back (none)."""
        of = importlib.import_module(place)
        self.replaced.setdefault((place, name), getattr(of, name, None))
        setattr(of, name, self.replaced[place, name] if value is None else self.decode(value[0]))
        return {"value": None}

    def watch_logs(self):
        logging = sys.modules.get("logging")
        if logging and self.logged is None:
            self.logged, handler = [], logging.Handler()
            handler.emit = lambda record: self.logged.append([record.name, record.levelno, record.getMessage()])
            logging.root.addHandler(handler)
            logging.root.setLevel(1)

    def resume(self, generator, how, *given):
        """Goes on with a generator. Says whether it has ended, and what it gives."""
        try:
            value = Loop.finish(anext(generator)) if how == "anext" else getattr(generator, how)(*given)
            return {"value": [False, self.encode(value)]}
        except (StopIteration, StopAsyncIteration) as end:
            return {"value": [True, self.encode(getattr(end, "value", None))]}

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
        number = next((number for number, given in self.given.items() if given is error), None)
        if number is not None:
            return {"raised": {"given": number}}
        number, cause = super().keep(error)["object"], error.__cause__
        if number in self.open_errors:
            # It is one of its own attributes.
            return {"object": [number, self.kind(type(error)), None]}
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
        return self.keep(value) if other is None and is_extended(value) else encode(value, other or self.keep, None if other else self.share)

    def decode(self, written):
        find = {"object": lambda which: self.objects[which], "builtin": lambda name: getattr(builtins, name)}
        find.update(standard=standard, callback=self.callback, given=self.error_of_test)
        find["shared"] = lambda which: self.shared.read(which[0], which[1:], self.decode)
        return decode(written, lambda kind, which: find[kind](which))

    def plain(self, value):
        # What both sides know as the same is among the changes.
        known = self.shared.numbers
        return encode(value, lambda value: None, lambda value, content: None if id(value) in known else content())

    def answer(self, ask):
        what, target, *rest = ask
        if what == "random":
            random.setstate(self.decode(target))
            return {"value": None}
        if what == "replace":
            return self.replace(target, *rest)
        if what == "resume":
            return self.resume(self.decode(target), rest[0], *self.decode(rest[1]))
        if what == "module":
            try:
                return {"value": self.keep(module(target, *rest))}
            except EOFError as ended:
                told = "it calls input() when tests import it, and tests give no input. Read input only below `if __name__ == '__main__'`"
                raise EOFError(f"{words_of(ended)}; {told}") from ended
        if what == "operation":
            given = self.decode(rest[0])
            return {"value": self.encode(OPERATIONS[target](*given))}
        return super().answer(ask)


class Loop:
    """Runs coroutines of the solution to their end."""

    own = None

    @classmethod
    def finish(cls, awaited):
        import asyncio

        async def whole():
            return await awaited

        cls.own = cls.own or asyncio.new_event_loop()
        return cls.own.run_until_complete(whole())


OPERATIONS["await"] = Loop.finish


def standard(which):
    place, name = which
    return getattr(importlib.import_module(place), name)


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


def module(name, is_package):
    """The module of the solution that a test imports. A solution in one file may have any name. A folder around all files of a
    solution is not kept, so a package that is not there is that folder."""
    here = os.path.dirname(os.path.abspath(__file__))
    own = os.path.basename(__file__)
    others = [other for other in sorted(os.listdir(here)) if other.endswith(".py") and other not in [own, *GIVEN]]
    is_there = os.path.exists(os.path.join(here, *name.split(".")) + ".py") or os.path.isdir(os.path.join(here, *name.split(".")))
    of_folder = os.path.join(here, "__init__.py")
    if is_package and not is_there and not os.path.exists(of_folder):
        sys.modules[name] = found = types.ModuleType(name)
        found.__path__ = [here]
        return found
    if is_there or "." in name or len(others) != 1 and not is_package:
        return importlib.import_module(name)
    if is_package:
        spec = importlib.util.spec_from_file_location(name, of_folder, submodule_search_locations=[here])
    else:
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

    def send(answer):
        changed = served.shared.changes(served.keep)
        if changed:
            answer["changed"] = changed
        for name, printed in streams.items():
            text = printed.getvalue()
            if text:
                own_streams[name].write(text)
                own_streams[name].flush()
                answer[name] = text[:PRINTED]
                printed.seek(0)
                printed.truncate()
        left = memoryview((write_json(answer) + "\n").encode()[: LONGEST + 1])
        while left:
            left = left[write(answers, left) :]

    def carry_out(ask):
        nonlocal error
        served.share, warned = served.shared.message(), []
        try:
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                answer = served.answer(ask)
        except SystemExit as raised:
            if ask[0] != "call":
                raise
            error = raised
            answer = {"error": ["SystemExit"], "message": "", "place": place_of(raised), "code": encode(raised.code, lambda value: None)}
        except Exception as raised:
            if error is not None and error is not raised:
                # Its stand-in may live on; the values of its calls need not.
                error.__traceback__ = None
            error = raised
            # What it was about to say of classes does not arrive.
            served.known_classes.clear()
            answer = {"error": [kind.__name__ for kind in type(raised).__mro__], "message": words_of(raised), "place": place_of(raised)}
            try:
                answer.update(served.error(raised))
            except Exception:
                # The error itself is odd. Its class and its words are known.
                served.known_classes.clear()
        served.watch_logs()
        if served.logged:
            answer["logged"], served.logged[:] = served.logged[:WARNINGS], []
        if warned:
            answer["warned"] = [served.error(one.message) for one in warned[:WARNINGS]]
        return answer

    def serve():
        """Carries out what is asked, until there is what a function of the test returned."""
        for line in asks:
            ask = read(line)
            if ask == "raise":
                raise error
            if ask[0] == "changed":
                for written in ask[1]:
                    served.decode(written)
                ask = ask[2]
            if ask[0] in ("returned", "threw"):
                return ask
            before = sys.stdout, sys.stderr
            sys.stdout, sys.stderr = streams.values()
            talks.release()
            try:
                answer = carry_out(ask)
            finally:
                talks.acquire()
                sys.stdout, sys.stderr = before
            send(answer)
        if calls:
            # The test has ended within a function that this program called.
            os._exit(0)

    def call_back(number, arguments, named):
        """Calls a function of the test, which may ask for something in between."""
        with talks:
            served.share = served.shared.message()
            send({"callback": number, "given": served.encode([list(arguments), named])})
            calls.append(number)
            what, value = serve()
            calls.pop()
            value = served.decode(value)
            served.share = served.shared.message()
        if what == "threw":
            raise value
        return value

    own_streams = {"stdout": sys.stdout, "stderr": sys.stderr}
    streams = {name: text_in_memory() for name in own_streams}
    served, error, calls = Units(call_back), None, []
    # Whoever has it talks to the test: while the solution's code runs, its threads may call functions of the test.
    talks = threading.Lock()
    with talks:
        serve()


main()
