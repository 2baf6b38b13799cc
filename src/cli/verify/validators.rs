//! The validators of a problem, built, and asked about single files.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::cli::exit::{Ended, ExitStatus, fault_with};
use crate::cli::notice::show_notice;
use crate::compile::{Artifact, Build, BuildOrder};
use crate::engine::workbench::Workbench;
use crate::event::{Notice, Severity};
use crate::judge::{Fault, Response};
use crate::limits::Bytes;
use crate::problem::{Arguments, Problem, Program};
use crate::report::text::Paint;
use crate::store::Key;
use crate::verify::Code;

/// A validator, built.
pub(super) struct Built {
    /// Its path, as messages have it.
    pub(super) name: String,
    pub(super) artifact: Box<Artifact>,
}

/// Why one could not be built.
pub(super) struct Unbuilt {
    /// Its path, as messages have it; what is said of it begins behind it.
    name: String,
    pub(super) message: String,
    pub(super) remedy: &'static str,
    cause: Cause,
}

/// Whose fault it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// It is broken, or something of ours is.
    Fault,
    /// Its language is not on this machine.
    NotHere,
    /// It is a grammar, and nothing here interprets it: what few machines have, so that it is done without.
    NoInterpreter,
}

impl Unbuilt {
    /// What it is for a finding.
    pub(super) fn code(&self) -> Code {
        if self.cause == Cause::NoInterpreter { Code::NotChecked } else { Code::ValidatorBroken }
    }
}

/// Builds a validator of a problem, which may use so much memory. An error ends the command: it was interrupted.
pub(super) fn build(
    bench: &mut Workbench<'_>,
    problem: &Problem,
    program: &Program,
    memory: Bytes,
) -> Result<Result<Built, Unbuilt>> {
    let name = program.path().map(|path| path.strip_prefix(&problem.dir).unwrap_or(path).display().to_string());
    let name = name.unwrap_or_default();
    let (message, remedy, cause) = match bench.build(&BuildOrder::validator(problem, program, memory)) {
        Build::Ready(artifact) => return Ok(Ok(Built { name, artifact })),
        Build::CompileError(words) => {
            (format!("does not compile:\n{}", words.trim_end()), "mend the validator", Cause::Fault)
        }
        Build::NotJudged(reason) if matches!(program, Program::Grammar(_)) => {
            (format!("cannot be run, so that nothing is checked by it: {reason}"), "", Cause::NoInterpreter)
        }
        Build::NotJudged(reason) => (format!("cannot be run: {reason}"), "", Cause::NotHere),
        Build::Failed(message) => (format!("cannot be built: {message}"), "", Cause::Fault),
        Build::Cancelled => return Err(Ended(ExitStatus::JudgeError).into()),
    };
    Ok(Err(Unbuilt { name, message, remedy, cause }))
}

/// One input validator, built.
pub(in crate::cli) struct InputValidator {
    built: Built,
    program: Program,
}

/// All input validators of a problem; one that cannot be built is an error: what it would reject would get through. Grammars
/// that nothing here interprets are told and left out.
pub(in crate::cli) fn build_input_validators(
    bench: &mut Workbench<'_>,
    problem: &Problem,
    paint: Paint,
) -> Result<Vec<InputValidator>> {
    let mut validators = Vec::new();
    for program in &problem.input_validators {
        let built = InputValidator::build(bench, problem, program)?;
        match built {
            Ok(built) => validators.push(built),
            Err(Unbuilt { name, message, remedy, cause }) => {
                let message = format!("{name} {message}");
                let told = format!("{}: {message}", problem.id);
                match cause {
                    Cause::Fault => return Err(fault_with(told, remedy)),
                    Cause::NotHere => bail!(told),
                    Cause::NoInterpreter => {
                        let (problem, path) = (Some(problem.id.clone()), None);
                        let remedy = remedy.to_owned();
                        show_notice(&Notice { severity: Severity::Warning, problem, path, message, remedy }, paint);
                    }
                }
            }
        }
    }
    Ok(validators)
}

impl InputValidator {
    /// As [`build`].
    pub(super) fn build(
        bench: &mut Workbench<'_>,
        problem: &Problem,
        program: &Program,
    ) -> Result<Result<Self, Unbuilt>> {
        let memory = bench.workshop.validation_limits().memory;
        let of = |built| Self { built, program: program.clone() };
        Ok(build(bench, problem, program, memory)?.map(of))
    }

    /// Stands for the program.
    pub(in crate::cli) fn key(&self) -> &Key {
        &self.built.artifact.key
    }

    /// Asks it about an input. An error: it is broken, or could not be run.
    /// `stated`: what programs are called with on the case that the input is of, or is to be; `files`: its files.
    pub(in crate::cli) fn check(
        &self,
        bench: &mut Workbench<'_>,
        stated: Option<&Arguments>,
        files: &[(PathBuf, PathBuf)],
        input: &Path,
    ) -> Result<Response, Fault> {
        let Built { name, artifact } = &self.built;
        let said = bench.check_input(name, artifact, &self.arguments(stated), files, input)?;
        Ok(said.map_words(|words| rejection(name, &words)))
    }

    /// As `check`, for an input that nobody will ask about again.
    pub(in crate::cli) fn check_once(
        &self,
        bench: &mut Workbench<'_>,
        stated: Option<&Arguments>,
        input: &Path,
    ) -> Result<Response, Fault> {
        let Built { name, artifact } = &self.built;
        let said = bench.check_input_once(name, artifact, &self.arguments(stated), input)?;
        Ok(said.map_words(|words| rejection(name, &words)))
    }

    /// What it is called with.
    pub(in crate::cli) fn arguments(&self, stated: Option<&Arguments>) -> Vec<String> {
        stated.map(|stated| stated.of_validator(&self.program)).unwrap_or_default()
    }
}

/// That a validator rejects, in its words.
pub(super) fn rejection(name: &str, words: &str) -> String {
    let words = if words.trim().is_empty() { "it says nothing" } else { words };
    format!("rejected by {name}: {words}")
}
