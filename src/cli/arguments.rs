//! Arguments that several subcommands share, and the opening of the workspace.

mod display;
#[cfg(feature = "nats")]
mod engine;
#[cfg(not(feature = "nats"))]
#[path = "arguments/no_engine.rs"]
mod engine;
mod execution;
mod parts;

use std::time::Duration;

use anyhow::Result;

use crate::cli::console::{Console, show_notice};
use crate::cli::environment;
use crate::config::{ColorChoice, Options};
use crate::report::text::Paint;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

pub(super) use display::{Color, LookArgs, ShowArgs, terminal_options};
#[cfg(feature = "nats")]
pub(super) use engine::{BrokerArgs, ENGINE};
pub(super) use engine::{EngineArgs, PrefetchArgs};
pub(super) use execution::{
    AloneArgs, CheckerArgs, HandArgs, HowArgs, JobsArgs, LanguageArgs, ReferenceArgs, TestsetArgs, isolation_words,
    read_jobs,
};
pub(super) use parts::{PartArgs, run_part};

/// Opens the workspace. Command-line options outrank its configuration. If the configuration has errors, all of them
/// are shown before this fails.
pub(super) fn open(arguments: Options) -> Result<Workspace> {
    open_with(Options::default(), arguments)
}

/// Like `open`, for a command with other defaults.
pub(super) fn open_with(preferred: Options, arguments: Options) -> Result<Workspace> {
    let workspace = Workspace::open_with(environment::around()?, preferred, arguments).map_err(|found| {
        let paint = Paint::new(environment::wants_colour());
        for found in &found.0 {
            show_notice(&found.clone().placed_in_words(), paint);
        }
        EarlyEnd::Refused
    })?;
    let console = Console::new(paint(&workspace));
    Ok(workspace.told_to(console))
}

/// Whether to colour standard output.
pub(super) fn paint(workspace: &Workspace) -> Paint {
    Paint::new(match workspace.settings.color {
        ColorChoice::Auto => environment::wants_colour(),
        ColorChoice::Always => true,
        ColorChoice::Never => false,
    })
}

/// Errors of arguments; each message says what to write instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum ArgumentError {
    /// Not a positive time.
    #[error("write a positive time such as `2s` or `500ms`")]
    Time,
    /// Neither a positive number nor `auto`.
    #[error("write a number that is at least 1, or `auto`")]
    Jobs,
    /// Not a positive number.
    #[error("write a positive number such as `1.5`")]
    Factor,
    /// Not a number of at least 1.
    #[error("write a number that is at least 1")]
    FactorFromOne,
}

/// Parses a time such as `2s`, `500ms` or `1.5` (seconds).
pub(super) fn parse_time(text: &str) -> Result<Duration, ArgumentError> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok().map(|n| n * unit).filter(|s| *s > 0.0 && *s < 1e6);
    seconds.map(Duration::from_secs_f64).ok_or(ArgumentError::Time)
}
