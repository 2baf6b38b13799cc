//! Each verdict with its reason, and what it means for what was expected.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::workspace::{SUM, Workspace};

#[apply(cli_test)]
fn every_verdict_has_its_reason() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .toml("[limits]\ntime_limit = 0.3\nwall_limit = 60\nmemory = 64\noutput = 1\n")
        .submission("wrong_answer/three.sh", "echo 3\n")
        .submission("time_limit_exceeded/busy.sh", "while :; do :; done\n")
        .submission("memory_limit_exceeded/hoard.py", "hoard = b'x' * (200 << 20)\nprint(3)\n")
        .submission("output_limit_exceeded/flood.sh", "exec yes\n")
        .submission("run_time_error/exit.sh", "exit 3\n")
        .submission("run_time_error/signal.sh", "kill -SEGV $$\n")
        .submission("compile_error/syntax.py", "print(\n");
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/sum.sh", "AC", "met");
    for (submission, test, verdict, reason) in [
        ("wrong_answer/three.sh", "secret/01", "WA", "expected `4`, got `3`"),
        ("time_limit_exceeded/busy.sh", "sample/1", "TLE", "> 0.45 s (limit 0.3 s)"),
        ("memory_limit_exceeded/hoard.py", "sample/1", "MLE", " > 64 MiB"),
        ("output_limit_exceeded/flood.sh", "sample/1", "OLE", "more than 1 MiB of output"),
        ("run_time_error/exit.sh", "sample/1", "RTE", "exit code 3"),
        ("run_time_error/signal.sh", "sample/1", "RTE", "SIGSEGV"),
    ] {
        run.ends(submission, verdict, "met").judged(submission, test, verdict, reason);
    }
    run.ends("compile_error/syntax.py", "CE", "met").shows("PASS  8 as expected");
}

#[apply(cli_test)]
fn an_accepted_output_that_others_would_refuse_is_marked() {
    let remark = |answer: &str, output: &str| {
        let workspace = Workspace::bare();
        workspace.file("p/1.in", "").file("p/1.ans", answer).file("p/solve.sh", format!("printf '{output}'\n"));
        let run = workspace.run(&["p", "--checker", "tokens"]);
        run.status(0);
        run.test("solve.sh", "1")["remarks"][0].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(remark("a b\n", "a b\\n"), "");
    assert!(remark("a b\n", "a  b\\n").contains("spacing"));
    assert!(remark("a b\n", "A b\\n").contains("upper and lower case"));
    assert!(remark("a b\n", "a\\nb\\n").contains("line breaks"));
    // Data that was made elsewhere is not the fault of the program.
    assert_eq!(remark("a b\r\nc\r\n", "a b\\nc\\n"), "");
    assert!(remark("a b\r\nc\r\n", "a\\nb c\\n").contains("line breaks"));
}

#[apply(cli_test)]
fn sleeping_is_over_the_wall_limit() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .toml("limits.wall_limit = 0.5\n")
        .submission("time_limit_exceeded/sleep.sh", "exec sleep 100\n");
    workspace.run(&["-s", "sleep.sh"]).status(0).judged("time_limit_exceeded/sleep.sh", "sample/1", "TLE", "slept: ");
}

#[apply(cli_test)]
fn a_missed_expectation_is_told_and_exits_1() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").toml("reference = \"sum.sh\"\n").submission("accepted/three.sh", "echo 3\n");
    let run = workspace.run(&[]);
    run.status(1).ends("accepted/three.sh", "WA", "missed").ends("accepted/sum.sh", "AC", "met");
    assert_eq!(run.end("accepted/three.sh")["standing"]["why"], "expected AC, got WA");
    run.shows("✗ sum · accepted/three.sh · secret/01: expected AC, got WA")
        .shows("expected `4`, got `3`")
        .shows("input    2 2")
        .shows("again    grader run sum -s accepted/three.sh -t secret/01")
        .shows("FAIL  1 as expected, 1 unexpected");
}

#[apply(cli_test)]
fn accepted_everywhere_is_unexpected_of_a_wrong_answer() {
    let workspace = Workspace::with_sum();
    for (directory, code) in [("wrong_answer", "WA"), ("time_limit_exceeded", "TLE"), ("run_time_error", "RTE")] {
        workspace.problem("sum").submission(&format!("{directory}/right.sh"), SUM);
        let run = workspace.run(&["-s", &format!("{directory}/right.sh")]);
        run.status(1).ends(&format!("{directory}/right.sh"), "AC", "missed");
        run.shows(&format!("expected {code}, got AC"));
    }
}

#[apply(cli_test)]
fn memory_and_output_limits_count_as_run_time_errors() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .toml("limits.output = 1\nlimits.memory = 64\n")
        .submission("run_time_error/flood.sh", "exec yes\n")
        .submission("run_time_error/hoard.py", "hoard = b'x' * (200 << 20)\n")
        .submission("wrong_answer/flood.sh", "exec yes\n");
    workspace
        .run(&["-s", "flood.sh", "-s", "hoard.py"])
        .status(1)
        .ends("run_time_error/flood.sh", "OLE", "met")
        .ends("run_time_error/hoard.py", "MLE", "met")
        .ends("wrong_answer/flood.sh", "OLE", "missed");
}

#[apply(cli_test)]
fn a_compile_error_is_unexpected_elsewhere() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .submission("wrong_answer/syntax.py", "def main(:\n")
        .submission("compile_error/fine.py", "print(sum(map(int, input().split())))\n");
    let run = workspace.run(&["-s", "*.py"]);
    run.status(1).ends("wrong_answer/syntax.py", "CE", "missed").ends("compile_error/fine.py", "AC", "missed");
    run.shows("expected WA, got CE").shows("expected CE, got AC").shows("SyntaxError");
}

#[apply(cli_test)]
fn submissions_yaml_says_what_is_expected() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .toml("reference = \"sum.sh\"\n")
        .submission(
            "submissions.yaml",
            "mixed/three.sh:\n  permitted: [AC, WA]\n  required: [WA]\nmixed/crash.sh:\n  permitted: [AC]\n",
        )
        .submission("mixed/three.sh", "echo 3\n")
        .submission("mixed/crash.sh", "exit 1\n");
    let run = workspace.run(&[]);
    run.status(1).ends("mixed/three.sh", "WA", "met").ends("mixed/crash.sh", "RTE", "missed");
    run.shows("expected AC, got RTE");
}

#[apply(cli_test)]
fn submissions_yaml_adds_rules_for_cases() {
    let workspace = Workspace::with_sum();
    let rules = "wrong_answer/three.sh:\n  sample:\n    permitted: [AC]\nwrong_answer/four.sh:\n  sample:\n    permitted: [AC]\n";
    workspace
        .problem("sum")
        .submission("submissions.yaml", rules)
        .submission("wrong_answer/three.sh", "echo 3\n")
        .submission("wrong_answer/four.sh", "echo 4\n");
    let run = workspace.run(&["-s", "wrong_answer"]);
    run.status(1).ends("wrong_answer/three.sh", "WA", "met").ends("wrong_answer/four.sh", "WA", "missed");
}

#[apply(cli_test)]
fn an_annotation_says_what_is_expected() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .submission("mixed/three.sh", "# @EXPECTED_RESULTS@: WRONG-ANSWER, RUN-ERROR\necho 3\n")
        .submission("mixed/right.sh", &format!("# @EXPECTED_RESULTS@: CORRECT, TIMELIMIT\n{SUM}"))
        .submission("mixed/other.sh", "# @EXPECTED_RESULTS@: TIMELIMIT\nexit 1\n");
    workspace
        .run(&["-s", "mixed"])
        .status(1)
        .ends("mixed/three.sh", "WA", "met")
        .ends("mixed/right.sh", "AC", "met")
        .ends("mixed/other.sh", "RTE", "missed");
}

#[apply(cli_test)]
fn tests_behind_the_first_failure_are_skipped() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("wrong_answer/three.sh", "echo 3\n");
    for jobs in ["1", "2", "4"] {
        let run = workspace.run(&["-s", "three.sh", "-j", jobs, "--no-cache"]);
        run.status(0);
        let (finished, skipped) = ("test_finished", "test_skipped");
        assert_eq!(run.tests(finished, "wrong_answer/three.sh"), ["sample/1", "secret/01"], "-j {jobs}");
        assert_eq!(run.tests(skipped, "wrong_answer/three.sh"), ["secret/02", "secret/03"], "-j {jobs}");
        assert!(run.of(skipped).all(|event| event["after"] == "secret/01"), "{}", run.all());
    }
}

#[apply(cli_test)]
fn all_tests_are_run_when_asked_for() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("wrong_answer/three.sh", "echo 3\n");
    for flag in ["-a", "--all-tests", "--no-fail-fast"] {
        let run = workspace.run(&["-s", "three.sh", flag]);
        run.status(0).ends("wrong_answer/three.sh", "WA", "met");
        assert_eq!(run.tests("test_finished", "wrong_answer/three.sh").len(), 4, "{flag}");
        assert_eq!(run.of("test_skipped").count(), 0, "{flag}");
    }
}

#[apply(cli_test)]
fn fail_fast_ends_an_accepted_submission_at_its_first_failure() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("accepted/sum.sh", "echo 3\n");
    for jobs in ["1", "4"] {
        let run = workspace.run(&["--fail-fast", "-j", jobs, "--no-cache"]);
        run.status(1).ends("accepted/sum.sh", "WA", "missed");
        assert_eq!(run.tests("test_finished", "accepted/sum.sh"), ["sample/1", "secret/01"], "-j {jobs}");
        assert_eq!(run.tests("test_skipped", "accepted/sum.sh"), ["secret/02", "secret/03"], "-j {jobs}");
    }
    workspace.run(&["--fail-fast", "-a"]).status(2).says("cannot be used with");
}

#[apply(cli_test)]
fn fail_fast_gives_a_runaway_loop_one_second_look() {
    let workspace = Workspace::with_sum();
    let starts = workspace.path("starts");
    workspace.file("starts", "");
    let text = format!("echo x >> {}\nwhile :; do :; done\n", starts.display());
    workspace.problem("sum").submission("accepted/sum.sh", &text);
    let run = workspace.run(&["--fail-fast", "-j", "1", "--time-limit", "0.3", "--isolation", "none", "--no-cache"]);
    run.status(1).ends("accepted/sum.sh", "TLE", "missed");
    assert_eq!(run.tests("test_finished", "accepted/sum.sh"), ["sample/1"]);
    assert_eq!(workspace.read("starts"), "x\nx\nx\n", "one run, and a second look of two runs");
}

#[apply(cli_test)]
fn an_accepted_submission_is_run_to_the_end() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("accepted/sum.sh", "echo 3\n");
    let run = workspace.run(&[]);
    run.status(1).shows("3 of 4 fail");
    assert_eq!(run.of("test_skipped").count(), 0);
}

#[apply(cli_test)]
fn a_missing_compiler_is_not_judged() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("wrong_answer/Main.java", "class Main {}\n");
    workspace.file("bin/.keep", "");
    for tool in ["sh", "bash", "sleep"] {
        let found = ["/bin", "/usr/bin"].map(|dir| std::path::Path::new(dir).join(tool));
        if let Some(found) = found.iter().find(|path| path.exists()) {
            std::os::unix::fs::symlink(found, workspace.path("bin").join(tool)).unwrap();
        }
    }
    let run = |args: &[&str]| workspace.call(args).env("PATH", workspace.path("bin")).run();
    let mild = run(&[]);
    mild.status(0).ends("wrong_answer/Main.java", "-", "not_judged").ends("accepted/sum.sh", "AC", "met");
    mild.shows("not judged: no javac").shows("1 as expected, 1 not judged").shows("default-jdk-headless");
    run(&["--strict"]).status(1).shows("FAIL");
    // Nothing at all was judged.
    run(&["-s", "Main.java"]).status(2);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++"), Need::Tool("gcc")])]
fn cpp_and_c_are_compiled() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .toml("reference = \"accepted/sum.cpp\"\n")
        .submission(
            "accepted/sum.cpp",
            "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }\n",
        )
        .submission("run_time_error/crash.c", "int main(void) { volatile int *p = 0; return *p; }\n")
        .submission("compile_error/syntax.c", "int main(void) { return unknown_name; }\n");
    let run = workspace.run(&[]);
    run.status(0)
        .ends("accepted/sum.cpp", "AC", "met")
        .judged("run_time_error/crash.c", "sample/1", "RTE", "SIGSEGV")
        .ends("compile_error/syntax.c", "CE", "met");
    let built = run.of("built").find(|event| event["of"]["submission"] == "compile_error/syntax.c").unwrap();
    assert!(built["result"]["message"].as_str().unwrap().contains("unknown_name"), "{built}");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("rustc")])]
fn rust_is_compiled() {
    let workspace = Workspace::with_sum();
    let source = "fn main() { let t = std::io::read_to_string(std::io::stdin()).unwrap();
        println!(\"{}\", t.split_whitespace().map(|w| w.parse::<i64>().unwrap()).sum::<i64>()); }\n";
    workspace
        .problem("sum")
        .submission("accepted/sum.rs", source)
        .submission("run_time_error/panic.rs", "fn main() { panic!(\"on purpose\") }\n");
    let run = workspace.run(&["-s", "*.rs"]);
    run.status(0).ends("accepted/sum.rs", "AC", "met");
    run.judged("run_time_error/panic.rs", "sample/1", "RTE", "exit code 101");
    assert_eq!(
        run.events[0]["problems"][0]["submissions"][0]["reference"], true,
        "the only Rust file is the reference"
    );
}

#[apply(cli_test)]
fn a_program_that_crashed_after_a_wrong_line_is_a_run_time_error() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("run_time_error/late.sh", "echo nonsense\nexit 9\n");
    workspace.run(&["-s", "late.sh"]).status(0).judged("run_time_error/late.sh", "sample/1", "RTE", "exit code 9");
}

#[apply(cli_test)]
fn no_output_and_early_exit_are_wrong_answers() {
    let workspace = Workspace::with_sum();
    let long = "1 ".repeat(500_000);
    // The input is longer than a pipe: it is not read, which is no fault.
    workspace.problem("sum").case("secret/04", &long, "1\n").submission("wrong_answer/silent.sh", "exit 0\n");
    let run = workspace.run(&["-s", "silent.sh", "-a"]);
    run.status(0).judged("wrong_answer/silent.sh", "sample/1", "WA", "").judged(
        "wrong_answer/silent.sh",
        "secret/04",
        "WA",
        "nothing was printed",
    );
}

#[apply(cli_test)]
fn children_left_behind_do_not_hold_up_the_run() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("accepted/sum.sh", &format!("sleep 1000 &\n{SUM}"));
    workspace.run(&[]).status(0).ends("accepted/sum.sh", "AC", "met");
}
