//! The command line: each subcommand has a file with its arguments and its code.

mod accept;
mod add;
mod arguments;
mod cache;
mod cases;
mod compare;
mod completions;
mod config;
mod confirm;
mod console;
mod doctor;
#[cfg(feature = "nats")]
mod engine;
mod environment;
mod examples;
mod exit;
mod generate;
mod history;
mod import;
mod judge;
mod list;
mod man;
mod merge;
mod mistakes;
mod new;
mod output;
mod plan;
mod remove;
mod report;
mod report_options;
mod rerun;
mod run;
mod stress;
mod time_limit;
mod verify;
mod view;
mod visualize;
mod watch;
#[cfg(feature = "nats")]
mod worker;

use std::io::Write as _;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::interrupt;
use crate::report::text::{Screen, Whitespace, escape};
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
    Import(import::ImportArgs),
    Add(Box<add::AddArgs>),
    Accept(Box<accept::AcceptArgs>),
    Remove(remove::RemoveArgs),
    Rename(remove::RenameArgs),
    #[command(name = "gen")]
    Generate(Box<generate::GenerateArgs>),
    Stress(Box<stress::StressArgs>),
    Verify(Box<verify::VerifyArgs>),
    TimeLimit(Box<time_limit::TimeLimitArgs>),
    Plan(plan::PlanArgs),
    Merge(merge::MergeArgs),
    #[cfg(feature = "nats")]
    Worker(worker::WorkerArgs),
    #[cfg(feature = "nats")]
    Engine(engine::EngineArgs),
    #[cfg(feature = "nats")]
    Attach(engine::AttachArgs),
    List(list::ListArgs),
    Report(Box<report::StoredArgs>),
    View(view::ViewArgs),
    Visualize(Box<visualize::VisualizeArgs>),
    History(history::HistoryArgs),
    Compare(compare::CompareArgs),
    Config(config::ConfigArgs),
    Cache(cache::CacheArgs),
    Doctor(doctor::DoctorArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// The signal that ends a program whose reader closed the pipe.
const SIGPIPE: i32 = 13;

/// The command line, with help in one form: `-h` and `--help` print the same, with examples at the end.
fn command() -> clap::Command {
    let help = Arg::new("help").short('h').long("help").action(ArgAction::HelpShort).help("Print help").global(true);
    examples::add_to(Args::command().disable_help_flag(true).arg(help))
}

/// Parses a command line.
fn parse(words: impl IntoIterator<Item = std::ffi::OsString>) -> clap::error::Result<Args> {
    let mut words: Vec<_> = words.into_iter().collect();
    // `grader help run` and `grader help --help` print what `grader run --help` and `grader --help` print.
    if words.get(1).is_some_and(|word| word == "help") {
        words.remove(1);
        words.retain(|word| word != "-h" && word != "--help");
        words.push("--help".into());
    }
    let first = words.get(1).and_then(|word| word.to_str()).map(str::to_owned);
    let matches = command().try_get_matches_from(words);
    let mut matches = matches.map_err(|error| mistakes::corrected(error, &command(), first.as_deref()))?;
    Args::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command()))
}

/// Parses the arguments and runs the subcommand.
pub fn main() -> ExitCode {
    if completions::is_asked() {
        completions::answer();
        return ExitStatus::Success.into();
    }
    // This must come first: with less stack, grader cannot even read the arguments.
    if let Err(low) = settle_process() {
        exit::print_error(&crate::session::hard_limits::told(&low));
        return ExitStatus::Usage.into();
    }
    environment::settle_temp_dir();
    environment::screen().settle();
    let args = match parse(std::env::args_os()) {
        Ok(args) => args,
        Err(error) if error.kind() == ErrorKind::InvalidUtf8 => {
            exit::print_error(&unreadable_words());
            return ExitStatus::Usage.into();
        }
        #[cfg(not(feature = "nats"))]
        Err(_) if wants_workers() => {
            exit::print_error(&anyhow::anyhow!(
                "this grader was built without workers on other machines\n  → build one: cargo install --locked --path . \
                 --features nats"
            ));
            return ExitStatus::Usage.into();
        }
        Err(error) => {
            // Help and version go to standard output with status 0; all other errors are usage errors. If printing
            // fails, there is no way left to report it.
            let _ = print_usage(&error);
            let status = if error.use_stderr() { ExitStatus::Usage } else { ExitStatus::Success };
            return status.into();
        }
    };
    match dispatch(args.command) {
        Ok(status) => status.into(),
        // The output is incomplete, so the result is unknown and must not look like a success.
        Err(error) if is_broken_pipe(&error) => ExitStatus::Interrupted(SIGPIPE).into(),
        Err(error) => {
            interrupt::leave_the_end_to_it();
            if let Some(ended) = error.downcast_ref::<Ended>() {
                if let Ended::Interrupted(_) = ended {
                    // Nothing can be done if standard error is closed.
                    let _ = writeln!(std::io::stderr(), "interrupted");
                }
                return ExitStatus::from(*ended).into();
            }
            exit::print_error(&error);
            ExitStatus::Usage.into()
        }
    }
}

/// Prints help, or a usage error. clap knows colours, but no screen without our signs.
fn print_usage(error: &clap::Error) -> std::io::Result<()> {
    let screen = Screen::current();
    if !screen.ascii {
        return error.print();
    }
    let text = error.render().to_string();
    let shown = screen.signs(&text);
    if error.use_stderr() { write!(std::io::stderr(), "{shown}") } else { write!(std::io::stdout(), "{shown}") }
}

fn dispatch(command: Command) -> anyhow::Result<ExitStatus> {
    match command {
        Command::Run(args) => run::run(&args),
        Command::Judge(args) => judge::run(&args),
        Command::Check(args) => judge::check(&args),
        Command::Verify(args) => verify::run(&args),
        Command::TimeLimit(args) => time_limit::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Merge(args) => merge::run(&args),
        #[cfg(feature = "nats")]
        Command::Worker(args) => worker::run(&args),
        #[cfg(feature = "nats")]
        Command::Engine(args) => engine::run(&args),
        #[cfg(feature = "nats")]
        Command::Attach(args) => engine::attach(&args),
        Command::New(args) => new::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Add(args) => add::run(&args),
        Command::Accept(args) => accept::run(&args),
        Command::Remove(args) => remove::run(&args),
        Command::Rename(args) => remove::rename(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Stress(args) => stress::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Rerun(args) => rerun::run(&args),
        Command::Report(args) => report::run(&args),
        Command::View(args) => view::run(&args),
        Command::Visualize(args) => visualize::run(&args),
        Command::History(args) => history::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::List(args) => list::run(&args),
        Command::Config(args) => config::run(&args),
        Command::Cache(args) => cache::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}

/// Whether the arguments are about workers, which this build does not know.
#[cfg(not(feature = "nats"))]
fn wants_workers() -> bool {
    let is_command = |word: &str| ["worker", "engine", "attach"].contains(&word);
    let mut words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    words.next().is_some_and(|word| is_command(&word)) || words.any(|word| word.starts_with("--engine"))
}

/// Names the arguments that are not valid UTF-8, which a shell's `*` may produce.
fn unreadable_words() -> anyhow::Error {
    let words = std::env::args_os().skip(1).filter(|word| word.to_str().is_none());
    let shown: Vec<String> =
        words.map(|word| format!("`{}`", escape(word.as_encoded_bytes(), Whitespace::Inline))).collect();
    anyhow::anyhow!("not UTF-8: {}\n  → name the folder that it is in, or rename it", shown.join(", "))
}

/// Whether a subcommand with this name exists.
fn knows(name: &str) -> bool {
    command().find_subcommand(name).is_some()
}

/// Runs a command line that another subcommand has offered.
fn again(words: &[String]) -> anyhow::Result<ExitStatus> {
    dispatch(parse(words.iter().map(Into::into))?.command)
}

/// Runs the command line of a run on workers again, and comes back to that run.
#[cfg(feature = "nats")]
fn come_back(words: &[String], run: crate::remote::Unfinished) -> anyhow::Result<ExitStatus> {
    let mut command = parse(words.iter().map(Into::into))?.command;
    match &mut command {
        Command::Run(args) => args.engine.come_back_to(run),
        Command::Judge(args) => args.engine.come_back_to(run),
        // No other command runs on workers.
        _ => {}
    }
    dispatch(command)
}

/// Whether the reader closed the pipe, which is not an error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    };
    error.chain().any(broken)
}
