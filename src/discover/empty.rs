//! Explains why a folder contains no problem: what is in it, and what grader looked for.

use std::path::Path;

use super::Search;
use super::candidates::{holds_source, without_solver};
use crate::package::diagnostic::Diagnostic;
use crate::package::naming::EXAMPLES;
use crate::package::plain::SOURCE_DIR;

/// What to do about a folder that has test cases and no solver.
pub(crate) const RUN_A_PROGRAM: &str =
    "add a solver, or run a program on the cases: grader run PROGRAM, or grader run -c COMMAND";

/// The most names that the message lists.
const LISTED: usize = 6;

/// The most entries of the folder that are read for the message.
const READ: usize = 2000;

/// The error for a folder without a problem.
pub(super) fn explain(search: &Search<'_>, dir: &Path) -> Diagnostic {
    if without_solver(search, dir).is_some() {
        return Diagnostic::error(dir, "contains no problem: it has test cases, but no solver").remedy(RUN_A_PROGRAM);
    }
    let seen = seen(dir);
    if holds_source(search, dir) || holds_source(search, &dir.join(SOURCE_DIR)) {
        let message = format!("contains no problem: it has a solver, but no test cases; it contains {seen}");
        let remedy = match input_in(dir) {
            Some(file) => format!("if {file} is the input, call it input.txt"),
            None => format!("add cases, for example {EXAMPLES}"),
        };
        return Diagnostic::error(dir, message).remedy(remedy);
    }
    Diagnostic::error(dir, format!("contains no problem; it contains {seen}")).remedy(format!(
        "name another directory: a problem has submissions/ or problem.toml, or is a folder with a solver and test \
         cases, for example {EXAMPLES}"
    ))
}

/// The only file of a folder that may be an input, by its name.
fn input_in(dir: &Path) -> Option<String> {
    let is_data = |name: &String| {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        let is_text = ["", "txt", "dat", "data", "csv"].contains(&ending);
        let is_other =
            ["readme", "license", "makefile", "requirements", "dockerfile", "procfile", "cmakelists", "notes"]
                .contains(&&*stem.to_lowercase());
        is_text && !is_other && !name.starts_with('.')
    };
    // An unreadable folder was reported already.
    let listing = std::fs::read_dir(dir).into_iter().flatten().flatten().take(READ);
    let files = listing.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut names = files.filter_map(|entry| entry.file_name().into_string().ok()).filter(is_data);
    let first = names.next()?;
    names.next().is_none().then_some(first)
}

/// Lists what a folder contains: `a.txt, b/ and 3 more`.
fn seen(dir: &Path) -> String {
    // An unreadable folder was reported already.
    let listing = std::fs::read_dir(dir).into_iter().flatten().flatten().take(READ);
    let mut names: Vec<String> = listing
        .map(|entry| {
            let end = if entry.file_type().is_ok_and(|kind| kind.is_dir()) { "/" } else { "" };
            format!("{}{end}", entry.file_name().to_string_lossy())
        })
        .filter(|name| !name.starts_with('.'))
        .collect();
    names.sort();
    let more = names.len().saturating_sub(LISTED);
    names.truncate(LISTED);
    match (names.is_empty(), more) {
        (true, _) => "no files".to_owned(),
        (false, 0) => names.join(", "),
        (false, more) => format!("{} and {more} more", names.join(", ")),
    }
}
