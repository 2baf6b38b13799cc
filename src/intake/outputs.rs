//! Judges output files: outputs of a program that ran elsewhere are judged as if it had run here.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};

use super::pairing::{Cases, Pairing, Pattern};
use super::reader::Intake;
use super::{find_problems, only_problem, output_limit, positions, submission};
use crate::event::Command;
use crate::package::archive::is_archive_name;
use crate::package::static_validation;
use crate::plan::{Plan, PlannedProblem};
use crate::problem::{Program, TestId};
use crate::report::text::quote_path;
use crate::session::scratch::Scratch;
use crate::session::select::near_file;
use crate::session::{Authorship, Role, Session};
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// A set of outputs from one student.
struct Set {
    /// Its name.
    name: String,
    again: String,
    files: BTreeMap<TestId, PathBuf>,
}

/// Which outputs to judge, and how.
#[derive(Debug, Clone)]
pub struct OutputsRequest {
    /// The problem.
    pub problem: String,
    /// Files, folders and archives of outputs; `-` is standard input.
    pub outputs: Vec<PathBuf>,
    /// Only these tests.
    pub tests: Vec<String>,
    /// The pattern of the names of output files.
    pub pattern: Option<String>,
    /// A program that judges instead of the problem's own output validator.
    pub output_validator: Option<PathBuf>,
    /// The command that started this.
    pub command: Command,
    /// The options that determine results.
    pub options: Vec<String>,
}

/// Outputs that are ready to be judged.
pub struct PreparedOutputs {
    /// The run.
    pub(crate) session: Session,
    /// The directory with the unpacked outputs. It is deleted with this value.
    _scratch: Scratch,
}

/// Reads outputs for one problem.
///
/// # Errors
/// The errors were reported to the listener ([`EarlyEnd`]), or the problem has no outputs that can be judged.
pub fn prepare(workspace: Workspace, request: &OutputsRequest) -> Result<PreparedOutputs> {
    let word = Some(request.problem.as_str());
    let outputs = &request.outputs;
    let problems =
        find_problems(&workspace, word, &request.tests, request.output_validator.as_deref())?.with_files(&workspace)?;
    let scratch = Scratch::for_programs()?;
    let planned = problems.plan.problems[only_problem(&problems, &workspace, word)?].clone();
    if planned.problem.kind.is_led_by_validator() {
        bail!(
            "{} is of type {}: its programs talk to the output validator, so grader cannot judge outputs alone\n  → \
             judge the program: grader judge {} PROGRAM",
            planned.problem.id,
            planned.problem.kind.name(),
            planned.problem.id
        );
    }
    let pattern = Pattern::parse(request.pattern.as_deref())?;
    let cases = Cases::of(&planned);
    if cases.selected.is_empty() {
        bail!(
            "no case of {} is selected: a static validation judges sources, and outputs have none",
            planned.problem.id
        );
    }
    let mut intake = Intake::new(scratch.path(), &workspace.languages, None);
    let mut sorter = Sorter {
        intake: &mut intake,
        planned: &planned,
        pairing: Pairing::new(&planned.problem, &cases, pattern.as_ref()),
    };
    let sets = sorter.sets(&workspace, outputs)?;
    if cases.selected.len() < planned.names.len() {
        let message = "judges the sources of submissions, and outputs have none: its tests count as missing";
        let remedy = format!("judge the program for a verdict: grader judge {} PROGRAM", planned.problem.id);
        intake.warning(&planned.problem.dir.join(static_validation::DIRECTORY), message, &remedy);
    }
    let found = [workspace.settings.warnings.clone(), problems.found, intake.found].concat();
    if sets.is_empty() {
        workspace.tell_found(&found);
        return Err(EarlyEnd::Refused.into());
    }
    let called = pattern.as_ref().map(Pattern::again).unwrap_or_default();
    let again = |set: &Set| if set.again.is_empty() { String::new() } else { format!("{}{called}", set.again) };
    let submitted = sets.iter().map(|set| Authorship { again: again(set), ..Authorship::default() }).collect();
    let submissions: Vec<_> =
        sets.into_iter().map(|set| (submission(set.name, Program::Outputs(set.files)), false)).collect();
    let selected = positions(&planned);
    let mut plan = Plan { all_tests: true, ..Plan::default() };
    plan.add(Arc::clone(&planned.problem), |test| selected.contains(&test), submissions);
    let unpacked = problems.unpacked;
    let options = request.options.clone();
    let role = Role::Asked(request.command);
    let session = Session { options, submitted, unpacked, ..Session::new(workspace, role, None, found, plan) };
    Ok(PreparedOutputs { session, _scratch: scratch })
}

/// Turns named paths into sets of outputs.
struct Sorter<'p, 'a> {
    intake: &'p mut Intake<'a>,
    planned: &'p PlannedProblem,
    pairing: Pairing<'p>,
}

impl Sorter<'_, '_> {
    /// Returns one set for each folder and archive, and one for all single files.
    fn sets(&mut self, workspace: &Workspace, outputs: &[PathBuf]) -> Result<Vec<Set>> {
        let mut sets = Vec::new();
        let mut singles: Vec<(PathBuf, PathBuf)> = Vec::new();
        for shown in outputs {
            let path: PathBuf = workspace.start.join(shown).components().collect();
            let mut remedy = "name a file, a folder or an archive of outputs".to_owned();
            let error = if shown == Path::new("-") {
                singles.push((self.standard_input(workspace)?, shown.clone()));
                continue;
            } else if shown.as_os_str().is_empty() {
                Some("the empty argument names nothing".to_owned())
            } else if self.intake.refuses_link(&workspace.start, shown) {
                continue;
            } else if path.is_dir() || (path.is_file() && is_archive_name(&path)) {
                sets.extend(self.folder(&path, shown));
                continue;
            } else if path.is_file() {
                File::open(&path).map(|_| singles.push((path, shown.clone()))).err().map(|error| error.to_string())
            } else if path.exists() {
                Some("is neither a file nor a directory".to_owned())
            } else {
                if let Some(near) = shown.to_str().and_then(|shown| near_file(&workspace.start, shown)) {
                    remedy = format!("did you mean `{near}`?");
                }
                Some("no such file or directory".to_owned())
            };
            if let Some(error) = error {
                self.intake.error(shown, error, &remedy);
            }
        }
        sets.extend(self.singles(&singles));
        Ok(sets)
    }

    /// Saves standard input to a file: at most the output limit and one byte more.
    fn standard_input(&mut self, workspace: &Workspace) -> Result<PathBuf> {
        let most = output_limit(workspace, &self.planned.problem).0;
        let path = self.intake.fresh_dir()?.join("standard-input");
        let mut file = File::create_new(&path)?;
        io::copy(&mut io::stdin().lock().take(most + 1), &mut file).context("cannot read standard input")?;
        Ok(path)
    }

    /// Makes one set of files that the user named one by one.
    fn singles(&mut self, files: &[(PathBuf, PathBuf)]) -> Option<Set> {
        let (_, first) = files.first()?;
        let words: Vec<String> = files.iter().map(|(_, shown)| quote_path(&shown.display().to_string())).collect();
        // Standard input can be read only once, so no command can repeat this.
        let is_there = files.iter().all(|(_, shown)| shown != Path::new("-"));
        let again = if is_there { format!("--outputs {}", words.join(" ")) } else { String::new() };
        let name = if files.len() == 1 { first.display().to_string() } else { format!("{} files", files.len()) };
        // A missing match was already reported.
        let files = self.pairing.singles(self.intake, files).ok()?;
        Some(Set { name, again, files })
    }

    /// Makes a set of the files in a folder or archive.
    fn folder(&mut self, path: &Path, shown: &Path) -> Option<Set> {
        let tree = self.intake.tree(path, shown);
        // A missing match was already reported, as above.
        let files = self.pairing.below(self.intake, &tree, Path::new(""), shown).ok()?;
        let again = format!("--outputs {}", quote_path(&shown.display().to_string()));
        Some(Set { name: shown.display().to_string(), again, files })
    }
}
