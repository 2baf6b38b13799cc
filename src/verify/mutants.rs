//! Reads the results of `grader strength`. Nothing runs here.

use anyhow::Result;

use crate::problem::Problem;
use crate::store::Store;
use crate::strength::{Strength, strength_key, suite_digest};
use crate::verify::problem_findings::ProblemFindings;
use crate::verify::{Code, Finding};
use crate::workspace::Workspace;

/// Takes over the last strength of the problem, and reports it as outdated if the problem or the operators have changed since.
pub(crate) fn check(
    workspace: &Workspace,
    store: &Store,
    results: &mut ProblemFindings,
    problem: &Problem,
) -> Result<()> {
    let Some(known) = store.outcome::<Strength>(&strength_key(problem)) else { return Ok(()) };
    let known = known.value;
    if known.suite != suite_digest(problem)? || known.operators != grader_mutants::version() {
        let finding = Finding::new(Code::StrengthOutdated, Code::StrengthOutdated.meaning());
        let again = results.word(workspace, false).map(|word| format!("try it again: grader strength {word}"));
        results.report(finding.remedy(again.unwrap_or_default()).at(&problem.dir));
    }
    results.strength = Some(known);
    Ok(())
}
