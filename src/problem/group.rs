//! Groups of test cases, their files, and what programs are called with on them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Checker, LimitOptions, Program, StaticValidation, TestId};

/// Test cases that are judged together: `sample`, `secret`, `secret/small`.
#[derive(Debug, Clone, PartialEq)]
pub struct TestGroup {
    /// The group's path below the data root; empty in a plain folder.
    pub name: Arc<str>,
    /// The directory that holds the files.
    pub dir: PathBuf,
    /// Limits stated for this group alone (`test_group.toml` or `test_group.yaml`).
    pub limits: LimitOptions,
    /// The checker stated for this group alone.
    pub checker: Option<Checker>,
    /// What programs are called with on the cases.
    pub arguments: GroupArguments,
    /// Files in the working directory of programs, by case; paths below `<case>.files/`, sorted.
    pub files: BTreeMap<Box<str>, Vec<PathBuf>>,
    /// That the sources of submissions are judged as a test of the group.
    pub static_validation: Option<StaticValidation>,
    /// Cases in lexicographic order.
    pub cases: Vec<TestCase>,
}

impl TestGroup {
    /// The full name of a case of this group.
    pub fn id_of(&self, case: &TestCase) -> TestId {
        self.id_of_name(&case.name)
    }

    pub(super) fn id_of_name(&self, name: &str) -> TestId {
        if self.name.is_empty() { TestId::from(name) } else { TestId::from(format!("{}/{name}", self.name)) }
    }

    /// The input file of a case.
    pub fn input_of(&self, case: &TestCase) -> PathBuf {
        self.dir.join(format!("{}.in", case.name))
    }

    /// What programs are called with on the case that has this input; for a case that is not of this group, as on any.
    pub fn arguments_for(&self, input: &Path) -> &Arguments {
        let own = self.name_of(input).and_then(|name| self.arguments.cases.get(name));
        own.unwrap_or(&self.arguments.all)
    }

    /// The files that programs find in their working directory on the case that has this input: what they are called
    /// there, and where they are.
    pub fn files_for(&self, input: &Path) -> Vec<(PathBuf, PathBuf)> {
        let Some((name, files)) = self.name_of(input).and_then(|name| self.files.get_key_value(name)) else {
            return Vec::new();
        };
        let dir = self.dir.join(format!("{name}.files"));
        files.iter().map(|file| (file.clone(), dir.join(file))).collect()
    }

    /// How the outputs of the case that has this input are compared, where the case or the group says so.
    pub fn checker_for(&self, input: &Path) -> Option<Checker> {
        let own = self.name_of(input).and_then(|name| self.arguments.checkers.get(name));
        own.copied().or(self.checker)
    }

    /// The name of the case of this group that has this input.
    fn name_of<'i>(&self, input: &'i Path) -> Option<&'i str> {
        input.file_stem().filter(|_| input.parent() == Some(&self.dir))?.to_str()
    }

    /// The answer file of a case, where it has one.
    pub fn answer_of(&self, case: &TestCase) -> Option<PathBuf> {
        let extension = match case.answer {
            AnswerFile::Ans => "ans",
            AnswerFile::Out => "out",
            AnswerFile::Missing => return None,
        };
        Some(self.dir.join(format!("{}.{extension}", case.name)))
    }
}

/// What programs are called with on one case (package format 2025-09, "Test data configuration").
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arguments {
    /// For the submission.
    pub submission: Vec<String>,
    /// For every input validator that is not in `of_input_validator`.
    pub input_validators: Vec<String>,
    /// For the input validators of these names.
    pub of_input_validator: BTreeMap<String, Vec<String>>,
    /// For the output validator.
    pub output_validator: Vec<String>,
}

impl Arguments {
    /// What the input validator that is this program is called with: its own, found by the name of its file or directory,
    /// the ending left out or not, then those of the submission. A grammar has no use for any.
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

/// What programs are called with on the cases of a group.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GroupArguments {
    /// On every case but those that state others.
    pub all: Arguments,
    /// On the cases of these names.
    pub cases: BTreeMap<Box<str>, Arguments>,
    /// What the flags of the default output validator mean, for the cases of these names that state some.
    pub checkers: BTreeMap<Box<str>, Checker>,
}

/// One case: kept small, because there may be a hundred thousand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCase {
    /// The base name, without group and extension.
    pub name: Box<str>,
    /// Which file holds the answer.
    pub answer: AnswerFile,
}

/// The file that holds a case's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerFile {
    /// `<name>.ans`.
    Ans,
    /// `<name>.out`, as plain folders and `oj` have it.
    Out,
    /// None: the case is run and shown, not judged.
    Missing,
}
