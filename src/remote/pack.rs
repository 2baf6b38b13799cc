//! Packs the files of problems and submissions for the way to workers, and unpacks them there.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use super::wire::{Blob, ClientPath, Pack, PackedFile, PackedFiles, encode};
use crate::config;
use crate::plan::PlannedProblem;
use crate::problem::{Additions, Problem, Program, Test};
use crate::store::{Digest, Store};

/// A file of at least this many bytes is a blob of its own.
const LARGE: u64 = 128 << 10;
/// Small files share blobs of about this many bytes.
const TOGETHER: usize = 1 << 20;
/// The most bytes that travel in the message of a job.
pub(super) const INLINE: u64 = 128 << 10;

/// Where the bytes of a blob come from.
#[derive(Debug, Clone)]
pub(super) enum Content {
    /// All of a file.
    File(PathBuf),
    /// These files, one after another.
    Files(Vec<PathBuf>),
    Bytes(Vec<u8>),
}

/// Where the bytes of blobs come from.
pub(super) type Contents = BTreeMap<Blob, Content>;

impl Content {
    /// Calls `each` with pieces of at most `most` bytes.
    pub(super) fn pieces(&self, most: usize, mut each: impl FnMut(Vec<u8>) -> Result<()>) -> Result<()> {
        let mut from: Box<dyn io::Read> = match self {
            Self::File(path) => Box::new(File::open(path).with_context(|| path.display().to_string())?),
            Self::Files(paths) => Box::new(io::Cursor::new(together(paths)?)),
            Self::Bytes(bytes) => Box::new(&**bytes),
        };
        loop {
            let mut piece = Vec::new();
            from.by_ref().take(most as u64).read_to_end(&mut piece)?;
            if piece.is_empty() {
                return Ok(());
            }
            each(piece)?;
        }
    }
}

fn together(paths: &[PathBuf]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for path in paths {
        let mut file = File::open(path).with_context(|| path.display().to_string())?;
        file.read_to_end(&mut bytes).with_context(|| path.display().to_string())?;
    }
    Ok(bytes)
}

/// The files that judging submissions of a problem needs: those of the planned tests, of its judges, and those that are
/// added to programs.
fn files_of(planned: &PlannedProblem) -> Vec<PathBuf> {
    let problem = &planned.problem;
    let mut files = Vec::new();
    for ordinal in planned.each_test() {
        let Some(Test::Case(group, case)) = planned.test(ordinal) else { continue };
        files.push(group.input_of(case));
        files.extend(group.answer_of(case));
        files.extend(group.setting_of(case).work.files.into_iter().map(|(_, from)| from));
    }
    files.extend(planned.judges().flat_map(Program::files));
    let Additions { include, judges, headers, .. } = &problem.additions;
    for included in include.values().chain(judges).chain(headers) {
        files.extend(included.files().map(|(_, from)| from));
    }
    files.sort();
    files.dedup();
    files
}

/// Packs files. `inline`: small ones may travel with the message. Adds the contents of its blobs to `contents`.
pub(super) fn pack(files: Vec<PathBuf>, inline: bool, store: &Store, contents: &mut Contents) -> Result<PackedFiles> {
    let mut packed = PackedFiles::default();
    let mut sized = Vec::new();
    for path in files {
        let found = fs::metadata(&path).with_context(|| path.display().to_string())?;
        sized.push((path, found.len(), found.mode() & 0o111 != 0));
    }
    let inline = inline && sized.iter().map(|(_, size, _)| size).sum::<u64>() <= INLINE;
    let large: Vec<&PathBuf> =
        sized.iter().filter(|(_, size, _)| !inline && *size >= LARGE).map(|(path, ..)| path).collect();
    let mut digests = store.digest_files(&large).into_iter();
    let mut shared: (Vec<PathBuf>, Vec<u8>) = Default::default();
    let mut waiting: Vec<usize> = Vec::new();
    for (path, size, executable) in sized {
        let mut file = PackedFile { path: ClientPath::new(&path), blob: None, offset: 0, length: size, executable };
        if !inline && size >= LARGE {
            let digest =
                digests.next().context("a file without a digest")?.with_context(|| path.display().to_string())?;
            file.blob = Some(add(&mut packed, contents, Blob { digest, size }, Content::File(path)));
            packed.files.push(file);
            continue;
        }
        let into = if inline { &mut packed.inline } else { &mut shared.1 };
        file.offset = into.len() as u64;
        let from = File::open(&path).with_context(|| path.display().to_string())?;
        // A file that grows meanwhile is taken as it was.
        let read = from.take(size).read_to_end(into).with_context(|| path.display().to_string())?;
        file.length = read as u64;
        if !inline {
            shared.0.push(path);
            waiting.push(packed.files.len());
        }
        packed.files.push(file);
        if shared.1.len() >= TOGETHER {
            close(&mut packed, contents, &mut shared, &mut waiting);
        }
    }
    close(&mut packed, contents, &mut shared, &mut waiting);
    Ok(packed)
}

/// Completes a blob of several files.
fn close(
    packed: &mut PackedFiles,
    contents: &mut Contents,
    shared: &mut (Vec<PathBuf>, Vec<u8>),
    waiting: &mut Vec<usize>,
) {
    if waiting.is_empty() {
        return;
    }
    let (paths, bytes) = std::mem::take(shared);
    let blob = Blob { digest: Digest::of_bytes(&bytes), size: bytes.len() as u64 };
    let at = add(packed, contents, blob, Content::Files(paths));
    for file in waiting.drain(..) {
        packed.files[file].blob = Some(at);
    }
}

fn add(packed: &mut PackedFiles, contents: &mut Contents, blob: Blob, content: Content) -> u32 {
    contents.entry(blob).or_insert(content);
    let known = packed.blobs.iter().position(|known| *known == blob);
    let at = known.unwrap_or_else(|| {
        packed.blobs.push(blob);
        packed.blobs.len() - 1
    });
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The settings that the jobs of a problem share.
pub(super) struct Conditions<'a> {
    pub(super) settings: &'a config::Settings,
    /// The language of every submission, if one was named.
    pub(super) language: Option<&'a str>,
    pub(super) all_tests: bool,
    /// Whether a time over the limit needs a second look if other programs keep the machine busy.
    pub(super) wants_looks: bool,
}

/// Packs a problem, as a blob of its own.
pub(super) fn pack_of(
    planned: &PlannedProblem,
    with: &Conditions<'_>,
    store: &Store,
    contents: &mut Contents,
) -> Result<Blob> {
    let pack = Pack {
        problem: Problem { submissions: Vec::new(), reference: None, ..Problem::clone(&planned.problem) },
        tests: planned.tests.to_vec(),
        settings: config::RankedSettings::of(with.settings),
        language: with.language.map(ToOwned::to_owned),
        all_tests: with.all_tests,
        wants_looks: with.wants_looks,
        files: pack(files_of(planned), false, store, contents)?,
    };
    let bytes = encode(&pack)?;
    let blob = Blob { digest: Digest::of_bytes(&bytes), size: bytes.len() as u64 };
    contents.insert(blob, Content::Bytes(bytes));
    Ok(blob)
}

/// Writes packed files to the places that `to` names. `blobs` are the files with the blobs, in their order.
pub(super) fn unpack(packed: &PackedFiles, blobs: &[PathBuf], to: &dyn Fn(&ClientPath) -> PathBuf) -> io::Result<()> {
    for file in &packed.files {
        let path = to(&file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mode = if file.executable { 0o555 } else { 0o444 };
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "a file outside its blob");
        if let Some(at) = file.blob {
            let at = usize::try_from(at).map_err(|_| damaged())?;
            let from = blobs.get(at).ok_or_else(damaged)?;
            let blob = packed.blobs.get(at).ok_or_else(damaged)?;
            if file.length == blob.size && !file.executable {
                fs::hard_link(from, &path)?;
                continue;
            }
            let mut from = File::open(from)?;
            from.seek(SeekFrom::Start(file.offset))?;
            let mut to = File::create_new(&path)?;
            if io::copy(&mut from.take(file.length), &mut to)? != file.length {
                return Err(damaged());
            }
        } else {
            let start = usize::try_from(file.offset).map_err(|_| damaged())?;
            let end = start.saturating_add(usize::try_from(file.length).map_err(|_| damaged())?);
            File::create_new(&path)?.write_all(packed.inline.get(start..end).ok_or_else(damaged)?)?;
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(mode))?;
    }
    Ok(())
}
