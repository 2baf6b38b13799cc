//! Chooses which of several attempts of a student for a problem count.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::AssignedSubmission;
use crate::course::AttemptChoice;
use crate::intake::advice::Misfit;
use crate::intake::reader::Intake;
use crate::problem::ProblemId;

/// Whether something that cannot be judged is the attempt that counts instead of this one.
pub(super) fn is_replaced(entry: &AssignedSubmission, of: &ProblemId, out: &Misfit, counts: AttemptChoice) -> bool {
    let is_same = out.student == entry.owner() && out.problem.as_ref() == Some(of);
    let (Some(judged), Some(other)) = (entry.attempt.number.filter(|_| is_same), out.attempt) else { return false };
    match counts {
        AttemptChoice::Last => other > judged,
        AttemptChoice::First => other < judged,
        AttemptChoice::Best => false,
    }
}

/// Makes attempts of several files of a student for a problem if their dates say which is newer.
pub(super) fn number_by_date(intake: &Intake<'_>, same: &mut [AssignedSubmission]) {
    let is_numbered = same.iter().any(|entry| entry.attempt.number.is_some());
    let are_copies = same.iter().all(|entry| entry.source == same[0].source);
    let files: Option<Vec<PathBuf>> = same.iter().map(AssignedSubmission::file).collect();
    let Some(files) = files.filter(|files| files.len() > 1 && !is_numbered && !are_copies) else { return };
    for (number, at) in (1..).zip(intake.in_order_of_dates(&files).unwrap_or_default()) {
        same[at].attempt.number = Some(number);
    }
}

/// The submissions of a student for a problem, by attempt: those that count.
pub(super) fn by_attempt(same: Vec<AssignedSubmission>, counts: AttemptChoice) -> Vec<Vec<AssignedSubmission>> {
    let mut attempts: BTreeMap<Option<u32>, Vec<AssignedSubmission>> = BTreeMap::new();
    for entry in same {
        attempts.entry(entry.attempt.number).or_default().push(entry);
    }
    let mut attempts: Vec<Vec<AssignedSubmission>> = attempts.into_values().collect();
    match counts {
        AttemptChoice::Best => {
            // An unchanged submission is not another attempt.
            let sources = |same: &[AssignedSubmission]| same.iter().map(|entry| entry.source).collect::<Vec<_>>();
            let is_same = |entry: &AssignedSubmission, first: &AssignedSubmission| {
                entry.place == first.place && entry.source == first.source
            };
            let is_same_file = attempts.iter().flatten().all(|entry| is_same(entry, &attempts[0][0]));
            attempts.dedup_by(|later, earlier| sources(later) == sources(earlier));
            let are_several = attempts.len() > 1;
            for entry in attempts.iter_mut().flatten() {
                entry.attempt.number = entry.attempt.number.filter(|_| !is_same_file);
                if let Some(number) = entry.attempt.number.filter(|_| are_several) {
                    entry.is_one_of_several = true;
                    entry.name = format!("{} (attempt {number})", entry.name);
                }
            }
        }
        AttemptChoice::Last => drop(attempts.drain(..attempts.len().saturating_sub(1))),
        AttemptChoice::First => attempts.truncate(1),
    }
    attempts
}
