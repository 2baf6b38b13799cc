//! Reads `info.toml` into a typed description. Every mistake is reported with its line.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::CORRECT;
use crate::document::read::{Read, Unfit, count_or_zero, flag, path, seconds, text, word};
use crate::document::{Document, TableEntry, Value};
use crate::generators::is_inner;
use crate::reader::Reader;
use grader_model::diagnostic::{Severity, TextPosition};
use grader_model::verdict::Verdict;

/// The most tests of a problem.
const MOST_TESTS: u32 = 10_000;
/// The most characters in the name of an input, as `generate.py` demands.
const LONGEST_NAME: usize = 40;

/// The words of `expect` with their verdicts.
const EXPECTED: [(&str, Verdict); 3] =
    [("WA", Verdict::WrongAnswer), ("TLE", Verdict::TimeLimit), ("RE", Verdict::RunTimeError)];
/// The keys that permit a verdict.
const ALLOWED: [(&str, Verdict); 3] =
    [("allow_wa", Verdict::WrongAnswer), ("allow_tle", Verdict::TimeLimit), ("allow_re", Verdict::RunTimeError)];

/// The content of an `info.toml`.
#[derive(Debug)]
pub(super) struct Description {
    pub(super) title: Option<String>,
    pub(super) time_limit: Option<Duration>,
    pub(super) tests: Vec<Tests>,
    pub(super) solutions: Vec<Solution>,
    /// The text of `params.h`.
    pub(super) parameters: String,
    pub(super) checker: Source,
    pub(super) verifier: Source,
}

/// A path in the problem's directory.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// The key that states it; none for the usual path.
    pub(super) place: Option<TextPosition>,
}

/// The tests of one generator, or of files with one name.
#[derive(Debug)]
pub(super) struct Tests {
    /// The name of the file without its ending, with which the names of tests begin.
    pub(super) stem: String,
    pub(super) origin: Origin,
    pub(super) number: u32,
    pub(super) place: Option<TextPosition>,
}

/// The origin of the inputs of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// A file for each test.
    Files,
    /// A program in C++.
    Generator,
}

/// A solution with its permitted and required verdicts.
#[derive(Debug)]
pub(super) struct Solution {
    pub(super) name: String,
    pub(super) expected: Option<Verdict>,
    pub(super) allowed: Vec<Verdict>,
    /// Whether it is a function, which the files in `grader/` call.
    pub(super) is_function: bool,
    pub(super) place: Option<TextPosition>,
}

/// Reads a description. Reports its mistakes. None if the file cannot be parsed, because its remains mean nothing.
pub(super) fn read(reader: &Reader<'_>, file: &Path) -> Option<Description> {
    let mut document = Document::load(file);
    if document.is_broken() {
        document.finish().into_iter().for_each(|found| reader.report(found));
        return None;
    }
    let description = Description {
        title: document.get("title", text),
        time_limit: document.get("timelimit", seconds),
        tests: tests(&mut document),
        solutions: solutions(&mut document),
        parameters: parameters(&mut document),
        checker: source(&mut document, "checker"),
        verifier: source(&mut document, "verifier"),
    };
    demand(&mut document, &["title", "timelimit", "tests"]);
    let known = ["title", "timelimit", "forum", "tests", "solutions", "params", "checker", "verifier"];
    document.check_entries(&[], &known, &[], Severity::Warning);
    document.finish().into_iter().for_each(|found| reader.report(found));
    Some(description)
}

fn demand(document: &mut Document, keys: &[&str]) {
    for key in keys.iter().filter(|key| !document.has(key)).copied().collect::<Vec<_>>() {
        document.report(&[], Severity::Error, format!("`{key}` is missing"));
    }
}

/// The path of the checker or the verifier.
fn source(document: &mut Document, key: &str) -> Source {
    let stated = document.get(key, inner_path);
    let place = document.place(&[key]);
    Source { path: stated.unwrap_or_else(|| PathBuf::from(format!("{key}.cpp"))), place }
}

fn inner_path(value: &Value) -> Read<PathBuf> {
    let path = path(value)?;
    if is_inner(&path) { Ok(path) } else { Err(Unfit::rule("must be a path inside the problem's directory")) }
}

/// A name of a file without directories.
fn file_name(value: &Value) -> Read<String> {
    let name = text(value)?;
    let is_plain = is_inner(Path::new(&name)) && !name.contains('/') && !name.contains(char::is_control);
    if is_plain { Ok(name) } else { Err(Unfit::rule("must be the name of a file, without directories")) }
}

/// The number of entries of a list of tables.
fn count_of(document: &mut Document, key: &str) -> usize {
    match document.value(&[key]) {
        None => 0,
        Some(Value::List(entries)) => entries.len(),
        Some(other) => {
            let message = format!("`{key}`: expected tables `[[{key}]]`, found {}", other.kind());
            document.report(&[key], Severity::Error, message);
            0
        }
    }
}

fn tests(document: &mut Document) -> Vec<Tests> {
    let mut listed: Vec<Tests> = Vec::new();
    let mut stems = BTreeSet::new();
    let mut total: u32 = 0;
    for at in 0..count_of(document, "tests") {
        let at = at.to_string();
        let Some(tests) = entry_of_tests(document, &["tests", &at]) else { continue };
        let name = ["tests", &at, "name"];
        if !stems.insert(tests.stem.clone()) {
            let message = format!("two tests of the name `{}`: their inputs would have the same names", tests.stem);
            document.report(&name, Severity::Error, message);
            continue;
        }
        total = total.saturating_add(tests.number);
        if total > MOST_TESTS {
            let message = format!("more than {MOST_TESTS} tests, which grader does not make");
            document.report(&["tests", &at, "number"], Severity::Error, message);
            break;
        }
        listed.push(tests);
    }
    listed
}

fn entry_of_tests(document: &mut Document, path: &[&str; 2]) -> Option<Tests> {
    let [list, at] = *path;
    let (name_key, number_key) = ([list, at, "name"], [list, at, "number"]);
    let name = document.get_at(&name_key, file_name);
    let number = document.get_at(&number_key, count_or_zero);
    for (key, is_there) in
        [("name", document.value(&name_key).is_some()), ("number", document.value(&number_key).is_some())]
    {
        if !is_there {
            document.report(path, Severity::Error, format!("a `[[tests]]` without `{key}`"));
        }
    }
    document.check_entries(path, &["name", "number"], &[], Severity::Warning);
    let (name, number) = (name?, number?);
    let (stem, origin) = match name.rsplit_once('.') {
        Some((stem, "cpp")) if !stem.is_empty() => (stem.to_owned(), Origin::Generator),
        Some((stem, "in")) if !stem.is_empty() => (stem.to_owned(), Origin::Files),
        _ => {
            let message = format!("`{name}` is neither a generator (`.cpp`) nor the name of inputs (`.in`)");
            document.report(&name_key, Severity::Error, message);
            return None;
        }
    };
    let longest = format!("{}.in", case_name(&stem, number.saturating_sub(1)));
    if longest.chars().count() > LONGEST_NAME {
        let message = format!("the name of the input `{longest}` has more than {LONGEST_NAME} characters");
        document.report(&name_key, Severity::Error, message);
    }
    Some(Tests { stem, origin, number, place: document.place(&name_key) })
}

/// The name of a test: `random_07`.
pub(super) fn case_name(stem: &str, index: u32) -> String {
    format!("{stem}_{index:02}")
}

fn solutions(document: &mut Document) -> Vec<Solution> {
    let mut listed: Vec<Solution> = Vec::new();
    for at in 0..count_of(document, "solutions") {
        let at = at.to_string();
        let path = ["solutions", &at];
        let Some(solution) = solution(document, &path) else { continue };
        if listed.iter().any(|known| known.name == solution.name) {
            let message = format!("a second solution `{}`", solution.name);
            document.report(&["solutions", &at, "name"], Severity::Error, message);
            continue;
        }
        listed.push(solution);
    }
    if !listed.iter().any(|solution| solution.name == CORRECT) {
        let name = CORRECT.to_owned();
        listed.push(Solution { name, expected: None, allowed: Vec::new(), is_function: false, place: None });
    }
    listed
}

fn solution(document: &mut Document, path: &[&str; 2]) -> Option<Solution> {
    let [list, at] = *path;
    let key = |key| [list, at, key];
    let name = document.get_at(&key("name"), file_name);
    if document.value(&key("name")).is_none() {
        document.report(path, Severity::Error, "a `[[solutions]]` without `name`");
    }
    let expected = document.get_at(&key("expect"), |value| word(value, &EXPECTED));
    // The older name of `expect = "WA"`.
    let is_wrong = document.get_at(&key("wrong"), flag).unwrap_or_default();
    let mut allowed = Vec::new();
    for (allow, verdict) in ALLOWED {
        if document.get_at(&key(allow), flag).unwrap_or_default() {
            allowed.push(verdict);
        }
    }
    let is_function = document.get_at(&key("function"), flag).unwrap_or_default();
    let known = ["name", "expect", "wrong", "allow_wa", "allow_tle", "allow_re", "function"];
    document.check_entries(path, &known, &[], Severity::Warning);
    let place = document.place(&key("name"));
    Some(Solution {
        name: name?,
        expected: expected.or(is_wrong.then_some(Verdict::WrongAnswer)),
        allowed,
        is_function,
        place,
    })
}

/// The text of `params.h`, as `generate.py` writes it.
fn parameters(document: &mut Document) -> String {
    let mut text = String::new();
    let mut mistakes = Vec::new();
    if let Some(other) = document.value(&["params"]).filter(|value| !matches!(value, Value::Table(_))) {
        mistakes.push((None, format!("`params`: expected keys and values, found {}", other.kind())));
    }
    for TableEntry { key, value, .. } in document.entries_of(&["params"]) {
        match (is_identifier(key), literal(value)) {
            // Writing into a string cannot fail.
            (true, Ok(literal)) => drop(writeln!(text, "#define {key} {literal}")),
            (true, Err(unfit)) => mistakes.push((Some(key.clone()), format!("`{key}`: {unfit}"))),
            (false, _) => mistakes.push((Some(key.clone()), format!("`{key}` cannot be the name of a macro"))),
        }
    }
    for (key, message) in mistakes {
        let path: Vec<&str> = std::iter::once("params").chain(key.as_deref()).collect();
        document.report(&path, Severity::Error, message);
    }
    text
}

fn is_identifier(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.bytes().all(is_part) && !name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit())
}

/// A value as C++ reads it.
fn literal(value: &Value) -> Read<String> {
    match value {
        Value::Integer(number) => Ok(format!("(long long){number}")),
        Value::Float(number) if number.is_finite() => Ok(format!("{number:?}")),
        Value::Text(text) if text.contains(['"', '\\']) || text.contains(char::is_control) => {
            Err(Unfit::rule("a string cannot have quotation marks, backslashes or control characters"))
        }
        Value::Text(text) => Ok(format!("\"{text}\"")),
        other => Err(Unfit::kind("a finite number or a string", other)),
    }
}
