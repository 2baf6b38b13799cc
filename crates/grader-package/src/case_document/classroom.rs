//! Reads the tests of GitHub Classroom (`autograding.json`) and of Classroom 50 (`tests.json`): a command with its input,
//! the expected output, how they are compared, and points.
//!
//! grader runs submissions by its table of languages. So a command counts if it starts one program (`python3 hello.py 3`,
//! `gcc hello.c -o hello` and `./hello`). Others are named and left out.
//!
//! Sources: `runner.ts` of `education/autograding` 1.0.2; the schema `classroom50/tests/v1`.

use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use super::{Case, LARGEST, Suite, line, stem};
use crate::document::small_text;
use crate::reader::Reader;
use grader_model::diagnostic::{Diagnostic, Kind, TextPosition};
use grader_model::problem::{Checker, LimitOptions, TokenOptions};

#[derive(Deserialize)]
struct Document {
    tests: Vec<Test>,
}

/// A test of either format.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Test {
    name: String,
    /// Of Classroom 50: `io`, `run` or `python`.
    r#type: Option<String>,
    #[serde(default)]
    setup: Option<String>,
    #[serde(default)]
    run: Option<String>,
    #[serde(default)]
    input: Option<String>,
    input_file: Option<String>,
    /// The expected output, as GitHub Classroom calls it.
    #[serde(default)]
    output: Option<String>,
    expected: Option<String>,
    expected_file: Option<String>,
    comparison: Option<Comparison>,
    timeout: Option<f64>,
    #[serde(default)]
    exit_code: Option<i32>,
    points: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Comparison {
    #[serde(alias = "contains")]
    Included,
    Exact,
    Regex,
}

/// Words in commands that run unit tests.
const UNIT_TESTS: &[&str] = &["pytest", "unittest", "jest", "npm test", "go test", "cargo test", "mvn", "gradle"];

/// A regular expression that matches every output.
const ANYTHING: &str = "(?s)^";

/// `autograding.json`: times are minutes.
pub(super) fn autograding(reader: &Reader<'_>, file: &Path, text: &str) -> Result<Vec<Suite>, Diagnostic> {
    suites(reader, file, text, |timeout| {
        Duration::from_secs(60).mul_f64(timeout.filter(|time| *time > 0.0).unwrap_or(1.0))
    })
}

/// `tests.json` of Classroom 50: times are seconds.
pub(super) fn classroom50(reader: &Reader<'_>, file: &Path, text: &str) -> Result<Vec<Suite>, Diagnostic> {
    suites(reader, file, text, |timeout| Duration::from_secs_f64(timeout.filter(|time| *time > 0.0).unwrap_or(10.0)))
}

fn suites(
    reader: &Reader<'_>,
    file: &Path,
    text: &str,
    time: impl Fn(Option<f64>) -> Duration,
) -> Result<Vec<Suite>, Diagnostic> {
    let read: Document = serde_json::from_str(text).map_err(|error| {
        let place = TextPosition { line: line(error.line()), column: 1 };
        Diagnostic::error(file, format!("not the tests of a classroom: {error}")).at(Some(place))
    })?;
    let mut suites: Vec<Suite> = Vec::new();
    let has_points = read.tests.iter().any(|test| test.points.is_some());
    for mut test in read.tests {
        // Beside tests with points, a test without any is worth nothing.
        test.points = test.points.or(has_points.then_some(0.0));
        let (program, arguments) = match test.program() {
            Ok(found) => found,
            Err(why) => {
                let message = format!("test `{}` is left out with its {} points: {why}", test.name, test.worth());
                let remedy = test.remedy();
                reader.report(Diagnostic::warning(file, message).kind(Kind::Ignored).remedy(remedy));
                continue;
            }
        };
        // Numbers outside of a day are not times.
        let limit = time(test.timeout.filter(|timeout| (0.0..=1440.0).contains(timeout)));
        let case = test.into_case(file, arguments)?;
        let known = suites.iter_mut().find(|suite| suite.program == program);
        if let Some(suite) = known {
            suite.limits.time = suite.limits.time.max(Some(limit));
            suite.cases.push(case);
            continue;
        }
        let limits = LimitOptions { time: Some(limit), ..LimitOptions::default() };
        suites.push(Suite { program, cases: vec![case], limits, checker: None, command: None });
    }
    Ok(suites)
}

impl Test {
    fn worth(&self) -> f64 {
        self.points.unwrap_or(0.0)
    }

    /// The suggested fix for a test that is left out.
    fn remedy(&self) -> &'static str {
        let command = self.run.as_deref().unwrap_or_default();
        let is_python = self.r#type.as_deref() == Some("python");
        if is_python || UNIT_TESTS.iter().any(|words| command.contains(words)) {
            "judge its unit tests as a problem with `entry.tests`"
        } else {
            "write a case for one program, or judge the test by another tool"
        }
    }

    /// The name of the program, without its extension, and its arguments. An error says why there is none.
    fn program(&self) -> Result<(Option<String>, Vec<String>), String> {
        if self.r#type.as_deref() == Some("python") {
            return Err("its tests are a program of their own".to_owned());
        }
        if self.exit_code.is_some_and(|code| code != 0) {
            return Err("the program has to fail".to_owned());
        }
        let command = self.run.as_deref().unwrap_or_default();
        let is_no_call = || format!("`{}` does not start one program", command.escape_debug());
        // The commands before the last one build the program, as `setup` does.
        let (before, last) = command.rsplit_once("&&").unwrap_or(("", command));
        if last.contains(['|', ';', '>', '<', '&', '$', '`', '(', '\n']) {
            return Err(is_no_call());
        }
        let words = shlex::split(last).ok_or_else(is_no_call)?;
        let [first, rest @ ..] = &words[..] else { return Err(is_no_call()) };
        let source = |rest: &[String]| -> Option<(String, Vec<String>)> {
            let (file, arguments) = rest.split_first().filter(|(file, _)| !file.starts_with('-'))?;
            Some((stem(Path::new(file)), arguments.to_vec()))
        };
        let interpreters =
            ["python", "python3", "python3.11", "python3.12", "node", "ruby", "bash", "sh", "perl", "php", "java"];
        let found = match &**first {
            "go" | "dotnet" if rest.first().is_some_and(|word| word == "run") => source(&rest[1..]),
            name if interpreters.contains(&name) => source(rest),
            name => name.strip_prefix("./").map(|built| (self.built_from(before, built), rest.to_vec())),
        };
        let (program, arguments) = found.ok_or_else(is_no_call)?;
        Ok((Some(program), arguments))
    }

    /// The name of the source from which a program was built: `hello` of `gcc -o main hello.c`.
    fn built_from(&self, before: &str, built: &str) -> String {
        let setup = format!("{} && {before}", self.setup.as_deref().unwrap_or_default());
        for command in setup.split("&&").filter_map(shlex::split) {
            let names_it = command.windows(2).any(|pair| pair[0] == "-o" && pair[1].trim_start_matches("./") == built);
            let is_source = |word: &&String| {
                [".c", ".cc", ".cpp", ".cxx", ".rs", ".go"].iter().any(|ending| word.ends_with(ending))
            };
            if let Some(source) = command.iter().find(is_source)
                && (names_it || built == "a.out")
            {
                return stem(Path::new(source));
            }
        }
        stem(Path::new(built))
    }

    fn into_case(self, file: &Path, arguments: Vec<String>) -> Result<Case, Diagnostic> {
        let beside = |name: &Option<String>| -> Result<Option<String>, Diagnostic> {
            let Some(name) = name else { return Ok(None) };
            let path = file.parent().unwrap_or(Path::new("")).join(name);
            let text = small_text(&path, LARGEST);
            text.map(Some).ok_or_else(|| Diagnostic::error(&path, "cannot be read as text, but a test names it"))
        };
        let input = self.input.or(beside(&self.input_file)?);
        let expected = self.output.or(self.expected).or(beside(&self.expected_file)?);
        let expected = expected.map(|text| text.replace("\r\n", "\n").trim().to_owned());
        let checks_output = expected.as_ref().is_some_and(|text| !text.is_empty());
        // GitHub Classroom compares nothing if neither is there. Everything includes nothing.
        let is_any = !checks_output
            && (input.as_deref().is_none_or(str::is_empty) || self.comparison != Some(Comparison::Exact));
        let (checker, answer) = match self.comparison {
            _ if is_any => (Checker::Regex, ANYTHING.to_owned()),
            None | Some(Comparison::Included) => (Checker::Contains, expected.unwrap_or_default()),
            Some(Comparison::Regex) => (Checker::Regex, expected.unwrap_or_default()),
            Some(Comparison::Exact) => {
                let options = TokenOptions { case_sensitive: true, ..TokenOptions::default() };
                (Checker::Tokens(options), expected.unwrap_or_default() + "\n")
            }
        };
        let input = input.unwrap_or_default();
        let points = self.points.filter(|points| points.is_finite() && *points >= 0.0);
        Ok(Case { arguments, points, ..Case::new(Some(self.name), input, Some(answer), Some(checker)) })
    }
}
