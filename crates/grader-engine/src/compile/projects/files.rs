//! The files of a project: which directory holds all that a build refers to, and what is copied of it.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::Project;

/// The most files of a project, and their largest total size in bytes.
const MOST_FILES: usize = 20_000;
const MOST_BYTES: u64 = 256 << 20;

/// Directories that tools make. They are made again, or are too large to copy.
const MADE: [&str; 5] = ["target", "node_modules", "venv", "__pycache__", "CMakeFiles"];
/// Hidden directories that tools read.
const HIDDEN: [&str; 1] = [".cargo"];

/// A project that is not copied.
#[derive(Debug, thiserror::Error)]
pub(in crate::compile) enum FilesError {
    /// It has too many files, or too large ones.
    #[error(
        "the project {} has more than {MOST_FILES} files or {} MiB; grader copies a project to build it: move its data \
         elsewhere, or run it with -c",
        .0.display(), MOST_BYTES >> 20
    )]
    TooLarge(PathBuf),
    /// A directory or file of it cannot be read.
    #[error("cannot read the project {}: {source}", .dir.display())]
    Unreadable {
        /// The top of the project.
        dir: PathBuf,
        /// The cause.
        source: walkdir::Error,
    },
}

/// Whether a path below the top of a project is copied, by the names in it.
pub(super) fn is_copied(inside: &Path) -> bool {
    inside.iter().all(|part| is_copied_name(&part.to_string_lossy()))
}

fn is_copied_name(name: &str) -> bool {
    !MADE.contains(&name) && (!name.starts_with('.') || HIDDEN.contains(&name))
}

/// The files that a build of a project sees, relative to its top and sorted. Symbolic links are not followed.
pub(super) fn of_project(project: &Project) -> Result<Vec<PathBuf>, FilesError> {
    let root = &*project.root;
    let is_wanted = |entry: &DirEntry| entry.depth() == 0 || is_copied_name(&entry.file_name().to_string_lossy());
    let mut files = Vec::new();
    let mut bytes = 0;
    for entry in WalkDir::new(root).sort_by_file_name().into_iter().filter_entry(is_wanted) {
        let unreadable = |source| FilesError::Unreadable { dir: root.to_owned(), source };
        let entry = entry.map_err(unreadable)?;
        if !entry.file_type().is_file() || is_built(&entry) {
            continue;
        }
        bytes += entry.metadata().map_err(unreadable)?.len();
        // Every visited path is below the top.
        let inside = entry.path().strip_prefix(root).ok().filter(|inside| !project.is_of_another(inside));
        files.extend(inside.map(Path::to_owned));
        if files.len() > MOST_FILES || bytes > MOST_BYTES {
            return Err(FilesError::TooLarge(root.to_owned()));
        }
    }
    Ok(files)
}

/// Whether a file is a program or an object that a compiler made. A tool would take it for up to date.
fn is_built(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    let mut head = [0; 4];
    // Copying a file reports that it cannot be read.
    let mut read = || File::open(entry.path()).and_then(|mut file| file.read_exact(&mut head)).is_ok();
    !name.contains(".so") && read() && head == *b"\x7fELF"
}

/// The top of a project: the directory of its build file, or the highest one up to `top` to which the file refers, as with
/// `path = "../common"`, or whose workspace it is a member of.
pub(super) fn root_of(marker: &Path, dir: &Path, text: &str, top: &Path) -> PathBuf {
    let ups = text.match_indices("../").fold((0, 0, usize::MAX), |(most, run, last), (at, _)| {
        let run = if at == last { run + 1 } else { 1 };
        (run.max(most), run, at + 3)
    });
    let above = |steps: usize| dir.ancestors().take_while(|above| above.starts_with(top)).take(steps + 1).last();
    let referred = above(ups.0).unwrap_or(dir);
    let workspace =
        dir.ancestors().skip(1).take_while(|above| above.starts_with(top)).filter(|above| is_workspace(above, marker));
    let outermost = workspace.last().unwrap_or(dir);
    if outermost.starts_with(referred) { referred.to_owned() } else { outermost.to_owned() }
}

/// Whether a directory has the file of a workspace, whose members share versions.
fn is_workspace(dir: &Path, marker: &Path) -> bool {
    let has_members = || {
        // A manifest that cannot be read makes no workspace.
        fs::read_to_string(dir.join("Cargo.toml"))
            .is_ok_and(|text| text.lines().any(|line| line.trim().starts_with("[workspace")))
    };
    match marker.file_name().and_then(|name| name.to_str()) {
        Some("Cargo.toml") => has_members(),
        Some("go.mod") => dir.join("go.work").is_file(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_is_where_a_build_file_points() {
        let root = |text: &str| root_of(Path::new("/a/b/c/Makefile"), Path::new("/a/b/c"), text, Path::new("/a"));
        assert_eq!(root("all: x"), Path::new("/a/b/c"));
        assert_eq!(root("-I../lib -I../../lib"), Path::new("/a"));
        assert_eq!(root("-I../../../../lib"), Path::new("/a"));
        assert_eq!(root("-I../lib -L../x"), Path::new("/a/b"));
    }
}
