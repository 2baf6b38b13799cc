//! `grader verify`: checks whether problems are sound.

mod input;
mod show;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;

use super::arguments::{AloneArgs, Color, open, paint, read_jobs};
use super::exit::ExitStatus;
use super::output::{Format, html_file, print, print_json, report_target};
use crate::config::{Jobs, Options};
use crate::verify::problem_findings::ProblemFindings;
use crate::verify::{Code, CodeError, Scope, Severity, document, page, verify};

/// Checks problems: test data, validators, time limits, and which cases are redundant
#[derive(Debug, Args)]
#[command(
    visible_alias = "validate",
    after_help = "Without a selection, grader checks everything below the roots in grader.toml if that file is in \
    the current directory. In any other directory it checks the problems there. It runs every validator on every \
    case and on corrupted cases, finds the bounds that no case reaches, and runs every submission on every case. docs/verify.md lists the findings and their \
    codes.\n\nExit status: 0 no error, 1 an error (with --strict: or a warning), 2 usage or configuration error, 3 a \
    validator is broken or grader itself failed, 129/130/143 interrupted. With --input: 0 every validator accepts \
    every file, 1 a file is rejected, 3 a validator is broken or does not compile."
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct VerifyArgs {
    /// Problems, globs, paths, or problem packages as `.zip` or `.kpp`
    selection: Vec<String>,
    /// Check only these input files with the input validators of one problem
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["allow", "cases", "data_only", "sanitize", "try_time", "strict", "format", "report"])]
    input: Vec<PathBuf>,
    /// Suppress findings with this code (repeatable)
    #[arg(long, value_name = "CODE", value_parser = allowed)]
    allow: Vec<Code>,
    /// Show which wrong submissions each case catches, and which cases are redundant
    #[arg(long)]
    cases: bool,
    /// Check the test data and validators, and run no submissions
    #[arg(long)]
    data_only: bool,
    /// Also build validators, generators and accepted submissions in C and C++ with sanitizers of memory errors and undefined behaviour
    #[arg(long)]
    sanitize: bool,
    /// Spend at most this many seconds of each problem on each kind of robustness test (corrupted cases, junk output, hostile partners)
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    try_time: u32,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// Run N programs at once [default: one per physical core, minus one if there are more than two]
    #[arg(short, long, value_name = "N", value_parser = read_jobs)]
    jobs: Option<Jobs>,
    /// Choose the output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Format,
    /// Also write the findings to this file as an HTML page: `html=FILE`
    #[arg(long, value_name = "html=FILE", value_parser = html_file)]
    report: Option<PathBuf>,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
    #[command(flatten, next_help_heading = "Execution options")]
    alone: AloneArgs,
}

fn allowed(text: &str) -> Result<Code, CodeError> {
    text.parse()
}

/// Checks the problems and returns the exit status.
pub(super) fn run(args: &VerifyArgs) -> Result<ExitStatus> {
    let strict = args.strict.then_some(true);
    let options = Options { color: args.color.map(Into::into), jobs: args.jobs, strict, ..args.alone.options() };
    let workspace = open(options)?;
    if !args.input.is_empty() {
        let [problem] = &*args.selection else {
            bail!("--input needs one problem: grader verify PROBLEM --input FILE…")
        };
        return input::run(&workspace, problem, &args.input);
    }
    workspace.tell_found(&workspace.settings.warnings);
    let report = report_target(args.report.as_deref(), &workspace)?;
    let scope = Scope {
        selection: &args.selection,
        allow: &args.allow,
        try_time: Duration::from_secs(args.try_time.into()),
        data_only: args.data_only,
        sanitize: args.sanitize,
    };
    let text = args.format == Format::Text;
    let paint = paint(&workspace);
    let all_results = verify(&workspace, &scope, |results| {
        if text { print(&show::problem(results, &workspace, args.cases), paint) } else { Ok(()) }
    })?;
    match args.format {
        Format::Text => print(&[show::summary(&all_results, workspace.settings.strict)], paint)?,
        Format::Json => print_json(&document::of(&all_results))?,
    }
    if let Some(target) = report {
        target.put(page::of(&all_results, &workspace.start, workspace.settings.strict)?.as_bytes())?;
    }
    Ok(status(&all_results, workspace.settings.strict))
}

fn status(all_results: &[ProblemFindings], strict: bool) -> ExitStatus {
    let worst = all_results.iter().flat_map(|results| &results.findings).map(|finding| finding.found.severity).max();
    match worst {
        Some(Severity::JudgeError) => ExitStatus::JudgeError,
        Some(Severity::Error) => ExitStatus::Unexpected,
        Some(Severity::Warning) if strict => ExitStatus::Unexpected,
        Some(Severity::Warning | Severity::Info) | None => ExitStatus::Success,
    }
}
