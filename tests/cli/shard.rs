//! `--shard`, `grader merge` and `grader plan`: one run in parts.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::cli::need::Need;
use crate::cli::run::{Call, Run};
use crate::cli::workspace::{SUM, Workspace};
use crate::under_test::grader;

/// Problems with submissions of every kind of result.
fn several() -> Workspace {
    let workspace = Workspace::with_sum();
    let sum = workspace.problem("sum").toml("reference = \"accepted/sum.sh\"\n");
    for n in 0..6 {
        sum.submission(&format!("accepted/{n}.sh"), &format!("{SUM}# {n}\n"));
    }
    sum.submission("wrong_answer/w.sh", "echo 4\n")
        .submission("accepted/unexpected.sh", "read a b\necho $((a - b))\n")
        .submission("accepted/broken.c", "int main( {\n")
        .submission("run_time_error/r.sh", "exit 3\n");
    workspace
        .sum("other")
        .toml("reference = \"accepted/sum.sh\"\n")
        .submission("accepted/late.sh", "read a b\nsleep 0.05\necho $((a + b))\n");
    workspace
}

fn part(workspace: &Workspace, number: u32, of: u32, more: &[&str]) -> Run {
    let shard = format!("{number}/{of}");
    workspace.grader(&[&["run", "--shard", &shard, "--out", "parts"], more].concat())
}

/// The file of a part.
fn file(number: u32, of: u32) -> String {
    format!("parts/shard-{number:04}-of-{of:04}.jsonl")
}

#[apply(cli_test)]
#[needs(&[Need::Tool("gcc")])]
fn parts_make_the_record_of_one_run() {
    let workspace = several();
    let whole = workspace.grader(&["run"]);
    let expected = workspace.last_record();
    let mut counts = Vec::new();
    for number in 0..3 {
        let run = part(&workspace, number, 3, &["--no-cache"]);
        run.status(0);
        let told = run.stderr.lines().find(|line| line.starts_with("part ")).unwrap().to_owned();
        assert!(told.ends_with(" of 13 submissions"), "{told}");
        counts.push(told.split_whitespace().nth(2).unwrap().parse::<usize>().unwrap());
    }
    assert_eq!(counts.iter().sum::<usize>(), 13);
    let merged = workspace.grader(&["merge", "parts"]);
    merged.status(whole.status);
    assert_eq!(workspace.last_record(), expected);
    assert!(merged.stdout.contains("accepted/unexpected.sh"), "{}", merged.stdout);
    // The machine of the first part could not limit memory, that of another could.
    let with = |number: u32, limited: bool| {
        let text = workspace
            .read(file(number, 3))
            .replace(",\"limits_memory\":true", "")
            .replace(",\"limits_memory\":false", "");
        let (before, end) = text.split_at(text.rfind("{\"event\":\"part_finished\"").unwrap());
        workspace.file(
            file(number, 3),
            before.to_owned() + &end.replace("}}", &format!(",\"limits_memory\":{limited}}}}}")),
        );
    };
    with(0, false);
    with(1, true);
    let mixed = workspace.grader(&["merge", "parts"]);
    mixed.status(whole.status);
    assert!(mixed.stderr.contains("the kernel limited memory in the parts 1"), "{}", mixed.stderr);
    assert!(mixed.stderr.contains("but it was only sampled in the parts 0: a program"), "{}", mixed.stderr);
    // Reports and history follow from the record.
    let junit = workspace.grader(&["report", "last", "--report", "junit=-"]);
    assert_eq!(junit.stdout.matches("<testsuite name=").count(), 13, "{}", junit.stdout);
    // A part that is complete is not run again.
    let again = part(&workspace, 1, 3, &[]);
    again.status(0);
    assert!(again.stderr.contains("known from before"), "{}", again.stderr);
    assert_eq!(again.stdout, "");
}

#[apply(cli_test)]
fn a_class_in_parts_has_the_same_grades() {
    let workspace = Workspace::with_sum();
    for student in 0..9 {
        workspace.file(format!("class/s{student}/sum.sh"), format!("{SUM}# {}\n", student % 4));
    }
    workspace.file("class/s7/sum.sh", "echo 4\n").file("class/s9/notes.txt", "later");
    let students: Vec<String> = (0..=10).map(|n| format!("s{n},x{n}\n")).collect();
    workspace.file("roster.csv", format!("id,name\n{}", students.concat()));
    let words = ["judge", "class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv"];
    let whole = workspace.grader(&[&words[..], &["--report", "gradebook=whole.csv"]].concat());
    let expected = workspace.last_record();
    for number in 0..2 {
        let shard = format!("{number}/2");
        let run = workspace.grader(&[&words[..], &["--no-cache", "--shard", &shard, "--out", "parts"]].concat());
        run.status(0);
    }
    // Equal programs are judged once, in one part.
    let students = |number: u32| -> BTreeSet<String> {
        let text = workspace.read(file(number, 2));
        let head: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        let all = head["whole"]["problems"][0]["submissions"].as_array().unwrap();
        let student =
            |job: &Value| all[usize::try_from(job.as_u64().unwrap()).unwrap()]["student"].as_str().unwrap().to_owned();
        head["jobs"].as_array().unwrap().iter().map(student).collect()
    };
    let equal = BTreeSet::from(["s0", "s4", "s8"].map(str::to_owned));
    assert_eq!(students(0).len() + students(1).len(), 9);
    assert!((0..2).any(|number| equal.is_subset(&students(number))));
    let merged = workspace.grader(&["merge", "parts", "--report", "gradebook=merged.csv"]);
    merged.status(whole.status);
    assert_eq!(workspace.last_record(), expected);
    assert_eq!(workspace.read("merged.csv"), workspace.read("whole.csv"));
    assert!(merged.stdout.contains("JUDGED  11 students"), "{}", merged.stdout);
}

#[apply(cli_test)]
fn a_killed_part_goes_on() {
    let workspace = Workspace::with_sum();
    let sum = workspace.problem("sum").toml("reference = \"accepted/sum.sh\"\n");
    for n in 0..8 {
        sum.submission(&format!("accepted/{n}.sh"), &format!("sleep 0.1\n{SUM}# {n}\n"));
    }
    workspace.grader(&["run"]).status(0);
    let expected = workspace.last_record();
    let mut call = Call::any(&workspace.path(""), &["run", "-j1", "--no-cache", "--shard", "0/1", "--out", "parts"]);
    let mut child = call.start();
    let path = workspace.path(file(0, 1));
    let done = || fs::read_to_string(&path).unwrap_or_default().matches("submission_finished").count();
    while done() < 3 {
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    call.wait(child);
    let unfinished = workspace.grader(&["merge", "parts"]);
    unfinished.status(2);
    assert!(unfinished.stderr.contains("part 0/1 is not finished: it has "), "{}", unfinished.stderr);
    // The last line is torn, in the middle of a submission.
    let kept = done();
    let text = fs::read(&path).unwrap();
    fs::write(&path, [&text[..], br#"{"event":"built","of":{"run":8,"pro"#].concat()).unwrap();
    let resumed = workspace.grader(&["run", "--no-cache", "--shard", "0/1", "--out", "parts"]);
    resumed.status(0);
    assert!(resumed.stderr.contains(&format!("{kept} known from before")), "{}", resumed.stderr);
    workspace.grader(&["merge", "parts"]).status(0);
    assert_eq!(workspace.last_record(), expected);
}

#[apply(cli_test)]
fn a_judge_error_is_tried_again() {
    let workspace = Workspace::with_sum().without_walls();
    let flag = workspace.path("works");
    let script = format!("if [ -e {} ]; then exit 42; else kill -9 $$; fi\n", flag.display());
    workspace.problem("sum").file("output_validator/v.sh", &script);
    let first = part(&workspace, 0, 1, &[]);
    first.status(3);
    // Another layer of isolation would be another run.
    workspace.file("grader.toml", "isolation = \"weak\"\n");
    let other = part(&workspace, 0, 1, &[]);
    if !other.stderr.contains("cannot use isolation") {
        other.status(2);
        assert!(
            other.stderr.contains("began in isolation layer none, and here programs run in layer weak"),
            "{}",
            other.stderr
        );
    }
    workspace.file("grader.toml", "isolation = \"none\"\n").file("works", "");
    let second = part(&workspace, 0, 1, &[]);
    second.status(0);
    assert!(!second.stderr.contains("known from before"), "{}", second.stderr);
    workspace.grader(&["merge", "parts"]).status(0);
}

#[apply(cli_test)]
fn what_does_not_belong_together_is_refused() {
    let workspace = several();
    let refused = |told: &str| {
        let merge = workspace.grader(&["merge", "parts"]);
        merge.status(2);
        assert!(merge.stderr.contains(told), "{told}: {}", merge.stderr);
        assert_eq!(merge.stdout, "");
    };
    part(&workspace, 0, 3, &[]).status(0);
    refused("2 of 3 parts are missing: 1, 2\n  → run them: the same command with --shard 1/3");
    part(&workspace, 1, 3, &[]).status(0);
    workspace.file("testcases/sum/secret/03.ans", "1\n");
    let other = part(&workspace, 0, 3, &[]);
    other.status(2);
    assert!(
        other.stderr.contains("is a part of another run: these have other contents: the tests of sum"),
        "{}",
        other.stderr
    );
    part(&workspace, 2, 3, &[]).status(0);
    refused(
        "shard-0002-of-0003.jsonl is a part of another run than parts/shard-0000-of-0003.jsonl: these have other contents: \
         the tests of sum\n",
    );
    workspace.file("testcases/sum/secret/03.ans", "0\n");
    // A submission that was edited between two parts.
    fs::remove_file(workspace.path(file(2, 3))).unwrap();
    let sum = workspace.read("problems/sum/submissions/accepted/sum.sh");
    workspace.problem("sum").submission("accepted/sum.sh", &format!("{sum}# edited\n"));
    part(&workspace, 2, 3, &[]).status(0);
    refused("these have other contents: submission sum/accepted/sum.sh\n");
    fs::remove_file(workspace.path(file(2, 3))).unwrap();
    part(&workspace, 2, 3, &["-t", "sample"]).status(0);
    refused("it has 1 tests of other, the other ");
    workspace.problem("sum").submission("accepted/sum.sh", &sum);
    fs::remove_file(workspace.path(file(2, 3))).unwrap();
    part(&workspace, 2, 3, &["--checker", "exact"]).status(0);
    refused(
        "these have other contents: a limit, checker or other setting of other, a limit, checker or other setting of sum",
    );
    fs::remove_file(workspace.path(file(2, 3))).unwrap();
    part(&workspace, 2, 3, &["--time-limit", "7"]).status(0);
    refused("the time limit of other or another setting differs");
    fs::remove_file(workspace.path(file(2, 3))).unwrap();
    workspace.problem("sum").submission("accepted/new.sh", SUM);
    part(&workspace, 2, 3, &[]).status(0);
    refused("it has 14 submissions, the other 13");
    fs::remove_file(workspace.path("problems/sum/submissions/accepted/new.sh")).unwrap();
    fs::remove_file(workspace.path(file(2, 3))).unwrap();
    part(&workspace, 2, 4, &[]).status(0);
    refused("one of 3 parts, parts/shard-0002-of-0004.jsonl one of 4");
    fs::remove_file(workspace.path(file(2, 4))).unwrap();
    fs::copy(workspace.path(file(1, 3)), workspace.path(file(2, 3))).unwrap();
    refused("says that it is part 1/3");
    // The layer of isolation is a part of the record.
    fs::remove_file(workspace.path(file(2, 3))).unwrap();
    let layers: Vec<String> = (0..2).map(|number| workspace.read(file(number, 3))).collect();
    workspace.file("grader.toml", "isolation = \"none\"\n");
    part(&workspace, 2, 3, &[]).status(0);
    if layers.iter().any(|text| !text.contains(r#""isolation":"none","caveat":"","measured""#)) {
        refused("its programs ran in layer none");
    }
}

#[apply(cli_test)]
fn damaged_parts_are_named() {
    let workspace = several();
    part(&workspace, 0, 2, &[]).status(0);
    part(&workspace, 1, 2, &[]).status(0);
    let good = workspace.read(file(1, 2));
    let lines: Vec<&str> = good.lines().collect();
    let with = |at: usize, line: &str| {
        let mut lines = lines.clone();
        lines[at] = line;
        lines.join("\n") + "\n"
    };
    let verdict = lines.iter().position(|line| line.contains("submission_finished")).unwrap();
    for (text, told) in [
        (with(0, "hello"), "line 1: this is not a part of a run"),
        (with(0, "{\"schema\":9}"), "is of schema 9; this grader reads schema 1"),
        (with(1, "{"), "line 2: damaged: EOF"),
        (with(verdict, lines[0]), "damaged: the line is out of place"),
        (with(verdict, &lines[verdict].replace("\"run\":", "\"run\":9")), "belongs to no submission of the part"),
        (String::new(), "is empty: grader was killed before it wrote anything"),
        (lines[..verdict].join("\n") + "\n", "part 1/2 is not finished: it has 0 of"),
    ] {
        workspace.file(file(1, 2), &text);
        let merge = workspace.grader(&["merge", "parts"]);
        merge.status(2);
        assert!(merge.stderr.contains(told), "{told}: {}", merge.stderr);
    }
}

#[apply(cli_test)]
fn a_derived_limit_needs_a_plan() {
    let workspace = Workspace::bare();
    workspace
        .file("p/problem.yaml", "problem_format_version: 2025-09\nname: Sum\n")
        .file("p/data/secret/1.in", "1 2\n")
        .file("p/data/secret/1.ans", "3\n")
        .file("p/submissions/accepted/a.sh", SUM)
        .file("p/submissions/accepted/b.sh", format!("{SUM}#\n"));
    let refused = part(&workspace, 0, 2, &[]);
    refused.status(2);
    assert!(refused.stderr.contains("each part of the run would measure its own"), "{}", refused.stderr);
    assert!(refused.stderr.contains("grader plan --out plan.json"), "{}", refused.stderr);
    assert!(!workspace.path("parts").exists());
    let plan = workspace.grader(&["plan", "--out", "plan.json"]);
    plan.status(0);
    assert_eq!(plan.stdout, "plan.json: 1 time limit and 0 durations\n");
    workspace.grader(&["run", "--no-cache", "--plan", "plan.json"]).status(0);
    let expected = workspace.last_record();
    assert!(expected[0].contains("derived: slowest accepted"), "{}", expected[0]);
    for number in 0..2 {
        let run = part(&workspace, number, 2, &["--plan", "plan.json"]);
        run.status(0);
        assert!(!run.stderr.contains("measuring"), "{}", run.stderr);
    }
    workspace.grader(&["merge", "parts"]).status(0);
    assert_eq!(workspace.last_record(), expected);
    // Durations are known now, so the next plan is another one.
    workspace.grader(&["plan", "--out", "later.json"]).status(0);
    assert!(workspace.read("later.json").contains("\"p/accepted/b.sh\""), "{}", workspace.read("later.json"));
    let other = part(&workspace, 1, 2, &["--plan", "later.json"]);
    other.status(2);
    assert!(other.stderr.contains("another plan (`--plan`), or none"), "{}", other.stderr);
    for (text, told) in [
        ("{}", "is not a plan of grader: missing field `plan`"),
        (r#"{"plan": 9, "limits": {}, "durations": {}}"#, "version 9; this grader reads version 1"),
        (
            r#"{"plan": 1, "limits": {"p": {"time_limit": -1, "from": ""}}, "durations": {}}"#,
            "p is -1, which is not a time",
        ),
    ] {
        workspace.file("bad.json", text);
        let refused = workspace.grader(&["run", "--plan", "bad.json"]);
        refused.status(2);
        assert!(refused.stderr.contains(told), "{told}: {}", refused.stderr);
    }
}

#[apply(cli_test)]
fn only_one_process_writes_a_part() {
    let workspace = Workspace::with_sum();
    let sum = workspace.problem("sum").toml("reference = \"accepted/sum.sh\"\n");
    sum.submission("accepted/slow.sh", &format!("sleep 0.7\n{SUM}"));
    let mut call = Call::any(&workspace.path(""), &["run", "--shard", "0/1", "--out", "parts"]);
    let mut child = call.start();
    while !fs::read_to_string(workspace.path(file(0, 1))).unwrap_or_default().contains("part_begun") {
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = part(&workspace, 0, 1, &[]);
    second.status(2);
    assert!(second.stderr.contains("another process is writing parts/shard-0000-of-0001.jsonl"), "{}", second.stderr);
    call.wait(child).status(0);
    workspace.grader(&["merge", "parts"]).status(0);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("parallel")])]
fn parts_run_under_gnu_parallel() {
    let workspace = several();
    workspace.grader(&["run"]);
    let expected = workspace.last_record();
    let binary = grader().to_str().unwrap();
    let words = ["--will-cite", "-j2", binary, "run", "--no-cache", "-j1", "--shard", "{}/4", "--out", "parts", ":::"];
    let run = Call::program(&workspace.path(""), "parallel", &[&words[..], &["0", "1", "2", "3"]].concat()).run();
    run.status(0);
    workspace.grader(&["merge", "parts"]);
    assert_eq!(workspace.last_record(), expected);
}

#[apply(cli_test)]
fn wrong_words_are_told() {
    let workspace = Workspace::with_sum();
    for (words, told) in [
        (&["run", "--shard", "3/3", "--out", "x"][..], "the parts of 3 are 0/3 to 2/3"),
        (&["run", "--shard", "1", "--out", "x"], "write I/N, such as 0/8"),
        (&["run", "--shard", "0/0", "--out", "x"], "write 1 to 100000 parts"),
        (&["run", "--shard", "0/3"], "--out <DIR>"),
        (&["run", "--out", "x"], "--shard <I/N>"),
        (&["run", "--shard", "0/3", "--out", "x", "--dry-run"], "cannot be used with"),
        (&["judge", "--stream", "--shard", "0/3", "--out", "x"], "cannot be used with"),
        (&["merge", "nowhere"], "cannot read the folder nowhere"),
        (&["merge", "problems"], "there is no part of a run in problems"),
        (&["merge", "nowhere"], "→ name the folder with the parts: the one that --out named"),
        (&["run", "--plan", "nowhere"], "cannot read the plan nowhere"),
    ] {
        let run = workspace.grader(words);
        run.status(2);
        assert!(run.stderr.contains(told), "{told}: {}", run.stderr);
    }
    assert!(!workspace.path("x").exists());
}
