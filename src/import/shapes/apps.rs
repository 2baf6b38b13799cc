//! APPS and TACO: `input_output` has parallel lists; with `fn_name`, a function is called.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{embedded, function, keys, text_of, title_of};
use crate::import::mistake::Mistake;
use crate::import::problem::{ImportedProblem, Solution, Test, Way};

/// The time limit where the set states none, in seconds: that of the evaluation published with APPS.
const TIME_LIMIT: f64 = 4.0;

#[derive(Deserialize)]
struct Keys {
    #[serde(alias = "id")]
    problem_id: Option<Box<RawValue>>,
    name: Option<String>,
    url: Option<String>,
    #[serde(default)]
    question: String,
    input_output: Box<RawValue>,
    solutions: Option<Box<RawValue>>,
    time_limit: Option<String>,
    memory_limit: Option<String>,
}

#[derive(Deserialize)]
struct Tests {
    inputs: Vec<Box<RawValue>>,
    outputs: Vec<Box<RawValue>>,
    fn_name: Option<String>,
}

pub(super) fn read(row: &str, set: &'static str) -> Result<ImportedProblem, Mistake> {
    let Keys { problem_id, name, url, question, input_output, solutions, time_limit, memory_limit } = keys(row)?;
    let named = problem_id.map(|id| format!("{set}-{}", id.get().trim_matches('"')));
    let own = name.filter(|name| !name.trim().is_empty());
    let place = url.as_deref().map(|url| url.trim_start_matches("https://").trim_start_matches("http://"));
    let named = named.or_else(|| own.clone()).or_else(|| place.map(str::to_owned)).ok_or(Mistake::NoName)?;
    let Tests { inputs, outputs, fn_name } = embedded("input_output", &input_output)?;
    if inputs.len() != outputs.len() {
        let key = "input_output";
        return Err(Mistake::Unequal { key, inputs: inputs.len(), outputs: outputs.len() });
    }
    let way = match fn_name.filter(|name| !name.is_empty()) {
        Some(name) => Way::Function { name: function(&name)?, either: true },
        None => Way::Standard,
    };
    let mut tests = Vec::new();
    for (number, (input, output)) in (1..).zip(inputs.iter().zip(&outputs)) {
        let (input, answer) = match way {
            Way::Standard => (text_of("inputs", input)?, text_of("outputs", output)?),
            _ => (input.get().to_owned(), output.get().to_owned()),
        };
        tests.push(Test::secret(number, input, Some(answer)));
    }
    let programs: Vec<String> = match solutions {
        // Rows without solutions have an empty string.
        Some(raw) if raw.get() != "\"\"" && raw.get() != "null" => embedded("solutions", &raw)?,
        _ => Vec::new(),
    };
    Ok(ImportedProblem {
        set,
        title: own.unwrap_or_else(|| title_of(&question, &named)),
        name: named,
        statement: question,
        time_limit: time_limit.and_then(|words| first_number(&words)).unwrap_or(TIME_LIMIT),
        memory: memory_limit.and_then(|words| mebibytes(&words)),
        way,
        tests,
        solutions: programs.into_iter().map(Solution::python).collect(),
        foreign: 0,
        ..ImportedProblem::default()
    })
}

/// The number at the beginning of `2.0 seconds`, if it is positive.
fn first_number(words: &str) -> Option<f64> {
    words.split_whitespace().next()?.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0)
}

/// The size of `256.0 megabytes`; other units are not used by the set.
fn mebibytes(words: &str) -> Option<u64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive and bounded")]
    let whole = |number: f64| number.clamp(1.0, 1e6) as u64;
    words.contains("megabyte").then(|| first_number(words).map(whole))?
}
