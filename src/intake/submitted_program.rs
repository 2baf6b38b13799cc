//! Finds the program in what a student submitted: its files, and the notebooks among them as programs.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::bail;

use super::advice::cannot_be_program;
use super::notebook::{self, ConvertedNotebook};
use super::reader::{Intake, is_notebook, listed};
use super::tree::{Tree, TreeItem};
use super::unjudged::Why;
use crate::compile::beginning;
use crate::language::Detection;
use crate::limits::Bytes;
use crate::package::archive::{Bounds, is_foreign};
use crate::problem::Program;
use crate::report::text::{Whitespace, escape, truncate};

/// The largest total size of the files of one submission.
const LARGEST: Bytes = Bounds::SUBMISSION.file;
/// The most files of one submission.
const MOST_FILES: usize = Bounds::SUBMISSION.entries;
/// The most dropped lines of a notebook that a message lists.
const DROPPED: usize = 10;

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

impl Intake<'_> {
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
            self.empty(item, name);
            return Err(Why::Empty);
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
    pub(super) fn empty(&mut self, item: &TreeItem, name: &Path) {
        let what = if item.archive.is_some() { "is an empty archive" } else { "is an empty folder" };
        self.error(name, what, "ask for it again");
    }

    /// Checks that a program is in a known language, and turns notebooks into programs.
    pub(crate) fn known(&mut self, program: Program, name: &Path) -> Result<SubmittedProgram, Why> {
        let mut submitted = self.submitted(program, name)?;
        if let Some(size) = too_large(&submitted.program) {
            let Some((sources, others)) = self.without_large_files(&submitted.program) else {
                self.warning(name, format!("{size} is more than {LARGEST}; not judged"), "submit only the sources");
                return Err(Why::TooLarge);
            };
            let message = format!("{size} is more than {LARGEST}, so your program ran without {}", listed(&others));
            let told = format!("{size} is more than {LARGEST}; grader judges it without {}", listed(&others));
            self.warning(name, told, "submit only the sources");
            submitted.remarks.push(format!("{message}. Submit only the sources"));
            submitted.program = sources;
        }
        match self.why_no_program(&submitted.program) {
            None => Ok(submitted),
            Some(why) => {
                if let Some(archive) = compressed_file(&submitted.program) {
                    self.refuses_archive(&name.with_file_name(archive.file_name().unwrap_or_default()), &archive);
                    return Err(Why::Refused);
                }
                let remedy = if self.wanted.is_some() {
                    "submit a source file; if it is one all the same, name the file itself"
                } else {
                    "submit a source file with the ending of its language, or name the language of all: --lang"
                };
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
                if file.below.starts_with(&top.below) && !is_inner && self.holds_source(tree, &file.below) {
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

    /// The program in a folder that is too large, without the files that make it so, and their names. None if one of them is a
    /// source, or if nothing else is.
    fn without_large_files(&self, program: &Program) -> Option<(Program, Vec<PathBuf>)> {
        let Program::Directory { path, files } = program else { return None };
        let size = |file: &PathBuf| fs::symlink_metadata(path.join(file)).map_or(0, |found| found.len());
        let mut kept = files.clone();
        kept.sort_by_key(size);
        let mut others = Vec::new();
        while kept.iter().map(size).sum::<u64>() > LARGEST.0 {
            others.push(kept.pop()?);
        }
        kept.sort_unstable();
        let is_source = |file: &PathBuf| self.is_source(&path.join(file));
        let is_fine = kept.iter().any(is_source) && !others.iter().any(is_source);
        is_fine.then(|| (Program::Directory { path: path.clone(), files: kept }, others))
    }

    fn why_no_program(&self, program: &Program) -> Option<String> {
        let (dir, files) = program.parts()?;
        // `--lang` makes a program of a text, but not of a report.
        if self.wanted.is_some() && !files.iter().all(|file| cannot_be_program(file)) {
            return None;
        }
        match self.languages.detect(&files, &|file| beginning(&dir.join(file))) {
            Detection::One(_) => None,
            Detection::None(why) => Some(why.to_string()),
        }
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
            dirs += usize::from(item.is_dir && self.holds_source(tree, &item.below));
        }
        sources == 1 && dirs == 0
    }
}

/// The size of a program that is larger than a submission may be.
fn too_large(program: &Program) -> Option<Bytes> {
    let (dir, files) = program.parts()?;
    // All files could be opened just now. A file that has vanished since then is reported when it is copied.
    let size = files.iter().filter_map(|file| Some(fs::symlink_metadata(dir.join(file)).ok()?.len())).sum();
    (size > LARGEST.0).then_some(Bytes(size))
}

/// The first compressed file of a program that grader does not open.
fn compressed_file(program: &Program) -> Option<PathBuf> {
    let (_, files) = program.parts()?;
    files.into_iter().find(|file| is_foreign(file))
}

/// A line of a program, safe and short enough for a message.
fn shortened(line: &str) -> String {
    format!("`{}`", truncate(&escape(line.as_bytes(), Whitespace::Inline), 60))
}

/// Whether a file of this name makes its folder one program.
fn is_entry(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    ["main", "__main__"].iter().any(|main| stem.eq_ignore_ascii_case(main))
        || ["build", "run", "Cargo.toml"].contains(&name)
}
