//! ICPC/Kattis problem packages of every version, graded as they are.

use std::io::Write as _;

use macro_rules_attribute::apply;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::cli::run::Call;
use crate::cli::workspace::{SUM, Workspace};

pub(crate) const CURRENT: &str = "problem_format_version: 2025-09\nname: {en: Sum}\nlimits: {time_limit: 1}\n";
pub(crate) const LEGACY: &str = "name: Sum\n";

/// Files of a package below `dir`, which need not be in `problems/`.
pub(crate) fn add(workspace: &Workspace, dir: &str, files: &[(&str, &str)]) {
    for (name, text) in files {
        workspace.file(format!("{dir}/{name}"), text);
    }
}

/// Cases of `sum` and a right submission.
pub(crate) const SUMS: &[(&str, &str)] = &[
    ("data/sample/1.in", "1 2\n"),
    ("data/sample/1.ans", "3\n"),
    ("data/secret/small/01.in", "2 2\n"),
    ("data/secret/small/01.ans", "4\n"),
    ("data/secret/large/02.in", "100 5\n"),
    ("data/secret/large/02.ans", "105\n"),
    ("submissions/accepted/sum.sh", SUM),
    ("submissions/wrong_answer/three.sh", "echo 3\n"),
    ("submissions/run_time_error/crash.sh", "exit 1\n"),
];

pub(crate) fn package(files: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::new();
    add(&workspace, "problems/p", files);
    workspace
}

#[apply(cli_test)]
fn a_current_package_is_judged_as_labelled() {
    let run = package(&[SUMS, &[("problem.yaml", CURRENT)]].concat()).run(&[]);
    run.status(0).ends("accepted/sum.sh", "AC", "met").ends("wrong_answer/three.sh", "WA", "met");
    run.ends("run_time_error/crash.sh", "RTE", "met").judged("accepted/sum.sh", "secret/large/02", "AC", "");
}

#[apply(cli_test)]
fn a_legacy_package_is_judged_as_labelled() {
    let run = package(&[SUMS, &[("problem.yaml", LEGACY), (".timelimit", "2\n")]].concat()).run(&[]);
    run.status(0).ends("accepted/sum.sh", "AC", "met").ends("wrong_answer/three.sh", "WA", "met");
}

#[apply(cli_test)]
fn a_package_outside_of_the_workspace_is_judged_where_it_is() {
    let workspace = Workspace::bare();
    add(&workspace, "elsewhere/p", &[SUMS, &[("problem.yaml", CURRENT)]].concat());
    workspace.run(&["elsewhere/p"]).status(0).ends("accepted/sum.sh", "AC", "met");
}

#[apply(cli_test)]
fn a_set_of_packages_is_judged_whole() {
    let workspace = Workspace::bare();
    add(&workspace, "contest/a", &[SUMS, &[("problem.yaml", CURRENT)]].concat());
    add(&workspace, "contest/b", &[SUMS, &[("problem.yaml", LEGACY), (".timelimit", "1")]].concat());
    workspace.run(&["contest"]).status(0).shows("6 as expected");
}

#[apply(cli_test)]
fn problems_of_a_contest_come_in_its_order_with_their_letters() {
    let workspace = Workspace::bare();
    for slug in ["a", "b", "c"] {
        add(&workspace, &format!("contest/{slug}"), &[SUMS, &[("problem.yaml", CURRENT)]].concat());
    }
    let heads = |run: &crate::cli::run::Run| -> Vec<String> {
        run.stdout.lines().filter(|line| line.contains("2048 MiB")).map(|line| line[..4].trim().to_owned()).collect()
    };
    workspace.file("contest/problems.yaml", "- {id: c, label: A}\n- {id: a, label: B}\n");
    let run = workspace.run(&["contest"]);
    assert_eq!(heads(run.status(0)), ["A c", "B a", "b"]);
    assert_eq!(heads(&workspace.run(&["contest/a"])), ["B a"]);
    std::fs::remove_file(workspace.path("contest/problems.yaml")).unwrap();
    workspace.file(
        "contest/contest.yaml",
        "name: N\nproblemset:\n- {letter: X, short-name: b}\n- {letter: X, short-name: d}\n",
    );
    let run = workspace.run(&["contest"]);
    assert_eq!(heads(run.status(0).says("contest.yaml").says("two problems have the letter `X`")), ["X b", "a", "c"]);
}

#[apply(cli_test)]
fn the_time_limit_is_that_of_the_package() {
    let files = |yaml, limit| [SUMS, &[("problem.yaml", yaml)], limit].concat();
    package(&files(CURRENT, &[])).run(&[]).status(0).shows("1 s · 2048 MiB");
    package(&files(LEGACY, &[(".timelimit", "3")])).run(&[]).status(0).shows("3 s · 1024 MiB");
    package(&files("", &[("domjudge-problem.ini", "timelimit='4'\n")])).run(&[]).status(0).shows("4 s · 2048 MiB");
    let derived = package(&files(LEGACY, &[])).run(&[]);
    derived.status(0).shows("1 s · 1024 MiB").shows("derived: slowest accepted accepted/sum.sh");
    derived.says("note: 1 problem states no time limit: measuring 1 submission first, up to 60 s a test");
}

#[apply(cli_test)]
fn flags_choose_the_comparison_of_each_group() {
    let files = [
        ("data/secret/exact/1.in", ""),
        ("data/secret/exact/1.ans", "Yes\n"),
        ("data/secret/free/1.in", ""),
        ("data/secret/free/1.ans", "Yes\n"),
        ("submissions/accepted/yes.sh", "echo Yes\n"),
        ("submissions/wrong_answer/no.sh", "echo YES\n"),
    ];
    let current = ("data/secret/exact/test_group.yaml", "output_validator_args: [case_sensitive]\n");
    let legacy = ("data/secret/exact/testdata.yaml", "output_validator_flags: case_sensitive\n");
    for (yaml, group) in [(CURRENT, current), (LEGACY, legacy)] {
        let run = package(&[&files[..], &[("problem.yaml", yaml), (".timelimit", "1"), group]].concat())
            .run(&["--all-tests"]);
        run.status(0).judged("wrong_answer/no.sh", "secret/free/1", "AC", "");
        assert_eq!(run.test("wrong_answer/no.sh", "secret/exact/1")["verdict"], "WA");
    }
}

/// Accepts outputs that are what it was called with.
const ECHO: &str = "shift 3\nread output\n[ \"$output\" = \"$*\" ] && exit 42\necho \"wanted $*\"\nexit 43\n";

#[apply(cli_test)]
fn arguments_reach_the_output_validator() {
    let files = [
        ("data/secret/1.in", "a b\n"),
        ("data/secret/1.ans", ""),
        ("submissions/accepted/cat.sh", "cat\n"),
        ("submissions/wrong_answer/c.sh", "echo c\n"),
    ];
    let current = [
        ("problem.yaml", CURRENT),
        ("output_validator/v.sh", ECHO),
        ("data/test_group.yaml", "output_validator_args: [x]\n"),
        ("data/secret/test_group.yaml", "output_validator_args: [a, b]\n"),
        ("data/secret/2.in", "a 1\n"),
        ("data/secret/2.ans", ""),
        ("data/secret/2.yaml", "output_validator_args: [a, 1]\n"),
    ];
    let run = package(&[&files[..], &current].concat()).run(&[]);
    run.status(0).judged("wrong_answer/c.sh", "secret/1", "WA", "wanted a b");
    let legacy = [
        ("problem.yaml", "validation: custom\nvalidator_flags: a\n"),
        (".timelimit", "1"),
        ("output_validators/v/v.sh", ECHO),
        ("data/secret/testdata.yaml", "output_validator_flags: b\n"),
    ];
    package(&[&files[..], &legacy].concat()).run(&[]).status(0).ends("accepted/cat.sh", "AC", "met");
}

#[apply(cli_test)]
fn changed_arguments_are_judged_anew() {
    let files = [
        ("problem.yaml", CURRENT),
        ("output_validator/v.sh", ECHO),
        ("data/secret/test_group.yaml", "output_validator_args: [a]\n"),
        ("data/secret/1.in", "a\n"),
        ("data/secret/1.ans", ""),
        ("submissions/accepted/cat.sh", "cat\n"),
    ];
    let workspace = package(&files);
    workspace.run(&[]).status(0).ends("accepted/cat.sh", "AC", "met");
    workspace.file("problems/p/data/secret/test_group.yaml", "output_validator_args: [b]\n");
    workspace.run(&[]).status(1).ends("accepted/cat.sh", "WA", "missed").shows("wanted b");
}

#[apply(cli_test)]
fn arguments_reach_problems_of_our_own() {
    let workspace = Workspace::new();
    workspace.problem("p").case("secret/1", "a b\n", "\n").submission("accepted/cat.sh", "cat\n");
    workspace.file("problems/p/output_validator/v.sh", ECHO);
    workspace.file("testcases/p/secret/test_group.toml", "output_validator_args = ['a', 'b']\n");
    workspace.run(&[]).status(0).ends("accepted/cat.sh", "AC", "met");
}

#[apply(cli_test)]
fn arguments_reach_the_submission() {
    let files = [
        ("problem.yaml", CURRENT),
        ("data/secret/test_group.yaml", "args: [one]\n"),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", "one\n"),
        ("data/secret/2.in", ""),
        ("data/secret/2.ans", "two three\n"),
        ("data/secret/2.yaml", "args: [two, three]\n"),
        ("submissions/accepted/args.sh", "echo \"$@\"\n"),
    ];
    package(&files).run(&[]).status(0).ends("accepted/args.sh", "AC", "met");
}

#[apply(cli_test)]
fn arguments_reach_the_input_validators() {
    let validator = "[ \"$*\" = 'a b' ] && exit 42\necho \"called with $*\"\nexit 43\n";
    let legacy = [
        ("problem.yaml", LEGACY),
        (".timelimit", "1"),
        ("input_format_validators/v.sh", validator),
        ("data/testdata.yaml", "input_validator_flags: a b\n"),
        ("data/secret/large/testdata.yaml", "input_validator_flags: c\n"),
    ];
    let run = package(&[SUMS, &legacy].concat()).run(&[]);
    run.says("secret/large/02.in").says("called with c");
    assert!(!run.all().contains("small/01.in"), "{}", run.all());
}

#[apply(cli_test)]
fn interactive_packages_need_no_answers() {
    let interactor = "read n < $1\necho $n\nread guess\n[ \"$guess\" = $n ] && exit 42\nexit 43\n";
    let files = [
        ("data/sample/1.interaction", "<1\n>1\n"),
        ("data/secret/1.in", "5\n"),
        ("submissions/accepted/echo.sh", "read n\necho $n\n"),
        ("submissions/wrong_answer/seven.sh", "read n\necho 7\n"),
    ];
    let legacy = [
        ("problem.yaml", "validation: custom interactive\n"),
        (".timelimit", "1"),
        ("output_validators/v.sh", interactor),
    ];
    let current = [
        ("problem.yaml", "problem_format_version: 2025-09\ntype: interactive\nlimits: {time_limit: 1}\n"),
        ("output_validator/v.sh", interactor),
    ];
    for version in [&legacy[..], &current[..]] {
        let run = package(&[&files[..], version].concat()).run(&[]);
        run.status(0).ends("accepted/echo.sh", "AC", "met").ends("wrong_answer/seven.sh", "WA", "met");
    }
}

#[apply(cli_test)]
fn annotations_and_submissions_yaml_say_what_is_expected() {
    let annotated = ("submissions/mixed/m.sh", "# @EXPECTED_RESULTS@: WRONG-ANSWER, RUN-ERROR\necho 3\n");
    let listed = ("submissions/submissions.yaml", "odd/*:\n  permitted: [AC, WA]\n  sample:\n    permitted: [AC]\n");
    let odd = ("submissions/odd/three.sh", "echo 3\n");
    let run = package(&[SUMS, &[("problem.yaml", CURRENT), annotated, listed, odd]].concat()).run(&[]);
    run.status(0).ends("mixed/m.sh", "WA", "met").ends("odd/three.sh", "WA", "met");
}

#[apply(cli_test)]
fn a_legacy_crash_may_come_after_a_wrong_answer() {
    let late = "read a b\n[ $a = 100 ] && echo wrong && exit 0\n[ $a = 2 ] && exit 1\necho $((a + b))\n";
    let files = |yaml| {
        [SUMS, &[("problem.yaml", yaml), (".timelimit", "1"), ("submissions/run_time_error/late.sh", late)]].concat()
    };
    package(&files(LEGACY)).run(&[]).status(0).ends("run_time_error/late.sh", "WA", "met");
    package(&files(CURRENT)).run(&[]).status(1).ends("run_time_error/late.sh", "WA", "missed");
}

#[apply(cli_test)]
fn what_would_change_verdicts_is_refused() {
    for (files, says) in [
        (&[("problem.yaml", "problem_format_version: 2031-01\n")][..], "unknown version `2031-01`"),
        (&[("problem.yaml", "constants: {n: 3}\n")], "the legacy format does not have"),
    ] {
        package(&[SUMS, files].concat()).run(&[]).status(2).says(says);
    }
}

#[apply(cli_test)]
fn untidiness_is_told_and_judged() {
    let files = [
        ("problem.yaml", "problem_format_version: 2025-09\nname: {sv: Summa}\nlimits: {time_limit: 1}\ncolour: red\n"),
        ("data/sample/2.in", "1 1\r\n"),
        ("data/sample/2.ans", "2\r\n"),
        ("data/secret/03.in.disabled", ""),
        ("submissions/accepted/old.sh.disabled", ""),
        ("submissions/accepted/my solution.sh", SUM),
        ("submissions/rejectd/three.sh", "echo 3\n"),
        ("notes.txt", "loose"),
    ];
    let sum = "read a b\nb=${b%$'\\r'}\necho $((a + b))\n";
    let run = package(&[SUMS, &files, &[("submissions/accepted/sum.sh", sum)]].concat()).run(&[]);
    run.status(0).ends("accepted/sum.sh", "AC", "met").ends("rejectd/three.sh", "WA", "met");
    for told in ["colour", "03.in.disabled", "old.sh.disabled", "my solution.sh", "rejectd", "did you mean `rejected`?"]
    {
        run.says(told);
    }
}

#[apply(cli_test)]
fn a_broken_package_does_not_stop_the_others() {
    let workspace = package(&[SUMS, &[("problem.yaml", CURRENT)]].concat());
    add(&workspace, "problems/q", &[SUMS, &[("problem.yaml", "name: [\n")]].concat());
    workspace.run(&[]).status(2).ends("accepted/sum.sh", "AC", "met").says("problems/q/problem.yaml");
    workspace.run(&["problems"]).status(2).ends("accepted/sum.sh", "AC", "met").says("problems/q/problem.yaml");
}

/// An archive of these files.
pub(crate) fn archive(workspace: &Workspace, name: &str, files: &[(&str, &str)]) {
    let mut zip = ZipWriter::new(std::fs::File::create(workspace.path(name)).unwrap());
    for (name, text) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
}

#[apply(cli_test)]
fn an_archive_is_judged_and_leaves_nothing() {
    let files = [SUMS, &[("problem.yaml", CURRENT)]].concat();
    let inside: Vec<(String, &str)> = files.iter().map(|(name, text)| (format!("inside/{name}"), *text)).collect();
    let inside: Vec<(&str, &str)> = inside.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    for (name, files, slug) in [("flat.kpp", &files, "flat"), ("outer.zip", &inside, "inside")] {
        let workspace = Workspace::bare();
        archive(&workspace, name, files);
        std::fs::create_dir(workspace.path("tmp")).unwrap();
        let run = workspace.call(&[name]).env("TMPDIR", workspace.path("tmp")).run();
        run.status(0).ends("accepted/sum.sh", "AC", "met").shows(slug).shows("3 as expected");
        assert_eq!(std::fs::read_dir(workspace.path("tmp")).unwrap().count(), 0);
    }
}

#[apply(cli_test)]
fn an_archive_that_would_leave_its_folder_is_refused() {
    let workspace = Workspace::bare();
    let files = [SUMS, &[("problem.yaml", CURRENT), ("../../outside", "x")]].concat();
    archive(&workspace, "p.zip", &files);
    workspace.run(&["p.zip"]).status(2).says("p.zip").says("outside");
    workspace.file("broken.kpp", "no archive");
    workspace.run(&["broken.kpp"]).status(2).says("broken.kpp");
}

#[apply(cli_test)]
fn an_archive_is_listed_by_its_name() {
    let workspace = Workspace::bare();
    let files = [SUMS, &[("problem.yaml", CURRENT)]].concat();
    archive(&workspace, "p.zip", &files);
    workspace
        .grader(&["list", "p.zip", "-v"])
        .status(0)
        .silent()
        .shows("p  ")
        .shows("3 cases")
        .shows("accepted/sum.sh");
    let run = workspace.grader(&["list", "p.zip", "--format", "json"]);
    run.status(0).shows("\"dir\": \"p.zip\"").shows("\"p.zip/data/sample/1.in\"");
    run.shows("\"p.zip/submissions/accepted/sum.sh\"").hides("grader-run");
}

#[apply(cli_test)]
fn an_archive_may_be_the_problem() {
    let workspace = Workspace::bare();
    let files = [SUMS, &[("problem.yaml", CURRENT)]].concat();
    for name in ["p.zip", "q.kpp"] {
        archive(&workspace, name, &files);
    }
    workspace.file("mine.sh", SUM).file("out/sample/1.out", "3\n");
    for words in
        [&["judge", "p.zip", "mine.sh"][..], &["judge", "q.kpp", "mine.sh"], &["judge", "-p", "p.zip", "mine.sh"]]
    {
        Call::recorded(&workspace.path(""), words).run().status(0).ends("mine.sh", "AC", "met");
    }
    workspace.grader(&["check", "p.zip", "out", "-t", "sample"]).status(0);
    workspace.grader(&["judge", "p.zip", "--outputs", "out", "-t", "sample"]).status(0);
    // What repeats it names the archive.
    workspace.file("bad.sh", "echo 0\n");
    workspace.grader(&["judge", "p.zip", "bad.sh"]).status(1).shows("grader judge p.zip bad.sh");
}

#[apply(cli_test)]
fn an_archive_is_the_problem_only_where_that_is_clear() {
    let workspace = Workspace::with_sum();
    archive(&workspace, "p.zip", &[SUMS, &[("problem.yaml", CURRENT)]].concat());
    workspace.file("mine.sh", SUM);
    let run = workspace.grader(&["judge", "p.zip", "mine.sh"]);
    run.status(2).says("p.zip` contains a problem package").says("--problem p.zip or --problem sum");
    workspace.grader(&["judge", "--problem", "p.zip", "mine.sh"]).status(0);
    // An archive without a problem is what somebody has handed in.
    archive(&workspace, "ann.zip", &[("mine.sh", SUM)]);
    workspace.grader(&["judge", "ann.zip", "mine.sh"]).status(0).shows("ann.zip");
}

#[apply(cli_test)]
fn an_archive_cannot_be_changed() {
    let workspace = Workspace::bare();
    archive(&workspace, "p.zip", &[SUMS, &[("problem.yaml", CURRENT)]].concat());
    workspace.file("1.in", "1 1\n");
    for words in [
        &["add", "p.zip", "1.in"][..],
        &["accept", "p.zip"],
        &["remove", "p.zip", "1"],
        &["rename", "p.zip", "1", "2"],
        &["gen", "p.zip"],
        &["time-limit", "p.zip"],
        &["watch", "p.zip"],
    ] {
        workspace.grader(words).status(2).says("`p.zip` is an archive").says("unpack it");
    }
}

#[apply(cli_test)]
fn what_repeats_a_failure_names_the_path_or_the_archive() {
    let files = [SUMS, &[("problem.yaml", CURRENT), ("submissions/accepted/bad.sh", "echo 0\n")]].concat();
    let workspace = Workspace::new();
    add(&workspace, "problems/p", &files);
    add(&workspace, "elsewhere/q", &files);
    archive(&workspace, "r.zip", &files);
    for (word, again) in [("p", "p"), ("elsewhere/q", "elsewhere/q"), ("r.zip", "r.zip")] {
        let command = format!("grader run {again} -s accepted/bad.sh -t sample/1");
        workspace.run(&[word]).status(1).shows(&command);
        let words: Vec<&str> = command.split(' ').skip(2).collect();
        workspace.run(&words).status(1).ends("accepted/bad.sh", "WA", "missed");
    }
    workspace.run(&["elsewhere/q"]).status(1);
    workspace.grader(&["rerun"]).status(1).shows("accepted/bad.sh");
}

#[apply(cli_test)]
fn what_is_told_of_an_archive_names_the_archive() {
    let workspace = Workspace::new();
    let odd = [
        ("problem.yaml", CURRENT),
        ("submissions/accepted/bad.sh", "echo 0\n"),
        ("submissions/accepted/odd one.sh", SUM),
        ("input_validators/v.sh", "exit 43\n"),
    ];
    let broken = [("problem.yaml", CURRENT), ("data/secret/99.in", "1 1\n")];
    let crashing = [("problem.yaml", CURRENT), ("output_validator/v.sh", "exit 1\n")];
    let mut contest: Vec<(String, &str)> = Vec::new();
    for (slug, own) in [("p", &odd[..]), ("q", &broken), ("r", &crashing)] {
        contest.extend([SUMS, own].concat().into_iter().map(|(name, text)| (format!("{slug}/{name}"), text)));
    }
    let files: Vec<(&str, &str)> = contest.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    archive(&workspace, "contest.zip", &files);
    let run = workspace.run(&["contest.zip"]);
    run.status(3).hides("grader-run");
    assert!(!run.stderr.contains("grader-run"), "{}", run.stderr);
    run.says("contest.zip/p/submissions/accepted/odd one.sh: the package format does not allow this name");
    run.says("contest.zip/q/data/secret/99.in: no answer file");
    run.says("contest.zip/p/data/sample/1.in: rejected by input_validators/v.sh");
    run.shows("judge error: output_validator/v.sh: exit code 1");
    // Neither does what is kept for later.
    let kept = std::fs::read_dir(workspace.path(".grader/runs")).unwrap().map(|entry| entry.unwrap().path());
    kept.for_each(|path| assert!(!std::fs::read_to_string(path).unwrap().contains("grader-run")));
    for format in ["text", "json"] {
        let run = workspace.grader(&["verify", "contest.zip", "--try-time", "0", "--format", format]);
        run.status(3).hides("grader-run").shows("contest.zip/p/submissions/accepted/odd one.sh");
        run.shows("contest.zip/q/data/secret/99.in").shows("output_validator/v.sh: exit code 1");
        run.shows("see the details: grader run contest.zip -s accepted/bad.sh");
    }
    let run = workspace.run(&["contest.zip", "-s", "accepted/bad.sh"]);
    run.ends("accepted/bad.sh", "WA", "missed");
    // Of a folder that is not found by its name.
    add(&workspace, "elsewhere/s", &[SUMS, &odd].concat());
    let run = workspace.grader(&["verify", "elsewhere/s", "--try-time", "0"]);
    run.status(1).shows("see the details: grader run elsewhere/s -s accepted/bad.sh");
    // What is wrong with a problem that others are judged by.
    let run = workspace.grader(&["judge", "-p", "contest.zip", "contest.zip"]);
    run.status(2);
    assert!(!run.all().contains("grader-run"), "{}", run.all());
}

#[apply(cli_test)]
fn data_that_no_judge_reads_is_ignored() {
    let bad = [("problem.yaml", CURRENT), ("data/bad/1.in", "x\n"), ("data/bad/2.in", "y\n")];
    let run = package(&[SUMS, &bad].concat()).run(&[]);
    run.status(0).says("data/bad: ignored, because judges read only sample/ and secret/");
    run.ends("accepted/sum.sh", "AC", "met");
}

#[apply(cli_test)]
fn a_broken_package_that_was_named_does_not_stop_the_others() {
    let workspace = Workspace::new();
    add(&workspace, "problems/good", &[SUMS, &[("problem.yaml", CURRENT)]].concat());
    add(&workspace, "problems/broken", &[SUMS, &[("problem.yaml", "problem_format_version: 2031-01\n")]].concat());
    for words in [["good", "broken"], ["problems/broken", "problems/good"]] {
        let run = workspace.run(&words);
        run.status(2).says("unknown version `2031-01`").ends("accepted/sum.sh", "AC", "met");
    }
}

#[apply(cli_test)]
fn what_graders_forgive_bounds_the_time_limit() {
    let graded = [
        ("problem.yaml", "problem_format_version: 2023-07-draft\nname: Sum\ntype: scoring\n"),
        // By far the slowest.
        (
            "submissions/accepted/sum.sh",
            "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done\nread a b\necho $((a + b))\n",
        ),
        ("data/secret/testdata.yaml", "on_reject: continue\ngrader_flags: accept_if_any_accepted\n"),
    ];
    let run = package(&[SUMS, &graded].concat()).run(&[]);
    run.shows("derived: slowest accepted accepted/sum.sh").ends("accepted/sum.sh", "AC", "met");
}

#[apply(cli_test)]
fn an_archive_that_is_named_twice_is_one_problem() {
    let workspace = Workspace::new();
    let yaml = "problem_format_version: 2023-07-draft\nname: P\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\nodd: 1\n\
                limits: {time_limit: 2}\n";
    let files = [
        ("p/problem.yaml", yaml),
        ("p/data/sample/1.in", "1 2\n"),
        ("p/data/sample/1.ans", "3\n"),
        ("p/data/secret/1.in", "1 5\n"),
        ("p/data/secret/1.ans", "6\n"),
        ("p/submissions/accepted/sum.sh", SUM),
    ];
    archive(&workspace, "p.zip", &files);
    std::os::unix::fs::symlink("p.zip", workspace.path("q.zip")).unwrap();
    let run = workspace.run(&["p.zip", "./p.zip", "q.zip"]);
    run.status(0).shows("1 problem, 1 submission");
    assert_eq!((run.findings().count(), run.stderr.matches("unknown key `odd`").count()), (1, 1), "{}", run.all());
}

#[apply(cli_test)]
fn contradicting_descriptions_and_huge_numbers_are_errors() {
    let workspace = Workspace::bare();
    workspace
        .file(
            "p/problem.yaml",
            "problem_format_version: 2025-09\nname: p\nuuid: a\nlimits: {memory: 99999999999999999999999999}\n",
        )
        .file("p/data/secret/1.in", "1\n")
        .file("p/data/secret/1.ans", "1\n")
        .file("p/submissions/accepted/a.sh", "cat\n");
    let run = workspace.run(&["p"]);
    run.status(2).says("a number out of range").says("line 4").hides("u128");
    assert!(!run.stderr.contains("u128") && !run.stderr.contains("tag"), "{}", run.stderr);
    workspace.file("p/problem.yaml", "problem_format_version: 2025-09\nname: p\nuuid: a\nlimits: {time_limit: 1}\n");
    workspace.run(&["p"]).status(0);
    workspace.file("p/problem.toml", "name = 'q'\n");
    workspace.run(&["p"]).status(2).says("both problem.toml and problem.yaml exist").says("keep one of the two");
}
