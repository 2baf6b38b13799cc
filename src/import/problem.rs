//! An imported problem, and the package that is made of it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::mistake::Mistake;
use crate::driver::{self, DRIVER, EVALUATOR};
use crate::export::{ICPC_VERSION, IcpcLimits, IcpcMetadata};
use crate::package::document::Value;
use crate::store::Key;

/// The longest name of a problem.
const LONGEST: usize = 64;

/// A problem of a data set.
#[derive(Debug, Default)]
pub(super) struct ImportedProblem {
    /// The data set, as people call it.
    pub(super) set: &'static str,
    /// The name in the data set.
    pub(super) name: String,
    pub(super) title: String,
    /// In Markdown.
    pub(super) statement: String,
    /// In seconds.
    pub(super) time_limit: f64,
    /// In MiB; none if the data set states none.
    pub(super) memory: Option<u64>,
    pub(super) way: Way,
    pub(super) judge: JudgeSources,
    pub(super) tests: Vec<Test>,
    pub(super) solutions: Vec<Solution>,
    /// The number of solutions in languages that grader does not know.
    pub(super) foreign: usize,
}

/// How a solution is tested.
#[derive(Debug, Default)]
pub(super) enum Way {
    /// It reads standard input and writes standard output.
    #[default]
    Standard,
    /// A function is called.
    Function {
        name: String,
        /// Whether an expected value may stand in a list of its own.
        either: bool,
    },
    /// Assertions about a solution.
    Assertions,
}

/// The programs in C++ that a row has for the judge.
#[derive(Debug, Default)]
pub(super) struct JudgeSources {
    pub(super) checker: Option<String>,
    pub(super) validator: Option<String>,
    pub(super) generator: Option<String>,
    /// The arguments with which the generator makes each test, if the row does not have the tests.
    pub(super) commands: Vec<String>,
}

impl JudgeSources {
    /// Whether it can make the tests that the row lacks.
    pub(super) fn makes_tests(&self) -> bool {
        self.generator.is_some() && !self.commands.is_empty()
    }

    /// The files of the package, with their paths.
    fn files(&self) -> io::Result<Vec<(&'static str, Cow<'_, str>)>> {
        let sources = [
            ("output_validator/check.cpp", &self.checker),
            ("input_validators/validate.cpp", &self.validator),
            ("generators/gen.cpp", &self.generator),
        ];
        let mut files: Vec<(&str, Cow<'_, str>)> =
            sources.into_iter().filter_map(|(path, text)| Some((path, Cow::Borrowed(text.as_deref()?)))).collect();
        if self.makes_tests() {
            files.push(("generators/generators.yaml", Cow::Owned(self.recipes()?)));
        }
        Ok(files)
    }

    /// `generators.yaml` with the commands. The reference of the package makes the answers.
    fn recipes(&self) -> io::Result<String> {
        let case = |(number, arguments): (usize, &String)| {
            (format!("{number:03}"), format!("gen.cpp {arguments}").trim_end().to_owned())
        };
        let cases: BTreeMap<String, String> = (1..).zip(&self.commands).map(case).collect();
        let data = BTreeMap::from([("secret", BTreeMap::from([("data", cases)]))]);
        yaml_serde::to_string(&BTreeMap::from([("data", data)])).map_err(io::Error::other)
    }
}

/// One test.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) name: String,
    pub(super) is_sample: bool,
    /// The text on standard input; for assertions, the program that contains them.
    pub(super) input: String,
    /// None for assertions.
    pub(super) answer: Option<String>,
}

impl Test {
    /// The secret test with this number.
    pub(super) fn secret(number: usize, input: String, answer: Option<String>) -> Self {
        Self { name: format!("{number:03}"), is_sample: false, input, answer }
    }
}

/// A solution with its label.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Solution {
    pub(super) is_accepted: bool,
    /// The ending of its file.
    pub(super) ending: &'static str,
    pub(super) text: String,
}

impl Solution {
    /// An accepted solution in Python.
    pub(super) fn python(text: String) -> Self {
        Self { is_accepted: true, ending: "py", text }
    }
}

/// The solutions of a problem: those in the package, and why others are not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct KeptSolutions {
    pub(crate) accepted: usize,
    pub(crate) rejected: usize,
    /// Left out because there were more than asked for.
    pub(crate) left_out: usize,
    /// Left out because of their languages.
    pub(crate) foreign: usize,
}

impl ImportedProblem {
    /// The name of the package: lower-case letters, digits and `-`.
    pub(super) fn slug(&self) -> Result<String, Mistake> {
        let mut slug = String::new();
        for c in self.name.chars().flat_map(char::to_lowercase) {
            if c.is_ascii_alphanumeric() {
                slug.push(c);
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        }
        slug.truncate(LONGEST);
        let slug = slug.trim_end_matches('-');
        if slug.is_empty() {
            return Err(Mistake::NoLetter(self.name.clone()));
        }
        Ok(slug.to_owned())
    }

    /// Writes the package to `dir`, which does not exist yet. An error comes with its path.
    pub(super) fn write(&self, dir: &Path, most: usize) -> Result<KeptSolutions, (PathBuf, io::Error)> {
        let write = |name: &str, text: &str| {
            let path = dir.join(name);
            let written =
                fs::create_dir_all(path.parent().unwrap_or(dir)).and_then(|()| fs::write(&path, text.as_bytes()));
            written.map_err(|error| (path, error))
        };
        write("problem.yaml", &self.metadata().map_err(|error| (dir.join("problem.yaml"), error))?)?;
        write("statement/problem.en.md", &self.statement)?;
        for Test { name, is_sample, input, answer } in &self.tests {
            let place = format!("data/{}/{name}", if *is_sample { "sample" } else { "secret" });
            write(&format!("{place}.in"), input)?;
            write(&format!("{place}.ans"), answer.as_deref().unwrap_or_default())?;
        }
        for (path, text) in self.judge.files().map_err(|error| (dir.join("generators"), error))? {
            write(path, &text)?;
        }
        match &self.way {
            Way::Standard => {}
            Way::Function { name, either } => {
                write(&format!("include/python3/{DRIVER}"), &driver::calling(name))?;
                write("output_validator/validate.py", driver::VALIDATOR)?;
                if *either {
                    write("data/test_group.yaml", "output_validator_args: [either]\n")?;
                }
            }
            Way::Assertions => {
                write(&format!("include/python3/{DRIVER}"), &driver::asserting())?;
                write(&format!("output_validator/{EVALUATOR}"), &driver::evaluator())?;
            }
        }
        let mut kept = KeptSolutions { foreign: self.foreign, ..KeptSolutions::default() };
        for solution in &self.solutions {
            let (number, label) =
                if solution.is_accepted { (&mut kept.accepted, "accepted") } else { (&mut kept.rejected, "rejected") };
            if *number == most {
                kept.left_out += 1;
                continue;
            }
            *number += 1;
            write(&format!("submissions/{label}/{number:03}.{}", solution.ending), &solution.text)?;
        }
        Ok(kept)
    }

    fn metadata(&self) -> io::Result<String> {
        let Self { set, title, time_limit, memory, way, .. } = self;
        let kind = if matches!(way, Way::Assertions) { "interactive" } else { "pass-fail" };
        let metadata = IcpcMetadata {
            problem_format_version: ICPC_VERSION,
            r#type: vec![kind].into(),
            name: BTreeMap::from([("en".to_owned(), title.clone())]),
            uuid: self.uuid(),
            source: Some(Value::Text((*set).to_owned())),
            limits: IcpcLimits { time_limit: *time_limit, memory: *memory, ..IcpcLimits::default() },
            ..IcpcMetadata::default()
        };
        yaml_serde::to_string(&metadata).map_err(io::Error::other)
    }

    /// The same for the same problem of the same data set: a UUID of version 8 (RFC 9562).
    fn uuid(&self) -> String {
        let key = Key::of("import v1").field("set", self.set).field("name", &*self.name).finish().to_string();
        let part = |range| key.get(range).unwrap_or_default();
        format!("{}-{}-8{}-8{}-{}", part(0..8), part(8..12), part(12..15), part(15..18), part(18..30))
    }
}
