//! `grader run`: runs submissions and compares their verdicts with the expected ones.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use super::arguments::{EngineArgs, HowArgs, PartArgs, PrefetchArgs, ShowArgs, open, run_part};
use crate::cli::exit::{ExitStatus, status_of};
use crate::cli::output::stdout;
use crate::cli::report_options::ReportArgs;
use crate::cli::view::{self, LiveArgs};
use crate::config::Options;
use crate::plan::Plan;
use crate::report::terminal::TerminalOptions;
use crate::report::text::count;
use crate::session::{RunEnd, Selection, Session};
use crate::visualize::background_of;

/// Runs every submission on every test and compares the verdicts with the expected ones
#[derive(Debug, Args)]
#[command(
    after_help = "A selection is a problem (`nine`), a test (`nine/sample/01`), a prefix (`nine/secret/0`), a glob \
    (`dirac-*`) or a path. A path names a problem's folder, a submission, a folder of submissions, any program, or a \
    test's input. If a selection matches nothing, grader reports an error. Without a selection, grader takes \
    everything below the roots in grader.toml if that file is in the current directory. In any other directory it \
    takes the problems there.\n\nExit status: 0 everything as expected, 1 something unexpected, 2 usage, \
    configuration or problem error, or nothing judged, 3 judge error, 129/130/143 interrupted, 141 the reader closed \
    the pipe."
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct RunArgs {
    /// Problems, tests, globs, paths, or problem packages as `.zip` or `.kpp`
    selection: Vec<String>,
    /// Run only these submissions: a name, a path below `submissions/`, a glob, or the path of any program (repeatable)
    #[arg(short, long, value_name = "NAME")]
    submission: Vec<String>,
    /// Run this shell command instead of the submissions, and expect AC
    #[arg(short, long, value_name = "COMMAND")]
    command: Option<String>,
    /// Run only these tests: a name, else a group, else a prefix; or a glob (repeatable)
    #[arg(short, long, value_name = "TEST")]
    test: Vec<String>,
    /// Run every test; otherwise a submission that should fail stops at its first failure
    #[arg(short, long, alias = "no-fail-fast")]
    all_tests: bool,
    /// Also stop a submission that should be accepted at its first failure
    #[arg(long, conflicts_with_all = ["all_tests", "shard", "plan"])]
    fail_fast: bool,
    /// Also show a table of submissions and the tests that each fails
    #[arg(long)]
    table: bool,
    /// Build C and C++ programs with sanitizers of memory errors and undefined behaviour, and report what they find; without -s, run only submissions that should be accepted
    #[arg(long, conflicts_with_all = ["command", "shard", "plan"])]
    sanitize: bool,
    /// Print the plan and run nothing
    #[arg(long, conflicts_with = "shard")]
    dry_run: bool,
    /// Exit with 1 also for warnings and for submissions that cannot be judged, such as those without a compiler
    #[arg(long)]
    strict: bool,
    /// With --shard: the folder for the results of all parts
    #[arg(long, value_name = "DIR", requires = "shard", help_heading = "Options for several machines")]
    out: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Options for several machines")]
    part: PartArgs,
    #[command(flatten, next_help_heading = "Options for several machines")]
    pub(super) engine: EngineArgs,
    #[command(flatten, next_help_heading = "Options for several machines")]
    prefetch: PrefetchArgs,
    #[command(flatten, next_help_heading = "Execution options")]
    how: HowArgs,
    #[command(flatten, next_help_heading = "Display options")]
    show: ShowArgs,
    #[command(flatten, next_help_heading = "Report options")]
    report: ReportArgs,
    #[command(flatten, next_help_heading = "Report options")]
    live: LiveArgs,
}

/// Runs the submissions and returns the exit status.
pub(super) fn run(args: &RunArgs) -> Result<ExitStatus> {
    let options = Options {
        strict: args.strict.then_some(true),
        // On the command line it overrides `all_tests` in grader.toml.
        all_tests: (args.all_tests || args.fail_fast).then_some(args.all_tests),
        ..args.show.add_to(args.how.options())
    };
    let mut workspace = open(options)?.for_own_programs();
    workspace.settings.sanitize = args.sanitize;
    workspace.settings.fail_fast = args.fail_fast;
    let plan = args.part.plan(&mut workspace)?;
    let (workspace, followed) = args.engine.apply_to(workspace)?;
    if args.sanitize && args.engine.is_given() {
        bail!("--sanitize builds programs on this machine alone\n  → leave out --engine");
    }
    let selection = Selection {
        words: args.selection.clone(),
        submissions: args.submission.clone(),
        tests: args.test.clone(),
        command: args.command.clone(),
        output_validator: args.how.hand.checker.output_validator(&workspace.start)?,
        language: args.how.hand.language.language(&workspace.languages)?,
    };
    let options = [args.how.again(), again_with(args.sanitize)].concat();
    let session = Session { options, ..Session::open(workspace, &selection)? };
    if args.dry_run {
        session.workspace.tell_found(&session.found);
        dry_run(session.plan())?;
        return Ok(ExitStatus::Success);
    }
    let session = session.ready()?;
    if args.prefetch.is_given() {
        let problems = count(session.plan().problems.len(), "problem");
        session.fetch_ahead()?;
        writeln!(stdout(), "the workers fetch the files of {problems}")?;
        return Ok(ExitStatus::Success);
    }
    let strict = session.workspace.settings.strict;
    let options = TerminalOptions { table: args.table, ..args.show.terminal_options(&session.workspace) };
    let workspace = session.workspace.clone();
    let background = || background_of(&session);
    let mut reporters = args.report.reporters(&workspace, options.clone(), &background)?;
    let view = args.live.add_to(&mut reporters, &workspace, &args.report, background)?;
    if let (Some(shard), Some(dir)) = (args.part.shard, &args.out) {
        let status = run_part(session, shard, dir, plan.as_ref(), reporters, options.verbosity)?;
        view::stay(view, &workspace)?;
        return Ok(status);
    }
    let RunEnd { report, signal } = session.conduct(reporters)?;
    if let (Some(_), Some(followed)) = (signal, followed) {
        followed.leave()?;
    }
    view::stay(view, &workspace)?;
    Ok(status_of(&report, signal, strict))
}

/// The option to repeat in a command line because results depend on it.
pub(super) fn again_with(sanitize: bool) -> Vec<String> {
    if sanitize { vec!["--sanitize".to_owned()] } else { Vec::new() }
}

/// Prints the plan.
fn dry_run(plan: &Plan) -> Result<()> {
    // Standard output writes each line by itself: a hundred thousand tests would be as many calls.
    let mut out = BufWriter::new(stdout());
    for problem in &plan.problems {
        let planned = &plan.submissions[problem.submissions.clone()];
        let tests = count(problem.tests.len(), "test");
        let submissions = count(planned.len(), "submission");
        writeln!(out, "{}  {tests}, {submissions}", problem.problem.id)?;
        for submission in planned {
            let expected = submission.submission.expectation.summary();
            writeln!(
                out,
                "  {}  expected {expected}{}",
                submission.id.submission,
                if submission.reference { ", reference" } else { "" }
            )?;
        }
        for name in &*problem.names {
            writeln!(out, "    {name}")?;
        }
    }
    writeln!(out, "{} executions at most", plan.executions())?;
    Ok(out.flush()?)
}
