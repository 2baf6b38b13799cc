//! Workers, brokers and links that fail in the middle of a run. After each failure, every result is there once, and the
//! record is that of a run on one machine.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use macro_rules_attribute::apply;
use rustix::process::Signal;

use crate::cli::farm::{Farm, same_record};
use crate::cli::need::Need;
use crate::cli::run::{Call, Run};
use crate::cli::workspace::{SUM, Workspace};

/// Submissions of every kind, each of which takes a while.
fn work(count: usize) -> Workspace {
    let workspace = Workspace::with_sum().without_walls();
    let sum = workspace.problem("sum").toml("reference = \"accepted/sum.sh\"\n");
    for n in 0..count {
        sum.submission(&format!("accepted/{n}.sh"), &format!("/bin/sleep 0.05\n{SUM}# {n}\n"));
    }
    sum.submission("wrong_answer/w.sh", "/bin/sleep 0.05\necho 4\n").submission("run_time_error/r.sh", "exit 3\n");
    workspace
}

/// The record of a run on this machine.
fn expected(workspace: &Workspace) -> Vec<String> {
    workspace.grader(&["run"]).status(0);
    workspace.last_record()
}

fn same(workspace: &Workspace, run: &Run, expected: &[String]) {
    run.status(0);
    same_record(&workspace.last_record(), expected);
    // Every result once: a second one would be another line.
    let finished = workspace.last_record().iter().filter(|line| line.contains("submission_finished")).count();
    let planned = fs::read_dir(workspace.path("problems/sum/submissions/accepted")).unwrap().count() + 2;
    assert_eq!(finished, planned);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_worker_is_killed() {
    let workspace = work(10);
    let expected = expected(&workspace);
    let mut farm = Farm::with_two();
    let run = farm.run_while(&workspace, &["run", "--no-cache"], 2, |farm| farm.kill("w1"));
    same(&workspace, &run, &expected);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_worker_sleeps_beyond_its_lease() {
    let workspace = work(10);
    let expected = expected(&workspace);
    let mut farm = Farm::with_two();
    let run = farm.run_while(&workspace, &["run", "--no-cache"], 2, |farm| {
        farm.signal("w1", Signal::STOP);
        std::thread::sleep(Duration::from_millis(1500));
        farm.signal("w1", Signal::CONT);
    });
    same(&workspace, &run, &expected);
    assert_eq!(farm.ended("w1"), None);
}

/// A run with a lease of a minute that has its first result.
fn begun_with_a_long_lease(workspace: &Workspace, url: &str) -> (Call, std::process::Child) {
    let words = ["run", "--no-cache", "--engine", url, "--lease", "60s", "--report", "jsonl=so-far.jsonl"];
    let mut call = Call::any(&workspace.path(""), &words);
    let child = call.start();
    let begun = Instant::now();
    while !fs::read_to_string(workspace.path("so-far.jsonl")).unwrap_or_default().contains("submission_finished") {
        assert!(begun.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(10));
    }
    (call, child)
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_worker_is_asked_to_end() {
    let workspace = work(40);
    let expected = expected(&workspace);
    let mut farm = Farm::with_two();
    let url = farm.url("client").to_owned();
    // Its jobs go to others at once, however long the lease is.
    let (call, child) = begun_with_a_long_lease(&workspace, &url);
    let begun = Instant::now();
    farm.signal("w1", Signal::TERM);
    let run = call.wait(child);
    same(&workspace, &run, &expected);
    assert_eq!(farm.ended("w1"), Some(143));
    assert!(run.stderr.contains("worker w1 has ended: others judge what it had"), "{}", run.stderr);
    let log = farm.log("w1");
    assert!(log.contains("worker w1: judges submissions of run ") && log.contains(", and ends\n"), "{log}");
    assert!(begun.elapsed() < Duration::from_secs(30));
}

/// Another host, as far as the network goes: a network namespace with a link to this one.
struct OtherHost;

impl OtherHost {
    const HERE: &str = "10.77.213.1";

    fn ip(line: &str) -> bool {
        #[expect(clippy::disallowed_methods, reason = "no submission is started")]
        let done = std::process::Command::new("ip").args(line.split(' ')).output().unwrap();
        done.status.success()
    }

    fn new() -> Self {
        // What a killed test has left.
        Self::remove();
        let host = Self;
        let lines = [
            "netns add graderhost",
            "link add graderhere type veth peer name eth0 netns graderhost",
            "addr add 10.77.213.1/24 dev graderhere",
            "link set graderhere up",
            "-n graderhost addr add 10.77.213.2/24 dev eth0",
            "-n graderhost link set eth0 up",
            "-n graderhost link set lo up",
        ];
        for line in lines {
            assert!(Self::ip(line), "ip {line}");
        }
        host
    }

    fn remove() {
        Self::ip("link del graderhere");
        Self::ip("netns del graderhost");
    }
}

impl Drop for OtherHost {
    fn drop(&mut self) {
        Self::remove();
    }
}

#[apply(cli_test)]
#[needs(&[Need::Broker, Need::Network, Need::Tool("openssl")])]
fn a_link_is_down() {
    let _host = OtherHost::new();
    let workspace = work(10);
    let expected = expected(&workspace);
    let mut farm = Farm::protected(OtherHost::HERE);
    farm.start_behind(&["ip", "netns", "exec", "graderhost"], "w1", "tools", &[]);
    farm.start("w2");
    farm.wait_for_workers(&["w1", "w2"]);
    let run = farm.run_while(&workspace, &["run", "--no-cache"], 2, |_| {
        assert!(OtherHost::ip("link set graderhere down"));
        std::thread::sleep(Duration::from_millis(2500));
        assert!(OtherHost::ip("link set graderhere up"));
    });
    same(&workspace, &run, &expected);
    assert_eq!(farm.ended("w1"), None);
    // The same broker, to somebody who does not know the authority.
    let url = farm.url("w3");
    let words = ["worker", "--check", url, "--isolation", "none", "--cache", "cache"];
    let unknown = workspace.grader(&words);
    unknown.status(2);
    assert!(unknown.stderr.contains("no protected connection to 10.77.213.1"), "{}", unknown.stderr);
    assert!(unknown.stderr.contains("--ca FILE"), "{}", unknown.stderr);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn the_broker_is_killed() {
    let workspace = work(10);
    let expected = expected(&workspace);
    let mut farm = Farm::with_two();
    let run = farm.run_while(&workspace, &["run", "--no-cache"], 2, |farm| {
        farm.kill_broker();
        std::thread::sleep(Duration::from_secs(1));
        farm.start_broker();
    });
    same(&workspace, &run, &expected);
    let log = farm.log("w1");
    let (broke, again) =
        ("worker w1: the connection to the broker broke; trying again\n", "worker w1: connected again\n");
    assert!(log.contains(broke) && log.contains(again), "{log}");
}

/// The lease is for workers that are gone. Nobody waits for its end because the broker was away for a second.
#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_broker_that_comes_back_is_asked_at_once() {
    let workspace = work(40);
    let mut farm = Farm::with_two();
    let (call, child) = begun_with_a_long_lease(&workspace, farm.url("client"));
    farm.kill_broker();
    std::thread::sleep(Duration::from_secs(1));
    farm.start_broker();
    let back = Instant::now();
    let run = call.wait(child);
    run.status(0);
    assert!(back.elapsed() < Duration::from_secs(30), "{:?}: {}", back.elapsed(), run.all());
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn the_disk_of_the_broker_is_lost() {
    let workspace = work(10);
    let expected = expected(&workspace);
    let mut farm = Farm::with_two();
    let run = farm.run_while(&workspace, &["run", "--no-cache"], 2, |farm| {
        farm.kill_broker();
        fs::remove_dir_all(farm.broker_files()).unwrap();
        farm.start_broker();
    });
    same(&workspace, &run, &expected);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn the_client_is_killed() {
    let workspace = work(10);
    let expected = expected(&workspace);
    let farm = Farm::with_two();
    let words = farm.words(&["run", "--no-cache"]);
    let mut call = Call::any(&workspace.path(""), &words);
    let mut child = call.start();
    std::thread::sleep(Duration::from_millis(1300));
    child.kill().unwrap();
    call.wait(child);
    let run = farm.run(&workspace, &["run", "--no-cache"]);
    same(&workspace, &run, &expected);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn nobody_is_left() {
    let workspace = work(6);
    let expected = expected(&workspace);
    let mut farm = Farm::with_two();
    let run = farm.run_while(&workspace, &["run", "--no-cache"], 2, |farm| {
        farm.kill("w1");
        farm.kill("w2");
        // Until their last signs of life are too old.
        std::thread::sleep(Duration::from_secs(12));
        farm.start("w1");
    });
    same(&workspace, &run, &expected);
    let told = "worker w2 gave no sign of life for 8 s: others judge what it had when its lease ends (1s)";
    assert!(run.stderr.contains(told), "{}", run.stderr);
    assert!(run.stderr.contains("is there; waiting for one: grader worker URL"), "{}", run.stderr);
}

/// In isolation `none`, a submission can end its worker. Somebody starts it again, as a supervisor would.
#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_submission_kills_every_worker() {
    let workspace = work(4);
    // The parent of a program is its keeper; the parent of that is the worker.
    let poison = "read -r pid name state parent rest < /proc/$PPID/stat\nkill -9 $parent\n";
    workspace.problem("sum").submission("accepted/poison.sh", poison);
    let mut farm = Farm::with_two();
    let url = farm.url("client").to_owned();
    let mut call = Call::any(&workspace.path(""), &["run", "--no-cache", "--engine", &url, "--lease", "1s"]);
    let mut child = call.start();
    let mut deaths = 0;
    let until = Instant::now() + Duration::from_secs(60);
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < until, "{deaths} workers have ended");
        for name in ["w1", "w2"] {
            if farm.ended(name).is_some() {
                deaths += 1;
                farm.start(name);
            }
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let run = call.wait(child);
    run.status(3);
    assert!(run.stdout.contains("3 workers ended or gave up while they judged this"), "{}", run.stdout);
    assert!(run.stdout.contains("7 as expected so far, 1 with judge errors"), "{}", run.stdout);
    assert_eq!(deaths, 3);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn the_queue_is_full() {
    let workspace = work(10);
    let expected = expected(&workspace);
    let mut farm = Farm::new();
    let config = r#"{"name":"JOBS","subjects":["job.>"],"storage":"file","retention":"workqueue","discard":"new","max_msgs":3,"duplicate_window":60000000000}"#;
    let made = farm.raw("client").ask("$JS.API.STREAM.CREATE.JOBS", config);
    assert!(made.contains("\"max_msgs\":3"), "{made}");
    farm.start("w1");
    farm.start("w2");
    farm.wait_for_workers(&["w1", "w2"]);
    let run = farm.run(&workspace, &["run", "--no-cache"]);
    same(&workspace, &run, &expected);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_blob_is_damaged() {
    let workspace = work(4);
    let expected = expected(&workspace);
    let mut farm = Farm::with_two();
    // The files are sent ahead. Then somebody changes them, at the broker and in the cache of a worker.
    let ahead = farm.run(&workspace, &["run", "--prefetch"]);
    assert_eq!(ahead.status, 0, "{}", ahead.all());
    let cached = || fs::read_dir(farm.path("cache-w1/blobs")).unwrap().map(|blob| blob.unwrap().path());
    let until = Instant::now() + Duration::from_secs(10);
    while cached().count() < 2 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(cached().count() >= 2, "{}", farm.log("w1"));
    let mut client = farm.raw("client");
    for blob in cached() {
        let name = blob.file_name().unwrap().to_str().unwrap().to_owned();
        fs::remove_file(&blob).unwrap();
        fs::write(&blob, "damaged").unwrap();
        let _ = fs::remove_file(farm.path("cache-w2/blobs").join(&name));
        client.ask("$JS.API.STREAM.PURGE.BLOBS", &format!(r#"{{"filter":"blob.{name}.0"}}"#));
        client.ask(&format!("blob.{name}.0"), "damaged");
    }
    for name in ["w1", "w2"] {
        farm.kill(name);
        farm.start(name);
    }
    let run = farm.run(&workspace, &["run", "--no-cache"]);
    same(&workspace, &run, &expected);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_worker_has_other_tools() {
    let workspace = work(6);
    let expected = expected(&workspace);
    let mut farm = Farm::new();
    farm.make_tools("more", &["bash", "sh", "sleep", "python3"]);
    farm.start("w1");
    farm.start("w2");
    farm.start_with("w3", "more", &[]);
    farm.wait_for_workers(&["w1", "w2", "w3"]);
    let run = farm.run(&workspace, &["run", "--no-cache"]);
    same(&workspace, &run, &expected);
    assert!(run.stderr.contains("left out: w3, in pool default-"), "{}", run.stderr);
    assert!(run.stderr.contains("python3 is installed"), "{}", run.stderr);
}

/// A problem in the current package format with this output validator and `count` submissions.
fn validated(validator: &str, count: usize) -> Workspace {
    let workspace = Workspace::bare();
    workspace
        .file("grader.toml", "isolation = \"none\"\nproblems = [\".\"]\n")
        .file("sum/problem.yaml", "problem_format_version: 2025-09\nname: Sum\nlimits: {time_limit: 2}\n")
        .file("sum/data/secret/1.in", "1 2\n")
        .file("sum/data/secret/1.ans", "3\n")
        .file("sum/output_validator/v.sh", validator);
    for n in 0..count {
        workspace.file(format!("sum/submissions/accepted/{n}.sh"), format!("{SUM}# {n}\n"));
    }
    workspace
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn another_worker_tries_after_a_judge_error() {
    let workspace = Workspace::bare();
    let mark = workspace.path("tried");
    let validated = validated(&format!("[ -e {0} ] && exit 42\n: > {0}\nexit 1\n", mark.display()), 1);
    let farm = Farm::with_two();
    let run = farm.run(&validated, &["run", "--no-cache"]);
    run.status(0);
    assert!(mark.exists());
    let told = |name: &str| farm.log(name).contains("exit code 1 instead of 42 (accept) or 43 (reject)");
    assert!(told("w1") != told("w2"), "{}{}", farm.log("w1"), farm.log("w2"));
    // An error of the problem itself comes back once a second worker has seen it.
    fs::write(validated.path("sum/output_validator/v.sh"), "exit 1\n").unwrap();
    let run = farm.run(&validated, &["run", "--no-cache"]);
    run.status(3);
    assert!(run.stdout.contains("exit code 1 instead of 42 (accept) or 43 (reject)"), "{}", run.all());
}

/// A program that kills its keeper twice, after `first`. It notes which worker it was: the parent of the keeper.
fn keeper_killer(notes: &Path, first: &str) -> String {
    format!(
        "{first}\nread -r pid name state parent rest < /proc/$PPID/stat\necho $parent >> {0}\nn=0\n\
         while read -r line; do n=$((n + 1)); done < {0}\n[ $n -gt 2 ] || kill -9 $PPID\n{SUM}",
        notes.display()
    )
}

/// Checks that the first worker tried twice and the other one once.
fn noted_elsewhere(notes: &Path) {
    let text = fs::read_to_string(notes).unwrap();
    let pids: Vec<&str> = text.lines().collect();
    assert!(pids.len() == 3 && pids[0] == pids[1] && pids[1] != pids[2], "{text}");
}

/// In isolation `none`, a program can kill its keeper.
#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn another_worker_judges_where_keepers_are_killed() {
    let workspace = work(4);
    let notes = workspace.path("notes");
    workspace.problem("sum").submission("accepted/killer.sh", &keeper_killer(&notes, ""));
    let farm = Farm::with_two();
    let run = farm.run(&workspace, &["run", "--no-cache", "-t", "sample"]);
    run.status(0);
    noted_elsewhere(&notes);
    let told = |name: &str| farm.log(name).contains("lost the keeper process");
    assert!(told("w1") != told("w2"), "{}{}", farm.log("w1"), farm.log("w2"));
}

/// The other worker has a test of four seconds when the keepers are killed.
#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_busy_worker_is_waited_for_where_keepers_are_killed() {
    let workspace = work(4);
    let (notes, busy) = (workspace.path("notes"), workspace.path("busy"));
    let waits = format!("while ! [ -e {} ]; do /bin/sleep 0.05; done", busy.display());
    let long = format!("echo > {}\n/bin/sleep 4\n{SUM}", busy.display());
    let sum = workspace.problem("sum");
    sum.submission("accepted/killer.sh", &keeper_killer(&notes, &waits)).submission("accepted/long.sh", &long);
    let farm = Farm::with_two();
    farm.run(&workspace, &["run", "--no-cache", "-t", "sample"]).status(0);
    noted_elsewhere(&notes);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_submission_that_kills_keepers_everywhere_is_a_judge_error() {
    let workspace = work(4);
    let killer = "read a b\n[ $a = 1 ] && kill -9 $PPID\necho $((a + b))\n";
    workspace.problem("sum").submission("accepted/killer.sh", killer);
    let farm = Farm::with_two();
    let run = farm.run(&workspace, &["run", "--no-cache"]);
    run.status(3);
    assert!(run.stdout.contains("lost the keeper process"), "{}", run.all());
    assert!(run.stdout.contains("7 as expected so far, 1 with judge errors"), "{}", run.stdout);
    let told = |name: &str| farm.log(name).contains("lost the keeper process");
    assert!(told("w1") && told("w2"), "{}{}", farm.log("w1"), farm.log("w2"));
}

/// A farm whose broker has this little room, of which a stream of somebody else takes some.
fn crowded(memory: &str, storage: &str, takes: &str) -> Farm {
    let mut farm = Farm::new();
    farm.kill_broker();
    let config = fs::read_to_string(farm.path("nats.conf")).unwrap();
    let config = config.replace("max_memory_store: 256MB", &format!("max_memory_store: {memory}"));
    let config = config.replace("max_file_store: 20GB", &format!("max_file_store: {storage}"));
    assert!(config.contains(memory) && config.contains(storage), "{config}");
    fs::write(farm.path("nats.conf"), config).unwrap();
    farm.start_broker();
    let made = farm.raw("client").ask(
        "$JS.API.STREAM.CREATE.OTHER",
        &format!(r#"{{"name":"OTHER","subjects":["ctl.other"],"storage":"{takes}"}}"#),
    );
    assert!(made.contains("OTHER") && !made.contains("error"), "{made}");
    farm
}

/// Fills the room of the broker.
fn fill(farm: &Farm) {
    let mut client = farm.raw("client");
    for _ in 0..4 {
        client.ask("ctl.other", &"x".repeat(50_000));
    }
    let answer = client.ask("ctl.other", "x");
    assert!(answer.contains("error"), "there is still room: {answer}");
}

/// What a run says that waits, until `until` is in it.
fn wait_until_told(workspace: &Workspace, told: &str) {
    let begun = Instant::now();
    let so_far = || fs::read_to_string(workspace.path("told")).unwrap_or_default();
    while !so_far().contains(told) {
        assert!(begun.elapsed() < Duration::from_secs(20), "{}", so_far());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A run whose standard error goes into the file `told`.
fn told_run(workspace: &Workspace, farm: &Farm) -> (Call, std::process::Child) {
    let script = "exec \"$@\" 2> told";
    let words = ["run", "--no-cache", "--engine", farm.url("client"), "--lease", "1s"];
    let mut call = Call::any(&workspace.path(""), &words).behind(&["sh", "-c", script, "sh"]);
    let child = call.start();
    (call, child)
}

fn with_room_for_one_run() -> (Workspace, Farm) {
    let workspace = work(2);
    let mut farm = crowded("256MB", "150KB", "file");
    farm.start("w1");
    farm.wait_for_workers(&["w1"]);
    farm.run(&workspace, &["run", "--no-cache"]).status(0);
    fill(&farm);
    workspace.problem("sum").case("secret/04", "1 1\n", "2\n");
    (workspace, farm)
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn the_storage_of_the_broker_is_full() {
    let (workspace, farm) = with_room_for_one_run();
    // A run does not begin.
    let run = farm.run(&workspace, &["run", "--no-cache"]);
    run.status(2);
    assert!(run.stderr.contains("the storage of the broker is full"), "{}", run.all());
    assert!(run.stderr.contains("→ raise max_file_store"), "{}", run.all());
    // One that has begun waits for room.
    let purged = farm.raw("client").ask("$JS.API.STREAM.PURGE.OTHER", "");
    assert!(purged.contains("true"), "{purged}");
    workspace.problem("sum").submission("accepted/slow.sh", &format!("/bin/sleep 1\n{SUM}"));
    let (call, child) = told_run(&workspace, &farm);
    let begun = Instant::now();
    while !farm.log("w1").contains("judges submissions of run") || begun.elapsed() < Duration::from_millis(1500) {
        assert!(begun.elapsed() < Duration::from_secs(20), "{}", farm.log("w1"));
        std::thread::sleep(Duration::from_millis(20));
    }
    fill(&farm);
    wait_until_told(&workspace, "the storage of the broker is full");
    let purged = farm.raw("client").ask("$JS.API.STREAM.PURGE.OTHER", "");
    assert!(purged.contains("true"), "{purged}");
    call.wait(child).status(0);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_client_that_waits_for_room_can_be_stopped() {
    let workspace = work(2);
    let mut farm = crowded("256MB", "150KB", "file");
    farm.start("w1");
    farm.wait_for_workers(&["w1"]);
    farm.run(&workspace, &["run", "--no-cache"]).status(0);
    // The first large file takes the room, and the second one waits.
    for n in 5..8 {
        let numbers = (0..40_000).map(|at: u32| (at * n).to_string()).collect::<Vec<_>>().join(" ");
        workspace.problem("sum").case(&format!("secret/{n}"), &format!("1 {n}\n{numbers}\n"), &format!("{}\n", n + 1));
    }
    let (call, mut child) = told_run(&workspace, &farm);
    wait_until_told(&workspace, "the storage of the broker is full");
    assert!(child.try_wait().unwrap().is_none());
    let begun = Instant::now();
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), Signal::TERM).unwrap();
    let run = call.wait(child);
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    run.status(143);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn the_memory_of_the_broker_is_full() {
    let workspace = work(2);
    let mut farm = crowded("100KB", "20GB", "memory");
    fill(&farm);
    farm.start("w1");
    farm.wait_for_workers(&["w1"]);
    let (call, mut child) = told_run(&workspace, &farm);
    wait_until_told(&workspace, "worker w1 is there, but the broker cannot note it: the memory of the broker is full");
    wait_until_told(&workspace, "→ raise max_memory_store");
    assert!(child.try_wait().unwrap().is_none());
    let purged = farm.raw("client").ask("$JS.API.STREAM.PURGE.OTHER", "");
    assert!(purged.contains("true"), "{purged}");
    call.wait(child).status(0);
}

/// A broker switches off its streams if its disk is full.
#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_broker_without_streams_is_told() {
    let workspace = work(1);
    let mut farm = Farm::new();
    farm.kill_broker();
    let config = fs::read_to_string(farm.path("nats.conf")).unwrap();
    let lines: Vec<&str> = config.lines().filter(|line| !line.starts_with("jetstream")).collect();
    fs::write(farm.path("nats.conf"), lines.join("\n")).unwrap();
    farm.start_broker();
    let run = farm.run(&workspace, &["run", "--no-cache"]);
    run.status(2);
    assert!(run.stderr.contains("as it does if its disk is full"), "{}", run.all());
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_worker_leaves_when_its_tools_change() {
    let validated = validated("exit 1\n", 8);
    let mut farm = Farm::new();
    for (name, tools) in [("w1", "changing"), ("w2", "lasting")] {
        farm.make_tools(tools, &["bash", "sh", "sleep", "python3"]);
        farm.start_with(name, tools, &[]);
    }
    farm.wait_for_workers(&["w1", "w2"]);
    fs::remove_file(farm.path("changing/python3")).unwrap();
    let run = farm.run(&validated, &["run", "--no-cache"]);
    let begun = Instant::now();
    while farm.ended("w1").is_none() {
        assert!(begun.elapsed() < Duration::from_secs(10), "{}", farm.log("w1"));
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_ne!(farm.ended("w1"), Some(0));
    assert!(farm.log("w1").contains("no longer fit: python3 is not installed"), "{}", farm.log("w1"));
    assert_eq!(farm.ended("w2"), None);
    run.status(3);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_submission_that_is_lost_each_time_is_reported() {
    let workspace = Workspace::with_sum().without_walls();
    workspace.problem("sum").toml("reference = \"accepted/sum.sh\"\n");
    let mut farm = Farm::new();
    farm.start("w1");
    farm.wait_for_workers(&["w1"]);
    // Its first sign of life comes before its first job.
    farm.run(&workspace, &["run", "--no-cache"]).status(0);
    let mut somebody = farm.raw("client");
    let hello = somebody.ask("$JS.API.DIRECT.GET.WORKERS.hb.w1", "");
    farm.kill("w1");
    let mut dead = farm.raw("w1");
    let words = farm.words(&["run", "--no-cache"]);
    let mut call = Call::any(&workspace.path(""), &words);
    let mut child = call.start();
    let until = Instant::now() + Duration::from_secs(60);
    // A worker that seems to be there, and somebody who takes the jobs away.
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < until);
        dead.publish("hb.w1", &hello);
        somebody.publish("$JS.API.STREAM.PURGE.JOBS", r#"{"filter":"job.>"}"#);
        std::thread::sleep(Duration::from_millis(100));
    }
    let run = call.wait(child);
    run.status(3);
    assert!(run.stdout.contains("it got no result in 3 attempts"), "{}", run.all());
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_second_result_that_differs_is_told() {
    let workspace = Workspace::with_sum().without_walls();
    let flag = workspace.path("begun");
    // The first that runs it is right, but late; the second is wrong.
    let fickle = format!(
        "if [ -e {0} ]; then echo 7; else : > {0}; /bin/sleep 0.5; read a b; echo $((a + b)); fi\n",
        flag.display()
    );
    let sum = workspace.problem("sum").toml("reference = \"accepted/sum.sh\"\n[limits]\nwall_limit = 30\n");
    sum.submission("accepted/fickle.sh", &fickle);
    // The client must still be there when the second result comes.
    for n in 0..12 {
        workspace.problem("sum").submission(&format!("accepted/x{n}.sh"), &format!("/bin/sleep 0.3\n{SUM}# {n}\n"));
    }
    let mut farm = Farm::new();
    farm.start("w1");
    farm.wait_for_workers(&["w1"]);
    let url = farm.url("client").to_owned();
    let mut call =
        Call::any(&workspace.path(""), &["run", "-t", "sample", "--no-cache", "--engine", &url, "--lease", "1s"]);
    let child = call.start();
    while !flag.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    farm.signal("w1", Signal::STOP);
    farm.start("w2");
    farm.wait_for_workers(&["w2"]);
    // The lease ends, and the other worker judges it.
    std::thread::sleep(Duration::from_millis(1500));
    farm.signal("w1", Signal::CONT);
    let run = call.wait(child);
    run.status(1);
    assert!(
        run.stderr.contains("unstable: sum/accepted/fickle.sh: kept 0:WA (w2); another worker had 0:AC (w1)"),
        "{}",
        run.all()
    );
}

/// Faults at random times, from a seed: the same seed makes the same faults.
#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn random_faults_change_no_result() {
    let workspace = work(12);
    let expected = expected(&workspace);
    let seeds: u64 = std::env::var("FAULT_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(5);
    let mut farm = Farm::with_two();
    for seed in 1..=seeds {
        let mut random = Random(seed);
        let begun = Instant::now();
        let mut faults = Vec::new();
        let run = farm.run_while(&workspace, &["run", "--no-cache"], 1, |farm| {
            for _ in 0..2 {
                std::thread::sleep(Duration::from_millis(random.below(400)));
                let worker = ["w1", "w2"][usize::try_from(random.below(2)).unwrap()];
                let pause = Duration::from_millis(random.below(1600));
                let fault = random.below(5);
                faults.push(format!("{fault} {worker} {pause:?}"));
                match fault {
                    0 => {
                        farm.kill(worker);
                        farm.start(worker);
                    }
                    1 => {
                        farm.signal(worker, Signal::STOP);
                        std::thread::sleep(pause);
                        farm.signal(worker, Signal::CONT);
                    }
                    2 => {
                        farm.kill_broker();
                        std::thread::sleep(pause);
                        farm.start_broker();
                    }
                    3 => {
                        farm.kill_broker();
                        fs::remove_dir_all(farm.broker_files()).unwrap();
                        farm.start_broker();
                    }
                    _ => {
                        farm.signal(worker, Signal::TERM);
                        std::thread::sleep(pause);
                        farm.kill(worker);
                        farm.start(worker);
                    }
                }
            }
        });
        assert_eq!(run.status, 0, "seed {seed}, {faults:?}: {}", run.all());
        same(&workspace, &run, &expected);
        if std::env::var_os("FAULT_SEEDS").is_some() {
            let line = format!("seed {seed}: {:.1} s, faults {faults:?}\n", begun.elapsed().as_secs_f64());
            std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes()).unwrap();
        }
    }
}

/// A generator of pseudorandom numbers (`SplitMix64`: Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % most
    }
}
