//! The files of tests: in the folder of the problem, and in its archive. The folder comes first.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::FILE;
use crate::archive::{Archive, Bounds};
use crate::document::Value;
use crate::document::read::{Read, Unfit, text};
use crate::generators::{below, is_inner};
use crate::reader::Reader;
use grader_model::diagnostic::{Diagnostic, TextPosition};
use grader_model::limits::Bytes;

/// The most that is taken out of an archive.
const BOUNDS: Bounds = Bounds { entries: 100_000, file: Bytes::mib(256), total: Bytes::mib(1024) };

/// Where the files of tests are.
#[derive(Debug, Default)]
pub(super) struct TestData {
    /// The archive, with the names of its files.
    archive: Option<(PathBuf, BTreeSet<PathBuf>)>,
}

/// The directory that has the files of all tests.
#[derive(Debug)]
pub(super) struct TestDir {
    pub(super) dir: PathBuf,
    /// An empty file there, if some tests lack an input or an answer.
    pub(super) empty: PathBuf,
}

impl TestData {
    /// Lists the archive, if there is one. Reports one that cannot be read.
    pub(super) fn open(reader: &Reader<'_>, archive: Option<&str>, place: Option<TextPosition>) -> Self {
        let Some(archive) = archive else { return Self::default() };
        let path = reader.dir.join(archive);
        let opened = below(&reader.dir, Path::new(archive)).map_err(|error| error.to_string());
        let opened = opened.and_then(|_| Archive::open(&path, BOUNDS).map_err(|error| error.to_string()));
        let names = match opened {
            Ok(opened) => opened.entries().iter().map(|entry| entry.path.clone()).collect(),
            Err(error) => {
                let found = Diagnostic::error(reader.dir.join(FILE), format!("`archive`: {error}")).at(place);
                reader.report(found.remedy("add the archive, or correct its name"));
                BTreeSet::new()
            }
        };
        Self { archive: Some((path, names)) }
    }

    /// The names of the files in the archive; none without an archive.
    pub(super) fn names(&self) -> Option<&BTreeSet<PathBuf>> {
        self.archive.as_ref().map(|(_, names)| names)
    }

    /// The archive.
    pub(super) fn archive(&self) -> Option<&Path> {
        self.archive.as_ref().map(|(path, _)| path.as_path())
    }

    /// Whether a file is there. A link must not lead elsewhere.
    pub(super) fn has(&self, reader: &Reader<'_>, name: &str) -> bool {
        let is_packed = || self.names().is_some_and(|names| names.contains(Path::new(name)));
        below(&reader.dir, Path::new(name)).is_ok() || is_packed()
    }

    /// The directory with these files: the folder of the problem, or a copy with those of the archive. `converts`: whether their
    /// line ends become those of DMOJ. The files must be there.
    pub(super) fn place(&self, reader: &Reader<'_>, names: &[&str], converts: bool) -> Option<TestDir> {
        const EMPTY: &str = "empty";
        let failed = |error: std::io::Error| {
            reader.error(&reader.dir, format!("cannot keep the files of tests: {error}"), "make the folder writable");
        };
        let empty = (reader.derive)(&[(EMPTY.to_owned(), Vec::new())]).map_err(failed).ok()?.join(EMPTY);
        // One without names was reported if it cannot be read.
        let Some((archive, _)) = self.archive.as_ref().filter(|(_, names)| !names.is_empty()) else {
            return Some(TestDir { dir: reader.dir.clone(), empty });
        };
        let unpacked = tempfile::tempdir().map_err(failed).ok()?;
        let opened = Archive::open(archive, BOUNDS).and_then(|mut opened| opened.extract(unpacked.path()));
        if let Err(error) = opened {
            reader.error(archive, format!("cannot read the archive: {error}"), "pack it again");
            return None;
        }
        let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for name in names {
            let own = reader.dir.join(name);
            let from = if own.is_file() { own } else { unpacked.path().join(name) };
            let bytes = fs::read(from).map_err(failed).ok()?;
            files.insert((*name).to_owned(), if converts { with_line_feeds(&bytes) } else { bytes });
        }
        let files: Vec<(String, Vec<u8>)> = files.into_iter().collect();
        let dir = (reader.derive)(&files).map_err(failed).ok()?;
        Some(TestDir { dir, empty })
    }
}

/// A path inside the problem.
pub(super) fn inner(value: &Value) -> Read<String> {
    let name = text(value)?;
    if is_inner(Path::new(&name)) { Ok(name) } else { Err(Unfit::rule("must be a path inside the problem")) }
}

/// The text as DMOJ gives it to programs: a line feed at the end of every line, also of the last.
fn with_line_feeds(text: &[u8]) -> Vec<u8> {
    let mut made = Vec::with_capacity(text.len() + 1);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'\r' if text.get(at + 1) == Some(&b'\n') => {}
            b'\r' => made.push(b'\n'),
            other => made.push(*other),
        }
    }
    if made.last().is_some_and(|last| *last != b'\n') {
        made.push(b'\n');
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_line_feeds() {
        for (text, expect) in [("a\r\nb", "a\nb\n"), ("a\rb\r", "a\nb\n"), ("\r\r\n", "\n\n"), ("", ""), ("a\n", "a\n")]
        {
            assert_eq!(with_line_feeds(text.as_bytes()), expect.as_bytes(), "{text:?}");
        }
    }
}
