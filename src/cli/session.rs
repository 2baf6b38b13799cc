//! One run from its first event to its exit status: the engine, the store and the reporters put together.

use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use super::cores::Cores;
use super::exit::{ExitStatus, status_of};
use super::isolation::{Slots, Wanted};
use super::notice::{notice_of, store_notice};
use super::scratch::Scratch;
use super::surroundings;
use crate::compile::toolbox::Toolbox;
use crate::config::{Jobs, Settings};
use crate::engine::{Context, Engine};
use crate::event::{Event, HostFacts, ProblemHead, RunFacts, RunFinished, RunStarted, SCHEMA, SubmissionHead};
use crate::interrupt;
use crate::language::Languages;
use crate::package::diagnostic::Diagnostic;
use crate::plan::Plan;
use crate::problem::Program;
use crate::report::jsonl::Jsonl;
use crate::report::sequence::Track;
use crate::report::terminal::{Terminal, TerminalOptions};
use crate::report::text::Paint;
use crate::report::{Recorder, Reporter};
use crate::sandbox::Isolation;
use crate::store::Store;

/// What happens within this time is told together.
const BATCH: Duration = Duration::from_millis(5);

/// What was typed about how to show a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    /// 0 is normal, negative is quiet, positive shows more.
    pub(super) verbosity: i8,
    /// The matrix of cases and submissions.
    pub(super) table: bool,
}

/// Everything that was decided before the first program runs.
pub(super) struct Session {
    /// How to show it.
    pub(super) view: View,
    /// The language named for every submission.
    pub(super) language: Option<String>,
    /// Where the command was given.
    pub(super) start: PathBuf,
    /// What is meant.
    pub(super) settings: Settings,
    /// The table of languages.
    pub(super) languages: Languages,
    /// The isolation that was asked for.
    pub(super) isolation: Wanted,
    /// Files to write JSON lines to.
    pub(super) reports: Vec<PathBuf>,
    /// Whether to colour.
    pub(super) paint: Paint,
    /// What is wrong with the problems that were meant.
    pub(super) found: Vec<Diagnostic>,
    /// What to do.
    pub(super) plan: Arc<Plan>,
}

impl Session {
    /// Runs everything, tells everybody, and returns how the process ends.
    pub(super) fn run(self) -> Result<ExitStatus> {
        let begun = Instant::now();
        let strict = self.settings.strict;
        let scratch = Scratch::new(&surroundings::scratch()).context("cannot make a scratch directory")?;
        let cores = Cores::of_this_process();
        let wanted = match self.settings.jobs {
            Jobs::Count(count) => count as usize,
            Jobs::Auto => cores.slots(),
        };
        let slots = wanted.min(self.plan.executions().max(1)).max(1);
        let Slots { isolation, sandboxes } = Slots::new(self.isolation, slots, scratch.path())?;
        let (store, notices) = Store::open(&self.settings.store_dir());
        let head = self.head(isolation, slots, cores.count());
        let mut first: Vec<Event> = vec![Event::RunStarted(head)];
        first.extend(self.found.iter().map(|found| Event::Notice(notice_of(found))));
        first.extend(notices.iter().map(|notice| Event::Notice(store_notice(&notice.to_string()))));
        let record = store.begin_run();
        let mut reporters: Vec<Box<dyn Reporter>> = vec![Box::new(self.terminal())];
        for file in &self.reports {
            let file = std::fs::File::create(file).with_context(|| format!("cannot write {}", file.display()))?;
            reporters.push(Box::new(Jsonl::new(BufWriter::new(file))));
        }
        reporters.push(Box::new(Jsonl::new(BufWriter::new(record))));
        let mut recorder = Recorder::new(tracks(&self.plan), reporters);
        let engine = Engine::new(Context {
            plan: Arc::clone(&self.plan),
            settings: self.settings,
            languages: self.languages,
            tools: Toolbox::new(surroundings::host()),
            last: store.last_run(),
            store,
            isolation,
            machine: surroundings::machine(),
            cores: cores.of_slots(slots, std::process::id() as usize),
            language: self.language,
        });
        let stopper = engine.stopper();
        let interrupted = interrupt::install(move || stopper.stop()).context("cannot install signal handlers")?;
        let told = std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let engine = &engine;
            scope.spawn(move || engine.run(sandboxes, &sender));
            let told = first.iter().try_for_each(|event| recorder.record(event));
            let told = told.and_then(|()| in_batches(receiver).try_for_each(|event| recorder.push(event)));
            // Nobody can be told any more: end what runs.
            told.inspect_err(|_| engine.stopper().stop())
        });
        // What is known is kept, also when nobody could be told.
        let store = &engine.context().store;
        store.flush();
        told?;
        for notice in store.take_notices() {
            recorder.push(Event::Notice(store_notice(&notice.to_string())))?;
        }
        let signal = interrupted.signal();
        let measured = RunFacts { wall: begun.elapsed() };
        recorder.push(Event::RunFinished(RunFinished { interrupted: signal.is_some(), measured }))?;
        let report = recorder.finish()?;
        Ok(status_of(&report, signal, strict))
    }

    fn terminal(&self) -> Terminal<io::Stdout> {
        let options = TerminalOptions {
            paint: self.paint,
            width: surroundings::width(),
            fit: surroundings::stdout_is_terminal().then(surroundings::width),
            verbosity: self.view.verbosity,
            diff: self.settings.diff,
            context: self.settings.context as usize,
            table: self.view.table,
            progress: surroundings::has_terminal() && self.view.verbosity >= 0,
            time_limit_to_tle: self.settings.time_limit_to_tle,
            strict: self.settings.strict,
            here: self.start.clone(),
        };
        Terminal::new(io::stdout(), options)
    }

    fn head(&self, isolation: Isolation, slots: usize, cores: usize) -> RunStarted {
        let again = |run: &crate::plan::PlannedRun| match &run.submission.program {
            Program::Command(command) => format!("-c {}", quote(command)),
            _ => format!("-s {}", quote(run.run.submission.as_str())),
        };
        let problems = self.plan.problems.iter().map(|planned| {
            let problem = &planned.problem;
            let limits = problem.groups.first().map(|group| self.settings.limits_for(problem, group, ""));
            let submissions = self.plan.runs[planned.runs.clone()].iter().map(|run| SubmissionHead {
                submission: run.run.submission.clone(),
                expected: run.submission.expectation.summary(),
                reference: run.reference,
                again: again(run),
            });
            ProblemHead {
                problem: problem.id.clone(),
                title: problem.title.clone(),
                time_limit: limits.map_or(self.settings.time_limit, |limits| limits.time),
                memory: limits.map_or(self.settings.memory, |limits| limits.memory),
                tests: planned.tests.len(),
                submissions: submissions.collect(),
            }
        });
        RunStarted {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            isolation: isolation.name().to_owned(),
            caveat: isolation.caveat().to_owned(),
            problems: problems.collect(),
            measured: HostFacts { started: surroundings::now(), slots, cores },
        }
    }
}

/// Events in order, taken a few milliseconds' worth at a time: to be woken for one costs more than to tell it.
fn in_batches(events: mpsc::Receiver<Event>) -> impl Iterator<Item = Event> {
    std::iter::from_fn(move || match events.try_recv() {
        Ok(event) => Some(event),
        Err(mpsc::TryRecvError::Disconnected) => None,
        Err(mpsc::TryRecvError::Empty) => {
            std::thread::sleep(BATCH);
            events.recv().ok()
        }
    })
}

/// As a shell wants it.
fn quote(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned)
}

fn tracks(plan: &Plan) -> Vec<Track> {
    let track = |run: &crate::plan::PlannedRun| Track {
        run: run.run.clone(),
        tests: plan.problems[run.problem].names.clone(),
        expectation: run.submission.expectation.clone(),
        all_tests: plan.all_tests,
    };
    plan.runs.iter().map(track).collect()
}
