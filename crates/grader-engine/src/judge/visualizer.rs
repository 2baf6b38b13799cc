//! Runs visualisers (package format 2025-09, "Input visualizer", "Output visualizer"). Whatever they do, no verdict
//! depends on it.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::TempDir;

use super::feedback::text;
use super::validator::{FEEDBACK, Pass, Validator, ValidatorError, ValidatorStreams, io_error};
use super::{Breach, PrintedStreams, Question, decide};
use crate::problem::Protocol;
use crate::sandbox::{Outcome, Sandbox, Side, Workdir};

/// The files and messages of a visualiser that has ended.
#[derive(Debug)]
pub struct DrawnFiles {
    /// A copy of the directory into which it draws.
    pub dir: TempDir,
    /// The beginning of its output.
    pub said: String,
    /// Its exit status, if that is not zero. The format gives it no meaning.
    pub failure: Option<i32>,
}

impl Validator<'_> {
    /// Draws a test case: `visualizer input answer [arguments]`, in the directory where it draws.
    pub fn draw_case(
        &self,
        input: &Path,
        answer: &Path,
        sandbox: &mut dyn Sandbox,
    ) -> Result<DrawnFiles, ValidatorError> {
        const FILES: &str = "case";
        let workdir = sandbox.fresh_box(Side::Interactor, &self.artifact.sight)?;
        workdir.furnish(self.artifact.companions()).map_err(|source| io_error(input, source))?;
        let mut argv = self.artifact.argv.clone();
        for (name, file) in [("input", input), ("answer", answer)] {
            let name = Path::new(FILES).join(name);
            workdir.put(&name, file).map_err(|source| io_error(file, source))?;
            argv.push(workdir.path().join(name).into());
        }
        argv.extend(self.arguments.iter().map(OsString::from));
        let nothing = Path::new("/dev/null");
        let stdin = File::open(nothing).map_err(|source| io_error(nothing, source))?;
        let size = |file: &Path| file.metadata().map_or(0, |found| found.len());
        let cap = self.limits.kill.output.0 + size(input) + size(answer);
        self.draw(argv, &workdir, stdin, sandbox, |to| workdir.collect(to, cap))
    }

    /// Draws an output: `visualizer input answer feedback_dir/ [arguments] < output`. It draws into the directory, in which
    /// it finds the files that the output validator left there.
    pub fn draw_output(
        &self,
        pass: &Pass<'_>,
        output: File,
        sandbox: &mut dyn Sandbox,
    ) -> Result<DrawnFiles, ValidatorError> {
        let prepared = self.prepare(pass, None, sandbox)?;
        let argv = prepared.request.argv.clone();
        let workdir = &prepared.workdir;
        let size = |file: &Path| file.metadata().map_or(0, |found| found.len());
        let earlier = pass.feedback.map_or(0, |dir| {
            let files = walkdir::WalkDir::new(dir).into_iter().filter_map(Result::ok);
            files.map(|entry| size(entry.path())).sum()
        });
        let cap = self.limits.kill.output.0 + earlier;
        self.draw(argv, workdir, output, sandbox, |to| workdir.collect_below(Path::new(FEEDBACK), to, cap))
    }

    fn draw(
        &self,
        argv: Vec<OsString>,
        workdir: &Workdir,
        stdin: File,
        sandbox: &mut dyn Sandbox,
        collect: impl FnOnce(&Path) -> io::Result<()>,
    ) -> Result<DrawnFiles, ValidatorError> {
        let request = self.request(argv, workdir);
        let mut said = ValidatorStreams::default();
        let outcome = sandbox.run(Side::Interactor, &request, stdin, &mut said)?;
        self.undisturbed(&outcome)?;
        let failure = self.ended(&outcome).map_err(|breach| self.failed(&outcome, breach, &said.bytes))?;
        let too_much = |source| match source {
            error if io::Error::kind(&error) == io::ErrorKind::FileTooLarge => {
                self.broken(format!("it writes more than {}", self.limits.kill.output), &said.bytes)
            }
            error => io_error(Path::new("what it has drawn"), error),
        };
        let dir = tempfile::tempdir().map_err(|source| io_error(Path::new("a temporary directory"), source))?;
        collect(dir.path()).map_err(too_much)?;
        Ok(DrawnFiles { dir, said: text(&said.bytes), failure })
    }

    /// The exit status if it is not zero, nor one with which validators decide. An error if a limit or a signal ended
    /// the program.
    fn ended(&self, outcome: &Outcome) -> Result<Option<i32>, Breach> {
        match decide(outcome, &self.limits, Protocol::Icpc, Question::Submission, PrintedStreams::default()) {
            Ok(_) | Err(Breach::ExitCode { code: 0, .. }) => Ok(None),
            Err(Breach::ExitCode { code, .. }) => Ok(Some(code)),
            Err(breach) => Err(breach),
        }
    }
}
