//! A report in a file of its own. If the file cannot be written, the run and all other reports continue.

use std::io;
use std::path::PathBuf;

use crate::diagnostic::Diagnostic;
use crate::event::{Event, TestRef, TestResult};
use crate::record::{FinishedSubmission, Report, Reporter};

/// A reporter and its file.
pub struct FileReport {
    file: PathBuf,
    reporter: Box<dyn Reporter>,
    /// The first error. Nothing is written after it.
    failure: Option<io::Error>,
}

impl FileReport {
    /// `file`: its path as the user named it.
    pub fn new(file: PathBuf, reporter: Box<dyn Reporter>) -> Self {
        Self { file, reporter, failure: None }
    }

    fn unless_failed(&mut self, write: impl FnOnce(&mut dyn Reporter) -> io::Result<()>) {
        if self.failure.is_none() {
            self.failure = write(&mut *self.reporter).err();
        }
    }
}

impl Reporter for FileReport {
    fn begin(&mut self) -> io::Result<()> {
        self.unless_failed(|reporter| reporter.begin());
        Ok(())
    }

    fn notice(&mut self, notice: &Diagnostic) -> io::Result<()> {
        self.unless_failed(|reporter| reporter.notice(notice));
        Ok(())
    }

    fn test_started(&mut self, test: &TestRef) -> io::Result<()> {
        self.unless_failed(|reporter| reporter.test_started(test));
        Ok(())
    }

    fn test_finished(&mut self, test: &TestRef, result: &TestResult) -> io::Result<()> {
        self.unless_failed(|reporter| reporter.test_finished(test, result));
        Ok(())
    }

    fn recorded(&mut self, event: &Event, report: &Report) -> io::Result<()> {
        self.unless_failed(|reporter| reporter.recorded(event, report));
        Ok(())
    }

    fn wants_tests(&self) -> bool {
        self.reporter.wants_tests()
    }

    fn submission(&mut self, of: &FinishedSubmission<'_>) -> io::Result<()> {
        self.unless_failed(|reporter| reporter.submission(of));
        Ok(())
    }

    fn finish(&mut self, report: &Report) -> io::Result<()> {
        self.unless_failed(|reporter| reporter.finish(report));
        Ok(())
    }

    fn failures(&self) -> Vec<Diagnostic> {
        let found = |error: &io::Error| {
            let found = Diagnostic::error(&self.file, format!("the report was not written: {error}"));
            // The run is unsuitable, and another file would not help.
            if error.kind() == io::ErrorKind::InvalidInput {
                return found;
            }
            found.remedy("free some space or name another file, then write it again: grader report last --report …")
        };
        self.failure.iter().map(found).collect()
    }
}
