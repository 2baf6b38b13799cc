//! Conducts one run, from the selection to the saved record: connects the engine, the store and the reporters.
//!
//! Its files, in the order of a run:
//!
//! - `searching`: the directories in which problems are searched
//! - `archives`: problems in archives
//! - `select`: from words to a plan
//! - `authored`: problems whose cases a command changes
//! - `completion`: inputs and answers that packages lack
//! - `derived_limits`, `bounds`: time limits that follow from submissions
//! - `sanitize`: the submissions of a run under sanitizers
//! - `isolation`, `known_isolation`, `hard_limits`, `cores`: the slots: their layer, limits and cores
//! - `slot`: one slot for single programs
//! - `scratch`: the directory of a run
//! - `runner`: runs the programs of a session here or elsewhere
//! - `taken_apart`: which assertions are judged by calls
//! - `load`: how much of the machine other programs use
//! - `brake`: ends a run early
//! - `inner_progress`: a run that a command makes for itself
//! - `records`, `history_entry`: earlier runs
//! - `replay`: shows an earlier run again
//! - `comparison`: the differences between two runs
//! - `repetition`: the unexpected results of a run, to repeat them
//! - `listing`: the document of `grader list`
//! - `background`, `past`: the data that a page shows besides its run
//! - `part`, `result_key`, `fingerprints`: a part of a run on several machines, the keys of its jobs, and how two parts
//!   differ

pub(crate) mod archives;
pub(crate) mod authored;
mod background;
pub(crate) mod bounds;
pub(crate) mod brake;
pub(crate) mod comparison;
pub(crate) mod completion;
pub(crate) mod cores;
pub(crate) mod derived_limits;
pub(crate) mod fingerprints;
pub(crate) mod hard_limits;
pub(crate) mod history_entry;
pub(crate) mod inner_progress;
pub(crate) mod isolation;
pub(crate) mod kept_files;
pub(crate) mod known_isolation;
pub(crate) mod listing;
pub(crate) mod load;
mod part;
pub(crate) mod past;
pub(crate) mod records;
pub(crate) mod reference_check;
pub(crate) mod repetition;
pub(crate) mod replay;
pub(crate) mod result_key;
mod runner;
pub(crate) mod sanitize;
pub(crate) mod scratch;
pub(crate) mod searching;
pub(crate) mod select;
pub(crate) mod slot;
pub(crate) mod taken_apart;

use std::collections::BTreeSet;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::config::Settings;
use crate::course::Lateness;
use crate::diagnostic::Diagnostic;
use crate::event::{
    Command, DISTURBING, Event, GradeColumn, GradePolicy, HostFacts, LeftOut, MarginFactors, Message, Override,
    ProblemHead, RosterStudent, RunFacts, RunFinished, RunStarted, SCHEMA, SubmissionHead, Update, Verb,
};
use crate::interrupt::Handlers;
use crate::ledger::Ledger;
use crate::limits::Limits;
use crate::plan::{Plan, PlannedSubmission};
use crate::problem::{PackageLayout, Problem, ProblemId, ProblemKind, Program, Submission, Test};
use crate::record::{Recorder, Report, Reporter};
use crate::report::jsonl::Jsonl;
use crate::report::text::{quote, quote_option};
use crate::sandbox::{ControlGroups, Isolation};
use crate::score::time_limit::Bounding;
use crate::store::Store;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;
use crate::workspace::notices::{groups_notice, store_notice};
use archives::{Archives, UnpackedArchives, take_out_answers};
use brake::Brake;
use derived_limits::{DerivedLimits, LimitsFrom, time_limits};
use known_isolation::Proofs;
use load::Load;
use runner::{Here, SessionRunner, There};
use sanitize::Sanitizable;
use scratch::Scratch;
use select::{Choice, ChosenPlan, Programs, choose};

/// The grader collects messages for this long and then reports them together.
const BATCH: Duration = Duration::from_millis(5);

/// The caveat of a run of the user's own command.
const AT_DESK: &str = "without isolation: your own command (--isolation puts it in the sandbox)";

/// A run that is planned but not started.
pub struct Session {
    /// The settings, languages and wanted isolation.
    pub(crate) workspace: Workspace,
    /// The starter of the run.
    pub(crate) role: Role,
    /// The options that results depend on, for the commands that repeat the run.
    pub(crate) options: Vec<String>,
    /// The language of every submission, if one was named.
    pub(crate) language: Option<String>,
    /// Diagnostics about the selected problems.
    pub(crate) found: Vec<Diagnostic>,
    /// A caveat about its figures, beside that of the isolation; empty if they are measurements.
    pub(crate) caveat: String,
    /// The source of each derived time limit, for problems that state none.
    pub(crate) limits_from: LimitsFrom,
    /// The plan.
    pub(crate) plan: Arc<Plan>,
    /// The origin of each submission, in plan order. Empty if the submissions belong to the problems.
    pub(crate) submitted: Vec<Authorship>,
    /// Submitted files that cannot be judged.
    pub(crate) left_out: Vec<LeftOut>,
    /// The students of the roster, if there is one.
    pub(crate) roster: Vec<RosterStudent>,
    /// The grades that people changed by hand.
    pub(crate) overrides: Vec<Override>,
    /// The columns of grades in the list that is the roster.
    pub(crate) grade_columns: Vec<GradeColumn>,
    /// The part of the plan that runs. None if all of it runs.
    pub(crate) work: Option<Work>,
    /// The problems from archives, and the directories of made tests.
    pub(crate) unpacked: UnpackedArchives,
    /// Ends the run early.
    pub(crate) brake: Brake,
}

/// The starter of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// A person, with this command. The run is recorded and becomes the last run; `last/` has the files of its
    /// failures.
    Asked(Command),
    /// Another command, for its own use. The last run stays the one that a person started.
    Inner(Verb),
}

impl Role {
    fn verb(self) -> Verb {
        match self {
            Self::Asked(command) => command.verb(),
            Self::Inner(verb) => verb,
        }
    }

    fn command(self) -> Option<Command> {
        match self {
            Self::Asked(command) => Some(command),
            Self::Inner(_) => None,
        }
    }
}

/// The part of a plan that runs.
pub(crate) struct Work {
    /// The submissions that are run.
    pub(crate) plan: Arc<Plan>,
    /// For each of them, the submissions of the whole plan that get its results.
    pub(crate) stands_for: Vec<Vec<usize>>,
    /// The results of the other submissions, from an earlier run.
    pub(crate) known: Vec<Update>,
}

/// The author of a submitted program, and the arguments that choose it again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Authorship {
    /// The student, if known.
    pub(crate) student: Option<String>,
    /// All students for whom it counts, if there are several.
    pub(crate) authors: Vec<String>,
    /// The arguments that choose it again; empty if it cannot be chosen alone.
    pub(crate) again: String,
    /// Remarks for its author about how it was read.
    pub(crate) remarks: Vec<String>,
    /// Which of several submissions of the student for the problem it is, from 1.
    pub(crate) attempt: Option<u32>,
    /// When it was submitted, if several submissions of a student are judged and the platform states it.
    pub(crate) submitted: Option<String>,
    /// How late it is, if anything says so.
    pub(crate) late: Option<Lateness>,
}

/// How a run ended.
pub(crate) struct RunEnd {
    /// Its report.
    pub(crate) report: Report,
    /// The signal that ended it early.
    pub(crate) signal: Option<i32>,
}

/// Which submissions and tests to run; an empty selection means everything.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Problems, globs, paths of problems, of archives or of programs.
    pub words: Vec<String>,
    /// Submissions, by name, glob or path.
    pub submissions: Vec<String>,
    /// Tests: names, groups, prefixes or globs.
    pub tests: Vec<String>,
    /// A command that runs in place of a submission. It runs outside the sandbox if the workspace is for the user's own
    /// programs ([`Workspace::for_own_programs`]).
    pub command: Option<String>,
    /// A program that judges in place of the problems' own output validators.
    pub output_validator: Option<PathBuf>,
    /// The language of every submission.
    pub language: Option<String>,
}

impl Session {
    /// Finds the selected problems, submissions and tests.
    ///
    /// # Errors
    /// A word matches nothing. Or no problem can be read, and the listener knows why ([`EarlyEnd::Refused`]).
    pub fn open(workspace: Workspace, selection: &Selection) -> Result<Self> {
        let unpacked = UnpackedArchives::new(&workspace.start, &selection.words)?;
        let choice = Choice {
            start: &workspace.start,
            selection: &unpacked.words,
            submissions: &selection.submissions,
            tests: &selection.tests,
            command: selection.command.as_deref(),
            output_validator: selection.output_validator.clone(),
            programs: Programs::Run(selection.language.as_deref()),
        };
        let ChosenPlan { plan, found } = choose(&workspace, &choice)?;
        let found = [workspace.settings.warnings.clone(), unpacked.archives.told(found)].concat();
        if plan.problems.is_empty() {
            workspace.tell_found(&found);
            if found.iter().any(Diagnostic::is_error) {
                return Err(EarlyEnd::Refused.into());
            }
            bail!(
                "nothing to grade here: no problem was found\n  → go to a folder with a solver and `.in` files, or \
                 below a grader.toml"
            );
        }
        let plan = Plan { all_tests: workspace.settings.all_tests, fail_fast: workspace.settings.fail_fast, ..plan };
        let role = Role::Asked(Command::Run);
        let (plan, caveat) = if workspace.settings.sanitize {
            let named = !selection.submissions.is_empty();
            let language = selection.language.as_deref();
            Sanitizable::of(&workspace, &plan, named, language).ready()?
        } else {
            (plan, String::new())
        };
        Ok(Self { caveat, unpacked, ..Self::new(workspace, role, selection.language.clone(), found, plan) })
    }

    /// The plan of the run.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Runs everything and saves the record. Calls `each` with every event as it is recorded, in plan order.
    ///
    /// # Errors
    /// The sandbox or the store cannot be used; a signal came ([`EarlyEnd::Interrupted`]); no problem has a time limit
    /// ([`EarlyEnd::Refused`]).
    pub fn run(self, each: impl FnMut(&Event)) -> Result<Report> {
        self.ready()?.run_with(None, each)
    }

    /// Runs a session whose time limits are known, with an additional reporter.
    pub(crate) fn run_with(self, other: Option<Box<dyn Reporter>>, each: impl FnMut(&Event)) -> Result<Report> {
        let each: Box<dyn Reporter + '_> = Box::new(Each(each));
        let RunEnd { report, signal } = self.conduct(other.into_iter().chain([each]).collect())?;
        match signal {
            Some(signal) => Err(EarlyEnd::Interrupted(signal).into()),
            None => Ok(report),
        }
    }

    /// Gives each problem a time limit. Fails if no problem has one, after telling the listener why.
    pub(crate) fn ready(self) -> Result<Self> {
        let ready = self.with_time_limits()?;
        if ready.plan.problems.is_empty() {
            ready.workspace.tell_found(&ready.found);
            let is_ours = ready.found.iter().any(Diagnostic::is_judge_error);
            return Err(if is_ours { EarlyEnd::JudgeError } else { EarlyEnd::Refused }.into());
        }
        Ok(ready)
    }

    /// Gives each problem a time limit, and drops the problems that get none.
    pub(crate) fn with_time_limits(mut self) -> Result<Self> {
        if let Some(elsewhere) = self.workspace.elsewhere() {
            if self
                .plan
                .submissions
                .iter()
                .any(|submission| matches!(submission.submission.program, Program::Command(_)))
            {
                bail!("a command (`-c`) runs on this machine alone\n  → leave out --engine");
            }
            // The machines that measure must have what the whole run needs, because they also judge it.
            elsewhere.place(&self.workspace, &|| self.needed_languages())?;
        }
        let DerivedLimits { plan, from, found, made } = time_limits(&self.workspace, Plan::clone(&self.plan))?;
        self.plan = Arc::new(plan);
        self.limits_from = from;
        self.unpacked.archives.know(&made);
        self.found.extend(self.unpacked.archives.told(found));
        Ok(self)
    }

    /// Creates a run of problems' own submissions, or of programs named on the command line.
    pub(crate) fn new(
        workspace: Workspace,
        role: Role,
        language: Option<String>,
        found: Vec<Diagnostic>,
        plan: Plan,
    ) -> Self {
        Self {
            workspace,
            role,
            options: Vec::new(),
            language,
            found,
            caveat: String::new(),
            limits_from: LimitsFrom::new(),
            plan: Arc::new(plan),
            submitted: Vec::new(),
            left_out: Vec::new(),
            roster: Vec::new(),
            overrides: Vec::new(),
            grade_columns: Vec::new(),
            work: None,
            unpacked: UnpackedArchives::default(),
            brake: Brake::default(),
        }
    }

    /// Runs everything, and passes all events to the reporters and the record of the run.
    pub(crate) fn conduct<'r>(mut self, mut reporters: Vec<Box<dyn Reporter + 'r>>) -> Result<RunEnd> {
        let handlers = Handlers::of_this_process().context("cannot install signal handlers")?;
        let scratch = Scratch::for_programs()?;
        take_out_answers(&mut self.plan, scratch.path())?;
        let ids = self.workspace.elsewhere().is_some().then(|| self.ids()).transpose()?;
        let (plan, less) = match self.work.take() {
            Some(Work { plan, stands_for, known }) => (plan, Some((stands_for, known))),
            None => (Arc::clone(&self.plan), None),
        };
        let begun = Instant::now();
        // How busy this machine is says nothing about others.
        let load = if ids.is_some() { None } else { Load::at_rest() };
        let is_recorded = self.role.command().is_some();
        let keep_runs = self.workspace.settings.keep_runs;
        let (store, notices) = Store::open(&self.workspace.settings.store_dir());
        let store = Arc::new(store);
        let mut runner: Box<dyn SessionRunner> = match (self.workspace.elsewhere().cloned(), ids) {
            (Some(elsewhere), Some(ids)) => {
                Box::new(There::new(&self, elsewhere, plan, ids, &store, less.as_ref().map(|(same, _)| &same[..]))?)
            }
            _ => Box::new(Here::new(&self, plan, &store, scratch.path(), load)?),
        };
        let place = runner.place();
        let isolation = place.isolation;
        let head = self.head(&store, place.isolation, place.facts);
        let judged = head.problems.iter().map(|problem| problem.problem.to_string()).collect();
        let weighted = unknown_weights(&self.workspace.settings, head.verb, &judged);
        self.found.splice(0..0, weighted);
        let mut first: Vec<Event> = vec![Event::RunStarted(head)];
        first.extend(place.notices.into_iter().map(Event::Notice));
        let found = self.unpacked.archives.told(std::mem::take(&mut self.found));
        first.extend(found.iter().map(|found| Event::Notice(found.clone().placed_in_words())));
        first.extend(notices.iter().map(|notice| Event::Notice(store_notice(notice))));
        if is_recorded {
            reporters.push(Box::new(Jsonl::new(BufWriter::new(store.begin_run()))));
        }
        let mut recorder = Recorder::new(reporters);
        let (stands_for, known) = less.unzip();
        let known = known.unwrap_or_default();
        let spread_out =
            |message: Message| spread(self.unpacked.archives.shown_in(message), stands_for.as_deref(), &self.plan);
        let stop = runner.stopper();
        handlers.cancels(stop);
        self.brake.stops(runner.stopper());
        let stop = runner.stopper();
        let (outcome, ran) = std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let run = scope.spawn(move || runner.run(&sender));
            let outcome = first.into_iter().try_for_each(|event| recorder.record(event));
            let outcome = outcome.and_then(|()| {
                // A result of an earlier run needs no slot, and follows the same rules.
                let mut ledger = (!known.is_empty()).then(|| Ledger::new(&self.plan));
                let messages_of = |update| ledger.as_mut().map(|ledger| ledger.messages(update));
                known.into_iter().filter_map(messages_of).flatten().try_for_each(|message| recorder.push(message))
            });
            let mut messages = in_batches(receiver).flat_map(spread_out);
            let outcome = outcome.and_then(|()| messages.try_for_each(|message| recorder.push(message)));
            // A reporter failed, so the run ends.
            let outcome = outcome.inspect_err(|_| stop());
            (outcome, run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        // Results are saved even if a reporter failed.
        store.flush();
        outcome?;
        let groups = ran?;
        for notice in store.take_notices() {
            recorder.push(Message::Update(Update::Notice(store_notice(&notice))))?;
        }
        if let Some(notice) = groups_notice(&groups) {
            recorder.push(Message::Update(Update::Notice(notice)))?;
        }
        self.workspace.tell_of_own_testlib();
        let signal = handlers.signal();
        // All keepers have been waited for, so the load of this process is complete.
        let measured = RunFacts::new(begun.elapsed(), others(Load::at_rest(), load));
        let measured = RunFacts { limits_memory: ControlGroups::limit_memory(&groups), ..measured };
        recorder.end(RunFinished { interrupted: signal.is_some() || self.brake.is_pulled(), measured })?;
        let (mut report, unwritten) = recorder.finish()?;
        self.workspace.tell_found(&unwritten);
        report.notices.extend(unwritten);
        if report.has_judge_errors() {
            // A judge error may mean that the isolation no longer works.
            Proofs::new(&store, true).forget(isolation);
        }
        if is_recorded {
            history_entry::keep(&store, keep_runs);
        }
        Ok(RunEnd { report, signal })
    }

    /// The limits of all programs that may run.
    fn limits(&self) -> Vec<Limits> {
        let settings = &self.workspace.settings;
        let languages = || settings.languages.limits.keys().map(String::as_str).chain([""]);
        let of_problem = |problem: &Problem| {
            let of_group = |group| languages().map(move |id| settings.limits_for(problem, group, id).kill);
            let own: Vec<Limits> = problem.groups.iter().flat_map(of_group).collect();
            own.into_iter().chain([settings.output_validation_limits(problem)])
        };
        let of_problems = self.plan.problems.iter().flat_map(|planned| of_problem(&planned.problem));
        of_problems.chain([settings.compile_limits(), settings.validation_limits()]).collect()
    }

    /// The directories whose contents programs must not see.
    fn places(&self) -> Vec<PathBuf> {
        let problems = self.plan.problems.iter().map(|planned| &planned.problem);
        let dirs = problems.flat_map(|problem| problem.groups.iter().map(|group| &group.dir).chain([&problem.dir]));
        let programs =
            self.plan.submissions.iter().filter_map(|submission| submission.submission.program.path()?.parent());
        let mut places: Vec<PathBuf> = dirs.map(PathBuf::as_path).chain(programs).map(Path::to_owned).collect();
        places.push(self.workspace.settings.store_dir());
        places.sort();
        places.dedup();
        places
    }

    /// Whether a command of the user (`-c`) runs with the user's own rights.
    fn has_command_at_desk(&self) -> bool {
        let is_command = |submission: &PlannedSubmission| matches!(submission.submission.program, Program::Command(_));
        self.workspace.author.desk_of_commands().is_some() && self.plan.submissions.iter().any(is_command)
    }

    fn head(&self, store: &Store, isolation: Isolation, measured: HostFacts) -> RunStarted {
        let (isolation, caveat) =
            if self.has_command_at_desk() { (Isolation::None, AT_DESK) } else { (isolation, isolation.caveat()) };
        let last = last_walls(store, &self.plan);
        let submitted = |each: &PlannedSubmission| self.submitted.get(each.id.index.0);
        let again = |problem: &Problem, each: &PlannedSubmission| {
            let chosen = match (submitted(each), &each.submission.program) {
                (Some(submitted), _) => submitted.again.clone(),
                (None, Program::Command(command)) => quote_option("-c", command),
                _ => quote_option("-s", &word_of(problem, &each.submission)),
            };
            // If no arguments choose the submission, options alone would not either.
            let options = self.options.iter().filter(|_| !chosen.is_empty()).map(|word| quote(word));
            [chosen.clone()].into_iter().chain(options).collect::<Vec<_>>().join(" ")
        };
        let sanitize = self.workspace.settings.sanitize;
        let problems = self.plan.problems.iter().map(|planned| {
            let problem = &planned.problem;
            let limits = problem.groups.first().map(|group| self.workspace.settings.limits_for(problem, group, ""));
            let accepted_only = problem.only_accepted_bound_its_time();
            let patterns = |side: Option<Bounding>| side.map(|side| side.patterns().to_vec()).unwrap_or_default();
            let submissions = self.plan.submissions[planned.submissions.clone()].iter().map(|each| SubmissionHead {
                submission: each.id.submission.clone(),
                expected: each.submission.expectation.summary(),
                open: each.submission.expectation.is_open(),
                within_limit: patterns(Bounding::below(&each.submission.expectation, accepted_only)),
                over_limit: patterns(Bounding::above(&each.submission.expectation)),
                reference: each.reference,
                again: again(problem, each),
                student: submitted(each).and_then(|submitted| submitted.student.clone()),
                authors: submitted(each).map(|submitted| submitted.authors.clone()).unwrap_or_default(),
                attempt: submitted(each).and_then(|submitted| submitted.attempt),
                submitted: submitted(each).and_then(|submitted| submitted.submitted.clone()),
                late: match submitted(each).and_then(|submitted| submitted.late) {
                    Some(Lateness::By(late)) => Some(late),
                    Some(Lateness::Unknown) | None => None,
                },
                called_late: submitted(each).and_then(|submitted| submitted.late) == Some(Lateness::Unknown),
                remarks: submitted(each).map(|submitted| submitted.remarks.clone()).unwrap_or_default(),
                source: each.submission.source().map(|path| self.unpacked.archives.shown(&path)),
                last_wall: last.get(each.id.index.0).copied().flatten(),
            });
            ProblemHead {
                problem: problem.id.clone(),
                title: problem.title.clone(),
                chosen_by: chosen_by(&self.workspace, &self.unpacked.archives, &problem.id, &problem.dir),
                label: problem.label.clone(),
                time_limit: limits.map_or(self.workspace.settings.time_limit, |limits| limits.time),
                time_limit_from: self.limits_from.get(&problem.id).filter(|_| !sanitize).cloned(),
                // The limit of a plain folder was not chosen with its submissions in mind, and sanitizers change times.
                margins: (problem.layout != PackageLayout::Plain && !sanitize).then(|| MarginFactors {
                    ac_to_time_limit: problem.distances.ac_to_time_limit,
                    time_limit_to_tle: problem.distances.time_limit_to_tle,
                    killed_at: self.workspace.settings.kill_factor(problem),
                }),
                memory: limits.map_or(self.workspace.settings.memory, |limits| limits.kill.memory),
                outputs: problem.kind == ProblemKind::SubmitAnswer
                    || are_outputs(&self.plan.submissions[planned.submissions.clone()]),
                tests: planned.tests.len(),
                samples: planned
                    .each_test()
                    .filter_map(|at| planned.test(at))
                    .filter(|test| test.is_sample() && !test.group().holds_samples())
                    .map(Test::id)
                    .collect(),
                test_points: planned
                    .each_test()
                    .filter_map(|at| planned.test(at))
                    .filter_map(|test| Some((test.id(), problem.own_points_of(test)?)))
                    .collect(),
                max_score: planned.max_score(),
                grading: GradePolicy {
                    partial: self.workspace.settings.partial,
                    weight: self.workspace.settings.weights.get(problem.id.as_str()).copied().unwrap_or(1.0),
                    late: self.workspace.settings.late.penalty(),
                },
                submissions: submissions.map(Arc::new).collect(),
            }
        });
        RunStarted {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            verb: self.role.verb(),
            command: self.role.command().unwrap_or_default(),
            isolation: isolation.name().to_owned(),
            caveat: [caveat, &self.caveat]
                .into_iter()
                .filter(|caveat| !caveat.is_empty())
                .collect::<Vec<_>>()
                .join("; "),
            sanitize,
            problems: problems.map(Arc::new).collect(),
            left_out: self.left_out.clone(),
            roster: self.roster.clone(),
            overrides: self.overrides.clone(),
            grade_columns: self.grade_columns.clone(),
            missing: self.workspace.settings.missing,
            measured,
        }
    }
}

/// A warning if weights are for problems that are not judged: a mistyped name would change nothing, unseen. `judged`:
/// the names of the problems of the run.
fn unknown_weights(settings: &Settings, verb: Verb, judged: &BTreeSet<String>) -> Option<Diagnostic> {
    let unknown: Vec<&str> =
        settings.weights.keys().map(String::as_str).filter(|name| !judged.contains(*name)).collect();
    let file = settings.file.as_ref().unwrap_or(&settings.base);
    (verb == Verb::Judge && !unknown.is_empty()).then(|| {
        let message = format!("`weights` names what is not a problem of this run: {}", unknown.join(", "));
        Diagnostic::warning(file, message).remedy("use the names in the head of the table")
    })
}

/// Passes every recorded event to a function.
struct Each<F>(F);

impl<F: FnMut(&Event)> Reporter for Each<F> {
    fn recorded(&mut self, event: &Event, _: &Report) -> std::io::Result<()> {
        (self.0)(event);
        Ok(())
    }

    fn finish(&mut self, _: &Report) -> std::io::Result<()> {
        Ok(())
    }
}

/// The share of the machine that other processes used between two moments; None if unknown.
fn others(now: Option<Load>, before: Option<Load>) -> Option<f64> {
    now?.others_since(&before?)
}

/// Whether other processes use the machine so much that they disturb measurements.
pub(crate) fn is_busy(since: Option<Load>) -> bool {
    others(Load::now(), since).is_some_and(|share| share > DISTURBING)
}

/// Whether there are submissions and all are outputs, as for `grader check`.
fn are_outputs(submissions: &[PlannedSubmission]) -> bool {
    let is_outputs = |submission: &PlannedSubmission| {
        matches!(submission.submission.program, Program::Outputs(_) | Program::PackedOutputs { .. })
    };
    !submissions.is_empty() && submissions.iter().all(is_outputs)
}

/// The argument of `-s` that chooses a submission of a plan again. It is the name, or the path of a program from
/// elsewhere. If the problem has a submission with the same name, the path begins with `./`, which no name does.
pub(crate) fn word_of(problem: &Problem, submission: &Submission) -> String {
    let word = submission.id.as_str();
    let Some(own) = problem.submissions.iter().find(|own| own.id == submission.id) else { return word.to_owned() };
    let is_elsewhere = submission.program.path().is_some_and(|path| own.program.path() != Some(path));
    if is_elsewhere { format!("./{word}") } else { word.to_owned() }
}

/// The word that chooses the problem in this directory, if its name alone does not. The name does not suffice if the
/// directory is not searched, or if something else with that name is in the start directory.
pub(crate) fn chosen_by(workspace: &Workspace, archives: &Archives, id: &ProblemId, dir: &Path) -> Option<String> {
    if let Some(typed) = archives.typed_for(dir) {
        return Some(typed.to_owned());
    }
    let roots = workspace.settings.problem_roots();
    let is_found = roots.iter().any(|root| dir.starts_with(root));
    let has_roots = workspace.settings.file.is_some() || roots.iter().any(|root| root.is_dir());
    let stands_there = dir == workspace.start && !has_roots;
    let other = workspace.start.join(id.as_str());
    if (is_found || stands_there) && (other == dir || !other.exists()) {
        return None;
    }
    let path = dir.strip_prefix(&workspace.start).unwrap_or(dir);
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let path = path.display().to_string();
    // In the parent folder, the path of a problem is its name.
    (path != id.as_str()).then_some(path)
}

/// The last known mean duration of each submission's tests.
fn last_walls(store: &Store, plan: &Plan) -> Vec<Option<Duration>> {
    let subject = |submission: &PlannedSubmission| {
        history_entry::subject(submission.id.problem.as_str(), submission.id.submission.as_str())
    };
    store.durations(&plan.submissions.iter().map(subject).collect::<Vec<_>>())
}

/// Returns messages in order, in batches of a few milliseconds: waking up for each one costs more than reporting it.
fn in_batches(messages: mpsc::Receiver<Message>) -> impl Iterator<Item = Message> {
    std::iter::from_fn(move || match messages.try_recv() {
        Ok(message) => Some(message),
        Err(mpsc::TryRecvError::Disconnected) => None,
        Err(mpsc::TryRecvError::Empty) => {
            std::thread::sleep(BATCH);
            // An error means that the channel is closed: the engine has ended.
            messages.recv().ok()
        }
    })
}

/// Copies a message for each submission that shares its results.
fn spread(message: Message, stands_for: Option<&[Vec<usize>]>, plan: &Plan) -> Vec<Message> {
    let Some(stands_for) = stands_for else { return vec![message] };
    let Some(of) = message.of().map(|of| of.index) else { return vec![message] };
    let for_submission = |submission: &usize| message.clone().about(plan.submissions[*submission].id.clone());
    stands_for[of].iter().map(for_submission).collect()
}
