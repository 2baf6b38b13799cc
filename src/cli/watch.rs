//! `grader watch`: when a file is saved, runs what it affects again.

use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use clap::Args;

use super::arguments::{HowArgs, ShowArgs, open, paint};
use crate::cli::exit::{ExitStatus, print_error};
use crate::cli::output::{clean, print, stdout};
use crate::cli::report_options::ReportArgs;
use crate::cli::view::{LiveArgs, show_statements};
use crate::compile::libraries::Libraries;
use crate::compile::projects::Project;
use crate::compile::{BuildOrder, libraries_of, project_of};
use crate::config::Options;
use crate::diagnostic::Diagnostic;
use crate::event::{Command, SubmissionIndex};
use crate::interrupt::Handlers;
use crate::plan::{Plan, PlannedSubmission};
use crate::problem::Program;
use crate::record::Reporter;
use crate::report::terminal::{Before, Terminal, TerminalOptions};
use crate::report::text::{Line, Style, count};
use crate::session::brake::Brake;
use crate::session::select::{Choice, ChosenPlan, Programs, choose};
use crate::session::{Role, Session};
use crate::view::View;
use crate::visualize::background_of;
use crate::watch::affected::{AffectedSubmissions, affected};
use crate::watch::files::{Change, Files};
use crate::watch::last_results::{Last, LastResults};
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// Grades once, and after each save grades again what the saved file affects
#[derive(Debug, Args)]
#[command(after_help = "A saved submission runs again. A saved case, checker, validator or problem.toml affects its \
    problem; grader.toml affects everything. Unchanged results come from the cache; with --no-cache every affected \
    test runs again. Submissions with unexpected results run first, starting with the tests that they failed; these results \
    appear as soon as they are known. If a submission's result changes, grader shows both: `WA → AC`. A save during a run ends that run at once.\n\ngrader \
    notices new and removed files and folders. It ignores hidden files, editor backups and its own .grader folder. \
    Ctrl-C ends it.\n\nExit status: 2 usage or configuration error at the start, 130 ended by Ctrl-C, 129/143 ended by another \
    signal.")]
pub(super) struct WatchArgs {
    /// Problems, tests, globs or paths, as for `grader run`
    selection: Vec<String>,
    /// Run only these submissions (repeatable)
    #[arg(short, long, value_name = "NAME")]
    submission: Vec<String>,
    /// Run this shell command instead of the submissions, after each save in the current directory
    #[arg(short, long, value_name = "COMMAND")]
    command: Option<String>,
    /// Run only these tests (repeatable)
    #[arg(short, long, value_name = "TEST")]
    test: Vec<String>,
    /// Run every test; otherwise each submission stops at its first failure
    #[arg(short, long, visible_alias = "no-fail-fast")]
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

/// The state between two runs.
struct Watch<'a> {
    args: &'a WatchArgs,
    last: LastResults,
    /// The page of the latest run.
    view: Option<View>,
    /// The submissions of a run that a save has ended early.
    unfinished: AffectedSubmissions,
}

/// The workspace, plan and findings for one run.
struct RunSetup {
    workspace: Workspace,
    plan: Plan,
    /// The projects with which the programs of the plan are built.
    projects: Vec<Option<Project>>,
    /// The libraries of the programs of the plan.
    libraries: Vec<Option<Libraries>>,
    found: Vec<Diagnostic>,
}

impl RunSetup {
    /// Whether a program of the plan is built with a file that is not its own.
    fn uses(&self, submission: SubmissionIndex, path: &Path) -> bool {
        self.projects[submission].as_ref().is_some_and(|project| project.uses(path))
            || self.libraries[submission].as_ref().is_some_and(|libraries| libraries.uses(path))
    }

    /// Whether a file is a program, by its name.
    fn is_source(&self, path: &Path) -> bool {
        self.workspace.languages.is_source(path)
    }
}

/// How much of a run was done.
enum Extent {
    Whole,
    Part,
}

/// A run that is due: the affected submissions, and the saved files in words. The words are empty the first time.
struct Due {
    affected: AffectedSubmissions,
    saved: String,
}

/// Watches until a signal arrives, and returns the exit status.
pub(super) fn run(args: &WatchArgs) -> Result<ExitStatus> {
    let mut chosen = read(args)?;
    let handlers = Handlers::of_this_process().context("cannot install signal handlers")?;
    let mut files = Files::new(&chosen.workspace.settings.store_dir())?;
    let view = args.live.open(&chosen.workspace, &ReportArgs::default())?;
    if let Some(view) = &view {
        let problems = chosen.plan.problems.iter().map(|planned| Arc::clone(&planned.problem)).collect();
        show_statements(view, &chosen.workspace, problems)?;
    }
    let mut watch = Watch { args, last: LastResults::default(), view, unfinished: AffectedSubmissions::default() };
    // Start watching before the run, so that changes during it are not missed.
    let mut watched = files.watch(&places(&chosen))?;
    let first = Due { affected: AffectedSubmissions::everything(&chosen.plan), saved: String::new() };
    let mut met = watch.grade_until_saved(&chosen, first, &mut files, true)?;
    loop {
        let interrupted = || ExitStatus::Interrupted(handlers.signal().unwrap_or_default());
        if handlers.signal().is_some() {
            return Ok(interrupted());
        }
        let change = if let Some(change) = met.take() {
            change
        } else {
            watch.wait_text(&chosen, watched)?;
            match files.next(handlers) {
                Some(change) => change,
                None => return Ok(interrupted()),
            }
        };
        let Some(due) = watch.due(&mut chosen, change, &mut files, handlers, &mut watched)? else {
            return Ok(interrupted());
        };
        met = watch.grade_until_saved(&chosen, due, &mut files, false)?;
    }
}

fn show(error: &anyhow::Error) {
    if error.downcast_ref::<EarlyEnd>().is_none() {
        print_error(error);
    }
}

/// Reads the configuration and the problems again.
fn read(args: &WatchArgs) -> Result<RunSetup> {
    let options = Options { all_tests: args.all_tests.then_some(true), ..args.show.add_to(args.how.options()) };
    let workspace = open(options)?.for_own_programs();
    let language = args.how.hand.language.language(&workspace.languages)?;
    let choice = Choice {
        start: &workspace.start,
        selection: &args.selection,
        submissions: &args.submission,
        tests: &args.test,
        command: args.command.as_deref(),
        output_validator: args.how.hand.checker.output_validator(&workspace.start)?,
        programs: Programs::Run(language.as_deref()),
    };
    let ChosenPlan { plan, found } = choose(&workspace, &choice)?;
    let plan = Plan { all_tests: workspace.settings.all_tests, fail_fast: true, ..plan };
    let found = [workspace.settings.warnings.clone(), found].concat();
    let languages = &workspace.languages;
    let author = &workspace.author;
    let order = |submission| order_of(&plan, submission, &workspace, language.as_deref());
    let submissions = || SubmissionIndex::each(0..plan.submissions.len());
    let projects = submissions().map(|submission| project_of(languages, author, &order(submission))).collect();
    let libraries = submissions().map(|submission| libraries_of(languages, author, &order(submission))).collect();
    Ok(RunSetup { workspace, plan, projects, libraries, found })
}

/// How a program of the plan is built.
fn order_of<'a>(
    plan: &'a Plan,
    index: SubmissionIndex,
    workspace: &Workspace,
    language: Option<&'a str>,
) -> BuildOrder<'a> {
    let PlannedSubmission { problem, submission, .. } = &plan.submissions[index];
    let problem = &plan.problems[*problem].problem;
    BuildOrder::submission(problem, submission, workspace.settings.memory).in_language(language)
}

/// The files and folders that matter, including everything in the folders.
fn places(chosen: &RunSetup) -> Vec<PathBuf> {
    let settings = &chosen.workspace.settings;
    let mut places = settings.problem_roots();
    places.push(settings.testcases_dir());
    for planned in &chosen.plan.problems {
        places.push(planned.problem.dir.clone());
        places.extend(planned.problem.groups.iter().map(|group| group.dir.clone()));
        places.extend(planned.judges().filter_map(|program| program.path()).map(PathBuf::from));
    }
    places.extend(
        chosen.plan.submissions.iter().filter_map(|planned| planned.submission.program.path()).map(PathBuf::from),
    );
    places.extend(chosen.projects.iter().flatten().filter_map(Project::top).map(Path::to_owned));
    places.extend(chosen.libraries.iter().flatten().flat_map(Libraries::places).map(Path::to_owned));
    // The files that a command reads are unknown.
    let has_command =
        chosen.plan.submissions.iter().any(|planned| matches!(planned.submission.program, Program::Command(_)));
    places.extend(has_command.then(|| chosen.workspace.start.clone()));
    places.extend(settings.file.clone());
    // Also watch the places of errors, because saving there may fix a problem.
    places.extend(chosen.found.iter().filter_map(|found| found.path.clone()));
    places
}

/// Collects the files that are saved during a run, and ends the run as soon as they affect something.
fn saved_during(args: &WatchArgs, chosen: &RunSetup, files: &mut Files, brake: &Brake) -> Option<Change> {
    let mut met: Option<Change> = None;
    // The end of the run ends the wait, also of a run that was ended here.
    while let Some(mut change) = files.collect() {
        // A command may write beside its inputs; only a saved source makes its run stale.
        if let (Change::Files(paths), true) = (&mut change, args.command.is_some()) {
            paths.retain(|path| chosen.is_source(path));
            if paths.is_empty() {
                continue;
            }
        }
        let all = match met.take() {
            Some(before) => before.and(change),
            None => change,
        };
        // A half-saved problem may be invalid. Then the run goes on, and the change is looked at again after it.
        let is_stale = brake.is_pulled() || read(args).is_ok_and(|new| !affected_by(chosen, &new, &all).is_nothing());
        met = Some(all);
        if is_stale {
            brake.pull();
        }
    }
    met
}

fn affected_by(old: &RunSetup, new: &RunSetup, change: &Change) -> AffectedSubmissions {
    let uses = |submission: SubmissionIndex, path: &Path| new.uses(submission, path);
    affected(&old.plan, &new.plan, change, new.workspace.settings.file.as_deref(), &uses)
}

/// The saved files in words, such as `accepted/sum.sh and 2 more`; paths are relative to `start`.
fn saved(change: &Change, affected: &AffectedSubmissions, start: &Path) -> String {
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
    /// Waits for changes until one of them affects something. Returns none if a signal has arrived.
    fn due(
        &mut self,
        chosen: &mut RunSetup,
        mut change: Change,
        files: &mut Files,
        handlers: &Handlers,
        watched: &mut usize,
    ) -> Result<Option<Due>> {
        loop {
            if handlers.signal().is_some() {
                return Ok(None);
            }
            files.watch(&places(chosen))?;
            match self.meant_by(chosen, &change, files, watched) {
                Ok(Some(due)) => return Ok(Some(due)),
                Ok(None) => {}
                // A half-saved problem may be invalid; the next save triggers another attempt.
                Err(error) => {
                    show(&error);
                    self.wait_text(chosen, *watched)?;
                }
            }
            match files.next(handlers) {
                Some(next) => change = next,
                None => return Ok(None),
            }
        }
    }

    /// Reads everything again, and returns what a change affects; none if that is nothing.
    fn meant_by(
        &mut self,
        chosen: &mut RunSetup,
        change: &Change,
        files: &mut Files,
        watched: &mut usize,
    ) -> Result<Option<Due>> {
        let new = read(self.args)?;
        *watched = files.watch(&places(&new)).unwrap_or(*watched);
        let mut affected = affected_by(chosen, &new, change);
        let old = std::mem::replace(chosen, new);
        let saved = saved(change, &affected, &chosen.workspace.start);
        affected.add(std::mem::take(&mut self.unfinished));
        if !affected.is_nothing() {
            return Ok(Some(Due { affected, saved }));
        }
        // Problems that can no longer be graded are reported as well.
        let is_new = |found: &&Diagnostic| !old.found.contains(found);
        let new: Vec<Diagnostic> = chosen.found.iter().filter(is_new).cloned().collect();
        chosen.workspace.tell_found(&new);
        if !new.is_empty() {
            self.wait_text(chosen, *watched)?;
        }
        Ok(None)
    }

    /// Runs what is due, and ends the run at a save that affects something. Returns what was saved during the run.
    fn grade_until_saved(
        &mut self,
        chosen: &RunSetup,
        due: Due,
        files: &mut Files,
        is_first: bool,
    ) -> Result<Option<Change>> {
        let brake = Brake::default();
        let args = self.args;
        let stopper = files.stopper();
        let (graded, met) = std::thread::scope(|scope| {
            let waiter = scope.spawn(|| saved_during(args, chosen, files, &brake));
            let graded = self.grade(chosen, &due.affected, &due.saved, &brake);
            stopper.stop();
            (graded, waiter.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        self.forget_own_changes(chosen, files);
        match graded {
            // At the start, an error ends the command. Later, the next save triggers another attempt.
            Err(error) if is_first => return Err(error),
            Err(error) => show(&error),
            Ok(Extent::Whole) => {}
            Ok(Extent::Part) => self.unfinished = due.affected,
        }
        Ok(met)
    }

    /// Runs what is affected. `saved` names the cause; it is empty the first time.
    fn grade(
        &mut self,
        chosen: &RunSetup,
        affected: &AffectedSubmissions,
        saved: &str,
        brake: &Brake,
    ) -> Result<Extent> {
        let RunSetup { workspace, plan, found, .. } = chosen;
        let language = self.args.how.hand.language.language(&workspace.languages)?;
        let plan = self.last.part(plan, affected);
        self.head(workspace, &plan, saved)?;
        if plan.submissions.is_empty() {
            workspace.tell_found(found);
            return Ok(Extent::Whole);
        }
        let session = Session::new(workspace.clone(), Role::Asked(Command::Watch), language, found.clone(), plan);
        let session = Session { options: self.args.how.again(), brake: brake.clone(), ..session }.with_time_limits()?;
        let plan = session.plan();
        let before = |last: &Last| Before { told: last.told.clone(), failed: last.failed_unexpectedly() };
        let previous = self.last.iter().map(|(key, last)| (key.clone(), before(last))).collect();
        let options = TerminalOptions { previous, ..self.args.show.terminal_options(workspace) };
        let terminal = Box::new(Terminal::new(stdout(), options));
        let names: Vec<_> =
            plan.submissions.iter().map(|planned| Arc::clone(&plan.problems[planned.problem].names)).collect();
        let mut reporters: Vec<Box<dyn Reporter>> = vec![terminal];
        reporters.extend(self.view.as_ref().map(|view| view.reporter(background_of(&session))));
        let conducted = session.conduct(reporters)?;
        self.last.remember(&conducted.report, &names);
        Ok(if conducted.report.interrupted { Extent::Part } else { Extent::Whole })
    }

    /// Ignores what a command wrote while it ran. A source that was saved meanwhile still counts.
    fn forget_own_changes(&self, chosen: &RunSetup, files: &mut Files) {
        if self.args.command.is_some() {
            files.forget(|path| chosen.is_source(path));
        }
    }

    fn wait_text(&self, chosen: &RunSetup, folders: usize) -> Result<()> {
        if self.args.show.verbosity() < 0 {
            return Ok(());
        }
        let text = format!("watching {} (Ctrl-C ends)", count(folders, "folder"));
        print(&[Line::new().with(&text, Style::FAINT)], paint(&chosen.workspace))
    }

    fn head(&self, workspace: &Workspace, plan: &Plan, saved: &str) -> Result<()> {
        if !self.args.no_clear && io::stdout().is_terminal() {
            // Clears the screen and the scrollback, and moves the cursor to the top (ECMA-48 ED, CUP).
            write!(stdout(), "\x1b[2J\x1b[3J\x1b[H")?;
        }
        if saved.is_empty() {
            return Ok(());
        }
        let runs = count(plan.submissions.len(), "submission");
        let line = Line::new().with("saved ", Style::FAINT).with(saved, Style::STRONG);
        print(&[Line::new(), line.with(&format!(": {runs}"), Style::FAINT)], paint(workspace))
    }
}
