//! The command line: one file for each subcommand, holding its arguments and what it does.

mod cores;
mod exit;
mod isolation;
mod notice;
mod run;
mod scratch;
mod select;
mod session;
mod surroundings;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use exit::ExitStatus;

/// Finds problems, runs their submissions on every test in a sandbox, judges them, and shows what differs.
#[derive(Debug, Parser)]
#[command(name = "grader", version, propagate_version = true, max_term_width = 110)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::RunArgs),
}

/// Parses the arguments and does what they say.
pub fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Help and version go to standard output and are a success, everything else is a usage error.
            let _ = error.print();
            let status = if error.use_stderr() { ExitStatus::Usage } else { ExitStatus::Success };
            return status.into();
        }
    };
    let result = match args.command {
        Command::Run(args) => run::run(args),
    };
    match result {
        Ok(status) => status.into(),
        Err(error) if is_broken_pipe(&error) => ExitStatus::Success.into(),
        Err(error) => {
            exit::print_error(&error);
            ExitStatus::Usage.into()
        }
    }
}

/// Whoever reads our output has seen enough: no error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    };
    error.chain().any(broken)
}
