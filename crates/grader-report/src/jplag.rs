//! Writes the programs of a class as a folder for `JPlag`, which finds similar programs by another method.
//!
//! Each problem is a folder. In it, `submissions` has a folder for each student, or for each team that submitted together;
//! `given` has the base code, and `earlier` has the programs of earlier courses.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::document::write_whole;
use super::sources::{Files, Programs};
use crate::file_name::safe_name;
use crate::record::{FinishedSubmission, Report, Reporter};

/// The folder under construction.
pub(crate) struct Jplag {
    folder: PathBuf,
    programs: Programs,
}

impl Jplag {
    /// Will write to a folder, which must be empty or missing: other files in it would become submissions.
    pub(crate) fn new(folder: &Path, programs: Programs) -> io::Result<Self> {
        if folder.exists() && !folder.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is not a folder; name a new folder"));
        }
        fs::create_dir_all(folder)?;
        if fs::read_dir(folder)?.next().is_some() {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "it is not empty; name a new folder"));
        }
        Ok(Self { folder: folder.to_owned(), programs })
    }
}

impl Reporter for Jplag {
    fn submission(&mut self, _: &FinishedSubmission<'_>) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self, report: &Report) -> io::Result<()> {
        for problem in report.head.iter().flat_map(|head| &head.problems) {
            let programs = self.programs.of(&problem.problem, report);
            let folder = self.folder.join(safe_name(problem.problem.as_str()));
            for program in &programs.submitted {
                let authors = program.authors.join("+");
                write(&folder.join("submissions").join(safe_name(&authors.replace('/', "-"))), &program.files)?;
            }
            for (author, files) in &programs.earlier {
                // The name of an earlier author has a folder in it.
                write(&folder.join("earlier").join(safe_name(&author.replace('/', "-"))), files)?;
            }
            write(&folder.join("given"), &programs.given)?;
        }
        Ok(())
    }
}

/// Writes the files of a program. Their names come from students.
fn write(folder: &Path, files: &Files) -> io::Result<()> {
    for (name, bytes) in files {
        let inside: PathBuf =
            Path::new(name).components().filter(|part| matches!(part, Component::Normal(_))).collect();
        write_whole(&folder.join(inside), bytes)?;
    }
    Ok(())
}
