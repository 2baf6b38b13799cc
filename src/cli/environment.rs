//! Reads the environment, the terminal and the current directory; only the command line may do that.

use std::env;
use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::report::text::{Screen, Yellow};
use crate::workspace::Surroundings;

/// The surroundings from which a workspace is opened.
pub(super) fn around() -> Result<Surroundings> {
    let start = env::current_dir().context("cannot determine the current directory")?;
    let grader = env::current_exe().context("cannot find the grader's own program")?;
    Ok(Surroundings::new(start, grader, env::vars_os()))
}

/// The width of the terminal in columns; 120 for logs without a terminal. `COLUMNS` overrides it.
pub(super) fn width() -> usize {
    // A value of `COLUMNS` that is not a number is ignored.
    let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    columns.or_else(terminal).unwrap_or(120).clamp(40, 400)
}

/// Whether to colour standard output if the user has not chosen.
pub(super) fn wants_colour() -> bool {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    if env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) {
        return false;
    }
    set("CLICOLOR_FORCE") || (std::io::stdout().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb"))
}

/// The abilities of the user's screen, from the environment.
pub(super) fn screen() -> Screen {
    let value = |name| env::var(name).ok().filter(|value| !value.is_empty());
    // The first that is set decides (POSIX, "Environment Variables"). Without any, nothing speaks against UTF-8.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(value).map(|locale| locale.to_uppercase());
    let ascii = locale.is_some_and(|locale| !locale.contains("UTF-8") && !locale.contains("UTF8"));
    let has_many_colours = value("TERM").is_some_and(|term| term.contains("256color") || term.contains("direct"))
        || value("COLORTERM").is_some();
    Screen {
        ascii,
        columns: stdout_is_terminal().then_some(width as fn() -> usize),
        yellow: if has_many_colours { Yellow::Brown } else { Yellow::Bold },
    }
}

/// Whether standard output is a terminal.
pub(super) fn stdout_is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Whether standard error can show a progress bar.
pub(super) fn has_terminal() -> bool {
    std::io::stderr().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// A variable that a report needs; none if it is not set or empty.
pub(super) fn variable(name: &str) -> Option<String> {
    // A value that is not UTF-8 cannot be a name or an address.
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// The root of the repository that GitHub Actions has checked out.
pub(super) fn github_workspace() -> Option<PathBuf> {
    env::var_os("GITHUB_WORKSPACE").filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Makes `TMPDIR` absolute for all temporary files of this process, because keepers run in other directories. An empty
/// value counts as unset.
pub(super) fn settle_temp_dir() {
    let wanted = env::var_os("TMPDIR").filter(|dir| !dir.is_empty()).map_or_else(|| "/tmp".into(), PathBuf::from);
    // Without a current directory, a relative path is reported as unusable.
    let _ = tempfile::env::override_temp_dir(&std::path::absolute(&wanted).unwrap_or(wanted));
}
