//! Runs graders of the legacy package format ("Graders"): they read a line for each result and print one line.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Seek as _, Write as _};

use super::validator::{Validator, ValidatorError};
use super::{Breach, PrintedStreams, Question, decide};
use crate::problem::Protocol;
use crate::problem::grading::Grade;
use crate::sandbox::{Exit, Sandbox, Side, Sink};
use crate::score::points::MOST_POINTS;
use crate::verdict::Verdict;

/// The longest answer of a grader, in bytes.
const LONGEST: usize = 1024;

/// Why the answer of a grader cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum NoGrade {
    #[error("exit code {0} instead of 0")]
    ExitCode(i32),
    #[error(transparent)]
    Breach(#[from] Breach),
    #[error("it printed {0:?}, not a verdict (AC, WA, TLE, RTE) and points on one line")]
    Unreadable(String),
    #[error("it reports that judging failed (JE)")]
    JudgeError,
}

impl Validator<'_> {
    /// Runs a grader, which is called like a validator: `grader [arguments] < results`. Returns the result of the group.
    ///
    /// # Errors
    /// The grader failed. This is a judge error, never a verdict.
    pub fn grade(&self, results: &str, sandbox: &mut dyn Sandbox) -> Result<Grade, ValidatorError> {
        let workdir = sandbox.fresh_box(Side::Interactor, &self.artifact.sight)?;
        let arguments = self.arguments.iter().map(OsString::from);
        let request = self.request(self.artifact.argv.iter().cloned().chain(arguments).collect(), &workdir);
        let mut said = Streams::default();
        let input = written(results).map_err(|source| ValidatorError::Io { path: "results".to_owned(), source })?;
        let outcome = sandbox.run(Side::Interactor, &request, input, &mut said)?;
        self.undisturbed(&outcome)?;
        let ended = match (outcome.killed, outcome.exit) {
            (None, Exit::Code(0)) => parse(&said.stdout),
            (None, Exit::Code(code)) => Err(NoGrade::ExitCode(code)),
            // A grader that was killed or that crashed has made no decision.
            (Some(_), _) | (None, Exit::Signal(_)) => {
                Err(decide(&outcome, &self.limits, Protocol::Icpc, Question::Submission, PrintedStreams::default())
                    .err()
                    .unwrap_or(Breach::Killed)
                    .into())
            }
        };
        ended.map_err(|why| self.failed(&outcome, why, &said.stderr))
    }
}

fn written(text: &str) -> std::io::Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(text.as_bytes())?;
    file.rewind()?;
    Ok(file)
}

/// Reads a verdict and points, separated by white space. Nothing else may follow.
fn parse(said: &[u8]) -> Result<Grade, NoGrade> {
    let text = String::from_utf8_lossy(said);
    let shown: String = text.trim().chars().take(60).collect();
    let wanted = || NoGrade::Unreadable(shown.clone());
    if said.len() > LONGEST {
        return Err(wanted());
    }
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let (["AC" | "WA" | "TLE" | "RTE" | "MLE" | "OLE" | "JE", score], 1) = (&words[..], text.trim().lines().count())
    else {
        return Err(wanted());
    };
    if words[0] == "JE" {
        return Err(NoGrade::JudgeError);
    }
    let verdict = words[0].parse::<Verdict>().map_err(|_| wanted())?;
    let plain = score.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let score = score.parse::<f64>().ok().filter(|score| plain && score.abs() <= MOST_POINTS).ok_or_else(wanted)?;
    Ok(Grade { verdict, score })
}

/// Both streams of a grader, bounded.
#[derive(Default)]
struct Streams {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Sink for Streams {
    fn stdout(&mut self, bytes: &[u8]) {
        let room = (LONGEST + 1).saturating_sub(self.stdout.len());
        self.stdout.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn stderr(&mut self, bytes: &[u8]) {
        let room = LONGEST.saturating_sub(self.stderr.len());
        self.stderr.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_with_a_verdict_and_points() {
        let grade = |verdict, score| Ok(Grade { verdict, score });
        assert_eq!(parse(b"AC 40\n"), grade(Verdict::Accepted, 40.0));
        assert_eq!(parse(b"  WA   -0.5  "), grade(Verdict::WrongAnswer, -0.5));
        assert_eq!(parse(b"RTE 1e2"), grade(Verdict::RunTimeError, 100.0));
        for bad in
            [&b""[..], b"AC", b"AC 1 2", b"AC\n1", b"ac 1", b"AC nan", b"AC inf", b"CE 0", b"AC 1\nWA 0", b"\xff 1"]
        {
            assert!(matches!(parse(bad), Err(NoGrade::Unreadable(_))), "{bad:?}");
        }
        assert_eq!(parse(b"JE 0"), Err(NoGrade::JudgeError));
    }
}
