//! Tests with real processes in real groups. They need root and permission to create groups; `.ci/run` runs them.
//!
//! Each test uses its own group names, so that tests may run at the same time.

use std::fs;
use std::io::Write;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{Groups, GroupsPaths, Handle};
use crate::sys;
use grader_model::limits::Bytes;

/// More than any of the programs here needs.
const PLENTY: Bytes = Bytes::mib(256);

fn groups(test: &str) -> Groups {
    let (groups, missing) = Groups::create(&name(test));
    assert_eq!(missing, [], "these tests need every controller");
    groups
}

fn name(test: &str) -> String {
    format!("grader-test-{}-{test}", std::process::id())
}

fn shell(script: &str) -> Command {
    #[expect(clippy::disallowed_methods, reason = "there is no keeper here")]
    let mut command = Command::new("sh");
    command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Starts a shell in the groups that waits before it runs `script`. Its orphans become children of this process.
fn waiting(handle: &Handle, script: &str) -> Child {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).unwrap();
    let child = shell(&format!("read go; {script}")).process_group(0).spawn().unwrap();
    for fd in handle.join_fds() {
        rustix::io::pwrite(fd, child.id().to_string().as_bytes(), 0).unwrap();
    }
    child
}

fn go(child: &mut Child) {
    child.stdin.take().unwrap().write_all(b"\n").unwrap();
}

/// Runs `script` in the groups to its end.
fn run(handle: &Handle, script: &str) -> std::process::ExitStatus {
    let mut child = waiting(handle, script);
    go(&mut child);
    child.wait().unwrap()
}

#[track_caller]
fn eventually(what: &str, check: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !check() {
        assert!(Instant::now() < deadline, "not in 10 s: {what}");
        sleep(Duration::from_millis(1));
    }
}

fn kill(child: &Child) {
    rustix::process::kill_process_group(rustix::process::Pid::from_child(child), rustix::process::Signal::KILL)
        .unwrap();
}

/// Waits until all processes in the groups are dead and reaped. Until then they count as processes.
#[track_caller]
fn end(handle: &Handle, child: &mut Child) {
    child.wait().unwrap();
    let group = -i32::try_from(child.id()).unwrap();
    eventually("all are dead", || {
        while let Ok(Some(_)) = sys::wait(group, false) {}
        handle.tasks().is_none_or(|tasks| tasks == 0)
    });
}

/// The ways that this system offers to get the same figures and to end processes.
fn ways(paths: &GroupsPaths) -> Vec<(&'static str, GroupsPaths)> {
    let mut ways = vec![("all", paths.clone())];
    if paths.unified.is_some() && paths.cpuacct.is_some() {
        ways.push(("version 2 counts cpu time", GroupsPaths { cpuacct: None, ..paths.clone() }));
        ways.push(("version 1 alone", GroupsPaths { unified: None, ..paths.clone() }));
    }
    ways
}

#[test]
#[ignore = "needs root; .ci/run runs it"]
fn too_much_memory_is_killed_by_the_kernel() {
    let groups = groups("oom");
    let mut handle = Handle::open(groups.paths()).unwrap();
    assert!(handle.limits_memory());
    let limit = Bytes::mib(16);
    handle.prepare(limit, 64).unwrap();
    assert!(!handle.oom_killed());
    // `tail` keeps the last line, which never ends.
    let status = run(&handle, "head -c 100M /dev/zero | exec tail > /dev/null");
    assert!(!status.success(), "{status}");
    assert!(handle.oom_killed());
    let peak = handle.memory_peak().unwrap();
    assert!(peak <= limit && peak.0 > limit.0 - Bytes::mib(1).0, "{peak:?}");
    handle.prepare(limit, 64).unwrap();
    assert!(!handle.oom_killed(), "that was an earlier run");
    assert!(run(&handle, "true").success());
    assert!(!handle.oom_killed());
}

#[test]
#[ignore = "needs root; .ci/run runs it"]
fn memory_below_the_limit_is_counted() {
    let groups = groups("peak");
    let mut handle = Handle::open(groups.paths()).unwrap();
    // Limits go up and down to test the order of the writes.
    for (limit, used) in [(256, 40), (128, 20), (512, 60), (64, 0)] {
        handle.prepare(Bytes::mib(limit), 64).unwrap();
        assert!(run(&handle, &format!("head -c {used}M /dev/zero | tail > /dev/null")).success());
        let peak = handle.memory_peak().unwrap();
        assert!(peak >= Bytes::mib(used) && peak < Bytes::mib(used + 8), "{used} MiB used, {peak:?} counted");
        assert!(!handle.memory_peak_is_sampled());
        assert!(handle.memory_now().unwrap() < Bytes::mib(8));
        assert!(!handle.oom_killed());
    }
}

#[test]
#[ignore = "needs root; .ci/run runs it"]
fn cached_files_of_an_earlier_run_are_not_charged_to_the_next() {
    let groups = groups("cache");
    let mut handle = Handle::open(groups.paths()).unwrap();
    // On a real file system, because memory of a tmpfs cannot be reclaimed.
    let dir = tempfile::TempDir::new_in(std::env::current_exe().unwrap().parent().unwrap()).unwrap();
    let file = dir.path().join("file");
    handle.prepare(PLENTY, 64).unwrap();
    let write = format!("head -c 48M /dev/zero > '{0}'; sync '{0}'", file.display());
    assert!(run(&handle, &write).success());
    assert!(handle.memory_now().unwrap() > Bytes::mib(40));
    // The limit is below the current charge, and the figure starts anew.
    handle.prepare(Bytes::mib(24), 64).unwrap();
    assert!(run(&handle, "head -c 10M /dev/zero | tail > /dev/null").success());
    let peak = handle.memory_peak().unwrap();
    assert!(peak >= Bytes::mib(10) && peak < Bytes::mib(18), "{peak:?}");
}

#[test]
#[ignore = "needs root; .ci/run runs it"]
fn a_limit_below_what_cannot_be_reclaimed_is_an_error() {
    let groups = groups("busy");
    let mut handle = Handle::open(groups.paths()).unwrap();
    handle.prepare(PLENTY, 64).unwrap();
    let mut child = waiting(&handle, "{ head -c 40M /dev/zero; sleep 1000; } | tail");
    go(&mut child);
    eventually("the memory is charged", || handle.memory_now().unwrap() > Bytes::mib(40));
    // Version 2 kills a process instead.
    if groups.paths().memory.is_some() {
        let error = handle.prepare(Bytes::mib(8), 64).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::ResourceBusy);
    }
    kill(&child);
    end(&handle, &mut child);
    // After a write that failed half-way, the next call sets both limits.
    handle.prepare(Bytes::mib(16), 64).unwrap();
    assert!(!run(&handle, "head -c 100M /dev/zero | exec tail > /dev/null").success());
    assert!(handle.oom_killed());
}

#[test]
#[ignore = "needs root; .ci/run runs it"]
fn no_more_processes_than_allowed() {
    let groups = groups("pids");
    let mut handle = Handle::open(groups.paths()).unwrap();
    assert!(handle.limits_processes());
    for most in [5, 3, 9] {
        handle.prepare(PLENTY, most).unwrap();
        // The shell counts too; it fails if it cannot start another process.
        for (children, fits) in [(most, false), (most - 1, true)] {
            let mut child = waiting(&handle, &format!("for i in $(seq {children}); do sleep 1000 & done; exit 0"));
            go(&mut child);
            assert_eq!(child.wait().unwrap().success(), fits, "{children} children, {most} processes");
            assert_eq!(handle.tasks(), Some(most - 1));
            kill(&child);
            end(&handle, &mut child);
        }
    }
}

#[test]
#[ignore = "needs root; .ci/run runs it"]
fn cpu_time_is_that_of_the_whole_tree() {
    let groups = groups("cpu");
    for (way, paths) in ways(groups.paths()) {
        let mut handle = Handle::open(&paths).unwrap();
        assert!(handle.counts_cpu());
        let burn = |rounds: u32| format!("i=0; while [ $i -lt {rounds} ]; do i=$((i+1)); done");
        let children = format!("for c in 1 2 3; do ({}) & done; wait", burn(40_000));
        for script in [burn(1), burn(5_000), burn(50_000), burn(500_000), children] {
            let mut child = waiting(&handle, &script);
            let pid = i32::try_from(child.id()).unwrap();
            // The process has started before it joins the groups.
            eventually("it waits for its line", || {
                fs::read_to_string(format!("/proc/{pid}/stat")).unwrap().contains(") S ")
            });
            handle.prepare(PLENTY, 64).unwrap();
            let before = sys::cpu_time(pid).unwrap();
            go(&mut child);
            let truth = sys::wait(pid, true).unwrap().unwrap().cpu.saturating_sub(before);
            let counted = handle.cpu().unwrap();
            let allowed = (truth / 100).max(Duration::from_millis(1));
            assert!(counted.abs_diff(truth) <= allowed, "{way}: {script}: counted {counted:?} of {truth:?}");
        }
    }
}

#[test]
#[ignore = "needs root; .ci/run runs it"]
fn what_a_crashed_grader_left_is_taken_over() {
    let stale = groups("stale");
    let mut handle = Handle::open(stale.paths()).unwrap();
    handle.prepare(Bytes::mib(8), 7).unwrap();
    let mut children = vec![waiting(&handle, "")];
    for group in stale.paths().directories() {
        let below = group.join("below/further");
        fs::create_dir_all(&below).unwrap();
        let child = shell("read go").spawn().unwrap();
        fs::write(below.join("cgroup.procs"), child.id().to_string()).unwrap();
        children.push(child);
    }
    let paths = stale.paths().clone();
    std::mem::forget(stale);

    let groups = groups("stale");
    assert_eq!(*groups.paths(), paths);
    for child in &mut children {
        assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));
    }
    let handle = Handle::open(groups.paths()).unwrap();
    assert_eq!(handle.tasks(), Some(0));
    for group in paths.directories() {
        assert!(!group.join("below").exists());
    }
    assert!(run(&handle, "head -c 20M /dev/zero | tail > /dev/null").success(), "the old limits are gone");
}

#[test]
#[ignore = "needs root; .ci/run runs it"]
fn two_names_do_not_disturb_each_other() {
    let groups = [groups("one"), groups("two")];
    let [mut one, mut two] = groups.each_ref().map(|groups| Handle::open(groups.paths()).unwrap());
    one.prepare(Bytes::mib(16), 64).unwrap();
    two.prepare(PLENTY, 8).unwrap();
    let mut bystander = waiting(&two, "");
    assert!(!run(&one, "head -c 100M /dev/zero | exec tail > /dev/null").success());
    assert!(one.oom_killed() && !two.oom_killed());
    assert_eq!((one.tasks(), two.tasks()), (Some(0), Some(1)));
    assert!(two.memory_peak().unwrap() < Bytes::mib(8));
    let [first, second] = groups;
    first.remove().unwrap();
    assert!(bystander.try_wait().unwrap().is_none(), "it has nothing to do with that");
    assert_eq!(two.tasks(), Some(1));
    second.remove().unwrap();
    assert_eq!(bystander.wait().unwrap().signal(), Some(libc::SIGKILL));
}

#[test]
#[ignore = "needs root; .ci/run runs it"]
fn nothing_is_left_of_groups_that_are_removed() {
    let removed = groups("removed");
    let dropped = groups("dropped");
    let mut children = Vec::new();
    let mut directories = Vec::new();
    for groups in [&removed, &dropped] {
        let handle = Handle::open(groups.paths()).unwrap();
        children.push(waiting(&handle, ""));
        directories.extend(groups.paths().directories().into_iter().map(Path::to_owned));
    }
    assert!(directories.iter().all(|directory| directory.is_dir()));
    removed.remove().unwrap();
    drop(dropped);
    for child in &mut children {
        assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));
    }
    assert_eq!(directories.iter().find(|directory| directory.exists()), None);
}

#[test]
#[ignore = "needs root; .ci/run runs it"]
fn a_handle_works_without_paths() {
    let groups = groups("fds");
    assert!(groups.describe().starts_with("cgroup v"), "{}", groups.describe());
    // Encoded and decoded, as on the way to the keeper.
    let sent = postcard::to_stdvec(groups.paths()).unwrap();
    let mut handle = Handle::open(&postcard::from_bytes(&sent).unwrap()).unwrap();
    for fd in handle.join_fds() {
        assert!(is_closed_on_exec(fd));
    }
    let mut child = waiting(&handle, "exec sleep 1000");
    handle.prepare(PLENTY, 64).unwrap();
    go(&mut child);
    kill(&child);
    end(&handle, &mut child);
    groups.remove().unwrap();
    assert!(handle.prepare(PLENTY, 64).is_err());
}

fn is_closed_on_exec(fd: BorrowedFd<'_>) -> bool {
    rustix::io::fcntl_getfd(fd.as_fd()).unwrap().contains(rustix::io::FdFlags::CLOEXEC)
}
