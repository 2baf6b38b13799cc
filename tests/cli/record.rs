//! The record of a run: the same for any number of jobs, and complete.

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::cli::workspace::Workspace;

/// What may differ from run to run taken out: measured figures, places of files, where results came from, and what the
/// machine lacks of what was used.
pub(crate) fn comparable(events: &[Value]) -> Vec<Value> {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(map) => {
                map.remove("measured");
                map.remove("files");
                map.values_mut().for_each(strip);
            }
            Value::Array(list) => list.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut events = events.to_vec();
    events.iter_mut().for_each(strip);
    events.retain(|event| !crate::cli::run::is_of_machine(event));
    events
}

fn varied() -> Workspace {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .toml("reference = \"sum.sh\"\nlimits.time_limit = 0.3\nlimits.wall_limit = 60\n")
        .submission("wrong_answer/three.sh", "echo 3\n")
        .submission("wrong_answer/late.sh", "read a b\n[ $a = -4 ] && echo 1 || echo $((a + b))\n")
        .submission("run_time_error/crash.sh", "read a b\n[ $a = 10 ] && exit 3\necho $((a + b))\n")
        .submission("time_limit_exceeded/busy.sh", "read a b\n[ $a = 2 ] && while :; do :; done\necho $((a + b))\n")
        .submission("compile_error/syntax.py", "print(\n")
        .submission("accepted/unexpected.sh", "read a b\n[ $a = 1 ] || echo $((a + b))\n");
    workspace
        .problem("other")
        .case("sample/1", "", "hello world\n")
        .case("secret/1", "x\n", "hello world\n")
        .submission("accepted/hello.sh", "echo Hello   world\n")
        .submission("wrong_answer/bye.sh", "echo bye\n");
    workspace
}

#[apply(cli_test)]
fn one_job_and_many_record_the_same() {
    let workspace = varied();
    let one = workspace.run(&["-j1", "--no-cache"]);
    one.status(1);
    for jobs in ["-j2", "-j5"] {
        let many = workspace.run(&[jobs, "--no-cache"]);
        many.status(1);
        let (one, many) = (comparable(&one.events), comparable(&many.events));
        for (one, many) in one.iter().zip(&many) {
            assert_eq!(one, many, "{jobs}");
        }
        assert_eq!(one.len(), many.len());
    }
}

#[apply(cli_test)]
fn notices_of_validators_keep_their_order() {
    let workspace = Workspace::with_sum();
    let problem = workspace
        .problem("sum")
        .file("input_validators/check.sh", "read a b\n[ $a = 2 ] && sleep 0.3\necho bad $a\nexit 43\n");
    for n in 10..20 {
        problem.case(&format!("secret/{n}"), "1 2\n", "3\n");
    }
    let one = workspace.run(&["-j1", "--no-cache"]);
    one.status(2);
    assert_eq!(one.findings().count(), 14);
    for _ in 0..2 {
        let many = workspace.run(&["-j4", "--no-cache"]);
        assert_eq!(comparable(&one.events), comparable(&many.events));
    }
}

#[apply(cli_test)]
fn the_store_keeps_the_same_record() {
    let workspace = varied();
    let run = workspace.run(&[]);
    let runs: Vec<_> = std::fs::read_dir(workspace.path(".grader/runs")).unwrap().flatten().collect();
    assert_eq!(runs.len(), 1);
    let kept = workspace.read(runs[0].path());
    let kept: Vec<Value> = kept.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(kept, run.events);
}

fn interrupted(signals: &[rustix::process::Signal]) -> (Workspace, crate::cli::run::Run) {
    let workspace = Workspace::with_sum().without_walls();
    let mark = workspace.path("started");
    workspace.problem("sum").toml("limits.wall_limit = 100\n").submission(
        "accepted/sum.sh",
        &format!("read a b\n[ $a = 2 ] && touch {} && exec sleep 90\necho $((a + b))\n", mark.display()),
    );
    let mut call = workspace.call(&["-j1"]);
    let child = call.start();
    let begun = std::time::Instant::now();
    while !mark.exists() {
        assert!(begun.elapsed().as_secs() < 200, "the submission was never started");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let pid = rustix::process::Pid::from_child(&child);
    for signal in signals {
        rustix::process::kill_process(pid, *signal).unwrap();
    }
    let run = call.wait(child);
    (workspace, run)
}

#[apply(cli_test)]
fn an_interrupted_run_says_so() {
    let (_workspace, run) = interrupted(&[rustix::process::Signal::INT]);
    run.status(130).shows("INTERRUPTED").ends("accepted/sum.sh", "AC", "interrupted");
    assert_eq!(run.events.last().unwrap()["interrupted"], true);
    assert_eq!(run.tests("test_finished", "accepted/sum.sh"), ["sample/1"]);
}

#[apply(cli_test)]
fn a_second_interrupt_ends_at_once() {
    use rustix::process::Signal;
    let (_workspace, run) = interrupted(&[Signal::INT, Signal::INT, Signal::INT]);
    run.status(130);
}

#[apply(cli_test)]
fn a_terminated_run_exits_143() {
    let (_workspace, run) = interrupted(&[rustix::process::Signal::TERM]);
    run.status(143);
}
