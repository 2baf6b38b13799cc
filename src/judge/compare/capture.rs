//! What is kept of an output: nothing while it equals the answer, then its bytes up to a cap.

use std::io::{self, Read, Write};

/// The output as far as it was kept: the answer's first bytes, then bytes of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capture {
    shared_prefix: u64,
    kept: Vec<u8>,
    total: u64,
}

impl Capture {
    /// The most bytes kept behind the shared prefix.
    pub const MAX: usize = 1 << 20;

    /// How many leading bytes of the output are those of the answer.
    pub fn shared_prefix(&self) -> u64 {
        self.shared_prefix
    }

    /// The bytes behind the shared prefix, at most [`Capture::MAX`].
    pub fn kept(&self) -> &[u8] {
        &self.kept
    }

    /// How many bytes the output had.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Whether bytes of the end were not kept.
    pub fn truncated(&self) -> bool {
        self.shared_prefix + (self.kept.len() as u64) < self.total
    }

    /// Writes the output, as far as it was kept, with the help of the answer that it was compared with, read anew
    /// from its start. Fails with `UnexpectedEof` where the answer has become shorter.
    pub fn write_to(&self, answer: &mut dyn Read, out: &mut dyn Write) -> io::Result<()> {
        let copied = io::copy(&mut answer.take(self.shared_prefix), out)?;
        if copied < self.shared_prefix {
            let message = format!("the answer has {copied} bytes now, at least {} before", self.shared_prefix);
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
        }
        out.write_all(&self.kept)
    }

    /// Counts bytes that are those of the answer.
    pub(super) fn share(&mut self, count: usize) {
        self.shared_prefix += count as u64;
        self.total += count as u64;
    }

    /// Keeps bytes behind the shared prefix.
    pub(super) fn keep(&mut self, bytes: &[u8]) {
        let room = Self::MAX - self.kept.len();
        self.kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.total += bytes.len() as u64;
    }
}
