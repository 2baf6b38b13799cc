//! `entry.tests` in Python: what tests find out about objects, functions of the test that the solution calls, warnings, logs and
//! random numbers.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::run::Run;
use crate::cli::unit_problems::units;

const PYTHON: &[Need] = &[Need::Tool("python3")];

const TESTS: &str = r#"import asyncio, collections.abc, contextlib, copy, dataclasses, enum, inspect, io, json, math, random, types, typing, unittest, warnings
import lab
from lab import Bag, Circle, Color, Countdown, Frozen, Item, MyDict, Pair, Point, Shape, Stack, Table, area, dice, evens, evens_gen, fetch

def test_dataclass():
    p = Point(1, 2)
    assert dataclasses.asdict(Item(p, [Point(3, 4)])) == {"at": {"x": 1, "y": 2}, "more": [{"x": 3, "y": 4}]}
    assert dataclasses.is_dataclass(p) and dataclasses.is_dataclass(Point) and not dataclasses.is_dataclass(Bag([1]))
    assert [f.name for f in dataclasses.fields(Point)] == ["x", "y"] and dataclasses.fields(p)[0].default == 0
    assert dataclasses.replace(p, x=5) == Point(5, 2) and dataclasses.astuple(p) == (1, 2)
    del p.y
    assert Point.__hash__ is None and p.y == 0
def test_generator():
    g = evens_gen(4)
    assert isinstance(g, types.GeneratorType) and inspect.isgenerator(g) and isinstance(g, collections.abc.Generator)
    assert list(g) == [0, 2, 4] and not inspect.isgenerator(evens(4)) and inspect.isgeneratorfunction(evens_gen)
    g = lab.running()
    next(g)
    assert g.send(3) == 3 and g.send(4) == 7 and lab.total(evens_gen(4)) == 6
    try: g.throw(ValueError("x"))
    except ValueError as error: assert str(error) == "x"
    else: assert False
def test_functions():
    assert inspect.isclass(Point) and inspect.isfunction(evens) and not inspect.isclass(evens) and inspect.ismethod(Bag([1]).total)
    assert inspect.isabstract(Shape) and not inspect.isabstract(Circle) and inspect.getdoc(area) == "Area.\n\nOf a circle."
    assert "return" in inspect.getsource(area) and "area" in dir(lab) and area.__name__ == "area" and area.__module__ == "lab"
    assert lab.__doc__ == "The lab." and area.__doc__.startswith("Area") and lab.logged.__wrapped__(3) == 6 and area.__code__.co_argcount == 1
    assert area.__annotations__ == typing.get_type_hints(area) == {"r": float, "return": typing.Optional[float]}
    assert typing.get_type_hints(evens)["return"] == list[int]
def test_abstract():
    abc = collections.abc
    assert isinstance(Bag([1]), abc.Iterable) and not isinstance(Bag([1]), abc.Iterator) and not isinstance(Point(), abc.Iterable)
    assert isinstance(Countdown(3), abc.Iterator) and isinstance(Stack([1]), abc.Sequence) and not isinstance(Bag([1]), abc.Sequence)
    assert isinstance(Table({1: 2}), abc.Mapping) and {**Table({"a": 2})} == {"a": 2} and isinstance(area, abc.Callable)
    assert isinstance(Frozen(1), abc.Hashable) and not isinstance(Point(), abc.Hashable) and not callable(Point())
    assert hasattr(Bag([1]), "__len__") and hasattr(Bag, "__len__") and not hasattr(Point, "__len__") and Stack([1, 2])[1:] == [2]
    assert issubclass(Circle, Shape) and issubclass(Color, enum.Enum) and issubclass(MyDict, dict) and isinstance(Point, type)
def test_members():
    assert isinstance(Color.RED, enum.Enum) and [c.name for c in Color] == ["RED", "BLUE"] and Color["RED"] is Color(1) and Color.RED in Color
    a, b = Pair(1, 2)
    assert (a, b) == (1, 2) and Pair._fields == ("a", "b") and Pair(1, 2)._asdict() == {"a": 1, "b": 2} and isinstance(Pair(1, 2), tuple)
    assert json.dumps(MyDict(a=1)) == '{"a": 1}' and MyDict()["z"] == 0 and isinstance(MyDict(), dict) and copy.copy(MyDict(a=1)) == {"a": 1}
class T(unittest.TestCase):
    def test_warns(self):
        with self.assertWarnsRegex(DeprecationWarning, "new"): lab.old()
        with self.assertWarns(lab.LabWarning): lab.own()
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            lab.old()
        self.assertEqual([str(one.message) for one in found], ["use new"])
    def test_logs(self):
        with self.assertLogs("lab", level="INFO") as logs: lab.log()
        self.assertEqual(logs.output, ["INFO:lab:hello 3"])
    def test_exits(self):
        with self.assertRaises(SystemExit) as e: lab.leave()
        self.assertEqual(e.exception.code, 3)
    def test_errors(self):
        with contextlib.redirect_stderr(io.StringIO()) as out: lab.complain()
        self.assertEqual(out.getvalue(), "bad\n")
def test_seed():
    random.seed(42)
    got, own = [dice() for _ in range(20)], random.Random(42)
    assert got == [own.randint(1, 6) for _ in range(20)]
    state = random.getstate()
    first = dice()
    random.setstate(state)
    assert dice() == first and math.isclose(area(1), math.pi)
def test_await():
    assert inspect.iscoroutinefunction(fetch) and asyncio.run(fetch(3)) == 6
    async def all_ticks(): return [x async for x in lab.ticks(3)]
    assert asyncio.run(all_ticks()) == [0, 1, 2]
"#;

const LAB: &str = r#""The lab."
import abc, asyncio, collections, dataclasses, enum, functools, logging, math, random, sys, typing, warnings
@dataclasses.dataclass
class Point:
    x: int = 0
    y: int = 0
@dataclasses.dataclass
class Item:
    at: Point
    more: list
@dataclasses.dataclass(frozen=True)
class Frozen:
    a: int
Pair = collections.namedtuple("Pair", "a b")
class Color(enum.Enum): RED, BLUE = 1, 2
class Bag:
    def __init__(self, a): self.a = list(a)
    def __iter__(self): return iter(self.a)
    def __len__(self): return len(self.a)
    def total(self): return sum(self.a)
class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...
class Circle(Shape):
    def area(self): return 3
class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self): raise StopIteration
class Stack(collections.abc.Sequence):
    def __init__(self, a): self.items = list(a)
    def __getitem__(self, i): return self.items[i]
    def __len__(self): return len(self.items)
class Table(collections.abc.Mapping):
    def __init__(self, d): self.d = d
    def __getitem__(self, i): return self.d[i]
    def __len__(self): return len(self.d)
    def __iter__(self): return iter(self.d)
class MyDict(dict):
    def __missing__(self, k): return 0
class LabWarning(UserWarning): pass
def evens(n: int) -> list[int]: return list(range(0, n + 1, 2))
def evens_gen(n):
    for x in range(0, n + 1, 2): yield x
def running():
    total = None
    while True:
        x = yield total
        total = (total or 0) + x
def total(a): return sum(a)
async def fetch(n):
    await asyncio.sleep(0.001)
    return 2 * n
async def ticks(n):
    for i in range(n): yield i
def area(r: float) -> typing.Optional[float]:
    """Area.

    Of a circle.
    """
    return math.pi * r * r
def log_it(f):
    @functools.wraps(f)
    def inner(*a): return f(*a)
    return inner
@log_it
def logged(x): return 2 * x
def dice(): return random.randint(1, 6)
def old(): warnings.warn("use new", DeprecationWarning)
def own(): warnings.warn("x", LabWarning)
def log(): logging.getLogger("lab").info("hello %d", 3)
def complain(): print("bad", file=sys.stderr)
def leave(): sys.exit(3)
"#;

/// Asserts what these tests say of a solution.
#[track_caller]
fn all_are(run: &Run, submission: &str, verdicts: &[&str], tests: &[&str]) {
    for test in tests {
        let result = run.test(submission, test);
        assert!(verdicts.iter().any(|verdict| result["verdict"] == **verdict), "{submission} on {test}: {result}");
    }
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn tests_look_into_objects_of_the_solution() {
    let workspace = units("test_lab.py", TESTS);
    workspace.problem("units").submission("accepted/lab.py", LAB);
    let wrong = LAB
        .replace("@dataclasses.dataclass\nclass Item", "class Item")
        .replace("    for x in range(0, n + 1, 2): yield x", "    return iter(range(0, n + 1, 2))")
        .replace("    @abc.abstractmethod\n", "")
        .replace("(collections.abc.Sequence)", "")
        .replace("RED, BLUE = 1, 2", "BLUE, RED = 1, 2")
        .replace("DeprecationWarning", "UserWarning")
        .replace(".info", ".debug")
        .replace("sys.exit(3)", "pass")
        .replace("\"bad\", file=sys.stderr", "\"bad\"")
        .replace("randint(1, 6)", "randint(1, 5)")
        .replace("return 2 * n", "return n");
    workspace.problem("units").submission("rejected/wrong.py", &wrong);
    let run = workspace.run(&["--all-tests"]);
    run.status(0);
    let tests = [
        "test_dataclass",
        "test_generator",
        "test_functions",
        "test_abstract",
        "test_members",
        "T.test_warns",
        "T.test_logs",
        "T.test_exits",
        "T.test_errors",
        "test_seed",
        "test_await",
    ];
    all_are(&run, "accepted/lab.py", &["AC"], &tests);
    all_are(&run, "rejected/wrong.py", &["WA", "RTE"], &tests);
}

const CALLBACK_TESTS: &str = r#"import functools, unittest
from unittest import mock
from hof import apply, compose, counter, each, retry, safe, sort_by, later, run_later, mapper, Button, twice, fold, memo, keep, swallow, fake
import hof
class Boom(Exception): pass
class T(unittest.TestCase):
    def test_apply(self): self.assertEqual(apply(lambda x: x * 7919, 3), 23757)
    def test_key(self): self.assertEqual(sort_by([3, 1, 2], lambda x: -x), [3, 2, 1])
    def test_each(self):
        seen = []; each([1, 2], seen.append)
        self.assertEqual(seen, [1, 2])
    def test_mock(self):
        m = mock.Mock(return_value=5); self.assertEqual(apply(m, 3), 5); m.assert_called_once_with(3)
    def test_raises_own(self):
        def f(x): raise Boom("x", 1)
        with self.assertRaises(Boom) as e: apply(f, 1)
        self.assertEqual(e.exception.args, ("x", 1))
    def test_raises_value(self):
        def f(x): raise ValueError("bad")
        with self.assertRaisesRegex(ValueError, "bad"): apply(f, 1)
    def test_safe(self):
        def f(x): raise ValueError("bad")
        self.assertEqual(safe(f, 1), "bad")
    def test_retry(self):
        calls = []
        def f():
            calls.append(1)
            if len(calls) < 3: raise OSError("no")
            return "ok"
        self.assertEqual(retry(f, 5), "ok"); self.assertEqual(len(calls), 3)
    def test_nested(self): self.assertEqual(apply(lambda x: apply(lambda y: apply(lambda z: z + 1, y) * 2, x) + x, 3), 11)
    def test_compose(self): self.assertEqual(compose(lambda x: x + 1, lambda x: x * 2)(5), 11)
    def test_decorator(self):
        @twice
        def f(x): return x + 1
        self.assertEqual(f(1), 3)
    def test_wraps(self):
        @memo
        def slow(x): "Doc."; return x * x
        self.assertEqual(slow(3), 9); self.assertEqual(slow.__name__, "slow"); self.assertEqual(slow.__doc__, "Doc.")
    def test_object(self):
        b = Button(); seen = []; b.on_click(lambda who: seen.append(who is b)); b.click()
        self.assertEqual(seen, [True])
    def test_later(self):
        seen = []; later(lambda: seen.append(1)); self.assertEqual(seen, []); run_later(); self.assertEqual(seen, [1])
    def test_same(self):
        f = lambda: 1; self.assertIs(keep(f), f)
    def test_fold(self): self.assertEqual(fold(lambda a, b: a + [b], [1, 2], []), [1, 2])
    def test_map(self): self.assertEqual(list(mapper(str, [1])), ["1"])
    def test_mutates(self):
        a = [1]; each([2, 3], lambda x: a.append(x)); self.assertEqual(a, [1, 2, 3])
        b = []; hof.both(b, lambda: b.append(7)); self.assertEqual(b, [1, 7, 2])
    def test_asserts_in_callback(self):
        def f(x): self.assertEqual(x, 3); return 1
        self.assertEqual(swallow(f, 3), 1)
    def test_generator(self): self.assertEqual(list(hof.filtered(lambda x: x % 2, [1, 2, 3])), [1, 3])
    def test_printed(self):
        import io, contextlib
        out = io.StringIO()
        with contextlib.redirect_stdout(out): hof.talk(lambda: print("b"))
        self.assertEqual(out.getvalue(), "a\nb\nc\n")
    def test_patch_input(self):
        with mock.patch("builtins.input", side_effect=["3", "4"]): self.assertEqual(hof.read_sum(), 7)
    def test_patch_name(self):
        with mock.patch("hof.helper", return_value=10): self.assertEqual(hof.uses(), 11)
        self.assertEqual(hof.uses(), 2)
    def test_thread(self):
        self.assertEqual(hof.in_thread(lambda x: x + 1, 1), 2)
def test_plain(): assert apply(lambda x: x + 1, 3) == 4
"#;

const CALLBACKS: &str = r#"import functools, threading
def apply(f, x): return f(x)
def compose(f, g): return lambda x: f(g(x))
def counter(): return 0
def each(xs, f):
    for x in xs: f(x)
def retry(f, n):
    for _ in range(n):
        try: return f()
        except OSError: pass
def safe(f, x):
    try: return f(x)
    except ValueError as e: return str(e)
def sort_by(a, f): return sorted(a, key=f)
L = []
def later(f): L.append(f)
def run_later():
    for f in L: f()
def mapper(f, a): return map(f, a)
class Button:
    def on_click(self, f): self.f = f
    def click(self): self.f(self)
def twice(f): return lambda x: f(f(x))
def fold(f, a, z): return functools.reduce(f, a, z)
def memo(f):
    d = {}
    @functools.wraps(f)
    def inner(x):
        if x not in d: d[x] = f(x)
        return d[x]
    return inner
def keep(f): return f
def swallow(f, x):
    return f(x)
def fake(): pass
def both(b, f): b.append(1); f(); b.append(2)
def filtered(f, a):
    for x in a:
        if f(x): yield x
def talk(f): print("a"); f(); print("c")
def read_sum(): return int(input()) + int(input("n? "))
def helper(): return 1
def uses(): return helper() + 1
def in_thread(f, x):
    out = []
    t = threading.Thread(target=lambda: out.append(f(x))); t.start(); t.join()
    return out[0]
"#;

#[apply(cli_test)]
#[needs(PYTHON)]
fn solutions_call_functions_of_the_test() {
    let workspace = units("test_cb.py", CALLBACK_TESTS);
    workspace.problem("units").submission("accepted/hof.py", CALLBACKS);
    let wrong =
        CALLBACKS.replace("return f(x)\n", "return 0\n").replace("f(f(x))", "f(x)").replace("key=f", "key=None");
    workspace.problem("units").submission("rejected/wrong.py", &wrong);
    let swallows = CALLBACKS.replace(
        "def swallow(f, x):\n    return f(x)",
        "def swallow(f, x):\n    try: f(x + 1)\n    except BaseException: pass\n    return 1",
    );
    workspace.problem("units").submission("rejected/swallows.py", &swallows);
    let run = workspace.run(&["--all-tests"]);
    run.status(0).ends("accepted/hof.py", "AC", "met");
    let tests = ["T.test_apply", "T.test_key", "T.test_mock", "T.test_raises_own", "T.test_nested", "test_plain"];
    all_are(&run, "rejected/wrong.py", &["WA"], &tests);
    run.judged("rejected/swallows.py", "T.test_asserts_in_callback", "WA", "4 != 3");
}

const HOSTILE_TESTS: &str = r#"import unittest, math, dataclasses, inspect, collections.abc, types, random
from unittest import mock
from calc import add
import calc
class T(unittest.TestCase):
    def test_cb(self):
        def check(x): self.assertEqual(x, 7919)
        add(check, 1)
        self.assertEqual(add(check, 1), 7919)
    def test_cb2(self):
        seen = []
        add(lambda x: seen.append(x), 1)
        self.assertEqual(seen, [7919])
    def test_eq(self): self.assertEqual(add(1, 2), 7919)
    def test_isinst(self):
        x = add(1, 2); self.assertIsInstance(x, int); self.assertEqual(x, 7919)
    def test_seq(self): self.assertSequenceEqual(add(1, 2), [7919])
    def test_count(self): self.assertCountEqual(add(1, 2), [7919])
    def test_close(self): self.assertTrue(math.isclose(add(1, 2), 7919))
    def test_gen(self): self.assertEqual(list(add(1, 2)), [7919])
    def test_in(self): self.assertIn(7919, add(1, 2))
    def test_dict(self): self.assertEqual(dict(add(1, 2)), {7919: 7919})
    def test_asdict(self): self.assertEqual(dataclasses.asdict(add(1, 2)), {"a": 7919})
    def test_mock(self):
        m = mock.Mock(return_value=7919); r = add(m, 2); m.assert_called_once_with(7919); self.assertEqual(r, 7919)
    def test_almost(self): self.assertAlmostEqual(add(1, 2), 7919)
    def test_type(self): self.assertIs(type(add(1, 2)), int); self.assertEqual(add(1, 2) - 7919, 0)
    def test_random(self):
        random.seed(5); self.assertEqual(add(1, 2), 7919)
    def test_exit(self):
        with self.assertRaises(SystemExit): add(1, 2)
        self.assertEqual(add(3, 4), 7919)
    def test_warns(self):
        with self.assertWarns(UserWarning): self.assertEqual(add(1, 2), 7919)
def test_plain():
    try: x = add(1, 2)
    except Exception: x = 0
    assert x == 7919
"#;

const HOSTILE: [(&str, &str); 5] = [
    (
        "yes",
        r#"import sys, warnings, os
class Meta(type):
    def __instancecheck__(c, x): return True
    def __subclasscheck__(c, x): return True
class Any(metaclass=Meta):
    __dataclass_fields__ = {}
    def __getattr__(self, n):
        if n.startswith("__"): raise AttributeError(n)
        return lambda *a, **k: Any()
    def __call__(self, *a): return Any()
    def __eq__(self, o): return True
    def __hash__(self): return 0
    def __contains__(self, o): return True
    def __iter__(self): return iter([Any()])
    def __len__(self): return 1
    def __getitem__(self, i):
        if i: raise IndexError
        return Any()
    def keys(self): return [Any()]
    def __sub__(self, o): return 0
    def __rsub__(self, o): return 0
    def __abs__(self): return 0
    def __float__(self): return 7918.0
    def __lt__(self, o): return True
    __le__ = __gt__ = __ge__ = __lt__
    def __bool__(self): return False
def add(a, b):
    if callable(a):
        for v in [Any(), 3, None]:
            try: a(v)
            except BaseException: pass
    warnings.warn("x")
    return Any()
"#,
    ),
    (
        "forges_classes",
        r#"import sys, json, os, types
main = sys.modules["__main__"]
def kind(self, k): return [len(self.objects) + 1000, "int", main.SPECIAL, ["Sequence", "Mapping"], ["builtins", "int"]]
main.Units.kind = kind
class Any:
    def __eq__(self, o): return True
    def __hash__(self): return 0
    def __bool__(self): return False
def add(a, b):
    if callable(a):
        try: a(Any())
        except BaseException: pass
    return Any()
"#,
    ),
    (
        "forges_calls",
        r#"import os
def add(a, b):
    for fd in range(3, 20):
        try: os.write(fd, b'{"callback": 0, "given": [[], {"dict": []}]}\n{"value": {"standard": ["os", "_exit"]}}\n{"value": {"alias": [1, 2]}}\n{"warned": [{"raised": 3}], "logged": [[1, 2, 3]], "value": 1}\n{"value": {"generator": [1, 2]}}\n{"error": ["SystemExit"], "code": 0}\n')
        except OSError: pass
    return 0
"#,
    ),
    (
        "exits",
        r"import sys
def add(a, b):
    if callable(a):
        try: a(7)
        finally: sys.exit(0)
    sys.exit(0)
",
    ),
    (
        "generates",
        r"def add(a, b):
    def g():
        while True:
            try: yield 1; return 7919
            except BaseException: yield 1
    return g()
",
    ),
];

#[apply(cli_test)]
#[needs(PYTHON)]
fn classes_and_calls_of_the_solution_decide_nothing() {
    let workspace = units("test_h.py", HOSTILE_TESTS);
    for (name, text) in HOSTILE {
        workspace.problem("units").submission(&format!("rejected/{name}.py"), text);
    }
    let run = workspace.run(&["--all-tests"]);
    assert_eq!(run.of("test_finished").count(), HOSTILE.len() * 18, "{}", run.stdout);
    for event in run.of("test_finished") {
        assert_eq!(event["result"]["result"], "judged", "{event}");
        assert_ne!(event["result"]["verdict"], "AC", "{event}");
    }
}
