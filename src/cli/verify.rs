//! `grader verify`: is it sound.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use super::arguments::{AloneArgs, Color, Setup};
use super::exit::{Ended, ExitStatus, fault, fault_with};
use super::hand::by_hand;
use super::select::one_problem;
use crate::compile::{Artifact, Build, BuildOrder};
use crate::config::Options;
use crate::engine::workbench::Workbench;
use crate::event::{Notice, Severity};
use crate::problem::{Arguments, Problem, Program};
use crate::report::terminal::notice_lines;
use crate::report::text::{Line, Style, Whitespace, escape};
use crate::store::Key;

/// Checks input files with the problem's input validators
#[derive(Debug, Args)]
#[command(
    visible_alias = "validate",
    after_help = "Exit status: 0 every validator accepts every file, 1 some file is rejected, 2 usage, configuration or \
    problem error, 3 a validator is broken, 130/143 interrupted."
)]
pub(super) struct VerifyArgs {
    /// The problem: its name or its folder
    problem: String,
    /// Input files to check
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    input: Vec<PathBuf>,
    /// When to colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
    #[command(flatten, next_help_heading = "How programs are run")]
    alone: AloneArgs,
}

/// Checks, and returns how the process ends.
pub(super) fn run(args: &VerifyArgs) -> Result<ExitStatus> {
    let setup = Setup::new(Options { color: args.color.map(Into::into), ..args.alone.options() })?;
    let problem = one_problem(&setup, &args.problem)?;
    if problem.input_validators.is_empty() {
        bail!(
            "{} has no input validator\n  → write one: {}/input_validators/validate.py, which exits with 42 when the \
             input on its standard input is valid and with 43 when it is not",
            problem.id,
            problem.dir.display()
        );
    }
    by_hand(&setup, |bench| {
        let validators = build_input_validators(bench, &problem)?;
        let mut status = ExitStatus::Success;
        for input in &args.input {
            let path = setup.start.join(input);
            let (lines, of_file) = check(bench, &validators, &problem, &path, input);
            for line in lines {
                writeln!(io::stdout(), "{}", line.render(setup.paint))?;
            }
            status = worse(status, of_file);
        }
        Ok(status)
    })
}

fn worse(one: ExitStatus, other: ExitStatus) -> ExitStatus {
    let rank =
        |status| [ExitStatus::Success, ExitStatus::Unexpected, ExitStatus::Usage].iter().position(|s| *s == status);
    if rank(other).unwrap_or(usize::MAX) > rank(one).unwrap_or(usize::MAX) { other } else { one }
}

/// One input validator, built.
pub(super) struct InputValidator {
    /// Its path, as messages have it.
    name: String,
    program: Program,
    artifact: Box<Artifact>,
}

/// All input validators of a problem; one that cannot be built is an error: what it would reject would get through.
pub(super) fn build_input_validators(bench: &mut Workbench<'_>, problem: &Problem) -> Result<Vec<InputValidator>> {
    let mut built = Vec::new();
    for program in &problem.input_validators {
        let name = program.path().map(|path| path.strip_prefix(&problem.dir).unwrap_or(path).display().to_string());
        let name = name.unwrap_or_default();
        let memory = bench.workshop.validation_limits().memory;
        match bench.build(&BuildOrder::validator(problem, program, memory)) {
            Build::Ready(artifact) => {
                built.push(InputValidator { name, program: program.clone(), artifact });
            }
            Build::CompileError(words) => {
                let message = format!("{}: {name} does not compile:\n{}", problem.id, words.trim_end());
                return Err(fault_with(message, "mend the validator"));
            }
            Build::NotJudged(reason) => bail!("{}: {name} cannot be run: {reason}", problem.id),
            Build::Failed(message) => {
                return Err(fault(format!("{}: {name} cannot be built: {message}", problem.id)));
            }
            Build::Cancelled => return Err(Ended(ExitStatus::JudgeError).into()),
        }
    }
    Ok(built)
}

impl InputValidator {
    /// Stands for the program.
    pub(super) fn key(&self) -> &Key {
        &self.artifact.key
    }

    /// `Ok(Err)`: it rejects, in its words. An error: it is broken, or could not be run.
    /// `stated`: what programs are called with on the case that the input is of, or is to be; `files`: its files.
    pub(super) fn check(
        &self,
        bench: &mut Workbench<'_>,
        stated: Option<&Arguments>,
        files: &[(PathBuf, PathBuf)],
        input: &Path,
    ) -> Result<Result<(), String>, String> {
        let said = bench.check_input(&self.name, &self.artifact, &self.arguments(stated), files, input)?;
        Ok(said.map_err(|words| self.rejection(&words)))
    }

    /// As `check`, for an input that nobody will ask about again.
    pub(super) fn check_once(
        &self,
        bench: &mut Workbench<'_>,
        stated: Option<&Arguments>,
        input: &Path,
    ) -> Result<Result<(), String>, String> {
        let said = bench.check_input_once(&self.name, &self.artifact, &self.arguments(stated), input)?;
        Ok(said.map_err(|words| self.rejection(&words)))
    }

    /// What it is called with.
    pub(super) fn arguments(&self, stated: Option<&Arguments>) -> Vec<String> {
        stated.map(|stated| stated.of_validator(&self.program)).unwrap_or_default()
    }

    fn rejection(&self, words: &str) -> String {
        let words = if words.trim().is_empty() { "it says nothing" } else { words };
        format!("rejected by {}: {words}", self.name)
    }
}

/// What all validators say of one file.
fn check(
    bench: &mut Workbench<'_>,
    validators: &[InputValidator],
    problem: &Problem,
    path: &Path,
    shown: &Path,
) -> (Vec<Line>, ExitStatus) {
    let failed = |severity, message, status| {
        let path = Some(shown.to_owned());
        (notice_lines(&Notice { severity, problem: None, path, message, remedy: String::new() }), status)
    };
    match File::open(path).and_then(|file| file.metadata()) {
        Ok(found) if found.is_dir() => {
            return failed(Severity::Error, "a folder; name the files in it".to_owned(), ExitStatus::Usage);
        }
        Ok(_) => {}
        Err(error) => return failed(Severity::Error, error.to_string(), ExitStatus::Usage),
    }
    let (stated, files) = (problem.arguments_for(path), problem.files_for(path));
    for validator in validators {
        match validator.check(bench, stated, &files, path) {
            Ok(Ok(())) => {}
            Ok(Err(words)) => return failed(Severity::Error, words, ExitStatus::Unexpected),
            Err(message) => return failed(Severity::JudgeError, message, ExitStatus::JudgeError),
        }
    }
    let name = escape(shown.as_os_str().as_encoded_bytes(), Whitespace::Inline);
    (vec![Line::new().with("✓ ", Style::GOOD).with(&name, Style::PLAIN)], ExitStatus::Success)
}
