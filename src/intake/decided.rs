//! What people decided about a run: which overrides count in it, and which errors they settle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::advice::Misfit;
use super::assign::AssignedSubmission;
use super::reader::{Intake, listed};
use super::{Problems, other_problems};
use crate::course::Lateness;
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::{Amount, Override};
use crate::problem::ProblemId;
use crate::report::text::quote_option;
use crate::workspace::Workspace;

/// The submissions of a run, and what people decided about them.
pub(super) struct Decided<'a> {
    pub(super) overrides: &'a [Override],
    pub(super) entries: &'a [AssignedSubmission],
    pub(super) misfits: &'a [Misfit],
    pub(super) problems: &'a Problems,
    /// The positions of the problems that have a column.
    pub(super) columns: &'a BTreeSet<usize>,
}

impl Decided<'_> {
    fn id(&self, problem: usize) -> &ProblemId {
        &self.problems.plan.problems[problem].problem.id
    }

    /// Whether people decided the points of a student in a problem, or in all that a submission without a problem may be for.
    fn is_decided(&self, student: &str, problem: Option<&ProblemId>) -> bool {
        let own: Vec<&Override> = self.overrides.iter().filter(|change| change.student == student).collect();
        if own.iter().any(|change| change.problem.is_none() && matches!(change.amount, Amount::Points(_))) {
            return true;
        }
        let is_changed = |id: &ProblemId| own.iter().any(|change| change.problem.as_ref() == Some(id));
        if let Some(problem) = problem {
            return is_changed(problem);
        }
        let is_judged = |at: usize| self.entries.iter().any(|entry| entry.owner() == student && entry.problem == at);
        let columns = self.columns.iter().map(|at| (is_judged(*at), is_changed(self.id(*at))));
        let (judged, changed): (Vec<bool>, Vec<bool>) = columns.unzip();
        let each = || judged.iter().zip(&changed);
        // The same rule decides whether the total is open: see `Row::open_unmatched`.
        let fills_gap = each().any(|(judged, changed)| !judged && *changed);
        !judged.is_empty()
            && each().all(|(judged, changed)| *judged || *changed)
            && (fills_gap || changed.iter().all(|changed| *changed))
    }

    /// Makes a note of each error about submissions whose points people decided: nobody needs to look at them again.
    pub(super) fn settle(&self, intake: &Intake<'_>, found: &mut [Diagnostic]) {
        let mut places: BTreeMap<&Path, bool> = BTreeMap::new();
        for misfit in self.misfits {
            if let Some(place) = &misfit.place {
                *places.entry(place).or_insert(true) &= self.is_decided(&misfit.student, misfit.problem.as_ref());
            }
        }
        for found in found.iter_mut().filter(|found| found.severity == Severity::Error) {
            let is_settled = match intake.concerned.get(&(found.path.clone(), found.message.clone())) {
                Some(students) => students.iter().all(|student| self.is_decided(student, None)),
                None => found.path.as_ref().is_some_and(|path| places.get(&**path) == Some(&true)),
            };
            if is_settled {
                found.severity = Severity::Info;
                "leave it: the overrides state its points".clone_into(&mut found.remedy);
            }
        }
    }

    /// An error about the students from whom lateness takes away an unknown share, unless people decided their points.
    pub(super) fn unknown_penalties(&self, workspace: &Workspace) -> Option<Diagnostic> {
        let late = &workspace.settings.late;
        if late.penalty().is_none_or(|penalty| penalty.left(Lateness::Unknown).is_some()) {
            return None;
        }
        let is_decided = |entry: &&AssignedSubmission| {
            let id = self.id(entry.problem);
            let is_it =
                |change: &&Override| change.student == entry.owner() && matches!(change.amount, Amount::Points(_));
            let mut own = self.overrides.iter().filter(is_it);
            own.any(|change| change.problem.as_ref().is_none_or(|problem| problem == id))
        };
        let unknown = self.entries.iter().filter(|entry| entry.late == Some(Lateness::Unknown) && !is_decided(entry));
        let names: BTreeSet<PathBuf> = unknown.map(|entry| PathBuf::from(entry.owner())).collect();
        if names.is_empty() {
            return None;
        }
        let names = listed(&names.into_iter().collect::<Vec<_>>());
        let message = format!(
            "the platform calls these late and does not say by how much, so `{}` cannot be computed: {names}",
            late.text()
        );
        let remedy = "state the time in the column `submitted` of the roster, or the points with --overrides";
        Some(Diagnostic::new(Severity::Error, message).remedy(remedy))
    }
}

/// The overrides that count in a run with these columns, and a note about those of the total if the run is not of the whole course.
/// A file in `grader.toml` is for the course: its rows about the total would count again in the run of each week.
pub(super) fn of_run(
    workspace: &Workspace,
    mut overrides: Vec<Override>,
    problems: &Problems,
    columns: &BTreeSet<usize>,
) -> (Vec<Override>, Option<Diagnostic>) {
    if overrides.iter().all(|change| change.problem.is_some()) {
        return (overrides, None);
    }
    let judged: BTreeSet<&str> = columns.iter().map(|at| problems.plan.problems[*at].problem.id.as_str()).collect();
    let own = problems.ids().into_iter().filter(|id| !judged.contains(id)).map(PathBuf::from);
    let others: Vec<PathBuf> = own.chain(other_problems(workspace, problems).into_iter().map(PathBuf::from)).collect();
    if others.is_empty() {
        return (overrides, None);
    }
    let others = listed(&others);
    let shown = &workspace.settings.overrides;
    let file = workspace.settings.overrides_file().unwrap_or_default();
    let typed = file.strip_prefix(&workspace.start).unwrap_or(&file).display().to_string();
    let found = if workspace.settings.origins.overrides.outranks_problem() {
        let message =
            format!("rows without a problem change the total of this run, which has no submissions for {others}");
        let remedy = "name the exercise in the column `problem` if they must not count in other runs, too";
        Diagnostic::new(Severity::Info, message).about(shown).remedy(remedy)
    } else {
        overrides.retain(|change| change.problem.is_some());
        let message = format!(
            "rows without a problem are about the total of the course, so they wait for a run that also has submissions for {others}"
        );
        let remedy = format!(
            "name the exercise in the column `problem`, or let them count in this run: {}",
            quote_option("--overrides", &typed)
        );
        Diagnostic::new(Severity::Info, message).about(shown).remedy(remedy)
    };
    (overrides, Some(found))
}
