//! Reads problems of Hydro (<https://github.com/hydro-dev/Hydro>): `problem.yaml` with `testdata/`, in the meaning of its
//! importer (`packages/hydrooj/src/model/problem.ts`) and of its judge (`packages/hydrojudge`).
//!
//! Its files:
//!
//! - `config`: reads `testdata/config.yaml`
//! - `tests_by_name`: the tests of a problem whose `config.yaml` names none
//!
//! Such a problem always has 100 points. One subtask that gives all of them or none is a problem without points here.

mod config;
mod tests_by_name;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::document::read::text;
use crate::document::{Document, small_text};
use crate::generators::below;
use crate::programs::submission_of;
use crate::reader::Reader;
use crate::{expectations, submissions};
use config::{Config, judged_by};
use grader_model::diagnostic::{Diagnostic, Severity, TextPosition};
use grader_model::problem::{
    Additions, Aggregation, AnswerFile, CaseNaming, DEFAULT_INCLUDE, Expectation, FilePattern, IncludedFiles,
    JudgingProgram, LimitOptions, OwnSetting, PackageLayout, Problem, ProblemKind, Program, Reference, ScoreGroup,
    ScoreTree, Scoring, Submission, TestCase, TestGroup,
};

/// The file that describes a problem. Packages of the ICPC format have one of this name, with other keys.
pub const FILE: &str = "problem.yaml";
/// The directory of test data and of the programs that judge.
const DATA: &str = "testdata";
/// The directory with solutions that must be accepted.
const STD: &str = "std";
/// The directory with labelled solutions.
const SUBMISSIONS: &str = "submissions";
/// How names of samples begin.
const SAMPLE: &str = "sample";
/// How the names of all tests begin in what grader exports.
const TOPS: [&str; 2] = ["sample-", "secret-"];
/// The beginnings of lines, one of which a description has.
const LINES: [&str; 4] = ["pid:", "title:", "owner:", "tag:"];
/// How much of a file is read to recognise it.
const RECOGNISED: u64 = 64 << 10;

/// Tests that are judged together.
#[derive(Debug)]
struct Subtask {
    id: u32,
    score: f64,
    kind: SubtaskKind,
    /// The ids of the subtasks that must be accepted before.
    requires: Vec<u32>,
    limits: LimitOptions,
    tests: Vec<TestFiles>,
}

/// How the points of a subtask follow from those of its tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SubtaskKind {
    Min,
    Sum,
}

/// The files of a test, relative to the test data.
#[derive(Debug, Clone, Default)]
struct TestFiles {
    input: String,
    output: Option<String>,
    /// Its points, in a subtask that adds them up.
    score: f64,
    limits: LimitOptions,
}

impl Subtask {
    fn empty(id: u32, kind: SubtaskKind) -> Self {
        Self { id, score: 0.0, kind, requires: Vec::new(), limits: LimitOptions::default(), tests: Vec::new() }
    }

    /// The full name of its group, in a problem with points. Tests without points are samples.
    fn group(&self) -> String {
        if self.score > 0.0 { format!("secret/{}", self.id) } else { SAMPLE.to_owned() }
    }
}

/// Whether a directory has a problem of Hydro.
pub fn is_problem(dir: &Path) -> bool {
    let begins = |line: &str| LINES.iter().any(|start| line.starts_with(start));
    dir.join(DATA).is_dir() && small_text(&dir.join(FILE), RECOGNISED).is_some_and(|text| text.lines().any(begins))
}

/// Reads the problem in the reader's directory.
pub fn read(reader: &Reader<'_>) -> Problem {
    let mut description = Document::load(&reader.dir.join(FILE));
    let title = description.get("title", text).or_else(|| description.get("name", text));
    description.finish().into_iter().for_each(|found| reader.report(found));
    let data = reader.dir.join(DATA);
    let config = config::read(reader, &data);
    let mut tests = config.subtasks.iter().flat_map(|subtask| &subtask.tests);
    let is_named = |name: &str| !name.starts_with('.');
    let has_tops = tests.all(|test| TOPS.iter().any(|top| test.input.strip_prefix(top).is_some_and(is_named)));
    HydroProblem { reader, data, config, has_tops }.problem(title)
}

/// A problem that is being read.
struct HydroProblem<'a> {
    reader: &'a Reader<'a>,
    /// The directory of its test data.
    data: PathBuf,
    config: Config,
    /// Whether the name of every test begins with its group ([`TOPS`]).
    has_tops: bool,
}

impl HydroProblem<'_> {
    fn problem(&self, title: Option<String>) -> Problem {
        let reader = self.reader;
        self.refuse_missing();
        let scoring = self.score_tree();
        let submissions = self.submissions(scoring.is_some());
        let judged = self.config.judge.as_ref().and_then(|judge| self.program(&judge.path, judge.place));
        let by = judged_by(&self.config);
        let kind = match (self.config.is_interactive, self.config.passes > 1) {
            (false, false) => ProblemKind::PassFail,
            (true, false) => ProblemKind::Interactive,
            (false, true) => ProblemKind::MultiPass,
            (true, true) => ProblemKind::InteractiveMultiPass,
        };
        let is_accepted = |submission: &Submission| submission.expectation.wants_all_accepted();
        Problem {
            title: title.unwrap_or_else(|| reader.id.to_string()),
            kind,
            passes: self.config.passes,
            limits: self.config.limits.clone(),
            checker: self.config.comparison.into(),
            output_validators: judged.map(|program| JudgingProgram::stated(program, by)).into_iter().collect(),
            groups: self.groups(scoring.is_some()),
            reference: submissions.iter().position(is_accepted).map(Reference::Chosen),
            submissions,
            scoring: scoring.map(|tree| Scoring::Points(Arc::new(tree))),
            additions: self.additions(),
            ..Problem::empty(reader.id.clone(), reader.dir.clone(), PackageLayout::Hydro)
        }
    }

    /// Reports files of tests that are not there, and links that lead elsewhere.
    fn refuse_missing(&self) {
        let tests = self.config.subtasks.iter().flat_map(|subtask| &subtask.tests);
        let files = tests.flat_map(|test| std::iter::once(&test.input).chain(&test.output));
        let wrong = files.filter_map(|file| below(&self.data, Path::new(file)).err());
        let wrong = wrong.map(|error| {
            let found = Diagnostic::error(&self.config.file, error.to_string());
            found.remedy(format!("add the file to {DATA}/, or correct its name"))
        });
        let wrong: Vec<Diagnostic> = wrong.collect();
        self.reader.check_cases(|| self.reader.report_many(&self.config.file, wrong));
    }

    /// A program beside the test data. Reports a path without one, and a link that leads elsewhere.
    fn program(&self, path: &Path, place: Option<TextPosition>) -> Option<Program> {
        let report = |message: String| {
            let found = Diagnostic::error(&self.config.file, message).at(place);
            self.reader.report(found.remedy(format!("add the file to {DATA}/, or correct its name")));
        };
        below(&self.data, path).map_err(|error| report(error.to_string())).ok()
    }

    /// The files that are added to programs.
    fn additions(&self) -> Additions {
        let included = |files: &[PathBuf]| {
            let is_there = |file: &&PathBuf| self.program(file, None).is_some();
            let files: Vec<PathBuf> = files.iter().filter(is_there).cloned().collect();
            (!files.is_empty()).then(|| IncludedFiles { dir: self.data.clone(), files })
        };
        let include = included(&self.config.user_files).map(|files| (DEFAULT_INCLUDE.to_owned(), files));
        Additions {
            include: include.into_iter().collect(),
            judges: included(&self.config.judge_files),
            ..Additions::default()
        }
    }

    /// The solutions: those in `std/` must be accepted, and the others are labelled as in the package format.
    fn submissions(&self, gives_points: bool) -> Vec<Submission> {
        let reader = self.reader;
        let root = reader.dir.join(SUBMISSIONS);
        let mut list = submissions::read(reader, &root, &|listed| submission_of(reader, listed)).list;
        for listed in reader.list(&reader.dir.join(STD)) {
            list.extend(submission_of(reader, &listed).map(|program| Submission {
                id: format!("{STD}/{}", listed.name).into(),
                program,
                language: None,
                entry_point: None,
                expectation: Expectation::accepted(&format!("{STD}/")),
            }));
        }
        if list.is_empty() {
            // Problems that Hydro exports never have solutions.
            let found = Diagnostic::new(Severity::Info, "Hydro keeps no solutions");
            reader.report(found.remedy("name programs: grader run PROBLEM PROGRAM"));
        }
        expectations::fit_points(reader, &root, gives_points, &mut list);
        submissions::sort(&mut list);
        list
    }

    /// Whether the only subtask gives all points or none.
    fn is_pass_fail(&self) -> bool {
        matches!(&self.config.subtasks[..], [only] if only.kind == SubtaskKind::Min && only.requires.is_empty())
    }

    fn score_tree(&self) -> Option<ScoreTree> {
        if self.is_pass_fail() || self.config.subtasks.is_empty() {
            return None;
        }
        let group = |name: &str, parent: Option<usize>| ScoreGroup {
            name: name.into(),
            parent,
            max_score: Some(0.0),
            aggregation: if parent.is_none() && name == SAMPLE { Aggregation::PassFail } else { Aggregation::Sum },
            require_pass: Vec::new(),
            tests: 0,
            static_score: None,
        };
        let mut groups = vec![group(SAMPLE, None), group("secret", None)];
        for subtask in &self.config.subtasks {
            let name = subtask.group();
            if name == SAMPLE {
                groups[0].tests += subtask.tests.len();
                continue;
            }
            let aggregation = match subtask.kind {
                SubtaskKind::Min => Aggregation::Min,
                SubtaskKind::Sum => Aggregation::Sum,
            };
            let tests = subtask.tests.len();
            groups.push(ScoreGroup { aggregation, max_score: Some(subtask.score), tests, ..group(&name, Some(1)) });
        }
        groups[1].max_score = Some(groups.iter().skip(2).filter_map(|group| group.max_score).sum());
        for subtask in &self.config.subtasks {
            let at = |wanted: &str| groups.iter().position(|group| *group.name == *wanted);
            let required = self.config.subtasks.iter().filter(|other| subtask.requires.contains(&other.id));
            let required: Vec<usize> = required.filter_map(|other| at(&other.group())).collect();
            if let Some(own) = at(&subtask.group()).filter(|own| *own > 1) {
                groups[own].require_pass = required;
            }
        }
        Some(ScoreTree { groups, total: 1 })
    }

    /// The tests. Each has its own group, because its files have names of their own.
    fn groups(&self, gives_points: bool) -> Vec<TestGroup> {
        let mut groups: Vec<TestGroup> = Vec::new();
        for subtask in &self.config.subtasks {
            for test in &subtask.tests {
                let is_sample = test.input.starts_with(SAMPLE);
                let name = match gives_points {
                    true => subtask.group(),
                    false if is_sample => SAMPLE.to_owned(),
                    false => "secret".to_owned(),
                };
                let (case, naming) = self.case(subtask, test, gives_points.then_some(is_sample));
                let limits = test.limits.clone().or(&subtask.limits);
                let is_same = |last: &&mut TestGroup| {
                    *last.name == *name && last.naming.as_ref() == Some(&naming) && last.limits == limits
                };
                match groups.last_mut().filter(is_same) {
                    Some(last) => last.cases.push(case),
                    None => groups.push(TestGroup {
                        naming: Some(naming),
                        limits,
                        cases: vec![case],
                        ..TestGroup::empty(&name, self.data.clone())
                    }),
                }
            }
        }
        groups
    }

    /// A case with the names of its files. `is_sample`: whether its name is that of a sample, in a problem with points.
    fn case(&self, subtask: &Subtask, test: &TestFiles, is_sample: Option<bool>) -> (TestCase, CaseNaming) {
        let stem = test.input.rsplit_once('.').map_or(&*test.input, |(stem, _)| stem);
        // In exports of grader, the group comes before the name of the case.
        let group = TOPS.into_iter().find(|top| self.has_tops && stem.starts_with(top)).unwrap_or_default();
        let rest = |file: &str| {
            let rest = file.strip_prefix(stem).filter(|_| !stem.contains(['/', '*']))?;
            Some(FilePattern::new(&format!("{group}*{rest}")))
        };
        let naming = match (rest(&test.input), test.output.as_deref().map(rest)) {
            (Some(input), Some(Some(answer))) => CaseNaming { input, answer },
            _ => CaseNaming {
                input: FilePattern::only(&test.input),
                answer: FilePattern::only(test.output.as_deref().unwrap_or_default()),
            },
        };
        let points = (is_sample.is_some() && subtask.kind == SubtaskKind::Sum).then_some(test.score);
        let by_name = self.config.stem.iter().map(|stem| (format!("{stem}.in").into(), test.input.clone().into()));
        let own = OwnSetting {
            by_name: by_name.collect(),
            output: self.config.stem.as_ref().map(|stem| format!("{stem}.out").into()),
            ignores_printed: self.config.stem.is_some(),
            no_stdin: self.config.stem.is_some(),
            points,
            is_sample: is_sample.unwrap_or_default(),
            ..OwnSetting::default()
        };
        let answer = if test.output.is_some() { AnswerFile::Named } else { AnswerFile::Missing };
        let own = (own != OwnSetting::default()).then(|| Box::new(own));
        (TestCase { own, ..TestCase::new(stem[group.len()..].replace('/', "-"), answer) }, naming)
    }
}

/// Reports a mistake of the test data as a whole.
fn refuse(reader: &Reader<'_>, file: &Path, message: impl Into<String>, remedy: &str) {
    reader.report(Diagnostic::new(Severity::Error, message).about(file).remedy(remedy));
}
