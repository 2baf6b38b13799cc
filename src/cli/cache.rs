//! `grader cache`: shows the size of the cache, or clears it.

use anyhow::{Result, bail};
use clap::{Args, Subcommand};

use super::arguments::{open, paint};
use crate::cli::exit::ExitStatus;
use crate::cli::output::{Format, clean, print, print_json};
use crate::config::Options;
use crate::limits::Bytes;
use crate::report::text::{Line, Paint, Style, pad};
use crate::store::{DEFAULT_CAP, Size, Store};
use crate::workspace::notices::store_notice;

/// Shows the size of the cache, or clears it
#[derive(Debug, Args)]
#[command(
    after_help = "The cache contains compiled programs and results of earlier runs. Clearing it never changes a \
    result; the next run only takes longer. The records of runs (`grader history`) and the files of the last run's \
    failures are not part of the cache and stay.\n\nExit status: 0, or 2 if it cannot be cleared, for example while \
    another grader uses it."
)]
pub(super) struct CacheArgs {
    #[command(subcommand)]
    command: Option<CacheCommand>,
}

#[derive(Debug, Subcommand)]
enum CacheCommand {
    /// Show the size of its content in bytes (the default)
    Size {
        /// Choose the output format
        #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
        format: Format,
    },
    /// Remove compiled programs and results
    Clear,
}

/// Shows or clears the cache and returns the exit status.
pub(super) fn run(args: &CacheArgs) -> Result<ExitStatus> {
    let workspace = open(Options::default())?;
    let dir = workspace.settings.store_dir();
    let shown = clean(&dir.display().to_string());
    // Opening a store would create it; showing its size must not.
    if !dir.is_dir() {
        match args.command {
            Some(CacheCommand::Size { format: Format::Json }) => print_json(&Size::default())?,
            _ => print(
                &[Line::from(format!("there is no {shown}: grader has saved nothing yet").as_str())],
                paint(&workspace),
            )?,
        }
        return Ok(ExitStatus::Success);
    }
    let (store, notices) = Store::open(&dir);
    for notice in &notices {
        workspace.tell(&store_notice(notice));
    }
    if !store.is_enabled() {
        bail!("{shown} cannot be used");
    }
    let size = store.size();
    match args.command {
        None | Some(CacheCommand::Size { format: Format::Text }) => show(&shown, &size, paint(&workspace))?,
        Some(CacheCommand::Size { format: Format::Json }) => print_json(&size)?,
        Some(CacheCommand::Clear) => {
            store.clear()?;
            let freed = Bytes(cached(&size).0.saturating_sub(cached(&store.size()).0));
            print(&[Line::from(format!("cleared {shown}/cache: {freed} freed").as_str())], paint(&workspace))?;
        }
    }
    Ok(ExitStatus::Success)
}

fn cached(size: &Size) -> Bytes {
    Bytes(size.artifacts.0 + size.outcomes.0 + size.index.0)
}

fn show(dir: &str, size: &Size, paint: Paint) -> Result<()> {
    let row = |name: &str, bytes: Bytes, what: &str| {
        let text = format!("  {}{:>10}", pad(name, 10), bytes.to_string());
        Line::from(text.as_str()).with(&format!("  {what}"), Style::FAINT)
    };
    let lines = [
        Line::new().with(dir, Style::STRONG),
        row("artifacts", size.artifacts, "compiled programs"),
        row("outcomes", size.outcomes, "results"),
        row("index", size.index, "where they are"),
        row("cache", cached(size), &format!("the three together; grader keeps them below {DEFAULT_CAP}")),
        row("runs", size.runs, "records of runs: not part of the cache, see `grader history`"),
        row("last", size.last, "files of the last run's failures: not part of the cache"),
    ];
    print(&lines, paint)
}
