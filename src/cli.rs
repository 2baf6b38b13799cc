//! The command line: one file for each subcommand, holding its arguments and what it does.

mod accept;
mod add;
mod arguments;
mod cache;
mod cases;
mod compare;
mod completions;
mod config;
mod console;
mod doctor;
mod exit;
mod generate;
mod history;
mod judge;
mod list;
mod new;
mod output;
mod remove;
mod report;
mod reports;
mod rerun;
mod run;
mod stress;
mod surroundings;
mod time_limit;
mod verify;
mod watch;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser, Subcommand};

use crate::interrupt;
use crate::report::text::{Whitespace, escape};
use crate::sandbox::settle_process;
use crate::workspace::ending::Ended;

pub use exit::ExitStatus;

/// Judges programming contest submissions in a sandbox and explains every failure.
#[derive(Debug, Parser)]
#[command(name = "grader", version, propagate_version = true, max_term_width = 110)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(Box<run::RunArgs>),
    Watch(Box<watch::WatchArgs>),
    Rerun(Box<rerun::RerunArgs>),
    Judge(Box<judge::JudgeArgs>),
    Check(Box<judge::CheckArgs>),
    New(new::NewArgs),
    Add(Box<add::AddArgs>),
    Accept(Box<accept::AcceptArgs>),
    Remove(remove::RemoveArgs),
    Rename(remove::RenameArgs),
    #[command(name = "gen")]
    Generate(Box<generate::GenerateArgs>),
    Stress(Box<stress::StressArgs>),
    Verify(Box<verify::VerifyArgs>),
    TimeLimit(Box<time_limit::TimeLimitArgs>),
    List(list::ListArgs),
    Report(Box<report::StoredArgs>),
    History(history::HistoryArgs),
    Compare(compare::CompareArgs),
    Config(config::ConfigArgs),
    Cache(cache::CacheArgs),
    Doctor(doctor::DoctorArgs),
    Completions(completions::CompletionsArgs),
}

/// What a program is ended by whose reader went away.
const SIGPIPE: i32 = 13;

/// Parses the arguments and does what they say.
pub fn main() -> ExitCode {
    // Before anything else: with less stack not even the arguments can be read.
    if let Err(low) = settle_process() {
        exit::print_error(&crate::session::hard_limits::told(&low));
        return ExitStatus::Usage.into();
    }
    surroundings::settle_temp_dir();
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) if error.kind() == ErrorKind::InvalidUtf8 => {
            exit::print_error(&unreadable_words());
            return ExitStatus::Usage.into();
        }
        Err(error) => {
            // Help and version go to standard output and are a success, everything else is a usage error.
            // There is nobody else to tell that nobody can be told.
            let _ = error.print();
            let status = if error.use_stderr() { ExitStatus::Usage } else { ExitStatus::Success };
            return status.into();
        }
    };
    match dispatch(args.command) {
        Ok(status) => status.into(),
        // What it would have found is not known: nobody may take it for a success.
        Err(error) if is_broken_pipe(&error) => ExitStatus::Interrupted(SIGPIPE).into(),
        Err(error) => {
            interrupt::leave_the_end_to_it();
            if let Some(ended) = error.downcast_ref::<Ended>() {
                return ExitStatus::from(*ended).into();
            }
            exit::print_error(&error);
            ExitStatus::Usage.into()
        }
    }
}

fn dispatch(command: Command) -> anyhow::Result<ExitStatus> {
    match command {
        Command::Run(args) => run::run(&args),
        Command::Judge(args) => judge::run(&args),
        Command::Check(args) => judge::check(&args),
        Command::Verify(args) => verify::run(&args),
        Command::TimeLimit(args) => time_limit::run(&args),
        Command::New(args) => new::run(&args),
        Command::Add(args) => add::run(&args),
        Command::Accept(args) => accept::run(&args),
        Command::Remove(args) => remove::run(&args),
        Command::Rename(args) => remove::rename(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Stress(args) => stress::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Rerun(args) => rerun::run(&args),
        Command::Report(args) => report::run(&args),
        Command::History(args) => history::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::List(args) => list::run(&args),
        Command::Config(args) => config::run(&args),
        Command::Cache(args) => cache::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Completions(args) => completions::run(&args),
    }
}

/// Names the words that are no text: a shell's `*` may bring them.
fn unreadable_words() -> anyhow::Error {
    let words = std::env::args_os().skip(1).filter(|word| word.to_str().is_none());
    let shown: Vec<String> =
        words.map(|word| format!("`{}`", escape(word.as_encoded_bytes(), Whitespace::Inline))).collect();
    anyhow::anyhow!("not UTF-8: {}\n  → name the folder that it is in, or rename it", shown.join(", "))
}

/// Whether there is a subcommand of this name.
fn knows(name: &str) -> bool {
    Args::command().find_subcommand(name).is_some()
}

/// Does what a command line says that another subcommand has offered.
fn again(words: &[String]) -> anyhow::Result<ExitStatus> {
    dispatch(Args::try_parse_from(words)?.command)
}

/// Whoever reads our output has seen enough: no error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    };
    error.chain().any(broken)
}
