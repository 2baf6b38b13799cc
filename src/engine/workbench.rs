//! One slot with all that is needed to build programs, run them and judge what they print: by hand for one program on
//! one input, and by the workers of a run for each test. Knows no plan. Blocking, one thing at a time.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::keep::{self, Kept};
use super::recall;
use super::sinks::{Compare, Spool};
use crate::compile::toolbox::Toolbox;
use crate::compile::{Artifact, Build, Compiler};
use crate::config::Settings;
use crate::error_chain;
use crate::explain::sentence;
use crate::judge::compare::{Comparison, Difference};
use crate::judge::interact::talk;
use crate::judge::validator::{Checked, Feedback, Validator, ValidatorError};
use crate::judge::{Decision, Ruling, near_time_limit, rule_on_facts};
use crate::language::Languages;
use crate::limits::{Bytes, JudgeLimits, Usage};
use crate::problem::{Arguments, CasePoints, Checker, Problem, ProblemKind, Program, SubmissionId, TestGroup, TestId};
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
        Case {
            problem: Arc::clone(problem),
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
}

impl Case {
    /// The output validator as it is run on this case.
    fn validator<'a>(&'a self, name: &'a str, artifact: &'a Artifact, workshop: &Workshop) -> Validator<'a> {
        let limits = workshop.validation_limits();
        Validator { name, artifact, arguments: &self.arguments.output_validator, limits }
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
}

impl Findings {
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
    /// Keeps the input, the answer and what was printed in `.grader/last/`; the common stem, or none where that cannot
    /// be.
    pub fn keep(&self, last: &LastRun, case: &Case, submission: &SubmissionId, test: &TestId) -> Option<PathBuf> {
        keep::write(last, (&case.problem.id, submission, test), case, &self.kept).ok()
    }

    /// Whether it was run and shown only, as there is nothing to judge it by.
    pub(super) fn is_unanswered(&self, case: &Case) -> bool {
        let judges = case.answer.is_some() || case.problem.kind == ProblemKind::Interactive;
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

    /// Builds a program that will have so much memory; `wanted` names its language, otherwise it is detected.
    pub fn build(&mut self, program: &Program, wanted: Option<&str>, memory: Bytes) -> Build {
        self.build_from(program, None, wanted, memory)
    }

    /// As `build`, for a program of several files that is run at one of them.
    pub fn build_from(
        &mut self,
        program: &Program,
        entry_point: Option<&str>,
        wanted: Option<&str>,
        memory: Bytes,
    ) -> Build {
        let workshop = self.workshop;
        let compiler = Compiler {
            entry_point,
            languages: &workshop.languages,
            tools: &workshop.tools,
            store: &workshop.store,
            limits: workshop.settings.compile_limits(),
            fresh: !workshop.settings.cache,
            memory,
        };
        compiler.build(program, wanted, &mut *self.sandbox)
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
        input: &Path,
    ) -> Result<Result<(), String>, String> {
        let validator = Validator { name, artifact, arguments, limits: self.workshop.validation_limits() };
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
        let validator = Validator { name, artifact, arguments, limits: self.workshop.validation_limits() };
        let said = recall::validated_answer(self.workshop, &validator, input, answer, &mut *self.sandbox);
        said.map_err(|error| error_chain(&error))
    }

    /// As `check_input`, for an input that nobody will ask about again: nothing is remembered.
    pub fn check_input_once(
        &mut self,
        name: &str,
        artifact: &Artifact,
        input: &Path,
    ) -> Result<Result<(), String>, String> {
        let validator = Validator { name, artifact, arguments: &[], limits: self.workshop.validation_limits() };
        validator.check_input(input, &mut *self.sandbox).map_err(|error| error_chain(&error))
    }

    /// Runs a program with more arguments on an input and keeps what it prints. An error is a fault of ours.
    pub fn execute(
        &mut self,
        artifact: &Artifact,
        args: &[OsString],
        limits: &JudgeLimits,
        input: File,
    ) -> Result<Printed, String> {
        let workdir = self.sandbox.fresh_box(Side::Submission, &artifact.sight).map_err(|error| error_chain(&error))?;
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
        let request = self.request(case, artifact)?;
        match (case.problem.kind, judge) {
            (ProblemKind::Interactive, Some(judge)) => self.interactive(case, &request, judge),
            (ProblemKind::Interactive, None) => Err("an interactive problem needs an output validator".to_owned()),
            (ProblemKind::PassFail, Some(judge)) => self.validated(case, &request, judge),
            (ProblemKind::PassFail, None) => self.compared(case, &request),
        }
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
            let kept = Kept::File { output, stderr: Vec::new() };
            return Ok(Judged { outcome, findings: Findings::ruled(ruling), kept });
        }
        self.ask(case, outcome, output, Vec::new(), judge)
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
            (Place::Host(case.problem.dir.clone()), case.problem.dir.clone())
        } else {
            let workdir = self.sandbox.fresh_box(Side::Submission, &artifact.sight);
            let home = workdir.map_err(|error| error_chain(&error))?.path().to_owned();
            (Place::Box(artifact.sight.clone()), home)
        };
        let mut env = artifact.env.clone();
        env.push(("HOME".into(), home.into()));
        let arguments = case.arguments.submission.iter().map(OsString::from);
        let argv = artifact.argv.iter().cloned().chain(arguments).collect();
        Ok(Request { argv, env, place, limits: case.limits.kill_points(), core: self.core })
    }

    /// Compares with the built-in checker while the program runs.
    fn compared(&mut self, case: &Case, request: &Request) -> Result<Judged, String> {
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
    fn validated(&mut self, case: &Case, request: &Request, judge: &Artifact) -> Result<Judged, String> {
        let stdin = open(&case.input)?;
        let mut spool = Spool::new()?;
        let outcome =
            self.sandbox.run(Side::Submission, request, stdin, &mut spool).map_err(|error| error_chain(&error))?;
        let (output, stderr) = spool.finish()?;
        self.ask(case, outcome, output, stderr, judge)
    }

    /// Asks the output validator about an output, unless the facts decide.
    fn ask(
        &mut self,
        case: &Case,
        mut outcome: Outcome,
        output: File,
        stderr: Vec<u8>,
        judge: &Artifact,
    ) -> Result<Judged, String> {
        let mut findings = Findings { ruling: rule_on_facts(&outcome, &case.limits), ..Findings::default() };
        if findings.ruling.is_none() && outcome.killed.is_none() {
            let name = case.problem.output_validator.as_ref().and_then(|program| program.path());
            let name = name.map(|path| path.display().to_string()).unwrap_or_default();
            let validator = case.validator(&name, judge, self.workshop);
            let copy = output.try_clone().map_err(|error| format!("cannot read back an output: {error}"))?;
            let answer = case.answer.as_deref().unwrap_or(Path::new("/dev/null"));
            let checked = validator.check_output(&case.input, answer, copy, &mut *self.sandbox);
            match checked {
                Ok(Checked { decision, feedback }) => {
                    let rejects = decision == Decision::Reject;
                    findings.ruling = rejects.then(|| rejected(feedback.message.as_deref()));
                    findings.feedback = feedback;
                }
                Err(ValidatorError::Cancelled) => outcome.killed = Some(Kill::Cancelled),
                Err(error) => return Err(error_chain(&error)),
            }
        }
        Ok(Judged { outcome, findings, kept: Kept::File { output, stderr } })
    }

    fn interactive(&mut self, case: &Case, request: &Request, judge: &Artifact) -> Result<Judged, String> {
        let name = case.problem.output_validator.as_ref().and_then(|program| program.path());
        let name = name.map(|path| path.display().to_string()).unwrap_or_default();
        let validator = case.validator(&name, judge, self.workshop);
        let answer = case.answer.as_deref().unwrap_or(Path::new("/dev/null"));
        let judge = validator.prepare(&case.input, answer, &mut *self.sandbox).map_err(|error| error_chain(&error))?;
        let talked = talk(request, &case.limits, &validator, &judge, &mut *self.sandbox);
        let mut talked = talked.map_err(|error| error_chain(&error))?;
        if let (Some((Verdict::WrongAnswer, reason)), Some(message)) = (&mut talked.ruling, &talked.feedback.message)
            && let Some(first) = message.lines().next()
        {
            first.clone_into(reason);
        }
        let transcript = talked.transcript.to_bytes();
        let findings = Findings { ruling: talked.ruling, feedback: talked.feedback, ..Findings::default() };
        let kept = Kept::Talk { transcript, stderr: talked.transcript.stderr };
        Ok(Judged { outcome: talked.interaction.submission, findings, kept })
    }
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

/// The ruling of an output validator that rejects, in the first line of its words.
fn rejected(feedback: Option<&str>) -> Ruling {
    let first = feedback.and_then(|text| text.lines().next());
    (Verdict::WrongAnswer, first.unwrap_or("rejected by the output validator").to_owned())
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
    Judged { outcome, findings, kept: Kept::Capture { capture: comparison.capture, stderr } }
}

fn open(path: &Path) -> Result<File, String> {
    File::open(path).map_err(|error| format!("{}: {error}", path.display()))
}
