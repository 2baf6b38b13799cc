//! Input and output validators by the 42/43 protocol (package format 2025-09, "Invocation").

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::{Decision, decide};
use crate::compile::Artifact;
use crate::limits::JudgeLimits;
use crate::sandbox::{Kill, Outcome, Request, Sandbox, SandboxError, Side, Sink};

/// What of a judge message is kept, in bytes.
const MESSAGE_CAP: usize = 4 * 1024;

/// What an output validator said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Accept or reject.
    pub decision: Decision,
    /// `judgemessage.txt`, or what it printed; bounded.
    pub message: Option<String>,
}

/// Why a validator gave no answer. Our failure, never a verdict.
#[derive(Debug, thiserror::Error)]
pub enum ValidatorError {
    /// It broke the protocol or its limits.
    #[error("{name}: {message}{}", quoted(.said))]
    Broken {
        /// The validator.
        name: String,
        /// How.
        message: String,
        /// What it printed.
        said: String,
    },
    /// The run was cancelled while it was at work.
    #[error("cancelled")]
    Cancelled,
    /// It could not be run.
    #[error("{0}")]
    Sandbox(#[from] SandboxError),
    /// A file could not be read or made.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
}

fn quoted(said: &str) -> String {
    if said.trim().is_empty() { String::new() } else { format!("; it said: {}", said.trim()) }
}

/// A validator that is ready to be run.
#[derive(Debug, Clone, Copy)]
pub struct Validator<'a> {
    /// Its name for messages.
    pub name: &'a str,
    /// The program.
    pub artifact: &'a Artifact,
    /// Its own limits.
    pub limits: JudgeLimits,
}

impl Validator<'_> {
    /// Runs it over a finished output: `validator input answer feedback_dir/ < output`.
    pub fn check_output(
        &self,
        input: &Path,
        answer: &Path,
        output: File,
        sandbox: &mut dyn Sandbox,
    ) -> Result<Checked, ValidatorError> {
        let request = self.output_request(input, answer, sandbox)?;
        let mut said = Said::default();
        let outcome = sandbox.run(&request, output, &mut said)?;
        not_cancelled(&outcome)?;
        let message = feedback(&request.cwd.join("feedback"), &said.bytes);
        let decision = decide(&outcome, &self.limits).map_err(|broken| self.broken(broken, &said.bytes))?;
        Ok(Checked { decision, message })
    }

    /// The request of an output validator or interactor, with an empty feedback directory in its box.
    pub fn output_request(
        &self,
        input: &Path,
        answer: &Path,
        sandbox: &mut dyn Sandbox,
    ) -> Result<Request, ValidatorError> {
        let cwd = sandbox.fresh_box(Side::Interactor)?;
        let feedback = cwd.join("feedback");
        fs::create_dir(&feedback).map_err(|source| io_error(&feedback, source))?;
        let mut argv = self.artifact.argv.clone();
        argv.extend([absolute(input)?, absolute(answer)?]);
        let mut directory = OsString::from(feedback);
        directory.push("/");
        argv.push(directory);
        Ok(self.request(argv, cwd))
    }

    /// Runs it over an input: `validator < input`; 42 is valid, 43 is not, with its words. Other exits are invalid too
    /// by the format, but a crash is more likely the validator's own fault and is reported as such.
    pub fn check_input(&self, input: &Path, sandbox: &mut dyn Sandbox) -> Result<Result<(), String>, ValidatorError> {
        let cwd = sandbox.fresh_box(Side::Interactor)?;
        let request = self.request(self.artifact.argv.clone(), cwd);
        let file = File::open(input).map_err(|source| io_error(input, source))?;
        let mut said = Said::default();
        let outcome = sandbox.run(&request, file, &mut said)?;
        not_cancelled(&outcome)?;
        match decide(&outcome, &self.limits) {
            Ok(Decision::Accept) => Ok(Ok(())),
            Ok(Decision::Reject) => Ok(Err(text(&said.bytes))),
            Err(broken) => Err(self.broken(broken, &said.bytes)),
        }
    }

    fn request(&self, argv: Vec<OsString>, cwd: std::path::PathBuf) -> Request {
        let mut env = self.artifact.env.clone();
        env.push(("HOME".into(), cwd.clone().into()));
        let mut limits = self.limits.kill_points();
        limits.processes = limits.processes.max(self.artifact.processes);
        Request { argv, env, cwd, limits, core: None }
    }

    /// The error of a validator that broke the protocol.
    pub fn broken(&self, message: String, said: &[u8]) -> ValidatorError {
        ValidatorError::Broken { name: self.name.to_owned(), message, said: text(said) }
    }
}

fn not_cancelled(outcome: &Outcome) -> Result<(), ValidatorError> {
    if outcome.killed == Some(Kill::Cancelled) { Err(ValidatorError::Cancelled) } else { Ok(()) }
}

/// The judges' message: `judgemessage.txt`, else what the validator printed.
pub fn feedback(directory: &Path, said: &[u8]) -> Option<String> {
    let mut bytes = Vec::new();
    // The validator made this directory's contents: nothing that is not a plain file is read.
    let path = directory.join("judgemessage.txt");
    if fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file())
        && let Ok(file) = File::open(&path)
    {
        let _ = file.take(MESSAGE_CAP as u64).read_to_end(&mut bytes);
    }
    let bytes = if bytes.is_empty() { said } else { &bytes };
    let message = text(bytes);
    (!message.trim().is_empty()).then_some(message)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end().to_owned()
}

fn absolute(path: &Path) -> Result<OsString, ValidatorError> {
    std::path::absolute(path).map(OsString::from).map_err(|source| io_error(path, source))
}

fn io_error(path: &Path, source: std::io::Error) -> ValidatorError {
    ValidatorError::Io { path: path.display().to_string(), source }
}

/// Both streams of a validator together, bounded.
#[derive(Default)]
struct Said {
    bytes: Vec<u8>,
}

impl Sink for Said {
    fn stdout(&mut self, bytes: &[u8]) {
        let room = MESSAGE_CAP.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn stderr(&mut self, bytes: &[u8]) {
        self.stdout(bytes);
    }
}
