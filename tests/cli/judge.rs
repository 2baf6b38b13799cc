//! `grader judge` and `grader check`: what others hand in, programs and outputs, one and a class.

use std::io::Write as _;
use std::path::Path;

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::cli::need::Need;
use crate::cli::run::{Call, Run, without_others};
use crate::cli::workspace::{SUM, Workspace};

/// Runs `grader judge` with its events recorded.
#[track_caller]
fn judge(workspace: &Workspace, args: &[&str]) -> Run {
    Call::recorded(&workspace.path(""), &[&["judge"], args].concat()).run()
}

fn check(workspace: &Workspace, args: &[&str]) -> Run {
    Call::recorded(&workspace.path(""), &[&["check"], args].concat()).run()
}

const WRONG: &str = "read a b\necho $((a - b))\n";

/// `sum` and `twice`, with three students of whom one is right everywhere.
fn class() -> Workspace {
    let workspace = Workspace::with_sum();
    let twice = workspace.problem("twice").case("sample/1", "2\n", "4\n").case("secret/1", "5\n", "10\n");
    twice.submission("accepted/twice.sh", "read a\necho $((2 * a))\n");
    workspace
        .file("class/ann/sum.sh", SUM)
        .file("class/ann/twice.sh", "read a\necho $((a * 2))\n")
        .file("class/bob/sum.sh", WRONG)
        .file("class/Cy/twice.sh", "read a\necho 4\n");
    workspace
}

const LAYOUT: [&str; 3] = ["class", "--layout", "{student}/{problem}.*"];

/// The row of a student, its words joined by one space.
#[track_caller]
fn row(run: &Run, student: &str) -> String {
    let line = run.stdout.lines().find(|line| line.starts_with(student));
    let line = line.unwrap_or_else(|| panic!("no row of {student}; {}", run.all()));
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn zip(workspace: &Workspace, dir: &str, archive: &str) {
    let archive = workspace.path(archive);
    command("zip", &["-q", "-r", archive.to_str().unwrap(), "."], &workspace.path(dir));
}

#[expect(clippy::disallowed_methods, reason = "a tool that makes what is tested")]
fn command(program: &str, args: &[&str], dir: &Path) {
    let done = std::process::Command::new(program).args(args).current_dir(dir).status().unwrap();
    assert!(done.success(), "{program} {args:?}");
}

#[apply(cli_test)]
fn one_program() {
    let workspace = Workspace::with_sum();
    workspace.file("right.sh", SUM).file("wrong.sh", WRONG);
    let run = judge(&workspace, &["sum", "right.sh"]);
    run.status(0).silent().ends("right.sh", "AC", "met").shows("JUDGED  1 AC").hides("expected");
    assert_eq!(run.events[0]["verb"], "judge");
    let run = judge(&workspace, &["sum", "wrong.sh", "right.sh"]);
    run.status(1).ends("wrong.sh", "WA", "met").shows("✗ wrong.sh").shows("✓ right.sh").shows("4 of 4 fail");
    run.shows("sum · wrong.sh · sample/1: WA").shows("again    grader judge sum wrong.sh -t sample/1");
    // That command does what it says.
    let again = judge(&workspace, &["sum", "wrong.sh", "-t", "sample/1"]);
    again.status(1);
    assert_eq!(again.tests("test_finished", "wrong.sh"), ["sample/1"]);
    judge(&workspace, &["sum", "wrong.sh", "--exit-zero"]).status(0).shows("1 WA");
    // A broken judge stays one.
    workspace.problem("sum").file("output_validator/validate.sh", "exit 1\n");
    judge(&workspace, &["sum", "right.sh", "--exit-zero"]).status(3).shows("judge error");
}

#[apply(cli_test)]
fn every_test_is_run_and_killed_soon_after_its_limit() {
    let workspace = Workspace::with_sum();
    workspace.file("bad.sh", "read a b\n[ $a = 2 ] && while :; do :; done\necho x\n");
    let run = judge(&workspace, &["sum", "bad.sh", "--time-limit", "0.2"]);
    run.status(1).ends("bad.sh", "WA", "met").judged("bad.sh", "secret/01", "TLE", "limit 0.2 s");
    assert_eq!(run.tests("test_finished", "bad.sh").len(), 4);
    run.judged("bad.sh", "secret/01", "TLE", "> 0.22 s");
}

#[apply(cli_test)]
fn the_problem_may_be_left_out() {
    let workspace = Workspace::with_sum();
    workspace.file("right.sh", SUM);
    judge(&workspace, &["right.sh"]).status(0).ends("right.sh", "AC", "met");
    workspace.sum("other");
    judge(&workspace, &["right.sh"]).status(2).says("there are 2 problems (other, sum)").says("--layout list");
    judge(&workspace, &["right.sh", "-p", "sum"]).status(0);
    let right = workspace.path("right.sh");
    let stands = Call::any(&workspace.path("problems/sum"), &["judge", right.to_str().unwrap()]);
    stands.run().status(0).shows("sum").shows("1 AC");
    judge(&workspace, &["problems/sum", "right.sh"]).status(0);
}

#[apply(cli_test)]
fn a_problem_without_submissions_of_its_own() {
    let workspace = Workspace::new();
    workspace.problem("bare").case("sample/1", "1 2\n", "3\n").case("secret/1", "1 1\n", "2\n").toml("");
    workspace.file("right.sh", SUM).file("out", "3\n");
    judge(&workspace, &["bare", "right.sh"]).status(0).ends("right.sh", "AC", "met");
    judge(&workspace, &["bare", "right.sh", "-t", "sample/1"]).status(0).ends("right.sh", "AC", "met");
    check(&workspace, &["bare", "out", "-t", "sample/1"]).status(0);
}

#[apply(cli_test)]
fn reports_have_every_student() {
    let workspace = class();
    workspace.file("class/=cmd()/sum.sh", SUM);
    let args = [&["judge"], &LAYOUT[..], &["--out", "results", "--report", "gradebook=-"]].concat();
    let first = workspace.grader(&args);
    first.status(1).says("JUDGED  4 students");
    let rows: Vec<&str> = first.stdout.lines().collect();
    assert_eq!(rows.len(), 5, "{}", first.all());
    assert!(rows.iter().any(|row| row.starts_with("ann,")) && !first.stdout.contains("\n=cmd"), "{}", first.stdout);
    // Also those whose results are from before.
    let again = workspace.grader(&args);
    again.status(1).says("5 from an earlier run");
    assert_eq!(again.stdout, first.stdout);
}

/// Every report of a run that was just made, and the same of its record: not a byte may differ.
#[track_caller]
fn reports(workspace: &Workspace, args: &[&str], kinds: &[&str]) -> Run {
    let to = |place: &str| -> Vec<String> {
        kinds.iter().flat_map(|kind| ["--report".to_owned(), format!("{kind}={place}.{kind}")]).collect()
    };
    let (direct, stored) = (to("direct"), to("stored"));
    let run = workspace.grader(&[args, &direct.iter().map(String::as_str).collect::<Vec<_>>()].concat());
    let stored = [&["report", "last"], &stored.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat();
    workspace.grader(&stored).status(0);
    for kind in kinds {
        assert_eq!(workspace.read(format!("direct.{kind}")), workspace.read(format!("stored.{kind}")), "{kind}");
    }
    run
}

const KINDS: [&str; 5] = ["gradebook", "csv", "junit", "markdown", "jsonl"];

#[apply(cli_test)]
fn who_could_not_be_judged_is_in_every_report() {
    let workspace = class();
    workspace.file("class/dee/sum.txt", "my essay").file("class/ann/twice.txt", "beside a program");
    workspace.file("class/eve/sum.sh", SUM).file("class/eve/sum.py", "print(3)\n");
    let run = reports(&workspace, &[&["judge"], &LAYOUT[..], &["--exit-zero"]].concat(), &KINDS);
    // What a person has to look at is told also by the exit status.
    run.status(2).says("class/dee/sum.txt: is not a program").shows("JUDGED  5 students");
    assert_eq!(row(&run, "dee"), "dee no program · ?");
    assert_eq!(row(&run, "eve"), "eve ambiguous · ?");
    let layer = layer(&workspace);
    let expect = format!(
        "student,sum,twice,total,sum verdict,twice verdict,grading,isolation\n\
        Cy,,0,0,,WA,all or nothing,{layer}\n\
        ann,1,1,2,AC,AC,all or nothing,{layer}\n\
        bob,0,,0,WA,,all or nothing,{layer}\n\
        dee,,,,no program,,all or nothing,{layer}\n\
        eve,,,,ambiguous,,all or nothing,{layer}\n"
    );
    assert_eq!(workspace.read("direct.gradebook"), expect);
    let csv = workspace.read("direct.csv");
    assert!(csv.contains("sum,,dee,,not judged,,,,,no program,\n"), "{csv}");
    assert!(workspace.read("direct.junit").contains("<testcase name=\"dee\" classname=\"sum.left out\">"));
    let markdown = workspace.read("direct.markdown");
    assert!(markdown.contains("| `dee` | `sum` | – | ➖ no program |"), "{markdown}");
}

#[apply(cli_test)]
fn a_copy_is_worth_no_more() {
    let workspace = Workspace::with_sum();
    workspace.file("own/a.sh", SUM).file("own/b.sh", SUM).file("own/c.sh", WRONG);
    let run = reports(&workspace, &["judge", "sum", "own"], &["gradescope"]);
    run.status(1).shows("2 identical");
    let results: Value = serde_json::from_str(&workspace.read("direct.gradescope")).unwrap();
    assert_eq!(results["score"], 1.0, "{results}");
}

#[apply(cli_test)]
fn every_report_shows_the_same_grade() {
    let workspace = Workspace::with_sum();
    workspace.sum("twice");
    workspace.file("own/ann/sum.sh", "read a b\n[ $a = 2 ] && b=0\necho $((a + b))\n");
    let of_ann = ["judge", "own", "--layout", "{student}/{problem}.sh"];
    let kinds = ["gradebook", "markdown", "gradescope"];
    for (config, grade, weighted, policy) in [
        ("", 0.0, 0.0, "all or nothing"),
        ("partial = true\n", 0.75, 0.75, "by accepted tests"),
        ("partial = true\nweights = { sum = 10 }\n", 0.75, 7.5, "by accepted tests"),
    ] {
        workspace.file("grader.toml", config);
        let run = reports(&workspace, &of_ann, &kinds);
        run.status(1).shows(&format!("graded {policy}")).hides("weights");
        assert!(row(&run, "ann").ends_with(&format!(" {weighted}")), "{}", run.stdout);
        let gradebook = workspace.read("direct.gradebook");
        assert!(gradebook.contains(&format!("\nann,{weighted},{weighted},WA,{policy},")), "{gradebook}");
        assert!(workspace.read("direct.markdown").contains(&format!("Grades: {policy}\n")));
        let results: Value = serde_json::from_str(&workspace.read("direct.gradescope")).unwrap();
        let points = &results["tests"][0];
        assert_eq!((results["score"].as_f64(), &points["score"]), (Some(weighted), &results["score"]));
        assert_eq!(points["max_score"].as_f64(), Some(if weighted > grade { 10.0 } else { 1.0 }));
        assert!(results["tests"].as_array().unwrap()[1..].iter().all(|test| test["score"].is_null()), "{results}");
    }
    workspace.file("grader.toml", "weights = { som = 2 }\n");
    workspace.grader(&of_ann).says("`weights` names what is not a problem of this run: som");
    workspace.file("grader.toml", "weights = { sum = -1, twice = 'x' }\npartial = 3\n");
    workspace.grader(&of_ann).status(2).says("a weight from 0 to").says("`partial`");
}

#[apply(cli_test)]
fn one_student_is_not_told_of_another() {
    let workspace = class();
    let args = [&LAYOUT[..], &["--report", "gradescope=g.json"]].concat();
    let run = judge(&workspace, &args);
    run.status(2).says("this report is for one student").says("--report gradebook=FILE");
    judge(&workspace, &LAYOUT).status(1);
    let run = workspace.grader(&["report", "last", "--report", "gradescope=g.json"]);
    run.status(2).says("this report is for one student");
    assert!(!workspace.path("g.json").exists());
}

#[apply(cli_test)]
fn a_folder_is_one_program_or_many() {
    let workspace = Workspace::with_sum();
    workspace.file("many/a.sh", SUM).file("many/b.sh", WRONG).file("many/c/x.sh", SUM).file("many/notes.txt", "");
    let run = judge(&workspace, &["sum", "many"]);
    run.status(1).ends("many/a.sh", "AC", "met").ends("many/b.sh", "WA", "met").ends("many/c", "AC", "met");
    run.says("no source file of a known language: notes.txt");
    workspace.file("one/main.sh", ". \"${0%/*}/add.sh\"\n").file("one/add.sh", SUM);
    judge(&workspace, &["sum", "one"]).status(0).ends("one", "AC", "met");
    workspace.file("single/README.md", "").file("single/deep/solve.sh", SUM);
    judge(&workspace, &["sum", "single"]).status(0);
    std::fs::create_dir(workspace.path("empty")).unwrap();
    judge(&workspace, &["sum", "empty"]).status(2).says("empty: is empty: it contains no program");
}

#[apply(cli_test)]
fn bad_words_are_told_all_at_once() {
    let workspace = Workspace::with_sum();
    workspace.file("right.sh", SUM);
    judge(&workspace, &["sum", "nope", "nope2"]).status(2).says(
        "no such file or directory: `nope`, `nope2`\n  → name a problem, a program, a folder or an archive; `grader list`",
    );
    judge(&workspace, &["smu", "right.sh"]).status(2).says("did you mean `sum`?");
    judge(&workspace, &["sum"]).status(2).says("`sum` is a problem, and nothing to judge is named");
    judge(&workspace, &["sum", "right.sh", "--pattern", "{test}"]).status(2).says("needs `--outputs`");
    judge(&workspace, &["sum", "right.sh", "-t", "secret/9"]).status(2).says("no test matches `secret/9`");
    judge(&workspace, &["sum", "right.sh", "--out", "right.sh"]).status(2).says("cannot use --out right.sh");
    workspace.pipe("pipe");
    judge(&workspace, &["sum", "pipe"]).status(2).says("is neither a file nor a directory");
    workspace.file("notes.txt", "hello\n");
    judge(&workspace, &["sum", "notes.txt"]).status(2).shows("not judged: no known language has .txt");
}

#[apply(cli_test)]
fn walls_must_be_strong_unless_named() {
    let workspace = Workspace::with_sum();
    workspace.file("right.sh", SUM);
    judge(&workspace, &["sum", "right.sh", "--isolation", "weak"]).status(0).shows("isolation: weak");
    let auto = judge(&workspace, &["sum", "right.sh"]);
    match auto.status {
        0 => assert!(["root", "user", "users"].contains(&auto.events[0]["isolation"].as_str().unwrap())),
        _ => drop(auto.status(2).says("programs of others are not run behind weak walls")),
    }
    workspace.file("grader.toml", "isolation = \"none\"\n");
    judge(&workspace, &["sum", "right.sh"]).status(0).shows("isolation: none");
}

#[apply(cli_test)]
fn a_class_is_a_table() {
    let workspace = class();
    let run = judge(&workspace, &LAYOUT);
    run.status(1).silent().shows("student  sum").hides("input");
    assert!(row(&run, "ann").starts_with("ann AC 4/4 0.0") && row(&run, "ann").ends_with(" 2"), "{}", run.stdout);
    assert!(row(&run, "bob").contains("WA 0/4") && row(&run, "bob").ends_with("· 0"), "{}", run.stdout);
    assert!(row(&run, "Cy").starts_with("Cy · WA 1/2"), "{}", run.stdout);
    run.shows("JUDGED  3 students, 2 problems: 2 of 4 submissions accepted");
    let order = |run: &Run| -> Vec<usize> {
        ["ann", "bob", "Cy"].iter().map(|name| run.stdout.find(&format!("\n{name} ")).unwrap()).collect()
    };
    assert!(order(&run).is_sorted());
    workspace.file("class/zoe/sum.sh", SUM).file("class/zoe/twice.sh", "read a\necho $((2 * a))\n");
    let best = judge(&workspace, &[&LAYOUT[..], &["--sort", "score", "--exit-zero"]].concat());
    best.status(0);
    assert!(
        best.stdout.find("\nzoe") < best.stdout.find("\nbob") && best.stdout.find("\nann") < best.stdout.find("\nzoe")
    );
    // The students are in the record, for every report.
    let heads = run.events[0]["problems"][0]["submissions"].as_array().unwrap();
    assert_eq!(heads.iter().map(|head| head["student"].as_str().unwrap()).collect::<Vec<_>>(), ["ann", "bob"]);
    // With a problem named, only its submissions are judged.
    let only = judge(&workspace, &[&["-p", "twice"], &LAYOUT[..]].concat());
    only.hides("sum").shows("twice");
    // -v shows each with its failures.
    judge(&workspace, &[&LAYOUT[..], &["-v"]].concat()).shows("sum · bob/sum.sh · sample/1: WA");
}

#[apply(cli_test)]
fn what_does_not_fit_a_layout_is_told_and_stops_nobody() {
    let workspace = class();
    workspace
        .file("class/bob/smu.sh", SUM)
        .file("class/bob/twice.txt", "")
        .file("class/Cy/sum.sh", SUM)
        .file("class/Cy/sum.py", "")
        .file("class/README", "");
    let run = judge(&workspace, &LAYOUT);
    run.status(2).ends("ann/sum.sh", "AC", "met");
    run.says("class/bob/smu.sh: no problem is called `smu`").says("did you mean `sum`?");
    run.says("class/bob/twice.txt: is not a program: no known language has .txt");
    run.says("`Cy` submitted 2 for one problem: class/Cy/sum.py, class/Cy/sum.sh").says("none is judged");
    run.says("outside of the layout `{student}/{problem}.*`: README");
    assert!(row(&run, "Cy").starts_with("Cy ambiguous WA"), "{}", run.stdout);
    assert!(row(&run, "bob").contains("no program"), "{}", run.stdout);
}

#[apply(cli_test)]
fn a_broken_problem_stops_no_other() {
    let workspace = class();
    workspace.file("testcases/sum/secret/04.in", "1 1\n");
    let run = judge(&workspace, &LAYOUT);
    run.status(2).says("class/ann/sum.sh: not judged: the problem `sum` is broken (2 submissions)");
    run.says("04.in").ends("ann/twice.sh", "AC", "met").hides("no problem is called");
    std::fs::remove_dir_all(workspace.path("class/ann")).unwrap();
    std::fs::remove_dir_all(workspace.path("class/Cy")).unwrap();
    judge(&workspace, &LAYOUT).status(2).says("the problem `sum` is broken").says("04.in");
}

#[apply(cli_test)]
fn a_folder_with_the_name_of_a_problem() {
    let workspace = class();
    workspace.file("sum/ann/twice.sh", SUM);
    let words = |first: &'static str| [&[first], &LAYOUT[..]].concat();
    let run = judge(&workspace, &words("sum"));
    run.status(2).says("`sum` is a problem, and a folder here has the same name").says("--problem sum").says("./sum");
    judge(&workspace, &words("./sum")).status(2).says("`ann` submitted 2 for one problem: ./sum/ann/twice.sh");
    judge(&workspace, &[&["-p", "sum"], &LAYOUT[..]].concat()).status(1).ends("ann/sum.sh", "AC", "met");
    // The problem's own folder is no other thing.
    let words = ["judge", "sum", "../class", "--layout", "{student}/{problem}.*"];
    Call::recorded(&workspace.path("problems"), &words).run().status(1).ends("ann/sum.sh", "AC", "met");
    // Where every problem is broken their names are told all the same.
    workspace.file("problems/sum/problem.toml", "x = [").file("problems/twice/problem.toml", "x = [");
    workspace.file("class/dan/mystery.sh", SUM);
    let run = judge(&workspace, &LAYOUT);
    run.status(2).says("no problem is called `mystery`").says("choose one of sum, twice").hides("0 problems, 0");
    run.shows("none of the submissions can be judged").shows("NOT JUDGED");
}

#[apply(cli_test)]
fn points_of_what_belongs_to_no_problem_are_unknown() {
    let workspace = Workspace::with_sum();
    workspace.file("class/dan/mystery.sh", SUM);
    let book = workspace.grader(&[&["judge"], &LAYOUT[..], &["--report", "gradebook=-"]].concat());
    book.status(2).shows("dan,,").hides("-0");
    let table = judge(&workspace, &LAYOUT);
    assert_eq!(row(&table, "dan"), "dan ?");
}

#[apply(cli_test)]
fn a_program_of_another_version_says_what_its_first_line_asks_for() {
    let workspace = Workspace::with_sum();
    let why = "the first line of old.py names `python2`, which is not a known language";
    workspace.file("mixed/old.py", "#!/usr/bin/env python2\n").file("mixed/a.sh", SUM).file("mixed/b.sh", SUM);
    let run = judge(&workspace, &["sum", "mixed/old.py"]);
    run.status(2).shows(&format!("not judged: {why}")).hides("(cached)");
    judge(&workspace, &["sum", "mixed"]).says(&format!("no source file of a known language: old.py ({why})"));
    judge(&workspace, &["sum", ".", "--layout", "{student}/old.*"])
        .says(&format!("mixed/old.py: is not a program: {why}"));
}

#[apply(cli_test)]
fn layouts_that_cannot_be_meant() {
    let workspace = class();
    let with = |layout| judge(&workspace, &["class", "--layout", layout]);
    with("{studnet}/{problem}.*").status(2).says("unknown part `{studnet}`; known are `{student}` and `{problem}`");
    with("*/{problem}.*").status(2).says("does not say where the `{student}` is");
    with("{student}/[").status(2).says("--layout {student}/[");
    with("x/{student}/{problem}.*").status(2).says("nothing matches the layout `x/{student}/{problem}.*`");
    with("{student}/*").status(2).says("there are 2 problems");
    std::fs::create_dir(workspace.path("empty")).unwrap();
    judge(&workspace, &["empty", "--layout", "{student}/{problem}.*"]).status(2).says("contains nothing");
}

#[apply(cli_test)]
fn results_are_kept_as_they_come_and_taken_up_again() {
    let workspace = class();
    let args = [&LAYOUT[..], &["--out", "results"]].concat();
    let first = judge(&workspace, &args);
    first.status(1);
    let kept: Value = serde_json::from_str(&workspace.read("results/staff/bob/sum.json")).unwrap();
    assert_eq!((&kept["student"], &kept["verdict"]), (&Value::from("bob"), &Value::from("WA")));
    assert_eq!((&kept["accepted"], &kept["tests"]), (&Value::from(0), &Value::from(4)));
    assert!(workspace.read("results/students/bob/sum.txt").starts_with("sum: wrong answer, 0 of 4 tests\n"));
    let times = |name: &str| std::fs::metadata(workspace.path(name)).unwrap().modified().unwrap();
    let (before, others) = (times("results/staff/bob/sum.json"), times("results/staff/ann/sum.json"));
    std::fs::remove_file(workspace.path("results/staff/ann/sum.json")).unwrap();
    std::fs::write(workspace.path("results/staff/Cy/twice.json"), "{").unwrap();
    let again = judge(&workspace, &args);
    again.status(1).shows("2 from an earlier run");
    assert_eq!(times("results/staff/bob/sum.json"), before);
    assert!(times("results/staff/ann/sum.json") > others);
    let table = |run: &Run| run.stdout.lines().filter(|line| line.contains('/')).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(table(&again).len(), table(&first).len());
    assert!(row(&again, "bob").contains("WA 0/4"));
    // Nothing but whole files is left behind.
    let names =
        std::fs::read_dir(workspace.path("results/students/ann")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["all exercises.txt", "sum.txt", "twice.txt"]);
}

#[apply(cli_test)]
fn an_interrupted_class_is_resumed() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").toml("limits.time_limit = 60\n");
    for (n, text) in [(1, SUM), (2, "read a b\n[ $a = 1 ] || sleep 60\necho $((a + b))\n"), (3, WRONG)] {
        workspace.file(format!("class/s{n}/sum.sh"), text);
    }
    let args = ["judge", "class", "--layout", "{student}/{problem}.*", "--out", "results", "-j1"];
    let mut call = Call::recorded(&workspace.path(""), &args);
    let child = call.start();
    let begun = std::time::Instant::now();
    while !workspace.path("results/staff/s1/sum.json").exists() {
        assert!(begun.elapsed().as_secs() < 200, "no result came");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let run = call.wait(child);
    run.status(130).shows("INTERRUPTED").shows("interrupted");
    assert!(!workspace.path("results/staff/s2/sum.json").exists());
    // What is accepted so far is not accepted.
    workspace
        .grader(&["report", "last", "--report", "markdown=-"])
        .status(0)
        .shows("## grader: 1 accepted, 2 not finished");
    workspace.file("class/s2/sum.sh", "exit 1\n");
    let run = Call::recorded(&workspace.path(""), &args).run();
    run.status(1).shows("1 from an earlier run");
    assert!(row(&run, "s1").contains("AC 4/4") && row(&run, "s2").contains("RTE 0/4"), "{}", run.stdout);
}

#[apply(cli_test)]
fn a_changed_source_problem_or_setting_is_judged_again() {
    let workspace = class();
    let args = [&LAYOUT[..], &["--out", "results"]].concat();
    judge(&workspace, &args).status(1);
    let from_before = |args: &[&str], n: usize| {
        let run = judge(&workspace, args);
        assert!(run.stdout.contains(&format!("{n} from an earlier run")) || n == 0, "{n}; {}", run.all());
        assert!(n > 0 || !run.stdout.contains("earlier run"), "{}", run.all());
    };
    from_before(&args, 4);
    workspace.file("class/bob/sum.sh", SUM);
    from_before(&args, 3);
    workspace.problem("sum").case("secret/04", "1 1\n", "2\n");
    from_before(&args, 2);
    from_before(&args, 4);
    from_before(&[&args[..], &["--time-limit", "9"]].concat(), 0);
    from_before(&[&args[..], &["--time-limit", "9", "--feedback", "all"]].concat(), 0);
    from_before(&[&args[..], &["--time-limit", "9", "--feedback", "all"]].concat(), 4);
    from_before(&args, 0);
}

#[apply(cli_test)]
fn names_of_students_are_hostile() {
    use std::os::unix::ffi::OsStrExt;
    let workspace = Workspace::with_sum();
    let long = "n".repeat(250);
    let names: [&[u8]; 6] =
        [b"\x1b[2J\x1b]0;x\x07", b"\xff\xfe", b"-rf", b"...", long.as_bytes(), "a\u{202e}b".as_bytes()];
    for name in names {
        let dir = workspace.path("class").join(std::ffi::OsStr::from_bytes(name));
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("sum.sh"), SUM).unwrap();
    }
    let run = judge(&workspace, &[&LAYOUT[..], &["--out", "results"]].concat());
    // Names that begin with a dot are hidden.
    run.status(0).shows("JUDGED  5 students, 1 problem: 5 of 5");
    let shown = format!("{}{}", run.stdout, run.stderr);
    assert!(!shown.contains(['\x1b', '\u{202e}']), "{shown:?}");
    let results: Vec<_> =
        std::fs::read_dir(workspace.path("results/students")).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(results.len(), 5);
    for dir in results {
        let name = dir.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(!name.starts_with(['.', '-']) && !name.contains(char::is_control), "{name:?}");
        let staff = workspace.path("results/staff").join(name);
        assert!(staff.join("sum.json").is_file() && dir.join("sum.txt").is_file());
        assert!(!dir.join("sum.json").exists() && !staff.join("sum.txt").exists());
    }
    judge(&workspace, &[&LAYOUT[..], &["--out", "results"]].concat()).status(0).shows("5 from an earlier run");
}

#[apply(cli_test)]
fn what_students_may_see_lies_apart() {
    let workspace = class();
    workspace.file("class/Ann Lee_12/sum.sh", WRONG).file("class/a;b/sum.sh", SUM).file("class/a_b/sum.sh", SUM);
    let args = [&LAYOUT[..], &["--out", "results"]].concat();
    judge(&workspace, &args).status(1);
    let of = |place: &str, ending: &str| {
        let files = walkdir::WalkDir::new(workspace.path(format!("results/{place}"))).into_iter().flatten();
        let names = files.filter(|file| file.file_type().is_file()).map(|file| file.file_name().to_owned());
        names.filter(|name| !name.to_str().unwrap().ends_with(ending)).count()
    };
    assert_eq!((of("students", ".txt"), of("staff", ".json")), (0, 1), "only texts; results and the list of folders");
    let list = workspace.read("results/staff/students.csv");
    for row in ["Ann Lee_12,Ann Lee_12\n", "a_b,a_b\n", ",a;b\n"] {
        assert!(list.contains(row), "{list}");
    }
    assert!(list.lines().any(|row| row.starts_with("a_b~") && row.ends_with(",a;b")), "{list}");
    judge(&workspace, &args).status(1).shows("from an earlier run");
    // The layout of older versions is left alone.
    workspace.file("old/ann/sum.json", "{}").file("old/ann/sum.txt", "sum: accepted\n");
    let old = judge(&workspace, &[&LAYOUT[..], &["--out", "old"]].concat());
    old.status(2).says("an older version of grader wrote").says("old/ann/sum.json").says("name a new folder");
    assert!(!workspace.path("old/students").exists() && workspace.read("old/ann/sum.json") == "{}");
    workspace.file("results/staff/students.csv", "folder,student\n../../x,ann\n");
    judge(&workspace, &args).status(2).says("students.csv").says("cannot be the name of a folder here");
}

#[apply(cli_test)]
fn identical_submissions_are_judged_once() {
    let workspace = class();
    for student in ["dee", "eve"] {
        workspace.file(format!("class/{student}/sum.sh"), SUM);
    }
    // Another language is another program.
    workspace.file("class/fay/sum.bash", SUM);
    let run = judge(&workspace, &[&LAYOUT[..], &["--out", "results", "--no-cache"]].concat());
    run.status(1).shows("sum: 3 identical: ann, dee, eve");
    for student in ["ann", "dee", "eve"] {
        assert!(row(&run, student).contains("AC 4/4"), "{}", run.stdout);
        run.ends(&format!("{student}/sum.sh"), "AC", "met");
        let kept: Value = serde_json::from_str(&workspace.read(format!("results/staff/{student}/sum.json"))).unwrap();
        let others: Vec<&str> =
            kept["identical"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        assert!(others.len() == 2 && !others.contains(&student), "{others:?}");
    }
    // One was run, so that all have the same figures to the microsecond.
    let cpu = |student: &str| run.test(&format!("{student}/sum.sh"), "secret/01")["measured"].clone();
    assert_eq!((cpu("ann"), cpu("ann")), (cpu("dee"), cpu("eve")));
    // One of them from before, the other new: both have it.
    workspace.file("class/gil/sum.sh", SUM);
    let run = judge(&workspace, &[&LAYOUT[..], &["--out", "results"]].concat());
    assert!(row(&run, "gil").contains("AC 4/4"), "{}", run.stdout);
    run.shows("4 identical: ann, dee, eve, gil");
}

#[apply(cli_test)]
fn students_are_told_what_they_may_know() {
    let told = |level: &str| {
        let workspace = Workspace::with_sum();
        workspace.problem("sum").case("secret/04", "777 888\n", "1665\n");
        workspace.file("class/bob/sum.sh", "read a b\necho $((a - b))\necho $a $b >&2\n");
        judge(&workspace, &[&LAYOUT[..], &["--out", "results", "--feedback", level]].concat()).status(1);
        workspace.read("results/students/bob/sum.txt")
    };
    let none = told("none");
    assert!(none.starts_with("sum: wrong answer\n") && none.trim_end().lines().count() == 1, "{none}");
    let samples = told("samples");
    assert!(samples.contains("sample/1: wrong answer: line 1, column 1") && samples.contains("1 2"), "{samples}");
    assert!(samples.contains("secret/04: wrong answer\n") && !samples.contains("777"), "{samples}");
    let all = told("all");
    assert!(all.contains("777 888") && all.contains("1665"), "{all}");
    assert!(![none, samples, all].iter().any(|text| text.contains(".grader")));
}

#[apply(cli_test)]
fn words_for_the_judges_stay_with_them() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file(
        "output_validator/validate.sh",
        "echo look again > $3/teammessage.txt\necho the answer is $(cat $2) > $3/judgemessage.txt\nexit 43\n",
    );
    workspace.file("class/bob/sum.sh", WRONG);
    for level in ["samples", "all"] {
        judge(&workspace, &[&LAYOUT[..], &["--out", "results", "--feedback", level]].concat()).status(1);
        let text = workspace.read("results/students/bob/sum.txt");
        assert!(text.contains("look again") && !text.contains("the answer is"), "{text}");
        assert!(workspace.read("results/staff/bob/sum.json").contains("the answer is 15"));
    }
}

#[apply(cli_test)]
fn of_many_failures_the_first_are_explained() {
    let workspace = Workspace::with_sum();
    for n in 10..16 {
        workspace.file(format!("testcases/sum/secret/{n}.in"), format!("7 {n}\n"));
        workspace.file(format!("testcases/sum/secret/{n}.ans"), format!("{}\n", n + 7));
    }
    workspace
        .problem("sum")
        .file("output_validator/validate.sh", "seq -f 'look again %g' 20 > $3/teammessage.txt\nexit 43\n");
    workspace.file("class/bob/sum.sh", WRONG);
    for (level, explained) in [("samples", 1), ("all", 5)] {
        judge(&workspace, &[&LAYOUT[..], &["--out", "results", "--feedback", level]].concat()).status(1);
        let text = workspace.read("results/students/bob/sum.txt");
        // The judge's words to teams are shown with every verdict; nobody who reads a file can say `-v`.
        assert_eq!(text.matches("look again 1\n").count(), 10, "{text}");
        assert_eq!(text.matches("  input  ").count(), explained, "{text}");
        assert!(text.contains("… 5 more lines\n") && !text.contains("(-v)"), "{text}");
        assert_eq!(text.contains("Only the first 5 failing tests are explained."), explained == 5, "{text}");
    }
}

#[apply(cli_test)]
fn a_hidden_test_has_no_name_in_markdown() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file("output_validator/validate.sh", "exit 1\n");
    workspace.file("class/bob/sum.sh", WRONG);
    for (level, shown) in [("none", false), ("samples", true)] {
        let args = [&["judge"], &LAYOUT[..], &["--feedback", level, "--report", "markdown=m.md"]].concat();
        workspace.grader(&args).status(3);
        let text = workspace.read("m.md");
        assert!(text.contains("not your fault") && text.contains("sample/1") == shown, "{level}: {text}");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("zip")])]
fn exports_of_platforms() {
    let workspace = Workspace::with_sum();
    workspace
        .file("moodle/Ann Lee_11_assignsubmission_file_/sum.sh", SUM)
        .file("moodle/Ann Lee_12_assignsubmission_file_/x y.sh", WRONG)
        .file("moodle/Bo_13_assignsubmission_onlinetext_/onlinetext.html", "<p>")
        .file("canvas/leeann_11_900_sum.sh", SUM)
        .file("canvas/smithbo_LATE_12_901_main.sh", ". \"${0%/*}/add.sh\"\n")
        .file("canvas/smithbo_12_902_add.sh", SUM)
        .file("ilias/Exercise_7/Submissions/Lee_Ann_lee_331/20260101_sum.sh", SUM);
    for dir in ["moodle", "canvas", "ilias"] {
        zip(&workspace, dir, &format!("{dir}.zip"));
    }
    for path in ["moodle", "moodle.zip"] {
        let run = judge(&workspace, &["sum", path]);
        run.status(2).shows("JUDGED  3 students, 1 problem: 1 of 2");
        assert_eq!(row(&run, "Bo_13"), "Bo_13 no file ?");
        assert!(row(&run, "Ann Lee_11").contains("AC") && row(&run, "Ann Lee_12").contains("WA"), "{}", run.stdout);
    }
    for path in ["canvas", "canvas.zip"] {
        let run = judge(&workspace, &["sum", path]);
        run.status(0);
        assert!(row(&run, "leeann_11").contains("AC") && row(&run, "smithbo_12").contains("AC"), "{}", run.stdout);
    }
    for path in ["ilias", "ilias.zip"] {
        let run = judge(&workspace, &["sum", path, "--layout", "ilias"]);
        run.status(0).shows("Ann Lee_lee  AC");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("zip")])]
fn archives_in_archives() {
    let workspace = Workspace::with_sum();
    workspace.file("ann/work/main.sh", ". \"${0%/*}/add.sh\"\n").file("ann/work/add.sh", SUM).file("bob/sum.sh", WRONG);
    std::fs::create_dir(workspace.path("all")).unwrap();
    zip(&workspace, "ann", "all/ann.zip");
    zip(&workspace, "bob", "all/bob.zip");
    workspace.file("all/cy.zip", "no archive");
    zip(&workspace, "all", "all.zip");
    for path in ["all", "all.zip"] {
        let run = judge(&workspace, &["sum", path, "--layout", "{student}"]);
        run.status(2).says(&format!("{path}/cy.zip: not a readable archive"));
        assert!(row(&run, "ann").contains("AC 4/4") && row(&run, "bob").contains("WA"), "{}", run.stdout);
    }
    // What one person has packed may be less than what a class has.
    let zeros = vec![0; 65 << 20];
    workspace.file("fat/zeros", zeros).file("fat/sum.sh", SUM);
    zip(&workspace, "fat", "all/dee.zip");
    zip(&workspace, "all", "all.zip");
    let run = judge(&workspace, &["sum", "all.zip", "--layout", "{student}"]);
    run.status(2).says("all.zip/dee.zip: `zeros` unpacks to 65 MiB; grader unpacks at most 64 MiB");
    // Nothing that was unpacked is left.
    judge(&workspace, &["sum", "all/bob.zip"]).status(1);
}

/// The isolation of the run whose reports are there.
fn layer(workspace: &Workspace) -> String {
    let records = workspace.read("direct.jsonl");
    let head: Value = serde_json::from_str(records.lines().next().unwrap()).unwrap();
    head["isolation"].as_str().unwrap().to_owned()
}

/// An archive that is refused.
const BOMB: &str =
    "import sys, zipfile\nf = zipfile.ZipFile(sys.argv[1], 'w')\nf.writestr('../sum.sh', 'x')\nf.close()\n";

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_refused_archive_has_its_student_under_any_depth() {
    let workspace = class();
    workspace.file("bomb.py", BOMB).file("class/group-1/dee/notes", "");
    command("python3", &["bomb.py", "class/group-1/fay.zip"], &workspace.path(""));
    command("python3", &["bomb.py", "class/group-1/dee/sum.zip"], &workspace.path(""));
    let run = workspace.grader(&["judge", "class", "--layout", "**/{student}/{problem}.*"]);
    run.status(2).says("class/group-1/fay.zip");
    assert_eq!(row(&run, "fay"), "fay archive refused archive refused ?");
    assert_eq!(row(&run, "dee"), "dee archive refused no such problem ?");
    assert_eq!(row(&run, "ann").split(' ').next(), Some("ann"));
}

#[apply(cli_test)]
fn nothing_judged_is_reported_as_well() {
    let workspace = Workspace::with_sum();
    workspace
        .file("class/dee/sum.txt", "my essay")
        .file("class/eve/sum.sh", SUM)
        .file("class/eve/sum.py", "print(3)\n");
    let run = reports(&workspace, &[&["judge"], &LAYOUT[..]].concat(), &KINDS);
    run.status(2).says("class/dee/sum.txt: is not a program").says("`eve` submitted 2 for one problem");
    assert_eq!(row(&run, "dee"), "dee no program ?");
    let gradebook = workspace.read("direct.gradebook");
    assert!(gradebook.contains("\ndee,,,no program,") && gradebook.contains("\neve,,,ambiguous,"), "{gradebook}");
    assert!(workspace.read("direct.csv").contains("sum,,dee,,not judged,,,,,no program,\n"));
    assert!(workspace.read("direct.junit").contains("<testcase name=\"dee\" classname=\"sum.left out\">"));
    // A folder of programs of whom nobody knows whose they are.
    workspace.file("own/a.txt", "my essay").file("own/b.txt", "another");
    let run = workspace.grader(&["judge", "sum", "own"]);
    run.status(2)
        .says("own: no source file of a known language: a.txt, b.txt")
        .shows("none of the submissions can be judged");
    std::fs::create_dir(workspace.path("empty")).unwrap();
    workspace.grader(&["judge", "sum", "empty"]).status(2).says("error: empty: is empty");
}

#[apply(cli_test)]
#[needs(&[Need::NoRoot])]
fn a_directory_that_cannot_be_read_has_its_student() {
    use std::os::unix::fs::PermissionsExt as _;
    let workspace = class();
    workspace.file("class/dee/sum.sh", SUM);
    let dir = workspace.path("class/dee");
    std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o000)).unwrap();
    let run = workspace.grader(&[&["judge"], &LAYOUT[..]].concat());
    std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o755)).unwrap();
    run.status(2).says("class/dee: ").says("ermission denied");
    assert_eq!(row(&run, "dee"), "dee cannot be read cannot be read ?");
    assert_eq!(row(&run, "ann").split(' ').next(), Some("ann"));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("zip"), Need::Tool("python3")])]
fn a_refused_archive_has_its_student() {
    let workspace = class();
    workspace.file("bomb.py", BOMB);
    command("python3", &["bomb.py", "class/dee.zip"], &workspace.path(""));
    std::fs::create_dir(workspace.path("class/eve")).unwrap();
    command("python3", &["bomb.py", "class/eve/sum.zip"], &workspace.path(""));
    let run = reports(&workspace, &[&["judge"], &LAYOUT[..]].concat(), &KINDS);
    run.status(2).says("class/dee.zip: `../sum.sh` leaves the folder").says("class/eve/sum.zip").shows("5 students");
    // Nobody knows which problem the first was for.
    let gradebook = workspace.read("direct.gradebook");
    assert!(gradebook.contains("\ndee,,,,archive refused,archive refused,"), "{gradebook}");
    assert!(gradebook.contains("\nann,1,1,2,AC,AC,"), "{gradebook}");
    assert_eq!(row(&run, "dee"), "dee archive refused archive refused ?");
    assert!(gradebook.contains("\neve,,,,archive refused,,"), "{gradebook}");
    // The names of platforms and folders of programs alike.
    workspace.file("moodle/Ann_1_assignsubmission_file_sum.sh", SUM);
    command("python3", &["bomb.py", "moodle/Bob_2_assignsubmission_file_sum.zip"], &workspace.path(""));
    let run = workspace.grader(&["judge", "-p", "sum", "moodle", "--report", "gradebook=-"]);
    run.status(2).shows("Bob_2,Bob,2,,,archive refused,").shows("Ann_1,Ann,1,1,1,AC,").says("leaves the folder");
    run.hides("is not a program");
    workspace.file("own/a.sh", SUM).file("own/b.sh", WRONG);
    command("python3", &["bomb.py", "own/c.zip"], &workspace.path(""));
    let run = workspace.grader(&["judge", "-p", "sum", "own", "--report", "gradebook=-"]);
    run.status(2).shows("own/c,,,archive refused,");
}

#[apply(cli_test)]
fn a_broken_problem_has_its_column() {
    let workspace = class();
    workspace.file("testcases/sum/secret/04.in", "1 1\n");
    let run = reports(&workspace, &[&["judge"], &LAYOUT[..]].concat(), &KINDS);
    run.status(2).says("the problem `sum` is broken");
    let layer = layer(&workspace);
    let expect = format!(
        "student,twice,sum,total,twice verdict,sum verdict,grading,isolation\n\
        Cy,0,,0,WA,,all or nothing,{layer}\n\
        ann,1,,,AC,not judged,all or nothing,{layer}\n\
        bob,,,,,not judged,all or nothing,{layer}\n"
    );
    assert_eq!(workspace.read("direct.gradebook"), expect);
    assert_eq!(row(&run, "bob"), "bob · not judged ?");
    assert!(workspace.read("direct.csv").contains("sum,,ann,,not judged,,,,,not judged,\n"));
    assert!(workspace.read("direct.junit").contains("<testcase name=\"ann\" classname=\"sum.left out\">"));
}

#[apply(cli_test)]
fn explanations_outlive_the_run() {
    let workspace = class();
    let args = [&["judge"], &LAYOUT[..], &["--out", "results", "--feedback", "all", "--report", "markdown=-"]].concat();
    let explained = |run: &Run| run.stdout.matches("\n  input ").count();
    let first = workspace.grader(&args);
    assert!(explained(&first) > 0, "{}", first.all());
    let again = workspace.grader(&args);
    again.status(1).says("4 from an earlier run");
    assert_eq!(without_others(&again.stdout), without_others(&first.stdout));
    // What another run has kept since then under the same name is not this result's.
    let source = workspace.read("class/bob/sum.sh");
    workspace.file("class/bob/sum.sh", "echo other\n");
    judge(&workspace, &LAYOUT).status(1);
    workspace.file("class/bob/sum.sh", source);
    let later = workspace.grader(&args);
    later.status(1).says("4 from an earlier run").hides("other");
    assert!(explained(&later) < explained(&first), "{}", later.all());
    // Nor is what somebody wrote into the results.
    let json = workspace.read("results/staff/Cy/twice.json").replace(".grader/last/", ".grader/../");
    workspace.file("results/staff/Cy/twice.json", json);
    workspace.grader(&args).status(1).says("4 from an earlier run");
}

#[apply(cli_test)]
fn a_folder_of_cases_needs_no_solver() {
    let workspace = Workspace::bare();
    workspace.file("sum/1.in", "1 2\n").file("sum/1.ans", "3\n").file("sum/2.in", "2 2\n").file("sum/2.ans", "4\n");
    workspace.file("in/ann.sh", SUM).file("in/bob.sh", WRONG).file("out", "4\n");
    judge(&workspace, &["sum", "in/ann.sh"]).status(0).ends("in/ann.sh", "AC", "met");
    judge(&workspace, &["-p", "sum", "in"]).status(1).ends("in/bob.sh", "WA", "met");
    judge(&workspace, &["sum", "in/bob.sh", "-t", "2"]).status(1).shows("1 WA");
    judge(&workspace, &["sum", "in/ann.sh", "-t", "3"]).status(2).says("no test matches `3`");
    check(&workspace, &["sum", "out", "-t", "2"]).status(0);
    let inside = Call::recorded(&workspace.path("sum"), &["judge", "../in/ann.sh"]).run();
    inside.status(0).ends("../in/ann.sh", "AC", "met");
    workspace.file("sum/3.ans", "3\n");
    judge(&workspace, &["sum", "in/ann.sh"]).status(2).says("answer without an input 3.in");
    // To grade one's own it takes a solver.
    workspace.run(&["sum"]).status(2);
    // Another problem beside it changes nothing.
    let workspace = Workspace::bare();
    workspace
        .file("grader.toml", "problems = [\".\"]\n")
        .file("sum/secret/1.in", "1 2\n")
        .file("sum/secret/1.ans", "3\n");
    workspace.file("k/k.sh", SUM).file("k/1.in", "1 2\n").file("k/1.ans", "3\n").file("class/ann.sh", SUM);
    workspace.grader(&["judge", "class", "-p", "sum"]).status(0).silent().shows("JUDGED  1 AC");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("zip"), Need::Tool("python3")])]
fn bad_archives_are_refused() {
    let workspace = Workspace::with_sum();
    let make = "import zipfile, os
def z(name, *entries):
    with zipfile.ZipFile(name, 'w', zipfile.ZIP_DEFLATED) as f:
        for info, data in entries: f.writestr(info, data)
link = zipfile.ZipInfo('ann/sum.sh'); link.external_attr = 0o120777 << 16
z('escape.zip', ('../../escaped.sh', 'x'), ('/tmp/escaped.sh', 'x'))
z('link.zip', (link, '/etc/passwd'))
z('bomb.zip', ('ann/sum.sh', b'#' * (300 << 20)))
import warnings; warnings.simplefilter('ignore')
z('two.zip', ('ann/sum.sh', 'a'), ('ann/sum.sh', 'b'))
z('deep.zip', *[('/'.join(['x%d' % n] + ['d'] * 30), '') for n in range(16200)])
";
    workspace.file("make.py", make);
    command("python3", &["make.py"], &workspace.path(""));
    for (archive, why) in [
        ("escape.zip", "`../../escaped.sh` leaves the folder; `/tmp/escaped.sh` is an absolute path"),
        ("link.zip", "is a symbolic link"),
        ("bomb.zip", "unpacks to 300 MiB; grader unpacks at most 256 MiB"),
        ("two.zip", "two entries have the same name"),
        ("deep.zip", "more than 200000 files and directories"),
    ] {
        let run = judge(&workspace, &["sum", archive, "--layout", "{student}/{problem}.*", "--out", "results"]);
        run.status(2).says(why).says(&format!("error: {archive}"));
    }
    assert!(!workspace.path("escaped.sh").exists() && !workspace.path("../escaped.sh").exists());
}

#[apply(cli_test)]
fn links_of_students_are_not_followed() {
    let workspace = Workspace::with_sum();
    workspace.file("secret", "the answers\n").file("class/ann/sum.sh", SUM);
    std::fs::create_dir(workspace.path("class/bob")).unwrap();
    std::os::unix::fs::symlink(workspace.path("secret"), workspace.path("class/bob/sum.sh")).unwrap();
    std::os::unix::fs::symlink(workspace.path("problems"), workspace.path("class/cy")).unwrap();
    let run = judge(&workspace, &LAYOUT);
    run.status(2)
        .says("class/bob/sum.sh: is a symbolic link, which grader does not follow")
        .says("class/cy: is a symbolic link");
    assert!(!run.all().contains("the answers"));
    // Each of them has a row.
    assert_eq!((row(&run, "bob"), row(&run, "cy")), ("bob link ?".to_owned(), "cy link ?".to_owned()));
    // A shell's `*` names them one by one.
    let run = judge(&workspace, &["sum", "class/ann/sum.sh", "class/bob/sum.sh", "class/cy"]);
    run.status(2).says("class/bob/sum.sh: is a symbolic link").says("class/cy: is a symbolic link");
    run.ends("class/ann/sum.sh", "AC", "met").hides("the answers");
    let run = check(&workspace, &["sum", "class/bob/sum.sh", "-t", "sample/1"]);
    run.status(2).says("class/bob/sum.sh: is a symbolic link, which grader does not follow").hides("the answers");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn one_student_never_touches_another() {
    let workspace = Workspace::with_sum();
    workspace
        .file("class/a-right/sum.sh", SUM)
        .file("class/b-hang/sum.sh", "sleep 1000\n")
        .file("class/c-fork/sum.sh", "f() { f | f & }\nf\nsleep 100\n")
        .file("class/d-flood/sum.py", "import sys\nwhile True: sys.stdout.write('x' * 1000000)\n")
        .file("class/e-eats/sum.py", "x = []\nwhile True: x.append(bytearray(1 << 20))\n")
        .file("class/f-kills/sum.sh", "kill -9 -1\nrm -rf / 2>/dev/null\n")
        .file("class/g-right/sum.sh", format!("# mine\n{SUM}"));
    let args = ["-j2", "--time-limit", "0.5", "-t", "secret", "--out", "results", "--feedback", "all"];
    let run = judge(&workspace, &[&LAYOUT[..], &args].concat());
    if run.status == 2 && run.stderr.contains("programs of others are not run behind weak walls") {
        return;
    }
    run.status(1);
    for (student, expect) in
        [("a-right", "AC 3/3"), ("b-hang", "TLE 0/3"), ("d-flood", "OLE 0/3"), ("e-eats", "0/3"), ("g-right", "AC 3/3")]
    {
        assert!(row(&run, student).contains(expect), "{student}: {}", run.stdout);
    }
    assert!(!row(&run, "c-fork").contains("AC") && !row(&run, "f-kills").contains("AC"), "{}", run.stdout);
    // What is kept of a flood is bounded.
    assert!(std::fs::metadata(workspace.path("results/students/d-flood/sum.txt")).unwrap().len() < 100_000);
}

/// Outputs of `sum` below `out/`: one wrong, one missing, one too many.
fn outputs() -> Workspace {
    let workspace = Workspace::with_sum();
    workspace
        .file("out/sample/1.out", "3\n")
        .file("out/secret/01.out", "4")
        .file("out/secret/02.out", "16\n")
        .file("out/secret/07.out", "0\n");
    workspace
}

#[apply(cli_test)]
fn outputs_are_judged_like_a_run() {
    let workspace = outputs();
    for run in [check(&workspace, &["sum", "out"]), judge(&workspace, &["sum", "--outputs", "out"])] {
        run.status(1).ends("out", "WA", "met").judged("out", "secret/02", "WA", "expected `15`, got `16`");
        run.shows("1 of 4 fail: secret/02  1 missing").hides("0.000 s");
        assert_eq!(run.test("out", "secret/03")["reason"], "missing");
        run.shows("sum · out: missing: secret/03").says("out: unexpected: out/secret/07.out");
        run.shows("line 1, column 1: expected `15`, got `16`")
            .shows("again    grader judge sum --outputs out -t secret/02");
    }
    // No program of the set is run, and nothing is remembered of what was not.
    workspace.file("out/secret/02.out", "15\n").file("out/secret/03.out", "0\n");
    std::fs::remove_file(workspace.path("out/secret/07.out")).unwrap();
    check(&workspace, &["sum", "out"]).status(0).silent().shows("JUDGED  1 AC · 4 results ·").hides("slowest");
    check(&workspace, &["sum", "out", "--checker", "exact"]).status(1).judged("out", "secret/01", "WA", "");
}

#[apply(cli_test)]
fn missing_outputs_are_worth_nothing() {
    let workspace = Workspace::with_sum();
    workspace.file("part/sample/1.out", "3\n");
    let kinds = [&KINDS[..], &["gradescope"]].concat();
    let run = reports(&workspace, &["check", "sum", "part"], &kinds);
    run.status(1).shows("missing: secret/01, secret/02, secret/03");
    run.shows("– part                  incomplete  3 missing").shows("JUDGED  1 incomplete").hides("AC");
    let gradebook = workspace.read("direct.gradebook");
    assert!(
        gradebook.starts_with("student,sum,total,sum verdict,grading,isolation\npart,,,incomplete,"),
        "{gradebook}"
    );
    let results: Value = serde_json::from_str(&workspace.read("direct.gradescope")).unwrap();
    let tests = results["tests"].as_array().unwrap();
    assert_eq!(results["score"], 0.0, "{results}");
    assert!(tests[1..].iter().all(|test| test["status"] == "failed" && test["score"].is_null()), "{results}");
    assert!(results["output"].as_str().unwrap().contains("incomplete"), "{results}");
    let markdown = workspace.read("direct.markdown");
    assert!(markdown.contains("0 accepted, 1 not accepted") && markdown.contains("➖ incomplete"), "{markdown}");
    assert_eq!(workspace.read("direct.junit").matches("message=\"missing\"").count(), 3);
    // Nor is a program accepted on tests that have no answer; that is known of it later too.
    let workspace = Workspace::bare();
    workspace.file("main.sh", SUM).file("1.in", "1 2\n").file("1.ans", "3\n").file("2.in", "1 1\n");
    workspace.file("class/bob.sh", SUM);
    let args = ["judge", "class", "--layout", "{student}.sh", "--out", "results"];
    for before in [false, true] {
        let run = reports(&workspace, &args, &kinds);
        assert_eq!(run.stdout.contains("from an earlier run"), before, "{}", run.all());
        assert_eq!(row(&run, "bob"), "bob incomplete ?");
        assert!(workspace.read("direct.gradescope").contains("has no answer for the comparison"));
        assert!(workspace.read("direct.gradebook").contains("bob,,,incomplete,"));
    }
}

#[apply(cli_test)]
fn outputs_are_paired_by_name() {
    let workspace = Workspace::with_sum();
    workspace.file("flat/1.ans", "3\n").file("flat/01", "4\n").file("flat/02.out", "15\n").file("flat/x/03.out", "0\n");
    check(&workspace, &["sum", "flat"]).status(0).silent();
    workspace.file("flat/02.ans", "15\n");
    let run = check(&workspace, &["sum", "flat"]);
    run.status(2).says("2 files for secret/02: flat/02.ans, flat/02.out").says("keep one; grader judges none of them");
    workspace.problem("sum").case("sample/01", "1 1\n", "2\n");
    let run = check(&workspace, &["sum", "flat"]);
    run.status(2)
        .says("flat/01: could be sample/01 or secret/01")
        .says("move it into a folder of the group: sample/01.out");
    workspace.file("none/a.txt", "");
    check(&workspace, &["sum", "none"])
        .status(2)
        .says("no file in it has the name of a case of sum")
        .says("sample/01.out");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("zip")])]
fn outputs_by_a_pattern_and_from_an_archive() {
    let workspace = Workspace::with_sum();
    for (name, text) in [("sample/1", "3"), ("secret/01", "4"), ("secret/02", "15"), ("secret/03", "0")] {
        workspace.file(format!("out/mine-{}.txt", name.replace('/', "-")), text);
        workspace.file(format!("tree/{name}.txt"), text);
    }
    check(&workspace, &["sum", "tree", "--pattern", "{test}.txt"]).status(0);
    zip(&workspace, "tree", "tree.zip");
    check(&workspace, &["sum", "tree.zip", "--pattern", "{test}.txt"]).status(0).ends("tree.zip", "AC", "met");
    check(&workspace, &["sum", "out", "--pattern", "mine-*-{test}.txt"]).status(0);
    check(&workspace, &["sum", "out", "--pattern", "*.txt"]).status(2).says("does not say where the `{test}` is");
    check(&workspace, &["sum", "out", "--pattern", "{tset}.txt"]).status(2).says("unknown part `{tset}`");
}

#[apply(cli_test)]
fn one_output_file_and_standard_input() {
    let workspace = Workspace::with_sum();
    workspace.file("mine", "3\n").file("01.out", "4\n");
    check(&workspace, &["sum", "mine", "-t", "sample/1"]).status(0).ends("mine", "AC", "met");
    check(&workspace, &["sum", "mine", "-t", "secret/01"]).status(1).judged("mine", "secret/01", "WA", "");
    check(&workspace, &["sum", "mine"]).status(2).says("has the name of none of the 4 cases").says("-t sample/1");
    let named = check(&workspace, &["sum", "01.out"]);
    named.status(1).judged("01.out", "secret/01", "AC", "").shows("3 missing");
    let mut call = Call::recorded(&workspace.path(""), &["judge", "sum", "--outputs", "-", "-t", "sample/1"]);
    let mut child = call.piped();
    child.stdin.take().unwrap().write_all(b"3\n").unwrap();
    call.wait(child).status(0).ends("-", "AC", "met");
}

#[apply(cli_test)]
fn outputs_are_judged_by_the_validator() {
    let workspace = outputs();
    workspace.problem("sum").file(
        "output_validator/validate.sh",
        "read a < $2\nread o\n[ $a = $o ] && exit 42\necho off by $((o - a)) > $3/judgemessage.txt\nexit 43\n",
    );
    let run = check(&workspace, &["sum", "out"]);
    run.status(1).judged("out", "secret/02", "WA", "off by 1").judged("out", "secret/01", "AC", "");
    workspace.problem("sum").file("output_validator/validate.sh", "exit 7\n");
    check(&workspace, &["sum", "out"]).status(3).shows("exit code 7 instead of 42");
}

#[apply(cli_test)]
fn an_output_over_the_limit() {
    let workspace = outputs();
    workspace.file("big", vec![b'3'; 9 << 20]);
    let run = check(&workspace, &["sum", "big", "-t", "sample/1"]);
    run.status(1).judged("big", "sample/1", "OLE", "more than 8 MiB of output");
    workspace.problem("sum").file("output_validator/validate.sh", "exit 42\n");
    check(&workspace, &["sum", "big", "-t", "sample/1"]).status(1).judged("big", "sample/1", "OLE", "more than 8 MiB");
}

#[apply(cli_test)]
fn outputs_that_cannot_be_judged() {
    let workspace = outputs();
    check(&workspace, &["sum", "nope", "nope2"]).status(2).says("nope: no such file").says("nope2: no such file");
    workspace.grader(&["check", "--help"]).status(0).shows("--pattern").shows("grader judge PROBLEM --outputs FILE");
    check(&workspace, &["smu", "out"]).status(2).says("did you mean `sum`?");
    workspace.problem("sum").toml("type = \"interactive\"\n").file("output_validator/validate.sh", "exit 42\n");
    check(&workspace, &["sum", "out"]).status(2).says("sum is of type interactive").says("grader judge sum PROGRAM");
}

#[apply(cli_test)]
fn pipes_and_links_among_outputs() {
    let workspace = outputs();
    workspace.pipe("out/secret/03.out").pipe("pipe");
    std::fs::remove_file(workspace.path("out/sample/1.out")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", workspace.path("out/sample/1.out")).unwrap();
    let run = check(&workspace, &["sum", "out"]);
    run.status(1)
        .says("out/secret/03.out: is neither a file nor a directory")
        .says("out/sample/1.out: is a symbolic link");
    assert!(!run.all().contains("root:"));
    check(&workspace, &["sum", "pipe", "-t", "sample/1"]).status(2).says("pipe: is neither a file nor a directory");
}
