//! What is wrong outside of any run, as notices; and shown where there will be no run.

use std::io::{self, Write};

use crate::event::{Notice, Severity};
use crate::package::diagnostic::{self, Diagnostic};
use crate::report::terminal::notice_lines;
use crate::report::text::Paint;

/// A finding about a file, with its place in it.
pub(super) fn notice_of(found: &Diagnostic) -> Notice {
    let place = match (found.line, found.column) {
        (Some(line), Some(column)) => format!("line {line}, column {column}: "),
        (Some(line), None) => format!("line {line}: "),
        _ => String::new(),
    };
    Notice {
        severity: match found.severity {
            diagnostic::Severity::Warning => Severity::Warning,
            diagnostic::Severity::Error => Severity::Error,
        },
        problem: found.problem.clone(),
        path: Some(found.path.clone()),
        message: format!("{place}{}", found.message),
        remedy: found.remedy.clone().unwrap_or_default(),
    }
}

/// Something that the store has to tell.
pub(super) fn store_notice(text: &str) -> Notice {
    Notice { severity: Severity::Info, problem: None, path: None, message: text.to_owned(), remedy: String::new() }
}

/// Shows findings where no reporter will.
pub(super) fn show_diagnostics(found: &[Diagnostic], paint: Paint) {
    let mut err = io::stderr().lock();
    for found in found {
        for line in notice_lines(&notice_of(found)) {
            let _ = writeln!(err, "{}", line.render(paint));
        }
    }
}
