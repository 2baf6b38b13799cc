//! MBPP, whole and sanitized: each test is an assertion.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{keys, title_of};
use crate::import::mistake::Mistake;
use crate::import::problem::{ImportedProblem, Solution, Test, Way};

/// The time limit in seconds: that of evaluations of `HumanEval`, since the set has none.
const TIME_LIMIT: f64 = 3.0;

#[derive(Deserialize)]
struct Keys {
    task_id: Box<RawValue>,
    #[serde(alias = "prompt")]
    text: String,
    code: Option<String>,
    test_list: Vec<String>,
    #[serde(default)]
    challenge_test_list: Vec<String>,
    #[serde(default)]
    test_setup_code: String,
    #[serde(default)]
    test_imports: Vec<String>,
}

pub(super) fn read(row: &str) -> Result<ImportedProblem, Mistake> {
    let keys: Keys = keys(row)?;
    let mut before = keys.test_imports.join("\n");
    before.extend(["\n", &keys.test_setup_code, "\n"]);
    let asserts = keys.test_list.iter().chain(&keys.challenge_test_list);
    let tests = (1..).zip(asserts).map(|(number, assert)| Test::secret(number, format!("{before}{assert}\n"), None));
    let name = format!("MBPP-{}", keys.task_id.get().trim_matches('"'));
    let example = keys.test_list.first().map(String::as_str).unwrap_or_default();
    Ok(ImportedProblem {
        set: "MBPP",
        title: title_of(&keys.text, &name),
        name,
        statement: format!("{}\n\nFor example:\n\n```python\n{example}\n```\n", keys.text),
        time_limit: TIME_LIMIT,
        way: Way::Assertions,
        tests: tests.collect(),
        solutions: keys.code.into_iter().map(Solution::python).collect(),
        ..ImportedProblem::default()
    })
}
