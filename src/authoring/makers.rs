//! The programs that compute and judge the answers of new cases.

use anyhow::Result;

use crate::authoring::case_editor::CaseEditor;
use crate::authoring::programs::{Judges, Solver};
use crate::authoring::refusal_log::Refusals;
use crate::compile::UnbuiltCause;
use crate::diagnostic::Severity;
use crate::engine::bench::Bench;

use crate::problem::Submission;
use crate::verify::validators::{InputValidator, build_input_validators};
use crate::workspace::Workspace;
use crate::workspace::ending::no_submission;

/// The programs that compute and judge answers.
pub(super) struct Makers {
    pub(super) judges: Judges,
    pub(super) validators: Vec<InputValidator>,
    /// The reference and other submissions that should be accepted.
    pub(super) solvers: Vec<Solver>,
    /// The index in `solvers` of the reference, if one computes answers.
    pub(super) reference: Option<usize>,
}

impl Makers {
    pub(super) fn reference(&self) -> Option<&Solver> {
        self.reference.map(|at| &self.solvers[at])
    }

    /// The indices in `solvers` of the submissions other than the reference.
    pub(super) fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let reference = self.reference;
        (0..self.solvers.len()).filter(move |at| reference != Some(*at))
    }
}

/// Builds the programs for new cases. Reports one that cannot be built; returns none if that is the reference, and some case
/// `needs_reference`.
pub(super) fn prepare(
    bench: &mut Bench<'_>,
    workspace: &Workspace,
    editor: &CaseEditor,
    language: Option<&str>,
    needs_reference: bool,
    refusals: &mut Refusals<'_>,
) -> Result<Option<Makers>> {
    let problem = &editor.problem;
    let validators = build_input_validators(bench, problem, &*workspace.listener())?;
    let judges = Judges::build(bench, problem)?;
    // A program of a plain folder is not its own truth. In a conversation, the validator knows what is true.
    let chosen = problem.reference().filter(|_| !problem.is_reference_guessed() || judges.lead());
    let is_other = |submission: &&Submission| {
        let is_program = !submission.program.is_outputs();
        chosen.is_none_or(|chosen| chosen.id != submission.id)
            && is_program
            && submission.expectation.wants_all_accepted()
    };
    let mut solvers = Vec::new();
    let mut reference = None;
    for submission in chosen.into_iter().chain(problem.submissions.iter().filter(is_other)) {
        let is_reference = chosen.is_some_and(|chosen| chosen.id == submission.id);
        match Solver::build_own(bench, problem, submission, language) {
            Ok(solver) => {
                reference = reference.or(is_reference.then_some(solvers.len()));
                solvers.push(solver);
            }
            Err(why) if why.cause == UnbuiltCause::Cancelled => return Err(no_submission(why)),
            Err(why) if is_reference && needs_reference => {
                let remedy = format!("fix the {} first: it computes the answer", problem.reference_word());
                refusals.usage(problem.id.as_str(), &why.to_string(), &remedy);
                return Ok(None);
            }
            Err(why) => {
                let message = why.to_string();
                refusals.notice(
                    Severity::Warning,
                    Some(problem.id.as_str()),
                    &message,
                    "fix it to compare its answer as well",
                );
            }
        }
    }
    Ok(Some(Makers { judges, validators, solvers, reference }))
}
