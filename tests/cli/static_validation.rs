//! Static validation: the sources of submissions are judged, as a test of their group.

use macro_rules_attribute::apply;

use crate::cli::need::Need::Tool;
use crate::cli::packages::{CURRENT, SUMS, add, package};
use crate::cli::run::Call;
use crate::cli::workspace::{SUM, Workspace};

const ASKED: (&str, &str) = ("data/secret/test_group.yaml", "static_validation_score: pass-fail\n");

/// Rejects what has the word `cheat` in it.
const HONEST: (&str, &str) = (
    "static_validator/honest.sh",
    "if grep -q cheat -- *.sh; then\n  echo 'line 1: cheats' > \"$3judgemessage.txt\"\n  echo no > \"$3teammessage.txt\"\n  exit 43\nfi\nexit 42\n",
);

const CHEAT: (&str, &str) = ("submissions/wrong_answer/cheat.sh", "# cheat\nread a b\necho $((a + b))\n");

fn sums(files: &[(&str, &str)]) -> Workspace {
    package(&[&[("problem.yaml", CURRENT), ASKED], SUMS, files].concat())
}

#[apply(cli_test)]
fn a_rejected_source_is_a_wrong_answer() {
    let workspace = sums(&[HONEST, CHEAT]);
    let run = workspace.run(&["--all-tests"]);
    run.status(0).judged("accepted/sum.sh", "secret/static_validation", "AC", "");
    run.judged("wrong_answer/cheat.sh", "sample/1", "AC", "");
    run.judged("wrong_answer/cheat.sh", "secret/static_validation", "WA", "line 1: cheats");
    run.judged("wrong_answer/cheat.sh", "secret/large/02", "AC", "").ends("wrong_answer/cheat.sh", "WA", "met");
    let result = run.test("wrong_answer/cheat.sh", "secret/static_validation");
    assert_eq!((&result["feedback"], &result["team_message"]), (&"line 1: cheats".into(), &"no".into()), "{result}");
    run.ends("wrong_answer/three.sh", "WA", "met").ends("run_time_error/crash.sh", "RTE", "met");
    // It comes before the cases of its group, behind the samples.
    let names = run.tests("test_finished", "accepted/sum.sh");
    assert_eq!(names, ["sample/1", "secret/static_validation", "secret/large/02", "secret/small/01"]);
    // What it says is as fresh as what it read.
    workspace.file(format!("problems/p/{}", HONEST.0), "exit 42\n");
    workspace.run(&["-s", "cheat.sh"]).status(1).ends("wrong_answer/cheat.sh", "AC", "missed");
}

#[apply(cli_test)]
fn a_static_validator_is_told_what_the_format_says() {
    let validator = "[ \"$1 $2 $4 $5\" = \"bash main.sh --least 2\" ] || { echo \"called with $*\"; exit 1; }\n\
                     case $3 in */) ;; *) echo \"no separator: $3\"; exit 1;; esac\n\
                     [ -d \"$3\" ] && [ -f main.sh ] && [ -f part.sh ] && [ ! -e data ] || { ls; exit 1; }\n\
                     [ -z \"$(cat)\" ] || exit 1\nexit 42\n";
    let group = "static_validation_score: pass-fail\nstatic_validator_args: [--least, 2]\n";
    let files = [
        ("problem.yaml", CURRENT),
        ("data/sample/1.in", "1 2\n"),
        ("data/sample/1.ans", "3\n"),
        ("data/sample/test_group.yaml", group),
        ("data/secret/2.in", "1 2\n"),
        ("data/secret/2.ans", "3\n"),
        ("static_validator/v.sh", validator),
        ("submissions/accepted/sum/part.sh", "\n"),
        ("submissions/accepted/sum/main.sh", SUM),
    ];
    package(&files).run(&[]).status(0).judged("accepted/sum", "sample/static_validation", "AC", "");
}

#[apply(cli_test)]
#[needs(&[Tool("g++")])]
fn included_files_and_what_was_built_lie_beside_the_sources() {
    let validator =
        "[ \"$1 $2\" = \"cpp sum.cpp\" ] && [ -f given.h ] && [ -x program ] && exit 42\nls -l; echo $*; exit 1\n";
    let cpp = "#include \"given.h\"\nint main() { long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }\n";
    let files = [
        ("static_validator/v.sh", validator),
        ("include/cpp/given.h", "#include <iostream>\n"),
        ("submissions/accepted/sum.cpp", cpp),
    ];
    let run = sums(&files).run(&["-s", "sum.cpp"]);
    run.status(0).judged("accepted/sum.cpp", "secret/static_validation", "AC", "");
}

/// A build script that makes its own source look harmless afterwards.
#[apply(cli_test)]
#[needs(&[Tool("cargo")])]
fn a_build_cannot_change_what_is_shown() {
    let build = "fn main() { std::fs::write(\"src/main.rs\", \"fn main() { println!(\\\"3\\\"); }\").unwrap(); }\n";
    let validator = "grep -q cheat src/main.rs && { echo found; exit 43; }\nexit 42\n";
    let files = [
        ("static_validator/v.sh", validator),
        (
            "submissions/wrong_answer/sly/Cargo.toml",
            "[package]\nname = \"sly\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        ),
        ("submissions/wrong_answer/sly/build.rs", build),
        ("submissions/wrong_answer/sly/src/main.rs", "// cheat\nfn main() { println!(\"3\"); }\n"),
    ];
    let run = sums(&files).run(&["-s", "sly", "--all-tests"]);
    run.judged("wrong_answer/sly", "secret/static_validation", "WA", "found");
}

#[apply(cli_test)]
fn a_static_validator_that_breaks_is_a_judge_error() {
    for (text, says) in [
        ("exit 0\n", "exit code 0 instead of 42"),
        ("echo words; exit 1\n", "words"),
        ("kill -SEGV $$\n", "SIGSEGV"),
        ("if\n", "does not compile"),
    ] {
        let run = sums(&[("static_validator/v.sh", text)]).run(&["-s", "sum.sh"]);
        assert_eq!(run.status(3).end("accepted/sum.sh")["standing"]["standing"], "judge_error", "{}", run.all());
        assert!(run.all().contains(says), "{says}: {}", run.all());
    }
}

#[apply(cli_test)]
fn a_submission_cannot_bring_feedback_of_its_own() {
    let files = [
        ("static_validator/v.sh", "[ -f feedback/judgemessage.txt ] || exit 1\nexit 43\n"),
        ("submissions/wrong_answer/own/main.sh", SUM),
        ("submissions/wrong_answer/own/feedback/judgemessage.txt", "a submission's words"),
    ];
    let run = sums(&files).run(&["-s", "wrong_answer/own", "-t", "secret/static_validation"]);
    run.judged("wrong_answer/own", "secret/static_validation", "WA", "rejected by the static validator");
}

#[apply(cli_test)]
fn a_group_may_have_static_validation_alone() {
    let workspace = sums(&[HONEST, CHEAT, ("data/secret/quiet/test_group.yaml", ASKED.1)]);
    std::fs::remove_file(workspace.path("problems/p/data/secret/test_group.yaml")).unwrap();
    let run = workspace.run(&[]);
    run.status(0).judged("accepted/sum.sh", "secret/quiet/static_validation", "AC", "");
    run.ends("wrong_answer/cheat.sh", "WA", "met");
}

#[apply(cli_test)]
fn it_is_selected_like_a_test() {
    let workspace = sums(&[HONEST, CHEAT]);
    let run = workspace.run(&["p/secret/static_validation"]);
    run.ends("wrong_answer/cheat.sh", "WA", "met").ends("wrong_answer/three.sh", "AC", "met");
    let run = workspace.run(&["-t", "0*"]);
    run.ends("wrong_answer/cheat.sh", "AC", "met").ends("wrong_answer/three.sh", "WA", "met");
    let listed = workspace.grader(&["list", "-vv"]);
    listed.status(0).shows("static_validation");
}

#[apply(cli_test)]
fn submissions_yaml_names_it_like_a_test() {
    let rules = "wrong_answer/cheat.sh:\n  secret/static_validation: {required: [WA], message: cheats}\n  sample: {permitted: [AC]}\n";
    let run = sums(&[HONEST, CHEAT, ("submissions/submissions.yaml", rules)]).run(&[]);
    run.status(0).ends("wrong_answer/cheat.sh", "WA", "met");
    let rules = "wrong_answer/cheat.sh:\n  secret/static_validation: {required: [WA], message: other words}\n";
    let run = sums(&[HONEST, CHEAT, ("submissions/submissions.yaml", rules)]).run(&["-s", "cheat.sh"]);
    run.status(1).ends("wrong_answer/cheat.sh", "WA", "missed");
    let rules = "accepted/sum.sh:\n  secret/static_validation: {required: [WA]}\n";
    let run = sums(&[HONEST, CHEAT, ("submissions/submissions.yaml", rules)]).run(&["-s", "sum.sh"]);
    run.status(1).ends("accepted/sum.sh", "AC", "missed");
}

const SCORING: &str = "problem_format_version: 2025-09\nname: {en: Sum}\ntype: scoring\nlimits: {time_limit: 1}\n";

/// Groups `secret/a` (40 points: 10 for the source, 15 for each case) and `secret/b` (60 points or none).
fn scoring(validator: &str) -> Workspace {
    let workspace = Workspace::new();
    add(
        &workspace,
        "problems/p",
        &[
            ("problem.yaml", SCORING),
            ("data/sample/1.in", "1 2\n"),
            ("data/sample/1.ans", "3\n"),
            ("data/secret/a/test_group.yaml", "max_score: 40\nscore_aggregation: sum\nstatic_validation_score: 10\n"),
            ("data/secret/a/1.in", "1 2\n"),
            ("data/secret/a/1.ans", "3\n"),
            ("data/secret/a/2.in", "2 2\n"),
            ("data/secret/a/2.ans", "4\n"),
            (
                "data/secret/b/test_group.yaml",
                "max_score: 60\nstatic_validation_score: pass-fail\nstatic_validator_args: [b]\n",
            ),
            ("data/secret/b/3.in", "2 3\n"),
            ("data/secret/b/3.ans", "5\n"),
            ("submissions/accepted/sum.sh", SUM),
            ("static_validator/v.sh", validator),
        ],
    );
    workspace
}

#[apply(cli_test)]
fn it_gives_points_beside_the_cases() {
    let validator = "if grep -q long -- *.sh && [ -z \"$4\" ]; then echo 0.5 > \"$3score_multiplier.txt\"; fi\n\
                     grep -q cheat -- *.sh && exit 43\nexit 42\n";
    let workspace = scoring(validator);
    let long = ("submissions/mixed/long.sh", "# long\nread a b\necho $((a + b))\n");
    let three = ("submissions/mixed/three.sh", "echo 3\n");
    let rules = "mixed/long.sh: {score: 95}\nmixed/cheat.sh: {score: 30}\nmixed/three.sh: {score: 25}\n";
    let cheat = ("submissions/mixed/cheat.sh", CHEAT.1);
    add(&workspace, "problems/p", &[long, three, cheat, ("submissions/submissions.yaml", rules)]);
    let run = workspace.run(&[]);
    run.status(0);
    for (submission, score, own) in [
        ("accepted/sum.sh", 100.0, 10.0),
        ("mixed/long.sh", 95.0, 5.0),
        ("mixed/cheat.sh", 30.0, 0.0),
        ("mixed/three.sh", 25.0, 10.0),
    ] {
        assert_eq!(run.end(submission)["score"], score, "{submission}; {}", run.all());
        assert_eq!(run.test(submission, "secret/a/static_validation")["score"], own, "{submission}; {}", run.all());
    }
    assert_eq!(run.test("accepted/sum.sh", "secret/a/1")["score"], 15.0, "{}", run.all());
    assert!(run.test("accepted/sum.sh", "secret/b/static_validation")["score"].is_null(), "{}", run.all());
    // Without all tests of a group there are no points.
    let run = workspace.run(&["-s", "sum.sh", "-t", "secret/a/1", "-t", "secret/a/2"]);
    assert!(run.end("accepted/sum.sh")["score"].is_null(), "{}", run.all());
}

#[apply(cli_test)]
fn points_that_must_not_be_are_a_judge_error() {
    for (validator, says) in [
        ("echo 11 > \"$3score.txt\"\nexit 42\n", "score.txt says 11, more than 10"),
        ("echo 1 > \"$3score.txt\"\nexit 43\n", "that it rejects"),
        ("[ -z \"$4\" ] || echo 1 > \"$3score.txt\"\nexit 42\n", "score.txt in a group that is `pass-fail`"),
    ] {
        let run = scoring(validator).run(&[]);
        run.status(3);
        assert!(run.all().contains(says), "{says}: {}", run.all());
    }
}

#[apply(cli_test)]
fn a_command_has_no_sources() {
    let run = sums(&[HONEST]).run(&["p", "-c", "read a b; echo $((a + b))"]);
    run.status(3);
    assert!(run.all().contains("a command (-c) has no sources"), "{}", run.all());
}

/// The name of a file may matter to a static validator: two of the same content are not one submission.
#[apply(cli_test)]
fn handed_in_programs_are_validated_by_name() {
    let workspace = sums(&[("static_validator/v.sh", "[ \"$2\" = sum.sh ] && exit 42\nexit 43\n")]);
    workspace.file("sum.sh", SUM).file("other.sh", SUM);
    let run = Call::recorded(&workspace.path(""), &["judge", "p", "sum.sh", "other.sh"]).run();
    run.status(1).ends("sum.sh", "AC", "met").ends("other.sh", "WA", "met");
}

#[apply(cli_test)]
fn outputs_have_no_sources() {
    let workspace = sums(&[HONEST]);
    for (name, text) in [("sample/1", "3\n"), ("secret/large/02", "105\n"), ("secret/static_validation", "x\n")] {
        workspace.file(format!("out/{name}.out"), text);
    }
    let run = workspace.grader(&["check", "p", "out"]);
    run.says("static_validator: judges the sources of submissions, and outputs have none")
        .says("grader judge p PROGRAM");
    run.status(1).says("unexpected: out/secret/static_validation.out").shows("incomplete");
    let run = workspace.grader(&["check", "p", "out", "-t", "secret/static_validation"]);
    run.status(2).says("no case of p is selected");
}

#[apply(cli_test)]
fn mistakes_are_told_with_their_places() {
    let with = |files: &[(&'static str, &'static str)], says: &[&str]| {
        let run = sums(files).run(&[]);
        run.status(2);
        for says in says {
            run.says(says);
        }
    };
    let group = "data/secret/test_group.yaml";
    with(
        &[],
        &[
            "data/secret/test_group.yaml: line 1, column 1: `static_validation_score`, but the problem has no static_validator/",
        ],
    );
    with(
        &[HONEST, (group, "static_validation_score: 3\n")],
        &["but the problem is not of type `scoring`", "write `pass-fail`"],
    );
    with(&[HONEST, (group, "static_validation_score: most\n")], &["expected a whole number of points or `pass-fail`"]);
    with(
        &[(group, "static_validator_args: [a]\n")],
        &["`static_validator_args` has no effect without `static_validation_score`"],
    );
    with(
        &[(group, "static_validation: true\n")],
        &["`static_validation` is a key of older drafts", "write `static_validation_score`"],
    );
    with(
        &[
            HONEST,
            ("data/secret/small/deep/test_group.yaml", ASKED.1),
            ("data/secret/small/deep/1.in", ""),
            ("data/secret/small/deep/1.ans", ""),
        ],
        &["or in a group directly below secret"],
    );
    with(
        &[HONEST, ("data/secret/static_validation.in", "1 1\n"), ("data/secret/static_validation.ans", "2\n")],
        &["rename the case"],
    );
    with(&[HONEST, ("static_validator/other.sh", "exit 42\n")], &["several static validators"]);
    let answers = "problem_format_version: 2025-09\nname: {en: Sum}\ntype: submit-answer\nlimits: {time_limit: 1}\n";
    with(&[HONEST, ("problem.yaml", answers)], &["because submissions of type `submit-answer` have no sources"]);

    let scored = |name: &str, text: &str, says: &str| {
        let workspace = scoring("exit 42\n");
        workspace.file(format!("problems/p/data/secret/{name}"), text);
        workspace.run(&[]).status(2).says(says);
    };
    scored("b/test_group.yaml", "max_score: 60\nstatic_validation_score: 3\n", "but secret/b is `pass-fail`");
    scored(
        "a/test_group.yaml",
        "max_score: 40\nscore_aggregation: sum\nstatic_validation_score: pass-fail\n",
        "gives partial points",
    );
    scored(
        "a/test_group.yaml",
        "max_score: 40\nscore_aggregation: sum\nstatic_validation_score: 41\n",
        "write at most 40",
    );
    scored(
        "a/test_group.yaml",
        "max_score: 40\nscore_aggregation: min\nstatic_validation_score: 4\n",
        "gives 40 and counts the worst test",
    );
    scored(
        "test_group.yaml",
        "static_validation_score: 4\n",
        "is not possible in secret, because only its groups give points",
    );

    // Nobody asks for it.
    let idle = package(&[&[("problem.yaml", CURRENT), HONEST], SUMS].concat()).run(&[]);
    idle.status(0).says("never run: no test_group.yaml requests static validation with `static_validation_score`");
}

#[apply(cli_test)]
fn a_native_problem_may_have_it() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file(HONEST.0, HONEST.1).submission("wrong_answer/cheat.sh", CHEAT.1);
    workspace.file("testcases/sum/secret/test_group.toml", "static_validation_score = \"pass-fail\"\n");
    let run = workspace.run(&[]);
    run.status(0).ends("wrong_answer/cheat.sh", "WA", "met").ends("accepted/sum.sh", "AC", "met");
}
