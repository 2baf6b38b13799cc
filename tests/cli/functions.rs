//! `entry.function`: problems whose tests call a function.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::workspace::Workspace;

const PYTHON: &[Need] = &[Need::Tool("python3")];

/// The problem `pairs`: the positions of two numbers with a sum.
fn pairs(settings: &str) -> Workspace {
    let workspace = Workspace::new();
    let toml = format!("entry.function = \"pair\"\nreference = \"accepted/plain.py\"\n{settings}");
    workspace.problem("pairs").toml(&toml).case("sample/1", "[[2, 7, 11], 9]", "[0, 1]\n");
    workspace.problem("pairs").case("secret/1", "{\"total\": 6, \"numbers\": [3, 2, 4]}", "[1,2]");
    let plain = "def pair(numbers, total):\n    n = range(len(numbers))\n    print('looking')\n    return next((i, j) for i in n for j in n if i < j and numbers[i] + numbers[j] == total)\n";
    workspace.problem("pairs").submission("accepted/plain.py", plain);
    workspace
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_problem_calls_a_function() {
    let workspace = pairs("");
    let submissions = [
        // What `typing` exports is there.
        (
            "accepted/class.py",
            "class Solution:\n  def pair(self, numbers: List[int], total: int):\n    return {9: [0, 1], 6: [1.0, 2]}[total]\n",
        ),
        ("wrong_answer/order.py", "def pair(numbers, total): return [1, 0]\n"),
        ("wrong_answer/text.py", "def pair(numbers, total): return '[0, 1]'\n"),
        ("wrong_answer/exits.py", "import os\nos.write(1, b'[0, 1]')\nos._exit(0)\n"),
        ("wrong_answer/nothing.py", "def pair(numbers, total): print([0, 1])\n"),
        ("wrong_answer/huge.py", "def pair(numbers, total): return 'x' * 3000000\n"),
        ("wrong_answer/no_json.py", "def pair(numbers, total): return float('nan')\n"),
        (
            "wrong_answer/equals.py",
            "class Same(list):\n  def __eq__(self, other): return True\ndef pair(numbers, total): return Same([7])\n",
        ),
        ("run_time_error/other_name.py", "def pairs(numbers, total): return [0, 1]\n"),
        ("run_time_error/set.py", "def pair(numbers, total): return {0, 1}\n"),
    ];
    for (name, text) in submissions {
        workspace.problem("pairs").submission(name, text);
    }
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/class.py", "AC", "met");
    run.judged("wrong_answer/order.py", "sample/1", "WA", "at [0]: expected 0, got 1");
    run.judged("wrong_answer/text.py", "sample/1", "WA", "expected a list of length 2, got \"[0, 1]\"");
    run.judged("wrong_answer/exits.py", "sample/1", "WA", "the program ended before the function returned");
    run.judged("wrong_answer/nothing.py", "sample/1", "WA", "expected a list of length 2, got null");
    run.judged("wrong_answer/huge.py", "sample/1", "WA", "a value of more than 1 MiB");
    run.judged("wrong_answer/no_json.py", "sample/1", "WA", "the returned value is not JSON");
    // The cache knows the checker.
    workspace.run(&[]).status(0);
    let exact = pairs("checker = \"float=2\"\n");
    exact.problem("pairs").submission("wrong_answer/order.py", "def pair(numbers, total): return [1, 0]\n");
    exact.run(&[]).status(1).ends("wrong_answer/order.py", "AC", "missed");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_class_is_judged_by_a_function() {
    let workspace = pairs("");
    workspace.file("students/ada.py", "def pair(numbers, total): return [0, 1] if total == 9 else [1, 2]\n");
    workspace.file("students/bob.py", "def pair(numbers, total): return [0, 1]\n");
    let judged = workspace.grader(&["judge", "students", "--problem", "pairs", "--report", "csv=grades.csv"]);
    judged.status(1);
    let grades = workspace.read("grades.csv");
    let has = |words: [&str; 2]| grades.lines().any(|line| words.iter().all(|word| line.contains(word)));
    assert!(has(["ada", "AC"]) && has(["bob", "WA"]), "{grades}");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_plain_folder_describes_its_function() {
    let workspace = Workspace::new();
    workspace.file("double/problem.toml", "entry = { function = \"double\" }\n");
    workspace
        .file("double/1.in", "[21]")
        .file("double/1.out", "42")
        .file("double/2.in", "[0.1]")
        .file("double/2.out", "0.2");
    workspace.file("double/double.py", "def double(x):\n    return x + x\n");
    workspace.file("grader.toml", "problems = [\".\"]\n");
    workspace.run(&[]).status(0).ends("double.py", "AC", "met");
}

#[apply(cli_test)]
fn what_does_not_fit_a_function_is_an_error() {
    for (settings, told) in [
        ("checker = \"wcmp\"\n", "`wcmp` compares texts; calls of a function have values"),
        ("checker = \"regex\"\n", "`regex` compares texts"),
        ("type = \"submit-answer\"\n", "`entry.function` with type `submit-answer`"),
        ("entry.call = \"x\"\n", "entry.call"),
    ] {
        pairs(settings).run(&[]).status(2).says(told);
    }
    let workspace = pairs("");
    workspace.problem("pairs").toml("entry.function = \"a b\"\n");
    workspace.run(&[]).status(2).says("`a b` is no name of a function");
    let workspace = pairs("");
    workspace.file("problems/pairs/output_validator/validate.py", "import sys\nsys.exit(42)\n");
    workspace.run(&[]).status(2).says("`entry.function` with an output validator");
    let workspace = pairs("");
    workspace.problem("pairs").case("sample/1", "[[2, 7, 11], 9]", "no JSON");
    workspace.run(&[]).status(3).shows("the expected value: line 1, column 1 of the answer: not JSON:");
}
