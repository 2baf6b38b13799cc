//! Turns the words that a person typed into a plan: which problems, which of their submissions, and which tests.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};

use super::archives::refuse_archives;
use super::searching::searching;
use crate::compile::beginning;
use crate::config::{JudgeChoice, Origin, Settings};
use crate::discover::select::{SelectError, SelectedProblem, SelectionWords, select};
use crate::discover::{
    Below, Diagnostic, Discovery, Kind, RUN_A_PROGRAM, Search, cases_alone, discover, discover_in, is_problem,
};
use crate::language::{Detection, Languages};
use crate::package::named_inputs;
use crate::package::programs::program_at;
use crate::plan::Plan;
use crate::problem::{
    DEFAULT_INCLUDE, Expectation, IncludedFiles, JudgingProgram, PackageLayout, Problem, ProblemKind, Program,
    Submission, SubmissionId,
};
use crate::program_files::normal;
use crate::protocol::guessed;
use crate::report::text::quote;
use crate::suggest;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// The number of directory entries that a misspelt name is compared with.
const LOOKED_AT: usize = 2000;
/// The most names of problems in an error.
const MOST_NAMES: usize = 4;

/// The words and options that a person typed.
pub(crate) struct Choice<'a> {
    /// The directory that relative paths start at.
    pub(crate) start: &'a Path,
    /// Problems, tests, globs, and paths of problems or programs.
    pub(crate) selection: &'a [String],
    /// `-s`.
    pub(crate) submissions: &'a [String],
    /// `-t`.
    pub(crate) tests: &'a [String],
    /// `-c`.
    pub(crate) command: Option<&'a str>,
    /// `--checker PROGRAM`.
    pub(crate) output_validator: Option<PathBuf>,
    /// How paths of programs are treated.
    pub(crate) programs: Programs<'a>,
}

impl<'a> Choice<'a> {
    /// Problems with all their submissions and tests.
    pub(crate) fn problems(workspace: &'a Workspace, selection: &'a [String], programs: Programs<'a>) -> Self {
        Self {
            start: &workspace.start,
            selection,
            submissions: &[],
            tests: &[],
            command: None,
            output_validator: None,
            programs,
        }
    }
}

/// How a command treats programs that are named by their paths.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Programs<'a> {
    /// Runs them, in the language of `--lang` if given.
    Run(Option<&'a str>),
    /// Lists them as submissions.
    List,
    /// Runs those of problems, and rejects others.
    Own,
    /// Rejects them: the command expects problems.
    Refused,
    /// Rejects them, because the submissions come from elsewhere. A folder with cases and no solver is a problem too.
    Submitted,
}

impl Choice<'_> {
    /// Whether the programs come from elsewhere, so that a folder needs only cases.
    fn needs_no_solver(&self, programs: &[&String]) -> bool {
        let is_program = |word: &String| is_program(&self.start.join(word));
        match self.programs {
            Programs::Submitted => true,
            Programs::Run(_) => {
                self.command.is_some() || !programs.is_empty() || self.submissions.iter().any(is_program)
            }
            Programs::List | Programs::Own | Programs::Refused => false,
        }
    }
}

/// The result of a selection.
pub(crate) struct ChosenPlan {
    /// The plan.
    pub(crate) plan: Plan,
    /// Diagnostics about the selected problems.
    pub(crate) found: Vec<Diagnostic>,
}

/// Finds the problems, and selects the problems, submissions and tests that the words name.
pub(crate) fn choose(workspace: &Workspace, choice: &Choice<'_>) -> Result<ChosenPlan> {
    choose_among(workspace, choice, |found| found)
}

/// Whether a problem has test cases in a plain folder, but no program.
fn is_unsolved(problem: &Problem) -> bool {
    problem.layout == PackageLayout::Plain && problem.submissions.is_empty()
}

/// Like [`choose`], after `prepare` has changed the found problems.
pub(super) fn choose_among(
    workspace: &Workspace,
    choice: &Choice<'_>,
    prepare: impl FnOnce(Discovery) -> Discovery,
) -> Result<ChosenPlan> {
    let Workspace { settings, languages, .. } = workspace;
    refuse_archives(choice.start, choice.selection)?;
    let (programs, folders): (Vec<&String>, Vec<&String>) =
        choice.selection.iter().partition(|word| is_program(&choice.start.join(word)));
    if let (Programs::Refused | Programs::Submitted, [file, ..]) = (choice.programs, &programs[..]) {
        return Err(not_a_problem(file));
    }
    let found = searching(workspace, |search| {
        let found = find_for(settings, search, choice, (&programs, &folders));
        if found.problems.is_empty() && folders.is_empty() && !programs.is_empty() && has_roots(settings, search) {
            // Nothing here is a problem, so the program belongs to a problem elsewhere.
            return discover(search);
        }
        found
    });
    let Discovery { mut problems, mut diagnostics, .. } = prepare(found);
    diagnostics.extend(problems.iter().flat_map(|problem| unknown_includes(problem, languages)));
    if let JudgeChoice::As(ruleset) = settings.judge {
        for problem in &mut problems {
            Arc::make_mut(problem).judged_as = Some(ruleset);
        }
    }
    let names_program = !programs.is_empty() || !choice.submissions.is_empty();
    if !choice.tests.is_empty() && names_program {
        lend_tests(&mut problems);
    }
    let Words { outside, own, names } = sort_words(choice, &programs, &folders, &problems);
    if let (Programs::Own, [(_, file), ..]) = (choice.programs, &outside[..]) {
        return Err(not_a_problem(file.as_str()));
    }
    let extra = extra_submissions(languages, choice, &outside)?;
    if let Some(program) = &choice.output_validator {
        let program = program_at(program).with_context(|| format!("cannot read {}", program.display()))?;
        judge_by(&guessed(program), &mut problems);
    }
    let named: Vec<PathBuf> = own.iter().map(|word| normal(&choice.start.join(word))).collect();
    let request = SelectionWords {
        patterns: folders.into_iter().cloned().chain(own).collect(),
        submissions: names,
        tests: choice.tests.to_vec(),
        base: choice.start.to_owned(),
    };
    let below = |found: &Diagnostic| {
        request.patterns.iter().any(|pattern| found.is_below(&normal(&choice.start.join(pattern))))
    };
    let wanted = |found: &Diagnostic| is_about(found, &request.patterns, choice.start) || below(found);
    let mut unmatched = Vec::new();
    let selected = match select(&problems, &request) {
        Ok(selected) => selected,
        // If a selected problem is broken, its own errors explain why it is missing. The other patterns still need an
        // error.
        Err(_) if diagnostics.iter().any(|found| found.is_error() && wanted(found)) => {
            let is_broken = |pattern: &String| {
                let path = normal(&choice.start.join(pattern));
                let explains = |found: &&Diagnostic| {
                    is_about(found, std::slice::from_ref(pattern), choice.start) || found.is_below(&path)
                };
                diagnostics.iter().filter(|found| found.is_error()).any(|found| explains(&found))
            };
            let patterns: Vec<String> = request.patterns.iter().filter(|one| !is_broken(one)).cloned().collect();
            let healthy = SelectionWords { patterns, ..request.clone() };
            let selected = if healthy.patterns.is_empty() { Ok(Vec::new()) } else { select(&problems, &healthy) };
            // A pattern of `-s` or `-t` may match something in the broken problem. The other words match nothing.
            selected.unwrap_or_else(|errors| {
                unmatched.extend(errors.iter().filter_map(|error| {
                    let pattern =
                        error.pattern().filter(|pattern| healthy.patterns.iter().any(|own| own == pattern))?;
                    let found = Diagnostic::error(choice.start.join(pattern), error.to_string());
                    Some(found.remedy("list everything: grader list -v"))
                }));
                Vec::new()
            })
        }
        Err(errors) => {
            let is_empty = problems.is_empty() && diagnostics.iter().all(|found| found.problem.is_none());
            return Err(nothing_selected(errors, choice.start, is_empty));
        }
    };
    if let Some(selected) = selected.iter().find(|selected| selected.problem.kind == ProblemKind::SubmitAnswer)
        && !extra.is_empty()
    {
        let id = &selected.problem.id;
        bail!("{id} is of type submit-answer: it runs no programs\n  → judge answers: grader judge {id} PATH");
    }
    refuse_elsewhere(choice, &selected, &outside)?;
    if !extra.is_empty() && selected.len() > 1 {
        bail!("{}\n  → name the problem of the program", several(&selected));
    }
    let mut plan = Plan::default();
    for selected in &selected {
        add(&mut plan, selected, &extra, &named);
    }
    let unsolved = selected.iter().map(|selected| selected.problem).find(|problem| is_unsolved(problem));
    if let (Programs::Run(_), [], Some(unsolved)) = (choice.programs, &plan.submissions[..], unsolved) {
        bail!("{} has test cases, but no solver\n  → {RUN_A_PROGRAM}", unsolved.id);
    }
    let chosen = |found: &Diagnostic| selected.iter().any(|selected| found.is_about(selected.problem));
    let found = diagnostics.into_iter().filter(|found| request.patterns.is_empty() || chosen(found) || wanted(found));
    Ok(ChosenPlan { plan, found: found.chain(unmatched).collect() })
}

/// Lets a program judge in place of the output validators. A program of a package follows the protocol of its family.
fn judge_by(judge: &JudgingProgram, problems: &mut [Arc<Problem>]) {
    for problem in problems {
        let is_own = judge.path().is_some_and(|path| path.starts_with(&problem.dir));
        let judge = match problem.layout.protocol().filter(|_| is_own) {
            Some(protocol) => JudgingProgram::stated(judge.program.clone(), protocol),
            None => judge.clone(),
        };
        Arc::make_mut(problem).output_validators = vec![judge];
    }
}

/// Lets each problem have the tests of the others in its directory: a user who names a program and tests overrides the names
/// of files.
fn lend_tests(problems: &mut [Arc<Problem>]) {
    let parts: Vec<Arc<Problem>> = problems.iter().filter(|problem| problem.part.is_some()).cloned().collect();
    for problem in problems.iter_mut().filter(|problem| problem.part.is_some()) {
        let dir = problem.dir.clone();
        let id = problem.id.clone();
        for other in parts.iter().filter(|other| other.dir == dir && other.id != id) {
            Arc::make_mut(problem).borrow_tests(other);
        }
    }
}

/// The selected problems in words: how many, and the names of the first ones.
fn several(selected: &[SelectedProblem<'_>]) -> String {
    let names: Vec<&str> = selected.iter().map(|selected| selected.problem.id.as_str()).take(MOST_NAMES).collect();
    let rest = selected.len() - names.len();
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    format!("{} problems are selected: {}{more}", selected.len(), names.join(", "))
}

fn not_a_problem(file: &str) -> anyhow::Error {
    anyhow::anyhow!("`{file}` is a file, not a problem\n  → name the problem, or its folder")
}

/// The error for words that match nothing, with a suggestion.
fn nothing_selected(errors: Vec<SelectError>, start: &Path, no_problem: bool) -> anyhow::Error {
    let with_file = |error: SelectError| match error {
        SelectError::NoMatch { what, pattern, near: None } if what != "test" => {
            SelectError::NoMatch { what, near: near_file(start, &pattern), pattern }
        }
        error => error,
    };
    let errors: Vec<SelectError> = errors.into_iter().map(with_file).collect();
    let has_near = |error: &SelectError| matches!(error, SelectError::NoMatch { near: Some(_), .. });
    let remedy = if no_problem {
        "\n  → create one: grader new NAME (no problem was found here)"
    } else if errors.iter().any(has_near) {
        ""
    } else if errors.contains(&SelectError::Empty) {
        "\n  → name a problem, a submission or a test; no argument selects everything here"
    } else if errors.iter().any(|error| is_folder(error, start)) {
        "\n  → name another: that folder contains no problem, submission or test"
    } else if errors.iter().any(|error| is_missing_file(error, start)) {
        "\n  → list all problems and submissions: grader list -v; there is no such file or folder"
    } else {
        "\n  → list everything: grader list -v"
    };
    anyhow::anyhow!("{}{remedy}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\nerror: "))
}

/// Corrects the last part of a path that does not exist, if an entry of its folder has nearly this name.
pub(crate) fn near_file(start: &Path, word: &str) -> Option<String> {
    let path = start.join(word);
    if path.exists() {
        return None;
    }
    let name = path.file_name()?.to_str()?;
    // This is only a suggestion, so an unreadable folder is not an error.
    let listed = std::fs::read_dir(path.parent()?).ok()?.flatten().take(LOOKED_AT);
    let names: Vec<String> = listed.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let near = suggest::closest(name, names.iter().map(String::as_str))?;
    Some(format!("{}{near}", word.trim_end_matches('/').strip_suffix(name)?))
}

/// Warns about included files for unknown languages: most likely they are meant for another language.
fn unknown_includes(problem: &Problem, languages: &Languages) -> Vec<Diagnostic> {
    let codes = problem.additions.include.iter().filter(|(code, _)| *code != DEFAULT_INCLUDE);
    let unknown = codes.filter(|(code, _)| languages.get(code).is_none());
    let warning = |(code, included): (&String, &IncludedFiles)| {
        let near = languages.suggest(code).map(|near| format!("did you mean `{near}`?"));
        let found =
            Diagnostic::warning(&included.dir, format!("no language is called `{code}`; its files are not included"));
        let found = found.kind(Kind::Ignored);
        found.remedy(near.unwrap_or_default()).of(&problem.id)
    };
    unknown.map(warning).collect()
}

/// Finds the one problem that a word means: its name, or the path of its folder. Tells the listener its errors.
pub(crate) fn one_problem(workspace: &Workspace, word: &str) -> Result<Arc<Problem>> {
    let selection = [word.to_owned()];
    let choice = Choice::problems(workspace, &selection, Programs::Refused);
    let ChosenPlan { plan, found } = choose(workspace, &choice)?;
    workspace.tell_found(&found);
    match &*plan.problems {
        [planned] => Ok(Arc::clone(&planned.problem)),
        [] => Err(EarlyEnd::Refused.into()),
        several => {
            let names: Vec<&str> = several.iter().map(|planned| planned.problem.id.as_str()).collect();
            bail!("`{word}` matches {} problems ({})\n  → name one", several.len(), names.join(", "))
        }
    }
}

/// Whether a pattern without a match looks like the path of a file that does not exist.
fn is_missing_file(error: &SelectError, start: &Path) -> bool {
    let SelectError::NoMatch { what, pattern, .. } = error else { return false };
    let looks_so = Path::new(pattern).extension().is_some() || pattern.starts_with(['/', '.']);
    *what != "test" && looks_so && !start.join(pattern).exists()
}

fn is_folder(error: &SelectError, start: &Path) -> bool {
    matches!(error, SelectError::NoMatch { what, pattern, .. } if *what != "test" && start.join(pattern).is_dir())
}

/// Whether a path is a file that may be a program. Inputs and answers are not programs. `a.out` is an answer only
/// beside `a.in`.
fn is_program(path: &Path) -> bool {
    let has = |known: &str| path.extension().is_some_and(|ending| ending == known);
    let is_data = has("in") || has("ans") || has("out") && path.with_extension("in").is_file();
    path.is_file() && !is_data
}

/// Whether problem roots are configured or exist, independent of the current directory. A `grader.toml` in a plain
/// folder need not mean them.
fn has_roots(settings: &Settings, search: &Search<'_>) -> bool {
    settings.origins.problems != Origin::Default || search.roots.iter().any(|root| root.is_dir())
}

/// Finds the problems below the roots, or around the start directory, and in the named folders.
pub(super) fn find(settings: &Settings, search: &Search<'_>, start: &Path, patterns: &[&String]) -> Discovery {
    let has_roots = has_roots(settings, search);
    let stands_at_top = settings.base == start;
    if patterns.is_empty() {
        if has_roots && stands_at_top {
            return discover(search);
        }
        let mut here = discover_in(search, start);
        // A `grader.toml` may belong to a plain folder or to a project whose problems are missing.
        if here.is_nothing() && stands_at_top && settings.file.is_some() {
            here.diagnostics.extend(discover(search).diagnostics);
        }
        return here;
    }
    let folders: Vec<PathBuf> = patterns
        .iter()
        .map(|pattern| normal(&start.join(pattern)))
        .map(|path| if path.is_file() { path.parent().map_or(path.clone(), Path::to_owned) } else { path })
        .filter(|path| path.is_dir())
        .collect();
    let is_data = folders.iter().any(|folder| folder.starts_with(search.testcases));
    let mut all = if has_roots && (folders.len() < patterns.len() || stands_at_top || is_data) {
        discover(search)
    } else if folders.len() < patterns.len() {
        discover_in(search, start)
    } else {
        Discovery::default()
    };
    // `part1` is not a folder, but a problem of the folder that it is in, as `day01/part1` is of the folder `day01`.
    let parts = patterns.iter().map(|pattern| normal(&start.join(pattern))).filter(|path| !path.exists());
    let around = parts.flat_map(|path| [path.parent().map(Path::to_owned), Some(start.to_owned())]).flatten();
    let around: Vec<PathBuf> = around.filter(|folder| folder.is_dir() && is_problem(search, folder)).collect();
    for folder in folders.into_iter().chain(around) {
        let known = |problem: &Arc<Problem>| problem.dir.starts_with(&folder) || folder.starts_with(&problem.dir);
        if all.all().any(known) || folder.starts_with(search.testcases) {
            continue;
        }
        let more = discover_in(search, &folder);
        // A folder that happens to have the name of a problem need not be a problem.
        let is_named = all.problems.iter().any(|problem| start.join(problem.slug()) == folder);
        let new = |found: &Diagnostic| !(all.diagnostics.contains(found) || is_named && found.problem.is_none());
        let diagnostics: Vec<Diagnostic> = more.diagnostics.into_iter().filter(new).collect();
        all.absorb(Discovery { diagnostics, ..more });
    }
    all
}

/// Finds the folders with cases and no solver: those that are named, or the start directory.
fn find_cases(settings: &Settings, search: &Search<'_>, choice: &Choice<'_>, patterns: &[&String]) -> Discovery {
    if patterns.is_empty() {
        // Below a project, a program without a problem belongs to the problems of the project.
        let is_submitted = matches!(choice.programs, Programs::Submitted);
        let below = if is_submitted || !has_roots(settings, search) { Below::Searched } else { Below::Ignored };
        return cases_alone(search, choice.start, below);
    }
    let mut all = Discovery::default();
    for path in patterns.iter().map(|pattern| normal(&choice.start.join(pattern))) {
        // `add` is not a folder, but a problem of the folder with the tests of several programs: `hw/add`.
        let folder = path.parent().filter(|_| !path.exists()).unwrap_or(&path);
        all.absorb(cases_alone(search, folder, Below::Ignored));
    }
    all
}

/// Whether a finding concerns a problem that a pattern names.
fn is_about(found: &Diagnostic, patterns: &[String], start: &Path) -> bool {
    let Some(problem) = &found.problem else { return false };
    let names = |pattern: &String| {
        let pattern = pattern.trim_end_matches('/');
        let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        let is_inside = |name: &str| pattern.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
        let id = problem.as_str();
        let slug = last(problem.as_str());
        // A path to a copy, such as an archive, does not mean the problem of the same name.
        let is_elsewhere = pattern.contains('/') && start.join(pattern).exists();
        pattern == id || is_inside(id) || !is_elsewhere && (last(pattern) == slug || is_inside(&slug))
    };
    patterns.iter().any(names)
}

/// The words that name programs, by kind.
#[derive(Default)]
struct Words {
    /// Paths of programs that belong to no problem, with their names as submissions.
    outside: Vec<(PathBuf, SubmissionId)>,
    /// Paths of problems' own submissions, and of cases whose names do not show that. They also select their problem.
    own: Vec<String>,
    /// All other words of `-s`.
    names: Vec<String>,
}

fn sort_words(choice: &Choice<'_>, programs: &[&String], folders: &[&String], problems: &[Arc<Problem>]) -> Words {
    let mut words = Words::default();
    // The files of a submission may lie all over the folder of its problem, which still means the problem.
    let is_own = |path: &Path| {
        let others = problems.iter().filter(|problem| problem.dir != path);
        others.flat_map(|problem| &problem.submissions).any(|submission| submission.is_at(path))
    };
    let words_of = choice.submissions.iter().map(|word| (word, true));
    for (word, is_name) in words_of.chain(programs.iter().map(|word| (*word, false))) {
        let path = normal(&choice.start.join(word));
        // The name of a submission has priority over a file with the same name.
        if is_name && path.exists() && is_name_of_one(word, choice.start, folders, problems) {
            words.names.push(word.clone());
        } else if is_own(&path) || problems.iter().any(|problem| is_named_case(problem, &path)) {
            words.own.push(word.clone());
        } else if path.is_file() || (word.contains('/') && path.is_dir()) {
            words.outside.push((path, SubmissionId::from(word.as_str())));
        } else {
            words.names.push(word.clone());
        }
    }
    words
}

/// Whether a file is the input or answer of a case that only its whole folder identifies as one, such as `input1.txt`.
fn is_named_case(problem: &Problem, path: &Path) -> bool {
    let mut named = problem.cases().filter(|(group, _)| group.naming.is_some() && path.starts_with(&group.dir));
    named
        .any(|(group, case)| group.input_of(case) == path || group.answer_of(case).is_some_and(|answer| answer == path))
}

/// Whether a word is the full name of a submission of the selected problems.
fn is_name_of_one(word: &str, start: &Path, folders: &[&String], problems: &[Arc<Problem>]) -> bool {
    let is_name = |problem: &Arc<Problem>| problem.submissions.iter().any(|found| found.id.as_str() == word);
    if !problems.iter().any(is_name) {
        return false;
    }
    let patterns = folders.iter().map(|word| (*word).clone()).collect();
    let request = SelectionWords { patterns, base: start.to_owned(), ..SelectionWords::default() };
    select(problems, &request).is_ok_and(|selected| selected.iter().any(|selected| is_name(selected.problem)))
}

/// Finds the problems for a choice, or test cases alone if its programs need no more.
fn find_for(
    settings: &Settings,
    search: &Search<'_>,
    choice: &Choice<'_>,
    (programs, folders): (&[&String], &[&String]),
) -> Discovery {
    // A program in a folder with tests runs on those, wherever it is named from.
    let is_home_meant = folders.is_empty() && matches!(choice.programs, Programs::Run(_));
    let around = programs.iter().filter_map(|word| Some(normal(&choice.start.join(word)).parent()?.to_owned()));
    let around = around.filter(|dir| is_home_meant && *dir != choice.start && is_problem(search, dir));
    let homes: Vec<String> = around.filter_map(|dir| dir.into_os_string().into_string().ok()).collect();
    let meant: Vec<&String> = folders.iter().copied().chain(&homes).collect();
    let mut found = find(settings, search, choice.start, &meant);
    if choice.needs_no_solver(programs) && (found.is_nothing() || !folders.is_empty()) {
        let mut alone = find_cases(settings, search, choice, folders);
        // Other problems beside such a folder do not matter.
        alone.problems.retain(|problem| !found.all().any(|known| known.dir == problem.dir));
        found.diagnostics.retain(|told| !alone.problems.iter().any(|problem| told.is_below(&problem.dir)));
        found.absorb(alone);
    }
    if choice.command.is_some() && !settings.isolation.names_walls() {
        // A command runs where the user is, and has its own arguments.
        for problem in &mut found.problems {
            named_inputs::take_back(Arc::make_mut(problem));
        }
    }
    found
}

fn extra_submissions(
    languages: &Languages,
    choice: &Choice<'_>,
    outside: &[(PathBuf, SubmissionId)],
) -> Result<Vec<Submission>> {
    let mut extra = Vec::new();
    for (path, id) in outside {
        let program = program_at(path).with_context(|| format!("cannot read {}", path.display()))?;
        if let Programs::Run(None) = choice.programs {
            refuse_unknown(languages, id.as_str(), &program)?;
        }
        extra.push(expected_accepted(id.clone(), program));
    }
    if let Some(command) = choice.command {
        extra.push(expected_accepted(SubmissionId::from("command"), Program::Command(command.to_owned())));
    }
    Ok(extra)
}

/// Rejects a program in another folder than the only one with tests: it is not a solution of that one by chance.
fn refuse_elsewhere(
    choice: &Choice<'_>,
    selected: &[SelectedProblem<'_>],
    outside: &[(PathBuf, SubmissionId)],
) -> Result<()> {
    let (Programs::Run(_), [SelectedProblem { problem: only, .. }]) = (choice.programs, selected) else {
        return Ok(());
    };
    let is_beside = |(path, _): &(PathBuf, SubmissionId)| path.starts_with(&only.dir);
    let is_solved = only.layout == PackageLayout::Plain && !only.submissions.is_empty();
    // With another word, or by standing in its folder, the user has named the problem.
    let names_only_programs = !choice.selection.is_empty()
        && !choice.start.starts_with(&only.dir)
        && choice.selection.iter().all(|word| is_program(&choice.start.join(word)));
    match outside {
        [(_, program), ..] if is_solved && names_only_programs && !outside.iter().any(is_beside) => {
            let id = &only.id;
            bail!(
                "{program} has no tests in its folder\n  → name the problem that it solves: grader run {id} {program}"
            )
        }
        _ => Ok(()),
    }
}

/// Rejects a program in no known language. A program that was compiled elsewhere is not copied into the sandbox.
fn refuse_unknown(languages: &Languages, word: &str, program: &Program) -> Result<()> {
    let (dir, files) = match program {
        Program::File(path) => {
            (path.parent().unwrap_or(path), vec![PathBuf::from(path.file_name().unwrap_or_default())])
        }
        Program::Directory { path, files } => (path.as_path(), files.clone()),
        _ => return Ok(()),
    };
    let Detection::None(why) = languages.detect(&files, &|file| beginning(&dir.join(file))) else { return Ok(()) };
    let is_executable = |path: &Path| path.metadata().is_ok_and(|found| found.permissions().mode() & 0o111 != 0);
    let remedy = match program {
        Program::File(path) if is_executable(path) => {
            let path = if word.contains('/') { word.to_owned() } else { format!("./{word}") };
            format!("run it as a command, because it is executable: -c {}", quote(&quote(&path)))
        }
        _ => "name a source file, or its language: --lang".to_owned(),
    };
    bail!("grader cannot run `{word}`: {why}\n  → {remedy}")
}

fn expected_accepted(id: SubmissionId, program: Program) -> Submission {
    Submission {
        id,
        program,
        language: None,
        entry_point: None,
        expectation: Expectation::accepted("named on the command line"),
    }
}

/// Adds a problem to the plan. Programs from outside replace its own submissions, if there are any.
fn add(plan: &mut Plan, selected: &SelectedProblem<'_>, extra: &[Submission], named: &[PathBuf]) {
    let problem = selected.problem;
    let own = problem.submissions.iter().enumerate().filter(|(i, _)| selected.has_submission(*i));
    let submissions: Vec<(Submission, bool)> = if extra.is_empty() {
        // A plain folder has solvers, and the one that makes answers is nothing special when they are judged.
        let is_reference = |i| problem.layout != PackageLayout::Plain && problem.is_reference(i);
        own.map(|(i, submission)| (submission.clone(), is_reference(i))).collect()
    } else {
        // Beside programs from elsewhere, only those of its own that are named too.
        let is_named = |(_, submission): &(usize, &Submission)| named.iter().any(|path| submission.is_at(path));
        let own = own.filter(is_named).map(|(_, submission)| submission);
        own.chain(extra).map(|submission| (submission.clone(), false)).collect()
    };
    plan.add(Arc::clone(problem), |position| selected.has_test(position), submissions);
}
