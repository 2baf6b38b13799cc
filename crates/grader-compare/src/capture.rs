//! Keeps part of an output: nothing while it equals the answer, then its bytes up to a cap. Also keeps the bytes around
//! the first difference if they lie beyond the cap.

use std::io::{self, Read, Write};

/// The kept part of an output: a count of leading bytes that equal the answer, then the output's own bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capture {
    shared_prefix: u64,
    kept: Vec<u8>,
    total: u64,
    /// The last bytes of the output so far.
    recent: Vec<u8>,
    near: Option<Near>,
}

/// The bytes around one position.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Near {
    /// The position.
    at: u64,
    /// The offset of the first of the bytes.
    start: u64,
    bytes: Vec<u8>,
}

impl Capture {
    /// The most bytes that are kept after the shared prefix.
    pub const MAX: usize = 1 << 20;
    /// The most bytes that are kept before the first difference, if it lies far into the output.
    pub const BEFORE: usize = 16 * 1024;
    /// The most bytes that are kept from the first difference on.
    pub const AFTER: usize = 256 * 1024;

    /// The number of leading bytes that equal those of the answer.
    pub fn shared_prefix(&self) -> u64 {
        self.shared_prefix
    }

    /// The bytes after the shared prefix, at most [`Capture::MAX`].
    pub fn kept(&self) -> &[u8] {
        &self.kept
    }

    /// The number of bytes in the whole output.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Whether bytes at the end of the output were not kept.
    pub fn truncated(&self) -> bool {
        self.shared_prefix + (self.kept.len() as u64) < self.total
    }

    /// The most bytes kept before a possible difference. The end of an output lies before its trailing white space.
    const RECENT: usize = 2 * Self::BEFORE;

    /// The offset at which the kept bytes around the first difference at `offset` begin.
    pub const fn near_start(offset: u64) -> u64 {
        offset.saturating_sub(Self::BEFORE as u64)
    }

    /// The bytes around the first difference, starting at [`Capture::near_start`]: at most [`Capture::BEFORE`] and
    /// [`Capture::AFTER`] together. None if [`Capture::write_to`] writes all of them.
    pub fn near(&self) -> Option<&[u8]> {
        let near = self.near.as_ref().filter(|near| self.truncated() && !self.reaches(near.at))?;
        Some(&near.bytes)
    }

    /// Whether the first bytes cover everything that is shown after a position.
    fn reaches(&self, at: u64) -> bool {
        at + (Self::AFTER as u64) < self.shared_prefix + Self::MAX as u64
    }

    /// Writes the kept part of the output. The shared prefix comes from `answer`, which must be read anew from its
    /// start. Fails with `UnexpectedEof` if the answer has become shorter.
    pub fn write_to(&self, answer: &mut dyn Read, out: &mut dyn Write) -> io::Result<()> {
        let copied = io::copy(&mut answer.take(self.shared_prefix), out)?;
        if copied < self.shared_prefix {
            let message = format!("the answer has {copied} bytes now, at least {} before", self.shared_prefix);
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
        }
        out.write_all(&self.kept)
    }

    /// Counts bytes that equal those of the answer.
    pub(super) fn share(&mut self, count: usize) {
        self.shared_prefix += count as u64;
        self.total += count as u64;
    }

    /// Keeps bytes after the shared prefix.
    pub(super) fn keep(&mut self, bytes: &[u8]) {
        let room = Self::MAX - self.kept.len();
        self.kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.total += bytes.len() as u64;
    }

    /// Keeps the bytes around the first difference. Its place is known (`decided`), or it is the unit under comparison,
    /// if that turns out to be wrong. `chunk` is the chunk that was counted last.
    pub(super) fn follow(&mut self, chunk: &[u8], difference: Option<u64>, decided: bool) {
        let difference = difference.filter(|at| !self.reaches(*at));
        match (&mut self.near, difference) {
            (near, None) => *near = None,
            (Some(near), Some(at)) if near.at == at => near.push(chunk),
            (near, Some(at)) => {
                let start = Self::near_start(at);
                let begin = self.total - (self.recent.len() + chunk.len()) as u64;
                // An earlier start would have been followed from there on. If the bytes are missing, show nothing
                // rather than the wrong bytes.
                *near = start.checked_sub(begin).and_then(|skip| usize::try_from(skip).ok()).map(|skip| {
                    let mut near = Near { at, start, bytes: Vec::new() };
                    near.push(&self.recent[skip.min(self.recent.len())..]);
                    near.push(&chunk[skip.saturating_sub(self.recent.len()).min(chunk.len())..]);
                    near
                });
            }
        }
        if decided || self.reaches(self.total + Self::RECENT as u64) {
            return;
        }
        let tail = &chunk[chunk.len().saturating_sub(Self::RECENT)..];
        let over = (self.recent.len() + tail.len()).saturating_sub(Self::RECENT);
        self.recent.drain(..over);
        self.recent.extend_from_slice(tail);
    }

    #[cfg(test)]
    pub(super) fn footprint(&self) -> usize {
        self.kept.capacity() + self.recent.capacity() + self.near.as_ref().map_or(0, |near| near.bytes.capacity())
    }
}

impl Near {
    fn push(&mut self, bytes: &[u8]) {
        let room = Capture::BEFORE + Capture::AFTER - self.bytes.len();
        let bytes = &bytes[..bytes.len().min(room)];
        self.bytes.reserve_exact(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }
}
