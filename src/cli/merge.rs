//! `grader merge`: joins the parts of a run.

use std::io::BufWriter;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use clap::Args;

use super::arguments::{ShowArgs, open};
use crate::cli::class_table::{self, ClassTable};
use crate::cli::exit::{ExitStatus, print_error, status_of, status_of_judging};
use crate::cli::report_options::ReportArgs;
use crate::config::Options;
use crate::event::{Event, Verb};
use crate::record::Recorder;
use crate::report::class::Order;
use crate::report::html::Background;
use crate::report::jsonl::Jsonl;
use crate::report::terminal::TerminalOptions;
use crate::session::history_entry;
use crate::session::kept_files::KeptFiles;
use crate::session::past::EarlierRuns;
use crate::shard::Merge;
use crate::store::Store;
use crate::workspace::ending::EarlyEnd;

/// Joins the parts of a run (`--shard`) into its record and reports
#[derive(Debug, Args)]
#[command(
    after_help = "grader checks that all parts are there, are finished, belong to the same run and agree. The record \
    is the one that a run on one machine would have made, apart from measurements and kept files. It becomes the \
    last run here.\n\nExit status: that of the run; 2 if parts are missing or do not belong together."
)]
pub(super) struct MergeArgs {
    /// Folder with the parts
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Also show a table of submissions and the tests that each fails
    #[arg(long)]
    table: bool,
    /// Exit with 1 also for warnings and for submissions that cannot be judged
    #[arg(long)]
    strict: bool,
    /// Exit with 0 instead of 1
    #[arg(long)]
    exit_zero: bool,
    #[command(flatten, next_help_heading = "Display options")]
    show: ShowArgs,
    #[command(flatten, next_help_heading = "Report options")]
    report: ReportArgs,
}

/// Checks the parts and passes the run on to the reporters.
pub(super) fn run(args: &MergeArgs) -> Result<ExitStatus> {
    let options = Options { strict: args.strict.then_some(true), ..args.show.add_to(Options::default()) };
    let workspace = open(options)?;
    let merge = match Merge::open(&args.dir) {
        Ok(merge) => merge,
        Err(mistakes) => {
            for mistake in mistakes {
                print_error(&mistake.into());
            }
            return Err(EarlyEnd::Refused.into());
        }
    };
    for warning in merge.warnings() {
        workspace.tell(&Merge::notice(warning));
    }
    let class = merge.is_of_class();
    let options =
        TerminalOptions { table: args.table, progress: false, class, ..args.show.terminal_options(&workspace) };
    let mut reporters = args.report.reporters(&workspace, options.clone(), &Background::default)?;
    let earlier = EarlierRuns::new(&workspace.settings.store_dir(), None);
    let (store, _) = Store::open(&workspace.settings.store_dir());
    reporters.push(Box::new(Jsonl::new(BufWriter::new(store.begin_run()))));
    // Parts that ran on this machine have left files of failures here.
    let kept = KeptFiles::new(&workspace.settings.store_dir(), Some((UNIX_EPOCH, SystemTime::now())));
    let mut recorder = Recorder::new(reporters);
    merge.tell(|mut event| {
        if let Event::TestFinished(finished) = &mut event {
            kept.check(&mut finished.result);
        }
        Ok(recorder.record(event)?)
    })?;
    let (mut report, unwritten) = recorder.finish()?;
    workspace.tell_found(&unwritten);
    report.notices.extend(unwritten);
    history_entry::keep(&store, workspace.settings.keep_runs);
    if report.verb() == Verb::Judge {
        if class {
            let mut out = args.report.output();
            let files = args.report.gradebooks();
            let table = ClassTable { report: &report, options: &options, files, earlier };
            if options.verbosity >= 0 {
                class_table::show(&mut *out, &table, Order::Name)?;
            }
            class_table::show_sum(&mut *out, &table, 0)?;
        }
        return Ok(status_of_judging(&report, None, args.exit_zero));
    }
    match status_of(&report, None, workspace.settings.strict) {
        ExitStatus::Unexpected if args.exit_zero => Ok(ExitStatus::Success),
        status => Ok(status),
    }
}
