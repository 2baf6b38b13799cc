//! Options to run one part of a run on each of several machines.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use crate::cli::exit::ExitStatus;
use crate::record::Reporter;
use crate::report::text::{count, quote_path};
use crate::session::{RunEnd, Session};
use crate::shard::{Part, PlanFile, Shard, begin};
use crate::workspace::{UnstatedLimits, Workspace};

/// Options of a part.
#[derive(Debug, Args)]
pub(in crate::cli) struct PartArgs {
    /// Run only part I of N (from 0), and write its results to the folder of --out; `grader merge` joins the parts
    #[arg(long, value_name = "I/N", requires = "out")]
    #[cfg_attr(feature = "nats", arg(conflicts_with = "engine"))]
    pub(in crate::cli) shard: Option<Shard>,
    /// Take time limits and durations from a file of `grader plan`, so that all parts have the same
    #[arg(long, value_name = "FILE")]
    #[cfg_attr(feature = "nats", arg(conflicts_with = "engine"))]
    plan: Option<PathBuf>,
}

impl PartArgs {
    /// Reads the plan and gives its limits to the workspace.
    pub(in crate::cli) fn plan(&self, workspace: &mut Workspace) -> Result<Option<PlanFile>> {
        let plan = self.plan.as_ref().map(|path| PlanFile::read(path)).transpose()?;
        let known = plan.as_ref().map(PlanFile::limits).unwrap_or_default();
        workspace.unstated_limits = UnstatedLimits { known, never_measured: self.shard.is_some() };
        Ok(plan)
    }
}

/// Runs a part of a run. Whatever the verdicts are, it succeeds once its results are written: a scheduler that starts
/// failed parts again should do so only if that can help.
pub(in crate::cli) fn run_part(
    session: Session,
    shard: Shard,
    dir: &Path,
    plan: Option<&PlanFile>,
    mut reporters: Vec<Box<dyn Reporter>>,
    verbosity: i8,
) -> Result<ExitStatus> {
    let Part { session, writer, counts } = begin(session, shard, dir, plan)?;
    let path = writer.path().to_owned();
    if verbosity >= 0 {
        let known = if counts.known > 0 { format!(", {} known from before", counts.known) } else { String::new() };
        writeln!(io::stderr(), "part {shard}: {} of {}{known}", counts.part, count(counts.run, "submission"))?;
    }
    let mut status = ExitStatus::Success;
    if !session.plan().submissions.is_empty() {
        reporters.push(Box::new(writer));
        let RunEnd { report, signal } = session.conduct(reporters)?;
        status = match signal {
            Some(signal) => ExitStatus::Interrupted(signal),
            None if report.has_judge_errors() => ExitStatus::JudgeError,
            None => ExitStatus::Success,
        };
    }
    if verbosity >= 0 && !matches!(status, ExitStatus::Interrupted(_)) {
        let [shown, dir] = [&*path, dir].map(|path| quote_path(&path.display().to_string()));
        writeln!(io::stderr(), "results in {shown}; when all parts are there: grader merge {dir}")?;
    }
    Ok(status)
}
