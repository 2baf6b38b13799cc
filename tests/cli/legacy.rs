//! The legacy package format: graders, points, and several output validators, as the packages mean them.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::cli::need::Need;
use crate::cli::record::comparable;
use crate::cli::run::Run;
use crate::cli::workspace::Workspace;

const PYTHON: &[Need] = &[Need::Tool("python3")];
const BOTH: &[Need] = &[Need::Tool("python3"), Need::Tool("g++")];

/// The right solutions of `sum`; a shell starts ten times faster than PyPy.
const CPP: &str = "#include <iostream>\nint main() { long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }\n";
const SH: &str = "read a b\necho $((a + b))\n";

/// Wrong where the first number is one of these.
fn wrong_at(numbers: &str) -> String {
    format!("read a b\ncase $a in {numbers}) echo 0;; *) echo $((a + b));; esac\n")
}

/// Crashes where the first number is one of these.
fn crash_at(numbers: &str) -> String {
    format!("read a b\ncase $a in {numbers}) exit 1;; *) echo $((a + b));; esac\n")
}

/// A legacy package of sums: one for each name, whose first number is given.
struct Package {
    workspace: Workspace,
}

impl Package {
    fn new(yaml: &str, cases: &[(&str, u32)]) -> Self {
        let package = Self { workspace: Workspace::new() };
        package.file("problem.yaml", yaml).file(".timelimit", "3\n");
        for (name, a) in cases {
            package.file(&format!("data/{name}.in"), &format!("{a} 1\n"));
            package.file(&format!("data/{name}.ans"), &format!("{}\n", a + 1));
        }
        package
    }

    fn file(&self, name: &str, text: &str) -> &Self {
        self.workspace.file(format!("problems/p/{name}"), text);
        self
    }

    fn run(&self, arguments: &[&str]) -> Run {
        self.workspace.run(arguments)
    }
}

/// As olympiads have it: the samples do not count, and each of two subtasks is passed or failed.
fn olympiad() -> Package {
    let package = Package::new(
        "type: scoring\ngrading: {objective: max, show_test_data_groups: true}\n",
        &[
            ("sample/1", 1),
            ("secret/g1/1", 10),
            ("secret/g1/2", 11),
            ("secret/g1/3", 12),
            ("secret/g2/1", 20),
            ("secret/g2/2", 21),
        ],
    );
    package
        .file("data/testdata.yaml", "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n")
        .file("data/sample/testdata.yaml", "accept_score: 0\nrange: 0 0\ngrader_flags: first_error\n")
        .file("data/secret/testdata.yaml", "grader_flags: first_error accept_if_any_accepted\n")
        .file("data/secret/g1/testdata.yaml", "on_reject: break\naccept_score: 40\nrange: 0 40\ngrader_flags: min\n")
        .file("data/secret/g2/testdata.yaml", "on_reject: break\naccept_score: 60\nrange: 0 60\ngrader_flags: min\n");
    package
}

#[track_caller]
fn scores(run: &Run, submission: &str, score: &Value, groups: &[(&str, f64)]) {
    let end = run.end(submission);
    assert_eq!(&end["score"], score, "{submission}: {end}; {}", run.all());
    let listed = end["groups"].as_array().cloned().unwrap_or_default();
    let found: Vec<(String, f64)> = listed
        .iter()
        .map(|group| (group["group"].as_str().unwrap().to_owned(), group["score"].as_f64().unwrap()))
        .collect();
    let expect: Vec<(String, f64)> = groups.iter().map(|(name, score)| ((*name).to_owned(), *score)).collect();
    assert_eq!(found, expect, "{submission}: {end}");
}

#[apply(cli_test)]
#[needs(BOTH)]
fn subtasks_give_points() {
    let package = olympiad();
    package
        .file("submissions/accepted/sum.cpp", CPP)
        .file("submissions/accepted/sample.sh", &wrong_at("1"))
        .file("submissions/partially_accepted/first.sh", &wrong_at("21"))
        .file("submissions/partially_accepted/second.sh", &wrong_at("11"))
        .file("submissions/wrong_answer/none.sh", &wrong_at("11|20"))
        .file("submissions/run_time_error/crash.sh", &crash_at("10|20"));
    let run = package.run(&[]);
    run.status(0).silent().ends("accepted/sum.cpp", "AC", "met").ends("accepted/sample.sh", "AC", "met");
    run.ends("partially_accepted/first.sh", "AC", "met").ends("wrong_answer/none.sh", "WA", "met");
    run.ends("run_time_error/crash.sh", "RTE", "met");
    scores(&run, "accepted/sum.cpp", &json!(100.0), &[("sample", 0.0), ("secret/g1", 40.0), ("secret/g2", 60.0)]);
    let first = [("sample", 0.0), ("secret/g1", 40.0), ("secret/g2", 0.0)];
    scores(&run, "partially_accepted/first.sh", &json!(40.0), &first);
    let second = [("sample", 0.0), ("secret/g1", 0.0), ("secret/g2", 60.0)];
    scores(&run, "partially_accepted/second.sh", &json!(60.0), &second);
    scores(&run, "wrong_answer/none.sh", &json!(0.0), &[("sample", 0.0), ("secret/g1", 0.0), ("secret/g2", 0.0)]);
    assert_eq!(run.tests("test_skipped", "partially_accepted/second.sh"), ["secret/g1/3"]);
    assert_eq!(run.events[0]["problems"][0]["max_score"], 100.0);
    run.shows("100 points").shows("40 of 100").shows("secret/g1 40 of 40 · secret/g2 0 of 60");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_group_that_is_too_slow_is_no_time_of_accepted_ones() {
    let package = olympiad();
    let slow = SH.replace("echo", "while [ $a = 20 ]; do :; done\necho");
    package.file("submissions/accepted/sum.sh", SH).file("submissions/partially_accepted/slow.sh", &slow);
    let run = package.file(".timelimit", "0.5\n").run(&[]);
    run.status(0).ends("partially_accepted/slow.sh", "AC", "met").judged(
        "partially_accepted/slow.sh",
        "secret/g2/1",
        "TLE",
        "limit 0.5 s",
    );
    run.shows("slowest AC 0.0").shows("margins safe");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn what_is_not_judged_is_skipped_whatever_the_order() {
    // By default everything ends at the first failure, and the samples count like all else.
    let package = Package::new("type: scoring\n", &[("sample/1", 1), ("secret/a/1", 10), ("secret/b/1", 20)]);
    package
        .file("submissions/accepted/sum.sh", SH)
        .file("submissions/wrong_answer/sample.sh", &wrong_at("1"))
        .file("submissions/wrong_answer/a.sh", &wrong_at("10"))
        .file("submissions/run_time_error/b.sh", &crash_at("20"));
    let one = package.run(&["-j1", "--no-cache"]);
    one.status(0).ends("wrong_answer/sample.sh", "WA", "met").ends("run_time_error/b.sh", "RTE", "met");
    scores(&one, "accepted/sum.sh", &json!(3.0), &[("sample", 1.0), ("secret/a", 1.0), ("secret/b", 1.0)]);
    assert_eq!(one.tests("test_skipped", "wrong_answer/sample.sh"), ["secret/a/1", "secret/b/1"]);
    assert_eq!(one.tests("test_skipped", "wrong_answer/a.sh"), ["secret/b/1"]);
    for arguments in [&["-j4", "--no-cache"][..], &["-j2"], &["-j2"], &["--all-tests"]] {
        let many = package.run(arguments);
        assert_eq!(comparable(&one.events[1..]), comparable(&many.events[1..]), "{arguments:?}");
    }
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn labels_are_about_what_the_graders_say() {
    let package = olympiad();
    package
        .file("submissions/accepted/half.sh", &wrong_at("21"))
        .file("submissions/partially_accepted/all.sh", SH)
        .file("submissions/wrong_answer/half.sh", &wrong_at("21"))
        .file("submissions/wrong_answer/right.sh", SH)
        .file("submissions/mixed/some.sh", &format!("# @EXPECTED_RESULTS@: CORRECT\n{}", wrong_at("21")))
        .file("submissions/mixed/none.sh", "# @EXPECTED_RESULTS@: WRONG-ANSWER\necho 0\n")
        .file("submissions/mixed/score.sh", &format!("# @EXPECTED_SCORE@: 40\n{}", wrong_at("21")))
        .file("submissions/mixed/more.sh", &format!("# @EXPECTED_SCORE@: 41\n{}", wrong_at("21")));
    let run = package.run(&[]);
    run.status(1).ends("accepted/half.sh", "AC", "missed").shows("expected 100 points, got 40");
    run.ends("partially_accepted/all.sh", "AC", "missed").shows("expected some but not all points, got 100");
    run.ends("wrong_answer/half.sh", "AC", "missed").shows("expected WA, got AC from the graders");
    run.ends("wrong_answer/right.sh", "AC", "missed").shows("expected WA, got AC");
    run.ends("mixed/some.sh", "AC", "met").ends("mixed/none.sh", "WA", "met").ends("mixed/score.sh", "AC", "met");
    run.ends("mixed/more.sh", "AC", "missed").shows("expected 41 points, got 40");
    package.file(
        "submissions/submissions.yaml",
        "'mixed/{score, more}.sh':\n  secret/g1:\n    score: 40\n  secret:\n    score: [30, 41]\n  score: 40\n",
    );
    package.run(&["-s", "score.sh"]).status(0).ends("mixed/score.sh", "AC", "met");
}

/// The points of a submission that is wrong on the second of three cases worth 4, where a wrong one is worth 1.
fn with_flags(flags: &str) -> (Value, Value) {
    let package = Package::new("type: scoring\n", &[("secret/1", 10), ("secret/2", 11), ("secret/3", 12)]);
    let yaml = format!("on_reject: continue\naccept_score: 4\nreject_score: 1\ngrader_flags: {flags}\n");
    package.file("data/secret/testdata.yaml", &yaml);
    package.file("submissions/x/x.sh", "read a b\n[ $a = 12 ] && exit 1\n[ $a = 10 ] && echo $((a + b)) || echo 0\n");
    let run = package.run(&[]);
    let end = run.end("x/x.sh");
    (end["verdict"].clone(), end["groups"][0]["score"].clone())
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn every_mode_of_the_default_grader() {
    for (flags, verdict, score) in [
        ("''", "RTE", 6.0),
        ("no_errors avg", "RTE", 2.0),
        ("first_error min", "WA", 1.0),
        ("always_accept max", "AC", 4.0),
        ("sum accept_if_any_accepted", "AC", 6.0),
        ("always_accept min first_error avg", "WA", 2.0),
    ] {
        assert_eq!(with_flags(flags), (json!(verdict), json!(score)), "{flags}");
    }
}

#[apply(cli_test)]
#[needs(BOTH)]
fn a_failure_may_be_forgiven_without_points() {
    let package = Package::new("name: Sum\n", &[("sample/1", 1), ("secret/1", 10), ("secret/2", 11)]);
    package
        .file("data/secret/testdata.yaml", "on_reject: continue\ngrader_flags: accept_if_any_accepted\n")
        .file("submissions/accepted/sum.cpp", CPP)
        .file("submissions/accepted/one.sh", &wrong_at("10"))
        .file("submissions/wrong_answer/sample.sh", &wrong_at("1"))
        .file("submissions/wrong_answer/none.sh", &wrong_at("10|11"))
        .file("submissions/wrong_answer/other.sh", &wrong_at("11"));
    let run = package.run(&[]);
    run.status(1).ends("accepted/one.sh", "AC", "met").ends("wrong_answer/none.sh", "WA", "met").hides("points");
    run.ends("wrong_answer/sample.sh", "WA", "met").ends("wrong_answer/other.sh", "AC", "missed");
    assert_eq!(run.end("accepted/one.sh")["score"], Value::Null);
    // What is handed in is judged alike.
    package.workspace.file("one.sh", wrong_at("10"));
    let handed_in = package.workspace.grader(&["judge", "p", "one.sh"]);
    assert!(handed_in.stdout.contains("AC"), "{}", handed_in.all());
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn the_worst_verdict_counts_where_judging_goes_on() {
    let package = Package::new("name: Sum\n", &[("secret/1", 10), ("secret/2", 11)]);
    package
        .file("data/testdata.yaml", "on_reject: continue\n")
        .file("submissions/accepted/sum.sh", SH)
        .file("submissions/run_time_error/late.sh", "read a b\n[ $a = 11 ] && exit 1\necho 0\n");
    let run = package.run(&[]);
    run.status(0).ends("accepted/sum.sh", "AC", "met").ends("run_time_error/late.sh", "RTE", "met");
    package.file("data/testdata.yaml", "on_reject: break\n").run(&[]).ends("run_time_error/late.sh", "WA", "met");
}

/// Gives as many points as the output says after the sum, which may be wrong.
const POINTS: &str = "import sys
total, points = sys.stdin.read().split()
if total != open(sys.argv[2]).read().strip():
    sys.exit(43)
if points != 'none':
    open(sys.argv[3] + 'score.txt', 'w').write(points)
sys.exit(42)
";

/// A package whose output validator gives points.
fn by_validator(yaml: &str) -> Package {
    let package = Package::new(yaml, &[("secret/1", 10), ("secret/2", 11)]);
    package.file("output_validators/points.py", POINTS);
    package
}

fn says(points: &str) -> String {
    format!("read a b\necho $((a + b)) {points}\n")
}

#[apply(cli_test)]
#[needs(BOTH)]
fn an_output_validator_gives_points() {
    let package = by_validator("type: scoring\nvalidation: custom score\n");
    package
        .file("data/testdata.yaml", "range: -5 20\n")
        .file("submissions/accepted/full.cpp", &CPP.replace("a + b <<", "a + b << \" 10\" <<"))
        .file("submissions/accepted/less.sh", &says("9.5"))
        .file("submissions/partially_accepted/some.sh", &says("$((a - 12))"))
        .file("submissions/wrong_answer/wrong.sh", "echo 0 3\n");
    let run = package.run(&[]);
    run.status(0).ends("accepted/full.cpp", "AC", "met").ends("wrong_answer/wrong.sh", "WA", "met");
    scores(&run, "accepted/full.cpp", &json!(20.0), &[("secret", 20.0)]);
    scores(&run, "accepted/less.sh", &json!(19.0), &[("secret", 19.0)]);
    scores(&run, "partially_accepted/some.sh", &json!(-3.0), &[("secret", -3.0)]);
    scores(&run, "wrong_answer/wrong.sh", &json!(0.0), &[("secret", 0.0)]);
    assert_eq!(run.test("accepted/less.sh", "secret/1")["score"], 9.5);
    run.shows("19 of 20");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn fewer_points_may_be_better() {
    let package = by_validator("type: scoring\nvalidation: custom score\ngrading: {objective: min}\n");
    package
        .file("data/testdata.yaml", "range: 4 +inf\n")
        .file("submissions/accepted/best.sh", &says("2"))
        .file("submissions/partially_accepted/worse.sh", &says("5"))
        .file("submissions/partially_accepted/best.sh", &says("2"))
        .file("submissions/wrong_answer/wrong.sh", "echo 0 1\n");
    let run = package.run(&[]);
    run.status(1).ends("accepted/best.sh", "AC", "met").ends("partially_accepted/worse.sh", "AC", "met");
    run.ends("partially_accepted/best.sh", "AC", "missed").shows("expected more than 4 points, got 4");
    scores(&run, "partially_accepted/worse.sh", &json!(10.0), &[("secret", 10.0)]);
    assert_eq!(run.end("wrong_answer/wrong.sh")["score"], Value::Null);
    run.shows("10 points");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn points_of_a_validator_that_must_not_be_are_judge_errors() {
    let scored = "type: scoring\nvalidation: custom score\n";
    for (yaml, program, message) in [
        (scored, says("none"), "no score.txt, but `validation: custom score` needs one"),
        (scored, says("nan"), "score.txt contains \"nan\", not one number"),
        ("type: scoring\nvalidation: custom\n", says("1"), "does not say `validation: custom score`"),
    ] {
        let package = by_validator(yaml);
        package.file("submissions/accepted/a.sh", &program);
        for _ in 0..2 {
            let run = package.run(&[]);
            run.status(3).shows(message).shows("points.py");
            assert_eq!(run.end("accepted/a.sh")["standing"]["standing"], "judge_error");
        }
    }
    let package = by_validator("type: scoring\nvalidation: custom\n");
    package.file("submissions/accepted/a.sh", &says("none"));
    scores(package.run(&[]).status(0), "accepted/a.sh", &json!(2.0), &[("secret", 2.0)]);
}

/// Accepted from as many accepted results on as it is called with, and as many points as there are, times ten.
const GRADER: &str = "import sys
lines = [line.split() for line in sys.stdin]
good = sum(verdict == 'AC' for verdict, _ in lines)
print('AC' if good >= int(sys.argv[1]) else 'WA', 10 * good)
";

/// Two groups that are graded by the package's own grader, the whole by the default one.
fn own_grader() -> Package {
    let cases = [("secret/a/1", 10), ("secret/a/2", 11), ("secret/a/3", 12), ("secret/b/1", 20)];
    let package = Package::new("type: scoring\n", &cases);
    package
        .file("graders/count.py", GRADER)
        .file("data/secret/a/testdata.yaml", "on_reject: continue\ngrading: custom\ngrader_flags: '2'\n")
        .file("data/secret/b/testdata.yaml", "grading: custom\ngrader_flags: '1'\n");
    package
}

#[apply(cli_test)]
#[needs(BOTH)]
fn a_package_s_own_grader_decides() {
    let package = own_grader();
    package
        .file("submissions/accepted/sum.cpp", CPP)
        .file("submissions/accepted/two.sh", &wrong_at("11"))
        .file("submissions/wrong_answer/one.sh", &wrong_at("11|12"))
        .file("submissions/run_time_error/crash.sh", &crash_at("20"));
    let run = package.run(&[]);
    run.status(0).ends("accepted/sum.cpp", "AC", "met").ends("accepted/two.sh", "AC", "met");
    run.ends("wrong_answer/one.sh", "WA", "met");
    // The grader says WA of a group with a crash, and nobody knows better.
    run.ends("run_time_error/crash.sh", "WA", "met");
    scores(&run, "accepted/sum.cpp", &json!(40.0), &[("secret/a", 30.0), ("secret/b", 10.0)]);
    scores(&run, "accepted/two.sh", &json!(30.0), &[("secret/a", 20.0), ("secret/b", 10.0)]);
    assert_eq!(run.tests("test_skipped", "wrong_answer/one.sh"), ["secret/b/1"]);
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn groups_after_one_with_its_own_grader_wait_for_it() {
    let package = own_grader();
    package
        .file("submissions/accepted/sum.sh", SH)
        .file("submissions/accepted/two.sh", &wrong_at("11"))
        .file("submissions/wrong_answer/one.sh", &wrong_at("11|12"))
        .file("submissions/wrong_answer/b.sh", &wrong_at("20"));
    let one = package.run(&["-j1", "--no-cache"]);
    for arguments in [&["-j4", "--no-cache"][..], &["-j4", "--no-cache"], &["-j2"], &["-j2"]] {
        let many = package.run(arguments);
        assert_eq!(comparable(&one.events[1..]), comparable(&many.events[1..]), "{arguments:?}");
    }
    let (measured, cached) = package.run(&[]).measured_and_cached();
    assert!(measured == 0 && cached > 0, "{measured} {cached}");
    package.file("data/secret/a/testdata.yaml", "on_reject: continue\ngrading: custom\ngrader_flags: '1'\n");
    let run = package.run(&[]);
    run.ends("wrong_answer/one.sh", "AC", "missed");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_broken_grader_is_a_judge_error() {
    for (grader, message) in [
        ("print('XX 1')\n", "it printed \"XX 1\", not a verdict"),
        ("print('JE 0')\n", "it reports that judging failed"),
        ("import sys\nprint('AC 1')\nsys.exit(3)\n", "exit code 3 instead of 0"),
        ("", "it printed \"\", not a verdict"),
        ("print('AC 1\\n' * 100000)\n", "not a verdict"),
        ("import os\nos.abort()\n", "crashed with SIGABRT"),
    ] {
        let package = own_grader();
        package.file("graders/count.py", grader).file("submissions/accepted/sum.sh", SH);
        let run = package.run(&[]);
        run.status(3).ends("accepted/sum.sh", "AC", "judge_error").shows(message).shows("count.py");
    }
    let package = own_grader();
    package.file("graders/count.py", "").file("submissions/accepted/sum.sh", SH);
    std::fs::remove_file(package.workspace.path("problems/p/graders/count.py")).unwrap();
    package.file("graders/count.cpp", "int main() { return }\n");
    let run = package.run(&[]);
    run.status(3).says("does not compile");
    assert_eq!(run.end("accepted/sum.sh")["standing"]["message"], "the grader does not compile");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn merged_keys_and_sums_of_fractions() {
    // 3 x 2.2 is a little more than 6.6 in floating point.
    let package = Package::new("type: scoring\n", &[("secret/1", 10), ("secret/2", 11), ("secret/3", 12)]);
    package.file("data/testdata.yaml", "x: &worth\n  accept_score: 2.2\n<<: *worth\nrange: 0 6.6\n");
    package.file("submissions/accepted/sum.sh", SH);
    scores(package.run(&[]).status(0), "accepted/sum.sh", &json!(6.6), &[("secret", 6.6)]);
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn points_outside_of_the_range_are_a_judge_error() {
    let package = Package::new("type: scoring\n", &[("secret/1", 10), ("secret/2", 11)]);
    package.file("data/secret/testdata.yaml", "accept_score: 60\nrange: 0 100\n");
    package.file("submissions/accepted/sum.sh", SH).file("submissions/wrong_answer/half.sh", &wrong_at("11"));
    let run = package.run(&[]);
    run.status(3).ends("wrong_answer/half.sh", "WA", "met");
    run.ends("accepted/sum.sh", "AC", "judge_error").shows("120 points for secret, but its `range` is 0 to 100");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn part_of_the_tests_gives_no_points() {
    let package = olympiad();
    package.file("submissions/accepted/sum.sh", SH).file("submissions/partially_accepted/g1.sh", &wrong_at("20"));
    let run = package.run(&["-t", "secret/g1"]);
    scores(&run, "accepted/sum.sh", &Value::Null, &[("secret/g1", 40.0)]);
    run.status(0).ends("partially_accepted/g1.sh", "AC", "met").hides("of 100");
}

#[apply(cli_test)]
fn mistakes_are_told_with_their_places() {
    let package = Package::new(
        "type: scoring\nvalidation: default score\ngrading: {objective: most, odd: 1, range: 5 1}\n",
        &[("sample/1", 1), ("secret/a/1", 10), ("more/1", 2)],
    );
    package
        .file("data/testdata.yaml", "on_reject: stop\nrange: 0 to 100\ngrader_flags: ignore_sample mean\n")
        .file("data/sample/testdata.yaml", "grader_flags: ''\naccept_score: many\n")
        .file("data/more/testdata.yaml", "grader_flags: ''\n")
        .file("data/secret/testdata.yaml", "grading: own\n")
        .file("data/secret/a/testdata.yaml", "grading: custom\nsumm: 1\n")
        .file("submissions/accepted/sum.sh", "");
    let run = package.run(&[]);
    run.status(2);
    for text in [
        "problem.yaml: line 2, column 1: `score` needs `custom` validation",
        "`grading.objective`: expected `max` or `min`, found `most`",
        "unknown key `odd`",
        "`grading.range`: 5 is more than 1",
        "data/testdata.yaml: line 1, column 1: `on_reject`: expected `break` or `continue`, found `stop`",
        "data/testdata.yaml: line 2, column 1: `range`: expected the least and the most points, such as `0 100`",
        "data/testdata.yaml: line 3, column 1: `grader_flags`: unknown flag `mean` of the default grader",
        "`ignore_sample` in secret: the flag is only for the whole test data",
        "write `grader_flags: 'mean'` in data/secret/testdata.yaml, which inherits the flag",
        "data/more: ignored, because judges read only sample/ and secret/",
        "data/sample/testdata.yaml: line 2, column 1: `accept_score`: expected a number, found the string `many`",
        "data/secret/testdata.yaml: line 1, column 1: `grading`: expected `default` or `custom`, found `own`",
        "graders: contains no grader, but data/secret/a needs one (`grading: custom`)",
        "data/secret/a/testdata.yaml: line 2, column 1: unknown key `summ`",
    ] {
        run.says(text);
    }
    let package = Package::new("type: scoring\nname: Sum\n", &[("sample/1", 1), ("secret/1", 10)]);
    package.file("data/secret/testdata.yaml", "grader_flags: ignore_sample min\n");
    package
        .run(&[])
        .status(2)
        .says("data/secret/testdata.yaml: line 1")
        .says("remove it here, or write it in data/testdata.yaml");
    let package = Package::new("name: Sum\n", &[("secret/1", 10)]);
    package.file("data/secret/testdata.yaml", "grading: custom\n").file("submissions/accepted/sum.sh", "");
    package.file("graders/g.sh", "echo AC 1\n");
    package.run(&[]).status(2).says("`grading: custom` in a pass-fail problem");
    let package = Package::new("problem_format_version: 2025-09\nname: Sum\n", &[("secret/1", 10)]);
    package.file("data/secret/testdata.yaml", "grader_flags: always_accept\n").file("submissions/accepted/sum.sh", "");
    package.run(&[]).status(2).says("configures graders, which exist only in the legacy format");
}

/// Accepts what has this number of lines.
fn lines(n: u32) -> String {
    format!(
        "import sys\nlines = sys.stdin.read().count('\\n')\nprint(lines, 'lines')\nsys.exit(42 if lines == {n} else 43)\n"
    )
}

/// Accepts the answer.
const ANSWER: &str = "#include <fstream>
#include <iostream>
int main(int, char **argv) {
    long a, b;
    std::ifstream(argv[2]) >> a;
    return std::cin >> b && a == b ? 42 : 43;
}
";

#[apply(cli_test)]
#[needs(BOTH)]
fn every_output_validator_must_accept() {
    let package = Package::new("validation: custom\n", &[("secret/1", 10)]);
    package
        .file("output_validators/answer/answer.cpp", ANSWER)
        .file("output_validators/lines.py", &lines(1))
        .file("submissions/accepted/sum.sh", SH)
        .file("submissions/wrong_answer/two_lines.sh", &format!("{SH}echo\n"))
        .file("submissions/wrong_answer/zero.sh", "echo 0\n");
    for arguments in [&["--no-cache"][..], &[], &[]] {
        let run = package.run(arguments);
        run.status(0).silent().ends("accepted/sum.sh", "AC", "met").ends("wrong_answer/zero.sh", "WA", "met");
        run.judged("wrong_answer/two_lines.sh", "secret/1", "WA", "2 lines");
    }
    package.file("output_validators/lines.py", &lines(2));
    package.run(&["--all-tests"]).status(1).ends("accepted/sum.sh", "WA", "missed").shows("1 lines");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn one_broken_output_validator_is_a_judge_error() {
    let package = Package::new("validation: custom\n", &[("secret/1", 10)]);
    package
        .file("output_validators/a.py", "import sys\nsys.exit(43)\n")
        .file("output_validators/b.py", "import sys\nsys.exit(0)\n")
        .file("submissions/accepted/sum.sh", SH);
    let run = package.run(&[]);
    run.status(3).shows("output_validators/b.py: exit code 0 instead of 42 (accept) or 43 (reject)");
    assert_eq!(run.end("accepted/sum.sh")["standing"]["standing"], "judge_error");
    package.file("output_validators/b.py", "def broken(:\n");
    let run = package.run(&[]);
    run.status(3).says("output_validators/b.py").says("does not compile");
    let interactive = Package::new("validation: custom interactive\n", &[("secret/1", 10)]);
    interactive.file("output_validators/a.py", "").file("output_validators/b.py", "");
    interactive.file("submissions/accepted/sum.sh", SH);
    interactive.run(&[]).status(2).says("several output validators in an interactive or multi-pass problem");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn two_validators_cannot_both_give_points() {
    let package = by_validator("type: scoring\nvalidation: custom score\n");
    package.file("output_validators/lines.py", &lines(1)).file("submissions/accepted/a.sh", &says("3"));
    scores(package.run(&[]).status(0), "accepted/a.sh", &json!(6.0), &[("secret", 6.0)]);
    package.file("output_validators/lines.py", POINTS);
    package.run(&[]).status(3).shows("two output validators wrote score.txt");
}
