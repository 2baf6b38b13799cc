//! Runs the validators on all cases.

use std::path::Path;
use std::sync::Arc;

use crate::engine::bench::Bench;
use crate::judge::{Fault, JudgeErrorKind, Response};
use crate::problem::Problem;
use crate::verify::judges::{Judges, ValidatorsResponse, case_of};
use crate::verify::problem_findings::ProblemFindings;
use crate::verify::steps::Steps;
use crate::verify::{Code, Finding};

/// The most validator failures that are reported one by one.
const TOLD: usize = 5;

/// Whether validators accept a case and its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sound {
    /// Every input validator accepts it.
    pub(crate) input: bool,
    /// The output validator accepts its answer.
    pub(crate) answer: bool,
}

/// Runs the validators on every case. Returns the result of each case in plan order.
pub(crate) fn check(
    bench: &mut Bench<'_>,
    results: &mut ProblemFindings,
    problem: &Arc<Problem>,
    judges: &Judges,
    steps: &Steps,
) -> Vec<Sound> {
    steps.step("cases", problem.cases().count());
    let mut known = Vec::new();
    let mut failures = Failures::default();
    for (group, case) in problem.cases() {
        let case_input = group.case_input(case);
        let input = &case_input.path;
        let setting = &case_input.setting;
        let said = judges.check_input(bench, setting.arguments, &setting.work.files, input);
        let mut sound = Sound { input: said == Ok(Response::Accepts), answer: false };
        failures.tell(results, Code::InputRejected, input, said, "fix the case or the validator");
        if let Some(answer) = group.answer_of(case)
            && !problem.kind.is_led_by_validator()
        {
            let said = judges.check_answer(bench, input, &answer);
            failures.tell(results, Code::AnswerInvalid, &answer, said, "fix the answer or the validator");
            if judges.judges_outputs(problem) {
                let case = case_of(bench, problem, case_input, Some(answer.clone()));
                let said = judges.check_output(bench, &case, &answer);
                sound.answer = said == Ok(Response::Accepts);
                let said = said.map(|said| said.map_words(|words| format!("rejected as an output: {words}")));
                failures.tell(results, Code::AnswerRejected, &answer, said, "fix the answer or the validator");
            }
        }
        known.push(sound);
        steps.done();
    }
    failures.finish(results);
    known
}

/// The remedy for a validator that failed.
const FIX: &str = "fix the validator";

/// The code for a validator that failed: that of a sanitizer's report, or another.
pub(crate) fn code_of(fault: &Fault, other: Code) -> Code {
    if fault.kind() == Some(JudgeErrorKind::Sanitized) { Code::SanitizerReport } else { other }
}

/// Counts failures of validators, because there may be one for each case.
#[derive(Default)]
pub(crate) struct Failures {
    count: usize,
}

impl Failures {
    /// Reports a rejection or a failure.
    fn tell(
        &mut self,
        results: &mut ProblemFindings,
        rejected: Code,
        path: &Path,
        said: ValidatorsResponse,
        remedy: &str,
    ) {
        match said {
            Ok(Response::Accepts) => {}
            Ok(Response::Rejects(words)) => results.report(Finding::new(rejected, words).at(path).remedy(remedy)),
            Err(fault) => self.fail(results, path, &fault),
        }
    }

    /// Reports that a validator failed on a file. If grader no longer runs the validator, this was reported with the
    /// file on which it exceeded its time limit.
    pub(crate) fn fail(&mut self, results: &mut ProblemFindings, path: &Path, fault: &Fault) {
        let message = match fault.kind() {
            // A cancelled command needs no finding.
            None | Some(JudgeErrorKind::GivenUp) => return,
            Some(JudgeErrorKind::Overdue) => format!("{fault}; grader does not run it again"),
            _ => fault.to_string(),
        };
        self.count += 1;
        if self.count <= TOLD {
            results.report(Finding::new(code_of(fault, Code::ValidatorBroken), message).at(path).remedy(FIX));
        }
    }

    /// Reports the number of further failures.
    pub(crate) fn finish(&self, results: &mut ProblemFindings) {
        if self.count > TOLD {
            let message = format!("validators fail on {} more files", self.count - TOLD);
            results.report(Finding::new(Code::ValidatorBroken, message));
        }
    }
}
