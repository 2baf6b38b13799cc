//! What only the command line may look at: the environment, the terminal, the machine.

use std::env;
use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::compile::toolbox::{Host, LOCAL_CHOICES};
use crate::workspace::Surroundings;

/// Variables that version managers need to find the tools behind their shims.
const TOOL_VARIABLES: [&str; 8] = [
    "HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "CARGO_HOME",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "ASDF_DIR",
    "ASDF_DATA_DIR",
];

/// What a workspace begins with.
pub(super) fn around() -> Result<Surroundings> {
    let start = env::current_dir().context("cannot determine the current directory")?;
    let grader = env::current_exe().context("cannot find the grader's own program")?;
    Ok(Surroundings { start, environment: env::vars_os().collect(), host: host(), grader })
}

/// The part of the environment that finding compilers needs.
pub(super) fn host() -> Host {
    // Not set and empty are the same: there is nowhere to look.
    let path = env::var_os("PATH").unwrap_or_default();
    let set = TOOL_VARIABLES.iter().filter_map(|name| Some(((*name).into(), env::var_os(name)?)));
    // Where that is unknown, what was chosen for it cannot be asked for either.
    let here = env::current_dir().ok();
    let local = LOCAL_CHOICES.iter().filter_map(|(name, _)| {
        let dir = env::var_os(name).or_else(|| here.clone().map(PathBuf::into_os_string))?;
        Some(((*name).into(), dir))
    });
    Host { path: env::split_paths(&path).collect(), variables: set.chain(local).collect(), ..Host::default() }
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
