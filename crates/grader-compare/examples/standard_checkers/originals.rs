//! The originals: builds them and asks them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use grader_model::problem::StandardChecker;

use crate::generate::Pair;

/// A checker of testlib, built.
pub(crate) struct Original {
    /// Which one.
    pub checker: StandardChecker,
    program: PathBuf,
}

/// Finds the checkers of testlib beside their sources, where its `.gitignore` expects them, and builds those that are
/// not there.
pub(crate) fn build(testlib: &Path) -> io::Result<Vec<Original>> {
    let dir = testlib.join("checkers");
    let build = |checker: &StandardChecker| {
        let program = dir.join(checker.name()).canonicalize().or_else(|_| {
            let program = std::path::absolute(dir.join(checker.name()))?;
            let mut compiler = command("g++");
            compiler.args(["-O1", "-w", "-std=c++17", "-I"]).arg(testlib);
            let status = compiler.arg(dir.join(format!("{checker}.cpp"))).arg("-o").arg(&program).status()?;
            if status.success() { Ok(program) } else { Err(io::Error::other(format!("cannot build {checker}"))) }
        })?;
        Ok(Original { checker: *checker, program })
    };
    StandardChecker::ALL.iter().map(build).collect()
}

#[expect(clippy::disallowed_methods, reason = "the originals are trusted programs, and no submissions")]
fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    Command::new(program)
}

impl Original {
    /// The exit code for a pair. Writes the files into a directory.
    pub(crate) fn judge(&self, pair: &Pair, dir: &Path) -> io::Result<i32> {
        let [input, output, answer] = ["input", "output", "answer"].map(|name| dir.join(name));
        fs::write(&input, b"")?;
        fs::write(&output, &pair.output)?;
        fs::write(&answer, &pair.answer)?;
        let mut checker = command(&self.program);
        checker.args([&input, &output, &answer]).stdin(Stdio::null()).stderr(Stdio::null());
        // A signal is not a decision.
        Ok(checker.status()?.code().unwrap_or(-1))
    }
}
