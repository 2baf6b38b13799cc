//! Assertions about programs in Python: judged by calls, outside of the program's process.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::cli::need::Need;
use crate::cli::run::{Call, Run};
use crate::cli::stream::{lines, of, stream};
use crate::cli::workspace::Workspace;

/// Where tests were judged that were not taken apart.
const INSIDE: &str = "assertions in the program's process";

/// Assertions about a program.
fn assertions(id: &str, source: &str, tests: &[&str]) -> Value {
    let tests: Vec<Value> = tests.iter().map(|test| json!({"input": test})).collect();
    json!({"id": id, "problem": {"tests": tests, "entry": {"asserts": true}}, "source": source})
}

/// Judges programs by one test each: a name, the test, the program, and the verdict.
#[track_caller]
fn verdicts(workspace: &Workspace, cases: &[(&str, &str, &str, &str)]) -> Run {
    let request = |(id, test, source, _): &(&str, &str, &str, &str)| assertions(id, source, &[test]);
    let run = stream(workspace, &[], &lines(&cases.iter().map(request).collect::<Vec<_>>()));
    run.status(0).silent();
    for (id, _, _, verdict) in cases {
        let result = of(&run, *id);
        assert_eq!(result["verdict"], *verdict, "{result}");
    }
    run
}

/// Whether a test of a result ran in the program's process.
fn is_inside(result: &Value) -> bool {
    result["tests"][0]["judged_by"] == INSIDE
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn assertions_are_judged_by_calls() {
    let workspace = Workspace::new();
    let tests = ["assert f(1) == 2", "def check(g):\n    print('noise')\n    assert g(3) == 4\n\ncheck(f)\n"];
    let right = "def f(x):\n    print('noise')\n    return x + 1\n";
    let attacks = [
        ("wrong", "def f(x): return 2\n", "WA"),
        ("raises", "def f(x): raise KeyError(x)\n", "RTE"),
        ("other", "def g(x): return x + 1\n", "RTE"),
        ("exit", "import os\ndef f(x): os._exit(0)\n", "WA"),
        ("early", "import sys\nsys.exit(0)\n", "WA"),
        ("check", "def check(g): pass\ndef f(x): return 0\n", "WA"),
        ("reads", "def f(x): return int(input())\n", "RTE"),
        ("slow", "def f(x):\n    while True: pass\n", "TLE"),
        (
            "thread",
            "import threading, os\nthreading.Timer(0.05, os._exit, [0]).start()\ndef f(x):\n    import time\n    time.sleep(1)\n",
            "WA",
        ),
    ];
    let mut requests: Vec<Value> = attacks.iter().map(|(id, source, _)| assertions(id, source, &tests)).collect();
    requests.push(assertions("right", right, &tests));
    let mut both = assertions("both", right, &tests);
    both["problem"]["entry"]["function"] = json!("f");
    let mut output = assertions("output", right, &tests);
    output["problem"]["tests"][0]["output"] = json!("");
    let run = stream(&workspace, &["--time-limit", "0.4"], &lines(&[&requests[..], &[both, output]].concat()));
    run.status(2);
    for (id, _, verdict) in attacks {
        assert_eq!(of(&run, id)["verdict"], verdict, "{}", of(&run, id));
        assert!(!is_inside(&of(&run, id)), "{}", of(&run, id));
    }
    assert_eq!(of(&run, "right")["summary"], "AC: 2 of 2 tests", "{}", of(&run, "right"));
    assert_eq!(
        of(&run, "wrong")["summary"],
        "WA on test 2 of 2: assert g(3) == 4 failed; f(3) returned 2",
        "{}",
        of(&run, "wrong")
    );
    assert_eq!(of(&run, "exit")["failed"]["reason"], "the program ended before the last assertion");
    let raised = of(&run, "raises")["failed"]["stderr"]["text"].as_str().unwrap().to_owned();
    assert!(raised.contains("def f(x)") || raised.contains("KeyError: 1"), "{raised}");
    assert_eq!(of(&run, "both")["message"], "`entry` has either `function` or `asserts: true`");
    assert_eq!(of(&run, "output")["message"], "`tests[0].output`: assertions have none");
    // What is remembered says the same.
    let again = stream(&workspace, &["--time-limit", "0.4"], &lines(&requests[..1]));
    let (before, after) = (of(&run, "wrong"), of(&again, "wrong"));
    assert_eq!((&after["summary"], &after["tests"][0]["cached"]), (&before["summary"], &json!(true)));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn what_the_program_returns_is_a_value() {
    let workspace = Workspace::new();
    let values = "[{1, 2}, {3: (4,)}, b'x', None, True, 2 ** 80, 1.5, 1j, frozenset('a'), range(3), float('inf')]";
    let all = format!("assert f({values}) == {values}");
    verdicts(
        &workspace,
        &[
            ("a tuple is not a list", "assert f() == (1, 2)", "def f(): return [1, 2]", "WA"),
            ("types", &all, "def f(x): return x", "AC"),
            ("numbers", "assert f() == 1 == 1.0", "def f(): return True", "AC"),
            (
                "built-in",
                "assert f(int, [1, 'a']) == [1] and f(max, []) == []",
                "def f(t, a): return [x for x in a if t is int and type(x) is t]",
                "AC",
            ),
            ("nan", "assert f() != f()", "def f(): return float('nan')", "AC"),
            ("exact", "assert f() == 0.3", "def f(): return 0.1 + 0.2", "WA"),
            (
                "counter",
                "assert f('aab') == {'a': 2, 'b': 1}",
                "from collections import Counter\ndef f(x): return Counter(x)",
                "AC",
            ),
            ("keys", "assert f({'a': 1}) == {'a'}", "def f(d): return d.keys()", "AC"),
            (
                "named",
                "assert f() == (1, 2)",
                "from collections import namedtuple\ndef f(): return namedtuple('P', 'x y')(1, 2)",
                "AC",
            ),
            ("generator", "assert list(f(3)) == [0, 1, 2]", "def f(n): yield from range(n)", "AC"),
            (
                "endless",
                "import itertools\nassert list(itertools.islice(f(), 2)) == [0, 1]",
                "import itertools\ndef f(): return itertools.count()",
                "AC",
            ),
            ("function", "assert f(2)(3) == 6", "def f(a): return lambda b: a * b", "AC"),
            (
                "nested",
                "assert f(f(2)) == 8 and sorted(f(x) for x in (2, 1)) == [2, 4]",
                "def f(a): return 2 * a",
                "AC",
            ),
            (
                "in place",
                "a = [3, [1]]\nassert f(a) is None\nassert a == [3, [1, 2], 4]",
                "def f(a):\n    a[1].append(2)\n    a.append(4)",
                "AC",
            ),
            ("not in place", "a = [3, 1]\nf(a)\nassert a == [1, 3]", "def f(a): return sorted(a)", "WA"),
            (
                "error",
                "try:\n    f(-1)\n    assert False\nexcept ValueError as error:\n    assert str(error) == 'negative'\n",
                "class Odd(ValueError): pass\ndef f(x): raise Odd('negative')",
                "AC",
            ),
            (
                "no error",
                "try:\n    f(-1)\nexcept ValueError: pass\nelse:\n    assert False\n",
                "def f(x): return x",
                "WA",
            ),
        ],
    );
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn objects_of_the_program_stay_in_its_process() {
    let workspace = Workspace::new();
    let stack = "class Stack:\n    def __init__(self): self.items = []\n    def push(self, x): self.items.append(x)\n    \
        def pop(self): return self.items.pop()\n    @property\n    def size(self): return len(self.items)\n";
    let tree = "class Node:\n    def __init__(self, v): self.v, self.left, self.right = v, None, None\n\
        def height(n): return 1 + max(height(n.left), height(n.right)) if n else 0\n";
    let run = verdicts(
        &workspace,
        &[
            ("class", "s = Stack()\ns.push(1)\ns.push(2)\nassert s.pop() == 2\nassert s.size == 1\n", stack, "AC"),
            ("wrong class", "s = Stack()\ns.push(1)\nassert s.pop() == 2\n", stack, "WA"),
            (
                "tree",
                "root = Node(1)\nroot.left = Node(2)\nroot.left.left = Node(4)\nassert height(root) == 3\n",
                tree,
                "AC",
            ),
            (
                "list of objects",
                "assert count([Node(1), Node(2)]) == 3",
                &format!("{tree}def count(a): return sum(n.v for n in a)\n"),
                "AC",
            ),
            (
                "method",
                "def check(g):\n    assert g(4) == 8\ncheck(Solution().twice)",
                "class Solution:\n    def twice(self, n): return 2 * n\n",
                "AC",
            ),
            (
                "own method",
                "assert f(1).startswith('ab')",
                "class A:\n    def startswith(self, x): return True\ndef f(x): return A()\n",
                "WA",
            ),
            (
                "own length",
                "assert len(f(1)) == 3",
                "class A(list):\n    def __len__(self): return 3\ndef f(x): return A()\n",
                "WA",
            ),
            (
                "own contents",
                "assert 3 in f(1)",
                "class A(list):\n    def __contains__(self, x): return True\ndef f(x): return A()\n",
                "WA",
            ),
            (
                "own order",
                "assert f(1) < 5",
                "class A:\n    def __lt__(self, x): return True\ndef f(x): return A()\n",
                "WA",
            ),
            (
                "own difference",
                "assert abs(f(1) - 5) < 1e-6",
                "class A:\n    def __sub__(self, x): return 0\ndef f(x): return A()\n",
                "WA",
            ),
        ],
    );
    assert!(["class", "tree", "method"].iter().all(|id| !is_inside(&of(&run, *id))), "{}", run.stdout);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn hostile_answers_are_wrong_answers() {
    let workspace = Workspace::new();
    let answers = |lines: &str| {
        format!(
            "import os\nfor fd in range(3, 9):\n    try: os.write(fd, {lines})\n    except OSError: pass\ndef f(x): return 2\n"
        )
    };
    let run = verdicts(
        &workspace,
        &[
            ("huge", "assert f(1) == 2", "def f(x): return 'x' * (8 << 20)", "WA"),
            ("deep", "assert f(1) == 2", &answers("b'{\"value\": ' + b'[' * 5000 + b']' * 5000 + b'}\\n'"), "WA"),
            ("nonsense", "assert f(1) == 2", &answers("b'{\"value\": {\"object\": \"x\"}}\\n'"), "WA"),
            ("no JSON", "assert f(1) == 2", &answers("b'\\xff\\n'"), "WA"),
            ("a number", "assert f(1) == 2", &answers("b'7\\n'"), "WA"),
            ("unhashable", "assert f(1) == 2", &answers("b'{\"value\": {\"set\": [[]]}}\\n'"), "WA"),
            ("memory", "assert [0] * f(1) == [0, 0]", "def f(x): return 10 ** 11", "WA"),
            (
                "no loop",
                "for x, y in zip(map(f, [1, 2]), [5, 6]):\n    assert x == y\n",
                "def f(x): raise StopIteration",
                "RTE",
            ),
            ("swallowed", "try:\n    f(1)\nexcept:\n    pass\n", "import os\ndef f(x): os._exit(0)", "WA"),
        ],
    );
    assert_eq!(of(&run, "nonsense")["failed"]["reason"], "the program wrote something else than a value");
    assert_eq!(of(&run, "huge")["failed"]["reason"], "the program returned more than 4 MiB");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn what_a_test_expects_never_enters_the_sandbox() {
    let workspace = Workspace::new();
    // It looks into files and all of its memory for what it should return.
    let thief = "import os, re, sys\ndef f(x):\n    found, texts = set(), []\n    \
        for place in ['/tmp', '.', sys.path[0]]:\n        \
        for dir, _, files in os.walk(place):\n            \
        for name in files:\n                \
        try:\n                    \
        with open(os.path.join(dir, name), 'rb') as file: texts.append(file.read(100000))\n                \
        except OSError: pass\n    \
        for line in open('/proc/self/maps'):\n        \
        begin, end = (int(part, 16) for part in line.split()[0].split('-'))\n        \
        if 'r' not in line.split()[1] or end - begin > 16 << 20: continue\n        \
        try:\n            \
        with open('/proc/self/mem', 'rb') as memory:\n                \
        memory.seek(begin)\n                texts.append(memory.read(end - begin))\n        \
        except (OSError, ValueError, OverflowError): pass\n    \
        for text in texts: found.update(re.findall(b'SECRET[-]VALUE[-][0-9]+', text))\n    \
        return sorted(item.decode() for item in found)[0] if found else 'nothing'\n";
    let request = assertions("thief", thief, &["assert f('x') == 'SECRET-VALUE-123'"]);
    let run = stream(&workspace, &["--time-limit", "60"], &lines(&[request]));
    let reason = "assert f('x') == 'SECRET-VALUE-123' failed; f('x') returned 'nothing'";
    assert_eq!(of(&run, "thief")["failed"]["reason"], reason, "{}", of(&run, "thief"));
}

/// Tests that need more than calls, about a program `f` that adds one.
const NOT_APART: [&str; 6] = [
    "import sys\nassert f(1) == 2",
    "assert f(1, key=lambda x: x) == 2",
    "assert f(1) == 2 and f.__name__ == 'f'",
    "assert f(1) + ONE == 3",
    "class Helper: pass\nassert f(1) == 2",
    "assert sum([1]) == 2",
];

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn what_is_not_taken_apart_says_so() {
    let workspace = Workspace::new();
    let right = "ONE = 1\ndef f(x, key=None): return x + 1\ndef sum(a): return a[0] + 1\n";
    let wrong = "ONE = 1\ndef f(x, key=None): return x\ndef sum(a): return a[0]\n";
    let leaves = "import os\nONE = 1\ndef f(x, key=None): os._exit(0)\ndef sum(a): os._exit(0)\n";
    let requests =
        [("right", right), ("wrong", wrong), ("leaves", leaves)].map(|(id, source)| assertions(id, source, &NOT_APART));
    let run = stream(&workspace, &["-a"], &lines(&requests));
    run.status(0).silent();
    for (id, verdict) in [("right", "AC"), ("wrong", "RTE"), ("leaves", "WA")] {
        let result = of(&run, id);
        for test in result["tests"].as_array().unwrap() {
            assert_eq!((&test["verdict"], &test["judged_by"]), (&json!(verdict), &json!(INSIDE)), "{id}: {result}");
        }
    }
    assert!(of(&run, "wrong")["failed"]["stderr"]["text"].as_str().unwrap().contains("AssertionError"));
    // What is remembered says it too.
    let again = stream(&workspace, &["-a"], &lines(&requests[..1]));
    assert!(is_inside(&of(&again, "right")) && of(&again, "right")["tests"][0]["cached"] == true, "{}", again.stdout);
}

/// The list of docs/stream.md: each of these programs is wrong, and is accepted.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn what_remains_is_what_the_docs_list() {
    let workspace = Workspace::new();
    let run = verdicts(
        &workspace,
        &[
            (
                "inside",
                NOT_APART[0],
                "class All:\n    def __eq__(self, other): return True\ndef f(x): return All()\n",
                "AC",
            ),
            (
                "its own functions",
                "assert decode(encode('a')) == 'a'",
                "def encode(x): return x\ndef decode(x): return x\n",
                "AC",
            ),
            (
                "changed arguments",
                "x = [3, 1]\nassert f(x) == sorted(x)",
                "def f(x):\n    x.clear()\n    return []\n",
                "AC",
            ),
        ],
    );
    assert!(is_inside(&of(&run, "inside")));
    assert!(!is_inside(&of(&run, "its own functions")) && !is_inside(&of(&run, "changed arguments")));
}

/// What stands behind `if __name__ == "__main__"` runs, and a test that runs nothing is an error: every program would pass.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_test_is_a_program_of_its_own() {
    let workspace = Workspace::new();
    let main = "if __name__ == \"__main__\":\n    assert f(3) == 12";
    let inside = "class A: pass\nif __name__ == \"__main__\":\n    assert f(3) == 12";
    let (right, wrong) = ("def f(n): return 4 * n\n", "def f(n): return 0\n");
    verdicts(
        &workspace,
        &[
            ("right", main, right, "AC"),
            ("wrong", main, wrong, "WA"),
            ("inside", inside, right, "AC"),
            ("inside, wrong", inside, wrong, "RTE"),
            ("called", "def test(): assert f(3) == 12\ntest()", wrong, "WA"),
            ("module", "import unittest\nunittest.TestCase().assertEqual(f(3), 12)", right, "AC"),
            ("module, wrong", "import unittest\nunittest.TestCase().assertEqual(f(3), 12)", wrong, "RTE"),
        ],
    );
    let unittest = "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(f(3), 12)\nunittest.main()\n";
    let empty = [
        ("uncalled", "def test(): assert f(3) == 12", "call its test functions"),
        ("class", "class T:\n    def test(self): assert f(3) == 12", "call its test functions"),
        ("unittest", unittest, "a TestCase of unittest"),
    ];
    let requests: Vec<Value> = empty.iter().map(|(id, test, _)| assertions(id, wrong, &[test])).collect();
    let run = stream(&workspace, &[], &lines(&requests));
    for (id, _, words) in empty {
        let result = of(&run, id);
        assert_eq!(result["status"], "error", "{result}");
        assert!(result["message"].as_str().unwrap().contains(words), "{result}");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn imported_assertions_cannot_be_faked() {
    let workspace = Workspace::new();
    let row = json!({
        "task_id": "Eval/0", "entry_point": "find_zero", "canonical_solution": "    return -xs[0] / xs[1]\n",
        "prompt": "def poly(xs: list, x: float):\n    return xs[0] + xs[1] * x\n\ndef find_zero(xs: list):\n    \"\"\"A zero.\"\"\"\n",
        "test": "def check(candidate):\n    assert abs(poly([2, 4], candidate([2, 4]))) < 1e-4\n",
    });
    workspace.file("eval.jsonl", row.to_string());
    let inside = json!({
        "task_id": 1, "text": "Its size.", "code": "import sys\ndef size():\n  return sys.maxsize",
        "test_list": ["assert size() == sys.maxsize"],
    });
    workspace.file("mbpp.jsonl", inside.to_string());
    let import = |words: &[&str]| Call::any(&workspace.path(""), &[&["import", "--from"], words].concat()).run();
    let apart = import(&["humaneval", "eval.jsonl"]);
    assert!(apart.status(0).stdout.contains("judged    1 of 1 problem by calls\n"), "{}", apart.stdout);
    let not_apart = import(&["mbpp", "mbpp.jsonl"]);
    let words = "judged    0 of 1 problem by calls, 1 in the program's process";
    assert!(not_apart.status(0).stdout.contains(words), "{}", not_apart.stdout);
    for (name, source) in [
        ("helper", "def poly(xs, x): return 0\ndef find_zero(xs): return 7\n"),
        ("equality", "class A(float):\n    def __rmul__(self, x): return -2\ndef find_zero(xs): return A(7)\n"),
        ("builtins", "import builtins\nbuiltins.abs = lambda x: 0\ndef find_zero(xs): return 7\n"),
    ] {
        workspace.file(format!("problems/eval-0/submissions/wrong_answer/{name}.py"), source);
    }
    let run = Call::any(&workspace.path(""), &["run", "-a"]).run();
    run.status(0);
}
