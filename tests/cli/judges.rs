//! Where judges differ: time limits that packages leave to their submissions, and `--as`.

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::cli::run::{Call, Run};
use crate::cli::workspace::{SUM, Workspace};

const CURRENT: &str = "problem_format_version: 2025-09\nname: {en: Sum}\n";
const SUMS: &[(&str, &str)] = &[
    ("data/sample/1.in", "1 2\n"),
    ("data/sample/1.ans", "3\n"),
    ("data/secret/2.in", "2 2\n"),
    ("data/secret/2.ans", "4\n"),
    ("submissions/accepted/sum.sh", SUM),
];
/// Takes much longer than `SUM`, and far from ten seconds.
const SLOW: &str = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done\nread a b\necho $((a + b))\n";

fn package(files: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::new();
    for (name, text) in files {
        workspace.file(format!("problems/p/{name}"), text);
    }
    workspace
}

fn sums(files: &[(&str, &str)]) -> Workspace {
    package(&[SUMS, files].concat())
}

/// The time limit of the only problem, and what it follows from.
fn limit(run: &Run) -> (f64, &str) {
    let problem = &run.events[0]["problems"][0];
    (problem["time_limit"].as_f64().unwrap(), problem["time_limit_from"].as_str().unwrap_or_default())
}

/// Asserts that the limit is the smallest multiple of `resolution` from `factor` × the time that is told.
#[track_caller]
fn follows(run: &Run, submission: &str, factor: f64, resolution: f64) {
    let (limit, from) = limit(run);
    let told = from.strip_prefix(&format!("derived: slowest accepted {submission} ")).expect(from);
    let (time, multiplied) = told.split_once(" s × ").unwrap();
    assert_eq!(multiplied, factor.to_string());
    let least = time.parse::<f64>().unwrap() * factor;
    // The time is told to the millisecond.
    let blur = 0.001 * factor;
    assert!(limit > least - blur && limit < least + resolution + blur, "{limit} from {from}");
    run.shows(&format!("  time limit {limit} s {from}"));
}

#[apply(cli_test)]
fn a_current_package_gets_its_limit_from_its_submissions() {
    let never = ("submissions/time_limit_exceeded/never.sh", "while :; do :; done\n");
    let run = sums(&[("problem.yaml", CURRENT), never]).run(&[]);
    run.status(0).silent().ends("accepted/sum.sh", "AC", "met").ends("time_limit_exceeded/never.sh", "TLE", "met");
    follows(&run, "accepted/sum.sh", 2.0, 1.0);
    let yaml = format!("{CURRENT}limits: {{time_multipliers: {{ac_to_time_limit: 3}}, time_resolution: 0.05}}\n");
    let run =
        sums(&[("problem.yaml", &yaml), ("submissions/wrong_answer/slow.sh", &SLOW.replace("a +", "1 +"))]).run(&[]);
    // What is not to be too slow bounds the limit, also where it is wrong.
    follows(run.status(0), "wrong_answer/slow.sh", 3.0, 0.05);
}

#[apply(cli_test)]
fn a_legacy_package_gets_its_limit_from_accepted_submissions() {
    let slow = ("submissions/wrong_answer/slow.sh", &*SLOW.replace("a +", "1 +"));
    let run = sums(&[("problem.yaml", "name: Sum\n"), slow]).run(&[]);
    follows(run.status(0), "accepted/sum.sh", 5.0, 1.0);
    let run = sums(&[("problem.yaml", "limits: {time_multiplier: 7}\n"), slow]).run(&[]);
    follows(run.status(0), "accepted/sum.sh", 7.0, 1.0);
}

#[apply(cli_test)]
fn a_rejected_partner_does_not_bound_the_limit() {
    let run = package(&[
        ("problem.yaml", "problem_format_version: 2025-09\ntype: interactive\n"),
        ("output_validator/v.sh", "read word\n[ \"$word\" = yes ] && exit 42\nexit 43\n"),
        ("data/secret/1.in", ""),
        ("submissions/accepted/yes.sh", "echo yes\n"),
        ("submissions/wrong_answer/no.sh", "echo no\nwhile :; do :; done\n"),
    ])
    .run(&[]);
    run.status(0).ends("wrong_answer/no.sh", "WA", "met");
    follows(&run, "accepted/yes.sh", 2.0, 1.0);
}

#[apply(cli_test)]
fn a_derived_limit_is_measured_once_and_judged_from_the_store() {
    let three = ("submissions/wrong_answer/three.sh", "echo 3\n");
    let mixed = ("submissions/brute_force/crash.sh", "exit 1\n");
    let workspace = sums(&[("problem.yaml", CURRENT), three, mixed]);
    let first = workspace.run(&[]);
    // Only what does not bound the limit had still to be run.
    assert_eq!(first.status(0).measured_and_cached(), (1, 4), "{}", first.all());
    assert_eq!(workspace.run(&[]).status(0).measured_and_cached(), (0, 5));
    // The measuring is not a run of its own.
    workspace.grader(&["history"]).status(0);
    assert_eq!(std::fs::read_dir(workspace.path(".grader/runs")).unwrap().count(), 2);
}

#[apply(cli_test)]
fn a_changed_limit_is_judged_from_the_store() {
    let workspace = sums(&[("problem.yaml", CURRENT), ("submissions/accepted/slow.sh", SLOW)]);
    workspace.run(&[]).status(0);
    workspace.file("problems/p/problem.yaml", format!("{CURRENT}limits: {{time_limit: 20}}\n"));
    let loose = workspace.run(&[]);
    assert_eq!(loose.status(0).measured_and_cached(), (0, 4));
    assert_eq!(limit(&loose), (20.0, ""));
    // What is unexpectedly over time has its second look, once.
    for measured_and_cached in [(1, 1), (0, 2)] {
        let tight = workspace.run(&["--time-limit", "0.02", "-s", "slow.sh"]);
        tight.status(1).ends("accepted/slow.sh", "TLE", "missed");
        assert_eq!(tight.measured_and_cached(), measured_and_cached);
    }
}

#[apply(cli_test)]
fn submissions_yaml_says_who_bounds_the_limit() {
    let yaml = |text| ("submissions/submissions.yaml", text);
    let slow = ("submissions/accepted/slow.sh", SLOW);
    let three = ("submissions/wrong_answer/three.sh", "echo 3\n");
    let limited = |text| {
        let run = sums(&[("problem.yaml", CURRENT), slow, three, yaml(text)]).run(&[]);
        limit(run.status(0)).1.to_owned()
    };
    assert!(limited("accepted/slow.sh: {use_for_time_limit: true}\n").contains("accepted/slow.sh"));
    assert!(limited("accepted: {use_for_time_limit: false}\n").contains("wrong_answer/three.sh"));
    // On the samples alone, which take no time.
    let only = "accepted: {use_for_time_limit: false}\naccepted/sum.sh: {sample: {use_for_time_limit: lower}}\n\
                wrong_answer: {use_for_time_limit: false}\n";
    assert!(limited(only).contains("accepted/sum.sh"));
    let odd = sums(&[("problem.yaml", CURRENT), yaml("accepted: {use_for_time_limit: often}\n")]).run(&[]);
    odd.status(2).says("submissions.yaml: line 1").says("expected `lower` or `upper`");
}

#[apply(cli_test)]
fn what_was_typed_wins_over_the_submissions() {
    let workspace = sums(&[("problem.yaml", CURRENT)]);
    let run = workspace.run(&["--time-limit", "3"]);
    assert_eq!(limit(run.status(0)), (3.0, ""));
    assert_eq!(run.measured_and_cached(), (2, 0));
    let run = workspace.call(&[]).env("GRADER_LIMITS_TIME_LIMIT", "4").run();
    assert_eq!(limit(run.status(0)), (4.0, ""));
    // What grader.toml says is for problems that say nothing; a package says that it follows.
    workspace.file("grader.toml", "limits.time_limit = 5\n");
    follows(workspace.run(&[]).status(0), "accepted/sum.sh", 2.0, 1.0);
    // A language that has more time had it when it was measured.
    workspace.file("grader.toml", "[language.bash]\ntime_factor = 4\n");
    let run = workspace.run(&["--no-cache"]);
    assert!(limit(run.status(0)).1.ends_with(" s / 4 × 2"), "{}", limit(&run).1);
}

#[apply(cli_test)]
fn without_an_accepted_submission_there_is_no_limit() {
    let files = &SUMS[..4];
    let brute = ("submissions/brute_force/sum.sh", "exit 1\n");
    let workspace = package(&[files, &[("problem.yaml", CURRENT), brute]].concat());
    let run = workspace.run(&[]);
    run.status(2).says("there is no accepted submission to derive one from").says("--time-limit").says("problem.yaml");
    workspace.run(&["--time-limit", "1"]).status(0).ends("brute_force/sum.sh", "RTE", "met");
    // The others are judged.
    workspace.sum("sum");
    workspace.run(&[]).status(2).ends("accepted/sum.sh", "AC", "met");
}

#[apply(cli_test)]
fn a_part_of_a_package_is_judged_by_the_limit_of_all() {
    let yaml = format!("{CURRENT}limits: {{time_resolution: 0.05}}\n");
    let three = ("submissions/wrong_answer/three.sh", "echo 3\n");
    let slow = ("submissions/accepted/slow.sh", SLOW);
    let run = sums(&[("problem.yaml", &yaml), three, slow]).run(&["-s", "three.sh", "-t", "sample"]);
    follows(&run, "accepted/slow.sh", 2.0, 0.05);
    assert_eq!(run.of("submission_finished").count(), 1);
}

#[apply(cli_test)]
fn handed_in_programs_are_judged_by_the_derived_limit() {
    let yaml = format!("{CURRENT}limits: {{time_resolution: 0.1}}\n");
    let workspace = sums(&[("problem.yaml", &yaml)]);
    workspace.file("in/good.sh", SUM).file("in/slow.sh", SLOW.replace("60000", "600000"));
    let run = Call::recorded(&workspace.path(""), &["judge", "p", "in", "--isolation", "weak"]).run();
    run.status(1).ends("in/good.sh", "AC", "met").ends("in/slow.sh", "TLE", "met");
    follows(&run, "accepted/sum.sh", 2.0, 0.1);
    let broken = package(&[&SUMS[..4], &[("problem.yaml", CURRENT)]].concat());
    broken.file("in/good.sh", SUM);
    let run = broken.grader(&["judge", "p", "in/good.sh", "--isolation", "weak"]);
    run.status(2).says("there is no accepted submission to derive one from");
}

#[apply(cli_test)]
fn time_limit_proposes_what_is_derived() {
    let workspace = sums(&[("problem.yaml", "limits: {time_multiplier: 4}\n")]);
    let told = workspace.grader(&["time-limit", "p"]);
    told.status(0).shows("no limit stated").shows("derived      1 s, which grader uses");
    workspace.grader(&["list"]).status(0).shows("p  limit derived · 1024 MiB");
    // DOMjudge gives it one.
    workspace.file("problems/p/domjudge-problem.ini", "");
    let told = workspace.grader(&["time-limit", "p"]);
    told.status(0).shows("p  limit 10 s").shows("stated       10 s keeps its distances");
}

/// A package that states no limit, whose submissions take longer than the configured one.
fn slower_than_configured() -> Workspace {
    let never = ("submissions/time_limit_exceeded/never.sh", "while :; do :; done\n");
    let wrong = ("submissions/wrong_answer/three.sh", "echo 3\n");
    let slow = ("submissions/accepted/sum.sh", SLOW);
    let yaml = format!("{CURRENT}limits: {{time_multipliers: {{ac_to_time_limit: 3}}, time_resolution: 0.1}}\n");
    let files = [&SUMS[..4], &[("problem.yaml", &yaml), slow, never, wrong]].concat();
    let workspace = package(&files);
    workspace.file("grader.toml", "limits.time_limit = 0.02\n");
    workspace
}

#[apply(cli_test)]
fn every_command_judges_by_the_limit_that_run_derives() {
    let workspace = slower_than_configured();
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/sum.sh", "AC", "met").ends("time_limit_exceeded/never.sh", "TLE", "met");
    follows(&run, "accepted/sum.sh", 3.0, 0.1);
    let (_, from) = limit(&run);
    // What is known is not measured again, so that it is the same limit.
    let verified = workspace.grader(&["verify", "p"]);
    verified.hides("submission-unexpected").shows("margins safe").shows(from);
    workspace.file("new/9.in", "1 1\n");
    let added = workspace.grader(&["add", "p", "--group", "secret", "new/9.in"]);
    added.status(0).says(from).shows("by        accepted/sum.sh");
    assert_eq!(workspace.read("problems/p/data/secret/3.ans"), "2\n");
    workspace.file("problems/p/data/secret/3.ans", "3\n");
    workspace.grader(&["accept", "p", "--yes"]).says("time limit ").hides("TLE");
    assert_eq!(workspace.read("problems/p/data/secret/3.ans"), "2\n");
    workspace.file("other.sh", SLOW.replace("a + b", "b + a"));
    workspace.file("problems/p/generators/gen.sh", "echo $1 2\n");
    let stressed = workspace.grader(&["stress", "p", "./other.sh", "--gen", "gen.sh {seed}", "--count", "2"]);
    stressed.status(0).hides("TLE");
}

#[apply(cli_test)]
fn cases_are_added_where_no_limit_follows_yet() {
    let workspace = slower_than_configured();
    std::fs::remove_dir_all(workspace.path("problems/p/data")).unwrap();
    std::fs::create_dir_all(workspace.path("problems/p/data/secret")).unwrap();
    workspace.file("new/9.in", "1 1\n");
    let added = workspace.grader(&["add", "p", "--group", "secret", "new/9.in"]);
    added.status(0).says("until then a program may take 60 s");
    added.shows("answer    2");
}

#[apply(cli_test)]
fn margins_are_about_labels() {
    let never = ("submissions/time_limit_exceeded/never.sh", "while :; do :; done\n");
    let fast = ("submissions/time_limit_exceeded/fast.sh", SUM);
    let stated = [("problem.yaml", "name: Sum\n"), (".timelimit", "0.2\n")];
    let workspace = sums(&[&stated[..], &[never, fast]].concat());
    let run = workspace.run(&[]);
    run.status(1).ends("time_limit_exceeded/fast.sh", "AC", "missed");
    run.shows("margins not safe: 1 of 2 labelled TLE is in time: time_limit_exceeded/fast.sh");
    workspace.grader(&["verify", "p"]).shows("margins not safe: 1 of 2 labelled TLE is in time");
    workspace.run(&["-s", "never.sh", "-s", "sum.sh"]).status(0).shows("fastest TLE >0.4").shows(", margins safe\n");
    // What was not run is not a proof of anything.
    let alone = workspace.run(&["-s", "sum.sh"]);
    alone.status(0).shows(", margins safe (no submission labelled TLE was run)\n");
    let slow = SLOW.replace("60000", "6000000");
    let tight = sums(&[&stated[..], &[never, ("submissions/accepted/slow.sh", &slow)]].concat());
    tight.file("problems/p/.timelimit", "0.1\n");
    let run = tight.run(&[]);
    run.status(1).ends("accepted/slow.sh", "TLE", "missed").shows("margins not safe: accepted/slow.sh (>0.2");
}

#[apply(cli_test)]
fn margins_are_those_of_the_package() {
    let never = ("submissions/time_limit_exceeded/never.sh", "while :; do :; done\n");
    let yaml = ("problem.yaml", "limits: {time_multiplier: 1000, time_safety_margin: 3}\n");
    let workspace = sums(&[yaml, (".timelimit", "0.2\n"), never]);
    let run = workspace.run(&[]);
    run.status(0).shows("fastest TLE >0.6").shows("takes more than the limit / 1000");
    assert_eq!(
        run.events[0]["problems"][0]["margins"],
        serde_json::json!({"ac_to_time_limit": 1000.0, "time_limit_to_tle": 3.0, "killed_at": 3.0})
    );
    workspace.grader(&["verify", "p"]).shows("time-limit-tight").shows("more than the limit / 1000");
    // Where it is ended before, nobody knows.
    workspace.file("grader.toml", "time_limit_to_tle = 1.5\n");
    workspace.file("problems/p/problem.yaml", "limits: {time_safety_margin: 3}\n");
    let run = workspace.run(&["--no-cache"]);
    run.status(0).shows("margins not known: time_limit_exceeded/never.sh (>0.3").shows("before 3 × the limit");
    workspace.grader(&["verify", "p"]).shows("margins safe");
}

#[apply(cli_test)]
fn each_test_has_the_margin_of_its_own_limit() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").toml("limits.time_limit = 0.001\nlimits.wall_limit = 20\n");
    for dir in ["sample", "secret"].iter().filter(|dir| workspace.path(format!("testcases/sum/{dir}")).is_dir()) {
        workspace.file(format!("testcases/sum/{dir}/test_group.toml"), "limits.time_limit = 20\n");
    }
    workspace
        .problem("sum")
        .case("far/1", "1 1\n", "2\n")
        .file("../../testcases/sum/far/test_group.toml", "limits.time_limit = 30\n");
    let run = workspace.run(&["--no-cache"]);
    run.status(0).shows(", margins safe (");
    let other = run.tests("test_finished", "accepted/sum.sh").len();
    assert!(other > 1);
    assert_eq!(run.test("accepted/sum.sh", "far/1")["measured"]["time_limit"].as_f64(), Some(30.0));
}

#[apply(cli_test)]
fn domjudge_gives_ten_seconds() {
    let yaml = format!("{CURRENT}limits: {{time_resolution: 0.01, time_multipliers: {{ac_to_time_limit: 1}}}}\n");
    let slow = ("submissions/time_limit_exceeded/slow.sh", SLOW);
    let workspace = sums(&[("problem.yaml", &yaml), slow]);
    workspace.run(&["--as", "icpc", "-s", "slow.sh"]).status(0).ends("time_limit_exceeded/slow.sh", "TLE", "met");
    let run = workspace.run(&["--as", "domjudge", "-s", "slow.sh"]);
    run.status(1).ends("time_limit_exceeded/slow.sh", "AC", "missed").shows("10 s is the default of domjudge");
    assert_eq!(limit(&run), (10.0, "is the default of domjudge if a problem states none"));
}

/// A package whose only case has this answer; `accepted/it.sh` prints this.
fn answers(flags: &str, answer: &str, output: &str) -> Workspace {
    package(&[
        ("problem.yaml", "problem_format_version: 2025-09\nlimits: {time_limit: 1}\n"),
        ("data/secret/test_group.yaml", &format!("output_validator_args: [{flags}]\n")),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", &format!("{answer}\n")),
        ("submissions/accepted/it.sh", &format!("echo '{output}'\n")),
    ])
}

#[track_caller]
fn verdicts(workspace: &Workspace, [icpc, kattis, domjudge]: [&str; 3]) {
    for (judge, verdict) in [("icpc", icpc), ("kattis", kattis), ("domjudge", domjudge)] {
        let run = workspace.run(&["--as", judge]);
        let found = run.of("submission_finished").next().unwrap();
        assert_eq!(found["verdict"].as_str().unwrap_or("-"), verdict, "{judge}: {}", run.all());
    }
}

#[apply(cli_test)]
fn the_judge_follows_the_package() {
    let hex = |files: &[(&str, &str)]| {
        let files = [files, &[("data/secret/1.in", ""), ("data/secret/1.ans", "16\n")]].concat();
        let run = package(&[&files[..], &[("submissions/accepted/it.sh", "echo 0x10\n")]].concat()).run(&[]);
        (run.end("accepted/it.sh")["verdict"].clone(), run.events[0]["problems"][0]["memory"].as_u64().unwrap() >> 20)
    };
    let group = ("data/secret/test_group.yaml", "output_validator_args: float_tolerance 1e-6\n");
    assert_eq!(hex(&[("problem.yaml", CURRENT), group]), ("WA".into(), 2048));
    let legacy = [("problem.yaml", "validator_flags: float_tolerance 1e-6\n"), (".timelimit", "1")];
    assert_eq!(hex(&legacy), ("AC".into(), 1024));
    let ini = [legacy[0], ("domjudge-problem.ini", "timelimit = 1\n")];
    assert_eq!(hex(&ini), ("AC".into(), 2048));
}

#[apply(cli_test)]
fn judges_read_numbers_differently() {
    let tolerance = "float_tolerance, 1e-6";
    verdicts(&answers(tolerance, "16", "0x10"), ["WA", "AC", "AC"]);
    verdicts(&answers(tolerance, "0x1.8p1", "3"), ["WA", "AC", "AC"]);
    verdicts(&answers(tolerance, "inf", "Infinity"), ["WA", "WA", "AC"]);
    verdicts(&answers(tolerance, "inf", "-inf"), ["WA", "WA", "WA"]);
    verdicts(&answers("case_sensitive, float_tolerance, 1e-6", "nan", "NaN"), ["WA", "WA", "AC"]);
    verdicts(&answers(tolerance, "1", "nan"), ["WA", "WA", "WA"]);
    verdicts(&answers("case_sensitive", "16", "0x10"), ["WA", "WA", "WA"]);
}

#[apply(cli_test)]
fn judges_tell_different_things_first() {
    // Over time when it begins to fill the memory.
    let greedy = format!("{SLOW}x=$(head -c 200000000 /dev/zero | tr '\\0' a)\necho ${{#x}}\n");
    let workspace = package(&[
        ("problem.yaml", "problem_format_version: 2025-09\nlimits: {time_limit: 0.02, memory: 64}\n"),
        ("data/secret/1.in", "1 2\n"),
        ("data/secret/1.ans", "3\n"),
        ("submissions/accepted/it.sh", &greedy),
    ]);
    workspace.file("grader.toml", "time_limit_to_tle = 500\n");
    verdicts(&workspace, ["MLE", "TLE", "TLE"]);
}

#[apply(cli_test)]
fn judges_blame_a_broken_interactor_differently() {
    let workspace = package(&[
        ("problem.yaml", "problem_format_version: 2025-09\ntype: interactive\nlimits: {time_limit: 1}\n"),
        ("output_validator/v.sh", "read word || exit 1\nexit 42\n"),
        ("data/secret/1.in", ""),
        ("submissions/accepted/it.sh", "exit 7\n"),
    ]);
    verdicts(&workspace, ["RTE", "-", "-"]);
    workspace.run(&["--as", "kattis"]).status(3).shows("v.sh");
}

#[apply(cli_test)]
fn judges_know_different_verdicts() {
    let workspace = package(&[
        ("problem.yaml", "problem_format_version: 2025-09\nlimits: {time_limit: 5, output: 1}\n"),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", "3\n"),
        ("submissions/run_time_error/flood.sh", "exec head -c 3000000 /dev/zero\n"),
    ]);
    workspace.run(&["--as", "icpc"]).status(0).ends("run_time_error/flood.sh", "OLE", "met");
    workspace.run(&["--as", "kattis"]).status(0).ends("run_time_error/flood.sh", "OLE", "met");
    workspace.run(&["--as", "domjudge"]).status(1).ends("run_time_error/flood.sh", "OLE", "missed");
}

/// More than 1 MiB.
const FLOOD: &str = "head -c 3000000 /dev/zero";

#[apply(cli_test)]
fn judges_take_too_much_output_differently() {
    let after = format!("{}{FLOOD}\n", SLOW.replace("60000", "150000"));
    let programs = [
        ("endless", "exec yes\n", ["OLE", "TLE", "TLE"]),
        ("fails", &format!("{FLOOD}\nexit 3\n"), ["OLE", "RTE", "RTE"]),
        ("much", &format!("exec {FLOOD}\n"), ["OLE", "OLE", "OLE"]),
        ("right", &format!("echo 3\n{FLOOD} >&2\n"), ["OLE", "AC", "AC"]),
        ("wrong", &format!("echo 4\n{FLOOD} >&2\n"), ["OLE", "WA", "WA"]),
        (
            "both",
            "echo 3\nhead -c 600000 /dev/zero | tr '\\0' ' '\nhead -c 600000 /dev/zero >&2\n",
            ["OLE", "AC", "AC"],
        ),
        ("file", &format!("exec {FLOOD} >file\n"), ["OLE", "RTE", "RTE"]),
        ("late", &after, ["OLE", "TLE", "TLE"]),
    ];
    let workspace = package(&[
        ("problem.yaml", "problem_format_version: 2025-09\nlimits: {time_limit: 0.2, output: 1}\n"),
        ("data/secret/1.in", "1 2\n"),
        ("data/secret/1.ans", "3\n"),
        ("submissions/accepted/none.sh", "echo 3\n"),
    ]);
    workspace.file("grader.toml", "time_limit_to_tle = 6\nlimits.wall_limit = 20\n");
    for (name, program, _) in &programs {
        workspace.file(format!("problems/p/submissions/other/{name}.sh"), program);
    }
    // The last time from the store.
    for (number, judge) in ["icpc", "kattis", "domjudge", "all", "all"].into_iter().enumerate() {
        let run = workspace.run(&["--as", judge]);
        for (name, _, verdicts) in &programs {
            let test = run.test(&format!("other/{name}.sh"), "secret/1");
            let all = judge == "all";
            assert_eq!(test["verdict"], verdicts[if all { 0 } else { number }], "{name} {}", run.all());
            let said = |others: &Vec<Value>| {
                others.iter().map(|other| other["verdict"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
            };
            let others = test["others"].as_array().map(said);
            // What the package's own judge has no word for is a run-time error to it.
            let differs = all && verdicts[1..] != ["RTE", "RTE"];
            let expected = differs.then(|| verdicts[1..].iter().map(|word| (*word).to_owned()).collect());
            assert_eq!(others, expected, "{name} {}", run.all());
        }
    }
}

#[apply(cli_test)]
fn judges_give_different_memory() {
    let workspace = sums(&[("problem.yaml", CURRENT)]);
    let memory = |args: &[&str]| workspace.run(args).events[0]["problems"][0]["memory"].as_u64().unwrap() >> 20;
    let of = |judge| memory(&["--as", judge, "-t", "sample"]);
    assert_eq!(["icpc", "kattis", "domjudge"].map(of), [2048, 1024, 2048]);
    // What somebody states holds for each.
    workspace.file("grader.toml", "limits.memory = 512\n");
    assert_eq!(["icpc", "kattis", "domjudge"].map(of), [512, 512, 512]);
}

#[apply(cli_test)]
fn the_judge_can_be_configured() {
    let workspace = answers("float_tolerance, 1e-6", "16", "0x10");
    workspace.run(&[]).status(1);
    workspace.file("grader.toml", "as = \"kattis\"\n");
    workspace.run(&[]).status(0);
    workspace.run(&["--as", "icpc"]).status(1);
    workspace.file("grader.toml", "as = \"katis\"\n");
    workspace.run(&[]).status(2).says("line 1").says("did you mean `kattis`?");
    workspace.run(&["--as", "katis"]).status(2).says("kattis");
}

#[apply(cli_test)]
fn every_judge_is_asked_of_one_run() {
    let yaml = format!("{CURRENT}limits: {{time_resolution: 0.01, time_multipliers: {{ac_to_time_limit: 1}}}}\n");
    let workspace = sums(&[
        ("problem.yaml", &yaml),
        ("data/secret/test_group.yaml", "output_validator_args: float_tolerance 1e-6\n"),
        ("submissions/brute_force/slow.sh", SLOW),
        ("submissions/wrong_answer/hex.sh", "read a b\n[ $a = 2 ] && echo 0x4 || echo 3\n"),
    ]);
    let table = |run: &Run| {
        let rows = run.stdout.lines().skip_while(|line| !line.starts_with("judges disagree"));
        rows.take(5).map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
    };
    let run = workspace.run(&["--as", "all"]);
    let expect = [
        "judges disagree on 2 tests",
        "icpc kattis domjudge",
        "p · brute_force/slow.sh sample/1 TLE TLE AC",
        "p · wrong_answer/hex.sh secret/2 WA AC AC",
        "",
    ];
    assert_eq!(table(run.status(0)), expect, "{}", run.all());
    let others = &run.test("wrong_answer/hex.sh", "secret/2")["others"];
    assert_eq!(others[0]["judge"], "kattis");
    assert_eq!(others[0]["verdict"], "AC");
    let again = workspace.run(&["--as", "all"]);
    assert_eq!(table(&again), expect, "{}", again.all());
    assert_eq!(again.measured_and_cached().0, 0, "{}", again.all());
    // From what was stored without that question.
    let workspace = answers("float_tolerance, 1e-6", "16", "0x10");
    workspace.run(&[]).status(1);
    let later = workspace.run(&["--as", "all"]);
    assert_eq!(later.status(1).shows("WA     AC      AC").measured_and_cached(), (0, 1));
}

#[apply(cli_test)]
fn judges_that_give_more_time_see_more_passes() {
    let limits = "{time_resolution: 0.05, time_multipliers: {ac_to_time_limit: 1}}";
    let yaml = format!("{CURRENT}type: multi-pass\nlimits: {limits}\n");
    // The second pass is 9 + 9.
    let validator = "read a b < $1\nread c\n[ \"$c\" = $((a + b)) ] || exit 43\n\
                     [ $a = 9 ] || echo 9 9 > $3/nextpass.in\nexit 42\n";
    let fails_later = SLOW.replace("echo", "[ $a = 9 ] || echo");
    let workspace = sums(&[
        ("problem.yaml", &yaml),
        ("output_validator/v.sh", validator),
        ("submissions/brute_force/slow.sh", SLOW),
        ("submissions/time_limit_exceeded/later.sh", &fails_later),
        ("submissions/wrong_answer/three.sh", "echo 3\n"),
    ]);
    for _ in 0..2 {
        let run = workspace.run(&["--as", "all"]);
        run.status(0).shows("judges disagree on 2 tests");
        let words = |submission| {
            let others = run.test(submission, "sample/1")["others"].as_array().unwrap();
            others.iter().map(|other| other["verdict"].as_str().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(words("brute_force/slow.sh"), ["TLE", "AC"]);
        assert_eq!(words("time_limit_exceeded/later.sh"), ["TLE", "WA"]);
        run.judged("brute_force/slow.sh", "sample/1", "TLE", "pass 1: ");
        run.judged("wrong_answer/three.sh", "sample/1", "WA", "pass 2: rejected by the output validator");
    }
    let run = workspace.run(&["--as", "domjudge"]);
    run.status(1).ends("brute_force/slow.sh", "AC", "missed").judged(
        "time_limit_exceeded/later.sh",
        "sample/1",
        "WA",
        "pass 2: ",
    );
}

#[apply(cli_test)]
fn answers_have_no_time_limit() {
    let yaml = format!("{CURRENT}type: submit-answer\n");
    let own = [
        ("problem.yaml", &*yaml),
        ("submissions/accepted/all/1.out", "3\n"),
        ("submissions/accepted/all/2.out", "4\n"),
    ];
    for more in [&[][..], &["--as", "all"], &["--as", "domjudge"]] {
        let run = package(&[&SUMS[..4], &own].concat()).run(more);
        run.status(0).silent().ends("accepted/all", "AC", "met").hides("derived").hides("time limit");
    }
}

#[apply(cli_test)]
fn judges_that_agree_are_told_too() {
    let run = sums(&[("problem.yaml", CURRENT)]).run(&["--as", "all"]);
    run.status(0).shows("icpc, kattis, domjudge agree on every test that was run");
    sums(&[("problem.yaml", CURRENT)]).run(&[]).status(0).hides("agree");
}

#[apply(cli_test)]
fn codeforces_has_verdicts_and_limits_of_its_own() {
    let keeps = "read a b\nhead -c 300000000 /dev/zero | tail -n 1 >/dev/null\necho $((a + b))\n";
    let hungry = ("submissions/run_time_error/hungry.sh", keeps);
    let workspace = sums(&[("problem.yaml", CURRENT), hungry]);
    // 256 MiB, and a lack of memory is no crash.
    let run = workspace.run(&["--as", "codeforces", "-s", "hungry.sh"]);
    run.status(1).ends("run_time_error/hungry.sh", "MLE", "missed").shows("1 s is the default of codeforces");
    workspace.run(&["--as", "domjudge", "-s", "hungry.sh"]).ends("run_time_error/hungry.sh", "AC", "missed");
}
