//! The built-in checker beside `cmp` on the same machine, in the same run: `cargo bench --bench compare`.
//!
//! Each row is the best of three. `COMPARE_MB` sets the size of the files, 200 unless told.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use grader::judge::compare::{Comparator, Comparison};
use grader::problem::Checker;

/// What a pipe hands over at once.
const CHUNK: usize = 64 * 1024;

struct Row {
    name: &'static str,
    checker: &'static str,
    answer: fn(usize) -> Vec<u8>,
    output: fn(Vec<u8>) -> Vec<u8>,
    accepted: bool,
}

const ROWS: [Row; 12] = [
    Row { name: "equal, short lines", checker: "tokens", answer: integers, output: |answer| answer, accepted: true },
    Row { name: "equal, exact", checker: "exact", answer: integers, output: |answer| answer, accepted: true },
    Row { name: "equal, floats", checker: "float=1e-6", answer: floats, output: |answer| answer, accepted: true },
    Row { name: "equal, one line", checker: "tokens", answer: one_line, output: |answer| answer, accepted: true },
    Row { name: "equal, one token", checker: "tokens", answer: one_token, output: |answer| answer, accepted: true },
    Row { name: "a space in front", checker: "tokens", answer: integers, output: space_in_front, accepted: true },
    Row { name: "CRLF", checker: "tokens", answer: integers, output: crlf, accepted: true },
    Row { name: "newlines to spaces", checker: "tokens", answer: integers, output: to_spaces, accepted: true },
    Row { name: "case of every token", checker: "tokens", answer: words, output: upper, accepted: true },
    Row { name: "case, sensitive", checker: "case_sensitive", answer: words, output: upper, accepted: false },
    Row { name: "every float close", checker: "float=1e-6", answer: floats, output: nudge, accepted: true },
    Row { name: "wrong at once", checker: "tokens", answer: words, output: to_spaces_and_wrong, accepted: false },
];

fn main() -> io::Result<()> {
    let megabytes = std::env::var("COMPARE_MB").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
    let dir = tempfile::tempdir()?;
    let (answer, output) = (dir.path().join("answer"), dir.path().join("output"));
    let mut table = format!("{:<22}{:>9}{:>9}{:>10}\n", "", "s", "GB/s", "to cmp");
    let bytes = integers(megabytes * 1_000_000);
    fs::write(&answer, &bytes)?;
    fs::write(&output, &bytes)?;
    let floor = best(|| cmp(&answer, &output))?;
    push(&mut table, "cmp", floor, bytes.len(), floor);
    for row in ROWS {
        let bytes = (row.answer)(megabytes * 1_000_000);
        fs::write(&answer, &bytes)?;
        let bytes = (row.output)(bytes);
        fs::write(&output, &bytes)?;
        let checker = row.checker.parse().map_err(io::Error::other)?;
        let time = best(|| {
            let comparison = compare(checker, &answer, &output)?;
            assert_eq!(comparison.accepted, row.accepted, "{}: {:?}", row.name, comparison.difference);
            Ok(())
        })?;
        push(&mut table, row.name, time, bytes.len(), floor);
    }
    io::stdout().write_all(table.as_bytes())
}

fn push(table: &mut String, name: &str, time: Duration, length: usize, floor: Duration) {
    let rate = Duration::from_nanos(length as u64).div_duration_f64(time);
    let ratio = time.div_duration_f64(floor);
    let _ = writeln!(table, "{name:<22}{:>9.3}{rate:>9.2}{ratio:>10.2}", time.as_secs_f64());
}

fn best(mut run: impl FnMut() -> io::Result<()>) -> io::Result<Duration> {
    let mut least = Duration::MAX;
    for _ in 0..3 {
        let start = Instant::now();
        run()?;
        least = least.min(start.elapsed());
    }
    Ok(least)
}

fn cmp(answer: &Path, output: &Path) -> io::Result<()> {
    #[expect(clippy::disallowed_methods, reason = "the floor is another program, and no submission")]
    let status = std::process::Command::new("cmp").arg(answer).arg(output).status()?;
    assert!(status.success(), "cmp says that equal files differ");
    Ok(())
}

fn compare(checker: Checker, answer: &Path, output: &Path) -> io::Result<Comparison> {
    let mut comparator = Comparator::new(checker, File::open(answer)?);
    let mut output = File::open(output)?;
    let mut chunk = vec![0; CHUNK];
    loop {
        match output.read(&mut chunk)? {
            0 => return comparator.finish(),
            length => comparator.feed(&chunk[..length])?,
        }
    }
}

/// A sequence that looks random and is the same in every run.
fn numbers() -> impl Iterator<Item = u64> {
    std::iter::successors(Some(88_172_645_463_325_252_u64), |state| {
        let state = state ^ (state << 13);
        let state = state ^ (state >> 7);
        Some(state ^ (state << 17))
    })
}

fn fill(size: usize, mut line: impl FnMut(&mut String, u64)) -> Vec<u8> {
    let mut text = String::with_capacity(size + 64);
    for number in numbers() {
        if text.len() >= size {
            break;
        }
        line(&mut text, number);
    }
    text.into_bytes()
}

fn integers(size: usize) -> Vec<u8> {
    fill(size, |text, number| {
        let _ = writeln!(text, "{}", number % 10_000_000);
    })
}

fn words(size: usize) -> Vec<u8> {
    const WORDS: [&str; 4] = ["possible", "yes", "no", "impossible"];
    fill(size, |text, number| {
        let _ = writeln!(text, "{}", WORDS[usize::try_from(number % 4).unwrap_or(0)]);
    })
}

fn floats(size: usize) -> Vec<u8> {
    fill(size, |text, number| {
        let _ = writeln!(text, "{}.{:06}", number % 1000, number / 1000 % 1_000_000);
    })
}

fn one_line(size: usize) -> Vec<u8> {
    fill(size, |text, number| {
        let _ = write!(text, "{} ", number % 10_000_000);
    })
}

fn one_token(size: usize) -> Vec<u8> {
    fill(size, |text, number| {
        let _ = write!(text, "{number:x}");
    })
}

fn space_in_front(mut answer: Vec<u8>) -> Vec<u8> {
    answer.insert(0, b' ');
    answer
}

fn crlf(answer: Vec<u8>) -> Vec<u8> {
    answer
        .split_inclusive(|byte| *byte == b'\n')
        .flat_map(|line| [&line[..line.len() - 1], b"\r\n"])
        .flatten()
        .copied()
        .collect()
}

fn to_spaces(mut answer: Vec<u8>) -> Vec<u8> {
    answer.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
    answer
}

fn to_spaces_and_wrong(answer: Vec<u8>) -> Vec<u8> {
    let mut output = to_spaces(answer);
    output[0] ^= 1;
    output
}

fn upper(mut answer: Vec<u8>) -> Vec<u8> {
    answer.make_ascii_uppercase();
    answer
}

/// Another last digit but one in every number.
fn nudge(answer: Vec<u8>) -> Vec<u8> {
    answer
        .split_inclusive(|byte| *byte == b'\n')
        .flat_map(|line| [&line[..line.len() - 1], b"0000004\n"])
        .flatten()
        .copied()
        .collect()
}
