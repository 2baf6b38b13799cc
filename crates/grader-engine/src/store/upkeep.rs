//! Keeps the store intact and small: rebuilds the index, merges segments, evicts artifacts. All of this happens under
//! the exclusive lock, while no other process uses the store, so nothing in use is ever removed.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::SystemTime;

use super::derived;
use super::index::{Index, IndexError};
use super::key::Key;
use super::last::TRASH;
use super::layout::{StorePaths, open_plain, tree_size};
use super::notice::Notice;
use super::segment;

/// Segments below this size (1 MiB) are small.
const SMALL_SEGMENT: u64 = 1 << 20;
/// If there are more small segments than this, they are merged.
const MANY_SMALL: usize = 64;

/// Makes the index usable and current, and keeps the cache below `cap` bytes. Returns a notice if the index had to be
/// rebuilt.
pub(super) fn mend_and_tidy(layout: &StorePaths, cap: u64) -> Result<Option<Notice>, IndexError> {
    sweep(layout);
    let usable = check_index(layout, cap).and_then(|()| open_and_tidy(layout, cap));
    let Err(IndexError::Unusable(cause)) = usable else { return usable.map(|()| None) };
    remove_index(layout)?;
    open_and_tidy(layout, cap)?;
    Ok(Some(Notice::IndexRebuilt { path: layout.index.clone(), cause }))
}

fn open_and_tidy(layout: &StorePaths, cap: u64) -> Result<(), IndexError> {
    let mut index = open_caught_up(layout)?;
    match tidy(layout, &mut index, cap) {
        // A failed clean-up leaves a cache that is too large, but it still works.
        Err(IndexError::Segment(_) | IndexError::Database(_)) => Ok(()),
        done => done,
    }
}

/// Removes the files that killed processes left behind, as far as possible.
fn sweep(layout: &StorePaths) {
    let trash = fs::read_dir(&layout.last).into_iter().flatten().flatten();
    let trash = trash.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(TRASH.as_bytes()));
    let derived = fs::read_dir(&layout.derived).into_iter().flatten().flatten().filter(derived::is_forgotten);
    for entry in trash.chain(derived).chain(fs::read_dir(&layout.temp).into_iter().flatten().flatten()) {
        let _ = remove(&entry);
    }
}

fn check_index(layout: &StorePaths, cap: u64) -> Result<(), IndexError> {
    if layout.index_damaged.symlink_metadata().is_ok() {
        return Err(IndexError::Unusable("it is damaged".into()));
    }
    // Fingerprints of removed files are never looked up. Rebuilding the index is the only way to remove them.
    if size_of(&layout.index) > (cap / 8).max(1 << 20) {
        return Err(IndexError::Unusable("it has grown too large".into()));
    }
    Ok(())
}

/// Opens the index and adds everything new in the segments.
pub(super) fn open_caught_up(layout: &StorePaths) -> Result<Index, IndexError> {
    let mut index = Index::open(&layout.index, &layout.outcomes)?;
    index.catch_up()?;
    Ok(index)
}

/// Removes the database before its log. `SQLite` drops a log without a database, but would treat a database without its
/// log as complete.
fn remove_index(layout: &StorePaths) -> io::Result<()> {
    for suffix in ["", "-wal", "-shm"] {
        let mut path = layout.index.clone().into_os_string();
        path.push(suffix);
        remove_if_there(Path::new(&path))?;
    }
    remove_if_there(&layout.index_damaged)
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Removes everything in a directory.
pub(super) fn empty(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        remove(&entry?)?;
    }
    Ok(())
}

/// Removes a file, a link (not its target) or a directory.
fn remove(entry: &fs::DirEntry) -> io::Result<()> {
    if entry.file_type()?.is_dir() { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) }
}

fn tidy(layout: &StorePaths, index: &mut Index, cap: u64) -> Result<(), IndexError> {
    let segments = segment::list(&layout.outcomes)?;
    let outcomes: u64 = segments.iter().map(|(_, size)| size).sum();
    let small: Vec<_> = segments.iter().filter(|(_, size)| *size < SMALL_SEGMENT).cloned().collect();
    if outcomes > cap / 2 || index.mostly_superseded()? {
        compact(layout, index, &segments, cap / 4)?;
    } else if small.len() > MANY_SMALL {
        compact(layout, index, &small, u64::MAX)?;
    }
    let others = segment::list(&layout.outcomes)?.iter().map(|(_, size)| size).sum::<u64>() + size_of(&layout.index);
    if index.artifact_bytes()? + others > cap {
        // Evicts to below the cap, so that not every run has to evict.
        evict(layout, index, (cap / 4 * 3).saturating_sub(others))?;
    }
    Ok(())
}

/// Copies outcomes of some segments into a new segment, and removes the old ones. Copies the newest `budget` bytes of
/// the outcomes that are not superseded. If the process is killed at any point, some outcomes exist twice at worst.
fn compact(layout: &StorePaths, index: &mut Index, old: &[(String, u64)], budget: u64) -> Result<(), IndexError> {
    let files: HashMap<&str, File> = old
        .iter()
        .filter_map(|(name, _)| {
            // Outcomes of a segment that cannot be opened are misses, so they are dropped.
            let file = open_plain(&layout.outcomes.join(name), OpenOptions::new().read(true)).ok()?;
            Some((&**name, file))
        })
        .collect();
    let places = index.all_places()?;
    let places: Vec<_> =
        places.iter().filter_map(|(name, offset, length)| Some((files.get(&**name)?, *offset, *length))).collect();
    let mut excess = places.iter().map(|(_, _, length)| length).sum::<u64>().saturating_sub(budget);
    let temp = layout.temp_dir()?;
    let (file, name) = segment::create(temp.path())?;
    let mut writer = BufWriter::new(file);
    let mut line = Vec::new();
    for (file, offset, length) in places {
        if excess > 0 {
            excess = excess.saturating_sub(length);
            continue;
        }
        line.resize(usize::try_from(length.min(segment::MAX_LINE)).unwrap_or(0), 0);
        // An unreadable outcome is a miss too.
        let read = file.read_exact_at(&mut line, offset).is_ok();
        // A line without its newline would damage the next one.
        if read && line.ends_with(b"\n") && segment::key_of(&line).is_some() {
            writer.write_all(&line)?;
        }
    }
    // The old segments are removed next. Here, and only here, the new data must be on disk.
    writer.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(temp.path().join(&name), layout.outcomes.join(&name))?;
    File::open(&layout.outcomes)?.sync_all()?;
    for (name, _) in old {
        remove_if_there(&layout.outcomes.join(name))?;
    }
    index.catch_up()
}

/// Removes the least recently used artifacts until the rest takes at most `allowed` bytes.
fn evict(layout: &StorePaths, index: &mut Index, allowed: u64) -> Result<(), IndexError> {
    let mut artifacts = Vec::new();
    for entry in fs::read_dir(&layout.artifacts)? {
        let entry = entry?;
        let used = entry.metadata()?.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        match entry.file_name().to_str().and_then(Key::from_hex) {
            Some(key) => artifacts.push((used, key, tree_size(&entry.path()).1)),
            None => layout.discard(&entry.path())?,
        }
    }
    artifacts.sort_unstable_by(|a, b| b.cmp(a));
    let mut kept = Vec::new();
    let mut sum = 0;
    for (_, key, bytes) in artifacts {
        sum += bytes;
        if sum <= allowed {
            kept.push((key, bytes));
        } else {
            layout.discard(&layout.artifacts.join(key.to_string()))?;
        }
    }
    index.set_artifacts(&kept)
}

fn size_of(path: &Path) -> u64 {
    path.symlink_metadata().map_or(0, |metadata| metadata.len())
}

#[cfg(test)]
mod tests;
