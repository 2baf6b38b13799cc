//! A file in a submission that lists its authors.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::names::ignore_option;
use crate::limits::Bytes;
use crate::report::text::quote_option;

/// The most bytes of a list of authors. The rest of a longer one is not read.
const MOST: Bytes = Bytes::kib(4);

/// The usual names of such files.
const NAMES: [&str; 4] = ["members.txt", "authors.txt", "team.txt", "group.txt"];

/// Whether a file may list the authors of a submission, by its name.
pub(super) fn may_list_authors(name: &str) -> bool {
    NAMES.iter().any(|usual| usual.eq_ignore_ascii_case(name))
}

/// What to do with such a file, which no option names.
pub(super) fn members_option(name: &str) -> String {
    let (say, leave) = (quote_option("--members", name), ignore_option(name));
    format!("if it lists the authors of a submission, say so: {say}; if not, leave it out: {leave}")
}

/// A file that lists the authors of the submissions in its folder.
#[derive(Debug, Clone)]
pub(crate) struct MembersFile {
    /// Its path in messages.
    pub(super) shown: PathBuf,
    /// Its path below the root of its tree.
    pub(super) below: PathBuf,
    /// An author in each line, with the number of the line.
    pub(super) words: Vec<(usize, String)>,
}

impl MembersFile {
    /// # Errors
    /// It cannot be read.
    pub(super) fn read(path: &Path, below: &Path, shown: &Path) -> io::Result<Self> {
        let mut bytes = Vec::new();
        File::open(path)?.take(MOST.0).read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim).enumerate();
        let words = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let words = words.map(|(at, line)| (at + 1, line.to_owned())).collect();
        Ok(Self { shown: shown.to_owned(), below: below.to_owned(), words })
    }

    /// Its lines without comments.
    pub(super) fn text(&self) -> String {
        self.words.iter().map(|(_, line)| &**line).collect::<Vec<_>>().join("\n")
    }

    /// The same list at another path of a tree.
    pub(super) fn moved_to(&self, below: PathBuf) -> Self {
        Self { below, ..self.clone() }
    }
}
