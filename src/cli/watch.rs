//! `grader watch`: when a file is saved, runs what it affects again.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use clap::Args;

use super::arguments::{HowArgs, ShowArgs, open, paint};
use crate::cli::exit::{ExitStatus, print_error};
use crate::cli::output::{clean, print};
use crate::cli::report_options::ReportArgs;
use crate::cli::view::LiveArgs;
use crate::config::Options;
use crate::event::{Command, Standing};
use crate::interrupt::Handlers;
use crate::package::diagnostic::Diagnostic;
use crate::plan::Plan;
use crate::problem::{ProblemId, SubmissionId, TestId};
use crate::record::{Report, Reporter};
use crate::report::terminal::{Before, Terminal, TerminalOptions};
use crate::report::text::{Line, Style, count};
use crate::session::select::{Choice, Chosen, Programs, choose};
use crate::session::{Role, Session};
use crate::verdict::Verdict;
use crate::view::View;
use crate::visualize::background_of;
use crate::watch::affected::{Affected, affected};
use crate::watch::files::{Change, Files};
use crate::workspace::Workspace;
use crate::workspace::ending::Ended;

/// Grades once, and after each save grades again what the saved file affects
#[derive(Debug, Args)]
#[command(after_help = "A saved submission runs again. A saved case, checker, validator or problem.toml affects its \
    problem; grader.toml affects everything. Unchanged results come from the cache; with --no-cache every affected \
    test runs again. Submissions with unexpected results run first, starting with the tests that they failed; these results \
    appear as soon as they are known. If a submission's result changes, grader shows both: `WA → AC`.\n\ngrader \
    notices new and removed files and folders. It ignores hidden files, editor backups and its own .grader folder. \
    Ctrl-C ends it.\n\nExit status: 2 usage or configuration error at the start, 130 ended by Ctrl-C, 129/143 ended by another \
    signal.")]
pub(super) struct WatchArgs {
    /// Problems, tests, globs or paths, as for `grader run`
    selection: Vec<String>,
    /// Run only these submissions (repeatable)
    #[arg(short, long, value_name = "NAME")]
    submission: Vec<String>,
    /// Run only these tests (repeatable)
    #[arg(short, long, value_name = "TEST")]
    test: Vec<String>,
    /// Run every test; otherwise a submission that should fail stops at its first failure
    #[arg(short, long)]
    all_tests: bool,
    /// Keep earlier output on the screen
    #[arg(long)]
    no_clear: bool,
    #[command(flatten, next_help_heading = "Execution options")]
    how: HowArgs,
    #[command(flatten, next_help_heading = "Display options")]
    show: ShowArgs,
    #[command(flatten, next_help_heading = "Report options")]
    live: LiveArgs,
}

/// The result of a submission in its last run.
struct Last {
    told: String,
    met: bool,
    /// The tests that it failed, with their verdicts.
    failed: BTreeMap<TestId, Verdict>,
}

impl Last {
    fn before(&self) -> Before {
        // The failed tests of an expected result are not shown.
        let failed = if self.met { BTreeMap::new() } else { self.failed.clone() };
        Before { told: self.told.clone(), failed }
    }
}

/// The state between two runs.
struct Watch<'a> {
    args: &'a WatchArgs,
    last: BTreeMap<(ProblemId, SubmissionId), Last>,
    /// The page of the latest run.
    view: Option<View>,
}

/// The workspace, plan and findings for one run.
struct Graded {
    workspace: Workspace,
    plan: Plan,
    found: Vec<Diagnostic>,
}

/// Watches until a signal arrives, and returns the exit status.
pub(super) fn run(args: &WatchArgs) -> Result<ExitStatus> {
    let mut chosen = read(args)?;
    let handlers = Handlers::of_this_process().context("cannot install signal handlers")?;
    let mut files = Files::new(&chosen.workspace.settings.store_dir())?;
    let view = args.live.open(&chosen.workspace, &ReportArgs::default())?;
    let mut watch = Watch { args, last: BTreeMap::new(), view };
    // Start watching before the run, so that changes during it are not missed.
    let mut watched = files.watch(&places(&chosen))?;
    let all = Affected::everything(&chosen.plan);
    watch.grade(&chosen, &all, "")?;
    watch.wait_text(&chosen, watched)?;
    loop {
        let Some(change) = files.next(handlers) else {
            return Ok(ExitStatus::Interrupted(handlers.signal().unwrap_or_default()));
        };
        files.watch(&places(&chosen))?;
        // A half-saved problem may be invalid; the next save triggers another attempt.
        let new = match read(args) {
            Ok(new) => new,
            Err(error) => {
                show(&error);
                watch.wait_text(&chosen, watched)?;
                continue;
            }
        };
        watched = files.watch(&places(&new)).unwrap_or(watched);
        let affected = affected(&chosen.plan, &new.plan, &change, new.workspace.settings.file.as_deref());
        let old = std::mem::replace(&mut chosen, new);
        if affected.is_nothing() {
            // Problems that can no longer be graded are reported as well.
            let is_new = |found: &&Diagnostic| !old.found.contains(found);
            let new: Vec<Diagnostic> = chosen.found.iter().filter(is_new).cloned().collect();
            chosen.workspace.tell_found(&new);
            if !new.is_empty() {
                watch.wait_text(&chosen, watched)?;
            }
            continue;
        }
        let saved = saved(&change, &affected, &chosen.workspace.start);
        if let Err(error) = watch.grade(&chosen, &affected, &saved) {
            show(&error);
        }
        if let Some(signal) = handlers.signal() {
            return Ok(ExitStatus::Interrupted(signal));
        }
        watch.wait_text(&chosen, watched)?;
    }
}

fn show(error: &anyhow::Error) {
    if error.downcast_ref::<Ended>().is_none() {
        print_error(error);
    }
}

/// Reads the configuration and the problems again.
fn read(args: &WatchArgs) -> Result<Graded> {
    let options = Options { all_tests: args.all_tests.then_some(true), ..args.show.add_to(args.how.options()) };
    let workspace = open(options)?;
    let language = args.how.hand.language.language(&workspace.languages)?;
    let choice = Choice {
        start: &workspace.start,
        selection: &args.selection,
        submissions: &args.submission,
        tests: &args.test,
        command: None,
        output_validator: args.how.hand.checker.output_validator(&workspace.start)?,
        programs: Programs::Run(language.as_deref()),
    };
    let Chosen { plan, found } = choose(&workspace.settings, &workspace.languages, &choice)?;
    let plan = Plan { all_tests: workspace.settings.all_tests, ..plan };
    let found = [workspace.settings.warnings.clone(), found].concat();
    Ok(Graded { workspace, plan, found })
}

/// The files and folders that matter, including everything in the folders.
fn places(chosen: &Graded) -> Vec<PathBuf> {
    let settings = &chosen.workspace.settings;
    let mut places = settings.problem_roots();
    places.push(settings.testcases_dir());
    for planned in &chosen.plan.problems {
        places.push(planned.problem.dir.clone());
        places.extend(planned.problem.groups.iter().map(|group| group.dir.clone()));
        places.extend(planned.judges().filter_map(|program| program.path()).map(PathBuf::from));
    }
    places.extend(chosen.plan.runs.iter().filter_map(|run| run.submission.program.path()).map(PathBuf::from));
    places.extend(settings.file.clone());
    // Also watch the places of errors, because saving there may fix a problem.
    places.extend(chosen.found.iter().map(|found| found.path.clone()));
    places
}

/// The saved files in words, such as `accepted/sum.sh and 2 more`; paths are relative to `start`.
fn saved(change: &Change, affected: &Affected, start: &Path) -> String {
    match change {
        Change::Unknown => "many files".to_owned(),
        Change::Files(paths) => {
            let causes: Vec<PathBuf> = paths.iter().filter(|path| affected.is_cause(path)).cloned().collect();
            let paths = if causes.is_empty() { paths } else { &causes };
            let shown = |path: &PathBuf| clean(&path.strip_prefix(start).unwrap_or(path).display().to_string());
            let first = paths.first().map(shown).unwrap_or_default();
            let more = paths.len().saturating_sub(1);
            if more > 0 { format!("{first} and {more} more") } else { first }
        }
    }
}

impl Watch<'_> {
    /// Runs what is affected. `saved` names the cause; it is empty the first time.
    fn grade(&mut self, chosen: &Graded, affected: &Affected, saved: &str) -> Result<()> {
        let Graded { workspace, plan, found } = chosen;
        let language = self.args.how.hand.language.language(&workspace.languages)?;
        let plan = self.part(plan, affected);
        self.head(workspace, &plan, saved)?;
        if plan.runs.is_empty() {
            workspace.tell_found(found);
            return Ok(());
        }
        let session = Session::new(workspace.clone(), Role::Asked(Command::Watch), language, found.clone(), plan);
        let session = Session { options: self.args.how.again(), ..session }.with_time_limits()?;
        let plan = session.plan();
        let previous = self.last.iter().map(|(key, last)| (key.clone(), last.before())).collect();
        let options = TerminalOptions { previous, ..self.args.show.terminal_options(workspace) };
        let terminal = Box::new(Terminal::new(io::stdout(), options));
        let names: Vec<_> = plan.runs.iter().map(|run| Arc::clone(&plan.problems[run.problem].names)).collect();
        let mut reporters: Vec<Box<dyn Reporter>> = vec![terminal];
        reporters.extend(self.view.as_ref().map(|view| view.reporter(background_of(&session))));
        let conducted = session.conduct(reporters)?;
        self.remember(&conducted.report, &names);
        Ok(())
    }

    /// The affected problems and submissions, with earlier unexpected ones first.
    fn part(&self, whole: &Plan, affected: &Affected) -> Plan {
        let is_fine = |run: &usize| {
            let identity = &whole.runs[*run].run;
            self.last.get(&(identity.problem.clone(), identity.submission.clone())).is_none_or(|last| last.met)
        };
        let mut problems: Vec<(usize, Vec<usize>)> = affected.runs(whole);
        for (_, runs) in &mut problems {
            runs.sort_by_key(is_fine);
        }
        problems.sort_by_key(|(_, runs)| runs.iter().all(is_fine));
        let mut part = Plan { all_tests: whole.all_tests, ..Plan::default() };
        for (problem, runs) in problems {
            part.add_part(whole, problem, &runs, |_| true);
        }
        for run in &mut part.runs {
            let Some(last) = self.last.get(&(run.run.problem.clone(), run.run.submission.clone())) else { continue };
            let names = part.problems[run.problem].names.iter().enumerate();
            run.first = names.filter(|(_, name)| last.failed.contains_key(name)).map(|(at, _)| at).collect();
        }
        part
    }

    fn wait_text(&self, chosen: &Graded, folders: usize) -> Result<()> {
        if self.args.show.verbosity() < 0 {
            return Ok(());
        }
        let text = format!("watching {} (Ctrl-C ends)", count(folders, "folder"));
        print(&[Line::new().with(&text, Style::FAINT)], paint(&chosen.workspace))
    }

    fn head(&self, workspace: &Workspace, plan: &Plan, saved: &str) -> Result<()> {
        if !self.args.no_clear && io::stdout().is_terminal() {
            // Clears the screen and the scrollback, and moves the cursor to the top (ECMA-48 ED, CUP).
            write!(io::stdout(), "\x1b[2J\x1b[3J\x1b[H")?;
        }
        if saved.is_empty() {
            return Ok(());
        }
        let runs = count(plan.runs.len(), "submission");
        let line = Line::new().with("saved ", Style::FAINT).with(saved, Style::STRONG);
        print(&[Line::new(), line.with(&format!(": {runs}"), Style::FAINT)], paint(workspace))
    }

    /// Remembers results for the next run. `names` are the names of each submission's tests.
    fn remember(&mut self, report: &Report, names: &[Arc<[TestId]>]) {
        for (run, names) in report.runs.iter().zip(names) {
            let Some(told) = run.told() else { continue };
            let failed = run.tests.iter().filter_map(|test| {
                let verdict = test.verdict.filter(|verdict| *verdict != Verdict::Accepted)?;
                Some((names.get(test.ordinal as usize)?.clone(), verdict))
            });
            let (told, met) = (told.to_owned(), run.standing == Some(Standing::Met));
            let last = Last { told, met, failed: failed.collect() };
            self.last.insert((run.run.problem.clone(), run.run.submission.clone()), last);
        }
    }
}
