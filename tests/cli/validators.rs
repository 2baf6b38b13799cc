//! Output validators by the 42/43 protocol, and validators of inputs.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::workspace::{SUM, Workspace};

/// The problem `sum`, judged by this program.
fn judged_by(validator: &str) -> Workspace {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file("output_validator/validate.sh", validator);
    workspace
}

#[apply(cli_test)]
fn accept_and_reject_with_a_message() {
    let workspace = judged_by(
        "read answer < $2\nread output\n[ $answer = $output ] && exit 42\nprintf 'wanted %s\\nbut saw %s\\n' $answer $output > $3/judgemessage.txt\nexit 43\n",
    );
    workspace.problem("sum").submission("accepted/other.sh", "echo 3\n").toml("reference = \"sum.sh\"\n");
    let run = workspace.run(&[]);
    run.status(1).ends("accepted/sum.sh", "AC", "met").ends("accepted/other.sh", "WA", "missed");
    run.judged("accepted/other.sh", "secret/01", "WA", "wanted 4").shows("wanted 4").shows("but saw 3");
    assert_eq!(run.test("accepted/other.sh", "secret/01")["feedback"], "wanted 4\nbut saw 3");
    // What the submission printed is shown, although nothing is compared.
    run.shows("output   3");
}

#[apply(cli_test)]
fn the_validator_sees_input_answer_feedback_and_output() {
    let workspace = judged_by(
        "read a b < $1\nread answer < $2\nread output\n[ -d $3 ] || exit 1\ncase $3 in */) ;; *) exit 1;; esac\n[ $((a + b)) = $answer ] && [ $answer = $output ] && exit 42\nexit 43\n",
    );
    workspace.run(&[]).status(0).ends("accepted/sum.sh", "AC", "met");
}

#[apply(cli_test)]
fn any_other_exit_is_a_judge_error() {
    for code in [0, 1, 2, 41, 44, 101] {
        let workspace = judged_by(&format!("echo my own words >&2\nexit {code}\n"));
        workspace.problem("sum").submission("wrong_answer/three.sh", "echo 3\n");
        let run = workspace.run(&[]);
        run.status(3).ends("accepted/sum.sh", "-", "judge_error").ends("wrong_answer/three.sh", "-", "judge_error");
        run.shows(&format!("exit code {code} instead of 42 (accept) or 43 (reject)")).shows("my own words");
        run.shows("validate.sh").hides("WA ");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("gcc")])]
fn a_crash_is_a_judge_error() {
    let workspace = Workspace::with_sum();
    let text = "int main(void) { volatile int *p = 0; return *p; }\n";
    workspace.problem("sum").file("output_validator/validate.c", text);
    workspace.run(&[]).status(3).ends("accepted/sum.sh", "-", "judge_error").shows("crashed with SIGSEGV");
}

#[apply(cli_test)]
fn a_validator_that_never_ends_is_a_judge_error() {
    let workspace = judged_by("sleep 100\nexit 42\n");
    workspace.file("grader.toml", "validation.wall_limit = 0.5\n");
    workspace.run(&["-t", "sample"]).status(3).ends("accepted/sum.sh", "-", "judge_error").shows("its own limits");
}

#[apply(cli_test)]
fn a_validator_that_does_not_compile_is_an_error() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file("output_validator/validate.py", "print(\n");
    workspace.problem("fine").case("sample/1", "", "1\n").submission("accepted/one.sh", "echo 1\n");
    let run = workspace.run(&[]);
    run.status(3).ends("accepted/sum.sh", "-", "judge_error").ends("accepted/one.sh", "AC", "met");
    run.says("validate.py").says("does not compile").says("SyntaxError");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_judge_that_does_not_compile_has_one_exit_status() {
    for judge in ["input_validators/check.py", "output_validator/check.py"] {
        let workspace = Workspace::with_sum();
        workspace
            .problem("sum")
            .submission("wrong_answer/one.sh", "echo 1\n")
            .file(judge, "print(\n")
            .file("generators/two.sh", "echo $1 $2\n")
            .file("generators/generators.yaml", "data: {secret: {data: {a: two.sh 5 6}}}\n");
        workspace.file("seven", "7 8\n").file("1.out", "3\n");
        let of_output = judge.starts_with("output");
        for (concerned, command) in [
            (true, &["run", "sum"][..]),
            (true, &["add", "sum", "seven"]),
            (true, &["stress", "sum", "one.sh", "--gen", "two.sh 1 {seed}", "--count", "1"]),
            (!of_output, &["verify", "sum", "--input", "seven"]),
            (!of_output, &["gen", "sum"]),
            (of_output, &["judge", "sum", "problems/sum/submissions/wrong_answer/one.sh"]),
            (of_output, &["check", "sum", "1.out", "-t", "sample"]),
        ] {
            let run = workspace.grader(command);
            let said = format!("{}{}", run.stdout, run.stderr);
            if concerned {
                run.status(3);
                assert!(said.contains("does not compile"), "{command:?}: {said}");
            }
        }
        assert!(!workspace.path("testcases/sum/secret/04.in").exists());
    }
}

#[apply(cli_test)]
fn a_validator_that_reads_nothing() {
    let workspace = judged_by("exit 42\n");
    workspace.problem("sum").submission("accepted/sum.sh", "head -c 2000000 /dev/zero\n");
    workspace.run(&[]).status(0).ends("accepted/sum.sh", "AC", "met");
}

#[apply(cli_test)]
fn facts_come_before_the_validator() {
    let workspace = judged_by("exit 42\n");
    workspace.problem("sum").submission("run_time_error/late.sh", &format!("{SUM}exit 1\n"));
    workspace.run(&[]).status(0).judged("run_time_error/late.sh", "sample/1", "RTE", "exit code 1");
}

#[apply(cli_test)]
fn an_input_validator_rejects() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .file("input_validators/check.sh", "read a b\n[ $a -gt 0 ] && exit 42\necho \"$a is not positive\"\nexit 43\n");
    let run = workspace.run(&[]);
    run.status(2).says("testcases/sum/secret/03.in").says("-4 is not positive").says("fix the case or the validator");
    // The submissions are judged all the same.
    run.ends("accepted/sum.sh", "AC", "met").shows("FAIL").shows("1 error");
    assert_eq!(run.findings().count(), 1, "{}", run.all());
    // From the store as well.
    workspace.run(&[]).status(2).says("-4 is not positive");
    workspace.problem("sum").case("secret/03", "4 4\n", "8\n");
    workspace.run(&[]).status(0).silent();
}

#[apply(cli_test)]
fn an_input_validator_that_crashes_is_a_judge_error() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file("input_validators/check.sh", "kill -SEGV $$\n");
    workspace.run(&["-t", "sample"]).status(3).says("check.sh").says("SIGSEGV").ends("accepted/sum.sh", "AC", "met");
    workspace.problem("sum").file("input_validators/check.sh", "exit 0\n");
    workspace.run(&["-t", "sample"]).status(3).says("exit code 0 instead of 42");
}

#[apply(cli_test)]
fn several_input_validators_must_all_accept() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .file("input_validators/one.sh", "exit 42\n")
        .file("input_validators/two.sh", "echo second says no\nexit 43\n");
    workspace.run(&["-t", "sample"]).status(2).says("two.sh: second says no");
}

#[apply(cli_test)]
fn a_missing_interpreter_of_the_validator_is_not_judged() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file("output_validator/Main.java", "class Main {}\n");
    workspace.file("bin/.keep", "");
    for tool in ["bash", "sh"] {
        std::os::unix::fs::symlink(format!("/bin/{tool}"), workspace.path("bin").join(tool)).unwrap();
    }
    let run = workspace.call(&[]).env("PATH", workspace.path("bin")).run();
    run.status(2).ends("accepted/sum.sh", "-", "not_judged").shows("grader cannot run the output validator: no javac");
}

/// The problem `sum` without walls, with a validator that leaves a mark each time it is run.
fn marked(path: &str, body: &str) -> Workspace {
    let workspace = Workspace::with_sum();
    workspace.file("grader.toml", "isolation = \"none\"\nvalidation.wall_limit = 0.5\n");
    let body = format!("echo x >> {}\n{body}", workspace.path("marks").display());
    workspace.problem("sum").file(path, &body);
    workspace
}

fn marks(workspace: &Workspace) -> usize {
    let marks = std::fs::read_to_string(workspace.path("marks")).unwrap_or_default().lines().count();
    let _ = std::fs::remove_file(workspace.path("marks"));
    marks
}

#[apply(cli_test)]
fn an_output_validator_that_hangs_is_not_run_on_every_test() {
    let workspace = marked("output_validator/validate.sh", "read a b < $1\n[ $a -gt 1 ] && sleep 100\nexit 42\n");
    let alone = workspace.run(&["-j", "1", "--no-cache"]);
    alone.status(3).ends("accepted/sum.sh", "AC", "judge_error").shows("exceeded its own limits");
    // It answers on the sample and hangs on the next.
    assert_eq!(marks(&workspace), 2);
    assert_eq!(alone.tests("test_finished", "accepted/sum.sh"), ["sample/1", "secret/01"]);
    assert_eq!(alone.tests("test_skipped", "accepted/sum.sh"), ["secret/02", "secret/03"]);
    let together = workspace.run(&["-j", "2", "--no-cache"]);
    for kind in ["test_finished", "test_skipped"] {
        assert_eq!(together.tests(kind, "accepted/sum.sh"), alone.tests(kind, "accepted/sum.sh"));
    }
    marks(&workspace);
    workspace.run(&["--all-tests", "-j", "1", "--no-cache"]).status(3);
    assert_eq!(marks(&workspace), 2);
}

#[apply(cli_test)]
fn an_output_validator_that_never_answers_is_spared_the_other_submissions() {
    let workspace = marked("output_validator/validate.sh", "sleep 100\n");
    for name in ["b", "c", "d", "e", "f"] {
        // Sources that differ: what is equal is built and run once.
        let text = format!("{}# {name}\n", crate::cli::workspace::SUM);
        workspace.problem("sum").toml("reference = \"sum.sh\"\n").submission(&format!("accepted/{name}.sh"), &text);
    }
    let run = workspace.run(&["-j", "1"]);
    run.status(3)
        .ends("accepted/f.sh", "-", "judge_error")
        .shows("not run again, because it exceeded its time limit on");
    assert_eq!(marks(&workspace), 3);
}

#[apply(cli_test)]
fn a_submission_that_makes_the_validator_hang_does_not_harm_others() {
    let body = "read output\n[ $output = hang ] && sleep 100\nexit 42\n";
    let workspace = marked("output_validator/validate.sh", body);
    let problem = workspace.problem("sum").toml("reference = \"sum.sh\"\n");
    for name in ["a", "b", "t", "u", "v"] {
        problem.submission(&format!("accepted/{name}.sh"), &format!("echo hang # {name}\n"));
    }
    let run = workspace.run(&["-j", "1"]);
    run.status(3).ends("accepted/a.sh", "-", "judge_error").ends("accepted/v.sh", "-", "judge_error");
    run.ends("accepted/sum.sh", "AC", "met");
}

#[apply(cli_test)]
fn an_input_validator_that_hangs_is_not_run_on_every_input() {
    let workspace = marked("input_validators/validate.sh", "sleep 100\n");
    let run = workspace.run(&["-j", "1"]);
    run.status(3).ends("accepted/sum.sh", "AC", "met").says("grader does not run it on the other inputs");
    assert_eq!((marks(&workspace), run.findings().count()), (1, 1), "{}", run.all());
}

#[apply(cli_test)]
fn verify_does_not_run_a_validator_that_hangs_on_every_input() {
    let workspace = marked("input_validators/validate.sh", "sleep 100\n");
    let run = workspace.grader(&["verify", "sum", "--data-only"]);
    run.status(3).shows("grader does not run it again");
    assert_eq!(run.stdout.matches("exceeded its own limits").count(), 1, "{}", run.all());
    assert_eq!(marks(&workspace), 1);
    let workspace = marked("output_validator/validate.sh", "sleep 100\n");
    let run = workspace.grader(&["verify", "sum", "--data-only"]);
    run.status(3).shows("grader does not run it again");
    assert_eq!(run.stdout.matches("exceeded its own limits").count(), 1, "{}", run.all());
    assert_eq!(marks(&workspace), 1);
}

/// The other slot has built the second validator long before.
#[apply(cli_test)]
fn an_input_validator_that_builds_slowly_is_asked_about_every_case() {
    let workspace = Workspace::with_sum();
    workspace.file(
        "grader.toml",
        "[language.slow]\nextensions = [\"slow\"]\nrun = [\"sh\", \"{mainfile}\"]\ncompile = [\"sleep\", \"1\"]\n",
    );
    workspace
        .problem("sum")
        .file("input_validators/a.slow", "echo never; exit 43\n")
        .file("input_validators/b.sh", "exit 42\n");
    let run = workspace.run(&["-j", "2"]);
    run.status(2);
    let messages: Vec<&str> = run.findings().filter_map(|finding| finding["message"].as_str()).collect();
    assert_eq!(messages.len(), 4, "{}", run.all());
    assert!(messages.iter().all(|message| message.contains("a.slow: never")), "{messages:?}");
}
