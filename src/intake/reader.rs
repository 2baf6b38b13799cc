//! Reads the files and directories below a path. They are untrusted: archives are opened with bounds, links are not
//! followed.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use walkdir::{DirEntry, WalkDir};

use super::members::MembersFile;
use super::notebook::NOTEBOOK;
use super::result_folder::is_result_folder;
use super::tree::{Tree, TreeItem};
use super::unjudged::Why;
use crate::compile::{beginning, language_of};
use crate::course::AttemptChoice;
use crate::diagnostic::Diagnostic;
use crate::event::RosterStudent;
use crate::glob::Glob;
use crate::language::{Detection, Languages, NoLanguage};
use crate::limits::Bytes;
use crate::package::archive::{
    Archive, Bounds, archive_stem, foreign_archive, is_archive_name, is_junk_name, to_unpack,
};
use crate::problem::Program;
use crate::report::text::{Whitespace, escape, quote_path};

/// The most files and directories below one path, the same for a folder and for an archive of it.
const MOST: usize = Bounds::CLASS.entries;
/// The deepest nesting of directories.
const DEEPEST: usize = 24;
/// The deepest nesting of archives: a packed export of a platform contains the archives of students, and those folders that
/// they packed.
const NESTED: usize = 4;
/// The most bytes that are unpacked from all archives together, which is far too little to fill a disk.
const UNPACKED: Bytes = Bytes::mib(8192);

/// The most paths that a message lists.
const LISTED: usize = 5;
/// The most paths that the notice about inexact names lists.
const FORGIVEN: usize = 50;

/// A glob of paths to ignore.
pub(super) struct IgnoreGlob {
    pub(super) text: String,
    pub(super) glob: Glob,
    pub(super) has_matched: bool,
}

/// Reads the paths that the user named.
pub(crate) struct Intake<'a> {
    /// The directory for unpacked archives.
    scratch: &'a Path,
    pub(crate) languages: &'a Languages,
    /// The language of every program, if one was named.
    pub(crate) wanted: Option<&'a str>,
    /// The students of the roster; none if there is no roster.
    pub(super) roster: Vec<RosterStudent>,
    /// The globs of paths to ignore.
    pub(super) ignore: Vec<IgnoreGlob>,
    /// The names of all files and folders, and how often each occurs.
    pub(super) met: BTreeMap<String, usize>,
    /// The name of files that list the authors of a submission; empty if no file does.
    pub(super) members_name: &'a str,
    /// Whether any file lists them.
    pub(super) has_members: bool,
    /// Which of several files by their dates counts.
    pub(super) attempts: AttemptChoice,
    /// The directories whose files have the dates that an archive of a student or a platform states.
    dated: BTreeSet<PathBuf>,
    unpacked: usize,
    /// The number of bytes that may still be unpacked.
    room: Bytes,
    /// The errors and warnings so far.
    pub(crate) found: Vec<Diagnostic>,
    /// The students whom an error is about, by its path and its message. Errors about a single submission are not listed here.
    pub(super) concerned: BTreeMap<(Option<PathBuf>, String), BTreeSet<String>>,
    /// The paths that were read forgivingly, with what they mean.
    forgiven: BTreeSet<(PathBuf, String)>,
    /// The paths outside of the layout, which belong to nobody.
    pub(super) outside: Vec<PathBuf>,
}

/// Whether a file is a source of a known language, by its name.
fn is_source(languages: &Languages, path: &Path) -> bool {
    let name = path.file_name().map(PathBuf::from).unwrap_or_default();
    is_notebook(path) || matches!(languages.detect(&[name], &|_| beginning(path)), Detection::One(_))
}

/// As [`Intake::may_be_source`].
pub(super) fn may_be_source(languages: &Languages, path: &Path) -> bool {
    is_source(languages, path) || File::open(path).is_err()
}

impl<'a> Intake<'a> {
    pub(crate) fn new(scratch: &'a Path, languages: &'a Languages, wanted: Option<&'a str>) -> Self {
        Self {
            scratch,
            languages,
            wanted,
            roster: Vec::new(),
            ignore: Vec::new(),
            met: BTreeMap::new(),
            concerned: BTreeMap::new(),
            members_name: "",
            has_members: false,
            attempts: AttemptChoice::Last,
            dated: BTreeSet::new(),
            unpacked: 0,
            room: UNPACKED,
            found: Vec::new(),
            forgiven: BTreeSet::new(),
            outside: Vec::new(),
        }
    }

    pub(crate) fn error(&mut self, path: &Path, message: impl Into<String>, remedy: &str) {
        self.found.push(Diagnostic::error(path, message).remedy(remedy));
    }

    /// An error about the submissions of several students.
    pub(super) fn error_about(&mut self, students: BTreeSet<String>, found: Diagnostic) {
        self.concerned.insert((found.path.clone(), found.message.clone()), students);
        self.found.push(found);
    }

    pub(crate) fn warning(&mut self, path: &Path, message: impl Into<String>, remedy: &str) {
        self.found.push(Diagnostic::warning(path, message).remedy(remedy));
    }

    /// Remembers that a path was read forgivingly, as this problem, or as the work of this student.
    pub(crate) fn forgiven(&mut self, place: &Path, meant: &str) {
        self.forgiven.insert((place.to_owned(), meant.to_owned()));
    }

    /// Reports once which paths were read forgivingly.
    pub(crate) fn tell_forgiven(&mut self, shown: &Path) {
        let forgiven = std::mem::take(&mut self.forgiven);
        if forgiven.is_empty() {
            return;
        }
        let below = shown;
        let shown = |path: &Path| {
            let path = path.strip_prefix(below).unwrap_or(path);
            escape(path.as_os_str().as_encoded_bytes(), Whitespace::Inline)
        };
        // Of many students with the same names, the first stands for all.
        let mut alike: BTreeMap<(Option<&OsStr>, &str), Vec<&Path>> = BTreeMap::new();
        for (path, id) in &forgiven {
            alike.entry((path.file_name(), id)).or_default().push(path);
        }
        let mut kinds: Vec<(&str, Vec<&Path>)> = alike.into_iter().map(|((_, id), paths)| (id, paths)).collect();
        kinds.sort_by_key(|(_, paths)| paths[0]);
        let told = |(id, paths): &(&str, Vec<&Path>)| {
            let more = if paths.len() > 1 { format!(" (and {} more like it)", paths.len() - 1) } else { String::new() };
            format!("`{}` as {}{more}", shown(paths[0]), escape(id.as_bytes(), Whitespace::Inline))
        };
        let mut pairs: Vec<String> = kinds.iter().take(FORGIVEN).map(told).collect();
        pairs.extend(kinds.get(FORGIVEN).map(|_| format!("{} more", kinds.len() - FORGIVEN)));
        let what = if forgiven.len() == 1 { "1 name is".to_owned() } else { format!("{} names are", forgiven.len()) };
        let message = format!("{what} not exact; grader read {}", pairs.join(", "));
        self.warning(below, message, "rename files that are read wrongly");
    }

    /// Reads everything below a directory or in an archive. A single file becomes a tree with one item. `shown` is the
    /// path as typed.
    pub(crate) fn tree(&mut self, path: &Path, shown: &Path) -> Tree {
        let mut tree = Tree::default();
        if path.is_dir() {
            self.walk(path, Path::new(""), shown, 0, &mut tree);
        } else if is_archive_name(path) {
            match self.unpack(path, shown, Bounds::CLASS) {
                Some(dir) => self.walk(&dir, Path::new(""), shown, 1, &mut tree),
                None => tree.whole = Some(Why::Refused),
            }
        } else {
            let below = path.file_name().map(PathBuf::from).unwrap_or_default();
            tree.items.push(TreeItem { below, path: path.to_owned(), is_dir: false, archive: None });
        }
        tree
    }

    /// Refuses a symbolic link, even if the user named it: a shell's `*` also names links of strangers.
    pub(crate) fn refuses_link(&mut self, start: &Path, shown: &Path) -> bool {
        // A missing file is reported by the code that reads it.
        let is_link = fs::symlink_metadata(start.join(shown)).is_ok_and(|found| found.is_symlink());
        if is_link {
            self.error(shown, "is a symbolic link, which grader does not follow", "name its target, if you trust it");
        }
        is_link
    }

    /// Remembers that the dates of the files in a directory are those of their author.
    pub(super) fn with_dates(&mut self, dir: PathBuf) {
        self.dated.insert(dir);
    }

    /// Which of several files of one student counts, by their dates, and the reason. None if they have no order by dates.
    pub(super) fn by_date(&self, files: &[PathBuf]) -> Option<(usize, &'static str)> {
        let by_date = self.in_order_of_dates(files)?;
        Some(match self.attempts {
            AttemptChoice::Last | AttemptChoice::Best => (*by_date.last()?, "the newest by date"),
            AttemptChoice::First => (*by_date.first()?, "the oldest by date"),
        })
    }

    /// The positions of several files of one student, the oldest first. None unless they are in one folder, have one ending, and
    /// an archive of the student or the platform states a different date for each.
    pub(super) fn in_order_of_dates(&self, files: &[PathBuf]) -> Option<Vec<usize>> {
        let first = files.first()?;
        let is_like = |file: &&PathBuf| (file.parent(), file.extension()) == (first.parent(), first.extension());
        if !first.ancestors().any(|dir| self.dated.contains(dir)) || !files.iter().all(|file| is_like(&file)) {
            return None;
        }
        // A file that cannot be read has no date.
        let date = |file: &PathBuf| fs::metadata(file).and_then(|found| found.modified()).ok();
        let dates: Vec<SystemTime> = files.iter().map(date).collect::<Option<_>>()?;
        let by_date: BTreeMap<SystemTime, usize> = dates.into_iter().zip(0..).collect();
        (by_date.len() == files.len()).then(|| by_date.into_values().collect())
    }

    /// Creates a new directory in the scratch space.
    pub(crate) fn fresh_dir(&mut self) -> std::io::Result<PathBuf> {
        self.unpacked += 1;
        let dir = self.scratch.join(format!("handed-in-{}", self.unpacked));
        fs::create_dir(&dir)?;
        Ok(dir)
    }

    fn unpack(&mut self, archive: &Path, shown: &Path, bounds: Bounds) -> Option<PathBuf> {
        let bounds = Bounds { total: bounds.total.min(self.room), ..bounds };
        let dir = match self.fresh_dir() {
            Ok(dir) => dir,
            Err(error) => {
                self.error(shown, format!("cannot be unpacked: {error}"), "free some space for temporary files");
                return None;
            }
        };
        let unpacked = Archive::open(archive, bounds).and_then(|mut archive| archive.extract(&dir));
        match unpacked {
            Ok(size) => {
                self.room = Bytes(self.room.0.saturating_sub(size.0));
                Some(dir)
            }
            Err(error) => {
                self.error(shown, error.to_string(), "pack it again: grader judges nothing in it");
                // A failure does not matter: the scratch space is deleted later.
                let _ = fs::remove_dir_all(&dir);
                None
            }
        }
    }

    fn walk(&mut self, dir: &Path, prefix: &Path, shown: &Path, archives: usize, tree: &mut Tree) {
        let below_of = |path: &Path| {
            let relative = path.strip_prefix(dir).unwrap_or(path);
            if prefix.as_os_str().is_empty() { relative.to_owned() } else { prefix.join(relative) }
        };
        let mut entries = WalkDir::new(dir).min_depth(1).max_depth(DEEPEST).sort_by_file_name().into_iter();
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) if entry.file_type().is_dir() && is_result_folder(entry.path()) => {
                    let place = shown.join(below_of(entry.path()));
                    self.warning(
                        &place,
                        "is a folder of results that grader wrote; ignored",
                        "move it out of the class",
                    );
                    entries.skip_current_dir();
                    continue;
                }
                Ok(entry) if self.ignores(&below_of(entry.path())) || is_junk_name(entry.file_name()) => {
                    if entry.file_type().is_dir() {
                        entries.skip_current_dir();
                    }
                    // As many as items.
                    if tree.ignored.len() < MOST {
                        let below = below_of(entry.path());
                        let path = entry.path().to_owned();
                        tree.ignored.push(below.clone());
                        if entry.file_type().is_file() && !is_junk_name(entry.file_name()) {
                            tree.aside.push(TreeItem { below, path, is_dir: false, archive: None });
                        }
                    }
                    continue;
                }
                Ok(entry) => entry,
                Err(error) => {
                    let why = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                    let below = error.path().map(below_of).unwrap_or_default();
                    let name = if below.as_os_str().is_empty() { shown.to_owned() } else { shown.join(&below) };
                    self.error(&name, why, "make it readable");
                    if tree.items.iter().any(|item| item.below == below) {
                        tree.refused.insert(below, Why::Unreadable);
                    }
                    continue;
                }
            };
            let below = below_of(entry.path());
            if tree.items.len() >= MOST {
                return self.error(shown, format!("more than {MOST} files and directories"), "judge it in parts");
            }
            self.met(&entry, below, shown, archives, tree);
        }
    }

    /// Reports an archive that grader does not open.
    pub(super) fn refuses_archive(&mut self, place: &Path, file: &Path) {
        let command = to_unpack(file, quote_path).unwrap_or_default();
        let remedy = format!("unpack it in its folder, and remove the archive: {command}");
        self.warning(place, "is an archive that grader does not open", &remedy);
    }

    /// Whether the user ignores this path.
    pub(super) fn ignores(&mut self, below: &Path) -> bool {
        let text = |path: &Path| text_of(path.as_os_str().as_encoded_bytes());
        let path = text(below);
        let name = text(Path::new(below.file_name().unwrap_or_default()));
        let mut is_ignored = false;
        for ignore in &mut self.ignore {
            let matches = ignore.glob.matches(&path) || ignore.glob.matches(&name);
            ignore.has_matched |= matches;
            is_ignored |= matches;
        }
        *self.met.entry(name).or_default() += 1;
        is_ignored
    }

    /// Whether a file of this name lists the authors of the submissions beside it.
    pub(super) fn lists_members(&self, name: &OsStr) -> bool {
        !self.members_name.is_empty() && name.eq_ignore_ascii_case(self.members_name)
    }

    /// Reads a file that lists the authors of the submissions in its folder, and reports if that fails.
    pub(super) fn read_members(&mut self, path: &Path, below: &Path, shown: &Path) -> Option<Rc<MembersFile>> {
        self.has_members = true;
        match MembersFile::read(path, below, shown) {
            Ok(file) => Some(Rc::new(file)),
            Err(error) => {
                self.error(shown, error.to_string(), "make it readable");
                None
            }
        }
    }

    fn met(&mut self, entry: &DirEntry, below: PathBuf, shown: &Path, archives: usize, tree: &mut Tree) {
        let kind = entry.file_type();
        let name = shown.join(&below);
        if kind.is_file() && self.lists_members(entry.file_name()) {
            tree.members.extend(self.read_members(entry.path(), &below, &name));
        } else if kind.is_symlink() {
            self.warning(&name, "is a symbolic link, which grader does not follow", "submit the file itself");
            tree.unopened.push(below);
        } else if !kind.is_file() && !kind.is_dir() {
            self.warning(&name, "is neither a file nor a directory; ignored", "remove it");
            tree.unopened.push(below);
        } else if kind.is_file() && is_archive_name(entry.path()) && archives < NESTED {
            let inside = archive_stem(&below).unwrap_or_else(|| below.clone());
            let archive = below;
            if tree.items.iter().any(|item| item.below == inside) {
                return self.error(&name, "is beside a directory of the same name", "remove one of them");
            }
            // An archive inside another is the work of one student, or a bomb.
            let bounds = if archives == 0 { Bounds::default() } else { Bounds::SUBMISSION };
            if let Some(dir) = self.unpack(entry.path(), &name, bounds) {
                let below = inside.clone();
                let path = dir.clone();
                self.with_dates(dir.clone());
                tree.items.push(TreeItem { below, path, is_dir: true, archive: Some(archive) });
                self.walk(&dir, &inside, shown, archives + 1, tree);
            } else {
                // The student keeps a row in the reports.
                let below = inside.clone();
                let path = entry.path().to_owned();
                tree.items.push(TreeItem { below, path, is_dir: true, archive: Some(archive) });
                tree.refused.insert(inside, Why::Refused);
            }
        } else if kind.is_file()
            && let Some(inside) = foreign_archive(&below)
            && tree.items.iter().all(|item| item.below != inside)
        {
            self.refuses_archive(&name, Path::new(entry.file_name()));
            // As with an archive that cannot be opened.
            let path = entry.path().to_owned();
            tree.items.push(TreeItem { below: inside.clone(), path, is_dir: true, archive: Some(below) });
            tree.refused.insert(inside, Why::Refused);
        } else {
            if kind.is_file() && is_archive_name(entry.path()) {
                let remedy = "submit the files themselves";
                self.warning(&name, format!("an archive in {NESTED} others; not opened"), remedy);
            }
            tree.items.push(TreeItem { below, path: entry.path().to_owned(), is_dir: kind.is_dir(), archive: None });
        }
    }

    /// Whether a file is a source of a known language. An unreadable file counts, and its build reports it.
    pub(crate) fn may_be_source(&self, path: &Path) -> bool {
        may_be_source(self.languages, path)
    }

    /// Whether a directory contains a source file, or a file that may be one, at any depth.
    pub(super) fn holds_source(&self, tree: &Tree, dir: &Path) -> bool {
        tree.items.iter().any(|item| !item.is_dir && item.below.starts_with(dir) && self.may_be_source(&item.path))
    }

    /// Whether a file is a source of a known language, by its name.
    pub(crate) fn is_source(&self, path: &Path) -> bool {
        is_source(self.languages, path)
    }

    /// Explains why a file with a known extension, or without one, is not a source of a known language, by its first
    /// line.
    pub(crate) fn why_no_source(&self, path: &Path) -> Option<NoLanguage> {
        let name = path.file_name().map(PathBuf::from).unwrap_or_default();
        match self.languages.detect(&[name], &|_| beginning(path)) {
            Detection::None(why @ (NoLanguage::Interpreter { .. } | NoLanguage::Unlike { .. })) => Some(why),
            _ => None,
        }
    }

    /// The language of a program, if it is known.
    pub(crate) fn language_of(&self, program: &Program, entry_point: Option<&str>) -> Option<&'a str> {
        // A program in no known language is reported when it is built.
        Some(&language_of(self.languages, program, None, entry_point).ok()?.id)
    }
}

/// Whether a file is a Jupyter notebook, by its name.
pub(super) fn is_notebook(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(NOTEBOOK))
}

/// The files of templates that say how to build what is beside them. Alone they are no submissions.
const BUILD_FILES: [&str; 9] = [
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "gradlew.bat",
    "mvnw.cmd",
    "package.json",
    "license.txt",
];

/// Whether a file only describes what is beside it.
pub(crate) fn is_document(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_ascii_lowercase();
    name.starts_with("readme")
        || BUILD_FILES.contains(&&*name)
        || path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
}

/// Lists paths in one line for a message, and shortens long lists.
pub(crate) fn listed(paths: &[PathBuf]) -> String {
    let more = if paths.len() > LISTED { format!(" and {} more", paths.len() - LISTED) } else { String::new() };
    let shown = |path: &PathBuf| escape(path.as_os_str().as_encoded_bytes(), Whitespace::Inline);
    format!("{}{more}", paths.iter().take(LISTED).map(shown).collect::<Vec<_>>().join(", "))
}

/// Converts the name of a file to text. Different names stay different.
pub(crate) fn text_of(name: &[u8]) -> String {
    match std::str::from_utf8(name) {
        Ok(text) => text.to_owned(),
        Err(_) => escape(name, Whitespace::Inline),
    }
}
