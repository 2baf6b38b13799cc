//! `grader judge --stream` beside its floor: `cargo bench --bench stream [-- REQUESTS]`, 1,000 without a number.
//!
//! A tenth of the requests are different C++ programs that include the whole library, the others different Python
//! programs; each has ten tests. The floor compiles and runs the same programs on the same inputs without a grader
//! (`run/floor.rs`), as many at a time as there are cores. Then the same stream again, whose results the store knows.
//!
//! If `oj` of online-judge-tools is installed, it judges the same programs, as many at a time: compiled as for the floor,
//! one command for each program.
//!
//! The last rows compare plain compilers with a stream of programs of one test each, whose compilers are prepared.

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
/// The interpreter of both: others start slower, by what is installed for them.
const PYTHON: &str = "/usr/bin/python3";
const PATH: &str = "/usr/bin:/bin";

fn main() -> io::Result<()> {
    let count = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(1000);
    let slots = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let place = Workspace::new("[language]\npython = \"python3\"\n")?;
    let cases = place.sums("sum", TESTS, 0)?;
    let mut compiles = Vec::new();
    let mut runs = Vec::new();
    let mut requests = String::new();
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
    if let Some(oj) = peer(&place, &cases, &runs, &compiles, slots)? {
        table.ratio("oj, a peer, in place of the floor", (oj, first), None);
    }
    table.ratio("150 Python programs of one test", single(slots)?, None);
    let [cpp, java] = [compiled(&CPP, slots)?, compiled(&JAVA, slots)?];
    table.ratio("compiling C++ with the whole library", cpp, Some(0.4));
    table.ratio("compiling Java", java, Some(0.7));
    write!(io::stdout(), "{slots} at a time\n{}", table.text())
}

/// Python programs of one test each, beside a plain loop of their processes: what the first test of a program costs.
fn single(slots: usize) -> io::Result<(Cost, Cost)> {
    const PROGRAMS: usize = 150;
    let place = Workspace::new("[language]\npython = \"python3\"\n")?;
    let cases = place.sums("sum", 1, 0)?;
    let mut runs = Vec::new();
    let mut requests = String::new();
    for number in (0..PROGRAMS).map(|number| 10 * number + 1) {
        let (language, text) = program(number);
        let path = place.write(&format!("floor/{number}.py"), format!("#!{PYTHON}\n{text}"))?;
        fs::set_permissions(&path, Permissions::from_mode(0o755))?;
        runs.extend(cases.iter().map(|case| Job::Run { program: path.clone(), case: case.clone(), end: End::Right }));
        requests += &request(number, language, &text, &cases)?;
    }
    let requests = place.write("requests.jsonl", requests)?;
    Ok((cost(|| floor::all(&runs, slots))?, stream(&place, &requests, slots, PROGRAMS)?))
}

/// What `oj test` of online-judge-tools takes for the same programs; none if it is not installed.
fn peer(
    place: &Workspace,
    cases: &[[PathBuf; 2]],
    runs: &[Job],
    compiles: &[Job],
    slots: usize,
) -> io::Result<Option<Cost>> {
    if command(Path::new("oj")).arg("--version").output().is_err() {
        return Ok(None);
    }
    let dir = place.path("peer");
    for (number, [input, answer]) in cases.iter().enumerate() {
        place.write(&format!("peer/test/{number}.in"), fs::read(input)?)?;
        place.write(&format!("peer/test/{number}.out"), fs::read(answer)?)?;
    }
    let judge = |program: &PathBuf| {
        let program = program.display().to_string();
        let words = ["oj", "test", "--silent", "-d", "test", "-c", &program].map(str::to_owned).to_vec();
        Job::Command { words, dir: dir.clone() }
    };
    let program = |job: &Job| if let Job::Run { program, .. } = job { Some(program.clone()) } else { None };
    let mut programs: Vec<PathBuf> = runs.iter().filter_map(program).collect();
    programs.dedup();
    let jobs: Vec<Job> = programs.iter().map(judge).collect();
    cost(|| floor::all(compiles, slots).and_then(|()| floor::all(&jobs, slots))).map(Some)
}

/// A language with its plain compiler: the options of `languages.toml` that decide the program. Java's machine also has a
/// serial collector and one tier, without which the floor takes half as long again.
struct CompiledLanguage {
    language: &'static str,
    file: &'static str,
    compiler: &'static [&'static str],
    /// A program that is right if it prints nothing.
    text: &'static str,
}

const CPP: CompiledLanguage = CompiledLanguage {
    language: "c++",
    file: "main.cpp",
    compiler: &["g++", "-std=gnu++20", "-O2", "-pipe", "-static", "-pthread", "-o", "program", "main.cpp"],
    text: "#include <bits/stdc++.h>\nint main() { long a, b; std::cin >> a >> b; if (a + b < 0) std::cout << a; }\n",
};
const JAVA: CompiledLanguage = CompiledLanguage {
    language: "java",
    file: "Main.java",
    compiler: &[
        "javac",
        "-J-XX:+UseSerialGC",
        "-J-XX:TieredStopAtLevel=1",
        "-J-Xmx1024m",
        "-encoding",
        "UTF-8",
        "-d",
        ".",
        "Main.java",
    ],
    text: "import java.util.*;\npublic class Main { public static void main(String[] words) { List<Integer> all = \
           new ArrayList<>(); for (String word : words) all.add(Integer.parseInt(word)); \
           all.stream().mapToInt(n -> n).forEach(System.out::println); } }\n",
};

/// The plain compiler on some programs, and what a stream takes to compile the same programs: a stream with them, less a
/// stream that runs them again on another input. Other programs came before, so the compiler is prepared.
fn compiled(kind: &CompiledLanguage, slots: usize) -> io::Result<(Cost, Cost)> {
    const PROGRAMS: usize = 40;
    let place = Workspace::new("")?;
    let text = |round: usize, number: usize| format!("{}// {round} {number}\n", kind.text);
    let mut jobs = Vec::new();
    for number in 0..PROGRAMS {
        let source = place.write(&format!("floor/{number}/{}", kind.file), text(1, number))?;
        let dir = source.parent().unwrap_or(&source).to_owned();
        jobs.push(Job::Command { words: kind.compiler.iter().map(|word| (*word).to_owned()).collect(), dir });
    }
    let judge = |round: usize, input: &str| {
        let problem = serde_json::json!({"tests": [{"input": input, "output": ""}]});
        let request = |number: usize| {
            let source = text(round, number);
            serde_json::json!({"id": number, "problem": problem, "language": kind.language, "source": source})
        };
        let requests: Vec<String> = (0..PROGRAMS).map(|number| request(number).to_string()).collect();
        stream(&place, &place.write("requests.jsonl", requests.join("\n"))?, slots, PROGRAMS)
    };
    let bare = cost(|| floor::all(&jobs, slots))?;
    judge(0, "1 2\n")?;
    let both = judge(1, "1 2\n")?;
    let runs = judge(1, "1 3\n")?;
    Ok((bare, Cost { wall: both.wall.saturating_sub(runs.wall), cpu: both.cpu.saturating_sub(runs.cpu) }))
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
        grader.args(["judge", "--stream"]).arg(format!("-j{slots}")).current_dir(place.path("")).env("PATH", PATH);
        let output = grader.stdin(File::open(requests)?).stderr(Stdio::inherit()).output()?;
        let results = String::from_utf8_lossy(&output.stdout).into_owned();
        let right = results.lines().filter(|line| line.contains("\"verdict\":\"AC\"")).count();
        assert!(output.status.success() && right == count, "{right} of {count}: {results}");
        Ok(())
    })
}
