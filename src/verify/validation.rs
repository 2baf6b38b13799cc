//! Checks validators with the validation data: whether they accept or reject it as they should.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::Kind;
use crate::engine::bench::{Bench, Case};
use crate::judge::{Fault, JudgeErrorKind, Response};
use crate::language::Languages;
use crate::package::document::is_there;
use crate::package::reader::Reader;
use crate::package::validation::{self, Purpose, ValidationCase};
use crate::problem::{CaseInput, PackageLayout, Problem, Setting, WorkFiles};
use crate::verify::cases::Failures;
use crate::verify::judges::{Judges, case_of, no_group};
use crate::verify::problem_findings::{ProblemFindings, finding_of};
use crate::verify::steps::Steps;
use crate::verify::{Code, Finding};

/// The defect that a validation case reveals.
enum Wrong {
    Told(Finding),
    /// A validator failed on this file.
    Broken(PathBuf, Fault),
}

impl Wrong {
    fn told(code: Code, path: &Path, message: impl Into<String>) -> Self {
        Self::Told(Finding::new(code, message).at(path).remedy("fix the validator or the data"))
    }

    fn untried(path: &Path, message: impl Into<String>) -> Self {
        Self::Told(Finding::new(Code::ValidationDataIncomplete, message).at(path))
    }
}

/// Runs the validators on all validation data.
pub(crate) fn check(
    bench: &mut Bench<'_>,
    results: &mut ProblemFindings,
    problem: &Arc<Problem>,
    judges: &Judges,
    languages: &Languages,
    steps: &Steps,
) {
    let Some(data) = results.data.clone() else { return };
    let is_source = |path: &Path| languages.is_source(path);
    let mut reader = Reader::new(problem.id.clone(), &problem.dir, &data, &is_source);
    reader.constants = problem.additions.constants.clone();
    reader.foreign = problem.layout == PackageLayout::Icpc;
    let cases = validation::read(&reader, problem, &data);
    for found in &reader.take_found() {
        // A finding about an ignored file may have been reported already.
        if found.kind != Kind::Ignored || !found.path.as_ref().is_some_and(|path| results.told.contains(path)) {
            results.report(finding_of(found));
        }
    }
    steps.step("validation data", cases.len());
    let mut failures = Failures::default();
    for case in &cases {
        match (Trial { bench: &mut *bench, problem, judges, case }).run() {
            Ok(()) => {}
            Err(Wrong::Told(finding)) => results.report(finding),
            Err(Wrong::Broken(path, fault)) => failures.fail(results, &path, &fault),
        }
        steps.done();
    }
    failures.finish(results);
}

/// Whether the validator itself failed, for example with an exit code other than 42 and 43. Timeouts and failures of
/// the machine say nothing about the file.
fn fails_on(fault: &Fault) -> bool {
    fault.kind() == Some(JudgeErrorKind::Protocol)
}

/// A validation case with the validators that judge it.
struct Trial<'a, 'b> {
    bench: &'a mut Bench<'b>,
    problem: &'a Arc<Problem>,
    judges: &'a Judges,
    case: &'a ValidationCase,
}

impl Trial<'_, '_> {
    fn run(mut self) -> Result<(), Wrong> {
        self.check_files()?;
        match self.case.purpose {
            Purpose::InvalidInput => self.invalid_input(),
            Purpose::InvalidAnswer => self.invalid_answer(),
            Purpose::InvalidOutput | Purpose::ValidOutput => self.output(),
        }
    }

    /// Reports the first unreadable file of the case: a validator that could not read it has not rejected it.
    fn check_files(&self) -> Result<(), Wrong> {
        let own = [self.case.input.clone(), self.case.answer(), self.case.output()];
        let own = own.into_iter().filter(|path| is_there(path));
        for path in own.chain(self.case.files.iter().map(|(_, from)| from.clone())) {
            if let Err(error) = File::open(&path) {
                return Err(Wrong::Told(Finding::new(Code::FileUnreadable, error.to_string()).at(&path)));
            }
        }
        Ok(())
    }

    fn invalid_input(&mut self) -> Result<(), Wrong> {
        let ValidationCase { input, arguments, files, .. } = self.case;
        if !self.judges.can_ask_about_inputs() {
            return Err(Wrong::untried(input, "not tested: there is no input validator that grader can run"));
        }
        // By the protocol, any exit code other than 42 rejects. So a validator that fails has not accepted the input.
        match self.judges.check_input(self.bench, arguments, files, input) {
            Ok(Response::Accepts) if !self.judges.checks_inputs() => {
                let message = "not known: grader cannot run every input validator, and those that it can run accept it";
                Err(Wrong::untried(input, message))
            }
            Ok(Response::Accepts) => {
                let message = "every input validator accepts it, but it should be invalid";
                Err(Wrong::told(Code::InvalidInputAccepted, input, message))
            }
            Ok(Response::Rejects(_)) => Ok(()),
            Err(fault) if fails_on(&fault) => Ok(()),
            Err(fault) => Err(Wrong::Broken(input.clone(), fault)),
        }
    }

    fn invalid_answer(&mut self) -> Result<(), Wrong> {
        let input = &self.case.input;
        let answer = self.case.answer();
        let by_output = self.judges.judges_outputs(self.problem);
        if !self.judges.checks_answers() && !by_output {
            let message = "not tested: there is neither an answer validator nor an output validator";
            return Err(Wrong::untried(input, message));
        }
        let of_problem = self.with_answer()?;
        match self.judges.check_answer(self.bench, input, &answer) {
            Ok(Response::Accepts) => {}
            Ok(Response::Rejects(_)) => return Ok(()),
            // As with inputs, a validator that fails has not accepted the answer.
            Err(fault) if fails_on(&fault) => return Ok(()),
            Err(fault) => return Err(Wrong::Broken(answer, fault)),
        }
        if by_output {
            let said = self.judges.check_output(self.bench, &of_problem, &answer);
            if said.map_err(|fault| Wrong::Broken(answer.clone(), fault))? != Response::Accepts {
                return Ok(());
            }
        }
        Err(Wrong::told(Code::InvalidAnswerAccepted, &answer, "nothing rejects it, but it should be invalid"))
    }

    fn output(&mut self) -> Result<(), Wrong> {
        let of_problem = self.with_answer()?;
        let input = &self.case.input;
        let output = self.case.output();
        if !output.is_file() {
            return Err(Wrong::untried(input, "no output (.out) of the same name"));
        }
        if self.judges.lacks_output_validator() {
            return Ok(());
        }
        let said = self.judges.check_output(self.bench, &of_problem, &output);
        match (said.map_err(|fault| Wrong::Broken(output.clone(), fault))?, self.case.purpose) {
            (Response::Accepts, Purpose::InvalidOutput) => {
                Err(Wrong::told(Code::InvalidOutputAccepted, &output, "accepted, but it should be rejected"))
            }
            (Response::Rejects(words), Purpose::ValidOutput) => {
                let message = format!("rejected, but it should be accepted: {words}");
                Err(Wrong::told(Code::ValidOutputRejected, &output, message))
            }
            _ => Ok(()),
        }
    }

    /// The case with its answer; fails unless the input is valid and outputs can be judged.
    fn with_answer(&mut self) -> Result<Case, Wrong> {
        let ValidationCase { input, arguments, files, checker, .. } = self.case;
        let answer = self.case.answer();
        match self.judges.check_input(self.bench, arguments, files, input) {
            Ok(Response::Accepts) => {}
            Ok(Response::Rejects(words)) => {
                return Err(Wrong::untried(input, format!("its input should be valid, but is {words}")));
            }
            Err(fault) => return Err(Wrong::Broken(input.clone(), fault)),
        }
        if !answer.is_file() {
            return Err(Wrong::untried(input, "no answer (.ans) of the same name"));
        }
        let kind = self.problem.kind;
        if kind.is_led_by_validator() {
            let message =
                format!("not tested: the problem is of type {}, so there are no outputs to judge", kind.name());
            return Err(Wrong::untried(input, message));
        }
        let group = no_group(*checker);
        let setting = Setting { arguments, checker: *checker, work: WorkFiles::default(), points: None };
        let input = CaseInput { group: &group, setting, path: input.clone() };
        Ok(case_of(self.bench, self.problem, input, Some(answer)))
    }
}
