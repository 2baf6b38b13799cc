//! Points: partial credit by groups, what groups require, points that a validator gives, and its faults.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::cli::record::comparable;
use crate::cli::run::Run;
use crate::cli::workspace::{SUM, Workspace};

/// Three groups: 20 points for passing `a`, up to 30 for the worst case of `b`, 50 shared by the four cases of `c`.
fn grouped() -> Workspace {
    let workspace = Workspace::new();
    let problem = workspace
        .problem("sum")
        .toml("type = \"scoring\"\nreference = \"sum.sh\"\n")
        .case("sample/1", "1 2\n", "3\n")
        .submission("accepted/sum.sh", SUM);
    for (group, keys, cases) in [
        ("a", "max_score = 20\n", &["1 1", "2 2"][..]),
        ("b", "max_score = 30\nscore_aggregation = \"min\"\n", &["10 1", "20 2"]),
        ("c", "max_score = 50\nscore_aggregation = \"sum\"\n", &["100 1", "200 2", "300 3", "400 4"]),
    ] {
        workspace.file(format!("testcases/sum/secret/{group}/test_group.toml"), keys);
        for (n, case) in cases.iter().enumerate() {
            let sum: u32 = case.split(' ').map(|word| word.parse::<u32>().unwrap()).sum();
            problem.case(&format!("secret/{group}/{n}"), &format!("{case}\n"), &format!("{sum}\n"));
        }
    }
    workspace
}

/// Asserts a submission's points and those of its groups.
#[track_caller]
fn scores(run: &Run, submission: &str, score: f64, groups: &[f64]) {
    let end = run.end(submission);
    assert_eq!(end["score"], json!(score), "{submission}: {end}; {}", run.all());
    let found: Vec<&Value> = end["groups"].as_array().unwrap().iter().map(|group| &group["score"]).collect();
    assert_eq!(json!(found), json!(groups), "{submission}: {end}");
}

/// Wrong where the first number is one of these.
fn wrong_at(numbers: &str) -> String {
    format!("read a b\ncase $a in {numbers}) echo 0;; *) echo $((a + b));; esac\n")
}

#[apply(cli_test)]
fn groups_give_partial_credit() {
    let workspace = grouped();
    workspace
        .problem("sum")
        .submission("partially_accepted/no_a.sh", &wrong_at("2"))
        .submission("partially_accepted/half_c.sh", &wrong_at("20|100|300"))
        .submission("wrong_answer/nothing.sh", "echo 0\n")
        .submission("wrong_answer/one.sh", &wrong_at("1|10|200"));
    let run = workspace.run(&[]);
    run.status(0).silent().ends("accepted/sum.sh", "AC", "met").ends("partially_accepted/no_a.sh", "WA", "met");
    scores(&run, "accepted/sum.sh", 100.0, &[20.0, 30.0, 50.0]);
    scores(&run, "partially_accepted/no_a.sh", 80.0, &[0.0, 30.0, 50.0]);
    scores(&run, "partially_accepted/half_c.sh", 45.0, &[20.0, 0.0, 25.0]);
    scores(&run, "wrong_answer/nothing.sh", 0.0, &[0.0, 0.0, 0.0]);
    scores(&run, "wrong_answer/one.sh", 37.5, &[0.0, 0.0, 37.5]);
    assert_eq!(run.events[0]["problems"][0]["max_score"], 100.0);
    assert_eq!(run.test("accepted/sum.sh", "secret/c/0")["score"], 12.5);
    assert_eq!(run.test("accepted/sum.sh", "secret/b/0")["score"], 30.0);
    assert_eq!(run.test("accepted/sum.sh", "secret/a/0")["score"], Value::Null);
    // No points are left in the group; those of `c` are told all the same.
    assert_eq!(run.tests("test_skipped", "wrong_answer/one.sh"), ["secret/a/1", "secret/b/1"]);
    assert_eq!(run.events[0]["problems"][0]["submissions"][1]["expected"], "some but not all points");
    run.shows("100 points").shows("100 of 100").shows("WA   37.5 of 100");
    run.shows("secret/a 0 of 20 · secret/b 0 of 30 · secret/c 37.5 of 50");
    assert!(!run.stdout.contains("secret/a 20 of 20 · secret/b 30 of 30"), "{}", run.all());
    workspace.run(&["-v"]).shows("secret/a 20 of 20 · secret/b 30 of 30 · secret/c 50 of 50");
    let all = workspace.run(&["--all-tests", "--no-cache"]);
    assert_eq!(all.tests("test_skipped", "wrong_answer/one.sh"), [""; 0]);
    scores(&all, "wrong_answer/one.sh", 37.5, &[0.0, 0.0, 37.5]);
}

#[apply(cli_test)]
fn cases_straight_in_secret_share_its_points() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").toml("type = \"scoring\"\n").submission("partially_accepted/some.sh", &wrong_at("10"));
    let run = workspace.run(&["--report", "csv=r.csv", "--report", "junit=r.xml"]);
    run.status(0).shows("66.67 of 100").shows("100 of 100");
    assert!(workspace.read("r.xml").contains("name=\"score\" value=\"66.67\""), "{}", workspace.read("r.xml"));
    assert!(!workspace.read("r.csv").contains("66.666"), "{}", workspace.read("r.csv"));
    scores(&run, "accepted/sum.sh", 100.0, &[100.0]);
    scores(&run, "partially_accepted/some.sh", 66.666_667, &[66.666_667]);
    workspace.file("testcases/sum/secret/test_group.yaml", "max_score: 7\nscore_aggregation: min\n");
    let run = workspace.run(&[]);
    scores(&run, "accepted/sum.sh", 7.0, &[7.0]);
    run.status(1).ends("partially_accepted/some.sh", "WA", "missed").shows("expected some but not all points, got 0");
    workspace.file("testcases/sum/secret/test_group.yaml", "score_aggregation: pass-fail\nrequire_pass: sample\n");
    workspace.problem("sum").submission("wrong_answer/sample.sh", &wrong_at("1"));
    let run = workspace.run(&[]);
    scores(&run, "accepted/sum.sh", 100.0, &[100.0]);
    scores(&run, "wrong_answer/sample.sh", 0.0, &[0.0]);
    assert_eq!(run.tests("test_skipped", "wrong_answer/sample.sh"), ["secret/01", "secret/02", "secret/03"]);
}

#[apply(cli_test)]
fn a_group_that_requires_another_is_not_run_without_it() {
    let workspace = grouped();
    workspace.file(
        "testcases/sum/secret/c/test_group.toml",
        "max_score = 50\nscore_aggregation = \"sum\"\nrequire_pass = [\"sample\", \"secret/a\"]\n",
    );
    workspace
        .problem("sum")
        .submission("accepted/no_a.sh", &wrong_at("2"))
        .submission("accepted/no_b.sh", &wrong_at("20"))
        .submission("partially_accepted/no_sample.sh", &wrong_at("1"));
    for arguments in [&["-j4"][..], &["-j4", "--no-cache"], &["-j1", "--no-cache", "--all-tests"]] {
        let run = workspace.run(arguments);
        run.status(1).ends("accepted/no_a.sh", "WA", "missed").ends("accepted/no_b.sh", "WA", "missed");
        scores(&run, "accepted/no_a.sh", 30.0, &[0.0, 30.0, 0.0]);
        scores(&run, "accepted/no_b.sh", 70.0, &[20.0, 0.0, 50.0]);
        scores(&run, "partially_accepted/no_sample.sh", 30.0, &[0.0, 30.0, 0.0]);
        let skipped = ["secret/c/0", "secret/c/1", "secret/c/2", "secret/c/3"];
        assert_eq!(run.tests("test_skipped", "accepted/no_a.sh"), skipped, "{}", run.all());
        let after = run.of("test_skipped").find(|event| event["of"]["submission"] == "accepted/no_a.sh").unwrap();
        assert_eq!(after["after"], "secret/a/1");
        assert_eq!(run.tests("test_skipped", "accepted/no_b.sh"), [""; 0]);
    }
}

#[apply(cli_test)]
fn what_has_become_useless_is_ended() {
    let workspace = grouped();
    workspace.file(
        "testcases/sum/secret/c/test_group.toml",
        "max_score = 50\nscore_aggregation = \"sum\"\nrequire_pass = \"secret/a\"\n",
    );
    // The last case of `a` fails while those of `c` sleep, each for longer than a test may hang.
    workspace.problem("sum").toml("type = \"scoring\"\nreference = \"sum.sh\"\nlimits.wall_limit = 1000\n").submission(
        "partially_accepted/slow.sh",
        "read a b\n[ $a = 2 ] && sleep 0.5 && exit 1\n[ $a -ge 100 ] && sleep 500\necho $((a + b))\n",
    );
    let run = workspace.run(&["-j4", "-s", "slow.sh"]);
    run.status(0).ends("partially_accepted/slow.sh", "RTE", "met");
    scores(&run, "partially_accepted/slow.sh", 30.0, &[0.0, 30.0, 0.0]);
    assert_eq!(run.tests("test_skipped", "partially_accepted/slow.sh").len(), 4);
}

/// `grouped`, judged by this program: `$o` is the output, `$w` what is wanted.
fn judged_by(validator: &str) -> Workspace {
    let workspace = grouped();
    let head = "read i < $1\nread w < $2\nread o\n[ \"$o\" = $w ] || exit 43\n";
    workspace.problem("sum").file("output_validator/validate.sh", &format!("{head}{validator}"));
    workspace
}

/// Gives points outside of the group `a`, in which there are none.
fn outside_of_a(command: &str) -> String {
    format!("case $i in '1 1'|'2 2'|'1 2') exit 42;; esac\n{command}\nexit 42\n")
}

#[apply(cli_test)]
fn a_validator_gives_points() {
    let workspace = judged_by(&outside_of_a("[ $w -gt 100 ] || echo 0.5 > $3/score_multiplier.txt"));
    workspace.problem("sum").file("submissions/submissions.yaml", "accepted/sum.sh:\n  score: 85\n");
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/sum.sh", "AC", "met").shows("AC   85 of 100");
    scores(&run, "accepted/sum.sh", 85.0, &[20.0, 15.0, 50.0]);
    let workspace = judged_by(&outside_of_a("echo 10 > $3/score.txt"));
    let run = workspace.run(&[]);
    // Every test is accepted, but there are more points to be had.
    run.status(1).ends("accepted/sum.sh", "AC", "missed").shows("expected 100 points, got 70");
    scores(&run, "accepted/sum.sh", 70.0, &[20.0, 10.0, 40.0]);
    assert_eq!(run.test("accepted/sum.sh", "secret/b/0")["score"], 10.0);
}

#[apply(cli_test)]
fn an_interactor_gives_points() {
    let workspace = Workspace::with_sum();
    // Half of the points are written before anything is known of the submission.
    workspace.problem("sum").toml("type = [\"interactive\", \"scoring\"]\nreference = \"sum.sh\"\n").file(
        "output_validator/talk.sh",
        "cat $1\necho 0.5 > $3/score_multiplier.txt\nread o || exit 43\nread w < $2\n[ $o = $w ] && exit 42\nrm \
         $3/score_multiplier.txt\nexit 43\n",
    );
    workspace
        .problem("sum")
        .file("submissions/submissions.yaml", "accepted/sum.sh:\n  score: 50\n")
        .submission("run_time_error/crash.sh", "read a b\n[ $a = 10 ] && exit 3\necho $((a + b))\n")
        .submission("wrong_answer/off.sh", &wrong_at("10"));
    for _ in 0..2 {
        let run = workspace.run(&[]);
        run.status(0).ends("accepted/sum.sh", "AC", "met").ends("run_time_error/crash.sh", "RTE", "met");
        scores(&run, "accepted/sum.sh", 50.0, &[50.0]);
        scores(&run, "run_time_error/crash.sh", 33.333_333, &[33.333_333]);
        scores(&run, "wrong_answer/off.sh", 33.333_333, &[33.333_333]);
    }
}

#[apply(cli_test)]
fn unbounded_points_are_the_validator_s() {
    let workspace = Workspace::with_sum();
    workspace.file("testcases/sum/secret/test_group.toml", "max_score = \"unbounded\"\n");
    workspace
        .problem("sum")
        .toml("type = [\"scoring\"]\n")
        .file("output_validator/validate.sh", "read o\necho ${o}00.5 > $3/score.txt\nexit 42\n");
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/sum.sh", "AC", "met").shows("1901.5 points");
    scores(&run, "accepted/sum.sh", 1901.5, &[1901.5]);
    assert_eq!(run.events[0]["problems"][0]["max_score"], Value::Null);
    // Numbers whose sum would not be finite; the record stays readable.
    workspace.problem("sum").file("output_validator/validate.sh", "echo 1e308 > $3/score.txt\nexit 42\n");
    workspace.run(&[]).status(3).shows("score.txt says 1e308, more than 1e100").hides("inf");
    workspace.grader(&["report", "last"]).status(0).shows("more than 1e100");
    workspace.problem("sum").file("output_validator/validate.sh", "exit 42\n");
    workspace.run(&[]).status(3).shows("no score.txt, but an unbounded group needs one");
    workspace.problem("sum").file("output_validator/validate.sh", "echo 1 > $3/score_multiplier.txt\nexit 42\n");
    workspace.run(&[]).status(3).shows("score_multiplier.txt in an unbounded group");
}

#[apply(cli_test)]
fn faults_of_score_files_are_judge_errors() {
    for (command, message) in [
        ("echo 99 > $3/score.txt", "score.txt says 99, more than 30"),
        ("echo 13 > $3/score.txt", "score.txt says 13, more than 12.5"),
        ("echo 1.1 > $3/score_multiplier.txt", "score_multiplier.txt says 1.1, more than 1"),
        ("echo 1 > $3/score.txt; echo 1 > $3/score_multiplier.txt", "both score.txt and score_multiplier.txt"),
        ("echo -1 > $3/score.txt", "score.txt contains \"-1\", not one number"),
        ("echo nan > $3/score.txt", "score.txt contains \"nan\", not one number"),
        ("echo 1 2 > $3/score.txt", "score.txt contains \"1 2\", not one number"),
        ("printf '\\033[31mred' > $3/score.txt", "not one number"),
        ("head -c 3000000 /dev/zero | tr '\\0' 1 > $3/score.txt", "not one number"),
        ("echo 1e308 > $3/score.txt", "score.txt says 1e308, more than"),
        (": > $3/score.txt", "score.txt contains \"\", not one number"),
        ("echo 1 > $3/score.txt; exit 43", "score.txt for an output that it rejects"),
    ] {
        let workspace = judged_by(&outside_of_a(command));
        for _ in 0..2 {
            let run = workspace.run(&[]);
            run.status(3).ends("accepted/sum.sh", "AC", "judge_error").shows(message).shows("validate.sh");
            assert_eq!(run.end("accepted/sum.sh")["score"], Value::Null);
            assert!(!run.stdout.contains("\u{1b}[31mred"), "{}", run.all());
        }
    }
    let workspace = judged_by("echo 1 > $3/score.txt\nexit 42\n");
    workspace.run(&[]).status(3).shows("score.txt in a group that is `pass-fail`");
    // Once it may, what is known of the execution still holds.
    workspace.file("testcases/sum/secret/a/test_group.toml", "max_score = 20\nscore_aggregation = \"sum\"\n");
    let run = workspace.run(&[]);
    scores(&run, "accepted/sum.sh", 7.0, &[2.0, 1.0, 4.0]);
}

#[apply(cli_test)]
fn samples_and_pass_fail_problems_ignore_score_files() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file("output_validator/validate.sh", "echo lots > $3/score.txt\nexit 42\n");
    workspace.run(&[]).status(0).ends("accepted/sum.sh", "AC", "met").hides("points");
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .toml("type = \"scoring\"\n")
        .file("output_validator/validate.sh", "read w < $2\n[ $w = 3 ] && echo lots > $3/score.txt\nexit 42\n");
    scores(workspace.run(&[]).status(0), "accepted/sum.sh", 100.0, &[100.0]);
}

#[apply(cli_test)]
fn full_points_are_expected_of_accepted() {
    let workspace = grouped();
    workspace.problem("sum").submission("accepted/half.sh", &wrong_at("10"));
    let run = workspace.run(&[]);
    run.status(1).ends("accepted/half.sh", "WA", "missed").shows("WA   70 of 100").shows("expected AC, got WA");
    workspace.problem("sum").submission("partially_accepted/all.sh", SUM);
    let run = workspace.run(&["-s", "all.sh"]);
    run.status(1).ends("partially_accepted/all.sh", "AC", "missed").shows("expected some but not all points, got 100");
}

#[apply(cli_test)]
fn stated_points_are_checked() {
    let workspace = grouped();
    let problem = workspace.problem("sum").submission("mixed/half.sh", &wrong_at("10"));
    let check = |yaml: &str, status: i32, message: &str| {
        problem.file("submissions/submissions.yaml", yaml);
        workspace.run(&["-s", "half.sh"]).status(status).shows(message);
    };
    check("mixed/half.sh:\n  score: 70\n", 0, "70 of 100");
    check("mixed/half.sh:\n  score: [60, 70]\n", 0, "70 of 100");
    check("mixed/half.sh:\n  score: [71, 90.5]\n", 1, "expected 71 to 90.5 points, got 70");
    check("mixed/half.sh:\n  secret/b:\n    score: 0\n  secret/c:\n    score: 50\n", 0, "70 of 100");
    check("mixed/half.sh:\n  secret/b:\n    score: 30\n", 1, "expected 30 points in secret/b, got 0");
    problem.file("submissions/submissions.yaml", "mixed:\n  permitted: [AC, WA]\n");
    let annotated = |points: &str| {
        problem.submission("mixed/half.sh", &format!("# @EXPECTED_SCORE@: {points}\n{}", wrong_at("10")))
    };
    annotated("70");
    workspace.run(&["-s", "half.sh"]).status(0).shows("70 of 100");
    annotated("60.5");
    workspace.run(&["-s", "half.sh"]).status(1).shows("expected 60.5 points, got 70");
    annotated("lots");
    workspace
        .run(&[])
        .status(2)
        .says("half.sh: line 1, column 3: @EXPECTED_SCORE@: expected a number of points, found \"lots\"");
    annotated("70");
    problem.file("submissions/submissions.yaml", "mixed/half.sh:\n  score: [3, 1]\n  'secret/*':\n    score: 1\n");
    let run = workspace.run(&[]);
    run.status(2).says("submissions.yaml: line 2, column 3: `mixed/half.sh.score`: 3 is more than 1");
    run.says("submissions.yaml: line 4, column 5: `score` is about the points of a group");
}

#[apply(cli_test)]
fn points_that_are_expected_in_a_pass_fail_problem_are_a_warning() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file("submissions/submissions.yaml", "accepted/sum.sh:\n  score: 3\n");
    let run = workspace.run(&[]);
    run.status(0).says("points are expected, but the problem is not of type `scoring`; not checked");
}

#[apply(cli_test)]
fn points_need_every_test() {
    let workspace = grouped();
    let run = workspace.run(&["-t", "secret/c"]);
    run.status(0).hides("of 100").hides("points");
    let end = run.end("accepted/sum.sh");
    assert_eq!((&end["score"], &end["groups"][0]["group"]), (&Value::Null, &json!("secret/c")), "{end}");
    // Samples are no part of the points.
    scores(workspace.run(&["-t", "secret"]).status(0), "accepted/sum.sh", 100.0, &[20.0, 30.0, 50.0]);
}

#[apply(cli_test)]
fn a_program_that_does_not_compile_has_no_points() {
    let workspace = grouped();
    workspace.problem("sum").submission("compile_error/bad.py", "print(\n");
    let run = workspace.run(&[]);
    run.status(0).ends("compile_error/bad.py", "CE", "met").shows("CE   0 of 100");
    scores(&run, "compile_error/bad.py", 0.0, &[0.0, 0.0, 0.0]);
}

#[apply(cli_test)]
fn one_job_and_many_and_the_store_give_the_same_points() {
    let workspace = judged_by(&outside_of_a("echo 0.25 > $3/score_multiplier.txt"));
    workspace.file(
        "testcases/sum/secret/c/test_group.toml",
        "max_score = 50\nscore_aggregation = \"sum\"\nrequire_pass = \"secret/a\"\n",
    );
    workspace
        .problem("sum")
        .submission("partially_accepted/no_a.sh", &wrong_at("2"))
        .submission("partially_accepted/no_b.sh", &wrong_at("10|200"))
        .submission("wrong_answer/no_sample.sh", &wrong_at("1"))
        .submission("run_time_error/crash.sh", "read a b\n[ $a -gt 9 ] && exit 3\necho $((a + b))\n");
    let one = workspace.run(&["-j1", "--no-cache"]);
    one.status(1);
    for arguments in [&["-j4", "--no-cache"][..], &["-j4", "--no-cache"], &["-j2"], &["-j4"]] {
        let many = workspace.run(arguments);
        assert_eq!(comparable(&one.events[1..]), comparable(&many.events[1..]), "{arguments:?}");
    }
    let (measured, cached) = workspace.run(&[]).measured_and_cached();
    assert!(measured == 0 && cached > 0, "{measured} {cached}");
}

#[apply(cli_test)]
fn a_table_with_skipped_tests() {
    let workspace = grouped();
    workspace
        .problem("sum")
        .submission("wrong_answer/one.sh", &wrong_at("1|10|200"))
        .submission("wrong_answer/two.sh", &wrong_at("300"));
    let run = workspace.run(&["--table"]);
    run.status(0);
    let rows: Vec<&str> =
        run.stdout.lines().skip_while(|line| !line.contains("┌")).filter(|line| line.starts_with("  s")).collect();
    let first: Vec<&str> = rows.iter().filter_map(|row| row.split_whitespace().next()).collect();
    assert_eq!(first, ["sample/1", "secret/c/2"], "{}", run.all());
}

#[apply(cli_test)]
fn mistakes_are_told_with_their_places() {
    let workspace = grouped();
    workspace
        .file("testcases/sum/sample/test_group.toml", "max_score = 1\n")
        .file("testcases/sum/secret/test_group.toml", "max_score = 90\nrequire_pass = \"secret/a\"\n")
        .file("testcases/sum/secret/a/test_group.toml", "limits.time_limit = 3\n")
        .file(
            "testcases/sum/secret/b/test_group.yaml",
            "max_score: -1\nscore_aggregation: avg\nstatic_validation_score: 3\n",
        )
        .file(
            "testcases/sum/secret/c/test_group.toml",
            "max_score = \"unbounded\"\nscore_aggregation = \"sum\"\nrequire_pass = [\"b\", \"secret/d\"]\n",
        )
        .file("testcases/sum/secret/d/deep/1.in", "1 1\n")
        .file("testcases/sum/secret/d/deep/1.ans", "2\n")
        .file("testcases/sum/secret/loose.in", "1 1\n")
        .file("testcases/sum/secret/loose.ans", "2\n")
        .file("testcases/sum/secret/c/deep/test_group.toml", "max_score = 3\n")
        .file("testcases/sum/secret/e/test_group.toml", "max_score = 3\n");
    std::fs::remove_file(workspace.path("testcases/sum/secret/b/test_group.toml")).unwrap();
    let run = workspace.run(&[]);
    run.status(2);
    for text in [
        "sample/test_group.toml: line 1, column 1: `max_score` in sample, which has no points",
        "secret/test_group.toml: line 2, column 1: `require_pass`: secret cannot require `secret/a`",
        "secret/a/test_group.toml: secret/a does not say how many points it gives",
        "secret/b/test_group.yaml: line 1, column 1: `max_score`: expected a whole number from 0 to 1000000, found -1",
        "secret/b/test_group.yaml: line 2, column 1: `score_aggregation`: expected `pass-fail` or `sum` or `min`, found `avg`",
        "secret/b/test_group.yaml: line 3, column 1: `static_validation_score`, but the problem has no static_validator/",
        "secret/c/test_group.toml: line 1, column 1: secret/c is unbounded, but secret gives at most 90 points",
        "secret/c/test_group.toml: line 3, column 1: `require_pass`: there is no group `b`",
        "did you mean `secret/b`?",
        "secret/c/test_group.toml: line 3, column 1: `require_pass`: there is no group `secret/d`",
        "secret/d/deep: this directory is beside groups but is not a group",
        "secret: cases directly in secret/ beside groups",
        "secret/c/deep/test_group.toml: line 1, column 1: `max_score` below a group: groups do not nest",
        "secret/e/test_group.toml: group secret/e has no test cases",
    ] {
        run.says(text);
    }
    let workspace = grouped();
    workspace.problem("sum").toml("type = [\"scoring\", \"pass-fail\"]\n");
    workspace.run(&[]).status(2).says("a problem is either `pass-fail` or `scoring`");
    workspace.problem("sum").toml("");
    let run = workspace.run(&[]);
    run.status(2)
        .says("secret/b/test_group.toml: line 2, column 1: `score_aggregation` needs a problem of type `scoring`");
    run.says("write `type = \"scoring\"` in problem.toml, or remove the key");
    let workspace = grouped();
    workspace.file("testcases/sum/secret/a/test_group.toml", "max_score = 40\n");
    workspace.run(&[]).status(2).says("the groups give 120 points together, but secret gives 100");
    workspace.file("testcases/sum/secret/a/test_group.toml", "max_score = 10\n");
    workspace.run(&[]).status(0).says("the groups give 90 points together, but secret gives 100").shows("90 of 100");
    let workspace = Workspace::new();
    workspace.problem("sum").toml("type = \"scoring\"\n").case("1", "1 1\n", "2\n").submission("accepted/sum.sh", SUM);
    workspace.run(&[]).status(2).says("cases outside sample/ and secret/ give no points").says("without secret cases");
}
