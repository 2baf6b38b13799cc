//! What a piece of work costs, and the table of it.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::time::{Duration, Instant};

/// Wall time, and the cpu time of this process and of all that it has waited for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
}

/// What `work` costs.
pub(crate) fn cost(work: impl FnOnce() -> io::Result<()>) -> io::Result<Cost> {
    let cpu = cpu_so_far()?;
    let start = Instant::now();
    work()?;
    let wall = start.elapsed();
    Ok(Cost { wall, cpu: cpu_so_far()?.saturating_sub(cpu) })
}

/// User and system time of this process and of its reaped descendants, to a clock tick.
fn cpu_so_far() -> io::Result<Duration> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
    let ticks: u64 = fields.skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second()))
}

/// Two pieces of work by turns, so that a busy moment of the machine hits both; the best of each.
pub(crate) fn by_turns(
    rounds: usize,
    mut floor: impl FnMut(usize) -> io::Result<Cost>,
    mut ours: impl FnMut(usize) -> io::Result<Cost>,
) -> io::Result<(Cost, Cost)> {
    let mut best = (floor(0)?, ours(0)?);
    for round in 1..rounds {
        best = (better(best.0, floor(round)?), better(best.1, ours(round)?));
    }
    Ok(best)
}

fn better(a: Cost, b: Cost) -> Cost {
    Cost { wall: a.wall.min(b.wall), cpu: a.cpu.min(b.cpu) }
}

/// The result, one line for each measurement.
pub(crate) struct Table(String);

impl Table {
    pub(crate) fn new() -> Self {
        let head = ["floor s", "grader s", "ratio", "cpu ratio", "target"];
        let mut text = format!("{:<46}", "");
        for word in head {
            let _ = write!(text, "{word:>11}");
        }
        Self(text + "\n")
    }

    /// Ours beside a floor; `target` is the largest ratio of the wall times.
    pub(crate) fn ratio(&mut self, what: &str, (floor, ours): (Cost, Cost), target: Option<f64>) {
        let ratio = ours.wall.div_duration_f64(floor.wall);
        let cpu = ours.cpu.div_duration_f64(floor.cpu.max(Duration::from_millis(1)));
        let floor = floor.wall.as_secs_f64();
        let ours = ours.wall.as_secs_f64();
        let target = target.map_or_else(String::new, |target| format!("<= {target} {}", mark(ratio <= target)));
        let _ = writeln!(self.0, "{what:<46}{floor:>11.3}{ours:>11.3}{ratio:>11.2}{cpu:>11.2}{target:>11}");
    }

    /// Ours against a fixed number of milliseconds.
    pub(crate) fn time(&mut self, what: &str, ours: Cost, target: Duration) {
        let text = format!("<= {} {}", target.as_secs_f64(), mark(ours.wall <= target));
        let _ = writeln!(self.0, "{what:<46}{:>11}{:>11.3}{:>11}{:>11}{text:>11}", "", ours.wall.as_secs_f64(), "", "");
    }

    /// Any other figure.
    pub(crate) fn value(&mut self, what: &str, value: &str, target: &str) {
        let _ = writeln!(self.0, "{what:<46}{:>11}{value:>11}{:>11}{:>11}{target:>11}", "", "", "");
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

/// Whether a target is met.
pub(crate) fn mark(met: bool) -> &'static str {
    if met { "yes" } else { "NO" }
}
