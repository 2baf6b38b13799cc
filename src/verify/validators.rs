//! Builds the validators of a problem and runs them on single files.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::compile::toolbox::CHECKTESTDATA;
use crate::compile::{Artifact, BuildFailure, BuildOrder, UnbuiltCause};
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::bench::Bench;

use crate::judge::{Fault, Response};
use crate::limits::Bytes;
use crate::problem::{Arguments, JudgingProgram, Problem, Program};
use crate::protocol::{BoundsOption, bounds_option};
use crate::store::Key;
use crate::strength::bounds::BoundsLog;
use crate::verify::{Code, Finding};
use crate::workspace::ending::no_validator;
use crate::workspace::listener::Listener;

/// A validator that was built.
pub(crate) struct BuiltValidator {
    /// The path for messages, relative to the problem.
    pub(crate) name: String,
    pub(crate) artifact: Box<Artifact>,
}

/// Whether a validator is a grammar for which this machine lacks an interpreter. Few machines have one, so the problem
/// is judged without this validator.
fn lacks_interpreter(program: &Program, why: &BuildFailure) -> bool {
    matches!(program, Program::Grammar(_)) && why.cause == UnbuiltCause::Missing
}

/// The finding that a validator cannot be run. `tests`: the unit tests from which grader made it. Fails if the command was
/// cancelled.
pub(crate) fn finding_of(program: &Program, tests: Option<&Path>, why: BuildFailure) -> Result<Finding> {
    let (code, remedy) = match why.cause {
        UnbuiltCause::Cancelled => return Err(no_validator(why)),
        UnbuiltCause::Program if tests.is_some() => (Code::ValidatorBroken, "fix the tests"),
        UnbuiltCause::Program => (Code::ValidatorBroken, "fix the validator"),
        _ if lacks_interpreter(program, &why) => (Code::NotChecked, ""),
        UnbuiltCause::Missing | UnbuiltCause::Grader => (Code::ValidatorBroken, ""),
    };
    let message = if lacks_interpreter(program, &why) { checks_nothing(&why) } else { why.message() };
    Ok(Finding::new(code, message.replace('\n', "\n  ")).remedy(remedy).at_any(tests.or(program.path())))
}

/// The message about a grammar that cannot be run.
fn checks_nothing(why: &BuildFailure) -> String {
    format!("cannot be run, so it checks nothing: {}", why.reason)
}

/// Builds a validator of a problem with this memory limit.
pub(crate) fn build(
    bench: &mut Bench<'_>,
    problem: &Problem,
    judge: &JudgingProgram,
    memory: Bytes,
) -> Result<BuiltValidator, BuildFailure> {
    let name = problem.name_of(&judge.program);
    let artifact = bench.build(&BuildOrder::judge(problem, judge, memory)).ready(&name)?;
    Ok(BuiltValidator { name, artifact })
}

/// An input validator that was built.
pub(crate) struct InputValidator {
    built: BuiltValidator,
    program: Program,
}

/// Builds all input validators of a problem. Fails if one cannot be built, because invalid inputs might then be
/// accepted. A grammar without an interpreter on this machine causes a warning and is left out.
pub(crate) fn build_input_validators(
    bench: &mut Bench<'_>,
    problem: &Problem,
    listener: &dyn Listener,
) -> Result<Vec<InputValidator>> {
    let mut validators = Vec::new();
    for judge in &problem.input_validators {
        match InputValidator::build(bench, problem, judge) {
            Ok(built) => validators.push(built),
            Err(why) if lacks_interpreter(&judge.program, &why) => {
                let message = format!("{} {}", why.name, checks_nothing(&why));
                listener.notice(&Diagnostic::new(Severity::Warning, message).of(&problem.id));
            }
            Err(mut why) => {
                why.name = format!("{}: {}", problem.id, why.name);
                return Err(no_validator(why));
            }
        }
    }
    Ok(validators)
}

impl InputValidator {
    /// Builds the validator, like [`build`].
    pub(crate) fn build(
        bench: &mut Bench<'_>,
        problem: &Problem,
        judge: &JudgingProgram,
    ) -> Result<Self, BuildFailure> {
        let memory = bench.resources.validation_limits().kill.memory;
        Ok(Self { built: build(bench, problem, judge, memory)?, program: judge.program.clone() })
    }

    /// The key of the built program, for caches.
    pub(crate) fn key(&self) -> &Key {
        &self.built.artifact.key
    }

    /// Whether it is the program at this path.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        self.program.path() == Some(path)
    }

    /// Runs the validator on an input. An error means that it is broken or could not be run. `stated` are the arguments
    /// of the case that the input belongs to, now or later; `files` are that case's files.
    pub(crate) fn check(
        &self,
        bench: &mut Bench<'_>,
        stated: Option<&Arguments>,
        files: &[(PathBuf, PathBuf)],
        input: &Path,
    ) -> Result<Response, Fault> {
        let BuiltValidator { name, artifact } = &self.built;
        let arguments = self.arguments(stated);
        let said = bench.check_input(&bench.resources.data_validator(name, artifact, &arguments, files), input)?;
        Ok(said.map_words(|words| rejection(name, &words)))
    }

    /// Like `check`, but does not store the result, because this input will not be validated again.
    pub(crate) fn check_once(
        &self,
        bench: &mut Bench<'_>,
        stated: Option<&Arguments>,
        input: &Path,
    ) -> Result<Response, Fault> {
        let BuiltValidator { name, artifact } = &self.built;
        let arguments = self.arguments(stated);
        let validator = bench.resources.data_validator(name, artifact, &arguments, &[]);
        let said = bench.runner(None).ask(&validator, input, |sandbox| validator.check_input(input, sandbox))?;
        Ok(said.map_words(|words| rejection(name, &words)))
    }

    /// The option with which it writes the bounds that an input reaches; none if it has none.
    pub(crate) fn bounds_option(&self) -> Option<BoundsOption> {
        match self.program {
            // DOMjudge's `checktestdata` has no such option, and `pyctd` has it.
            Program::Grammar(_) => {
                let tool = self.built.artifact.argv.first().and_then(|word| Path::new(word).file_name());
                tool.is_some_and(|name| name != CHECKTESTDATA).then_some(BoundsOption::Constraints)
            }
            _ => bounds_option(&self.program),
        }
    }

    /// Its log of bounds for an input with this option; none if it writes none.
    pub(crate) fn bounds_log(
        &self,
        bench: &mut Bench<'_>,
        option: BoundsOption,
        stated: &Arguments,
        files: &[(PathBuf, PathBuf)],
        input: &Path,
    ) -> Result<Option<BoundsLog>, Fault> {
        let BuiltValidator { name, artifact } = &self.built;
        let arguments = self.arguments(Some(stated));
        let validator = bench.resources.data_validator(name, artifact, &arguments, files);
        let text = bench.log_of_input(&validator, option.word(), input)?;
        Ok(text.map(|text| match option {
            BoundsOption::Testlib => BoundsLog::of_testlib(&text),
            BoundsOption::Constraints => BoundsLog::of_constraints(&text),
        }))
    }

    /// Its path for messages, relative to the problem.
    pub(crate) fn name(&self) -> &str {
        &self.built.name
    }

    /// The path of its program.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.program.path()
    }

    /// The arguments of the validator for a case.
    pub(crate) fn arguments(&self, stated: Option<&Arguments>) -> Vec<String> {
        stated.map(|stated| stated.of_validator(&self.program)).unwrap_or_default()
    }
}

/// The message of a rejection, with the validator's own message.
pub(crate) fn rejection(name: &str, words: &str) -> String {
    let words = if words.trim().is_empty() { "it prints no message" } else { words };
    format!("rejected by {name}: {words}")
}
