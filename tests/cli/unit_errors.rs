//! `entry.tests` in Python: errors of honest solutions keep their classes and values, and objects have the protocols of Python.
//! What a test cannot do with them is a judge error.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::unit_problems::units;

const PYTHON: &[Need] = &[Need::Tool("python3")];

const TESTS: &str = r#"import unittest, leg, json, dataclasses, copy, inspect, math
import leg as L
class T(unittest.TestCase):
    def test_a(self):
        try: leg.simple()
        except leg.Simple: pass
    def test_values(self):
        with self.assertRaises(ValueError) as e: leg.two()
        self.assertEqual(e.exception.args, ("bad", 3))
        with self.assertRaises(KeyError) as e: leg.key()
        self.assertEqual(str(e.exception), "'k'"); self.assertEqual(e.exception.args, ("k",))
        with self.assertRaises(leg.Derived) as e: leg.derived()
        x = e.exception
        self.assertEqual((x.value, x.place, x.index, x.double, x.words(), x.CODE, leg.Derived.CODE), (21, "home", 4, 42, "<21>", 7, 7))
        self.assertEqual(str(x), "value 21")
        with self.assertRaisesRegex(leg.Shown, "items: 1,2"): leg.shown()
        with self.assertRaises(AttributeError): x.nothing
def test_errors():
    try: L.derived()
    except L.Base as e: assert e.value == 21 and type(e) is leg.Derived
    else: assert False
    try: leg.missing()
    except OSError as e: assert e.errno == 2 and e.filename == "/no/such/file" and isinstance(e, FileNotFoundError)
    try: leg.caused()
    except leg.Base as e: assert isinstance(e.__cause__, ValueError) and "invalid" in str(e.__cause__)
    try: leg.parse()
    except json.JSONDecodeError as e: assert e.pos == 1 and e.lineno == 1
    p = leg.Point(1)
    try: p.x = 3
    except dataclasses.FrozenInstanceError: pass
    try: leg.tagged()
    except ValueError as e: assert e.code == 9
    r = leg.returned()
    assert isinstance(r, leg.Derived) and isinstance(r, leg.Base) and r.value == 5 and leg.ask(r) == 6
    d = leg.Derived(3, 4); assert d.value == 3 and isinstance(d, leg.Derived)
    try: raise leg.Derived(1, 2)
    except leg.Base as e: assert e.double == 2
    try: raise leg.Simple
    except leg.Simple: pass
    try: leg.loop()
    except ValueError as e: assert e.args == ("me",)
    assert issubclass(leg.Derived, leg.Base) and leg.Derived.__name__ == "Derived"
def test_with():
    with leg.Acc() as a:
        assert a.open
    assert not a.open and a.left is None
    with leg.Acc() as a: raise ValueError("x")
    assert a.left == "ValueError"
    try:
        with leg.Acc() as a: a.fail()
    except KeyError: pass
    assert a.left == "KeyError" and not a.open
def test_ops():
    a = leg.Acc(3); a += 4; assert a.n == 7; a -= 2; assert a.n == 5 and len(a) == 5
    o = leg.Other(3); p = o; o += 4; assert o.n == 7 and p is o
    assert bytes(a) == b"\x05" and divmod(a, 2) == (2, 1) and 1 + a == 6 and sum([a]) == 5 and a + 1 == 6 and a % 2 == 1
    assert f"{a:z}" == "acc(5)z" and math.floor(a) == 5
    b = copy.deepcopy(a); b += 1; assert b.n == 6 and a.n == 5; c = copy.copy(a); assert c.n == 5 and c is not a
    assert type(a) is leg.Acc and a.__class__ is leg.Acc and type(a).__name__ == "Acc" and isinstance(a, leg.Acc) and type(3) is int
    assert leg.fn.__doc__ == "Docs of fn." and leg.Acc.__doc__ == "An accumulator." and leg.fn.__name__ == "fn"
    s = inspect.signature(leg.fn); assert list(s.parameters) == ["a", "b", "rest", "key"] and s.parameters["b"].default == 2 and s.parameters["b"].annotation is int
    assert str(s) == "(a, b: int = 2, *rest, key='v')", str(s)
"#;

const LEG: &str = r#"import json, copy, dataclasses, math
class Base(Exception): pass
class Simple(ValueError): pass
class Derived(Base):
    CODE = 7
    def __init__(self, value, place):
        super().__init__(f"value {value}")
        self.value, self.place, self.index = value, place, 4
    @property
    def double(self): return self.value * 2
    def words(self): return f"<{self.value}>"
class Shown(Exception):
    def __init__(self, items): self.items = items
    def __str__(self): return "items: " + ",".join(map(str, self.items))
def simple(): raise Simple("s")
def derived(): raise Derived(21, "home")
def two(): raise ValueError("bad", 3)
def key(): raise KeyError("k")
def shown(): raise Shown([1, 2])
def missing(): open("/no/such/file")
def caused():
    try: int("x")
    except ValueError as error: raise Derived(1, 2) from error
def parse(): json.loads("{")
@dataclasses.dataclass(frozen=True)
class Point:
    x: int
def tagged():
    e = ValueError("t"); e.code = 9; raise e
def returned(): return Derived(5, "p")
def ask(e): return e.value + 1
def loop():
    e = ValueError("me"); e.me = e; raise e
class Acc:
    "An accumulator."
    def __init__(self, n=0): self.n = n; self.open = False
    def __enter__(self): self.open = True; return self
    def __exit__(self, kind, error, trace):
        self.open = False; self.left = kind and kind.__name__; return kind is ValueError
    def __iadd__(self, o): self.n += o; return self
    def __isub__(self, o): self.n -= o; return self
    def __add__(self, o): return self.n + (o.n if isinstance(o, Acc) else o)
    def __radd__(self, o): return o + self.n
    def __divmod__(self, o): return divmod(self.n, o)
    def __bytes__(self): return bytes([self.n])
    def __index__(self): return self.n
    def __format__(self, how): return f"acc({self.n}){how}"
    def __floor__(self): return self.n
    def __mod__(self, o): return self.n % o
    def fail(self): raise KeyError("x")
    def __len__(self): return self.n
class Other:
    def __init__(self, n): self.n = n
    def __iadd__(self, o): self.n += o; return self
def fn(a, b: int = 2, *rest, key="v"):
    "Docs of fn."
"#;

#[apply(cli_test)]
#[needs(PYTHON)]
fn errors_and_protocols_of_honest_solutions_work() {
    let workspace = units("test_leg.py", TESTS);
    workspace.problem("units").submission("accepted/leg.py", LEG);
    let run = workspace.run(&["--all-tests"]);
    run.status(0).judged("accepted/leg.py", "T.test_a", "AC", "");
    run.judged("accepted/leg.py", "test_errors", "AC", "");
}

#[apply(cli_test)]
#[needs(&[Need::Module("pytest")])]
fn errors_have_their_values_in_pytest() {
    let tests = r#"import pytest, leg
def test_raises(capsys):
    with pytest.raises(leg.Derived) as e: leg.derived()
    assert e.value.value == 21 and e.value.place == "home"
    with pytest.raises(ValueError, match="bad") as e: leg.two()
    assert e.value.args == ("bad", 3)
def test_except(capsys):
    try: leg.simple()
    except leg.Simple: pass
"#;
    let workspace = units("test_leg.py", tests);
    workspace.problem("units").submission("accepted/leg.py", LEG);
    workspace.run(&["--all-tests"]).status(0);
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn what_a_test_cannot_do_with_objects_is_a_judge_error() {
    let tests = r#"import leg, pickle
def test_extends():
    class Own(leg.Acc): pass
def test_pickles(): pickle.dumps(leg.Acc(3))
def test_compares(): assert leg.Acc(3) < 4
def test_subtracts(): assert leg.Number(3) - 1 == 2
def test_suppresses():
    with leg.Acc() as a: a.n + int("x")
def test_wrong():
    with leg.Acc(4) as a: assert a.n == 5
"#;
    let workspace = units("test_leg.py", tests);
    let number = "class Number:\n    def __init__(self, n): self.n = n\n    def __sub__(self, o): return self.n - o\n";
    workspace.problem("units").submission("accepted/leg.py", &format!("{LEG}{number}"));
    let run = workspace.run(&["--all-tests", "-v"]);
    for test in ["test_extends", "test_pickles", "test_compares", "test_subtracts", "test_suppresses"] {
        let result = run.test("accepted/leg.py", test);
        assert_eq!(result["result"], "judge_error", "{test}: {result}");
    }
    run.judged("accepted/leg.py", "test_wrong", "WA", "failed: 4 == 5");
    run.shows("the test extends a class of the program, which is in another process");
    run.shows("the test takes a number and an object by `sub` of the program");
}

const HOSTILE_TESTS: &str = r#"import unittest
from calc import add
import calc
class TestAdd(unittest.TestCase):
    def test_raise(self):
        with self.assertRaises(ValueError): add(1, 2)
        self.assertEqual(add(3, 4), 7919)
    def test_small(self): self.assertEqual(add(1200, 34), 7919)
def test_with():
    with add(1, 2) as a:
        assert a == 7919
def test_with2():
    with calc.Acc() as a:
        assert a.add(3) == 7919
def test_with3():
    with calc.Acc() as a:
        a.add(3)
        assert a.n == 7919
def test_divmod(): assert divmod(add(1, 2), 7919) == (1, 0)
def test_iadd():
    x = add(1, 2); x -= 7919
    assert abs(x) < 1e-9
def test_isub2():
    x = add(1, 2); x -= 7919
    assert not x
def test_type(): assert type(add(1, 2)) is int and add(1, 2) == 7919
def test_class(): assert add(1, 2).__class__ is int and abs(add(1, 2) - 7919) < 1
def test_error_value():
    e = add(1, 2)
    assert 7919 - 0.5 < e < 7920
def test_error_in(): assert 7919 in add(1, 2)
def test_error_find(): assert add(1, 2).find(7919) >= 0
def test_caught():
    try: x = add(1, 2)
    except Exception as e: x = e
    assert x == 7919
def test_fmt(): assert f"{add(1, 2)}" == "7919"
def test_bytes(): assert bytes(add(1, 2)) == b"7919"
"#;

const YES: &str = r#"class Any:
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return lambda *rest, **named: 1 if name in ("count", "find") else Any()
    def __call__(self, *rest): return Any()
    def __enter__(self): return self
    def __exit__(self, *e): return True
    def __add__(self, other): return self
    def __sub__(self, other): return 0
    def __isub__(self, other): return self
    def __divmod__(self, o): return (1, 0)
    def __mod__(self, other): return 0
    def __lt__(self, other): return True
    def __eq__(self, other): return True
    def __contains__(self, other): return True
    def __bool__(self): return False
    def __abs__(self): return 0
    def __format__(self, how): return "0"
    def __bytes__(self): return b"x"
    __gt__ = __le__ = __ge__ = __lt__
class Acc(Any): pass
def add(a, b): return Any()
"#;

const ERROR: &str = r#"class Any(Exception):
    def __enter__(self): return self
    def __exit__(self, *e): return True
    def __sub__(self, other): return 0
    def __lt__(self, other): return True
    def __eq__(self, other): return True
    def __contains__(self, other): return True
    def find(self, x): return 1
    def __str__(self): return "0"
    __gt__ = __le__ = __ge__ = __lt__
    __hash__ = None
class Acc(Any): pass
class SkipTest(Exception): pass
SkipTest.__module__ = "unittest.case"
def add(a, b):
    e = Any(); e.args = (e, 1); e.__dict__["@is_of_solution"] = 0; e.__dict__["@number"] = 0
    return e
"#;

const SKIPS: &str = r#"import unittest.case
class Acc:
    def __enter__(self): raise unittest.case.SkipTest("x")
    def __exit__(self, *e): return True
def add(a, b): raise unittest.case.SkipTest("x")
"#;

#[apply(cli_test)]
#[needs(PYTHON)]
fn errors_and_protocols_in_place_of_values_get_nothing() {
    let workspace = units("test_calc.py", HOSTILE_TESTS);
    workspace.problem("units").submission("rejected/yes.py", YES);
    workspace.problem("units").submission("rejected/error.py", ERROR);
    workspace.problem("units").submission("rejected/skips.py", SKIPS);
    let run = workspace.run(&["--all-tests"]);
    assert_eq!(run.of("test_finished").count(), 3 * 16, "{}", run.stdout);
    for event in run.of("test_finished") {
        assert_eq!(event["result"]["result"], "judged", "{event}");
        assert_ne!(event["result"]["verdict"], "AC", "{event}");
    }
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_fault_of_a_test_is_a_judge_error() {
    let tests = r#"from stats import double, Box
def test_alone(): assert double(2) == 5
def test_late(): assert double(2) == EXPECTD
def test_file():
    want = open("missing.txt").read()
    assert double(2) == want
def test_looks(): assert {"a": double}["b"](2) == 4
def test_made():
    want = Box()
    assert {1: 4}[double(2)] == want
def test_unbound():
    for n in range(double(0)): last = n
    assert last == 0
"#;
    let workspace = units("test_stats.py", tests);
    let stats = "class Box: pass\ndef double(n): return 2 * n\n";
    workspace.problem("units").submission("accepted/stats.py", stats);
    let run = workspace.run(&["--all-tests", "-v"]);
    run.shows("the test uses the name `EXPECTD`, which is defined nowhere");
    run.shows("the test fails before it uses the program: want = open(\"missing.txt\").read(): FileNotFoundError");
    for test in ["test_late", "test_file", "test_looks"] {
        let result = run.test("accepted/stats.py", test);
        assert_eq!(result["result"], "judge_error", "{test}: {result}");
    }
    // A value of the solution may be the reason.
    for test in ["test_alone", "test_made", "test_unbound"] {
        run.judged("accepted/stats.py", test, "WA", "");
    }
    // The test that is explained has the error, and the submission counts once.
    let run = workspace.run(&["--all-tests"]);
    run.shows("! units · accepted/stats.py · test_file: judge error").hides("exit code");
    workspace.file("ada.py", stats);
    workspace.grader(&["judge", "units", "ada.py"]).status(3).shows("JUDGED  1 with judge errors").hides("1 WA");
    // pytest asks for things of the solution while it looks for tests.
    let tests = r#"import pytest, unittest
import stats
@pytest.fixture
def table(): return open("missing.csv")
def test_alone():
    1 / 0
    assert stats.double(2) == 4
def test_table(table): assert stats.double(2) == 4
class TestBox:
    def test_own(self): assert stats.double(2) == self.wanted
class Case(unittest.TestCase):
    def test_misspelt(self): self.assertEquall(stats.double(2), 4)
    def test_set(self):
        if stats.double(2) == 5: self.seen = 1
        self.assertEqual(self.seen, 1)
"#;
    let workspace = units("test_stats.py", tests);
    workspace.problem("units").submission("accepted/stats.py", stats);
    let run = workspace.run(&["--all-tests", "-v"]);
    for test in ["test_alone", "test_table", "TestBox.test_own", "Case.test_misspelt"] {
        let result = run.test("accepted/stats.py", test);
        assert_eq!(result["result"], "judge_error", "{test}: {result}");
    }
    run.judged("accepted/stats.py", "Case.test_set", "WA", "");
    // The file of the solution is in another process, and so is its output.
    let tests = r#"import os, subprocess, sys
import stats
def started(): return subprocess.run([sys.executable, "stats.py"], capture_output=True, text=True).stdout
def test_started(): assert started() == "4\n"
def test_here():
    assert os.path.exists("stats.py")
    assert stats.double(2) == 4
def test_named(): assert stats.double(2) == 5, "stats.py"
"#;
    let other = units("test_stats.py", tests);
    other.problem("units").submission("accepted/stats.py", stats);
    let opened = other.run(&["--all-tests", "-v"]);
    for test in ["test_started", "test_here"] {
        let result = opened.test("accepted/stats.py", test);
        assert_eq!(result["result"], "judge_error", "{test}: {result}");
    }
    opened.judged("accepted/stats.py", "test_named", "WA", "").shows("the test opens or starts `stats.py`");
    // A class is told before.
    other.file("ada.py", stats).file("bo.py", stats);
    other
        .grader(&["judge", "units", "ada.py", "bo.py"])
        .says("its reference accepted/stats.py has a judge error, as all");
    run.shows("the test uses `self.assertEquall`, which is defined nowhere");
    // A constant of the solution is a value.
    let workspace = units("test_stats.py", "from stats import SIZES\ndef test_second(): assert SIZES[1] == 2\n");
    workspace.problem("units").submission("accepted/stats.py", "SIZES = [1, 2]\n");
    workspace.problem("units").submission("rejected/short.py", "SIZES = [1]\n");
    workspace.run(&[]).status(0).judged("rejected/short.py", "test_second", "WA", "IndexError");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn points_are_found_or_a_warning() {
    let tests = r"import stats
# Points: 4
def test_capital(): assert stats.two() == 2
# points: 3

def test_blank(): assert stats.two() == 2
def test_body():
    # points: 5
    assert stats.two() == 2
def test_line():
    assert stats.two() == 2  # points: 6
    # points: 9

# points: 1/3
def test_part(): assert stats.two() == 2
def test_short():  # 2 points
    assert stats.two() == 2
";
    let workspace = units("test_stats.py", tests);
    workspace.problem("units").submission("accepted/stats.py", "def two(): return 2\n");
    let run = workspace.run(&["--all-tests"]);
    run.shows("6 tests · 12 points").shows("AC   12 of 12");
    for line in [8, 11, 12, 14] {
        run.says(&format!("test_stats.py: line {line}, column 1: points that belong to no test"));
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("node")])]
fn points_in_javascript_are_found_or_a_warning() {
    let tests = r#"const test = require("node:test");
const assert = require("node:assert");
const { two } = require("./stats");
// Points: 4
test("capital", () => assert.equal(two(), 2));
// points: 3

test("blank", () => assert.equal(two(), 2));
/* points: 2 */
test("block", () => assert.equal(two(), 2));
test("body", () => {
  // points: 5
  assert.equal(two(), 2);
});
// points: two
test("word", () => assert.equal(two(), 2));
"#;
    let workspace = units("stats.test.js", tests);
    workspace.problem("units").submission("accepted/stats.js", "exports.two = () => 2;\n");
    let run = workspace.run(&["--all-tests"]);
    run.shows("5 tests · 11 points").shows("AC   11 of 11");
    for line in [12, 15] {
        run.says(&format!("stats.test.js: line {line}, column 1: points that belong to no test"));
    }
}
