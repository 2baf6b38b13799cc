//! Compares the answers of a problem with the output of its reference, and replaces them.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use super::case_editor::{CaseEditor, CasePlace};
use super::programs::{Judges, Solver, SolverAnswer, rejection_words};
use super::reference::remedy;
use crate::diagnostic::Diagnostic;
use crate::engine::bench::{Assessment, Bench};

use crate::package::cases::{Staging, move_all};
use crate::problem::{AnswerFile, CaseInput, Checker, HeldIn, ProblemKind, TestGroup};
use crate::workspace::Workspace;
use crate::workspace::ending::{no_submission, not_judged};

/// An answer that would change.
pub(crate) struct Change {
    pub(crate) place: CasePlace,
    pub(crate) checker: Checker,
    /// The new output of the reference, in a staging file.
    pub(crate) new: PathBuf,
    /// The current answer with the judge's assessment about the new one; none if the answer is missing.
    pub(crate) old: Option<(PathBuf, Assessment)>,
}

/// The results of comparing all answers with the output of the reference.
#[derive(Default)]
pub(crate) struct Changes {
    pub(crate) pending: Vec<Change>,
    /// The number of answers that stay.
    pub(crate) same: usize,
    /// How many of those differ in bytes from the new output.
    pub(crate) spelt: usize,
    /// The number of cases on which the reference fails.
    pub(crate) failed: usize,
    /// The word for the reference in messages.
    pub(crate) word: &'static str,
}

/// The cases whose answers are compared: those that patterns select, or all. Fails if there are no cases, or if programs of
/// the problem do not print answers.
pub(crate) fn cases(
    workspace: &Workspace,
    editor: &CaseEditor,
    tests: &[String],
) -> Result<Vec<(TestGroup, CasePlace)>> {
    let kind = editor.problem.kind;
    if kind.is_led_by_validator() || kind == ProblemKind::SubmitAnswer {
        bail!("{} is of type {}: programs do not print its answers", editor.problem.id, kind.name());
    }
    let tests = editor.meant(workspace, tests)?;
    if tests.is_empty() {
        bail!("{} has no test case\n  → add some: grader add {}", editor.problem.id, editor.problem.id);
    }
    Ok(tests)
}

impl Changes {
    /// Runs the reference on every case and collects the changes. Reports each case on which the reference fails to the
    /// listener. The new outputs are files in `staging`.
    pub(crate) fn find(
        workspace: &Workspace,
        bench: &mut Bench<'_>,
        editor: &CaseEditor,
        tests: &[(TestGroup, CasePlace)],
        language: Option<&str>,
        staging: &Staging,
    ) -> Result<Self> {
        let problem = &editor.problem;
        let Some(reference) = problem.reference() else {
            let id = &problem.id;
            let word = problem.reference_word();
            let accepted = problem.submissions.iter().filter(|one| one.expectation.wants_all_accepted());
            let why = match accepted.count() {
                0 | 1 => format!("{id} has no {word} to make answers with"),
                _ => format!("nothing says which {word} of {id} makes answers"),
            };
            bail!("{why}\n  → {}", remedy(problem));
        };
        let judges = Judges::build(bench, problem)?;
        let solver = Solver::build_own(bench, problem, reference, language).map_err(no_submission)?;
        let mut found = Self { word: problem.reference_word(), ..Self::default() };
        for (n, (group, place)) in tests.iter().enumerate() {
            let new = staging.path(&format!("answer-{n}"));
            let case = group.cases.iter().find(|case| *case.name == *place.name);
            let setting = case.map_or_else(|| group.setting(), |case| group.setting_of(case));
            let input = CaseInput { group, setting, path: place.input() };
            match judges.answer(bench, &solver, &input).map_err(not_judged)? {
                SolverAnswer::Output { output, .. } => output.save(&new)?,
                SolverAnswer::Fails(rejection) => {
                    let word = found.word;
                    let message = format!("the {word} {} fails on it: {}", solver.name, rejection_words(&rejection));
                    let remedy = format!("fix the {word}: the answer stays unchanged");
                    workspace.tell(&Diagnostic::error(place.id(), message).remedy(remedy));
                    found.failed += 1;
                    continue;
                }
            }
            let checker = bench.resources.checker_for(problem, input.setting.checker);
            let old =
                match case.filter(|case| case.answer != AnswerFile::Missing).and_then(|case| group.answer_of(case)) {
                    None => None,
                    Some(old) => {
                        let assessment = judges.check(bench, &input, &old, &new, Some(&solver)).map_err(not_judged)?;
                        if assessment.rejection.is_none() {
                            found.same += 1;
                            // The judge has already compared both files, so a read error here affects only this count.
                            found.spelt += usize::from(std::fs::read(&old).ok() != std::fs::read(&new).ok());
                            continue;
                        }
                        Some((old, assessment))
                    }
                };
            if let Some(HeldIn::Answers(document)) = &group.document {
                bail!("the answer of {} is in {}\n  → change it there", place.id(), document.display());
            }
            found.pending.push(Change { place: place.clone(), checker, new, old });
        }
        Ok(found)
    }
}

impl Change {
    /// Replaces the old answer with the new one. If the answer was missing, it must still be missing.
    pub(crate) fn write(&self) -> Result<()> {
        match &self.old {
            Some((old, _)) => {
                std::fs::rename(&self.new, old).with_context(|| format!("cannot write {}", old.display()))
            }
            None => Ok(move_all(&[(self.new.clone(), self.place.answer("ans"))])?),
        }
    }
}
