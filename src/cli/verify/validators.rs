//! The validators of a problem, built, and asked about single files.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};

use crate::cli::exit::{Ended, ExitStatus, fault_with};
use crate::compile::{Artifact, Build, BuildOrder};
use crate::engine::workbench::Workbench;
use crate::limits::Bytes;
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
    /// It is broken, or something of ours is; otherwise it is only not for this machine.
    is_fault: bool,
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
    let (message, remedy, is_fault) = match bench.build(&BuildOrder::validator(problem, program, memory)) {
        Build::Ready(artifact) => return Ok(Ok(Built { name, artifact })),
        Build::CompileError(words) => {
            (format!("{name} does not compile:\n{}", words.trim_end()), "mend the validator", true)
        }
        Build::NotJudged(reason) => (format!("{name} cannot be run: {reason}"), "", false),
        Build::Failed(message) => (format!("{name} cannot be built: {message}"), "", true),
        Build::Cancelled => return Err(Ended(ExitStatus::JudgeError).into()),
    };
    Ok(Err(Unbuilt { message, remedy, is_fault }))
}

/// One input validator, built.
pub(in crate::cli) struct InputValidator {
    built: Built,
    program: Program,
}

/// All input validators of a problem; one that cannot be built is an error: what it would reject would get through.
pub(in crate::cli) fn build_input_validators(
    bench: &mut Workbench<'_>,
    problem: &Problem,
) -> Result<Vec<InputValidator>> {
    let mut validators = Vec::new();
    for program in &problem.input_validators {
        let built = InputValidator::build(bench, problem, program)?;
        validators.push(built.map_err(|Unbuilt { message, remedy, is_fault }| {
            let message = format!("{}: {message}", problem.id);
            if is_fault { fault_with(message, remedy) } else { anyhow!(message) }
        })?);
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

    /// `Ok(Err)`: it rejects, in its words. An error: it is broken, or could not be run.
    /// `stated`: what programs are called with on the case that the input is of, or is to be; `files`: its files.
    pub(in crate::cli) fn check(
        &self,
        bench: &mut Workbench<'_>,
        stated: Option<&Arguments>,
        files: &[(PathBuf, PathBuf)],
        input: &Path,
    ) -> Result<Result<(), String>, String> {
        let Built { name, artifact } = &self.built;
        let said = bench.check_input(name, artifact, &self.arguments(stated), files, input)?;
        Ok(said.map_err(|words| rejection(name, &words)))
    }

    /// As `check`, for an input that nobody will ask about again.
    pub(in crate::cli) fn check_once(
        &self,
        bench: &mut Workbench<'_>,
        stated: Option<&Arguments>,
        input: &Path,
    ) -> Result<Result<(), String>, String> {
        let Built { name, artifact } = &self.built;
        let said = bench.check_input_once(name, artifact, &self.arguments(stated), input)?;
        Ok(said.map_err(|words| rejection(name, &words)))
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
