//! `grader plan`: fixes what all parts of a run must share.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;

use super::arguments::{AloneArgs, JobsArgs, open};
use crate::cli::exit::ExitStatus;
use crate::cli::output::stdout;
use crate::report::text::{count, quote_path};
use crate::session::{Selection, Session};
use crate::shard::PlanFile;

/// Writes the time limits and durations that all parts of a run share (`run --shard`)
#[derive(Debug, Args)]
#[command(
    after_help = "A problem that states no time limit gets one from its submissions: grader measures them here, once. The \
    durations of submissions come from earlier runs on this machine; with them, all parts take about as long. Give the \
    file to each part: grader run --plan plan.json --shard 0/8 --out parts.\n\nExit status: 0 the plan was written, 2 \
    usage, configuration or problem error, 129/130/143 interrupted."
)]
pub(super) struct PlanArgs {
    /// Problems, globs, paths of problems, or problem packages as `.zip` or `.kpp`
    selection: Vec<String>,
    /// The file to write
    #[arg(long, value_name = "FILE", required = true)]
    out: PathBuf,
    #[command(flatten, next_help_heading = "Execution options")]
    jobs: JobsArgs,
    #[command(flatten, next_help_heading = "Execution options")]
    alone: AloneArgs,
}

/// Measures and writes.
pub(super) fn run(args: &PlanArgs) -> Result<ExitStatus> {
    let workspace = open(args.jobs.add_to(args.alone.options()))?;
    let selection = Selection { words: args.selection.clone(), ..Selection::default() };
    let session = Session::open(workspace, &selection)?.ready()?;
    session.workspace.tell_found(&session.found);
    let plan = PlanFile::of(&session);
    plan.write(&args.out).with_context(|| format!("cannot write {}", args.out.display()))?;
    let (limits, durations) = plan.counts();
    let limits = count(limits, "time limit");
    let durations = count(durations, "duration");
    writeln!(stdout(), "{}: {limits} and {durations}", quote_path(&args.out.display().to_string()))?;
    Ok(ExitStatus::Success)
}
