//! Reads `init.yml` into a typed description. Every mistake is reported with its line.

use std::path::{Path, PathBuf};

use super::data::{TestData, inner};
use super::judging::{self, Judging};
use super::{CaseOrBatch, FILE, GeneratorCall, TestFiles, cases_by_name};
use crate::document::read::{Read, Unfit, flag, points, text};
use crate::document::{Document, Syntax, Value, load_text};
use crate::reader::Reader;
use grader_model::diagnostic::{Diagnostic, Severity};
use grader_model::limits::Bytes;
use grader_model::problem::{Checker, LimitOptions};

/// The most bytes that a submission may print, if `init.yml` states nothing (`dmoj/problem.py`).
const OUTPUT: Bytes = Bytes(25_165_824);
/// The points of a case, if nothing states them.
const POINTS: f64 = 1.0;
/// The keys that grader reads. Batches and cases inherit them from the tables around them.
const INHERITED: [&str; 8] =
    ["in", "out", "points", "checker", "binary_data", "output_limit_length", "generator", "generator_args"];
/// The keys of the whole problem that grader reads.
const OF_PROBLEM: [&str; 4] = ["archive", "test_cases", "pretest_test_cases", "interactive"];
/// The keys of a batch that grader reads.
const OF_BATCH: [&str; 2] = ["batched", "dependencies"];

/// The reaction to a key that grader does not read.
#[derive(Debug, Clone, Copy)]
enum UnreadKey {
    /// No verdict depends on it.
    Silent,
    /// A verdict may depend on it.
    NotApplied,
    /// Nothing can be judged without it. The remedy.
    Refused(&'static str),
}

const UNREAD: &[(&str, UnreadKey)] = &[
    ("output_prefix_length", UnreadKey::Silent),
    // DMOJ does not read it: its site decides.
    ("short_circuit", UnreadKey::Silent),
    ("hints", UnreadKey::NotApplied),
    ("symlinks", UnreadKey::NotApplied),
    ("unbuffered", UnreadKey::NotApplied),
    ("wall_time_factor", UnreadKey::NotApplied),
    (
        "custom_judge",
        UnreadKey::Refused("grader runs none of DMOJ's graders in Python; use a checker or `interactive`"),
    ),
    (
        "signature_grader",
        UnreadKey::Refused("bring the problem into a package: `include/` has the header and the main program"),
    ),
    ("generator_in", UnreadKey::Refused("write its inputs and answers to files, and name them with `in` and `out`")),
];

/// A problem as `init.yml` describes it.
#[derive(Debug)]
pub(super) struct Init {
    /// The file, for messages.
    pub(super) file: PathBuf,
    /// None if the judge of outputs cannot be used, which was reported.
    pub(super) judging: Option<Judging>,
    pub(super) limits: LimitOptions,
    pub(super) entries: Vec<CaseOrBatch>,
    pub(super) data: TestData,
    /// Whether line ends stay unchanged in all files.
    pub(super) is_binary: bool,
}

/// Reads the file in the problem's directory.
pub(super) fn read(reader: &Reader<'_>) -> Init {
    let file = reader.dir.join(FILE);
    let text = load_text(&file).map_err(|found| reader.report(found)).unwrap_or_default();
    let mut document = Document::parse(&file, text, Syntax::Yaml);
    let root = Table::default();
    check(&mut document, &root, &[&INHERITED[..], &OF_PROBLEM].concat());
    let archive = document.get("archive", inner);
    let data = TestData::open(reader, archive.as_deref(), document.place(&["archive"]));
    let judging = if document.has("interactive") {
        judging::interactor(&mut document)
    } else {
        judging::checker(&mut document, &["checker"])
    };
    let mut batches = 0;
    // They come first, and give no points.
    let pretests = entries(&mut document, "pretest_test_cases", &mut batches);
    let mut all: Vec<CaseOrBatch> = pretests.into_iter().map(|entry| CaseOrBatch { points: 0.0, ..entry }).collect();
    if matches!(document.value(&["test_cases"]), Some(Value::List(_))) {
        all.extend(entries(&mut document, "test_cases", &mut batches));
    } else {
        let usual = root.inherited(&mut document, "points", points).unwrap_or(POINTS);
        all.extend(cases_by_name::entries(&mut document, data.names(), usual, &mut batches));
    }
    if all.iter().all(|entry| entry.cases.is_empty()) && document.found().iter().all(|found| !found.is_error()) {
        document.report(&["test_cases"], Severity::Error, "no tests");
    }
    refuse_own_programs(&mut document, judging.as_ref(), &all);
    let limits = LimitOptions { output: Some(output(&mut document, &root)), ..LimitOptions::default() };
    document.finish().into_iter().for_each(|found| reader.report(found));
    reader.check_cases(|| {
        if let Some(found) = without_answers(&file, judging.as_ref(), &all) {
            reader.report(found);
        }
    });
    let mut cases = all.iter().flat_map(|entry| &entry.cases);
    let is_binary = cases.any(|case| case.is_binary);
    Init { file, judging, limits, entries: all, data, is_binary }
}

/// A table of the document: the path of its keys. It inherits keys from the tables around it.
#[derive(Debug, Clone, Default)]
struct Table {
    path: Vec<String>,
    /// Where the paths of the tables around it end.
    around: Vec<usize>,
}

impl Table {
    fn child(&self, key: &str, number: usize) -> Self {
        let path = self.path.iter().cloned().chain([key.to_owned(), number.to_string()]).collect();
        Self { path, around: self.around.iter().copied().chain([self.path.len()]).collect() }
    }

    /// The path of one of its keys.
    fn key<'t>(&'t self, key: &'t str) -> Vec<&'t str> {
        self.path.iter().map(String::as_str).chain([key]).collect()
    }

    /// The path of a key, in this table or in the nearest one around it that has the key.
    fn holder<'t>(&'t self, document: &Document, key: &'t str) -> Option<Vec<&'t str>> {
        let ends = std::iter::once(self.path.len()).chain(self.around.iter().rev().copied());
        let mut paths = ends.map(|end| self.path[..end].iter().map(String::as_str).chain([key]).collect::<Vec<_>>());
        paths.find(|path| document.value(path).is_some_and(|value| *value != Value::Null))
    }

    fn inherited<T>(&self, document: &mut Document, key: &str, read: impl FnOnce(&Value) -> Read<T>) -> Option<T> {
        let path = self.holder(document, key)?;
        document.get_at(&path, read)
    }
}

/// Reports unknown keys, and those that grader knows and does not read.
fn check(document: &mut Document, table: &Table, known: &[&str]) {
    let path: Vec<&str> = table.path.iter().map(String::as_str).collect();
    let others = UNREAD.iter().map(|(key, _)| *key);
    let computed: Vec<String> =
        document.entries_of(&path).iter().map(|entry| entry.key.clone()).filter(|key| key.ends_with('+')).collect();
    let known: Vec<&str> = known.iter().copied().chain(others).collect();
    document.check_entries(&path, &known, &computed, Severity::Warning);
    for key in &computed {
        let message = format!("`{key}`: grader runs no Python in {FILE}");
        document.report_with(&table.key(key), Severity::Error, message, Some("write the value itself".to_owned()));
    }
    for (key, unread) in UNREAD {
        let at = table.key(key);
        let is_stated = document.value(&at).is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)));
        match unread {
            UnreadKey::NotApplied if is_stated => document.not_applied(&at),
            UnreadKey::Refused(remedy) if is_stated => {
                let message = format!("`{key}`: grader does not read it");
                document.report_with(&at, Severity::Error, message, Some((*remedy).to_owned()));
            }
            UnreadKey::Silent | UnreadKey::NotApplied | UnreadKey::Refused(_) => {}
        }
    }
}

/// The entries of a list of cases. `batches`: how many batches came before.
fn entries(document: &mut Document, list: &str, batches: &mut usize) -> Vec<CaseOrBatch> {
    let root = Table::default();
    let mut entries = Vec::new();
    for number in 0..document.length(&[list]) {
        let table = root.child(list, number);
        let path: Vec<&str> = table.path.iter().map(String::as_str).collect();
        // An item that is not an entry has neither files nor points.
        if document.get_at(&path, entry).is_none() {
            continue;
        }
        let points = table.inherited(document, "points", points).unwrap_or(POINTS);
        if document.value(&table.key("batched")).is_none() {
            check(document, &table, &INHERITED);
            let cases = vec![case(document, &table)];
            entries.push(CaseOrBatch { batch: None, points, requires: Vec::new(), cases });
            continue;
        }
        check(document, &table, &[&INHERITED[..], &OF_BATCH].concat());
        *batches += 1;
        let own = *batches;
        let requires = document.get_at(&table.key("dependencies"), |value| earlier(value, own)).unwrap_or_default();
        let mut cases = Vec::new();
        for number in 0..document.length(&table.key("batched")) {
            let of_case = table.child("batched", number);
            check(document, &of_case, &INHERITED);
            cases.push(case(document, &of_case));
        }
        entries.push(CaseOrBatch { batch: Some(own), points, requires, cases });
    }
    entries
}

fn entry(value: &Value) -> Read<()> {
    let is_entry = matches!(value, Value::Table(_));
    if is_entry { Ok(()) } else { Err(Unfit::kind("a test such as {in: 1.in, out: 1.out}", value)) }
}

/// A warning about tests that a comparison judges by an empty answer, because nothing names another.
fn without_answers(file: &Path, judging: Option<&Judging>, entries: &[CaseOrBatch]) -> Option<Diagnostic> {
    let compares = |own: Option<&Judging>| matches!(own.or(judging), Some(Judging::Comparison(_)));
    let cases = entries.iter().flat_map(|entry| &entry.cases);
    let mut lacking =
        cases.filter(|case| case.output.is_none() && case.generator.is_none() && compares(case.judging.as_ref()));
    let first = lacking.next()?;
    let others = match lacking.count() {
        0 => String::new(),
        1 => "; the same is true of 1 more test".to_owned(),
        others => format!("; the same is true of {others} more tests"),
    };
    let message = format!("this test has no `out`, so its answer is empty{others}");
    let found = Diagnostic::warning(file, message).at(first.place);
    Some(found.remedy("add `out` with the file of its answer, such as {in: 1.in, out: 1.out}"))
}

fn case(document: &mut Document, table: &Table) -> TestFiles {
    let input = table.inherited(document, "in", inner);
    let output = table.inherited(document, "out", inner);
    let place = document.place(&table.path.iter().map(String::as_str).collect::<Vec<_>>());
    // The checker of the whole problem is read once, elsewhere.
    let own = table.holder(document, "checker").filter(|path| path.len() > 1);
    let own = own.map(|path| path.into_iter().map(str::to_owned).collect::<Vec<_>>());
    let own = own.and_then(|path| judging::checker(document, &path.iter().map(String::as_str).collect::<Vec<_>>()));
    let generator = generator(document, table, input.is_some(), output.is_some());
    TestFiles {
        input,
        output,
        generator,
        place,
        judging: own,
        is_binary: table.inherited(document, "binary_data", truth).unwrap_or_default(),
        output_limit: output_limit(document, table),
    }
}

/// The generator of a test, which is not run for one that has both files.
fn generator(document: &mut Document, table: &Table, has_input: bool, has_output: bool) -> Option<GeneratorCall> {
    const READ: [&str; 3] = ["source", "args", "flags"];
    const SILENT: [&str; 4] = ["language", "time_limit", "memory_limit", "compiler_time_limit"];
    let at = table.holder(document, "generator").filter(|_| !(has_input && has_output))?;
    let is_table = matches!(document.value(&at), Some(Value::Table(_)));
    let key = |key| [&at[..], &[key]].concat();
    if has_input {
        let message = "a test with `in` and without `out` beside a generator: grader makes both files or none";
        let remedy = "add `out` with the file of its answer, or remove `in`".to_owned();
        let path: Vec<&str> = table.path.iter().map(String::as_str).collect();
        document.report_with(&path, Severity::Error, message.to_owned(), Some(remedy));
    }
    if is_table {
        document.check_table(&at, &[&READ[..], &SILENT].concat(), Severity::Warning);
    }
    if document.value(&key("flags")).is_some_and(|flags| *flags != Value::List(Vec::new())) {
        document.report(&key("flags"), Severity::Error, "`flags`: grader builds the program in its own way");
    }
    let files = document.get_at(&if is_table { key("source") } else { at.clone() }, judging::files)?;
    let own = table.inherited(document, "generator_args", arguments).filter(|own| !own.is_empty());
    let arguments = own.or_else(|| document.get_at(&key("args"), arguments).filter(|_| is_table)).unwrap_or_default();
    Some(GeneratorCall { files, arguments, generator_place: document.place(&at) })
}

/// Arguments, in the words of Python.
fn arguments(value: &Value) -> Read<Vec<String>> {
    let Value::List(items) = value else { return Err(Unfit::kind("a list of arguments", value)) };
    let word = |value: &Value| match value {
        Value::Bool(true) => Ok("True".to_owned()),
        Value::Bool(false) => Ok("False".to_owned()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(format!("{number:?}")),
        other => text(other),
    };
    items.iter().map(|item| word(&item.value)).collect()
}

fn output_limit(document: &mut Document, table: &Table) -> Option<Bytes> {
    let path = table.holder(document, "output_limit_length")?;
    // The output limit of the whole problem is a limit of the problem, not of the case.
    if path.len() == 1 { None } else { document.get_at(&path, bytes) }
}

fn output(document: &mut Document, root: &Table) -> Bytes {
    root.inherited(document, "output_limit_length", bytes).unwrap_or(OUTPUT)
}

/// Reports checkers of single cases and batches that are programs: grader has one program for all of them.
fn refuse_own_programs(document: &mut Document, of_problem: Option<&Judging>, entries: &[CaseOrBatch]) {
    let is_comparison = |judging: &Judging| matches!(judging, Judging::Comparison(_));
    let mut cases = entries.iter().flat_map(|entry| &entry.cases).filter_map(|case| case.judging.as_ref());
    let compares = of_problem.is_none_or(is_comparison);
    if let Some(other) = cases.find(|own| !is_comparison(own) || !compares) {
        let message = format!("{} for some cases only: grader knows that of comparisons alone", other.name());
        document.report(&["test_cases"], Severity::Error, message);
    }
}

/// The comparison of a case of its own.
pub(super) fn own_comparison(case: &TestFiles) -> Option<Checker> {
    match &case.judging {
        Some(Judging::Comparison(checker)) => Some(*checker),
        _ => None,
    }
}

/// `true` or `false`, also in the words of YAML 1.1, which DMOJ reads.
pub(super) fn truth(value: &Value) -> Read<bool> {
    match value {
        Value::Text(word) if ["yes", "on"].iter().any(|known| word.eq_ignore_ascii_case(known)) => Ok(true),
        Value::Text(word) if ["no", "off"].iter().any(|known| word.eq_ignore_ascii_case(known)) => Ok(false),
        other => flag(other),
    }
}

fn bytes(value: &Value) -> Read<Bytes> {
    match value {
        Value::Integer(bytes) if (1..=1 << 40).contains(bytes) => Ok(Bytes(bytes.unsigned_abs())),
        other => Err(Unfit::kind("a number of bytes", other)),
    }
}

/// The numbers of batches before the batch `own`.
fn earlier(value: &Value, own: usize) -> Read<Vec<usize>> {
    let Value::List(items) = value else { return Err(Unfit::kind("a list of numbers", value)) };
    let number = |value: &Value| match value {
        Value::Integer(number) => usize::try_from(*number).ok().filter(|number| (1..own).contains(number)),
        _ => None,
    };
    let rule = || Unfit::rule("must be numbers of batches before this one, which are counted from 1");
    items.iter().map(|item| number(&item.value).ok_or_else(rule)).collect()
}
