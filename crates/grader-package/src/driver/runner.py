# Runs one unit test of a teacher as an interactor: runner.py TEST ANSWER FEEDBACK. TEST has the name of the test. The test,
# its runner (unittest or pytest) and everything that it expects are here; the solution is in another process and sends
# values. A module that is nowhere here is one of the solution: its functions and classes are stand-ins.
import ast
import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import io
import random
import re
import types
import typing
import unittest
import warnings

# The file of the tests, without its extension.
TESTS = "@TESTS@"
# The names of its tests, which are the cases.
NAMES = @NAMES@
# Classes and functions that make objects, by their names in the tests, which the solution does not choose.
MAKER = re.compile("[A-Z]|(build|create|make|new)(?![a-z])")
# Modules that tests use and no solution is.
LIBRARIES = "conftest hypothesis matplotlib networkx numpy pandas parameterized pytest requests scipy sklearn sympy".split()
# Modules of Python whose errors keep their class.
HAVE_ERRORS = "asyncio.exceptions binascii configparser copy csv dataclasses decimal json.decoder queue sqlite3 statistics struct subprocess zlib".split()


# What the program reads before a test replaces it. pytest has a standard input of its own.
STDIN, ARGUMENTS, ENVIRONMENT, STATE = sys.stdin, list(sys.argv), dict(os.environ._data), random.getstate
NO_EFFECT = "The program runs in another process, where that has no effect: give the function its values as arguments, or judge the program by test cases with an input"


def has_attributes(mock):
    return any(not name.startswith("_") and name not in ("method_calls", "side_effect") for name in [*vars(mock), *mock._mock_children])


def is_stubbed(stdin):
    return stdin is not STDIN and not type(stdin).__module__.startswith("_pytest.")


class Units(Process):
    def __init__(self):
        super().__init__()
        # One stand-in for each object, so that `is` works, also for errors and their classes.
        self.things, self.kinds, self.raised, self.errors = {}, {}, {}, {}
        # What is sent of stand-ins that are no objects of `Thing`, by their identity. What the test gave.
        self.targets, self.given, self.callbacks = {}, [], {}
        # An error of a function that the solution called, and whether the random numbers of the test are sent.
        self.pending, self.has_chance = None, False
        self.shared, self.changed = Shared(1), []
        self.share = self.shared.message()
        # Whether the test has anything of the solution but stand-ins, which decide nothing before they are used.
        self.has_told = False

    def encode(self, value):
        return super().encode(value, self.share)

    def encode_call(self, arguments, named):
        return [[self.encode(one) for one in arguments], {"dict": [[name, self.encode(value)] for name, value in named.items()]}]

    def say(self, ask):
        self.share = self.shared.message()
        changed = self.shared.changes(self.otherwise) if type(ask) is list else []
        super().say(["changed", changed, ask] if changed else ask)

    def one_answer(self):
        found = super().answer()
        if isinstance(found, dict):
            changed = found.get("changed", [])
            self.changed += changed if type(changed) is list else self.fail(Wrong(ODD))
        for name in ("stdout", "stderr"):
            if isinstance(found, dict) and type(found.get(name)) is str:
                getattr(sys, name).write(found[name])
        return found

    def ask(self, what, target, *rest):
        if is_stubbed(sys.stdin):
            self.fail(Lacking(f"the test replaces sys.stdin. {NO_EFFECT}"))
        environment = [name for name, value in os.environ._data.items() if ENVIRONMENT.get(name) != value and not name.startswith(b"PYTEST")]
        if environment or sys.argv != ARGUMENTS:
            self.fail(Lacking(f"the test changes {'os.environ' if environment else 'sys.argv'}. {NO_EFFECT}"))
        if self.has_chance:
            self.has_chance = False
            super().ask("random", encode(STATE(), self.otherwise))
        try:
            found = super().ask(what, target, *rest)
            self.has_told |= what not in ("module", "replace") and not (what == "get" and isinstance(found[0], (Thing, type)))
            return found
        except (Exception, SystemExit) as error:
            self.has_told = True
            # A name that the solution lacks is no crash of it.
            vars(error)["@is_of_solution"] = what != "get"
            raise
        finally:
            self.take_changes()
            pending, self.pending = self.pending, None
            if pending is not None:
                raise pending

    def answer(self):
        while True:
            found = self.one_answer()
            if not isinstance(found, dict):
                self.fail(Wrong(ODD))
            if "warned" in found:
                self.warn(found["warned"])
            self.log(found.get("logged"))
            if "callback" not in found:
                return found
            self.call(found)

    def call(self, found):
        """Calls a function of the test for the solution. What the test itself checks there, the solution cannot suppress."""
        try:
            function = self.given[found["callback"]]
            arguments, named = decode(found["given"], self.thing)
            arguments, named = tuple(arguments), {str(name): value for name, value in named.items()}
        except Exception:
            self.fail(Wrong(ODD))
        self.take_changes()
        try:
            reply = ["returned", self.encode(function(*arguments, **named))]
        except (Wrong, NotPlain, Lacking):
            raise
        except BaseException as error:
            is_check = isinstance(error, AssertionError) or not isinstance(error, Exception)
            if is_check:
                self.pending = self.pending or error
            # What a check expects stays here.
            reply = ["threw", self.encode(AssertionError() if is_check else error)]
        self.say(reply)

    def warn(self, written):
        for one in written if type(written) is list else []:
            try:
                warning = self.error(one["raised"])
            except Exception:
                self.fail(Wrong(ODD))
            if isinstance(warning, Warning):
                warnings.warn(warning, stacklevel=4)

    def log(self, written):
        for one in written if type(written) is list else []:
            if type(one) is not list or [*map(type, one)] != [str, int, str]:
                self.fail(Wrong(ODD))
            import logging

            logging.getLogger(one[0]).log(one[1], "%s", one[2])

    def resume(self, target, how, *given):
        found = self.ask("resume", target, how, [self.encode(one) for one in given])[0]
        if type(found) is not list or len(found) != 2:
            self.fail(Wrong(ODD))
        return found[0] is True, found[1]

    def own(self, value):
        # A mock with attributes is more than a function.
        mock = sys.modules.get("unittest.mock")
        is_object = mock and isinstance(value, mock.NonCallableMock) and has_attributes(value)
        if isinstance(value, type) and value.__module__ in STANDARD and getattr(sys.modules[value.__module__], value.__name__, None) is value:
            return {"standard": [value.__module__, value.__name__]}
        if callable(value) and not is_object:
            number = self.number(value)
            name, words = (getattr(value, of, None) for of in ("__name__", "__doc__"))
            told = [name if type(name) is str else "", words if type(words) is str else None]
            return {"callback": [number, isinstance(value, types.FunctionType), *told]}
        return super().own(value)

    def number(self, value):
        """The number of what the test gave."""
        number = self.callbacks.setdefault(id(value), len(self.given))
        if number == len(self.given):
            self.given.append(value)
        return number

    def take_changes(self):
        changed, self.changed = self.changed, []
        try:
            for written in changed:
                decode(written, self.thing)
        except Exception:
            self.fail(Wrong(ODD))

    def thing(self, kind, which, is_full=False):
        if kind == "shared":
            return self.shared.read(which[0], which[1:], lambda written: decode(written, self.thing))
        if kind == "raises":
            return self.class_of(which)
        if kind == "raised":
            return self.error(which)
        if kind == "builtin":
            return {"NotImplemented": NotImplemented, "Ellipsis": Ellipsis}[which]
        if kind == "standard":
            return self.standard(which)
        if kind == "alias":
            origin, arguments = decode(which[0], self.thing), tuple(decode(one, self.thing) for one in which[1])
            return typing.Union[arguments] if origin in (typing.Union, types.UnionType) else types.GenericAlias(origin, arguments)
        if kind == "callback":
            return self.given[which]
        if kind in ("generator", "coroutine"):
            number, name = which
            if number not in self.things:
                self.things[number] = made = {"generator": generator, "coroutine": coroutine}[kind](self, {"object": number})
                made.__name__ = made.__qualname__ = name
                self.targets[id(made)] = {"object": number}
            return self.things[number]
        number, kind_of, as_plain = which
        if kind != "object" or type(number) is not int:
            raise ValueError(kind)
        if number not in self.things:
            self.things[number] = self.kind(kind_of)(self, {"object": number})
        thing = self.things[number]
        if as_plain is not None:
            object.__setattr__(thing, "_plain", [decode(as_plain[0], self.thing)])
        return thing

    def kind(self, written):
        """The class of stand-ins."""
        if type(written) is int:
            return self.kinds[written]
        number, name, special, of_abstract, standard = written
        if number not in self.kinds:
            found = standard and self.standard(standard)
            is_error = isinstance(found, type) and issubclass(found, BaseException)
            self.kinds[number] = kind_of_things(name, special, of_abstract, None if is_error else found)
        return self.kinds[number]

    def standard(self, which):
        place, name = which
        found = getattr(importlib.import_module(place), name) if place in STANDARD else None
        # Such as `Union`, which is no class.
        return found if isinstance(found, type) or found is typing.Union else self.fail(Wrong(ODD))

    def class_of(self, written):
        """The class that stands for a class of errors. It extends what that extends."""
        if type(written) is str:
            place, _, name = written.rpartition(".")
            module = importlib.import_module(place) if place in HAVE_ERRORS else builtins
            kind = getattr(module, name, None)
            # None ends a loop here.
            is_known = isinstance(kind, type) and issubclass(kind, Exception) and kind not in (StopIteration, StopAsyncIteration)
            return kind if is_known else Exception
        number, name, bases, has_words = written
        if type(number) is not int or type(name) is not str:
            raise ValueError(written)
        if number not in self.raised:
            kinds = tuple(dict.fromkeys(map(self.class_of, bases)))
            own = {"@number": number, "@process": self, "__module__": "solution"}
            own.update({"__getattr__": attribute_of_error, "__str__": words_of_error} if has_words else {"__getattr__": attribute_of_error})
            try:
                self.raised[number] = ClassOfErrors(name, kinds, own)
            except TypeError:
                first = next((kind for kind in kinds if kind is not Exception), Exception)
                self.raised[number] = ClassOfErrors(name, (first,), own)
        return self.raised[number]

    def error(self, written):
        """The error that stands for one of the solution."""
        if "given" in written:
            return self.given[written["given"]]
        number, kind = written["number"], self.class_of(written["class"])
        arguments = [decode(one, self.thing) for one in written["arguments"]]
        if type(number) is not int:
            raise ValueError(number)
        error = self.errors.get(number)
        if error is None:
            try:
                error = type.__call__(kind, *arguments)
            except (TypeError, ValueError):
                error = kind.__new__(kind)
            self.errors[number] = error
        error.args = tuple(arguments)
        for name, value in written["attributes"]:
            value = decode(value, self.thing)
            # What an object says about a search is its own word, and names such as `__class__` are Python's.
            is_word = hasattr(BaseException, name) or name in SEARCHES and isinstance(value, Thing)
            if (name.isidentifier() and not name.startswith("__") and not is_word) or name == "__notes__":
                try:
                    setattr(error, name, value)
                except (AttributeError, TypeError):
                    pass
        vars(error).update({"@number": number, "@message": str(written["message"])})
        if written["cause"] is not None:
            cause = decode(written["cause"], self.thing)
            error.__cause__ = cause if isinstance(cause, Exception) else None
        return error

    def known(self, value):
        if isinstance(value, ModuleOfSolution):
            return vars(value)["_thing"]._target
        if id(value) in self.targets:
            return self.targets[id(value)]
        is_class = isinstance(value, type) and issubclass(value, Exception)
        if is_class or isinstance(value, Exception):
            number = vars(value).get("@number")
            if type(number) is int:
                return {"object": number}
        if isinstance(value, Exception):
            name = next(kind.__name__ for kind in type(value).__mro__ if kind.__module__ == "builtins")
            return {"given": [self.number(value), name, [self.encode(one) for one in value.args]]}
        return None

    def error_of(self, answer):
        if answer["error"][0] == "SystemExit":
            error = SystemExit(decode(answer["code"], self.thing))
        else:
            error = self.error(answer["raised"]) if "raised" in answer else error_of(answer)
        vars(error)["@is_of_solution"] = True
        # What the reports show.
        vars(error)["@name_of_class"] = str(answer["error"][0])[:SHOWN]
        vars(error)["@place"] = str(answer.get("place") or "")[:SHOWN]
        return error

    def is_not_supported(self, what, instead):
        self.fail(Lacking(f"{what} of the program, which is in another process: {instead}"))

    def operate(self, name, *given, is_with_number=False):
        things = [one for one in given if isinstance(one, Thing)]
        is_difference = any(one._is_difference for one in things)
        is_made = all(one._is_made for one in things)
        if is_difference and name not in (*OF_DIFFERENCES, *SAYS_NOTHING):
            raise TypeError(own_word(name))
        value = self.ask("operation", name, [self.encode(one) for one in given])[0]
        is_difference = is_difference and name in OF_DIFFERENCES
        values = value if type(value) is tuple else (value,)
        has_numbers = any(map(is_number, values)) or name == "divmod" and not isinstance(value, Thing)
        if (is_difference or is_with_number) and has_numbers:
            if not is_made:
                raise TypeError(own_word(name))
            # What the test made may compute with numbers, but for what says how far it is from a number.
            if is_difference or name in DIFFERENCES:
                self.is_not_supported(f"the test takes a number and an object by `{name}`", "use `float(x)` or `int(x)`, or compare two objects")
        is_same = is_made and any(value is one for one in things)
        if (is_difference or is_with_number and name in ("sub", "isub")) and isinstance(value, Thing) and not is_same:
            object.__setattr__(value, "_is_difference", True)
        return mark_made(value, *given)

    def otherwise(self, value):
        return self.encode(value)


# Modules in which tests replace names, such as `random.randint`.
REPLACED = "builtins datetime math os random time".split()


def replacing(process):
    """Replaces in the solution's process, too, what a test replaces in modules of Python, and lets its random numbers be
    those of the test from where the test chooses them."""
    originals = {}

    class Replaced(types.ModuleType):
        def __setattr__(self, name, value):
            if not name.startswith("_"):
                original = originals.setdefault((self.__name__, name), vars(self).get(name))
                process.ask("replace", self.__name__, name, None if value is original else [process.encode(value)])
            super().__setattr__(name, value)

    def choosing(choose):
        def chosen(*given, **named):
            process.has_chance = True
            return choose(*given, **named)

        return chosen

    for name in ("seed", "setstate", "getstate"):
        setattr(random, name, choosing(getattr(random, name)))
    for name in REPLACED:
        importlib.import_module(name).__class__ = Replaced


class ModuleOfSolution(types.ModuleType):
    """A module whose names are those of the solution's."""

    def __getattr__(self, name):
        if name == "__all__":
            names = self.__dict__["_thing"]._process.operate("dir", self.__dict__["_thing"])
            return [name for name in names if type(name) is str and not name.startswith("_")]
        if name.startswith("__") and name not in OF_PYTHON:
            raise AttributeError(name)
        thing = self.__dict__["_thing"]
        found = thing._process.ask("get", thing._target, name)[0]
        if isinstance(found, Thing):
            # Only its name in the tests says that it makes objects. What is a function by another name does not.
            object.__setattr__(found, "_is_made", bool(MAKER.match(name)) and found._is_made is not False)
        return found

    def __setattr__(self, name, value):
        # The import system sets what is not of the solution.
        if name.startswith("__") or isinstance(value, types.ModuleType):
            super().__setattr__(name, value)
        else:
            setattr(self.__dict__["_thing"], name, value)

    def __delattr__(self, name):
        delattr(self.__dict__["_thing"], name)

    def __dir__(self):
        return dir(self.__dict__["_thing"])


def imported_by_tests():
    """The modules that the files of the teacher import, and those of them that are packages."""
    here, names_of_modules = os.path.dirname(os.path.abspath(__file__)), set()
    for top, _, names in os.walk(here):
        for path in (os.path.join(top, name) for name in names if name.endswith(".py")):
            with open(path, "rb") as file:
                for node in ast.walk(ast.parse(file.read(), path)):
                    if isinstance(node, ast.Import):
                        names_of_modules.update(alias.name for alias in node.names)
                    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                        names_of_modules.add(node.module)
    first = lambda name: name.split(".")[0]
    return {first(name) for name in names_of_modules}, {first(name) for name in names_of_modules if "." in name}


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds what the tests import and nothing else finds: in the solution's process."""

    def __init__(self, process):
        self.process, self.found = process, set()
        self.wanted, self.packages = imported_by_tests()

    def find_spec(self, name, path=None, target=None):
        # What a library would like to have, or pytest looks for, is no business of the solution.
        if name.split(".")[0] not in self.wanted or name.split(".")[0] in LIBRARIES:
            return None
        try:
            thing = self.process.ask("module", name, name in self.packages)[0]
        except ImportError:
            return None
        if not isinstance(thing, Thing):
            self.process.fail(Wrong(ODD))
        self.found.add(name)
        return importlib.machinery.ModuleSpec(name, self, is_package=True, loader_state=thing)

    def create_module(self, spec):
        return ModuleOfSolution(spec.name)

    def exec_module(self, module):
        thing, told = module.__spec__.loader_state, self.process.has_told
        module.__dict__.update({"_thing": thing, "__doc__": thing.__doc__, "__file__": getattr(thing, "__file__", None)})
        self.process.has_told = told


class WithValues(ast.NodeTransformer):
    """Lets `assert a == b` without a message say both values. Each is still computed once. `type(x)` is the class of the
    solution if `x` stands for an object of it."""

    def visit_Assert(self, node):
        self.generic_visit(node)
        compared = node.test
        if node.msg is None and isinstance(compared, ast.Compare) and len(compared.ops) == 1:
            names = [ast.Name(id=f"@{side}", ctx=ast.Store()) for side in ("left", "right")]
            both = [ast.NamedExpr(target=name, value=value) for name, value in zip(names, (compared.left, compared.comparators[0]))]
            sign = ast.unparse(ast.Compare(left=ast.Constant(0), ops=compared.ops, comparators=[ast.Constant(0)])).strip("0")
            values = [ast.Name(id=name.id, ctx=ast.Load()) for name in names]
            told = ast.Call(func=ast.Name(id="@failed", ctx=ast.Load()), args=[ast.Constant(sign), *values], keywords=[])
            compared.left, compared.comparators, node.msg = both[0], both[1:], told
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and (node.func.id, len(node.args)) in (("type", 1), ("issubclass", 2)) and not node.keywords:
            node.func = ast.copy_location(ast.Name(id=f"@{node.func.id}", ctx=ast.Load()), node.func)
        return node

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if node.attr == "__class__" and isinstance(node.ctx, ast.Load):
            return ast.copy_location(ast.Call(func=ast.Name(id="@type", ctx=ast.Load()), args=[node.value], keywords=[]), node)
        return node

    def visit_ClassDef(self, node):
        # What its body binds would be an attribute.
        node.body = [self.visit(part) if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else part for part in node.body]
        return node


def failed(sign, left, right):
    return f"failed: {shown(left)}{sign}{shown(right)}"


class LoaderOfTests(importlib.machinery.SourceFileLoader):
    def get_code(self, name):
        # Not what Python has compiled and kept before.
        path = self.get_filename(name)
        tree = ast.parse(self.get_data(path), path)
        return compile(ast.fix_missing_locations(WithValues().visit(tree)), path, "exec", dont_inherit=True)

    def exec_module(self, module):
        vars(module).update({"@failed": failed, "@type": type_of, "@issubclass": is_subclass})
        super().exec_module(module)


class FinderOfTests(importlib.abc.MetaPathFinder):
    """Finds the file of the tests."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != TESTS:
            return None
        file = os.path.join(os.path.dirname(os.path.abspath(__file__)), TESTS + ".py")
        return importlib.util.spec_from_file_location(name, file, loader=LoaderOfTests(name, file))


class Lacking(Exception):
    """The test cannot be run here. Says why."""


def check_libraries(error):
    """Whoever has no library that the tests import fails no test by it."""
    name = isinstance(error, ImportError) and not is_of_solution(error) and (error.name or "").split(".")[0]
    if name in LIBRARIES:
        packaged = f", or apt install python3-{name}" if sys.executable.startswith("/usr/bin/") else ""
        raise Lacking(f"{name} is not installed for this Python: {sys.executable} -m pip install {name}{packaged}") from None


def why(error, process):
    """What failed: the place in the tests, the error, and the last call."""
    name = vars(error).get("@name_of_class", type(error).__name__)
    text = str(error)
    words, trace = "", error.__traceback__
    while trace:
        path = trace.tb_frame.f_code.co_filename
        if os.path.basename(path) == TESTS + ".py":
            with open(path, encoding="utf-8") as file:
                line = file.read().split("\n")[trace.tb_lineno - 1]
            words = re.sub(r"\s*#\s*(points?:.*|[\d.]+\s*(points?|pts?)\W*$)", "", line, flags=re.I).strip()[:SHOWN] + ": "
        trace = trace.tb_next
    is_bare = isinstance(error, AssertionError) and not text
    words += "failed" if is_bare else text if isinstance(error, AssertionError) else f"{name}: {text}"
    if vars(error).get("@place"):
        words += f" ({vars(error)['@place']})"
    # A call that raised is not the last one that returned.
    last = None if is_of_solution(error) else vars(error).get("@last_call", process.last)
    if last:
        function, arguments, named, value = last
        given = [shown(item) for item in arguments] + [f"{name}={shown(item)}" for name, item in named.items()]
        words = words.rstrip() + ("\n" if "\n" in words.strip() else "; ")
        words += f"{shown_name(function)}({', '.join(given)}) returned {shown(value)}"
    return words.strip()[: 4 * SHOWN]


# What opens or starts a file by its name.
OPENING = {"open", "subprocess", "os", "runpy", "Path", "pathlib"}


def file_of_solution(error, finder):
    """The file of the solution that the functions open or start in which the test fails, and those that they call; none if they do
    not. It is in another process."""
    names, trace, lines = {f"{module}.py" for module in finder.found}, error.__traceback__, []
    while trace:
        path = trace.tb_frame.f_code.co_filename
        if os.path.basename(path) == TESTS + ".py":
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    if not lines or TESTS not in sys.modules:
        return None
    with open(sys.modules[TESTS].__file__, "rb") as file:
        functions = [node for node in ast.walk(ast.parse(file.read())) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    seen = [one for one in functions if any(one.lineno <= line <= one.end_lineno for line in lines)]
    for function in seen:
        calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
        called = [ast.unparse(call.func).split(".") for call in calls]
        for call in (call for call, parts in zip(calls, called) if parts[0] in OPENING):
            words = [node.value for node in ast.walk(call) if isinstance(node, ast.Constant) and type(node.value) is str]
            found = [word for word in words if os.path.basename(word) in names]
            if found:
                return found[0]
        seen += [one for one in functions if one not in seen and any(one.name == parts[-1] for parts in called)]
    return None


def is_of_test(thing):
    """Whether this is an object of a class of tests, which has nothing of the solution."""
    return isinstance(thing, unittest.TestCase) or type(thing).__module__ == TESTS and type(thing).__name__.startswith("Test")


def is_nowhere(name):
    """Whether no file of the teacher binds this name or attribute, so that no solution could have made it missing."""
    here, own = os.path.split(os.path.abspath(__file__))
    bound = {"*"} if name is None else set()
    for path in (os.path.join(here, file) for file in os.listdir(here) if file.endswith(".py") and file != own):
        with open(path, "rb") as file:
            for node in ast.walk(ast.parse(file.read(), path)):
                if isinstance(node, (ast.Name, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
                    bound.add(node.id if isinstance(node, ast.Name) else node.attr)
                elif isinstance(node, ast.alias):
                    bound.add(node.asname or node.name)
                else:
                    bound.add(getattr(node, "name", None))
    return name not in bound and "*" not in bound


def is_of_solution(error):
    return vars(error).get("@is_of_solution", False)


def in_one_line(words):
    line = ""
    for part in filter(None, map(str.strip, words.split("\n"))):
        line += (" " if line.endswith(":") else "; " if line else "") + part
    return line


def shown_name(function):
    try:
        return str(function.__name__)[:SHOWN]
    except Exception:
        return "a call"


class Result(unittest.TestResult):
    """Keeps the errors themselves, each with the last call before it."""

    def __init__(self, process):
        super().__init__()
        self.process = process
        self.kept, self.began, self.passed, self.left_out = [], 0, 0, None

    def startTest(self, test):
        self.began += 1

    def addError(self, test, error):
        vars(error[1])["@last_call"] = self.process.last
        self.kept.append(error[1])

    addFailure = addError

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.addError(test, error)

    def addSuccess(self, test):
        self.passed += 1

    def addExpectedFailure(self, test, error):
        self.passed += 1

    def addUnexpectedSuccess(self, test):
        self.kept.append(AssertionError("it was expected to fail"))

    def addSkip(self, test, reason):
        self.left_out = reason


def run_unittest(module, name, process):
    """Runs the test. Returns the error; none if it passed."""
    result = Result(process)
    unittest.defaultTestLoader.loadTestsFromName(name, module).run(result)
    if result.kept:
        return result.kept[0]
    if result.left_out is not None:
        raise Lacking(f"the test was skipped: {result.left_out}")
    if not (result.began == result.passed == 1):
        raise Lacking(f"{result.passed} of {result.began} tests passed without an error, not 1 of 1")
    return None


def run_pytest(name, process):
    """Runs the test by pytest, with all its parameters."""
    try:
        import pytest
    except ImportError as error:
        check_libraries(error)
        raise
    reports, told = [], process.has_told

    class Plugin:
        @pytest.hookimpl(tryfirst=True)
        def pytest_runtest_setup(self, item):
            # What pytest asked while it looked for tests.
            process.has_told = told

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(self, item, call):
            outcome = yield
            error = call.excinfo and call.excinfo.value
            if error is not None:
                vars(error)["@last_call"] = process.last
            # For pytest, what unittest expects to fail gives up in the test.
            is_stated = any(getattr(one, "__unittest_expecting_failure__", False) for one in (getattr(item, "obj", None), getattr(item, "cls", None)))
            gives_up = isinstance(error, pytest.xfail.Exception) and not is_stated
            reports.append((outcome.get_result(), error, gives_up))

    here = os.path.dirname(os.path.abspath(__file__))
    path = os.path.join(here, TESTS + ".py")
    options = ["-q", "-p", "no:cacheprovider", f"--rootdir={here}", "-c", os.devnull]
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        code = pytest.main([*options, path + "::" + name.replace(".", "::")], plugins=[Plugin()])
    for report, error, gives_up in reports:
        if isinstance(error, pytest.FixtureLookupError):
            raise Lacking(f"there is no fixture `{error.argname}`")
        if report.failed:
            return error or AssertionError(report.longreprtext.strip().split("\n")[-1])
        if gives_up:
            return AssertionError(str(error))
    # As with unittest, a failure passes that the mark `xfail` states.
    ran = [report for report, *_ in reports if report.when == "call" and (report.passed or hasattr(report, "wasxfail"))]
    if code != 0 or not ran:
        skipped = next((report.longrepr[2].split("Skipped: ", 1)[-1] for report, *_ in reports if report.skipped and isinstance(report.longrepr, tuple)), None)
        if skipped:
            raise Lacking(f"the test was skipped: {skipped}")
        told = "; ".join(line.strip() for line in printed.getvalue().split("\n") if line.startswith(("ERROR", "E ", "(")))
        raise Lacking(f"pytest ran no test `{name}` to its end (exit code {int(code)}). {told}".strip())
    return None


# What pytest calls around tests, by its name in a module.
AROUND = "setup_module teardown_module setup_function teardown_function setUpModule tearDownModule".split()


def needs_pytest(module, owner, found):
    here = os.path.dirname(os.path.abspath(__file__))
    if "pytest" in sys.modules or os.path.exists(os.path.join(here, "conftest.py")):
        return True
    if isinstance(owner, type) and issubclass(owner, unittest.TestCase):
        return False
    has_arguments = isinstance(found, types.FunctionType) and found.__code__.co_argcount > 0
    is_around = any(hasattr(module, name) for name in AROUND)
    return has_arguments or is_around or hasattr(found, "pytestmark") or not isinstance(found, types.FunctionType) or found is not owner


def tests_in(of, before=""):
    """The names of the tests in the module or the class, as runners find them."""
    for name, value in list(vars(of).items()):
        if isinstance(value, type) and not isinstance(value, Thing) and getattr(value, "__test__", True):
            if issubclass(value, unittest.TestCase):
                yield from (f"{before}{name}.{test}" for test in unittest.defaultTestLoader.getTestCaseNames(value))
            elif name.startswith("Test") and value.__init__ is object.__init__:
                yield from tests_in(value, f"{before}{name}.")
                inherited = {test for kind in value.__mro__[1:-1] for test in vars(kind)} - set(vars(value))
                yield from (f"{before}{name}.{test}" for test in inherited if test.startswith("test"))
        elif isinstance(value, types.FunctionType) and name.startswith("test") and getattr(value, "__test__", True):
            yield before + name


def run_here(name, process, finder):
    try:
        module = importlib.import_module(TESTS)
    except Exception as error:
        if is_of_solution(error) or isinstance(error, ImportError):
            return error
        raise
    if not finder.found:
        raise Lacking("the tests import nothing of the solution, or Python has a module of that name")
    unknown = sorted(set(tests_in(module)) - set(NAMES))
    if unknown:
        raise Lacking(f"the test `{unknown[0]}` is not a case: write it with `def` into the file of tests, or set `__test__ = False`")
    found = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise Lacking(f"there is no test `{name}`")
        found = getattr(found, part)
    owner = getattr(module, name.split(".")[0])
    is_of_unittest = isinstance(owner, type) and issubclass(owner, unittest.TestCase)
    if inspect.iscoroutinefunction(found) and not is_of_unittest and not hasattr(found, "pytestmark"):
        raise Lacking(f"the test `{name}` is `async`: write it into a class of unittest.IsolatedAsyncioTestCase")
    if needs_pytest(module, owner, found):
        return run_pytest(name, process)
    if is_of_unittest:
        return run_unittest(module, name, process)
    try:
        returned = found()
    except (Exception, SystemExit) as error:
        return error
    if returned is not None:
        raise Lacking(f"the test `{name}` returns a {type(returned).__name__}, and a test returns nothing")
    return None


def judged(name, process, finder):
    """Why the solution is wrong; none if it passes the test."""
    try:
        error = run_here(name, process, finder)
        check_libraries(error)
    except Wrong as wrong:
        return str(wrong)
    except NotPlain as kind:
        raise Lacking(f"the test gives the solution a value of the type `{kind}`, which cannot leave the test") from None
    if process.failure is not None:
        if isinstance(process.failure, Lacking):
            raise process.failure
        if isinstance(process.failure, NotPlain):
            raise Lacking(f"the test gives the solution a value of the type `{process.failure}`, which cannot leave the test")
        return str(process.failure)
    if error is None:
        return None
    if "called match pattern must be a type" in str(error) and not is_of_solution(error):
        raise Lacking("the test has a class of the program in `case`, which is in another process: use `isinstance` and attributes")
    words = why(error, process)
    file = None if is_of_solution(error) else file_of_solution(error, finder)
    if file:
        raise Lacking(f"the test opens or starts `{file}`, which is not where tests run: import it")
    # A type may be wrong because the solution has a function for a class.
    if not process.has_told and not isinstance(error, (AssertionError, AttributeError, TypeError)):
        raise Lacking(f"the test fails before it uses the program: {words}")
    if type(error) is NameError and not is_of_solution(error) and is_nowhere(getattr(error, "name", None)):
        raise Lacking(f"the test uses the name `{error.name}`, which is defined nowhere")
    if type(error) is AttributeError and not is_of_solution(error) and is_of_test(getattr(error, "obj", None)) and is_nowhere(error.name):
        raise Lacking(f"the test uses `self.{error.name}`, which is defined nowhere")
    if is_of_solution(error):
        process.say("raise")
        process.wait()
    return words


def limited():
    with open(sys.argv[1], encoding="utf-8") as file:
        name = file.read().strip()
    process = Units()
    looking_into_things(process)
    replacing(process)
    finder = Finder(process)
    sys.meta_path.insert(0, FinderOfTests)
    sys.meta_path.append(finder)
    try:
        words = judged(name, process, finder)
    except Lacking as lacking:
        print(lacking, file=sys.stderr)
        return FAULT
    except Wrong as wrong:
        words = str(wrong)
    if words is None:
        return ACCEPT
    with open(sys.argv[3] + "/teammessage.txt", "w", encoding="utf-8", errors="replace") as file:
        file.write(words + "\n")
    return reject(in_one_line(words))


if __name__ == "__main__":
    sys.exit(in_a_child(limited))
