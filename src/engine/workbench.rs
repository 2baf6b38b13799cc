//! One slot with all that is needed to build programs, run them and judge what they print: by hand for one program on
//! one input, and by the workers of a run for each test. Knows no plan. Blocking, one thing at a time.

use std::ffi::OsString;
use std::fs::File;
use std::io::Seek as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::keep::Printed as Output;
use super::keep::{self, Kept};
pub use super::opinions::Terms;
use super::opinions::{of_interaction, opinions};
use super::recall;
use super::sinks::{Compare, Compared, Spool};
use crate::compile::toolbox::Toolbox;
use crate::compile::{Artifact, Build, BuildOrder, Compiler, stand_in};
use crate::config::{JudgeChoice, Settings};
use crate::error_chain;
use crate::event::{NO_ANSWER, Opinion};
use crate::explain::sentence;
use crate::judge::compare::Difference;
use crate::judge::interact::{Talked, Transcript, talk};
use crate::judge::sources::Subject;
use crate::judge::validator::{Checked, Feedback, Pass, Prepared, Validator, ValidatorError};
use crate::judge::{Decision, Ruling, near_time_limit, rule_on_facts};
use crate::language::Languages;
use crate::limits::{Bytes, JudgeLimits, Usage};
use crate::problem::grading::Grade;
use crate::problem::{
    Arguments, CasePoints, Checker, Problem, ProblemKind, Program, SubmissionId, TestGroup, TestId, TokenOptions,
};
use crate::ruleset::Ruleset;
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
    /// How the outputs of the case that has this input are compared where there is no output validator.
    pub fn checker_for(&self, problem: &Problem, group: &TestGroup, input: &Path) -> Checker {
        self.checker_as(problem.ruleset(), problem, group, input)
    }

    fn checker_as(&self, ruleset: Ruleset, problem: &Problem, group: &TestGroup, input: &Path) -> Checker {
        let stated = group.checker_for(input).or(problem.checker);
        let stated = stated.filter(|_| !self.settings.origin("checker").outranks_problem());
        match stated.unwrap_or(self.settings.checker) {
            Checker::Tokens(options) => Checker::Tokens(TokenOptions { numbers: ruleset.numbers(), ..options }),
            Checker::Exact => Checker::Exact,
        }
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
        let terms = |ruleset| {
            let mut limits = self.settings.limits_as(ruleset, problem, group, &artifact.language);
            limits.processes = limits.processes.max(artifact.processes);
            Terms { ruleset, limits, checker: self.checker_as(ruleset, problem, group, &input) }
        };
        let every_judge = self.settings.judge == JudgeChoice::All;
        let Terms { ruleset, limits, checker } = terms(problem.ruleset());
        let others = Ruleset::ALL.into_iter().filter(|other| every_judge && *other != ruleset).map(terms).collect();
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
            ruleset,
            others,
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
    /// Whose rules hold.
    pub ruleset: Ruleset,
    /// By what other judges would judge, where that is asked.
    pub others: Vec<Terms>,
    /// What the submission and the output validator are called with.
    pub arguments: Arguments,
    /// Files that the submission finds in its working directory: their names there, and where they are.
    pub files: Vec<(PathBuf, PathBuf)>,
}

impl Case {
    /// The output validator of this number as it is run on this case.
    pub(super) fn validator<'a>(&'a self, number: usize, artifact: &'a Artifact, workshop: &Workshop) -> Validator<'a> {
        let path = self.problem.output_validators.get(number).and_then(|program| program.path());
        let name = path.map_or("the output validator".into(), Path::to_string_lossy);
        let limits = workshop.output_validation_limits(&self.problem);
        Validator { name, artifact, arguments: &self.arguments.output_validator, files: &[], limits }
    }

    /// The names of the output validators, for messages.
    fn validator_names(&self) -> impl Iterator<Item = String> {
        let name = |program: &Program| program.path().map(|path| path.display().to_string()).unwrap_or_default();
        self.problem.output_validators.iter().map(name)
    }

    /// The answer, or an empty file where there is none.
    pub(super) fn answer(&self) -> &Path {
        self.answer.as_deref().unwrap_or(Path::new("/dev/null"))
    }

    /// The points of an execution; none where only its group has some. An error is a fault of the output validator.
    pub fn points_for(&self, findings: &Findings) -> Result<Option<f64>, String> {
        let verdict = findings.ruling.as_ref().map_or(Verdict::Accepted, |ruling| ruling.0);
        let Feedback { score, multiplier, .. } = &findings.feedback;
        points::of_case(self.points, verdict, score.as_deref(), multiplier.as_deref()).map_err(|fault| {
            let names: Vec<String> = self.validator_names().collect();
            if names.is_empty() { fault } else { format!("{}: {fault}", names.join(", ")) }
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
    /// What other judges would say, where that is asked.
    #[serde(skip)]
    pub others: Vec<Opinion>,
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
        let findings = Findings::ruled((Verdict::WrongAnswer, NO_ANSWER.to_owned()));
        Self { outcome: not_run(), findings, kept: Kept::new(Output::Bytes(Vec::new()), Vec::new()) }
    }

    /// Keeps the input, the answer and what was printed in `.grader/last/`; the common stem, or none where that cannot
    /// be.
    pub fn keep(&self, last: &LastRun, case: &Case, submission: &SubmissionId, test: &TestId) -> Option<PathBuf> {
        keep::write(last, (&case.problem.id, submission, test), case, &self.kept).ok()
    }

    /// Whether it was run and shown only, as there is nothing to judge it by.
    pub(super) fn is_unanswered(&self, case: &Case) -> bool {
        let validators = case.answer.is_some() || case.problem.kind.is_led_by_validator();
        !validators && self.findings.ruling.is_none() && self.findings.feedback == Feedback::default()
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

    /// Shows a submission to a static validator.
    pub(super) fn check_sources(
        &mut self,
        validator: &Validator<'_>,
        subject: &Subject<'_>,
    ) -> Result<Checked, ValidatorError> {
        validator.check_sources(subject, &mut *self.sandbox)
    }

    /// Asks a grader about the results in a group, or remembers what it said.
    pub(super) fn grade(&mut self, grader: &Validator<'_>, results: &str) -> Result<Grade, ValidatorError> {
        recall::graded(self.workshop, grader, results, &mut *self.sandbox)
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
        Ok(Printed { ruling: rule_on_facts(&outcome, limits, Ruleset::default()), outcome, output, stderr, workdir })
    }

    /// Runs a program on a case and judges it; `validators` are the problem's output validators. An error is a fault of
    /// ours.
    pub fn judge(&mut self, case: &Case, artifact: &Artifact, validators: &[&Artifact]) -> Result<Judged, String> {
        let kind = case.problem.kind;
        match (kind, validators) {
            (ProblemKind::SubmitAnswer, _) => Err("a submission is the answers here: no program is run".to_owned()),
            (_, [judge]) if kind.is_multi_pass() => self.pass_by_pass(case, artifact, judge),
            (_, [_, ..]) if kind.is_multi_pass() || kind.is_interactive() => {
                let pass = Pass { input: &case.input, answer: case.answer(), feedback: None };
                let [judge] = validators else {
                    return Err(format!("a problem of type {} needs one output validator", kind.name()));
                };
                self.pass(case, &pass, artifact, judge, Transcript::default()).map(|ran| ran.judged)
            }
            (_, []) if kind.is_led_by_validator() => {
                Err(format!("a problem of type {} needs an output validator", kind.name()))
            }
            (_, []) => self.compared(case, artifact),
            (_, validators) => {
                let request = self.request(case, artifact)?;
                let pass = Pass { input: &case.input, answer: case.answer(), feedback: None };
                self.validated(case, &pass, &request, validators).map(|(judged, _)| judged)
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
    ) -> Result<Ran, String> {
        let request = self.request(case, artifact)?;
        if case.problem.kind.is_interactive() {
            return self.interactive(case, pass, &request, judge, transcript);
        }
        let (judged, validator) = self.validated(case, pass, &request, &[judge])?;
        Ok(Ran { judged, validator, transcript })
    }

    /// Judges an output that was handed in: no program is run, and its file is not kept among the results. An output
    /// above the limit is OLE, as if a program had printed it. An error is a fault of ours.
    pub fn judge_output(&mut self, case: &Case, output: File, validators: &[&Artifact]) -> Result<Judged, String> {
        let unreadable = |error: std::io::Error| format!("cannot read an output: {error}");
        let size = output.metadata().map_err(unreadable)?.len();
        let mut outcome = not_run();
        outcome.killed = (size > case.limits.output.0).then_some(Kill::Output);
        if validators.is_empty() {
            return compare_file(case, outcome, output);
        }
        if let Some(ruling) = case.rule_on_facts(&outcome) {
            let kept = Kept::new(Output::File(output), Vec::new());
            let others = opinions(case, &outcome, |_| None);
            return Ok(Judged { outcome, findings: Findings { others, ..Findings::ruled(ruling) }, kept });
        }
        let pass = Pass { input: &case.input, answer: case.answer(), feedback: None };
        self.ask(case, &pass, outcome, (output, Vec::new()), validators).map(|(judged, _)| judged)
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
        validators: &[&Artifact],
    ) -> Result<Option<Ruling>, String> {
        let key = recall::output_key(self.workshop, case, output, validators);
        recall::remembered(self.workshop, key, || {
            let judged = self.judge_output(case, open(output)?, validators)?;
            if judged.outcome.killed == Some(Kill::Cancelled) {
                return Err("cancelled".to_owned());
            }
            case.points_for(&judged.findings)?;
            Ok(judged.findings.ruling)
        })
    }

    /// Lets a script of the shell be the submission on a case, or remembers that all was well: whether an output validator
    /// that leads keeps to the protocol whatever it is told. `text` is a file of the case that the script shows. An error
    /// is a fault of the validator, or of ours.
    pub fn probe(&mut self, case: &Case, script: &str, text: &Path, validators: &[&Artifact]) -> Result<(), String> {
        let key = recall::probe_key(self.workshop, case, (script, text), validators);
        recall::remembered(self.workshop, key, || {
            let judged = self.judge(case, &stand_in(&self.workshop.tools, script), validators)?;
            if judged.outcome.killed == Some(Kill::Cancelled) {
                return Err("cancelled".to_owned());
            }
            case.points_for(&judged.findings).map(drop)
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
        Ok(Request { argv, env, place, limits: case.kill_points(), core: self.core })
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
        sink.add_others(case).map_err(|error| format!("cannot read an answer: {error}"))?;
        let outcome =
            self.sandbox.run(Side::Submission, request, stdin, &mut sink).map_err(|error| error_chain(&error))?;
        let unreadable =
            |error: std::io::Error| format!("{}: {error}", case.answer.as_deref().unwrap_or(&case.input).display());
        Ok(judge_comparison(case, outcome, sink.finish().map_err(unreadable)?))
    }

    /// Keeps the output in a file, then asks the output validators.
    fn validated(
        &mut self,
        case: &Case,
        pass: &Pass<'_>,
        request: &Request,
        validators: &[&Artifact],
    ) -> Result<(Judged, Option<Prepared>), String> {
        let stdin = open(pass.input)?;
        let mut spool = Spool::new()?;
        let outcome =
            self.sandbox.run(Side::Submission, request, stdin, &mut spool).map_err(|error| error_chain(&error))?;
        self.ask(case, pass, outcome, spool.finish()?, validators)
    }

    /// Asks the output validators about an output, unless the facts decide: all of them, because a broken one is a judge
    /// error whatever the others say.
    fn ask(
        &mut self,
        case: &Case,
        pass: &Pass<'_>,
        mut outcome: Outcome,
        (output, stderr): (File, Vec<u8>),
        validators: &[&Artifact],
    ) -> Result<(Judged, Option<Prepared>), String> {
        let mut asked = None;
        let mut findings = Findings { ruling: case.rule_on_facts(&outcome), ..Findings::default() };
        // Somebody else may give more time.
        let decided = findings.ruling.is_some();
        let undecided = !decided || case.others.iter().any(|terms| terms.rule_on_facts(&outcome).is_none());
        if undecided && outcome.killed.is_none() {
            let mut rejects = false;
            for (number, judge) in validators.iter().enumerate() {
                let validator = case.validator(number, judge, self.workshop);
                let mut copy = output.try_clone().map_err(|error| format!("cannot read back an output: {error}"))?;
                // A copy shares its place in the file with what the validator before has read.
                copy.rewind().map_err(|error| format!("cannot read back an output: {error}"))?;
                let prepared = validator.prepare(pass, &mut *self.sandbox).map_err(|error| error_chain(&error))?;
                match validator.check_output(&prepared, copy, &mut *self.sandbox) {
                    Ok(Checked { decision, feedback, reason }) => {
                        rejects |= decision == Decision::Reject;
                        findings.others = opinions(case, &outcome, |_| Some(!rejects));
                        if !decided {
                            if decision == Decision::Reject {
                                let reason = reason.unwrap_or_else(|| "rejected by the output validator".to_owned());
                                findings.ruling.get_or_insert((Verdict::WrongAnswer, reason));
                            }
                            let added = findings.feedback.add(feedback);
                            added.map_err(|fault| format!("{}: {fault}", validator.name))?;
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
                    Err(error) => return Err(error_chain(&error)),
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
        request: &Request,
        judge: &Artifact,
        transcript: Transcript,
    ) -> Result<Ran, String> {
        let validator = case.validator(0, judge, self.workshop);
        let prepared = validator.prepare(pass, &mut *self.sandbox).map_err(|error| error_chain(&error))?;
        let talked = talk(request, &case.limits, case.ruleset, &validator, &prepared, transcript, &mut *self.sandbox);
        let Talked { interaction, mut ruling, mut feedback, reason: said, transcript } =
            talked.map_err(|error| error_chain(&error))?;
        match (&mut ruling, said) {
            (Some((Verdict::WrongAnswer, reason)), Some(said)) => *reason = said,
            // Points that it gave before the submission failed by itself are none, and no fault.
            (Some((verdict, _)), _) if *verdict != Verdict::WrongAnswer => feedback.take_points(),
            _ => {}
        }
        let others = of_interaction(case, &interaction, &validator.limits);
        let findings = Findings { ruling, feedback, others, ..Findings::default() };
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
    let unreadable = |error: std::io::Error| format!("cannot read an answer: {error}");
    let mut sink = Compare::new(checker, answer);
    sink.add_others(case).map_err(unreadable)?;
    let mut output = output.take(case.limits.output.0);
    let mut chunk = vec![0; 64 << 10];
    loop {
        match output.read(&mut chunk).map_err(|error| format!("cannot read an output: {error}"))? {
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
