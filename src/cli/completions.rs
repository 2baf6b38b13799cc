//! `grader completions`: the shell knows the commands.

use std::io::{self, Write};

use anyhow::Result;
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::cli::exit::ExitStatus;

/// Prints a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "bash: grader completions bash > ~/.local/share/bash-completion/completions/grader\n\
    zsh:  grader completions zsh > \"${fpath[1]}/_grader\"\n\
    fish: grader completions fish > ~/.config/fish/completions/grader.fish")]
pub(super) struct CompletionsArgs {
    /// Shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints, and returns how the process ends.
pub(super) fn run(args: &CompletionsArgs) -> Result<ExitStatus> {
    // Into memory first: the generator panics where the reader has gone away.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::cli::Args::command(), "grader", &mut script);
    io::stdout().write_all(&script)?;
    Ok(ExitStatus::Success)
}
