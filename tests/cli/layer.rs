//! Which layer of isolation a run takes, what it says of that, and what it starts for it.

use std::fs;
use std::mem::MaybeUninit;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use macro_rules_attribute::apply;
use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};

use crate::cli::need::Need;
use crate::cli::run::{Call, Run, is_of_machine};
use crate::cli::workspace::Workspace;

/// Nobody: has no files, and no rights.
const NOBODY: u32 = 65534;

/// How often a program was started while something was done: the kernel opens its file each time.
fn starts(binary: &Path, act: impl FnOnce()) -> usize {
    let watch = init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).unwrap();
    // What is read of the file stands between two openings, which would count as one next to each other.
    add_watch(&watch, binary, WatchFlags::OPEN | WatchFlags::ACCESS).unwrap();
    act();
    let mut buffer = [MaybeUninit::uninit(); 4096];
    let mut reader = Reader::new(watch, &mut buffer);
    let mut count = 0;
    while let Ok(event) = reader.next() {
        assert!(!event.events().contains(ReadFlags::QUEUE_OVERFLOW));
        count += usize::from(event.events().contains(ReadFlags::OPEN));
    }
    count
}

#[apply(cli_test)]
fn what_is_served_from_the_store_starts_no_process() {
    let workspace = Workspace::with_sum();
    let binary = workspace.binary();
    let call = |args: &[&str]| workspace.call(args).copy(&binary).run();
    let alone = starts(&binary, || drop(call(&["--help"])));
    assert!(alone > 0, "the kernel does not tell");
    for args in [&[][..], &["--isolation", "none"], &["--isolation", "weak"]] {
        let first = starts(&binary, || assert_eq!(call(args).status(0).measured_and_cached(), (4, 0)));
        assert!(first > alone, "{args:?}: {first} starts, and {alone} without anything to do");
        let again = starts(&binary, || assert_eq!(call(args).status(0).measured_and_cached(), (0, 4)));
        assert_eq!(again, alone, "{args:?}");
        workspace.file("testcases/sum/secret/04.in", "7 8\n").file("testcases/sum/secret/04.ans", "15\n");
        let one = starts(&binary, || assert_eq!(call(args).status(0).measured_and_cached(), (1, 4)));
        assert!(one > alone, "{args:?}");
        fs::remove_file(workspace.path("testcases/sum/secret/04.in")).unwrap();
        fs::remove_file(workspace.path("testcases/sum/secret/04.ans")).unwrap();
    }
}

/// It may have been the isolation that is not what it was.
#[apply(cli_test)]
fn a_judge_error_makes_the_next_run_try_its_layer_anew() {
    let workspace = Workspace::with_sum();
    let binary = workspace.binary();
    let call = |args: &[&str]| workspace.call(args).copy(&binary).run();
    let alone = starts(&binary, || drop(call(&["--help"])));
    call(&["sum"]).status(0);
    workspace.problem("bad").case("sample/1", "1\n", "1\n").submission("accepted/cat.sh", "cat\n");
    workspace.problem("bad").file("output_validator/check.sh", "exit 7\n");
    call(&["bad"]).status(3);
    let tried = starts(&binary, || assert_eq!(call(&["sum"]).status(0).measured_and_cached(), (0, 4)));
    assert!(tried > alone, "{tried} starts");
    assert_eq!(starts(&binary, || drop(call(&["sum"]))), alone);
}

/// The messages of the notices about this machine.
fn notes(run: &Run) -> Vec<String> {
    let notes = run.of("notice").filter(|notice| is_of_machine(notice));
    notes.map(|notice| notice["message"].as_str().unwrap().to_owned()).collect()
}

/// Not even of this machine.
#[track_caller]
fn says_nothing(run: &Run) {
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.all());
}

/// A root that may make no namespaces.
const BARE: [&str; 5] = ["setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-all"];
/// Root that cannot give programs users of their own either.
const BARER: [&str; 5] = ["setpriv", "--bounding-set", "-sys_admin,-setuid", "--inh-caps", "-all"];

#[apply(cli_test)]
#[needs(&[Need::Root, Need::Tool("setpriv")])]
fn what_works_for_one_root_is_no_proof_for_another() {
    let workspace = Workspace::with_sum();
    let before = workspace.run(&[]);
    let bare = workspace.call(&[]).behind(&BARE).run();
    bare.status(0).ends("accepted/sum.sh", "AC", "met");
    assert_ne!(bare.events[0]["isolation"], "root");
    let after = workspace.run(&[]);
    assert_eq!(after.events[0]["isolation"], before.events[0]["isolation"]);
    assert_eq!(after.measured_and_cached(), (0, 4));
}

#[apply(cli_test)]
#[needs(&[Need::Root, Need::Tool("setpriv")])]
fn auto_that_falls_says_why_once() {
    let workspace = Workspace::with_sum();
    for args in [&["-j", "2"][..], &["--strict"]] {
        let run = workspace.call(args).behind(&BARER).run();
        let layer = run.events[0]["isolation"].as_str().unwrap().to_owned();
        let told = format!("isolation is only `{layer}`; `root` does not work here: ");
        run.status(0).says(&format!("note: {told}")).says("→ run `grader doctor`: it shows how to fix this");
        assert!(notes(&run).iter().filter(|note| note.starts_with(&told)).count() == 1, "{}", run.all());
    }
    says_nothing(&workspace.call(&["-q"]).behind(&BARER).run());
    // What was asked for by name is not a fall.
    says_nothing(&workspace.call(&["--isolation", "none"]).behind(&BARER).run());
    workspace.file("grader.toml", "isolation = \"none\"\n");
    says_nothing(&workspace.call(&[]).behind(&BARER).run());
}

/// Nobody has delegated control groups to nobody.
#[apply(cli_test)]
#[needs(&[Need::Root])]
fn memory_that_is_sampled_is_told_once() {
    let workspace = Workspace::with_sum();
    let binary = workspace.binary();
    workspace.give_to(NOBODY);
    let run = |args: &[&str]| workspace.call(args).copy(&binary).user(NOBODY).run();
    let first = run(&["-j", "2"]);
    first.status(0).ends("accepted/sum.sh", "AC", "met");
    if first.events[0]["isolation"] == "user" {
        let told = "memory is sampled every 10 ms and not limited by the kernel; control groups lack memory: ";
        assert!(matches!(&*notes(&first), [note] if note.starts_with(told)), "{}", first.all());
        first.says(&format!("note: {told}"));
        // Nothing was run, so that there is nothing to tell.
        says_nothing(&run(&["--strict"]));
        run(&["--strict", "--no-cache"]).status(0).says(told);
    } else {
        first.says("isolation is only").says("`user` does not work here");
    }
}

/// Runs its arguments as nobody, in control groups that are given to it.
const IN_OWN_GROUPS: &str = r#"#!/bin/sh
if [ "$1" = in ]; then
    for group in $2; do echo $$ > $group/cgroup.procs || exit 99; done
    shift 2
    exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
fi
for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/memory /sys/fs/cgroup/pids /sys/fs/cgroup/cpuacct; do
    [ -e $hierarchy/cgroup.procs ] || continue
    mkdir $hierarchy/given-$$ && chown -R 65534 $hierarchy/given-$$ || exit 99
    groups="$groups $hierarchy/given-$$"
done
"$0" in "$groups" "$@"
status=$?
for group in $groups; do
    [ ! -d $group/grader-main ] || rmdir $group/grader-main
    rmdir $group || exit 98
done
exit $status
"#;

/// Two processes that are within the limit each, and together are not.
const TWO_HOGS: &str = "for i in 1 2; do head -c 40M /dev/zero | tail -c 40M | sleep 5 & done; wait\n";

#[apply(cli_test)]
#[needs(&[Need::Root, Need::Tool("setpriv"), Need::Groups])]
fn memory_is_limited_by_groups_that_a_user_was_given() {
    let workspace = Workspace::with_sum();
    let binary = workspace.binary();
    workspace.file("given", IN_OWN_GROUPS);
    let limits = "[limits]\ntime_limit = 10\nwall_limit = 60\nmemory = 64\n";
    workspace.problem("sum").toml(limits).submission("memory_limit_exceeded/hogs.sh", TWO_HOGS);
    fs::set_permissions(workspace.path("given"), PermissionsExt::from_mode(0o755)).unwrap();
    workspace.give_to(NOBODY);
    let given = workspace.path("given");
    let run =
        workspace.call(&["--isolation", "user"]).copy(&binary).user(NOBODY).behind(&[given.to_str().unwrap()]).run();
    run.status(0).ends("accepted/sum.sh", "AC", "met");
    let hogs = "memory_limit_exceeded/hogs.sh";
    run.ends(hogs, "MLE", "met").judged(hogs, "sample/1", "MLE", "the kernel ended it: memory > 64 MiB");
    assert!(notes(&run).is_empty(), "{}", run.all());
}

/// Runs its arguments as nobody, in a user namespace below which there can be no other.
const NO_NAMESPACES: &str = r#"#!/bin/sh
case $1 in
mapped)
    shift
    until grep -q . /proc/self/uid_map && grep -q . /proc/self/gid_map; do sleep 0.01; done
    exec "$0" root "$@"
    ;;
root)
    shift
    echo 0 > /proc/sys/user/max_user_namespaces || exit 99
    exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
    ;;
esac
mine=$(readlink /proc/self/ns/user)
unshare --user "$0" mapped "$@" &
until [ "$(readlink /proc/$!/ns/user)" != "$mine" ]; do sleep 0.01; done
echo 0 0 100000 > /proc/$!/gid_map
echo 0 0 100000 > /proc/$!/uid_map
wait $!
"#;

/// What is said to those who would run strangers' programs nevertheless.
const REFUSED: &str = "grader does not run programs of other people with weak isolation unless you ask for it";

#[apply(cli_test)]
#[needs(&[Need::Root, Need::Tool("setpriv"), Need::Tool("unshare")])]
fn without_user_namespaces_strangers_are_refused() {
    let workspace = Workspace::with_sum();
    let binary = workspace.binary();
    workspace.file("without", NO_NAMESPACES).file("right.sh", crate::cli::workspace::SUM);
    fs::set_permissions(workspace.path("without"), PermissionsExt::from_mode(0o755)).unwrap();
    workspace.give_to(NOBODY);
    let without = workspace.path("without");
    // The report is nobody's, and what starts the grader is root's.
    let nobody = |call: Call| call.copy(&binary).user(NOBODY).behind(&[without.to_str().unwrap()]).run();
    let run = nobody(workspace.call(&["--no-cache"]));
    run.status(0).ends("accepted/sum.sh", "AC", "met");
    assert_eq!(run.events[0]["isolation"], "weak", "{}", run.all());
    run.says("isolation is only `weak`; `user` does not work here: ");
    let judge = |args: &[&str]| {
        nobody(Call::recorded(&workspace.path(""), &[&["judge", "sum", "right.sh", "--no-cache"], args].concat()))
    };
    judge(&[]).status(2).says(REFUSED).says("cannot make a user namespace");
    judge(&["--isolation", "weak"]).status(0).ends("right.sh", "AC", "met");
}

/// As in a container without privileges. Layer `users` needs some rights, but not those of `root`.
#[apply(cli_test)]
#[needs(&[Need::Root, Need::Tool("setpriv")])]
fn strangers_are_refused_where_root_has_no_rights() {
    let workspace = Workspace::with_sum();
    workspace.file("right.sh", crate::cli::workspace::SUM);
    let judge = |bare: &[&str], args: &[&str]| {
        let args = [&["judge", "sum", "right.sh", "--no-cache"], args].concat();
        Call::recorded(&workspace.path(""), &args).behind(bare).run()
    };
    let refused = judge(&BARER, &[]);
    refused.status(2).says(REFUSED).says("isolation `users` does not work here").says("lacks CAP_SETUID");
    judge(&BARER, &["--isolation", "weak"]).status(0).ends("right.sh", "AC", "met");
    let run = judge(&BARE, &[]);
    if run.status == 0 {
        run.ends("right.sh", "AC", "met");
        assert_eq!((run.events[0]["isolation"].as_str(), run.events[0]["caveat"].as_str()), (Some("users"), Some("")));
    } else {
        run.status(2).says("isolation `users` does not work here");
    }
}

/// A program that no kill ends for now, in a group that a killed grader seems to have left.
struct Stuck {
    groups: [PathBuf; 2],
    note: PathBuf,
    child: Child,
}

/// The highest number there is, which no grader gets to.
const LAST: u32 = 4095;

impl Stuck {
    fn new() -> Self {
        let root = Path::new("/sys/fs/cgroup");
        let groups = ["memory", "freezer"].map(|controller| root.join(controller).join(format!("grader-{LAST}")));
        #[expect(clippy::disallowed_methods, reason = "a stranger to every grader")]
        let child = Command::new("sleep").arg("1000").stdin(Stdio::null()).spawn().unwrap();
        for group in &groups {
            fs::create_dir(group).unwrap();
            fs::write(group.join("cgroup.procs"), child.id().to_string()).unwrap();
        }
        let note = Path::new("/run/grader").join(LAST.to_string());
        let paths = serde_json::json!({ "memory": groups[0], "pids": null, "cpuacct": null, "unified": null });
        let stuck = Self { groups, note, child };
        stuck.freeze("FROZEN");
        fs::write(&stuck.note, paths.to_string()).unwrap();
        stuck
    }

    fn freeze(&self, state: &str) {
        fs::write(self.groups[1].join("freezer.state"), state).unwrap();
        until("frozen or thawed", || fs::read_to_string(self.groups[1].join("freezer.state")).unwrap().trim() == state);
    }
}

impl Drop for Stuck {
    fn drop(&mut self) {
        let _ = fs::write(self.groups[1].join("freezer.state"), "THAWED");
        let _ = self.child.kill();
        let _ = self.child.wait();
        for group in &self.groups {
            let _ = fs::remove_dir(group);
        }
        let _ = fs::write(&self.note, "");
    }
}

#[track_caller]
fn until(what: &str, mut check: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !check() {
        assert!(Instant::now() < deadline, "not in 20 s: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// What is in a group that a killed grader has noted is killed. While it does not die, nothing else suffers from that.
#[apply(cli_test)]
#[needs(&[Need::Freezer])]
fn a_control_group_that_cannot_be_removed_is_left_alone() {
    let workspace = Workspace::with_sum();
    // Makes the directory of the notes, and shows whether this machine has all that there could be to tell.
    let notes_before = notes(&workspace.run(&["--isolation", "root", "--no-cache"]));
    let mut stuck = Stuck::new();
    let run = workspace.run(&["--isolation", "root", "--no-cache"]);
    run.status(0).ends("accepted/sum.sh", "AC", "met");
    assert_eq!(notes(&run), notes_before);
    assert!(stuck.groups[0].exists() && stuck.child.try_wait().unwrap().is_none());
    assert!(fs::read_to_string(&stuck.note).unwrap().contains("grader-4095"), "the next grader has to know of it");
    stuck.freeze("THAWED");
    let child = &mut stuck.child;
    until("it dies", || child.try_wait().unwrap().is_some_and(|status| status.signal() == Some(9)));
    workspace.run(&["--isolation", "root", "--no-cache"]).status(0);
    // Another grader may have been at it.
    until("the group is removed", || !stuck.groups[0].exists() && fs::read(&stuck.note).unwrap().is_empty());
}
