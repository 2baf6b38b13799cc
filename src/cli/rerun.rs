//! `grader rerun`: repeats the unexpected results of a run.

use anyhow::{Result, bail};
use clap::Args;

use super::arguments::{HowArgs, ShowArgs, open, paint};
use super::run::again_with;
use crate::cli::exit::{ExitStatus, status_of};
use crate::cli::output::{clean, print, stdout};
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::Command;
use crate::plan::Plan;
use crate::report::terminal::Terminal;
use crate::report::text::{Line, Style, count};
use crate::session::records::find;
use crate::session::repetition::{Repetition, unexpected};
use crate::session::{Role, RunEnd, Session};
use crate::workspace::Workspace;

/// Repeats only the unexpected results of the last run
#[derive(Debug, Args)]
#[command(
    after_help = "A submission that should be accepted runs again on the tests that it failed. A submission that \
    should fail runs again on all tests of that run, because it may now fail on another one. \
    Interrupted submissions and those with a judge error run completely. The repetition is a run like any other: a \
    second `rerun` repeats the unexpected results of the first.\n\ngrader does not remember options of that run such \
    as --checker or --time-limit: give them again.\n\nExit status: as for `grader run`; 0 if there is nothing to \
    repeat."
)]
pub(super) struct RerunArgs {
    /// Run to repeat: an id of `grader history`, a part of an id, `last` or `prev`
    #[arg(value_name = "RUN", default_value = "last")]
    run: String,
    /// Repeat the last run; the default
    #[arg(long, conflicts_with = "run")]
    last: bool,
    /// Build C and C++ programs with sanitizers, as the run did
    #[arg(long)]
    sanitize: bool,
    /// Print the plan and run nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten, next_help_heading = "Execution options")]
    how: HowArgs,
    #[command(flatten, next_help_heading = "Display options")]
    show: ShowArgs,
}

/// Repeats the unexpected results and returns the exit status.
pub(super) fn run(args: &RerunArgs) -> Result<ExitStatus> {
    let mut workspace = open(args.show.add_to(args.how.options()))?.for_own_programs();
    workspace.settings.sanitize = args.sanitize;
    let language = args.how.hand.language.language(&workspace.languages)?;
    let path = find(&workspace.settings.store_dir(), &args.run)?;
    let wanted = unexpected(&path)?;
    let id = clean(&path.file_stem().unwrap_or_default().to_string_lossy());
    if wanted.is_empty() {
        print(&[Line::from(format!("nothing was unexpected in {id}: nothing to repeat").as_str())], paint(&workspace))?;
        return Ok(ExitStatus::Success);
    }
    let output_validator = args.how.hand.checker.output_validator(&workspace.start)?;
    let Repetition { plan, found, missing } =
        Repetition::plan(&workspace, language.as_deref(), output_validator.as_deref(), &wanted);
    show_missing(&missing, &workspace);
    if plan.submissions.is_empty() {
        workspace.tell_found(&found);
        bail!("nothing that was unexpected in {id} exists any more");
    }
    let plan = Plan { all_tests: workspace.settings.all_tests, ..plan };
    let head = format!("repeating {} of {id}", count(plan.submissions.len(), "submission"));
    print(&[Line::new().with(&head, Style::FAINT)], paint(&workspace))?;
    if args.dry_run {
        workspace.tell_found(&found);
        print(&planned(&plan), paint(&workspace))?;
        return Ok(ExitStatus::Success);
    }
    let strict = workspace.settings.strict;
    let terminal = Box::new(Terminal::new(stdout(), args.show.terminal_options(&workspace)));
    let session = Session::new(workspace, Role::Asked(Command::Rerun), language, found, plan);
    let options = [args.how.again(), again_with(args.sanitize)].concat();
    let session = Session { options, ..session }.with_time_limits()?;
    let RunEnd { report, signal } = session.conduct(vec![terminal])?;
    Ok(status_of(&report, signal, strict))
}

fn show_missing(missing: &[String], workspace: &Workspace) {
    for name in missing {
        let message = format!("{name} was unexpected and no longer exists");
        workspace.tell(&Diagnostic::new(Severity::Warning, message));
    }
}

/// One line for each submission, with the tests that it would run on.
fn planned(plan: &Plan) -> Vec<Line> {
    let mut lines = Vec::new();
    for submission in &plan.submissions {
        let names: Vec<String> =
            plan.problems[submission.problem].names.iter().map(|name| clean(name.as_str())).collect();
        let name =
            format!("{} · {}  ", clean(submission.id.problem.as_str()), clean(submission.id.submission.as_str()));
        lines.push(Line::from(name.as_str()).with(&names.join(", "), Style::FAINT));
    }
    lines
}
