//! The store under several processes, sudden death, a full disk and a disk that cannot be written.
//!
//! A child process is this test program again: one of the ignored tests, told by the environment what to do.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use grader::store::{CacheEntry, Digest, Key, Notice, Store};
use tempfile::TempDir;

const DIR: &str = "GRADER_TEST_STORE_DIR";
const ROUND: &str = "GRADER_TEST_STORE_ROUND";
/// The exit status of a shell that could not prepare the file system.
const NOT_POSSIBLE: i32 = 77;

#[expect(clippy::disallowed_methods, reason = "the test is about processes that die")]
fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    Command::new(program)
}

/// This program, about to run the ignored test `child` alone.
fn child(child: &str, dir: &Path, round: u64) -> Command {
    let mut command = command(std::env::current_exe().unwrap());
    command.args(["--exact", child, "--ignored", "--nocapture"]).env(DIR, dir).env(ROUND, round.to_string());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// What the child is told; none where somebody runs the ignored tests by hand.
fn told() -> Option<(PathBuf, u64)> {
    Some((std::env::var_os(DIR)?.into(), std::env::var(ROUND).ok()?.parse().ok()?))
}

fn key(round: u64, i: u64) -> Key {
    Key::of("test").field("round", round.to_le_bytes()).field("i", i.to_le_bytes()).finish()
}

fn value(round: u64, i: u64) -> CacheEntry<(u64, String)> {
    let size = usize::try_from(i * 37 % 900).unwrap();
    CacheEntry { value: (i, format!("round {round}")), blob: Some(vec![u8::try_from(i % 251).unwrap(); size]) }
}

fn put(store: &Store, round: u64, i: u64) {
    let CacheEntry { value, blob } = value(round, i);
    store.put_outcome(key(round, i), &value, blob.as_deref());
}

/// Which of the outcomes 0..n of a round are there; each must be as it was put.
fn present(store: &Store, round: u64, n: u64) -> Vec<u64> {
    let keys: Vec<_> = (0..n).map(|i| key(round, i)).collect();
    let found = store.outcomes::<(u64, String)>(&keys);
    let found = (0..).zip(found).filter_map(|(i, found)| {
        assert_eq!(found?, value(round, i), "round {round}, outcome {i}");
        Some(i)
    });
    found.collect()
}

#[expect(clippy::print_stderr, reason = "what was skipped must be seen")]
fn say(text: &str) {
    eprintln!("{text}");
}

/// Writes without end: outcomes, artifacts, digests, with a merge or an eviction at opening now and then.
#[test]
#[ignore = "a child of the other tests"]
fn child_that_is_killed() {
    let Some((dir, round)) = told() else { return };
    let cap = if round % 5 == 4 { 1 << 20 } else { 1 << 30 };
    let (store, _) = Store::open_with_cap(&dir, grader::limits::Bytes(cap));
    for i in 0.. {
        put(&store, round, i);
        // Also what earlier rounds have put, so that there is something superseded.
        put(&store, round / 2, i);
        if i % 97 == 0 {
            let builder = store.build_artifact(key(round, i)).unwrap();
            fs::write(builder.dir().join("program"), vec![b'x'; 30_000]).unwrap();
            fs::write(builder.dir().join("second"), i.to_string()).unwrap();
            builder.commit(i);
        }
        if i % 50 == 0 {
            store.flush();
        }
    }
}

#[test]
fn a_killed_grader_loses_little_and_spoils_nothing() {
    const ROUNDS: u64 = 25;
    const MOST: u64 = 3000;
    let temp = TempDir::new().unwrap();
    let dir = temp.path().join(".grader");
    let (mut outcomes, mut artifacts, mut rebuilt) = (0, 0, 0);
    for round in 0..ROUNDS {
        let mut child = child("child_that_is_killed", &dir, round).spawn().unwrap();
        // Early on some die while they open the store.
        let [low, high, ..] = *Digest::of_bytes(format!("{:?}{round}", Instant::now()).as_bytes()).as_bytes();
        let patience = Duration::from_millis(u64::from(u16::from_le_bytes([low, high])) % 250);
        std::thread::sleep(patience);
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success());

        let (store, notices) = Store::open(&dir);
        assert!(store.is_enabled(), "{notices:?}");
        rebuilt += notices.len();
        for past in 0..=round {
            outcomes = outcomes.max(present(&store, past, MOST).len());
            for i in (0..MOST).step_by(97) {
                if let Some(artifact) = store.artifact::<u64>(&key(past, i)) {
                    assert_eq!(artifact.meta, i);
                    assert_eq!(fs::read(artifact.dir.join("program")).unwrap(), vec![b'x'; 30_000]);
                    assert_eq!(fs::read_to_string(artifact.dir.join("second")).unwrap(), i.to_string());
                    artifacts += 1;
                }
            }
        }
    }
    say(&format!("at most {outcomes} outcomes of a round, {artifacts} artifacts read, {rebuilt} indexes rebuilt"));
    assert!(outcomes > 50 && artifacts > 0, "the children wrote next to nothing");
}

#[test]
#[ignore = "a child of the other tests"]
fn child_that_flushes_and_is_killed() {
    let Some((dir, round)) = told() else { return };
    let (store, _) = Store::open(&dir);
    for i in 0..500 {
        put(&store, round, i);
    }
    store.flush();
    fs::write(dir.join("flushed"), "").unwrap();
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

#[test]
fn what_was_flushed_survives_a_kill() {
    let temp = TempDir::new().unwrap();
    let dir = temp.path().join(".grader");
    let mut child = child("child_that_flushes_and_is_killed", &dir, 0).spawn().unwrap();
    let start = Instant::now();
    while !dir.join("flushed").exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "the child does not get there");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let (store, notices) = Store::open(&dir);
    assert_eq!(notices, []);
    assert_eq!(present(&store, 0, 600), (0..500).collect::<Vec<_>>());
}

/// Writes its own outcomes and those that all others write too.
#[test]
#[ignore = "a child of the other tests"]
fn child_that_writes_beside_others() {
    let Some((dir, round)) = told() else { return };
    let (store, notices) = Store::open(&dir);
    assert_eq!(notices, []);
    for i in 0..2000 {
        put(&store, round, i);
        put(&store, 1000, i);
        if i % 100 == 0 {
            let builder = store.build_artifact(key(1000, i)).unwrap();
            fs::write(builder.dir().join("program"), i.to_string()).unwrap();
            assert!(builder.commit(i).is_cached());
            assert!(present(&store, round, i).len() as u64 == i);
        }
    }
    store.flush();
    assert_eq!(store.take_notices(), []);
}

#[test]
fn graders_side_by_side_do_not_disturb_each_other() {
    let temp = TempDir::new().unwrap();
    let dir = temp.path().join(".grader");
    let mut children: Vec<Child> =
        (0..4).map(|round| child("child_that_writes_beside_others", &dir, round).spawn().unwrap()).collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    for index_stays in [true, false] {
        let (store, notices) = Store::open(&dir);
        assert_eq!(notices, []);
        for round in [0, 1, 2, 3, 1000] {
            assert_eq!(present(&store, round, 2001).len(), 2000, "round {round}");
        }
        assert!((0..2000).step_by(100).all(|i| store.artifact::<u64>(&key(1000, i)).is_some()));
        drop(store);
        if index_stays {
            fs::remove_file(dir.join("index.sqlite")).unwrap();
        }
    }
}

/// Runs a shell script in a mount namespace of its own, with `$0` a directory to mount on and `$1` this program; false
/// where that cannot be done here.
fn run_with_mounts(script: &str) -> bool {
    let temp = TempDir::new().unwrap();
    for namespace in [&["--mount"][..], &["--map-root-user", "--mount"]] {
        let mut unshare = command("unshare");
        unshare.args(namespace).args(["sh", "-c", script]).arg(temp.path()).arg(std::env::current_exe().unwrap());
        unshare.env(DIR, temp.path().join(".grader")).env(ROUND, "0");
        let Ok(output) = unshare.stdin(Stdio::null()).output() else { continue };
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        if output.status.success() {
            assert!(text.contains("1 passed"), "{text}");
            return true;
        }
        // `unshare` itself fails with 1, as tests do, but says its name.
        assert!(output.status.code() == Some(NOT_POSSIBLE) || text.contains("unshare:"), "{text}");
    }
    false
}

#[test]
#[ignore = "a child of the other tests"]
fn child_on_a_small_disk() {
    let Some((dir, _)) = told() else { return };
    let (store, notices) = Store::open(&dir);
    assert_eq!(notices, []);
    for i in 0..300 {
        store.put_outcome(key(0, i), &value(0, i).value, value(0, i).blob.as_deref());
        store.put_outcome(key(1, i), &i, Some(&vec![b'x'; 40_000]));
        if i % 10 == 0 {
            store.flush();
        }
    }
    store.flush();
    let notices = store.take_notices();
    assert!(matches!(&*notices, [Notice::WritingStopped { .. }]), "{notices:?}");
    assert!(notices[0].to_string().contains("full") || notices[0].to_string().contains("No space"), "{}", notices[0]);
    let kept = present(&store, 0, 300);
    assert!(!kept.is_empty() && kept.len() < 300);

    // Fill it to the last byte; everything that is asked for is still done.
    let filler = fs::File::create(dir.join("filler")).unwrap();
    while (&filler).write_all(&[0; 512]).is_ok() {}
    let mut record = store.begin_run();
    record.write_all(&vec![b'x'; 100_000]).unwrap();
    assert!(matches!(record.finish(), Err(Notice::RecordIncomplete { .. })));
    let builder = store.build_artifact(key(2, 0)).unwrap();
    assert!(!builder.dir().starts_with(&dir) || fs::write(builder.dir().join("program"), "x").is_err());
    drop(builder.commit(1));
    put(&store, 3, 0);
    store.flush();
    // The outcomes were told of before.
    let notices = store.take_notices();
    assert!(matches!(&*notices, [] | [Notice::BuildNotKept { .. }]), "{notices:?}");
    drop(store);

    let (store, notices) = Store::open(&dir);
    assert!(notices.len() <= 1, "{notices:?}");
    if store.is_enabled() {
        assert_eq!(present(&store, 0, 300), kept);
    }
    drop(store);
    fs::remove_file(dir.join("filler")).unwrap();
    let (store, _) = Store::open(&dir);
    assert_eq!(present(&store, 0, 300), kept);
}

#[test]
#[ignore = "a child of the other tests"]
fn child_on_a_full_disk() {
    let Some((dir, _)) = told() else { return };
    let filler = fs::File::create(dir.with_extension("filler")).unwrap();
    while (&filler).write_all(&[0; 512]).is_ok() {}
    let (store, notices) = Store::open(&dir);
    assert!(matches!(&*notices, [Notice::Disabled { .. }]), "{notices:?}");
    assert!(!store.is_enabled());
    let builder = store.build_artifact(key(0, 0)).unwrap();
    fs::write(builder.dir().join("program"), "x").unwrap();
    assert!(builder.commit(1).dir.exists());
}

#[test]
fn a_full_disk_stops_caching_and_nothing_else() {
    for child in ["child_on_a_small_disk", "child_on_a_full_disk"] {
        let mount = "mount -t tmpfs -o size=4m tmpfs \"$0\" 2>&1 || exit 77;";
        if !run_with_mounts(&format!("{mount} exec \"$1\" --exact {child} --ignored --nocapture")) {
            say("SKIPPED: a file system cannot be mounted here");
        }
    }
}

#[test]
#[ignore = "a child of the other tests"]
fn child_that_cannot_write() {
    let Some((dir, _)) = told() else { return };
    let (store, notices) = Store::open(&dir);
    assert!(matches!(&*notices, [Notice::Disabled { .. }]), "{notices:?}");
    assert!(!store.is_enabled());
    put(&store, 0, 0);
    store.flush();
    assert!(present(&store, 0, 10).is_empty());
    assert_eq!(store.begin_run().finish(), Ok(None));
}

#[test]
fn a_store_that_cannot_be_written_is_switched_off() {
    let prepare = "mount -t tmpfs tmpfs \"$0\" 2>&1 || exit 77; \
                   \"$1\" --exact child_that_writes_beside_others --ignored || exit 1; \
                   mount -o remount,ro \"$0\" 2>&1 || exit 77;";
    if !run_with_mounts(&format!("{prepare} exec \"$1\" --exact child_that_cannot_write --ignored --nocapture")) {
        say("SKIPPED: a file system cannot be mounted here");
    }
}

#[test]
fn a_directory_without_permission_switches_the_store_off() {
    use std::os::unix::fs::PermissionsExt;
    if rustix::process::geteuid().is_root() {
        return say("SKIPPED: root may write everywhere");
    }
    let temp = TempDir::new().unwrap();
    let dir = temp.path().join("set");
    fs::create_dir(&dir).unwrap();
    fs::set_permissions(&dir, PermissionsExt::from_mode(0o555)).unwrap();
    let (store, notices) = Store::open(&dir.join(".grader"));
    assert!(matches!(&*notices, [Notice::Disabled { .. }]), "{notices:?}");
    assert!(!store.is_enabled());
    fs::set_permissions(&dir, PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn many_threads_use_one_store() {
    let temp = TempDir::new().unwrap();
    let (store, _) = Store::open(&temp.path().join(".grader"));
    let file = temp.path().join("f");
    fs::write(&file, "x").unwrap();
    std::thread::scope(|scope| {
        for round in 0..4 {
            let (store, file) = (&store, &file);
            scope.spawn(move || {
                for i in 0..1000 {
                    put(store, round, i);
                    if i % 50 == 0 {
                        assert_eq!(present(store, round, i + 1).len() as u64, i + 1);
                        assert_eq!(store.digest_file(file).unwrap(), Digest::of_bytes(b"x"));
                        store.flush();
                    }
                }
            });
        }
    });
    let all: BTreeSet<_> = (0..4).flat_map(|round| present(&store, round, 1000)).collect();
    assert_eq!(all.len(), 1000);
}
