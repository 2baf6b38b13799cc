//! Explains why a folder contains no problem: what is in it, and what grader looked for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Search;
use super::candidates::{Candidate, data_named_in, sources_in, with_data, without_solver};
use crate::diagnostic::{Diagnostic, Kind};
use crate::package::archive::is_archive_name;
use crate::package::data_files::names_data;
use crate::package::document::small_text;
use crate::package::helpers;
use crate::package::naming::{self, CaseFolders, EXAMPLES, Fit};
use crate::package::plain_cases;
use crate::package::program_input::is_argument;
use crate::package::puzzle::{self, words};
use crate::problem::HelperRole;
use crate::program_files::LARGEST;

/// The remedy for a folder that has test cases and no solver.
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
    let sources = sources_in(search, dir);
    if !sources.is_empty() {
        let (what, remedy) = lacking(search, dir, &sources);
        return Diagnostic::error(dir, format!("contains no problem: {what}")).remedy(remedy);
    }
    let folders = entries(dir).filter(is_folder).map(|entry| entry.path());
    let mut folders: Vec<PathBuf> = folders.filter_map(|folder| with_program(search, &folder, 3)).collect();
    folders.sort();
    if let Some(first) = folders.first() {
        let (what, remedy) = lacking(search, first, &sources_in(search, first));
        let name = first.strip_prefix(dir).unwrap_or(first).display();
        return Diagnostic::error(dir, format!("contains no problem; {name}: {what}")).remedy(remedy);
    }
    let mut archives = entries(dir).map(|entry| entry.path()).filter(|path| is_archive_name(path));
    if archives.next().is_some() {
        let message = format!("contains no problem; it contains {}", seen(dir));
        return Diagnostic::error(dir, message).remedy("name the archives of problems themselves, such as sums.zip");
    }
    Diagnostic::error(dir, format!("contains no problem; it contains {}", seen(dir))).remedy(format!(
        "name another directory: a problem has submissions/ or problem.toml, or is a folder with a solver and test \
         cases, for example {EXAMPLES}"
    ))
}

/// The defect of a folder that has programs and no test cases, and its remedy.
fn lacking(search: &Search<'_>, dir: &Path, sources: &[PathBuf]) -> (String, String) {
    let missing = missing_data(search, sources);
    let names = missing.as_ref().map(|(source, name)| format!("; {source} reads {name}, which is not there"));
    let what = format!("it has a solver, but no test cases{}; it contains {}", names.unwrap_or_default(), seen(dir));
    if holds_search(sources) {
        return (what, "search for an input on which the solver fails: grader stress".to_owned());
    }
    let save = || missing.map(|(_, name)| format!("save the input as {name}"));
    let stem = |source: &PathBuf| source.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let add = || match sources.iter().filter_map(stem).find(|stem| !stem.starts_with("__")) {
        // A test with another name would be one for all of them.
        Some(stem) if sources.len() > 1 => {
            format!("add cases with the names of their programs, for example {stem}1.in with {stem}1.ans")
        }
        _ => format!("add cases, for example {EXAMPLES}"),
    };
    let remedy = renaming(dir, sources).or_else(save).unwrap_or_else(add);
    (what, remedy)
}

/// Says which folders beside the problems have a solver but no input: that file may have been forgotten. `start` is where
/// the search began.
pub(super) fn folders_without_input(search: &Search<'_>, start: &Path, found: &[Candidate]) -> Option<Diagnostic> {
    let known: BTreeSet<&Path> = found.iter().map(|candidate| &*candidate.dir).collect();
    let around: BTreeSet<&Path> =
        known.iter().flat_map(|dir| dir.ancestors().skip(1)).filter(|above| above.starts_with(start)).collect();
    let folders = around.iter().flat_map(|above| entries(above)).filter(is_folder).map(|entry| entry.path());
    // Paths are in order, so the first that is not before a folder is in it, if any is.
    let holds_problem = |folder: &Path| known.range(folder..).next().is_some_and(|dir| dir.starts_with(folder));
    let is_apart = |folder: &PathBuf| !holds_problem(folder) && !folder.ancestors().any(|above| known.contains(above));
    let mut folders: Vec<PathBuf> =
        folders.filter(is_apart).filter_map(|folder| with_program(search, &folder, 2)).collect();
    folders.sort();
    let first = folders.first()?;
    let missing = missing_data(search, &sources_in(search, first));
    let names = missing.map(|(source, name)| format!("; {source} reads {name}, which is not there"));
    let more = match folders.len() - 1 {
        0 => String::new(),
        1 => " (1 more folder like this)".to_owned(),
        more => format!(" ({more} more folders like this)"),
    };
    let message = format!("not a problem: it has a solver, but no test cases{}{more}", names.unwrap_or_default());
    Some(Diagnostic::warning(first, message).kind(Kind::Ignored))
}

/// Says that programs of a folder are not run, because problems are below it.
pub(super) fn programs_above(search: &Search<'_>, dir: &Path, found: &[Candidate]) -> Option<Diagnostic> {
    let is_outer = found.iter().all(|candidate| candidate.dir != dir && candidate.dir.starts_with(dir));
    let source = sources_in(search, dir).into_iter().find(|source| source.parent() == Some(dir));
    let name = source.as_ref()?.file_name()?.to_string_lossy().into_owned();
    let has_data = with_data(search, dir).is_some() || plain_cases::holds_cases(dir);
    let message = "its programs are not run, because problems are in the folders below";
    let found = Diagnostic::warning(dir, message).kind(Kind::Ignored);
    (is_outer && has_data).then(|| found.remedy(format!("run one alone: grader run {name}")))
}

/// A folder with a program: this one, or the first one below it.
fn with_program(search: &Search<'_>, dir: &Path, levels: usize) -> Option<PathBuf> {
    let name = dir.file_name()?.to_str()?;
    if name.starts_with('.') || NO_CASES.contains(&name) || NO_PROGRAMS.contains(&&*name.to_lowercase()) {
        return None;
    }
    if !sources_in(search, dir).is_empty() {
        return Some(dir.to_owned());
    }
    let mut below: Vec<PathBuf> = entries(dir).filter(is_folder).map(|entry| entry.path()).collect();
    below.sort();
    below.iter().filter(|_| levels > 0).find_map(|below| with_program(search, below, levels - 1))
}

/// Folders whose programs solve nothing.
const NO_PROGRAMS: &[&str] = &[
    "scripts",
    "script",
    "tools",
    "tool",
    "utils",
    "util",
    "helpers",
    "helper",
    "common",
    "shared",
    "support",
    "templates",
    "template",
    "test",
    "tests",
    "examples",
    "bin",
    "ci",
    "bench",
    "benches",
];

fn is_folder(entry: &std::fs::DirEntry) -> bool {
    entry.file_type().is_ok_and(|kind| kind.is_dir())
}

/// Whether a folder has a generator and a brute force beside a solver.
fn holds_search(sources: &[PathBuf]) -> bool {
    let stem = |source: &PathBuf| source.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
    let has = |role| sources.iter().filter_map(stem).any(|stem| helpers::role_of_stem(&stem) == Some(role));
    has(HelperRole::Generator) && has(HelperRole::BruteForce)
}

/// A source with the first file that it reads and that is not there.
fn missing_data(search: &Search<'_>, sources: &[PathBuf]) -> Option<(String, String)> {
    sources.iter().find_map(|source| {
        let missing = data_named_in(search, source).into_iter().find(|file| file.path.is_none())?;
        Some((source.file_name()?.to_string_lossy().into_owned(), missing.name.display().to_string()))
    })
}

/// The renaming by which files of a folder become test cases, if their names show what they may be.
fn renaming(dir: &Path, sources: &[PathBuf]) -> Option<String> {
    let files = data_in(dir);
    // A program gets a `.in` on standard input, and `input.txt` as its argument.
    let takes_file = |source: &PathBuf| is_argument(&small_text(source, LARGEST).unwrap_or_default());
    if let Some(first) =
        files.iter().find(|file| !puzzle::names_answer(file)).filter(|_| sources.iter().all(takes_file))
    {
        return Some(format!("if {first} is the input, call it input.txt, and its answer answer.txt"));
    }
    if !files.is_empty() {
        return renaming_of(&files, "");
    }
    if let Some((input, answer)) = pair_in(dir, sources) {
        let stem = input.rsplit_once('.').map_or(&*input, |(stem, _)| stem);
        return Some(format!("if {input} is an input and {answer} its answer, call them {stem}.in and {stem}.ans"));
    }
    if let Some(only) = only_unknown_in(dir, sources) {
        return Some(format!("if {only} is the input, call it input.txt"));
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
        let stem = stem_of(answer);
        let of_input = stem_of(first);
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
    let files = entries(dir).filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut names: Vec<String> =
        files.filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| names_data(name)).collect();
    names.sort();
    names
}

/// Two files with one name and unknown endings, sorted: `case1.question` and `case1.solution`.
fn pair_in(dir: &Path, sources: &[PathBuf]) -> Option<(String, String)> {
    let files = entries(dir).filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let stem = |name: &str| name.rsplit_once('.').map(|(stem, _)| stem.to_owned()).filter(|stem| !stem.is_empty());
    let of_source = |stem: &str| sources.iter().any(|source| source.file_stem().is_some_and(|own| own == stem));
    let mut names: Vec<String> = files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let ending = |name: &str| name.rsplit_once('.').map(|(_, ending)| ending.to_lowercase()).unwrap_or_default();
    // `input1.0` and `input1.1` are numbered.
    let is_number = |name: &str| ending(name).bytes().all(|byte| byte.is_ascii_digit());
    names.windows(2).find_map(|pair| {
        let [one, other] = pair else { return None };
        let is_pair = stem(one).is_some_and(|own| Some(&own) == stem(other).as_ref() && !of_source(&own));
        if !is_pair || is_number(one) {
            return None;
        }
        let is_swapped = ANSWER_ENDINGS.contains(&&*ending(one)) && !ANSWER_ENDINGS.contains(&&*ending(other));
        Some(if is_swapped { (other.clone(), one.clone()) } else { (one.clone(), other.clone()) })
    })
}

/// Endings that are those of answers.
const ANSWER_ENDINGS: &[&str] =
    &["a", "ans", "answer", "exp", "expected", "o", "out", "r", "ref", "res", "result", "sol"];

/// Endings of files that are neither programs nor data.
const NO_DATA: &[&str] = &[
    "md", "json", "toml", "yaml", "yml", "lock", "cfg", "ini", "xml", "html", "css", "png", "jpg", "svg", "pdf", "zip",
    "gz", "ipynb", "exe", "o", "class", "pyc", "h", "hpp", "mod", "sum", "cabal", "gradle", "iml", "sln", "csproj",
    "log",
];

/// The only file of a folder whose ending is unknown: `case1.question`.
fn only_unknown_in(dir: &Path, sources: &[PathBuf]) -> Option<String> {
    let files = entries(dir).filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let names = files.filter_map(|entry| entry.file_name().into_string().ok());
    let is_unknown = |name: &String| {
        let ending =
            name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending.to_lowercase());
        let is_source = sources.iter().any(|source| source.file_name().is_some_and(|own| own == &**name));
        // `notes.txt` has a known ending, and its name shows that it is not an input.
        ending.is_some_and(|ending| !NO_DATA.contains(&&*ending) && !names_data(&format!("x.{ending}"))) && !is_source
    };
    let mut unknown = names.filter(is_unknown);
    unknown.next().filter(|_| unknown.next().is_none())
}

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
