//! Which binary the tests start, and where it finds programs.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The binary that `BINARY_UNDER_TEST` names; without this variable, the one that cargo built beside the tests.
///
/// Dev-dependencies switch on features of crates that the product shares, so cargo's binary can do what an installed one
/// cannot. `.ci/run` therefore names the binary that `cargo install --locked` made.
pub(crate) fn grader() -> &'static Path {
    static GRADER: LazyLock<PathBuf> = LazyLock::new(|| {
        let Some(named) = std::env::var_os("BINARY_UNDER_TEST") else {
            return env!("CARGO_BIN_EXE_grader").into();
        };
        let named = PathBuf::from(named);
        // Tests start it from other directories.
        assert!(
            named.is_absolute() && named.is_file(),
            "BINARY_UNDER_TEST={}: no absolute path of a file",
            named.display()
        );
        named
    });
    &GRADER
}

/// Copies the binary to `to`, where a test starts it.
///
/// Linux executes no file that a process has open for writing. A copy made in this process could stay open in a child that
/// another test starts at that moment, so `cp` makes it.
#[allow(dead_code, reason = "some test targets start the binary only where it is")]
pub(crate) fn copy_grader(to: &Path) -> std::io::Result<()> {
    #[expect(clippy::disallowed_methods, reason = "only another process keeps the copy out of our children")]
    let status = std::process::Command::new("cp").arg("--").args([grader(), to]).status()?;
    if status.success() { Ok(()) } else { Err(std::io::Error::other(format!("cp: {status}"))) }
}

/// Starts the tests again with `TMPDIR` in memory if root may mount a file system for this process alone.
///
/// Every test makes a workspace and a store of its own: on a disk, half of the system's time goes into directories that are
/// removed a second later. The targets that do not call this function keep testing disks.
#[allow(dead_code, reason = "some test targets work on the disk")]
pub(crate) fn in_memory() {
    if std::env::var_os("TMPDIR").is_some() || !rustix::process::geteuid().is_root() {
        return;
    }
    // A mount over an empty directory hides nothing: neither this project nor a toolchain.
    let is_empty = |dir: &&str| fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none());
    let Some(dir) = ["/mnt", "/media", "/srv"].into_iter().find(is_empty) else { return };
    let Ok(tests) = std::env::current_exe() else { return };
    #[expect(clippy::disallowed_methods, reason = "the tests themselves are started, not a submission")]
    let mounted = |command: &str| {
        let mut unshare = std::process::Command::new("unshare");
        // With the binary beside them, tests can link it into their directories.
        let line = format!(
            "mount -t tmpfs -o mode=1777 tmpfs {dir} && cp -- \"$BINARY_UNDER_TEST\" {dir}/grader && \
             export TMPDIR={dir} BINARY_UNDER_TEST={dir}/grader && {command}"
        );
        unshare.env("BINARY_UNDER_TEST", grader());
        unshare.args(["--mount", "--propagation", "private", "sh", "-c", &line]);
        unshare
    };
    // A machine that refuses the mount tests on its disk.
    if mounted("true").output().is_ok_and(|output| output.status.success()) {
        let mut again = mounted("exec \"$0\" \"$@\"");
        let error = again.arg(tests).args(std::env::args_os().skip(1)).exec();
        panic!("cannot start the tests again: {error}");
    }
}

/// `PATH`, with the directory of a real interpreter in front if `python3` is the shim of a version manager.
///
/// A shim is a script that takes a tenth of a second, and every test with a new store asks it again. The interpreter
/// behind it starts three times as slowly as a system's own if packages are installed in it, and the tests start four
/// thousand. `cli/interpreters.rs` is about shims and makes its own; `.ci/run` judges all problems with `PATH` as it is.
pub(crate) fn path() -> &'static OsStr {
    static DIRS: LazyLock<OsString> = LazyLock::new(|| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let real = real_python(&path).and_then(|python| Some(python.parent()?.to_owned()));
        std::env::join_paths(real.into_iter().chain(std::env::split_paths(&path))).expect("directories of `PATH`")
    });
    &DIRS
}

/// If the first `python3` is a script: the next that is none, or else what the script leads to.
fn real_python(path: &OsStr) -> Option<PathBuf> {
    let is_script = |file: &PathBuf| fs::read(file).is_ok_and(|content| content.starts_with(b"#!"));
    let mut found = std::env::split_paths(path).map(|dir| dir.join("python3")).filter(|file| file.is_file());
    let shim = found.next().filter(is_script)?;
    found.find(|file| !is_script(file)).or_else(|| interpreter_of(&shim))
}

fn interpreter_of(shim: &Path) -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "a shim tells nobody else where the interpreter is")]
    let answer = std::process::Command::new(shim).args(["-c", "import sys; print(sys.executable)"]).output().ok()?;
    let python = PathBuf::from(String::from_utf8(answer.stdout).ok()?.trim());
    python.is_absolute().then_some(python)
}
