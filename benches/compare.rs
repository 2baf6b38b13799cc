//! The built-in checker beside `cmp` on the same machine, in the same run: `cargo bench --bench compare`.
//!
//! Each row is the best of five, in processor time, which other work on the machine hardly changes. `COMPARE_MB` sets the size of the files, 200 unless told; an argument selects the rows
//! whose names contain it.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::time::Duration;

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

const ROWS: [Row; 16] = [
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
    Row { name: "wcmp, equal", checker: "wcmp", answer: integers, output: |answer| answer, accepted: true },
    Row { name: "wcmp, CRLF", checker: "wcmp", answer: integers, output: crlf, accepted: true },
    Row { name: "rcmp6, every one close", checker: "rcmp6", answer: floats, output: nudge, accepted: true },
    Row { name: "fcmp, equal", checker: "fcmp", answer: integers, output: |answer| answer, accepted: true },
    Row { name: "wrong at once", checker: "tokens", answer: words, output: to_spaces_and_wrong, accepted: false },
];

fn main() -> io::Result<()> {
    let megabytes = std::env::var("COMPARE_MB").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
    let dir = tempfile::tempdir()?;
    let answer = dir.path().join("answer");
    let output = dir.path().join("output");
    let mut table = format!("{:<22}{:>9}{:>9}{:>10}\n", "", "s", "GB/s", "to cmp");
    let bytes = integers(megabytes * 1_000_000);
    fs::write(&answer, &bytes)?;
    fs::write(&output, &bytes)?;
    let floor = best(|| cmp(&answer, &output))?;
    push(&mut table, "cmp", floor, bytes.len(), floor);
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |row: &Row| wanted.is_empty() || wanted.iter().any(|word| row.name.contains(word));
    for row in ROWS.into_iter().filter(is_wanted) {
        let bytes = (row.answer)(megabytes * 1_000_000);
        fs::write(&answer, &bytes)?;
        let bytes = (row.output)(bytes);
        fs::write(&output, &bytes)?;
        let checker = row.checker.parse().map_err(io::Error::other)?;
        let time = best(|| {
            let start = thread_time()?;
            let comparison = compare(checker, &answer, &output)?;
            let time = thread_time()?.saturating_sub(start);
            assert_eq!(comparison.accepted, row.accepted, "{}: {:?}", row.name, comparison.difference);
            Ok(time)
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

fn best(mut run: impl FnMut() -> io::Result<Duration>) -> io::Result<Duration> {
    (0..5).map(|_| run()).try_fold(Duration::MAX, |least, time| Ok(least.min(time?)))
}

/// The time of `cmp`, in the hundredths of a second in which the kernel tells that of children.
fn cmp(answer: &Path, output: &Path) -> io::Result<Duration> {
    let before = children_time()?;
    #[expect(clippy::disallowed_methods, reason = "the floor is another program, and no submission")]
    let status = std::process::Command::new("cmp").arg(answer).arg(output).status()?;
    assert!(status.success(), "cmp says that equal files differ");
    Ok(children_time()?.saturating_sub(before))
}

/// User and system time of the children that have ended: fields 16 and 17 of `proc_pid_stat(5)`.
fn children_time() -> io::Result<Duration> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let hundredths: u64 = fields.skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(Duration::from_millis(hundredths * 10))
}

fn thread_time() -> io::Result<Duration> {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(now).map_err(io::Error::other)
}

fn compare(checker: Checker, answer: &Path, output: &Path) -> io::Result<Comparison> {
    let mut comparator = Comparator::new(checker, File::open(answer)?);
    let mut output = File::open(output)?;
    let mut chunk = vec![0; CHUNK];
    loop {
        match output.read(&mut chunk)? {
            0 => return comparator.finish().map_err(io::Error::other),
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

fn space_in_front(answer: Vec<u8>) -> Vec<u8> {
    [b" ".to_vec(), answer].concat()
}

fn crlf(answer: Vec<u8>) -> Vec<u8> {
    lines(answer).join(&b"\r\n"[..])
}

/// A few more digits in every number.
fn nudge(answer: Vec<u8>) -> Vec<u8> {
    lines(answer).join(&b"0000004\n"[..])
}

fn lines(answer: Vec<u8>) -> Vec<Vec<u8>> {
    String::from_utf8(answer).unwrap_or_default().lines().map(|line| line.as_bytes().to_vec()).collect()
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
