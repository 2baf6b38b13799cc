//! Hands the files of one pass to the next (package format 2025-09, "Multi-pass validation").

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::Rejection;
use super::validator::{FEEDBACK, Pass, PreparedValidator, Validator, ValidatorError, io_error};
use crate::verdict::Verdict;

/// The input of the next pass, in the feedback directory.
const NEXT: &str = "nextpass.in";

/// The files with which the next pass begins. They stay on disk while this value lives.
#[derive(Debug)]
pub struct NextPass {
    dir: TempDir,
}

impl NextPass {
    /// A pass with this input and without feedback files.
    pub(super) fn with_input(mut input: File) -> io::Result<Self> {
        let next = Self { dir: tempfile::tempdir()? };
        fs::create_dir(next.feedback())?;
        io::copy(&mut input, &mut File::create(next.input())?)?;
        Ok(next)
    }

    /// The input.
    pub(crate) fn input(&self) -> PathBuf {
        self.dir.path().join(NEXT)
    }

    /// The directory with the feedback files of earlier passes.
    fn feedback(&self) -> PathBuf {
        self.dir.path().join(FEEDBACK)
    }
}

/// Calls `with` with the files of the pass that begins with `next`, or of the first pass.
pub(super) fn of_pass<T>(next: Option<&NextPass>, input: &Path, answer: &Path, with: impl FnOnce(&Pass<'_>) -> T) -> T {
    let Some(next) = next else { return with(&Pass::first(input, answer)) };
    with(&Pass { feedback: Some(&next.feedback()), ..Pass::first(&next.input(), answer) })
}

/// Returns the next pass that the validator asks for after pass `number` of `most`, given the rejection on that pass. An
/// error is a fault of the validator: it asks for another pass although it rejects, it asks for more than `most`
/// passes, or the file that it leaves is not an input.
pub(super) fn after(
    prepared: &PreparedValidator,
    validator: &Validator<'_>,
    rejection: Option<&Rejection>,
    number: u32,
    most: u32,
) -> Result<Option<NextPass>, ValidatorError> {
    let broken = |message: String| Err(validator.broken(message, b""));
    match (prepared.next_input(), rejection) {
        (Ok(false), _) => Ok(None),
        (_, Some((Verdict::WrongAnswer, _))) => {
            broken(format!("it rejects and requests another pass: {NEXT} is allowed only with exit code 42"))
        }
        // The submission failed by itself, so a request for another pass has no effect.
        (_, Some(_)) => Ok(None),
        (Err(error), None) => broken(format!("{NEXT} in its feedback directory cannot be read: {error}")),
        (Ok(true), None) if number >= most => {
            broken(format!("it requests more than {most} passes; `limits.validation_passes` sets the maximum"))
        }
        (Ok(true), None) => match prepared.carry(validator.limits.kill.output.0) {
            Ok(next) => Ok(Some(next)),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => broken(format!(
                "it leaves more than {} in its feedback directory; `limits.validation_output` sets the maximum",
                validator.limits.kill.output
            )),
            Err(error) => Err(io_error(Path::new(FEEDBACK), error)),
        },
    }
}

impl PreparedValidator {
    /// Copies the plain files of the feedback directory, at most `cap` bytes in all.
    pub(super) fn keep_feedback(&self, cap: u64) -> io::Result<TempDir> {
        let kept = tempfile::tempdir()?;
        self.workdir.collect_below(&self.directory, kept.path(), cap)?;
        Ok(kept)
    }

    /// Whether the validator wrote an input for another pass. Fails if it is not a plain file.
    fn next_input(&self) -> io::Result<bool> {
        self.workdir.open(&self.directory.join(NEXT)).map(|file| file.is_some())
    }

    /// Takes over the files with which the next pass begins. Leaves behind links and special files in the feedback
    /// directory.
    fn carry(&self, cap: u64) -> io::Result<NextPass> {
        let next = NextPass { dir: tempfile::tempdir()? };
        fs::create_dir(next.feedback())?;
        self.workdir.collect_below(&self.directory, &next.feedback(), cap)?;
        fs::rename(next.feedback().join(NEXT), next.input())?;
        Ok(next)
    }
}
