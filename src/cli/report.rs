//! `grader report`: shows an earlier run again, or writes reports of it.

use std::fs::File;
use std::io::{self, BufReader, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result};
use clap::Args;

use super::arguments::{ShowArgs, open, paint};
use crate::cli::exit::ExitStatus;
use crate::cli::report_options::ReportArgs;
use crate::config::Options;
use crate::event::{Event, Notice, Severity};
use crate::record::{Recorder, Reporter};
use crate::report::html::Background;
use crate::report::jsonl::Records;
use crate::report::terminal::{Terminal, TerminalOptions};
use crate::report::text::{Line, Style, Whitespace, escape};
use crate::session::kept_files::KeptFiles;
use crate::session::past::past_runs;
use crate::session::records;
use crate::workspace::Workspace;

/// Shows an earlier run again, or writes reports of it
#[derive(Debug, Args)]
#[command(
    after_help = "Without `--report`, grader shows the run as `grader run` does. It keeps the inputs and outputs of \
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
}

/// Shows the run or writes its reports.
pub(super) fn run(args: &StoredArgs) -> Result<ExitStatus> {
    let workspace = open(args.show.add_to(Options::default()))?;
    let path = records::find(&workspace.settings.store_dir(), &args.run)?;
    let reporters = if args.report.any() {
        args.report.files(&workspace, &|| background(&workspace, &path))?
    } else {
        let options = TerminalOptions { table: args.table, progress: false, ..args.show.terminal_options(&workspace) };
        let name = escape(path.file_stem().unwrap_or_default().as_encoded_bytes(), Whitespace::Inline);
        let head = Line::new().with(&format!("the recorded run {name}"), Style::FAINT);
        writeln!(io::stdout(), "{}", head.render(paint(&workspace)))?;
        vec![Box::new(Terminal::new(io::stdout(), options)) as Box<dyn Reporter>]
    };
    replay(&workspace, &path, reporters)?;
    Ok(ExitStatus::Success)
}

/// What a page shows besides the record: the runs before it.
pub(super) fn background(workspace: &Workspace, path: &Path) -> Background {
    Background { past: past_runs(&workspace.settings.store_dir(), Some(path)), ..Background::default() }
}

/// Replays a record into reporters.
pub(super) fn replay(workspace: &Workspace, path: &Path, reporters: Vec<Box<dyn Reporter>>) -> Result<()> {
    let in_record = || path.display().to_string();
    // The record is read to its end first, so that a damaged one leaves no partial reports.
    let kept = KeptFiles::new(&workspace.settings.store_dir(), span(path).with_context(in_record)?);
    let mut recorder = Recorder::new(Vec::new(), reporters);
    let mut stored = Records::new(BufReader::new(File::open(path).with_context(in_record)?));
    while let Some(event) = stored.next() {
        let mut event = event.with_context(in_record)?;
        if matches!(event, Event::RunFinished(_)) && stored.is_cut() {
            recorder.record(&Event::Notice(cut(path)))?;
        }
        if let Event::TestFinished(finished) = &mut event {
            kept.check(&mut finished.result);
        }
        recorder.record(&event)?;
    }
    recorder.finish()?;
    Ok(())
}

fn cut(path: &Path) -> Notice {
    Notice {
        severity: Severity::Warning,
        problem: None,
        path: Some(path.to_owned()),
        message: "the record ends early: grader was killed, or is still running".to_owned(),
        remedy: String::new(),
    }
}

/// The time span of a run: from its start to its end, or to the record's last write.
fn span(path: &Path) -> Result<Option<(SystemTime, SystemTime)>> {
    let file = File::open(path)?;
    let written = file.metadata()?.modified()?;
    let mut started = None;
    let mut ended = written;
    for event in Records::new(BufReader::new(file)) {
        match event? {
            // If the start is unreadable, the span is unknown.
            Event::RunStarted(head) => started = humantime::parse_rfc3339(&head.measured.started).ok(),
            Event::RunFinished(end) if !end.measured.wall.is_zero() => {
                // The start is known only to the second.
                let wall = end.measured.wall + Duration::from_secs(1);
                ended = started.and_then(|started| started.checked_add(wall)).unwrap_or(written).min(written);
            }
            _ => {}
        }
    }
    Ok(started.map(|started| (started, ended)))
}
