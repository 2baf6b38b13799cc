//! What a run and the start of a slot cost a process that is small, and the same process with a gibibyte of memory.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::time::Duration;

use grader::sandbox::{Sandbox as _, Slot};

use crate::{command, isolations, run_true, slots, spawn, start, timed};

const GIB: usize = 1 << 30;
/// Small and large by turns, so that a busy moment hits both.
const TURNS: usize = 8;
const RUNS: usize = 50;
const STARTS: usize = 4;

/// What was measured, each with its times in the small process and in the large one.
type Rows = Vec<(String, [Vec<Duration>; 2])>;

pub(crate) fn growth(text: &mut String, scratch: &Path) -> io::Result<()> {
    // Page tables, of which large pages need few, are what a fork copies.
    let _ = rustix::thread::disable_transparent_huge_pages(true);
    let mut slots = slots(scratch);
    let mut rows = Rows::new();
    for _ in 0..TURNS {
        measure(&mut rows, 0, &mut slots, scratch)?;
        let memory = vec![1u8; GIB];
        measure(&mut rows, 1, &mut slots, scratch)?;
        drop(black_box(memory));
    }
    let _ = writeln!(text, "\nmedian, us            small    with 1 GiB   ratio");
    for (name, times) in rows {
        let [small, large] = times.map(median);
        let _ = writeln!(text, "{name:<18}{small:>9.0}{large:>14.0}{:>8.2}", large / small);
    }
    Ok(())
}

fn measure(rows: &mut Rows, which: usize, slots: &mut [Slot], scratch: &Path) -> io::Result<()> {
    let mut add = |name: String, time: Duration| match rows.iter_mut().find(|row| row.0 == name) {
        Some((_, times)) => times[which].push(time),
        None => rows.push((name, [vec![time], Vec::new()])),
    };
    for _ in 0..RUNS {
        add("posix_spawn".to_owned(), timed(|| spawn(&["/bin/true"]))?);
        for slot in &mut *slots {
            add(slot.isolation().name().to_owned(), timed(|| run_true(slot))?);
        }
    }
    for isolation in isolations(slots).into_iter().cycle().take(STARTS * slots.len()) {
        add(format!("start of {}", isolation.name()), start(scratch, isolation)?);
    }
    // Last: the pages that a fork shares are copied when they are next written to.
    for _ in 0..STARTS {
        add("fork and exec".to_owned(), timed(fork)?);
    }
    Ok(())
}

/// What must not be done, to show that it would be seen: the standard library forks where a group is asked for.
fn fork() -> io::Result<()> {
    let status = command("/bin/true").env_clear().gid(rustix::process::getegid().as_raw()).status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other("it failed")) }
}

/// In microseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e6
}
