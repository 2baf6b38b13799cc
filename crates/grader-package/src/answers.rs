//! Reads the submissions of a submit-answer problem (package format 2025-09, "Type"), which contain outputs for the
//! cases and no program.
//!
//! The format does not say how to store them. Here a submission is a directory or an archive of output files named like
//! their cases, or a single file.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::archive::{Archive, ArchiveError, Bounds, is_archive_name, is_junk_name};
use crate::outputs::{Names, OutputFile, PairedOutputs, pair};
use crate::reader::{ListedEntry, Reader, TOLD};
use crate::submissions::{self, Submissions};
use grader_model::diagnostic::{Diagnostic, Kind};
use grader_model::limits::Bytes;
use grader_model::problem::{Program, TestGroup, TestId};

/// The most bytes that the archives of one problem may unpack to, all together.
const UNPACKED: Bytes = Bytes::mib(2048);

/// Reads `submissions/` below the problem's directory.
pub(crate) fn read(reader: &Reader<'_>, root: &Path, groups: &[TestGroup]) -> Submissions {
    let tests: Vec<TestId> = groups.iter().flat_map(|group| group.cases.iter().map(|case| group.id_of(case))).collect();
    let names = Names::new(&tests);
    let answers = Answers { reader, tests: &tests, names, room: Cell::new(UNPACKED) };
    submissions::read(reader, root, &|listed| answers.of(listed))
}

/// The cases for which submissions contain outputs.
struct Answers<'a, 'r> {
    reader: &'a Reader<'r>,
    tests: &'a [TestId],
    names: Names<'a>,
    /// The number of bytes that archives may still unpack to.
    room: Cell<Bytes>,
}

impl Answers<'_, '_> {
    /// Returns the answers in a file, directory or archive. If there are no answers, reports why and returns none.
    fn of(&self, listed: &ListedEntry) -> Option<Program> {
        let path = &listed.path;
        if listed.is_dir {
            let file = |name: PathBuf| OutputFile { path: path.join(&name), shown: path.join(&name), name };
            return self
                .paired(path, self.reader.files_below(path).into_iter().map(file).collect())
                .map(Program::Outputs);
        }
        if !is_archive_name(path) {
            let file = OutputFile { name: listed.name.clone().into(), path: path.clone(), shown: path.clone() };
            return self.paired(path, vec![file]).map(Program::Outputs);
        }
        match self.entries(path) {
            Ok(entries) => {
                let file = |name: PathBuf| OutputFile { path: name.clone(), shown: path.join(&name), name };
                let files = self.paired(path, entries.into_iter().map(file).collect())?;
                Some(Program::PackedOutputs { archive: path.clone(), files })
            }
            Err(error) => {
                let remedy = "pack it again, or put the files into a directory";
                self.reader.error(path, error.to_string(), remedy);
                None
            }
        }
    }

    /// Returns the names of the files in an archive. Reads all of it, to be sure that it can be extracted.
    fn entries(&self, path: &Path) -> Result<Vec<PathBuf>, ArchiveError> {
        let bounds = Bounds { total: Bounds::SUBMISSION.total.min(self.room.get()), ..Bounds::SUBMISSION };
        let mut archive = Archive::open(path, bounds)?;
        let size = archive.test()?;
        self.room.set(Bytes(self.room.get().0.saturating_sub(size.0)));
        let mut names: Vec<PathBuf> = archive.entries().iter().map(|entry| entry.path.clone()).collect();
        names.retain(|name| !name.iter().any(is_junk_name));
        names.sort();
        Ok(names)
    }

    /// Matches the files of a submission with cases. Reports the other files.
    fn paired(&self, submission: &Path, files: Vec<OutputFile>) -> Option<BTreeMap<TestId, PathBuf>> {
        let reader = self.reader;
        let program = files.iter().find(|file| (reader.is_source)(&file.name)).map(|file| file.name.clone());
        let PairedOutputs { files, strange, unclear } =
            pair(files, self.names.only(), |name| self.names.of_file(&name.to_string_lossy()));
        for (path, message, remedy) in &unclear {
            reader.error(path, message.as_str(), remedy);
        }
        let example = self.tests.first().map_or("", TestId::as_str);
        if files.is_empty() && unclear.is_empty() {
            let near = strange.iter().take(TOLD).find_map(|path| self.near(path));
            let remedy = near.unwrap_or_else(|| format!("name it `{example}.out`"));
            let message = match program {
                Some(_) => "a program, and no answer to any case: problems of type `submit-answer` run no programs",
                None => "no answer to any case: no file in it has the name of a case",
            };
            reader.error(submission, message, &remedy);
            return None;
        }
        let ignored = strange.iter().enumerate().map(|(at, path)| {
            let found =
                Diagnostic::warning(path, format!("has the name of no case (such as `{example}.out`); ignored"));
            let found = found.kind(Kind::Ignored);
            match (at < TOLD).then(|| self.near(path)).flatten() {
                Some(near) => found.remedy(near),
                None => found,
            }
        });
        reader.report_many(submission, ignored.collect());
        (!files.is_empty()).then_some(files)
    }

    /// Suggests a correct name for a file without a case.
    fn near(&self, path: &Path) -> Option<String> {
        let near = self.names.near(&path.to_string_lossy());
        near.map(|test| format!("did you mean `{test}.out`?"))
    }
}
