//! `grader judge --stream` beside its floor: `cargo bench --bench stream [-- REQUESTS]`, 1,000 without a number.
//!
//! A tenth of the requests are different C++ programs that include the whole library, the others different Python
//! programs; each has ten tests. The floor compiles and runs the same programs on the same inputs without a grader
//! (`run/floor.rs`), as many at a time as there are cores. Then the same stream again, whose results the store knows.

#[expect(dead_code, reason = "the other bench needs the rest")]
#[path = "run/floor.rs"]
mod floor;
#[expect(dead_code, reason = "the other bench needs the rest")]
#[path = "run/measure.rs"]
mod measure;
#[expect(dead_code, reason = "the other bench needs the rest")]
#[path = "run/workspace.rs"]
mod workspace;

use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;

use floor::{End, Job};
use measure::{Cost, Table, cost};
use workspace::{Workspace, command};

/// The tests of each request.
const TESTS: usize = 10;
/// The floor of Python is the interpreter that grader starts.
const PYTHON: &str = "/usr/bin/python3";

fn main() -> io::Result<()> {
    let count = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(1000);
    let slots = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let place = Workspace::new("[language]\npython = \"python3\"\n")?;
    let cases = place.sums("sum", TESTS, 0)?;
    let (mut compiles, mut runs, mut requests) = (Vec::new(), Vec::new(), String::new());
    for number in 0..count {
        let (language, text) = program(number);
        let program = if language == "c++" {
            let source = place.write(&format!("floor/{number}.cpp"), &text)?;
            let program = place.path(&format!("floor/{number}"));
            compiles.push(Job::Compile { source, program: program.clone() });
            program
        } else {
            let program = place.write(&format!("floor/{number}.py"), format!("#!{PYTHON}\n{text}"))?;
            fs::set_permissions(&program, Permissions::from_mode(0o755))?;
            program
        };
        runs.extend(cases.iter().map(|case| Job::Run {
            program: program.clone(),
            case: case.clone(),
            end: End::Right,
        }));
        requests += &request(number, language, &text, &cases)?;
    }
    let requests = place.write("requests.jsonl", requests)?;
    let mut table = Table::new();
    let bare = cost(|| floor::all(&compiles, slots).and_then(|()| floor::all(&runs, slots)))?;
    let first = stream(&place, &requests, slots, count)?;
    table.ratio(&format!("{count} requests of {TESTS} tests"), (bare, first), None);
    let again = stream(&place, &requests, slots, count)?;
    table.ratio("the same stream again", (bare, again), None);
    write!(io::stdout(), "{slots} at a time\n{}", table.text())
}

/// A program that adds two numbers, unlike all others: its language and its source.
fn program(number: usize) -> (&'static str, String) {
    if number.is_multiple_of(10) {
        let text =
            "#include <bits/stdc++.h>\nint main() { long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }";
        ("c++", format!("{text}\n// {number}\n"))
    } else {
        ("python", format!("a, b = map(int, input().split())\nprint(a + b)\n# {number}\n"))
    }
}

fn request(number: usize, language: &str, source: &str, cases: &[[PathBuf; 2]]) -> io::Result<String> {
    let test = |[input, answer]: &[PathBuf; 2]| -> io::Result<serde_json::Value> {
        Ok(serde_json::json!({"input": fs::read_to_string(input)?, "output": fs::read_to_string(answer)?}))
    };
    let tests = cases.iter().map(test).collect::<io::Result<Vec<_>>>()?;
    let request = serde_json::json!({
        "id": number, "problem": {"tests": tests}, "language": language, "source": source,
    });
    Ok(format!("{request}\n"))
}

/// Judges the stream and insists that all programs are right.
fn stream(place: &Workspace, requests: &Path, slots: usize, count: usize) -> io::Result<Cost> {
    cost(|| {
        let mut grader = command(Path::new(env!("CARGO_BIN_EXE_grader")));
        grader.args(["judge", "--stream"]).arg(format!("-j{slots}")).current_dir(place.path(""));
        let output = grader.stdin(File::open(requests)?).stderr(Stdio::inherit()).output()?;
        let results = String::from_utf8_lossy(&output.stdout).into_owned();
        let right = results.lines().filter(|line| line.contains("\"verdict\":\"AC\"")).count();
        assert!(output.status.success() && right == count, "{right} of {count}: {results}");
        Ok(())
    })
}
