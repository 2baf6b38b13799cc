//! Builds and runs all validators of test data: input validators, answer validators and the output validator.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;

use crate::compile::Artifact;
use crate::engine::bench::{Bench, Case};
use crate::judge::{Fault, JudgeErrorKind, Response};
use crate::language::Languages;
use crate::package::programs::answer_validators;
use crate::package::reader::Reader;
use crate::problem::{Arguments, CaseInput, Checker, PackageLayout, Problem, ProblemKind, TestGroup};
use crate::verify::problem_findings::{ProblemFindings, finding_of};
use crate::verify::validators::{BuiltValidator, InputValidator, build, finding_of as unbuildable, rejection};
use crate::workspace::ending::{EarlyEnd, fault};

/// The validators of a problem that could be built.
pub(crate) struct Judges {
    inputs: Vec<InputValidator>,
    answers: Vec<BuiltValidator>,
    outputs: Vec<BuiltValidator>,
    /// Whether some input validator cannot be built, so that invalid inputs may go unnoticed.
    lacks_input_validator: bool,
    lacks_output_validator: bool,
}

/// The response of all validators together. An error is a fault of a validator or of grader.
pub(crate) type ValidatorsResponse = Result<Response, Fault>;

impl Judges {
    /// Builds the validators and reports those that cannot be built.
    pub(crate) fn build(
        bench: &mut Bench<'_>,
        results: &mut ProblemFindings,
        problem: &Arc<Problem>,
        languages: &Languages,
    ) -> Result<Self> {
        let mut judges = Self {
            inputs: Vec::new(),
            answers: Vec::new(),
            outputs: Vec::new(),
            lacks_input_validator: false,
            lacks_output_validator: false,
        };
        for program in &problem.input_validators {
            match InputValidator::build(bench, problem, program) {
                Ok(built) => judges.inputs.push(built),
                Err(unbuilt) => {
                    judges.lacks_input_validator = true;
                    results.report(unbuildable(&program.program, None, unbuilt)?);
                }
            }
        }
        let is_source = |path: &Path| languages.is_source(path);
        let data = results.data.clone().unwrap_or_else(|| problem.dir.clone());
        let reader = Reader::new(problem.id.clone(), &problem.dir, &data, &is_source);
        let has_none = !matches!(problem.layout, PackageLayout::Native | PackageLayout::Icpc);
        let programs = if has_none { Vec::new() } else { answer_validators(&reader) };
        reader.take_found().iter().for_each(|found| results.report(finding_of(found)));
        for program in &programs {
            let memory = bench.resources.validation_limits().kill.memory;
            match build(bench, problem, program, memory) {
                Ok(built) => judges.answers.push(built),
                Err(unbuilt) => results.report(unbuildable(&program.program, None, unbuilt)?),
            }
        }
        for program in problem.output_judges() {
            let memory = bench.resources.output_validation_limits(problem).kill.memory;
            match build(bench, problem, program, memory) {
                Ok(built) => judges.outputs.push(built),
                Err(unbuilt) => {
                    judges.lacks_output_validator = true;
                    results.report(unbuildable(&program.program, problem.unit_tests(), unbuilt)?);
                }
            }
        }
        Ok(judges)
    }

    /// Whether an output validator of the problem cannot be built, so that wrong outputs may go unnoticed.
    pub(crate) fn lacks_output_validator(&self) -> bool {
        self.lacks_output_validator
    }

    /// The input validators that can run.
    pub(crate) fn inputs(&self) -> &[InputValidator] {
        &self.inputs
    }

    /// Whether at least one input validator can run.
    pub(crate) fn can_ask_about_inputs(&self) -> bool {
        !self.inputs.is_empty()
    }

    /// Whether every input validator can run.
    pub(crate) fn checks_inputs(&self) -> bool {
        !self.inputs.is_empty() && !self.lacks_input_validator
    }

    /// Whether output validators can judge output files.
    pub(crate) fn judges_outputs(&self, problem: &Problem) -> bool {
        !self.outputs.is_empty() && !self.lacks_output_validator && !problem.kind.is_led_by_validator()
    }

    /// Whether an interactor or multi-pass validator can run.
    pub(crate) fn leads(&self, problem: &Problem) -> bool {
        let is_whole = self.outputs.len() == 1 || problem.interactor.is_some();
        is_whole && !self.lacks_output_validator && problem.kind.is_led_by_validator()
    }

    pub(crate) fn checks_answers(&self) -> bool {
        !self.answers.is_empty()
    }

    /// The first rejection by an input validator. If one fails, the others still run; the failure counts only if no
    /// other rejects.
    pub(crate) fn check_input(
        &self,
        bench: &mut Bench<'_>,
        arguments: &Arguments,
        files: &[(PathBuf, PathBuf)],
        input: &Path,
    ) -> ValidatorsResponse {
        first_rejection(self.inputs.iter().map(|validator| validator.check(bench, Some(arguments), files, input)))
    }

    /// Runs the input validator at this path alone; none if it could not be built.
    pub(crate) fn check_input_by(
        &self,
        bench: &mut Bench<'_>,
        path: &Path,
        arguments: &Arguments,
        input: &Path,
    ) -> Option<ValidatorsResponse> {
        let validator = self.inputs.iter().find(|validator| validator.is_at(path))?;
        Some(validator.check(bench, Some(arguments), &[], input))
    }

    /// Runs the output validators on an output, without the interactor of the problem. The case must be one of
    /// [`without_interactor`].
    pub(crate) fn check_output_alone(&self, bench: &mut Bench<'_>, case: &Case, output: &Path) -> ValidatorsResponse {
        let number = case.problem.output_validators.len();
        let from = self.outputs.len().saturating_sub(number);
        let validators: Vec<&Artifact> = self.outputs[from..].iter().map(|built| &*built.artifact).collect();
        let rejection = bench.judge_file(case, output, &validators)?;
        Ok(rejection.map(|(_, reason)| reason.to_string()).into())
    }

    /// Runs the answer validators in the same way.
    pub(crate) fn check_answer(&self, bench: &mut Bench<'_>, input: &Path, answer: &Path) -> ValidatorsResponse {
        first_rejection(self.answers.iter().map(|BuiltValidator { name, artifact }| {
            let validator = bench.resources.data_validator(name, artifact, &[], &[]);
            let said = bench.check_answer(&validator, input, answer)?;
            Ok(said.map_words(|words| rejection(name, &words)))
        }))
    }

    /// Runs a script as the partner of the output validator; see [`Bench::probe`]. An error means that the validator
    /// failed.
    pub(crate) fn probe(&self, bench: &mut Bench<'_>, case: &Case, script: &str, text: &Path) -> Result<(), Fault> {
        let validators: Vec<&Artifact> = self.outputs.iter().map(|built| &*built.artifact).collect();
        bench.probe(case, script, text, &validators)
    }

    /// The program that talks to submissions; none if it could not be built.
    pub(crate) fn interactor(&self) -> Option<&Artifact> {
        Some(&self.outputs.first()?.artifact)
    }

    /// Runs the output validator on an output.
    pub(crate) fn check_output(&self, bench: &mut Bench<'_>, case: &Case, output: &Path) -> ValidatorsResponse {
        let validators: Vec<&Artifact> = self.outputs.iter().map(|built| &*built.artifact).collect();
        let rejection = bench.judge_file(case, output, &validators)?;
        Ok(rejection.map(|(_, reason)| reason.to_string()).into())
    }
}

/// The result of running validators on a file.
pub(crate) enum ValidatorsResult {
    /// They accepted or rejected it.
    Responded(Response),
    /// One failed on it.
    Fails(Fault),
    /// One was not run, because it had exceeded its time limit before. An earlier finding reports that.
    GivenUp,
}

/// Separates a validator's own failure from failures of the machine and from cancelled commands, which are errors.
pub(crate) fn shown(said: ValidatorsResponse) -> Result<ValidatorsResult> {
    match said {
        Ok(answer) => Ok(ValidatorsResult::Responded(answer)),
        Err(Fault::Cancelled) => Err(EarlyEnd::JudgeError.into()),
        Err(failed) => match failed.kind() {
            Some(JudgeErrorKind::GivenUp) => Ok(ValidatorsResult::GivenUp),
            Some(JudgeErrorKind::Protocol | JudgeErrorKind::Sanitized | JudgeErrorKind::Overdue) => {
                Ok(ValidatorsResult::Fails(failed))
            }
            _ => Err(fault(failed.to_string())),
        },
    }
}

fn first_rejection(all: impl Iterator<Item = ValidatorsResponse>) -> ValidatorsResponse {
    let mut broken = None;
    for said in all {
        match said {
            Ok(Response::Accepts) => {}
            Ok(rejects) => return Ok(rejects),
            Err(fault) => broken = broken.or(Some(fault)),
        }
    }
    broken.map_or(Ok(Response::Accepts), Err)
}

/// The problem with one pass and without interaction, so that its checker can judge any output.
pub(crate) fn without_interactor(problem: &Problem) -> Arc<Problem> {
    let problem = problem.clone();
    Arc::new(Problem { interactor: None, kind: ProblemKind::PassFail, passes: 1, ..problem })
}

/// A case of a group. Its files need not belong to that group.
pub(crate) fn case_of(
    bench: &Bench<'_>,
    problem: &Arc<Problem>,
    input: CaseInput<'_>,
    answer: Option<PathBuf>,
) -> Case {
    bench.resources.case_of_output(problem, input, answer)
}

/// A group without a name, for cases that belong to no group.
pub(crate) fn no_group(checker: Option<Checker>) -> TestGroup {
    TestGroup { checker, ..TestGroup::empty("", PathBuf::new()) }
}
