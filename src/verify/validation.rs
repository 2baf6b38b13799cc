//! Checks validators with the validation data: whether they accept or reject it as they should.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use crate::diagnostic::Kind;
use crate::engine::bench::{Bench, Case};
use crate::judge::{Fault, JudgeErrorKind, Response};
use crate::language::Languages;
use crate::making::text;
use crate::package::document::is_there;
use crate::package::reader::Reader;
use crate::package::validation;
use crate::problem::{CaseInput, PackageLayout, Problem, Purpose, Setting, TestTarget, ValidationCase, WorkFiles};
use crate::verify::cases::Failures;
use crate::verify::judges::{Judges, ValidatorsResponse, case_of, no_group, without_interactor};
use crate::verify::problem_findings::{ProblemFindings, Tries, TryKind, finding_of};
use crate::verify::steps::Steps;
use crate::verify::{Code, Finding};

/// The defect that a validation case reveals.
enum Wrong {
    Finding(Finding),
    /// A validator failed on this file.
    Broken(PathBuf, Fault),
}

impl Wrong {
    fn finding(code: Code, path: &Path, message: impl Into<String>) -> Self {
        Self::Finding(Finding::new(code, message).at(path).remedy("fix the validator or the data"))
    }

    fn untried(path: &Path, message: impl Into<String>) -> Self {
        Self::Finding(Finding::new(Code::ValidationDataIncomplete, message).at(path))
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
    let mut cases = in_directories(results, problem, languages);
    cases.extend(problem.validation_cases.iter().cloned());
    steps.step("validation data", cases.len());
    let mut failures = Failures::default();
    let mut tries = Tries { kind: TryKind::OwnTests, tried: cases.len(), odd: Vec::new() };
    for case in &cases {
        let met = with_unix_lines(case).and_then(|on_linux| {
            let read = on_linux.as_ref().map_or(case, |(case, _)| case);
            Trial { bench: &mut *bench, problem, judges, case, read }.run()
        });
        if let Err(wrong) = met {
            let path = case.input.strip_prefix(&problem.dir).unwrap_or(&case.input);
            tries.odd.push((required(case.purpose), path.display().to_string()));
            match wrong {
                Wrong::Finding(finding) => results.report(finding),
                Wrong::Broken(path, fault) => failures.fail(results, &path, &fault),
            }
        }
        steps.done();
    }
    failures.finish(results);
    // A problem without such data has no line about it.
    results.tries.extend((!cases.is_empty()).then_some(tries));
}

/// The tests of validators in directories of the test data.
fn in_directories(results: &mut ProblemFindings, problem: &Arc<Problem>, languages: &Languages) -> Vec<ValidationCase> {
    let Some(data) = results.data.clone() else { return Vec::new() };
    let is_source = |path: &Path| languages.is_source(path);
    let mut reader = Reader::new(problem.id.clone(), &problem.dir, &data, &is_source);
    reader.constants = problem.additions.constants.clone();
    reader.foreign = problem.layout == PackageLayout::Icpc;
    let cases = validation::read(&reader, problem, &data);
    for found in &reader.take_found() {
        // A finding about an ignored file may have been reported already.
        if found.kind != Kind::Ignored || !found.path.as_ref().is_some_and(|path| results.with_finding.contains(path)) {
            results.report(finding_of(found));
        }
    }
    cases
}

/// The required result in words, before the path of the input.
fn required(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::InvalidInput => "the input is invalid",
        Purpose::ValidInput => "the input is valid",
        Purpose::InvalidAnswer => "the answer is invalid",
        Purpose::InvalidOutput => "the output is wrong",
        Purpose::ValidOutput => "the output is right",
        Purpose::CheckerFailure => "the checker fails",
    }
}

/// The test with copies of its files that have line ends of Linux, if it is one of a package of Polygon for Windows.
/// Returns none if the files need no copy. Dropping the directory deletes the copies.
fn with_unix_lines(case: &ValidationCase) -> Result<Option<(ValidationCase, TempDir)>, Wrong> {
    let files = [&case.input, &case.answer, &case.output];
    if case.tested == TestTarget::All || !files.iter().any(|file| text::is_windows(file)) {
        return Ok(None);
    }
    let unreadable =
        |error: std::io::Error| Wrong::Finding(Finding::new(Code::FileUnreadable, error.to_string()).at(&case.input));
    let dir = tempfile::tempdir().map_err(unreadable)?;
    let copy = |name: &str, file: &Path| {
        if !is_there(file) {
            return Ok(file.to_owned());
        }
        let place = dir.path().join(name);
        fs::write(&place, text::to_unix(&fs::read(file)?))?;
        Ok(place)
    };
    let copied = ValidationCase {
        input: copy("input", &case.input).map_err(unreadable)?,
        answer: copy("answer", &case.answer).map_err(unreadable)?,
        output: copy("output", &case.output).map_err(unreadable)?,
        ..case.clone()
    };
    Ok(Some((copied, dir)))
}

/// Whether the validator itself failed, for example with an exit code other than 42 and 43. Timeouts and failures of
/// the machine say nothing about the file.
fn fails_on(fault: &Fault) -> bool {
    matches!(fault.kind(), Some(JudgeErrorKind::Protocol | JudgeErrorKind::UnfitAnswer))
}

/// A validation case with the validators that judge it.
struct Trial<'a, 'b> {
    bench: &'a mut Bench<'b>,
    problem: &'a Arc<Problem>,
    judges: &'a Judges,
    /// The case, whose files findings name.
    case: &'a ValidationCase,
    /// The case with the files that programs read.
    read: &'a ValidationCase,
}

impl Trial<'_, '_> {
    fn run(mut self) -> Result<(), Wrong> {
        self.check_files()?;
        match self.case.purpose {
            Purpose::InvalidInput | Purpose::ValidInput => self.input(),
            Purpose::InvalidAnswer => self.invalid_answer(),
            Purpose::InvalidOutput | Purpose::ValidOutput | Purpose::CheckerFailure => self.output(),
        }
    }

    /// Reports the first unreadable file of the case: a validator that could not read it has not rejected it.
    fn check_files(&self) -> Result<(), Wrong> {
        let own = [&self.case.input, &self.case.answer, &self.case.output];
        let own = own.into_iter().filter(|path| is_there(path));
        for path in own.chain(self.case.files.iter().map(|(_, from)| from)) {
            if let Err(error) = File::open(path) {
                return Err(Wrong::Finding(Finding::new(Code::FileUnreadable, error.to_string()).at(path)));
            }
        }
        Ok(())
    }

    /// Asks the input validators about the input; none if they cannot run.
    fn ask_about_input(&mut self) -> Option<ValidatorsResponse> {
        let ValidationCase { tested, input, arguments, files, .. } = self.read;
        match tested {
            TestTarget::InputValidator(path) => self.judges.check_input_by(self.bench, path, arguments, input),
            TestTarget::All | TestTarget::Checker if !self.judges.can_ask_about_inputs() => None,
            TestTarget::All | TestTarget::Checker => Some(self.judges.check_input(self.bench, arguments, files, input)),
        }
    }

    fn input(&mut self) -> Result<(), Wrong> {
        let input = &self.case.input;
        let is_valid = self.case.purpose == Purpose::ValidInput;
        if !input.is_file() {
            return Err(Wrong::untried(input, "the package has no such file"));
        }
        let Some(said) = self.ask_about_input() else {
            return Err(Wrong::untried(input, "not tested: there is no input validator that grader can run"));
        };
        // By the protocol, any exit code other than 42 rejects. So a validator that fails has not accepted the input.
        match said {
            Ok(Response::Accepts) if is_valid => Ok(()),
            Ok(Response::Rejects(words)) if is_valid => {
                Err(Wrong::finding(Code::ValidInputRejected, input, format!("should be valid, but is {words}")))
            }
            Ok(Response::Accepts) if self.case.tested == TestTarget::All && !self.judges.checks_inputs() => {
                let message = "not known: grader cannot run every input validator, and those that it can run accept it";
                Err(Wrong::untried(input, message))
            }
            Ok(Response::Accepts) => {
                let who = match &self.case.tested {
                    TestTarget::InputValidator(path) => {
                        format!("{} accepts it", path.strip_prefix(&self.problem.dir).unwrap_or(path).display())
                    }
                    TestTarget::All | TestTarget::Checker => "every input validator accepts it".to_owned(),
                };
                Err(Wrong::finding(Code::InvalidInputAccepted, input, format!("{who}, but it should be invalid")))
            }
            Ok(Response::Rejects(_)) => Ok(()),
            Err(fault) if fails_on(&fault) && !is_valid => Ok(()),
            Err(fault) => Err(Wrong::Broken(input.clone(), fault)),
        }
    }

    fn invalid_answer(&mut self) -> Result<(), Wrong> {
        let ValidationCase { input, answer, .. } = self.case;
        let by_output = self.judges.judges_outputs(self.problem);
        if !self.judges.checks_answers() && !by_output {
            let message = "not tested: there is neither an answer validator nor an output validator";
            return Err(Wrong::untried(input, message));
        }
        let of_problem = self.with_answer()?;
        match self.judges.check_answer(self.bench, input, answer) {
            Ok(Response::Accepts) => {}
            Ok(Response::Rejects(_)) => return Ok(()),
            // As with inputs, a validator that fails has not accepted the answer.
            Err(fault) if fails_on(&fault) => return Ok(()),
            Err(fault) => return Err(Wrong::Broken(answer.clone(), fault)),
        }
        if by_output {
            let said = self.judges.check_output(self.bench, &of_problem, answer);
            if said.map_err(|fault| Wrong::Broken(answer.clone(), fault))? != Response::Accepts {
                return Ok(());
            }
        }
        Err(Wrong::finding(Code::InvalidAnswerAccepted, answer, "nothing rejects it, but it should be invalid"))
    }

    fn output(&mut self) -> Result<(), Wrong> {
        let of_problem = self.with_answer()?;
        let ValidationCase { input, output, purpose, .. } = self.case;
        if !output.is_file() {
            return Err(Wrong::untried(input, "no output with this number or name"));
        }
        if self.judges.lacks_output_validator() {
            return Ok(());
        }
        let said = match self.case.tested {
            TestTarget::Checker => self.judges.check_output_alone(self.bench, &of_problem, &self.read.output),
            TestTarget::All | TestTarget::InputValidator(_) => {
                self.judges.check_output(self.bench, &of_problem, &self.read.output)
            }
        };
        match (said, purpose) {
            (Err(fault), Purpose::CheckerFailure) if fails_on(&fault) => Ok(()),
            (Err(fault), _) => Err(Wrong::Broken(output.clone(), fault)),
            (Ok(_), Purpose::CheckerFailure) => {
                let message = "the checker gives a verdict, but it should fail: the test is tagged `crashed`";
                Err(Wrong::finding(Code::CheckerFailureMissed, output, message))
            }
            (Ok(Response::Accepts), Purpose::InvalidOutput) => {
                Err(Wrong::finding(Code::InvalidOutputAccepted, output, "accepted, but it should be rejected"))
            }
            (Ok(Response::Rejects(words)), Purpose::ValidOutput) => {
                let message = format!("rejected, but it should be accepted: {words}");
                Err(Wrong::finding(Code::ValidOutputRejected, output, message))
            }
            _ => Ok(()),
        }
    }

    /// The case with its answer; fails unless outputs can be judged, and the input is valid if it must be.
    fn with_answer(&mut self) -> Result<Case, Wrong> {
        let ValidationCase { input, answer, tested, .. } = self.case;
        let is_alone = *tested == TestTarget::Checker;
        if !is_alone {
            self.check_valid_input()?;
        }
        if !answer.is_file() {
            return Err(Wrong::untried(input, "no answer (.ans) of the same name"));
        }
        let kind = self.problem.kind;
        if kind.is_led_by_validator() && !is_alone {
            let message =
                format!("not tested: the problem is of type {}, so there are no outputs to judge", kind.name());
            return Err(Wrong::untried(input, message));
        }
        let ValidationCase { input, answer, arguments, checker, .. } = self.read;
        let group = no_group(*checker);
        let setting = Setting { arguments, checker: *checker, work: WorkFiles::default(), points: None };
        let input = CaseInput { group: &group, setting, path: input.clone() };
        let alone = is_alone.then(|| without_interactor(self.problem));
        Ok(case_of(self.bench, alone.as_ref().unwrap_or(self.problem), input, Some(answer.clone())))
    }

    fn check_valid_input(&mut self) -> Result<(), Wrong> {
        let ValidationCase { input, arguments, files, .. } = self.case;
        match self.judges.check_input(self.bench, arguments, files, input) {
            Ok(Response::Accepts) => Ok(()),
            Ok(Response::Rejects(words)) => {
                Err(Wrong::untried(input, format!("its input should be valid, but is {words}")))
            }
            Err(fault) => Err(Wrong::Broken(input.clone(), fault)),
        }
    }
}
