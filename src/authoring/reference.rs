//! The reference of a problem, for the commands that make answers with it.

use std::sync::Arc;

use anyhow::{Result, bail};

use crate::package::reference::find;
use crate::problem::{Helper, HelperRole, PackageLayout, Problem, Program, Reference};
use crate::report::text::quote;

/// Returns the problem with another reference, if one is named, as by `--reference`.
///
/// # Errors
/// No submission, or more than one, has this name.
pub(crate) fn with_reference(problem: Arc<Problem>, named: Option<&str>) -> Result<Arc<Problem>> {
    let Some(named) = named else { return Ok(problem) };
    let is_helper = |helper: &Helper| helper.role == HelperRole::BruteForce && helper.program.id.as_str() == named;
    if let Some(at) = problem.helpers.iter().position(is_helper) {
        return Ok(Arc::new(Problem { reference: Some(Reference::BruteForce(at)), ..Problem::clone(&problem) }));
    }
    match find(named, &problem.submissions) {
        Ok(at) => Ok(Arc::new(Problem { reference: Some(Reference::Chosen(at)), ..Problem::clone(&problem) })),
        Err(missing) => bail!("`--reference`: {}\n  → {}", missing.message, missing.remedy),
    }
}

/// The remedy for a problem without a reference: choose one of its accepted submissions, or write one.
pub(crate) fn remedy(problem: &Problem) -> String {
    let is_program = |program: &Program| !matches!(program, Program::Outputs(_));
    let candidates: Vec<&str> = problem
        .submissions
        .iter()
        .filter(|submission| submission.expectation.wants_all_accepted() && is_program(&submission.program))
        .map(|submission| submission.id.as_str())
        .collect();
    let Some(first) = candidates.first() else { return "write an accepted submission".to_owned() };
    let lasting = match problem.layout {
        PackageLayout::Icpc => {
            format!(", or for all calls: `{first}: {{model_solution: true}}` in submissions/submissions.yaml")
        }
        PackageLayout::Native => format!(", or for all calls: `reference = \"{first}\"` in problem.toml"),
        PackageLayout::Polygon => ", or for all calls: tag it `main` in problem.xml".to_owned(),
        PackageLayout::ItalyYaml => ", or for all calls: call it sol/solution.*".to_owned(),
        PackageLayout::Plain | PackageLayout::LibraryChecker | PackageLayout::Hydro | PackageLayout::Dmoj => {
            String::new()
        }
    };
    format!("choose one of {} for this call: --reference {}{lasting}", candidates.join(", "), quote(first))
}
