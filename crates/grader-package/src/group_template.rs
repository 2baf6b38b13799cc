//! Prepares a group for a new case. Combines the configuration of the group and of the directories above it, even if
//! the group has no case yet.

use std::path::{Path, PathBuf};

use crate::document::Document;
use crate::metadata::{self, CaseConfig, GroupConfig};
use crate::reader::Reader;
use crate::rules::{Answers, Rules};
use crate::testdata::{GROUP_FILES, files_of};
use grader_model::diagnostic::Diagnostic;
use grader_model::problem::{AnswerFile, PackageLayout, Problem, TestCase, TestGroup};

/// A group that will get a new case.
#[derive(Debug)]
pub struct GroupTemplate<'a> {
    reader: Reader<'a>,
    rules: Rules,
    name: String,
    dir: PathBuf,
    config: GroupConfig,
}

impl<'a> GroupTemplate<'a> {
    /// Reads the group of this name below the root of a problem's test data; the empty name is the root itself. Reports
    /// no mistakes in its files, because reading the problem reports them.
    pub fn new(problem: &'a Problem, root: &Path, name: &str) -> Self {
        let mut reader = Reader::new(problem.id.clone(), &problem.dir, root, &|_| false);
        reader.constants = problem.additions.constants.clone();
        reader.foreign = problem.layout == PackageLayout::Icpc;
        let rules = Rules {
            own_validator: !problem.output_validators.is_empty(),
            flags: problem.validator_flags.clone(),
            legacy: problem.layout == PackageLayout::Icpc,
            ..Rules::new(Answers::Optional, 1)
        };
        let dir = if name.is_empty() { root.to_owned() } else { root.join(name) };
        let mut chain: Vec<&Path> = dir.ancestors().take_while(|above| above.starts_with(root)).collect();
        chain.reverse();
        let config = chain.into_iter().fold(GroupConfig::default(), |above, dir| {
            let files: Vec<PathBuf> =
                GROUP_FILES.iter().map(|file| dir.join(file)).filter(|file| file.is_file()).collect();
            metadata::read_group(&reader, &files, &rules).or(&above)
        });
        drop(reader.take_found());
        Self { reader, rules, name: name.to_owned(), dir, config }
    }

    /// The group, without any case.
    pub fn group(&self) -> TestGroup {
        let GroupConfig { limits, checker, arguments, .. } = self.config.clone();
        TestGroup {
            limits,
            checker,
            arguments: arguments.resolve(&self.rules),
            ..TestGroup::empty(&self.name, self.dir.clone())
        }
    }

    /// Creates a case of the group with this name, configuration and files (`CASE.files`, which may still be
    /// elsewhere). Also returns the mistakes in them.
    pub fn case(&self, name: &str, config: Option<Document>, files: &Path) -> (TestCase, Vec<Diagnostic>) {
        let mut case = TestCase::new(name, AnswerFile::Ans);
        if let Some(document) = config {
            let CaseConfig { arguments, checker } = metadata::read_case(&self.reader, document, &self.rules);
            let own = case.own.get_or_insert_default();
            own.arguments = Some(arguments.or(&self.config.arguments).resolve(&self.rules));
            own.checker = checker;
        }
        if self.reader.has_dir(files) {
            case.own.get_or_insert_default().files = files_of(&self.reader, files);
        }
        (case, self.reader.take_found())
    }
}
