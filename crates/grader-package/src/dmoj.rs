//! Reads problems of DMOJ (<https://github.com/DMOJ/judge-server>): `init.yml` with test data, in the meaning of its judge
//! (`dmoj/problem.py`, `dmoj/judge.py`).
//!
//! Its files:
//!
//! - `init`: reads `init.yml`
//! - `cases_by_name`: the cases of a problem whose `init.yml` lists none
//! - `data`: the files of tests, also in an archive
//! - `judging`: checkers and interactors; `check.py` runs those in Python
//!
//! The site of DMOJ keeps limits and statements. One batch alone, which gives all points or none, is a problem without points
//! here.

mod cases_by_name;
mod data;
mod init;
mod judging;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::document::{small_bytes, small_text};
use crate::driver::DRIVER;
use crate::generators::below;
use crate::program_files::LARGEST;
use crate::programs::submission_of;
use crate::reader::Reader;
use crate::{expectations, submissions};
use data::TestDir;
use grader_model::diagnostic::{Diagnostic, Severity, TextPosition};
use grader_model::limits::Bytes;
use grader_model::problem::{
    Additions, Aggregation, AnswerFile, AnswerRecipe, Arguments, CaseNaming, Checksums, FilePattern, GeneratorCommand,
    HeldIn, InputRecipe, JudgingProgram, LimitOptions, OwnChecker, OwnSetting, PackageLayout, Problem, ProblemKind,
    Program, Protocol, Recipe, Recipes, Reference, ScoreGroup, ScoreTree, Scoring, Submission, TestCase, TestGroup,
};
use init::{Init, own_comparison};
use judging::{JudgeSources, Judging, Script};

/// The file that describes a problem. Ansible has files of this name, too.
pub const FILE: &str = "init.yml";
/// The statement, if grader has written it.
pub const STATEMENT: &str = "statement.md";
/// The directory with labelled solutions.
const SUBMISSIONS: &str = "submissions";
/// The directory of files that generators print.
const GENERATED: &str = "generated";
/// How names of samples begin.
const SAMPLE: &str = "sample";
/// The name of the group that gives all points.
const SECRET: &str = "secret";
/// The keys, one of which begins a line of the file.
const KEYS: [&str; 6] =
    ["archive", "test_cases", "pretest_test_cases", "custom_judge", "interactive", "signature_grader"];
/// How much of a file is read to recognise it.
const RECOGNISED: u64 = 256 << 10;

/// A case, or a batch of cases.
#[derive(Debug)]
struct CaseOrBatch {
    /// The number of the batch, from 1; none for a single case.
    batch: Option<usize>,
    points: f64,
    /// The numbers of the batches that must be accepted before.
    requires: Vec<usize>,
    cases: Vec<TestFiles>,
}

/// A test as `init.yml` describes it. Paths are relative to the problem.
#[derive(Debug, Default)]
struct TestFiles {
    /// The input; none if it is empty.
    input: Option<String>,
    /// The answer; none if it is empty.
    output: Option<String>,
    /// The generator that prints the files that do not exist.
    generator: Option<GeneratorCall>,
    place: Option<TextPosition>,
    /// Its judge, if that differs from the judge of the whole problem.
    judging: Option<Judging>,
    is_binary: bool,
    output_limit: Option<Bytes>,
}

/// A generator, which prints an input, and the answer on standard error.
#[derive(Debug)]
struct GeneratorCall {
    /// Its files, relative to the problem.
    files: Vec<PathBuf>,
    arguments: Vec<String>,
    generator_place: Option<TextPosition>,
}

/// Entries that are judged together: a batch, or single cases that follow each other.
#[derive(Debug)]
struct Unit<'e> {
    /// The full name of its group.
    group: String,
    entries: Vec<&'e CaseOrBatch>,
}

impl GeneratorCall {
    /// Its name in commands.
    fn name(&self) -> String {
        self.files.first().map(|file| file.display().to_string()).unwrap_or_default()
    }
}

impl Unit<'_> {
    fn is_batch(&self) -> bool {
        self.entries.iter().any(|entry| entry.batch.is_some())
    }

    fn points(&self) -> f64 {
        self.entries.iter().map(|entry| entry.points).sum()
    }
}

/// Whether a directory has a problem of DMOJ.
pub fn is_problem(dir: &Path) -> bool {
    let is_key = |line: &str| {
        let rest = KEYS.iter().find_map(|key| line.strip_prefix(key));
        rest.is_some_and(|rest| rest.trim_start_matches('+').trim_start().starts_with(':'))
    };
    small_text(&dir.join(FILE), RECOGNISED).is_some_and(|text| text.lines().any(is_key))
}

/// Reads the problem in the reader's directory.
pub fn read(reader: &Reader<'_>) -> Problem {
    let init = init::read(reader);
    let message = "DMOJ keeps the limits of time and memory on its site, so those of grader apply";
    let found = Diagnostic::new(Severity::Info, message).about(&init.file);
    reader.report(found.remedy("state those of the problem: --time-limit, --memory, or [limits] in grader.toml"));
    DmojProblem { reader, init: &init }.problem()
}

/// A problem that is being read.
struct DmojProblem<'a> {
    reader: &'a Reader<'a>,
    init: &'a Init,
}

impl DmojProblem<'_> {
    fn problem(&self) -> Problem {
        let reader = self.reader;
        let init = self.init;
        let units = self.units();
        let gives_points = !is_pass_fail(&units);
        let submissions = self.submissions(gives_points);
        let is_accepted = |submission: &Submission| submission.expectation.wants_all_accepted();
        let judging = init.judging.as_ref();
        let (groups, recipes) = self.tests(&units, gives_points);
        let sources = match judging {
            Some(Judging::Program(sources)) => Some(sources),
            _ => None,
        };
        Problem {
            kind: match sources {
                Some(JudgeSources { is_interactive: true, .. }) => ProblemKind::Interactive,
                _ => ProblemKind::PassFail,
            },
            limits: init.limits.clone(),
            validation: sources.map(|sources| sources.limits.clone()).unwrap_or_default(),
            checker: match judging {
                Some(Judging::Comparison(checker)) => OwnChecker::Stated(*checker),
                _ => OwnChecker::default(),
            },
            output_validators: judging.and_then(|judging| self.judge(judging)).into_iter().collect(),
            groups,
            recipes,
            reference: submissions.iter().position(is_accepted).map(Reference::Chosen),
            submissions,
            scoring: gives_points.then(|| Scoring::Points(Arc::new(score_tree(&units)))),
            additions: sources.map(|sources| self.additions(sources)).unwrap_or_default(),
            ..Problem::empty(reader.id.clone(), reader.dir.clone(), PackageLayout::Dmoj)
        }
    }

    fn error(&self, place: Option<TextPosition>, message: impl Into<String>, remedy: &str) {
        self.reader.report(Diagnostic::error(&self.init.file, message).at(place).remedy(remedy));
    }

    /// The entries in their order. Single cases without points are judged alone, because a failure ends the judging.
    fn units(&self) -> Vec<Unit<'_>> {
        let mut units: Vec<Unit<'_>> = Vec::new();
        let mut singles = 0;
        for entry in &self.init.entries {
            let goes_on = |last: &&mut Unit<'_>| !last.is_batch() && entry.batch.is_none() && last.points() > 0.0;
            if let Some(last) = units.last_mut().filter(goes_on).filter(|_| entry.points > 0.0) {
                last.entries.push(entry);
                continue;
            }
            singles += usize::from(entry.batch.is_none());
            let (word, number) = entry.batch.map_or(("cases", singles), |batch| ("batch", batch));
            units.push(Unit { group: format!("{SECRET}/{word}-{number}"), entries: vec![entry] });
        }
        units
    }

    /// The program that judges.
    fn judge(&self, judging: &Judging) -> Option<JudgingProgram> {
        match judging {
            Judging::Comparison(_) => None,
            Judging::Script(script) => {
                self.script(script).map(|program| JudgingProgram::stated(program, Protocol::Icpc))
            }
            Judging::Program(sources) => {
                let program = self.program(&sources.files, sources.place)?;
                Some(JudgingProgram::stated(program, sources.protocol))
            }
        }
    }

    /// The program of these files. Reports those that are not there, and links that lead elsewhere.
    fn program(&self, files: &[PathBuf], place: Option<TextPosition>) -> Option<Program> {
        let dir = &self.reader.dir;
        let mut programs = Vec::new();
        for file in files {
            match below(dir, file) {
                Ok(program) => programs.push(program),
                Err(error) => self.error(place, error.to_string(), "add the file, or correct its name"),
            }
        }
        let is_complete = programs.len() == files.len();
        let mut files = files.to_vec();
        files.sort();
        match &programs[..] {
            [only] if is_complete => Some(only.clone()),
            [_, _, ..] if is_complete => Some(Program::Directory { path: dir.clone(), files }),
            _ => None,
        }
    }

    /// A checker in Python with the program that calls it.
    fn script(&self, script: &Script) -> Option<Program> {
        let arguments = serde_json::to_value(&script.arguments).map_err(|error| {
            self.error(script.place, format!("`args` of the checker: {error}"), "write texts, numbers and lists");
        });
        let setting = serde_json::json!({
            "name": script.name.rsplit('/').next().unwrap_or_default(),
            "args": arguments.ok()?,
            "binary_data": self.init.is_binary,
            "problem": self.reader.id.as_str(),
        });
        // A text in JSON is one in Python, too.
        let text =
            include_str!("dmoj/check.py").replace("@SETTING@", &serde_json::json!(setting.to_string()).to_string());
        let mut files = vec![(DRIVER.to_owned(), text.into_bytes())];
        if script.is_file {
            let path = Path::new(&script.name);
            let unread = || format!("it cannot be read, or is larger than {} MiB", LARGEST >> 20);
            let whole = || small_bytes(&self.reader.dir.join(path), LARGEST).ok_or_else(unread);
            match below(&self.reader.dir, path).map_err(|error| error.to_string()).and_then(|_| whole()) {
                Ok(bytes) => files.push((path.file_name()?.to_str()?.to_owned(), bytes)),
                Err(error) => {
                    self.error(script.place, format!("the checker: {error}"), "add the file, or correct its name");
                    return None;
                }
            }
        }
        let names: Vec<PathBuf> = files.iter().map(|(name, _)| PathBuf::from(name)).collect();
        match (self.reader.derive)(&files) {
            Ok(path) => Some(Program::Directory { path, files: names }),
            Err(error) => {
                self.error(script.place, format!("cannot keep the checker: {error}"), "make the folder writable");
                None
            }
        }
    }

    /// The dialect of the program that judges.
    fn additions(&self, sources: &JudgeSources) -> Additions {
        let is_one = sources.files.len() == 1;
        let path =
            sources.files.first().filter(|_| is_one).map_or(self.reader.dir.clone(), |file| self.reader.dir.join(file));
        Additions {
            languages: sources.dialect.iter().map(|dialect| (path.clone(), dialect.clone())).collect(),
            ..Additions::default()
        }
    }

    /// The solutions, labelled as in the package format.
    fn submissions(&self, gives_points: bool) -> Vec<Submission> {
        let reader = self.reader;
        let root = reader.dir.join(SUBMISSIONS);
        let mut list = submissions::read(reader, &root, &|listed| submission_of(reader, listed)).list;
        expectations::fit_points(reader, &root, gives_points, &mut list);
        submissions::sort(&mut list);
        list
    }

    /// The tests, and how the files come about that generators print. A test has its own group if its files have names of
    /// their own.
    fn tests(&self, units: &[Unit<'_>], gives_points: bool) -> (Vec<TestGroup>, Recipes) {
        let mut recipes = Recipes { document: self.init.file.clone(), ..Recipes::default() };
        let Some(dir) = self.test_dir() else { return (Vec::new(), recipes) };
        let is_script = matches!(self.init.judging, Some(Judging::Script(_)));
        let mut groups: Vec<TestGroup> = Vec::new();
        let mut taken = BTreeSet::new();
        let cases = units.iter().flat_map(|unit| {
            unit.entries.iter().flat_map(move |entry| entry.cases.iter().map(move |case| (unit, entry, case)))
        });
        for (number, (unit, entry, files)) in (1..).zip(cases) {
            let is_sample = is_sample(files);
            let name = match gives_points {
                true => unit.group.as_str(),
                false if is_sample => SAMPLE,
                false => SECRET,
            };
            let named = named(files, number, &dir, |case| taken.insert((name.to_owned(), case.to_owned())));
            let own = OwnSetting {
                checker: own_comparison(files),
                points: (gives_points && !unit.is_batch()).then_some(entry.points),
                is_sample: gives_points && is_sample,
                ..OwnSetting::default()
            };
            let own = (own != OwnSetting::default()).then(|| Box::new(own));
            let case = TestCase { own, ..TestCase::new(named.case, AnswerFile::Named) };
            let output_validator = if is_script && gives_points { vec![entry.points.to_string()] } else { Vec::new() };
            let group = TestGroup {
                naming: Some(named.naming),
                limits: LimitOptions { output: files.output_limit, ..LimitOptions::default() },
                arguments: Arguments { output_validator, ..Arguments::default() },
                document: self.init.data.archive().map(|archive| HeldIn::Cases(archive.to_owned())),
                ..TestGroup::empty(name, dir.dir.clone())
            };
            recipes.cases.insert(group.id_of(&case), recipe(files));
            let is_same = |last: &&mut TestGroup| {
                let of = |group: &TestGroup| (group.name.clone(), group.naming.clone(), group.limits.clone());
                of(last) == of(&group) && last.arguments == group.arguments
            };
            match groups.last_mut().filter(is_same) {
                Some(last) => last.cases.push(case),
                None => groups.push(TestGroup { cases: vec![case], ..group }),
            }
        }
        recipes.generators = self.generators();
        if recipes.generators.is_empty() {
            recipes.cases.clear();
        }
        (groups, recipes)
    }

    /// The generators, by the names of their files.
    fn generators(&self) -> BTreeMap<String, Program> {
        let mut generators = BTreeMap::new();
        let calls = self.init.entries.iter().flat_map(|entry| &entry.cases).filter_map(|case| case.generator.as_ref());
        for call in calls {
            if generators.contains_key(&call.name()) {
                continue;
            }
            if self.init.data.archive().is_some() {
                let message =
                    "a generator beside an `archive`: grader runs generators where all other files are in the folder";
                self.error(call.generator_place, message, "unpack the archive, and remove the key");
            }
            generators.extend(self.program(&call.files, call.generator_place).map(|program| (call.name(), program)));
        }
        generators
    }

    /// The directory of the files of tests. Reports files that are not there, and links that lead elsewhere.
    fn test_dir(&self) -> Option<TestDir> {
        let reader = self.reader;
        let data = &self.init.data;
        let tests = self.init.entries.iter().flat_map(|entry| &entry.cases);
        let files: Vec<(&str, Option<TextPosition>)> = tests
            .flat_map(|test| test.input.iter().chain(&test.output).map(move |name| (name.as_str(), test.place)))
            .collect();
        let missing = files.iter().filter(|(name, _)| !data.has(reader, name)).map(|(name, place)| {
            let found = Diagnostic::error(&self.init.file, format!("there is no {name}")).at(*place);
            found.remedy("add the file, or correct its name")
        });
        let missing: Vec<Diagnostic> = missing.collect();
        let is_complete = missing.is_empty();
        reader.check_cases(|| reader.report_many(&self.init.file, missing));
        let names: Vec<&str> = files.into_iter().map(|(name, _)| name).collect();
        if is_complete { data.place(reader, &names, !self.init.is_binary) } else { None }
    }
}

/// Whether the name of a test is that of a sample.
fn is_sample(files: &TestFiles) -> bool {
    let name = files.input.as_deref().unwrap_or_default();
    name.starts_with(SAMPLE) || name.rsplit('/').next().is_some_and(|file| file.starts_with(SAMPLE))
}

/// The name of a case, and the names of its files.
struct NamedCase {
    case: String,
    naming: CaseNaming,
}

/// Names a case by its files, otherwise by its number. `is_free` takes a name, unless another case has it.
fn named(files: &TestFiles, number: usize, dir: &TestDir, mut is_free: impl FnMut(&str) -> bool) -> NamedCase {
    let generated = |ending: &str| files.generator.as_ref().map(|_| format!("{GENERATED}/{number}.{ending}"));
    let input = files.input.clone().or_else(|| generated("in"));
    let output = files.output.clone().or_else(|| generated("out"));
    let number = number.to_string();
    let path = input.as_deref().or(output.as_deref()).unwrap_or(&number);
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let stem = if stem.is_empty() { file } else { stem };
    let mut names = std::iter::once(stem.to_owned()).chain((2u32..).map(|number| format!("{stem}-{number}")));
    let case = names.find(|name| is_free(name)).unwrap_or_default();
    // Many cases have the same pattern around their name, and are then one group.
    let pattern = |path: &String| {
        let (folder, file) = path.rsplit_once('/').map_or(("", path.as_str()), |(folder, file)| (folder, file));
        let rest = file.strip_prefix(&*case).filter(|_| !path.contains('*'))?;
        let slash = if folder.is_empty() { "" } else { "/" };
        Some(FilePattern::new(&format!("{folder}{slash}*{rest}")))
    };
    let of = |path: &Option<String>| match path {
        Some(path) => pattern(path).unwrap_or_else(|| FilePattern::only(path)),
        None => FilePattern::only(&dir.empty.to_string_lossy()),
    };
    NamedCase { naming: CaseNaming { input: of(&input), answer: of(&output) }, case }
}

/// How the files of a test come about, in a problem with generators.
fn recipe(files: &TestFiles) -> Recipe {
    let command = files.generator.as_ref().filter(|_| files.input.is_none()).map(|call| GeneratorCommand {
        text: [&[call.name()][..], &call.arguments].concat().join(" "),
        program: call.name(),
        arguments: call.arguments.clone(),
        file: None,
    });
    let is_printed = command.is_some() && files.output.is_none();
    Recipe {
        input: command.map_or(InputRecipe::File, InputRecipe::Command),
        answer: if is_printed { AnswerRecipe::StandardError } else { AnswerRecipe::File },
        line: files.place.map_or(0, |place| place.line),
        checksums: Checksums::default(),
    }
}

/// The groups with points. A failure in one without points ends the judging.
fn score_tree(units: &[Unit<'_>]) -> ScoreTree {
    let group = |name: &str, parent: Option<usize>| ScoreGroup {
        name: name.into(),
        parent,
        max_score: Some(0.0),
        aggregation: Aggregation::Sum,
        require_pass: Vec::new(),
        tests: 0,
        static_score: None,
    };
    let mut groups = vec![group(SECRET, None)];
    let mut ends: Vec<usize> = Vec::new();
    for unit in units {
        let at = groups.len();
        let has_batch = |number: &usize| units.iter().position(|other| other.entries[0].batch == Some(*number));
        let required = unit.entries.iter().flat_map(|entry| &entry.requires).filter_map(has_batch);
        // The group of a unit follows that of all units.
        let required = required.map(|unit| unit + 1).chain(ends.iter().copied()).collect::<BTreeSet<_>>();
        groups.push(ScoreGroup {
            max_score: Some(unit.points()),
            aggregation: if unit.is_batch() { Aggregation::Min } else { Aggregation::Sum },
            require_pass: required.into_iter().collect(),
            tests: unit.entries.iter().map(|entry| entry.cases.len()).sum(),
            ..group(&unit.group, Some(0))
        });
        if unit.points() == 0.0 {
            ends.push(at);
        }
    }
    groups[0].max_score = Some(units.iter().map(Unit::points).sum());
    ScoreTree { groups, total: 0 }
}

/// Whether one batch gives all points or none.
fn is_pass_fail(units: &[Unit<'_>]) -> bool {
    let mut with_points = units.iter().filter(|unit| unit.points() > 0.0);
    let first = with_points.next();
    first.is_none_or(Unit::is_batch) && with_points.next().is_none()
}
