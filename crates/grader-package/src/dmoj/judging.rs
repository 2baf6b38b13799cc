//! Reads the judge of outputs: one of DMOJ's own checkers, a checker in Python, or a program.

use std::path::{Path, PathBuf};

use super::data::inner;
use crate::document::read::{Read, Unfit, count_or_zero, points, seconds, text, texts, word};
use crate::document::{Document, Value};
use grader_model::diagnostic::{Severity, TextPosition};
use grader_model::limits::Bytes;
use grader_model::problem::{Checker, DmojType, LimitOptions, Protocol, TokenOptions};
use grader_model::suggest;

/// The checker of a problem that states none.
const STANDARD: &str = "standard";
/// The name of checkers that are programs.
const BRIDGED: &str = "bridged";
/// DMOJ's own checkers that compare in ways of their own. `check.py` has them.
const IN_PYTHON: [&str; 6] = ["easy", "rstripped", "sorted", "unordered", "linecount", "linematches"];
/// How DMOJ's checker `standard` compares.
const LINES: TokenOptions = TokenOptions {
    case_sensitive: true,
    space_change_sensitive: false,
    line_sensitive: true,
    float_relative: None,
    float_absolute: None,
    numbers: grader_model::ruleset::Numbers::Decimal,
    labels: false,
};
/// The precision of `floats`, if nothing states it.
const PRECISION: u32 = 6;

/// The judge of outputs.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Judging {
    /// A built-in comparison.
    Comparison(Checker),
    /// A checker in Python.
    Script(Script),
    /// A program, which may talk to submissions.
    Program(JudgeSources),
}

/// A checker in Python.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Script {
    /// The name of one of DMOJ's own checkers, or of a file of the problem.
    pub(super) name: String,
    /// Whether it is a file.
    pub(super) is_file: bool,
    /// The arguments for its function.
    pub(super) arguments: Value,
    pub(super) place: Option<TextPosition>,
}

/// The sources of a program that judges.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JudgeSources {
    /// The files, relative to the problem.
    pub(super) files: Vec<PathBuf>,
    /// The dialect of its language: `cpp17`.
    pub(super) dialect: Option<String>,
    pub(super) protocol: Protocol,
    pub(super) limits: LimitOptions,
    pub(super) is_interactive: bool,
    pub(super) place: Option<TextPosition>,
}

impl Judging {
    /// Its name in messages.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Comparison(_) => "a comparison".to_owned(),
            Self::Script(script) => format!("the checker `{}`", script.name),
            Self::Program(sources) => {
                format!("the program {}", sources.files.first().map_or(Path::new(""), PathBuf::as_path).display())
            }
        }
    }
}

/// The checker at a path. Reports one that grader does not have.
pub(super) fn checker(document: &mut Document, at: &[&str]) -> Option<Judging> {
    let has_arguments = matches!(document.value(at), Some(Value::Table(_)));
    if has_arguments {
        document.check_table(at, &["name", "args"], Severity::Warning);
    }
    let at_name = if has_arguments { [at, &["name"]].concat() } else { at.to_vec() };
    let name = document.get_at(&at_name, text);
    // A name that is not a text was reported.
    let is_stated = document.value(at).is_some_and(|value| *value != Value::Null);
    let name = name.or_else(|| (!is_stated).then(|| STANDARD.to_owned()))?;
    let arguments = [at, &["args"]].concat();
    let script = |document: &Document, is_file| {
        let stated = document.value(&arguments).filter(|value| matches!(value, Value::Table(_)));
        let arguments = stated.cloned().unwrap_or(Value::Table(Vec::new()));
        Some(Judging::Script(Script { name: name.clone(), is_file, arguments, place: document.place(at) }))
    };
    match &*name {
        STANDARD => Some(Judging::Comparison(Checker::Tokens(LINES))),
        "identical" => Some(Judging::Comparison(Checker::Exact)),
        "floats" | "floatsabs" | "floatsrel" => floats(document, &name, &arguments),
        "sorted" if document.value(&[&arguments[..], &["split_on"]].concat()).is_none() => {
            Some(Judging::Comparison(Checker::Unordered))
        }
        BRIDGED => program(document, &arguments, false),
        own if IN_PYTHON.contains(&own) => script(document, false),
        file if file.contains('.') => {
            document.get_at(&at_name, inner)?;
            script(document, true)
        }
        _ => {
            let known =
                [&[STANDARD, "identical", "floats", "floatsabs", "floatsrel", BRIDGED][..], &IN_PYTHON].concat();
            let message = format!("DMOJ has no checker `{name}`{}", suggest::hint(&name, known.iter().copied()));
            document.report(at, Severity::Error, message);
            None
        }
    }
}

/// Compares numbers with a precision, and other words exactly.
fn floats(document: &mut Document, name: &str, arguments: &[&str]) -> Option<Judging> {
    const MODES: [(&str, (bool, bool)); 3] =
        [("default", (true, true)), ("absolute", (true, false)), ("relative", (false, true))];
    document.check_table(arguments, &["precision", "error_mode"], Severity::Warning);
    let precision = document.get_at(&[arguments, &["precision"]].concat(), precision).unwrap_or(PRECISION);
    let mode = document.get_at(&[arguments, &["error_mode"]].concat(), |value| word(value, &MODES));
    let (is_absolute, is_relative) = match name {
        "floatsabs" => (true, false),
        "floatsrel" => (false, true),
        _ => mode.unwrap_or((true, true)),
    };
    // Digits after `1e-` are always a number.
    let epsilon = format!("1e-{precision}").parse::<f64>().ok()?;
    Some(Judging::Comparison(Checker::Tokens(TokenOptions {
        float_absolute: is_absolute.then_some(epsilon),
        float_relative: is_relative.then_some(epsilon),
        ..LINES
    })))
}

fn precision(value: &Value) -> Read<u32> {
    count_or_zero(value).ok().filter(|digits| *digits <= 300).ok_or_else(|| Unfit::kind("a number of digits", value))
}

/// The program that talks to submissions.
pub(super) fn interactor(document: &mut Document) -> Option<Judging> {
    program(document, &["interactive"], true)
}

/// The program that the table at a path describes. Reports what grader does not do.
fn program(document: &mut Document, at: &[&str], is_interactive: bool) -> Option<Judging> {
    const READ: [&str; 7] = ["files", "lang", "type", "flags", "args_format_string", "time_limit", "memory_limit"];
    const TYPES: [(&str, Protocol); 3] = [
        ("default", Protocol::Dmoj(DmojType::Default)),
        ("coci", Protocol::Dmoj(DmojType::Coci)),
        ("testlib", Protocol::TESTLIB),
    ];
    const SILENT: [&str; 5] = ["feedback", "cached", "unbuffered", "compiler_time_limit", "preprocessing_time"];
    document.check_table(at, &[&READ[..], &SILENT].concat(), Severity::Warning);
    let key = |key| [at, &[key]].concat();
    let protocol = document.get_at(&key("type"), |value| word(value, &TYPES)).unwrap_or(TYPES[0].1);
    for stated in ["flags", "args_format_string"] {
        let value = document.value(&key(stated));
        if value.is_some_and(|value| !matches!(value, Value::Null) && *value != Value::List(Vec::new())) {
            let message = format!("`{stated}`: grader builds and calls the program in its own way");
            let remedy = "write what it needs into the program".to_owned();
            document.report_with(&key(stated), Severity::Error, message, Some(remedy));
        }
    }
    let limits = LimitOptions {
        time: document.get_at(&key("time_limit"), seconds),
        memory: document.get_at(&key("memory_limit"), kibibytes),
        ..LimitOptions::default()
    };
    let dialect = document.get_at(&key("lang"), text).and_then(|language| dialect(&language));
    let Some(files) = document.get_at(&key("files"), files) else {
        if document.value(&key("files")).is_none() {
            document.report(at, Severity::Error, "`files` is missing");
        }
        return None;
    };
    let place = document.place(&key("files"));
    Some(Judging::Program(JudgeSources { files, dialect, protocol, limits, is_interactive, place }))
}

/// The dialect that a language of DMOJ means. Others follow from the names of the files.
fn dialect(language: &str) -> Option<String> {
    const DIALECTS: [&str; 5] = ["11", "14", "17", "20", "23"];
    let version = language.strip_prefix("CPP").or_else(|| language.strip_prefix("CLPP"))?;
    DIALECTS.contains(&version).then(|| format!("cpp{version}"))
}

/// The files of a program: one name or several, inside the problem.
pub(super) fn files(value: &Value) -> Read<Vec<PathBuf>> {
    let names = texts(value)?;
    if names.is_empty() {
        return Err(Unfit::rule("expected at least one path"));
    }
    names.into_iter().map(|name| inner(&Value::Text(name)).map(PathBuf::from)).collect()
}

/// A memory limit in KiB.
fn kibibytes(value: &Value) -> Read<Bytes> {
    let kibi = points(value).ok().filter(|kibi| (1.0..=1e9).contains(kibi));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
    let bytes = kibi.map(|kibi| Bytes::kib(kibi as u64));
    bytes.ok_or_else(|| Unfit::kind("a number of KiB", value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_of_dmoj_are_dialects() {
        for (language, expect) in
            [("CPP17", Some("cpp17")), ("CLPP20", Some("cpp20")), ("CPP03", None), ("PY3", None), ("C", None)]
        {
            assert_eq!(dialect(language).as_deref(), expect, "{language}");
        }
    }
}
