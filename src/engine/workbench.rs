//! One slot with all that is needed to build programs, run them and judge what they print: by hand for one program on
//! one input, and by the workers of a run for each test. Knows no plan. Blocking, one thing at a time.

use std::ffi::OsString;
use std::fs::File;
use std::io::Seek as _;
use std::path::{Path, PathBuf};

use super::asked;
use super::case::Terms;
use super::case::not_run;
pub use super::case::{Case, Findings, Judged, LastPass};
use super::keep::Kept;
use super::keep::Printed as Output;
use super::opinions::{of_interaction, opinions};
use super::sinks::{Compare, Compared, Spool};
pub use super::workshop::Workshop;
use crate::compile::{Artifact, Build, BuildOrder, Compiler, stand_in};
use crate::explain::sentence;
use crate::judge::interact::{Talked, Transcript, talk, why_still};
use crate::judge::sources::Subject;
use crate::judge::validator::{Checked, Pass, Prepared, Validator, ValidatorError, persistently};
use crate::judge::{Decision, Fault, JudgeError, JudgeErrorKind, Response, Ruling, rule_on_facts};
use crate::limits::JudgeLimits;
use crate::problem::grading::Grade;
use crate::problem::{Checker, ProblemKind};
use crate::ruleset::Ruleset;
use crate::sandbox::{ControlGroups, Kill, Outcome, Place, Request, Sandbox, Side, Sink, Workdir, once_more};
use crate::store::Key;
use crate::verdict::Verdict;

/// What a program printed.
pub struct Printed {
    /// The facts.
    pub outcome: Outcome,
    /// What is wrong with them; none: it ended well, within its limits.
    pub ruling: Option<Ruling>,
    /// Standard output, at its beginning.
    pub output: File,
    /// Standard error, at most 64 KiB.
    pub stderr: Vec<u8>,
    /// The directory that it worked in, until the next program runs here.
    pub workdir: Workdir,
}

/// One slot of a workshop.
pub struct Workbench<'a> {
    /// What everything is done with.
    pub workshop: &'a Workshop,
    sandbox: Box<dyn Sandbox>,
    /// Where submissions run.
    core: Option<usize>,
}

impl<'a> Workbench<'a> {
    /// A slot whose submissions run on one logical cpu, or on any.
    pub fn new(workshop: &'a Workshop, sandbox: Box<dyn Sandbox>, core: Option<usize>) -> Self {
        Self { workshop, sandbox, core }
    }

    /// What there was of control groups.
    pub(super) fn control_groups(&self) -> Vec<ControlGroups> {
        self.sandbox.control_groups()
    }

    /// Builds a program.
    pub fn build(&mut self, order: &BuildOrder<'_>) -> Build {
        let workshop = self.workshop;
        let compiler = Compiler {
            languages: &workshop.languages,
            tools: &workshop.tools,
            store: &workshop.store,
            limits: workshop.settings.compile_limits(),
            fresh: !workshop.settings.cache,
        };
        compiler.build(order, &mut *self.sandbox)
    }

    /// Runs an input validator on a case, or remembers what it said.
    pub(super) fn validate(&mut self, validator: &Validator<'_>, input: &Path) -> Result<Response, ValidatorError> {
        asked::validated(self.workshop, validator, input, &mut *self.sandbox)
    }

    /// Shows a submission to a static validator.
    pub(super) fn check_sources(
        &mut self,
        validator: &Validator<'_>,
        subject: &Subject<'_>,
        submission: &Key,
    ) -> Result<Checked, ValidatorError> {
        let sources = Path::new("the sources of a submission");
        let ask = || persistently(|| validator.check_sources(subject, &mut *self.sandbox));
        self.workshop.overdue.ask(validator, Some(submission), sources, ask)
    }

    /// Asks a grader about the results in a group, or remembers what it said.
    pub(super) fn grade(&mut self, grader: &Validator<'_>, results: &str) -> Result<Grade, ValidatorError> {
        asked::graded(self.workshop, grader, results, &mut *self.sandbox)
    }

    /// The same for a validator by hand: an error is a fault of the validator, or of ours.
    pub fn check_input(
        &mut self,
        name: &str,
        artifact: &Artifact,
        arguments: &[String],
        files: &[(PathBuf, PathBuf)],
        input: &Path,
    ) -> Result<Response, Fault> {
        let limits = self.workshop.validation_limits();
        let validator = Validator { name: name.into(), artifact, arguments, files, limits };
        Ok(self.validate(&validator, input)?)
    }

    /// Runs an answer validator on an answer, or remembers what it said. An error
    /// is a fault of the validator, or of ours.
    pub fn check_answer(
        &mut self,
        name: &str,
        artifact: &Artifact,
        arguments: &[String],
        input: &Path,
        answer: &Path,
    ) -> Result<Response, Fault> {
        let limits = self.workshop.validation_limits();
        let validator = Validator { name: name.into(), artifact, arguments, files: &[], limits };
        Ok(asked::validated_answer(self.workshop, &validator, input, answer, &mut *self.sandbox)?)
    }

    /// As `check_input`, for an input that nobody will ask about again: nothing is remembered.
    pub fn check_input_once(
        &mut self,
        name: &str,
        artifact: &Artifact,
        arguments: &[String],
        input: &Path,
    ) -> Result<Response, Fault> {
        let limits = self.workshop.validation_limits();
        let validator = Validator { name: name.into(), artifact, arguments, files: &[], limits };
        let ask = || persistently(|| validator.check_input(input, &mut *self.sandbox));
        Ok(self.workshop.overdue.ask(&validator, None, input, ask)?)
    }

    /// Runs a program with more arguments on an input, from its beginning, and keeps what it prints. An error is a fault of
    /// ours.
    pub fn execute(
        &mut self,
        artifact: &Artifact,
        args: &[OsString],
        files: &[(PathBuf, PathBuf)],
        limits: &JudgeLimits,
        input: &File,
    ) -> Result<Printed, JudgeError> {
        let mut limits = *limits;
        limits.processes = limits.processes.max(artifact.processes);
        limits.memory.0 += artifact.memory_beside.0;
        let run = || {
            let workdir = self.box_for(artifact, files)?;
            let mut env = artifact.env.clone();
            env.push(("HOME".into(), workdir.path().into()));
            let place = Place::Box(artifact.sight.clone());
            let request = Request {
                argv: artifact.argv.iter().chain(args).cloned().collect(),
                env,
                place,
                limits: limits.kill_points(),
                core: self.core,
            };
            let (outcome, output, stderr) = self.spooled(
                &request,
                from_start(input).map_err(|error| JudgeError::other(format!("cannot read an input: {error}")))?,
            )?;
            Ok(Printed {
                ruling: rule_on_facts(&outcome, &limits, Ruleset::default()),
                outcome,
                output,
                stderr,
                workdir,
            })
        };
        once_more(run, |printed| is_struck(printed, |printed| &printed.outcome))
    }

    /// Runs a program on a case and judges it; `validators` are the problem's output validators. An error is a fault of
    /// ours.
    pub fn judge(&mut self, case: &Case, artifact: &Artifact, validators: &[&Artifact]) -> Result<Judged, Fault> {
        let kind = case.problem.kind;
        match (kind, validators) {
            (ProblemKind::SubmitAnswer, _) => {
                Err(Fault::other("submissions of this problem are answers, not programs"))
            }
            (_, [judge]) if kind.is_multi_pass() => self.pass_by_pass(case, artifact, judge),
            (_, [_, ..]) if kind.is_multi_pass() || kind.is_interactive() => {
                let pass = Pass { input: &case.input, answer: case.answer(), feedback: None };
                let [judge] = validators else {
                    return Err(Fault::other(format!("a problem of type {} needs one output validator", kind.name())));
                };
                self.pass(case, &pass, artifact, judge, Transcript::default()).map(|ran| ran.judged)
            }
            (_, []) if kind.is_led_by_validator() => {
                Err(Fault::other(format!("a problem of type {} needs an output validator", kind.name())))
            }
            (_, []) => {
                let run = || self.compared(case, artifact);
                Ok(once_more(run, |judged| is_struck(judged, |judged| &judged.outcome))?)
            }
            (_, validators) => {
                let pass = Pass { input: &case.input, answer: case.answer(), feedback: None };
                self.validated(case, &pass, artifact, validators).map(|(judged, _)| judged)
            }
        }
    }

    /// One pass with an output validator, which may be the only one.
    pub(super) fn pass(
        &mut self,
        case: &Case,
        pass: &Pass<'_>,
        artifact: &Artifact,
        judge: &Artifact,
        transcript: Transcript,
    ) -> Result<Ran, Fault> {
        if case.problem.kind.is_interactive() {
            return self.interactive(case, pass, artifact, judge, &transcript);
        }
        let (judged, validator) = self.validated(case, pass, artifact, &[judge])?;
        Ok(Ran { judged, validator, transcript })
    }

    /// Judges a submitted output: no program runs, and its file is not kept among the results. An output
    /// above the limit is OLE, as if a program had printed it. An error is a fault of ours.
    ///
    /// `submission`: whose output it is; none: a file of the problem.
    pub fn judge_output(
        &mut self,
        case: &Case,
        output: File,
        (validators, submission): (&[&Artifact], Option<&Key>),
    ) -> Result<Judged, Fault> {
        let unreadable = |error: std::io::Error| JudgeError::other(format!("cannot read an output: {error}"));
        let size = output.metadata().map_err(unreadable)?.len();
        let outcome = not_run(size);
        if validators.is_empty() {
            return Ok(compare_file(case, outcome, output)?);
        }
        if let Some(ruling) = case.rule_on_facts(&outcome) {
            let kept = Kept::new(Output::File(output), Vec::new());
            let others = opinions(case, &outcome, |_| None);
            return Ok(Judged { outcome, findings: Findings { others, ..Findings::ruled(ruling) }, kept });
        }
        let pass = Pass { input: &case.input, answer: case.answer(), feedback: None };
        self.ask(case, &pass, outcome, (output, Vec::new()), (validators, submission)).map(|(judged, _)| judged)
    }

    /// A box with the files that a program finds there: those of a case lie over what it brings itself.
    fn box_for(&mut self, artifact: &Artifact, files: &[(PathBuf, PathBuf)]) -> Result<Workdir, JudgeError> {
        let workdir = self.sandbox.fresh_box(Side::Submission, &artifact.sight)?;
        let over = |name: &Path| files.iter().any(|(file, _)| file.starts_with(name) || name.starts_with(file));
        let own = artifact.companions().filter(|(name, _)| !over(name));
        let all = own.chain(files.iter().cloned());
        workdir
            .furnish(all)
            .map_err(|error| JudgeError::other(format!("cannot copy a file for the program: {error}")))?;
        Ok(workdir)
    }

    /// As `judge_output`, for a file: what is wrong with it, if anything, or what was wrong with it before. An error is a
    /// fault of the validator, or of ours.
    pub fn judge_file(
        &mut self,
        case: &Case,
        output: &Path,
        validators: &[&Artifact],
    ) -> Result<Option<Ruling>, Fault> {
        let key = asked::output_key(self.workshop, case, output, validators);
        asked::remembered(self.workshop, key, || {
            let judged = self.judge_output(case, open(output)?, (validators, None))?;
            if judged.outcome.killed == Some(Kill::Cancelled) {
                return Err(Fault::Cancelled);
            }
            case.points_for(&judged.findings)?;
            Ok(judged.findings.ruling)
        })
    }

    /// Lets a script of the shell be the submission on a case, or remembers that all was well: whether an output validator
    /// that leads keeps to the protocol whatever it is told. `text` is a file of the case that the script shows. An error
    /// is a fault of the validator, or of ours.
    pub fn probe(&mut self, case: &Case, script: &str, text: &Path, validators: &[&Artifact]) -> Result<(), Fault> {
        let key = asked::probe_key(self.workshop, case, (script, text), validators);
        asked::remembered(self.workshop, key, || {
            let judged = self.judge(case, &stand_in(&self.workshop.tools, script), validators)?;
            if judged.outcome.killed == Some(Kill::Cancelled) {
                return Err(Fault::Cancelled);
            }
            if judged.outcome.outside_signal().is_some() {
                return Err(Fault::other("the script that replaces a submission was killed in both runs"));
            }
            Ok(case.points_for(&judged.findings).map(drop)?)
        })
    }

    fn request(&mut self, case: &Case, artifact: &Artifact) -> Result<Request, JudgeError> {
        let (place, home) = if artifact.is_command() {
            // A command means the files that its author sees.
            if !case.files.is_empty() {
                let message = "the case has its own files, which a command (-c) cannot use";
                return Err(JudgeError::other(message));
            }
            (Place::Host(case.problem.dir.clone()), case.problem.dir.clone())
        } else {
            let home = self.box_for(artifact, &case.files)?.path().to_owned();
            (Place::Box(artifact.sight.clone()), home)
        };
        let mut env = artifact.env.clone();
        env.push(("HOME".into(), home.into()));
        let arguments = case.arguments.submission.iter().map(OsString::from);
        let argv = artifact.argv.iter().cloned().chain(arguments).collect();
        Ok(Request { argv, env, place, limits: case.kill_points(), core: self.core })
    }

    /// Compares with the built-in checker while the program runs.
    fn compared(&mut self, case: &Case, artifact: &Artifact) -> Result<Judged, JudgeError> {
        let request = &self.request(case, artifact)?;
        let stdin = open(&case.input)?;
        let answer: Box<dyn std::io::Read> = match &case.answer {
            Some(path) => Box::new(open(path)?),
            None => Box::new(std::io::empty()),
        };
        let checker = if case.answer.is_some() { case.checker } else { Checker::Exact };
        let mut sink = Compare::new(checker, answer);
        sink.add_others(case).map_err(|error| JudgeError::other(format!("cannot read an answer: {error}")))?;
        let outcome = self.sandbox.run(Side::Submission, request, stdin, &mut sink)?;
        let answer = case.answer.as_deref().unwrap_or(&case.input);
        let unreadable = |error: std::io::Error| JudgeError::other(format!("{}: {error}", answer.display()));
        Ok(judge_comparison(case, outcome, sink.finish().map_err(unreadable)?))
    }

    /// Keeps the output in a file, then asks the output validators.
    fn validated(
        &mut self,
        case: &Case,
        pass: &Pass<'_>,
        artifact: &Artifact,
        validators: &[&Artifact],
    ) -> Result<(Judged, Option<Prepared>), Fault> {
        let run = || {
            let request = self.request(case, artifact)?;
            self.spooled(&request, open(pass.input)?)
        };
        let (outcome, output, stderr) = once_more(run, |ran| is_struck(ran, |(outcome, ..)| outcome))?;
        self.ask(case, pass, outcome, (output, stderr), (validators, Some(&artifact.key)))
    }

    /// Runs a program with a file on its standard input: the facts, its output in a file, and its standard error.
    fn spooled(&mut self, request: &Request, stdin: File) -> Result<(Outcome, File, Vec<u8>), JudgeError> {
        let mut spool = Spool::new()?;
        let ran = self.sandbox.run(Side::Submission, request, stdin, &mut spool);
        let outcome = ran?;
        let (output, stderr) = spool.finish()?;
        Ok((outcome, output, stderr))
    }

    /// Asks the output validators about an output, unless the facts decide: all of them, because a broken one is a judge
    /// error whatever the others say.
    fn ask(
        &mut self,
        case: &Case,
        pass: &Pass<'_>,
        mut outcome: Outcome,
        (output, stderr): (File, Vec<u8>),
        (validators, submission): (&[&Artifact], Option<&Key>),
    ) -> Result<(Judged, Option<Prepared>), Fault> {
        let mut asked = None;
        let mut findings = Findings { ruling: case.rule_on_facts(&outcome), ..Findings::default() };
        // Somebody else may give more time.
        let decided = findings.ruling.is_some();
        let undecided = !decided || case.others.iter().any(|terms| terms.rule_on_facts(&outcome).is_none());
        if undecided && outcome.killed.is_none() {
            let mut rejects = false;
            for (number, judge) in validators.iter().enumerate() {
                let validator = case.validator(number, judge);
                let ask = || {
                    let unreadable = |source| ValidatorError::Io { path: "the output".to_owned(), source };
                    let output = from_start(&output).map_err(unreadable)?;
                    let prepared = validator.prepare(pass, &mut *self.sandbox)?;
                    let checked = validator.check_output(&prepared, output, &mut *self.sandbox)?;
                    Ok((prepared, checked))
                };
                let said = self.workshop.overdue.ask(&validator, submission, pass.input, || persistently(ask));
                match said {
                    Ok((prepared, Checked { decision, feedback, reason })) => {
                        rejects |= decision == Decision::Reject;
                        findings.others = opinions(case, &outcome, |_| Some(!rejects));
                        if !decided {
                            if decision == Decision::Reject {
                                let reason = reason.unwrap_or_else(|| "rejected by the output validator".to_owned());
                                findings.ruling.get_or_insert((Verdict::WrongAnswer, reason.into()));
                            }
                            let added = findings.feedback.add(feedback);
                            added.map_err(|fault| JudgeError::protocol(format!("{}: {fault}", validator.name)))?;
                        }
                        asked = Some(prepared);
                    }
                    Err(ValidatorError::Cancelled) => {
                        outcome.killed = Some(Kill::Cancelled);
                        break;
                    }
                    // It was asked for others only, who would not get a word out of it.
                    Err(_) if decided => {
                        findings.others = opinions(case, &outcome, |_| None);
                        break;
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        } else {
            findings.others = opinions(case, &outcome, |_| None);
        }
        let kept = Kept::new(Output::File(output), stderr);
        Ok((Judged { outcome, findings, kept }, asked))
    }

    fn interactive(
        &mut self,
        case: &Case,
        pass: &Pass<'_>,
        artifact: &Artifact,
        judge: &Artifact,
        before: &Transcript,
    ) -> Result<Ran, Fault> {
        let validator = case.validator(0, judge);
        let key = &artifact.key;
        let converse = || {
            let request = self.request(case, artifact)?;
            let talked = self.workshop.overdue.ask(&validator, Some(key), pass.input, || {
                let prepared = validator.prepare(pass, &mut *self.sandbox)?;
                let (limits, sandbox) = (&case.limits, &mut *self.sandbox);
                let talked = talk(&request, limits, case.ruleset, &validator, &prepared, before.clone(), sandbox)?;
                Ok((prepared, talked))
            });
            Ok::<_, Fault>(talked?)
        };
        let talked = once_more(converse, |talked| match talked {
            Ok((_, talked)) => talked.interaction.submission.outside_signal().is_some(),
            Err(fault) => fault.kind() == Some(JudgeErrorKind::Killed),
        });
        let (prepared, talked) = talked?;
        let Talked { interaction, mut ruling, mut feedback, reason: said, standstill, transcript } = talked;
        match (&mut ruling, said) {
            (Some((Verdict::WrongAnswer, reason)), Some(said)) => *reason = said.into(),
            // Points that it gave before the submission failed by itself are none, and no fault.
            (Some((verdict, _)), _) if *verdict != Verdict::WrongAnswer => feedback.take_points(),
            _ => {}
        }
        let others = of_interaction(case, &interaction, &validator.limits);
        let standstill = standstill.map(|standstill| why_still(standstill, &case.flush));
        let findings = Findings { ruling, standstill, feedback, others, ..Findings::default() };
        let kept = Kept::new(Output::Talk(transcript.to_bytes()), transcript.stderr.clone());
        let judged = Judged { outcome: interaction.submission, findings, kept };
        Ok(Ran { judged, validator: Some(prepared), transcript })
    }
}

/// Whether a signal from outside has ended a run, whose facts are in what came of it.
fn is_struck<T>(ran: &Result<T, JudgeError>, facts: impl FnOnce(&T) -> &Outcome) -> bool {
    ran.as_ref().is_ok_and(|ran| facts(ran).outside_signal().is_some())
}

/// A pass that was run.
pub(super) struct Ran {
    pub(super) judged: Judged,
    /// The output validator as it ended, where it was asked.
    pub(super) validator: Option<Prepared>,
    /// Who said what so far.
    pub(super) transcript: Transcript,
}

/// Compares a file with the answer, as far as the limit goes.
fn compare_file(case: &Case, outcome: Outcome, output: File) -> Result<Judged, JudgeError> {
    use std::io::Read;
    let answer: Box<dyn Read> = match &case.answer {
        Some(path) => Box::new(open(path)?),
        None => Box::new(std::io::empty()),
    };
    let checker = if case.answer.is_some() { case.checker } else { Checker::Exact };
    let unreadable = |error: std::io::Error| JudgeError::other(format!("cannot read an answer: {error}"));
    let mut sink = Compare::new(checker, answer);
    sink.add_others(case).map_err(unreadable)?;
    let mut output = output.take(case.limits.output.0);
    let mut chunk = vec![0; 64 << 10];
    loop {
        let read = output.read(&mut chunk);
        match read.map_err(|error| JudgeError::other(format!("cannot read an output: {error}")))? {
            0 => break,
            n => sink.stdout(&chunk[..n]),
        }
    }
    Ok(judge_comparison(case, outcome, sink.finish().map_err(unreadable)?))
}

/// The ruling on a compared output.
pub(super) fn judge_comparison(case: &Case, outcome: Outcome, compared: Compared) -> Judged {
    let Compared { comparison, others, stderr } = compared;
    let mut findings = Findings { ruling: case.rule_on_facts(&outcome), ..Findings::default() };
    let accepts = |terms: &Terms| others.by(&terms.checker).or(Some(comparison.accepted));
    findings.others = if case.answer.is_some() { opinions(case, &outcome, accepts) } else { Vec::new() };
    if findings.ruling.is_none() && case.answer.is_some() {
        if comparison.accepted {
            let mut leniency = comparison.leniency;
            // Nobody prints that here; what else differs in spacing is not worth a remark on every test.
            leniency.spacing &= leniency.lines || !case.answer.as_deref().is_some_and(has_returns);
            findings.remarks.extend(sentence::leniency(leniency));
        } else {
            let reason = comparison.difference.as_ref().map(sentence::sentence).unwrap_or_default();
            findings.ruling = Some((Verdict::WrongAnswer, reason.into()));
            findings.difference = comparison.difference.map(Box::new);
        }
    }
    Judged { outcome, findings, kept: Kept::new(Output::Capture(comparison.capture), stderr) }
}

/// Whether the first lines of a file end in a carriage return and a line feed.
fn has_returns(path: &Path) -> bool {
    use std::io::Read;
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4096).read_to_end(&mut head));
    // Only a remark on the spacing depends on it.
    read.is_ok() && head.windows(2).any(|pair| pair == b"\r\n")
}

/// Another descriptor of a file, at its beginning; it shares its place in the file with the first.
fn from_start(file: &File) -> Result<File, std::io::Error> {
    let mut copy = file.try_clone()?;
    copy.rewind()?;
    Ok(copy)
}

fn open(path: &Path) -> Result<File, JudgeError> {
    File::open(path).map_err(|error| JudgeError::other(format!("{}: {error}", path.display())))
}
