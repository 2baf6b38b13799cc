//! Walks a problem's directories, decides which names to ignore or refuse, and collects the findings.
//!
//! Names follow the package format 2025-09, "General requirements". Hidden files are ignored silently, other names
//! outside the pattern are ignored with a warning, and symbolic links must stay inside.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::document::is_there;
use grader_model::diagnostic::{Diagnostic, Kind, Severity};
use grader_model::problem::{Constants, ProblemId, Protocol};

/// The deepest level of directories that is read.
const DEEPEST: usize = 16;

/// The most findings of one kind about a directory that are listed; further ones are only counted.
pub(super) const TOLD: usize = 10;

/// Tells by the name of a file whether it is a program in a known language.
pub type IsSource<'a> = dyn Fn(&Path) -> bool + 'a;

/// Keeps files, each a name and its bytes, in a directory that has only these, and returns its path.
pub type Derive<'a> = dyn Fn(&[(String, Vec<u8>)]) -> io::Result<PathBuf> + 'a;

/// For readers that make no files.
pub fn derive_nothing(_: &[(String, Vec<u8>)]) -> io::Result<PathBuf> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Reads one problem and collects its findings.
pub struct Reader<'a> {
    /// The problem's name.
    pub id: ProblemId,
    /// The problem's directory.
    pub dir: PathBuf,
    /// Whether a file is a program.
    pub is_source: &'a IsSource<'a>,
    /// Keeps files that the reader makes.
    pub derive: &'a Derive<'a>,
    /// The directory above which no file belongs to a program. None: the problem's directory.
    pub top: Option<&'a Path>,
    /// The testset that is judged in packages with several. None: that of the package.
    pub testset: Option<&'a str>,
    /// Whether names must follow the package format.
    pub package_names: bool,
    /// Whether the problem was written for other tools. Mistakes that they ignore are then warnings.
    pub foreign: bool,
    /// Whether directories of submissions have their meaning in the legacy format.
    pub legacy: bool,
    /// The problem's constants, known once its description is read.
    pub constants: Constants,
    /// The protocol of judging programs, if the description states one.
    pub protocol: Option<Protocol>,
    /// The resolved directories in which links may end.
    inside: Vec<PathBuf>,
    found: RefCell<Vec<Diagnostic>>,
    /// Whether what is found now matters only for judging.
    checks_cases: Cell<bool>,
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("id", &self.id).field("found", &self.found).finish_non_exhaustive()
    }
}

/// The next step at a directory during a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Descend {
    /// Enter it.
    Yes,
    /// Skip it.
    No,
}

/// A file or directory during a walk.
#[derive(Debug)]
pub(crate) struct VisitedEntry<'e> {
    entry: &'e DirEntry,
    /// Its name, which is UTF-8.
    pub name: &'e str,
}

impl VisitedEntry<'_> {
    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        self.entry.path()
    }

    /// Whether it is a directory, or a link to one.
    pub(crate) fn is_dir(&self) -> bool {
        self.entry.file_type().is_dir()
    }

    /// Its depth: 1 directly in the walked directory.
    pub(crate) fn depth(&self) -> usize {
        self.entry.depth()
    }
}

/// A file or directory in a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedEntry {
    /// Its name.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
    /// Whether it is a directory, or a link to one.
    pub is_dir: bool,
}

impl<'a> Reader<'a> {
    /// Creates a reader for the problem in `dir`, whose test data may also be in `data`.
    pub fn new(id: ProblemId, dir: &Path, data: &Path, is_source: &'a IsSource<'a>) -> Self {
        // A missing directory contains nothing that a link could lead to.
        let inside = [dir, data].iter().filter_map(|dir| dir.canonicalize().ok()).collect();
        Self {
            id,
            dir: dir.to_owned(),
            is_source,
            derive: &derive_nothing,
            top: None,
            testset: None,
            package_names: true,
            foreign: false,
            legacy: false,
            constants: Constants::default(),
            protocol: None,
            inside,
            found: RefCell::default(),
            checks_cases: Cell::default(),
        }
    }

    /// Adds a finding.
    pub fn report(&self, diagnostic: Diagnostic) {
        let unfinished = diagnostic.unfinished || self.checks_cases.get();
        self.found.borrow_mut().push(Diagnostic { unfinished, ..diagnostic.of(&self.id) });
    }

    /// Checks whether the test cases are complete and fit their groups, as judging needs. Its findings do not keep
    /// commands that change test cases from opening the problem.
    pub(crate) fn check_cases<T>(&self, check: impl FnOnce() -> T) -> T {
        let before = self.checks_cases.replace(true);
        let checked = check();
        self.checks_cases.set(before);
        checked
    }

    /// Adds an error about `path`.
    pub(crate) fn error(&self, path: &Path, message: impl Into<String>, remedy: &str) {
        self.report(Diagnostic::error(path, message).remedy(remedy));
    }

    /// Adds a warning about `path`.
    pub fn warning(&self, kind: Kind, path: &Path, message: impl Into<String>) {
        self.report(Diagnostic::warning(path, message).kind(kind));
    }

    /// Returns the finding, as a warning if the problem was written for other tools.
    pub(crate) fn mild(&self, mut found: Diagnostic) -> Diagnostic {
        if self.foreign {
            found.severity = Severity::Warning;
        }
        found
    }

    /// Adds findings: the first few one by one, and the rest as a number.
    pub(crate) fn report_many(&self, about: &Path, findings: Vec<Diagnostic>) {
        let more = findings.len().saturating_sub(TOLD);
        let severity = findings.iter().map(|finding| finding.severity).max().unwrap_or(Severity::Warning);
        findings.into_iter().take(TOLD).for_each(|finding| self.report(finding));
        if more > 0 {
            self.report(Diagnostic::new(severity, format!("and {more} more like this")).about(about));
        }
    }

    /// Takes all findings so far. Several walks through a directory find the same mistakes, which are kept once.
    pub fn take_found(&self) -> Vec<Diagnostic> {
        let mut found = self.found.take();
        let mut known = HashSet::new();
        found.retain(|diagnostic| known.insert(diagnostic.to_string()));
        found
    }

    /// The entries of `dir`, sorted by name. Empty if `dir` does not exist.
    pub(crate) fn list(&self, dir: &Path) -> Vec<ListedEntry> {
        let mut listed = Vec::new();
        self.walk(dir, 1, &mut |met| {
            listed.push(ListedEntry { name: met.name.to_owned(), path: met.path().to_owned(), is_dir: met.is_dir() });
            Descend::No
        });
        listed.sort_by(|a, b| a.name.cmp(&b.name));
        listed
    }

    /// The files below `dir`, relative to it and sorted.
    pub(crate) fn files_below(&self, dir: &Path) -> Vec<PathBuf> {
        let mut files = Vec::new();
        self.walk(dir, DEEPEST, &mut |met| {
            // Every visited path is below `dir`.
            let relative = met.path().strip_prefix(dir).ok().filter(|_| !met.is_dir());
            files.extend(relative.map(Path::to_owned));
            if met.name == "__pycache__" { Descend::No } else { Descend::Yes }
        });
        files.sort();
        files
    }

    /// Whether there is such a directory. Reports a link that leads nowhere and a directory that cannot be examined.
    /// Otherwise a validator in it would be missing without a message.
    pub(crate) fn has_dir(&self, dir: &Path) -> bool {
        match dir.metadata() {
            Ok(found) => found.is_dir(),
            Err(_) if !is_there(dir) => false,
            Err(error) => {
                self.report(unreadable(dir, &error));
                false
            }
        }
    }

    /// Visits everything below `dir` in the order of the disk, reading only names and types. Skips names that the
    /// package format ignores, and reports entries that cannot be read.
    pub(crate) fn walk(&self, dir: &Path, deepest: usize, visit: &mut dyn FnMut(&VisitedEntry<'_>) -> Descend) {
        if !self.has_dir(dir) {
            return;
        }
        let mut walk = WalkDir::new(dir).min_depth(1).max_depth(deepest.min(DEEPEST)).follow_links(true).into_iter();
        while let Some(next) = walk.next() {
            let entry = match next {
                Ok(entry) => entry,
                Err(error) => {
                    self.report(walk_error(&error, dir));
                    continue;
                }
            };
            let descend = match self.checked(&entry) {
                Some(name) => visit(&VisitedEntry { entry: &entry, name }),
                None => Descend::No,
            };
            // Beyond `max_depth` the walk has not entered the directory, and skipping would leave its parent.
            if descend == Descend::No && entry.file_type().is_dir() && entry.depth() < deepest.min(DEEPEST) {
                walk.skip_current_dir();
            }
        }
    }

    /// The name of an entry, if it must be visited.
    fn checked<'e>(&self, entry: &'e DirEntry) -> Option<&'e str> {
        let path = entry.path();
        let Some(name) = entry.file_name().to_str() else {
            let found = Diagnostic::warning(path, "the name is not UTF-8; ignored").kind(Kind::StrangeName);
            self.report(found.remedy("rename it"));
            return None;
        };
        if name.starts_with('.') {
            return None;
        }
        if self.package_names && !is_package_name(name) {
            self.warning(
                Kind::StrangeName,
                path,
                "the package format does not allow this name (only letters, digits, `_`, `.`, `-`); ignored",
            );
            return None;
        }
        if entry.path_is_symlink() && !self.stays_inside(path) {
            self.error(path, "the symbolic link leaves the problem", "copy the file instead");
            return None;
        }
        if !entry.file_type().is_dir() && !entry.file_type().is_file() {
            self.warning(Kind::Ignored, path, "neither a file nor a directory; ignored");
            return None;
        }
        Some(name)
    }

    fn stays_inside(&self, path: &Path) -> bool {
        // The walk has already reported links that lead nowhere.
        path.canonicalize().is_ok_and(|target| self.inside.iter().any(|inside| target.starts_with(inside)))
    }
}

/// Turns an error of a walk into a finding.
pub fn walk_error(error: &walkdir::Error, dir: &Path) -> Diagnostic {
    let path = error.path().unwrap_or(dir);
    if let Some(ancestor) = error.loop_ancestor() {
        let message = format!("the symbolic link leads back to {}", ancestor.display());
        return Diagnostic::error(path, message).remedy("remove the link");
    }
    let cause = error.io_error().map_or_else(|| "unknown cause".to_owned(), ToString::to_string);
    unreadable(path, &cause)
}

fn unreadable(path: &Path, cause: &dyn fmt::Display) -> Diagnostic {
    // Only the wording depends on this.
    let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    let what = if is_link { "cannot follow the symbolic link" } else { "cannot read" };
    Diagnostic::error(path, format!("{what}: {cause}"))
}

/// Whether the package format allows a name (2025-09, "General requirements").
pub fn is_package_name(name: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    name.len() <= 255 && name.bytes().all(inner) && !name.is_empty() && !name.starts_with(['.', '-'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_names() {
        for (name, expect) in [
            ("a", true),
            ("01-edge_case.in", true),
            ("_x", true),
            ("", false),
            ("-x", false),
            (".x", false),
            ("a b", false),
            ("é", false),
        ] {
            assert_eq!(is_package_name(name), expect, "{name:?}");
        }
        assert!(is_package_name(&"x".repeat(255)) && !is_package_name(&"x".repeat(256)));
    }
}
