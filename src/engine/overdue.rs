//! Validators that do not answer within their time: they are not asked again and again, which would take hours.
//!
//! One that judges test data is given up after its first overrun. One that judges what submissions print may have been
//! brought to it by a hostile submission, which must not keep it from judging the others: it is given up only if it never
//! answered anybody, and was overdue for several submissions.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::judge::validator::{Validator, ValidatorError};
use crate::store::Key;

/// So many submissions must have met a validator that never answers before the others are spared it.
const SUBMISSIONS: usize = 3;

/// The validators of a run that were overdue.
#[derive(Debug, Default)]
pub struct Overdue {
    known: Mutex<HashMap<Key, Known>>,
}

/// What is known of one validator.
#[derive(Debug, Default)]
struct Known {
    /// It has answered somebody.
    answers: bool,
    /// The submissions that it was overdue for.
    submissions: Vec<Key>,
    /// The first file that it was overdue on.
    first: PathBuf,
    given_up: bool,
}

impl Overdue {
    /// Asks a validator, unless it was given up. `submission`: whose output it judges; none: it judges data of the problem.
    /// `on`: the file, for messages.
    pub(super) fn ask<T>(
        &self,
        validator: &Validator<'_>,
        submission: Option<&Key>,
        on: &Path,
        ask: impl FnOnce() -> Result<T, ValidatorError>,
    ) -> Result<T, ValidatorError> {
        let key = validator.artifact.key;
        if let Some(known) = self.held().get(&key).filter(|known| known.given_up) {
            let (name, on) = (validator.name.clone().into_owned(), known.first.display().to_string());
            return Err(ValidatorError::GivenUp { name, on });
        }
        let said = ask();
        match &said {
            Ok(_) => self.held().entry(key).or_default().answers = true,
            Err(ValidatorError::Overdue { .. }) => {
                let mut held = self.held();
                let known = held.entry(key).or_default();
                if known.first.as_os_str().is_empty() {
                    on.clone_into(&mut known.first);
                }
                known.submissions.extend(submission.filter(|key| !known.submissions.contains(key)));
                known.given_up |= match submission {
                    Some(_) => !known.answers && known.submissions.len() >= SUBMISSIONS,
                    None => true,
                };
            }
            // Other errors do not make a validator slow; the caller reports them.
            Err(_) => {}
        }
        said
    }

    fn held(&self) -> MutexGuard<'_, HashMap<Key, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
