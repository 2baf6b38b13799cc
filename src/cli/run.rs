//! `grader run`: my set, as labelled.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::exit::{ExitStatus, status_of};
use super::select::{Choice, Chosen, choose};
use super::surroundings;
use crate::compile::toolbox::Toolbox;
use crate::config::{self, ColorChoice, DiffStyle, Jobs, Options, Settings, Sources};
use crate::engine::{Context, Engine};
use crate::event::{
    Event, HostFacts, Notice, ProblemHead, RunFacts, RunFinished, RunStarted, SCHEMA, Severity, SubmissionHead,
};
use crate::interrupt;
use crate::language::Languages;
use crate::package::diagnostic::{self, Diagnostic};
use crate::plan::Plan;
use crate::problem::{Checker, Program};
use crate::report::jsonl::Jsonl;
use crate::report::sequence::Track;
use crate::report::terminal::{Terminal, TerminalOptions, notice_lines};
use crate::report::text::Paint;
use crate::report::{Recorder, Reporter};
use crate::sandbox::{Isolation, Sandbox, Slot};
use crate::store::Store;

/// What happens within this time is told together.
const BATCH: Duration = Duration::from_millis(5);

/// Grades problems: every submission on every test, checked against what its author expects
#[derive(Debug, Args)]
#[command(
    after_help = "A selection is a problem (`nine`), a test (`nine/sample/01`), a prefix (`nine/secret/0`), a glob \
    (`dirac-*`) or a path of a problem's folder. Without one, everything below the roots of grader.toml is graded, or \
    the folder one stands in.\n\nExit status: 0 as expected, 1 something unexpected, 2 usage, configuration or problem \
    error, or nothing judged, 3 judge error, 130/143 interrupted."
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct RunArgs {
    /// Problems, tests, globs or paths
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
    /// How many programs run at once [default: one for each core]
    #[arg(short, long, value_name = "N")]
    jobs: Option<u32>,
    /// Run every test, whatever fails before it
    #[arg(short, long, alias = "no-fail-fast")]
    all_tests: bool,
    /// Show which case fails which submission
    #[arg(long)]
    table: bool,
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
    /// Write a report: `jsonl=FILE`
    #[arg(long, value_name = "KIND=FILE")]
    report: Vec<String>,
    /// The cpu time limit, instead of the problem's own: `2s`, `500ms`, `1.5`
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time_limit: Option<Duration>,
    /// Multiply every time limit
    #[arg(long, value_name = "FACTOR", value_parser = parse_factor)]
    time_factor: Option<f64>,
    /// Run every test N times
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: Option<u32>,
    /// How outputs are compared: `tokens`, `exact`, `float=1e-6`, flags, or the path of an output validator
    #[arg(long, value_name = "CHECKER")]
    checker: Option<String>,
    /// The language of every submission, instead of detecting it
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<String>,
    /// Use no results or builds of earlier runs
    #[arg(long)]
    no_cache: bool,
    /// When to colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
    /// How a wrong output is shown
    #[arg(long, value_name = "STYLE", value_enum)]
    diff: Option<Diff>,
    /// Lines shown around a difference
    #[arg(long, value_name = "N")]
    context: Option<u32>,
    /// Not judged and warnings count as failures
    #[arg(long)]
    strict: bool,
    /// How programs are walled off
    #[arg(long, value_name = "MODE")]
    isolation: Option<String>,
    /// Show only what is not as expected
    #[arg(short, long)]
    quiet: bool,
    /// Show more; twice for even more
    #[arg(short, long, action = clap::ArgAction::Count)]
    verbose: u8,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Diff {
    Auto,
    Unified,
    SideBySide,
    None,
}

/// `2s`, `500ms`, `1.5`.
fn parse_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok().map(|n| n * unit).filter(|s| *s > 0.0 && *s < 1e6);
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "write a positive time such as `2s` or `500ms`".to_owned())
}

fn parse_factor(text: &str) -> Result<f64, String> {
    let factor = text.parse::<f64>().ok().filter(|factor| *factor > 0.0 && factor.is_finite());
    factor.ok_or_else(|| "write a positive number such as `1.5`".to_owned())
}

/// Runs, and returns how the process ends.
pub(super) fn run(args: RunArgs) -> Result<ExitStatus> {
    let start = std::env::current_dir().context("cannot tell the current directory")?;
    let settings = match settings(&args, &start) {
        Ok(settings) => settings,
        Err(found) => {
            show_diagnostics(&found, Paint::new(surroundings::wants_colour()));
            return Ok(ExitStatus::Usage);
        }
    };
    let languages = languages(&settings)?;
    if let Some(language) = &args.lang
        && languages.get(language).is_none()
    {
        let hint = languages.suggest(language).map(|id| format!("; did you mean `{id}`?")).unwrap_or_default();
        bail!("unknown language `{language}`{hint}");
    }
    let isolation = isolation(&settings)?;
    let reports = report_files(&args.report)?;
    let paint = paint(&settings);
    let choice = Choice {
        start: &start,
        selection: &args.selection,
        submissions: &args.submission,
        tests: &args.test,
        command: args.command.as_deref(),
        output_validator: program_of_checker(&args, &start)?,
    };
    let Chosen { plan, found } = choose(&settings, &languages, &choice)?;
    let found = [settings.warnings.clone(), found].concat();
    if plan.problems.is_empty() {
        show_diagnostics(&found, paint);
        if !found.iter().any(Diagnostic::is_error) {
            bail!(
                "nothing to grade here: no problem was found\n  → stand in a folder with a solver and `.in` files, or below a grader.toml"
            );
        }
        return Ok(ExitStatus::Usage);
    }
    let plan = Plan { all_tests: settings.all_tests, ..plan };
    if args.dry_run {
        show_diagnostics(&found, paint);
        dry_run(&plan)?;
        return Ok(ExitStatus::Success);
    }
    let session = Session { args, start, settings, languages, isolation, reports, paint, found, plan: Arc::new(plan) };
    session.run()
}

/// Everything that was decided before the first program runs.
struct Session {
    args: RunArgs,
    start: PathBuf,
    settings: Settings,
    languages: Languages,
    isolation: Isolation,
    reports: Vec<PathBuf>,
    paint: Paint,
    found: Vec<Diagnostic>,
    plan: Arc<Plan>,
}

impl Session {
    fn run(self) -> Result<ExitStatus> {
        let begun = Instant::now();
        let strict = self.settings.strict;
        let scratch = tempfile::Builder::new()
            .prefix("grader-")
            .tempdir_in(surroundings::scratch())
            .context("cannot make a scratch directory")?;
        let cores = surroundings::cores();
        let wanted = match self.settings.jobs {
            Jobs::Count(count) => count as usize,
            Jobs::Auto => cores,
        };
        let slots = wanted.min(self.plan.executions().max(1)).max(1);
        let sandboxes = sandboxes(slots, scratch.path())?;
        let (store, notices) = Store::open(&self.settings.store_dir());
        let head = self.head(slots, cores);
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
            isolation: self.isolation,
            machine: surroundings::machine(),
            language: self.args.lang,
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
        // The signal thread keeps the engine alive, and with it the store: nothing may wait for its end.
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
        let verbosity = if self.args.quiet { -1 } else { i8::try_from(self.args.verbose).unwrap_or(i8::MAX) };
        let options = TerminalOptions {
            paint: self.paint,
            width: surroundings::width(),
            verbosity,
            diff: self.settings.diff,
            context: self.settings.context as usize,
            table: self.args.table,
            progress: surroundings::has_terminal() && !self.args.quiet,
            time_limit_to_tle: self.settings.time_limit_to_tle,
            strict: self.settings.strict,
            here: self.start.clone(),
        };
        Terminal::new(io::stdout(), options)
    }

    fn head(&self, slots: usize, cores: usize) -> RunStarted {
        let again = |run: &crate::plan::PlannedRun| match (&run.submission.program, &self.args.command) {
            (Program::Command(_), Some(command)) => format!("-c {}", quote(command)),
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
            isolation: self.isolation.name().to_owned(),
            caveat: self.isolation.caveat().to_owned(),
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

fn sandboxes(slots: usize, scratch: &Path) -> Result<Vec<Box<dyn Sandbox>>> {
    let binary = std::env::current_exe().context("cannot find the grader's own program")?;
    let slot =
        |n: usize| -> Result<Box<dyn Sandbox>> { Ok(Box::new(Slot::new(&binary, &scratch.join(format!("slot{n}")))?)) };
    (0..slots).map(slot).collect()
}

fn settings(args: &RunArgs, start: &Path) -> Result<Settings, Vec<Diagnostic>> {
    let checker = args.checker.as_deref().and_then(|text| text.parse::<Checker>().ok());
    let arguments = Options {
        jobs: args.jobs.map(|jobs| if jobs == 0 { Jobs::Auto } else { Jobs::Count(jobs) }),
        isolation: args.isolation.clone(),
        color: args.color.map(|color| match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        }),
        diff: args.diff.map(|diff| match diff {
            Diff::Auto => DiffStyle::Auto,
            Diff::Unified => DiffStyle::Unified,
            Diff::SideBySide => DiffStyle::SideBySide,
            Diff::None => DiffStyle::None,
        }),
        context: args.context,
        strict: args.strict.then_some(true),
        cache: args.no_cache.then_some(false),
        checker,
        repeat: args.repeat,
        all_tests: args.all_tests.then_some(true),
        time_factor: args.time_factor,
        time_limit: args.time_limit,
        ..Options::default()
    };
    let environment = std::env::vars_os().collect();
    config::load(Sources { start: start.to_owned(), environment, arguments, ..Sources::default() })
}

/// The built-in table with what `grader.toml` says.
fn languages(settings: &Settings) -> Result<Languages> {
    let origin = settings.file.as_deref().map(|file| file.display().to_string()).unwrap_or_default();
    Ok(Languages::builtin().with_overrides(&settings.languages.table, &origin)?)
}

fn isolation(settings: &Settings) -> Result<Isolation> {
    match settings.isolation.as_str() {
        "auto" | "none" => Ok(Isolation::None),
        "root" | "user" | "weak" => {
            bail!("isolation `{}` is not available in this version; use `auto`", settings.isolation)
        }
        other => bail!("unknown isolation `{other}`; use `auto` or `none`"),
    }
}

fn paint(settings: &Settings) -> Paint {
    Paint::new(match settings.color {
        ColorChoice::Auto => surroundings::wants_colour(),
        ColorChoice::Always => true,
        ColorChoice::Never => false,
    })
}

/// The files of `--report jsonl=FILE`.
fn report_files(reports: &[String]) -> Result<Vec<PathBuf>> {
    let parse = |report: &String| match report.split_once('=') {
        Some(("jsonl", file)) if !file.is_empty() => Ok(PathBuf::from(file)),
        Some((kind, _)) if kind != "jsonl" => bail!("unknown report `{kind}`; known is `jsonl`"),
        _ => bail!("`--report {report}` needs a kind and a file: `--report jsonl=FILE`"),
    };
    reports.iter().map(parse).collect()
}

/// `--checker PROGRAM`: a file or directory that exists, where it is no built-in checker.
fn program_of_checker(args: &RunArgs, start: &Path) -> Result<Option<PathBuf>> {
    let Some(text) = &args.checker else { return Ok(None) };
    match text.parse::<Checker>() {
        Ok(_) => Ok(None),
        Err(_) if start.join(text).exists() => Ok(Some(start.join(text))),
        Err(error) => bail!("`--checker {text}`: {error}; and there is no such program"),
    }
}

fn notice_of(found: &Diagnostic) -> Notice {
    let place = match (found.line, found.column) {
        (Some(line), Some(column)) => format!("line {line}, column {column}: "),
        (Some(line), None) => format!("line {line}: "),
        _ => String::new(),
    };
    Notice {
        severity: match found.severity {
            diagnostic::Severity::Warning => Severity::Warning,
            diagnostic::Severity::Error => Severity::Error,
        },
        problem: found.problem.clone(),
        path: Some(found.path.clone()),
        message: format!("{place}{}", found.message),
        remedy: found.remedy.clone().unwrap_or_default(),
    }
}

fn store_notice(text: &str) -> Notice {
    Notice { severity: Severity::Info, problem: None, path: None, message: text.to_owned(), remedy: String::new() }
}

fn show_diagnostics(found: &[Diagnostic], paint: Paint) {
    let mut err = io::stderr().lock();
    for found in found {
        for line in notice_lines(&notice_of(found)) {
            let _ = writeln!(err, "{}", line.render(paint));
        }
    }
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
