//! Says whose programs are built and run: the user's own, or those of strangers.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// Whose programs a command builds and runs. The command decides it once, when it opens its workspace.
#[derive(Debug, Clone, Default)]
pub(crate) enum Author {
    /// Anybody. The programs get nothing of the user.
    #[default]
    Stranger,
    /// The user, whose programs may use what the user has.
    User(Arc<Desk>),
}

/// The place where the user works.
#[derive(Debug)]
pub(crate) struct Desk {
    /// The directory in which the user called the grader. Absolute.
    pub(crate) dir: PathBuf,
    /// The directory above which no file belongs to a program: that of `grader.toml`, or `dir`.
    pub(crate) top: PathBuf,
    /// The user's whole environment.
    pub(crate) environment: Vec<(OsString, OsString)>,
    /// Whether commands of the user (`-c`) run in a box all the same, because the user named a layer with walls.
    pub(crate) boxes_commands: bool,
}

impl Desk {
    /// The value of a variable of the user.
    pub(crate) fn value(&self, name: &str) -> Option<&OsString> {
        self.environment.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

impl Author {
    /// The desk on which the user's commands (`-c`) run, with the user's own rights. None if they run in a box.
    pub(crate) fn desk_of_commands(&self) -> Option<&Desk> {
        match self {
            Self::User(desk) if !desk.boxes_commands => Some(desk),
            Self::User(_) | Self::Stranger => None,
        }
    }
}
