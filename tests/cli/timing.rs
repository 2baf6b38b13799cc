//! Times that can be trusted: runs near the limit, a machine that is busy, a core for each slot.

use std::path::Path;
use std::process::{Child, Command};

use macro_rules_attribute::apply;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use serde_json::Value;

use crate::cli::need::Need;
use crate::cli::record::comparable;
use crate::cli::workspace::Workspace;

const PYTHON: &[Need] = &[Need::Tool("python3")];

/// A program that uses so much cpu time in its first, second, … run, the start of the interpreter included; the last of
/// `seconds` holds for all later ones. It prints `ok`.
fn burner(workspace: &Workspace, seconds: &[f64]) -> String {
    burner_with(&workspace.path("count"), seconds)
}

/// The same with its own file of executions, beside another program of this kind.
fn burner_with(count: &Path, seconds: &[f64]) -> String {
    format!(
        "import time
with open('{count}', 'a') as count:
    count.write('x')
    run = count.tell()
seconds = {seconds:?}
while time.process_time() < seconds[min(run, len(seconds)) - 1]:
    pass
print('ok')
",
        count = count.display()
    )
}

fn runs_of(workspace: &Workspace) -> usize {
    workspace.read("count").len()
}

/// The problem `burn`, of one case and a limit of 0.4 s. Less than 0.04 s from the limit is near it.
fn burning(directory: &str, seconds: &[f64]) -> Workspace {
    burning_within(0.4, directory, seconds)
}

/// The same with another limit. A program that wants 9 s of CPU time is killed after one and a half limits.
fn burning_within(limit: f64, directory: &str, seconds: &[f64]) -> Workspace {
    let workspace = Workspace::new().without_walls();
    workspace
        .problem("burn")
        .toml(&format!("limits.time_limit = {limit}\nlimits.wall_limit = 60\n"))
        .case("sample/1", "", "ok\n")
        .submission(&format!("{directory}/burn.py"), &burner(&workspace, seconds));
    workspace
}

/// The cpu times of all runs of a test, in order.
fn times(result: &Value) -> Vec<f64> {
    let times = result["measured"]["times"].as_array();
    times.into_iter().flatten().filter_map(Value::as_f64).collect()
}

fn remark(result: &Value) -> &str {
    result["measured"]["remark"].as_str().unwrap_or_default()
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn times_on_both_sides_of_the_limit_are_flaky() {
    let workspace = burning("accepted", &[0.41, 0.37, 0.37]);
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/burn.py", "AC", "met").shows("check this AC: flaky: 0.4");
    let result = run.test("accepted/burn.py", "sample/1");
    let times = times(result);
    assert_eq!(times.len(), 3, "{result}");
    assert!(times[0] > 0.4 && times[1] < 0.4 && times[2] < 0.4, "{result}");
    let told: Vec<String> = times.iter().map(|time| format!("{time:.3} s")).collect();
    assert_eq!(remark(result), format!("flaky: {} of 0.4 s", told.join(", ")));
    assert_eq!(result["measured"]["cpu"].as_f64(), times.into_iter().reduce(f64::min), "{result}");
    assert_eq!(result["remarks"], Value::Null, "what is measured is in `measured`: {result}");
    assert_eq!(runs_of(&workspace), 3);
    // Nothing of it is remembered.
    assert_eq!(workspace.run(&[]).measured_and_cached(), (1, 0));
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn the_quickest_of_three_runs_decides() {
    let workspace = burning("time_limit_exceeded", &[0.415, 0.405, 0.415, 9.0]);
    let run = workspace.run(&[]);
    let result = run.test("time_limit_exceeded/burn.py", "sample/1");
    let times = times(result);
    assert!(remark(result).starts_with("near the time limit in 3 runs: 0.4"), "{result}");
    assert_eq!((times.len(), runs_of(&workspace)), (3, 3));
    let quickest = times.into_iter().reduce(f64::min).unwrap();
    let reason = format!("{quickest:.3} s > 0.4 s");
    run.status(0).judged("time_limit_exceeded/burn.py", "sample/1", "TLE", &reason);
    // Killed where nobody can tell how long it would have taken.
    workspace.file("grader.toml", "isolation = \"none\"\ntime_limit_to_tle = 1.05\n");
    let run = workspace.run(&[]);
    run.status(0).judged("time_limit_exceeded/burn.py", "sample/1", "TLE", "(limit 0.4 s)");
    assert_eq!(runs_of(&workspace), 6);
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_clear_run_ends_the_repetition() {
    let workspace = burning("accepted", &[0.41, 0.1]);
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/burn.py", "AC", "met");
    let result = run.test("accepted/burn.py", "sample/1");
    assert!(remark(result).starts_with("flaky: 0.4"), "{result}");
    assert_eq!((times(result).len(), runs_of(&workspace)), (2, 2));
    // A clear run of a test that is not clear is not remembered either.
    assert_eq!(workspace.run(&[]).measured_and_cached(), (1, 0));
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn what_is_far_from_the_limit_or_wrong_is_run_once() {
    for (directory, answer, seconds, status) in
        [("accepted", "ok\n", 0.1, 0), ("time_limit_exceeded", "ok\n", 0.5, 0), ("wrong_answer", "no\n", 0.38, 0)]
    {
        let workspace = burning(directory, &[seconds]);
        workspace.problem("burn").case("sample/1", "", answer);
        let run = workspace.run(&[]);
        run.status(status);
        let result = run.test(&format!("{directory}/burn.py"), "sample/1");
        assert_eq!((remark(result), times(result).len(), runs_of(&workspace)), ("", 0, 1), "{result}");
    }
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn asked_for_repetitions_are_not_repeated() {
    let workspace = burning("accepted", &[0.38]);
    let run = workspace.run(&["--repeat", "2"]);
    run.status(0).ends("accepted/burn.py", "AC", "met");
    let result = run.test("accepted/burn.py", "sample/1");
    assert_eq!((remark(result), times(result).len(), runs_of(&workspace)), ("near the time limit", 0, 2), "{result}");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn interactive_runs_are_repeated_too() {
    let workspace = burning("accepted", &[0.41, 0.37]);
    workspace
        .problem("burn")
        .toml("type = \"interactive\"\nlimits.time_limit = 0.4\nlimits.wall_limit = 60\n")
        .file("output_validator/listen.sh", "read word\n[ $word = ok ] && exit 42\nexit 43\n");
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/burn.py", "AC", "met");
    let result = run.test("accepted/burn.py", "sample/1");
    assert!(remark(result).starts_with("flaky: 0.4"), "{result}");
    assert_eq!((times(result).len(), runs_of(&workspace)), (3, 3));
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_repetition_runs_alone() {
    let workspace = burning("accepted", &[0.41, 0.37]);
    let log = workspace.path("log");
    let near = format!(
        "log = open('{}', 'a', buffering=1)\nlog.write('begin near\\n')\n{}log.write('end near\\n')\n",
        log.display(),
        burner(&workspace, &[0.41, 0.37])
    );
    workspace.problem("burn").submission("accepted/burn.py", &near);
    // Behind it in the plan, at work still when its first run is over, and not all of them begun.
    let wait = format!("while ! grep -q 'end near' {}; do sleep 0.01; done", log.display());
    let other = workspace.problem("other").submission(
        "accepted/other.sh",
        &format!("echo begin other >> {0}\n{wait}\nsleep 0.05\necho end other >> {0}\necho ok\n", log.display()),
    );
    // They wait for it, however busy the machine is.
    other.toml("limits.time_limit = 20\nlimits.wall_limit = 100\n");
    for n in 0..40 {
        other.case(&format!("secret/{n:02}"), "", "ok\n");
    }
    let run = workspace.run(&["-j3"]);
    run.status(0).ends("accepted/burn.py", "AC", "met").ends("accepted/other.sh", "AC", "met");
    let (mut near, mut open, mut seen) = (0, 0, 0);
    for line in workspace.read("log").lines() {
        match line {
            "begin near" => near += 1,
            "begin other" => (open, seen) = (open + 1, seen + 1),
            "end other" => open -= 1,
            _ => {}
        }
        // The first run is one among others.
        let alone = near > 1 && line.ends_with("near");
        assert!(!alone || open == 0, "{open} others at `{line}` of run {near}");
    }
    assert_eq!((near, seen), (3, 40));
    // Nobody begins before a repetition has ended, and nobody is begun to put it off.
    let text = workspace.read("log");
    let repetitions: Vec<&str> = text.split("begin near\n").skip(2).collect();
    assert!(repetitions.iter().all(|rest| rest.starts_with("end near\n")), "{text}");
    assert!(text.lines().last().is_some_and(|line| line == "end other"), "{text}");
    // The record is that of one slot, but for what is measured.
    std::fs::remove_file(workspace.path("count")).unwrap();
    let one = workspace.run(&["-j1", "--no-cache"]);
    assert_eq!(comparable(&one.events), comparable(&run.events));
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_disturbed_time_gets_a_second_look() {
    let workspace = burning("accepted", &[0.5, 0.1]);
    let run = workspace.run(&["-j2"]);
    run.status(0).ends("accepted/burn.py", "AC", "met").shows("check this AC: flaky: 0.5");
    let result = run.test("accepted/burn.py", "sample/1");
    let times = times(result);
    assert!(times.len() == 2 && times[0] > 0.5 && times[1] < 0.4, "{result}");
    assert_eq!(remark(result), format!("flaky: {:.3} s, {:.3} s of 0.4 s", times[0], times[1]));
    assert_eq!((result["measured"]["cpu"].as_f64(), runs_of(&workspace)), (Some(times[1]), 2), "{result}");
    // Files of the first run would be those of a failure.
    assert!(!workspace.path(".grader/last/burn/accepted/burn.py/sample/1.out").exists());
    // Nothing of it is remembered, as near the limit.
    assert_eq!(workspace.run(&[]).measured_and_cached(), (1, 0));
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn the_second_look_is_at_most_two_runs() {
    let workspace = burning_within(0.2, "accepted", &[9.0, 9.0, 0.1]);
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/burn.py", "AC", "met");
    let result = run.test("accepted/burn.py", "sample/1");
    assert!(remark(result).starts_with("flaky: >0.3"), "{result}");
    assert_eq!((times(result).len(), runs_of(&workspace)), (3, 3), "{result}");
    let workspace = burning_within(0.2, "accepted", &[9.0, 9.0, 9.0, 0.1]);
    let run = workspace.run(&[]);
    run.status(1).ends("accepted/burn.py", "TLE", "missed");
    let result = run.test("accepted/burn.py", "sample/1");
    assert!(remark(result).starts_with("over time in 3 runs: >0.3"), "{result}");
    assert_eq!((times(result).len(), runs_of(&workspace)), (3, 3), "{result}");
}

/// The problem `burn` with a limit of 0.2 s, of cases that each burn so many seconds in their first, second, … run and
/// leave a letter in `count` for each.
fn burning_each(directory: &str, cases: &[(&str, &[f64])]) -> Workspace {
    let workspace = burning_within(0.2, directory, &[0.0]);
    std::fs::remove_dir_all(workspace.path("testcases/burn")).unwrap();
    let program = format!(
        "import os, time
name, *seconds = input().split()
with open('{dir}/count.' + name, 'a') as count:
    count.write('x')
    run = count.tell()
with open('{dir}/count', 'a') as count:
    count.write(name)
while time.process_time() < float(seconds[min(run, len(seconds)) - 1]):
    pass
print('ok')
",
        dir = workspace.path("").display()
    );
    let mut problem = workspace.problem("burn").submission(&format!("{directory}/burn.py"), &program);
    for (name, seconds) in cases {
        let seconds: Vec<String> = seconds.iter().map(ToString::to_string).collect();
        let letter = name.chars().last().unwrap();
        problem = problem.case(name, &format!("{letter} {}\n", seconds.join(" ")), "ok\n");
    }
    workspace
}

/// The letters of the cases in the order of their runs.
fn letters(workspace: &Workspace) -> String {
    workspace.read("count")
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn one_look_settles_what_is_too_slow_by_itself() {
    let slow: &[f64] = &[9.0];
    let cases = [("secret/a", slow), ("secret/b", &[0.1]), ("secret/c", slow)];
    let workspace = burning_each("accepted", &cases);
    let one = workspace.run(&["-j1"]);
    one.status(1).ends("accepted/burn.py", "TLE", "missed");
    // The first in plan order, after all others are over.
    assert_eq!(letters(&workspace), "abcaa");
    assert_eq!(workspace.run(&[]).measured_and_cached(), (0, 3), "what is beyond doubt is remembered");
    assert_eq!(letters(&workspace), "abcaa");
    let two = workspace.run(&["-j2", "--no-cache"]);
    assert_eq!(comparable(&two.events), comparable(&one.events));
    assert_eq!((letters(&workspace).len(), letters(&workspace).matches('a').count()), (10, 6));
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn after_a_disturbed_time_the_others_are_looked_at_too() {
    let disturbed: &[f64] = &[9.0, 0.1];
    let cases = [("secret/a", disturbed), ("secret/b", &[9.0]), ("secret/c", disturbed), ("secret/d", &[0.1])];
    let workspace = burning_each("accepted", &cases);
    let run = workspace.run(&["-j1"]);
    run.status(1).ends("accepted/burn.py", "TLE", "missed");
    assert_eq!(letters(&workspace), "abcdabbc");
    for (case, told) in [("secret/a", "flaky: >0.3"), ("secret/b", "over time in 3 runs"), ("secret/c", "flaky: >0.3")]
    {
        let result = run.test("accepted/burn.py", case);
        assert!(remark(result).starts_with(told), "{case}: {result}");
    }
    // Neither of those that are flaky is remembered.
    assert_eq!(workspace.run(&[]).measured_and_cached(), (2, 2));
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn what_is_known_from_before_is_looked_at_once() {
    let workspace = burning_within(0.2, "time_limit_exceeded", &[9.0]);
    workspace.run(&[]).status(0).ends("time_limit_exceeded/burn.py", "TLE", "met");
    assert_eq!(runs_of(&workspace), 1);
    let submissions = workspace.path("problems/burn/submissions");
    std::fs::rename(submissions.join("time_limit_exceeded"), submissions.join("accepted")).unwrap();
    for (runs, seen) in [(3, (1, 0)), (3, (0, 1))] {
        let run = workspace.run(&[]);
        run.status(1).ends("accepted/burn.py", "TLE", "missed");
        assert_eq!((runs_of(&workspace), run.measured_and_cached()), (runs, seen));
    }
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn only_unexpected_times_get_a_second_look() {
    for (directory, status) in [("time_limit_exceeded", 0), ("wrong_answer", 1)] {
        let workspace = burning_within(0.2, directory, &[9.0, 0.1]);
        let run = workspace.run(&[]);
        run.status(status);
        let result = run.test(&format!("{directory}/burn.py"), "sample/1");
        assert_eq!((remark(result), times(result).len(), runs_of(&workspace)), ("", 0, 1), "{result}");
    }
    // Who asks for several runs has asked for these.
    let workspace = burning_within(0.2, "accepted", &[9.0]);
    workspace.run(&["--repeat", "2"]).status(1).ends("accepted/burn.py", "TLE", "missed");
    assert_eq!(runs_of(&workspace), 2);
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_second_look_goes_through_an_interactor() {
    let workspace = burning_within(0.2, "accepted", &[9.0, 0.1]);
    workspace
        .problem("burn")
        .toml("type = \"interactive\"\nlimits.time_limit = 0.2\nlimits.wall_limit = 60\n")
        .file("output_validator/listen.sh", "read word\n[ $word = ok ] && exit 42\nexit 43\n");
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/burn.py", "AC", "met");
    let result = run.test("accepted/burn.py", "sample/1");
    assert!(remark(result).starts_with("flaky: >0.3"), "{result}");
    assert_eq!((times(result).len(), runs_of(&workspace)), (2, 2));
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_second_look_comes_before_the_points() {
    let disturbed: &[f64] = &[9.0, 0.1];
    let workspace =
        burning_each("accepted", &[("secret/one/a", disturbed), ("secret/one/b", &[0.1]), ("secret/two/c", disturbed)]);
    workspace.problem("burn").toml("type = \"scoring\"\nlimits.time_limit = 0.2\nlimits.wall_limit = 60\n");
    for group in ["one", "two"] {
        workspace.file(format!("testcases/burn/secret/{group}/test_group.toml"), "max_score = 50\n");
    }
    let run = workspace.run(&["-j2"]);
    run.status(0).ends("accepted/burn.py", "AC", "met");
    let mut all: Vec<char> = letters(&workspace).chars().collect();
    all.sort_unstable();
    assert_eq!(String::from_iter(all), "aabcc");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn an_interrupt_ends_a_second_look() {
    let workspace = burning("accepted", &[0.5, 1000.0]);
    workspace.problem("burn").toml("limits.time_limit = 0.4\nlimits.wall_limit = 60\n");
    workspace.file("grader.toml", "isolation = \"none\"\ntime_limit_to_tle = 30\n");
    let mut call = workspace.call(&[]);
    let child = call.start();
    let begun = std::time::Instant::now();
    while !(workspace.path("count").exists() && runs_of(&workspace) == 2) {
        assert!(begun.elapsed().as_secs() < 200, "there was no second look");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT).unwrap();
    call.wait(child).status(130).ends("accepted/burn.py", "-", "interrupted");
    assert_eq!(runs_of(&workspace), 2);
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn an_interrupt_ends_the_waiting_for_others() {
    let workspace = burning("accepted", &[0.285]);
    let mark = workspace.path("sleeping");
    workspace.problem("burn").toml("limits.time_limit = 0.3\nlimits.wall_limit = 60\n");
    workspace
        .problem("other")
        .toml("limits.wall_limit = 100\n")
        .case("sample/1", "", "ok\n")
        .submission("accepted/sleep.sh", &format!("touch {}\nexec sleep 90\n", mark.display()));
    let mut call = workspace.call(&["-j2"]);
    let child = call.start();
    let begun = std::time::Instant::now();
    while !(mark.exists() && workspace.path("count").exists()) {
        assert!(begun.elapsed().as_secs() < 200, "the submissions were never started");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // Long enough for the first run to end; were it not, there would be an interrupted run all the same.
    std::thread::sleep(std::time::Duration::from_secs(1));
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT).unwrap();
    let run = call.wait(child);
    run.status(130).ends("accepted/burn.py", "-", "interrupted").ends("accepted/sleep.sh", "-", "interrupted");
    assert_eq!(runs_of(&workspace), 1, "nothing runs again while others are at work");
}

/// Programs that keep half of the cores busy, and this thread and all that it starts on these cores: the other half is free
/// for the tests beside it.
struct Busy {
    loops: Vec<Child>,
    before: CpuSet,
}

impl Busy {
    /// Each core has this many programs.
    #[expect(clippy::disallowed_methods, reason = "not a submission")]
    fn half(programs: usize) -> Self {
        let before = sched_getaffinity(None).unwrap();
        let cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|cpu| before.is_set(*cpu)).collect();
        let busy = cores.len().div_ceil(2);
        let mut half = CpuSet::new();
        cores[..busy].iter().for_each(|cpu| half.set(*cpu));
        sched_setaffinity(None, &half).unwrap();
        // A session each: the kernel shares the cores among sessions first (`sched_autogroup_enabled`).
        let program = || Command::new("setsid").args(["sh", "-c", "while :; do :; done"]).spawn().unwrap();
        Self { loops: (0..busy * programs).map(|_| program()).collect(), before }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.loops {
            let _ = child.kill();
            let _ = child.wait();
        }
        let _ = sched_setaffinity(None, &self.before);
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("setsid")])]
fn a_busy_machine_is_no_reason_for_a_verdict() {
    let workspace = burning("accepted", &[0.3]);
    workspace
        .problem("burn")
        // It has a quarter of a core: without regard to the waiting the guard would end it.
        .toml("limits.time_limit = 0.4\nlimits.wall_limit = 0.6\n")
        .submission("time_limit_exceeded/sleep.sh", "exec sleep 100\n");
    let run = {
        let _busy = Busy::half(3);
        workspace.run(&["-j2"])
    };
    run.status(0).ends("accepted/burn.py", "AC", "met");
    run.ends("time_limit_exceeded/sleep.sh", "TLE", "met");
    run.judged("time_limit_exceeded/sleep.sh", "sample/1", "TLE", "slept: ");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("setsid")])]
fn who_is_judged_beside_busy_programs_gets_a_second_look() {
    let workspace = burning_within(0.2, "accepted", &[0.1]);
    // `judge` runs the reference, too.
    workspace.file("in/burn.py", burner_with(&workspace.path("own-count"), &[9.0, 0.1]));
    // The other tests make the run long enough to tell who uses the machine.
    workspace.problem("burn").case("sample/2", "", "ok\n");
    workspace.file("in/slow.py", "import time\nwhile time.process_time() < 0.15: pass\nprint('ok')\n");
    let run = {
        let _busy = Busy::half(3);
        crate::cli::run::Call::recorded(&workspace.path(""), &["judge", "burn", "in", "--isolation", "none", "-j1"])
            .run()
    };
    run.status(0).ends("in/burn.py", "AC", "met");
    let result = run.test("in/burn.py", "sample/1");
    assert!(remark(result).starts_with("flaky: >"), "{result}");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("setsid")])]
fn a_busy_machine_is_told() {
    let workspace = burning("accepted", &[0.3]);
    let run = {
        let _busy = Busy::half(3);
        workspace.run(&["--report", "markdown=report.md"])
    };
    let share = run.events.last().unwrap()["measured"]["others"].as_f64().unwrap();
    assert!(share > 0.1 && share <= 1.0, "{share}");
    let told = format!("other programs used {} % of this machine during the run", (share * 100.0).round());
    run.status(0).shows(&told);
    assert!(workspace.read("report.md").contains(&told));
    // Nothing is measured.
    workspace.run(&[]).hides("of this machine");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("chrt"), Need::Tool("setsid")])]
fn want_of_a_core_is_our_error() {
    // It steps back behind all others, within its session and with it.
    let humble =
        "chrt -i -p 0 $$\n[ -e /proc/self/autogroup ] && echo 19 > /proc/self/autogroup\nwhile :; do :; done\n";
    let workspace = Workspace::new().without_walls();
    workspace
        .problem("burn")
        .toml("limits.time_limit = 1\nlimits.wall_limit = 0.15\n")
        .case("sample/1", "", "ok\n")
        .submission("time_limit_exceeded/humble.sh", humble);
    let _busy = Busy::half(8);
    let run = workspace.run(&["-j2"]);
    run.status(3);
    let result = run.test("time_limit_exceeded/humble.sh", "sample/1");
    assert_eq!(result["result"], "judge_error", "{result}");
    assert!(result["message"].as_str().unwrap().starts_with("it got no free core: 0."), "{result}");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_slot_has_a_core_of_its_own() {
    let all = (0..CpuSet::MAX_CPU).filter(|cpu| sched_getaffinity(None).unwrap().is_set(*cpu)).count();
    let workspace = Workspace::new();
    let problem =
        workspace.problem("mask").submission("accepted/mask.py", "import os\nprint(len(os.sched_getaffinity(0)))\n");
    for n in 0..=all {
        problem.case(&format!("secret/{n}"), "", "1\n");
    }
    workspace.run(&["--no-cache"]).status(0).ends("accepted/mask.py", "AC", "met");
    workspace.run(&["-j1", "--no-cache"]).status(0).ends("accepted/mask.py", "AC", "met");
    // More slots than cores share them all.
    for n in 0..=all {
        problem.case(&format!("secret/{n}"), "", &format!("{all}\n"));
    }
    workspace.run(&["-j", &(all + 1).to_string(), "--no-cache"]).status(0).ends("accepted/mask.py", "AC", "met");
}
