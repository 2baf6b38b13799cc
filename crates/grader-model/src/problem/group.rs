//! Groups of test cases, their files, and the arguments and files of programs on them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{CaseNaming, Checker, LimitOptions, Program, StaticValidation, TestId};

/// A group of test cases that are judged together: `sample`, `secret`, `secret/small`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestGroup {
    /// The group's path below the data root; empty in a plain folder.
    pub name: Arc<str>,
    /// The directory that holds the files.
    pub dir: PathBuf,
    /// The names of its files, if they are not `.in` with `.ans` or `.out`.
    pub naming: Option<CaseNaming>,
    /// The limits that this group states (`test_group.toml` or `test_group.yaml`).
    pub limits: LimitOptions,
    /// The checker that this group states.
    pub checker: Option<Checker>,
    /// The arguments of programs on every case without arguments of its own.
    pub arguments: Arguments,
    /// The static validation of the group: judges the sources of submissions as a test.
    pub static_validation: Option<StaticValidation>,
    /// The document from which grader makes files of the cases. Such files must not be changed.
    pub document: Option<HeldIn>,
    /// The program that this document names, without its extension.
    pub program: Option<Arc<str>>,
    /// Cases in lexicographic order.
    pub cases: Vec<TestCase>,
}

/// The content of a document of the user. grader makes files from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum HeldIn {
    /// Whole cases.
    Cases(PathBuf),
    /// Unit tests in the language of the submissions, each of which is a case.
    UnitTests(PathBuf),
    /// The answers alone.
    Answers(PathBuf),
}

impl TestGroup {
    /// A group without any case or configuration.
    pub fn empty(name: &str, dir: PathBuf) -> Self {
        Self {
            name: name.into(),
            dir,
            naming: None,
            limits: LimitOptions::default(),
            checker: None,
            arguments: Arguments::default(),
            static_validation: None,
            document: None,
            program: None,
            cases: Vec::new(),
        }
    }

    /// Whether it belongs to the group `sample`, whose cases the statement shows.
    pub fn holds_samples(&self) -> bool {
        self.name.strip_prefix("sample").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The document that holds the answers. None if they are files of their own.
    pub fn document_of_answers(&self) -> Option<&Path> {
        match self.document.as_ref()? {
            HeldIn::Cases(document) | HeldIn::UnitTests(document) | HeldIn::Answers(document) => Some(document),
        }
    }

    /// The full name of a case of this group.
    pub fn id_of(&self, case: &TestCase) -> TestId {
        self.id_of_name(&case.name)
    }

    pub(super) fn id_of_name(&self, name: &str) -> TestId {
        if self.name.is_empty() { TestId::from(name) } else { TestId::from(format!("{}/{name}", self.name)) }
    }

    /// The input file of a case.
    pub fn input_of(&self, case: &TestCase) -> PathBuf {
        match &self.naming {
            Some(naming) => self.dir.join(naming.input.of_case(&case.name)),
            None => self.dir.join(format!("{}.in", case.name)),
        }
    }

    /// The input of a case, with its setting.
    pub fn case_input<'a>(&'a self, case: &'a TestCase) -> CaseInput<'a> {
        CaseInput { group: self, setting: self.setting_of(case), path: self.input_of(case) }
    }

    /// The setting of programs on a case of this group.
    pub fn setting_of<'a>(&'a self, case: &'a TestCase) -> Setting<'a> {
        let Some(own) = &case.own else { return self.setting() };
        let dir = self.dir.join(format!("{}.files", case.name));
        let files = own.files.iter().map(|file| (file.clone(), dir.join(file)));
        let by_name = own.by_name.iter().map(|(name, file)| (name.clone(), self.dir.join(file)));
        Setting {
            arguments: own.arguments.as_ref().unwrap_or(&self.arguments),
            checker: own.checker.or(self.checker),
            work: WorkFiles {
                files: files.chain(by_name).collect(),
                directory: own.directory.clone(),
                output: own.output.clone(),
                ignores_printed: own.ignores_printed,
                no_stdin: own.no_stdin,
            },
            points: own.points,
        }
    }

    /// The setting of programs on an input that is not a case.
    pub fn setting(&self) -> Setting<'_> {
        Setting { arguments: &self.arguments, checker: self.checker, work: WorkFiles::default(), points: None }
    }

    /// The answer file of a case, if it has one.
    pub fn answer_of(&self, case: &TestCase) -> Option<PathBuf> {
        let file = match (case.answer, &self.naming) {
            (AnswerFile::Missing, _) | (AnswerFile::Named, None) => return None,
            (AnswerFile::Named, Some(naming)) => naming.answer.of_case(&case.name),
            (AnswerFile::Ans, _) => format!("{}.ans", case.name),
            (AnswerFile::Out, _) => format!("{}.out", case.name),
        };
        Some(self.dir.join(file))
    }
}

/// The arguments of programs on one case (package format 2025-09, "Test data configuration").
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arguments {
    /// The arguments of the submission.
    pub submission: Vec<String>,
    /// The arguments of every input validator that is not in `of_input_validator`.
    pub input_validators: Vec<String>,
    /// The arguments of the input validators with these names.
    pub of_input_validator: BTreeMap<String, Vec<String>>,
    /// The arguments of the output validator.
    pub output_validator: Vec<String>,
    /// The arguments of the input visualiser.
    pub input_visualizer: Vec<String>,
    /// The arguments of the output visualiser.
    pub output_visualizer: Vec<String>,
}

impl Arguments {
    /// Returns the arguments of the given input validator: its own, then those of the submission. Its own are found by
    /// the name of its file or directory, with or without the extension. A grammar takes no arguments.
    pub fn of_validator(&self, program: &Program) -> Vec<String> {
        if let Program::Grammar(_) = program {
            return Vec::new();
        }
        [self.of_named(program), &self.submission].concat()
    }

    fn of_named(&self, program: &Program) -> &[String] {
        let path = program.path();
        let names = [path.and_then(Path::file_name), path.and_then(Path::file_stem)];
        let mut own = names.into_iter().flatten().filter_map(|name| self.of_input_validator.get(name.to_str()?));
        match own.next() {
            Some(own) => own,
            None if self.of_input_validator.is_empty() => &self.input_validators,
            None => &[],
        }
    }
}

/// The arguments, checker and files of programs on one case.
#[derive(Debug, Clone)]
pub struct Setting<'a> {
    /// The arguments of programs.
    pub arguments: &'a Arguments,
    /// The built-in comparison, if the case or the group states one.
    pub checker: Option<Checker>,
    /// The files that programs find and leave in the working directory.
    pub work: WorkFiles,
    /// The most points of the case, if it states them itself.
    pub points: Option<f64>,
}

/// The files that a program finds in its working directory, and those that it leaves there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkFiles {
    /// The files there: each name, with its source.
    pub files: Vec<(PathBuf, PathBuf)>,
    /// The directory below it in which the program starts, so that `../input.txt` leads to a file. Empty: itself.
    pub directory: PathBuf,
    /// The file that holds the output, if the program writes one. Otherwise the output is what it prints, unless that is
    /// ignored.
    pub output: Option<PathBuf>,
    /// Whether only that file is the output, even if the program does not write it.
    pub ignores_printed: bool,
    /// Whether standard input is empty, because the program reads its input from a file.
    pub no_stdin: bool,
}

impl WorkFiles {
    /// Files alone.
    pub fn of(files: Vec<(PathBuf, PathBuf)>) -> Self {
        Self { files, ..Self::default() }
    }

    /// The file that holds the output, as a path in the working directory.
    pub fn output_path(&self) -> Option<PathBuf> {
        Some(self.directory.join(self.output.as_ref()?))
    }
}

/// An input of a group, with the setting of programs on it.
#[derive(Debug, Clone)]
pub struct CaseInput<'a> {
    /// The group, whose limits apply.
    pub group: &'a TestGroup,
    /// The arguments, checker and files.
    pub setting: Setting<'a>,
    /// The input file, which may lie outside the group's directory.
    pub path: PathBuf,
}

/// The settings that a case states itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct OwnSetting {
    /// The arguments of programs, instead of the group's.
    pub arguments: Option<Arguments>,
    /// The built-in comparison (the flags of the default output validator).
    pub checker: Option<Checker>,
    /// Files in the working directory of programs: paths below `<case>.files/`, sorted.
    pub files: Vec<PathBuf>,
    /// Inputs that programs read by name: each name in the working directory, with its file in the group's directory.
    #[serde(default)]
    pub by_name: Vec<(PathBuf, PathBuf)>,
    /// The directory below the working directory in which programs start.
    #[serde(default)]
    pub directory: PathBuf,
    /// The file to which programs write their output, relative to the directory in which they start.
    #[serde(default)]
    pub output: Option<PathBuf>,
    /// Whether only that file is the output, even if the program does not write it.
    #[serde(default)]
    pub ignores_printed: bool,
    /// Whether standard input is empty, because the program reads its input from a file.
    #[serde(default)]
    pub no_stdin: bool,
    /// The most points of the case, instead of a share of those of its group.
    #[serde(default)]
    pub points: Option<f64>,
    /// Whether the statement shows the case, although its group has other cases too. [`Test::is_sample`] has the rule.
    ///
    /// [`Test::is_sample`]: super::Test::is_sample
    #[serde(default)]
    pub is_sample: bool,
}

/// One test case. It is kept small, because a problem may have a hundred thousand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestCase {
    /// The base name, without group and extension.
    pub name: Box<str>,
    /// The kind of file that holds the answer.
    pub answer: AnswerFile,
    /// The settings that it states itself; none for most cases.
    pub own: Option<Box<OwnSetting>>,
}

impl TestCase {
    /// Creates a case without settings of its own.
    pub fn new(name: impl Into<Box<str>>, answer: AnswerFile) -> Self {
        Self { name: name.into(), answer, own: None }
    }

    /// Its additional files, as paths below `<case>.files/`.
    pub fn files(&self) -> &[PathBuf] {
        self.own.as_ref().map(|own| &*own.files).unwrap_or_default()
    }
}

/// The file that holds a case's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AnswerFile {
    /// `<name>.ans`.
    Ans,
    /// `<name>.out`, as in plain folders and in `oj`.
    Out,
    /// The file that the naming of the group gives.
    Named,
    /// No file: the program runs and its output is shown, but not judged.
    Missing,
}
