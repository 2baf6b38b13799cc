//! Arguments that several subcommands have in common, and what all of them begin with.

mod how;
mod show;

use std::time::Duration;

use anyhow::Result;

use crate::cli::console::{Console, show_notice};
use crate::cli::surroundings;
use crate::config::{ColorChoice, Options};
use crate::report::text::Paint;
use crate::workspace::Workspace;
use crate::workspace::ending::Ended;
use crate::workspace::notices::notice_of;

pub(super) use how::{AloneArgs, CheckerArgs, HandArgs, HowArgs, JobsArgs, LanguageArgs, isolation_words, read_jobs};
pub(super) use show::{Color, LookArgs, ShowArgs, terminal_options};

/// Opens the workspace. Options that a person typed outrank its configuration. Shows everything that is wrong with the
/// configuration before it fails.
pub(super) fn open(arguments: Options) -> Result<Workspace> {
    open_with(Options::default(), arguments)
}

/// The same for a command that prefers other defaults.
pub(super) fn open_with(preferred: Options, arguments: Options) -> Result<Workspace> {
    let workspace = Workspace::open_with(surroundings::around()?, preferred, arguments).map_err(|found| {
        let paint = Paint::new(surroundings::wants_colour());
        for found in &found.0 {
            show_notice(&notice_of(found), paint);
        }
        Ended::Refused
    })?;
    let console = Console::new(paint(&workspace));
    Ok(workspace.told_to(console))
}

/// Whether to colour what is printed.
pub(super) fn paint(workspace: &Workspace) -> Paint {
    Paint::new(match workspace.settings.color {
        ColorChoice::Auto => surroundings::wants_colour(),
        ColorChoice::Always => true,
        ColorChoice::Never => false,
    })
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
