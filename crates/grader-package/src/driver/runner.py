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
import numbers
import operator
import re
import types
import unittest

# The file of the tests, without its extension.
TESTS = "@TESTS@"
# The names of its tests, which are the cases.
NAMES = @NAMES@
# Classes and functions that make objects, by their names in the tests, which the solution does not choose.
MAKER = re.compile("[A-Z]|(build|create|make|new)(?![a-z])")
# Methods of built-in types that say what is in a value.
SEARCHES = {name for kind in (str, bytes, float, set) for name in dir(kind) if name.startswith("is")}
SEARCHES.update("count endswith find index rfind rindex startswith".split())
# Modules that tests use and no solution is.
LIBRARIES = "conftest hypothesis matplotlib networkx numpy pandas parameterized pytest requests scipy sklearn sympy".split()
# What gives another difference from one, and what does not show how large it is.
OF_DIFFERENCES = "add sub mul truediv pow iadd isub imul itruediv ipow neg pos".split()
DIFFERENCES = "sub isub truediv itruediv".split()
# Modules of Python whose errors keep their class.
HAVE_ERRORS = "asyncio.exceptions binascii configparser copy csv dataclasses decimal json.decoder queue sqlite3 statistics struct subprocess zlib".split()
# Attributes that Python itself gives to functions and classes.
OF_PYTHON = "__name__ __qualname__ __dict__ __all__ __annotations__ __defaults__ __kwdefaults__ __bases__ __mro__ __members__ __slots__ __abstractmethods__".split()
SAYS_NOTHING = "eq repr str iter isinstance".split()


# What the program reads before a test replaces it. pytest has a standard input of its own.
INPUT, STDIN = builtins.input, sys.stdin
NO_EFFECT = "The program runs in another process, where that has no effect: give the function its values as arguments, or judge the program by test cases with an input"


def is_stubbed(stdin):
    return stdin is not STDIN and not type(stdin).__module__.startswith("_pytest.")


class Units(Process):
    def __init__(self):
        super().__init__()
        # One stand-in for each object, so that `is` works, also for errors and their classes.
        self.things, self.raised, self.errors = {}, {}, {}

    def answer(self):
        found = super().answer()
        if isinstance(found, dict) and type(found.get("printed")) is str:
            sys.stdout.write(found["printed"])
        return found

    def ask(self, what, target, *rest):
        if builtins.input is not INPUT or is_stubbed(sys.stdin):
            self.fail(Lacking(f"the test replaces what the program reads (input() or sys.stdin). {NO_EFFECT}"))
        try:
            return super().ask(what, target, *rest)
        except Exception as error:
            # A name that the solution lacks is no crash of it.
            vars(error)["@is_of_solution"] = what != "get"
            raise

    def thing(self, kind, which, is_full=False):
        if kind == "raises":
            return self.class_of(which)
        if kind == "raised":
            return self.error(which)
        if kind == "builtin":
            found = getattr(builtins, which)
            if not isinstance(found, type):
                raise ValueError(kind)
            return found
        number, is_callable, as_plain = which
        if kind != "object" or type(number) is not int:
            raise ValueError(kind)
        if number not in self.things:
            self.things[number] = Thing(self, {"object": number}, bool(is_callable), None)
        thing = self.things[number]
        if as_plain is not None:
            object.__setattr__(thing, "_plain", [decode(as_plain[0], self.thing)])
        return thing

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
        is_class = isinstance(value, type) and issubclass(value, Exception)
        if is_class or isinstance(value, Exception):
            number = vars(value).get("@number")
            if type(number) is int:
                return {"object": number}
        return None

    def error_of(self, answer):
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
        value = self.ask("operation", name, encode(list(given), self.otherwise))[0]
        is_difference = is_difference and name in OF_DIFFERENCES
        values = value if type(value) is tuple else (value,)
        has_numbers = any(isinstance(one, numbers.Number) for one in values) or name == "divmod" and not isinstance(value, Thing)
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


class ClassOfErrors(type):
    """The class of the classes that stand for the solution's classes of errors."""

    def __call__(cls, *arguments, **named):
        process = vars(cls).get("@process")
        if process is None:
            return super().__call__(*arguments, **named)
        return process.ask("call", {"object": vars(cls)["@number"]}, False, process.encode([list(arguments), named]))[0]

    def __getattr__(cls, name):
        owner = next((kind for kind in cls.__mro__ if "@process" in vars(kind)), None)
        if owner is None or name.startswith("__") or not name.isidentifier():
            raise AttributeError(name)
        return vars(owner)["@process"].ask("get", {"object": vars(owner)["@number"]}, name)[0]


def attribute_of_error(error, name):
    """What an error of the solution's class has besides what came with it."""
    number = vars(error).get("@number")
    if number is None or name.startswith("__") or not name.isidentifier():
        raise AttributeError(name)
    if name in SEARCHES:
        raise AttributeError(own_word(name))
    process = next(vars(kind)["@process"] for kind in type(error).__mro__ if "@process" in vars(kind))
    return process.ask("get", {"object": number}, name)[0]


def words_of_error(error):
    words = vars(error).get("@message")
    return Exception.__str__(error) if words is None else words


def type_of(value):
    """The class of an object, for the tests: that of the solution, not of its stand-in."""
    return value._process.operate("type", value) if type(value) is Thing else type(value)


def own_word(name):
    return f"the program gave an object in place of a value, and `{name}` of it is the program's own word"


def mark_made(value, *sources):
    """Marks an object that comes from one that the test made."""
    if isinstance(value, Thing) and value._is_made is None and any(isinstance(one, Thing) and one._is_made for one in sources):
        object.__setattr__(value, "_is_made", True)
    return value


# Stands for an object of the solution. It equals another object as the solution says, and a plain value only if it
# extends that type and has that value. What a function returns in place of a number or a list never decides how it compares
# with a value of the test: `x < 5`, `abs(x - 5) < 0.1`, `5 in x`. Only what the test made by a class is asked for `5 in x`.
class Thing:
    # `_is_made`: none if it is not known, false for functions. `_is_difference`: to a number of the test.
    __slots__ = ("_process", "_target", "_is_callable", "_plain", "_is_made", "_is_difference")

    def __init__(self, process, target, is_callable, plain):
        for name, value in zip(Thing.__slots__, (process, target, is_callable, plain, None, False)):
            object.__setattr__(self, name, value)

    def __call__(self, *arguments, **named):
        process, given = self._process, [list(arguments), named]
        value, left = process.ask("call", self._target, False, process.encode(given))
        mark_made(value, self, *arguments, *named.values())
        process.last = (self, arguments, named, value)
        if left is not None:
            restore(given, left)
        return value

    def __getattr__(self, name):
        if name == "__signature__" and self._is_callable:
            return self._signature()
        if name.startswith("__") and name.endswith("__") and name not in OF_PYTHON:
            raise AttributeError(name)
        if name in SEARCHES and not self._is_made:
            raise AttributeError(own_word(name))
        return mark_made(self._process.ask("get", self._target, name)[0], self)

    def __setattr__(self, name, value):
        self._process.ask("set", self._target, name, self._process.encode(value))

    def __iter__(self):
        return self._process.operate("iter", self)

    def __next__(self):
        return self._process.ask("next", self._target)[0]

    def __eq__(self, other):
        if self is other:
            return True
        if isinstance(other, Thing):
            return self._process.operate("eq", self, other) is True
        return self._plain is not None and self._plain[0] == other

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self._target["object"]) if self._plain is None else hash(self._plain[0])

    def __repr__(self):
        return str(self._process.operate("repr", self))

    def __str__(self):
        return str(self._process.operate("str", self))

    def __bool__(self):
        return self._process.operate("bool", self) is True

    def __len__(self):
        return self._process.operate("len", self)

    def __instancecheck__(self, value):
        return isinstance(value, Thing) and self._process.operate("isinstance", value, self) is True

    def __enter__(self):
        return self._process.operate("enter", self)

    def __exit__(self, kind, error, trace):
        if self._process.failure is not None:
            return False
        given = [None, []]
        is_raised_here = False
        if error is not None:
            is_raised_here = is_raised_by_tests(error, trace)
            # What the test expects is in the words of other errors.
            name = kind.__name__ if getattr(builtins, kind.__name__, None) is kind else "Exception"
            is_of_solution = "@number" in vars(error)
            given = [error, []] if is_of_solution else [getattr(builtins, name), list(error.args) if is_raised_here else []]
        ends_error = self._process.operate("exit", self, *given)
        if ends_error is not True or error is None or isinstance(error, AssertionError) or not isinstance(error, Exception):
            return False
        if not is_raised_here:
            self._process.is_not_supported("an error that the test does not raise itself is suppressed by `__exit__`", "in `with`, raise it in the test: `raise ValueError`")
        return True

    def __mro_entries__(self, bases):
        self._process.is_not_supported("the test extends a class", "test the class itself, or define the class in the program")

    def __reduce_ex__(self, protocol):
        self._process.is_not_supported("the test pickles an object", "compare its attributes or methods")

    def __copy__(self):
        return self._process.operate("copy", self)

    def __deepcopy__(self, known):
        return self._process.operate("deepcopy", self)

    def __subclasscheck__(self, value):
        return isinstance(value, Thing) and self._process.operate("issubclass", value, self) is True

    def __dir__(self):
        return [name for name in self._process.operate("dir", self) if type(name) is str]

    def __bytes__(self):
        return self._process.operate("bytes", self)

    def __format__(self, how):
        return self._process.operate("format", self, how)

    @property
    def __doc__(self):
        return self._process.ask("get", self._target, "__doc__")[0]

    def _signature(self):
        each, returned = self._process.operate("signature", self)
        empty = inspect.Parameter.empty
        made = [
            inspect.Parameter(name, kind, default=default[0] if default else empty, annotation=annotation[0] if annotation else empty)
            for name, kind, default, annotation in each
        ]
        return inspect.Signature(made, return_annotation=returned[0] if returned else empty)

    def __contains__(self, item):
        if self._plain is not None:
            return item in self._plain[0]
        if not self._is_made and not isinstance(item, Thing):
            raise TypeError(own_word("in"))
        return self._process.operate("contains", self, item) is True


def is_raised_by_tests(error, trace):
    """Whether `raise` in the tests raised it."""
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None or os.path.basename(trace.tb_frame.f_code.co_filename) != TESTS + ".py":
        return False
    with open(trace.tb_frame.f_code.co_filename, encoding="utf-8") as file:
        line = file.read().split("\n")[trace.tb_lineno - 1]
    return re.search(r"(^|[:;])\s*raise\s+\w", line) is not None and "@number" not in vars(error)


def operation(name):
    return lambda self, *given: self._process.operate(name, self, *given)


def ordering(name):
    def compare(self, other):
        if isinstance(other, Thing):
            return self._process.operate(name, self, other)
        if self._plain is None and self._is_made:
            self._process.is_not_supported(f"the test compares an object with a plain value by `{name}`", "compare two objects, or use `float(x)` or `int(x)`")
        if self._plain is None:
            raise TypeError(own_word(name))
        return getattr(operator, name)(self._plain[0], other)

    return compare


def arithmetic(name, is_reflected=False):
    def compute(self, other):
        is_with_number = isinstance(other, numbers.Number)
        if is_with_number and self._plain is not None and isinstance(self._plain[0], numbers.Number):
            pair = (self._plain[0], other)
            return getattr(builtins if name == "divmod" else operator, name)(*(reversed(pair) if is_reflected else pair))
        pair = (other, self) if is_reflected else (self, other)
        return self._process.operate(name, *pair, is_with_number=is_with_number)

    return compute


for own in "getitem setitem delitem neg pos abs invert round int float index reversed complex floor ceil trunc".split():
    setattr(Thing, f"__{own}__", operation(own))
for own in "lt le gt ge".split():
    setattr(Thing, f"__{own}__", ordering(own))
for own in "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift divmod".split():
    setattr(Thing, f"__{own.strip('_')}__", arithmetic(own))
    setattr(Thing, f"__r{own.strip('_')}__", arithmetic(own, is_reflected=True))
    if own != "divmod":
        setattr(Thing, f"__i{own.strip('_')}__", arithmetic(f"i{own.strip('_')}"))


class ModuleOfSolution(types.ModuleType):
    """A module whose names are those of the solution's."""

    def __getattr__(self, name):
        if name == "__all__":
            names = self.__dict__["_thing"]._process.operate("dir", self.__dict__["_thing"])
            return [name for name in names if type(name) is str and not name.startswith("_")]
        if name.startswith("__"):
            raise AttributeError(name)
        thing = self.__dict__["_thing"]
        found = thing._process.ask("get", thing._target, name)[0]
        if isinstance(found, Thing):
            # Only its name in the tests says that it makes objects. What is a function by another name does not.
            object.__setattr__(found, "_is_made", bool(MAKER.match(name)) and found._is_made is not False)
        return found

    def __setattr__(self, name, value):
        # The import system sets what is not of the solution.
        if not name.startswith("__") and not isinstance(value, types.ModuleType):
            process = self.__dict__["_thing"]._process
            process.fail(Lacking(f"the test replaces `{name}` of the program. {NO_EFFECT}"))
        super().__setattr__(name, value)


def imported_by_tests():
    """The modules that the files of the teacher import."""
    here, found = os.path.dirname(os.path.abspath(__file__)), set()
    for top, _, names in os.walk(here):
        for path in (os.path.join(top, name) for name in names if name.endswith(".py")):
            with open(path, "rb") as file:
                for node in ast.walk(ast.parse(file.read(), path)):
                    if isinstance(node, ast.Import):
                        found.update(alias.name.split(".")[0] for alias in node.names)
                    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                        found.add(node.module.split(".")[0])
    return found


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds what the tests import and nothing else finds: in the solution's process."""

    def __init__(self, process):
        self.process, self.wanted, self.has_found = process, imported_by_tests(), False

    def find_spec(self, name, path=None, target=None):
        # What a library would like to have, or pytest looks for, is no business of the solution.
        if name.split(".")[0] not in self.wanted or name.split(".")[0] in LIBRARIES:
            return None
        try:
            thing = self.process.ask("module", name)[0]
        except ImportError:
            return None
        if not isinstance(thing, Thing):
            self.process.fail(Wrong(ODD))
        self.has_found = True
        return importlib.machinery.ModuleSpec(name, self, is_package=True, loader_state=thing)

    def create_module(self, spec):
        return ModuleOfSolution(spec.name)

    def exec_module(self, module):
        module.__dict__["_thing"] = module.__spec__.loader_state


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
        if isinstance(node.func, ast.Name) and node.func.id == "type" and len(node.args) == 1 and not node.keywords:
            node.func = ast.copy_location(ast.Name(id="@type", ctx=ast.Load()), node.func)
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
        vars(module).update({"@failed": failed, "@type": type_of})
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
        raise Lacking(f"{name} is not installed: pip install {name}, or apt install python3-{name}") from None


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
            words = re.sub(r"\s*#\s*points?:.*", "", line).strip()[:SHOWN] + ": "
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
    reports = []

    class Plugin:
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
        if isinstance(value, type) and getattr(value, "__test__", True):
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
    if not finder.has_found:
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
    except Exception as error:
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
    words = why(error, process)
    if is_of_solution(error):
        process.say("raise")
        process.wait()
    return words


def limited():
    with open(sys.argv[1], encoding="utf-8") as file:
        name = file.read().strip()
    process = Units()
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
