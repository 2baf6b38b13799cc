//! Reads the lines that come in, and reports their mistakes.

use std::collections::BTreeMap;
use std::path::{Component, Path};
use std::time::Duration;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::mistake::Mistake;
use crate::driver::{self, CALLERS, DRIVER, SOLUTION};
use crate::judge::compare::Json;
use crate::limits::Bytes;
use crate::problem::{Checker, LimitOptions};
use crate::store::Key;

/// The longest time limit, in seconds: a day.
const LONGEST: f64 = 86_400.0;
/// The largest size limit, in MiB.
const LARGEST: f64 = 1024.0 * 1024.0;

/// The name that the client gave to a request: returned unchanged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Id {
    Number(i64),
    Text(String),
}

/// The keys of a request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: Id,
    problem: RequestedProblem,
    language: Option<String>,
    source: Option<String>,
    files: Option<BTreeMap<String, String>>,
    limits: Option<LimitsLine>,
}

/// Only the name of a request. It can be read even if the rest is broken.
#[derive(Deserialize)]
struct RequestName {
    id: Id,
}

/// The problem of a request: its name, or the problem itself.
#[derive(Debug)]
enum RequestedProblem {
    Named(String),
    Inline(Box<Inline>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Inline {
    tests: Vec<TestLine>,
    limits: Option<LimitsLine>,
    checker: Option<String>,
    entry: Option<EntryLine>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TestLine {
    input: Box<RawValue>,
    /// `null` is a value: a function may return None.
    #[serde(default, deserialize_with = "present")]
    output: Option<Box<RawValue>>,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::deserialize(deserializer).map(Some)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryLine {
    function: Option<String>,
    #[serde(default)]
    asserts: bool,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitsLine {
    time_limit: Option<f64>,
    wall_limit: Option<f64>,
    memory: Option<f64>,
    output: Option<f64>,
    processes: Option<u32>,
}

impl<'de> Deserialize<'de> for RequestedProblem {
    /// Reads a string or an object. (An untagged enum would not report the mistake in the object.)
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = RequestedProblem;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the name of a problem, or an object with `tests`")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<RequestedProblem, E> {
                Ok(RequestedProblem::Named(name.to_owned()))
            }

            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<RequestedProblem, M::Error> {
                Inline::deserialize(MapAccessDeserializer::new(map))
                    .map(|inline| RequestedProblem::Inline(Box::new(inline)))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// A request that can be carried out.
#[derive(Debug)]
pub(super) struct StreamRequest {
    pub(super) id: Id,
    pub(super) task: Task,
}

/// Everything about a request that determines its result.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) problem: ProblemWanted,
    /// The word for the language; none means that it follows from the names of the files.
    pub(super) language: Option<String>,
    pub(super) program: Files,
    /// The limits of the request, which outrank those of the problem.
    pub(super) limits: LimitOptions,
    /// Equal for equal tasks.
    pub(super) key: Key,
}

/// The files of a program.
#[derive(Debug)]
pub(super) enum Files {
    /// One file, named by its language.
    Source(String),
    /// Files by their relative paths.
    Named(BTreeMap<String, String>),
}

/// The problem of a request.
#[derive(Debug)]
pub(super) enum ProblemWanted {
    /// A problem of the workspace.
    Named(String),
    /// Programs that read standard input.
    Tests { tests: Vec<(String, String)>, checker: Option<Checker>, limits: LimitOptions },
    /// A function that is called.
    Function { name: String, tests: Vec<Call>, checker: Checker, limits: LimitOptions },
    /// Assertions about a program, each a program in Python.
    Assertions { tests: Vec<String>, limits: LimitOptions },
}

impl ProblemWanted {
    /// Whether solutions do not run by themselves.
    pub(super) fn is_driven(&self) -> bool {
        matches!(self, Self::Function { .. } | Self::Assertions { .. })
    }

    /// The name and the text of the driver of solutions in a language; none if solutions run by themselves, or the
    /// language has no driver. `is_code` decides whether a language code of packages means the language.
    pub(super) fn driver(&self, is_code: impl Fn(&str) -> bool) -> Option<(&'static str, String)> {
        match self {
            Self::Named(_) | Self::Tests { .. } => None,
            Self::Function { name, .. } => {
                let caller = CALLERS.iter().find(|caller| is_code(caller.code))?;
                Some((caller.driver, caller.calling(name)))
            }
            Self::Assertions { .. } => is_code(PYTHON).then(|| (DRIVER, driver::asserting())),
        }
    }

    /// The languages of solutions with a driver, for people.
    pub(super) fn driven_languages(&self) -> String {
        match self {
            Self::Assertions { .. } => "Python".to_owned(),
            _ => CALLERS.iter().map(|caller| caller.language).collect::<Vec<_>>().join(", "),
        }
    }
}

/// The code of the language of solutions with a driver, unless the request names another.
pub(super) const PYTHON: &str = "python3";

/// One call of a function.
#[derive(Debug)]
pub(super) struct Call {
    /// The arguments as JSON: a list, or an object of named arguments.
    pub(super) arguments: String,
    /// The expected value, unchanged.
    pub(super) expected: String,
}

/// The reason why a line is not a request.
#[derive(Debug)]
pub(super) struct BrokenRequest {
    /// The name of the request, if it could be read.
    pub(super) id: Option<Id>,
    pub(super) mistake: Mistake,
}

impl StreamRequest {
    /// Reads a line.
    pub(super) fn parse(line: &[u8]) -> Result<Self, BrokenRequest> {
        Self::read(line).map_err(|(id, mistake)| {
            // A line that is not a request may still have a name.
            let named = || serde_json::from_slice(line).ok().map(|RequestName { id }| id);
            BrokenRequest { id: id.or_else(named), mistake }
        })
    }

    fn read(line: &[u8]) -> Result<Self, (Option<Id>, Mistake)> {
        let nameless = |mistake| (None, mistake);
        let text = str::from_utf8(line).map_err(|error| nameless(error.into()))?;
        let mistake_of = |error: serde_json::Error| {
            let is_other = error.is_data() && !text.trim_start().starts_with('{');
            if is_other { Mistake::NoObject } else { error.into() }
        };
        let line: Line = serde_json::from_str(text).map_err(|error| nameless(mistake_of(error)))?;
        let id = line.id.clone();
        match Task::read(line) {
            Ok(task) => Ok(Self { id, task }),
            Err(mistake) => Err((Some(id), mistake)),
        }
    }
}

impl Task {
    fn read(line: Line) -> Result<Self, Mistake> {
        let Line { id: _, problem, language, source, files, limits } = line;
        let key = key_of(&problem, language.as_deref(), source.as_deref(), files.as_ref(), limits.as_ref());
        let limits = limits.map(|limits| limits.read("limits")).transpose()?.unwrap_or_default();
        let program = program(source, files)?;
        let problem = match problem {
            RequestedProblem::Named(name) => ProblemWanted::Named(name),
            RequestedProblem::Inline(inline) => inline.read()?,
        };
        if let (true, Files::Named(files)) = (problem.is_driven(), &program) {
            let is_solution =
                |name: &String| Path::new(&name.to_lowercase()).with_extension("py") == Path::new(SOLUTION);
            let may_have_other_endings = language.is_some() && matches!(problem, ProblemWanted::Function { .. });
            let has_solution = files.contains_key(SOLUTION) || may_have_other_endings && files.keys().any(is_solution);
            if !has_solution {
                return Err(Mistake::NoSolution);
            }
            if let Some(own) = CALLERS.iter().find(|caller| files.contains_key(caller.driver)) {
                return Err(Mistake::OwnDriver(own.driver));
            }
        }
        Ok(Self { problem, language, program, limits, key })
    }
}

fn key_of(
    problem: &RequestedProblem,
    language: Option<&str>,
    source: Option<&str>,
    files: Option<&BTreeMap<String, String>>,
    limits: Option<&LimitsLine>,
) -> Key {
    let mut key = Key::of("stream task v1");
    match problem {
        RequestedProblem::Named(name) => key = key.field("problem", name),
        RequestedProblem::Inline(inline) => {
            let Inline { tests, limits, checker, entry } = &**inline;
            for TestLine { input, output } in tests {
                key = key.field("input", input.get()).value("output", &output.as_ref().map(|output| output.get()));
            }
            key = key
                .value("checker", checker)
                .value("entry", &entry.as_ref().map(|entry| (&entry.function, entry.asserts)));
            key = key.value("problem's limits", &limits.as_ref().map(LimitsLine::figures));
        }
    }
    key.value("language", &language)
        .value("source", &source)
        .value("files", &files)
        .value("limits", &limits.map(LimitsLine::figures))
        .finish()
}

fn program(source: Option<String>, files: Option<BTreeMap<String, String>>) -> Result<Files, Mistake> {
    match (source, files) {
        (Some(source), None) => Ok(Files::Source(source)),
        (None, Some(files)) if files.is_empty() => Err(Mistake::NoFiles),
        (None, Some(files)) => match files.keys().find(|name| !is_relative(name)) {
            Some(name) => Err(Mistake::FileName(name.clone())),
            None => Ok(Files::Named(files)),
        },
        (Some(_), Some(_)) => Err(Mistake::TwoPrograms),
        (None, None) => Err(Mistake::NoProgram),
    }
}

/// Whether a name of a file stays in its directory and can be created.
fn is_relative(name: &str) -> bool {
    let parts = || Path::new(name).components();
    let fits = |part: Component<'_>| matches!(part, Component::Normal(part) if part.len() <= 255);
    let clean = name.split('/').all(|part| !part.is_empty() && part != ".");
    clean && name.len() <= 1024 && !name.contains('\0') && parts().all(fits)
}

impl Inline {
    fn read(self) -> Result<ProblemWanted, Mistake> {
        let Self { tests, limits, checker, entry } = self;
        let limits = limits.map(|limits| limits.read("problem.limits")).transpose()?.unwrap_or_default();
        let checker = checker.map(|words| words.parse::<Checker>()).transpose()?;
        if tests.is_empty() {
            return Err(Mistake::NoTests);
        }
        match entry {
            None => {
                let read = |(at, TestLine { input, output }): (usize, &TestLine)| {
                    let output = output.as_ref().ok_or(Mistake::NoOutput(at))?;
                    Ok((text(at, "input", input)?, text(at, "output", output)?))
                };
                let tests = tests.iter().enumerate().map(read).collect::<Result<_, Mistake>>()?;
                Ok(ProblemWanted::Tests { tests, checker, limits })
            }
            Some(EntryLine { function: Some(name), asserts: false }) => {
                if !driver::is_identifier(&name) {
                    return Err(Mistake::FunctionName(name));
                }
                let tests = tests.into_iter().enumerate().map(Call::read).collect::<Result<_, Mistake>>()?;
                let checker = Checker::of_values(checker).map_err(Mistake::TextCheckerOfCalls)?;
                Ok(ProblemWanted::Function { name, tests, checker, limits })
            }
            Some(EntryLine { function: None, asserts: true }) => {
                let read = |(at, TestLine { input, output }): (usize, &TestLine)| match (
                    output.as_ref().filter(|output| output.get() != "null"),
                    checker,
                ) {
                    (None, None) => text(at, "input", input),
                    (Some(_), _) => Err(Mistake::OutputOfAssertion(at)),
                    (None, Some(_)) => Err(Mistake::CheckerOfAssertions),
                };
                let tests = tests.iter().enumerate().map(read).collect::<Result<_, Mistake>>()?;
                Ok(ProblemWanted::Assertions { tests, limits })
            }
            Some(EntryLine { .. }) => Err(Mistake::Entry),
        }
    }
}

/// The text of a key of the test number `test`.
fn text(test: usize, key: &'static str, raw: &RawValue) -> Result<String, Mistake> {
    serde_json::from_str(raw.get()).map_err(|_| Mistake::NoText { test, key })
}

impl Call {
    /// Reads the test number `test`.
    fn read((test, TestLine { input, output }): (usize, TestLine)) -> Result<Self, Mistake> {
        let value = |key, raw: &RawValue| Json::parse(raw.get()).map_err(|error| Mistake::Value { test, key, error });
        match value("input", &input)? {
            Json::List(_) | Json::Object(_) => {}
            _ => return Err(Mistake::NoArguments(test)),
        }
        let output = output.ok_or(Mistake::NoOutput(test))?;
        value("output", &output)?;
        Ok(Self { arguments: input.get().to_owned(), expected: output.get().to_owned() })
    }
}

impl LimitsLine {
    /// The limits in a form that a key can hold.
    fn figures(&self) -> [Option<u64>; 5] {
        let Self { time_limit, wall_limit, memory, output, processes } = self;
        let bits = |figure: &Option<f64>| figure.map(f64::to_bits);
        [bits(time_limit), bits(wall_limit), bits(memory), bits(output), processes.map(u64::from)]
    }

    fn read(&self, place: &'static str) -> Result<LimitOptions, Mistake> {
        let within = |key, value: Option<f64>, most, unit| match value {
            Some(value) if !(value > 0.0 && value <= most) => Err(Mistake::Limit { place, key, value, most, unit }),
            value => Ok(value),
        };
        let time = |key, value| Ok::<_, Mistake>(within(key, value, LONGEST, "seconds")?.map(Duration::from_secs_f64));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive and bounded")]
        let size = |key, value: Option<f64>| {
            let bytes = |mib: f64| Bytes((mib * 1024.0 * 1024.0).max(1.0) as u64);
            Ok::<_, Mistake>(within(key, value, LARGEST, "MiB")?.map(bytes))
        };
        if self.processes == Some(0) {
            return Err(Mistake::NoProcess(place));
        }
        Ok(LimitOptions {
            time: time("time_limit", self.time_limit)?,
            wall: time("wall_limit", self.wall_limit)?,
            memory: size("memory", self.memory)?,
            output: size("output", self.output)?,
            processes: self.processes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::ValueTolerance;

    fn broken(line: &str) -> (Option<Id>, String) {
        let BrokenRequest { id, mistake } = StreamRequest::parse(line.as_bytes()).unwrap_err();
        (id, mistake.to_string())
    }

    fn parse(line: &str) -> StreamRequest {
        StreamRequest::parse(line.as_bytes()).unwrap_or_else(|broken| panic!("{line}: {broken:?}"))
    }

    #[test]
    fn a_request_names_a_problem_or_carries_one() {
        let named = parse(r#"{"id": "a", "problem": "sum", "source": "x", "language": "python"}"#);
        assert!(matches!(&named.task.problem, ProblemWanted::Named(name) if name == "sum"));
        assert_eq!(named.id, Id::Text("a".to_owned()));
        let line = r#"{"id": 7, "problem": {"tests": [{"input": "1\n", "output": "2\n"}], "checker": "float=1e-3",
            "limits": {"time_limit": 1, "memory": 64}}, "files": {"a/b.py": "x"}, "limits": {"memory": 128}}"#;
        let carried = parse(&line.replace('\n', " "));
        let ProblemWanted::Tests { tests, checker, limits } = carried.task.problem else { panic!("no tests") };
        assert_eq!(tests, [("1\n".to_owned(), "2\n".to_owned())]);
        assert_eq!(checker, "float=1e-3".parse().ok());
        assert_eq!(limits.memory, Some(Bytes::mib(64)));
        assert_eq!(carried.task.limits.memory, Some(Bytes::mib(128)));
        assert_eq!(carried.id, Id::Number(7));
    }

    #[test]
    fn calls_keep_the_text_of_their_arguments() {
        let line = r#"{"id": 1, "problem": {"tests": [{"input": [12345678901234567890123], "output": 1e2}],
            "entry": {"function": "f"}}, "source": "x"}"#;
        let ProblemWanted::Function { name, tests, checker, .. } = parse(line).task.problem else { panic!("no call") };
        assert_eq!((&*name, &*tests[0].arguments), ("f", "[12345678901234567890123]"));
        assert_eq!(tests[0].expected, "1e2");
        assert_eq!(checker, Checker::Value(ValueTolerance::default()));
    }

    #[test]
    fn null_is_a_value() {
        let line = |test: &str| {
            format!(r#"{{"id": 1, "problem": {{"tests": [{test}], "entry": {{"function": "f"}}}}, "source": ""}}"#)
        };
        let ProblemWanted::Function { tests, .. } = parse(&line(r#"{"input": [], "output": null}"#)).task.problem
        else {
            panic!("no call")
        };
        assert_eq!(tests[0].expected, "null");
        assert_eq!(broken(&line(r#"{"input": []}"#)).1, "`tests[0].output` is missing");
        let text = r#"{"id": 1, "problem": {"tests": [{"input": "", "output": null}]}, "source": ""}"#;
        assert!(broken(text).1.contains("`tests[0].output` is not a string"), "{text}");
    }

    #[test]
    fn equal_tasks_have_equal_keys() {
        let key = |line: &str| parse(line).task.key;
        let one = r#"{"id": 1, "problem": "p", "source": "x"}"#;
        assert_eq!(key(one), key(r#"{"source": "x", "problem":"p","id":"other"}"#));
        for other in [
            r#"{"id": 1, "problem": "p", "source": "y"}"#,
            r#"{"id": 1, "problem": "q", "source": "x"}"#,
            r#"{"id": 1, "problem": "p", "source": "x", "language": "c"}"#,
            r#"{"id": 1, "problem": "p", "files": {"x": "x"}}"#,
            r#"{"id": 1, "problem": "p", "source": "x", "limits": {"time_limit": 1}}"#,
            r#"{"id": 1, "problem": {"tests": [{"input": "", "output": ""}]}, "source": "x"}"#,
            r#"{"id": 1, "problem": {"tests": [{"input": "", "output": ""}], "checker": "exact"}, "source": "x"}"#,
        ] {
            assert_ne!(key(one), key(other), "{other}");
        }
    }

    #[test]
    fn what_is_wrong_is_told() {
        let tests = r#""tests": [{"input": "", "output": ""}]"#;
        for (line, expected) in [
            ("{", "column 1: EOF while parsing an object"),
            ("[]", "a request is an object: {\"id\": …}"),
            ("3", "a request is an object: {\"id\": …}"),
            (r#"{"id": 1, "problem": "p"}"#, "neither `source` nor `files` is there"),
            (r#"{"id": 1, "problem": "p", "source": "", "files": {"a": ""}}"#, "`source` and `files` are both there"),
            (r#"{"id": 1, "problem": "p", "files": {}}"#, "`files` is empty"),
            (r#"{"id": 1, "problem": "p", "files": {"../a": ""}}"#, "\"../a\" is not a relative path"),
            (r#"{"id": 1, "problem": "p", "files": {"/a": ""}}"#, "\"/a\" is not a relative path"),
            (r#"{"id": 1, "problem": "p", "sauce": ""}"#, "unknown field `sauce`"),
            (r#"{"id": 1, "problem": 3, "source": ""}"#, "expected the name of a problem, or an object with `tests`"),
            (r#"{"id": 1, "problem": {"test": []}, "source": ""}"#, "unknown field `test`, expected one of `tests`"),
            (r#"{"id": 1, "problem": {"tests": []}, "source": ""}"#, "`tests` is empty"),
            (
                r#"{"id": 1, "problem": {"tests": [{"input": [1], "output": ""}]}, "source": ""}"#,
                "`tests[0].input` is not a string",
            ),
            (
                r#"{"id": 1, "problem": {"tests": [{"input": 1, "output": ""}], "entry": {"function": "f"}}, "source": ""}"#,
                "`tests[0].input` is not a list of arguments",
            ),
            (
                &format!(r#"{{"id": 1, "problem": {{{tests}, "checker": "fuzzy"}}, "source": ""}}"#),
                "unknown checker word",
            ),
            (
                &format!(r#"{{"id": 1, "problem": {{{tests}, "entry": {{"function": "a b"}}}}, "source": ""}}"#),
                "\"a b\" cannot be the name of a function",
            ),
            (
                r#"{"id": 1, "problem": "p", "source": "", "limits": {"time_limit": 0}}"#,
                "`limits.time_limit`: 0 is not between 0 and 86400 seconds",
            ),
            (r#"{"id": 1, "problem": "p", "source": "", "limits": {"time": 1}}"#, "unknown field `time`"),
        ] {
            let (_, message) = broken(line);
            assert!(message.contains(expected), "{line}: {message}");
        }
        assert_eq!(broken(r#"{"id": "x", "problem": "p"}"#).0, Some(Id::Text("x".to_owned())));
        assert_eq!(broken(r#"{"id": "x", "sauce": 1}"#).0, Some(Id::Text("x".to_owned())));
        assert_eq!(broken("{").0, None);
        assert!(StreamRequest::parse(b"{\"id\": \"\xff\"}").is_err());
    }
}
