//! Problems whose tests call a function (`entry.function`): a driver calls it with the arguments in the input, and the
//! value that it returns is compared with the answer, both as JSON.

use std::path::PathBuf;

use crate::driver::CALLERS;
use crate::reader::Reader;
use grader_model::diagnostic::Diagnostic;
use grader_model::problem::{Additions, Checker, IncludedFiles, OwnChecker, TestGroup};

/// Adds the drivers to submissions, and makes all checkers those of values. Returns that of the problem.
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
    for caller in CALLERS {
        if additions.include.contains_key(caller.code) {
            let dir = reader.dir.join("include").join(caller.code);
            let message = format!("files beside programs in {}, whose function a driver calls", caller.language);
            reader.error(&dir, message, "remove them");
        }
        let text = caller.calling(function);
        match (reader.derive)(&[(caller.driver.to_owned(), text.into_bytes())]) {
            Ok(dir) => {
                let included = IncludedFiles { dir, files: vec![PathBuf::from(caller.driver)] };
                additions.include.insert(caller.code.to_owned(), included);
            }
            Err(error) => {
                let message = format!("cannot write the program that calls `{function}`: {error}");
                reader.report(Diagnostic::error(&reader.dir, message).remedy("make the folder writable"));
                break;
            }
        }
    }
    OwnChecker::Stated(of_values(stated))
}
