//! Reads problems of Library Checker (<https://github.com/yosupo06/library-checker-problems>): `info.toml` with `gen/`,
//! `sol/`, a checker and a verifier, in the meaning of its `generate.py`.
//!
//! Such a problem holds few test cases. Generators make its inputs and `sol/correct.cpp` its answers: the recipes of the
//! problem say how. This module runs no program.

mod cases;
mod checksums;
mod description;
mod programs;

use std::path::{Path, PathBuf};

use crate::document::{is_there, small_text};
use crate::reader::Reader;
use cases::Cases;
use checksums::StatedChecksums;
use description::Description;
use grader_model::diagnostic::{Diagnostic, TextPosition};
use grader_model::limits::Bytes;
use grader_model::problem::{
    Additions, IncludedFiles, JudgingProgram, LimitOptions, PackageLayout, Problem, Protocol, is_header,
};

/// The file that describes a problem.
pub const FILE: &str = "info.toml";
/// Parts of a problem beside that file, one of which must exist.
const PARTS: [&str; 4] = ["gen", "sol", "checker.cpp", "verifier.cpp"];
/// The largest description that is recognised, in bytes.
const RECOGNISED: u64 = 1 << 20;
/// The directory of generators and inputs.
const GENERATORS: &str = "gen";
/// The directory of solutions.
const SOLUTIONS: &str = "sol";
/// The directory with the files that are built with a solution that is a function.
const GRADER: &str = "grader";
/// The solution that prints the answers.
const CORRECT: &str = "correct.cpp";
/// The headers that the problems of a repository share are in this directory, at the top of the repository.
const COMMON: &str = "common";
/// The top of the repository is at most so many directories above a problem.
const LEVELS_ABOVE: usize = 3;
/// The file of the statement.
pub const STATEMENT: &str = "task.md";
/// The code of C++.
const CPP: &str = "cpp";
/// The header with the parameters.
const PARAMETERS: &str = "params.h";
/// The memory limit of the site.
const MEMORY: Bytes = Bytes::mib(1024);
/// The most bytes that a solution may print: as many as grader keeps of an answer. The site states no limit.
const OUTPUT: Bytes = Bytes::mib(64);

/// Whether a directory has an `info.toml` of Library Checker. Other tools have files of this name too.
pub fn is_problem(dir: &Path) -> bool {
    let file = dir.join(FILE);
    let begins = |line: &str| ["[[tests]]", "timelimit"].iter().any(|start| line.trim_start().starts_with(start));
    PARTS.iter().any(|part| dir.join(part).exists())
        && small_text(&file, RECOGNISED).is_some_and(|text| text.lines().any(begins))
}

/// Reads the problem in the reader's directory; none if its description cannot be parsed.
pub fn read(reader: &Reader<'_>) -> Option<Problem> {
    let file = reader.dir.join(FILE);
    let description = description::read(reader, &file)?;
    let checksums = StatedChecksums::read(reader);
    Some(ProblemFolder { reader, file: &file }.problem(&description, &checksums))
}

/// A problem that is being read.
struct ProblemFolder<'a> {
    reader: &'a Reader<'a>,
    file: &'a Path,
}

impl ProblemFolder<'_> {
    fn error(&self, place: Option<TextPosition>, message: impl Into<String>, remedy: &str) {
        self.reader.report(Diagnostic::error(self.file, message).at(place).remedy(remedy));
    }

    fn problem(&self, description: &Description, checksums: &StatedChecksums) -> Problem {
        let reader = self.reader;
        let Cases { groups, recipes } = self.cases(description, checksums);
        let (submissions, reference) = self.submissions(&description.solutions);
        let judging = |program| JudgingProgram::stated(program, Protocol::TESTLIB);
        let checker = self.program(&description.checker.path, &[], description.checker.place).map(judging);
        let verifier = self.program(&description.verifier.path, &[], description.verifier.place).map(judging);
        Problem {
            title: description.title.clone().unwrap_or_else(|| reader.id.to_string()),
            limits: LimitOptions {
                time: description.time_limit,
                memory: Some(MEMORY),
                output: Some(OUTPUT),
                ..LimitOptions::default()
            },
            input_validators: verifier.into_iter().collect(),
            output_validators: checker.into_iter().collect(),
            groups,
            submissions,
            reference,
            additions: self.additions(&description.parameters),
            recipes,
            documents: self.documents(),
            ..Problem::empty(reader.id.clone(), reader.dir.clone(), PackageLayout::LibraryChecker)
        }
    }

    /// The header with the parameters for every program, and the folders of headers.
    fn additions(&self, parameters: &str) -> Additions {
        let header = self.parameters(parameters);
        let common = self.common();
        let of_grader = self.headers_in(&self.reader.dir.join(GRADER));
        Additions {
            include: header.iter().map(|header| (CPP.to_owned(), header.clone())).collect(),
            judges: header,
            headers: [common, of_grader].into_iter().flatten().collect(),
            ..Additions::default()
        }
    }

    /// Keeps the header with the parameters outside the problem.
    fn parameters(&self, text: &str) -> Option<IncludedFiles> {
        match (self.reader.derive)(&[(PARAMETERS.to_owned(), text.as_bytes().to_vec())]) {
            Ok(dir) => Some(IncludedFiles { dir, files: vec![PathBuf::from(PARAMETERS)] }),
            Err(error) => {
                self.error(None, format!("cannot keep {PARAMETERS}: {error}"), "make the folder writable");
                None
            }
        }
    }

    /// The headers that the repository shares among its problems.
    fn common(&self) -> Option<IncludedFiles> {
        let above = self.reader.dir.ancestors().skip(1).take(LEVELS_ABOVE);
        // A link may lead anywhere.
        let dirs = above.map(|above| above.join(COMMON)).filter(|dir| !dir.is_symlink());
        dirs.into_iter().find_map(|dir| self.headers_in(&dir))
    }

    /// The headers directly in a directory; none if it has no headers.
    fn headers_in(&self, dir: &Path) -> Option<IncludedFiles> {
        if !dir.is_dir() {
            return None;
        }
        let listed = self.reader.list(dir);
        let headers = listed.into_iter().filter(|entry| !entry.is_dir && is_header(Path::new(&entry.name)));
        let files: Vec<PathBuf> = headers.map(|entry| PathBuf::from(entry.name)).collect();
        (!files.is_empty()).then(|| IncludedFiles { dir: dir.to_owned(), files })
    }

    /// The statement.
    fn documents(&self) -> Vec<PathBuf> {
        [self.reader.dir.join(STATEMENT)].into_iter().filter(|path| is_there(path)).collect()
    }
}

#[cfg(test)]
mod tests;
