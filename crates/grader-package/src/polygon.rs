//! Reads packages of Polygon (<https://polygon.codeforces.com>): `problem.xml` with `tests/`, `files/` and `solutions/`.
//!
//! A full package has every input and answer. A standard package has the generators in their place: the problem then
//! says by its recipes how to make its files. This module runs no program and reads no test data.

mod cases;
mod document;
mod pattern;
mod programs;
mod python_graders;
mod scores;
mod validation;
mod xml;

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::generators::below;
use crate::reader::Reader;
use cases::TestsetCases;
use document::{Description, Testset, quoted};
use grader_model::diagnostic::{Diagnostic, Severity, TextPosition};
use grader_model::limits::Bytes;
use grader_model::problem::{
    Additions, LimitOptions, PackageLayout, Problem, ProblemKind, Program, Reference, Scoring, SecondRun, Submission,
};
use grader_model::ruleset::Ruleset;
use grader_model::suggest;
use xml::{MOST_BYTES, XmlText, attribute, child};

/// The file that describes a package.
pub const FILE: &str = "problem.xml";
/// The remedy of a mistake at a place of the description.
const CORRECT_IT: &str = "correct it there, or download the package again";
/// The testset that is judged if there are several.
const MAIN_TESTSET: &str = "tests";
/// The least memory limit that Polygon offers.
const LEAST_MEMORY: Bytes = Bytes::mib(4);

/// Whether a directory has a `problem.xml` of Polygon. Other tools have files of this name too.
pub fn is_package(dir: &Path) -> bool {
    let file = dir.join(FILE);
    let mut head = Vec::new();
    // An unreadable file is not recognised. A named pipe is not opened: its writer may never come.
    let is_read = file.is_file()
        && std::fs::File::open(file).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut head)).is_ok();
    let holds = |tag: &[u8]| head.windows(tag.len()).any(|part| part == tag);
    is_read && holds(b"<problem") && holds(b"<judging")
}

/// Reads the package in the reader's directory; none if its description cannot be read at all.
pub fn read(reader: &Reader<'_>) -> Option<Problem> {
    let file = reader.dir.join(FILE);
    let told = |found: Diagnostic| reader.report(found);
    let text = XmlText::load(&file).map_err(told).ok()?;
    let tree = text.parse().map_err(told).ok()?;
    let root = tree.root_element();
    if !describes_problem(root) {
        reader.report(of_another_tool(&file, &text, root));
        return None;
    }
    let description = document::read(reader, &file, &text, root);
    let package = Package { reader, file: &file, has_scorer: description.scorer.is_some() };
    package.refuse_unsupported(&description);
    Some(package.problem(&description))
}

fn describes_problem(root: roxmltree::Node<'_, '_>) -> bool {
    root.has_tag_name("problem") && child(root, "judging").is_some()
}

fn of_another_tool(file: &Path, text: &XmlText, root: roxmltree::Node<'_, '_>) -> Diagnostic {
    let what = match root.tag_name().name() {
        "problem" => "<problem> has no <judging>".to_owned(),
        other => format!("its root is {}, not \"problem\"", quoted(other)),
    };
    let message = format!("written by another tool than Polygon, or damaged: {what}");
    let found = Diagnostic::error(file, message).at(Some(text.place_of(root)));
    found.remedy("download the package of Polygon again, or convert a package of another tool to an ICPC package")
}

/// Why the `problem.xml` of a directory does not make it a package of Polygon: it is damaged, or of another tool.
pub(crate) fn why_no_package(dir: &Path) -> Diagnostic {
    let file = dir.join(FILE);
    let read = || -> Result<Diagnostic, Diagnostic> {
        let text = XmlText::load(&file)?;
        let tree = text.parse()?;
        Ok(of_another_tool(&file, &text, tree.root_element()))
    };
    read().unwrap_or_else(|found| found)
}

/// The letters of the problems in a `contest.xml`: the name of each problem's directory, with its letter. Empty if the
/// file does not exist or is not one of Polygon.
pub(crate) fn contest(file: &Path) -> Result<Vec<(String, String)>, Diagnostic> {
    let text = XmlText::load(file)?;
    let tree = text.parse()?;
    let problems = xml::at(tree.root_element(), &["problems", "problem"]);
    let entry = |node: roxmltree::Node<'_, '_>| {
        let name = attribute(node, "url")?.trim_end_matches('/').rsplit('/').next()?;
        Some((name.to_owned(), attribute(node, "index").unwrap_or_default().to_owned()))
    };
    Ok(problems.into_iter().filter_map(entry).collect())
}

/// The parts of a package that are not part of a `Problem`.
#[derive(Debug, Default)]
pub struct Beyond {
    /// The title in each language of Polygon (`english`).
    pub titles: Vec<(String, String)>,
    /// The testsets with tests.
    pub testsets: Vec<String>,
    /// The groups that state how much contestants see of their results, with the word of Polygon.
    pub feedback: Vec<(String, String)>,
    /// The topics of the problem, in the words of its author.
    pub tags: Vec<String>,
    /// The solutions that are never run.
    pub never_run: Vec<String>,
}

/// Reads the parts of a `problem.xml` that are not part of a `Problem`.
///
/// # Errors
/// The document cannot be read.
pub fn beyond(file: &Path) -> Result<Beyond, Diagnostic> {
    let text = XmlText::load(file)?;
    let tree = text.parse()?;
    let root = tree.root_element();
    let owned = |node: roxmltree::Node<'_, '_>, key| attribute(node, key).map(str::to_owned);
    let pair = |node, key, value| Some((owned(node, key)?, owned(node, value)?));
    let all = |path: &[&'static str]| xml::at(root, path);
    let has_tests = |node: &roxmltree::Node<'_, '_>| !xml::at(*node, &["tests", "test"]).is_empty();
    let never_run = |node: &roxmltree::Node<'_, '_>| attribute(*node, "tag") == Some(programs::NEVER_RUN);
    Ok(Beyond {
        titles: all(&["names", "name"]).into_iter().filter_map(|node| pair(node, "language", "value")).collect(),
        testsets: all(&["judging", "testset"])
            .into_iter()
            .filter(has_tests)
            .filter_map(|node| owned(node, "name"))
            .collect(),
        feedback: all(&["judging", "testset", "groups", "group"])
            .into_iter()
            .filter_map(|node| pair(node, "name", "feedback-policy"))
            .collect(),
        tags: all(&["tags", "tag"])
            .into_iter()
            .filter_map(|node| owned(node, "value"))
            .filter(|tag| tag != document::RUN_TWICE)
            .collect(),
        never_run: all(&["assets", "solutions", "solution"])
            .into_iter()
            .filter(never_run)
            .filter_map(|node| owned(child(node, "source")?, "path"))
            .collect(),
    })
}

/// A package that is being read.
struct Package<'a> {
    reader: &'a Reader<'a>,
    file: &'a Path,
    /// Whether a program of the package decides the points. grader does not run it.
    has_scorer: bool,
}

impl Package<'_> {
    fn error(&self, place: TextPosition, message: impl Into<String>, remedy: &str) {
        self.reader.report(Diagnostic::error(self.file, message).at(Some(place)).remedy(remedy));
    }

    fn note(&self, severity: Severity, place: TextPosition, message: impl Into<String>) {
        self.reader.report(Diagnostic::new(severity, message).about(self.file).at(Some(place)));
    }

    /// The program at a path of the package. Reports a path without one, and a link that leads elsewhere.
    fn program(&self, path: &Path, place: TextPosition) -> Option<Program> {
        match below(&self.reader.dir, path) {
            Ok(program) => Some(program),
            Err(error) => {
                // Programs for Windows write archives whose names are in the encoding of their country.
                let is_plain = path.as_os_str().is_ascii();
                let other = "write the archive again with names in UTF-8, or give the file an ASCII name";
                let remedy = if is_plain { "download the package again, or correct the path" } else { other };
                self.error(place, error.to_string(), remedy);
                None
            }
        }
    }

    /// Reports features that judging would need and grader does not support.
    fn refuse_unsupported(&self, description: &Description) {
        if let Some(place) = description.scorer {
            let message = "the scorer decides the points, and grader does not run it: verdicts only, without points";
            self.note(Severity::Warning, place, message);
        }
    }

    /// How the second run on each test begins; none if there is one run.
    fn second_run(&self, description: &Description) -> Option<SecondRun> {
        let place = description.judging.place?;
        let refused = |message: String| {
            self.error(place, message, "judge it on Codeforces");
            None
        };
        match description.judging.runs {
            Some(1) => return None,
            None if !description.is_tagged_run_twice => return None,
            None | Some(2) => {}
            Some(runs) => return refused(format!("{runs} runs on each test (`run-count`); grader runs one or two")),
        }
        if description.checker.is_none() {
            return refused("a problem with two runs needs a checker".to_owned());
        }
        let Some(interactor) = &description.interactor else { return Some(SecondRun::Plain) };
        let stated: Option<Vec<&str>> = interactor.runs.as_ref().map(|runs| runs.iter().map(String::as_str).collect());
        match stated.as_deref() {
            // Packages from before `run-count` state no runs, and talk in both.
            None if description.judging.runs.is_none() => Some(SecondRun::Interactive),
            None | Some(["1"]) => Some(SecondRun::Plain),
            Some([] | ["1", "2"]) => Some(SecondRun::Interactive),
            Some(others) => refused(format!(
                "an interactor that talks in the runs {}; grader knows the first, and both",
                others.join(", ")
            )),
        }
    }

    fn problem(&self, description: &Description) -> Problem {
        let reader = self.reader;
        let testset = self.testset(description);
        let resources = self.resources(&description.resources);
        let TestsetCases { groups, recipes, scoring } =
            testset.map(|testset| self.cases(testset, description)).unwrap_or_default();
        let submissions = self.submissions(description, testset, scoring.is_some());
        if description.solutions.is_empty() {
            let found = Diagnostic::warning(self.file, "the package has no solutions, so nothing is run");
            reader.report(found.remedy("name programs: grader run PACKAGE PROGRAM"));
        }
        let second_run = self.second_run(description);
        let kind = match (description.interactor.is_some(), second_run.is_some()) {
            (false, false) => ProblemKind::PassFail,
            (true, false) => ProblemKind::Interactive,
            (false, true) => ProblemKind::MultiPass,
            (true, true) => ProblemKind::InteractiveMultiPass,
        };
        let is_main = |submission: &Submission| submission.expectation.source == programs::MAIN;
        let reference = submissions.iter().position(is_main).map(Reference::Chosen);
        Problem {
            title: description.title.clone().unwrap_or_else(|| reader.id.to_string()),
            kind,
            judged_as: Some(Ruleset::Codeforces),
            passes: if second_run.is_some() { 2 } else { 1 },
            second_run,
            limits: testset.map(|testset| self.limits(testset)).unwrap_or_default(),
            checker: Self::standard_checker(description),
            input_validators: self.input_validators(description),
            output_validators: self.checker(description).into_iter().collect(),
            interactor: description.interactor.as_ref().and_then(|interactor| self.interactor(&interactor.source)),
            groups,
            submissions,
            reference,
            scoring: scoring.map(|tree| Scoring::Points(Arc::new(tree))),
            additions: Additions { languages: self.languages(description), ..resources },
            recipes,
            documents: self.documents(&description.documents),
            validation_cases: self.validation_cases(description),
            testsets: Self::testset_names(testset, &description.testsets),
            ..Problem::empty(reader.id.clone(), reader.dir.clone(), PackageLayout::Polygon)
        }
    }

    /// The testset that is judged. Reports the others, and a package without tests.
    fn testset<'t>(&self, description: &'t Description) -> Option<&'t Testset> {
        let testsets = &description.testsets;
        let named = |name: &str| testsets.iter().find(|testset| testset.name == name);
        let judged = match self.reader.testset {
            Some(name) => Some(named(name).or_else(|| self.no_testset(name, testsets))?),
            None => named(MAIN_TESTSET).or(testsets.first()),
        };
        let Some(judged) = judged.filter(|judged| !judged.tests.is_empty()) else {
            if description.has_broken_testset {
                return None;
            }
            let found = Diagnostic::error(self.file, "no tests: the package has only a statement");
            self.reader.report(found.remedy("add tests on Polygon, and download the package again").unfinished());
            return None;
        };
        let is_other = |testset: &&Testset| testset.name != judged.name && !testset.tests.is_empty();
        if self.reader.testset.is_none() {
            for other in testsets.iter().filter(is_other) {
                let message = format!("testset `{}` is not judged: grader judges `{}`", other.name, judged.name);
                let found = Diagnostic::new(Severity::Info, message).about(self.file).at(Some(other.place));
                self.reader.report(found.remedy(format!("to judge it: --testset {}", other.name)));
            }
        }
        Some(judged)
    }

    /// Reports that no testset has the name that the user gives.
    fn no_testset<'t>(&self, name: &str, testsets: &'t [Testset]) -> Option<&'t Testset> {
        let known: Vec<&str> = testsets.iter().map(|testset| testset.name.as_str()).collect();
        let message = format!("there is no testset {}; the package has {}", quoted(name), known.join(", "));
        let hint = suggest::hint(name, known.iter().copied());
        let remedy = "name one of them with --testset, or leave the option out";
        self.reader.report(Diagnostic::error(self.file, message + &hint).remedy(remedy));
        None
    }

    /// The names of the testsets with tests, the judged one first.
    fn testset_names(judged: Option<&Testset>, testsets: &[Testset]) -> Vec<String> {
        let Some(judged) = judged else { return Vec::new() };
        let others = testsets.iter().filter(|testset| testset.name != judged.name && !testset.tests.is_empty());
        std::iter::once(judged).chain(others).map(|testset| testset.name.clone()).collect()
    }

    /// The limits of a testset. Reports those that Polygon does not write.
    fn limits(&self, testset: &Testset) -> LimitOptions {
        let positive = |limit: Option<u64>| limit.filter(|limit| *limit > 0);
        let time = positive(testset.time_limit);
        if time.is_none() {
            let message = "no <time-limit>, so the default of grader counts; state one there, or with --time-limit";
            self.note(Severity::Warning, testset.place, message);
        }
        let memory = positive(testset.memory_limit);
        if let Some(memory) = memory.filter(|memory| *memory < LEAST_MEMORY.0) {
            let message = format!("<memory-limit> is {memory} bytes, in which no program runs");
            self.error(testset.place, message, "state at least 4 MiB (4194304)");
        }
        LimitOptions { time: time.map(Duration::from_millis), memory: memory.map(Bytes), ..LimitOptions::default() }
    }

    /// The paths of documents that exist. Reports links that lead out of the package.
    fn documents(&self, paths: &[PathBuf]) -> Vec<PathBuf> {
        let is_here = |path: &&PathBuf| self.reader.dir.join(path).is_file();
        let inside = |path: &PathBuf| match below(&self.reader.dir, path) {
            Ok(_) => Some(self.reader.dir.join(path)),
            Err(error) => {
                let found = Diagnostic::error(self.file, error.to_string());
                self.reader.report(found.remedy("copy the file into the package"));
                None
            }
        };
        paths.iter().filter(is_here).filter_map(inside).collect()
    }
}

#[cfg(test)]
mod tests;
