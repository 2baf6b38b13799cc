//! Segments: append-only files of cached outcomes, one per process, one JSON object per line. They are the truth that
//! the index only points into.
//!
//! `{"check":"<32 hex>","key":"<64 hex>","value":…,"blob":"<base64>"}`
//!
//! `check` is a keyed BLAKE3 hash (first 16 bytes) of everything behind its comma. A line that is torn, overwritten or
//! of another format version therefore never passes for an outcome. The first two members have fixed places, so finding
//! a line's key takes no JSON parser.

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

/// Longer lines are neither written nor read: 16 MiB.
pub(super) const MAX_LINE: u64 = 16 << 20;

/// The key of the line checksum, which is also the format's version: exactly 32 bytes.
const CHECK_KEY: &[u8; 32] = b"grader segment line, format 1   ";
const CHECK_START: usize = r#"{"check":""#.len();
const BODY_START: usize = CHECK_START + 32 + r#"","#.len();
const KEY_START: usize = BODY_START + r#""key":""#.len();
const KEY_END: usize = KEY_START + 64;

/// A cached value as it was put in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cached<T> {
    /// The value.
    pub value: T,
    /// The bytes that came with it.
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

/// Builds the line for this outcome, with its newline. None if the value cannot be written as JSON or is too large;
/// such an outcome is not kept.
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

/// The key of a line (with or without its newline) if the line is whole.
pub(super) fn key_of(line: &[u8]) -> Option<Key> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let body = line.get(BODY_START..)?;
    let whole = line[CHECK_START..CHECK_START + 32] == *check_of(body).as_bytes();
    // A line that is damaged in any way is none.
    let key = std::str::from_utf8(line.get(KEY_START..KEY_END)?).ok()?;
    if whole { Key::from_hex(key) } else { None }
}

/// What a line holds, if it is whole, belongs to `key` and has the expected shape.
pub(super) fn decode<T: DeserializeOwned>(line: &[u8], key: &Key) -> Option<Cached<T>> {
    if key_of(line)? != *key {
        return None;
    }
    // An outcome of another shape, or whose bytes are damaged, is a miss.
    let body: Body<T> = serde_json::from_slice(line).ok()?;
    let blob = match body.blob {
        Some(text) => Some(BASE64_STANDARD.decode(text).ok()?),
        None => None,
    };
    Some(Cached { value: body.value, blob })
}

/// One whole line found in a segment.
pub(super) struct Found {
    pub(super) key: Key,
    pub(super) offset: u64,
    pub(super) length: u64,
}

/// Calls `each` for every whole line from `from` on and returns where the last complete one ends. Damaged lines are
/// passed over; an incomplete last one is left for later, for it may be in the middle of being written.
pub(super) fn scan<E: From<io::Error>>(
    path: &Path,
    from: u64,
    mut each: impl FnMut(Found) -> Result<(), E>,
) -> Result<u64, E> {
    let mut file = open_plain(path, OpenOptions::new().read(true))?;
    file.seek(SeekFrom::Start(from))?;
    let mut reader = BufReader::with_capacity(256 << 10, file);
    let (mut offset, mut line) = (from, Vec::new());
    loop {
        line.clear();
        let mut length = (&mut reader).take(MAX_LINE).read_until(b'\n', &mut line)? as u64;
        if line.last() != Some(&b'\n') {
            if length < MAX_LINE {
                return Ok(offset);
            }
            length += reader.skip_until(b'\n')? as u64;
        } else if let Some(key) = key_of(&line) {
            each(Found { key, offset, length })?;
        }
        offset += length;
    }
}

/// The segments of a directory as (name, size in bytes), oldest first.
pub(super) fn list(dir: &Path) -> io::Result<Vec<(String, u64)>> {
    let mut segments = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        // Names of ours are ASCII, and what has gone since is no segment.
        let Ok(name) = entry.file_name().into_string() else { continue };
        let Ok(metadata) = entry.metadata() else { continue };
        if is_name(&name) && metadata.is_file() {
            segments.push((name, metadata.len()));
        }
    }
    segments.sort();
    Ok(segments)
}

/// Whether `name` is one that [`create`] gives: checked because names also come from the index.
pub(super) fn is_name(name: &str) -> bool {
    name.strip_suffix(".jsonl")
        .is_some_and(|stem| !stem.is_empty() && stem.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-'))
}

/// A new empty segment: names sort by the time of creation.
pub(super) fn create(dir: &Path) -> io::Result<(File, String)> {
    // A clock before 1970 orders them wrongly, which only the trimming of the cache minds.
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
    let name = format!("{time:014x}-{:x}-{:08x}.jsonl", std::process::id(), random());
    let file = open_plain(&dir.join(&name), OpenOptions::new().append(true).create_new(true))?;
    Ok((file, name))
}

/// A random number, good enough for names.
pub(super) fn random() -> u32 {
    use std::hash::{BuildHasher, RandomState};
    (RandomState::new().hash_one(()) >> 32) as u32
}

#[cfg(test)]
mod tests;
