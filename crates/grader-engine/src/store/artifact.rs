//! Stores compiled programs by key: `artifacts/<key>/files/…` with `artifacts/<key>/meta`, one checksummed line as in a
//! segment.
//!
//! A builder fills a temporary directory and renames it into place as a whole. Nothing is synced to disk. Instead,
//! `meta` lists every file with its digest. An artifact counts as missing if its files do not have these digests, for
//! example after a power cut. The modification time of its directory is the time of its last use.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use walkdir::WalkDir;

use super::key::{Digest, Key};
use super::layout::open_plain;
use super::{Store, segment};

/// A compiled program, or the messages of a compiler that rejected it.
#[derive(Debug, Clone)]
pub struct Artifact<M> {
    /// The directory with the program's files; absolute. Valid as long as this value (or a clone) lives, because it is
    /// a temporary directory if the artifact could not be cached.
    pub dir: PathBuf,
    /// The compiler's messages from the build.
    pub meta: M,
    temporary: Option<Arc<TempDir>>,
}

impl<M> Artifact<M> {
    /// Whether later runs will find it.
    pub fn is_cached(&self) -> bool {
        self.temporary.is_none()
    }
}

/// The contents of `meta`: every file of the artifact, sorted by path.
#[derive(Serialize, Deserialize, PartialEq)]
struct Manifest<M> {
    meta: M,
    files: Vec<ManifestEntry>,
}

#[derive(Serialize, Deserialize, PartialEq)]
struct ManifestEntry {
    /// Relative to `files/`.
    path: PathBuf,
    content: Content,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Content {
    File(Digest),
    Link(PathBuf),
}

/// An artifact under construction. Dropping it without [`commit`](Self::commit) removes all its files.
#[derive(Debug)]
pub struct ArtifactBuilder<'a> {
    store: &'a Store,
    key: Key,
    temp: TempDir,
    files: PathBuf,
}

impl<'a> ArtifactBuilder<'a> {
    pub(super) fn new(store: &'a Store, key: Key) -> io::Result<Self> {
        let cached = store.journal().and_then(|journal| journal.layout.temp_dir().ok());
        // Without a cache, or on a full disk, the program is still built.
        let temp = match cached {
            Some(temp) if fs::create_dir(temp.path().join("files")).is_ok() => temp,
            _ => outside()?,
        };
        Self::in_dir(store, key, temp)
    }

    fn in_dir(store: &'a Store, key: Key, temp: TempDir) -> io::Result<Self> {
        // A sandbox may run the program as another user.
        fs::set_permissions(temp.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        let files = temp.path().join("files");
        Ok(Self { store, key, temp, files })
    }

    /// Starts again outside of the store, after `cause` prevented building inside it. Such an artifact exists until its
    /// value is dropped, and later runs do not find it.
    ///
    /// # Errors
    /// No temporary directory can be created outside the store either.
    pub fn elsewhere(self, cause: &io::Error) -> io::Result<Self> {
        if let Some(journal) = self.store.journal() {
            journal.artifact_not_kept(cause);
        }
        let Self { store, key, temp, .. } = self;
        // Remove the old directory first, to free its space.
        drop(temp);
        Self::in_dir(store, key, outside()?)
    }

    /// Returns the directory to build in: empty, absolute. Its contents at [`commit`](Self::commit) become the
    /// artifact, and its files then move to another path.
    pub fn dir(&self) -> &Path {
        &self.files
    }

    /// Puts the artifact into the cache. If that fails, the artifact can still be used, but later runs do not find it.
    /// If another process has stored an equal artifact by then, this returns that one.
    pub fn commit<M: Serialize>(mut self, meta: M) -> Artifact<M> {
        match self.publish(&meta) {
            Ok(Some(dir)) => Artifact { dir, meta, temporary: None },
            Ok(None) => Artifact { dir: self.files, meta, temporary: Some(Arc::new(self.temp)) },
            Err(cause) => {
                if let Some(journal) = self.store.journal() {
                    journal.artifact_not_kept(&cause);
                }
                Artifact { dir: self.files, meta, temporary: Some(Arc::new(self.temp)) }
            }
        }
    }

    fn publish<M: Serialize>(&mut self, meta: &M) -> io::Result<Option<PathBuf>> {
        let Some(journal) = self.store.journal().filter(|journal| self.temp.path().starts_with(&journal.layout.temp))
        else {
            return Ok(None);
        };
        let (files, bytes) = list_files(self.store, &self.files)?;
        let Some(line) = segment::encode(&self.key, &Manifest { meta, files }, None) else { return Ok(None) };
        File::create_new(self.temp.path().join("meta"))?.write_all(&line)?;
        let target = journal.layout.artifacts.join(self.key.to_string());
        match fs::rename(self.temp.path(), &target) {
            // The old name is free now, and another process may use it.
            Ok(()) => self.temp.disable_cleanup(true),
            Err(_) if read_line(&target).is_some_and(|theirs| theirs == line) && is_intact(self.store, &target) => {}
            // The existing artifact is damaged or different, so this one replaces it.
            Err(_) => exchange(self.temp.path(), &target)?,
        }
        journal.put_artifact(self.key, bytes + line.len() as u64);
        Ok(Some(target.join("files")))
    }
}

/// Creates a directory outside of any store, with an empty `files` in it.
fn outside() -> io::Result<TempDir> {
    let temp = tempfile::Builder::new().prefix("grader-").tempdir()?;
    fs::create_dir(temp.path().join("files"))?;
    Ok(temp)
}

/// Atomically replaces `target` by `ours`.
fn exchange(ours: &Path, target: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, ours, CWD, target, RenameFlags::EXCHANGE)?;
    // The old artifact now has the name of the temporary directory and disappears with it. Anything but a directory
    // must be removed here.
    if fs::symlink_metadata(ours)?.is_dir() { Ok(()) } else { fs::remove_file(ours) }
}

/// Returns the artifact of this key if all of its files are intact and its meta has the expected shape. Marks it as
/// used just now.
pub(super) fn find<M: DeserializeOwned>(store: &Store, key: &Key) -> Option<Artifact<M>> {
    let target = store.journal()?.layout.artifacts.join(key.to_string());
    let manifest: Manifest<M> = segment::decode(&read_line(&target)?, key)?.value;
    if !has_files(store, &target, &manifest.files) {
        return None;
    }
    // If this fails, the artifact only looks older than it is.
    let _ = File::open(&target).and_then(|dir| dir.set_modified(SystemTime::now()));
    Some(Artifact { dir: target.join("files"), meta: manifest.meta, temporary: None })
}

fn read_line(artifact: &Path) -> Option<Vec<u8>> {
    // If anything cannot be read, the artifact counts as missing and is rebuilt.
    if !fs::symlink_metadata(artifact).ok()?.is_dir() {
        return None;
    }
    let file = open_plain(&artifact.join("meta"), OpenOptions::new().read(true)).ok()?;
    let mut line = Vec::new();
    file.take(segment::MAX_LINE).read_to_end(&mut line).ok()?;
    Some(line)
}

fn is_intact(store: &Store, artifact: &Path) -> bool {
    let manifest = read_line(artifact).and_then(|line| {
        let key = segment::key_of(&line)?;
        segment::decode::<Manifest<serde_json::Value>>(&line, &key)
    });
    manifest.is_some_and(|manifest| has_files(store, artifact, &manifest.value.files))
}

/// Whether every listed file exists with its recorded content. Additional files do not matter.
fn has_files(store: &Store, artifact: &Path, entries: &[ManifestEntry]) -> bool {
    // An unreadable file counts as changed. The artifact is then rebuilt.
    let root = artifact.join("files");
    let inside = |path: &Path| path.components().all(|part| matches!(part, Component::Normal(_)));
    let is_dir = fs::symlink_metadata(&root).is_ok_and(|found| found.is_dir());
    if !is_dir || !entries.iter().all(|entry| inside(&entry.path)) {
        return false;
    }
    let mut paths = Vec::new();
    let mut wanted = Vec::new();
    for entry in entries {
        let path = root.join(&entry.path);
        match &entry.content {
            Content::Link(to) if fs::read_link(&path).is_ok_and(|found| found == *to) => {}
            Content::File(digest) if fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) => {
                paths.push(path);
                wanted.push(*digest);
            }
            _ => return false,
        }
    }
    let found = store.digest_files(&paths);
    found.into_iter().zip(wanted).all(|(found, wanted)| found.is_ok_and(|found| found == wanted))
}

/// The files and links below `root`, sorted by path, and the total size of the files in bytes.
fn list_files(store: &Store, root: &Path) -> io::Result<(Vec<ManifestEntry>, u64)> {
    let mut entries = Vec::new();
    let mut bytes = 0;
    for found in WalkDir::new(root).sort_by_file_name() {
        let found = found?;
        let path = found.path().strip_prefix(root).map_err(io::Error::other)?.to_owned();
        let content = if found.file_type().is_file() {
            bytes += found.metadata()?.len();
            Content::File(store.digest_file(found.path())?)
        } else if found.file_type().is_symlink() {
            Content::Link(fs::read_link(found.path())?)
        } else if found.file_type().is_dir() {
            continue;
        } else {
            return Err(io::Error::other("neither a file nor a link"));
        };
        entries.push(ManifestEntry { path, content });
    }
    Ok((entries, bytes))
}

#[cfg(test)]
mod tests;
