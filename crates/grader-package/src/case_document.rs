//! Reads documents that hold all test cases of a program: JSON of Competitive Companion, of the extension CPH of Visual
//! Studio Code and of classrooms ([`classroom`]), and YAML of cargo-compete. The cases become files in a directory of the store.
//!
//! Sources: the README of Competitive Companion ("The format"); `src/types.ts` of CPH (`Problem`); `testsuite.rs` of
//! `snowchains_core`, which cargo-compete uses.

mod classroom;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use yaml_serde::with::singleton_map_recursive;

use crate::document::small_text;
use crate::folder_cases::FolderCases;
use crate::glob::Glob;
use crate::reader::Reader;
use grader_model::diagnostic::{Diagnostic, Kind, TextPosition};
use grader_model::limits::Bytes;
use grader_model::problem::{
    AnswerFile, Arguments, Checker, HeldIn, LimitOptions, OwnSetting, Program, TestCase, TestGroup, TokenOptions,
};

/// A kind of document: its directory, the endings of its name, the marks in its text, and its reader.
struct Format {
    dir: &'static str,
    endings: &'static [&'static str],
    marks: &'static [&'static str],
    /// Whether only the document has test cases: other files in its folder are fixtures of its commands.
    is_alone: bool,
    read: ReadSuites,
}

/// Reads the suites of a document, one for each program.
type ReadSuites = fn(&Reader<'_>, &Path, &str) -> Result<Vec<Suite>, Diagnostic>;

const FORMATS: &[Format] = &[
    Format {
        dir: "",
        endings: &["json"],
        marks: &["\"tests\"", "\"classroom50/tests/"],
        is_alone: true,
        read: classroom::classroom50,
    },
    Format {
        dir: ".github/classroom",
        endings: &["json"],
        marks: &["\"tests\"", "\"run\""],
        is_alone: true,
        read: classroom::autograding,
    },
    Format {
        dir: "",
        endings: &["json"],
        marks: &["\"tests\"", "\"setup\"", "\"run\""],
        is_alone: true,
        read: classroom::autograding,
    },
    Format {
        dir: "",
        endings: &["json"],
        marks: &["\"tests\"", "\"comparison\"", "\"run\""],
        is_alone: true,
        read: classroom::autograding,
    },
    Format {
        dir: ".cph",
        endings: &["prob"],
        marks: &["\"tests\"", "\"input\""],
        is_alone: false,
        read: |_, file, text| Ok(vec![companion(file, text)?]),
    },
    Format {
        dir: "",
        endings: &["json"],
        marks: &["\"tests\"", "\"input\""],
        is_alone: false,
        read: |_, file, text| Ok(vec![companion(file, text)?]),
    },
    Format {
        dir: "testcases",
        endings: &["yml", "yaml"],
        marks: &["type:", "match:"],
        is_alone: false,
        read: |_, file, text| Ok(vec![cargo_compete(file, text)?]),
    },
    Format {
        dir: "",
        endings: &["yml", "yaml"],
        marks: &["type:", "match:"],
        is_alone: false,
        read: |_, file, text| Ok(vec![cargo_compete(file, text)?]),
    },
];

/// How much of a file is read to see whether it is a document, in bytes. A folder may hold any amount of other JSON.
const LOOKED_AT: u64 = 64 << 10;
/// The largest document, in bytes.
const LARGEST: u64 = 16 << 20;
/// The most documents of a folder.
const MOST: usize = 1000;

/// The cases of one document.
struct Suite {
    /// The program that the document names, without its extension.
    program: Option<String>,
    cases: Vec<Case>,
    limits: LimitOptions,
    checker: Option<Checker>,
    /// The command that judges outputs: its text and its shell.
    command: Option<(String, String)>,
}

struct Case {
    name: Option<String>,
    input: String,
    answer: Option<String>,
    checker: Option<Checker>,
    /// The arguments of the program.
    arguments: Vec<String>,
    points: Option<f64>,
}

impl Case {
    fn new(name: Option<String>, input: String, answer: Option<String>, checker: Option<Checker>) -> Self {
        Self { name, input, answer, checker, arguments: Vec::new(), points: None }
    }
}

/// Whether a folder has such a document, as its name and the marks in its text show.
pub(super) fn is_in(dir: &Path) -> bool {
    documents(dir).is_some()
}

/// The cases in the documents of the folder of a reader, a group for each document.
pub(super) fn read(reader: &Reader<'_>) -> FolderCases {
    let found = documents(&reader.dir);
    found.map(|(format, documents)| read_all(reader, format, documents)).unwrap_or_default()
}

/// The cases of a folder whose documents alone have test cases; none if it has no such document. `others`: files that look
/// like inputs. A document counts and not these, and a warning names those that it does not mention.
pub(super) fn read_alone(reader: &Reader<'_>, others: impl FnOnce() -> Vec<PathBuf>) -> Option<FolderCases> {
    let (format, documents) = documents(&reader.dir).filter(|(format, _)| format.is_alone)?;
    // The reader of the document reports one that cannot be read.
    let texts: Vec<String> = documents.iter().filter_map(|file| small_text(file, LARGEST)).collect();
    let is_mentioned = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        texts.iter().any(|text| text.contains(&*name))
    };
    let mut others = others();
    others.retain(|file| !is_mentioned(file));
    if let ([first, rest @ ..], Some(document)) = (&others[..], documents.first()) {
        let more = if rest.is_empty() { String::new() } else { format!(" ({} more like this)", rest.len()) };
        let inside = document.strip_prefix(&reader.dir).unwrap_or(document).display();
        let message = format!("it looks like a test case, but only the tests of {inside} count; ignored{more}");
        let found = Diagnostic::warning(first, message).kind(Kind::Ignored);
        reader.report(found.remedy(format!("remove it, or remove {inside} to judge by the files")));
    }
    Some(read_all(reader, format, documents))
}

/// The first kind of document that a folder has, with its documents.
fn documents(dir: &Path) -> Option<(&'static Format, Vec<PathBuf>)> {
    let all = FORMATS.iter().map(|format| (format, format.documents(dir)));
    all.into_iter().find(|(_, documents)| !documents.is_empty())
}

fn read_all(reader: &Reader<'_>, format: &Format, documents: Vec<PathBuf>) -> FolderCases {
    let mut all = FolderCases::default();
    for file in documents {
        let Some(text) = small_text(&file, LARGEST) else {
            reader.error(&file, format!("cannot be read, or larger than {} MiB", LARGEST >> 20), "split it");
            continue;
        };
        let groups = (format.read)(reader, &file, &text).and_then(|suites| {
            let named: BTreeSet<&String> = suites.iter().filter_map(|suite| suite.program.as_ref()).collect();
            // The programs of students come later.
            let are_absent = named.len() > 1 && !named.iter().any(|program| has_program(reader, program));
            let group = |suite| group(reader, &file, suite, are_absent);
            suites.into_iter().map(group).collect::<Result<Vec<_>, _>>()
        });
        match groups {
            Ok(groups) if groups.iter().all(Option::is_none) => {
                reader.warning(Kind::Ignored, &file, "it has no test case");
            }
            Ok(groups) => {
                for (group, validator) in groups.into_iter().flatten() {
                    all.of_programs.extend((!group.name.is_empty()).then(|| group.name.clone()));
                    all.output_validators.extend(validator.map(|validator| (group.name.clone(), validator)));
                    all.groups.push(group);
                }
            }
            Err(found) => reader.report(found),
        }
    }
    all
}

impl Format {
    /// The documents of this kind in a folder.
    fn documents(&self, dir: &Path) -> Vec<PathBuf> {
        let is_meant = |path: &PathBuf| {
            let ending = path.extension().and_then(|ending| ending.to_str());
            ending.is_some_and(|ending| self.endings.contains(&ending))
        };
        // A missing folder has no documents; an unreadable one is reported by the reader of the problem.
        let listing = std::fs::read_dir(dir.join(self.dir)).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = listing.map(|entry| entry.path()).filter(is_meant).take(MOST).collect();
        files.sort();
        files.retain(|file| self.is_marked(file));
        files
    }

    /// Whether a plain file begins like a document of this kind. False if it cannot be read.
    fn is_marked(&self, file: &Path) -> bool {
        let mut head = Vec::new();
        let is_plain = file.metadata().is_ok_and(|found| found.is_file());
        let read = is_plain.then(|| File::open(file).and_then(|file| file.take(LOOKED_AT).read_to_end(&mut head)));
        let text = String::from_utf8_lossy(&head);
        matches!(read, Some(Ok(_))) && self.marks.iter().all(|mark| text.contains(mark))
    }
}

/// Writes the cases of a document as files, and returns their group with the program that judges outputs. None without
/// cases. The group has the name of its program, if that is in the folder, or if `are_absent`: those of all suites are not.
fn group(
    reader: &Reader<'_>,
    document: &Path,
    suite: Suite,
    are_absent: bool,
) -> Result<Option<(TestGroup, Option<Program>)>, Diagnostic> {
    if suite.cases.is_empty() {
        return Ok(None);
    }
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let mut cases = Vec::new();
    let mut names = BTreeSet::new();
    for (at, case) in suite.cases.into_iter().enumerate() {
        let name = name_of(case.name.as_deref(), at + 1, &mut names);
        files.push((format!("{name}.in"), case.input.into_bytes()));
        let answer = if case.answer.is_some() { AnswerFile::Ans } else { AnswerFile::Missing };
        files.extend(case.answer.map(|answer| (format!("{name}.ans"), answer.into_bytes())));
        let arguments =
            (!case.arguments.is_empty()).then(|| Arguments { submission: case.arguments, ..Arguments::default() });
        let is_own = case.checker.is_some() || case.points.is_some() || arguments.is_some();
        let own = is_own.then(|| {
            Box::new(OwnSetting { arguments, checker: case.checker, points: case.points, ..OwnSetting::default() })
        });
        cases.push(TestCase { own, ..TestCase::new(name, answer) });
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    let script = suite.command.map(|(command, shell)| ("check.sh".to_owned(), script(&command, &shell)));
    let has_script = script.is_some();
    files.extend(script);
    let dir = (reader.derive)(&files)
        .map_err(|error| Diagnostic::error(document, format!("cannot write its test cases as files: {error}")))?;
    let stated = suite.program.as_deref().map(Into::into);
    let program = suite.program.unwrap_or_else(|| stem(document));
    let name = if are_absent || has_program(reader, &program) { &*program } else { "" };
    let validator = has_script.then(|| Program::File(dir.join("check.sh")));
    let group = TestGroup {
        limits: suite.limits,
        checker: suite.checker,
        document: Some(HeldIn::Cases(document.to_owned())),
        program: stated,
        cases,
        ..TestGroup::empty(name, dir)
    };
    Ok(Some((group, validator)))
}

/// An output validator that runs a command as cargo-compete does: with the paths of the files in three variables.
fn script(command: &str, shell: &str) -> Vec<u8> {
    let quoted = command.replace('\'', "'\\''");
    format!(
        "export INPUT=\"$1\" EXPECTED_OUTPUT=\"$2\" ACTUAL_OUTPUT=\"$(mktemp)\"\ncat > \"$ACTUAL_OUTPUT\"\n\
         {shell} -c '{quoted}' >&2\n\
         case $? in 0) exit 42;; 126|127) echo 'the command of the checker did not start' >&2; exit 1;; *) exit 43;; esac\n"
    )
    .into_bytes()
}

/// A name for a case that may be that of a file: its own or its number, with a number if there is another of that name.
fn name_of(own: Option<&str>, number: usize, taken: &mut BTreeSet<String>) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() || "_-.".contains(c) { c.to_ascii_lowercase() } else { '-' };
    let clean: String = own.unwrap_or_default().chars().take(60).map(letter).collect();
    let clean = clean.trim_matches(['-', '.']);
    let mut name = if clean.is_empty() { number.to_string() } else { clean.to_owned() };
    if !taken.insert(name.clone()) {
        name = format!("{name}-{number}");
        taken.insert(name.clone());
    }
    name
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether the folder of a reader has a program of this name, beside the document or in the folders for sources.
fn has_program(reader: &Reader<'_>, program: &str) -> bool {
    ["", "src", "src/bin"].iter().any(|dir| {
        // A missing folder has no program.
        let listing = std::fs::read_dir(reader.dir.join(dir)).into_iter().flatten().flatten();
        listing.map(|entry| entry.path()).any(|path| stem(&path) == program && (reader.is_source)(&path))
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Companion {
    tests: Vec<CompanionTest>,
    /// In milliseconds.
    time_limit: Option<f64>,
    /// In MiB.
    memory_limit: Option<serde_json::Number>,
    #[serde(default)]
    interactive: bool,
    /// Of CPH: the source whose cases these are.
    src_path: Option<String>,
}

#[derive(Deserialize)]
struct CompanionTest {
    input: String,
    #[serde(default)]
    output: Option<String>,
}

fn companion(file: &Path, text: &str) -> Result<Suite, Diagnostic> {
    let read: Companion = serde_json::from_str(text).map_err(|error| {
        let place = TextPosition { line: line(error.line()), column: 1 };
        Diagnostic::error(file, format!("not the JSON of Competitive Companion or CPH: {error}")).at(Some(place))
    })?;
    if read.interactive {
        return Err(interactive(file));
    }
    let case = |test: CompanionTest| Case::new(None, test.input, test.output, None);
    let limits = LimitOptions {
        time: read
            .time_limit
            .and_then(|ms| Duration::try_from_secs_f64(ms / 1000.0).ok())
            .filter(|time| !time.is_zero()),
        memory: read.memory_limit.and_then(|mib| mib.as_u64()).filter(|mib| (1..1 << 20).contains(mib)).map(Bytes::mib),
        ..LimitOptions::default()
    };
    let program = read.src_path.map(|path| stem(Path::new(&path)));
    Ok(Suite { program, cases: read.tests.into_iter().map(case).collect(), limits, checker: None, command: None })
}

/// The first line that begins with a key.
fn place_of_line(text: &str, key: &str) -> Option<TextPosition> {
    let at = text.lines().position(|line| line.starts_with(key))?;
    Some(TextPosition { line: line(at + 1), column: 1 })
}

fn line(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn interactive(file: &Path) -> Diagnostic {
    let message = "the problem is interactive, and the document has no interactor";
    Diagnostic::warning(file, message).kind(Kind::Ignored)
}

#[derive(Deserialize)]
struct SuiteType {
    r#type: String,
}

#[derive(Deserialize)]
struct Batch {
    timelimit: Option<String>,
    r#match: Match,
    #[serde(default)]
    cases: Vec<BatchCase>,
    #[serde(default)]
    extend: Vec<Extend>,
}

#[derive(Deserialize)]
struct BatchCase {
    name: Option<String>,
    r#in: String,
    out: Option<String>,
    r#match: Option<Match>,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Extend {
    /// Cases in files: `in` and `out` are globs below `path`.
    Text { path: PathBuf, r#in: String, out: String, r#match: Option<Match> },
    /// Cases that cargo-compete downloads.
    SystemTestCases,
}

#[derive(Deserialize, Clone)]
enum Match {
    Exact,
    SplitWhitespace,
    Lines,
    Float { relative_error: Option<f64>, absolute_error: Option<f64> },
    Checker { cmd: String, shell: Shell },
}

/// The shells that cargo-compete knows (its `CheckerShell`).
#[derive(Deserialize, Clone)]
enum Shell {
    #[serde(alias = "bash")]
    Bash,
}

impl Match {
    /// The built-in comparison; none for a command.
    fn checker(&self) -> Option<Checker> {
        let tokens = TokenOptions { case_sensitive: true, ..TokenOptions::default() };
        match self {
            Self::Exact => Some(Checker::Exact),
            Self::SplitWhitespace => Some(Checker::Tokens(tokens)),
            Self::Lines => Some(Checker::Tokens(TokenOptions { space_change_sensitive: true, ..tokens })),
            Self::Float { relative_error, absolute_error } => Some(Checker::Tokens(TokenOptions {
                float_relative: *relative_error,
                float_absolute: *absolute_error,
                ..tokens
            })),
            Self::Checker { .. } => None,
        }
    }
}

/// Reads a suite of cargo-compete. Not through `Document`: a tool writes these files, and the types of its `testsuite.rs`
/// are the only description of the format.
fn cargo_compete(file: &Path, text: &str) -> Result<Suite, Diagnostic> {
    let wrong = |error: yaml_serde::Error| {
        let place = error.location().map(|at| TextPosition { line: line(at.line()), column: 1 });
        Diagnostic::error(file, format!("not a test suite of cargo-compete: {error}")).at(place)
    };
    let SuiteType { r#type } = yaml_serde::from_str(text).map_err(wrong)?;
    match &*r#type {
        "Interactive" => return Err(interactive(file)),
        "Unsubmittable" => {
            return Err(Diagnostic::warning(file, "the problem takes no submissions").kind(Kind::Ignored));
        }
        _ => {}
    }
    // Its kinds of matches are maps with one key, where newer YAML libraries expect tags.
    let batch: Batch = singleton_map_recursive::deserialize(yaml_serde::Deserializer::from_str(text)).map_err(wrong)?;
    let case = |case: BatchCase| Case::new(case.name, case.r#in, case.out, case.r#match.and_then(|own| own.checker()));
    let mut cases: Vec<Case> = batch.cases.into_iter().map(case).collect();
    for extend in batch.extend {
        cases.extend(extend.cases(file)?);
    }
    let whole = text;
    let time = batch.timelimit.map(|text| duration(&text).ok_or(text)).transpose().map_err(|text| {
        let at = place_of_line(whole, "timelimit:");
        Diagnostic::error(file, format!("`timelimit: {text}` is not a time"))
            .at(at)
            .remedy("write it like `2s` or `1500ms`")
    })?;
    let command = match &batch.r#match {
        Match::Checker { cmd, shell: Shell::Bash } => Some((cmd.clone(), "bash".to_owned())),
        _ => None,
    };
    let limits = LimitOptions { time, ..LimitOptions::default() };
    Ok(Suite { program: None, cases, limits, checker: batch.r#match.checker(), command })
}

impl Extend {
    /// The cases in the files that the globs match, by the names of the files.
    fn cases(self, document: &Path) -> Result<Vec<Case>, Diagnostic> {
        let Self::Text { path, r#in, out, r#match } = self else { return Ok(Vec::new()) };
        let base = document.parent().unwrap_or(Path::new("")).join(path);
        let inputs = matching(document, &base, &r#in)?;
        let answers = matching(document, &base, &out)?;
        let checker = r#match.and_then(|own| own.checker());
        let text = |file: &PathBuf| {
            std::fs::read_to_string(file).map_err(|error| Diagnostic::error(file, format!("cannot read: {error}")))
        };
        let case = |(name, input): (String, PathBuf)| {
            let answer = answers.get(&name).map(text).transpose()?;
            Ok(Case::new(Some(name), text(&input)?, answer, checker))
        };
        inputs.into_iter().map(case).collect()
    }
}

/// The plain files below a directory whose paths match a glob, by name without extension.
fn matching(document: &Path, base: &Path, glob: &str) -> Result<BTreeMap<String, PathBuf>, Diagnostic> {
    let pattern = Glob::any(glob.trim_start_matches('/'))
        .map_err(|error| Diagnostic::error(document, format!("`{glob}`: {error}")))?;
    let walk = walkdir::WalkDir::new(base).max_depth(8).into_iter().flatten();
    let files = walk.filter(|entry| entry.file_type().is_file()).filter(|entry| {
        let inside = entry.path().strip_prefix(base).ok().and_then(Path::to_str);
        inside.is_some_and(|inside| pattern.matches(inside))
    });
    Ok(files.take(MOST).map(|entry| (stem(entry.path()), entry.into_path())).collect())
}

/// A time such as `2s`, `1500ms` or `1m 30s`.
fn duration(text: &str) -> Option<Duration> {
    let mut total = Duration::ZERO;
    for part in text.split_whitespace() {
        let unit = part.trim_start_matches(|c: char| c.is_ascii_digit());
        let number: u64 = part.strip_suffix(unit)?.parse().ok()?;
        total += match unit {
            "ms" | "msec" => Duration::from_millis(number),
            "s" | "sec" | "secs" | "second" | "seconds" => Duration::from_secs(number),
            "m" | "min" | "mins" | "minute" | "minutes" => Duration::from_secs(number.checked_mul(60)?),
            _ => return None,
        };
    }
    (!total.is_zero()).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_names() {
        assert_eq!(duration("2s"), Some(Duration::from_secs(2)));
        assert_eq!(duration("1m 500ms"), Some(Duration::from_millis(60_500)));
        assert!(duration("2").is_none() && duration("").is_none() && duration("-1s").is_none());
        let mut taken = BTreeSet::new();
        let names = [Some("Sample 1"), None, Some("../x"), Some("sample 1")];
        let names: Vec<String> = (1..).zip(names).map(|(at, own)| name_of(own, at, &mut taken)).collect();
        assert_eq!(names, ["sample-1", "2", "x", "sample-1-4"]);
    }

    #[test]
    fn every_kind_of_match() {
        let suite = |matching: &str| {
            let text = format!(
                "type: Batch\ntimelimit: 2s\nmatch: {matching}\ncases:\n  - in: |\n      1\n    out: |\n      2\n"
            );
            cargo_compete(Path::new("a.yml"), &text).unwrap_or_else(|found| panic!("{matching}: {}", found.message))
        };
        let words = |suite: &Suite| suite.checker.map(|checker| format!("{checker:?}"));
        assert_eq!(suite("Exact").checker, Some(Checker::Exact));
        for (tokens, expected) in
            [("Lines", "case_sensitive space_change_sensitive"), ("SplitWhitespace", "case_sensitive")]
        {
            assert_eq!(suite(tokens).checker, expected.parse().ok(), "{:?}", words(&suite(tokens)));
        }
        let float = suite("\n  Float:\n    relative_error: 1e-6\n    absolute_error: 1e-9");
        let expected = "case_sensitive float_relative_tolerance 1e-6 float_absolute_tolerance 1e-9";
        assert_eq!(float.checker, expected.parse().ok(), "{:?}", words(&float));
        let command = suite("\n  Checker:\n    cmd: 'true'\n    shell: Bash");
        assert_eq!((command.checker, command.command), (None, Some(("true".into(), "bash".into()))));
    }
}
