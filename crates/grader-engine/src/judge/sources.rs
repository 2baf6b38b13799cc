//! Runs static validators, which judge the sources of a submission without running it (package format 2025-09, "Static
//! validator").

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::validator::{
    FEEDBACK, PreparedValidator, Validator, ValidatorAnswer, ValidatorError, as_argument, io_error,
};
use crate::compile::ExhibitError;
use crate::sandbox::{Sandbox, Side, Workdir};

/// A submission whose sources are judged.
pub struct Subject<'a> {
    /// The name of its language in the package format.
    pub language: &'a str,
    /// The file or class where the program starts.
    pub entry_point: &'a str,
    /// Copies its files into a directory. Returns the names at the top of the directory, or an error.
    pub lay_out: &'a dyn Fn(&Workdir) -> Result<Vec<PathBuf>, ExhibitError>,
}

impl Validator<'_> {
    /// Runs a static validator on the files of a submission: `validator language entry_point feedback_dir/
    /// [arguments]`. 42 accepts, 43 rejects, and any other exit is a judge error.
    ///
    /// # Errors
    /// The validator broke the protocol or its limits, or could not run.
    pub fn check_sources(
        &self,
        subject: &Subject<'_>,
        sandbox: &mut dyn Sandbox,
    ) -> Result<ValidatorAnswer, ValidatorError> {
        let workdir = sandbox.fresh_box(Side::Interactor, &self.artifact.sight)?;
        let taken = (subject.lay_out)(&workdir).map_err(|error| self.broken(error.to_string(), b""))?;
        let directory = free_name(&taken);
        workdir.make_dir(&directory).map_err(|source| io_error(&directory, source))?;
        let mut argv = self.artifact.argv.clone();
        argv.extend([subject.language, subject.entry_point].map(OsString::from));
        argv.push(as_argument(&workdir, &directory));
        argv.extend(self.arguments.iter().map(OsString::from));
        let prepared =
            PreparedValidator { request: self.request(argv, &workdir), workdir, directory, earlier: 0, printed: None };
        let null = Path::new("/dev/null");
        let nothing = File::open(null).map_err(|source| io_error(null, source))?;
        self.ask(&prepared, nothing, sandbox)
    }
}

/// Picks a name for the feedback directory that no file of the submission has. Such a file could bring its own message
/// or points.
fn free_name(taken: &[PathBuf]) -> PathBuf {
    let mut name = FEEDBACK.to_owned();
    while taken.iter().any(|taken| taken == Path::new(&name)) {
        name.push('_');
    }
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submission_cannot_bring_its_own_feedback() {
        let taken = ["feedback", "feedback_", "main.py"].map(PathBuf::from);
        assert_eq!(free_name(&taken), Path::new("feedback__"));
        assert_eq!(free_name(&taken[2..]), Path::new("feedback"));
    }
}
