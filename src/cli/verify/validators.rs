//! The validators of a problem, built, and asked about single files.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow};

use crate::cli::exit::{Ended, ExitStatus};
use crate::compile::{Artifact, Build};
use crate::engine::workbench::Workbench;
use crate::problem::{Arguments, Problem, Program};
use crate::store::Key;

/// A validator, built.
pub(super) struct Built {
    /// Its path, as messages have it.
    pub(super) name: String,
    pub(super) artifact: Box<Artifact>,
}

/// Why one could not be built.
pub(super) struct Unbuilt {
    pub(super) message: String,
    pub(super) remedy: &'static str,
}

/// Builds a validator of a problem. An error ends the command: it was interrupted.
pub(super) fn build(bench: &mut Workbench<'_>, problem: &Problem, program: &Program) -> Result<Result<Built, Unbuilt>> {
    let name = program.path().map(|path| path.strip_prefix(&problem.dir).unwrap_or(path).display().to_string());
    let name = name.unwrap_or_default();
    let memory = bench.workshop.validation_limits().memory;
    let (message, remedy) = match bench.build(program, None, memory) {
        Build::Ready(artifact) => return Ok(Ok(Built { name, artifact })),
        Build::CompileError(words) => {
            let words = words.trim_end().replace('\n', "\n  ");
            (format!("{name} does not compile:\n  {words}"), "mend the validator")
        }
        Build::NotJudged(reason) => (format!("{name} cannot be run: {reason}"), ""),
        Build::Failed(message) => (format!("{name} cannot be built: {message}"), ""),
        Build::Cancelled => return Err(Ended(ExitStatus::JudgeError).into()),
    };
    Ok(Err(Unbuilt { message, remedy }))
}

/// One input validator, built.
pub(in crate::cli) struct InputValidator {
    built: Built,
    program: Program,
    problem: Arc<Problem>,
}

/// All input validators of a problem; one that cannot be built is an error: what it would reject would get through.
pub(in crate::cli) fn build_input_validators(
    bench: &mut Workbench<'_>,
    problem: &Arc<Problem>,
) -> Result<Vec<InputValidator>> {
    let mut validators = Vec::new();
    for program in &problem.input_validators {
        let built = InputValidator::build(bench, problem, program)?.map_err(|Unbuilt { message, remedy }| {
            let remedy = if remedy.is_empty() { String::new() } else { format!("\n  → {remedy}") };
            anyhow!("{}: {message}{remedy}", problem.id)
        })?;
        validators.push(built);
    }
    Ok(validators)
}

impl InputValidator {
    /// As [`build`].
    pub(super) fn build(
        bench: &mut Workbench<'_>,
        problem: &Arc<Problem>,
        program: &Program,
    ) -> Result<Result<Self, Unbuilt>> {
        let of = |built| Self { built, program: program.clone(), problem: Arc::clone(problem) };
        Ok(build(bench, problem, program)?.map(of))
    }

    /// Stands for the program.
    pub(in crate::cli) fn key(&self) -> &Key {
        &self.built.artifact.key
    }

    /// `Ok(Err)`: it rejects, in its words. An error: it is broken, or could not be run.
    pub(in crate::cli) fn check(&self, bench: &mut Workbench<'_>, input: &Path) -> Result<Result<(), String>, String> {
        let nothing = Arguments::default();
        self.check_as(bench, self.problem.arguments_for(input).unwrap_or(&nothing), input)
    }

    /// As `check`, for an input that is no case's, with the arguments for one.
    pub(super) fn check_as(
        &self,
        bench: &mut Workbench<'_>,
        arguments: &Arguments,
        input: &Path,
    ) -> Result<Result<(), String>, String> {
        let Built { name, artifact } = &self.built;
        let said = bench.check_input(name, artifact, arguments.of_validator(&self.program), input)?;
        Ok(said.map_err(|words| rejection(name, &words)))
    }

    /// As `check`, for an input that nobody will ask about again.
    pub(in crate::cli) fn check_once(
        &self,
        bench: &mut Workbench<'_>,
        input: &Path,
    ) -> Result<Result<(), String>, String> {
        let Built { name, artifact } = &self.built;
        let said = bench.check_input_once(name, artifact, input)?;
        Ok(said.map_err(|words| rejection(name, &words)))
    }
}

/// That a validator rejects, in its words.
pub(super) fn rejection(name: &str, words: &str) -> String {
    let words = if words.trim().is_empty() { "it says nothing" } else { words };
    format!("rejected by {name}: {words}")
}
