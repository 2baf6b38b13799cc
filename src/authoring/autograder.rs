//! Makes the archive with which Gradescope judges a problem: grader, the problem, and two scripts.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use walkdir::WalkDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::workflow::installation;
use crate::language::Language;
use crate::problem::Problem;
use crate::program_files::normal;
use crate::session::authored::data_of;
use crate::workspace::Workspace;

/// The archive of a problem, before it is written.
#[derive(Debug)]
pub(crate) struct Autograder {
    /// The content of each entry, by its name.
    entries: BTreeMap<String, ArchiveEntry>,
}

#[derive(Debug)]
enum ArchiveEntry {
    Text(String),
    Directory,
    File(PathBuf),
    Program(PathBuf),
}

/// Why the archive cannot be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoArchive {
    /// A part of the problem lies elsewhere.
    #[error("{} does not lie below {}, the folder of grader.toml\n  → move it there", .0.display(), .1.display())]
    Elsewhere(PathBuf, PathBuf),
    /// The archive would replace a folder.
    #[error("{} is a folder\n  → name a file in it", .0.display())]
    Folder(PathBuf),
    /// The folder for the archive does not exist.
    #[error("there is no folder {}\n  → create it, or name another", .0.display())]
    NoFolder(PathBuf),
    /// A name is not UTF-8.
    #[error("{} has a name that is not UTF-8\n  → rename it", .0.display())]
    Name(PathBuf),
}

impl Autograder {
    /// Collects the files of a problem, of its cases, of grader.toml, and of the libraries that it names. `languages` are
    /// those that the image must have.
    ///
    /// # Errors
    /// A part of the problem lies outside the workspace, or cannot be listed.
    pub(crate) fn new(workspace: &Workspace, problem: &Problem, languages: &[&Language]) -> Result<Self> {
        let settings = &workspace.settings;
        let setup = include_str!("autograder/setup.sh").replace("@LANGUAGES@", &installation("", languages, &[]));
        let mut archive = Self { entries: BTreeMap::new() };
        archive.entries.insert("setup.sh".to_owned(), ArchiveEntry::Text(setup));
        let run = include_str!("autograder/run_autograder").to_owned();
        archive.entries.insert("run_autograder".to_owned(), ArchiveEntry::Text(run));
        archive.entries.insert("grader".to_owned(), ArchiveEntry::Program(workspace.grader().to_owned()));
        let data = data_of(workspace, problem);
        let libraries = workspace.languages.iter().flat_map(|row| row.include.clone());
        let parts = [problem.dir.clone(), data].into_iter().filter(|part| part.exists());
        let header = settings.testlib_header().filter(|header| header.exists());
        // grader.toml names them, so they must exist, although only one problem is in them.
        for root in settings.problem_roots() {
            if let Ok(below) = normal(&root).strip_prefix(&settings.base)
                && below != Path::new("")
            {
                archive.entries.insert(name_of(below)?, ArchiveEntry::Directory);
            }
        }
        for part in parts.chain(settings.file.clone()).chain(libraries).chain(header) {
            archive.add(&settings.base, &part)?;
        }
        Ok(archive)
    }

    /// Adds a file, or all files below a folder. Leaves out what is hidden: `.grader/`, version control.
    fn add(&mut self, base: &Path, part: &Path) -> Result<()> {
        let is_shown =
            |entry: &walkdir::DirEntry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".");
        for entry in WalkDir::new(part).follow_links(true).into_iter().filter_entry(is_shown) {
            let entry = entry.with_context(|| format!("cannot read {}", part.display()))?;
            if !entry.file_type().is_file() {
                continue;
            }
            // No name in an archive may lead out of the folder that it is unpacked in.
            let path = normal(entry.path());
            let elsewhere = || NoArchive::Elsewhere(path.clone(), base.to_owned());
            let name = path.strip_prefix(base).map_err(|_| elsewhere())?;
            self.entries.insert(name_of(name)?, ArchiveEntry::File(path));
        }
        Ok(())
    }

    /// The names of the entries, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Writes the archive, whole or not at all. Replaces an older one.
    ///
    /// # Errors
    /// A file cannot be read, or the archive cannot be written.
    pub(crate) fn write(&self, to: &Path) -> Result<()> {
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if to.is_dir() {
            return Err(NoArchive::Folder(to.to_owned()).into());
        }
        if !folder.is_dir() {
            return Err(NoArchive::NoFolder(folder.to_owned()).into());
        }
        let cannot = || format!("cannot write {}", to.display());
        let file = tempfile::NamedTempFile::new_in(folder).with_context(cannot)?;
        let mut zip = ZipWriter::new(file);
        for (name, entry) in &self.entries {
            let permissions = entry.permissions().with_context(|| format!("cannot read {name}"))?;
            let options = SimpleFileOptions::default().unix_permissions(permissions);
            match entry {
                ArchiveEntry::Directory => zip.add_directory(name, options).with_context(cannot)?,
                ArchiveEntry::Text(text) => {
                    zip.start_file(name, options).with_context(cannot)?;
                    zip.write_all(text.as_bytes()).with_context(cannot)?;
                }
                ArchiveEntry::File(path) | ArchiveEntry::Program(path) => {
                    let mut from = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
                    zip.start_file(name, options).with_context(cannot)?;
                    io::copy(&mut from, &mut zip).with_context(cannot)?;
                }
            }
        }
        let file = zip.finish().with_context(cannot)?;
        fs::set_permissions(file.path(), super::workflow::readable()).with_context(cannot)?;
        file.persist(to).map(drop).map_err(|error| error.error).with_context(cannot)
    }
}

/// The name of a path in the archive.
fn name_of(path: &Path) -> Result<String, NoArchive> {
    path.to_str().map(str::to_owned).ok_or_else(|| NoArchive::Name(path.to_owned()))
}

impl ArchiveEntry {
    /// The permissions in the archive. Scripts and grader must be executable, and so must the scripts that build and run
    /// validators.
    fn permissions(&self) -> io::Result<u32> {
        Ok(match self {
            Self::File(path) if path.metadata()?.permissions().mode() & 0o111 == 0 => 0o644,
            Self::File(_) | Self::Text(_) | Self::Directory | Self::Program(_) => 0o755,
        })
    }
}
