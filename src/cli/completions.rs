//! `grader completions`: prints a shell's completion script.

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

/// Prints the script and returns the exit status.
pub(super) fn run(args: &CompletionsArgs) -> Result<ExitStatus> {
    // Written to memory first, because the generator panics if the reader has closed the pipe.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::cli::Args::command(), "grader", &mut script);
    io::stdout().write_all(&script)?;
    Ok(ExitStatus::Success)
}
