//! Reads submissions of students (files, folders, archives, exports of platforms) and prepares the run that judges
//! them.
//!
//! Its files:
//!
//! - `reader`, `tree`: files and archives, and what is in them
//! - `layout`: from paths to students and problems
//! - `names`: the problem that a name means
//! - `course`: what a class is besides its submissions
//! - `roster`, `overrides`: the students who take part, and grades that people decided; both are a `csv_table`
//! - `decided`: which overrides count in a run, and which errors they settle
//! - `deadline`: how late a submission is, and the time zone of times
//! - `members`, `sharing`: files that name the authors of a submission; what teams and these authors get
//! - `grade_columns`: the columns of grades in the list of a platform
//! - `moodle_languages`: the headings of Moodle in other languages
//! - `platforms`, `export`: names in exports of platforms, and the feedback that Moodle takes back; an export → folders of
//!   students
//! - `content`: the language of a text
//! - `submitted_program`, `several_files`, `notebook`: which files are one program
//! - `assign`, `pairing`: which file belongs to which problem and case
//! - `unjudged`, `advice`: why submissions cannot be judged, and what their students read
//! - `request`, `named_source`: what the user named, and the submissions there
//! - `programs`, `outputs`: from a request to a run
//! - `planned_run`: which submissions of it run, and which results are known
//! - `result_folder`: the folder of `--out`

mod advice;
mod assign;
mod content;
mod course;
mod csv_table;
mod deadline;
mod decided;
mod export;
mod found_submission;
mod grade_columns;
pub mod layout;
mod members;
mod moodle_languages;
mod moodle_numbers;
mod named_source;
pub(crate) mod names;
mod notebook;
mod origins;
pub mod outputs;
mod overrides;
mod pairing;
mod path_template;
mod planned_run;
mod platform_files;
pub(crate) mod platforms;
pub mod programs;
pub(crate) mod reader;
mod recognition;
mod request;
pub mod result_folder;
mod roster;
pub(crate) mod several_files;
mod sharing;
mod submitted_program;
mod tree;
mod unjudged;
mod unmatched;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, bail};

use crate::diagnostic::Diagnostic;
use crate::limits::Bytes;
use crate::plan::{Plan, PlannedProblem};
use crate::problem::{Expectation, Problem, ProblemId, ProblemKind, Program, Submission, SubmissionId};
use crate::session::archives::UnpackedArchives;
use crate::session::completion::{CompletedPlan, completed};
use crate::session::select::{Choice, ChosenPlan, Programs, choose};
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// The problems that a word names, or all problems, with the selected tests and without their own submissions.
pub struct Problems {
    pub(crate) plan: Plan,
    pub(crate) found: Vec<Diagnostic>,
    /// The unpacked archive of a problem, and the directories of made tests. They exist as long as this value.
    pub(crate) unpacked: UnpackedArchives,
}

impl Problems {
    /// The problems with the inputs and answers that their packages lack. Tests without files are left out, and findings
    /// at the end say why.
    pub(crate) fn with_files(self, workspace: &Workspace) -> Result<Self> {
        let CompletedPlan { plan, found, made } = completed(workspace, self.plan)?;
        let mut unpacked = self.unpacked;
        unpacked.archives.know(&made);
        let found = [self.found, unpacked.archives.told(found)].concat();
        Ok(Self { plan, found, unpacked })
    }

    /// The names of all problems, including broken ones.
    pub(crate) fn ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self.plan.problems.iter().map(|planned| planned.problem.id.as_str()).collect();
        for found in self.found.iter().filter(|found| found.is_error()) {
            ids.extend(found.problem.as_ref().map(ProblemId::as_str).filter(|broken| !ids.contains(broken)));
        }
        ids
    }

    /// The errors that prevent a problem from being judged.
    pub(crate) fn errors_of(&self, name: &str) -> impl Iterator<Item = &Diagnostic> {
        let is_named =
            |found: &Diagnostic| found.problem.as_ref().is_some_and(|id| id.as_str().eq_ignore_ascii_case(name));
        self.found.iter().filter(move |found| found.is_error() && is_named(found))
    }
}

pub(crate) fn find_problems(
    workspace: &Workspace,
    word: Option<&str>,
    tests: &[String],
    output_validator: Option<&Path>,
) -> Result<Problems> {
    let typed: Vec<String> = word.map(str::to_owned).into_iter().collect();
    let unpacked = UnpackedArchives::new(&workspace.start, &typed)?;
    let selection = unpacked.words.clone();
    let at = |start: &Path, programs: Programs<'_>| {
        let submissions = &[];
        let command = None;
        let choice = Choice {
            start,
            selection: &selection,
            submissions,
            tests,
            command,
            output_validator: output_validator.map(Path::to_owned),
            programs,
        };
        choose(workspace, &choice)
    };
    let mut chosen = at(&workspace.start, Programs::Refused);
    // In a folder of submissions, the user means the problems of the project.
    // An error is returned below.
    if word.is_none() && chosen.as_ref().is_ok_and(|chosen| chosen.plan.problems.is_empty()) {
        chosen = at(&workspace.settings.base, Programs::Refused);
    }
    if !chosen.as_ref().is_ok_and(|chosen| !chosen.plan.problems.is_empty()) {
        chosen = at(&workspace.start, Programs::Submitted);
    }
    let of_chosen = |ChosenPlan { plan, found }: ChosenPlan| {
        let found = unpacked.archives.told(found);
        Problems { plan, found, unpacked }
    };
    chosen.map(of_chosen)
}

/// The names of the problems of the workspace besides these, including broken ones.
pub(crate) fn other_problems(workspace: &Workspace, problems: &Problems) -> Vec<String> {
    let choice = Choice { start: &workspace.settings.base, ..Choice::problems(workspace, &[], Programs::Refused) };
    // The search is only for names. If it fails, none is known.
    let Ok(ChosenPlan { plan, found }) = choose(workspace, &choice) else { return Vec::new() };
    // Another search may give a problem of this run another name.
    let place = |planned: &PlannedProblem| (planned.problem.dir.clone(), planned.problem.part.clone());
    let own: Vec<_> = problems.plan.problems.iter().map(place).collect();
    let others = plan.problems.iter().filter(|planned| !own.contains(&place(planned)));
    let broken = found.iter().filter(|found| found.is_error()).filter_map(|found| found.problem.as_ref());
    let names: BTreeSet<&str> =
        others.map(|planned| planned.problem.id.as_str()).chain(broken.map(ProblemId::as_str)).collect();
    names.into_iter().map(str::to_owned).collect()
}

/// Returns the position of the only problem. If there is none, reports why.
pub(crate) fn only_problem(problems: &Problems, workspace: &Workspace, word: Option<&str>) -> Result<usize> {
    match &problems.plan.problems[..] {
        [_] => Ok(0),
        [] => {
            workspace.tell_found(&problems.found);
            if problems.found.iter().any(Diagnostic::is_error) {
                return Err(EarlyEnd::Refused.into());
            }
            bail!(
                "no problem was found\n  → go to a problem's folder or below a grader.toml, or name a problem's folder"
            )
        }
        several => {
            let names: Vec<&str> = several.iter().take(8).map(|planned| planned.problem.id.as_str()).collect();
            let more = if several.len() > names.len() { ", …" } else { "" };
            let what = word.map_or("there are".to_owned(), |word| format!("`{word}` means"));
            bail!(
                "{what} {} problems ({}{more})\n  → name one, as in `grader judge {} PATH`; if the submissions are of several, name \
                 their layout: --layout list shows those of platforms",
                several.len(),
                names.join(", "),
                names[0]
            )
        }
    }
}

/// Whether the submissions to this problem are outputs and not programs.
pub(crate) fn wants_outputs(planned: &PlannedProblem) -> bool {
    planned.problem.kind == ProblemKind::SubmitAnswer
}

/// The largest output limit of any group of a problem.
pub(crate) fn output_limit(workspace: &Workspace, problem: &Problem) -> Bytes {
    let limits = problem.groups.iter().map(|group| workspace.settings.limits_for(problem, group, "").kill.output);
    limits.max().unwrap_or(workspace.settings.output)
}

/// Creates a submission without an expectation.
pub(crate) fn submission(id: String, program: Program) -> Submission {
    let expectation = Expectation::open("handed in");
    Submission { id: SubmissionId::from(id), program, language: None, entry_point: None, expectation }
}

/// The positions of the selected tests among all tests of the problem.
pub(crate) fn positions(planned: &PlannedProblem) -> BTreeSet<usize> {
    let names: BTreeSet<_> = planned.names.iter().collect();
    let tests = planned.problem.tests().enumerate();
    tests.filter(|(_, test)| names.contains(&test.id())).map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests;
