//! `grader run`: my set, as labelled.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::exit::ExitStatus;
use super::isolation::Wanted;
use super::notice::show_diagnostics;
use super::select::{Choice, Chosen, choose};
use super::session::{Session, View};
use super::surroundings;
use crate::config::{self, ColorChoice, DiffStyle, Jobs, Options, Settings, Sources};
use crate::language::Languages;
use crate::package::diagnostic::Diagnostic;
use crate::plan::Plan;
use crate::problem::Checker;
use crate::report::text::Paint;

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
    /// How many programs run at once [default: one for each physical core, less one where there are more than two]
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
    /// How programs are walled off: auto, root, user, weak or none
    #[arg(long, value_name = "MODE")]
    isolation: Option<String>,
    /// Show only what is not as expected
    #[arg(short, long)]
    quiet: bool,
    /// Show everything: cached rows, remarks, every failure in full
    #[arg(short, long, action = clap::ArgAction::Count)]
    verbose: u8,
}

/// When to colour.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::Always,
            Color::Never => Self::Never,
        }
    }
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
    let mut settings = match settings(&args, &start) {
        Ok(settings) => settings,
        Err(found) => {
            show_diagnostics(&found, Paint::new(surroundings::wants_colour()));
            return Ok(ExitStatus::Usage);
        }
    };
    let languages = languages(&settings)?;
    settings.languages.name_limits(|word| languages.id_of(word));
    if let Some(language) = &args.lang
        && languages.get(language).is_none()
    {
        let hint = languages.suggest(language).map(|id| format!("; did you mean `{id}`?")).unwrap_or_default();
        bail!("unknown language `{language}`{hint}");
    }
    let isolation = Wanted::of(&settings)?;
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
    let verbosity = if args.quiet { -1 } else { i8::try_from(args.verbose).unwrap_or(i8::MAX) };
    let view = View { verbosity, table: args.table };
    let (plan, language) = (Arc::new(plan), args.lang);
    let session = Session { view, language, start, settings, languages, isolation, reports, paint, found, plan };
    session.run()
}

fn settings(args: &RunArgs, start: &Path) -> Result<Settings, Vec<Diagnostic>> {
    let checker = args.checker.as_deref().and_then(|text| text.parse::<Checker>().ok());
    let arguments = Options {
        jobs: args.jobs.map(|jobs| if jobs == 0 { Jobs::Auto } else { Jobs::Count(jobs) }),
        isolation: args.isolation.clone(),
        color: args.color.map(Into::into),
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
pub(super) fn languages(settings: &Settings) -> Result<Languages> {
    let origin = settings.file.as_deref().map(|file| file.display().to_string()).unwrap_or_default();
    Ok(Languages::builtin().with_overrides(&settings.languages.table, &origin)?)
}

/// Whether to colour what is printed.
pub(super) fn paint(settings: &Settings) -> Paint {
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
