//! Reads the files and directories below a path. They are untrusted: archives are opened with bounds, links are not
//! followed.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use anyhow::bail;
use walkdir::{DirEntry, WalkDir};

use super::members::MembersFile;
use super::notebook::{self, ConvertedNotebook, NOTEBOOK};
use super::result_folder::is_result_folder;
use crate::compile::{beginning, language_of};
use crate::course::AttemptChoice;
use crate::diagnostic::Diagnostic;
use crate::glob::Glob;
use crate::language::{Detection, Languages, NoLanguage};
use crate::limits::Bytes;
use crate::package::archive::{
    Archive, Bounds, archive_stem, foreign_archive, foreign_unpacker, is_archive_name, is_junk_name,
};
use crate::problem::Program;
use crate::report::text::{Whitespace, escape, quote_path, truncate};

/// The most files and directories below one path, the same for a folder and for an archive of it.
const MOST: usize = Bounds::CLASS.entries;
/// The deepest nesting of directories.
const DEEPEST: usize = 24;
/// The deepest nesting of archives: a packed export of a platform contains the archives of students, and those folders that
/// they packed.
const NESTED: usize = 4;
/// The most bytes that are unpacked from all archives together, which is far too little to fill a disk.
const UNPACKED: Bytes = Bytes::mib(8192);
/// The largest total size of the files of one submission.
const LARGEST: Bytes = Bounds::SUBMISSION.file;
/// The most files of one submission.
const MOST_FILES: usize = Bounds::SUBMISSION.entries;
/// The most dropped lines of a notebook that a message lists.
const DROPPED: usize = 10;

/// A file or directory below the path.
#[derive(Debug, Clone)]
pub(crate) struct TreeItem {
    /// Its path below the root. The content of an archive is below the archive's name without the extension.
    pub(crate) below: PathBuf,
    /// Its path on disk.
    pub(crate) path: PathBuf,
    pub(crate) is_dir: bool,
    /// For the content of an archive: the path of the archive below the root.
    pub(crate) archive: Option<PathBuf>,
}

impl TreeItem {
    /// Its name below the root; for an archive, with the extension.
    pub(crate) fn name(&self) -> &Path {
        self.archive.as_deref().unwrap_or(&self.below)
    }
}

/// All files and directories below a path. Each directory comes before its content.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    pub(crate) items: Vec<TreeItem>,
    /// Refused directories and archives: unreadable, or not opened. They are among the items, without content.
    pub(super) refused: BTreeMap<PathBuf, Why>,
    /// Why the whole tree is empty, if it was refused.
    pub(super) whole: Option<Why>,
    /// Links, pipes and devices. They are not among the items, because nothing may open them.
    pub(crate) unopened: Vec<PathBuf>,
    /// Files and directories that systems and editors leave behind, and those that the user ignores. They are not among
    /// the items.
    pub(crate) ignored: Vec<PathBuf>,
    /// The files among them that are those of the template of an assignment, the same for all students.
    pub(super) template: BTreeSet<PathBuf>,
    /// The files among them that the user ignores. They are not submissions, but programs beside them may use them.
    pub(super) aside: Vec<TreeItem>,
    /// The files that list the authors of submissions. They are not among the items.
    pub(super) members: Vec<Rc<MembersFile>>,
}

/// The most paths that a message lists.
const LISTED: usize = 5;
/// The most paths that the notice about inexact names lists.
const FORGIVEN: usize = 50;

/// The position of each item of a tree, by its name.
pub(super) type Positions<'t> = BTreeMap<&'t Path, usize>;

/// Why a submission cannot be judged. The details were already reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Why {
    /// It contains no source of a known language.
    #[error("no program")]
    NoProgram,
    /// It is nothing but text of an online form.
    #[error("no file")]
    NoFile,
    /// It is larger than a submission may be.
    #[error("too large")]
    TooLarge,
    /// It is an archive or a folder without any file.
    #[error("empty")]
    Empty,
    /// No submitted file has the name of a case.
    #[error("no output")]
    NoOutput,
    /// It is a refused archive, or contains nothing else.
    #[error("archive refused")]
    Refused,
    /// It is a symbolic link, a pipe or a device, which grader does not open.
    #[error("link")]
    Link,
    /// It is a file or directory that grader may not read, or contains nothing else.
    #[error("cannot be read")]
    Unreadable,
    /// The student submitted several for one problem.
    #[error("ambiguous")]
    Ambiguous,
    /// Different submissions name the student as an author.
    #[error("several authors")]
    SeveralAuthors,
    /// Its path names more than one student or problem.
    #[error("ambiguous")]
    Unclear,
    /// It belongs to no problem.
    #[error("no such problem")]
    NoSuchProblem,
    /// The problem is broken, or grader failed.
    #[error("not judged")]
    NotJudged,
    /// The problem has no time limit.
    #[error("no time limit")]
    NoTimeLimit,
    /// The submissions of this student of the roster cannot be distinguished from those of others.
    #[error("not identified")]
    NotIdentified,
    /// Something outside of the layout has the name of this student of the roster.
    #[error("outside the layout")]
    OutsideLayout,
}

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
    /// The paths that were read forgivingly, with what they mean.
    forgiven: BTreeSet<(PathBuf, String)>,
    /// The paths outside of the layout, which belong to nobody.
    pub(super) outside: Vec<PathBuf>,
}

/// A program as it will be judged.
#[derive(Debug, Clone)]
pub(crate) struct SubmittedProgram {
    pub(crate) program: Program,
    /// The file to start, if the program has several and its language does not decide.
    pub(crate) entry_point: Option<String>,
    /// The file that was chosen among several; reports name it.
    pub(crate) chosen: Option<PathBuf>,
    /// Remarks for its author on how it was read.
    pub(crate) remarks: Vec<String>,
}

impl From<Program> for SubmittedProgram {
    fn from(program: Program) -> Self {
        Self { program, entry_point: None, chosen: None, remarks: Vec::new() }
    }
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

/// The size of a program that is larger than a submission may be.
fn too_large(program: &Program) -> Option<Bytes> {
    let (dir, files) = program.parts()?;
    // All files could be opened just now. A file that has vanished since then is reported when it is copied.
    let size = files.iter().filter_map(|file| Some(fs::symlink_metadata(dir.join(file)).ok()?.len())).sum();
    (size > LARGEST.0).then_some(Bytes(size))
}

/// The first compressed file of a program that grader does not open, with the command that unpacks it.
fn compressed_file(program: &Program) -> Option<(String, &'static str)> {
    let (_, files) = program.parts()?;
    files.iter().find_map(|file| Some((file.display().to_string(), foreign_unpacker(file)?)))
}

impl<'a> Intake<'a> {
    pub(crate) fn new(scratch: &'a Path, languages: &'a Languages, wanted: Option<&'a str>) -> Self {
        Self {
            scratch,
            languages,
            wanted,
            ignore: Vec::new(),
            met: BTreeMap::new(),
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

    /// Which of several files of one student counts, by their dates, and the reason. None unless they are in one folder, have
    /// one ending, and an archive of the student or the platform states a different date for each.
    pub(super) fn by_date(&self, files: &[PathBuf]) -> Option<(usize, &'static str)> {
        let first = files.first()?;
        let is_like = |file: &&PathBuf| (file.parent(), file.extension()) == (first.parent(), first.extension());
        if !first.ancestors().any(|dir| self.dated.contains(dir)) || !files.iter().all(|file| is_like(&file)) {
            return None;
        }
        // A file that cannot be read has no date.
        let date = |file: &PathBuf| fs::metadata(file).and_then(|found| found.modified()).ok();
        let dates: Vec<SystemTime> = files.iter().map(date).collect::<Option<_>>()?;
        let by_date: BTreeMap<SystemTime, usize> = dates.into_iter().zip(0..).collect();
        let (newest, oldest) = (by_date.values().next_back()?, by_date.values().next()?);
        let chosen = match self.attempts {
            AttemptChoice::Last | AttemptChoice::Best => (*newest, "the newest by date"),
            AttemptChoice::First => (*oldest, "the oldest by date"),
        };
        (by_date.len() == files.len()).then_some(chosen)
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
                    self.warning(&place, "is a folder of results (`--out`); ignored", "move it out of the class");
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
            && let Some((inside, command)) = foreign_archive(&below)
            && tree.items.iter().all(|item| item.below != inside)
        {
            let file = quote_path(&entry.file_name().to_string_lossy());
            let remedy = format!("unpack it in its folder: {command} {file}");
            self.warning(&name, "is an archive that grader does not open", &remedy);
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

    /// Finds the files of a program in a file or directory of the tree, which messages call `name`. Reports the reason if
    /// there are none.
    pub(crate) fn program(&mut self, tree: &Tree, item: &TreeItem, name: &Path) -> Result<Program, Why> {
        if let Some(why) = tree.refusal(&item.below) {
            return Err(why);
        }
        if item.is_dir && tree.holds_only_links(&item.below) {
            return Err(Why::Link);
        }
        if item.is_dir && tree.holds_nothing(&item.below) {
            return Err(self.empty(item, name));
        }
        let program =
            if item.is_dir { self.directory(tree, item, name) } else { Some(Program::File(item.path.clone())) };
        let program = program.ok_or(Why::NoProgram)?;
        if self.refuses_unreadable(&program, item, name) {
            return Err(Why::Unreadable);
        }
        Ok(program)
    }

    /// Reports an empty folder or archive.
    pub(super) fn empty(&mut self, item: &TreeItem, name: &Path) -> Why {
        let what = if item.archive.is_some() { "is an empty archive" } else { "is an empty folder" };
        self.error(name, what, "ask for it again");
        Why::Empty
    }

    /// Checks that a program is in a known language, and turns notebooks into programs.
    pub(crate) fn known(&mut self, program: Program, name: &Path) -> Result<SubmittedProgram, Why> {
        let submitted = self.submitted(program, name)?;
        if let Some(size) = too_large(&submitted.program) {
            self.warning(name, format!("{size} is more than {LARGEST}; not judged"), "submit only the sources");
            return Err(Why::TooLarge);
        }
        match self.why_no_program(&submitted.program) {
            None => Ok(submitted),
            Some(why) => {
                if let Some((archive, command)) = compressed_file(&submitted.program) {
                    let remedy = format!("unpack it: {command} {}", quote_path(&archive));
                    self.warning(name, format!("{archive} is an archive that grader does not open"), &remedy);
                    return Err(Why::Refused);
                }
                let remedy =
                    "submit a source file with the ending of its language, or name the language of all: --lang";
                self.warning(name, format!("is not a program: {why}"), remedy);
                Err(Why::NoProgram)
            }
        }
    }

    /// Turns notebooks into programs. Messages call the submission `name`.
    pub(crate) fn submitted(&mut self, program: Program, name: &Path) -> Result<SubmittedProgram, Why> {
        let Some((dir, files)) = program.parts() else { return Ok(program.into()) };
        if !files.iter().any(|file| is_notebook(file)) {
            return Ok(program.into());
        }
        let is_double = |file: &PathBuf| is_notebook(file) && files.contains(&file.with_extension("py"));
        if files.iter().any(is_double) {
            let message = "contains a notebook and a program of the same name";
            self.error(name, message, "keep one: grader judges neither");
            return Err(Why::Ambiguous);
        }
        let (mut remarks, mut dropped_lines) = (Vec::new(), Vec::new());
        let copied = self.fresh_dir().map_err(anyhow::Error::from).and_then(|copy| {
            for file in &files {
                let target = copy.join(file);
                fs::create_dir_all(target.parent().unwrap_or(&copy))?;
                if !is_notebook(file) {
                    fs::copy(dir.join(file), &target)?;
                    continue;
                }
                if dir.join(file).metadata()?.len() > LARGEST.0 {
                    bail!("is more than {LARGEST}");
                }
                let ConvertedNotebook { source, dropped } = notebook::convert(&fs::read(dir.join(file))?)?;
                fs::write(target.with_extension("py"), source)?;
                let own = escape(file.as_os_str().as_encoded_bytes(), Whitespace::Inline);
                remarks.push(format!("{own} ran as a Python program: the code cells from top to bottom"));
                let lines: Vec<String> = dropped.iter().take(DROPPED).map(|line| shortened(line)).collect();
                let more = dropped.len() - lines.len();
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                if !lines.is_empty() {
                    let told = format!("dropped, because only Jupyter understands it: {}{more}", lines.join(", "));
                    remarks.push(told.clone());
                    dropped_lines.push(told);
                }
            }
            Ok(copy)
        });
        match copied {
            Ok(copy) => {
                for dropped in dropped_lines {
                    self.warning(name, dropped, "submit a .py file if these lines matter");
                }
                let files: Vec<PathBuf> = files
                    .into_iter()
                    .map(|file| if is_notebook(&file) { file.with_extension("py") } else { file })
                    .collect();
                let program = match program {
                    Program::File(_) => Program::File(copy.join(&files[0])),
                    _ => Program::Directory { path: copy, files },
                };
                Ok(SubmittedProgram { remarks, ..program.into() })
            }
            Err(error) => {
                self.warning(name, error.to_string(), "submit a source file");
                Err(Why::NoProgram)
            }
        }
    }

    /// Takes all files of a directory, starting at the first level with more than a single directory.
    fn directory(&mut self, tree: &Tree, item: &TreeItem, name: &Path) -> Option<Program> {
        let mut top = item;
        loop {
            let inside: Vec<&TreeItem> = tree.inside(&top.below).collect();
            match inside[..] {
                [only] if only.is_dir => top = only,
                [only] => return Some(Program::File(only.path.clone())),
                _ => break,
            }
        }
        let files = tree.items.iter().filter(|file| !file.is_dir && file.below.starts_with(&top.below));
        let (own, packed): (Vec<&TreeItem>, Vec<&TreeItem>) = files.partition(|file| file.path.starts_with(&top.path));
        // A report beside an archive is not a program, so the archive is it.
        if !packed.is_empty() && !own.iter().any(|file| self.may_be_source(&file.path)) {
            let mut archives: Vec<&TreeItem> = Vec::new();
            for file in tree.items.iter().filter(|file| file.archive.is_some() && file.below != top.below) {
                let is_inner = archives.iter().any(|outer| file.below.starts_with(&outer.below));
                if file.below.starts_with(&top.below) && !is_inner && tree.holds_source(&file.below, self) {
                    archives.push(file);
                }
            }
            if let [only] = archives[..] {
                return self.directory(tree, only, name);
            }
        }
        if !packed.is_empty() {
            let remedy = "submit either the archive or the files";
            self.warning(name, "contains an archive beside other files; grader ignores the archive", remedy);
        }
        // Paths of items begin with the path of the directory.
        let files: Vec<PathBuf> =
            own.iter().filter_map(|file| file.path.strip_prefix(&top.path).ok().map(Path::to_owned)).collect();
        if files.len() > MOST_FILES {
            self.warning(name, format!("contains more than {MOST_FILES} files; not judged"), "submit only the sources");
            return None;
        }
        Some(Program::Directory { path: top.path.clone(), files })
    }

    /// Refuses a program if one of its files cannot be read, because its language is then unknown.
    fn refuses_unreadable(&mut self, program: &Program, item: &TreeItem, name: &Path) -> bool {
        let Some((dir, files)) = program.parts() else { return false };
        let found = files.iter().find_map(|file| Some((dir.join(file), File::open(dir.join(file)).err()?)));
        let Some((path, error)) = found else { return false };
        let below = path.strip_prefix(&item.path).ok().filter(|below| !below.as_os_str().is_empty());
        let shown = below.map_or_else(|| name.to_owned(), |below| name.join(below));
        self.error(&shown, error.to_string(), "make it readable");
        true
    }

    fn why_no_program(&self, program: &Program) -> Option<String> {
        let (dir, files) = program.parts()?;
        if self.wanted.is_some() {
            return None;
        }
        match self.languages.detect(&files, &|file| beginning(&dir.join(file))) {
            Detection::One(_) => None,
            Detection::None(why) => Some(why.to_string()),
        }
    }

    /// Whether a file is a source of a known language. An unreadable file counts, and its build reports it.
    pub(crate) fn may_be_source(&self, path: &Path) -> bool {
        may_be_source(self.languages, path)
    }

    /// Whether a file is a source of a known language, by its name.
    pub(crate) fn is_source(&self, path: &Path) -> bool {
        is_source(self.languages, path)
    }

    /// Whether a folder without a layout is one program. Otherwise each file and folder in it is one.
    pub(crate) fn is_one_program(&self, tree: &Tree, dir: &Path) -> bool {
        let dir = tree.first_of_several(dir);
        let (mut sources, mut dirs) = (0, 0);
        for item in tree.inside(&dir) {
            if !item.is_dir && is_entry(&item.below) {
                return true;
            }
            sources += usize::from(!item.is_dir && self.may_be_source(&item.path));
            dirs += usize::from(item.is_dir && tree.holds_source(&item.below, self));
        }
        sources == 1 && dirs == 0
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

impl Tree {
    /// The entries of a directory of the tree; the empty path is the top.
    pub(crate) fn inside<'t>(&'t self, dir: &'t Path) -> impl Iterator<Item = &'t TreeItem> {
        self.items.iter().filter(move |item| item.below.parent() == Some(dir))
    }

    /// Follows directories that contain nothing but another directory. Returns the last of them.
    pub(crate) fn first_of_several(&self, dir: &Path) -> PathBuf {
        let mut top = dir.to_owned();
        while let Some(only) = self.only_dir(&top) {
            top = only;
        }
        top
    }

    /// The only entry of a directory, if that is a directory.
    fn only_dir(&self, dir: &Path) -> Option<PathBuf> {
        let mut inside = self.inside(dir);
        let only = inside.next().filter(|item| item.is_dir)?;
        inside.next().is_none().then(|| only.below.clone())
    }

    /// The files that list the authors of what is at a path: those in the folders above it and in itself, the nearest last.
    pub(super) fn members_of(&self, below: &Path) -> Vec<Rc<MembersFile>> {
        let is_beside = |file: &&Rc<MembersFile>| {
            let dir = file.below.parent().unwrap_or(Path::new(""));
            below.starts_with(dir) || dir.starts_with(below)
        };
        let mut files: Vec<Rc<MembersFile>> = self.members.iter().filter(is_beside).cloned().collect();
        files.sort_by_key(|file| file.below.components().count());
        files
    }

    /// Why the content of a directory is unknown: it was refused, or everything in it was.
    pub(crate) fn refusal(&self, dir: &Path) -> Option<Why> {
        if self.whole.is_some() {
            return self.whole;
        }
        let mut inside = self.items.iter().filter(|item| item.below.starts_with(dir)).peekable();
        let of_refused =
            |item: &TreeItem| item.is_dir && self.refused.keys().any(|refused| refused.starts_with(&item.below));
        let whole = !self.refused.is_empty() && inside.peek().is_some() && inside.all(of_refused);
        self.refused.iter().find(|(refused, _)| whole && refused.starts_with(dir)).map(|(_, why)| *why)
    }

    /// Why part of a directory is unknown, if anything in it was refused.
    pub(crate) fn refusal_within(&self, dir: &Path) -> Option<Why> {
        let mut within = self.refused.iter().filter(|(refused, _)| refused.starts_with(dir));
        self.whole.or_else(|| within.next().map(|(_, why)| *why))
    }

    /// Whether a directory contains nothing but links, pipes and devices, which grader does not open.
    pub(crate) fn holds_only_links(&self, dir: &Path) -> bool {
        let has_file = self.items.iter().any(|item| !item.is_dir && item.below.starts_with(dir));
        !has_file && self.unopened.iter().any(|path| path.starts_with(dir))
    }

    /// Whether a directory contains no file at all.
    pub(super) fn holds_nothing(&self, dir: &Path) -> bool {
        let is_inside = |path: &Path| path.starts_with(dir);
        !self.items.iter().any(|item| !item.is_dir && is_inside(&item.below))
            && !self.unopened.iter().chain(&self.ignored).any(|path| is_inside(path))
            && !self.members.iter().any(|file| is_inside(&file.below))
    }

    /// The refused items, each with the reason.
    pub(crate) fn refused(&self) -> impl Iterator<Item = (&TreeItem, Why)> {
        self.items.iter().filter_map(|item| Some((item, *self.refused.get(&item.below)?)))
    }

    /// Whether a directory contains a source file, or a file that may be one, at any depth.
    pub(crate) fn holds_source(&self, dir: &Path, intake: &Intake<'_>) -> bool {
        let files = self.items.iter().filter(|item| !item.is_dir && item.below.starts_with(dir));
        files.into_iter().any(|item| intake.may_be_source(&item.path))
    }
}

/// Whether a file is a Jupyter notebook, by its name.
fn is_notebook(path: &Path) -> bool {
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

/// A line of a program, safe and short enough for a message.
fn shortened(line: &str) -> String {
    format!("`{}`", truncate(&escape(line.as_bytes(), Whitespace::Inline), 60))
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

/// Whether a file of this name makes its folder one program.
fn is_entry(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    ["main", "__main__"].iter().any(|main| stem.eq_ignore_ascii_case(main))
        || ["build", "run", "Cargo.toml"].contains(&name)
}
