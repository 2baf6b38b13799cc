//! Improves the suggestions for wrong command lines: clap compares letters only and knows no other tools.

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use crate::suggest::closest;

/// Words that other tools use for `grader run`.
const RUN: [&str; 3] = ["t", "test", "tests"];
/// Options of other tools, each with the option of grader that does the same.
const OPTIONS: [(&str, &str); 3] = [("--tle", "time-limit"), ("--tl", "time-limit"), ("--timeout", "time-limit")];

/// The error with better suggestions. `first` is the first word after `grader`.
pub(super) fn corrected(mut error: Error, command: &Command, first: Option<&str>) -> Error {
    let kind = match error.kind() {
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        _ => return error,
    };
    let Some(ContextValue::String(word)) = error.get(kind).cloned() else { return error };
    if kind == ContextKind::InvalidArg {
        correct_option(&mut error, &word, first.and_then(|first| command.find_subcommand(first)));
    } else if first == Some(word.as_str()) {
        let names = || command.get_subcommands().map(Command::get_name);
        let unknown = error.get(ContextKind::SuggestedSubcommand).is_none();
        let meant = if RUN.contains(&word.as_str()) { Some("run") } else { None };
        let meant = meant.or_else(|| closest(&word, names()).filter(|_| unknown));
        if let Some(meant) = meant {
            error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![meant.to_owned()]));
        }
    }
    error
}

fn correct_option(error: &mut Error, word: &str, command: Option<&Command>) {
    // The tip to pass an option behind `--` as a value misleads: few files are called `--exit-zero`.
    if word.starts_with("--") {
        error.remove(ContextKind::Suggested);
    }
    // `judge` has this option, because there a word may also be a submission.
    if let Some(command) =
        command.filter(|of| ["-p", "--problem"].contains(&word) && of.get_positionals().next().is_some())
    {
        let tip = format!("write the name of a problem without an option: grader {} NAME", command.get_name());
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    let has =
        |long: &str| command.is_some_and(|command| command.get_arguments().any(|arg| arg.get_long() == Some(long)));
    if let Some((_, meant)) = OPTIONS.iter().find(|(other, long)| *other == word && has(long)) {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{meant}")));
        // The usage shows the option that clap suggested.
        error.remove(ContextKind::Usage);
    }
}
