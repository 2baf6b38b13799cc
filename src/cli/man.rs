//! `grader man`: writes manual pages, for packagers.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;

use super::exit::ExitStatus;
use super::output::stdout;

/// Prints the manual page, or writes the pages of all commands into a directory
#[derive(Debug, Args)]
#[command(hide = true, after_help = "Without a directory: grader man | man -l -")]
pub(super) struct ManArgs {
    /// Directory for grader.1, grader-run.1 and the other pages; grader creates it
    dir: Option<PathBuf>,
}

/// Writes the pages and returns the exit status.
pub(super) fn run(args: &ManArgs) -> Result<ExitStatus> {
    let command = super::command();
    if let Some(dir) = &args.dir {
        let write = || {
            std::fs::create_dir_all(dir)?;
            clap_mangen::generate_to(command, dir)
        };
        write().with_context(|| format!("cannot write manual pages to {}", dir.display()))?;
    } else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        stdout().write_all(&page)?;
    }
    Ok(ExitStatus::Success)
}
