//! What only the command line may look at: the environment, the terminal, the machine.

use std::env;
use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::workspace::Surroundings;

/// What a workspace begins with.
pub(super) fn around() -> Result<Surroundings> {
    let start = env::current_dir().context("cannot determine the current directory")?;
    let grader = env::current_exe().context("cannot find the grader's own program")?;
    Ok(Surroundings::new(start, grader, env::vars_os()))
}

/// Columns of the terminal; wide enough for logs where there is none.
pub(super) fn width() -> usize {
    // A width that is no number is none.
    let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    columns.or_else(terminal).unwrap_or(120).clamp(40, 400)
}

/// Whether standard output should be coloured when the person has not said so.
pub(super) fn wants_colour() -> bool {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    if env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) {
        return false;
    }
    set("CLICOLOR_FORCE") || (std::io::stdout().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb"))
}

/// Whether results are read on a screen.
pub(super) fn stdout_is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Whether a progress bar makes sense.
pub(super) fn has_terminal() -> bool {
    std::io::stderr().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// The root of the repository, where GitHub Actions has checked it out.
pub(super) fn github_workspace() -> Option<PathBuf> {
    env::var_os("GITHUB_WORKSPACE").filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Makes `TMPDIR` absolute, for everything that this process puts there: the keepers stand in other directories. An empty
/// one is as good as none.
pub(super) fn settle_temp_dir() {
    let wanted = env::var_os("TMPDIR").filter(|dir| !dir.is_empty()).map_or_else(|| "/tmp".into(), PathBuf::from);
    // Without a current directory, a relative path is reported as unusable.
    let _ = tempfile::env::override_temp_dir(&std::path::absolute(&wanted).unwrap_or(wanted));
}
