//! What packages say about their submissions, in `submissions.yaml` and by directories, and what comes of it.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::run::Run;
use crate::cli::workspace::Workspace;

const PYTHON: &[Need] = &[Need::Tool("python3")];

const CURRENT: &str = "problem_format_version: 2025-09\nname: Sum\nlimits: {time_limit: 2}\n";

/// Sums: `sample/1`, `secret/easy-1`, `secret/hard-1` and `secret/hard-2`.
fn sums(yaml: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.file("problems/p/problem.yaml", yaml).file("problems/p/.timelimit", "2\n");
    for (name, a) in [("sample/1", 1), ("secret/easy-1", 10), ("secret/hard-1", 20), ("secret/hard-2", 21)] {
        workspace.file(format!("problems/p/data/{name}.in"), format!("{a}\n"));
        workspace.file(format!("problems/p/data/{name}.ans"), format!("{}\n", a + 1));
    }
    workspace.file("problems/p/submissions/accepted/a.py", "print(int(input()) + 1)\n");
    workspace
}

fn add(workspace: &Workspace, name: &str, text: &str) {
    workspace.file(format!("problems/p/submissions/{name}"), text);
}

/// Wrong where the number is from this one on.
fn wrong_from(number: u32) -> String {
    format!("a = int(input())\nprint(a + 1 if a < {number} else 0)\n")
}

fn with_rules(submission: &str, program: &str, yaml: &str) -> Run {
    let workspace = sums(CURRENT);
    add(&workspace, submission, program);
    add(&workspace, "submissions.yaml", yaml);
    workspace.run(&["--all-tests"])
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn rules_hold_for_groups_cases_and_globs() {
    let rules = "x/*.py:\n  sample:\n    permitted: [AC]\n  secret/*-1:\n    permitted: [AC]\n  secret/hard-2:\n    required: [WA]\n";
    with_rules("x/late.py", &wrong_from(21), rules).status(0).ends("x/late.py", "WA", "met");
    with_rules("x/early.py", &wrong_from(20), rules).status(1).ends("x/early.py", "WA", "missed");
    with_rules("x/right.py", &wrong_from(99), rules).status(1).ends("x/right.py", "AC", "missed");
    with_rules("wrong_answer/w.py", &wrong_from(20), "wrong_answer/w.py:\n  secret/easy-1:\n    required: [WA]\n")
        .status(1);
    // The name of a directory replaces what it stands for, a glob of what is in it adds to that.
    let right = &wrong_from(99);
    with_rules("wrong_answer/w.py", right, "wrong_answer:\n  required: [AC]\n").status(0);
    with_rules("wrong_answer/w.py", right, "wrong_answer/*:\n  required: [AC]\n").status(1);
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn braces_may_hold_spaces() {
    let rules = "'{x, y}/{a, b}.py':\n  '{sample, secret/easy-1}':\n    permitted: [AC]\n  'secret/{hard-1, hard-2}':\n    required: [WA]\n";
    for submission in ["x/a.py", "y/b.py"] {
        let run = with_rules(submission, &wrong_from(20), rules);
        run.status(0).ends(submission, "WA", "met");
        assert!(!run.all().contains("matches no"), "{}", run.all());
        with_rules(submission, &wrong_from(10), rules).status(1).ends(submission, "WA", "missed");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("g++")])]
fn messages_of_the_output_validator_are_looked_for() {
    let workspace = sums(CURRENT);
    let validator = "#include <fstream>\n#include <iostream>\n#include <string>\nint main(int, char **argv) {\n  std::string want, got;\n  std::ifstream(argv[2]) >> want;\n  std::cin >> got;\n  std::ofstream(std::string(argv[3]) + \"judgemessage.txt\") << \"got \" << got << \" for \" << want;\n  return want == got ? 42 : 43;\n}\n";
    workspace.file("problems/p/output_validator/v.cpp", validator);
    add(&workspace, "wrong_answer/w.py", &wrong_from(20));
    for (message, status) in [("got 0 for 22", 0), ("got 22 for 22", 1), ("Got 0", 1)] {
        add(&workspace, "submissions.yaml", &format!("wrong_answer/w.py:\n  message: {message}\n"));
        workspace.run(&[]).status(status);
    }
    workspace.run(&[]).shows("no message of the output validator contains \"Got 0\"");
    add(&workspace, "submissions.yaml", "wrong_answer/w.py:\n  secret/hard-1:\n    message: for 22\n");
    workspace.run(&[]).status(1);
    add(&workspace, "submissions.yaml", "accepted/*:\n  sample:\n    message: got 2 for 2\n");
    workspace.run(&[]).status(0);
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn messages_need_an_output_validator() {
    let run = with_rules("wrong_answer/w.py", &wrong_from(20), "wrong_answer/w.py:\n  message: line 1\n");
    run.status(0).says("`message` is not checked: no output validator can print it");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn explicit_bounds_of_the_time_limit_are_expectations() {
    let slow = "a = int(input())\nwhile a > 20: pass\nprint(a + 1)\n";
    let workspace = |bound: &str| {
        let workspace = sums(&CURRENT.replace("time_limit: 2", "time_limit: 0.3"));
        std::fs::remove_file(workspace.path("problems/p/.timelimit")).unwrap();
        add(&workspace, "x/slow.py", slow);
        add(&workspace, "submissions.yaml", &format!("x/slow.py:\n  use_for_time_limit: {bound}\n"));
        workspace
    };
    workspace("upper").run(&["-s", "slow.py"]).status(0).ends("x/slow.py", "TLE", "met");
    workspace("lower").run(&["-s", "slow.py"]).status(1).ends("x/slow.py", "TLE", "missed");
    workspace("false").run(&["-s", "slow.py"]).status(0);
    workspace("higher").run(&[]).status(2).says("expected `lower` or `upper`, found `higher`");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_label_that_no_case_supports_is_unexpected() {
    for yaml in ["name: Sum\n", CURRENT] {
        let workspace = sums(yaml);
        for directory in ["wrong_answer", "run_time_error", "time_limit_exceeded", "rejected", "brute_force"] {
            add(&workspace, &format!("{directory}/right.py"), "print(int(input()) + 1)\n");
        }
        let run = workspace.run(&[]);
        run.status(1).ends("accepted/a.py", "AC", "met").ends("wrong_answer/right.py", "AC", "missed");
        run.shows("expected WA, got AC").shows("expected RTE, got AC").shows("expected TLE, got AC");
        run.shows("expected TLE or RTE, got AC").shows("1 as expected, 5 unexpected");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("g++")])]
fn legacy_packages_know_four_verdicts() {
    let hungry = "#include <vector>\n#include <cstdio>\nint main() { std::vector<char> v(400 << 20, 1); printf(\"%d\\n\", v[7]); }\n";
    let loud = "import sys\nfor _ in range(100): sys.stdout.write('x' * 65536)\n";
    for yaml in [
        "limits: {memory: 100, output: 1}\n",
        "problem_format_version: 2025-09\nname: P\nlimits: {memory: 100, output: 1, time_limit: 2}\n",
    ] {
        let workspace = sums(yaml);
        add(&workspace, "run_time_error/hungry.cpp", hungry);
        add(&workspace, "run_time_error/loud.py", loud);
        let run = workspace.run(&["-s", "hungry.cpp", "-s", "loud.py"]);
        run.status(0).ends("run_time_error/hungry.cpp", "MLE", "met").ends("run_time_error/loud.py", "OLE", "met");
    }
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn unexpected_is_not_failed() {
    let workspace = sums(CURRENT);
    workspace
        .file("problems/p/output_validator/v.py", "import sys\nsys.exit(1 if sys.stdin.read() == '0\\n' else 42)\n");
    add(&workspace, "wrong_answer/w.py", &wrong_from(20));
    add(&workspace, "wrong_answer/accepted.py", "print(3)\n");
    let run = workspace.run(&[]);
    run.status(3).ends("wrong_answer/accepted.py", "AC", "missed");
    assert_eq!(run.end("wrong_answer/w.py")["standing"]["standing"], "judge_error");
    run.shows("1 as expected, 1 unexpected, 1 with judge errors");
}

/// One case is compared exactly, one within a tolerance, and one as the group says.
#[apply(cli_test)]
#[needs(PYTHON)]
fn flags_choose_the_comparison_of_a_case() {
    let workspace = Workspace::new();
    workspace.file("problems/p/problem.yaml", CURRENT);
    for (case, answer, yaml) in [
        ("1", "Yes", "output_validator_args: [case_sensitive]\n"),
        ("2", "0.5", "output_validator_args: float_tolerance 1e-3\n"),
        ("3", "Yes", "output_validator_args: []\n"),
        ("4", "0.5", ""),
    ] {
        workspace.file(format!("problems/p/data/secret/{case}.in"), format!("{case}\n"));
        workspace.file(format!("problems/p/data/secret/{case}.ans"), format!("{answer}\n"));
        if !yaml.is_empty() {
            workspace.file(format!("problems/p/data/secret/{case}.yaml"), yaml);
        }
    }
    let program = "case = int(input())\nprint({}[case])\n";
    add(&workspace, "accepted/a.py", &program.replace("{}", "[0, 'Yes', 0.5004, 'yES', 0.5]"));
    add(&workspace, "wrong_answer/case.py", &program.replace("{}", "[0, 'yes', 0.5, 'yES', 0.5]"));
    add(&workspace, "wrong_answer/far.py", &program.replace("{}", "[0, 'Yes', 0.502, 'Yes', 0.5]"));
    add(&workspace, "wrong_answer/near.py", &program.replace("{}", "[0, 'Yes', 0.5, 'Yes', 0.5001]"));
    for arguments in [&["--all-tests"][..], &["--all-tests"]] {
        let run = workspace.run(arguments);
        run.status(0).judged("wrong_answer/case.py", "secret/1", "WA", "").ends("accepted/a.py", "AC", "met");
        run.judged("wrong_answer/far.py", "secret/2", "WA", "").judged("wrong_answer/near.py", "secret/4", "WA", "");
    }
    // What the group says is replaced by what the case says.
    workspace.file(
        "problems/p/data/secret/test_group.yaml",
        "output_validator_args: [case_sensitive, float_tolerance, 1e-3]\n",
    );
    let run = workspace.run(&["--all-tests"]);
    run.status(1).ends("wrong_answer/near.py", "AC", "missed").ends("accepted/a.py", "AC", "met");
    // What is judged anew is what has changed.
    workspace.file("problems/p/data/secret/1.yaml", "output_validator_args: []\n");
    workspace.run(&["--all-tests"]).ends("wrong_answer/case.py", "AC", "missed");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn flags_of_a_case_that_cannot_be_read() {
    let workspace = sums(CURRENT);
    workspace.file("problems/p/data/secret/hard-1.yaml", "output_validator_args: [case_sensitiv]\n");
    let run = workspace.run(&[]);
    run.status(2).says("hard-1.yaml: line 1, column 1: `output_validator_args`: unknown checker word `case_sensitiv`");
}
