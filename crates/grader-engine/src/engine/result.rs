//! Builds the reported result of a test and keeps the files of a failure.

use super::{Context, failure_files};
use crate::event::{SubmissionIndex, TestIndex, TestResult};
use crate::judge::{Case, JudgedExecution, Origin, result_of};

/// Builds the result of a test. Keeps its files if it failed, or if it has no answer.
pub(super) fn finish(
    context: &Context,
    submission: SubmissionIndex,
    ordinal: TestIndex,
    case: &Case,
    judged: JudgedExecution,
    origin: Origin,
) -> TestResult {
    let wants_files = judged.assessment.rejection.is_some() || case.answer.is_none();
    let files = wants_files.then(|| failure_files::keep(context, submission, ordinal, case, &judged)).flatten();
    result_of(case, judged, origin, &context.plan.submissions[submission].submission.expectation, files)
}
