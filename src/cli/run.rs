//! `grader run`: my set, as labelled.

use std::io::{self, Write};

use anyhow::{Result, bail};
use clap::Args;

use super::arguments::{HowArgs, Setup, ShowArgs};
use super::derive::{Derived, time_limits};
use super::exit::{ExitStatus, status_of};
use super::notice::show_diagnostics;
use super::reports::ReportArgs;
use super::select::{Choice, Chosen, Programs, choose};
use super::session::{Conducted, Role, Session};
use super::unpack::Unpacked;
use crate::config::Options;
use crate::event::Command;
use crate::package::diagnostic::Diagnostic;
use crate::plan::Plan;
use crate::report::terminal::TerminalOptions;

/// Grades problems: every submission on every test, checked against what its author expects
#[derive(Debug, Args)]
#[command(
    after_help = "A selection is a problem (`nine`), a test (`nine/sample/01`), a prefix (`nine/secret/0`), a glob \
    (`dirac-*`) or a path: of a problem's folder, a submission or a folder of them, a program, a test's input. One that \
    names nothing is an error. Without one, everything below the roots of grader.toml is graded, or the folder one stands \
    in.\n\nExit status: 0 as expected, 1 something unexpected, 2 usage, configuration or problem \
    error, or nothing judged, 3 judge error, 129/130/143 interrupted, 141 nobody reads the output any more."
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct RunArgs {
    /// Problems, tests, globs or paths; also problem packages as `.zip` or `.kpp`
    selection: Vec<String>,
    /// Only these submissions: a name, a path below `submissions/`, a glob; or a program's path, which is expected AC
    #[arg(short, long, value_name = "NAME")]
    submission: Vec<String>,
    /// Run a shell command as the submission; expected AC
    #[arg(short, long, value_name = "COMMAND")]
    command: Option<String>,
    /// Only these tests: a name, a group, a prefix or a glob
    #[arg(short, long, value_name = "TEST")]
    test: Vec<String>,
    /// Run every test, whatever fails before it
    #[arg(short, long, alias = "no-fail-fast")]
    all_tests: bool,
    /// Show which case fails which submission
    #[arg(long)]
    table: bool,
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
    /// Not judged and warnings count as failures
    #[arg(long)]
    strict: bool,
    #[command(flatten, next_help_heading = "How programs are run")]
    how: HowArgs,
    #[command(flatten, next_help_heading = "How results are shown")]
    show: ShowArgs,
    #[command(flatten, next_help_heading = "Reports")]
    report: ReportArgs,
}

/// Runs, and returns how the process ends.
pub(super) fn run(args: &RunArgs) -> Result<ExitStatus> {
    let options = Options {
        strict: args.strict.then_some(true),
        all_tests: args.all_tests.then_some(true),
        ..args.show.add_to(args.how.options())
    };
    let setup = Setup::new(options)?;
    let language = args.how.hand.language.language(&setup.languages)?;
    // The directories last as long as the run.
    let unpacked = Unpacked::new(&setup.start, &args.selection)?;
    let choice = Choice {
        start: &setup.start,
        selection: &unpacked.words,
        submissions: &args.submission,
        tests: &args.test,
        command: args.command.as_deref(),
        output_validator: args.how.hand.checker.output_validator(&setup.start)?,
        programs: Programs::Run(language.as_deref()),
    };
    let Chosen { plan, found } = choose(&setup.settings, &setup.languages, &choice)?;
    let archives = unpacked.archives.clone();
    let found = [setup.settings.warnings.clone(), archives.told(found)].concat();
    if plan.problems.is_empty() {
        show_diagnostics(&found, setup.paint);
        if !found.iter().any(Diagnostic::is_error) {
            bail!(
                "nothing to grade here: no problem was found\n  → stand in a folder with a solver and `.in` files, or below a grader.toml"
            );
        }
        return Ok(ExitStatus::Usage);
    }
    let plan = Plan { all_tests: setup.settings.all_tests, ..plan };
    if args.dry_run {
        show_diagnostics(&found, setup.paint);
        dry_run(&plan)?;
        return Ok(ExitStatus::Success);
    }
    let Derived { plan, from, found: more } = time_limits(&setup, plan)?;
    let found = [found, archives.told(more)].concat();
    if plan.problems.is_empty() {
        show_diagnostics(&found, setup.paint);
        return Ok(ExitStatus::Usage);
    }
    let strict = setup.settings.strict;
    let options = TerminalOptions { table: args.table, ..args.show.terminal_options(&setup) };
    let reporters = args.report.reporters(&setup, options)?;
    let session = Session {
        limits_from: from,
        archives,
        options: args.how.again(),
        ..Session::new(setup, Role::Asked(Command::Run), language, found, plan)
    };
    let Conducted { report, signal } = session.conduct(reporters)?;
    Ok(status_of(&report, signal, strict))
}

/// The plan as text.
fn dry_run(plan: &Plan) -> Result<()> {
    let mut out = io::stdout().lock();
    for problem in &plan.problems {
        let runs = &plan.runs[problem.runs.clone()];
        writeln!(out, "{}  {} tests, {} submissions", problem.problem.id, problem.tests.len(), runs.len())?;
        for run in runs {
            let expected = run.submission.expectation.summary();
            writeln!(
                out,
                "  {}  expected {expected}{}",
                run.run.submission,
                if run.reference { ", reference" } else { "" }
            )?;
        }
        for name in &*problem.names {
            writeln!(out, "    {name}")?;
        }
    }
    writeln!(out, "{} executions at most", plan.executions())?;
    Ok(())
}
