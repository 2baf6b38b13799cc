//! `grader completions`: prints a script that lets a shell ask grader for completions, and answers such questions.
//!
//! The answers know the problems, tests, submissions and runs of the current directory. They are quick and silent:
//! whatever goes wrong, the shell only gets no candidates.

mod candidates;

use std::io::Write;

use anyhow::{Context as _, Result};
use clap::builder::ValueParser;
use clap::{Args, ValueEnum as _};
use clap_complete::Shell;
use clap_complete::engine::ArgValueCompleter;
use clap_complete::env::{CompleteEnv, Shells};

use crate::cli::exit::ExitStatus;
use crate::cli::output::stdout;
use candidates::Candidates;

/// The variable by which the script of a shell asks for completions. Its value is the name of the shell. It must not
/// begin with `GRADER_`, because those are settings.
const VARIABLE: &str = "_GRADER_COMPLETE";

/// The candidates for the values of arguments, by command and name of the argument. `*` stands for every command.
const ARGUMENTS: [(&str, &str, Candidates); 14] = [
    ("gen", "selection", Candidates::SelectionOrTests),
    ("stress", "selection", Candidates::SelectionOrSubmissions),
    ("*", "selection", Candidates::Selection),
    ("judge", "words", Candidates::Selection),
    ("*", "problem", Candidates::Problems),
    ("*", "problems", Candidates::Problems),
    ("*", "test", Candidates::Tests),
    ("*", "tests", Candidates::Tests),
    ("*", "submission", Candidates::Submissions),
    ("*", "submissions", Candidates::Submissions),
    ("*", "reference", Candidates::Submissions),
    ("*", "run", Candidates::Runs),
    ("compare", "before", Candidates::Runs),
    ("*", "checker", Candidates::Checkers),
];

/// Prints a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "bash: grader completions bash > ~/.local/share/bash-completion/completions/grader\n\
    zsh:  grader completions zsh > \"${fpath[1]}/_grader\"\n\
    fish: grader completions fish > ~/.config/fish/completions/grader.fish\n\n\
    The script asks the grader in your PATH. Besides commands and options it completes problems, tests, submissions and \
    runs of the current directory.")]
pub(super) struct CompletionsArgs {
    /// Shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script and returns the exit status.
pub(super) fn run(args: &CompletionsArgs) -> Result<ExitStatus> {
    let name = args.shell.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
    let shells = Shells::builtins();
    let shell = shells.completer(&name).context("no such shell")?;
    // Written to memory first, so that a closed pipe is an ordinary error.
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, "grader", "grader", "grader", &mut script)?;
    stdout().write_all(&script)?;
    Ok(ExitStatus::Success)
}

/// Whether a shell asks for completions.
pub(super) fn is_asked() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|shell| !shell.is_empty() && shell != "0")
}

/// Answers the question of a shell, or prints nothing if anything is wrong.
pub(super) fn answer() {
    // A message would appear in the middle of the line that the user types.
    std::panic::set_hook(Box::new(|_| ()));
    // Without an answer the shell offers nothing.
    let _ = std::panic::catch_unwind(|| {
        let here = std::env::current_dir().ok();
        let complete = CompleteEnv::with_factory(command).var(VARIABLE).bin("grader").completer("grader");
        complete.try_complete(std::env::args_os(), here.as_deref())
    });
}

/// The command line with the candidates of its arguments.
fn command() -> clap::Command {
    crate::cli::command().mut_subcommands(|subcommand| {
        let name = subcommand.get_name().to_owned();
        // Visible aliases compete with the name, and the shell would offer only one of them. The process ends after
        // this answer.
        let aliases: Vec<&'static str> =
            subcommand.get_visible_aliases().map(|alias| &*alias.to_owned().leak()).collect();
        let subcommand = if aliases.is_empty() {
            subcommand
        } else {
            subcommand.visible_alias(None::<&'static str>).aliases(aliases)
        };
        subcommand.mut_args(|arg| {
            let is_it = |(command, id, _): &&(&str, &str, Candidates)| {
                (*command == "*" || *command == name) && arg.get_id() == *id && !arg.is_hide_set()
            };
            match ARGUMENTS.iter().find(is_it) {
                Some((.., candidates)) => {
                    arg.value_parser(ValueParser::string()).add(ArgValueCompleter::new(*candidates))
                }
                None => arg,
            }
        })
    })
}
