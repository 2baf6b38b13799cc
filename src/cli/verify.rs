//! `grader verify`: is it sound.

mod cases;
mod data;
mod document;
mod dossier;
mod input;
mod judges;
mod probes;
mod progress;
mod show;
mod submissions;
mod tries;
mod validation;
mod validators;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;

use super::arguments::{AloneArgs, Color, Setup, read_jobs};
use super::exit::{Ended, ExitStatus};
use super::hand::by_hand;
use super::notice::show_diagnostics;
use super::output::{Format, print, print_json};
use super::select::{Choice, Chosen, Programs, choose};
use super::unpack::Unpacked;
use crate::config::{Jobs, Options};
use crate::engine::workbench::Workbench;
use crate::package::diagnostic::Diagnostic;
use crate::problem::Problem;
use crate::verify::{Code, Severity};
use dossier::Dossier;
use progress::Progress;
use tries::{Pace, Trials};

pub(super) use validators::{InputValidator, build_input_validators};

/// Checks problems: test data, validators, time limits, and which cases are redundant
#[derive(Debug, Args)]
#[command(
    visible_alias = "validate",
    after_help = "Without a selection, grader checks everything below the roots in grader.toml if that file is in \
    the current directory. In any other directory it checks the problems there. It runs every validator on every \
    case and on corrupted cases, and every submission on every case. docs/verify.md lists the findings and their \
    codes.\n\nExit status: 0 no error, 1 an error (with --strict: or a warning), 2 usage or configuration error, 3 a \
    validator is broken or grader itself failed, 129/130/143 interrupted. With --input: 0 every validator accepts \
    every file, 1 a file is rejected, 3 a validator is broken or does not compile."
)]
pub(super) struct VerifyArgs {
    /// Problems, globs, paths, or problem packages as `.zip` or `.kpp`
    selection: Vec<String>,
    /// Check only these input files with the input validators of one problem
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["allow", "cases", "data_only", "try_time", "strict", "format"])]
    input: Vec<PathBuf>,
    /// Suppress findings with this code (repeatable)
    #[arg(long, value_name = "CODE", value_parser = allowed)]
    allow: Vec<Code>,
    /// Show which submissions each case kills
    #[arg(long)]
    cases: bool,
    /// Run no submissions
    #[arg(long)]
    data_only: bool,
    /// Limit each kind of robustness test (corrupted cases, junk output, hostile partners)
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    try_time: u32,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// Run N submissions at once
    #[arg(short, long, value_name = "N", value_parser = read_jobs)]
    jobs: Option<Jobs>,
    /// Choose the output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Format,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
    #[command(flatten, next_help_heading = "Execution options")]
    alone: AloneArgs,
}

fn allowed(text: &str) -> Result<Code, String> {
    text.parse::<Code>().map_err(|error| error.to_string())
}

/// Checks, and returns how the process ends.
pub(super) fn run(args: &VerifyArgs) -> Result<ExitStatus> {
    let strict = args.strict.then_some(true);
    let options = Options { color: args.color.map(Into::into), jobs: args.jobs, strict, ..args.alone.options() };
    let setup = Setup::new(options)?;
    if !args.input.is_empty() {
        let [problem] = &*args.selection else {
            bail!("--input needs one problem: grader verify PROBLEM --input FILE…")
        };
        return input::run(&setup, problem, &args.input);
    }
    show_diagnostics(&setup.settings.warnings, setup.paint);
    // The directories last as long as the run.
    let unpacked = Unpacked::new(&setup.start, &args.selection)?;
    verify(args, &setup, &unpacked)
}

fn verify(args: &VerifyArgs, setup: &Setup, unpacked: &Unpacked) -> Result<ExitStatus> {
    let (problems, found) = find(setup, &unpacked.words)?;
    if problems.is_empty() && found.is_empty() {
        bail!("no problem was found\n  → go to a folder with a solver and `.in` files, or below a grader.toml");
    }
    if problems.is_empty() && found.iter().all(|found| found.problem.is_none()) {
        show_diagnostics(&found, setup.paint);
        return Err(Ended(ExitStatus::Usage).into());
    }
    let dirs: Vec<PathBuf> = problems.iter().map(|problem| problem.dir.clone()).collect();
    let mut dossiers = dossier::open(setup, &unpacked.archives, problems, &found, &args.allow);
    let text = args.format == Format::Text;
    let mut progress = Progress::new(text);
    let mut examine_all = |bench: Option<&mut Workbench<'_>>| -> Result<()> {
        let mut bench = bench;
        for dossier in &mut dossiers {
            if let Some(bench) = bench.as_deref_mut() {
                examine(setup, bench, dossier, &mut progress, args)?;
            }
            progress.clear();
            if text {
                print(&show::problem(dossier, setup, args.cases), setup.paint)?;
            }
        }
        Ok(())
    };
    if dirs.is_empty() {
        examine_all(None)?;
    } else {
        by_hand(setup, dirs.iter().map(PathBuf::as_path), |bench| examine_all(Some(bench)))?;
    }
    match args.format {
        Format::Text => print(&show::summary(&dossiers, setup.settings.strict), setup.paint)?,
        Format::Json => print_json(&document::of(&dossiers))?,
    }
    Ok(status(&dossiers, setup.settings.strict))
}

/// The problems that are meant, and what reading them has told. One word after the other: a problem that cannot be read
/// does not keep the others from being checked.
fn find(setup: &Setup, selection: &[String]) -> Result<(Vec<Arc<Problem>>, Vec<Diagnostic>)> {
    let (mut problems, mut all) = (Vec::<Arc<Problem>>::new(), Vec::new());
    let words: Vec<&[String]> = if selection.is_empty() { vec![selection] } else { selection.chunks(1).collect() };
    for selection in words {
        let (submissions, tests, command, output_validator) = (&[], &[], None, None);
        let programs = Programs::Refused;
        let choice = Choice { start: &setup.start, selection, submissions, tests, command, output_validator, programs };
        let Chosen { plan, found } = choose(&setup.settings, &setup.languages, &choice)?;
        for planned in plan.problems {
            if !problems.iter().any(|known| known.dir == planned.problem.dir) {
                problems.push(planned.problem);
            }
        }
        let new: Vec<Diagnostic> = found.into_iter().filter(|found| !all.contains(found)).collect();
        all.extend(new);
    }
    Ok((problems, all))
}

/// All checks of one problem.
fn examine(
    setup: &Setup,
    bench: &mut Workbench<'_>,
    dossier: &mut Dossier,
    progress: &mut Progress,
    args: &VerifyArgs,
) -> Result<()> {
    let Some(problem) = dossier.problem.clone() else { return Ok(()) };
    progress.problem(problem.id.as_str());
    data::check(dossier, &problem, bench.workshop);
    let judges = judges::Judges::build(bench, dossier, &problem, &setup.languages)?;
    let sound = cases::check(bench, dossier, &problem, &judges, progress);
    validation::check(bench, dossier, &problem, &judges, &setup.languages, progress);
    let pace = Pace { progress, time: Duration::from_secs(args.try_time.into()) };
    let mut trials = Trials { bench, dossier, problem: &problem, judges: &judges, sound: &sound, pace };
    tries::inputs(&mut trials)?;
    tries::outputs(&mut trials)?;
    probes::check(&mut trials)?;
    if !args.data_only && !judges.lacks_output_validator() {
        // What was built is in the store.
        bench.workshop.store.flush();
        submissions::check(setup, dossier, &problem, progress)?;
    }
    Ok(())
}

fn status(dossiers: &[Dossier], strict: bool) -> ExitStatus {
    let worst = dossiers.iter().flat_map(|dossier| &dossier.findings).map(|finding| finding.severity).max();
    match worst {
        Some(Severity::JudgeError) => ExitStatus::JudgeError,
        Some(Severity::Error) => ExitStatus::Unexpected,
        Some(Severity::Warning) if strict => ExitStatus::Unexpected,
        Some(Severity::Warning) | None => ExitStatus::Success,
    }
}
