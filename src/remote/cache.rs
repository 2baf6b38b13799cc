//! The blobs that a worker keeps: fetched once, checked by their digest, and the oldest removed beyond a size.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use anyhow::Result;

use super::broker::{Broker, BrokerError, MOST_BYTES};
use super::wire::{Blob, stream};
use crate::store::Digest;

/// The directory of the blobs.
pub(super) struct BlobCache {
    dir: PathBuf,
    /// In bytes.
    most: u64,
    /// Held while the directory changes.
    changing: Mutex<()>,
}

/// The reason why a blob is not available.
#[derive(Debug, thiserror::Error)]
pub(super) enum BlobError {
    /// The broker does not have it, or has something else under its name.
    #[error("the broker has no sound copy of blob {0}")]
    Unsound(Digest),
    #[error(transparent)]
    Broker(#[from] BrokerError),
    #[error("cannot keep blobs in {}: {error}", .dir.display())]
    Disk { dir: PathBuf, error: std::io::Error },
}

/// The number of pieces of a blob.
pub(super) fn pieces(blob: Blob) -> u64 {
    blob.size.div_ceil(MOST_BYTES as u64)
}

/// The subject of a piece of a blob.
pub(super) fn piece_of(digest: &Digest, piece: u64) -> String {
    format!("blob.{digest}.{piece}")
}

/// The subject of the message that says that a blob is complete.
pub(super) fn end_of(digest: &Digest) -> String {
    format!("blob.{digest}.end")
}

/// Reads a blob from the broker.
pub(super) fn read(broker: &Broker, blob: Blob) -> Result<Vec<u8>, BlobError> {
    let subjects = (0..pieces(blob)).map(|piece| piece_of(&blob.digest, piece));
    let mut bytes = Vec::new();
    for piece in broker.last_of_all(stream::BLOBS, subjects)? {
        bytes.extend(piece.ok_or(BlobError::Unsound(blob.digest))?.payload);
    }
    if Digest::of_bytes(&bytes) == blob.digest { Ok(bytes) } else { Err(BlobError::Unsound(blob.digest)) }
}

impl BlobCache {
    pub(super) fn open(dir: &Path, most: u64) -> Result<Self, BlobError> {
        let dir = dir.join("blobs");
        let disk = |error| BlobError::Disk { dir: dir.clone(), error };
        fs::create_dir_all(&dir).map_err(disk)?;
        Ok(Self { dir, most, changing: Mutex::default() })
    }

    /// The file with a blob. It stays at least until the next call.
    pub(super) fn get(&self, broker: &Broker, blob: Blob) -> Result<PathBuf, BlobError> {
        let path = self.dir.join(blob.digest.to_string());
        let disk = |error| BlobError::Disk { dir: self.dir.clone(), error };
        // A kept file is checked again: a disk may have failed, or a power cut may have truncated it.
        if let Ok(file) = File::open(&path) {
            if Digest::of_reader(&file).is_ok_and(|digest| digest == blob.digest) {
                // Only the order of removal depends on it.
                let _ = file.set_modified(SystemTime::now());
                return Ok(path);
            }
            fs::remove_file(&path).map_err(disk)?;
        }
        // A second attempt helps only if the first copy was damaged on its way.
        let bytes = read(broker, blob).or_else(|_| read(broker, blob))?;
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        self.make_room(blob.size).map_err(disk)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.dir).map_err(disk)?;
        file.write_all(&bytes).map_err(disk)?;
        file.persist(&path).map_err(|error| disk(error.error))?;
        Ok(path)
    }

    /// Removes the blobs that were not used for the longest time.
    fn make_room(&self, wanted: u64) -> std::io::Result<()> {
        let mut kept = Vec::new();
        for entry in fs::read_dir(&self.dir)? {
            let entry = entry?;
            let found = entry.metadata()?;
            kept.push((found.modified()?, found.len(), entry.path()));
        }
        let mut size: u64 = kept.iter().map(|(_, size, _)| size).sum();
        kept.sort();
        for (_, length, path) in kept {
            if size + wanted <= self.most {
                break;
            }
            fs::remove_file(path)?;
            size -= length;
        }
        Ok(())
    }
}
