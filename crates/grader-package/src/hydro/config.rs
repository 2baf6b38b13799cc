//! Reads `testdata/config.yaml` into a typed description. Every mistake is reported with its line.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Subtask, SubtaskKind, TestFiles, refuse, tests_by_name};
use crate::document::read::{Read, Unfit, count, path, paths, points, text, word};
use crate::document::{Document, Syntax, Value, is_there, load_text};
use crate::reader::Reader;
use grader_model::diagnostic::{Severity, TextPosition};
use grader_model::limits::Bytes;
use grader_model::problem::{Checker, LimitOptions, Protocol, StandardChecker};

/// The names of the file.
const NAMES: [&str; 2] = ["config.yaml", "config.yml"];
/// The older form of the file.
const OLD: &str = "config.ini";
/// The limits of a problem that states none.
const USUAL: LimitOptions = LimitOptions {
    time: Some(Duration::from_secs(1)),
    wall: None,
    memory: Some(Bytes::mib(256)),
    output: None,
    processes: None,
};
/// The points of a problem.
const ALL_POINTS: f64 = 100.0;
/// The keys that grader reads, and those that say nothing about judging.
const KEYS: &[&str] = &[
    "type",
    "time",
    "memory",
    "filename",
    "checker_type",
    "checker",
    "interactor",
    "multi_pass",
    "judge_extra_files",
    "user_extra_files",
    "subtasks",
    "cases",
    "score",
    "detail",
    "langs",
    "key",
    "count",
];
/// The keys that grader knows and does not apply.
const NOT_APPLIED: [&str; 4] = ["time_limit_rate", "memory_limit_rate", "validator", "manager"];

/// How a problem is judged.
#[derive(Debug)]
pub(super) struct Config {
    /// The file, for messages.
    pub(super) file: PathBuf,
    pub(super) is_interactive: bool,
    /// The most runs on one test.
    pub(super) passes: u32,
    pub(super) limits: LimitOptions,
    /// The stem of the files that submissions read and write; none for the standard streams.
    pub(super) stem: Option<String>,
    /// The built-in comparison; none if a program judges.
    pub(super) comparison: Option<Checker>,
    /// The program that judges outputs, or that talks to submissions.
    pub(super) judge: Option<JudgeSource>,
    /// The files that are copied beside the program that judges.
    pub(super) judge_files: Vec<PathBuf>,
    /// The files that are copied beside submissions.
    pub(super) user_files: Vec<PathBuf>,
    pub(super) subtasks: Vec<Subtask>,
}

/// The source of a program that judges.
#[derive(Debug)]
pub(super) struct JudgeSource {
    /// Its path below the test data.
    pub(super) path: PathBuf,
    pub(super) place: Option<TextPosition>,
    protocol: Protocol,
}

/// The judge of outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CheckerType {
    /// Lines, without white space at their ends.
    Default,
    /// Lines.
    Strict,
    /// A program with this protocol.
    Program(Protocol),
}

/// The protocol of the program that judges.
pub(super) fn judged_by(config: &Config) -> Protocol {
    config.judge.as_ref().map(|judge| judge.protocol).unwrap_or_default()
}

/// Reads the file in the directory of test data. Without one, the names of the files say what the tests are.
pub(super) fn read(reader: &Reader<'_>, data: &Path) -> Config {
    let file = NAMES.iter().map(|name| data.join(name)).find(|file| is_there(file));
    if file.is_none() && is_there(&data.join(OLD)) {
        refuse(reader, &data.join(OLD), "grader does not read this form of the file", "write config.yaml instead");
    }
    let file = file.unwrap_or_else(|| data.join(NAMES[0]));
    let text = if is_there(&file) { load_text(&file) } else { Ok(String::new()) };
    let text = text.map_err(|found| reader.report(found)).unwrap_or_default();
    let mut document = Document::parse(&file, text, Syntax::Yaml);
    let config = config(reader, data, &file, &mut document);
    document.finish().into_iter().for_each(|found| reader.report(found));
    config
}

fn config(reader: &Reader<'_>, data: &Path, file: &Path, document: &mut Document) -> Config {
    const TYPES: [(&str, bool); 2] = [("default", false), ("interactive", true)];
    const CHECKERS: [(&str, CheckerType); 4] = [
        ("default", CheckerType::Default),
        ("strict", CheckerType::Strict),
        ("testlib", CheckerType::Program(Protocol::TESTLIB)),
        ("kattis", CheckerType::Program(Protocol::Icpc)),
    ];
    document.check_entries(&[], KEYS, &NOT_APPLIED.map(str::to_owned), Severity::Warning);
    for key in NOT_APPLIED.into_iter().filter(|key| document.has(key)).collect::<Vec<_>>() {
        document.not_applied(&[key]);
    }
    let is_interactive = document.get("type", |value| word(value, &TYPES)).unwrap_or_default();
    let checker = document.get("checker_type", |value| word(value, &CHECKERS)).unwrap_or(CheckerType::Default);
    let passes = document.get("multi_pass", count).unwrap_or(1);
    if passes > 1 && (is_interactive || checker != CheckerType::Program(Protocol::Icpc)) {
        let message = "`multi_pass`: grader knows it with a checker of the type `kattis`";
        document.report(&["multi_pass"], Severity::Error, message);
    }
    let (judge, comparison) = judge(document, is_interactive, checker);
    let limits = limits_at(document, &[]).or(&USUAL);
    let mut subtasks = subtasks(document);
    if subtasks.iter().all(|subtask| subtask.tests.is_empty()) {
        subtasks = tests_by_name::subtasks(reader, data);
    }
    if subtasks.is_empty() {
        refuse(reader, data, "no tests", "name them in config.yaml, or call the files 1.in and 1.out");
    }
    share_points(&mut subtasks);
    Config {
        file: file.to_owned(),
        is_interactive,
        passes,
        limits,
        stem: document.get("filename", text).filter(|stem| !stem.is_empty()),
        comparison,
        judge,
        judge_files: document.get("judge_extra_files", files).unwrap_or_default(),
        user_files: document.get("user_extra_files", files).unwrap_or_default(),
        subtasks,
    }
}

/// The program that judges, or the built-in comparison. Reports what is missing.
fn judge(
    document: &mut Document,
    is_interactive: bool,
    checker: CheckerType,
) -> (Option<JudgeSource>, Option<Checker>) {
    let key = if is_interactive { "interactor" } else { "checker" };
    let protocol = match checker {
        _ if is_interactive => Protocol::TESTLIB,
        CheckerType::Program(protocol) => protocol,
        // Both compare lines; the usual one ignores white space at their ends.
        CheckerType::Default => return (None, Some(Checker::Standard(StandardChecker::Lcmp))),
        CheckerType::Strict => return (None, Some(Checker::Standard(StandardChecker::Fcmp))),
    };
    let Some(source) = document.get(key, source) else {
        if !document.has(key) {
            document.report(&[], Severity::Error, format!("`{key}` is missing"));
        }
        return (None, None);
    };
    // A name without an ending is that of a checker that comes with testlib.
    if !is_interactive && source.extension().is_none() {
        let standard = source.to_str().and_then(StandardChecker::by_name);
        if standard.is_none() {
            let message = format!("there is no standard checker `{}`", source.display());
            document.report(&[key], Severity::Error, message);
        }
        return (None, standard.map(Checker::Standard));
    }
    (Some(JudgeSource { path: source, place: document.place(&[key]), protocol }), None)
}

/// A source: its path, or a table with `file` and `lang`.
fn source(value: &Value) -> Read<PathBuf> {
    match value {
        Value::Table(entries) => match entries.iter().find(|entry| entry.key == "file") {
            Some(entry) => path(&entry.value),
            None => Err(Unfit::rule("`file` is missing")),
        },
        other => path(other),
    }
}

fn files(value: &Value) -> Read<Vec<PathBuf>> {
    match value {
        Value::List(items) if items.is_empty() => Ok(Vec::new()),
        other => paths(other),
    }
}

/// The limits in the table at a path.
fn limits_at(document: &mut Document, at: &[&str]) -> LimitOptions {
    LimitOptions {
        time: document.get_at(&[at, &["time"]].concat(), time),
        memory: document.get_at(&[at, &["memory"]].concat(), memory),
        ..LimitOptions::default()
    }
}

/// A number with a unit, such as `1.5s`; none for other text.
fn with_unit(value: &Value) -> Option<(f64, String)> {
    match value {
        #[expect(clippy::cast_precision_loss, reason = "limits are far below 2^53")]
        Value::Integer(number) => Some((*number as f64, String::new())),
        Value::Float(number) => Some((*number, String::new())),
        Value::Text(text) => {
            let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
            Some((text[..end].parse().ok()?, text[end..].to_ascii_lowercase()))
        }
        _ => None,
    }
}

/// A time: milliseconds, or a number with a unit.
fn time(value: &Value) -> Read<Duration> {
    let millis = with_unit(value).and_then(|(number, unit)| match &*unit {
        // Whole numbers alone are milliseconds.
        "" | "ms" | "m" => Some(number),
        "s" => Some(number * 1000.0),
        "us" | "u" => Some(number / 1000.0),
        _ => None,
    });
    match millis {
        Some(millis) if (1.0..=1e9).contains(&millis) => Ok(Duration::from_secs_f64(millis.floor() / 1000.0)),
        _ => Err(Unfit::kind("a time such as 1000ms or 1s", value)),
    }
}

/// A size: MiB, or a number with a unit.
fn memory(value: &Value) -> Read<Bytes> {
    let mebi = with_unit(value).and_then(|(number, unit)| match unit.trim_end_matches('b') {
        "" | "m" => Some(number),
        "k" => Some(number / 1024.0),
        "g" => Some(number * 1024.0),
        _ => None,
    });
    match mebi {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
        Some(mebi) if (0.001..=1e9).contains(&mebi) => Ok(Bytes::mib(mebi.ceil() as u64)),
        _ => Err(Unfit::kind("a size such as 256m", value)),
    }
}

/// The subtasks in their order; `cases` alone is one that adds up.
fn subtasks(document: &mut Document) -> Vec<Subtask> {
    const KINDS: [(&str, SubtaskKind); 2] = [("min", SubtaskKind::Min), ("sum", SubtaskKind::Sum)];
    if document.has("cases") {
        let tests = tests(document, &["cases"]);
        return vec![Subtask { tests, ..Subtask::empty(1, SubtaskKind::Sum) }];
    }
    let mut subtasks = Vec::new();
    for number in 0..document.length(&["subtasks"]) {
        let at = number.to_string();
        let at = ["subtasks", &at];
        let key = |key| [at[0], at[1], key];
        let kind = document.get_at(&key("type"), |value| word(value, &KINDS)).unwrap_or(SubtaskKind::Min);
        let own = u32::try_from(number + 1).unwrap_or(u32::MAX);
        let id = document.get_at(&key("id"), count).unwrap_or(own);
        subtasks.push(Subtask {
            score: document.get_at(&key("score"), points).unwrap_or_default(),
            requires: document.get_at(&key("if"), ids).unwrap_or_default(),
            limits: limits_at(document, &at),
            tests: tests(document, &key("cases")),
            ..Subtask::empty(id, kind)
        });
        document.check_entries(&at, &["id", "score", "type", "if", "time", "memory", "cases"], &[], Severity::Warning);
    }
    subtasks.sort_by_key(|subtask| subtask.id);
    subtasks
}

fn ids(value: &Value) -> Read<Vec<u32>> {
    match value {
        Value::List(items) => items.iter().map(|item| count(&item.value)).collect(),
        other => Err(Unfit::kind("a list of ids", other)),
    }
}

fn tests(document: &mut Document, at: &[&str]) -> Vec<TestFiles> {
    let mut tests = Vec::new();
    for number in 0..document.length(at) {
        let number = number.to_string();
        let at = [at, &[&*number]].concat();
        let key = |key| [&at[..], &[key]].concat();
        let Some(input) = document.get_at(&key("input"), inner) else {
            if document.value(&key("input")).is_none() {
                document.report(&at, Severity::Error, "a test without `input`");
            }
            continue;
        };
        tests.push(TestFiles {
            input,
            output: document.get_at(&key("output"), inner),
            score: document.get_at(&key("score"), points).unwrap_or_default(),
            limits: limits_at(document, &at),
        });
        document.check_entries(&at, &["id", "input", "output", "score", "time", "memory"], &[], Severity::Warning);
    }
    tests
}

/// A path inside the test data.
fn inner(value: &Value) -> Read<String> {
    let name = text(value)?;
    let is_inner = crate::generators::is_inner(Path::new(&name));
    if is_inner { Ok(name) } else { Err(Unfit::rule(format!("must be a path inside {}/", super::DATA))) }
}

/// Gives the points that are left to the subtasks and tests that state none, as whole numbers.
fn share_points(subtasks: &mut [Subtask]) {
    let mut scores: Vec<f64> = subtasks.iter().map(|subtask| subtask.score).collect();
    share(ALL_POINTS, &mut scores);
    for (subtask, score) in subtasks.iter_mut().zip(scores) {
        subtask.score = score;
        let mut scores: Vec<f64> = subtask.tests.iter().map(|test| test.score).collect();
        share(score, &mut scores);
        subtask.tests.iter_mut().zip(scores).for_each(|(test, score)| test.score = score);
    }
}

/// Replaces the scores of 0 by equal shares of what is left. The last ones get one more if it does not divide.
fn share(total: f64, scores: &mut [f64]) {
    let left = (total - scores.iter().sum::<f64>()).max(0.0);
    let open = scores.iter().filter(|score| **score == 0.0).count();
    #[expect(clippy::cast_precision_loss, reason = "there are few scores")]
    let count = open as f64;
    let extra = count - left % count;
    #[expect(clippy::cast_precision_loss, reason = "there are few scores")]
    for (number, score) in scores.iter_mut().filter(|score| **score == 0.0).enumerate() {
        *score = (left / count).floor() + if number as f64 >= extra { 1.0 } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_have_units() {
        let of = |text: &str| Value::Text(text.to_owned());
        for (text, millis) in [("1s", 1000), ("1500ms", 1500), ("1.5S", 1500), ("800", 800)] {
            assert_eq!(time(&of(text)).unwrap(), Duration::from_millis(millis), "{text}");
        }
        assert_eq!(time(&Value::Integer(800)).unwrap(), Duration::from_millis(800));
        for (text, mebi) in [("256m", 256), ("256MB", 256), ("1g", 1024), ("64", 64), ("1000k", 1)] {
            assert_eq!(memory(&of(text)).unwrap(), Bytes::mib(mebi), "{text}");
        }
        for text in ["", "s", "1h", "-1s", "0ms"] {
            assert!(time(&of(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn points_that_are_left_are_shared() {
        let shared = |total, mut scores: Vec<f64>| {
            share(total, &mut scores);
            scores
        };
        assert_eq!(shared(100.0, vec![0.0; 3]), [33.0, 33.0, 34.0]);
        assert_eq!(shared(100.0, vec![40.0, 0.0, 60.0]), [40.0, 0.0, 60.0]);
        assert_eq!(shared(100.0, vec![40.0, 0.0]), [40.0, 60.0]);
        assert!(shared(100.0, Vec::new()).is_empty());
    }
}
