//! `grader judge --stream`: requests as lines, results as lines.

use std::io::{BufRead as _, BufReader, Write as _};

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::cli::need::Need;
use crate::cli::packages;
use crate::cli::run::{Call, Run};
use crate::cli::workspace::{SUM, Workspace};

/// A program that adds two numbers.
fn sum(id: impl Into<Value>, source: &str) -> Value {
    let tests = json!([{"input": "1 2\n", "output": "3\n"}, {"input": "5 5\n", "output": "10\n"}, {"input": "0 0\n", "output": "0\n"}]);
    json!({"id": id.into(), "problem": {"tests": tests}, "language": "bash", "source": source})
}

/// A function `f` with its tests.
fn function(id: &str, source: &str, tests: &Value) -> Value {
    json!({"id": id, "problem": {"tests": tests, "entry": {"function": "f"}}, "source": source})
}

pub(crate) fn lines(requests: &[Value]) -> String {
    requests.iter().fold(String::new(), |lines, request| lines + &request.to_string() + "\n")
}

pub(crate) fn stream(workspace: &Workspace, more: &[&str], requests: &str) -> Run {
    Call::any(&workspace.path(""), &[&["judge", "--stream"], more].concat()).input(requests).run()
}

fn results(run: &Run) -> Vec<Value> {
    run.stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

/// The result of one request.
#[track_caller]
pub(crate) fn of(run: &Run, id: impl Into<Value>) -> Value {
    let id = id.into();
    let mut found = results(run).into_iter().filter(|result| result["id"] == id);
    match (found.next(), found.next()) {
        (Some(result), None) => result,
        _ => panic!("not one result of {id}; {}", run.all()),
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("g++")])]
fn every_line_gets_a_result() {
    let workspace = Workspace::new();
    let python = json!({"id": "python", "problem": {"tests": [{"input": "3\n", "output": "6\n"}]}, "language": "python",
        "source": "print(int(input()) * 2)"});
    let cpp = json!({"id": 7, "problem": {"tests": [{"input": "3\n", "output": "6\n"}]}, "language": "c++",
        "source": "#include <cstdio>\nint main() { int a; scanf(\"%d\", &a); printf(\"%d\", a * 2); }"});
    let text = format!("{python}\nno JSON\n\n{}\n{cpp}\n{}", json!({"id": "odd", "sauce": 1}), sum("last", SUM));
    let run = stream(&workspace, &[], &text);
    run.status(2).silent();
    assert_eq!(results(&run).len(), 5, "{}", run.stdout);
    for (id, line) in [(json!("python"), 1), (json!(7), 5), (json!("last"), 6)] {
        let result = of(&run, id);
        assert_eq!(
            (&result["status"], &result["verdict"], &result["line"]),
            (&json!("judged"), &json!("AC"), &json!(line))
        );
        assert_eq!((&result["schema"], &result["passed"]), (&json!(1), &result["total"]), "{result}");
    }
    let broken = of(&run, Value::Null);
    assert_eq!((&broken["status"], &broken["kind"], &broken["line"]), (&json!("error"), &json!("request"), &json!(2)));
    assert_eq!(broken["message"], "not JSON: column 2: expected ident");
    let odd = of(&run, "odd");
    assert_eq!(odd["line"], 4);
    assert!(odd["message"].as_str().unwrap().contains("unknown field `sauce`"), "{odd}");
    // Verdicts are no failure of the stream.
    stream(&workspace, &[], &lines(&[sum(1, "echo 3")])).status(0);
    let nothing = stream(&workspace, &[], "");
    nothing.status(0).silent();
    assert_eq!(nothing.stdout, "");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("gcc")])]
fn each_verdict_has_its_reason() {
    let workspace = Workspace::new();
    workspace.file("grader.toml", "[limits]\ntime_limit = 0.3\nmemory = 64\noutput = 1\n");
    let of_x = |id: &str, language: &str, source: &str| {
        let problem = json!({"tests": [{"input": "", "output": "x\n"}]});
        json!({"id": id, "language": language, "source": source, "problem": problem})
    };
    let requests = [
        sum("AC", SUM),
        sum("WA", "echo 3"),
        sum("TLE", "while :; do :; done"),
        sum("RTE", "exit 7"),
        sum("OLE", "exec yes"),
        of_x("MLE", "python", "x = bytearray(200 << 20)\n"),
        of_x("CE", "c", "int main() { return nothing; }"),
    ];
    let run = stream(&workspace, &[], &lines(&requests));
    run.status(0).silent();
    for (verdict, summary) in [
        ("AC", "AC: 3 of 3 tests"),
        ("WA", "WA on test 2 of 3: line 1, column 1: expected `10`, got `3`"),
        ("TLE", "TLE on test 1 of 3: > 0.33 s (limit 0.3 s)"),
        ("RTE", "RTE on test 1 of 3: exit code 7"),
        ("OLE", "OLE on test 1 of 3: "),
        ("MLE", "MLE on test 1 of 1: "),
        ("CE", "nothing"),
    ] {
        let result = of(&run, verdict);
        assert_eq!(result["verdict"], verdict, "{result}");
        assert!(result["summary"].as_str().unwrap().contains(summary), "{result}");
    }
    let wrong = &of(&run, "WA")["failed"];
    assert_eq!(wrong["test"], "2");
    for (part, text) in [("input", "5 5\n"), ("expected", "10\n"), ("output", "3\n"), ("stderr", "")] {
        assert_eq!(wrong[part], json!({"text": text, "cut": false}), "{part}");
    }
    let flood = of(&run, "OLE");
    assert_eq!(flood["failed"]["output"]["cut"], true, "{flood}");
    assert!(run.stdout.len() < 20_000, "{}", run.stdout.len());
    let compiled = of(&run, "CE");
    assert!(compiled["compiler"]["text"].as_str().unwrap().contains("nothing"), "{compiled}");
    assert_eq!(compiled["tests"], json!([]));
}

#[apply(cli_test)]
fn the_first_failing_test_ends_a_request() {
    let workspace = Workspace::new();
    let request = lines(&[sum("x", "read a b; [ $a = 0 ] && echo 0 || echo no")]);
    let result = of(&stream(&workspace, &[], &request), "x");
    assert_eq!(
        (&result["passed"], &result["total"], result["tests"].as_array().unwrap().len()),
        (&json!(0), &json!(3), 1)
    );
    let result = of(&stream(&workspace, &["-a"], &request), "x");
    assert_eq!(
        (&result["passed"], &result["total"], result["tests"].as_array().unwrap().len()),
        (&json!(1), &json!(3), 3)
    );
    assert_eq!((&result["failed"]["test"], &result["verdict"]), (&json!("1"), &json!("WA")));
}

/// A program that relies on the order of a set is found out, because every run of Python has a seed of its own.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn no_two_runs_share_a_hash_seed() {
    let workspace = Workspace::new();
    let tests: Vec<Value> = (0..32).map(|n| json!({"input": n.to_string(), "output": "left right\n"})).collect();
    let source = "print(*{'left', 'right'})";
    let request = json!({"id": "order", "problem": {"tests": tests}, "language": "python", "source": source});
    let run = stream(&workspace, &[], &lines(&[request]));
    assert_eq!(of(&run, "order")["verdict"], "WA", "{}", run.all());
}

#[apply(cli_test)]
fn results_can_keep_the_order_of_requests() {
    let workspace = Workspace::new();
    let sleep = |id: usize| {
        format!("sleep {}; read a b; echo $((a + b)) # {id}", if id.is_multiple_of(7) { "0.3" } else { "0" })
    };
    let mut text = lines(&(0..20).map(|id| sum(id, &sleep(id))).collect::<Vec<_>>());
    text.insert_str(0, "broken\n\n");
    let run = stream(&workspace, &["--ordered", "-j2"], &text);
    run.status(2);
    let ids: Vec<Value> = results(&run).into_iter().map(|result| result["id"].clone()).collect();
    let expected: Vec<Value> = std::iter::once(Value::Null).chain((0..20).map(Value::from)).collect();
    assert_eq!(ids, expected);
}

#[apply(cli_test)]
fn equal_requests_run_once_and_are_remembered() {
    let workspace = Workspace::new().without_walls();
    let mark = workspace.path("marks");
    let source = format!("echo x >> {}; {SUM}", mark.display());
    let requests: Vec<Value> = (0..5).map(|id| sum(id, &source)).collect();
    let run = stream(&workspace, &["-j2"], &lines(&requests));
    run.status(0);
    assert_eq!((results(&run).len(), workspace.read("marks").lines().count()), (5, 3));
    let again = stream(&workspace, &[], &lines(&requests[..1]));
    assert_eq!(workspace.read("marks").lines().count(), 3);
    let tests = of(&again, 0)["tests"].clone();
    assert!(tests.as_array().unwrap().iter().all(|test| test["cached"] == true), "{tests}");
    stream(&workspace, &["--no-cache"], &lines(&requests[..1])).status(0);
    assert_eq!(workspace.read("marks").lines().count(), 6);
}

#[apply(cli_test)]
fn problems_of_the_workspace_are_judged_by_their_own_rules() {
    let workspace = Workspace::with_sum();
    packages::add(
        &workspace,
        "problems/near",
        &[
            ("problem.yaml", packages::CURRENT),
            ("data/sample/1.in", "7\n"),
            ("data/sample/1.ans", "7\n"),
            ("data/secret/2.in", "9\n"),
            ("data/secret/2.ans", "9\n"),
            (
                "output_validator/v.sh",
                "read n < $1\nread got\n[ $got = $((n + 1)) ] && exit 42\necho \"not $n + 1\" > $3/judgemessage.txt\nexit 43\n",
            ),
            ("submissions/accepted/a.sh", "read n; echo $((n + 1))\n"),
        ],
    );
    packages::add(
        &workspace,
        "problems/talk",
        &[
            ("problem.yaml", &format!("{}type: interactive\n", packages::CURRENT)),
            ("data/secret/1.in", "7\n"),
            ("data/secret/1.ans", ""),
            (
                "output_validator/talk.sh",
                "read n < $1\necho $n\nread said\n[ \"$said\" = $((n + 1)) ] && exit 42\nexit 43\n",
            ),
            ("submissions/accepted/a.sh", "read n; echo $((n + 1))\n"),
        ],
    );
    let named = |id: &str, problem: &str, source: &str| json!({"id": id, "problem": problem, "language": "bash", "source": source});
    let next = "read n; echo $((n + 1))\n";
    let run = stream(
        &workspace,
        &[],
        &lines(&[
            named("sum", "sum", SUM),
            named("near", "near", next),
            named("wrong", "near", "read n; [ $n = 9 ] && echo 9 || echo $((n + 1))\n"),
            named("talk", "talk", next),
            named("silent", "talk", "read n; echo 0\n"),
        ]),
    );
    run.status(0).silent();
    for (id, verdict) in [("sum", "AC"), ("near", "AC"), ("wrong", "WA"), ("talk", "AC"), ("silent", "WA")] {
        assert_eq!(of(&run, id)["verdict"], verdict, "{}", of(&run, id));
    }
    let wrong = of(&run, "wrong");
    assert_eq!(wrong["summary"], "WA on test secret/2 of 2: not 9 + 1", "{wrong}");
}

#[apply(cli_test)]
fn problems_that_a_stream_cannot_judge_are_refused() {
    let workspace = Workspace::with_sum();
    let package = |name: &str, yaml: &str, more: &[(&str, &str)]| {
        let files = [
            ("problem.yaml", yaml),
            ("data/secret/1.in", "1 2\n"),
            ("data/secret/1.ans", "3\n"),
            ("submissions/accepted/a.sh", SUM),
        ];
        packages::add(&workspace, &format!("problems/{name}"), &[&files, more].concat());
    };
    package("derived", "problem_format_version: 2025-09\nname: {en: Sum}\n", &[]);
    package("answers", &format!("{}type: submit-answer\n", packages::CURRENT), &[]);
    package("broken", packages::CURRENT, &[("output_validator/v.py", "def\n")]);
    let named = |problem: &str| json!({"id": problem, "problem": problem, "language": "bash", "source": SUM});
    let mut given = named("derived");
    given["id"] = json!("given");
    given["limits"] = json!({"time_limit": 2});
    let mut odd = named("sum");
    (odd["id"], odd["language"]) = (json!("odd"), json!("basic"));
    let mut nameless = named("sum");
    nameless["id"] = json!("nameless");
    nameless.as_object_mut().unwrap().remove("language");
    let requests =
        [named("derived"), named("answers"), named("broken"), named("nowhere"), given, odd, nameless, named("sum")];
    let run = stream(&workspace, &[], &lines(&requests));
    run.status(3);
    for (id, kind, message) in [
        (
            "derived",
            "request",
            "problem `derived` states no time limit; state one (grader time-limit derived --write), or send `limits.time_limit`",
        ),
        ("answers", "request", "submissions of problem `answers` are outputs"),
        ("broken", "judge", "does not compile"),
        ("nowhere", "request", "no problem or test matches `nowhere`"),
        ("odd", "request", "`language`: \"basic\" is unknown"),
        ("nameless", "request", "`language` is missing"),
    ] {
        let result = of(&run, id);
        assert_eq!((&result["status"], &result["kind"]), (&json!("error"), &json!(kind)), "{result}");
        assert!(result["message"].as_str().unwrap().contains(message), "{result}");
        assert!(result.get("verdict").is_none(), "{result}");
    }
    for id in ["given", "sum"] {
        assert_eq!(of(&run, id)["verdict"], "AC", "{}", of(&run, id));
    }
}

#[apply(cli_test)]
fn the_limits_of_a_request_win() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").toml("limits.time_limit = 0.1\n");
    workspace.file("testcases/sum/sample/test_group.toml", "limits.time_limit = 0.1\n");
    let slow = "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done\nread a b; echo $((a + b))\n";
    let request = |id: &str, limits: &Value| json!({"id": id, "problem": "sum", "language": "bash", "source": slow, "limits": limits});
    let mut carried = sum("carried", slow);
    carried["problem"]["limits"] = json!({"time_limit": 0.05});
    let mut outer = carried.clone();
    outer["id"] = json!("outer");
    outer["limits"] = json!({"time_limit": 10});
    let requests = [request("tight", &json!({})), request("loose", &json!({"time_limit": 10})), carried, outer];
    let run = stream(&workspace, &[], &lines(&requests));
    for (id, verdict) in [("tight", "TLE"), ("loose", "AC"), ("carried", "TLE"), ("outer", "AC")] {
        assert_eq!(of(&run, id)["verdict"], verdict, "{}", of(&run, id));
    }
    // What the person in front of the machine says outranks both.
    let run = stream(&workspace, &["--time-limit", "0.05"], &lines(&requests));
    assert_eq!(of(&run, "loose")["verdict"], "TLE");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn functions_are_called_and_their_values_compared() {
    let workspace = Workspace::new();
    let tests = json!([{"input": [[1, 2], 3], "output": [1, 2, 3]}]);
    let floats = json!([{"input": [3], "output": 1.732_050_8}, {"input": {"x": 9}, "output": 3}]);
    let requests = [
        function("plain", "def f(a, b):\n    return a + [b]\n", &tests),
        function(
            "class",
            "class Solution:\n    def f(self, a: List[int], b: int) -> List[int]:\n        return tuple(a) + (b,)\n",
            &tests,
        ),
        function("wrong", "def f(a, b):\n    return a + [b + 1]\n", &tests),
        function("prints", "def f(a, b):\n    print('hello')\n    return a + [b]\n", &tests),
        function("raises", "def f(a, b):\n    raise ValueError('no idea')\n", &tests),
        function("other", "def g(a, b):\n    return a + [b]\n", &tests),
        function("floats", "def f(x):\n    return math.sqrt(x)\n", &floats),
        function("nan", "def f(x):\n    return float('nan')\n", &floats),
        function("set", "def f(x):\n    return {x}\n", &floats),
        function(
            "main",
            "def f(a, b):\n    return a + [b]\nif __name__ == '__main__':\n    raise SystemExit(5)\n",
            &tests,
        ),
        function(
            "state",
            "seen = []\ndef f(x):\n    seen.append(x)\n    return len(seen)\n",
            &json!([{"input": [1], "output": 1}, {"input": [2], "output": 1}]),
        ),
        function(
            "integer",
            "def f(x):\n    return x + 1\n",
            &json!([{"input": [9_007_199_254_740_992_i64], "output": 9_007_199_254_740_993_i64}]),
        ),
        function(
            "rounded",
            "def f(x):\n    return int(float(x))\n",
            &json!([{"input": [9_007_199_254_740_993_i64], "output": 9_007_199_254_740_993_i64}]),
        ),
    ];
    let run = stream(&workspace, &[], &lines(&requests));
    run.status(0).silent();
    for (id, verdict, summary) in [
        ("plain", "AC", "AC: 1 of 1 tests"),
        ("class", "AC", ""),
        ("wrong", "WA", "WA on test 1 of 1: at [2]: expected 3, got 4"),
        ("prints", "AC", ""),
        ("raises", "RTE", "exit code 1"),
        ("other", "RTE", "exit code 1"),
        ("floats", "AC", "2 of 2"),
        ("nan", "WA", "the returned value is not JSON"),
        ("set", "RTE", "exit code 1"),
        ("main", "AC", ""),
        ("state", "AC", "2 of 2"),
        ("integer", "AC", ""),
        ("rounded", "WA", "expected 9007199254740993, got 9007199254740992"),
    ] {
        let result = of(&run, id);
        assert_eq!(result["verdict"], verdict, "{result}");
        assert!(result["summary"].as_str().unwrap().contains(summary), "{result}");
    }
    let wrong = of(&run, "wrong")["failed"].clone();
    assert_eq!((&wrong["expected"]["text"], &wrong["output"]["text"]), (&json!("[1,2,3]"), &json!("[1, 2, 4]\n")));
    assert!(of(&run, "raises")["failed"]["stderr"]["text"].as_str().unwrap().contains("no idea"));
    let other = of(&run, "other");
    assert!(other["failed"]["stderr"]["text"].as_str().unwrap().contains("neither a function `f`"), "{other}");
    let mut rust = function("rust", "fn f(x: i32) -> i32 { x }", &floats);
    rust["language"] = json!("rust");
    let run = stream(&workspace, &[], &lines(&[rust]));
    let told = "`entry` is for programs in Python, JavaScript, Java, C++; `language` is";
    assert!(of(&run, "rust")["message"].as_str().unwrap().contains(told));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("node"), Need::Tool("javac"), Need::Tool("g++")])]
fn functions_are_called_in_several_languages() {
    let workspace = Workspace::new();
    let tests = json!([{"input": [[1, 2], 3], "output": [1, 2, 3]}, {"input": [[], 4], "output": [4]}]);
    let script = "const f = (a, b) => [...a, b];";
    let java = "import java.util.*;\npublic class Solution {\n  List<Integer> f(List<Integer> a, int b) { a.add(b); return a; }\n  public static void main(String[] a) {}\n}";
    let cpp = "#include <vector>\nstd::vector<int> f(std::vector<int> a, int b) { a.push_back(b); return a; }\nint main() { return 1; }";
    let sources = [("javascript", script), ("java", java), ("c++", cpp)];
    let mut requests = Vec::new();
    for (language, source) in sources {
        let mut request = function(language, source, &tests);
        request["language"] = json!(language);
        let mut wrong = request.clone();
        wrong["id"] = json!(format!("wrong {language}"));
        let source =
            source.replace("[...a, b]", "[b]").replace("a.add(b)", "a.add(0)").replace("push_back(b)", "push_back(0)");
        wrong["source"] = json!(source);
        requests.extend([request, wrong]);
    }
    for (id, language, files) in [
        (
            "files cpp",
            "c++",
            json!({"solution.cc": "#include \"part.h\"\nstd::vector<int> f(std::vector<int> a, int b) { return joined(a, b); }",
            "part.h": "#include <vector>\nstd::vector<int> joined(std::vector<int> a, int b);",
            "part.cc": "#include \"part.h\"\nstd::vector<int> joined(std::vector<int> a, int b) { a.push_back(b); return a; }"}),
        ),
        (
            "files js",
            "js",
            json!({"solution.mjs": "import { joined } from './part.mjs';\nexport const f = joined;", "part.mjs": "export const joined = (a, b) => [...a, b];"}),
        ),
        (
            "files java",
            "java",
            json!({"Solution.java": "class Solution { int[] f(int[] a, int b) { return Part.joined(a, b); } }",
            "Part.java": "class Part {\n  static int[] joined(int[] a, int b) { a = java.util.Arrays.copyOf(a, a.length + 1); a[a.length - 1] = b; return a; }\n  public static void main(String[] x) {}\n}"}),
        ),
        ("own driver", "js", json!({"solution.js": script, "main.grader.cjs": "console.log([1, 2, 3]);"})),
        ("no solution", "js", json!({"other.js": script})),
    ] {
        let mut request = function(id, "", &tests);
        request.as_object_mut().unwrap().remove("source");
        request["language"] = json!(language);
        request["files"] = files;
        requests.push(request);
    }
    let run = stream(&workspace, &[], &lines(&requests));
    for (language, _) in sources {
        assert_eq!(of(&run, language)["verdict"], "AC", "{}", of(&run, language));
        let wrong = of(&run, format!("wrong {language}"));
        assert_eq!(wrong["verdict"], "WA", "{wrong}");
        assert_eq!(wrong["failed"]["expected"]["text"], "[1,2,3]", "{wrong}");
    }
    for id in ["files cpp", "files js", "files java"] {
        assert_eq!(of(&run, id)["verdict"], "AC", "{}", of(&run, id));
    }
    assert_eq!(
        of(&run, "own driver")["message"],
        "`files`: with `entry`, `main.grader.cjs` is the program that calls the solution"
    );
    assert!(
        of(&run, "no solution")["message"].as_str().unwrap().contains("one of them is `solution.py`, or of that name")
    );
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn functions_cannot_fake_their_values() {
    let workspace = Workspace::new();
    let tests = json!([{"input": [20, 22], "output": 42}]);
    let attacks = [
        ("exit", "import os\ndef f(a, b):\n    os._exit(0)\n"),
        ("early", "import os\nos._exit(0)\n"),
        ("system-exit", "import sys\ndef f(a, b):\n    sys.exit(0)\n"),
        (
            "claims",
            "class All(int):\n    def __eq__(self, other):\n        return True\n    __hash__ = int.__hash__\n    \
             def __repr__(self):\n        return '42'\n    __str__ = __repr__\ndef f(a, b):\n    return All(7)\n",
        ),
        (
            "builtins",
            "import builtins, json\nbuiltins.isinstance = lambda *_: True\nbuiltins.len = lambda *_: 0\n\
             json.loads = lambda *_: 42\ndef f(a, b):\n    return 7\n",
        ),
        ("dumps", "import json\njson.dumps = lambda value: 'true'\ndef f(a, b):\n    return 7\n"),
        (
            "two",
            "import os\ndef f(a, b):\n    for fd in range(20):\n        try: os.write(fd, b'42\\n')\n        except OSError: pass\n    return 42\n",
        ),
        (
            "thread",
            "import threading, os\nthreading.Timer(0.05, os._exit, [0]).start()\ndef f(a, b):\n    import time\n    time.sleep(1)\n    return 42\n",
        ),
        ("deep", "def f(a, b):\n    x = []\n    for _ in range(900): x = [x]\n    return x\n"),
        ("huge", "def f(a, b):\n    return '4' * (3 << 20)\n"),
    ];
    let requests: Vec<Value> = attacks.iter().map(|(id, source)| function(id, source, &tests)).collect();
    let run = stream(&workspace, &[], &lines(&requests));
    for (id, _) in attacks {
        let result = of(&run, id);
        assert_ne!(result["verdict"], "AC", "{result}");
    }
    for id in ["exit", "early", "system-exit", "thread"] {
        let result = of(&run, id);
        assert_eq!(result["summary"], "WA on test 1 of 1: the program ended before the function returned", "{result}");
    }
    assert_eq!(of(&run, "claims")["failed"]["reason"], "expected 42, got 7");
    assert!(of(&run, "deep")["failed"]["reason"].as_str().unwrap().contains("nested"), "{}", of(&run, "deep"));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn expected_values_never_enter_the_sandbox() {
    let workspace = Workspace::new();
    // It looks into files, its environment, its arguments and all of its memory for what it should return.
    let thief = "import os, re, sys\ndef f(x):\n    found = set()\n    \
        texts = [' '.join(os.environ.values()).encode()]\n    \
        for place in ['.', sys.path[0]]:\n        \
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
    // Written in parts, because without walls the program may find this file.
    let secret = format!("SECRET-{}-{}", "VALUE", 123);
    let tests = json!([{"input": ["x"], "output": secret}]);
    let reason = format!("expected {secret:?}, got \"nothing\"");
    for layer in ["weak", "none", "auto"] {
        let options = ["--isolation", layer, "--no-cache", "--time-limit", "60"];
        let run = stream(&workspace, &options, &lines(&[function("thief", thief, &tests)]));
        let result = of(&run, "thief");
        assert_eq!(result["failed"]["reason"], reason, "{layer}: {result}");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("g++")])]
fn files_make_a_program() {
    let workspace = Workspace::new();
    let problem = json!({"tests": [{"input": "3\n", "output": "6\n"}]});
    let python = json!({"id": "python", "problem": problem, "files":
        {"main.py": "import helper\nprint(helper.twice(int(input())))\n", "helper.py": "def twice(x): return 2 * x\n"}});
    let cpp = json!({"id": "cpp", "problem": problem, "language": "c++", "files":
        {"main.cpp": "#include <cstdio>\n#include \"lib/twice.h\"\nint main() { int a; scanf(\"%d\", &a); printf(\"%d\", twice(a)); }",
         "lib/twice.h": "inline int twice(int x) { return 2 * x; }"}});
    let mut function = function("function", "", &json!([{"input": [3], "output": 6}]));
    function.as_object_mut().unwrap().remove("source");
    function["files"] = json!({"solution.py": "from helper import twice\ndef f(x): return twice(x)\n", "helper.py": "def twice(x): return 2 * x\n"});
    let run = stream(&workspace, &[], &lines(&[python, cpp, function]));
    run.status(0).silent();
    for id in ["python", "cpp", "function"] {
        assert_eq!(of(&run, id)["verdict"], "AC", "{}", of(&run, id));
    }
}

#[apply(cli_test)]
fn hostile_names_of_files_are_refused() {
    let workspace = Workspace::new();
    let long = "x".repeat(300);
    let names = ["../out.sh", "/tmp/out.sh", "a/../../out.sh", "", ".", "a//b.sh", "./a.sh", "a\u{0}b.sh", &long];
    let request = |name: &&str| json!({"id": name, "problem": {"tests": [{"input": "", "output": ""}]}, "files": {*name: "true"}});
    let run = stream(&workspace, &[], &lines(&names.iter().map(request).collect::<Vec<_>>()));
    run.status(2);
    for name in names {
        let result = of(&run, name);
        assert!(result["message"].as_str().unwrap().ends_with("is not a relative path without `..`"), "{result}");
    }
    let both =
        json!({"id": 1, "problem": {"tests": [{"input": "", "output": ""}]}, "files": {"a": "x", "a/b.sh": "true"}});
    let run = stream(&workspace, &[], &lines(&[both]));
    assert!(of(&run, 1)["message"].as_str().unwrap().starts_with("`files`: cannot write \"a/b.sh\""), "{}", run.stdout);
}

#[apply(cli_test)]
fn a_slow_reader_holds_the_stream_up() {
    let workspace = Workspace::new();
    let mut call = Call::any(&workspace.path(""), &["judge", "--stream"]);
    let mut child = call.piped();
    let mut stdin = child.stdin.take().unwrap();
    // 200 MB of broken requests, which cost nothing to answer; nobody reads the answers yet.
    let writer = std::thread::spawn(move || {
        let line = format!("{{\"id\": 1, \"sauce\": \"{}\"}}\n", "x".repeat(100_000));
        (0..2000).take_while(|_| stdin.write_all(line.as_bytes()).is_ok()).count()
    });
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let run = call.wait(child);
    assert_eq!(writer.join().unwrap(), 2000);
    assert_eq!(run.status(2).stdout.lines().count(), 2000);
    assert!(run.peak < 150 << 10, "{} KiB", run.peak);
}

#[apply(cli_test)]
fn a_reader_that_leaves_ends_the_stream() {
    let workspace = Workspace::new();
    let mut call = Call::any(&workspace.path(""), &["judge", "--stream"]);
    let mut child = call.piped();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        (0..1_000_000).take_while(|id| writeln!(stdin, "{}", sum(*id, SUM)).is_ok()).count()
    });
    let mut results = BufReader::new(child.stdout.take().unwrap());
    results.read_line(&mut String::new()).unwrap();
    drop(results);
    let run = call.wait(child);
    assert!(run.status != 0, "{}", run.all());
    writer.join().unwrap();
}

#[apply(cli_test)]
fn an_interrupt_keeps_what_is_done() {
    let workspace = Workspace::new();
    for ordered in [&[][..], &["--ordered"]] {
        let mut call = Call::any(&workspace.path(""), &[&["judge", "--stream", "-j1", "--no-cache"], ordered].concat());
        let mut child = call.piped();
        let mut stdin = child.stdin.take().unwrap();
        stdin
            .write_all(lines(&[sum("done", SUM), sum("sleeps", "sleep 60"), sum("waits", "echo 1")]).as_bytes())
            .unwrap();
        let mut results = BufReader::new(child.stdout.take().unwrap());
        let mut first = String::new();
        results.read_line(&mut first).unwrap();
        assert!(first.contains("\"done\""), "{first}");
        std::thread::sleep(std::time::Duration::from_millis(300));
        // The client goes on asking; the end does not wait for it.
        rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT).unwrap();
        let run = call.wait(child);
        run.status(130);
        let mut rest = String::new();
        results.read_line(&mut rest).unwrap();
        assert_eq!(rest, "", "what was cut short has no result");
        drop(stdin);
    }
}

#[apply(cli_test)]
fn a_killed_stream_goes_on_where_it_was() {
    let workspace = Workspace::new();
    let requests: Vec<Value> = (0..40).map(|id| sum(id, &format!("{SUM} # {id}"))).collect();
    let mut call = Call::any(&workspace.path(""), &["judge", "--stream", "-j1"]);
    let mut child = call.piped();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(lines(&requests[..20]).as_bytes()).unwrap();
    let mut results = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..20 {
        results.read_line(&mut String::new()).unwrap();
    }
    // The store writes what is a second old.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    child.kill().unwrap();
    call.wait(child);
    drop(stdin);
    let run = stream(&workspace, &[], &lines(&requests));
    run.status(0);
    assert_eq!(self::results(&run).len(), 40);
    let known = |id: usize| of(&run, id)["tests"].as_array().unwrap().iter().all(|test| test["cached"] == true);
    assert!((0..20).all(known), "{}", run.stdout);
    assert!((20..40).all(|id| !known(id)));
}

#[apply(cli_test)]
fn only_options_that_matter_are_offered() {
    let workspace = Workspace::with_sum();
    for more in
        [&["sum"][..], &["--problem", "sum"], &["--out", "x"], &["--report", "csv=x"], &["-t", "1"], &["--lang", "c"]]
    {
        let run = stream(&workspace, more, "");
        run.status(2).says("cannot be used with");
    }
    workspace.grader(&["judge", "--ordered", "x.sh"]).status(2).says("`--ordered` needs `--stream`");
    workspace.grader(&["judge", "-a", "x.sh"]).status(2).says("`--all-tests` needs `--stream`");
}
