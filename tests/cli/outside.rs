//! Programs and tools that somebody else kills, as the host does when it is out of memory.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use macro_rules_attribute::apply;
use rustix::process::{Pid, Signal, kill_process};

use crate::cli::need::Need;
use crate::cli::run::{Call, Run};
use crate::cli::workspace::Workspace;

/// How many processes to kill.
#[derive(Clone, Copy, PartialEq)]
enum Kills {
    /// The first.
    One,
    /// Each, for as long as the grader runs.
    All,
}

/// Runs a call while somebody kills processes of it whose command line is meant; how many were killed.
#[track_caller]
fn struck(call: Call, signal: Signal, kills: Kills, is_meant: fn(&str) -> bool) -> (Run, usize) {
    struck_at(call, (signal, Some), kills, is_meant)
}

/// Runs a call while somebody kills the keepers of such processes.
#[track_caller]
fn without_keeper(call: Call, kills: Kills, is_meant: fn(&str) -> bool) -> (Run, usize) {
    struck_at(call, (Signal::KILL, keeper_of), kills, is_meant)
}

/// The topmost keeper above a process.
fn keeper_of(pid: u32) -> Option<u32> {
    let parent = |pid: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        status.lines().find_map(|line| line.strip_prefix("PPid:")?.trim().parse::<u32>().ok())
    };
    let above = std::iter::successors(parent(&pid), parent);
    above.filter(|pid| command_line(*pid).contains("__keeper")).last()
}

/// Runs a call while somebody sends a signal to the victims that belong to the meant processes.
#[track_caller]
fn struck_at(
    mut call: Call,
    (signal, victim_of): (Signal, fn(u32) -> Option<u32>),
    kills: Kills,
    is_meant: fn(&str) -> bool,
) -> (Run, usize) {
    let grader = call.start();
    let ended = Arc::new(AtomicBool::new(false));
    let watcher: JoinHandle<usize> = std::thread::spawn({
        let ended = Arc::clone(&ended);
        let grader = grader.id();
        move || {
            let mut killed = HashSet::new();
            while !ended.load(Ordering::Relaxed) && (kills == Kills::All || killed.is_empty()) {
                let meant = below(grader).into_iter().filter(|pid| is_meant(&command_line(*pid)));
                for pid in meant.filter_map(victim_of) {
                    if (kills == Kills::All || killed.is_empty()) && kill_process(pid_of(pid), signal).is_ok() {
                        killed.insert(pid);
                    }
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            killed.len()
        }
    });
    let run = call.wait(grader);
    ended.store(true, Ordering::Relaxed);
    let killed = watcher.join().unwrap();
    assert!(killed > 0, "nobody was killed; {}", run.all());
    (run, killed)
}

fn pid_of(pid: u32) -> Pid {
    Pid::from_raw(pid.cast_signed()).unwrap()
}

/// The descendants of a process.
fn below(pid: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let children: Vec<u32> =
        lists.flat_map(|list| list.split(' ').filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>()).collect();
    children.iter().flat_map(|child| std::iter::once(*child).chain(below(*child))).collect()
}

fn command_line(pid: u32) -> String {
    let bytes = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ")
}

/// The name of the program of a command line.
fn name(line: &str) -> &str {
    Path::new(line.split(' ').next().unwrap_or_default()).file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// The compiler and the assembler are at work for some time.
const SLOW_CPP: &str = "#include <cstdio>
#include <algorithm>
#include <iostream>
#include <map>
int main() {
    int a, b;
    scanf(\"%d %d\", &a, &b);
    printf(\"%d\\n\", a + b);
}
";
const SLOW_C: &str = "#include <stdio.h>
#include <unistd.h>
int main(void) {
    int a, b;
    scanf(\"%d %d\", &a, &b);
    usleep(300000);
    printf(\"%d\\n\", a + b);
}
";
const SLOW_PYTHON: &str = "import time\na, b = map(int, input().split())\ntime.sleep(0.3)\nprint(a + b)\n";
const SLOW_SHELL: &str = "read a b\nsleep 0.3\necho $((a + b))\n";

fn sum(submission: &str, text: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace
        .problem("sum")
        .toml("limits.time_limit = 10\nlimits.wall_limit = 60\n")
        .case("sample/1", "1 2\n", "3\n")
        .submission(submission, text);
    workspace
}

/// One kill changes nothing, neither now nor later.
#[track_caller]
fn is_made_good(workspace: &Workspace, submission: &str, is_meant: fn(&str) -> bool) {
    for signal in [Signal::KILL, Signal::TERM] {
        let (run, _) = struck(workspace.call(&["--no-cache"]), signal, Kills::One, is_meant);
        run.status(0).ends(submission, "AC", "met");
        workspace.run(&[]).status(0).ends(submission, "AC", "met");
    }
}

fn is_compiler(line: &str) -> bool {
    name(line) == "cc1plus"
}

fn is_python(line: &str) -> bool {
    line.contains("slow.py") && !line.contains("SourceFileLoader")
}

fn is_script(line: &str) -> bool {
    line.contains("slow.sh") && !line.contains(" -n ")
}

fn is_validator(line: &str) -> bool {
    line.contains("validate.sh") && !line.contains(" -n ")
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn one_kill_of_the_compiler_is_made_good() {
    is_made_good(&sum("accepted/slow.cpp", SLOW_CPP), "accepted/slow.cpp", is_compiler);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn one_kill_of_the_assembler_is_made_good() {
    is_made_good(&sum("accepted/slow.cpp", SLOW_CPP), "accepted/slow.cpp", |line| name(line) == "as");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn a_compiler_that_is_always_killed_is_a_judge_error() {
    let workspace = sum("accepted/slow.cpp", SLOW_CPP);
    let (run, killed) = struck(workspace.call(&[]), Signal::KILL, Kills::All, is_compiler);
    assert!(killed >= 2);
    run.status(3).ends("accepted/slow.cpp", "-", "judge_error");
    run.shows("a process of the compiler was killed in both builds").shows("Killed signal terminated program");
    workspace.run(&[]).status(0).ends("accepted/slow.cpp", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("gcc")])]
fn one_kill_of_a_running_program_is_made_good() {
    let is_program = |line: &str| line.starts_with("/program/") || line.contains("/artifacts/");
    is_made_good(&sum("accepted/slow.c", SLOW_C), "accepted/slow.c", is_program);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn one_kill_of_a_running_script_is_made_good() {
    is_made_good(&sum("accepted/slow.py", SLOW_PYTHON), "accepted/slow.py", is_python);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_program_that_is_always_killed_is_a_run_time_error_that_is_not_remembered() {
    let workspace = sum("accepted/slow.py", SLOW_PYTHON);
    let (run, killed) = struck(workspace.call(&[]), Signal::KILL, Kills::All, is_python);
    assert!(killed >= 2, "a child of the shell counts by itself until it has executed `sleep`");
    run.status(1).judged("accepted/slow.py", "sample/1", "RTE", "SIGKILL (not sent by the grader)");
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/slow.py", "AC", "met");
    assert_eq!(run.measured_and_cached(), (1, 0));
}

#[apply(cli_test)]
fn a_program_that_kills_itself_is_a_run_time_error() {
    for (body, reason) in [
        ("kill -9 $$\n", "SIGKILL"),
        ("kill -TERM $$\n", "SIGTERM"),
        ("exit 137\n", "exit code 137"),
        ("exit 143\n", "exit code 143"),
    ] {
        let workspace = Workspace::new().without_walls();
        let body = format!("echo x >> {}\n{body}", workspace.path("marks").display());
        workspace.problem("sum").case("sample/1", "1 2\n", "3\n").submission("run_time_error/end.sh", &body);
        for marks in [2, 4] {
            let run = workspace.run(&[]);
            run.status(0).judged("run_time_error/end.sh", "sample/1", "RTE", reason);
            assert_eq!(run.measured_and_cached(), (1, 0), "{body}");
            assert_eq!(workspace.read("marks").lines().count(), marks, "{body}");
        }
    }
}

const SLOW_VALIDATOR: &str = "sleep 0.3\nexit 42\n";

fn validated(validator: &str) -> Workspace {
    let workspace = sum("accepted/sum.sh", crate::cli::workspace::SUM);
    workspace.problem("sum").file("output_validator/validate.sh", validator);
    workspace
}

#[apply(cli_test)]
fn one_kill_of_an_output_validator_is_made_good() {
    is_made_good(&validated(SLOW_VALIDATOR), "accepted/sum.sh", is_validator);
}

#[apply(cli_test)]
fn an_output_validator_that_is_always_killed_is_a_judge_error() {
    let workspace = validated(SLOW_VALIDATOR);
    let (run, killed) = struck(workspace.call(&[]), Signal::TERM, Kills::All, is_validator);
    assert!(killed >= 2, "a child of the shell counts by itself until it has executed `sleep`");
    run.status(3).ends("accepted/sum.sh", "-", "judge_error").shows("validate.sh: ended by SIGTERM");
    workspace.run(&[]).status(0).ends("accepted/sum.sh", "AC", "met");
}

#[apply(cli_test)]
fn one_kill_of_an_input_validator_is_made_good() {
    let workspace = sum("accepted/sum.sh", crate::cli::workspace::SUM);
    workspace.problem("sum").file("input_validators/validate.sh", SLOW_VALIDATOR);
    is_made_good(&workspace, "accepted/sum.sh", is_validator);
}

/// The interactor says two numbers and wants their sum.
const INTERACTOR: &str = "echo 1 2\nread sum\nsleep 0.3\n[ \"$sum\" = 3 ] && exit 42\nexit 43\n";

fn interactive() -> Workspace {
    let workspace = sum("accepted/slow.sh", SLOW_SHELL);
    workspace
        .problem("sum")
        .toml("type = \"interactive\"\nlimits.time_limit = 10\nlimits.wall_limit = 60\n")
        .file("output_validator/validate.sh", INTERACTOR);
    workspace
}

#[apply(cli_test)]
fn one_kill_of_either_side_of_a_conversation_is_made_good() {
    is_made_good(&interactive(), "accepted/slow.sh", is_validator);
    is_made_good(&interactive(), "accepted/slow.sh", is_script);
}

#[apply(cli_test)]
fn an_interactor_that_is_always_killed_is_a_judge_error() {
    let workspace = interactive();
    let (run, _) = struck(workspace.call(&[]), Signal::KILL, Kills::All, is_validator);
    run.status(3).ends("accepted/slow.sh", "-", "judge_error").shows("validate.sh: ended by SIGKILL");
    workspace.run(&[]).status(0).ends("accepted/slow.sh", "AC", "met");
}

/// A problem with a slow generator.
fn generated() -> Workspace {
    let workspace = Workspace::new();
    let yaml = "data:\n  secret:\n    data:\n      a:\n        generate: slow.sh 1 2\n";
    workspace
        .problem("sum")
        .submission("accepted/sum.sh", crate::cli::workspace::SUM)
        .file("generators/slow.sh", "sleep 0.3\necho $1 $2\n")
        .file("generators/generators.yaml", yaml);
    workspace
}

fn is_generator(line: &str) -> bool {
    line.contains("slow.sh") && !line.contains(" -n ")
}

#[apply(cli_test)]
fn one_kill_of_a_generator_is_made_good() {
    let workspace = generated();
    let call = Call::any(&workspace.path(""), &["gen", "sum"]);
    let (run, _) = struck(call, Signal::KILL, Kills::One, is_generator);
    run.status(0);
    assert_eq!(workspace.read("testcases/sum/secret/a.in"), "1 2\n");
    std::fs::remove_dir_all(workspace.path("testcases")).unwrap();
    let call = Call::any(&workspace.path(""), &["gen", "sum"]);
    let (run, _) = struck(call, Signal::KILL, Kills::All, is_generator);
    run.status(3).says("SIGKILL (not sent by the grader) in both runs");
    workspace.grader(&["gen", "sum"]).status(0);
}

/// Compilers, programs, validators and both sides of conversations.
#[apply(cli_test)]
#[needs(&[Need::Tool("g++"), Need::Tool("python3")])]
fn one_kill_of_the_keeper_of_any_program_is_made_good() {
    type Meant = fn(&str) -> bool;
    let python = sum("accepted/slow.py", SLOW_PYTHON);
    let inputs = sum("accepted/sum.sh", crate::cli::workspace::SUM);
    inputs.problem("sum").file("input_validators/validate.sh", SLOW_VALIDATOR);
    let of_all: [(Workspace, &str, Meant); 6] = [
        (sum("accepted/slow.cpp", SLOW_CPP), "accepted/slow.cpp", is_compiler),
        (python, "accepted/slow.py", is_python),
        (validated(SLOW_VALIDATOR), "accepted/sum.sh", is_validator),
        (inputs, "accepted/sum.sh", is_validator),
        (interactive(), "accepted/slow.sh", is_validator),
        (interactive(), "accepted/slow.sh", is_script),
    ];
    for (workspace, submission, is_meant) in of_all {
        let (run, _) = without_keeper(workspace.call(&["--no-cache"]), Kills::One, is_meant);
        run.status(0).ends(submission, "AC", "met");
        workspace.run(&[]).status(0).ends(submission, "AC", "met");
    }
}

#[apply(cli_test)]
fn one_kill_of_the_keeper_of_a_generator_is_made_good() {
    let workspace = generated();
    let call = Call::any(&workspace.path(""), &["gen", "sum"]);
    let (run, _) = without_keeper(call, Kills::One, is_generator);
    run.status(0);
    assert_eq!(workspace.read("testcases/sum/secret/a.in"), "1 2\n");
}

#[apply(cli_test)]
fn a_keeper_that_is_always_killed_is_a_judge_error_that_is_not_remembered() {
    // Only the first test is hit.
    let text = "read a b\n[ $a = 1 ] && sleep 2.75\necho $((a + b))\n";
    let workspace = sum("accepted/slow.sh", text);
    workspace.problem("sum").case("secret/2", "2 2\n", "4\n");
    let is_asleep = |line: &str| line.starts_with("sleep 2.75");
    let (run, killed) = without_keeper(workspace.call(&["-j1"]), Kills::All, is_asleep);
    // The init of a killed keeper may be hit before the kernel ends it.
    assert!(killed >= 2, "{killed}");
    // The verdict is that of the other test.
    run.status(3).ends("accepted/slow.sh", "AC", "judge_error");
    run.shows("lost the keeper process: it ended unexpectedly");
    let run = workspace.run(&["-j1"]);
    run.status(0).ends("accepted/slow.sh", "AC", "met");
    // The other test was not affected, and its result was remembered.
    assert_eq!(run.measured_and_cached(), (1, 1));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn a_keeper_of_a_compiler_that_is_always_killed_is_a_judge_error() {
    let workspace = sum("accepted/slow.cpp", SLOW_CPP);
    let (run, killed) = without_keeper(workspace.call(&[]), Kills::All, is_compiler);
    assert!(killed >= 2, "{killed}");
    run.status(3).ends("accepted/slow.cpp", "-", "judge_error").shows("lost the keeper process");
    workspace.run(&[]).status(0).ends("accepted/slow.cpp", "AC", "met");
}

/// What the source makes the compiler say is not a sign of a kill.
#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn a_compile_error_that_quotes_the_words_of_a_kill_is_one() {
    let text = "#error g++: fatal error: Killed signal terminated program cc1plus\n";
    let workspace = sum("compile_error/quote.cpp", text);
    workspace.run(&[]).status(0).ends("compile_error/quote.cpp", "CE", "met");
}

/// A language of the user's own, whose compiler loses a process the first time and fails without saying so.
#[apply(cli_test)]
fn a_compiler_that_nobody_knows_is_asked_twice() {
    let workspace = Workspace::new();
    let mark = workspace.path("mark");
    let compile = format!("if [ -e {0} ]; then exit 0; fi; echo x > {0}; echo assembler error; exit 2", mark.display());
    workspace.file(
        "grader.toml",
        format!(
            "isolation = \"none\"\n[language.own]\nextensions = [\"own\"]\nrun = [\"sh\", \"{{mainfile}}\"]\n\
             compile = [\"sh\", \"-c\", '{compile}']\n"
        ),
    );
    workspace
        .problem("sum")
        .case("sample/1", "1 2\n", "3\n")
        .submission("accepted/sum.own", crate::cli::workspace::SUM);
    workspace.run(&[]).status(0).ends("accepted/sum.own", "AC", "met");
    // One that always refuses is believed, and remembered.
    let compile = format!("echo x >> {}; echo refused; exit 2", mark.display());
    workspace.file(
        "grader.toml",
        format!(
            "isolation = \"none\"\n[language.own]\nextensions = [\"own\"]\nrun = [\"sh\", \"{{mainfile}}\"]\n\
             compile = [\"sh\", \"-c\", '{compile}']\n"
        ),
    );
    workspace.file("mark", "");
    for _ in 0..2 {
        workspace.run(&[]).status(1).ends("accepted/sum.own", "CE", "missed").shows("refused");
        assert_eq!(workspace.read("mark").lines().count(), 2);
    }
}

/// The kernel counts a kill for the memory of a container in the group of the program as well.
#[apply(cli_test)]
#[needs(&[Need::Freezer, Need::Tool("python3")])]
fn the_memory_of_a_group_above_says_nothing_about_a_program() {
    let above = Path::new("/sys/fs/cgroup/memory").join(format!("cli-outside-{}", std::process::id()));
    std::fs::create_dir(&above).unwrap();
    std::fs::write(above.join("memory.limit_in_bytes"), (200 << 20).to_string()).unwrap();
    // Where swap is not accounted for there is no such file.
    let _ = std::fs::write(above.join("memory.memsw.limit_in_bytes"), (200 << 20).to_string());
    let text = "hoard = b'x' * (300 << 20)\nprint(3)\n";
    let workspace = sum("accepted/hoard.py", text);
    let limited = |mib: u32| {
        workspace.problem("sum").toml(&format!("limits.time_limit = 10\nlimits.memory = {mib}\n"));
    };
    limited(1024);
    let join = format!("echo $$ > {}/cgroup.procs; exec \"$@\"", above.display());
    let run = workspace.call(&[]).behind(&["sh", "-c", &join, "sh"]).run();
    let alone = workspace.run(&[]);
    let removed = (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        std::fs::remove_dir(&above).is_ok()
    });
    run.status(1).judged("accepted/hoard.py", "sample/1", "RTE", "SIGKILL");
    alone.status(0).ends("accepted/hoard.py", "AC", "met");
    assert!(removed, "{}", above.display());
    // Its own limit is another matter.
    limited(100);
    workspace.run(&[]).status(1).ends("accepted/hoard.py", "MLE", "missed");
}

/// Sends a hang-up to a run once its submission is at work.
#[track_caller]
fn hung_up(mut call: Call) -> Run {
    let grader = call.start();
    let pid = grader.id();
    std::thread::spawn(move || {
        while !below(pid).iter().any(|pid| is_script(&command_line(*pid))) {
            std::thread::sleep(Duration::from_millis(1));
        }
        kill_process(pid_of(pid), Signal::HUP).unwrap();
    });
    call.wait(grader)
}

#[apply(cli_test)]
fn a_hang_up_ends_a_run_like_sigterm() {
    let workspace = sum("accepted/slow.sh", "sleep 100\n");
    std::fs::create_dir(workspace.path("tmp")).unwrap();
    // These tests may themselves run behind `nohup`.
    let call = workspace.call(&[]).env("TMPDIR", workspace.path("tmp")).behind(&["env", "--default-signal=HUP"]);
    let run = hung_up(call);
    run.status(129).shows("interrupted");
    assert_eq!(run.of("run_finished").count(), 1, "{}", run.all());
    assert_eq!(std::fs::read_dir(workspace.path("tmp")).unwrap().count(), 0);
}

#[apply(cli_test)]
fn a_run_behind_nohup_outlives_a_hang_up() {
    let workspace = sum("accepted/slow.sh", SLOW_SHELL);
    let run = hung_up(workspace.call(&[]).behind(&["sh", "-c", "trap '' HUP; exec \"$@\"", "sh"]));
    run.status(0).ends("accepted/slow.sh", "AC", "met");
}
