//! Runs submissions on test cases and judges them: by the built-in checker, by output validators, or by an interactor.
//! `multi_pass` handles problems with several passes, and `two_runs` those of Polygon with two runs.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::File;
use std::io::Seek as _;
use std::path::{Path, PathBuf};

use super::case::Case;
use super::checker::{compare_file, judge_comparison};
use super::interact::{FinishedConversation, Transcript, talk, why_still};
use super::judged::{Assessment, JudgedExecution, Stdout, Streams, not_run};
use super::other_judges::{of_interaction, opinions, rejected_later};
use super::sanitizer;
use super::sinks::{Compare, STDERR_CAP, Spool};
use super::validator::{Pass, Patience, PreparedValidator, Validator, ValidatorAnswer, ValidatorError, persistently};
use super::{Decision, Fault, JudgeError, PrintedStreams, Rejection, rejection_by_facts};
use crate::compile::Artifact;
use crate::limits::JudgeLimits;
use crate::problem::{ProblemKind, WorkFiles, named};
use crate::reason::Reason;
use crate::ruleset::Ruleset;
use crate::sandbox::{Kill, Outcome, Place, Request, Sandbox, Side, Workdir, once_more};
use crate::verdict::Verdict;

/// The standard input of a program that reads its input from a file.
const EMPTY: &str = "/dev/null";

/// One execution whose output is kept.
pub struct Execution {
    /// The facts.
    pub outcome: Outcome,
    /// The failure of the execution; none if the program ended well and within its limits.
    pub rejection: Option<Rejection>,
    /// Standard output, positioned at its beginning.
    pub output: File,
    /// Standard error, at most 64 KiB.
    pub stderr: Vec<u8>,
    /// The working directory of the program, valid until the next program runs on this slot.
    pub workdir: Workdir,
}

impl Execution {
    /// The most bytes of standard error that are kept.
    pub const MOST_STDERR: usize = STDERR_CAP;

    /// Returns the execution unless it was cancelled: then its output means nothing.
    pub fn unless_cancelled(self) -> Result<Self, Fault> {
        if self.outcome.killed == Some(Kill::Cancelled) { Err(Fault::Cancelled) } else { Ok(self) }
    }
}

/// Runs programs on one slot and judges their outputs, one at a time (blocking).
pub struct Runner<'a> {
    /// The sandbox in which programs run.
    pub sandbox: &'a mut dyn Sandbox,
    /// The logical CPU for submissions; none means any.
    pub core: Option<usize>,
    /// Decides which validators may still run.
    pub patience: Box<dyn Patience + 'a>,
}

impl Runner<'_> {
    /// Asks a validator about a file, unless it was given up. Asks again if something from outside ended it.
    pub fn ask<T>(
        &mut self,
        validator: &Validator<'_>,
        about: &Path,
        mut ask: impl FnMut(&mut dyn Sandbox) -> Result<T, ValidatorError>,
    ) -> Result<T, ValidatorError> {
        validator.asked(&*self.patience, about, || persistently(|| ask(&mut *self.sandbox)))
    }

    /// Runs a program with extra arguments on an input, from the beginning of the file, and keeps its output. An error
    /// is a judge error.
    pub fn execute(
        &mut self,
        artifact: &Artifact,
        args: &[OsString],
        work: &WorkFiles,
        limits: &JudgeLimits,
        input: &File,
    ) -> Result<Execution, JudgeError> {
        let mut limits = *limits;
        limits.kill.processes = limits.kill.processes.max(artifact.processes);
        limits.kill.memory.0 += artifact.memory_beside.0;
        let run = || {
            let workdir = self.box_for(artifact, work)?;
            let mut env = artifact.env.clone();
            env.push(("HOME".into(), workdir.path().into()));
            let place = Place::Box(artifact.sight.clone().starting_in(&work.directory));
            let request = Request {
                argv: artifact.argv.iter().chain(args).cloned().collect(),
                env,
                place,
                limits: limits.kill,
                core: self.core,
            };
            let stdin = if work.no_stdin { File::open(EMPTY) } else { from_start(input) };
            let stdin = stdin.map_err(|error| JudgeError::other(format!("cannot read an input: {error}")))?;
            let (outcome, output, stderr) = self.spooled((&request, Some(&workdir)), work, stdin)?;
            let by_sanitizer = sanitizer::report(artifact.sanitized.as_deref(), &outcome, &stderr)
                .map(|report| (Verdict::RunTimeError, Reason::Sanitizer(report)));
            Ok(Execution {
                rejection: by_sanitizer.or_else(|| rejection_by_facts(&outcome, &limits, Ruleset::default())),
                outcome,
                output,
                stderr,
                workdir,
            })
        };
        once_more(run, |printed| printed.outcome.outside_signal().is_some())
    }

    /// Runs a program on a case and judges it. `validators` are the problem's output validators. An error is a judge
    /// error.
    pub fn judge(
        &mut self,
        case: &Case,
        artifact: &Artifact,
        validators: &[&Artifact],
    ) -> Result<JudgedExecution, Fault> {
        let kind = case.problem.kind;
        match (kind, validators) {
            (ProblemKind::SubmitAnswer, _) => {
                Err(Fault::other("submissions of this problem are answers, not programs"))
            }
            (_, [_, ..]) if kind.is_multi_pass() => self.pass_by_pass(case, artifact, validators),
            (_, [judge, checkers @ ..]) if kind.is_interactive() => {
                if !checkers.is_empty() && case.problem.interactor.is_none() {
                    return Err(needs_one(kind));
                }
                let pass = Pass::first(&case.input, case.answer());
                let ran = self.pass(case, &pass, artifact, judge, Transcript::default())?;
                let ran = self.check_tout(case, &pass, ran, checkers)?;
                Ok(ran.judged.with_feedback(case, ran.validator.as_ref()))
            }
            (_, []) if kind.is_led_by_validator() => {
                Err(Fault::other(format!("a problem of type {} needs an output validator", kind.name())))
            }
            (_, validators) if validators.is_empty() || case.is_only_shown() => {
                let run = || self.compared(case, artifact);
                Ok(once_more(run, |judged| judged.outcome.outside_signal().is_some())?.under_sanitizers(case))
            }
            (_, validators) => {
                let pass = Pass::first(&case.input, case.answer());
                let (judged, asked) = self.validated(case, &pass, artifact, validators)?;
                Ok(judged.under_sanitizers(case).with_feedback(case, asked.as_ref()))
            }
        }
    }

    /// Runs one pass with an output validator, which may be the only pass.
    pub(super) fn pass(
        &mut self,
        case: &Case,
        pass: &Pass<'_>,
        artifact: &Artifact,
        judge: &Artifact,
        transcript: Transcript,
    ) -> Result<FinishedPass, Fault> {
        if case.problem.kind.is_interactive() {
            return self.conversation(case, pass, artifact, judge, &transcript);
        }
        let (judged, validator) = self.validated(case, pass, artifact, &[judge])?;
        Ok(FinishedPass { judged: judged.under_sanitizers(case), validator, transcript, workdir: None })
    }

    /// Runs one pass with an interactor.
    pub(super) fn conversation(
        &mut self,
        case: &Case,
        pass: &Pass<'_>,
        artifact: &Artifact,
        judge: &Artifact,
        transcript: &Transcript,
    ) -> Result<FinishedPass, Fault> {
        let ran = self.interactive(case, pass, artifact, judge, transcript)?;
        Ok(FinishedPass { judged: ran.judged.under_sanitizers(case), ..ran })
    }

    /// Lets a program talk to the interactor, and returns the file that the interactor writes for the checker (`tout`), or
    /// the reason for which the program fails.
    ///
    /// # Errors
    /// The interactor fails, or the run was cancelled.
    pub fn tout(
        &mut self,
        case: &Case,
        artifact: &Artifact,
        interactor: &Artifact,
    ) -> Result<Result<File, Rejection>, Fault> {
        let pass = Pass::first(&case.input, case.answer());
        let ran = self.interactive(case, &pass, artifact, interactor, &Transcript::default())?;
        let judged = ran.judged.unless_cancelled()?;
        match (judged.assessment.rejection, ran.validator) {
            (Some(rejection), _) => Ok(Err(rejection)),
            (None, Some(prepared)) => tout_of(&prepared, case).map(Ok),
            (None, None) => Err(Fault::other("the interactor did not run")),
        }
    }

    /// Lets a program talk to the interactor. Returns why it fails, if it does, and its working directory, which is valid
    /// until the next program runs on this slot.
    ///
    /// # Errors
    /// The interactor fails, or the run was cancelled.
    pub fn workdir_after_talk(
        &mut self,
        case: &Case,
        artifact: &Artifact,
        interactor: &Artifact,
    ) -> Result<(Option<Rejection>, Workdir), Fault> {
        let pass = Pass::first(&case.input, case.answer());
        let ran = self.interactive(case, &pass, artifact, interactor, &Transcript::default())?;
        let judged = ran.judged.unless_cancelled()?;
        let workdir = ran.workdir.ok_or_else(|| Fault::other("a command has no directory of its own"))?;
        Ok((judged.assessment.rejection, workdir))
    }

    /// Judges a submitted output: no program runs, and its file is not kept among the results. An output above the
    /// limit is OLE, as if a program had printed it. An error is a judge error.
    pub fn judge_output(
        &mut self,
        case: &Case,
        output: File,
        validators: &[&Artifact],
    ) -> Result<JudgedExecution, Fault> {
        let unreadable = |error: std::io::Error| JudgeError::other(format!("cannot read an output: {error}"));
        let size = output.metadata().map_err(unreadable)?.len();
        let outcome = not_run(size);
        if validators.is_empty() {
            return Ok(compare_file(case, outcome, output, Vec::new())?);
        }
        if let Some(rejection) = case.rejection_by_facts(&outcome) {
            let streams = Streams::new(Stdout::File(output), Vec::new());
            let others = opinions(case, &outcome, |_| None);
            return Ok(JudgedExecution {
                outcome,
                assessment: Assessment { others, ..Assessment::rejected(rejection) },
                streams,
            });
        }
        let pass = Pass::first(&case.input, case.answer());
        let (judged, asked) = self.assess(case, &pass, outcome, (output, Vec::new()), validators)?;
        Ok(judged.with_feedback(case, asked.as_ref()))
    }

    /// Creates a box with the files for a program. Files of the case take precedence over the program's own.
    fn box_for(
        &mut self,
        artifact: &Artifact,
        WorkFiles { files, directory, .. }: &WorkFiles,
    ) -> Result<Workdir, JudgeError> {
        let workdir = self.sandbox.fresh_box(Side::Submission, &artifact.sight)?;
        let over = |name: &Path| files.iter().any(|(file, _)| file.starts_with(name) || name.starts_with(file));
        let own = artifact.companions().filter(|(name, _)| !over(name));
        let all = own.chain(files.iter().cloned());
        workdir
            .furnish(all)
            .and_then(|()| workdir.make_dir(directory))
            .map_err(|error| JudgeError::other(format!("cannot copy a file for the program: {error}")))?;
        Ok(workdir)
    }

    /// Makes the request for a pass with this input, and the box in which the program runs. A command has no box.
    fn request(
        &mut self,
        case: &Case,
        input: &Path,
        artifact: &Artifact,
    ) -> Result<(Request, Option<Workdir>), JudgeError> {
        let mut env = artifact.env.clone();
        let (place, workdir) = if let Some(desk) = &artifact.desk {
            // A command uses the files on the author's machine, so the files of a case cannot be provided to it.
            if !case.work.files.is_empty() {
                let message = "the case has its own files, which a command (-c) cannot use";
                return Err(JudgeError::other(message));
            }
            (Place::Host(desk.clone()), None)
        } else {
            let workdir = self.box_for(artifact, &work_in_pass(case, input))?;
            env.push(("HOME".into(), workdir.path().into()));
            (Place::Box(artifact.sight.clone().starting_in(&case.work.directory)), Some(workdir))
        };
        let arguments = case.arguments.submission.iter().map(OsString::from);
        let argv = artifact.argv.iter().cloned().chain(arguments).collect();
        Ok((Request { argv, env, place, limits: case.kill_points(), core: self.core }, workdir))
    }

    /// Runs the program and compares its output with the built-in checker at the same time.
    fn compared(&mut self, case: &Case, artifact: &Artifact) -> Result<JudgedExecution, JudgeError> {
        let (request, workdir) = &self.request(case, &case.input, artifact)?;
        let stdin = stdin_of(&case.work, &case.input)?;
        if case.work.output.is_some() {
            let (outcome, output, stderr) = self.spooled((request, workdir.as_ref()), &case.work, stdin)?;
            return compare_file(case, outcome, output, stderr);
        }
        let mut sink = Compare::new(case)?;
        let outcome = self.sandbox.run(Side::Submission, request, stdin, &mut sink)?;
        let answer = case.answer.as_deref().unwrap_or(&case.input);
        let unreadable = |error: std::io::Error| JudgeError::other(format!("{}: {error}", named(answer)));
        judge_comparison(case, outcome, sink.finish().map_err(unreadable)?)
    }

    /// Runs the program, keeps its output in a file, and asks the output validators.
    pub(super) fn validated(
        &mut self,
        case: &Case,
        pass: &Pass<'_>,
        artifact: &Artifact,
        validators: &[&Artifact],
    ) -> Result<(JudgedExecution, Option<PreparedValidator>), Fault> {
        let run = || {
            let (request, workdir) = self.request(case, pass.input, artifact)?;
            self.spooled((&request, workdir.as_ref()), &case.work, stdin_of(&case.work, pass.input)?)
        };
        let (outcome, output, stderr) = once_more(run, |(outcome, ..)| outcome.outside_signal().is_some())?;
        self.assess(case, pass, outcome, (output, stderr), validators)
    }

    /// Runs a program with a file as standard input. Returns the facts, its output in a file, and its standard error. The
    /// output is the file that it was to write, if it has written it.
    fn spooled(
        &mut self,
        (request, workdir): (&Request, Option<&Workdir>),
        work: &WorkFiles,
        stdin: File,
    ) -> Result<(Outcome, File, Vec<u8>), JudgeError> {
        let mut spool = Spool::new()?;
        let ran = self.sandbox.run(Side::Submission, request, stdin, &mut spool);
        let mut outcome = ran?;
        let (mut output, stderr) = spool.finish()?;
        if let (Some(workdir), Some(name)) = (workdir, work.output_path()) {
            // A directory, a link or a pipe of that name is the program's doing, and no output.
            let written = workdir.open(&name).ok().flatten();
            if let Some((file, found)) = written.and_then(|file| file.metadata().ok().map(|found| (file, found))) {
                outcome.printed.stdout = found.len();
                output = file;
            } else if work.ignores_printed {
                outcome.printed.stdout = 0;
                output = Spool::new()?.finish()?.0;
            }
        }
        Ok((outcome, output, stderr))
    }

    /// Asks all output validators about an output, unless the facts decide. It asks all of them because a broken
    /// validator is a judge error, whatever the others answer.
    fn assess(
        &mut self,
        case: &Case,
        pass: &Pass<'_>,
        mut outcome: Outcome,
        (output, stderr): (File, Vec<u8>),
        validators: &[&Artifact],
    ) -> Result<(JudgedExecution, Option<PreparedValidator>), Fault> {
        let mut asked = None;
        let mut assessment = Assessment { rejection: case.rejection_by_facts(&outcome), ..Assessment::default() };
        // Another judge may allow more time, so the validators may still be needed.
        let decided = assessment.rejection.is_some();
        let undecided = !decided || case.others.iter().any(|terms| terms.rejection_by_facts(&outcome).is_none());
        if !undecided || outcome.killed.is_some() {
            assessment.others = opinions(case, &outcome, |_| None);
            let streams = Streams::new(Stdout::File(output), stderr);
            return Ok((JudgedExecution { outcome, assessment, streams }, None));
        }
        let mut rejects = false;
        // An interactor of its own comes first among the judges of the problem, and does not judge outputs.
        let first = case.problem.output_judges().count().saturating_sub(validators.len());
        for (number, judge) in (first..).zip(validators) {
            let validator = case.validator(number, judge);
            match self.check_output(&validator, pass, &output) {
                Ok((prepared, checked)) => {
                    rejects |= checked.decision == Decision::Reject;
                    assessment.others = opinions(case, &outcome, |_| Some(!rejects));
                    if !decided {
                        let added = assessment.add(checked);
                        added.map_err(|error| JudgeError::protocol(format!("{}: {error}", validator.name)))?;
                    }
                    asked = Some(prepared);
                }
                Err(ValidatorError::Cancelled) => {
                    outcome.killed = Some(Kill::Cancelled);
                    break;
                }
                // The validator was asked only on behalf of other judges, and it gave them no answer.
                Err(_) if decided => {
                    assessment.others = opinions(case, &outcome, |_| None);
                    break;
                }
                Err(error) => return Err(error.into()),
            }
        }
        let streams = Streams::new(Stdout::File(output), stderr);
        Ok((JudgedExecution { outcome, assessment, streams }, asked))
    }

    /// Runs an output validator on an output. Returns its directory as the validator left it.
    fn check_output(
        &mut self,
        validator: &Validator<'_>,
        pass: &Pass<'_>,
        output: &File,
    ) -> Result<(PreparedValidator, ValidatorAnswer), ValidatorError> {
        self.ask(validator, pass.input, |sandbox| {
            let unreadable = |source| ValidatorError::Io { path: "the output".to_owned(), source };
            let output = from_start(output).map_err(unreadable)?;
            let prepared = validator.prepare(pass, Some(&output), sandbox)?;
            let checked = validator.check_output(&prepared, output, sandbox)?;
            Ok((prepared, checked))
        })
    }

    /// Asks the output validators about the file that the interactor wrote, unless the conversation was rejected.
    pub(super) fn check_tout(
        &mut self,
        case: &Case,
        pass: &Pass<'_>,
        mut ran: FinishedPass,
        checkers: &[&Artifact],
    ) -> Result<FinishedPass, Fault> {
        let cancelled = ran.judged.outcome.killed == Some(Kill::Cancelled);
        let Some(interactor) = ran.validator.as_ref().filter(|_| !checkers.is_empty() && !cancelled) else {
            return Ok(ran);
        };
        if ran.judged.assessment.rejection.is_some() {
            return Ok(ran);
        }
        let tout = tout_of(interactor, case)?;
        for (number, checker) in (1..).zip(checkers) {
            let validator = case.validator(number, checker);
            let (_, checked) = self.check_output(&validator, pass, &tout)?;
            let added = ran.judged.assessment.add(checked);
            added.map_err(|error| JudgeError::protocol(format!("{}: {error}", validator.name)))?;
        }
        if ran.judged.assessment.rejection.is_some() {
            rejected_later(&mut ran.judged.assessment.others);
        }
        Ok(ran)
    }

    fn interactive(
        &mut self,
        case: &Case,
        pass: &Pass<'_>,
        artifact: &Artifact,
        judge: &Artifact,
        before: &Transcript,
    ) -> Result<FinishedPass, Fault> {
        let validator = case.validator(0, judge);
        let converse = || {
            let (request, workdir) = self.request(case, pass.input, artifact)?;
            let talked = validator.asked(&*self.patience, pass.input, || {
                let prepared = validator.prepare(pass, None, &mut *self.sandbox)?;
                let limits = &case.limits;
                let sandbox = &mut *self.sandbox;
                let talked = talk(&request, limits, case.ruleset, &validator, &prepared, before.clone(), sandbox)?;
                Ok((prepared, talked))
            });
            let (prepared, talked) = talked?;
            Ok::<_, Fault>((prepared, talked, workdir))
        };
        let is_struck = |(_, talked, _): &(PreparedValidator, FinishedConversation, Option<Workdir>)| {
            talked.interaction.submission.outside_signal().is_some()
        };
        let (prepared, talked, workdir) = once_more(converse, is_struck)?;
        let FinishedConversation { interaction, mut rejection, mut feedback, reason: said, standstill, transcript } =
            talked;
        match (&mut rejection, said) {
            (Some((Verdict::WrongAnswer, reason)), Some(said)) => *reason = said.into(),
            // Points from before the submission failed by itself do not count, and are not an error of the interactor.
            (Some((verdict, _)), _) if *verdict != Verdict::WrongAnswer => feedback.take_points(),
            _ => {}
        }
        let others = of_interaction(
            case,
            &interaction,
            &validator
                .decision(&interaction.interactor, PrintedStreams { stdout: &[], stderr: transcript.judge_stderr() }),
        );
        let standstill = standstill.map(|standstill| why_still(standstill, &case.flush));
        let assessment = Assessment { rejection, standstill, feedback, others, ..Assessment::default() };
        let streams = Streams::new(Stdout::Transcript(transcript.to_bytes()), transcript.stderr.clone());
        let judged = JudgedExecution { outcome: interaction.submission, assessment, streams };
        Ok(FinishedPass { judged, validator: Some(prepared), transcript, workdir })
    }
}

impl JudgedExecution {
    /// Keeps what the validator left in its feedback directory, if the case asks for that.
    #[must_use]
    pub(super) fn with_feedback(mut self, case: &Case, asked: Option<&PreparedValidator>) -> Self {
        let keep = |asked: &PreparedValidator| asked.keep_feedback(case.validator_limits.kill.output.0);
        self.streams.feedback = asked.filter(|_| case.keeps_feedback).map(keep);
        self
    }
}

/// One pass that ran.
pub(super) struct FinishedPass {
    pub(super) judged: JudgedExecution,
    /// The output validator after its run, if it ran.
    pub(super) validator: Option<PreparedValidator>,
    /// All messages so far.
    pub(super) transcript: Transcript,
    /// The working directory of a program that talked to an interactor, valid until the next program runs on this slot.
    pub(super) workdir: Option<Workdir>,
}

/// The file that an interactor wrote for the checker.
fn tout_of(interactor: &PreparedValidator, case: &Case) -> Result<File, Fault> {
    let no_tout = |error| JudgeError::protocol(format!("the file that the interactor wrote cannot be read: {error}"));
    Ok(interactor.tout(case.validator_limits.kill.output.0).map_err(no_tout)?)
}

/// The files in the working directory of the submission in a pass: `input` has the name of the case's input.
fn work_in_pass<'a>(case: &'a Case, input: &Path) -> Cow<'a, WorkFiles> {
    if input == case.input {
        return Cow::Borrowed(&case.work);
    }
    let place = |from: &PathBuf| if *from == case.input { input.to_owned() } else { from.clone() };
    let files = case.work.files.iter().map(|(name, from)| (name.clone(), place(from))).collect();
    Cow::Owned(WorkFiles { files, ..case.work.clone() })
}

/// The fault of a problem with too many programs that judge.
pub(super) fn needs_one(kind: ProblemKind) -> Fault {
    Fault::other(format!("a problem of type {} needs one output validator", kind.name()))
}

/// Returns another descriptor of a file, set to its beginning. Both descriptors share one position.
fn from_start(file: &File) -> Result<File, std::io::Error> {
    let mut copy = file.try_clone()?;
    copy.rewind()?;
    Ok(copy)
}

/// The standard input of a program.
fn stdin_of(work: &WorkFiles, input: &Path) -> Result<File, JudgeError> {
    open(if work.no_stdin { Path::new(EMPTY) } else { input })
}

fn open(path: &Path) -> Result<File, JudgeError> {
    File::open(path).map_err(|error| JudgeError::other(format!("{}: {error}", named(path))))
}
