//! Mistakes in requests, in words for the client.

use std::str::Utf8Error;

use crate::driver::SOLUTION;
use crate::judge::compare::Unreadable;
use crate::problem::CheckerError;

/// The reason why a line cannot be carried out as a request.
#[derive(Debug, thiserror::Error)]
pub(super) enum Mistake {
    /// The line is too long; the largest size is in MiB.
    #[error("the line is longer than {0} MiB")]
    TooLong(u64),
    #[error("not UTF-8: {0}")]
    Encoding(#[from] Utf8Error),
    /// The line is not JSON, or has other keys.
    #[error("{}", in_line(.0))]
    Syntax(#[from] serde_json::Error),
    #[error("a request is an object: {{\"id\": …}}")]
    NoObject,
    #[error("neither `source` nor `files` is there")]
    NoProgram,
    #[error("`source` and `files` are both there; write one of them")]
    TwoPrograms,
    #[error("`files` is empty")]
    NoFiles,
    #[error("`files`: {0:?} is not a relative path without `..`")]
    FileName(String),
    #[error("`files`: with `entry`, one of them is `{SOLUTION}`, or of that name in another language")]
    NoSolution,
    #[error("`files`: with `entry`, `{0}` is the program that calls the solution")]
    OwnDriver(&'static str),
    #[error("`tests` is empty")]
    NoTests,
    /// The test with this number, from 0.
    #[error("`tests[{0}].output` is missing")]
    NoOutput(usize),
    #[error("`tests[{test}].{key}` is not a string; only calls of a function have other values")]
    NoText { test: usize, key: &'static str },
    #[error("`tests[{test}].{key}`: {error}")]
    Value { test: usize, key: &'static str, error: Unreadable },
    #[error("`tests[{0}].input` is not a list of arguments")]
    NoArguments(usize),
    #[error("`tests[{0}].output`: assertions have none")]
    OutputOfAssertion(usize),
    #[error("`checker`: assertions need none")]
    CheckerOfAssertions,
    #[error("`checker`: `{0}` compares texts; calls of a function have values")]
    TextCheckerOfCalls(&'static str),
    #[error("`checker`: {0}")]
    Checker(#[from] CheckerError),
    #[error("`entry.function`: {0:?} cannot be the name of a function")]
    FunctionName(String),
    #[error("`entry` has either `function` or `asserts: true`")]
    Entry,
    #[error("`{place}.{key}`: {value} is not between 0 and {most} {unit}")]
    Limit { place: &'static str, key: &'static str, value: f64, most: f64, unit: &'static str },
    #[error("`{0}.processes`: a program needs at least 1")]
    NoProcess(&'static str),
}

/// A syntax error in words. Its line is always 1, so only the column is shown.
fn in_line(error: &serde_json::Error) -> String {
    let words = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let words = words.strip_suffix(&place).unwrap_or(&words);
    let what = if error.is_data() { "" } else { "not JSON: " };
    format!("{what}column {}: {words}", error.column())
}
