//! `grader report`: shows an earlier run again, or writes reports of it.

use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use clap::Args;

use super::arguments::{ShowArgs, open, paint};
use crate::cli::class_table::{self, ClassTable};
use crate::cli::exit::ExitStatus;
use crate::cli::output::stdout;
use crate::cli::report_options::ReportArgs;
use crate::cli::similar::{self, SimilarArgs};
use crate::config::Options;
use crate::event::RunStarted;
use crate::record::Reporter;
use crate::report::class::Order;
use crate::report::html::Background;
use crate::report::sources::Programs;
use crate::report::terminal::{Terminal, TerminalOptions};
use crate::report::text::{Line, Style, Whitespace, escape};
use crate::session::past::{EarlierRuns, past_runs};
use crate::session::records;
use crate::session::replay::replay_into;
use crate::workspace::Workspace;

/// Shows an earlier run again, or writes reports of it
#[derive(Debug, Args)]
#[command(
    after_help = "Without `--report`, grader shows the run as `grader run` does, and the table of a class. It keeps the inputs and outputs of \
    failed tests only for the last run of each submission. For older runs it shows the reasons without them.\n\nExit \
    status: 0 the reports were written, even if the run failed; 2 no such run, its record is damaged, or a report \
    cannot be written."
)]
pub(super) struct StoredArgs {
    /// Run: `last`, the name of a record in .grader/runs, the beginning of that name or of its id, or the path of a
    /// .jsonl file
    run: String,
    /// Also show a table of submissions and the tests that each fails
    #[arg(long)]
    table: bool,
    #[command(flatten, next_help_heading = "Display options")]
    show: ShowArgs,
    #[command(flatten, next_help_heading = "Report options")]
    report: ReportArgs,
    #[command(flatten, next_help_heading = "Options for similar programs")]
    similar: SimilarArgs,
}

/// Shows the run or writes its reports.
pub(super) fn run(args: &StoredArgs) -> Result<ExitStatus> {
    let workspace = open(args.similar.add_to(args.show.add_to(Options::default())))?;
    similar::check(&workspace.settings)?;
    let path = records::find(&workspace.settings.store_dir(), &args.run)?;
    if args.report.any() {
        let reporters = args.report.files(&workspace, &|| background(&workspace, &path))?;
        replay_into(&workspace, &path, reporters)?;
    } else {
        let options = TerminalOptions { table: args.table, progress: false, ..args.show.terminal_options(&workspace) };
        let name = escape(path.file_stem().unwrap_or_default().as_encoded_bytes(), Whitespace::Inline);
        let head = Line::new().with(&format!("the recorded run {name}"), Style::FAINT);
        writeln!(stdout(), "{}", head.render(paint(&workspace)))?;
        let terminal: Box<dyn Reporter> = Box::new(Terminal::new(stdout(), options.clone()));
        let report = replay_into(&workspace, &path, vec![terminal])?;
        if report.head.as_ref().is_some_and(RunStarted::is_of_class) {
            let earlier = EarlierRuns::new(&workspace.settings.store_dir(), Some(&path));
            let table = ClassTable { report: &report, options: &options, files: Vec::new(), earlier };
            class_table::show(&mut stdout(), &table, Order::Name)?;
        }
    }
    Ok(ExitStatus::Success)
}

/// The content of a page besides the record: the runs before it.
pub(super) fn background(workspace: &Workspace, path: &Path) -> Background {
    let store = workspace.settings.store_dir();
    let programs = Programs {
        comparison: workspace.settings.comparison(),
        is_own_record: records::is_kept(&store, path),
        ..Programs::default()
    };
    Background { past: past_runs(&store, Some(path)), programs, draw: None }
}
