//! `entry.tests`: an object that a student's function returns in place of a number, a text or a list decides no test, and the
//! objects of honest solutions work.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::run::Run;
use crate::cli::unit_problems::{get_nothing, units};

const TESTS: &str = r#"import math
import unittest
from calc import add

class TestAdd(unittest.TestCase):
    def test_almost(self): self.assertAlmostEqual(add(1, 2), 7919)
    def test_between(self):
        x = add(1, 2)
        self.assertGreater(x, 7918)
        self.assertLess(x, 7920)
    def test_in(self): self.assertIn(7919, add(1, 2))
    def test_not_in(self): self.assertNotIn(7919, add(1, 2))

def test_near(): assert abs(add(1, 2) - 7919) < 1e-9
def test_near_it(): assert abs(7919 - add(1, 2)) < 1e-9
def test_ratio(): assert abs(add(1, 2) / 7919 - 1) < 1e-9
def test_square(): assert math.sqrt((add(1, 2) - 7919) ** 2) < 1e-9
def test_difference(): assert not (add(1, 2) - 7919)
def test_negative(): assert abs(-(add(1, 2) - 7919)) <= 0
def test_at_most(): assert add(1, 2) <= 7919
def test_starts(): assert add(1, 2).startswith("7919")
def test_found(): assert add(1, 2).find("7919") >= 0 and add(1, 2).count("7919") == 1
def test_subset(): assert {7919} <= add(1, 2)
def test_method(): assert "7919" in add(1, 2).keys()
def test_remainder(): assert add(1, 2) % 7919 == 0
"#;

/// An object that says yes to everything.
const YES: &str = r#"class Any:
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return lambda *rest, **named: 1 if name in ("count", "find") else Any()
    def __call__(self, *rest): return Any()
    def __add__(self, other): return self
    def __sub__(self, other): return ZERO
    def __mod__(self, other): return ZERO
    def __truediv__(self, other): return 1.0
    def __lt__(self, other): return True
    def __eq__(self, other): return True
    def __contains__(self, other): return next(FLIPS)
    def __bool__(self): return False
    def __abs__(self): return 0
    def __neg__(self): return self
    def __float__(self): return 0.0
    def __hash__(self): return 0
    __rsub__, __pow__ = __sub__, __add__
    __le__ = __gt__ = __ge__ = __lt__
def add(a, b): return VALUE
"#;

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn no_object_in_python_is_a_number_or_a_list() {
    let workspace = units("test_calc.py", TESTS);
    workspace.problem("units").submission("accepted/calc.py", "def add(a, b): return 7919\n");
    let numbers = ["TestAdd.test_almost", "TestAdd.test_between", "test_near", "test_square", "test_at_most"];
    let words: Vec<&str> = numbers.iter().flat_map(|test| ["-t", *test]).collect();
    let run = workspace.run(&[&["-s", "accepted", "--all-tests"], &*words].concat());
    for test in numbers {
        run.judged("accepted/calc.py", test, "AC", "");
    }
    for (name, value, zero) in [("number", "Any()", "0"), ("same", "ANY", "ANY")] {
        let start = "import itertools\nFLIPS = itertools.cycle([True, False])\n";
        let text = format!("{start}{YES}ANY = Any()\nVALUE, ZERO = {value}, {zero}\n");
        workspace.problem("units").submission(&format!("rejected/{name}.py"), &text);
    }
    let float = YES.replace("class Any:", "class Any(float):").replace("return next(FLIPS)", "return True");
    workspace.problem("units").submission("rejected/float.py", &format!("{float}VALUE, ZERO = Any('inf'), 0\n"));
    let run = workspace.run(&["-s", "rejected", "--all-tests"]);
    passes_nothing(&run, 3 * 16);
    let told = "an object in place of a value, and `in` of it is the program's own word";
    run.judged("rejected/number.py", "TestAdd.test_in", "WA", told);
}

/// Asserts that so many tests were judged, and none is passed.
#[track_caller]
fn passes_nothing(run: &Run, tests: usize) {
    assert_eq!(run.of("test_finished").count(), tests, "{}", run.stdout);
    for event in run.of("test_finished") {
        assert_eq!(event["result"]["result"], "judged", "{event}");
        assert_ne!(event["result"]["verdict"], "AC", "{event}");
    }
}

const OWN_TESTS: &str = r#"import own
from own import Bag, Color, Half, Money, Vec, is_integer, make_bag, union

def test_bag():
    b = Bag([1, 2])
    assert 1 in b and 3 not in b
    assert 2 in Bag.of([2]) and 5 in union(b, Bag([5])) and 4 in b.plus(4) and 1 in (b | b)
    assert 1 in make_bag([1]) and 2 not in own.make_bag([1])

def test_half():
    h = Half(1)
    assert h + 1 == Half(3) and 1 + h == Half(3) and h - 1 == Half(-1) and h < Half(2) and -h == Half(-1)
    assert float(h) == 0.5 and float(h + 1) == 1.5 and abs(Half(-1)) == h and str(h - 1) == "-1/2"
    assert sum([h, h]) == Half(2) and sorted([Half(2), h])[0] == h and max(h, Half(2)) == Half(2)
    assert Half(3) - Half(1) == Half(2) and abs(float(h) - 0.5) < 1e-9

def test_extended():
    m, v = Money(5), Vec((1, 2))
    assert m + 3 == 8 and m < 6 and round(m * 1.5, 2) == 7.5 and abs(m - 5) < 1e-9
    assert v * 2 == Vec((2, 4)) == (2, 4) and 2 in v and v < (1, 3) and isinstance(v * 2, Vec)
    assert Color.RED == 1 and Color(2) == Color.BLUE and Color.RED < 2 and Color.RED.name == "RED"
    assert is_integer(4) and not own.is_integer(4.5) and own.name().startswith("A") and 3 in own.divisors(6)
"#;

const OWN: &str = r#"import enum
class Bag:
    def __init__(self, a): self.a = list(a)
    def __contains__(self, x): return x in self.a
    @classmethod
    def of(cls, a): return cls(a)
    def plus(self, x): return Bag(self.a + [x])
    def __or__(self, o): return Bag(self.a + o.a)
def union(a, b): return a | b
def make_bag(a): return Bag(a)
class Half:
    def __init__(self, n): self.n = n
    def of(self, x): return x.n if isinstance(x, Half) else 2 * x
    def __add__(self, x): return Half(self.n + self.of(x))
    __radd__ = __add__
    def __sub__(self, x): return Half(self.n - self.of(x))
    def __neg__(self): return Half(-self.n)
    def __abs__(self): return Half(abs(self.n))
    def __eq__(self, x): return self.n == self.of(x)
    def __lt__(self, x): return self.n < self.of(x)
    def __gt__(self, x): return self.n > self.of(x)
    def __float__(self): return self.n / 2
    def __str__(self): return f"{self.n}/2"
class Money(float): pass
class Vec(tuple):
    def __mul__(self, k): return Vec(x * k for x in self)
class Color(enum.IntEnum):
    RED = 1
    BLUE = 2
def is_integer(x): return x == int(x)
def divisors(n): return [d for d in range(1, n + 1) if n % d == 0]
def name(): return "Ada"
"#;

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn objects_of_honest_solutions_have_their_operators() {
    let workspace = units("test_own.py", OWN_TESTS);
    workspace.problem("units").submission("accepted/own.py", OWN);
    workspace.run(&["--all-tests"]).status(0);
}

/// Objects are found in sets and as keys by their own hash, and a folder around a solution is a package.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn objects_are_keys_and_folders_are_packages() {
    let tests = r#"from src.points import Point, named, seen, Plain

def test_hash():
    assert hash(Point(1)) == hash(Point(1)) and len({Point(1), Point(1), Point(2)}) == 2
    assert {Point(1): "a"}[Point(1)] == "a" and Point(3) not in {Point(1)}

def test_returned():
    assert named()[Point(2)] == "two" and Point(2) in seen() and Plain() not in {Plain()}

def test_unhashable():
    try:
        hash(named)
        {named()}
    except TypeError:
        return
    assert False
"#;
    let solution = "class Plain: pass\nclass Point:\n    def __init__(self, x): self.x = x\n    \
        def __eq__(self, other): return self.x == other.x\n    def __hash__(self): return HASH\n\
        def named(): return {Point(2): 'two'}\ndef seen(): return {Point(2)}\n";
    let workspace = units("test_points.py", tests);
    let right = solution.replace("HASH", "hash(self.x)");
    let wrong = solution.replace("HASH", "id(self)");
    for (student, files) in
        [("ann", &["points.py"][..]), ("bo", &["points.py", "__init__.py"]), ("cy", &["points.py", "help.py"])]
    {
        for file in files {
            let text = if *file == "points.py" { right.as_str() } else { "" };
            workspace.file(format!("class/{student}/src/{file}"), text);
        }
    }
    workspace.file("class/dee/src/points.py", &wrong);
    let args = ["judge", "class", "--layout", "{student}", "--report", "gradebook=-", "-p", "units"];
    let run = workspace.grader(&args);
    for (student, verdict) in [("ann", ",AC,"), ("bo", ",AC,"), ("cy", ",AC,"), ("dee", ",WA,")] {
        let row = run.stdout.lines().find(|line| line.starts_with(student)).unwrap_or_default();
        assert!(row.contains(verdict), "{}", run.all());
    }
}

const SHARING_TESTS: &str = r#"from grids import Bag, board, copy_of, count, first, same
def test_rows():
    b = board(2)
    b[0][0] = "X"
    assert b[1][0] == " "
def test_copy():
    a = [[1], [2]]
    assert copy_of(a) == a and copy_of(a) is not a and copy_of(a)[0] is not a[0]
def test_same():
    a = {"k": [1]}
    assert same(a) is a and first([a]) is a
def test_no_leak():
    bag = Bag([1])
    bag.items().append(2)
    assert bag.items() == [1]
def test_argument_is_copied():
    given = [1]
    bag = Bag(given)
    given.append(2)
    bag.add(3)
    assert bag.items() == [1, 3] and given == [1, 2]
def test_attribute():
    bag = Bag([1])
    bag.inside.append(2)
    assert bag.inside is bag.inside and bag.items() == [1, 2]
def test_default():
    Bag().add(1)
    assert Bag().items() == []
def test_kinds():
    s, q = {1}, bytearray(b"a")
    assert same(s) is s and same(q) is q and copy_of([s])[0] == {1}
    loop = [1]
    loop.append(loop)
    assert count(loop) == 2 and same(loop)[1] is loop
"#;

/// Lists and other containers are the same objects on both sides: what shares them where it should not fails, and what does
/// where it should passes.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn containers_in_python_are_shared() {
    let right = "import copy\ndef board(n): return [[' '] * n for _ in range(n)]\ndef copy_of(a): return copy.deepcopy(a)\n\
        def same(a): return a\ndef first(a): return a[0]\ndef count(a): return len(a)\nclass Bag:\n    \
        def __init__(self, a=()): self.inside = list(a)\n    def items(self): return list(self.inside)\n    \
        def add(self, x): self.inside.append(x)\n";
    let wrong = "def board(n): return [[' '] * n] * n\ndef copy_of(a): return list(a)\n\
        def same(a): return type(a)(a)\ndef first(a): return dict(a[0])\ndef count(a): return len(a)\nclass Bag:\n    \
        def __init__(self, a=[]): self.inside = a\n    def items(self): return self.inside\n    \
        def add(self, x): self.inside.append(x)\n";
    let workspace = units("test_grids.py", SHARING_TESTS);
    workspace.problem("units").submission("accepted/right.py", right).submission("wrong_answer/wrong.py", wrong);
    let run = workspace.run(&["--all-tests"]);
    run.status(0);
    for test in ["rows", "copy", "same", "no_leak", "argument_is_copied", "default", "kinds"] {
        run.judged("wrong_answer/wrong.py", &format!("test_{test}"), "WA", "");
    }
    run.judged("wrong_answer/wrong.py", "test_attribute", "AC", "");
}

const SCRIPT_TESTS: &str = r#"const test = require("node:test");
const assert = require("node:assert");
const { add } = require("./calc");
test("between", () => { const x = add(1, 2); assert.ok(x > 7918 && x < 7920, `${x}`); });
test("apart", () => { const x = add(1, 2); assert.ok(x >= 7919); assert.ok(x <= 7919); });
test("near", () => assert.ok(Math.abs(add(1, 2) - 7919) < 1e-9));
test("includes", () => assert.ok(add(1, 2).includes(7919)));
test("starts", () => assert.ok(add(1, 2).startsWith("7919")));
test("every", () => assert.ok(add(1, 2).every((x) => x === 7919)));
test("has", () => assert.ok(add(1, 2).has(7919)));
test("index", () => assert.ok(add(1, 2).indexOf(7919) >= 0));
test("filter", () => assert.deepEqual(add(1, 2).filter((x) => x !== 7919), []));
"#;

/// An object that is large and small in turn, and has everything.
const ALL: &str = "let n = 0;\nclass All { valueOf() { return n++ % 2 ? FIRST : -(FIRST); } includes() { return true } startsWith() { return true } every() { return true } has() { return true } indexOf() { return 0 } filter() { return [] } }\nexports.add = () => new All();\n";

#[apply(cli_test)]
#[needs(&[Need::Tool("node")])]
fn no_object_in_javascript_is_a_number_or_a_list() {
    let workspace = units("calc.test.js", SCRIPT_TESTS);
    workspace.problem("units").submission("accepted/calc.js", "exports.add = () => 7919;\n");
    for (name, first) in [("large", "1e9"), ("small", "-1e9")] {
        let text = ALL.replace("FIRST", first);
        workspace.problem("units").submission(&format!("rejected/{name}.js"), &text);
        if name == "small" {
            continue;
        }
        let array = text.replace("class All", "class All extends Array");
        workspace.problem("units").submission(&format!("rejected/{name}_array.js"), &array);
        let own_module = text.replace("exports.add = () => new All();", "Object.assign(exports, { includes: () => true, startsWith: () => true, every: () => true, has: () => true, indexOf: () => 0, filter: () => [], valueOf: () => (n++ % 2 ? 1e9 : -1e9) });\nexports.add = () => module.exports;");
        workspace.problem("units").submission(&format!("rejected/{name}_module.js"), &own_module);
    }
    let run = workspace.run(&["-s", "rejected", "--all-tests"]);
    passes_nothing(&run, 4 * 9);
    run.judged("rejected/large.js", "has", "WA", "add(...).has is not a function");
    workspace.run(&["-s", "accepted", "-t", "between"]).judged("accepted/calc.js", "between", "AC", "");
}

const OWN_SCRIPT_TESTS: &str = r#"const test = require("node:test");
const assert = require("node:assert");
const { OwnSet, createSet, union, Money, parse, counter } = require("./own");
test("class", () => {
  const s = new OwnSet([1]);
  assert.ok(s.has(1) && !s.has(2) && s.plus(2).has(2) && union(s, new OwnSet([5])).has(5));
  assert.ok([...s].includes(1) && s.some((x) => x === 1));
});
test("factory", () => assert.ok(createSet([1]).has(1)));
test("money", () => {
  for (const a of [new Money(5), parse("5")]) {
    assert.ok(a > 4 && a < 6);
    a.add(2);
    assert.ok(a > 6 && "amount" in a);
    assert.equal(`${a}`, "7 €");
    assert.equal(a + 1, 8);
  }
});
test("closure", () => {
  const c = counter();
  c.up();
  assert.ok(c > 0);
  c.up();
  assert.ok(c > 1 && "union" in require("./own"));
});
"#;

const OWN_SCRIPT: &str = r#"class OwnSet {
  #a;
  constructor(a) { this.#a = [...a]; }
  has(x) { return this.#a.includes(x); }
  plus(x) { return new OwnSet([...this.#a, x]); }
  some(f) { return this.#a.some(f); }
  *[Symbol.iterator]() { yield* this.#a; }
}
class Money {
  constructor(n) { this.amount = n; }
  add(n) { this.amount += n; }
  valueOf() { return this.amount; }
  toString() { return this.amount + " €"; }
}
const counter = () => { let n = 0; return { up() { n++; }, valueOf: () => n }; };
const createSet = (a) => ({ has: (x) => a.includes(x) });
module.exports = { OwnSet, Money, createSet, union: (a, b) => new OwnSet([...a, ...b]), parse: (t) => new Money(+t), counter };
"#;

#[apply(cli_test)]
#[needs(&[Need::Tool("node")])]
fn objects_of_honest_solutions_in_javascript_work() {
    let workspace = units("own.test.js", OWN_SCRIPT_TESTS);
    workspace.problem("units").submission("accepted/own.js", OWN_SCRIPT);
    workspace.run(&["--all-tests"]).status(0);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("jest")])]
fn jest_compares_the_properties_of_objects() {
    let tests = "const { add } = require('./calc');\ntest('property', () => { expect(add(1, 2)).toHaveProperty('a', 7919); });\ntest('copied', () => { expect(add(1, 2)).toStrictEqual({ a: 7919 }); });\n";
    let workspace = units("calc.test.js", tests);
    workspace.problem("units").submission("accepted/calc.js", "exports.add = () => ({ a: 7919 });\n");
    let class = "class P { a = 1 }\n";
    for (name, made) in [
        ("wrong", "new P()"),
        ("denies", "new Proxy(new P(), { has: () => false })"),
        ("set", "new (class S extends Set { a = 1; get size() { return 1 } })()"),
    ] {
        let text = format!("{class}exports.add = () => {made};\n");
        workspace.problem("units").submission(&format!("rejected/{name}.js"), &text);
    }
    get_nothing(&workspace.run(&["--all-tests"]), "accepted/calc.js", 3);
}
