//! Reads `task.yaml` into a typed description. Every mistake is reported with its line.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use regex::Regex;

use super::{FILE, ORIGINAL};
use crate::document::read::{Read, Unfit, count_or_zero, flag, mebibytes, points, seconds, text, word};
use crate::document::{Document, ListItem, Syntax, Value, is_there, load_text};
use crate::generators::is_inner;
use crate::reader::Reader;
use grader_model::diagnostic::{Severity, TextPosition};
use grader_model::limits::Bytes;

/// The files that submissions read and write, if `task.yaml` names none.
const FILES: [&str; 2] = ["input.txt", "output.txt"];
/// The points of a task without subtasks.
const ALL_POINTS: f64 = 100.0;
/// The keys that grader reads, and those of CMS and task-maker that say nothing about judging.
const KEYS: &[&str] = &[
    "name",
    "nome_breve",
    "title",
    "nome",
    "time_limit",
    "timeout",
    "memory_limit",
    "memlimit",
    "infile",
    "outfile",
    "n_input",
    "total_value",
    "score_type",
    "score_type_parameters",
    "public_testcases",
    "risultati",
    "output_only",
    "score_precision",
    "score_mode",
    "feedback_level",
    "primary_language",
    "version",
    "num_processes",
    "user_io",
    "max_submission_number",
    "max_user_test_number",
    "min_submission_interval",
    "min_user_test_interval",
    "difficulty",
    "syllabuslevel",
    "diff",
    "max_score",
    "auxiliary",
    "token_mode",
    "token_max_number",
    "token_min_interval",
    "token_gen_initial",
    "token_gen_number",
    "token_gen_interval",
    "token_gen_max",
    "token_gen_time",
    "token_initial",
    "token_max",
    "token_total",
    "controller_time_limit",
    "controller_wall_time_limit",
    "controller_memory_limit",
    "controller_process_limit",
    "interactive_concurrent",
];
/// The keys by which contestants submit outputs for some tests.
const NOT_APPLIED: [&str; 2] = ["output_only_testcases", "output_optional_testcases"];

/// The content of a `task.yaml`.
#[derive(Debug)]
pub(super) struct Description {
    /// The file, for messages.
    pub(super) file: PathBuf,
    /// The short name, after which CMS calls the sources of submissions.
    pub(super) name: Option<String>,
    pub(super) title: Option<String>,
    pub(super) time_limit: Option<Duration>,
    pub(super) memory_limit: Option<Bytes>,
    /// The file that submissions read; none for standard input.
    pub(super) input_file: Option<String>,
    /// The file that submissions write; none for standard output.
    pub(super) output_file: Option<String>,
    /// The number of tests, if it is stated.
    pub(super) tests: Option<u32>,
    /// The points of a task without subtasks.
    pub(super) total: f64,
    /// The numbers of the tests whose results contestants see, unless they see all.
    pub(super) public: BTreeSet<u32>,
    pub(super) is_output_only: bool,
    /// The points, if the file itself states them.
    pub(super) score: Option<StatedScore>,
    pub(super) places: Places,
}

/// The places of keys, for messages.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) tests: Option<TextPosition>,
    pub(super) score: Option<TextPosition>,
}

/// Points by `score_type` with its parameters.
#[derive(Debug, Clone)]
pub(super) enum StatedScore {
    /// So many points for each test.
    Sum(f64),
    /// The least result of the tests of a subtask counts.
    Min(Vec<StatedSubtask>),
    /// The product of the results of the tests of a subtask counts.
    Product(Vec<StatedSubtask>),
}

/// A subtask of `score_type_parameters`.
#[derive(Debug, Clone)]
pub(super) struct StatedSubtask {
    pub(super) points: f64,
    pub(super) tests: TestChoice,
    pub(super) place: Option<TextPosition>,
}

/// The tests of a subtask.
#[derive(Debug, Clone)]
pub(super) enum TestChoice {
    /// The next tests, so many.
    Next(u32),
    /// The tests whose names (`007`) begin with a match.
    Matching(Regex),
    /// The tests with these names.
    Named(BTreeSet<String>),
}

/// The words of `score_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScoreType {
    Sum,
    GroupMin,
    GroupMul,
}

/// Reads the description. Reports its mistakes. None if the file cannot be parsed, because its remains mean nothing.
pub(super) fn read(reader: &Reader<'_>) -> Option<Description> {
    // task-maker makes the one from the other, with other defaults.
    let file = [FILE, ORIGINAL].map(|name| reader.dir.join(name)).into_iter().find(|file| is_there(file))?;
    let text = load_text(&file).map_err(|found| reader.report(found)).ok()?;
    let mut document = Document::parse(&file, text, Syntax::Yaml);
    if document.is_broken() {
        document.finish().into_iter().for_each(|found| reader.report(found));
        return None;
    }
    let description = described(&mut document, file);
    document.finish().into_iter().for_each(|found| reader.report(found));
    Some(description)
}

fn described(document: &mut Document, file: PathBuf) -> Description {
    let is_original = file.ends_with(ORIGINAL);
    document.check_entries(&[], KEYS, &NOT_APPLIED.map(str::to_owned), Severity::Warning);
    for key in NOT_APPLIED.into_iter().filter(|key| document.has(key)).collect::<Vec<_>>() {
        document.report(&[key], Severity::Error, format!("`{key}`: grader has no tasks with programs and outputs"));
    }
    let [input_file, output_file] = [("infile", FILES[0]), ("outfile", FILES[1])].map(|(key, usual)| {
        let stated = document.get(key, file_name);
        stated.unwrap_or_else(|| if is_original { String::new() } else { usual.to_owned() })
    });
    let time_limit = either(document, ["time_limit", "timeout"], seconds);
    let is_output_only = document.get("output_only", flag).unwrap_or_default();
    if !is_output_only && time_limit.is_none() && !document.has("time_limit") && !document.has("timeout") {
        document.report(&[], Severity::Warning, "no `time_limit`, so the default of grader counts");
    }
    let is_named = |name: &String| !name.is_empty() && !is_output_only;
    Description {
        name: either(document, ["name", "nome_breve"], text),
        title: either(document, ["title", "nome"], text),
        time_limit,
        memory_limit: either(document, ["memory_limit", "memlimit"], mebibytes),
        input_file: Some(input_file).filter(is_named),
        output_file: Some(output_file).filter(is_named),
        tests: document.get("n_input", count_or_zero),
        total: document.get("total_value", points).unwrap_or(ALL_POINTS),
        public: either(document, ["public_testcases", "risultati"], public).unwrap_or_default(),
        is_output_only,
        score: score(document),
        places: Places { tests: document.place(&["n_input"]), score: document.place(&["score_type_parameters"]) },
        file,
    }
}

/// The value of the first of two keys that is there. The second is the older name.
fn either<T>(document: &mut Document, keys: [&str; 2], read: impl Fn(&Value) -> Read<T>) -> Option<T> {
    let key = keys.into_iter().find(|key| document.has(key))?;
    document.get(key, read)
}

/// The name of a file without directories; empty for a standard stream.
fn file_name(value: &Value) -> Read<String> {
    let name = text(value)?;
    let is_plain = is_inner(Path::new(&name)) && !name.contains('/') && !name.contains(char::is_control);
    if is_plain || name.is_empty() {
        Ok(name)
    } else {
        Err(Unfit::rule("must be the name of a file without directories, or empty for the standard stream"))
    }
}

/// The numbers of public tests: `0, 1`. Empty for `all`, which says nothing about samples.
fn public(value: &Value) -> Read<BTreeSet<u32>> {
    let list = match value {
        Value::Integer(number) => number.to_string(),
        other => text(other)?,
    };
    if list.trim() == "all" || list.trim().is_empty() {
        return Ok(BTreeSet::new());
    }
    let number = |word: &str| {
        word.trim().parse().map_err(|_| Unfit::expected("`all`, or numbers such as `0, 1`", format!("`{list}`")))
    };
    list.split(',').map(number).collect()
}

/// The points that the file states. CMS needs three keys for that.
fn score(document: &mut Document) -> Option<StatedScore> {
    const TYPES: [(&str, ScoreType); 5] = [
        ("Sum", ScoreType::Sum),
        ("GroupMin", ScoreType::GroupMin),
        ("GroupMul", ScoreType::GroupMul),
        // task-maker knows these words too.
        ("sum", ScoreType::Sum),
        ("min", ScoreType::GroupMin),
    ];
    let needed = ["score_type", "score_type_parameters", "n_input"];
    let missing: Vec<&str> = needed.into_iter().filter(|key| !document.has(key)).collect();
    if let (Some(key), false) =
        (["score_type", "score_type_parameters"].iter().find(|key| document.has(key)), missing.is_empty())
    {
        let message = format!("`{key}` is not applied: CMS ignores it without `{}`", missing.join("` and `"));
        document.report(&[key], Severity::Warning, message);
    }
    if !missing.is_empty() {
        return None;
    }
    let kind = document.get("score_type", |value| word(value, &TYPES))?;
    if kind == ScoreType::Sum {
        return document.get("score_type_parameters", points).map(StatedScore::Sum);
    }
    let count = document.get("score_type_parameters", |value| match value {
        Value::List(items) => Ok(items.len()),
        other => Err(Unfit::kind("a list of subtasks such as [40, 3]", other)),
    })?;
    let mut subtasks = Vec::new();
    for at in 0..count {
        let at = at.to_string();
        let path = ["score_type_parameters", &at];
        let place = document.place(&path);
        let subtask = document.get_at(&path, stated_subtask);
        subtasks.extend(subtask.map(|(points, tests)| StatedSubtask { points, tests, place }));
    }
    let kinds: BTreeSet<u8> = subtasks.iter().map(|subtask| subtask.tests.rank()).collect();
    if kinds.len() > 1 {
        let message = "`score_type_parameters`: all subtasks must have counts, or all patterns, or all lists of tests";
        document.report(&["score_type_parameters"], Severity::Error, message);
    }
    Some(if kind == ScoreType::GroupMin { StatedScore::Min(subtasks) } else { StatedScore::Product(subtasks) })
}

impl TestChoice {
    fn rank(&self) -> u8 {
        match self {
            Self::Next(_) => 0,
            Self::Matching(_) => 1,
            Self::Named(_) => 2,
        }
    }
}

/// A subtask: `[40, 3]`, `[40, "000|001"]`, `[40, ["000", "001"]]`, or a table with `max_score` and `testcases`.
fn stated_subtask(value: &Value) -> Read<(f64, TestChoice)> {
    let unfit = || Unfit::kind("a subtask such as [40, 3] or [40, \"000|001\"]", value);
    let (most, tests) = match value {
        Value::List(items) => match &items[..] {
            [most, tests] => (&most.value, &tests.value),
            _ => return Err(unfit()),
        },
        Value::Table(entries) => {
            let of = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value);
            of("max_score").zip(of("testcases")).ok_or_else(unfit)?
        }
        _ => return Err(unfit()),
    };
    Ok((points(most)?, chosen(tests)?))
}

fn chosen(value: &Value) -> Read<TestChoice> {
    let name = |item: &ListItem| text(&item.value);
    match value {
        Value::Integer(_) => count_or_zero(value).map(TestChoice::Next),
        Value::List(items) => items.iter().map(name).collect::<Read<BTreeSet<String>>>().map(TestChoice::Named),
        // Python matches at the beginning of a name.
        Value::Text(pattern) => Regex::new(&format!("^(?:{pattern})"))
            .map(TestChoice::Matching)
            .map_err(|_| Unfit::rule(format!("`{pattern}` is not a regular expression"))),
        other => Err(Unfit::kind("a number of tests, a regular expression or a list of tests", other)),
    }
}
