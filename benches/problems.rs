//! The references of the problems that have a target, worst of 100 cases beside the median: `cargo bench --bench
//! problems`. Measured is the whole process, from its start until it has been waited for, beside one that does nothing.
//!
//! Reference and generator are compiled from `problems/`; seeds make the cases the same everywhere.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs of each case; the best counts, because the worst case is looked for and not the busiest moment.
const RUNS: usize = 5;

struct Row {
    problem: &'static str,
    what: &'static str,
    /// Arguments of the generator for case `n`.
    case: fn(usize) -> String,
    cases: usize,
    target: Duration,
    /// The target is for the median; otherwise for the worst case.
    median: bool,
}

const ROWS: [Row; 4] = [
    Row {
        problem: "nine",
        what: "random deals",
        case: |n| format!("random --seed {n}"),
        cases: 100,
        target: Duration::from_millis(20),
        median: false,
    },
    Row {
        problem: "recursive-combat",
        what: "random, 25 + 25 cards",
        case: |n| format!("random --n1 25 --n2 25 --seed {n}"),
        cases: 100,
        target: Duration::from_millis(50),
        median: true,
    },
    Row {
        problem: "dirac-dice-quantum",
        what: "every start",
        case: |n| format!("start --p1 {} --p2 {}", n / 10 + 1, n % 10 + 1),
        cases: 100,
        target: Duration::from_millis(5),
        median: false,
    },
    Row {
        problem: "touch-numbers",
        what: "all 9801 states, shuffled",
        case: |n| format!("shuffled --seed {n}"),
        cases: 100,
        target: Duration::from_millis(10),
        median: false,
    },
];

fn main() -> io::Result<()> {
    let dir = tempfile::tempdir()?;
    let input = dir.path().join("input");
    fs::write(&input, "")?;
    let nothing: Vec<Duration> = (0..100).map(|_| time(Path::new("/bin/true"), &input)).collect::<io::Result<_>>()?;
    let mut table = format!("{:<46}{:>11}{:>11}{:>16}\n", "", "median ms", "worst ms", "target");
    table += &line("/bin/true", nothing, "");
    for row in ROWS {
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems").join(row.problem);
        let generator = compile(&home.join("generators/gen.rs"), &dir.path().join("gen"))?;
        let reference = compile(&home.join("submissions/accepted/reference.rs"), &dir.path().join("reference"))?;
        let times = (0..row.cases).map(|n| {
            let made = command(&generator).args((row.case)(n).split(' ')).output()?;
            assert!(made.status.success(), "{}: gen {} ended with {}", row.problem, (row.case)(n), made.status);
            fs::write(&input, made.stdout)?;
            time(&reference, &input)
        });
        let mut times: Vec<Duration> = times.collect::<io::Result<_>>()?;
        times.sort();
        let judged = if row.median { times[times.len() / 2] } else { times[times.len() - 1] };
        let met = if judged <= row.target { "yes" } else { "NO" };
        let which = if row.median { "median" } else { "worst" };
        let target = format!("{which} <= {} {met}", row.target.as_millis());
        table += &line(&format!("{}, {}", row.problem, row.what), times, &target);
    }
    io::stdout().write_all(table.as_bytes())
}

fn line(what: &str, mut times: Vec<Duration>, target: &str) -> String {
    times.sort();
    let ms = |time: &Duration| time.as_secs_f64() * 1e3;
    let median = ms(&times[times.len() / 2]);
    let worst = ms(&times[times.len() - 1]);
    format!("{what:<46}{median:>11.2}{worst:>11.2}{target:>18}\n")
}

/// With the options that the grader gives to `rustc`.
fn compile(source: &Path, program: &Path) -> io::Result<std::path::PathBuf> {
    let mut rustc = command(Path::new("rustc"));
    rustc.args(["--edition", "2021", "-C", "opt-level=3", "-o"]).arg(program).arg(source);
    let status = rustc.status()?;
    assert!(status.success(), "{} does not compile", source.display());
    Ok(program.to_owned())
}

/// The best of some runs of one case.
fn time(program: &Path, input: &Path) -> io::Result<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..RUNS {
        let stdin = File::open(input)?;
        let mut command = command(program);
        command.stdin(stdin).stdout(Stdio::null()).stderr(Stdio::null());
        let start = Instant::now();
        let status = command.status()?;
        best = best.min(start.elapsed());
        assert!(status.success(), "{} ended with {status}", program.display());
    }
    Ok(best)
}

fn command(program: &Path) -> Command {
    #[expect(clippy::disallowed_methods, reason = "what is measured here is a program without the grader")]
    Command::new(program)
}
