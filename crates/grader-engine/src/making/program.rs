//! Builds generators and solutions, and runs them with the limits of generators. `grader gen` uses this too.

use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;

use crate::compile::{Artifact, BuildFailure, BuildOrder, UnbuiltCause};
use crate::engine::bench::{Bench, Execution};
use crate::judge;
use crate::problem::WorkFiles;
use crate::signal::signal_name;

/// The most bytes of a program's standard error that are shown.
const WORDS: usize = 2000;

/// The reason why a file could not be made.
#[derive(Debug, Clone)]
pub enum Fault {
    /// A program of the package fails, or the package does not say how to make the file.
    Package {
        /// The error.
        message: String,
        /// The suggested fix; may be empty.
        remedy: String,
    },
    /// The sandbox or the store failed.
    Broken(String),
    /// The work was cancelled.
    Cancelled,
}

impl Fault {
    /// A fault of the package, without a remedy.
    pub fn package(message: impl Into<String>) -> Self {
        Self::with(message, "")
    }

    pub(crate) fn with(message: impl Into<String>, remedy: &str) -> Self {
        Self::Package { message: message.into(), remedy: remedy.to_owned() }
    }
}

impl From<BuildFailure> for Fault {
    fn from(why: BuildFailure) -> Self {
        match why.cause {
            UnbuiltCause::Program | UnbuiltCause::Missing => Self::package(why.to_string()),
            UnbuiltCause::Grader => Self::Broken(why.to_string()),
            UnbuiltCause::Cancelled => Self::Cancelled,
        }
    }
}

impl From<judge::Fault> for Fault {
    fn from(fault: judge::Fault) -> Self {
        match fault {
            judge::Fault::Cancelled => Self::Cancelled,
            judge::Fault::Judge(error) => Self::Broken(error.message),
        }
    }
}

/// A built program, or the reason why it was not built.
pub type BuildOutcome = Result<Arc<Artifact>, Fault>;

/// Builds a program, which messages call `what`.
pub fn build(bench: &mut Bench<'_>, what: &str, order: &BuildOrder<'_>) -> BuildOutcome {
    Ok(Arc::new(*bench.build(order).ready(what)?))
}

/// Runs a program with the limits of generators.
pub fn execute(
    bench: &mut Bench<'_>,
    artifact: &Artifact,
    arguments: &[String],
    files: &[(PathBuf, PathBuf)],
    input: &File,
) -> Result<Execution, Fault> {
    execute_with(bench, artifact, arguments, &WorkFiles::of(files.to_vec()), input)
}

/// Runs a program that may read and write files by their names.
pub(crate) fn execute_with(
    bench: &mut Bench<'_>,
    artifact: &Artifact,
    arguments: &[String],
    work: &WorkFiles,
    input: &File,
) -> Result<Execution, Fault> {
    let limits = bench.resources.validation_limits();
    let arguments: Vec<_> = arguments.iter().map(Into::into).collect();
    let printed = bench.runner(None).execute(artifact, &arguments, work, &limits, input).map_err(judge::Fault::from)?;
    let printed = printed.unless_cancelled()?;
    match printed.outcome.outside_signal() {
        // Such a signal says nothing about the program, and the result must not be written into a case.
        Some(signal) => Err(Fault::Broken(format!("{} in both runs", signal_name(signal)))),
        None => Ok(printed),
    }
}

/// Runs a generator, which reads nothing.
pub fn run_generator(bench: &mut Bench<'_>, generator: &Artifact, arguments: &[String]) -> Result<Execution, Fault> {
    let null = File::open("/dev/null").map_err(|error| Fault::Broken(format!("/dev/null: {error}")))?;
    let printed = execute(bench, generator, arguments, &[], &null)?;
    match &printed.rejection {
        Some((_, reason)) => Err(Fault::package(format!("the generator fails: {reason}{}", said(&printed.stderr)))),
        None => Ok(printed),
    }
}

/// The whole output of a program.
pub fn read_output(mut output: File) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    output.read_to_end(&mut bytes).map_err(|error| Fault::Broken(format!("cannot read an output: {error}")))?;
    Ok(bytes)
}

/// The end of a program's standard error, on lines of its own.
pub fn said(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(&stderr[stderr.len().saturating_sub(WORDS)..]).trim().to_owned();
    if text.is_empty() { text } else { format!("\n{text}") }
}
