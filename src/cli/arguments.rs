//! Arguments that several subcommands have in common, and what all of them begin with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;

use super::exit::{Ended, ExitStatus};
use super::isolation::{Wanted, isolation_words};
use super::notice::show_diagnostics;
use super::surroundings;
use crate::compile::toolbox::{Host, Toolbox};
use crate::config::{
    self, ColorChoice, DiffStyle, IsolationChoice, Jobs, JudgeChoice, LanguageCheck, Options, Settings, Sources,
};
use crate::engine::workbench::Workshop;
use crate::language::{Languages, TableMistake};
use crate::problem::Checker;
use crate::report::terminal::TerminalOptions;
use crate::report::text::Paint;
use crate::ruleset::Ruleset;
use crate::sandbox::Isolation;
use crate::store::Store;

/// How programs are run and judged.
#[derive(Debug, Default, Args)]
pub(super) struct HowArgs {
    /// How many programs run at once [default: one for each physical core, less one where there are more than two]
    #[arg(short, long, value_name = "N")]
    jobs: Option<u32>,
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
    /// Whose rules hold where judges differ; `all` lists where they would [default: the judge that a package is for]
    #[arg(long = "as", value_name = "JUDGE", value_enum)]
    judge: Option<Judge>,
    /// The language of every submission, instead of detecting it
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<String>,
    /// Use no results or builds of earlier runs
    #[arg(long)]
    no_cache: bool,
    /// How programs are walled off: auto, root, user, weak or none
    #[arg(long, value_name = "MODE", value_parser = isolation_words())]
    isolation: Option<IsolationChoice>,
}

/// How programs are run that are no submissions: neither limits nor checkers of problems are theirs.
#[derive(Debug, Default, Args)]
pub(super) struct AloneArgs {
    /// Use no results or builds of earlier runs
    #[arg(long)]
    no_cache: bool,
    /// How programs are walled off: auto, root, user, weak or none
    #[arg(long, value_name = "MODE", value_parser = isolation_words())]
    isolation: Option<IsolationChoice>,
}

impl AloneArgs {
    /// The settings that were typed.
    pub(super) fn options(&self) -> Options {
        Options { isolation: self.isolation, cache: self.no_cache.then_some(false), ..Options::default() }
    }
}

/// How results are shown.
#[derive(Debug, Default, Args)]
pub(super) struct ShowArgs {
    /// When to colour
    #[arg(long, value_name = "WHEN", value_enum)]
    pub(super) color: Option<Color>,
    /// How a wrong output is shown
    #[arg(long, value_name = "STYLE", value_enum)]
    diff: Option<Diff>,
    /// Lines shown around a difference
    #[arg(long, value_name = "N")]
    context: Option<u32>,
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

/// Whose rules hold.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Judge {
    Icpc,
    Kattis,
    Domjudge,
    All,
}

impl From<Judge> for JudgeChoice {
    fn from(judge: Judge) -> Self {
        match judge {
            Judge::Icpc => Self::As(Ruleset::Icpc),
            Judge::Kattis => Self::As(Ruleset::Kattis),
            Judge::Domjudge => Self::As(Ruleset::Domjudge),
            Judge::All => Self::All,
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

impl From<Diff> for DiffStyle {
    fn from(diff: Diff) -> Self {
        match diff {
            Diff::Auto => Self::Auto,
            Diff::Unified => Self::Unified,
            Diff::SideBySide => Self::SideBySide,
            Diff::None => Self::None,
        }
    }
}

impl HowArgs {
    /// The settings that were typed.
    pub(super) fn options(&self) -> Options {
        Options {
            jobs: self.jobs.map(|jobs| if jobs == 0 { Jobs::Auto } else { Jobs::Count(jobs) }),
            isolation: self.isolation,
            cache: self.no_cache.then_some(false),
            checker: self.checker.as_deref().and_then(|text| text.parse::<Checker>().ok()),
            judge: self.judge.map(Into::into),
            repeat: self.repeat,
            time_factor: self.time_factor,
            time_limit: self.time_limit,
            ..Options::default()
        }
    }

    /// `--checker PROGRAM`: a file or directory that exists, where it is no built-in checker.
    pub(super) fn output_validator(&self, start: &Path) -> Result<Option<PathBuf>> {
        let Some(text) = &self.checker else { return Ok(None) };
        match text.parse::<Checker>() {
            Ok(_) => Ok(None),
            Err(_) if start.join(text).exists() => Ok(Some(start.join(text))),
            Err(error) => bail!("`--checker {text}`: {error}; and there is no such program"),
        }
    }

    /// `--lang`, where there is such a language.
    pub(super) fn language(&self, languages: &Languages) -> Result<Option<String>> {
        match &self.lang {
            Some(language) if languages.get(language).is_none() => {
                let hint = languages.suggest(language).map(|id| format!("; did you mean `{id}`?")).unwrap_or_default();
                bail!("unknown language `{language}`{hint}");
            }
            wanted => Ok(wanted.clone()),
        }
    }
}

impl ShowArgs {
    /// Adds the settings that were typed.
    pub(super) fn add_to(&self, options: Options) -> Options {
        let (color, diff) = (self.color.map(Into::into), self.diff.map(Into::into));
        Options { color, diff, context: self.context, ..options }
    }

    /// 0 is normal, negative is quiet, positive shows more.
    pub(super) fn verbosity(&self) -> i8 {
        if self.quiet { -1 } else { i8::try_from(self.verbose).unwrap_or(i8::MAX) }
    }

    /// How the person who typed this wants to see a run.
    pub(super) fn terminal_options(&self, setup: &Setup) -> TerminalOptions {
        let settings = &setup.settings;
        TerminalOptions {
            paint: setup.paint,
            width: surroundings::width(),
            fit: surroundings::stdout_is_terminal().then(surroundings::width),
            verbosity: self.verbosity(),
            diff: settings.diff,
            context: settings.context as usize,
            table: false,
            every_judge: settings.judge == JudgeChoice::All,
            class: false,
            progress: surroundings::has_terminal() && self.verbosity() >= 0,
            time_limit_to_tle: settings.time_limit_to_tle,
            strict: settings.strict,
            here: setup.start.clone(),
            previous: BTreeMap::new(),
        }
    }
}

/// What every command begins with that has to do with problems.
#[derive(Clone)]
pub(super) struct Setup {
    /// Where the command was given.
    pub(super) start: PathBuf,
    /// What is meant.
    pub(super) settings: Settings,
    /// The table of languages.
    pub(super) languages: Languages,
    /// The isolation that was asked for.
    pub(super) isolation: Wanted,
    /// Whether to colour.
    pub(super) paint: Paint,
}

impl Setup {
    /// Reads the configuration, with what was typed above it. What is wrong with it is shown before this fails.
    pub(super) fn new(arguments: Options) -> Result<Self> {
        Self::with_defaults(Options::default(), arguments)
    }

    /// The same for a command that prefers other defaults.
    pub(super) fn with_defaults(command: Options, arguments: Options) -> Result<Self> {
        let start = std::env::current_dir().context("cannot tell the current directory")?;
        let environment = std::env::vars_os().collect();
        let check_languages: Option<LanguageCheck> = Some(mistakes_in_languages);
        let sources =
            Sources { start: start.clone(), check_languages, environment, command, arguments, ..Sources::default() };
        let mut settings = match config::load(sources) {
            Ok(settings) => settings,
            Err(found) => {
                show_diagnostics(&found, Paint::new(surroundings::wants_colour()));
                return Err(Ended(ExitStatus::Usage).into());
            }
        };
        let overlaid = Languages::builtin().with_overrides(&settings.languages.table);
        // It was checked when it was read.
        let said =
            |mistakes: Vec<TableMistake>| mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        let languages = overlaid.map_err(|mistakes| anyhow!("{}", said(mistakes)))?;
        settings.languages.name_limits(|word| languages.id_of(word));
        let paint = Paint::new(match settings.color {
            ColorChoice::Auto => surroundings::wants_colour(),
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        });
        let isolation = Wanted::from(settings.isolation);
        Ok(Self { start, settings, languages, isolation, paint })
    }

    /// What programs are built, run and judged with.
    pub(super) fn workshop(&self, store: Store, isolation: Isolation) -> Workshop {
        let host = Host { private: vec![self.settings.base.clone()], ..surroundings::host() };
        Workshop {
            settings: self.settings.clone(),
            languages: self.languages.clone(),
            tools: Toolbox::new(host),
            store,
            isolation,
            machine: surroundings::machine(),
        }
    }
}

/// What is wrong with a table `[language]`.
fn mistakes_in_languages(table: &toml::Table) -> Vec<(Vec<String>, String)> {
    let mistakes = Languages::builtin().with_overrides(table).err().unwrap_or_default();
    mistakes.into_iter().map(|mistake| (mistake.path, mistake.message)).collect()
}

/// `2s`, `500ms`, `1.5`.
pub(super) fn parse_time(text: &str) -> Result<Duration, String> {
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
