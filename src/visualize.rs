//! Draws test cases and outputs with the visualisers of a problem (package format 2025-09, "Input visualizer", "Output
//! visualizer"; BAPCtools). If a visualiser fails, a picture is missing, and nothing else changes.
//!
//! `judge/visualizer` starts the programs. Its files:
//!
//! - `subjects`: chooses the test cases and outputs that are drawn
//! - `easel`: draws cases and outputs on one slot
//! - `drawing`: reads the files that a visualiser wrote
//! - `page`: a page of these pictures; all pages share `kit.js` and `kit.css`
//! - `failures`: pictures for the page of a run

mod drawing;
mod easel;
mod failures;
mod page;
pub(crate) mod subjects;

use std::fs::File;
use std::io::{self, Seek as _};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::compile::{Artifact, BuildOrder};
use crate::engine::bench::{Bench, Case, JudgedExecution};
use crate::error_chain;
use crate::judge::judged::Stdout;
use crate::judge::validator::{Pass, Validator, ValidatorError, persistently};
use crate::judge::visualizer::DrawnFiles;
use crate::problem::{Problem, Program, VisualizerKind};

pub(crate) use drawing::{Drawing, illustration_of};
pub(crate) use easel::{Easel, Scene};
pub(crate) use failures::background_of;
pub(crate) use page::Subject;

/// The reason for a missing picture.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoPicture {
    /// The work was cancelled.
    #[error("interrupted")]
    Cancelled,
    /// The visualiser exceeded its time limit.
    #[error("{0}")]
    Overdue(String),
    /// Another failure, with the name of the program.
    #[error("{0}")]
    Failed(String),
}

/// A built visualiser.
pub(crate) struct Visualizer {
    kind: VisualizerKind,
    artifact: Box<Artifact>,
    name: String,
    /// The folder with the drawing of its page.
    page: PathBuf,
}

impl Visualizer {
    /// Builds the visualiser of this kind; none if the problem has none.
    pub(crate) fn build(
        bench: &mut Bench<'_>,
        problem: &Problem,
        kind: VisualizerKind,
    ) -> Option<Result<Self, NoPicture>> {
        let program: &Program = problem.visualizers.of(kind)?;
        let memory = bench.resources.output_validation_limits(problem).kill.memory;
        let built = bench.build(&BuildOrder::validator(problem, program, memory)).ready(kind.title());
        let name = problem.name_of(program);
        let page = problem.dir.join(kind.folder()).join(page::FOLDER);
        let visualizer = |artifact| Self { kind, artifact, name, page };
        Some(built.map(visualizer).map_err(|unbuilt| NoPicture::Failed(error_chain(&unbuilt))))
    }

    /// Draws a test case. `arguments` replace those that the case states.
    pub(crate) fn draw_case(
        &self,
        bench: &mut Bench<'_>,
        case: &Case,
        arguments: Option<&[String]>,
        subject: &Subject<'_>,
    ) -> Result<Drawing, NoPicture> {
        let arguments = arguments.unwrap_or(&case.arguments.input_visualizer);
        let answer = case.answer.as_deref().unwrap_or(Path::new("/dev/null"));
        let drawn = {
            let (mut sandbox, _) = bench.lend();
            let program = self.program(case, arguments);
            persistently(|| program.draw_case(&case.input, answer, &mut *sandbox))
        };
        self.collect(drawn, subject)
    }

    /// Draws the output of a submission that was judged with [`Case::keeps_feedback`].
    pub(crate) fn draw_output(
        &self,
        bench: &mut Bench<'_>,
        case: &Case,
        judged: &JudgedExecution,
        arguments: Option<&[String]>,
        subject: &Subject<'_>,
    ) -> Result<Drawing, NoPicture> {
        let arguments = arguments.unwrap_or(&case.arguments.output_visualizer);
        let answer = case.answer.as_deref().unwrap_or(Path::new("/dev/null"));
        let unkept = |error: &io::Error| self.failed(&format!("the files for it cannot be read: {error}"));
        let feedback: Option<&Path> = match &judged.streams.feedback {
            None => None,
            Some(Ok(dir)) => Some(TempDir::path(dir)),
            Some(Err(error)) => return Err(unkept(error)),
        };
        let output = output_of(case, judged).map_err(|error| unkept(&error))?;
        let drawn = {
            let (mut sandbox, _) = bench.lend();
            let program = self.program(case, arguments);
            let pass = Pass { input: &case.input, answer, feedback, keeps_printed: false };
            let again = || {
                let mut output = output.try_clone()?;
                output.rewind()?;
                Ok(output)
            };
            let unreadable = |source| ValidatorError::Io { path: "the output".to_owned(), source };
            persistently(|| program.draw_output(&pass, again().map_err(unreadable)?, &mut *sandbox))
        };
        self.collect(drawn, subject)
    }

    fn program<'a>(&'a self, case: &Case, arguments: &'a [String]) -> Validator<'a> {
        let limits = case.validator_limits;
        Validator {
            name: (&self.name).into(),
            artifact: &self.artifact,
            arguments,
            files: &[],
            limits,
            says_why: false,
        }
    }

    fn collect(&self, drawn: Result<DrawnFiles, ValidatorError>, subject: &Subject<'_>) -> Result<Drawing, NoPicture> {
        let DrawnFiles { dir, said, failure } = drawn.map_err(|error| match error {
            ValidatorError::Cancelled => NoPicture::Cancelled,
            ValidatorError::Overdue { .. } => NoPicture::Overdue(error_chain(&error)),
            // The error names the program.
            error => NoPicture::Failed(error_chain(&error)),
        })?;
        let exit = failure.map(|code| format!(" (exit code {code})")).unwrap_or_default();
        let said = if said.is_empty() { said } else { format!("; it printed:\n{said}") };
        let drawing = Drawing::read(dir.path(), self.kind, &self.page, subject)
            .map_err(|error| self.failed(&format!("{error}{said}")))?;
        if drawing.is_empty() {
            let names = drawing::expected_names(self.kind);
            let other = drawing::others(dir.path());
            return Err(self.failed(&format!("it wrote no {names}{other}{exit}{said}")));
        }
        Ok(drawing)
    }

    fn failed(&self, why: &str) -> NoPicture {
        NoPicture::Failed(format!("{}: {why}", self.name))
    }
}

/// The standard output of a submission as a file. In an interactive problem it is empty, as the format requires.
fn output_of(case: &Case, judged: &JudgedExecution) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    match &judged.streams.stdout {
        Stdout::File(output) => return output.try_clone(),
        Stdout::Capture(capture) => capture.write_to(&mut case.open_answer()?, &mut file)?,
        Stdout::Bytes(bytes) if !case.problem.kind.is_interactive() => io::Write::write_all(&mut file, bytes)?,
        Stdout::Bytes(_) | Stdout::Transcript(_) => {}
    }
    Ok(file)
}
