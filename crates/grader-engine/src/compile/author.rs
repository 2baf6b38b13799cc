//! The author of the programs that a command builds and runs: the user, or a stranger.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The author of the programs that a command builds and runs. The command decides it once, when it opens its workspace.
#[derive(Debug, Clone, Default)]
pub enum Author {
    /// A stranger, whose programs get nothing of the user.
    #[default]
    Stranger,
    /// The user, whose programs may use what the user has.
    User(Arc<Desk>),
}

/// The place where the user works.
#[derive(Debug)]
pub struct Desk {
    /// The directory in which the user called the grader. Absolute.
    pub dir: PathBuf,
    /// The directory above which no file belongs to a program: that of `grader.toml`, else [`top_of`] `dir`.
    pub top: PathBuf,
    /// The user's whole environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Whether commands of the user (`-c`) run in a box all the same, because the user named a layer with walls.
    pub boxes_commands: bool,
}

/// Directories whose parent is the root of a working copy.
const VERSION_CONTROL: [&str; 4] = [".git", ".hg", ".jj", ".svn"];
/// How many folders above that of the user may belong to the user's programs without version control.
const LEVELS_ABOVE: usize = 2;

/// The directory above which no file belongs to programs in `dir` without a `grader.toml`: the root of the working copy, or
/// two folders above. Folders of other users, those that everybody may write, and the home directory are not reached.
pub fn top_of(dir: &Path, home: Option<&OsString>) -> PathBuf {
    let owner = dir.metadata().map(|found| found.uid()).ok();
    let is_home = |above: &Path| home.is_some_and(|home| Path::new(home).starts_with(above));
    let is_users = |above: &Path| {
        let found = above.metadata().ok();
        found.is_some_and(|found| Some(found.uid()) == owner && found.mode() & 0o002 == 0)
    };
    let reached = || dir.ancestors().take_while(|above| *above == dir || is_users(above) && !is_home(above));
    let is_root = |above: &&Path| VERSION_CONTROL.iter().any(|name| above.join(name).exists());
    let top = reached().find(is_root).or_else(|| reached().take(LEVELS_ABOVE + 1).last());
    top.unwrap_or(dir).to_owned()
}

impl Desk {
    /// The value of a variable of the user.
    pub fn value(&self, name: &str) -> Option<&OsString> {
        self.environment.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

impl Author {
    /// The desk on which the user's commands (`-c`) run, with the user's own rights. None if they run in a box.
    pub fn desk_of_commands(&self) -> Option<&Desk> {
        match self {
            Self::User(desk) if !desk.boxes_commands => Some(desk),
            Self::User(_) | Self::Stranger => None,
        }
    }
}
