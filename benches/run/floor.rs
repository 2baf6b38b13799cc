//! What a run costs at least: start each program with its input, read and compare what it prints, wait for it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::workspace::{command, compile};

/// One thing to do.
pub(crate) enum Job {
    /// Compile a source to a program.
    Compile { source: PathBuf, program: PathBuf },
    /// Run a command in a directory, without input.
    Command { words: Vec<String>, dir: PathBuf },
    /// Run a program on a case and compare.
    Run { program: PathBuf, case: [PathBuf; 2], end: End },
}

/// How a run has to end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Right,
    Wrong,
    Crash,
    /// Killed when it has used so much cpu time.
    Killed(Duration),
}

/// Does all jobs, `slots` at a time, in order.
pub(crate) fn all(jobs: &[Job], slots: usize) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let work = || -> io::Result<()> {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            match job {
                Job::Compile { source, program } => compile(source, program)?,
                Job::Command { words, dir } => obey(words, dir)?,
                Job::Run { program, case, end } => run(program, case, *end)?,
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..slots).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| io::Error::other("a floor panicked"))?)
    })
}

fn obey(words: &[String], dir: &Path) -> io::Result<()> {
    let mut command = command(Path::new(&words[0]));
    let output = command.args(&words[1..]).current_dir(dir).stdin(Stdio::null()).output()?;
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?} ended with {}: {told}", output.status);
    Ok(())
}

/// `std::process` uses `posix_spawn` here: nothing is done between fork and exec.
fn run(program: &Path, [input, answer]: &[PathBuf; 2], end: End) -> io::Result<()> {
    let mut command = command(program);
    command.stdin(File::open(input)?).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    if let End::Killed(at) = end {
        kill_at(&mut child, at)?;
    }
    let mut output = Vec::new();
    if let Some(mut out) = child.stdout.take() {
        out.read_to_end(&mut output)?;
    }
    let equal = output == fs::read(answer)?;
    let status = child.wait()?;
    let found = match (status.code(), equal) {
        (Some(0), true) => end == End::Right,
        (Some(0), false) => end == End::Wrong,
        (Some(_), _) => end == End::Crash,
        (None, _) => end == End::Crash || matches!(end, End::Killed(_)),
    };
    assert!(found, "{} ended with {status}", program.display());
    Ok(())
}

fn kill_at(child: &mut Child, limit: Duration) -> io::Result<()> {
    loop {
        let stat = fs::read_to_string(format!("/proc/{}/schedstat", child.id()))?;
        let used = stat.split(' ').next().and_then(|nanos| nanos.parse().ok()).map(Duration::from_nanos);
        let left = limit.saturating_sub(used.unwrap_or(limit));
        if left.is_zero() {
            return child.kill();
        }
        thread::sleep(left);
    }
}
