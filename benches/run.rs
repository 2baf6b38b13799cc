//! `grader run` beside its own floor, on the same machine, in the same run: `cargo bench --bench run [-- SECTION…]`.
//!
//! The floor is what the same work costs without a grader (`run/floor.rs`). Floor and grader run by turns, as many
//! programs at a time as there are cores, and the best of each counts. Nothing here fails for being slow:
//! `docs/performance.md` says what is reached.

#[expect(dead_code, reason = "the other bench needs the rest")]
#[path = "run/floor.rs"]
mod floor;
#[path = "run/measure.rs"]
mod measure;
#[path = "run/workspace.rs"]
mod workspace;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use floor::{End, Job};
use measure::{Cost, Table, by_turns, cost, mark};
use workspace::{SUM, Workspace, command};

/// Longer than it takes until the store trusts a file to be unchanged by its times alone.
const SETTLE: Duration = Duration::from_secs(3);
/// Reads and prints everything.
const ECHO: &str = "#include <unistd.h>\nstatic char b[1 << 20];\nint main() { ssize_t n; while ((n = read(0, b, \
    sizeof b)) > 0) for (ssize_t d = 0; d < n;) { ssize_t w = write(1, b + d, n - d); if (w < 0) return 1; d += w; } }\n";
/// Uses half a second of cpu time.
const SPIN: &str = "#include <cstdio>\n#include <ctime>\nint main() { long a, b; if (scanf(\"%ld %ld\", &a, &b) != 2) \
    return 1; while (clock() < CLOCKS_PER_SEC / 2); printf(\"%ld\\n\", a + b); }\n";
/// A checker of one number. Its protocol says where the output is, which argument names the answer, and how it accepts.
const CHECK: &str = "#include <cstdio>\nint main(int, char** argv) { long a, b; FILE* answer = fopen(argv[ANSWER], \"r\");\n\
    FILE* output = OUTPUT; bool ok = fscanf(answer, \"%ld\", &a) == 1 && fscanf(output, \"%ld\", &b) == 1 && a == b;\n\
    return ok ? OK : 1; }\n";
/// The memory of the grader: at most this with a thousand tests, …
const MEMORY_MIB: u64 = 60;
/// … and at most so many bytes for each further one.
const BYTES_PER_TEST: u64 = 400;

type Section = (&'static str, fn(&mut Table, usize) -> io::Result<()>);

const SECTIONS: [Section; 9] = [
    ("many", many),
    ("growth", growth),
    ("protocols", protocols),
    ("spin", spin),
    ("set", set),
    ("large", large),
    ("discovery", discovery),
    ("archive", archive),
    ("memory", memory),
];

fn main() -> io::Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let slots = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut table = Table::new();
    for (name, section) in SECTIONS {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            section(&mut table, slots)?;
        }
    }
    let nice = rustix::process::getpriority_process(None)?;
    let load = fs::read_to_string("/proc/loadavg")?;
    write!(io::stdout(), "{slots} at a time, nice {nice}, load at the end {load}{}", table.text())
}

fn runs(program: &Path, cases: &[[PathBuf; 2]]) -> Vec<Job> {
    let job = |case: &[PathBuf; 2]| Job::Run { program: program.to_owned(), case: case.clone(), end: End::Right };
    cases.iter().map(job).collect()
}

/// What a thousand tiny tests may cost beside the floor, in the isolation that `GRADER_ISOLATION` asks for.
fn tiny_target() -> f64 {
    if std::env::var_os("GRADER_ISOLATION").is_some_and(|isolation| isolation == "none") { 1.5 } else { 2.2 }
}

/// A thousand tests of a trivial solution, and the same again.
fn many(table: &mut Table, slots: usize) -> io::Result<()> {
    const TESTS: usize = 1000;
    let place = Workspace::new("")?;
    let source = place.write("problems/sum/submissions/accepted/sum.cpp", SUM)?;
    let program = place.path("sum");
    let cases = place.sums("sum", TESTS, 0)?;
    let with_compile = by_turns(
        2,
        |_| {
            cost(|| {
                floor::all(&[Job::Compile { source: source.clone(), program: program.clone() }], 1)?;
                floor::all(&runs(&program, &cases), slots)
            })
        },
        |_| {
            let _ = fs::remove_dir_all(place.path(".grader"));
            place.grade(slots, &[])
        },
    )?;
    // New cases each time: the program is known, its results are not. Only a file that was left alone for a moment has a
    // digest on record, as every case has but those just written.
    let without = by_turns(
        5,
        |_| cost(|| floor::all(&runs(&program, &cases), slots)),
        |round| {
            place.sums("sum", TESTS, round + 1)?;
            thread::sleep(SETTLE);
            let ours = place.grade(slots, &[]);
            place.sums("sum", TESTS, 0)?;
            ours
        },
    )?;
    table.ratio("1000 tiny tests, compiled before", without, Some(tiny_target()));
    table.ratio("1000 tiny tests and the compile", with_compile, Some(tiny_target()));
    thread::sleep(SETTLE);
    place.grade(slots, &[])?;
    let again = (0..5).map(|_| place.grade(slots, &[])).collect::<io::Result<Vec<_>>>()?;
    if let Some(best) = again.into_iter().min_by_key(|again| again.wall) {
        table.time("the same 1000 again, from the store", best, Duration::from_millis(100));
    }
    Ok(())
}

/// The same tests in other surroundings, where a test should cost what it costs elsewhere.
fn growth(table: &mut Table, slots: usize) -> io::Result<()> {
    let small = of_problems(1, 1000, slots)?;
    let mut large = of_problems(1, 1000, slots)?;
    crowd(&mut large)?;
    let by_surroundings = by_turns(5, |_| again(&small, slots), |_| again(&large, slots))?;
    table.ratio("PATH of 2000 (64 KiB), 2000 variables", by_surroundings, None);
    let two_hundred = of_problems(200, 1, slots)?;
    let thousand = of_problems(1000, 1, slots)?;
    let by_problems = by_turns(5, |_| again(&small, slots), |_| again(&thousand, slots))?;
    table.ratio("1000 tests: of 1 problem, of 1000", by_problems, None);
    let (_, few) = by_turns(5, |_| again(&thousand, slots), |_| again(&two_hundred, slots))?;
    let each = |cost: Cost, tests: u32| (cost.wall / tests).as_micros().to_string();
    for (what, cost, tests) in [
        ("us for each test, 1 problem of 1000", by_problems.0, 1000),
        ("... 200 problems of 1", few, 200),
        ("... 1000 problems of 1", by_problems.1, 1000),
    ] {
        table.value(what, &each(cost, tests), "");
    }
    Ok(())
}

/// Problems with the same program, which is compiled, and with files that the store knows.
fn of_problems(problems: usize, tests: usize, slots: usize) -> io::Result<Workspace> {
    let place = Workspace::new("")?;
    for n in 0..problems {
        let name = format!("p{n:04}");
        place.write(&format!("problems/{name}/submissions/accepted/sum.cpp"), SUM)?;
        place.sums(&name, tests, n)?;
    }
    thread::sleep(SETTLE);
    place.grade(slots, &[])?;
    Ok(place)
}

/// All of its tests, run again.
fn again(place: &Workspace, slots: usize) -> io::Result<Cost> {
    place.forget_results()?;
    place.grade(slots, &[])
}

/// The same tiny checker by the protocol of the ICPC format and by that of testlib.
fn protocols(table: &mut Table, slots: usize) -> io::Result<()> {
    let checked = |checker: &str, settings: &str| {
        let place = Workspace::new("")?;
        place.write("problems/sum/submissions/accepted/sum.cpp", SUM)?;
        place.write("problems/sum/output_validator/check.cpp", checker)?;
        place.write("problems/sum/problem.toml", settings)?;
        place.sums("sum", 500, 0)?;
        thread::sleep(SETTLE);
        place.grade(slots, &[])?;
        Ok::<_, io::Error>(place)
    };
    let icpc = checked(&CHECK.replace("OUTPUT", "stdin").replace("ANSWER", "2").replace("OK", "42"), "")?;
    let output = CHECK.replace("OUTPUT", "fopen(argv[2], \"r\")");
    let settings = "validator_protocol = \"testlib\"\n";
    let testlib = checked(&output.replace("ANSWER", "3").replace("OK", "0"), settings)?;
    let both = by_turns(5, |_| again(&icpc, slots), |_| again(&testlib, slots))?;
    table.ratio("500 tests by a checker: ICPC, testlib", both, Some(1.05));
    Ok(())
}

/// Two thousand directories before those where the tools are, and as many other variables.
fn crowd(place: &mut Workspace) -> io::Result<()> {
    const COUNT: usize = 2000;
    let mut path = String::new();
    for n in 0..COUNT {
        let dir = place.path(&format!("path/{n:016}"));
        fs::create_dir_all(&dir)?;
        let _ = write!(path, "{}:", dir.display());
        place.set(format!("CROWD_{n:08}"), "some text");
    }
    path += &std::env::var("PATH").unwrap_or_default();
    assert!(path.len() >= 1 << 16, "only {} bytes of PATH", path.len());
    place.set("PATH", path);
    Ok(())
}

/// Programs that only compute.
fn spin(table: &mut Table, slots: usize) -> io::Result<()> {
    let place = Workspace::new("")?;
    let source = place.write("problems/spin/submissions/accepted/spin.cpp", SPIN)?;
    let program = place.compile(&source, "spin")?;
    let cases = place.sums("spin", 16, 0)?;
    place.grade(slots, &["-t", "000000"])?;
    let both = by_turns(
        2,
        |_| cost(|| floor::all(&runs(&program, &cases), slots)),
        |_| {
            place.forget_results()?;
            place.grade(slots, &[])
        },
    )?;
    table.ratio("16 tests of 0.5 s", both, Some(1.03));
    Ok(())
}

/// Fifty submissions of twenty tests, compiles included: thirty right, ten wrong, five that crash, five that hang.
fn set(table: &mut Table, slots: usize) -> io::Result<()> {
    const KINDS: [(&str, usize, &str, usize); 4] = [
        ("accepted", 30, "", 20),
        ("run_time_error", 5, "if (a == 5) __builtin_trap();", 6),
        ("time_limit_exceeded", 5, "if (a == 2) for (volatile int i = 0;;) i = 1;", 3),
        ("wrong_answer", 10, "if (a == 10) b++;", 11),
    ];
    // Killed at the limit itself, as far as telling it from a run just within the limit allows.
    let place = Workspace::new("time_limit_to_tle = 1.1\n[limits]\ntime_limit = 1.0\n")?;
    place.write("problems/set/problem.toml", "reference = \"accepted/accepted00.cpp\"\n")?;
    let cases = place.sums("set", 20, 0)?;
    let mut compiles = Vec::new();
    let mut tests = Vec::new();
    for (dir, count, fault, needed) in KINDS {
        for n in 0..count {
            let fault = format!("{fault} printf(\"%ld\\n\", a + b); /* {n} */");
            let text = SUM.replace("printf(\"%ld\\n\", a + b);", &format!("{{ {fault} }}"));
            let source = place.write(&format!("problems/set/submissions/{dir}/{dir}{n:02}.cpp"), text)?;
            let program = place.path(&format!("{dir}{n}"));
            for (ordinal, case) in cases.iter().take(needed).enumerate() {
                let end = match dir {
                    _ if dir == "accepted" || ordinal + 1 < needed => End::Right,
                    "wrong_answer" => End::Wrong,
                    "run_time_error" => End::Crash,
                    _ => End::Killed(Duration::from_millis(1100)),
                };
                tests.push(Job::Run { program: program.clone(), case: case.clone(), end });
            }
            compiles.push(Job::Compile { source, program });
        }
    }
    let both = by_turns(
        1,
        |_| {
            cost(|| {
                floor::all(&compiles, slots)?;
                floor::all(&tests, slots)
            })
        },
        |_| {
            let _ = fs::remove_dir_all(place.path(".grader"));
            place.grade(slots, &[])
        },
    )?;
    table.ratio("50 submissions x 20 tests, with compiles", both, Some(1.15));
    Ok(())
}

/// A long output beside `cmp` at the other end of the pipe.
fn large(table: &mut Table, _: usize) -> io::Result<()> {
    const BYTES: usize = 200_000_000;
    let place = Workspace::new("[limits]\noutput = 1024\ntime_limit = 10.0\n")?;
    let source = place.write("problems/echo/submissions/accepted/echo.cpp", ECHO)?;
    let program = place.compile(&source, "echo")?;
    place.write("testcases/echo/secret/1.in", "1\n")?;
    place.write("testcases/echo/secret/1.ans", "1\n")?;
    place.grade(1, &[])?;
    let mut text = String::with_capacity(BYTES + 16);
    for n in 0usize.. {
        if text.len() >= BYTES {
            break;
        }
        let _ = writeln!(text, "{}", n.wrapping_mul(2_654_435_761) % 10_000_000);
    }
    let [input, answer] = ["in", "ans"].map(|end| place.path(&format!("testcases/echo/secret/1.{end}")));
    for path in [&input, &answer] {
        fs::write(path, &text)?;
    }
    drop(text);
    thread::sleep(SETTLE);
    let floor = |_| {
        cost(|| {
            let mut echo = command(&program).stdin(File::open(&input)?).stdout(Stdio::piped()).spawn()?;
            let out = echo.stdout.take().ok_or_else(|| io::Error::other("no pipe"))?;
            let same = command("cmp".as_ref()).arg("-").arg(&answer).stdin(out).status()?;
            assert!(same.success() && echo.wait()?.success(), "the floor says that equal outputs differ");
            Ok(())
        })
    };
    // The first time the store learns the files' digests; from then on they are known.
    let ours = |_| {
        place.forget_results()?;
        place.grade(1, &[])
    };
    table.ratio("200 MB equal, files never seen", by_turns(1, floor, ours)?, None);
    table.ratio("200 MB equal", by_turns(3, floor, ours)?, None);
    place.forget_results()?;
    let peak = place.memory_of_grade(1, &[])?;
    table.value("... the grader's memory, MiB", &(peak / 1024).to_string(), "");
    Ok(())
}

/// Ten thousand cases are found, ordered and listed.
fn discovery(table: &mut Table, slots: usize) -> io::Result<()> {
    let place = Workspace::new("")?;
    place.write("problems/sum/submissions/accepted/sum.cpp", SUM)?;
    place.sums("sum", 10_000, 0)?;
    // Where nothing is configured, each name says what its file is.
    place.write("plain/sum.cpp", SUM)?;
    for case in 0..10_000 {
        place.write(&format!("plain/{case}.in"), format!("{case} 1\n"))?;
        place.write(&format!("plain/{case}.ans"), format!("{}\n", case + 1))?;
    }
    for (what, folder) in
        [("discovery of 10000 cases", "problems"), ("... beside the program in a plain folder", "plain")]
    {
        let found = (0..5).map(|_| place.grade(slots, &[folder, "--dry-run"])).collect::<io::Result<Vec<_>>>()?;
        if let Some(best) = found.into_iter().min_by_key(|found| found.wall) {
            table.time(what, best, Duration::from_millis(100));
        }
    }
    Ok(())
}

/// A thousand packages of both generations with a hundred cases each, read and planned.
fn archive(table: &mut Table, slots: usize) -> io::Result<()> {
    const PACKAGES: usize = 1000;
    const CASES: usize = 100;
    let place = Workspace::new("")?;
    let fill = |name: &str, cases: usize, packages: usize| -> io::Result<()> {
        for package in 0..packages {
            let put = |file: &str, text: &str| place.write(&format!("{name}/p{package:04}/{file}"), text);
            let version = if package % 2 == 0 { "legacy" } else { "2025-09\nuuid: u" };
            put("problem.yaml", &format!("problem_format_version: {version}\nname: P\nlimits: {{time_limit: 1}}\n"))?;
            put("submissions/accepted/a.py", "print(sum(map(int, input().split())))\n")?;
            put("submissions/wrong_answer/b.py", "print(1)\n")?;
            put("input_validators/v.py", "raise SystemExit(42)\n")?;
            for case in 0..cases {
                let stem = format!("data/{}/{case:03}", if case == 0 { "sample" } else { "secret" });
                put(&format!("{stem}.in"), &format!("{case} {package}\n"))?;
                put(&format!("{stem}.ans"), &format!("{}\n", case + package))?;
            }
        }
        Ok(())
    };
    fill("few", 2, PACKAGES)?;
    fill("many", CASES, PACKAGES)?;
    let found = (0..3).map(|_| place.grade(slots, &["--dry-run", "many"])).collect::<io::Result<Vec<_>>>()?;
    if let Some(best) = found.into_iter().min_by_key(|found| found.wall) {
        table.time("discovery of 1000 packages, 100000 cases", best, Duration::from_secs(2));
    }
    let peak = |name: &str| place.memory_of_grade(slots, &["--dry-run", name]);
    let few = peak("few")?;
    let many = peak("many")?;
    table.value("memory of it, MiB", &(many / 1024).to_string(), "");
    let each = many.saturating_sub(few) * 1024 / (PACKAGES * (CASES - 2)) as u64;
    let target = format!("<= {BYTES_PER_TEST} {}", mark(each <= BYTES_PER_TEST));
    table.value("... bytes for each case", &each.to_string(), &target);
    Ok(())
}

/// What the grader itself keeps in memory, run and served from the store. `MEMORY_TESTS` is the larger set.
fn memory(table: &mut Table, slots: usize) -> io::Result<()> {
    let many: usize = std::env::var("MEMORY_TESTS").ok().and_then(|text| text.parse().ok()).unwrap_or(30_000);
    let place = Workspace::new("")?;
    place.write("problems/sum/submissions/accepted/sum.cpp", SUM)?;
    place.sums("sum", 1, 0)?;
    place.grade(slots, &[])?;
    let measure = |tests: usize| -> io::Result<[u64; 2]> {
        place.sums("sum", tests, tests)?;
        thread::sleep(SETTLE);
        Ok([place.memory_of_grade(slots, &[])?, place.memory_of_grade(slots, &[])?])
    };
    let few = measure(1000)?;
    let many_peaks = measure(many)?;
    for (how, few, more) in [("run", few[0], many_peaks[0]), ("from the store", few[1], many_peaks[1])] {
        let target = format!("<= {MEMORY_MIB} {}", mark(few <= MEMORY_MIB * 1024));
        table.value(&format!("memory, 1000 tests {how}, MiB"), &(few / 1024).to_string(), &target);
        let each = more.saturating_sub(few) * 1024 / (many as u64 - 1000);
        let target = format!("<= {BYTES_PER_TEST} {}", mark(each <= BYTES_PER_TEST));
        table.value(&format!("... bytes for each further test to {many}"), &each.to_string(), &target);
    }
    Ok(())
}
