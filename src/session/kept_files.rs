//! Checks whether the files of failed tests still belong to the results of an earlier run.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::event::TestResult;

/// The files that a run has saved.
pub(crate) struct KeptFiles {
    /// The directory in which runs save files.
    last: PathBuf,
    /// The time span of the run. None if unknown.
    span: Option<(SystemTime, SystemTime)>,
}

impl KeptFiles {
    /// The files that a run saved between two times, in the store at `store`.
    pub(crate) fn new(store: &Path, span: Option<(SystemTime, SystemTime)>) -> Self {
        Self { last: store.join("last"), span }
    }

    /// Removes the files from a result if they are no longer its own, or are outside the directory of saved files.
    pub(crate) fn check(&self, result: &mut TestResult) {
        let (files, cached) = match result {
            TestResult::Judged(judgement) => {
                let judgement = Arc::make_mut(judgement);
                (&mut judgement.files, judgement.measured.cached)
            }
            TestResult::NotJudged { files, measured, .. } => (files, measured.cached),
            TestResult::JudgeError { .. } | TestResult::Cancelled => return,
        };
        if files.as_ref().is_some_and(|stem| !self.is_ours(stem, cached)) {
            *files = None;
        }
    }

    fn is_ours(&self, stem: &Path, cached: bool) -> bool {
        let Some((from, to)) = self.span else { return false };
        // A reused result has the files of the earlier run that it comes from.
        let from = if cached { UNIX_EPOCH } else { from };
        let mut err = stem.as_os_str().to_owned();
        err.push(".err");
        // A missing file is not shown.
        let inside = || fs::canonicalize(&err).ok()?.strip_prefix(fs::canonicalize(&self.last).ok()?).ok().map(drop);
        let modified = fs::metadata(&err).and_then(|meta| meta.modified());
        inside().is_some() && modified.is_ok_and(|modified| from <= modified && modified <= to)
    }
}
