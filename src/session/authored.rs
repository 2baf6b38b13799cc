//! Finds problems for the commands that change test cases. The cases of such a problem may be incomplete, need not fit
//! their groups, and may not exist yet.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};

use super::archives::refuse_archives;
use super::searching::searching;
use super::select::{Choice, ChosenPlan, Programs, choose_among, find, one_problem};
use crate::discover::select::names_problem;
use crate::discover::{Diagnostic, Discovery, Search, is_problem, named_below};
use crate::package::generators::{Generators, Shape};
use crate::package::plain::SOURCE_DIR;
use crate::package::reader::Reader;
use crate::package::{icpc, italy, library_checker, plain, plain_cases};
use crate::problem::{HelperRole, PackageLayout, Problem, TestGroup};
use crate::program_files::normal;
use crate::workspace::Workspace;

/// A problem with the test cases that its generators make.
pub(crate) struct GeneratedProblem {
    /// The problem on disk.
    pub(crate) problem: Arc<Problem>,
    /// The list of generators; none if the problem has no such file.
    pub(crate) generators: Option<Generators>,
    /// The names of the selected cases.
    pub(crate) cases: BTreeSet<String>,
}

impl GeneratedProblem {
    /// Whether every listed case is selected.
    pub(crate) fn is_whole(&self) -> bool {
        self.generators.as_ref().is_none_or(|generators| generators.recipes.len() == self.cases.len())
    }
}

/// Selects problems by words and their listed cases by words and `-t`, as `grader run` selects those on disk. Also
/// returns the diagnostics about the selected problems.
pub(crate) fn choose_generated(
    workspace: &Workspace,
    selection: &[String],
    tests: &[String],
) -> Result<(Vec<GeneratedProblem>, Vec<Diagnostic>)> {
    let choice = Choice { tests, ..Choice::problems(workspace, selection, Programs::Refused) };
    let mut on_disk = BTreeMap::new();
    let prepare = |found| with_listed_cases(workspace, selection, found, &mut on_disk);
    let ChosenPlan { plan, found } = choose_among(workspace, &choice, prepare)?;
    let generated = plan.problems.iter().filter_map(|planned| {
        let (problem, generators) = on_disk.remove(&planned.problem.dir)?;
        let cases = planned.names.iter().map(ToString::to_string).collect();
        Some(GeneratedProblem { problem, generators, cases })
    });
    let mut generated: Vec<GeneratedProblem> = generated.collect();
    // Among others, a problem without the file has nothing to generate. One that is named must have it.
    let is_named = |problem: &Problem| selection.iter().any(|word| is_called(workspace, word, problem));
    if generated.iter().any(|one| one.generators.is_some()) {
        generated.retain(|one| one.generators.is_some() || is_named(&one.problem));
    }
    Ok((generated, found))
}

/// Selects as [`choose`](super::select::choose) does, for a command that makes its own inputs: a folder with programs needs
/// no cases.
pub(crate) fn choose_for_trials(workspace: &Workspace, choice: &Choice<'_>) -> Result<ChosenPlan> {
    choose_among(workspace, choice, |mut found| {
        let here = [String::new()];
        let words = if choice.selection.is_empty() { &here[..] } else { choice.selection };
        for word in words {
            let path = workspace.start.join(word);
            let dir = if path.is_file() { path.parent().map(Path::to_owned) } else { Some(path) };
            let folder = dir.and_then(|dir| problems_for_trials(workspace, &dir));
            let folder = folder.or_else(|| Some(vec![folder_without_cases(workspace, word)?]));
            // A program beside problems, or in one, is tried on those.
            let is_apart = |folder: &Problem| {
                let touches = |dir: &Path| dir.starts_with(&folder.dir) || folder.dir.starts_with(dir);
                !found.all().any(|known| touches(&known.dir))
            };
            let folder: Vec<Problem> = folder.into_iter().flatten().filter(is_apart).collect();
            for mut problem in folder {
                found.diagnostics.retain(|told| !told.is_below(&problem.dir));
                problem.groups.push(TestGroup::empty("", problem.dir.clone()));
                found.problems.push(Arc::new(problem));
            }
        }
        found
    })
}

/// Selects as [`choose`](super::select::choose) does, for a command that needs no complete test cases.
pub(crate) fn choose_incomplete(workspace: &Workspace, choice: &Choice<'_>) -> Result<ChosenPlan> {
    choose_among(workspace, choice, with_incomplete)
}

/// Counts problems with incomplete test cases among the others.
fn with_incomplete(mut found: Discovery) -> Discovery {
    found.diagnostics.retain(|found| !found.unfinished);
    found.problems.append(&mut found.unfinished);
    found
}

/// The problems of a folder of sources, or, if no brute force lies there, of the project around it.
fn problems_for_trials(workspace: &Workspace, dir: &Path) -> Option<Vec<Problem>> {
    let is_of_project = |dir: &&Path| dir.ends_with(SOURCE_DIR) || dir.ends_with("src/bin");
    let around = dir.ancestors().take(2).filter(is_of_project).filter_map(Path::parent);
    let mut found: Vec<Vec<Problem>> =
        std::iter::once(dir).chain(around).filter_map(|dir| problems_without_cases(workspace, dir)).collect();
    let has_brute_force = |problems: &Vec<Problem>| {
        problems.iter().flat_map(|problem| &problem.helpers).any(|helper| helper.role == HelperRole::BruteForce)
    };
    let at = found.iter().position(has_brute_force).unwrap_or(0);
    (at < found.len()).then(|| found.swap_remove(at))
}

/// Whether a word is the name of the problem or the path of its folder.
fn is_called(workspace: &Workspace, word: &str, problem: &Problem) -> bool {
    let word = word.trim_end_matches('/');
    problem.id.as_str() == word || problem.slug() == word || {
        let path = normal(&workspace.start.join(word));
        problem.dir == path || problem.place() == path
    }
}

type OnDisk = BTreeMap<PathBuf, (Arc<Problem>, Option<Generators>)>;

/// Replaces the cases on disk by those that generators.yaml lists. `on_disk` receives the original problems by directory.
/// Mistakes in that file are errors of the problem; missing cases are not.
fn with_listed_cases(workspace: &Workspace, selection: &[String], found: Discovery, on_disk: &mut OnDisk) -> Discovery {
    let Discovery { mut problems, mut diagnostics, .. } = with_incomplete(found);
    for folder in selection.iter().filter_map(|word| folder_without_cases(workspace, word)) {
        diagnostics.retain(|found| !found.is_below(&folder.dir));
        problems.push(Arc::new(folder));
    }
    let mut listed = Vec::new();
    for problem in problems {
        let data = data_of(workspace, &problem);
        let read = Generators::read(&problem.dir, Shape::of(&problem));
        let (generators, found) = read.map_or((None, Vec::new()), |(generators, found)| (Some(generators), found));
        let is_broken = found.iter().any(Diagnostic::is_error);
        diagnostics.extend(found.into_iter().map(|found| found.of(&problem.id)));
        if !is_broken {
            let groups = generators.as_ref().map(|generators| generators.test_groups(&data)).unwrap_or_default();
            listed.push(Arc::new(Problem { groups, ..Problem::clone(&problem) }));
            on_disk.insert(problem.dir.clone(), (problem, generators));
        }
    }
    Discovery { problems: listed, unfinished: Vec::new(), diagnostics }
}

/// Splits the older form of a command, `PROBLEM WORD…`, in which the further words name parts of the problem: the first
/// word is one problem, and the second names none.
pub(crate) fn older_form<'a>(workspace: &Workspace, words: &'a [String]) -> Option<(&'a String, &'a [String])> {
    searching(workspace, |search| older_form_among(workspace, search, words))
}

fn older_form_among<'a>(
    workspace: &Workspace,
    search: &Search<'_>,
    words: &'a [String],
) -> Option<(&'a String, &'a [String])> {
    let (first, rest) = words.split_first()?;
    let second = rest.first()?;
    let known = named_below(search, &workspace.start);
    let slug = |dir: &Path| dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let names = known.iter().map(|(id, dir)| [id.to_string(), slug(dir)]).collect::<Vec<_>>();
    let is_folder = |word: &str| is_problem(search, &normal(&workspace.start.join(word)));
    let is_one = |word: &str| {
        let word = word.trim_end_matches('/');
        names.iter().filter(|names| names.iter().any(|name| name == word)).count() == 1
            || is_folder(word)
            || folder_without_cases(workspace, word).is_some()
    };
    let names_one = |word: &str| names.iter().flatten().any(|name| names_problem(word, name)) || is_folder(word);
    (is_one(first) && !names_one(second)).then_some((first, rest))
}

/// Like [`one_problem`], for commands that change the cases of a problem: they may be incomplete, and need not fit their
/// groups. Tells the listener everything else that is wrong with the problem.
pub(crate) fn one_problem_to_mend(workspace: &Workspace, word: &str) -> Result<Arc<Problem>> {
    let start = &workspace.start;
    refuse_archives(start, &[word.to_owned()])?;
    let Discovery { unfinished, diagnostics, .. } = discover(workspace, word);
    let meant = |problem: &Arc<Problem>| is_called(workspace, word, problem);
    let Some(problem) = unfinished.into_iter().find(meant) else {
        let problem = one_problem(workspace, word)?;
        // A prefix or a glob is enough to read a problem, but this command changes files.
        if !meant(&problem) && !start.join(word).exists() {
            bail!("no problem is called `{word}`; did you mean `{}`?", problem.id);
        }
        return Ok(problem);
    };
    let other = |found: &Diagnostic| found.problem.as_ref() == Some(&problem.id) && !found.unfinished;
    workspace.tell_found(&diagnostics.into_iter().filter(other).collect::<Vec<_>>());
    Ok(problem)
}

/// Finds the problems that a word selects.
fn discover(workspace: &Workspace, word: &str) -> Discovery {
    searching(workspace, |search| find(&workspace.settings, search, &workspace.start, &[&word.to_owned()]))
}

/// The names of the problems in one folder, if a word is its path and it has several: the parts of a puzzle. The name of
/// the problem that a program solves, if a word is its file. Otherwise the word itself.
pub(crate) fn names_of_parts(workspace: &Workspace, word: &str) -> Vec<String> {
    let dir = normal(&workspace.start.join(word));
    if dir.is_file() {
        let folder = Path::new(word).parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.map_or(".".into(), Path::to_string_lossy);
        let solves =
            |problem: &&Arc<Problem>| problem.submissions.iter().any(|own| own.source().as_ref() == Some(&dir));
        let found: Vec<String> =
            discover(workspace, &folder).problems.iter().filter(solves).map(|problem| problem.id.to_string()).collect();
        return if found.is_empty() { vec![word.to_owned()] } else { found };
    }
    let problems = discover(workspace, word).problems;
    let parts = problems.iter().filter(|problem| problem.part.is_some() && problem.dir == dir);
    let names: Vec<String> = parts.map(|problem| problem.id.to_string()).collect();
    if names.is_empty() { vec![word.to_owned()] } else { names }
}

/// A folder with a solver but no case yet, which other commands do not accept as a problem. None if the folder cannot
/// be listed; the search for problems reports that.
pub(crate) fn folder_without_cases(workspace: &Workspace, word: &str) -> Option<Problem> {
    let part = || {
        // `folder/A` is `A.py` with its helpers.
        let path = normal(&workspace.start.join(word));
        let is_it = |problem: &Problem| problem.place() == path || problem.id.as_str() == word;
        let above = [path.parent(), Some(&*workspace.start)];
        above.into_iter().flatten().find_map(|dir| problems_without_cases(workspace, dir)?.into_iter().find(is_it))
    };
    in_folder_without_cases(workspace, Path::new(word), plain::read_whole).or_else(part)
}

/// The problems of a folder with solvers but no case yet, as [`plain::read_without_cases`] finds them.
fn problems_without_cases(workspace: &Workspace, dir: &Path) -> Option<Vec<Problem>> {
    in_folder_without_cases(workspace, dir, |reader, _| plain::read_without_cases(reader))
}

/// Reads a folder with a solver but no case yet, with the place where the configuration has its cases.
fn in_folder_without_cases<T>(
    workspace: &Workspace,
    dir: &Path,
    read: impl FnOnce(&Reader<'_>, &Path) -> T,
) -> Option<T> {
    let dir = normal(&workspace.start.join(dir));
    let is_source = |path: &Path| workspace.languages.is_source(path);
    let names: Vec<PathBuf> = std::fs::read_dir(&dir).ok()?.flatten().map(|entry| entry.path()).collect();
    let more = ["problem.toml", "problem.yaml", "submissions", "test", "tests"];
    let data = workspace.settings.testcases_dir().join(dir.file_name()?);
    let other = plain_cases::holds_cases(&dir) || more.iter().any(|name| dir.join(name).exists()) || data.is_dir();
    let sources = std::fs::read_dir(dir.join(SOURCE_DIR)).into_iter().flatten().flatten();
    let names = names.into_iter().chain(sources.map(|entry| entry.path()));
    // Its checker and its verifier are not solvers.
    let other = other || library_checker::is_problem(&dir) || italy::is_task(&dir);
    if other || !names.into_iter().any(|path| path.is_file() && is_source(&path)) {
        return None;
    }
    let id = dir.file_name()?.to_str()?.into();
    let mut reader = Reader::new(id, &dir, &dir, &is_source);
    reader.package_names = false;
    let top = workspace.top();
    reader.top = Some(&top);
    Some(read(&reader, &data))
}

/// The directory of a problem's groups: the folder itself if plain, `data/` in a package, otherwise a folder below the
/// configured test data.
pub(crate) fn data_of(workspace: &Workspace, problem: &Problem) -> PathBuf {
    let native = || workspace.settings.testcases_dir().join(problem.slug());
    // A package by other authors may not have a `data/` directory yet by which to recognise it.
    let is_foreign = || {
        let roots = workspace.settings.problem_roots();
        let has_yaml = problem.dir.join("problem.yaml").is_file();
        has_yaml && !native().exists() && !roots.iter().any(|root| problem.dir.starts_with(root))
    };
    if problem.layout == PackageLayout::Icpc || (problem.layout == PackageLayout::Native && is_foreign()) {
        return problem.dir.join(icpc::DATA);
    }
    if problem.layout != PackageLayout::Plain {
        return native();
    }
    // Without any case, they will be beside the solver.
    let Some(group) = problem.groups.first() else { return problem.dir.clone() };
    let depth = group.name.split('/').filter(|part| !part.is_empty()).count();
    group.dir.ancestors().nth(depth).map_or_else(native, Path::to_owned)
}
