//! `HumanEval`: a prompt that a program continues, and a function `check` with assertions.

use serde::Deserialize;

use super::{function, keys};
use crate::import::mistake::Mistake;
use crate::import::problem::{ImportedProblem, Solution, Test, Way};

/// The time limit of the published evaluation, in seconds.
const TIME_LIMIT: f64 = 3.0;

#[derive(Deserialize)]
struct Keys {
    task_id: String,
    prompt: String,
    entry_point: String,
    canonical_solution: Option<String>,
    test: String,
}

pub(super) fn read(row: &str) -> Result<ImportedProblem, Mistake> {
    let Keys { task_id, prompt, entry_point, canonical_solution, test } = keys(row)?;
    let entry = function(&entry_point)?;
    // Other definitions in the prompt belong to the test, so that no solution can replace them.
    let is_function = |line: &&str| line.starts_with("def ");
    let before = if prompt.lines().filter(is_function).count() > 1 { &*prompt } else { "" };
    let test = Test::secret(1, format!("{before}{test}\n\ncheck({entry})\n"), None);
    Ok(ImportedProblem {
        set: "HumanEval",
        name: task_id,
        statement: format!("Continue this program:\n\n```python\n{prompt}\n```\n"),
        solutions: canonical_solution.into_iter().map(|rest| Solution::python(prompt.clone() + &rest)).collect(),
        title: entry_point,
        time_limit: TIME_LIMIT,
        way: Way::Assertions,
        tests: vec![test],
        ..ImportedProblem::default()
    })
}
