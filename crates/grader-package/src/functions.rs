//! Problems whose tests call a function (`entry.function`): a driver calls it with the arguments in the input, and the
//! value that it returns is compared with the answer, both as JSON.

use std::path::PathBuf;

use crate::driver::{self, DRIVER};
use crate::reader::Reader;
use grader_model::diagnostic::Diagnostic;
use grader_model::problem::{Additions, Checker, IncludedFiles, OwnChecker, TestGroup};

/// The code of the language whose functions can be called.
const PYTHON: &str = "python3";

/// Adds the driver to submissions, and makes all checkers those of values. Returns that of the problem.
pub(crate) fn call(
    reader: &Reader<'_>,
    function: &str,
    stated: Option<Checker>,
    groups: &mut [TestGroup],
    additions: &mut Additions,
) -> OwnChecker {
    let of_values = |stated: Option<Checker>| {
        Checker::of_values(stated).unwrap_or_else(|name| {
            let message = format!("`{name}` compares texts; calls of a function have values");
            reader.error(&reader.dir, message, "write `exact` or a tolerance such as `float=1e-6`, or leave it out");
            Checker::default()
        })
    };
    for group in groups {
        group.checker = group.checker.map(|checker| of_values(Some(checker)));
        for own in group.cases.iter_mut().filter_map(|case| case.own.as_mut()) {
            own.checker = own.checker.map(|checker| of_values(Some(checker)));
        }
    }
    if additions.include.contains_key(PYTHON) {
        let dir = reader.dir.join("include").join(PYTHON);
        reader.error(&dir, "files beside programs in Python, whose function a driver calls", "remove them");
    }
    match (reader.derive)(&[(DRIVER.to_owned(), driver::calling(function).into_bytes())]) {
        Ok(dir) => {
            let included = IncludedFiles { dir, files: vec![PathBuf::from(DRIVER)] };
            additions.include.insert(PYTHON.to_owned(), included);
        }
        Err(error) => {
            let message = format!("cannot write the program that calls `{function}`: {error}");
            reader.report(Diagnostic::error(&reader.dir, message).remedy("make the folder writable"));
        }
    }
    OwnChecker::Stated(of_values(stated))
}
