//! Runs input and output validators by their protocol: that of the package format (2025-09, "Invocation"), testlib's
//! or that of CMS.

use std::borrow::Cow;
use std::error::Error;
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::feedback::{Feedback, text};
use super::{Breach, Decision, PrintedStreams, Question, Response, cms, decide, dmoj, sanitizer, testlib};
use crate::compile::Artifact;
use crate::limits::JudgeLimits;
use crate::problem::{Protocol, named};
use crate::sandbox::{
    AttemptError, Exit, Kill, Outcome, Place, Request, Sandbox, SandboxError, Side, Sink, Workdir, once_more,
};
use crate::signal::signal_name;

/// The most bytes of a judge message that are kept.
const MESSAGE_CAP: usize = 4 * 1024;

/// The input in the box of a validator of CMS. task-maker calls it so.
const CMS_INPUT: &str = "tm_validation_file";

/// The file in the box into which a validator writes the bounds that an input reaches.
const BOUNDS_LOG: &str = "bounds.log";

/// The most bytes of that file that are kept.
const BOUNDS_CAP: u64 = 64 * 1024;

/// The answer of an output validator.
#[derive(Debug, Clone, PartialEq)]
pub struct ValidatorAnswer {
    /// Accept or reject.
    pub decision: Decision,
    /// Its messages and points.
    pub feedback: Feedback,
    /// The first line of its message in this pass.
    pub reason: Option<String>,
}

/// The files about which an output validator is asked: one pass of a case.
#[derive(Debug, Clone, Copy)]
pub struct Pass<'a> {
    /// The input of the submission.
    pub input: &'a Path,
    /// The answer of the case.
    pub answer: &'a Path,
    /// A directory with the feedback files of earlier passes.
    pub feedback: Option<&'a Path>,
    /// Whether what the output validator prints is kept, because it is the input of the next pass.
    pub keeps_printed: bool,
}

impl<'a> Pass<'a> {
    /// The first pass, which is the only one in most problems.
    pub fn first(input: &'a Path, answer: &'a Path) -> Self {
        Self { input, answer, feedback: None, keeps_printed: false }
    }
}

/// Why a validator gave no answer. It is a judge error, never a verdict.
#[derive(Debug, thiserror::Error)]
pub enum ValidatorError {
    /// It broke the protocol or its limits.
    #[error("{name}: {message}{}", quoted(.said))]
    Broken {
        /// The validator.
        name: String,
        /// The breach.
        message: String,
        /// The beginning of its output.
        said: String,
    },
    /// A sanitizer ended it.
    #[error("{name}: {report}")]
    Sanitized {
        /// The validator.
        name: String,
        /// The report in one sentence.
        report: String,
    },
    /// It exceeded its time limit.
    #[error("{name}: {message}{}", quoted(.said))]
    Overdue {
        /// The validator.
        name: String,
        /// The limit.
        message: String,
        /// The beginning of its output.
        said: String,
    },
    /// It did not run, because it exceeded its time limit before.
    #[error("{name}: not run again, because it exceeded its time limit on {on}")]
    GivenUp {
        /// The validator.
        name: String,
        /// The first file on which it exceeded the limit.
        on: String,
    },
    /// A signal ended it that the grader did not send.
    #[error(
        "{name}: ended by {} in both runs; is the machine short of memory?",
        signal_name(*.signal)
    )]
    Killed {
        /// The validator.
        name: String,
        /// SIGKILL or SIGTERM.
        signal: i32,
    },
    /// The run was cancelled while the validator was running.
    #[error("cancelled")]
    Cancelled,
    /// It could not run.
    #[error("{0}")]
    Sandbox(#[from] SandboxError),
    /// A file could not be read or created.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
}

impl AttemptError for ValidatorError {
    fn is_from_outside(&self) -> bool {
        match self {
            Self::Killed { .. } => true,
            Self::Sandbox(error) => error.is_from_outside(),
            _ => false,
        }
    }
}

/// Calls `ask`, and calls it again if something from outside ended the validator.
pub fn persistently<T>(ask: impl FnMut() -> Result<T, ValidatorError>) -> Result<T, ValidatorError> {
    once_more(ask, |_| false)
}

/// Decides whether a validator may still run. An implementation may give up a validator that does not answer in time.
pub trait Patience {
    /// Returns an error with the reason if the validator must not run any more.
    fn allows(&self, validator: &Validator<'_>) -> Result<(), ValidatorError>;

    /// Records the result of asking the validator about a file.
    fn learns(&self, validator: &Validator<'_>, about: &Path, result: Result<(), &ValidatorError>);
}

fn quoted(said: &str) -> String {
    if said.trim().is_empty() { String::new() } else { format!("; it printed: {}", said.trim()) }
}

/// A validator that is ready to run.
#[derive(Debug, Clone)]
pub struct Validator<'a> {
    /// Its name for messages.
    pub name: Cow<'a, str>,
    /// The program.
    pub artifact: &'a Artifact,
    /// Its arguments after those of the protocol.
    pub arguments: &'a [String],
    /// Files for the working directory of an input validator: each name there, with its source.
    pub files: &'a [(PathBuf, PathBuf)],
    /// Its own limits.
    pub limits: JudgeLimits,
    /// Whether what it prints when it gives no answer is a sentence that says why.
    pub says_why: bool,
}

impl Validator<'_> {
    /// Calls `ask` about a file, unless the validator was given up.
    pub(super) fn asked<T>(
        &self,
        patience: &dyn Patience,
        about: &Path,
        ask: impl FnOnce() -> Result<T, ValidatorError>,
    ) -> Result<T, ValidatorError> {
        patience.allows(self)?;
        let said = ask();
        patience.learns(self, about, said.as_ref().map(drop));
        said
    }

    /// Runs the validator on a finished output: `validator input answer feedback_dir/ [arguments] < output`. A checker of
    /// testlib, CMS or DMOJ finds the output in the file with which it was prepared.
    pub fn check_output(
        &self,
        prepared: &PreparedValidator,
        output: File,
        sandbox: &mut dyn Sandbox,
    ) -> Result<ValidatorAnswer, ValidatorError> {
        let stdin = match self.artifact.protocol {
            Protocol::Icpc | Protocol::Checktestdata => output,
            Protocol::Testlib(_) | Protocol::Cms | Protocol::Dmoj(_) => {
                let nothing = Path::new("/dev/null");
                File::open(nothing).map_err(|source| io_error(nothing, source))?
            }
        };
        self.ask(prepared, stdin, sandbox)
    }

    /// Runs a prepared validator with a file as standard input.
    pub(super) fn ask(
        &self,
        prepared: &PreparedValidator,
        input: File,
        sandbox: &mut dyn Sandbox,
    ) -> Result<ValidatorAnswer, ValidatorError> {
        let mut said = ValidatorStreams { printed: prepared.printed.as_ref(), ..ValidatorStreams::default() };
        let outcome = sandbox.run(Side::Interactor, &prepared.request, input, &mut said)?;
        self.undisturbed(&outcome)?;
        if let Some(source) = said.unwritten {
            return Err(ValidatorError::Io { path: "the input of the next run".to_owned(), source });
        }
        let decision = self.decision(&outcome, said.printed());
        let decision = decision.map_err(|broken| self.failed(&outcome, broken, &said.bytes))?;
        let (feedback, reason) = self.heard(prepared, &outcome, &said.bytes, said.printed());
        Ok(ValidatorAnswer { decision, feedback, reason })
    }

    /// Returns its messages and points, and the first line of its message in this pass. `said` is all that it printed.
    pub(super) fn heard(
        &self,
        prepared: &PreparedValidator,
        outcome: &Outcome,
        said: &[u8],
        printed: PrintedStreams<'_>,
    ) -> (Feedback, Option<String>) {
        let code = match outcome.exit {
            Exit::Code(code) => Some(code),
            Exit::Signal(_) => None,
        };
        match self.artifact.protocol {
            Protocol::Icpc | Protocol::Checktestdata => (prepared.feedback(said), prepared.reason(said)),
            Protocol::Testlib(unit) => (testlib::feedback(unit, code, printed.stderr), testlib::reason(printed.stderr)),
            Protocol::Cms => (cms::feedback(printed.stdout, printed.stderr), cms::reason(printed.stderr)),
            Protocol::Dmoj(_) => (dmoj::feedback(code, printed), dmoj::reason(printed)),
        }
    }

    /// Prepares the box and the request of an output validator, or of an interactor if `output` is none. It gets copies
    /// of the files, so it may change them.
    pub fn prepare(
        &self,
        pass: &Pass<'_>,
        output: Option<&File>,
        sandbox: &mut dyn Sandbox,
    ) -> Result<PreparedValidator, ValidatorError> {
        match self.artifact.protocol {
            Protocol::Icpc | Protocol::Checktestdata => self.prepare_icpc(pass, sandbox),
            Protocol::Testlib(_) | Protocol::Cms | Protocol::Dmoj(_) => self.prepare_files(pass, output, sandbox),
        }
    }

    /// `checker [arguments] input output answer`, or `interactor input tout answer`; for CMS, `checker [arguments] input answer
    /// output`; for DMOJ, `interactor input answer`. An interactor has no options.
    fn prepare_files(
        &self,
        pass: &Pass<'_>,
        output: Option<&File>,
        sandbox: &mut dyn Sandbox,
    ) -> Result<PreparedValidator, ValidatorError> {
        if output.is_none() && self.artifact.protocol == Protocol::Cms {
            let message = "CMS has no interactors: set another `validator_protocol`";
            return Err(self.broken(message.to_owned(), b""));
        }
        let workdir = sandbox.fresh_box(Side::Interactor, &self.artifact.sight)?;
        for (name, file) in [("input", pass.input), ("answer", pass.answer)] {
            workdir.put(Path::new(name), file).map_err(|source| io_error(file, source))?;
        }
        let options = output.map(|_| self.arguments).unwrap_or_default();
        let second = if output.is_some() { "output" } else { TOUT };
        if let Some(output) = output {
            let put = output.try_clone().and_then(|output| workdir.put_from(Path::new(second), output));
            put.map_err(|source| io_error(Path::new("the output"), source))?;
        }
        workdir.make_dir(Path::new(FEEDBACK)).map_err(|source| io_error(Path::new(FEEDBACK), source))?;
        let order: &[&str] = match self.artifact.protocol {
            Protocol::Cms => &["input", "answer", second],
            Protocol::Dmoj(_) if output.is_none() => &["input", "answer"],
            _ => &["input", second, "answer"],
        };
        let files = order.iter().map(|name| OsString::from(workdir.path().join(name)));
        let options = options.iter().map(OsString::from);
        let argv = self.artifact.argv.iter().cloned().chain(options).chain(files).collect();
        let request = self.request(argv, &workdir);
        let printed = pass.keeps_printed.then(tempfile::tempfile).transpose();
        let printed = printed.map_err(|source| io_error(Path::new("the input of the next run"), source))?;
        Ok(PreparedValidator { request, workdir, directory: FEEDBACK.into(), earlier: 0, printed })
    }

    fn prepare_icpc(&self, pass: &Pass<'_>, sandbox: &mut dyn Sandbox) -> Result<PreparedValidator, ValidatorError> {
        let workdir = sandbox.fresh_box(Side::Interactor, &self.artifact.sight)?;
        let mut argv = self.artifact.argv.clone();
        for (name, file) in [("input", pass.input), ("answer", pass.answer)] {
            workdir.put(Path::new(name), file).map_err(|source| io_error(file, source))?;
            argv.push(workdir.path().join(name).into());
        }
        workdir.make_dir(Path::new(FEEDBACK)).map_err(|source| io_error(Path::new(FEEDBACK), source))?;
        if let Some(before) = pass.feedback {
            put_all(&workdir, before).map_err(|source| io_error(before, source))?;
        }
        // Without a plain message file, nothing in the message comes from earlier passes.
        let message = pass.feedback.and_then(|before| before.join(MESSAGE).metadata().ok());
        argv.push(as_argument(&workdir, Path::new(FEEDBACK)));
        argv.extend(self.arguments.iter().map(OsString::from));
        let earlier = message.map_or(0, |found| found.len());
        let request = self.request(argv, &workdir);
        Ok(PreparedValidator { request, workdir, directory: FEEDBACK.into(), earlier, printed: None })
    }

    /// Runs the validator on an input: `validator [arguments] < input`, by the protocol of CMS `validator input [arguments]`. Its protocol says which exit codes accept and
    /// reject; the printed text explains a rejection. By the ICPC format other exits also reject, but a crash is more
    /// likely the validator's own fault, so it is reported as a fault.
    pub fn check_input(&self, input: &Path, sandbox: &mut dyn Sandbox) -> Result<Response, ValidatorError> {
        let workdir = sandbox.fresh_box(Side::Interactor, &self.artifact.sight)?;
        let files = self.artifact.companions().chain(self.files.iter().cloned());
        workdir.furnish(files).map_err(|source| io_error(input, source))?;
        let arguments = self.arguments.iter().map(OsString::from);
        if self.artifact.protocol != Protocol::Cms {
            return self.check_file(arguments, input, &workdir, sandbox);
        }
        workdir.put(Path::new(CMS_INPUT), input).map_err(|source| io_error(input, source))?;
        let path = OsString::from(workdir.path().join(CMS_INPUT));
        self.check_file(std::iter::once(path).chain(arguments), input, &workdir, sandbox)
    }

    /// Runs the validator on an input like [`Self::check_input`], with `option` and the name of a file, and returns what
    /// it wrote into that file. None if it does not accept the input, fails, or writes nothing: this run decides nothing
    /// about the input, since a validator may dislike options that it does not know.
    pub fn log_of_input(
        &self,
        option: &str,
        input: &Path,
        sandbox: &mut dyn Sandbox,
    ) -> Result<Option<String>, ValidatorError> {
        let workdir = sandbox.fresh_box(Side::Interactor, &self.artifact.sight)?;
        let files = self.artifact.companions().chain(self.files.iter().cloned());
        workdir.furnish(files).map_err(|source| io_error(input, source))?;
        let log = OsString::from(workdir.path().join(BOUNDS_LOG));
        let arguments = self.arguments.iter().map(OsString::from).chain([option.into(), log]);
        match self.check_file(arguments, input, &workdir, sandbox) {
            Ok(Response::Accepts) => {}
            Ok(Response::Rejects(_))
            | Err(ValidatorError::Broken { .. } | ValidatorError::Sanitized { .. } | ValidatorError::Overdue { .. }) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        }
        // Anything but a regular file is not a log.
        let written = workdir.read(Path::new(BOUNDS_LOG), BOUNDS_CAP).unwrap_or_default();
        Ok(written.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Runs the validator on an answer as BAPCtools does: `validator input [arguments] < answer`. The exit codes are
    /// those of [`Self::check_input`]. A grammar reads the answer alone.
    pub fn check_answer(
        &self,
        input: &Path,
        answer: &Path,
        sandbox: &mut dyn Sandbox,
    ) -> Result<Response, ValidatorError> {
        let workdir = sandbox.fresh_box(Side::Interactor, &self.artifact.sight)?;
        let name = Path::new("input");
        let companions = self.artifact.companions().filter(|(own, _)| !own.starts_with(name));
        workdir.furnish(companions).map_err(|source| io_error(answer, source))?;
        workdir.put(name, input).map_err(|source| io_error(input, source))?;
        let path =
            (self.artifact.protocol != Protocol::Checktestdata).then(|| OsString::from(workdir.path().join(name)));
        let arguments = path.into_iter().chain(self.arguments.iter().map(OsString::from));
        self.check_file(arguments, answer, &workdir, sandbox)
    }

    /// Runs the validator with arguments and a file as standard input.
    fn check_file(
        &self,
        arguments: impl Iterator<Item = OsString>,
        file: &Path,
        workdir: &Workdir,
        sandbox: &mut dyn Sandbox,
    ) -> Result<Response, ValidatorError> {
        let request = self.request(self.artifact.argv.iter().cloned().chain(arguments).collect(), workdir);
        let stdin = File::open(file).map_err(|source| io_error(file, source))?;
        let mut said = ValidatorStreams::default();
        let outcome = sandbox.run(Side::Interactor, &request, stdin, &mut said)?;
        self.undisturbed(&outcome)?;
        match decide(&outcome, &self.limits, self.artifact.protocol, Question::TestData, said.printed()) {
            Ok(Decision::Accept) => Ok(Response::Accepts),
            Ok(Decision::Reject) => Ok(Response::Rejects(match self.artifact.protocol {
                Protocol::Icpc | Protocol::Checktestdata | Protocol::Cms | Protocol::Dmoj(_) => text(&said.bytes),
                Protocol::Testlib(_) => testlib::comment(&said.stderr) + carriage_return_note(file),
            })),
            Err(broken) => Err(self.failed(&outcome, broken, &said.bytes)),
        }
    }

    /// Its decision about a submission, by its exit.
    pub(super) fn decision(&self, outcome: &Outcome, printed: PrintedStreams<'_>) -> Result<Decision, Breach> {
        decide(outcome, &self.limits, self.artifact.protocol, Question::Submission, printed)
    }

    pub(super) fn request(&self, argv: Vec<OsString>, workdir: &Workdir) -> Request {
        let mut env = self.artifact.env.clone();
        env.push(("HOME".into(), workdir.path().into()));
        let mut limits = self.limits.kill;
        limits.processes = limits.processes.max(self.artifact.processes);
        Request { argv, env, place: Place::Box(self.artifact.sight.clone()), limits, core: None }
    }

    /// Returns an error if the run was cancelled, or ended by a signal from outside.
    pub(super) fn undisturbed(&self, outcome: &Outcome) -> Result<(), ValidatorError> {
        if outcome.killed == Some(Kill::Cancelled) {
            return Err(ValidatorError::Cancelled);
        }
        match outcome.outside_signal() {
            Some(signal) => Err(ValidatorError::Killed { name: self.name.clone().into_owned(), signal }),
            None => Ok(()),
        }
    }

    /// Creates the error of a validator that broke the protocol or its limits.
    pub(super) fn failed(&self, outcome: &Outcome, breach: impl Error, said: &[u8]) -> ValidatorError {
        if let Some(report) = sanitizer::report(self.artifact.sanitized.as_deref(), outcome, said) {
            return ValidatorError::Sanitized { name: self.name.clone().into_owned(), report };
        }
        let said = &said[..said.len().min(MESSAGE_CAP)];
        let broken = match text(said).trim() {
            words if self.says_why && outcome.exit == Exit::Code(1) && !words.is_empty() => {
                self.broken(words.to_owned(), b"")
            }
            _ => self.broken(breach.to_string(), said),
        };
        match (outcome.killed, broken) {
            (Some(Kill::Cpu | Kill::Wall), ValidatorError::Broken { name, message, said }) => {
                ValidatorError::Overdue { name, message, said }
            }
            (_, error) => error,
        }
    }

    /// Creates the error of a validator that broke the protocol.
    pub fn broken(&self, message: String, said: &[u8]) -> ValidatorError {
        let said = text(&said[..said.len().min(MESSAGE_CAP)]);
        ValidatorError::Broken { name: self.name.clone().into_owned(), message, said }
    }
}

/// Returns the path of a feedback directory as an argument of a validator, with a separator at its end.
pub(super) fn as_argument(workdir: &Workdir, directory: &Path) -> OsString {
    let mut path = OsString::from(workdir.path().join(directory));
    path.push("/");
    path
}

/// Copies the files of earlier passes back into the feedback directory.
fn put_all(workdir: &Workdir, before: &Path) -> std::io::Result<()> {
    for entry in walkdir::WalkDir::new(before).min_depth(1) {
        let entry = entry?;
        let name = Path::new(FEEDBACK).join(entry.path().strip_prefix(before).map_err(std::io::Error::other)?);
        if entry.file_type().is_dir() {
            workdir.make_dir(&name)?;
        } else {
            workdir.put(&name, entry.path())?;
        }
    }
    Ok(())
}

/// The file that an interactor of testlib writes for the checker, in its box.
const TOUT: &str = "tout";

/// The feedback directory of a validator, below its box.
pub(super) const FEEDBACK: &str = "feedback";

/// The file with the message for the judges.
const MESSAGE: &str = "judgemessage.txt";

/// A validator with its box and request, ready for one run.
pub struct PreparedValidator {
    /// How to run it.
    pub request: Request,
    pub(super) workdir: Workdir,
    /// Its feedback directory, below its box.
    pub(super) directory: PathBuf,
    /// The size in bytes of the message for the judges from earlier passes.
    pub(super) earlier: u64,
    /// The file for what it prints, if that is kept.
    pub(super) printed: Option<File>,
}

impl PreparedValidator {
    /// Reads the messages and points in the validator's directory. An empty message is replaced by the printed text
    /// `said`.
    pub fn feedback(&self, said: &[u8]) -> Feedback {
        // Messages decide nothing, so an unreadable message counts as none.
        let words = |name| self.written(name).unwrap_or_default();
        let written = words(MESSAGE).filter(|bytes| !bytes.is_empty());
        // If the whole message is too long, the part from this pass explains why this pass was the last.
        let newest = || self.newest().filter(|bytes| self.earlier > 0 && !bytes.is_empty());
        let written = written.map(|bytes| if bytes.len() < MESSAGE_CAP { bytes } else { newest().unwrap_or(bytes) });
        let mut unreadable = None;
        let mut number = |name| {
            let read = self.written(name).map(|bytes| bytes.map(|bytes| text(&bytes)));
            read.unwrap_or_else(|error| {
                unreadable = Some(format!("{name} in its feedback directory cannot be read: {error}"));
                None
            })
        };
        Feedback {
            score: number("score.txt"),
            multiplier: number("score_multiplier.txt"),
            unreadable,
            gives_points: false,
            message: not_blank(text(written.as_deref().unwrap_or(said))),
            team_message: words("teammessage.txt").and_then(|bytes| not_blank(text(&bytes))),
        }
    }

    /// The first line of this pass's message, or else of the printed text.
    pub fn reason(&self, said: &[u8]) -> Option<String> {
        let newest = self.newest().and_then(|bytes| not_blank(text(&bytes)));
        let words = newest.or_else(|| not_blank(text(said)))?;
        words.lines().find(|line| !line.trim().is_empty()).map(str::to_owned)
    }

    /// Takes the file that an interactor of testlib wrote for the checker: at most `cap` bytes, empty if it wrote none.
    ///
    /// # Errors
    /// It is not a regular file, or it is larger.
    pub(super) fn tout(&self, cap: u64) -> std::io::Result<File> {
        let mut kept = tempfile::tempfile()?;
        if let Some(written) = self.workdir.open(Path::new(TOUT))? {
            if written.metadata()?.len() > cap {
                return Err(std::io::ErrorKind::FileTooLarge.into());
            }
            std::io::copy(&mut written.take(cap), &mut kept)?;
        }
        kept.rewind()?;
        Ok(kept)
    }

    /// Its output, from the beginning; empty if that was not kept.
    pub(super) fn printed(&self) -> std::io::Result<File> {
        let mut kept = match &self.printed {
            Some(file) => file.try_clone()?,
            None => tempfile::tempfile()?,
        };
        kept.rewind()?;
        Ok(kept)
    }

    /// Returns the part of its message that this pass added, or the whole message if the pass wrote it anew. Returns
    /// none if the message cannot be read: messages decide nothing.
    fn newest(&self) -> Option<Vec<u8>> {
        let mut file = self.workdir.open(&self.directory.join(MESSAGE)).ok()??;
        if file.metadata().ok()?.len() >= self.earlier {
            file.seek(SeekFrom::Start(self.earlier)).ok()?;
        }
        // Messages decide nothing, so an unreadable message counts as none.
        let mut bytes = Vec::new();
        file.take(MESSAGE_CAP as u64).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Returns the beginning of a file in the feedback directory; none if the file is missing. Anything but a plain
    /// file is an error.
    fn written(&self, name: &str) -> std::io::Result<Option<Vec<u8>>> {
        self.workdir.read(&self.directory.join(name), MESSAGE_CAP as u64)
    }
}

fn not_blank(message: String) -> Option<String> {
    (!message.trim().is_empty()).then_some(message)
}

/// The bytes of an input in which line ends are searched.
const LINE_ENDS: u64 = 64 << 10;

/// A note if the line ends of a rejected input may be the reason. testlib expects those of the system.
fn carriage_return_note(input: &Path) -> &'static str {
    let mut beginning = Vec::new();
    // The input was just read. If it is gone, there is nothing to note.
    let _ = File::open(input).and_then(|file| file.take(LINE_ENDS).read_to_end(&mut beginning));
    let has_windows_line = beginning.windows(2).any(|pair| pair == b"\r\n");
    if has_windows_line { "; the input has line ends of Windows (CR LF), and testlib accepts LF alone" } else { "" }
}

pub(super) fn io_error(path: &Path, source: std::io::Error) -> ValidatorError {
    ValidatorError::Io { path: named(path).to_string(), source }
}

/// Both streams of a validator together, and each alone, all bounded.
#[derive(Default)]
pub(super) struct ValidatorStreams<'a> {
    pub(super) bytes: Vec<u8>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    /// The file for all of its standard output, if that is kept. The sandbox bounds it.
    printed: Option<&'a File>,
    /// Why the file could not be written.
    unwritten: Option<std::io::Error>,
}

impl ValidatorStreams<'_> {
    fn printed(&self) -> PrintedStreams<'_> {
        PrintedStreams { stdout: &self.stdout, stderr: &self.stderr }
    }
}

/// Adds as much of the bytes as a message may have.
fn keep(kept: &mut Vec<u8>, bytes: &[u8]) {
    let room = MESSAGE_CAP.saturating_sub(kept.len());
    kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

impl Sink for ValidatorStreams<'_> {
    fn stdout(&mut self, bytes: &[u8]) {
        if let Some(mut file) = self.printed {
            self.unwritten = file.write_all(bytes).err().or(self.unwritten.take());
        }
        keep(&mut self.stdout, bytes);
        keep(&mut self.bytes, bytes);
    }

    fn stderr(&mut self, bytes: &[u8]) {
        keep(&mut self.stderr, bytes);
        keep(&mut self.bytes, bytes);
    }
}
