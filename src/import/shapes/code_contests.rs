//! `CodeContests`: public, private and generated tests, and solutions that are labelled right or wrong.

use serde::Deserialize;

use super::keys;
use crate::import::mistake::Mistake;
use crate::import::problem::{ImportedProblem, Solution, Test, Way};

/// The time limit where a contest states none, in seconds.
const TIME_LIMIT: f64 = 4.0;

#[derive(Deserialize)]
struct Keys {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    public_tests: Tests,
    #[serde(default)]
    private_tests: Tests,
    #[serde(default)]
    generated_tests: Tests,
    #[serde(default)]
    solutions: Solutions,
    #[serde(default)]
    incorrect_solutions: Solutions,
    time_limit: Option<Time>,
    memory_limit_bytes: Option<u64>,
    #[serde(default)]
    input_file: Option<String>,
    #[serde(default)]
    output_file: Option<String>,
}

#[derive(Default, Deserialize)]
struct Tests {
    input: Vec<String>,
    output: Vec<String>,
}

#[derive(Default, Deserialize)]
struct Solutions {
    language: Vec<u8>,
    solution: Vec<String>,
}

/// A duration of Protocol Buffers.
#[derive(Deserialize)]
struct Time {
    #[serde(default)]
    seconds: u32,
    #[serde(default)]
    nanos: u32,
}

pub(super) fn read(row: &str) -> Result<ImportedProblem, Mistake> {
    let keys: Keys = keys(row)?;
    for file in [&keys.input_file, &keys.output_file].into_iter().flatten() {
        if !file.is_empty() {
            return Err(Mistake::NamedFile(file.clone()));
        }
    }
    let mut tests = Vec::new();
    for (key, prefix, is_sample, of) in [
        ("public_tests", "", true, keys.public_tests),
        ("private_tests", "1-private-", false, keys.private_tests),
        ("generated_tests", "2-generated-", false, keys.generated_tests),
    ] {
        if of.input.len() != of.output.len() {
            return Err(Mistake::Unequal { key, inputs: of.input.len(), outputs: of.output.len() });
        }
        for (number, (input, output)) in (1..).zip(of.input.into_iter().zip(of.output)) {
            let name = format!("{prefix}{number:03}");
            tests.push(Test { name, is_sample, input, answer: Some(output) });
        }
    }
    let mut solutions = Vec::new();
    let mut foreign = 0;
    for (is_accepted, of) in [(true, keys.solutions), (false, keys.incorrect_solutions)] {
        for (language, text) in of.language.into_iter().zip(of.solution) {
            match ending(language) {
                Some(ending) => solutions.push(Solution { is_accepted, ending, text }),
                None => foreign += 1,
            }
        }
    }
    let seconds = keys.time_limit.map(|Time { seconds, nanos }| f64::from(seconds) + f64::from(nanos) / 1e9);
    Ok(ImportedProblem {
        set: "CodeContests",
        title: keys.name.clone(),
        name: keys.name,
        statement: keys.description,
        time_limit: seconds.filter(|seconds| *seconds > 0.0).unwrap_or(TIME_LIMIT),
        memory: keys.memory_limit_bytes.map(|bytes| bytes >> 20).filter(|mib| *mib > 0),
        way: Way::Standard,
        tests,
        solutions,
        foreign,
        ..ImportedProblem::default()
    })
}

/// The ending for a language of the set; none for Python 2 (1) and unknown ones (0).
fn ending(language: u8) -> Option<&'static str> {
    match language {
        2 => Some("cpp"),
        3 => Some("py"),
        4 => Some("java"),
        _ => None,
    }
}
