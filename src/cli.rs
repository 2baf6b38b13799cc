//! The command line: each subcommand has a file with its arguments and its code.
//!
//! No module imports it. Besides the subcommands:
//!
//! - `arguments`, `report_options`: options that several subcommands share
//! - `environment`, `console`: the only files that read variables, and show notices and progress
//! - `exit`: exit statuses, and how errors are printed
//! - `mistakes`: better messages for wrong calls
//! - `examples`: the examples at the end of each `--help`
//! - `version`: the version in detail
//! - `man`: the manual pages
//! - `completions`: names of problems, tests and submissions for a shell

mod accept;
mod add;
mod arguments;
mod cache;
mod cases;
mod ci;
mod class_table;
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
mod export;
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
mod similar;
mod statement;
mod strength;
mod stress;
mod time_limit;
mod upgrade;
mod verify;
mod version;
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
use crate::report::text::{Line, Paint, Screen, Whitespace, escape, width};
use crate::sandbox::settle_process;
use crate::workspace::ending::EarlyEnd;

pub use exit::ExitStatus;

/// Judges programming contest submissions in a sandbox and explains every failure.
#[derive(Debug, Parser)]
#[command(name = "grader", version, propagate_version = true, max_term_width = 110)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

/// The subcommands in the order of the help, each with its arguments and the function that runs it.
macro_rules! commands {
    ($($(#[$cfg:meta])* $name:ident($args:ty) => $run:path,)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($(#[$cfg])* $name($args),)*
        }

        fn dispatch(command: Command) -> anyhow::Result<ExitStatus> {
            match command {
                $($(#[$cfg])* Command::$name(args) => $run(&args),)*
            }
        }
    };
}

commands! {
    Run(Box<run::RunArgs>) => run::run,
    Watch(Box<watch::WatchArgs>) => watch::run,
    Rerun(Box<rerun::RerunArgs>) => rerun::run,
    Judge(Box<judge::JudgeArgs>) => judge::run,
    Check(Box<judge::CheckArgs>) => judge::check,
    New(new::NewArgs) => new::run,
    Import(import::ImportArgs) => import::run,
    Export(Box<export::ExportArgs>) => export::run,
    Upgrade(upgrade::UpgradeArgs) => upgrade::run,
    Statement(Box<statement::StatementArgs>) => statement::run,
    Add(Box<add::AddArgs>) => add::run,
    Accept(Box<accept::AcceptArgs>) => accept::run,
    Remove(remove::RemoveArgs) => remove::run,
    Rename(remove::RenameArgs) => remove::rename,
    Gen(Box<generate::GenerateArgs>) => generate::run,
    Stress(Box<stress::StressArgs>) => stress::run,
    Verify(Box<verify::VerifyArgs>) => verify::run,
    Strength(Box<strength::StrengthArgs>) => strength::run,
    TimeLimit(Box<time_limit::TimeLimitArgs>) => time_limit::run,
    Plan(plan::PlanArgs) => plan::run,
    Merge(merge::MergeArgs) => merge::run,
    #[cfg(feature = "nats")]
    Worker(worker::WorkerArgs) => worker::run,
    #[cfg(feature = "nats")]
    Engine(engine::EngineArgs) => engine::run,
    #[cfg(feature = "nats")]
    Attach(engine::AttachArgs) => engine::attach,
    List(list::ListArgs) => list::run,
    Report(Box<report::StoredArgs>) => report::run,
    View(view::ViewArgs) => view::run,
    Visualize(Box<visualize::VisualizeArgs>) => visualize::run,
    History(history::HistoryArgs) => history::run,
    Compare(compare::CompareArgs) => compare::run,
    Config(config::ConfigArgs) => config::run,
    Ci(ci::CiArgs) => ci::run,
    Cache(cache::CacheArgs) => cache::run,
    Doctor(doctor::DoctorArgs) => doctor::run,
    Completions(completions::CompletionsArgs) => completions::run,
    Man(man::ManArgs) => man::run,
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
        exit::print_error(&crate::session::hard_limits::error_with_remedy(&low));
        return ExitStatus::Usage.into();
    }
    environment::settle_temp_dir();
    environment::screen().settle();
    let words: Vec<_> = std::env::args_os().collect();
    if version::is_asked(words.get(1..).unwrap_or_default()) {
        return ended(version::run());
    }
    let args = match parse(words) {
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
            // fails, nothing can be reported any more.
            let _ = print_usage(&error);
            let status = if error.use_stderr() { ExitStatus::Usage } else { ExitStatus::Success };
            return status.into();
        }
    };
    ended(dispatch(args.command))
}

/// Prints the error of a command, if it failed. Returns its exit status.
fn ended(result: anyhow::Result<ExitStatus>) -> ExitCode {
    match result {
        Ok(status) => status.into(),
        // The output is incomplete, so the result is unknown and must not look like a success.
        Err(error) if is_broken_pipe(&error) => ExitStatus::Interrupted(SIGPIPE).into(),
        Err(error) => {
            interrupt::leave_the_end_to_it();
            if let Some(ended) = error.downcast_ref::<EarlyEnd>() {
                if let EarlyEnd::Interrupted(_) = ended {
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
    let text = error.render().to_string();
    // clap breaks help, but no errors.
    let columns = screen.columns.map_or(usize::MAX, |columns| columns());
    if error.use_stderr() && text.lines().any(|line| width(line) > columns) {
        let lines = text.lines().map(|line| Line::from(line).render(Paint::Plain));
        return writeln!(std::io::stderr(), "{}", lines.collect::<Vec<_>>().join("\n"));
    }
    if !screen.ascii {
        return error.print();
    }
    let shown = screen.signs(&text);
    if error.use_stderr() { write!(std::io::stderr(), "{shown}") } else { write!(std::io::stdout(), "{shown}") }
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
fn come_back(words: &[String], run: crate::remote::UnfinishedRun) -> anyhow::Result<ExitStatus> {
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
