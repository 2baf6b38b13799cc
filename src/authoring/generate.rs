//! Generates the test cases listed in `generators/generators.yaml`, or compares them with the files on disk.

mod files;
mod make;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, bail};

use super::case_editor::{answer_ending, data_to_change};
use super::reference::with_reference;
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::bench::Bench;

use crate::package::cases::Staging;

use crate::package::generators::{FILE, Generators, GroupFile, Recipe, Shape};
use crate::problem::Problem;
use crate::session::authored::GeneratedProblem;
use crate::session::slot::by_hand;
use crate::verify::validators::build_input_validators;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;
use crate::workspace::listener::{Listener, Progress};
pub(crate) use files::remember;
use files::{CaseFiles, Changes, UnlistedFiles};
use make::Maker;
pub(crate) use make::{build_generator, generate};

/// How to generate test cases.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope<'a> {
    /// The submission that computes answers; none: the problem's own reference.
    pub reference: Option<&'a str>,
    /// Whether to compare only and write nothing.
    pub check: bool,
    /// Whether to remove cases that grader generated earlier and that are not listed any more.
    pub clean: bool,
    /// Whether to replace files that were changed by hand, and with `clean` to remove hand-made cases.
    pub force: bool,
}

/// The kind of difference between a generated case or file and the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GeneratedDifference {
    /// It did not exist.
    New,
    /// Its content differs.
    Changed,
    /// No recipe lists it, so it is removed.
    Unlisted,
}

/// The files of one case, by extension.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// The reason why a case was not generated.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The recipe, a generator or the solution failed, or a validator rejects the case.
    Case {
        /// The error.
        message: String,
        /// The suggested fix.
        remedy: String,
    },
    /// A file that grader did not generate would be overwritten.
    Foreign(String),
    /// The judge failed, or a validator is broken.
    Broken(String),
    /// The run was cancelled.
    Cancelled,
}

impl Fault {
    pub(crate) fn case(message: impl Into<String>) -> Self {
        Self::Case { message: message.into(), remedy: String::new() }
    }

    pub(crate) fn with(message: impl Into<String>, remedy: &str) -> Self {
        Self::Case { message: message.into(), remedy: remedy.to_owned() }
    }
}

/// Generates the selected cases of a problem, or compares them with the files on disk. Calls `changed` for every case and file
/// that differs, with its name and the command that makes it. Calls `may_remove` with the files of cases that are not
/// listed before it removes them. Reports all failures to the listener of the workspace.
///
/// # Errors
/// The problem has no list of generators, `scope` removes cases although only some are selected, the sandbox does not
/// work, or `changed` fails.
pub(crate) fn make(
    workspace: &Workspace,
    generated: GeneratedProblem,
    scope: &Scope<'_>,
    mut changed: impl FnMut(GeneratedDifference, &str, &str) -> Result<()>,
    mut may_remove: impl FnMut(&[PathBuf]) -> Result<bool>,
) -> Result<(Arc<Problem>, Counts)> {
    let is_whole = generated.is_whole();
    let GeneratedProblem { problem, generators, cases } = generated;
    let root = data_to_change(workspace, &problem)?;
    let problem = with_reference(problem, scope.reference)?;
    let Some(mut generators) = generators else { return Err(without_list(&problem)) };
    if scope.clean && !is_whole {
        bail!("--clean is about all cases of {}, but only some are selected\n  → name no tests", problem.id);
    }
    narrow(&mut generators, &cases);
    let listener = workspace.listener();
    let counts = by_hand(workspace, [&*problem.dir], |bench| {
        let validators = build_input_validators(bench, &problem, &*listener)?;
        let staging = if scope.check { None } else { Some(Staging::new(&root).context("cannot write test cases")?) };
        let shape = Shape::of(&problem);
        let store = &bench.resources.store;
        let case_files = CaseFiles { root, staging, shape, store, force: scope.force };
        let maker = Maker::new(&problem, &case_files.root, &generators, validators)?;
        let mut making = Making {
            scope,
            is_whole,
            workspace,
            listener: Arc::clone(&listener),
            changed: &mut changed,
            may_remove: &mut may_remove,
            problem: &problem,
            generators: &generators,
            case_files,
            counts: Counts::default(),
        };
        making.everything(bench, maker)
    })?;
    Ok((problem, counts))
}

/// Keeps only the selected cases, and the files of their groups.
fn narrow(generators: &mut Generators, cases: &BTreeSet<String>) {
    let Generators { groups, recipes, .. } = generators;
    recipes.retain(|recipe| cases.contains(&recipe.name));
    groups.retain(|group| {
        let dir = group.path.parent().unwrap_or(Path::new(""));
        recipes.iter().any(|recipe| Path::new(&recipe.name).starts_with(dir))
    });
}

/// Returns the file that lists the generators and the line on which it lists a case; none if it does not.
pub(crate) fn listed_at(problem: &Problem, case: &str) -> Option<(PathBuf, u32)> {
    // Errors of the file are reported by `grader gen`. Here the cases count that it lists all the same.
    let (generators, _) = Generators::read(&problem.dir, Shape::of(problem))?;
    let recipe = generators.recipes.iter().find(|recipe| recipe.name == case)?;
    let line = recipe.place.map_or(1, |place| place.line);
    Some((generators.file().to_owned(), line))
}

/// Reads the list of generators. If it has errors, all of them are reported to the listener before this fails.
pub(crate) fn recipes_of(workspace: &Workspace, problem: &Problem) -> Result<Generators> {
    let Some((generators, found)) = Generators::read(&problem.dir, Shape::of(problem)) else {
        return Err(without_list(problem));
    };
    let found: Vec<Diagnostic> = found.into_iter().map(|found| found.of(&problem.id)).collect();
    workspace.tell_found(&found);
    if found.iter().any(Diagnostic::is_error) {
        return Err(EarlyEnd::Refused.into());
    }
    Ok(generators)
}

fn without_list(problem: &Problem) -> anyhow::Error {
    let (example, made) = match Shape::of(problem) {
        Shape::Groups => ("{secret: {data: [random: gen.py {seed}]}}", "secret/1-random"),
        Shape::Flat => ("[random: gen.py {seed}]", "1-random"),
    };
    anyhow!("{} has no {FILE}\n  → write one: `data: {example}` makes {made} by generators/gen.py", problem.id)
}

/// The remedy for a file that was changed by hand.
const FORCE: &str = "keep your file under another name, or replace it: --force";

/// The numbers of cases or files by result.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) new: usize,
    pub(crate) changed: usize,
    pub(crate) same: usize,
    pub(crate) failed: usize,
    pub(crate) removed: usize,
    /// Files of cases that grader generated earlier and that are not listed any more.
    pub(crate) obsolete: usize,
    /// Files of other cases that are not listed.
    pub(crate) by_hand: usize,
    /// Whether a validator or the sandbox failed.
    pub(crate) broken: bool,
}

struct Making<'a> {
    scope: &'a Scope<'a>,
    /// Whether every listed case is selected.
    is_whole: bool,
    workspace: &'a Workspace,
    listener: Arc<dyn Listener>,
    changed: &'a mut dyn FnMut(GeneratedDifference, &str, &str) -> Result<()>,
    may_remove: &'a mut dyn FnMut(&[PathBuf]) -> Result<bool>,
    problem: &'a Arc<Problem>,
    generators: &'a Generators,
    case_files: CaseFiles<'a>,
    counts: Counts,
}

impl Making<'_> {
    fn everything(&mut self, bench: &mut Bench<'_>, mut maker: Maker<'_>) -> Result<Counts> {
        self.listener.progress(Progress::Begins(Some(self.generators.recipes.len())));
        let mut wanted = BTreeSet::new();
        for group in &self.generators.groups {
            self.group_file(group, &mut wanted)?;
        }
        let mut inputs: BTreeMap<String, String> = BTreeMap::new();
        for recipe in &self.generators.recipes {
            self.listener.progress(Progress::Doing(&recipe.name));
            match self.case(bench, &mut maker, recipe) {
                Ok((digests, change)) => {
                    wanted.extend(digests.iter().map(|(ending, _)| PathBuf::from(format!("{}.{ending}", recipe.name))));
                    self.tell_change(recipe, &change)?;
                    if let Some((_, input)) = digests.iter().find(|(ending, _)| ending == "in") {
                        let first = inputs.entry(input.clone()).or_insert_with(|| recipe.name.clone());
                        let root = first.split_once('/').map_or("", |(root, _)| root);
                        if *first != recipe.name && recipe.root() == root && !recipe.included {
                            let message = format!("{} has the same input as {first}", recipe.name);
                            self.tell(recipe, Severity::Warning, &message, "");
                        }
                    }
                }
                Err(Fault::Cancelled) => break,
                Err(fault) => {
                    wanted.extend(files::all_of(&recipe.name));
                    self.fault(recipe, fault);
                }
            }
            self.listener.progress(Progress::Done);
        }
        if self.counts.failed == 0 && self.is_whole {
            self.unlisted(&wanted)?;
        }
        self.listener.progress(Progress::Ends);
        Ok(self.counts)
    }

    /// Generates one case, unless it is known to be up to date. Returns the digests of its files by extension.
    fn case(
        &mut self,
        bench: &mut Bench<'_>,
        maker: &mut Maker<'_>,
        recipe: &Recipe,
    ) -> Result<(Vec<(String, String)>, Changes), Fault> {
        let key = maker.key(bench, recipe)?;
        if bench.resources.settings.cache
            && let Some(digests) = self.case_files.recorded(&key, &recipe.name)
        {
            return Ok((digests, Changes::default()));
        }
        let mut files = maker.make(bench, recipe)?;
        if answer_ending(self.problem) == "out"
            && !files.contains_key("out")
            && let Some(answer) = files.remove("ans")
        {
            files.insert("out".to_owned(), answer);
        }
        let changes = self.case_files.compare(&recipe.name, &files);
        if !self.scope.check {
            self.case_files.write(&recipe.name, &files, &changes)?;
            self.case_files.record(key, &recipe.name, &files);
        }
        Ok((files::digests(&files), changes))
    }

    fn group_file(&mut self, group: &GroupFile, wanted: &mut BTreeSet<PathBuf>) -> Result<()> {
        let text = files::group_text(&group.value);
        let Some(text) = text.with_context(|| format!("cannot write {}", group.path.display()))? else { return Ok(()) };
        wanted.insert(group.path.clone());
        let name = group.path.display().to_string();
        if self.case_files.says(&group.path, &group.value) {
            return Ok(());
        }
        let was = self.case_files.root.join(&group.path).symlink_metadata().is_ok();
        if !self.scope.check
            && let Err(fault) = self.case_files.write_group(&group.path, &text)
        {
            self.counts.failed += 1;
            match fault {
                Fault::Foreign(message) => self.tell_of_file(&message, FORCE),
                Fault::Case { message, remedy } => self.tell_of_file(&message, &remedy),
                Fault::Broken(message) => self.tell_of_file(&message, ""),
                Fault::Cancelled => {}
            }
            return Ok(());
        }
        *(if was { &mut self.counts.changed } else { &mut self.counts.new }) += 1;
        (self.changed)(if was { GeneratedDifference::Changed } else { GeneratedDifference::New }, &name, "")
    }

    fn tell_change(&mut self, recipe: &Recipe, changes: &Changes) -> Result<()> {
        let how = recipe.command.as_ref().map(|command| command.shown(command.seed)).unwrap_or_default();
        if changes.is_none() {
            self.counts.same += 1;
            Ok(())
        } else if changes.is_new() {
            self.counts.new += 1;
            (self.changed)(GeneratedDifference::New, &recipe.name, &how)
        } else {
            self.counts.changed += 1;
            let which = format!("{}: {}", recipe.name, changes.shown());
            (self.changed)(GeneratedDifference::Changed, &which, &how)
        }
    }

    fn fault(&mut self, recipe: &Recipe, fault: Fault) {
        self.counts.failed += 1;
        let how = recipe.command.as_ref().map(|command| format!(" ({})", command.shown(command.seed)));
        let how = how.unwrap_or_default();
        let name = &recipe.name;
        match fault {
            Fault::Broken(message) => {
                self.counts.broken = true;
                self.tell(recipe, Severity::JudgeError, &format!("{name}{how}: {message}"), "");
            }
            Fault::Case { message, remedy } => {
                self.tell(recipe, Severity::Error, &format!("{name}{how}: {message}"), &remedy);
            }
            Fault::Foreign(message) => {
                self.tell(recipe, Severity::Error, &format!("{name}: {message}"), FORCE);
            }
            Fault::Cancelled => {}
        }
    }

    fn tell(&self, recipe: &Recipe, severity: Severity, message: &str, remedy: &str) {
        let place = recipe.place.map(|place| format!("line {}: ", place.line)).unwrap_or_default();
        let notice = Diagnostic::new(severity, format!("{place}{message}"))
            .about(self.shown(self.generators.file()))
            .of(&self.problem.id)
            .remedy(remedy);
        self.workspace.tell(&notice);
    }

    fn tell_of_file(&self, message: &str, remedy: &str) {
        self.workspace.tell(&Diagnostic::new(Severity::Error, message).of(&self.problem.id).remedy(remedy));
    }

    fn shown(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.workspace.start).unwrap_or(path).to_owned()
    }

    /// Handles cases without a recipe. Hand-made ones stay. Those that grader generated earlier stay too, unless the
    /// user wants them removed.
    fn unlisted(&mut self, wanted: &BTreeSet<PathBuf>) -> Result<()> {
        let UnlistedFiles { obsolete, by_hand } = self.case_files.unlisted(wanted);
        self.counts.by_hand += by_hand.len();
        let removes = self.scope.clean && !self.scope.check && !obsolete.is_empty();
        if !self.scope.clean || (removes && !(self.may_remove)(&obsolete)?) {
            self.counts.obsolete += obsolete.len();
            return Ok(());
        }
        for path in obsolete {
            if !self.scope.check
                && let Err(error) = std::fs::remove_file(self.case_files.root.join(&path))
            {
                self.counts.failed += 1;
                self.tell_of_file(&format!("{}: cannot remove it: {error}", path.display()), "");
                continue;
            }
            self.counts.removed += 1;
            (self.changed)(GeneratedDifference::Unlisted, &path.display().to_string(), "")?;
        }
        Ok(())
    }
}
