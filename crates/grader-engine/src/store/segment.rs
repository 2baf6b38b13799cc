//! Segments: append-only files of cached outcomes, one per process, with one JSON object per line. They are the source
//! of truth. The index only points into them.
//!
//! `{"check":"<32 hex>","key":"<64 hex>","value":…,"blob":"<base64>"}`
//!
//! `check` is a keyed BLAKE3 hash (first 16 bytes) of everything after its comma. A line that is incomplete,
//! overwritten or of another format version therefore never counts as an outcome. The first two members have fixed
//! positions, so that finding a line's key needs no JSON parser.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::key::Key;
use super::layout::open_plain;

/// The maximum length of a line: 16 MiB. Longer lines are neither written nor read.
pub(super) const MAX_LINE: u64 = 16 << 20;

/// The key of the line checksum, exactly 32 bytes. It includes the version of the format.
const CHECK_KEY: &[u8; 32] = b"grader segment line, format 1   ";
const CHECK_START: usize = r#"{"check":""#.len();
const BODY_START: usize = CHECK_START + 32 + r#"","#.len();
const KEY_START: usize = BODY_START + r#""key":""#.len();
const KEY_END: usize = KEY_START + 64;

/// A cached value as it was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheEntry<T> {
    /// The value.
    pub value: T,
    /// The bytes that were stored with the value.
    pub blob: Option<Vec<u8>>,
}

#[derive(Deserialize)]
struct Body<'a, T> {
    value: T,
    #[serde(default, borrow)]
    blob: Option<&'a str>,
}

fn check_of(body: &[u8]) -> String {
    blake3::keyed_hash(CHECK_KEY, body).to_hex()[..32].to_owned()
}

/// Builds the line for this outcome, with its newline. None if the value cannot be written as JSON or is too large.
/// Such an outcome is not cached.
pub(super) fn encode<T: Serialize>(key: &Key, value: &T, blob: Option<&[u8]>) -> Option<Vec<u8>> {
    let mut line = Vec::with_capacity(256 + blob.map_or(0, |blob| blob.len() / 3 * 4 + 16));
    write!(line, r#"{{"check":"{:32}","key":"{key}","value":"#, "").ok()?;
    serde_json::to_writer(&mut line, value).ok()?;
    if let Some(blob) = blob {
        write!(line, r#","blob":"{}""#, BASE64_STANDARD.encode(blob)).ok()?;
    }
    line.push(b'}');
    let check = check_of(&line[BODY_START..]);
    line[CHECK_START..CHECK_START + 32].copy_from_slice(check.as_bytes());
    line.push(b'\n');
    (line.len() as u64 <= MAX_LINE).then_some(line)
}

/// The key of a line (with or without its newline). None if the line is damaged.
pub(super) fn key_of(line: &[u8]) -> Option<Key> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let body = line.get(BODY_START..)?;
    let whole = line[CHECK_START..CHECK_START + 32] == *check_of(body).as_bytes();
    // A damaged line has no key.
    let key = std::str::from_utf8(line.get(KEY_START..KEY_END)?).ok()?;
    if whole { Key::from_hex(key) } else { None }
}

/// Decodes a line. None if it is damaged, belongs to another key, or has another shape.
pub(super) fn decode<T: DeserializeOwned>(line: &[u8], key: &Key) -> Option<CacheEntry<T>> {
    if key_of(line)? != *key {
        return None;
    }
    // An outcome with another shape, or with damaged bytes, is a miss.
    let body: Body<T> = serde_json::from_slice(line).ok()?;
    let blob = match body.blob {
        Some(text) => Some(BASE64_STANDARD.decode(text).ok()?),
        None => None,
    };
    Some(CacheEntry { value: body.value, blob })
}

/// An intact line of a segment.
pub(super) struct SegmentLine {
    pub(super) key: Key,
    pub(super) offset: u64,
    pub(super) length: u64,
}

/// Calls `each` for every intact line starting at `from`, and returns the end of the last complete line. Skips damaged
/// lines. Leaves an incomplete last line for later, because a process may still be writing it.
pub(super) fn scan<E: From<io::Error>>(
    path: &Path,
    from: u64,
    mut each: impl FnMut(SegmentLine) -> Result<(), E>,
) -> Result<u64, E> {
    let mut file = open_plain(path, OpenOptions::new().read(true))?;
    file.seek(SeekFrom::Start(from))?;
    let mut reader = BufReader::with_capacity(256 << 10, file);
    let mut offset = from;
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut length = (&mut reader).take(MAX_LINE).read_until(b'\n', &mut line)? as u64;
        if line.last() != Some(&b'\n') {
            if length < MAX_LINE {
                return Ok(offset);
            }
            length += reader.skip_until(b'\n')? as u64;
        } else if let Some(key) = key_of(&line) {
            each(SegmentLine { key, offset, length })?;
        }
        offset += length;
    }
}

/// The segments of a directory as (name, size in bytes), oldest first.
pub(super) fn list(dir: &Path) -> io::Result<Vec<(String, u64)>> {
    let mut segments = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        // The grader's own names are ASCII. A file that has disappeared is not a segment.
        let Ok(name) = entry.file_name().into_string() else { continue };
        let Ok(metadata) = entry.metadata() else { continue };
        if is_name(&name) && metadata.is_file() {
            segments.push((name, metadata.len()));
        }
    }
    segments.sort();
    Ok(segments)
}

/// Whether `name` has the form that [`create`] uses. Checked because names also come from the index.
pub(super) fn is_name(name: &str) -> bool {
    name.strip_suffix(".jsonl")
        .is_some_and(|stem| !stem.is_empty() && stem.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-'))
}

/// Creates an empty segment. Names sort by the time of creation.
pub(super) fn create(dir: &Path) -> io::Result<(File, String)> {
    // A clock before 1970 orders the segments wrongly. Only the order of eviction depends on that.
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
    let name = format!("{time:014x}-{:x}-{:08x}.jsonl", std::process::id(), random());
    let file = open_plain(&dir.join(&name), OpenOptions::new().append(true).create_new(true))?;
    Ok((file, name))
}

/// A random number for use in names.
pub(super) fn random() -> u32 {
    use std::hash::{BuildHasher, RandomState};
    (RandomState::new().hash_one(()) >> 32) as u32
}

#[cfg(test)]
mod tests;
