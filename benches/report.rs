//! `grader report --report html=FILE` beside the same with `jsonl=FILE`, its floor, which only reads the record and writes
//! it again: `cargo bench --bench report [-- SECTION…]`.
//!
//! The records are made up (`report/record.rs`). Floor and page run by turns, and the best of three counts. Then Chromium
//! opens and filters each page (`report/measure.mjs`), if it is there (`CHROMIUM`, or `/usr/bin/chromium`) with node and
//! the packages of `tests/browser` (`npm ci`). Nothing here fails for being slow: `docs/performance.md` says what is
//! reached.

#[path = "report/record.rs"]
mod record;

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use record::MadeRun;
use tempfile::TempDir;

const ROUNDS: usize = 3;
/// What a page should reach: milliseconds to open and to filter, and the bytes of the page of 100 × 200 results.
const OPEN_MS: f64 = 1000.0;
const FILTER_MS: f64 = 50.0;
const BYTES: u64 = 3_000_000;

const RUN: MadeRun = MadeRun { verb: "run", problems: 1, submissions: 100, tests: 200, kept: 5, has_sources: false };
const CLASS: MadeRun =
    MadeRun { verb: "judge", problems: 10, submissions: 2000, tests: 10, kept: 0, has_sources: false };
const SECTIONS: [(&str, &str, MadeRun); 5] = [
    (
        "results",
        "50 problems x 20 submissions x 100 tests",
        MadeRun { problems: 50, submissions: 20, tests: 100, ..RUN },
    ),
    ("page", "100 submissions x 200 tests", RUN),
    ("class", "2000 students x 10 problems x 10 tests", CLASS),
    ("problem", "2000 students x 1 problem x 10 tests", MadeRun { problems: 1, ..CLASS }),
    ("programs", "... and their programs, compared", MadeRun { problems: 1, has_sources: true, ..CLASS }),
];

fn main() -> io::Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let is_wanted = |(name, ..): &(&str, &str, MadeRun)| wanted.is_empty() || wanted.iter().any(|word| word == name);
    let mut text = row("", &["floor s", "html s", "floor MiB", "html MiB", "page MB", "files"].map(str::to_owned));
    let mut places = Vec::new();
    for (name, what, made) in SECTIONS.into_iter().filter(is_wanted) {
        let place = tempfile::tempdir()?;
        let bytes = measure(&place, what, made, &mut text)?;
        if name == "page" {
            let _ = writeln!(text, "... target {BYTES} bytes: {bytes} {}", mark(bytes <= BYTES));
        }
        places.push((what, place));
    }
    text += &in_browser(&places)?;
    let nice = rustix::process::getpriority_process(None)?;
    let load = fs::read_to_string("/proc/loadavg")?;
    write!(io::stdout(), "nice {nice}, load at the end {load}{text}")
}

/// Makes a record up, writes its page and its floor by turns, and adds a line. The size of the page.
fn measure(place: &TempDir, what: &str, made: MadeRun, text: &mut String) -> io::Result<u64> {
    let dir = place.path();
    fs::write(dir.join("grader.toml"), "report_failures = 5\n")?;
    // Only the programs of a record of this workspace are read.
    let record = dir.join(".grader/runs/made.jsonl");
    fs::create_dir_all(dir.join(".grader/runs"))?;
    made.write(dir, &record)?;
    let students = dir.join("out-students");
    let mut best = [(Duration::MAX, 0); 2];
    for _ in 0..ROUNDS {
        for (best, report) in best.iter_mut().zip(["jsonl=out.jsonl", "html=out.html"]) {
            let _ = fs::remove_dir_all(&students);
            let (wall, peak) = grader(dir, &["report", &record.to_string_lossy(), "--report", report])?;
            *best = (best.0.min(wall), best.1.max(peak));
        }
    }
    let students = fs::read_dir(students).map_or(0, Iterator::count);
    let page = fs::metadata(dir.join("out.html"))?.len();
    let [(floor, floor_peak), (html, html_peak)] = best;
    let mut cells = [floor, html].map(|wall| format!("{:.2}", wall.as_secs_f64())).to_vec();
    cells.extend([floor_peak, html_peak].map(|kib| (kib / 1024).to_string()));
    #[expect(clippy::cast_precision_loss, reason = "a page is small")]
    cells.extend([format!("{:.2}", page as f64 / 1e6), (1 + students).to_string()]);
    *text += &row(what, &cells);
    Ok(page)
}

/// Runs the grader to its end: its time, and its largest memory in KiB.
fn grader(dir: &Path, arguments: &[&str]) -> io::Result<(Duration, i64)> {
    let start = Instant::now();
    let child = command(Path::new(env!("CARGO_BIN_EXE_grader"))).args(arguments).current_dir(dir).spawn()?;
    let pid = i32::try_from(child.id()).map_err(io::Error::other)?;
    let mut status = 0;
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    #[expect(unsafe_code, reason = "nothing else tells the memory of one process that has ended")]
    // SAFETY: both pointers are valid, a zeroed rusage is one, and nobody else waits for this child.
    let (waited, usage) = unsafe { (libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()), usage.assume_init()) };
    assert!(waited == pid && status == 0, "grader {arguments:?} ended with {status}");
    Ok((start.elapsed(), usage.ru_maxrss))
}

/// Lets a browser open and filter the pages.
fn in_browser(places: &[(&str, TempDir)]) -> io::Result<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let packages = root.join("tests/browser");
    let chromium = std::env::var_os("CHROMIUM").map_or_else(|| PathBuf::from("/usr/bin/chromium"), PathBuf::from);
    let has_node = command(Path::new("node")).arg("--version").output().is_ok();
    for (there, what) in [
        (has_node, "no node here"),
        (chromium.exists(), "no browser here: CHROMIUM names one"),
        (packages.join("node_modules/playwright-core").exists(), "no playwright-core: npm ci in tests/browser"),
    ] {
        if !there {
            return Ok(format!("skipped: opening and filtering in a browser, {what}\n"));
        }
    }
    let mut node = command(Path::new("node"));
    node.arg(root.join("benches/report/measure.mjs")).arg(chromium).arg(packages);
    let output =
        node.args(places.iter().map(|(_, place)| place.path().join("out.html"))).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Ok(format!("skipped: opening and filtering in a browser, node ended with {}\n", output.status));
    }
    let names = ["load", "paint", "shown", "first", "handler", "all", "idle"];
    let mut text = row("in a browser, ms", &names.map(str::to_owned));
    for ((what, _), line) in places.iter().zip(String::from_utf8_lossy(&output.stdout).lines()) {
        let times: serde_json::Value = serde_json::from_str(line)?;
        let time = |name: &str| times[name].as_f64().unwrap_or(f64::NAN);
        text += &row(what, &names.map(|name| format!("{:.0}", time(name))));
        let is_open = time("load").max(time("paint")) <= OPEN_MS;
        let _ = writeln!(
            text,
            "... open <= {OPEN_MS} {}, filter <= {FILTER_MS} {}",
            mark(is_open),
            mark(time("first") <= FILTER_MS)
        );
    }
    Ok(text)
}

fn row(what: &str, cells: &[String]) -> String {
    cells.iter().fold(format!("{what:<42}"), |line, cell| format!("{line}{cell:>10}")) + "\n"
}

/// Whether a target is met.
fn mark(met: bool) -> &'static str {
    if met { "yes" } else { "NO" }
}

/// A command that no sandbox runs.
fn command(program: &Path) -> Command {
    #[expect(clippy::disallowed_methods, reason = "the grader and the browser are what is measured")]
    Command::new(program)
}
