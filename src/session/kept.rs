//! The files that runs keep of failed tests: whether they are still those of a result from before.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::event::TestResult;

/// The files that a run has kept.
pub(crate) struct KeptFiles {
    /// The directory in which runs keep files.
    last: PathBuf,
    /// From when to when the run kept them; none: it is not known.
    span: Option<(SystemTime, SystemTime)>,
}

impl KeptFiles {
    /// The files of a run between two times, in a store.
    pub(crate) fn new(store: &Path, span: Option<(SystemTime, SystemTime)>) -> Self {
        Self { last: store.join("last"), span }
    }

    /// Takes from a result the files that are not its own any more, or are not where a run keeps them.
    pub(crate) fn check(&self, result: &mut TestResult) {
        let (files, cached) = match result {
            TestResult::Judged(judgement) => (&mut judgement.files, judgement.measured.cached),
            TestResult::NotJudged { files, measured, .. } => (files, measured.cached),
            TestResult::JudgeError { .. } | TestResult::Cancelled => return,
        };
        if files.as_ref().is_some_and(|stem| !self.is_ours(stem, cached)) {
            *files = None;
        }
    }

    fn is_ours(&self, stem: &Path, cached: bool) -> bool {
        let Some((from, to)) = self.span else { return false };
        // A result that was taken up again has the files of the run that it comes from.
        let from = if cached { UNIX_EPOCH } else { from };
        let mut err = stem.as_os_str().to_owned();
        err.push(".err");
        // A file that is not there any more is not shown.
        let inside = || fs::canonicalize(&err).ok()?.strip_prefix(fs::canonicalize(&self.last).ok()?).ok().map(drop);
        let modified = fs::metadata(&err).and_then(|meta| meta.modified());
        inside().is_some() && modified.is_ok_and(|modified| from <= modified && modified <= to)
    }
}
