//! Reads `hash.json`: the SHA-256 of each input and answer. With them, made files are proven to be those of the site.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::document::{is_there, load_text};
use crate::reader::Reader;
use grader_model::diagnostic::{Diagnostic, TextPosition};
use grader_model::problem::{Checksums, Sha256, TestGroup};

/// The file with the checksums.
const FILE: &str = "hash.json";

/// The checksums by the names of files: `random_00.in`, `random_00.out`.
#[derive(Debug, Default)]
pub(super) struct StatedChecksums {
    /// The document; none if it is not there or not readable.
    file: Option<PathBuf>,
    by_name: BTreeMap<String, Sha256>,
}

impl StatedChecksums {
    /// Reads the checksums of a problem. Reports a problem without them, and values that are not checksums.
    pub(super) fn read(reader: &Reader<'_>) -> Self {
        let file = reader.dir.join(FILE);
        if !is_there(&file) {
            let found =
                Diagnostic::warning(&reader.dir, format!("no {FILE}: nothing proves that made tests are right"));
            reader.report(found);
            return Self::default();
        }
        let texts = match texts_of(&file) {
            Ok(texts) => texts,
            Err(found) => {
                reader.report(found);
                return Self::default();
            }
        };
        let mut by_name = BTreeMap::new();
        for (name, text) in texts {
            let Some(sum) = Sha256::parse(&text) else {
                let message = format!("`{}` is not the SHA-256 of a file in hexadecimal digits", name.escape_debug());
                reader.error(&file, message, "make the file again with `generate.py --dev`");
                continue;
            };
            by_name.insert(name, sum);
        }
        Self { file: Some(file), by_name }
    }

    /// The document that states checksums.
    pub(super) fn document(&self) -> Option<PathBuf> {
        self.file.clone()
    }

    /// The checksums of the files of a case.
    pub(super) fn of(&self, case: &str) -> Checksums {
        let [input, answer] = file_names(case).map(|name| self.by_name.get(&name).copied());
        Checksums { input, answer }
    }

    /// Reports files without a checksum, and checksums of files that no test has.
    pub(super) fn compare(&self, reader: &Reader<'_>, groups: &[TestGroup]) {
        let Some(file) = &self.file else { return };
        let cases = groups.iter().flat_map(|group| &group.cases);
        let named: BTreeSet<String> = cases.flat_map(|case| file_names(&case.name)).collect();
        let without: Vec<&String> = named.iter().filter(|name| !self.by_name.contains_key(*name)).collect();
        let unused: Vec<&String> = self.by_name.keys().filter(|name| !named.contains(*name)).collect();
        for (names, what) in [(without, "no checksum of"), (unused, "a checksum of a file that no test has:")] {
            if let Some(first) = names.first() {
                let more = if names.len() > 1 { format!(" and {} more", names.len() - 1) } else { String::new() };
                let found = Diagnostic::warning(file, format!("{what} {}{more}", first.escape_debug()));
                reader.report(found.remedy("make the file again with `generate.py --dev`"));
            }
        }
    }
}

fn texts_of(file: &std::path::Path) -> Result<BTreeMap<String, String>, Diagnostic> {
    let text = load_text(file)?;
    serde_json::from_str(&text).map_err(|error| {
        let clamp = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let place = TextPosition { line: clamp(error.line()), column: clamp(error.column()).max(1) };
        let message = format!("not an object of file names and checksums: {error}");
        Diagnostic::error(file, message).at(Some(place)).remedy("make the file again with `generate.py --dev`")
    })
}

/// The names of the files of a case in `hash.json`.
fn file_names(case: &str) -> [String; 2] {
    [format!("{case}.in"), format!("{case}.out")]
}
