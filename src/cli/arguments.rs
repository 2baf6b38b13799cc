//! Arguments that several subcommands have in common, and what all of them begin with.

mod how;
mod show;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};

use super::exit::{Ended, ExitStatus};
use super::isolation::Wanted;
use super::notice::show_diagnostics;
use super::surroundings;
use crate::compile::toolbox::{Host, Toolbox};
use crate::config::{self, ColorChoice, LanguageCheck, Options, Settings, Sources};
use crate::engine::overdue::Overdue;
use crate::engine::workbench::Workshop;
use crate::language::{Languages, TableMistake};
use crate::report::text::Paint;
use crate::sandbox::Isolation;
use crate::store::Store;

pub(super) use how::{AloneArgs, CheckerArgs, HandArgs, HowArgs, JobsArgs, LanguageArgs, read_jobs};
pub(super) use show::{Color, LookArgs, ShowArgs, terminal_options};

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
        let start = std::env::current_dir().context("cannot determine the current directory")?;
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
            overdue: Overdue::default(),
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

/// Why an argument cannot be read: what to write instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum ArgumentError {
    /// It is no time.
    #[error("write a positive time such as `2s` or `500ms`")]
    Time,
    /// It is neither a number nor `auto`.
    #[error("write a number, or `auto`")]
    Jobs,
    /// It is no factor.
    #[error("write a positive number such as `1.5`")]
    Factor,
    /// It is no factor that cannot shorten.
    #[error("write a number that is at least 1")]
    FactorFromOne,
}

/// `2s`, `500ms`, `1.5`.
pub(super) fn parse_time(text: &str) -> Result<Duration, ArgumentError> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok().map(|n| n * unit).filter(|s| *s > 0.0 && *s < 1e6);
    seconds.map(Duration::from_secs_f64).ok_or(ArgumentError::Time)
}
