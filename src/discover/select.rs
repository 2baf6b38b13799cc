//! Finds the problems, submissions and tests that the user's patterns match. Pure: looks at names and paths only.
//!
//! If a pattern matches several things, the strongest match counts: an exact name before a group before a prefix. For
//! example, `nine/sample/1` is one test although `nine/sample/10` begins with it. A pattern that names nothing is an
//! error: a typo must not select everything.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Severity};
use crate::glob::{Glob, GlobError};
use crate::problem::{Problem, Submission, Test, TestCase, TestGroup};
use crate::program_files::normal;
use crate::suggest;

/// The user's selection.
#[derive(Debug, Clone, Default)]
pub(crate) struct SelectionWords {
    /// `PROBLEM`, `PROBLEM/sample/01`, a prefix, a glob, or a path. If empty, everything is selected.
    pub patterns: Vec<String>,
    /// `-s`: a submission's id, file name or stem, its directory, or a glob. If empty, all are selected.
    pub submissions: Vec<String>,
    /// `-t`: a test's id or base name, a group, a prefix or a glob. If empty, all are selected.
    pub tests: Vec<String>,
    /// The absolute directory from which relative paths start.
    pub base: PathBuf,
}

/// A problem with its selected tests and submissions.
#[derive(Debug, Clone)]
pub(crate) struct SelectedProblem<'p> {
    /// The problem.
    pub problem: &'p Arc<Problem>,
    /// The position of the first pattern that names it. None without patterns.
    named_by: Option<usize>,
    /// Whether each test is selected, by position in plan order.
    tests: Vec<bool>,
    /// Whether each submission is selected, by position in the problem's list.
    submissions: Vec<bool>,
}

impl<'p> SelectedProblem<'p> {
    /// Whether the test at this position of `Problem::tests` is selected.
    pub(crate) fn has_test(&self, position: usize) -> bool {
        self.tests.get(position).copied().unwrap_or_default()
    }

    /// Whether the submission at this position of `Problem::submissions` is selected.
    pub(crate) fn has_submission(&self, position: usize) -> bool {
        self.submissions.get(position).copied().unwrap_or_default()
    }

    /// Whether a test or a submission is selected.
    fn is_any(&self) -> bool {
        self.tests.contains(&true) || self.submissions.contains(&true)
    }

    /// Returns the selected cases, in plan order.
    pub(crate) fn cases(&self) -> impl Iterator<Item = (&'p TestGroup, &'p TestCase)> + '_ {
        self.problem.tests().zip(&self.tests).filter(|(_, meant)| **meant).filter_map(|(test, _)| test.case())
    }

    /// The selected submissions, in the order in which they are shown.
    #[cfg(test)]
    pub(crate) fn submissions(&self) -> impl Iterator<Item = &'p Submission> + '_ {
        self.problem.submissions.iter().zip(&self.submissions).filter(|(_, meant)| **meant).map(|(found, _)| found)
    }
}

/// An error in the selection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SelectError {
    /// The pattern is empty, as with an unset variable of a shell.
    #[error("the empty argument names nothing")]
    Empty,
    /// The pattern matches nothing.
    #[error("no {what} matches `{pattern}`{}", .near.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
    NoMatch {
        /// `problem or test`, `submission` or `test`.
        what: &'static str,
        /// The pattern as typed.
        pattern: String,
        /// A suggestion, in a form that can be typed.
        near: Option<String>,
    },
    /// The pattern is not a valid glob.
    #[error("`{pattern}` is not a valid glob: {error}")]
    BadGlob {
        /// The pattern as typed.
        pattern: String,
        /// The reason. The message already contains it, so it is not repeated as a cause.
        error: GlobError,
    },
    /// Every pattern matches something, but no problem has both a selected submission and a selected test.
    #[error("nothing is selected: no problem has both a selected submission and a selected test")]
    Nothing,
}

impl SelectError {
    /// The wrong pattern, if a single pattern is wrong.
    pub(crate) fn pattern(&self) -> Option<&str> {
        match self {
            Self::NoMatch { pattern, .. } | Self::BadGlob { pattern, .. } => Some(pattern),
            Self::Empty => Some(""),
            Self::Nothing => None,
        }
    }
}

/// Returns the selected problems, or every mistake in the patterns. Problems of a contest have its order. Without letters, the
/// order of the patterns counts.
pub(crate) fn select<'p>(
    problems: &'p [Arc<Problem>],
    request: &SelectionWords,
) -> Result<Vec<SelectedProblem<'p>>, Vec<SelectError>> {
    let mut errors = Vec::new();
    let mut selected: Vec<SelectedProblem<'p>> =
        problems.iter().map(|problem| everything_or_nothing(problem, request)).collect();
    for (position, pattern) in request.patterns.iter().enumerate() {
        if let Err(error) = add_pattern(&mut selected, pattern, &request.base) {
            errors.push(error);
        }
        for named in selected.iter_mut().filter(|selected| selected.is_any()) {
            named.named_by.get_or_insert(position);
        }
    }
    only_named_by_path(&mut selected, request);
    selected.retain(SelectedProblem::is_any);
    if selected.iter().all(|selected| selected.problem.label.is_none()) {
        selected.sort_by_key(|selected| selected.named_by);
    }
    // If no problem is selected, every further pattern would fail too, through no fault of its own.
    if selected.is_empty() && !errors.is_empty() {
        return Err(errors);
    }
    narrow(&mut selected, &request.submissions, "submission", submission_ranks, &mut errors);
    narrow(&mut selected, &request.tests, "test", test_ranks, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let narrowed = !request.submissions.is_empty() || !request.tests.is_empty();
    if narrowed {
        // A problem without submissions of its own is there for the submissions of students. One without tests is there
        // for a command that makes inputs.
        let some = |meant: &[bool], of_none: bool| meant.contains(&true) || (of_none && meant.is_empty());
        selected.retain(|selected| {
            some(&selected.tests, request.tests.is_empty())
                && some(&selected.submissions, request.submissions.is_empty())
        });
    }
    if narrowed && selected.is_empty() { Err(vec![SelectError::Nothing]) } else { Ok(selected) }
}

fn everything_or_nothing<'p>(problem: &'p Arc<Problem>, request: &SelectionWords) -> SelectedProblem<'p> {
    let meant = request.patterns.is_empty();
    SelectedProblem {
        problem,
        named_by: None,
        tests: vec![meant; problem.test_count()],
        submissions: vec![meant; problem.submissions.len()],
    }
}

/// How strongly a pattern matches a name. The strongest match over all names decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    No,
    Prefix,
    Group,
    BaseName,
    Exact,
}

fn rank(pattern: &str, name: &str) -> Rank {
    match name.strip_prefix(pattern) {
        Some("") => Rank::Exact,
        Some(rest) if rest.starts_with('/') || pattern.ends_with('/') => Rank::Group,
        Some(_) => Rank::Prefix,
        None => Rank::No,
    }
}

/// A pattern as typed.
struct Pattern<'a> {
    words: &'a str,
    /// The glob, if the pattern has characters of a glob. A name may contain them too.
    glob: Option<Result<Glob, GlobError>>,
}

impl Pattern<'_> {
    /// How strongly it matches a name, literally or as a glob.
    fn rank(&self, name: &str) -> Rank {
        match &self.glob {
            _ if self.words == name => Rank::Exact,
            None => rank(self.words, name),
            Some(_) if self.is_glob_of(name) => Rank::Group,
            Some(_) => Rank::No,
        }
    }

    fn is_glob_of(&self, name: &str) -> bool {
        matches!(&self.glob, Some(Ok(glob)) if glob.matches(name))
    }

    /// The error if nothing matches: an invalid glob, or else `otherwise`.
    fn error(&self, otherwise: SelectError) -> SelectError {
        match &self.glob {
            Some(Err(error)) => SelectError::BadGlob { pattern: self.words.to_owned(), error: error.clone() },
            _ => otherwise,
        }
    }
}

fn parse(words: &str) -> Result<Pattern<'_>, SelectError> {
    if words.is_empty() {
        return Err(SelectError::Empty);
    }
    let glob = words.contains(['*', '?', '[', '{']).then(|| Glob::any(words));
    Ok(Pattern { words, glob })
}

/// Whether a pattern selects the problem of this name, or tests of it by their full names. The beginning of a name is not
/// enough.
pub(crate) fn names_problem(pattern: &str, name: &str) -> bool {
    let is_below = || pattern.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
    // An empty pattern names nothing.
    let is_named = || parse(pattern).is_ok_and(|pattern| pattern.rank(name) >= Rank::Exact || pattern.is_glob_of(name));
    is_below() || is_named()
}

/// Warnings about words that no selected problem has as its name: each selects the problems whose names begin with it.
pub(crate) fn begun_by(words: &[String], problems: &[Arc<Problem>]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let ids = || problems.iter().map(|problem| problem.id.as_str());
    for word in words.iter().filter(|word| !ids().any(|id| names_problem(word, id))) {
        let begun: Vec<&str> = ids().filter(|id| id.starts_with(&**word)).collect();
        if !begun.is_empty() {
            let message = format!("no problem has the name `{word}`: grader takes {}", begun.join(", "));
            found.push(Diagnostic::new(Severity::Warning, message));
        }
    }
    found
}

/// Adds everything that one pattern matches.
fn add_pattern(selected: &mut [SelectedProblem<'_>], pattern: &str, base: &Path) -> Result<(), SelectError> {
    let parsed = parse(pattern)?;
    let ranks: Vec<Vec<Rank>> = selected.iter().map(|selected| full_ranks(selected.problem, &parsed)).collect();
    let best = ranks.iter().flatten().copied().max().unwrap_or(Rank::No);
    if best == Rank::No {
        return if add_path(selected, &normal(&base.join(pattern)), base) {
            Ok(())
        } else {
            Err(parsed.error(no_problem(selected, pattern, base)))
        };
    }
    for (selected, ranks) in selected.iter_mut().zip(ranks) {
        let whole = ranks[0] == best;
        let mut any = whole;
        for (meant, rank) in selected.tests.iter_mut().zip(&ranks[1..]) {
            any |= *rank == best;
            *meant |= whole || *rank == best;
        }
        if any {
            selected.submissions.fill(true);
        }
    }
    Ok(())
}

/// The rank of the problem, then the rank of every test by its full name.
fn full_ranks(problem: &Problem, pattern: &Pattern<'_>) -> Vec<Rank> {
    // If several problems share a name, the name matches each of them.
    let id = problem.id.as_str();
    let slug = problem.slug();
    let names = [id].into_iter().chain((slug != id).then_some(slug));
    let strongest = |rank_of: &dyn Fn(&str) -> Rank| names.clone().map(rank_of).max().unwrap_or(Rank::No);
    // `nine/` matches the problem just as `nine` does.
    let of_problem = |name: &str| {
        if pattern.words.strip_suffix('/') == Some(name) { Rank::Exact } else { pattern.rank(name) }
    };
    let tests = problem.tests().map(|test| strongest(&|name| pattern.rank(&format!("{name}/{}", test.id()))));
    [strongest(&of_problem)].into_iter().chain(tests).collect()
}

/// Selects everything at a path: a problem's directory or one above it, submissions, or test data. Decides by names
/// alone: a path that does not exist matches nothing, even deep inside a problem.
fn add_path(selected: &mut [SelectedProblem<'_>], path: &Path, start: &Path) -> bool {
    let mut any = false;
    for selected in selected {
        let problem = selected.problem;
        let submissions = submissions_at(problem, path);
        if submissions.contains(&true) {
            selected.submissions.iter_mut().zip(submissions).for_each(|(meant, also)| *meant |= also);
            selected.tests.fill(true);
            any = true;
            continue;
        }
        let mut tests: Vec<bool> = problem.tests().map(|test| is_test_at(problem, test, path)).collect();
        // Inside a problem, `.` and `..` mean that problem.
        let stands_inside = path.starts_with(&problem.dir) && start.starts_with(path);
        let is_whole = !tests.contains(&true) && (problem.place().starts_with(path) || stands_inside);
        if is_whole {
            tests.fill(true);
        }
        if is_whole || tests.contains(&true) {
            selected.tests.iter_mut().zip(tests).for_each(|(meant, also)| *meant |= also);
            selected.submissions.fill(true);
            any = true;
        }
    }
    any
}

/// Which submissions are at a path or in the folder there. None for the problem's own folder and those above it.
fn submissions_at(problem: &Problem, path: &Path) -> Vec<bool> {
    let is_folder = path.starts_with(&problem.dir) && path != problem.dir;
    let is_at = |found: &Submission| {
        path != problem.dir && found.is_at(path)
            || is_folder && found.source().is_some_and(|source| source.starts_with(path))
    };
    problem.submissions.iter().map(is_at).collect()
}

/// Whether a test is in the folder at a path, or is the case with this input, answer, or name without extension.
fn is_test_at(problem: &Problem, test: Test<'_>, path: &Path) -> bool {
    let group = test.group();
    if group.dir != problem.dir && group.dir.starts_with(path) {
        return true;
    }
    if let (Some(_), Some((_, case))) = (&group.naming, test.case()) {
        // The inputs may be in a folder of their own.
        let is_inside = path.starts_with(&group.dir) && path != group.dir;
        let is_at = |file: &Path| is_inside && file.starts_with(path);
        return is_at(&group.input_of(case)) || group.answer_of(case).is_some_and(|answer| is_at(&answer));
    }
    path.parent() == Some(&group.dir)
        && test.case().is_some_and(|(group, case)| {
            let input = group.input_of(case);
            input == path || group.answer_of(case).is_some_and(|answer| answer == path) || input == with_in(path)
        })
}

/// The path with `.in` added: the input of the case with this path.
fn with_in(path: &Path) -> PathBuf {
    let mut input = path.as_os_str().to_owned();
    input.push(".in");
    input.into()
}

/// If some patterns name submissions of a problem by their paths, only those submissions are selected, even if another
/// pattern names the whole problem.
fn only_named_by_path(selected: &mut [SelectedProblem<'_>], request: &SelectionWords) {
    let paths: Vec<PathBuf> = request.patterns.iter().map(|pattern| normal(&request.base.join(pattern))).collect();
    for selected in selected {
        let mut named = vec![false; selected.submissions.len()];
        for path in &paths {
            named.iter_mut().zip(submissions_at(selected.problem, path)).for_each(|(named, also)| *named |= also);
        }
        if named.contains(&true) {
            selected.submissions = named;
        }
    }
}

/// The most names that are compared with a misspelt pattern.
const COMPARED: usize = 2000;

/// The error that a pattern matches nothing, with a suggestion: a problem, or else a submission or a test.
fn no_problem(selected: &[SelectedProblem<'_>], pattern: &str, base: &Path) -> SelectError {
    // A user inside a problem probably means that problem.
    let is_around = |problem: &&Arc<Problem>| {
        base.starts_with(&problem.dir) || problem.groups.iter().any(|group| group.dir.starts_with(base))
    };
    let (mut all, others): (Vec<&Arc<Problem>>, Vec<&Arc<Problem>>) =
        selected.iter().map(|selected| selected.problem).partition(is_around);
    all.extend(others);
    let problems = || all.iter().copied();
    let ids = problems().map(|problem| (problem.id.to_string(), problem.id.to_string())).collect();
    let near = nearest(pattern, &ids).or_else(|| {
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        let mut add = |name: String, typed: &str| {
            if names.len() < COMPARED {
                names.entry(name).or_insert_with(|| typed.to_owned());
            }
        };
        let below = |path: &Path| path.strip_prefix(base).ok().and_then(Path::to_str).map(str::to_owned);
        for problem in problems() {
            for submission in &problem.submissions {
                let id = submission.id.as_str();
                let path = submission.source().as_deref().and_then(below);
                let typed = path.clone().unwrap_or_else(|| format!("{} -s {id}", problem.id));
                let [id, file, stem, dir] = forms(id);
                [id, file, stem].into_iter().chain(path).for_each(|name| add(name, &typed));
                add(dir.clone(), &format!("{} -s {dir}", problem.id));
            }
        }
        for problem in problems() {
            let groups = problem.groups.iter().map(|group| format!("{}/{}", problem.id, group.name));
            groups.for_each(|name| add(name.clone(), &name));
            for test in problem.tests() {
                let typed = format!("{}/{}", problem.id, test.id());
                let path = test.case().and_then(|(group, case)| below(&group.input_of(case)));
                add(typed.clone(), &typed);
                add(test.id().to_string(), &typed);
                if let Some(path) = path {
                    add(path.clone(), &path);
                }
            }
        }
        nearest(pattern, &names)
    });
    SelectError::NoMatch { what: "problem or test", pattern: pattern.to_owned(), near }
}

/// The text to type for the name most similar to a pattern.
fn nearest(pattern: &str, names: &BTreeMap<String, String>) -> Option<String> {
    let pattern = pattern.trim_start_matches("./");
    let near = suggest::closest(pattern, names.keys().map(String::as_str))?;
    names.get(near).cloned()
}

/// The forms in which people type a name: itself, the file, the file without extension, the folder.
fn forms(name: &str) -> [String; 4] {
    let file = name.rsplit('/').next().unwrap_or(name);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let dir = name.rsplit_once('/').map_or(file, |(dir, _)| dir);
    [name.to_owned(), file.to_owned(), stem.to_owned(), dir.to_owned()]
}

/// For each list of names and ranks, the positions with the best rank of all lists.
fn strongest(
    pattern: &Pattern<'_>,
    what: &'static str,
    ranks: &[Vec<(String, Rank)>],
) -> Result<Vec<Vec<usize>>, SelectError> {
    let best = ranks.iter().flatten().map(|(_, rank)| *rank).max().unwrap_or(Rank::No);
    if best == Rank::No {
        let names: BTreeSet<String> = ranks.iter().flatten().take(COMPARED).flat_map(|(name, _)| forms(name)).collect();
        let close = || suggest::closest(pattern.words, names.iter().map(String::as_str)).map(str::to_owned);
        let near = folder_called(pattern.words, ranks).or_else(close);
        return Err(pattern.error(SelectError::NoMatch { what, pattern: pattern.words.to_owned(), near }));
    }
    let of_one = |ranks: &Vec<(String, Rank)>| {
        ranks.iter().enumerate().filter(|(_, (_, rank))| *rank == best).map(|(at, _)| at).collect()
    };
    Ok(ranks.iter().map(of_one).collect())
}

/// The whole path of the folder that a pattern is the last part of: `secret/g1` for `g1`.
fn folder_called(pattern: &str, ranks: &[Vec<(String, Rank)>]) -> Option<String> {
    let wanted = format!("/{}/", pattern.trim_matches('/'));
    let whole = |name: &str| name.find(&wanted).map(|at| name[..at + wanted.len() - 1].to_owned());
    ranks.iter().flatten().take(COMPARED).find_map(|(name, _)| whole(name))
}

/// Keeps only the submissions, or only the tests, that the patterns match.
fn narrow(
    selected: &mut [SelectedProblem<'_>],
    patterns: &[String],
    what: &'static str,
    ranks_of: fn(&Problem, &Pattern<'_>) -> Vec<(String, Rank)>,
    errors: &mut Vec<SelectError>,
) {
    if patterns.is_empty() {
        return;
    }
    let mut meant: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); selected.len()];
    for pattern in patterns {
        let ranked = |parsed: Pattern<'_>| {
            let ranks: Vec<_> = selected.iter().map(|selected| ranks_of(selected.problem, &parsed)).collect();
            strongest(&parsed, what, &ranks)
        };
        match parse(pattern).and_then(ranked) {
            Ok(found) => meant.iter_mut().zip(found).for_each(|(meant, found)| meant.extend(found)),
            Err(error) => errors.push(error),
        }
    }
    for (selected, meant) in selected.iter_mut().zip(meant) {
        let axis = if what == "test" { &mut selected.tests } else { &mut selected.submissions };
        axis.iter_mut().enumerate().for_each(|(at, kept)| *kept &= meant.contains(&at));
    }
}

fn test_rank(pattern: &Pattern<'_>, id: &str, base: &str) -> Rank {
    match pattern.rank(id) {
        Rank::Exact => Rank::Exact,
        _ if pattern.words == base => Rank::BaseName,
        Rank::No if pattern.is_glob_of(base) => Rank::Group,
        rank => rank,
    }
}

fn test_ranks(problem: &Problem, pattern: &Pattern<'_>) -> Vec<(String, Rank)> {
    let named = |test: Test<'_>| {
        let id = test.id().to_string();
        let rank = test_rank(pattern, &id, test.name());
        (id, rank)
    };
    problem.tests().map(named).collect()
}

fn submission_ranks(problem: &Problem, pattern: &Pattern<'_>) -> Vec<(String, Rank)> {
    let rank_of = |id: &str| {
        let [_, file, stem, _] = forms(id);
        match pattern.rank(id) {
            Rank::Exact => Rank::Exact,
            _ if pattern.words == file => Rank::BaseName,
            // A directory as in `submissions.yaml`, or the file's stem: one word may mean both.
            Rank::Group => Rank::Group,
            _ if pattern.words == stem || pattern.is_glob_of(&file) => Rank::Group,
            _ => Rank::No,
        }
    };
    let ids = problem.submissions.iter().map(|submission| submission.id.as_str());
    ids.map(|id| (id.to_owned(), rank_of(id))).collect()
}

#[cfg(test)]
mod tests;
