//! Finds the problems, tests, submissions and runs whose names a word may become.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap_complete::engine::{CompletionCandidate, PathCompleter, ValueCompleter};

use crate::cli::environment;
use crate::discover::{Search, discover_in, named_below};
use crate::problem::{Problem, ProblemId, StandardChecker};
use crate::session::records;
use crate::session::searching::searching;
use crate::workspace::Workspace;

/// The most problems that are read for one answer.
const READ: usize = 20;
/// After this time no further problem is read.
const PATIENCE: Duration = Duration::from_millis(500);
/// If more names than this begin with a word, only the names up to the next `/` are offered.
const MANY: usize = 100;
/// The most names that are offered.
const OFFERED: usize = 1000;

/// The built-in checkers, as `--checker` takes them, beside the standard ones of testlib.
const CHECKERS: [&str; 6] = ["contains", "exact", "float=1e-6", "regex", "tokens", "unordered"];

/// A kind of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Candidates {
    /// Problems, `PROBLEM/TEST` and paths.
    Selection,
    /// The same, or tests of a problem on the command line.
    SelectionOrTests,
    /// The same, or submissions of a problem on the command line.
    SelectionOrSubmissions,
    /// Problems and folders.
    Problems,
    /// Groups and tests of the problems on the command line.
    Tests,
    /// Submissions of the problems on the command line, and paths.
    Submissions,
    /// Earlier runs.
    Runs,
    /// Built-in checkers, and paths of output validators.
    Checkers,
}

impl ValueCompleter for Candidates {
    fn complete(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let names = current.to_str().and_then(|word| names(*self, word)).unwrap_or_default();
        if !names.is_empty() {
            return names.into_iter().map(CompletionCandidate::new).collect();
        }
        match self {
            Self::Selection
            | Self::SelectionOrTests
            | Self::SelectionOrSubmissions
            | Self::Submissions
            | Self::Checkers => PathCompleter::any().complete(current),
            Self::Problems => PathCompleter::dir().complete(current),
            Self::Tests | Self::Runs => Vec::new(),
        }
    }
}

/// The names that begin with a word; none if the configuration cannot be read.
fn names(candidates: Candidates, word: &str) -> Option<BTreeSet<String>> {
    if candidates == Candidates::Checkers {
        let standard = StandardChecker::ALL.iter().map(|checker| checker.name());
        let all = CHECKERS.into_iter().chain(standard);
        return Some(all.filter(|name| name.starts_with(word)).map(str::to_owned).collect());
    }
    // Errors of the configuration are reported by the command itself.
    let workspace = Workspace::open(environment::around().ok()?).ok()?;
    let found = match candidates {
        Candidates::Runs => runs(&workspace),
        Candidates::Checkers => Vec::new(),
        Candidates::Problems => {
            with_problems(&workspace, |_, all| all.into_iter().map(|(id, _)| id.to_string()).collect())
        }
        Candidates::Selection => with_problems(&workspace, |search, all| selection(search, all, word)),
        Candidates::SelectionOrTests => with_problems(&workspace, |search, all| {
            let tests =
                named(search, &all, &workspace.start, word).iter().flat_map(|problem| tests(problem, "")).collect();
            [selection(search, all, word), tests].concat()
        }),
        Candidates::SelectionOrSubmissions => with_problems(&workspace, |search, all| {
            let named = named(search, &all, &workspace.start, word);
            let own = named.iter().flat_map(|problem| submissions(problem, word)).collect();
            [selection(search, all, word), own].concat()
        }),
        Candidates::Tests => with_problems(&workspace, |search, all| {
            chosen(search, &all, &workspace.start).iter().flat_map(|problem| tests(problem, "")).collect()
        }),
        Candidates::Submissions => with_problems(&workspace, |search, all| {
            let problems = chosen(search, &all, &workspace.start);
            problems.iter().flat_map(|problem| submissions(problem, word)).collect()
        }),
    };
    let fits = |name: &String| name.starts_with(word) && !name.contains(char::is_control);
    let found: BTreeSet<String> = found.into_iter().filter(fits).collect();
    if found.len() <= MANY {
        return Some(found);
    }
    let to_slash = |name: String| match name[word.len()..].find('/') {
        Some(at) => name[..=word.len() + at].to_owned(),
        None => name,
    };
    Some(found.into_iter().map(to_slash).collect::<BTreeSet<_>>().into_iter().take(OFFERED).collect())
}

type NamedProblems = Vec<(ProblemId, PathBuf)>;

fn with_problems(workspace: &Workspace, list: impl FnOnce(&Search<'_>, NamedProblems) -> Vec<String>) -> Vec<String> {
    searching(workspace, |search| list(search, named_below(search, &workspace.start)))
}

/// Problems, and the tests of a problem that the word names already.
fn selection(search: &Search<'_>, all: NamedProblems, word: &str) -> Vec<String> {
    let named = all.iter().find(|(id, _)| word.strip_prefix(id.as_str()).is_some_and(|rest| rest.starts_with('/')));
    match named {
        Some((id, dir)) => read(search, dir).iter().flat_map(|problem| tests(problem, &format!("{id}/"))).collect(),
        None => all.into_iter().map(|(id, _)| id.to_string()).collect(),
    }
}

/// The problems that the command line names, otherwise the one of the current directory, otherwise all.
fn chosen(search: &Search<'_>, all: &NamedProblems, start: &Path) -> Vec<Arc<Problem>> {
    let around = |(_, dir): &&(ProblemId, PathBuf)| start.starts_with(dir);
    let mut dirs = named_dirs(all, start, "");
    if dirs.is_empty() {
        dirs = all.iter().filter(around).map(|(_, dir)| dir).collect();
    }
    if dirs.is_empty() {
        dirs = all.iter().map(|(_, dir)| dir).collect();
    }
    read_some(search, dirs)
}

/// The problems that the command line names beside the word that is completed.
fn named(search: &Search<'_>, all: &NamedProblems, start: &Path, but: &str) -> Vec<Arc<Problem>> {
    read_some(search, named_dirs(all, start, but))
}

fn named_dirs<'a>(all: &'a NamedProblems, start: &Path, but: &str) -> Vec<&'a PathBuf> {
    let words: Vec<String> = std::env::args().skip_while(|word| word != "--").skip(1).collect();
    let is_named = |(id, dir): &&(ProblemId, PathBuf)| {
        words.iter().any(|word| {
            let word = word.trim_end_matches('/');
            !word.is_empty() && word != but && (word == id.as_str() || start.join(word) == *dir)
        })
    };
    all.iter().filter(is_named).map(|(_, dir)| dir).collect()
}

fn read_some(search: &Search<'_>, dirs: Vec<&PathBuf>) -> Vec<Arc<Problem>> {
    let begun = Instant::now();
    dirs.into_iter().take(READ).take_while(|_| begun.elapsed() < PATIENCE).flat_map(|dir| read(search, dir)).collect()
}

/// The problem in a directory. Its errors are reported by the command itself.
fn read(search: &Search<'_>, dir: &Path) -> Vec<Arc<Problem>> {
    let found = discover_in(search, dir);
    [found.problems, found.unfinished].concat()
}

/// The groups and tests of a problem, behind a prefix.
fn tests(problem: &Problem, prefix: &str) -> Vec<String> {
    let of_group = |group: &str, case: &str| {
        let slash = if group.is_empty() { "" } else { "/" };
        format!("{prefix}{group}{slash}{case}")
    };
    let groups = problem.groups.iter().filter(|group| !group.name.is_empty()).map(|group| of_group("", &group.name));
    let cases = problem.cases().map(|(group, case)| of_group(&group.name, &case.name));
    groups.chain(cases).collect()
}

/// The submissions of a problem: below `submissions/`, or by their own names if the word is the beginning of one.
fn submissions(problem: &Problem, word: &str) -> Vec<String> {
    let ids = problem.submissions.iter().map(|submission| submission.id.as_str());
    let by_name = |id: &&str| id.rsplit('/').next().is_some_and(|name| !word.is_empty() && name.starts_with(word));
    let names = ids.clone().filter(by_name).filter_map(|id| id.rsplit('/').next());
    names.chain(ids).map(str::to_owned).collect()
}

/// The ids of recorded runs; none if they cannot be listed.
fn runs(workspace: &Workspace) -> Vec<String> {
    let recorded = records::all(&workspace.settings.store_dir()).unwrap_or_default();
    ["last", "prev"].map(str::to_owned).into_iter().chain(recorded.into_iter().map(|record| record.id)).collect()
}
