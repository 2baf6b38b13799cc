//! Compares the standard checkers with the originals of testlib, which must lie in a directory of their own:
//!
//! ```sh
//! git clone https://github.com/MikeMirzayanov/testlib
//! cargo run --release -p grader-compare --example standard_checkers -- testlib 2000
//! ```
//!
//! For each checker it makes 2000 pairs of an answer and an output, and prints every pair on which the exit code of the
//! original means something else. A third argument is the seed. `record` in place of the number writes the table of
//! `tests/standard.tsv`, with the exit codes of the originals.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use grader_compare::{Comparator, CompareError};
use grader_model::problem::{Checker, StandardChecker};

mod edges;
mod generate;
mod originals;

use generate::{Pair, Random};
use originals::Original;

fn main() -> io::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (testlib, what, seed) = match &arguments[..] {
        [testlib, what] => (testlib, what, "1"),
        [testlib, what, seed] => (testlib, what, seed.as_str()),
        _ => return Err(io::Error::other("usage: standard_checkers TESTLIB (COUNT|record) [SEED]")),
    };
    let dir = tempfile::tempdir()?;
    let originals = originals::build(Path::new(testlib))?;
    if what == "record" {
        record(&originals)?;
        return Ok(ExitCode::SUCCESS);
    }
    let count = what.parse().map_err(io::Error::other)?;
    let seed = seed.parse().map_err(io::Error::other)?;
    let differences = compare(originals, count, seed, dir.path())?;
    writeln!(io::stdout(), "{differences} differences")?;
    Ok(if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Compares all checkers on generated pairs, as many at a time as the machine has cores. Returns the number of pairs
/// on which they differ.
fn compare(originals: Vec<Original>, count: usize, seed: u64, dir: &Path) -> io::Result<usize> {
    let workers = std::thread::available_parallelism()?.get();
    let queue = std::sync::Mutex::new(originals.into_iter());
    let next = || queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
    let work = |number: usize| {
        let dir = dir.join(format!("pair-{number}"));
        std::fs::create_dir(&dir)?;
        let mut differences = 0;
        while let Some(original) = next() {
            differences += compare_one(&original, count, seed, &dir)?;
        }
        Ok(differences)
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..workers).map(|number| scope.spawn(move || work(number))).collect();
        let joined = running.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err(io::Error::other("panic"))));
        joined.sum()
    })
}

fn compare_one(original: &Original, count: usize, seed: u64, dir: &Path) -> io::Result<usize> {
    let mut random = Random::new(seed, original.checker);
    let mut tally = [0_usize; 4];
    let mut differences = 0;
    for _ in 0..count {
        let pair = generate::pair(original.checker, &mut random);
        let theirs = original.judge(&pair, dir)?;
        let ours = judge(original.checker, &pair, random.below(4))?;
        let accepted = if theirs == 7 { 0 } else { theirs };
        if let Some(times) = tally.get_mut(usize::try_from(accepted).unwrap_or(usize::MAX)) {
            *times += 1;
        }
        if ours != theirs {
            differences += 1;
            let Pair { answer, output } = pair;
            writeln!(
                io::stdout(),
                "{}: original {theirs}, here {ours}\n  answer {}\n  output {}",
                original.checker,
                shown(&answer),
                shown(&output)
            )?;
        }
    }
    let [accepted, wrong, malformed, failed] = tally;
    writeln!(
        io::stdout(),
        "{:<9} {accepted:>6} ok {wrong:>6} wa {malformed:>6} pe {failed:>6} fail {differences:>6} different",
        original.checker
    )?;
    Ok(differences)
}

fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 300;
    let end = if bytes.len() > MOST { format!("… ({} bytes)", bytes.len()) } else { String::new() };
    format!("\"{}\"{end}", bytes[..bytes.len().min(MOST)].escape_ascii())
}

/// The exit code that testlib has for the decision of our checker. `way` chooses the sizes of chunks.
fn judge(checker: StandardChecker, pair: &Pair, way: u64) -> io::Result<i32> {
    let size = match way {
        0 => 1,
        1 => 7,
        2 => 64 * 1024,
        _ => usize::MAX,
    };
    // Small chunks of long outputs take too long.
    let size = if pair.output.len() > 10_000 { size.max(1000) } else { size };
    let mut comparator = Comparator::new(Checker::Standard(checker), &*pair.answer);
    for chunk in pair.output.chunks(size) {
        comparator.feed(chunk)?;
    }
    match comparator.finish() {
        Ok(comparison) if comparison.accepted => Ok(if comparison.points.is_some() { 7 } else { 0 }),
        Ok(comparison) => Ok(if comparison.rejection.is_some_and(|found| found.malformed) { 2 } else { 1 }),
        Err(CompareError::Answer { .. }) => Ok(3),
        Err(CompareError::Unreadable(error)) => Err(error),
    }
}

/// Writes the table of facts to standard output: checker, exit code, answer and output.
fn record(originals: &[Original]) -> io::Result<()> {
    let dir = tempfile::tempdir()?;
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "# Exit codes of testlib's checkers, recorded by examples/standard_checkers. checker, code, answer, output"
    )?;
    for original in originals {
        for pair in edges::pairs(original.checker) {
            let code = original.judge(&pair, dir.path())?;
            let Pair { answer, output } = pair;
            writeln!(out, "{}\t{code}\t{}\t{}", original.checker, answer.escape_ascii(), output.escape_ascii())?;
        }
    }
    Ok(())
}
