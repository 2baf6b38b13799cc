//! `grader view` and `--view`: show a run in the browser.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::Args;

use super::arguments::{ShowArgs, open, paint};
use super::exit::ExitStatus;
use super::report::background;
use super::report_options::ReportArgs;
use super::statement::side_page;
use crate::config::Options;
use crate::interrupt::Handlers;
use crate::problem::Problem;
use crate::record::Reporter;
use crate::report::html::Background;
use crate::report::text::{Line, Style};
use crate::session::records;
use crate::session::replay::replay_into;
use crate::view::View;
use crate::workspace::Workspace;

/// How long the page of an interrupted run stays.
const LAST_WORD: Duration = Duration::from_millis(800);

/// Shows a run in the browser
#[derive(Debug, Args)]
#[command(
    after_help = "grader prints the address of the page and serves it until Ctrl-C. Only programs on this machine can \
    read it, and only with this address. `grader run --view` and `grader watch --view` show a run while it goes on; \
    `grader report last --report html=FILE` writes the same page to a file.\n\nExit status: 0 ended by Ctrl-C; 2 no such \
    run, its record is damaged, or the page cannot be served."
)]
pub(super) struct ViewArgs {
    /// Run: `last`, the name of a record in .grader/runs, the beginning of that name or of its id, or the path of a
    /// .jsonl file
    #[arg(default_value = "last")]
    run: String,
    /// Serve the page at this port of 127.0.0.1 [default: any free port]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    #[command(flatten, next_help_heading = "Display options")]
    show: ShowArgs,
}

/// `--view` of commands that run something.
#[derive(Debug, Args)]
pub(super) struct LiveArgs {
    /// Also show the run in the browser while it goes on: prints an address, and serves the page until Ctrl-C
    #[arg(long)]
    view: bool,
    /// With --view: serve the page at this port of 127.0.0.1 [default: any free port]
    #[arg(long, value_name = "PORT", requires = "view")]
    port: Option<u16>,
}

/// Serves the page of a recorded run until a signal arrives.
pub(super) fn run(args: &ViewArgs) -> Result<ExitStatus> {
    let workspace = open(args.show.add_to(Options::default()))?;
    let path = records::find(&workspace.settings.store_dir(), &args.run)?;
    let view = View::open(ReportArgs::default().html_options(&workspace, true), args.port)?;
    let reporters = vec![view.reporter(background(&workspace, &path))];
    replay_into(&workspace, &path, reporters)?;
    // The reader of the address may end grader at once.
    let end = End::expected()?;
    tell(&view, &workspace, "Ctrl-C ends it")?;
    end.wait();
    Ok(ExitStatus::Success)
}

impl LiveArgs {
    /// Whether the user wants the page.
    pub(super) fn is_wanted(&self) -> bool {
        self.view
    }

    /// Adds the page to the reporters of a run, if the option was given.
    pub(super) fn add_to(
        &self,
        reporters: &mut Vec<Box<dyn Reporter>>,
        workspace: &Workspace,
        report: &ReportArgs,
        background: impl FnOnce() -> Background,
    ) -> Result<Option<View>> {
        let view = self.open(workspace, report)?;
        reporters.extend(view.as_ref().map(|view| view.reporter(background())));
        Ok(view)
    }

    /// Starts the server and prints its address, if the option was given.
    pub(super) fn open(&self, workspace: &Workspace, report: &ReportArgs) -> Result<Option<View>> {
        if !self.view {
            return Ok(None);
        }
        let view = View::open(report.html_options(workspace, true), self.port)?;
        tell(&view, workspace, "Ctrl-C ends the run, and then the page")?;
        Ok(Some(view))
    }
}

/// Serves the statements of the problems beside the run, and prints the address. Does nothing without statements.
pub(super) fn show_statements(view: &View, workspace: &Workspace, problems: Vec<Arc<Problem>>) -> io::Result<()> {
    let Some(make) = side_page(workspace, problems) else { return Ok(()) };
    let address = view.show_statement(make);
    let line = Line::new().with("statement ", Style::FAINT).with(&address, Style::STRONG);
    writeln!(io::stderr(), "{}", line.with("  reload it after a change", Style::FAINT).render(paint(workspace)))
}

/// Keeps the page after a run until a signal arrives; not if one has ended the run.
pub(super) fn stay(view: Option<View>, workspace: &Workspace) -> Result<()> {
    let Some(view) = view else { return Ok(()) };
    let end = End::expected()?;
    if end.0.signal().is_none() {
        tell(&view, workspace, "the page stays until Ctrl-C")?;
        end.wait();
    } else {
        // Browsers fetch the result of an interrupted run meanwhile.
        thread::sleep(LAST_WORD);
    }
    Ok(())
}

/// The address goes to standard error: standard output may be a report.
fn tell(view: &View, workspace: &Workspace, what: &str) -> io::Result<()> {
    let line = Line::new().with("view ", Style::FAINT).with(&view.address(), Style::STRONG);
    writeln!(io::stderr(), "{}", line.with(&format!("  {what}"), Style::FAINT).render(paint(workspace)))
}

/// A signal that ends the page, and not the process.
struct End(&'static Handlers);

impl End {
    /// From now on, a signal only wakes this thread.
    fn expected() -> Result<Self> {
        let handlers = Handlers::of_this_process().context("cannot install signal handlers")?;
        let waiting = thread::current();
        handlers.cancels(move || waiting.unpark());
        Ok(Self(handlers))
    }

    fn wait(&self) {
        while self.0.signal().is_none() {
            thread::park();
        }
    }
}
