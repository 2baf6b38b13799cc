//! Where a program's output goes while it runs: into the comparator, or into a file for a validator.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use crate::judge::compare::Comparator;
use crate::problem::Checker;
use crate::sandbox::Sink;

/// What of a standard error stream is kept.
const STDERR_CAP: usize = 64 * 1024;

/// Feeds the comparator while the program runs.
pub(super) struct Compare {
    pub(super) comparator: Comparator<Box<dyn Read>>,
    pub(super) error: Option<io::Error>,
    pub(super) stderr: Vec<u8>,
}

impl Compare {
    /// Compares with `answer` as `checker` says.
    pub(super) fn new(checker: Checker, answer: Box<dyn Read>) -> Self {
        Self { comparator: Comparator::new(checker, answer), error: None, stderr: Vec::new() }
    }
}

impl Sink for Compare {
    fn stdout(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            self.error = self.comparator.feed(bytes).err();
        }
    }

    fn stderr(&mut self, bytes: &[u8]) {
        keep_head(&mut self.stderr, bytes);
    }
}

fn keep_head(kept: &mut Vec<u8>, bytes: &[u8]) {
    let room = STDERR_CAP.saturating_sub(kept.len());
    kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

/// Keeps an output in an anonymous file for a validator.
pub(super) struct Spool {
    file: File,
    error: Option<io::Error>,
    stderr: Vec<u8>,
}

impl Spool {
    pub(super) fn new() -> Result<Self, String> {
        let file = tempfile::tempfile().map_err(|error| format!("cannot make a temporary file: {error}"))?;
        Ok(Self { file, error: None, stderr: Vec::new() })
    }

    /// The file, at its beginning.
    pub(super) fn finish(mut self) -> Result<(File, Vec<u8>), String> {
        let rewound = self.file.rewind();
        match self.error.or(rewound.err()) {
            Some(error) => Err(format!("cannot keep an output: {error}")),
            None => Ok((self.file, self.stderr)),
        }
    }
}

impl Sink for Spool {
    fn stdout(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            self.error = self.file.write_all(bytes).err();
        }
    }

    fn stderr(&mut self, bytes: &[u8]) {
        keep_head(&mut self.stderr, bytes);
    }
}
