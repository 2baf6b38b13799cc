//! Records of runs that never happened, in the format of `.grader/runs`, with the files that they name.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::SystemTime;

use serde_json::{Value, json};

/// A run to make up.
#[derive(Clone, Copy)]
pub(crate) struct MadeRun {
    /// `run`, or `judge` for a class.
    pub(crate) verb: &'static str,
    pub(crate) problems: usize,
    /// The submissions to each problem.
    pub(crate) submissions: usize,
    /// The tests of each problem.
    pub(crate) tests: usize,
    /// The failing tests of each submission whose input, answer and output are there, as after a run.
    pub(crate) kept: usize,
    /// Whether the programs are there.
    pub(crate) has_sources: bool,
}

impl MadeRun {
    /// Writes the record into a workspace, one problem at a time: the largest memory of a program that is started begins
    /// at that of its parent.
    pub(crate) fn write(&self, place: &Path, record: &Path) -> io::Result<()> {
        let started = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let mut out = BufWriter::new(File::create(record)?);
        let host = json!({"started": started, "slots": 2, "cores": 2, "machine": "made up"});
        let head = json!({"event": "run_started", "schema": 1, "version": env!("CARGO_PKG_VERSION"), "verb": self.verb,
            "command": self.verb, "isolation": "root", "caveat": "", "problems": [], "measured": host});
        let head = head.to_string();
        let (before, after) = head.split_once("[]").unwrap_or_default();
        write!(out, "{before}[")?;
        for problem in 0..self.problems {
            write!(out, "{}{}", if problem > 0 { "," } else { "" }, self.problem(place, problem)?)?;
        }
        writeln!(out, "]{after}")?;
        let mut dice = Dice(1);
        for submission in 0..self.problems * self.submissions {
            self.submission(place, submission, &mut dice, &mut out)?;
        }
        writeln!(out, "{}", json!({"event": "run_finished", "interrupted": false, "measured": {"wall": 3600.0}}))?;
        out.flush()
    }

    fn name(&self, of: usize) -> String {
        match (self.verb, is_right(of)) {
            ("judge", _) => format!("work/s{of:04}"),
            (_, true) => format!("accepted/s{of:04}.cpp"),
            (_, false) => format!("rejected/s{of:04}.cpp"),
        }
    }

    /// The plan of a problem. Writes its programs.
    fn problem(&self, place: &Path, problem: usize) -> io::Result<Value> {
        let mut submissions = Vec::new();
        for of in 0..self.submissions {
            let name = self.name(of);
            let is_class = self.verb == "judge";
            let source = place.join(format!("sources/{problem}/{of}.cpp"));
            if self.has_sources {
                write(&source, &program(of))?;
            }
            let expected = if is_class { "anything" } else { ["REJECTED", "AC"][usize::from(is_right(of))] };
            let mut submission = json!({"submission": name, "expected": expected, "reference": !is_class && of == 0,
                "again": format!("-s {name}"), "source": source});
            if is_class {
                submission["student"] = format!("s{of:04}").into();
            }
            submissions.push(submission);
        }
        Ok(json!({"problem": format!("problem-{problem:02}"), "title": format!("Problem {problem}"), "time_limit": 2.0,
            "margins": {"ac_to_time_limit": 2.0, "time_limit_to_tle": 1.5, "killed_at": 1.5}, "memory": 1 << 30,
            "tests": self.tests, "submissions": submissions}))
    }

    /// The events of a submission. A tenth of the tests of a wrong one fail, in one of some ways.
    fn submission(&self, place: &Path, submission: usize, dice: &mut Dice, out: &mut impl Write) -> io::Result<()> {
        let problem = format!("problem-{:02}", submission / self.submissions);
        let of = submission % self.submissions;
        let name = self.name(of);
        let this = json!({"run": submission, "problem": problem, "submission": name});
        let built = json!({"build": "ready", "language": "c++", "version": "g++ 12.2.0", "time_limit": 2.0});
        writeln!(out, "{}", json!({"event": "built", "of": this, "result": built}))?;
        let mut failed = Vec::new();
        for test in 0..self.tests {
            let is_wrong = !is_right(of) && (test + of).is_multiple_of(10);
            let verdict = if is_wrong { ["WA", "WA", "WA", "TLE", "RTE"][(of + test / 10) % 5] } else { "AC" };
            let test_name = format!("secret/{test:03}-{}", ["small", "random", "large", "chain"][test % 4]);
            let mut result = result(verdict, test, dice);
            if is_wrong && failed.len() < self.kept {
                let stem = format!("{}/.grader/last/{problem}/{name}/{test_name}", place.display());
                keep(&stem, test)?;
                result["files"] = stem.into();
            }
            failed.extend(is_wrong.then_some(verdict));
            let mut event = json!({"event": "test_finished", "of": this, "ordinal": test, "test": test_name});
            event["result"] = result;
            writeln!(out, "{event}")?;
        }
        let mut end = json!({"event": "submission_finished", "standing": {"standing": "met"}});
        end["verdict"] = (*failed.first().unwrap_or(&"AC")).into();
        for (name, value) in this.as_object().into_iter().flatten() {
            end[name] = value.clone();
        }
        writeln!(out, "{end}")
    }
}

/// Writes the files of a failed test.
fn keep(stem: &str, test: usize) -> io::Result<()> {
    let lines = |wrong: usize| -> String {
        (1..=20).map(|line| number(test, line + usize::from(line == wrong)) + "\n").collect()
    };
    for (ending, text) in [("in", lines(0)), ("ans", lines(0)), ("out", lines(12)), ("err", String::new())] {
        write(format!("{stem}.{ending}"), &text)?;
    }
    Ok(())
}

/// The result of a test; a wrong answer differs in line 12.
fn result(verdict: &str, test: usize, dice: &mut Dice) -> Value {
    let is_slow = verdict == "TLE";
    let cpu = if is_slow { 3.0 } else { f64::from(2_000 + dice.below(800_000)) / 1e6 };
    let memory = u64::from(3_000 + dice.below(60_000)) << 10;
    let measured = json!({"cpu": cpu, "wall": cpu, "memory": memory, "killed": is_slow, "cached": false});
    let mut result = json!({"result": "judged", "verdict": verdict, "reason": "", "measured": measured});
    match verdict {
        "WA" => {
            let at = json!({"line": 12, "column": 1, "offset": 77});
            let [answer, output] = [12, 13].map(|line| number(test, line));
            let [expected, actual] = [&answer, &output].map(|text| {
                let token = json!({"bytes": text, "length": text.len(), "later": null});
                json!({"at": at, "what": {"token": token}, "differs": at})
            });
            let kind = json!({"number": {"absolute": 104_729.0, "relative": 0.08}});
            result["reason"] = format!("line 12, column 1: expected `{answer}`, got `{output}`").into();
            result["difference"] = json!({"kind": kind, "expected": expected, "actual": actual, "would_accept": []});
        }
        "TLE" => {
            result["reason"] = "over 2 s of cpu time".into();
            result["measured"]["reason"] = "> 3 s (limit 2 s)".into();
        }
        "RTE" => result["reason"] = "SIGSEGV".into(),
        _ => {}
    }
    result
}

fn number(test: usize, line: usize) -> String {
    (1_000_003 * (test + 1) + 104_729 * line).to_string()
}

/// Three of five.
fn is_right(of: usize) -> bool {
    of % 5 < 3
}

/// A program of 60 lines. Every twentieth is the one before with other names.
fn program(of: usize) -> String {
    let is_copy = of % 20 == 19;
    let mut dice = Dice(of as u64 - u64::from(is_copy));
    let v = if is_copy { "other" } else { "v" };
    let line = |_| {
        let [a, b, c] = [(); 3].map(|()| format!("{v}{}", dice.below(4)));
        let [plus, times] = [(); 2].map(|()| ["+", "-", "*", "&", "|", "^"][dice.below(6) as usize]);
        match dice.below(6) {
            0 => format!("    if ({a} < {b}) {c} {plus}= {a} {times} 3;\n"),
            1 => format!("    for (int i = 0; i < 9; i++) {a} {plus}= i {times} {b};\n"),
            2 => format!("    while ({a} > 9) {{ {a} /= 2; {b}++; }}\n"),
            3 => format!("    {a} = ({b} {plus} {c}) {times} 7;\n"),
            4 => format!("    {a} = {b} {plus} ({c} {times} {a});\n"),
            _ => format!("    scanf(\"%ld\", &{a}), {b} {plus}= {a};\n"),
        }
    };
    let lines: String = (0..55).map(line).collect();
    let head = format!("#include <cstdio>\nint main() {{\n    long {v}0 = 0, {v}1 = 1, {v}2 = 2, {v}3 = 3;\n");
    format!("{head}{lines}    printf(\"%ld\\n\", {v}0);\n}}\n")
}

fn write(path: impl AsRef<Path>, text: &str) -> io::Result<()> {
    fs::create_dir_all(path.as_ref().parent().unwrap_or(Path::new("/")))?;
    fs::write(path, text)
}

/// Numbers without a pattern, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 33).unwrap_or_default() % end
    }
}
