//! `grader verify PROBLEM --input FILE…`: checks single files with the input validators.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::cli::arguments::paint;
use crate::cli::exit::ExitStatus;
use crate::cli::output::stdout;
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::bench::Bench;

use crate::judge::Response;
use crate::problem::Problem;
use crate::report::terminal::notice_lines;
use crate::report::text::{Line, Style, Whitespace, escape};
use crate::session::select::one_problem;
use crate::session::slot::by_hand;
use crate::verify::validators::{InputValidator, build_input_validators};
use crate::workspace::Workspace;

/// Checks the files and returns the exit status.
pub(super) fn run(workspace: &Workspace, problem: &str, inputs: &[PathBuf]) -> Result<ExitStatus> {
    let problem = one_problem(workspace, problem)?;
    if problem.input_validators.is_empty() {
        bail!(
            "{} has no input validator\n  → write one: {}/input_validators/validate.py, which exits with 42 when the \
             input on its standard input is valid and with 43 when it is not",
            problem.id,
            problem.dir.display()
        );
    }
    by_hand(workspace, [&*problem.dir], |bench| {
        let validators = build_input_validators(bench, &problem, &*workspace.listener())?;
        if validators.len() < problem.input_validators.len() {
            bail!("{}: grader cannot run every input validator, so it cannot check inputs", problem.id);
        }
        let mut status = ExitStatus::Success;
        for input in inputs {
            let (lines, of_file) = check(bench, &validators, &problem, &workspace.start.join(input), input);
            for line in lines {
                writeln!(stdout(), "{}", line.render(paint(workspace)))?;
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

/// Checks one file with all validators; returns the lines to show and the exit status.
fn check(
    bench: &mut Bench<'_>,
    validators: &[InputValidator],
    problem: &Problem,
    path: &Path,
    shown: &Path,
) -> (Vec<Line>, ExitStatus) {
    let failed = |severity, message: String, status| {
        (notice_lines(&Diagnostic::new(severity, message).about(shown), Path::new("")), status)
    };
    match File::open(path).and_then(|file| file.metadata()) {
        Ok(found) if found.is_dir() => {
            return failed(Severity::Error, "a folder; name the files in it".to_owned(), ExitStatus::Usage);
        }
        Ok(_) => {}
        Err(error) => return failed(Severity::Error, error.to_string(), ExitStatus::Usage),
    }
    let setting = problem.setting_for(path);
    let (stated, files) = setting.map(|setting| (setting.arguments, setting.work.files)).unzip();
    let files = files.unwrap_or_default();
    for validator in validators {
        match validator.check(bench, stated, &files, path) {
            Ok(Response::Accepts) => {}
            Ok(Response::Rejects(words)) => return failed(Severity::Error, words, ExitStatus::Unexpected),
            Err(fault) => return failed(Severity::JudgeError, fault.to_string(), ExitStatus::JudgeError),
        }
    }
    let name = escape(shown.as_os_str().as_encoded_bytes(), Whitespace::Inline);
    (vec![Line::new().with("✓ ", Style::GOOD).with(&name, Style::PLAIN)], ExitStatus::Success)
}
