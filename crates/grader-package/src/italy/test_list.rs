//! The content of lists of tests: `gen/GEN` and `gen/cases.gen`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use grader_model::diagnostic::Severity;

/// The name of the only generator.
pub(super) const GENERATOR: &str = "generator";
/// The most tests of a task.
pub(super) const MOST_TESTS: usize = 10_000;

/// The content of a list.
#[derive(Debug, Default, PartialEq)]
pub(super) struct TestList {
    /// The subtasks; empty if the list has none.
    pub(super) subtasks: Vec<ListedSubtask>,
    /// The tests in their order.
    pub(super) tests: Vec<ListedTest>,
    /// The programs, if the file names them.
    pub(super) programs: Option<StatedPrograms>,
}

/// A subtask.
#[derive(Debug, PartialEq)]
pub(super) struct ListedSubtask {
    pub(super) points: f64,
    /// Its name for task-maker (`#STNAME:`).
    pub(super) name: Option<String>,
    /// The names of the subtasks whose tests it has too (`#STDEP:`).
    pub(super) requires: Vec<String>,
    /// The name of its validator, if the file names validators.
    pub(super) validator: Option<String>,
    /// The number of its own tests.
    pub(super) tests: usize,
    pub(super) line: u32,
}

/// A test.
#[derive(Debug, PartialEq)]
pub(super) struct ListedTest {
    pub(super) source: Source,
    pub(super) line: u32,
}

/// The source of the input of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// A generator.
    Generator {
        /// Its name.
        program: String,
        arguments: Vec<String>,
    },
    /// A file of the task.
    Copy(PathBuf),
}

/// A mistake in a line, or a line that CMS and task-maker read differently.
#[derive(Debug, PartialEq)]
pub(super) struct Remark {
    pub(super) severity: Severity,
    pub(super) line: u32,
    pub(super) message: String,
    pub(super) remedy: &'static str,
}

impl Remark {
    pub(super) fn error(line: u32, message: String, remedy: &'static str) -> Self {
        Self { severity: Severity::Error, line, message, remedy }
    }
}

/// The programs that a list of tests names.
#[derive(Debug, Default, PartialEq)]
pub(super) struct StatedPrograms {
    pub(super) generators: BTreeMap<String, StatedProgram>,
    pub(super) validators: BTreeMap<String, StatedProgram>,
}

/// A program with its path in the task.
#[derive(Debug, PartialEq)]
pub(super) struct StatedProgram {
    pub(super) path: PathBuf,
    /// The arguments of a validator, with `$INPUT`, `$ST_NUM` and `$ST_NAME`; empty for the usual ones.
    pub(super) arguments: Vec<String>,
    pub(super) line: u32,
}

impl TestList {
    /// Adds a test to the last subtask.
    pub(super) fn add(&mut self, test: ListedTest) {
        self.tests.push(test);
        if let Some(last) = self.subtasks.last_mut() {
            last.tests += 1;
        }
    }
}
