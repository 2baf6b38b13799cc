//! `judge --stream --engine`: requests that workers carry out. Their results must be those of one machine.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Child;
use std::time::{Duration, Instant};

use macro_rules_attribute::apply;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::cli::farm::Farm;
use crate::cli::need::Need;
use crate::cli::run::{Call, Run};
use crate::cli::stream::lines;
use crate::cli::workspace::{SUM, Workspace};

/// A program for one test, which takes a while.
fn sum(id: usize, seconds: f64) -> Value {
    let tests = json!([{"input": "1 2\n", "output": "3\n"}]);
    let source = format!("/bin/sleep {seconds}\n{SUM}# {id}\n");
    json!({"id": id, "problem": {"tests": tests}, "language": "bash", "source": source})
}

fn results(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

/// The results by the lines of their requests, without what differs from run to run.
fn facts(run: &Run) -> Vec<Value> {
    let mut results = results(&run.stdout);
    results.sort_by_key(|result| result["line"].as_u64());
    results.iter_mut().for_each(forget);
    results
}

fn forget(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| !matches!(&**key, "cpu" | "wall" | "memory" | "cached"));
            map.values_mut().for_each(forget);
        }
        Value::Array(list) => list.iter_mut().for_each(forget),
        // A reason names the cpu time that it measured.
        Value::String(text) => {
            if let Some((before, rest)) = text.split_once("slept: ")
                && let Some((_, after)) = rest.split_once(" s of cpu")
            {
                *text = format!("{before}slept: … s of cpu{after}");
            }
        }
        _ => {}
    }
}

/// Fails unless each request has one result, which accepts it.
#[track_caller]
fn all_accepted(run: &Run, count: usize) {
    let results = results(&run.stdout);
    let ids: BTreeSet<u64> = results.iter().filter_map(|result| result["id"].as_u64()).collect();
    assert_eq!((ids.len(), results.len()), (count, count), "{}", run.all());
    assert!(results.iter().all(|result| result["verdict"] == "AC"), "{}", run.all());
}

const WORDS: [&str; 3] = ["judge", "--stream", "--no-cache"];

fn stream(farm: &Farm, workspace: &Workspace, more: &[&str], input: &str) -> Run {
    let words = farm.words(&[&WORDS[..], more].concat());
    Call::any(&workspace.path(""), &words).input(input).run()
}

/// A stream that goes on until its input ends.
struct Running {
    call: Call,
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Running {
    fn begin(farm: &Farm, workspace: &Workspace) -> Self {
        let mut call = Call::any(&workspace.path(""), &farm.words(&WORDS));
        let mut child = call.piped();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { call, child, lines }
    }

    fn send(&mut self, requests: &[Value]) {
        self.child.stdin.as_mut().unwrap().write_all(lines(requests).as_bytes()).unwrap();
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    /// Sends nothing more, and waits for the rest.
    fn end(mut self) -> (Run, Vec<Value>) {
        drop(self.child.stdin.take());
        let rest: Vec<String> = self.lines.lines().map(Result::unwrap).collect();
        (self.call.wait(self.child), results(&rest.join("\n")))
    }
}

#[apply(cli_test)]
#[needs(&[Need::Broker, Need::Tool("python3")])]
fn every_kind_of_request_has_the_same_result() {
    let workspace = Workspace::with_sum().without_walls();
    workspace.problem("sum").toml("reference = \"accepted/sum.sh\"\n[limits]\ntime_limit = 1\n");
    let tests = json!([{"input": "1 2\n", "output": "3\n"}, {"input": "5 5\n", "output": "10\n"}]);
    let carried =
        |id: &str, source: &str| json!({"id": id, "problem": {"tests": &tests}, "language": "bash", "source": source});
    let named = |id: &str, source: &str| json!({"id": id, "problem": "sum", "language": "bash", "source": source});
    let function = |id: &str, source: &str| {
        let tests = json!([{"input": [1, 2], "output": 3}]);
        json!({"id": id, "problem": {"tests": tests, "entry": {"function": "f"}}, "source": source})
    };
    let checked = json!({"id": "checker", "problem": {"tests": [{"input": "", "output": "1.0"}], "checker": "float=0.1"},
        "language": "bash", "source": "echo 1.05"});
    // Longer than what goes into a message of the broker.
    let long = format!("{SUM}# {}", "x".repeat(300_000));
    let requests = [
        carried("right", SUM),
        carried("wrong", "echo 3"),
        carried("fails", "exit 3"),
        carried("long", &long),
        carried("same as right", SUM),
        named("named", SUM),
        named("named and wrong", "echo 3"),
        named("named and slow", "while :; do :; done"),
        function("function", "def f(a, b):\n    return a + b\n"),
        function("wrong function", "def f(a, b):\n    return a - b\n"),
        function("no function", "def g(a, b):\n    return a\n"),
        json!({"id": "no Python", "problem": {"tests": &tests}, "language": "python3", "source": "def f(:\n"}),
        json!({"id": "files", "problem": "sum", "files": {"main.sh": SUM, "more.sh": "exit 1"}}),
        json!({"id": "files", "problem": "sum", "language": "bash", "files": {"main.sh": ". ./more.sh", "more.sh": SUM}}),
        json!({"id": "limits", "problem": "sum", "language": "bash", "source": "/bin/sleep 9", "limits": {"wall_limit": 0.3}}),
        json!({"id": "no limit", "problem": "sum", "language": "bash", "source": SUM, "limits": {"time_limit": -1}}),
        json!({"id": "no problem", "problem": "none", "language": "bash", "source": SUM}),
        json!({"id": "no language", "problem": "sum", "language": "klingon", "source": SUM}),
        json!({"id": "odd key", "sauce": 1}),
        checked,
    ];
    let input = format!("{}\nno JSON\n", lines(&requests));
    let mut farm = Farm::new();
    farm.make_tools("scripts", &["bash", "sh", "sleep", "python3"]);
    farm.start_with("w1", "scripts", &[]);
    farm.start_with("w2", "scripts", &[]);
    farm.wait_for_workers(&["w1", "w2"]);
    for more in [&[][..], &["-a"]] {
        let there = stream(&farm, &workspace, more, &input);
        let call = Call::any(&workspace.path(""), &[&WORDS[..], more].concat()).env("PATH", farm.path("scripts"));
        let here = call.input(&input).run();
        there.status(here.status);
        let (there, here) = (facts(&there), facts(&here));
        for (there, here) in there.iter().zip(&here) {
            assert_eq!(there, here);
        }
        assert_eq!((there.len(), here.len()), (requests.len() + 1, requests.len() + 1));
        let verdicts: BTreeSet<&str> = here.iter().filter_map(|result| result["verdict"].as_str()).collect();
        assert_eq!(verdicts, BTreeSet::from(["AC", "CE", "RTE", "TLE", "WA"]));
        assert_eq!(here.iter().filter(|result| result["status"] == "error").count(), 5, "{here:?}");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn results_can_keep_the_order() {
    let workspace = Workspace::bare().without_walls();
    let farm = Farm::with_two();
    let requests: Vec<Value> = (0..12).map(|id| sum(id, if id % 2 == 0 { 0.2 } else { 0.0 })).collect();
    let run = stream(&farm, &workspace, &["--ordered"], &lines(&requests));
    run.status(0);
    let ids: Vec<u64> = results(&run.stdout).iter().map(|result| result["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, (0..12).collect::<Vec<_>>());
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn failures_of_workers_and_broker_change_no_result() {
    let workspace = Workspace::bare().without_walls();
    let mut farm = Farm::with_two();
    let mut running = Running::begin(&farm, &workspace);
    let requests: Vec<Value> = (0..50).map(|id| sum(id, 0.1)).collect();
    let mut results = Vec::new();
    let mut go_on = |running: &mut Running, from: usize| {
        running.send(&requests[from..from + 10]);
        results.extend((0..3).map(|_| running.next()));
    };
    go_on(&mut running, 0);
    farm.kill("w1");
    farm.start("w1");
    go_on(&mut running, 10);
    farm.signal("w2", Signal::STOP);
    std::thread::sleep(Duration::from_millis(1500));
    farm.signal("w2", Signal::CONT);
    go_on(&mut running, 20);
    farm.kill_broker();
    farm.start_broker();
    go_on(&mut running, 30);
    farm.kill_broker();
    fs::remove_dir_all(farm.broker_files()).unwrap();
    farm.start_broker();
    go_on(&mut running, 40);
    let (run, rest) = running.end();
    results.extend(rest);
    run.status(0);
    let ids: BTreeSet<u64> = results.iter().filter_map(|result| result["id"].as_u64()).collect();
    assert_eq!((ids.len(), results.len()), (50, 50), "{}", run.all());
    assert!(results.iter().all(|result| result["verdict"] == "AC"), "{}", run.all());
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_killed_stream_goes_on() {
    let workspace = Workspace::bare().without_walls();
    let mark = workspace.path("marks");
    let farm = Farm::with_two();
    let requests: Vec<Value> = (0..30)
        .map(|id| {
            let mut request = sum(id, 0.05);
            let source = format!("echo {id} >> {}\n{}", mark.display(), request["source"].as_str().unwrap());
            request["source"] = source.into();
            request
        })
        .collect();
    let mut running = Running::begin(&farm, &workspace);
    running.send(&requests);
    let seen: Vec<Value> = (0..10).map(|_| running.next()).collect();
    assert!(seen.iter().all(|result| result["verdict"] == "AC"), "{seen:?}");
    running.child.kill().unwrap();
    running.call.wait(running.child);
    let run = stream(&farm, &workspace, &[], &lines(&requests));
    run.status(0);
    all_accepted(&run, 30);
    // The results that were at the broker are not made again; two may have been under way.
    let mut runs: Vec<usize> = workspace.read("marks").lines().map(|line| line.parse().unwrap()).collect();
    runs.sort_unstable();
    let again = runs.len() - BTreeSet::from_iter(&runs).len();
    assert!(again <= 4, "{again} ran again: {runs:?}");
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn an_interrupt_takes_back_what_waits() {
    let workspace = Workspace::bare().without_walls();
    let farm = Farm::with_two();
    let mut running = Running::begin(&farm, &workspace);
    running.send(&[sum(0, 0.0)]);
    assert_eq!(running.next()["verdict"], "AC");
    running.send(&(1..20).map(|id| sum(id, 60.0)).collect::<Vec<_>>());
    std::thread::sleep(Duration::from_millis(500));
    rustix::process::kill_process(rustix::process::Pid::from_child(&running.child), Signal::INT).unwrap();
    let begun = Instant::now();
    let (run, rest) = running.end();
    run.status(130);
    assert_eq!(rest, [Value::Null; 0]);
    // The workers are free for others at once.
    all_accepted(&stream(&farm, &workspace, &[], &lines(&[sum(1, 0.0), sum(2, 0.0), sum(3, 0.0)])), 3);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn two_streams_at_once_do_not_meet() {
    let workspace = Workspace::bare().without_walls();
    let farm = Farm::with_two();
    let mut first = Running::begin(&farm, &workspace);
    first.send(&[sum(0, 0.0)]);
    assert_eq!(first.next()["id"], 0);
    let requests: Vec<Value> = (0..10).map(|id| sum(id, 0.1)).collect();
    first.send(&requests[1..]);
    // Its end must take nothing away from the first.
    all_accepted(&stream(&farm, &workspace, &[], &lines(&requests)), 10);
    first.send(&[sum(10, 0.0)]);
    let (run, rest) = first.end();
    run.status(0);
    assert_eq!(rest.iter().filter(|result| result["verdict"] == "AC").count(), 10, "{}", run.all());
}

/// Whoever waits for a result before the next request must not wait for anything else.
#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_request_comes_before_its_successor_is_sent() {
    let workspace = Workspace::bare().without_walls();
    let farm = Farm::with_two();
    let mut running = Running::begin(&farm, &workspace);
    for id in 0..30 {
        running.send(&[sum(id, 0.0)]);
        assert_eq!(running.next()["id"], id);
    }
    let (run, rest) = running.end();
    run.status(0);
    assert_eq!(rest, [Value::Null; 0]);
}
