//! Writes the feedback of a build in Artemis: a folder with a JSON file for each result of one student's program, with only
//! what students may see. Artemis reads the files in `customFeedbacks`, and weighs them as the exercise says.
//!
//! Source: `CustomFeedbackParser` in <https://github.com/ls1intum/Artemis>.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::document::{Document as _, write_whole};
use super::gradescope::Gradescope;
use crate::record::{FinishedSubmission, Report, Reporter};

/// The folder under construction: the results are the lines of Gradescope.
#[derive(Debug)]
pub struct Artemis {
    folder: PathBuf,
    lines: Gradescope,
}

#[derive(Debug, Serialize)]
struct Feedback<'a> {
    name: &'a str,
    successful: bool,
    message: &'a str,
}

impl Artemis {
    /// Will write to a folder, which must be empty or missing: other files in it would become feedback.
    pub fn new(folder: &Path, lines: Gradescope) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        if fs::read_dir(folder)?.next().is_some() {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "it is not empty; name a new folder"));
        }
        Ok(Self { folder: folder.to_owned(), lines })
    }
}

impl Reporter for Artemis {
    fn wants_tests(&self) -> bool {
        true
    }

    fn submission(&mut self, of: &FinishedSubmission<'_>) -> io::Result<()> {
        self.lines.submission(of);
        Ok(())
    }

    fn finish(&mut self, report: &Report) -> io::Result<()> {
        self.lines.complete_lines(report)?;
        self.lines.messages_as_line();
        for (n, line) in self.lines.visible().enumerate() {
            let successful = line.status == Some("passed");
            // A failure needs a message.
            let message = if line.output.trim().is_empty() && !successful { "failed" } else { &*line.output };
            let feedback = Feedback { name: &line.name, successful, message };
            write_whole(&self.folder.join(format!("{}.json", n + 1)), &serde_json::to_vec_pretty(&feedback)?)?;
        }
        Ok(())
    }
}
