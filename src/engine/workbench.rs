//! One slot with all that is needed to build programs, run them and judge what they print: by hand for one program on
//! one input, and by the workers of a run for each test. Knows no plan. Blocking, one thing at a time.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::keep::Printed as Output;
use super::keep::{self, Kept};
use super::recall;
use super::sinks::{Compare, Spool};
use crate::compile::toolbox::Toolbox;
use crate::compile::{Artifact, Build, BuildOrder, Compiler};
use crate::config::Settings;
use crate::error_chain;
use crate::explain::sentence;
use crate::judge::compare::{Comparison, Difference};
use crate::judge::interact::{Talked, Transcript, talk};
use crate::judge::validator::{Checked, Feedback, Pass, Prepared, Validator, ValidatorError};
use crate::judge::{Decision, Ruling, near_time_limit, rule_on_facts};
use crate::language::Languages;
use crate::limits::{Bytes, JudgeLimits, Usage};
use crate::problem::{Arguments, CasePoints, Checker, Problem, ProblemKind, SubmissionId, TestGroup, TestId};
use crate::sandbox::{
    ControlGroups, Exit, Isolation, Kill, MemoryScope, Outcome, Place, Request, Sandbox, Side, Sink, Workdir,
};
use crate::score::points;
use crate::store::{LastRun, Store};
use crate::verdict::Verdict;

/// What programs are built, run and judged with, on every slot alike.
pub struct Workshop {
    /// How.
    pub settings: Settings,
    /// The table of languages.
    pub languages: Languages,
    /// The tools of this machine.
    pub tools: Toolbox,
    /// What is known from before.
    pub store: Store,
    /// The isolation in force.
    pub isolation: Isolation,
    /// What kind of processor the times belong to.
    pub machine: String,
}

impl Workshop {
    /// How the outputs of a group are compared where there is no output validator.
    pub fn checker_for(&self, problem: &Problem, group: &TestGroup) -> Checker {
        if self.settings.origin("checker").outranks_problem() {
            return self.settings.checker;
        }
        group.checker.or(problem.checker).unwrap_or(self.settings.checker)
    }

    /// The limits of validators, interactors and generators.
    pub fn validation_limits(&self) -> JudgeLimits {
        self.settings.validation_limits().into()
    }

    /// The limits of a problem's output validator.
    pub fn output_validation_limits(&self, problem: &Problem) -> JudgeLimits {
        self.settings.output_validation_limits(problem).into()
    }

    /// The limits of a submission in `language` on the tests of `group`.
    pub fn limits_for(&self, problem: &Problem, group: &TestGroup, language: &str) -> JudgeLimits {
        self.settings.limits_for(problem, group, language)
    }

    /// The memory that a submission will have; the tests of a problem share it as its first group has it.
    pub fn memory_for(&self, problem: &Problem, language: &str) -> Bytes {
        let limits = problem.groups.first().map(|group| self.limits_for(problem, group, language));
        limits.map_or(self.settings.memory, |limits| limits.memory)
    }

    /// One test of a problem for a program that has been built.
    pub fn case(
        &self,
        problem: &Arc<Problem>,
        group: &TestGroup,
        input: PathBuf,
        answer: Option<PathBuf>,
        artifact: &Artifact,
    ) -> Case {
        let mut limits = self.limits_for(problem, group, &artifact.language);
        limits.processes = limits.processes.max(artifact.processes);
        let checker = self.checker_for(problem, group);
        let arguments = group.arguments_for(&input).clone();
        let files = group.files_for(&input);
        Case {
            problem: Arc::clone(problem),
            files,
            input,
            answer,
            checker,
            points: problem.points_of(group),
            limits,
            arguments,
        }
    }
}

/// The files and limits of one test of one submission.
pub struct Case {
    /// The problem.
    pub problem: Arc<Problem>,
    /// The input.
    pub input: PathBuf,
    /// The answer, where there is one.
    pub answer: Option<PathBuf>,
    /// How an output is compared where there is no output validator.
    pub checker: Checker,
    /// What points the submission can get.
    pub points: CasePoints,
    /// The limits of the submission.
    pub limits: JudgeLimits,
    /// What the submission and the output validator are called with.
    pub arguments: Arguments,
    /// Files that the submission finds in its working directory: their names there, and where they are.
    pub files: Vec<(PathBuf, PathBuf)>,
}

impl Case {
    /// The output validator as it is run on this case.
    pub(super) fn validator<'a>(&'a self, artifact: &'a Artifact, workshop: &Workshop) -> Validator<'a> {
        let path = self.problem.output_validator.as_ref().and_then(|program| program.path());
        let name = path.map_or("the output validator".into(), Path::to_string_lossy);
        let limits = workshop.output_validation_limits(&self.problem);
        Validator { name, artifact, arguments: &self.arguments.output_validator, files: &[], limits }
    }

    /// The answer, or an empty file where there is none.
    pub(super) fn answer(&self) -> &Path {
        self.answer.as_deref().unwrap_or(Path::new("/dev/null"))
    }

    /// The points of an execution; none where only its group has some. An error is a fault of the output validator.
    pub fn points_for(&self, findings: &Findings) -> Result<Option<f64>, String> {
        let verdict = findings.ruling.as_ref().map_or(Verdict::Accepted, |ruling| ruling.0);
        let Feedback { score, multiplier, .. } = &findings.feedback;
        let validator = self.problem.output_validator.as_ref().and_then(|program| program.path());
        points::of_case(self.points, verdict, score.as_deref(), multiplier.as_deref()).map_err(|fault| {
            let name = validator.map(|path| format!("{}: ", path.display())).unwrap_or_default();
            format!("{name}{fault}")
        })
    }
}

/// What the judge made of an output.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Findings {
    /// What is wrong; none: accepted.
    pub ruling: Option<Ruling>,
    /// Remarks on an accepted output.
    pub remarks: Vec<String>,
    /// The first difference that the built-in checker found.
    pub difference: Option<Box<Difference>>,
    /// What the output validator or interactor said.
    pub feedback: Feedback,
    /// The last pass, in a multi-pass problem.
    pub pass: Option<LastPass>,
}

/// The pass that decided.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LastPass {
    /// From 1.
    pub number: u32,
    /// What it was given, where that is not the input of the case; none also where that is too much to be remembered.
    pub input: Option<String>,
}

impl LastPass {
    /// `pass 2: ` and what happened in it.
    pub(super) fn name(&self, reason: &str) -> String {
        format!("pass {}: {reason}", self.number)
    }
}

impl Findings {
    /// Whether it is about the input of a later pass that is not known any more.
    pub(super) fn lacks_input(&self) -> bool {
        self.pass.as_ref().is_some_and(|pass| pass.number > 1 && pass.input.is_none())
    }

    /// Something that is wrong.
    pub fn ruled(ruling: Ruling) -> Self {
        Self { ruling: Some(ruling), ..Self::default() }
    }
}

/// What one execution brought: the facts, what the judge made of them, and what is kept of it.
pub struct Judged {
    /// The facts.
    pub outcome: Outcome,
    /// What the judge says.
    pub findings: Findings,
    /// What it printed.
    pub(super) kept: Kept,
}

impl Judged {
    /// No output was handed in where that is the submission.
    pub(super) fn unanswered() -> Self {
        let findings = Findings::ruled((Verdict::WrongAnswer, "no answer was handed in".to_owned()));
        Self { outcome: not_run(), findings, kept: Kept::new(Output::Bytes(Vec::new()), Vec::new()) }
    }

    /// Keeps the input, the answer and what was printed in `.grader/last/`; the common stem, or none where that cannot
    /// be.
    pub fn keep(&self, last: &LastRun, case: &Case, submission: &SubmissionId, test: &TestId) -> Option<PathBuf> {
        keep::write(last, (&case.problem.id, submission, test), case, &self.kept).ok()
    }

    /// Whether it was run and shown only, as there is nothing to judge it by.
    pub(super) fn is_unanswered(&self, case: &Case) -> bool {
        let judges = case.answer.is_some() || case.problem.kind.is_led_by_validator();
        !judges && self.findings.ruling.is_none() && self.findings.feedback == Feedback::default()
    }

    /// Whether the verdict hangs on a time near the limit. What is wrong anyhow stays wrong however long it takes.
    pub fn time_decides(&self, case: &Case) -> bool {
        let by_time = match &self.findings.ruling {
            Some((verdict, _)) => *verdict == Verdict::TimeLimit,
            None => !self.is_unanswered(case),
        };
        by_time && near_time_limit(&self.outcome, &case.limits)
    }
}

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

    /// Runs an input validator on a case, or remembers what it said. `Ok(Err)`: it rejects, with its words.
    pub(super) fn validate(
        &mut self,
        validator: &Validator<'_>,
        input: &Path,
    ) -> Result<Result<(), String>, ValidatorError> {
        recall::validated(self.workshop, validator, input, &mut *self.sandbox)
    }

    /// The same for a validator by hand: an error is a fault of the validator, or of ours.
    pub fn check_input(
        &mut self,
        name: &str,
        artifact: &Artifact,
        arguments: &[String],
        files: &[(PathBuf, PathBuf)],
        input: &Path,
    ) -> Result<Result<(), String>, String> {
        let limits = self.workshop.validation_limits();
        let validator = Validator { name: name.into(), artifact, arguments, files, limits };
        self.validate(&validator, input).map_err(|error| error_chain(&error))
    }

    /// Runs an answer validator on an answer, or remembers what it said. `Ok(Err)`: it rejects, with its words. An error
    /// is a fault of the validator, or of ours.
    pub fn check_answer(
        &mut self,
        name: &str,
        artifact: &Artifact,
        arguments: &[String],
        input: &Path,
        answer: &Path,
    ) -> Result<Result<(), String>, String> {
        let limits = self.workshop.validation_limits();
        let validator = Validator { name: name.into(), artifact, arguments, files: &[], limits };
        let said = recall::validated_answer(self.workshop, &validator, input, answer, &mut *self.sandbox);
        said.map_err(|error| error_chain(&error))
    }

    /// As `check_input`, for an input that nobody will ask about again: nothing is remembered.
    pub fn check_input_once(
        &mut self,
        name: &str,
        artifact: &Artifact,
        arguments: &[String],
        input: &Path,
    ) -> Result<Result<(), String>, String> {
        let limits = self.workshop.validation_limits();
        let validator = Validator { name: name.into(), artifact, arguments, files: &[], limits };
        validator.check_input(input, &mut *self.sandbox).map_err(|error| error_chain(&error))
    }

    /// Runs a program with more arguments on an input and keeps what it prints. An error is a fault of ours.
    pub fn execute(
        &mut self,
        artifact: &Artifact,
        args: &[OsString],
        files: &[(PathBuf, PathBuf)],
        limits: &JudgeLimits,
        input: File,
    ) -> Result<Printed, String> {
        let workdir = self.box_for(artifact, files)?;
        let mut env = artifact.env.clone();
        env.push(("HOME".into(), workdir.path().into()));
        let mut kill_points = limits.kill_points();
        kill_points.processes = kill_points.processes.max(artifact.processes);
        let place = Place::Box(artifact.sight.clone());
        let request = Request {
            argv: artifact.argv.iter().chain(args).cloned().collect(),
            env,
            place,
            limits: kill_points,
            core: self.core,
        };
        let mut spool = Spool::new()?;
        let outcome =
            self.sandbox.run(Side::Submission, &request, input, &mut spool).map_err(|error| error_chain(&error))?;
        let (output, stderr) = spool.finish()?;
        Ok(Printed { ruling: rule_on_facts(&outcome, limits), outcome, output, stderr, workdir })
    }

    /// Runs a program on a case and judges it; `judge` is the problem's output validator. An error is a fault of ours.
    pub fn judge(&mut self, case: &Case, artifact: &Artifact, judge: Option<&Artifact>) -> Result<Judged, String> {
        let kind = case.problem.kind;
        match (kind, judge) {
            (ProblemKind::SubmitAnswer, _) => Err("a submission is the answers here: no program is run".to_owned()),
            (_, Some(judge)) if kind.is_multi_pass() => self.pass_by_pass(case, artifact, judge),
            (_, Some(judge)) => {
                let pass = Pass { input: &case.input, answer: case.answer(), feedback: None };
                self.pass(case, &pass, artifact, judge, Transcript::default()).map(|ran| ran.judged)
            }
            (_, None) if kind.is_led_by_validator() => {
                Err(format!("a problem of type {} needs an output validator", kind.name()))
            }
            (_, None) => self.compared(case, artifact),
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
    ) -> Result<Ran, String> {
        let request = self.request(case, artifact)?;
        if case.problem.kind.is_interactive() {
            return self.interactive(case, pass, &request, judge, transcript);
        }
        let (judged, validator) = self.validated(case, pass, &request, judge)?;
        Ok(Ran { judged, validator, transcript })
    }

    /// Judges an output that was handed in: no program is run, and its file is not kept among the results. An output
    /// above the limit is OLE, as if a program had printed it. An error is a fault of ours.
    pub fn judge_output(&mut self, case: &Case, output: File, judge: Option<&Artifact>) -> Result<Judged, String> {
        let unreadable = |error: std::io::Error| format!("cannot read an output: {error}");
        let size = output.metadata().map_err(unreadable)?.len();
        let mut outcome = not_run();
        outcome.killed = (size > case.limits.output.0).then_some(Kill::Output);
        let Some(judge) = judge else { return compare_file(case, outcome, output) };
        if let Some(ruling) = rule_on_facts(&outcome, &case.limits) {
            let kept = Kept::new(Output::File(output), Vec::new());
            return Ok(Judged { outcome, findings: Findings::ruled(ruling), kept });
        }
        let pass = Pass { input: &case.input, answer: case.answer(), feedback: None };
        self.ask(case, &pass, outcome, (output, Vec::new()), judge).map(|(judged, _)| judged)
    }

    /// A box with the files that a program finds there: those of a case lie over what it brings itself.
    fn box_for(&mut self, artifact: &Artifact, files: &[(PathBuf, PathBuf)]) -> Result<Workdir, String> {
        let workdir = self.sandbox.fresh_box(Side::Submission, &artifact.sight).map_err(|error| error_chain(&error))?;
        let over = |name: &Path| files.iter().any(|(file, _)| file.starts_with(name) || name.starts_with(file));
        let own = artifact.companions().filter(|(name, _)| !over(name));
        let all = own.chain(files.iter().cloned());
        workdir.furnish(all).map_err(|error| format!("cannot copy a file for the program: {error}"))?;
        Ok(workdir)
    }

    /// As `judge_output`, for a file: what is wrong with it, if anything, or what was wrong with it before. An error is a
    /// fault of the validator, or of ours.
    pub fn judge_file(
        &mut self,
        case: &Case,
        output: &Path,
        judge: Option<&Artifact>,
    ) -> Result<Option<Ruling>, String> {
        let key = judge.and_then(|judge| recall::output_key(self.workshop, case, output, judge));
        recall::remembered(self.workshop, key, || {
            let judged = self.judge_output(case, open(output)?, judge)?;
            if judged.outcome.killed == Some(Kill::Cancelled) {
                return Err("cancelled".to_owned());
            }
            case.points_for(&judged.findings)?;
            Ok(judged.findings.ruling)
        })
    }

    fn request(&mut self, case: &Case, artifact: &Artifact) -> Result<Request, String> {
        let (place, home) = if artifact.is_command() {
            // A command means the files that its author sees.
            if !case.files.is_empty() {
                return Err("the case has files of its own, which cannot be put before a command (-c)".to_owned());
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
        Ok(Request { argv, env, place, limits: case.limits.kill_points(), core: self.core })
    }

    /// Compares with the built-in checker while the program runs.
    fn compared(&mut self, case: &Case, artifact: &Artifact) -> Result<Judged, String> {
        let request = &self.request(case, artifact)?;
        let stdin = open(&case.input)?;
        let answer: Box<dyn std::io::Read> = match &case.answer {
            Some(path) => Box::new(open(path)?),
            None => Box::new(std::io::empty()),
        };
        let checker = if case.answer.is_some() { case.checker } else { Checker::Exact };
        let mut sink = Compare::new(checker, answer);
        let outcome =
            self.sandbox.run(Side::Submission, request, stdin, &mut sink).map_err(|error| error_chain(&error))?;
        let unreadable =
            |error: std::io::Error| format!("{}: {error}", case.answer.as_deref().unwrap_or(&case.input).display());
        if let Some(error) = sink.error {
            return Err(unreadable(error));
        }
        let comparison = sink.comparator.finish().map_err(unreadable)?;
        Ok(judge_comparison(case, outcome, comparison, sink.stderr))
    }

    /// Keeps the output in a file, then asks the output validator.
    fn validated(
        &mut self,
        case: &Case,
        pass: &Pass<'_>,
        request: &Request,
        judge: &Artifact,
    ) -> Result<(Judged, Option<Prepared>), String> {
        let stdin = open(pass.input)?;
        let mut spool = Spool::new()?;
        let outcome =
            self.sandbox.run(Side::Submission, request, stdin, &mut spool).map_err(|error| error_chain(&error))?;
        self.ask(case, pass, outcome, spool.finish()?, judge)
    }

    /// Asks the output validator about an output, unless the facts decide.
    fn ask(
        &mut self,
        case: &Case,
        pass: &Pass<'_>,
        mut outcome: Outcome,
        (output, stderr): (File, Vec<u8>),
        judge: &Artifact,
    ) -> Result<(Judged, Option<Prepared>), String> {
        let mut asked = None;
        let mut findings = Findings { ruling: rule_on_facts(&outcome, &case.limits), ..Findings::default() };
        if findings.ruling.is_none() && outcome.killed.is_none() {
            let validator = case.validator(judge, self.workshop);
            let copy = output.try_clone().map_err(|error| format!("cannot read back an output: {error}"))?;
            let prepared = validator.prepare(pass, &mut *self.sandbox).map_err(|error| error_chain(&error))?;
            match validator.check_output(&prepared, copy, &mut *self.sandbox) {
                Ok(Checked { decision, feedback, reason }) => {
                    let reason = reason.unwrap_or_else(|| "rejected by the output validator".to_owned());
                    findings.ruling = (decision == Decision::Reject).then_some((Verdict::WrongAnswer, reason));
                    findings.feedback = feedback;
                    asked = Some(prepared);
                }
                Err(ValidatorError::Cancelled) => outcome.killed = Some(Kill::Cancelled),
                Err(error) => return Err(error_chain(&error)),
            }
        }
        let kept = Kept::new(Output::File(output), stderr);
        Ok((Judged { outcome, findings, kept }, asked))
    }

    fn interactive(
        &mut self,
        case: &Case,
        pass: &Pass<'_>,
        request: &Request,
        judge: &Artifact,
        transcript: Transcript,
    ) -> Result<Ran, String> {
        let validator = case.validator(judge, self.workshop);
        let prepared = validator.prepare(pass, &mut *self.sandbox).map_err(|error| error_chain(&error))?;
        let talked = talk(request, &case.limits, &validator, &prepared, transcript, &mut *self.sandbox);
        let Talked { interaction, mut ruling, mut feedback, reason: said, transcript } =
            talked.map_err(|error| error_chain(&error))?;
        match (&mut ruling, said) {
            (Some((Verdict::WrongAnswer, reason)), Some(said)) => *reason = said,
            // Points that it gave before the submission failed by itself are none, and no fault.
            (Some((verdict, _)), _) if *verdict != Verdict::WrongAnswer => feedback.take_points(),
            _ => {}
        }
        let findings = Findings { ruling, feedback, ..Findings::default() };
        let kept = Kept::new(Output::Talk(transcript.to_bytes()), transcript.stderr.clone());
        let judged = Judged { outcome: interaction.submission, findings, kept };
        Ok(Ran { judged, validator: Some(prepared), transcript })
    }
}

/// A pass that was run.
pub(super) struct Ran {
    pub(super) judged: Judged,
    /// The output validator as it ended, where it was asked.
    pub(super) validator: Option<Prepared>,
    /// Who said what so far.
    pub(super) transcript: Transcript,
}

/// The facts of an output without a program.
fn not_run() -> Outcome {
    let (exit, usage) = (Exit::Code(0), Usage::default());
    Outcome { exit, killed: None, usage, memory_scope: MemoryScope::Tree, survivors: 0 }
}

/// Compares a file with the answer, as far as the limit goes.
fn compare_file(case: &Case, outcome: Outcome, output: File) -> Result<Judged, String> {
    use std::io::Read;
    let answer: Box<dyn Read> = match &case.answer {
        Some(path) => Box::new(open(path)?),
        None => Box::new(std::io::empty()),
    };
    let checker = if case.answer.is_some() { case.checker } else { Checker::Exact };
    let mut sink = Compare::new(checker, answer);
    let mut output = output.take(case.limits.output.0);
    let mut chunk = vec![0; 64 << 10];
    loop {
        match output.read(&mut chunk).map_err(|error| format!("cannot read an output: {error}"))? {
            0 => break,
            n => sink.stdout(&chunk[..n]),
        }
    }
    let unreadable = |error: std::io::Error| format!("cannot read an answer: {error}");
    if let Some(error) = sink.error {
        return Err(unreadable(error));
    }
    let comparison = sink.comparator.finish().map_err(unreadable)?;
    Ok(judge_comparison(case, outcome, comparison, Vec::new()))
}

/// The ruling on a compared output.
pub(super) fn judge_comparison(case: &Case, outcome: Outcome, comparison: Comparison, stderr: Vec<u8>) -> Judged {
    let mut findings = Findings { ruling: rule_on_facts(&outcome, &case.limits), ..Findings::default() };
    if findings.ruling.is_none() && case.answer.is_some() {
        if comparison.accepted {
            findings.remarks.extend(sentence::leniency(comparison.leniency));
        } else {
            let reason = comparison.difference.as_ref().map(sentence::sentence).unwrap_or_default();
            findings.ruling = Some((Verdict::WrongAnswer, reason));
            findings.difference = comparison.difference.map(Box::new);
        }
    }
    Judged { outcome, findings, kept: Kept::new(Output::Capture(comparison.capture), stderr) }
}

fn open(path: &Path) -> Result<File, String> {
    File::open(path).map_err(|error| format!("{}: {error}", path.display()))
}
