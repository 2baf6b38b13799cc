//! `CodeContests+`: tests, labelled submissions, and programs of testlib that judge, validate and generate.

use serde::Deserialize;

use super::keys;
use crate::import::mistake::Mistake;
use crate::import::problem::{ImportedProblem, JudgeSources, Solution, Test, Way};

/// The time limit where a row states none, in seconds.
const TIME_LIMIT: f64 = 4.0;
/// A time limit up to this is in seconds, a larger one in milliseconds.
const MOST_SECONDS: f64 = 60.0;
/// A memory limit up to this is in MiB, a larger one in bytes.
const MOST_MIB: u64 = 1 << 20;

#[derive(Deserialize)]
struct Keys {
    id: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    description: String,
    time_limit: Option<f64>,
    memory_limit: Option<u64>,
    checker: Option<String>,
    validator: Option<String>,
    generator: Option<String>,
    #[serde(default)]
    generator_cmd: Option<Commands>,
    #[serde(default)]
    correct_submissions: Vec<Submission>,
    #[serde(default)]
    incorrect_submissions: Vec<Submission>,
    #[serde(default)]
    test_cases: Option<Vec<TestCase>>,
}

/// One command in each line, or each by itself.
#[derive(Deserialize)]
#[serde(untagged)]
enum Commands {
    Lines(String),
    Each(Vec<String>),
}

#[derive(Deserialize)]
struct Submission {
    code: String,
    language: String,
}

#[derive(Deserialize)]
struct TestCase {
    input: String,
    output: String,
}

pub(super) fn read(row: &str) -> Result<ImportedProblem, Mistake> {
    let keys: Keys = keys(row)?;
    let cases = keys.test_cases.unwrap_or_default();
    let tests: Vec<Test> = (1..)
        .zip(cases)
        .map(|(number, TestCase { input, output })| Test::secret(number, input, Some(output)))
        .collect();
    let mut solutions = Vec::new();
    let mut foreign = 0;
    for (is_accepted, of) in [(true, keys.correct_submissions), (false, keys.incorrect_submissions)] {
        for Submission { code, language } in of {
            match ending(&language) {
                Some(ending) => solutions.push(Solution { is_accepted, ending, text: code }),
                None => foreign += 1,
            }
        }
    }
    let judge = JudgeSources {
        checker: stated(keys.checker),
        validator: stated(keys.validator),
        generator: stated(keys.generator),
        // The tests of the row were made by these commands.
        commands: if tests.is_empty() { keys.generator_cmd.map(commands).unwrap_or_default() } else { Vec::new() },
    };
    Ok(ImportedProblem {
        set: "CodeContests+",
        title: if keys.title.is_empty() { keys.id.clone() } else { keys.title },
        name: keys.id,
        statement: keys.description,
        time_limit: keys.time_limit.filter(|limit| *limit > 0.0).map_or(TIME_LIMIT, seconds),
        memory: keys.memory_limit.map(mib).filter(|mib| *mib > 0),
        way: Way::Standard,
        judge,
        tests,
        solutions,
        foreign,
    })
}

fn stated(source: Option<String>) -> Option<String> {
    source.filter(|source| !source.trim().is_empty())
}

fn seconds(limit: f64) -> f64 {
    if limit <= MOST_SECONDS { limit } else { limit / 1000.0 }
}

fn mib(limit: u64) -> u64 {
    if limit <= MOST_MIB { limit } else { limit >> 20 }
}

/// The arguments of each command. The name of the generator before them differs between rows: `./gen`, `./generator`.
fn commands(given: Commands) -> Vec<String> {
    let lines = match given {
        Commands::Lines(lines) => lines.lines().map(str::to_owned).collect(),
        Commands::Each(lines) => lines,
    };
    let arguments = |line: &String| {
        let (_, arguments) = line.trim().split_once(char::is_whitespace).unwrap_or_default();
        arguments.trim().to_owned()
    };
    lines.iter().filter(|line| !line.trim().is_empty()).map(arguments).collect()
}

/// The ending for a language of the set, in small or capital letters; none for Python 2 and unknown ones.
fn ending(language: &str) -> Option<&'static str> {
    match language.to_ascii_lowercase().as_str() {
        "cpp" | "c++" => Some("cpp"),
        "py3" | "python3" => Some("py"),
        "java" => Some("java"),
        _ => None,
    }
}
