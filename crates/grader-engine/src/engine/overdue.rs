//! Gives up validators that exceed their time limit. Asking them again and again would take hours.
//!
//! A validator of test data is given up after its first overrun. A validator of outputs may overrun because one
//! submission is hostile, and it must still judge the others. It is given up only if it has never answered and was
//! overdue for several submissions.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::judge::validator::{Patience, Validator, ValidatorError};
use crate::problem::named;
use crate::store::Key;

/// A validator that never answers is given up after it was overdue for this many submissions.
const SUBMISSIONS: usize = 3;

/// The validators of a run that were overdue.
#[derive(Debug, Default)]
pub struct Overdue {
    known: Mutex<HashMap<Key, ValidatorRecord>>,
}

/// The known behaviour of one validator.
#[derive(Debug, Default)]
struct ValidatorRecord {
    /// Whether it has answered at least once.
    answers: bool,
    /// The submissions that it was overdue for.
    submissions: Vec<Key>,
    /// The first file that it was overdue on.
    first: PathBuf,
    given_up: bool,
}

/// Decides which validators may run on behalf of one submission.
#[derive(Debug, Clone, Copy)]
pub(super) struct OnBehalf<'a> {
    overdue: &'a Overdue,
    /// The submission whose output is judged; none for data of the problem.
    submission: Option<Key>,
}

impl Patience for OnBehalf<'_> {
    fn allows(&self, validator: &Validator<'_>) -> Result<(), ValidatorError> {
        match self.overdue.held().get(&validator.artifact.key).filter(|known| known.given_up) {
            Some(known) => {
                let name = validator.name.clone().into_owned();
                Err(ValidatorError::GivenUp { name, on: named(&known.first).to_string() })
            }
            None => Ok(()),
        }
    }

    fn learns(&self, validator: &Validator<'_>, about: &Path, result: Result<(), &ValidatorError>) {
        let key = validator.artifact.key;
        match result {
            Ok(()) => self.overdue.held().entry(key).or_default().answers = true,
            Err(ValidatorError::Overdue { .. }) => {
                self.overdue.held().entry(key).or_default().fail(self.submission, about);
            }
            // Other errors do not make a validator slow; the caller reports them.
            Err(_) => {}
        }
    }
}

impl ValidatorRecord {
    /// Notes that the validator was overdue on a file, for a submission or for data of the problem.
    fn fail(&mut self, submission: Option<Key>, about: &Path) {
        if self.first.as_os_str().is_empty() {
            about.clone_into(&mut self.first);
        }
        self.submissions.extend(submission.filter(|key| !self.submissions.contains(key)));
        self.given_up |= match submission {
            Some(_) => !self.answers && self.submissions.len() >= SUBMISSIONS,
            None => true,
        };
    }
}

impl Overdue {
    /// Returns the patience for the output of a submission; without a submission, for data of the problem.
    pub(super) fn on_behalf_of(&self, submission: Option<Key>) -> OnBehalf<'_> {
        OnBehalf { overdue: self, submission }
    }

    fn held(&self) -> MutexGuard<'_, HashMap<Key, ValidatorRecord>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
