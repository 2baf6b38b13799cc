//! Explains why a folder contains no problem: what is in it, and what grader looked for.

use std::path::{Path, PathBuf};

use super::Search;
use super::candidates::{holds_source, without_solver};
use crate::package::diagnostic::Diagnostic;
use crate::package::document::small_text;
use crate::package::helpers;
use crate::package::naming::{self, CaseFolders, EXAMPLES, Fit};
use crate::package::plain::SOURCE_DIR;
use crate::package::puzzle::{self, words};
use crate::problem::HelperRole;

/// What to do about a folder that has test cases and no solver.
pub(crate) const RUN_A_PROGRAM: &str =
    "add a solver, or run a program on the cases: grader run PROGRAM, or grader run -c COMMAND";

/// The most names that the message lists.
const LISTED: usize = 6;

/// The largest source that is read for the message, in bytes.
const LARGEST_SOURCE: u64 = 1 << 20;

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
        let remedy = if holds_search(search, dir) {
            "search for an input on which the solver fails: grader stress".to_owned()
        } else {
            renaming(dir, &sources_in(search, dir)).unwrap_or_else(|| format!("add cases, for example {EXAMPLES}"))
        };
        return Diagnostic::error(dir, message).remedy(remedy);
    }
    Diagnostic::error(dir, format!("contains no problem; it contains {seen}")).remedy(format!(
        "name another directory: a problem has submissions/ or problem.toml, or is a folder with a solver and test \
         cases, for example {EXAMPLES}"
    ))
}

/// Whether a folder has a generator and a brute force beside a solver.
fn holds_search(search: &Search<'_>, dir: &Path) -> bool {
    let sources = sources_in(search, dir);
    let stem = |source: &PathBuf| source.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
    let has = |role| sources.iter().filter_map(stem).any(|stem| helpers::role_of_stem(&stem) == Some(role));
    has(HelperRole::Generator) && has(HelperRole::BruteForce)
}

/// The sources directly in a folder.
fn sources_in(search: &Search<'_>, dir: &Path) -> Vec<PathBuf> {
    entries(dir).map(|entry| entry.path()).filter(|path| path.is_file() && (search.is_source)(path)).collect()
}

/// The renaming by which files of a folder become test cases, if their names show what they may be.
fn renaming(dir: &Path, sources: &[PathBuf]) -> Option<String> {
    let files = data_in(dir);
    if !files.is_empty() {
        let is_named = sources.iter().filter_map(|source| small_text(source, LARGEST_SOURCE)).any(|text| {
            files.iter().any(|file| text.contains(&format!("{file}\"")) || text.contains(&format!("{file}'")))
        });
        let and = if is_named { ", in the program too" } else { "" };
        return renaming_of(&files, "").map(|renaming| renaming + and);
    }
    let folders = entries(dir).filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut names: Vec<String> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| !name.starts_with('.') && !NO_CASES.contains(&&**name));
    names.sort();
    names.iter().find_map(|name| {
        let inner = dir.join(name);
        let has_cases = naming::fit_in(&inner, CaseFolders::Any) != Fit::None;
        if has_cases && sources.len() > 1 {
            let all = words(name);
            let stems = || sources.iter().filter_map(|source| source.file_stem()?.to_str());
            let program = stems().find(|stem| all.contains(&stem.to_lowercase())).or_else(|| stems().next())?;
            return Some(format!(
                "if {name}/ has the test cases of {program}, move them beside it: {program}1.in with {program}1.ans"
            ));
        }
        if has_cases {
            return Some(format!("if {name}/ has the test cases, call it tests/"));
        }
        // A file without an ending is less likely a case in another folder.
        let mut files = data_in(&inner);
        files.retain(|file| file.contains('.'));
        renaming_of(&files, &format!("{name}/"))
    })
}

/// Folders that hold no test cases, whatever their files are called.
const NO_CASES: &[&str] = &["node_modules", "target", "build", "venv", "src", "lib", "include", "docs", "__pycache__"];

/// The renaming of some files in a folder with this path.
fn renaming_of(files: &[String], folder: &str) -> Option<String> {
    let stem_of = |file: &str| file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned();
    let numbers = |file: &str| -> Vec<String> {
        words(&stem_of(file)).into_iter().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit())).collect()
    };
    let (answers, inputs): (Vec<&String>, Vec<&String>) = files.iter().partition(|file| puzzle::names_answer(file));
    let first = *inputs.first()?;
    let pair = answers.iter().find(|answer| {
        let (stem, of_input) = (stem_of(answer), stem_of(first));
        stem.starts_with(&of_input) || numbers(answer) == numbers(first)
    });
    let name = match &numbers(first)[..] {
        [] if pair.is_some() => "1".to_owned(),
        [number] if pair.is_some() => number.clone(),
        _ => stem_of(first),
    };
    Some(match (pair, &inputs[..]) {
        (Some(answer), _) => format!(
            "if {folder}{first} is an input and {folder}{answer} its answer, call them {folder}{name}.in and {folder}{name}.ans"
        ),
        (None, [only]) if folder.is_empty() => format!("if {only} is the input, call it input.txt"),
        (None, _) => {
            format!("if {folder}{first} is an input, call it {folder}{name}.in, and its answer {folder}{name}.ans")
        }
    })
}

/// The files of a folder that may be inputs or answers, by their names.
fn data_in(dir: &Path) -> Vec<String> {
    let is_data = |name: &String| {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        let is_text = ["", "txt", "dat", "data", "csv", "out", "ans", "in"].contains(&ending);
        is_text && !NO_DATA.contains(&&*stem.to_lowercase()) && !name.starts_with('.')
    };
    let files = entries(dir).filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut names: Vec<String> =
        files.filter_map(|entry| entry.file_name().into_string().ok()).filter(is_data).collect();
    names.sort();
    names
}

/// Stems of files that are no data.
const NO_DATA: &[&str] = &[
    "readme",
    "license",
    "makefile",
    "requirements",
    "dockerfile",
    "procfile",
    "cmakelists",
    "notes",
    "gradlew",
    "mvnw",
    "justfile",
    "gemfile",
    "rakefile",
];

/// The entries of a folder. An unreadable folder was reported already.
fn entries(dir: &Path) -> impl Iterator<Item = std::fs::DirEntry> {
    std::fs::read_dir(dir).into_iter().flatten().flatten().take(READ)
}

/// Lists what a folder contains: `a.txt, b/ and 3 more`.
fn seen(dir: &Path) -> String {
    let mut names: Vec<String> = entries(dir)
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
