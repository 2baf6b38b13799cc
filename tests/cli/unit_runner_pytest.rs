//! `entry.tests` with pytest.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::unit_problems::{JudgedClass, get_nothing, units};

const PYTEST: &[Need] = &[Need::Module("pytest")];
const PYTHON: &[Need] = &[Need::Tool("python3")];

const TESTS: &str = r#"import pytest
import stats
from stats import EmptyError, Stack, mean

@pytest.fixture
def stack():
    stack = Stack()
    stack.push(1)
    yield stack
    stack.push(2)

# points: 3
@pytest.mark.parametrize("xs, want", [([1, 2], 1.5), ([3], 3)])
def test_each(xs, want): assert mean(xs) == want

def test_fixtures(stack, numbers):
    assert stack.pop() == 1 and mean(numbers) == pytest.approx(2.0)

def test_prints(capsys, tmp_path):
    stats.greet("Ada")
    (tmp_path / "out").write_text(capsys.readouterr().out)
    assert (tmp_path / "out").read_text() == "Hello, Ada\n"

@pytest.mark.slow
def test_raises():
    with pytest.raises(ValueError, match="empty"): mean([])
    with pytest.raises(EmptyError): Stack().pop()

class TestStack:
    class TestInside:
        def setup_method(self): self.stack = Stack()
        @pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.skip), 3])
        def test_means(self, n): assert mean([n, n]) == n

@pytest.mark.xfail(reason="known")
def test_known(): assert mean([2]) == 3

@pytest.mark.xfail(strict=True)
def test_strict(): assert mean([1, 2]) == 1
"#;

const STATS: &str = r#"class EmptyError(Exception): pass
def mean(xs):
    if not xs: raise ValueError("empty")
    return sum(xs) / len(xs)
class Stack:
    def __init__(self): self.items = []
    def push(self, x): self.items.append(x)
    def pop(self):
        if not self.items: raise EmptyError("empty")
        return self.items.pop()
def greet(n): print("Hello,", n)
"#;

#[apply(cli_test)]
#[needs(PYTEST)]
fn tests_of_pytest_are_cases_with_points() {
    let workspace = units("test_stats.py", TESTS);
    let conftest = "import pytest\n\n@pytest.fixture\ndef numbers(): return [1, 2, 3]\n";
    workspace.file("problems/units/tests/conftest.py", conftest);
    workspace.problem("units").submission("accepted/stats.py", STATS);
    let wrong = STATS.replace("/ len", "// len").replace("Hello", "Hi").replace("raise ValueError", "raise KeyError");
    workspace.problem("units").submission("rejected/wrong.py", &wrong.replace(".append(x)", ".append(x + 1)"));
    let run = workspace.run(&["--all-tests"]);
    run.status(0).shows("7 tests · 9 points").shows("AC   9 of 9");
    for (test, told) in [
        ("test_each", "assert mean(xs) == want: failed: 1 == 1.5; mean([1, 2]) returned 1"),
        ("test_fixtures", "assert stack.pop() == 1 and mean(numbers)"),
        ("test_prints", "failed: 'Hi, Ada\\n' == 'Hello, Ada\\n'; greet('Ada') returned None"),
        ("test_strict", "[XPASS(strict)]; mean([1, 2]) returned 1"),
    ] {
        run.judged("rejected/wrong.py", test, "WA", told);
    }
    run.judged("rejected/wrong.py", "test_raises", "RTE", "exit code 1");
    run.judged("rejected/wrong.py", "TestStack.TestInside.test_means", "AC", "");
}

#[apply(cli_test)]
#[needs(PYTEST)]
fn pytest_replaces_names_in_the_program() {
    let tests = "import io, stats\n\ndef test_input(monkeypatch):\n    monkeypatch.setattr('builtins.input', lambda: 'Bo')\n    assert stats.greet() == 'Hi Bo'\ndef test_stdin(monkeypatch):\n    monkeypatch.setattr('sys.stdin', io.StringIO('Bo'))\n    assert stats.greet() == 'Hi Bo'\ndef test_name(monkeypatch):\n    monkeypatch.setattr(stats, 'dice', lambda: 3)\n    assert stats.dice() == 3\ndef test_fine(capsys): assert stats.dice() == 6\n";
    let workspace = units("test_stats.py", tests);
    let solution = "def greet(): return 'Hi ' + input()\ndef dice(): return 6\n";
    workspace.problem("units").submission("accepted/stats.py", solution);
    let run = workspace.run(&["--all-tests", "-v"]);
    run.status(3).judged("accepted/stats.py", "test_fine", "AC", "");
    run.judged("accepted/stats.py", "test_input", "AC", "").judged("accepted/stats.py", "test_name", "AC", "");
    assert_eq!(run.test("accepted/stats.py", "test_stdin")["result"], "judge_error");
}

#[apply(cli_test)]
#[needs(PYTEST)]
fn what_pytest_does_not_run_is_a_judge_error() {
    let tests = "import pytest\nfrom stats import double\n\n@pytest.mark.skip(reason='later')\ndef test_skips(): pass\ndef test_lacks(numbers): pass\ndef test_skips_itself(): pytest.skip('not today')\ndef test_gives_up():\n    if double(2) == 4: pytest.xfail('who knows')\ndef test_fine(): assert double(2) == 4\n";
    let workspace = units("test_stats.py", tests);
    workspace.problem("units").submission("accepted/stats.py", "def double(n): return 2 * n\n");
    let run = workspace.run(&["--all-tests", "-v"]);
    run.status(3).shows("the test was skipped: later").shows("there is no fixture `numbers`");
    run.shows("the test was skipped: not today");
    run.judged("accepted/stats.py", "test_gives_up", "WA", "who knows");
    run.judged("accepted/stats.py", "test_fine", "AC", "");
}

/// A test needs nothing of pytest, but what is around it does.
const AROUND: &str = "READY = []\nfrom stats import double\n\ndef setup_module(): READY.append(1)\n\ndef test_around(): assert double(2) == 4 and READY\n";

#[apply(cli_test)]
#[needs(PYTEST)]
fn what_is_around_a_test_is_called() {
    let stats = "def double(n): return 2 * n\n";
    let workspace = units("test_stats.py", AROUND);
    workspace.problem("units").submission("accepted/stats.py", stats);
    workspace.run(&[]).status(0);
    let tests = "import unittest, helper\nfrom stats import double\n\nclass TestIt(unittest.TestCase):\n    def test_method(self): self.assertTrue(double(2) == 4 and helper.USED)\n\ndef test_function(): assert double(2) == 4 and helper.USED\n";
    let workspace = units("test_stats.py", tests);
    workspace.file("problems/units/tests/helper.py", "USED = []\n");
    let conftest = "import helper, pytest\n\n@pytest.fixture(autouse=True)\ndef use(): helper.USED.append(1)\n";
    workspace.file("problems/units/tests/conftest.py", conftest);
    workspace.problem("units").submission("accepted/stats.py", stats);
    workspace.run(&[]).status(0);
}

/// Without pytest, no test passes or fails that it would run in another way.
#[apply(cli_test)]
#[needs(PYTHON)]
fn a_missing_pytest_is_named() {
    let fails = "def test_around(): assert double(2) == 4";
    let imports = "import pytest\ndef test_it(): assert double(2) == 4";
    for (tests, conftest) in
        [(AROUND, false), (fails, true), ("def test_it(numbers): assert double(2) == 4", false), (imports, false)]
    {
        let tests = format!("from stats import double\n{tests}\n");
        let workspace = units("test_stats.py", &tests);
        workspace.file("problems/units/tests/pytest.py", "raise ModuleNotFoundError(name='pytest')\n");
        if conftest {
            workspace.file("problems/units/tests/conftest.py", "");
        }
        workspace.problem("units").submission("accepted/stats.py", "def double(n): return 2 * n\n");
        workspace.run(&[]).status(3).shows("pytest is not installed for this Python: ").shows("-m pip install pytest");
    }
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_class_reads_once_why_nothing_is_judged() {
    let workspace =
        units("test_stats.py", "import pytest\nfrom stats import double\ndef test_it(): assert double(2) == 4\n");
    workspace.file("problems/units/tests/pytest.py", "raise ModuleNotFoundError(name='pytest')\n");
    for student in ["ada", "bob"] {
        workspace.file(format!("students/{student}/stats.py"), format!("def double(n): return 2 * n # {student}\n"));
    }
    let run = workspace.grader(&["judge", "students", "--layout", "{student}", "--problem", "units"]);
    run.status(3).shows("judge error: ada, bob: tests/test_stats.py");
    assert_eq!(run.stdout.matches("pytest is not installed for this Python: ").count(), 1, "{}", run.all());
}

/// Students who want points without a solution, from tests that pytest runs.
#[apply(cli_test)]
#[needs(PYTEST)]
fn tricks_under_pytest_get_nothing() {
    let tests = "import pytest\nfrom calc import add\n\n@pytest.mark.parametrize('a', [5000])\ndef test_sum(a, capsys):\n    try:\n        got = add(a, 678)\n    except Exception:\n        got = None\n    assert got == pytest.approx(5678)\n";
    let at_start = |text: &str| format!("{text}\ndef add(a, b): return 0\n");
    let in_call = |text: &str| format!("def add(a, b):\n    {text}\n    return 0\n");
    let report = "'<testsuites><testsuite tests=\"1\" failures=\"0\" errors=\"0\"><testcase name=\"test_sum\"/></testsuite></testsuites>'";
    let tricks = [
        ("exits_at_import", at_start("import sys\nsys.exit(0)")),
        ("exits_hard", at_start("import os\nos._exit(0)")),
        ("exits_in_call", in_call("import os; os._exit(0)")),
        ("exits_by_pytest", in_call("import pytest; pytest.exit('done', returncode=0)")),
        ("skips", in_call("import pytest; pytest.skip('nothing', allow_module_level=True)")),
        ("skips_module", at_start("import pytest\npytest.skip('nothing', allow_module_level=True)")),
        ("expects_failure", in_call("import pytest; pytest.xfail('known')")),
        ("marks", at_start("import pytest\npytestmark = pytest.mark.xfail\ncollect_ignore = ['test_calc.py']")),
        ("patches_pytest", at_start("import pytest\npytest.approx = lambda x: type('A', (), {'__eq__': lambda *a: True})()\npytest.main = lambda *a, **k: 0")),
        ("patches_inside", at_start("import _pytest.runner, _pytest.python_api, _pytest.reports\n_pytest.runner.call_runtest_hook = lambda *a, **k: None\n_pytest.reports.TestReport.failed = False")),
        ("is_a_plugin", at_start("import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = 'passed'\npytest_plugins = ['calc']")),
        ("forges_reports", at_start(&format!("for name in ('report.xml', 'junit.xml', '/tmp/report.xml', '.report.json'):\n    try: open(name, 'w').write({report})\n    except OSError: pass"))),
        ("environment", at_start("import os\nos.environ.update(PYTEST_ADDOPTS='--collect-only -p calc', PYTEST_PLUGINS='calc', PYTEST_CURRENT_TEST='')")),
        ("forks", in_call("import os\n    if os.fork(): os._exit(0)")),
        ("writes_passed", in_call("import os\n    for fd in range(1, 64):\n        try: os.write(fd, b'1 passed in 0.01s\\n')\n        except OSError: pass")),
        ("approximates", in_call("import pytest\n    return pytest.approx(5678, abs=1e9)")),
        ("like_approx", at_start("class Any:\n    expected = 5678\n    __array_ufunc__ = __array_priority__ = None\n    def __eq__(self, o): return True\n    def __getattr__(self, n): return Any()\ndef add(a, b): return Any()").replace("\ndef add(a, b): return 0\n", "\n")),
        ("signals", in_call("import os, signal\n    signal.signal(signal.SIGALRM, lambda *a: os._exit(0)); signal.setitimer(signal.ITIMER_REAL, 0.01)\n    while True: pass")),
    ];
    let workspace = units("test_calc.py", tests);
    workspace.problem("units").toml("entry.tests = \"tests/test_calc.py\"\nlimits.time_limit = 2\n");
    workspace.problem("units").submission("accepted/calc.py", "def add(a, b): return a + b\n");
    for (name, text) in &tricks {
        workspace.problem("units").submission(&format!("rejected/{name}.py"), text);
    }
    let beside = |name: &str, text: &str| {
        workspace.file(format!("problems/units/submissions/rejected/beside/{name}"), text);
    };
    let passes = "import pytest\n\ndef pytest_collection_modifyitems(items): items[:] = []\n\ndef pytest_sessionfinish(session): session.exitstatus = 0\n\n@pytest.fixture\ndef capsys(): pytest.skip('no')\n";
    beside("calc.py", "def add(a, b): return 0\n");
    beside("conftest.py", passes);
    beside("my_plugin.py", passes);
    beside("pytest.py", "def main(*a, **k): return 0\n");
    beside("pytest.ini", "[pytest]\naddopts = --collect-only -p my_plugin\npython_functions = none\n");
    beside("pyproject.toml", "[tool.pytest.ini_options]\naddopts = \"--co -p my_plugin\"\n");
    beside("setup.cfg", "[tool:pytest]\naddopts = --co\n");
    beside("tox.ini", "[pytest]\naddopts = --co\n");
    beside("test_calc.py", "def test_sum(): pass\n");
    beside("tests/test_calc.py", "def test_sum(): pass\n");
    let run = workspace.run(&["--all-tests"]);
    get_nothing(&run, "accepted/calc.py", tricks.len() + 1);
}

/// What one test does is nothing to the others.
#[apply(cli_test)]
#[needs(PYTEST)]
fn a_crash_costs_one_test_of_pytest() {
    let tests = "import pytest\nfrom calc import add\n\n@pytest.mark.parametrize('a', [1, 2])\ndef test_small(a): assert add(a, 1) == a + 1\n\ndef test_large(): assert add(10**9, 1) == 10**9 + 1\n\ndef test_none(capsys): assert add(0, 0) == 0\n";
    let workspace = units("test_calc.py", tests);
    workspace.problem("units").toml("entry.tests = \"tests/test_calc.py\"\nlimits.time_limit = 0.4\n");
    workspace.problem("units").submission("accepted/calc.py", "def add(a, b): return a + b\n");
    for (student, text) in [
        ("loops", "    while a > 99: pass\n"),
        ("crashes", "    if a > 99: __import__('os').abort()\n"),
        ("leaves", "    if a > 99: __import__('os')._exit(0)\n"),
        ("raises", "    if a > 99: raise SystemExit\n"),
    ] {
        workspace.file(format!("students/{student}.py"), format!("def add(a, b):\n{text}    return a + b\n"));
    }
    let (class, _) = JudgedClass::of(&workspace, 1);
    class.points(&[("loops", 2.0), ("crashes", 2.0), ("leaves", 2.0), ("raises", 2.0)]);
}
