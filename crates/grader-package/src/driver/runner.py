# Runs one unit test of a teacher as an interactor: runner.py TEST ANSWER FEEDBACK. TEST has the name of the test. The test,
# its runner (unittest or pytest) and everything that it expects are here; the solution is in another process and sends
# values. A module that is nowhere here is one of the solution: its functions and classes are stand-ins.
import ast
import importlib
import importlib.abc
import importlib.machinery
import re
import types
import unittest

# The file of the tests, without its extension.
TESTS = "@TESTS@"


class Units(Process):
    def __init__(self):
        super().__init__()
        # One stand-in for each object, so that `is` works, and one class for each exception class of the solution.
        self.things, self.raised = {}, {}

    def answer(self):
        found = super().answer()
        if isinstance(found, dict) and type(found.get("printed")) is str:
            sys.stdout.write(found["printed"])
        return found

    def ask(self, what, target, *rest):
        try:
            return super().ask(what, target, *rest)
        except Exception as error:
            # A name that the solution lacks is no crash of it.
            error.is_of_solution = what != "get"
            raise

    def thing(self, kind, which, is_full=False):
        if kind == "raises":
            number, names = which
            if type(number) is not int or not all(type(name) is str for name in names):
                raise ValueError(kind)
            if number not in self.raised:
                base = error_class(names)
                self.raised[number] = type(names[0], (base,), {"number": number})
            return self.raised[number]
        number, is_callable, as_plain = which
        if kind != "object" or type(number) is not int:
            raise ValueError(kind)
        if number not in self.things:
            self.things[number] = Thing(self, {"object": number}, bool(is_callable), None)
        thing = self.things[number]
        if as_plain is not None:
            object.__setattr__(thing, "_plain", [decode(as_plain[0], self.thing)])
        return thing

    def encode(self, value):
        if isinstance(value, type) and issubclass(value, Exception) and type(vars(value).get("number")) is int:
            return {"object": value.number}
        return super().encode(value)

    def error_of(self, answer):
        names = answer["error"]
        message = str(answer["message"])
        known = next((kind for name in names for kind in self.raised.values() if kind.__name__ == name), None)
        error = error_of(answer)
        if known is not None:
            error = known(message)
            error.is_of_solution = True
        # What the reports show.
        error.name_of_class = str(names[0])[:SHOWN]
        return error

    def operate(self, name, *given):
        return self.ask("operation", name, encode(list(given), self.otherwise))[0]

    def otherwise(self, value):
        return self.encode(value)


def error_class(names):
    """The first built-in class of errors among these."""
    kinds = (getattr(builtins, name, None) for name in names)
    return next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Exception)), Exception)


class Thing:
    """Stands for an object of the solution. It equals another object as the solution says, and a plain value only if it
    extends that type and has that value."""

    __slots__ = ("_process", "_target", "_is_callable", "_plain")

    def __init__(self, process, target, is_callable, plain):
        for name, value in zip(Thing.__slots__, (process, target, is_callable, plain)):
            object.__setattr__(self, name, value)

    def __call__(self, *arguments, **named):
        process, given = self._process, [list(arguments), named]
        value, left = process.ask("call", self._target, False, process.encode(given))
        process.last = (self, arguments, named, value)
        if left is not None:
            restore(given, left)
        return value

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__") and name not in ("__name__", "__doc__", "__dict__", "__all__"):
            raise AttributeError(name)
        return self._process.ask("get", self._target, name)[0]

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

    def __exit__(self, *error):
        return self.__getattr__("__exit__")(None, None, None) is True


def operation(name):
    return lambda self, *given: self._process.operate(name, self, *given)


def reflected(name):
    return lambda self, other: self._process.operate(name, other, self)


for own in "getitem setitem delitem lt le gt ge neg pos abs invert round int float index reversed".split():
    setattr(Thing, f"__{own}__", operation(own))
for own in "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift".split():
    setattr(Thing, f"__{own.strip('_')}__", operation(own))
    setattr(Thing, f"__r{own.strip('_')}__", reflected(own))
Thing.__contains__ = operation("contains")


class ModuleOfSolution(types.ModuleType):
    """A module whose names are those of the solution's."""

    def __getattr__(self, name):
        if name == "__all__":
            names = self.__dict__["_thing"]._process.operate("dir", self.__dict__["_thing"])
            return [name for name in names if type(name) is str and not name.startswith("_")]
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.__dict__["_thing"], name)


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
        if name.split(".")[0] not in self.wanted or name.split(".")[0] in ("conftest", "pytest"):
            return None
        try:
            thing = self.process.ask("module", name)[0]
        except ImportError:
            return None
        self.has_found = True
        return importlib.machinery.ModuleSpec(name, self, is_package=True, loader_state=thing)

    def create_module(self, spec):
        return ModuleOfSolution(spec.name)

    def exec_module(self, module):
        module.__dict__["_thing"] = module.__spec__.loader_state


class Lacking(Exception):
    """The test cannot be run here. Says why."""


def why(error, process):
    """What failed, in one line: the place in the tests, the error, and the last call."""
    name = getattr(error, "name_of_class", type(error).__name__)
    text = str(error)
    words, trace = "", error.__traceback__
    while trace:
        path = trace.tb_frame.f_code.co_filename
        if os.path.basename(path) == TESTS + ".py":
            with open(path, encoding="utf-8") as file:
                words = file.read().split("\n")[trace.tb_lineno - 1].strip()[:SHOWN] + ": "
        trace = trace.tb_next
    is_bare = isinstance(error, AssertionError) and not text
    words += "failed" if is_bare else text if isinstance(error, AssertionError) else f"{name}: {text}"
    if process.last:
        function, arguments, named, value = process.last
        given = [shown(item) for item in arguments] + [f"{name}={shown(item)}" for name, item in named.items()]
        words += f"; {shown_name(function)}({', '.join(given)}) returned {shown(value)}"
    return " ".join(words.split())[: 4 * SHOWN]


def shown_name(function):
    try:
        return str(function.__name__)[:SHOWN]
    except Exception:
        return "a call"


class Result(unittest.TestResult):
    """Keeps the errors themselves."""

    def __init__(self):
        super().__init__()
        self.kept, self.began, self.passed, self.left_out = [], 0, 0, None

    def startTest(self, test):
        self.began += 1

    def addError(self, test, error):
        self.kept.append(error[1])

    addFailure = addError

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.kept.append(error[1])

    def addSuccess(self, test):
        self.passed += 1

    def addExpectedFailure(self, test, error):
        self.passed += 1

    def addUnexpectedSuccess(self, test):
        self.kept.append(AssertionError("it was expected to fail"))

    def addSkip(self, test, reason):
        self.left_out = reason


def run_unittest(module, name):
    """Runs the test. Returns the error; none if it passed."""
    result = Result()
    unittest.defaultTestLoader.loadTestsFromName(name, module).run(result)
    if result.kept:
        return result.kept[0]
    if result.left_out is not None:
        raise Lacking(f"the test was skipped: {result.left_out}")
    if not (result.began == result.passed == 1):
        raise Lacking(f"{result.passed} of {result.began} tests passed without an error, not 1 of 1")
    return None


def run_pytest(name):
    """Runs the test by pytest, with all its parameters."""
    try:
        import pytest
    except ImportError:
        raise Lacking("pytest is not installed: pip install pytest, or apt install python3-pytest") from None
    reports, errors = [], []

    class Plugin:
        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(self, item, call):
            outcome = yield
            reports.append(outcome.get_result())
            if call.excinfo is not None:
                errors.append(call.excinfo.value)

    here = os.path.dirname(os.path.abspath(__file__))
    path = os.path.join(here, TESTS + ".py")
    options = ["-q", "-p", "no:cacheprovider", f"--rootdir={here}", "-c", os.devnull]
    code = pytest.main([*options, path + "::" + name.replace(".", "::")], plugins=[Plugin()])
    failed = [report for report in reports if report.failed]
    if errors and failed:
        return errors[0]
    if failed:
        return AssertionError(failed[0].longreprtext.strip().split("\n")[-1])
    if code != 0 or not any(report.when == "call" and report.passed for report in reports):
        raise Lacking(f"pytest ran no test `{name}` to its end (exit code {int(code)})")
    return None


def run_here(name, process, finder):
    try:
        module = importlib.import_module(TESTS)
    except Exception as error:
        if getattr(error, "is_of_solution", False) or isinstance(error, ImportError):
            return error
        raise
    if not finder.has_found:
        raise Lacking("the tests import nothing of the solution, or Python has a module of that name")
    found = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise Lacking(f"there is no test `{name}`")
        found = getattr(found, part)
    owner = getattr(module, name.split(".")[0])
    if isinstance(owner, type) and issubclass(owner, unittest.TestCase):
        return run_unittest(module, name)
    has_arguments = isinstance(found, types.FunctionType) and found.__code__.co_argcount > 0
    is_decorated = hasattr(found, "pytestmark") or isinstance(owner, type) or not isinstance(found, types.FunctionType)
    if has_arguments or is_decorated or "pytest" in sys.modules:
        return run_pytest(name)
    try:
        found()
    except Exception as error:
        return error
    return None


def judged(name, process, finder):
    """Why the solution is wrong; none if it passes the test."""
    try:
        error = run_here(name, process, finder)
    except Wrong as wrong:
        return str(wrong)
    except NotPlain as kind:
        raise Lacking(f"the test gives the solution a value of the type `{kind}`, which cannot leave the test") from None
    if process.failure is not None:
        if isinstance(process.failure, NotPlain):
            raise Lacking(f"the test gives the solution a value of the type `{process.failure}`, which cannot leave the test")
        return str(process.failure)
    if error is None:
        return None
    words = why(error, process)
    if getattr(error, "is_of_solution", False):
        process.say("raise")
        process.wait()
    return words


def limited():
    with open(sys.argv[1], encoding="utf-8") as file:
        name = file.read().strip()
    process = Units()
    finder = Finder(process)
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
    return reject(words)


if __name__ == "__main__":
    sys.exit(in_a_child(limited))
