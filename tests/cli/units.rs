//! `entry.tests`: unit tests of a teacher as cases.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::unit_problems::{JudgedClass, get_nothing};
use crate::cli::workspace::Workspace;

const PYTHON: &[Need] = &[Need::Tool("python3")];

const TESTS: &str = r#"import io
import unittest
from contextlib import redirect_stdout

import stats
from stats import EmptyError, Point, Stack, mean
from helper import NUMBERS


class TestMean(unittest.TestCase):
    # points: 3
    def test_two(self):
        self.assertEqual(mean(NUMBERS), 1.5)

    def test_empty(self):
        with self.assertRaises(ValueError):
            mean([])

    def test_constant(self):
        self.assertEqual(stats.LIMIT, 10)


class TestStack(unittest.TestCase):
    def setUp(self):
        self.stack = Stack()

    def test_push(self):
        self.stack.push(1)
        self.stack.push([2])
        self.assertEqual(self.stack.pop(), [2])
        self.assertEqual(len(self.stack), 1)
        self.assertIn(1, self.stack)
        self.assertEqual(str(self.stack), "Stack([1])")

    def test_empty(self):
        self.assertRaises(EmptyError, self.stack.pop)

    def test_points(self):
        p = Point(1, 2) + Point(3, 4)
        self.assertEqual(p, Point(4, 6))
        self.assertIsInstance(p, Point)
        self.assertEqual((p.x, p.y), (4, 6))


def test_prints():
    out = io.StringIO()
    with redirect_stdout(out):
        stats.greet("Ada")
    assert out.getvalue() == "Hello, Ada\n"


def test_plain():
    assert mean([1, 2, 3]) == 2
"#;

const STATS: &str = r#"LIMIT = 10
class EmptyError(Exception): pass
def mean(xs):
    if not xs: raise ValueError("empty")
    return sum(xs) / len(xs)
class Stack:
    def __init__(self): self.items = []
    def push(self, x): self.items.append(x)
    def pop(self):
        if not self.items: raise EmptyError("empty")
        return self.items.pop()
    def __len__(self): return len(self.items)
    def __contains__(self, x): return x in self.items
    def __str__(self): return f"Stack({self.items})"
class Point:
    def __init__(self, x, y): self.x, self.y = x, y
    def __add__(self, o): return Point(self.x + o.x, self.y + o.y)
    def __eq__(self, o): return (self.x, self.y) == (o.x, o.y)
def greet(n): print("Hello,", n)
"#;

/// The problem `units` with this file of tests.
fn units(tests: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.problem("units").toml("entry.tests = \"tests/test_stats.py\"\n");
    workspace.file("problems/units/tests/test_stats.py", tests);
    workspace.file("problems/units/tests/helper.py", "NUMBERS = [1, 2]\n");
    workspace
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn each_test_is_a_case_with_points() {
    let workspace = units(TESTS);
    workspace.problem("units").submission("accepted/stats.py", STATS);
    let wrong =
        STATS.replace("sum(xs) / len(xs)", "sum(xs) // len(xs)").replace("raise ValueError(\"empty\")", "return 0");
    let wrong = wrong.replace("Hello,", "Hi").replace("return self.items.pop()", "return self.items[0]");
    workspace.problem("units").submission("rejected/wrong.py", &wrong);
    workspace.problem("units").submission("rejected/raises.py", &STATS.replace("return sum", "return summe"));
    workspace.problem("units").submission("rejected/lacks.py", &STATS.replace("LIMIT", "LIMITS"));
    let run = workspace.run(&["--all-tests"]);
    run.status(0).shows("8 tests · 10 points").shows("AC   10 of 10");
    for (test, told) in [
        ("TestMean.test_two", "self.assertEqual(mean(NUMBERS), 1.5): 1 != 1.5; mean([1, 2]) returned 1"),
        ("TestMean.test_empty", "ValueError not raised; mean([]) returned 0"),
        ("TestStack.test_push", "self.assertEqual(self.stack.pop(), [2]): 1 != [2]; pop() returned 1"),
        (
            "test_prints",
            r#"assert out.getvalue() == "Hello, Ada\n": failed: 'Hi Ada\n' == 'Hello, Ada\n'; greet('Ada') returned None"#,
        ),
    ] {
        run.judged("rejected/wrong.py", test, "WA", told);
    }
    run.judged("rejected/wrong.py", "test_plain", "AC", "");
    run.judged("rejected/raises.py", "test_plain", "RTE", "exit code 1");
    run.judged(
        "rejected/lacks.py",
        "TestMean.test_constant",
        "WA",
        "self.assertEqual(stats.LIMIT, 10): AttributeError:",
    );
    workspace.run(&["--all-tests"]).status(0);
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_class_gets_points_and_the_messages_of_tests() {
    let workspace = units(TESTS);
    workspace.problem("units").submission("accepted/stats.py", STATS);
    workspace.file("students/ada.py", STATS).file("students/bob.py", STATS.replace("/ len(xs)", "// len(xs)"));
    // A program of several files.
    let parts = STATS.replace("LIMIT = 10", "from limit import LIMIT");
    workspace.file("students/cyd/stats.py", parts).file("students/cyd/limit.py", "LIMIT = 10\n");
    workspace.file("students/dan.py", "def mean(xs: return\n");
    workspace.file("students/eve.py", format!("n = int(input())\n{STATS}"));
    let (class, _) = JudgedClass::of(&workspace, 1);
    class.points(&[("ada", 10.0), ("bob", 7.0), ("cyd", 10.0), ("dan", 0.0), ("eve", 0.0)]);
    assert!(class.feedback.contains("mean([1, 2]) returned 1"), "{}", class.feedback);
    assert!(class.feedback.contains("it calls input() when tests import it"), "{}", class.feedback);
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn messages_keep_values_lines_and_white_space() {
    let tests = r#"import unittest
import stats

class TestStats(unittest.TestCase):
    def test_words(self): # points: 2
        self.assertEqual(stats.words("a  b"), ["a", "b"])

def test_near():
    assert stats.balance() in range(3, 5)

def test_once():
    seen = []
    assert seen.append(1) is None, "a message of its own"
    assert (seen := seen + [2]) == [1, 2]
    class Own:
        assert 1 < 2
    assert not hasattr(Own, "@left")
    assert stats.balance() > 100
"#;
    let workspace = units(tests);
    let solution = "def words(s): return s.split(' ')\ndef balance():\n    return 14\n";
    workspace.problem("units").submission("rejected/stats.py", solution);
    workspace.problem("units").submission("rejected/raises.py", &solution.replace("14", "[][3]"));
    let forges =
        "import os\nfor fd in range(3, 40):\n    try: os.write(fd, b'{\"value\": 1.5}\\n')\n    except OSError: pass\n";
    workspace.problem("units").submission("rejected/forges.py", &format!("{forges}{solution}"));
    let run = workspace.run(&["--all-tests"]);
    for (test, told) in [
        (
            "TestStats.test_words",
            "self.assertEqual(stats.words(\"a  b\"), [\"a\", \"b\"]): Lists differ: ['a', '', 'b']",
        ),
        ("TestStats.test_words", "First differing element 1: ''; 'b'; "),
        ("TestStats.test_words", "; words('a  b') returned ['a', '', 'b']"),
        ("test_near", "assert stats.balance() in range(3, 5): failed: 14 in range(3, 5); balance() returned 14"),
        ("test_once", "assert stats.balance() > 100: failed: 14 > 100; balance() returned 14"),
    ] {
        run.judged("rejected/stats.py", test, "WA", told);
    }
    run.judged("rejected/raises.py", "test_near", "RTE", "exit code 1");
    run.judged("rejected/forges.py", "test_near", "WA", "the program wrote something else than a value");
    workspace.file("students/ada.py", solution).file("students/bob.py", solution.replace("14", "[][3]"));
    let (class, _) = JudgedClass::of(&workspace, 1);
    for told in [
        // The lines of a difference stay lines.
        "First differing element 1:\\n",
        "['a', '', 'b']\\n",
        "IndexError: list index out of range (bob.py, line 3)",
    ] {
        assert!(class.feedback.contains(told), "{told}: {}", class.feedback);
    }
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn what_a_test_replaces_is_replaced_in_the_program() {
    let tests = r#"import io, os, random, sys, unittest
from contextlib import redirect_stdout
from unittest.mock import mock_open, patch
import stats

class TestAsks(unittest.TestCase):
    @patch("builtins.input", return_value="Bo")
    def test_input(self, stub):
        self.assertEqual(stats.greet(), "Hi Bo")
        stub.assert_called_once_with()

    @patch("stats.dice", return_value=3)
    def test_name(self, stub):
        self.assertEqual(stats.throws(), 3)

    def test_function(self):
        with patch("random.randint", return_value=7): self.assertEqual(stats.number(), 7)
        self.assertLess(stats.number(), 7)

    @patch.object(stats, "LIMIT", 3)
    def test_constant(self): self.assertEqual(stats.limit(), 3)

    @patch("sys.stdin", io.StringIO("Bo\n"))
    def test_stdin(self):
        try:
            self.assertEqual(stats.greet(), "Hi Bo")
        except Exception:
            pass

    @patch("sys.argv", ["stats", "3"])
    def test_arguments(self): stats.limit()

    @patch.dict(os.environ, {"LIMIT": "3"})
    def test_environment(self): stats.limit()

    @patch("builtins.open", mock_open(read_data="3"))
    def test_open(self): self.assertEqual(stats.read(), "3")

    def test_prints(self):
        with redirect_stdout(io.StringIO()) as out:
            stats.dice()
        self.assertEqual(out.getvalue(), "6\n")
"#;
    let workspace = units(tests);
    let solution = "import random\nLIMIT = 10\ndef greet(): return 'Hi ' + input()\ndef dice(): print(6); return 6\n\
        def throws(): return dice()\ndef number(): return random.randint(1, 6)\ndef limit(): return LIMIT\n\
        def read(): return open('x').read()\n";
    workspace.problem("units").submission("accepted/stats.py", solution);
    let run = workspace.run(&["--all-tests", "-v"]);
    run.status(3);
    for test in ["prints", "input", "name", "function", "constant"] {
        run.judged("accepted/stats.py", &format!("TestAsks.test_{test}"), "AC", "");
    }
    for test in ["stdin", "arguments", "environment", "open"] {
        let result = run.test("accepted/stats.py", &format!("TestAsks.test_{test}"));
        assert_eq!(result["result"], "judge_error", "{test}: {result}");
    }
    run.shows("the test replaces sys.stdin").shows("give the function its values");
    run.shows("the test changes os.environ").shows("a value of the type `MagicMock`, which cannot leave the test");
}

/// Students who want points without a solution. Each test needs a value that they do not know.
#[apply(cli_test)]
#[needs(PYTHON)]
fn tricks_get_nothing() {
    let tests = r#"import unittest
from calc import add


class TestAdd(unittest.TestCase):
    def test_small(self):
        self.assertEqual(add(1200, 34), 1234)

    def test_caught(self):
        try:
            self.assertTrue(add(5000, 678) == 5678)
        except Exception:
            raise AssertionError("wrong") from None


def test_plain():
    assert add(90000, 1) in (90001,)
"#;
    let tricks = [
        ("exits", "import os\nos._exit(0)\n"),
        ("exits_later", "import os\ndef add(a, b): os._exit(0)\n"),
        ("sys_exits", "import sys\ndef add(a, b): sys.exit(0)\n"),
        ("at_exit", "import atexit, os\natexit.register(lambda: os._exit(0))\ndef add(a, b): return 0\n"),
        ("prints_ok", "print('Ran 3 tests in 0.001s\\n\\nOK')\ndef add(a, b):\n    print('ok')\n    return 0\n"),
        (
            "forged_report",
            "for name in ('report.xml', 'junit.xml', '/tmp/report.xml', 'judgemessage.txt'):\n    try: open(name, 'w').write('<testsuite tests=\"3\" failures=\"0\"/>')\n    except OSError: pass\ndef add(a, b): return 0\n",
        ),
        (
            "every_descriptor",
            "import os\ndef add(a, b):\n    for number in range(1, 64):\n        try: os.write(number, b'{\"value\": true}\\n')\n        except OSError: pass\n    return 0\n",
        ),
        ("code_42", "import os\ndef add(a, b):\n    os.write(1, b'42\\n')\n    os._exit(42)\n"),
        (
            "edits_tests",
            "import os\nfor top, _, names in os.walk('/', onerror=None):\n    if top.startswith(('/proc', '/sys', '/usr', '/lib')): continue\n    for name in names:\n        if name.startswith('test_'):\n            try: open(os.path.join(top, name), 'w').write('def test_plain(): pass')\n            except OSError: pass\ndef add(a, b): return 0\n",
        ),
        (
            "deletes_tests",
            "import glob, os\nfor name in glob.glob('/program/**', recursive=True) + glob.glob('./**', recursive=True):\n    try: os.remove(name)\n    except OSError: pass\ndef add(a, b): return 0\n",
        ),
        (
            "patches_unittest",
            "import unittest\nunittest.TestCase.assertEqual = unittest.TestCase.assertTrue = lambda *rest: None\ndef add(a, b): return 0\n",
        ),
        (
            "patches_result",
            "import unittest\nunittest.TestResult.addFailure = unittest.TestResult.addSuccess\nunittest.TestCase.run = lambda self, result=None: result.addSuccess(self)\ndef add(a, b): return 0\n",
        ),
        (
            "replaces_modules",
            "import sys, types\nfor name in ('unittest', 'test_calc', 'pytest'): sys.modules[name] = types.ModuleType(name)\ndef add(a, b): return 0\n",
        ),
        (
            "equals_everything",
            "class Any:\n    def __eq__(self, other): return True\n    def __bool__(self): return True\ndef add(a, b): return Any()\n",
        ),
        (
            "int_that_equals",
            "class Any(int):\n    def __eq__(self, other): return True\n    def __hash__(self): return 0\ndef add(a, b): return Any(7)\n",
        ),
        (
            "claims_its_class",
            "class Any:\n    __class__ = int\n    def __eq__(self, other): return True\n    def __req__(self, other): return True\ndef add(a, b): return Any()\n",
        ),
        (
            "float_that_equals",
            "class Any(float):\n    def __eq__(self, other): return True\n    def __contains__(self, other): return True\ndef add(a, b): return Any('nan')\n",
        ),
        ("raises_assertion", "def add(a, b): raise AssertionError('passed')\n"),
        ("raises_skip", "import unittest\ndef add(a, b): raise unittest.SkipTest('nothing to do')\n"),
        ("raises_exit", "def add(a, b): raise KeyboardInterrupt\n"),
        (
            "raises_own",
            "class SkipTest(Exception): pass\nclass Success(BaseException): pass\ndef add(a, b): raise Success\n",
        ),
        (
            "looks_at_frames",
            "import inspect\ndef add(a, b):\n    for frame in inspect.stack():\n        for value in frame.frame.f_locals.values():\n            if isinstance(value, int) and value > a: return value\n    return 0\n",
        ),
        (
            "looks_at_memory",
            "import gc\ndef add(a, b):\n    for found in gc.get_objects():\n        if isinstance(found, tuple) and a in found and b in found and len(found) > 2: return found[2]\n    return 0\n",
        ),
        (
            "looks_at_processes",
            "import glob\ndef add(a, b):\n    for name in glob.glob('/proc/[0-9]*/cmdline') + glob.glob('/proc/[0-9]*/cwd/*'):\n        try: text = open(name, 'rb').read()\n        except OSError: continue\n        if b'1234' in text: return 1234\n    return 0\n",
        ),
        (
            "kills_parents",
            "import os, signal\ndef add(a, b):\n    for number in {os.getppid(), 1, -1} - {os.getpid()}:\n        try: os.kill(number, signal.SIGKILL)\n        except OSError: pass\n    return 0\n",
        ),
        ("forks", "import os\ndef add(a, b):\n    if os.fork(): os._exit(0)\n    return 0\n"),
        (
            "patches_json",
            "import builtins, io, json, operator, os\njson.dumps = lambda *rest, **more: '{\"value\": true}'\njson.loads = lambda text: None\nos.write = lambda *rest: 0\nio.StringIO = None\ndef add(a, b): return 0\n",
        ),
        (
            "patches_driver",
            "import __main__\n__main__.Units.answer = lambda self, ask: {'value': True}\n__main__.Served.answer = lambda self, ask: {'value': True}\ndef add(a, b): return 0\n",
        ),
        (
            "answers_ahead",
            "import os\nfor number in range(3, 32):\n    try: os.write(number, b'{\"value\": true}\\n' * 50)\n    except OSError: pass\ndef add(a, b): return 0\n",
        ),
        (
            "odd_answers",
            "import os\nfor number in range(3, 32):\n    try: os.write(number, b'{\"value\": {\"object\": [true, true, [true]]}}\\n{\"error\": [], \"message\": 0}\\n{}\\n[]\\n')\n    except OSError: pass\ndef add(a, b): return 0\n",
        ),
        ("huge_answer", "def add(a, b): return 'x' * (5 << 20)\n"),
        (
            "optimised",
            "import os, sys\nif not sys.flags.optimize: os.execv(sys.executable, [sys.executable, '-O', *sys.argv])\ndef add(a, b): return 0\n",
        ),
        (
            "threads",
            "import os, threading, time\ndef later():\n    time.sleep(0.01)\n    os._exit(0)\nthreading.Thread(target=later).start()\ndef add(a, b):\n    time.sleep(1)\n    return 0\n",
        ),
        (
            "hooks",
            "import sys\nsys.excepthook = sys.unraisablehook = lambda *rest: None\nsys.settrace(lambda *rest: None)\ndef add(a, b): raise ValueError\n",
        ),
        (
            "customises",
            "for name in ('conftest.py', 'sitecustomize.py', 'usercustomize.py', 'unittest.py'):\n    for folder in ('.', '/tmp', '/program'):\n        try: open(folder + '/' + name, 'w').write('import os; os._exit(0)')\n        except OSError: pass\ndef add(a, b): return 0\n",
        ),
        ("lacks", "pass\n"),
    ];
    let workspace = Workspace::new();
    workspace.problem("units").toml("entry.tests = \"tests/test_calc.py\"\n");
    workspace.file("problems/units/tests/test_calc.py", tests);
    workspace.problem("units").submission("accepted/calc.py", "def add(a, b): return a + b\n");
    for (name, text) in tricks {
        workspace.problem("units").submission(&format!("rejected/{name}.py"), text);
    }
    // Files beside a solution that would change a runner beside it.
    for name in ["conftest.py", "unittest.py", "sitecustomize.py", "test_calc.py"] {
        workspace.file(format!("problems/units/submissions/rejected/beside/{name}"), "import os\nos._exit(0)\n");
    }
    workspace.file("problems/units/submissions/rejected/beside/calc.py", "def add(a, b): return 0\n");
    let run = workspace.run(&["--all-tests"]);
    run.status(0);
    get_nothing(&run, "accepted/calc.py", tricks.len() + 1);
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_test_that_did_not_run_is_a_judge_error() {
    let test = |name: &str, body: &str| format!("    def test_{name}(self):\n        {body}\n");
    let head = "import unittest\nfrom stats import double\n\nclass TestAll(unittest.TestCase):\n";
    let tests = [
        head,
        &test("skips", "self.skipTest('later')"),
        &test("object", "double(object())"),
        &test("fine", "self.assertEqual(double(2), 4)"),
        "del TestAll.test_gone\n",
    ]
    .concat()
    .replace("del TestAll", &(test("gone", "pass") + "del TestAll"));
    let workspace = units(&tests);
    workspace.problem("units").submission("accepted/stats.py", "def double(n): return 2 * n\n");
    let run = workspace.run(&["--all-tests", "-v"]);
    run.status(3).shows("there is no test `TestAll.test_gone`").shows("the test was skipped: later");
    run.shows("the test gives the solution a value of the type `object`, which cannot leave the test");
    run.judged("accepted/stats.py", "TestAll.test_fine", "AC", "");
    // The module of Python, and not that of the solution, would be tested.
    let workspace = units("from statistics import mean\n\ndef test_mean():\n    assert mean([1]) == 1\n");
    workspace.problem("units").submission("accepted/statistics.py", "def mean(xs): return 0\n");
    let told = "the tests import nothing of the solution, or Python has a module of that name";
    workspace.run(&[]).status(3).shows(told);
    // What a library would like to have is not taken from a solution of one file.
    let workspace = units("import optparse\nfrom stats import one\n\ndef test_one():\n    assert one() == 1\n");
    workspace.problem("units").submission("accepted/any_name.py", "def one(): return 1\n");
    workspace.run(&[]).status(0);
}

const SCRIPT_TESTS: &str = r#"import { test, describe, it, mock, beforeEach } from "node:test";
import assert from "node:assert/strict";
import stats, { mean, Stack, EmptyError, LIMIT, later, Point, twice, sortIt, greet } from "../src/stats.js";
import { NUMBERS } from "./helper.mjs";

describe("mean", () => {
  // points: 3
  it("of two", () => assert.equal(mean(NUMBERS), 1.5));
  it("of nothing", () => assert.throws(() => mean([]), { name: "RangeError", message: /empty/ }));
});
test("constant", () => assert.equal(LIMIT, 10));
test("mean", () => assert.equal(mean([2]), 2));
describe("Stack", () => {
  let stack;
  beforeEach(() => { stack = new Stack(); });
  it("pushes", () => {
    stack.push(1);
    stack.push([2]);
    assert.deepEqual(stack.pop(), [2]);
    assert.equal(stack.size, 1);
    assert.deepEqual([...stack], [1]);
    assert.ok(stack instanceof Stack);
  });
  it("is empty", () => assert.throws(() => stack.pop(), EmptyError));
});
test("later", async () => {
  assert.equal(await later(3), 6);
  await assert.rejects(later(-1), TypeError);
});
test("points", () => {
  assert.deepEqual(new Point(1, 2), new Point(1, 2));
  assert.notDeepEqual(new Point(1, 2), new Point(1, 3));
  assert.equal(String(new Point(1, 2)), "(1, 2)");
});
test("a callback", () => {
  const f = mock.fn((x) => x + 1);
  assert.equal(twice(f, 1), 3);
  assert.equal(f.mock.callCount(), 2);
});
test("in place", () => {
  const numbers = [3, 1, 2];
  sortIt(numbers);
  assert.deepEqual(numbers, [1, 2, 3]);
});
test("prints", () => {
  const log = mock.method(console, "log", () => {});
  greet("Ada");
  assert.deepEqual(log.mock.calls[0].arguments, ["Hello, Ada"]);
});
test("types", () => assert.deepEqual(stats.all(-0), [NaN, -0, undefined, 2n, new Map([[1, new Set("a")]]), new Date(5), /a/g]));
"#;

pub(crate) const SCRIPT: &str = r#"class EmptyError extends Error {}
class Stack {
  #items = [];
  push(x) { this.#items.push(x); }
  pop() { if (this.size === 0) throw new EmptyError("empty"); return this.#items.pop(); }
  get size() { return this.#items.length; }
  *[Symbol.iterator]() { yield* this.#items; }
}
class Point {
  constructor(x, y) { this.x = x; this.y = y; }
  toString() { return `(${this.x}, ${this.y})`; }
}
function mean(xs) {
  if (xs.length === 0) throw new RangeError("empty");
  return xs.reduce((a, b) => a + b, 0) / xs.length;
}
async function later(n) {
  if (n < 0) throw new TypeError("no");
  await new Promise((done) => setTimeout(done, 5));
  return 2 * n;
}
const sortIt = (a) => { a.sort((x, y) => x - y); };
const all = (zero) => [0 / 0, zero, undefined, 2n, new Map([[1, new Set("a")]]), new Date(5), /a/g];
const greet = (n) => console.log("Hello, " + n);
module.exports = { LIMIT: 10, EmptyError, Stack, Point, mean, later, twice: (f, x) => f(f(x)), sortIt, greet, all };
"#;

/// The problem `units` with this file of tests in JavaScript.
fn scripts(name: &str, tests: &str) -> Workspace {
    let workspace = Workspace::new();
    let toml = format!("entry.tests = \"tests/{name}\"\nreference = \"accepted/stats.js\"\n");
    workspace.problem("units").toml(&toml);
    workspace.file(format!("problems/units/tests/{name}"), tests);
    workspace.file("problems/units/tests/helper.mjs", "export const NUMBERS = [1, 2];\n");
    workspace
}

#[apply(cli_test)]
#[needs(&[Need::Tool("node")])]
fn tests_in_javascript_are_cases_with_points() {
    let workspace = scripts("stats.test.mjs", SCRIPT_TESTS);
    workspace.problem("units").submission("accepted/stats.js", SCRIPT);
    let module = SCRIPT.replace("module.exports = {", "export default { all };\nconst exported = {");
    let module = module.replace("LIMIT: 10, ", "").replace("twice: (f, x) => f(f(x)), ", "");
    let exports = "export const LIMIT = 10, twice = (f, x) => f(f(x));\nexport { EmptyError, Stack, Point, mean, later, sortIt, greet };\n";
    workspace.problem("units").submission("accepted/any_name.mjs", &format!("{module}{exports}"));
    let wrong = SCRIPT.replace(" / xs.length", " / 2 | 0").replace("x - y", "y - x").replace("LIMIT: 10, ", "");
    let wrong =
        wrong.replace("new EmptyError", "new Error").replace("this.y = y", "this.y = 0").replace("f(f(x))", "x");
    workspace.problem("units").submission("rejected/wrong.js", &wrong);
    workspace.problem("units").submission("rejected/raises.js", &SCRIPT.replace("xs.reduce", "xs.reduct"));
    workspace.problem("units").submission("rejected/loads.js", &format!("{SCRIPT}throw new Error('no');\n"));
    let run = workspace.run(&["--all-tests"]);
    run.status(0).shows("12 tests · 14 points").shows("AC   14 of 14");
    for (test, told) in [
        (
            "mean.of-two",
            "it(\"of two\", () => assert.equal(mean(NUMBERS), 1.5));: Expected values to be strictly equal",
        ),
        ("mean.of-two", "mean([ 1, 2 ]) returned 1"),
        ("constant", "undefined !== 10"),
        ("points", "assert.notDeepEqual(new Point(1, 2), new Point(1, 3));"),
        ("a-callback", "assert.equal(twice(f, 1), 3);"),
        ("in-place", "sortIt([ 3, 2, 1 ]) returned undefined"),
    ] {
        run.judged("rejected/wrong.js", test, "WA", told);
    }
    run.judged("rejected/wrong.js", "mean.of-nothing", "AC", "");
    run.judged("rejected/wrong.js", "Stack.is-empty", "RTE", "exit code 1");
    run.judged("rejected/raises.js", "mean.of-two", "RTE", "exit code 1");
    run.judged("rejected/loads.js", "constant", "RTE", "exit code 1");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("node")])]
fn a_class_in_javascript_gets_points() {
    let tests = "const test = require('node:test');\nconst assert = require('node:assert');\nconst { mean } = require('./stats');\ntest('two', () => assert.strictEqual(mean([1, 2]), 1.5)); // points: 2\ntest('three', () => assert.strictEqual(mean([1, 2, 6]), 3));\n";
    let workspace = scripts("stats.test.js", tests);
    workspace.problem("units").submission("accepted/stats.js", SCRIPT);
    workspace.file("students/ada.js", SCRIPT).file("students/bob.js", SCRIPT.replace("/ xs.length", "/ 3"));
    // A program of several files.
    let parts = "const { sum } = require('./sum');\nexports.mean = (xs) => sum(xs) / xs.length;\n";
    workspace.file("students/cyd/stats.js", parts);
    workspace.file("students/cyd/sum.js", "exports.sum = (xs) => xs.reduce((a, b) => a + b, 0);\n");
    workspace.file("students/dan.js", "exports.mean = (xs => {\n");
    // A function without a name of its own.
    workspace.file("students/eve.js", "exports.mean = (xs) => 7;\n");
    let (class, _) = JudgedClass::of(&workspace, 1);
    class.points(&[("ada", 3.0), ("bob", 1.0), ("cyd", 3.0), ("dan", 0.0), ("eve", 0.0)]);
    for told in ["mean([ 1, 2 ]) returned 1", "mean([ 1, 2 ]) returned 7", "mean([1, 2]), 1.5));: Expected values"] {
        assert!(class.feedback.contains(told), "{told}: {}", class.feedback);
    }
}

/// Solutions in JavaScript of students who want points without one.
pub(crate) fn tricks_in_javascript() -> Vec<(&'static str, String)> {
    let every = "for (let fd = 1; fd < 64; fd++) { try { fs.writeSync(fd, TEXT) } catch {} }";
    let add = "exports.add = () => 0;";
    let on_load = |text: &str| format!("const fs = require('fs');\n{text}\n{add}\n");
    let in_call = |text: &str| format!("const fs = require('fs');\nexports.add = (a, b) => {{ {text}; return 0 }};\n");
    vec![
        ("exits", on_load("process.exit(0);")),
        ("exits_later", in_call("process.exit(0)")),
        ("really_exits", in_call("process.reallyExit(0)")),
        ("code_42", in_call("process.reallyExit(42)")),
        ("at_exit", on_load("process.on('exit', () => process.reallyExit(0));")),
        ("aborts", in_call("process.abort()")),
        ("kills_parents", in_call("for (const p of [process.ppid, 1, -1]) try { process.kill(p, 'SIGKILL') } catch {}")),
        ("prints_tap", on_load("console.log('TAP version 13\\nok 1 - small\\nok 2 - caught\\n1..2\\n# pass 1\\n# fail 0');")),
        ("forged_result", on_load(&every.replace("TEXT", "'{\"passed\":true}\\n'"))),
        ("forged_value", in_call(&every.replace("TEXT", "'{\"value\":true,\"contents\":[]}\\n'"))),
        ("answers_ahead", on_load(&every.replace("TEXT", "'{\"value\":{\"h\":[0,true]},\"contents\":[]}\\n'.repeat(50)"))),
        ("odd_answers", on_load(&every.replace("TEXT", "'{\"callback\":\"push\",\"self\":{\"c\":\"__proto__\"},\"given\":[1],\"contents\":[]}\\n{\"value\":{\"y\":\"constructor\"},\"contents\":[]}\\n{}\\n[]\\nnull\\n'"))),
        (
            "forged_report",
            on_load("for (const n of ['report.xml', 'judgemessage.txt', '/tmp/report.xml']) try { fs.writeFileSync(n, '<testsuite tests=\"2\" failures=\"0\"/>') } catch {}"),
        ),
        (
            "edits_tests",
            on_load("const walk = (d) => { let all = []; try { all = fs.readdirSync(d, { withFileTypes: true }) } catch {} for (const f of all) { const p = d + '/' + f.name; if (f.isDirectory() && !/^\\/+(proc|sys|usr|lib|dev)/.test(p)) walk(p); else if (/test/.test(f.name) && !/^\\/+(proc|sys|usr|lib|dev)/.test(p)) try { fs.writeFileSync(p, '') } catch {} } }; walk('/');"),
        ),
        (
            "deletes_all",
            on_load("for (const d of [__dirname, '.']) for (const n of fs.readdirSync(d)) try { fs.rmSync(d + '/' + n, { recursive: true }) } catch {}"),
        ),
        (
            "patches_assert",
            on_load("const assert = require('assert'); for (const n of Object.keys(assert)) assert[n] = () => {}; assert.strict = assert;"),
        ),
        ("patches_runner", on_load("require('module')._cache = {}; const t = require('node:test'); t.test = t.it = () => {};")),
        (
            "patches_json",
            on_load("JSON.stringify = () => '{\"value\":true}'; JSON.parse = () => ['get', { h: 0 }, 'add']; Array.isArray = () => true;"),
        ),
        (
            "patches_driver",
            on_load("const m = process.mainModule ?? require.main; for (const n of Object.keys(m.exports)) m.exports[n] = () => true; Object.prototype.value = true; Array.prototype.map = () => [];"),
        ),
        ("equals_everything", "exports.add = () => ({ valueOf: () => true, toString: () => 'true', [Symbol.toPrimitive]: () => true });\n".to_owned()),
        ("proxy", "exports.add = () => new Proxy({}, { get: () => true, has: () => true, getPrototypeOf: () => Number.prototype });\n".to_owned()),
        ("like_a_number", "class Any extends Number {}\nexports.add = () => new Any(NaN);\n".to_owned()),
        ("throws_assertion", in_call("throw new (require('assert').AssertionError)({ message: 'passed' })")),
        ("throws_nothing", in_call("throw undefined")),
        ("never", "exports.add = () => new Promise(() => {});\n".to_owned()),
        ("thenable", "exports.add = () => ({ then() {} });\n".to_owned()),
        ("resolves_late", "exports.add = () => ({ then(done) { done(0); process.exit(0) } });\n".to_owned()),
        ("huge_answer", "exports.add = () => 'x'.repeat(5 << 20);\n".to_owned()),
        ("deep_answer", "exports.add = () => { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a };\n".to_owned()),
        ("looks_at_stack", in_call("const s = new Error().stack; const n = /\\b(5678)\\b/.exec(s); if (n) return +n[1]")),
        (
            "looks_at_processes",
            in_call("for (const p of fs.readdirSync('/proc')) for (const n of ['cmdline', 'environ', 'cwd/calc.test.mjs']) try { const n2 = /\\b(5678)\\b/.exec(fs.readFileSync(`/proc/${p}/${n}`, 'latin1')); if (n2) return +n2[1] } catch {}"),
        ),
        ("worker", on_load("new (require('worker_threads').Worker)('process.exit(0)', { eval: true });")),
        ("child", on_load("require('child_process').spawn(process.execPath, ['-e', \"fs.writeSync(1, '{\\\"value\\\":true}\\\\n')\"], { stdio: 'inherit' });")),
        ("options", on_load("fs.writeFileSync('.npmrc', ''); process.env.NODE_OPTIONS = '--test-only'; process.argv.push('--test-skip-pattern=.*');")),
        ("swallows", on_load("process.on('uncaughtException', () => {}); process.on('SIGTERM', () => {}); process.exit = () => {}; process.reallyExit = () => {};")),
        ("throwing_name", on_load("Object.defineProperty(module, 'exports', { value: { get add() { const f = () => 0; Object.defineProperty(f, 'name', { get() { throw undefined } }); return f } } });")),
        ("throwing_inspect", "exports.add = () => new (class { [require('util').inspect.custom]() { throw new Error('no') } })();\n".to_owned()),
        ("throwing_message", in_call("const e = new Error(); Object.defineProperty(e, 'message', { get() { throw e } }); throw e")),
        ("large_answer", "exports.add = () => 'x'.repeat(3 << 20);\n".to_owned()),
        ("many_lines", "exports.add = () => 'x\\n'.repeat(1 << 18);\n".to_owned()),
        ("prints_much", "exports.add = () => { for (let i = 0; i < 500; i++) console.log('x'.repeat(9999)); return 0 };\n".to_owned()),
        ("lacks", "exports.sum = (a, b) => a + b;\n".to_owned()),
    ]
}

/// Students who want points without a solution. The test needs a value that they do not know, and would take it in any form.
#[apply(cli_test)]
#[needs(&[Need::Tool("node")])]
fn tricks_in_javascript_get_nothing() {
    let tests = r#"import test from "node:test";
import assert from "node:assert";
import { isDeepStrictEqual } from "node:util";
import { add } from "./calc.js";

test("sum", async () => {
  let sum;
  try {
    sum = await add(5000, 678);
  } catch {
    sum = 0;
  }
  assert.ok(sum == 5678 || isDeepStrictEqual([sum], [5678]), "wrong");
});
"#;
    let tricks = tricks_in_javascript();
    let workspace = scripts("calc.test.mjs", tests);
    workspace.problem("units").submission("accepted/stats.js", "exports.add = (a, b) => a + b;\n");
    for (name, text) in &tricks {
        workspace.problem("units").submission(&format!("rejected/{name}.js"), text);
    }
    // Files beside a solution that would change a runner beside it.
    let beside = |name: &str, text: &str| {
        workspace.file(format!("problems/units/submissions/rejected/beside/{name}"), text);
    };
    beside("calc.js", "export const add = () => 0;\n");
    beside("package.json", "{\"type\": \"module\", \"main\": \"calc.test.mjs\", \"scripts\": {\"test\": \"true\"}}\n");
    beside("calc.test.mjs", "process.exit(0);\n");
    beside("main.js", "process.exit(0);\n");
    beside("node_modules/assert/index.js", "module.exports = () => {};\n");
    let run = workspace.run(&["--all-tests"]);
    run.status(0);
    get_nothing(&run, "accepted/stats.js", tricks.len() + 1);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("node")])]
fn a_test_in_javascript_that_did_not_run_is_a_judge_error() {
    let tests = "const { test } = require('node:test');\nconst { double } = require('./stats');\ntest.skip('skips', () => {});\ntest.todo('later', () => {});\ntest('fine', () => { if (double(2) !== 4) throw new Error('no') });\ntest('class', () => double(new (class Own { #x = 1 })()));\nif (false) {\n  test('gone', () => {});\n}\n";
    let workspace = scripts("stats.test.js", tests);
    workspace.problem("units").submission("accepted/stats.js", "exports.double = (n) => 2 * n;\n");
    let run = workspace.run(&["--all-tests", "-v"]);
    run.status(3).shows("0 tests are called `gone` and ran to their end, not 1");
    run.shows("the test was skipped, or is still to do");
    run.shows("the test gives the solution a value of the type `Own`, which cannot leave the test");
    run.judged("accepted/stats.js", "fine", "AC", "");
    let workspace = scripts("stats.test.js", "const { test } = require('node:test');\ntest('nothing', () => {});\n");
    workspace.problem("units").submission("accepted/stats.js", "exports.double = (n) => 2 * n;\n");
    workspace.run(&[]).status(3).shows("the tests import nothing of the solution");
    for (tests, told) in [
        ("test(NAME, () => {});\n", "line 1: a test whose name is not a text in quotes"),
        (
            "test('a', () => {});\ntest('a', () => {});\n",
            "line 2: a test whose name is not a text in quotes, or is that",
        ),
        ("console.log('test');\n", "a file of unit tests without a test"),
        (
            "test('a', () => {});\n",
            "the tests do not use `node:test` or `expect(`; grader runs those of no other library",
        ),
    ] {
        scripts("stats.test.js", tests).run(&[]).status(2).says(told);
    }
}

#[apply(cli_test)]
fn what_is_no_file_of_tests_is_an_error() {
    for (settings, told) in [
        (
            "entry.tests = \"../test_stats.py\"\n",
            "is not a file of tests in Python, JavaScript, JavaScript (Jest), C++, Go, Java, Rust below",
        ),
        (
            "entry.tests = \"tests/StatsTest.kt\"\n",
            "grader runs no tests of JUnit in Kotlin, in whose process a solution could decide",
        ),
        (
            "entry.tests = \"tests/test_stats.rb\"\n",
            "is not a file of tests in Python, JavaScript, JavaScript (Jest), C++, Go, Java, Rust below",
        ),
        ("entry.tests = \"tests/other.py\"\n", "a file that cannot be read as text"),
        ("entry.tests = \"tests/helper.py\"\n", "a file of unit tests without a test"),
        ("entry.tests = \"tests/test_stats.py\"\ntype = \"scoring\"\n", "`entry.tests` with"),
    ] {
        let workspace = units(TESTS);
        workspace.problem("units").toml(settings).submission("accepted/stats.py", STATS);
        if settings.contains("scoring") {
            workspace.problem("units").case("sample/1", "", "");
        }
        workspace.run(&[]).status(2).says(told);
    }
}

const SUMS: &str = "def sum_to(n):\n    return n * (n + 1) // 2\n";

#[apply(cli_test)]
#[needs(PYTHON)]
fn verify_asks_for_nothing_that_unit_tests_cannot_have() {
    let workspace = Workspace::new();
    workspace.grader(&["new", "week", "--unit-tests"]).status(0);
    let run = workspace.grader(&["verify"]);
    run.status(0).shows("2 cases");
    for word in ["no-sample", "no-input-validator", "no sample", "partners"] {
        assert!(!run.all().contains(word), "{word}: {}", run.all());
    }
    // What such a problem can have is still missed.
    std::fs::remove_dir_all(workspace.path("problems/week/statement")).unwrap();
    workspace.grader(&["verify"]).status(0).shows("no statement");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn files_of_the_problem_are_beside_solutions() {
    let tests = "from stats import mean\n\ndef test_mean():\n    assert mean([1, 2]) == 1.5\n";
    let workspace = units(tests);
    workspace.problem("units").toml("entry.tests = \"tests/test_stats.py\"\nreference = \"accepted/any_name.py\"\n");
    workspace.file("problems/units/include/python3/given.py", "def total(xs): return sum(xs)\n");
    let solution = "from given import total\ndef mean(xs): return total(xs) / len(xs)\n";
    // One file of the student may have any name. The file of the problem goes before one of the student.
    workspace.problem("units").submission("accepted/any_name.py", solution);
    workspace.file("problems/units/submissions/accepted/own/stats.py", solution);
    workspace.file("problems/units/submissions/accepted/own/given.py", "def total(xs): return 0\n");
    workspace.problem("units").submission("rejected/stats.py", "def mean(xs): return 0\n");
    workspace.problem("units").submission("rejected/other.sh", "echo 1.5\n");
    let run = workspace.run(&["--all-tests"]);
    run.ends("accepted/any_name.py", "AC", "met").ends("accepted/own", "AC", "met");
    run.says("given.py: replaced by the file of this name in include/");
    run.judged("rejected/stats.py", "test_mean", "WA", "mean([1, 2]) returned 0");
    run.shows("no driver calls functions in");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("node")])]
fn files_of_the_problem_are_beside_solutions_in_javascript() {
    let tests = "const { test } = require('node:test');\nconst assert = require('node:assert');\nconst { mean } = require('./stats');\ntest('mean', () => assert.equal(mean([1, 2]), 1.5));\n";
    let workspace = scripts("stats.test.js", tests);
    workspace
        .file("problems/units/include/javascript/given.js", "exports.total = (xs) => xs.reduce((a, b) => a + b, 0);\n");
    let solution = "const { total } = require('./given');\nexports.mean = (xs) => total(xs) / xs.length;\n";
    workspace.problem("units").submission("accepted/stats.js", solution).submission("accepted/any_name.js", solution);
    workspace.run(&[]).status(0).ends("accepted/any_name.js", "AC", "met");
}

/// What the tests import decides which of several files of a student is the program.
#[apply(cli_test)]
#[needs(PYTHON)]
fn tests_say_which_file_is_the_solution() {
    let workspace = Workspace::new();
    workspace.grader(&["new", "units", "--unit-tests"]).status(0);
    let extra = "def f(): pass\nif __name__ == '__main__':\n    print(1)\n";
    // Either file could be the program.
    workspace.file("students/ada/sums.py", SUMS).file("students/ada/extra.py", "def f(): return 1\n");
    // Another file starts, or uses the solution.
    workspace.file("students/bob/sums.py", SUMS).file("students/bob/extra.py", extra);
    workspace.file("students/cyd/sums.py", SUMS);
    workspace.file("students/cyd/main.py", "from sums import sum_to\nprint(sum_to(3))\n");
    // The solution uses another file.
    workspace.file("students/dan/sums.py", "from extra import sum_to\n").file("students/dan/extra.py", SUMS);
    // Nothing has the name.
    workspace.file("students/eve/a.py", "x = 1\n").file("students/eve/b.py", "y = 1\n");
    let (class, run) = JudgedClass::of(&workspace, 2);
    class.points(&[("ada", 3.0), ("bob", 3.0), ("cyd", 3.0), ("dan", 3.0), ("eve", 0.0)]);
    run.says("students/bob: contains several programs; grader judges sums.py and not extra.py");
    run.says("students/eve: contains several programs: a.py, b.py");
}

/// Of several exercises, a file is for the one whose tests import it.
#[apply(cli_test)]
#[needs(PYTHON)]
fn tests_say_for_which_exercise_a_file_is() {
    let workspace = Workspace::new();
    for (problem, module, function) in [("week1", "stats", "mean"), ("week2", "sums", "total")] {
        let tests = format!("from {module} import {function}\ndef test_one(): assert {function}([3]) == 3\n");
        workspace.problem(problem).toml("entry.tests = \"tests/test_it.py\"\n");
        workspace.file(format!("problems/{problem}/tests/test_it.py"), tests);
        let text = format!("def {function}(xs): return sum(xs)\n");
        workspace.problem(problem).submission(&format!("accepted/{module}.py"), &text);
        workspace.file(format!("students/ada/{module}.py"), text);
    }
    workspace.file("students/bob/other.py", "x = 1\n");
    let run = workspace.grader(&["judge", "students", "--layout", "{student}/{problem}.*", "--report", "gradebook=-"]);
    run.status(2).shows("ada,1,1,2,AC,AC").says("no problem is called `other`");
}
