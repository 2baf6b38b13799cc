//! Carries out a plan: starts the executors, hands out jobs, handles cancellation and sends messages. Starts one thread
//! for each slot.
//!
//! Its files:
//!
//! - `schedule`: decides what is next; it has no threads
//! - `second_look`, `quiet`: which tests get a second look; lets one test run alone
//! - `executor`: does one job on a slot
//! - `bench`: builds, runs and judges one program on one input; knows no plan. It wraps `judge` in the store
//! - `validator_cache`, `overdue`: the answers of validators; validators that are not asked again
//! - `recall`: the cache of executions
//! - `resources`: the resources that all slots share
//! - `result`, `failure_files`: a judgement with its files; the files of failures
//! - `static_validation`: tests that judge sources

pub mod bench;
mod executor;
mod failure_files;
pub mod overdue;
mod quiet;
mod recall;
mod resources;
mod result;
mod schedule;
mod second_look;
mod static_validation;
mod validator_cache;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use crate::compile::{Artifact, Build};
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::{
    BuildFinished, BuildIndex, Event, GroupGraded, Message, ProblemIndex, SubmissionIndex, TestIndex, TestRef,
    TestResult, Update,
};
use crate::judge::Case;
use crate::plan::Plan;
use crate::sandbox::{Canceller, ControlGroups, Sandbox};
use crate::score::grading::Question;
use crate::score::mark::Mark;
use crate::store::LastRun;
use crate::verdict::Verdict;
use executor::{Executor, FirstLook, Programs};
pub use failure_files::keep_case;
pub use quiet::Quiet;
use recall::Memory;
use resources::Resources;
use schedule::{Job, Next, Role, Schedule};
use second_look::Doubt;

/// The inputs of a run.
pub struct Context {
    /// The plan to carry out.
    pub plan: Arc<Plan>,
    /// The settings, languages, tools and store that all slots share.
    pub resources: Arc<Resources>,
    /// Coordinates all executions of this process, also those of other runs, so that a job can run alone.
    pub quiet: Arc<Quiet>,
    /// The directory for the files of failed tests; none if they cannot be kept.
    pub last: Option<LastRun>,
    /// The logical CPU of each slot, on which its submissions run. If empty, they run on any.
    pub cores: Vec<usize>,
    /// How long a test of each submission took in an earlier run, in plan order; none if unknown.
    pub last_walls: Vec<Option<Duration>>,
    /// The language named for every submission (`--lang`).
    pub language: Option<String>,
    /// Reports whether other programs keep the machine so busy that times over the limit need a second look. Set only
    /// if nothing is expected of submissions.
    pub is_disturbed: Option<DisturbanceProbe>,
}

/// Returns whether other programs disturb the times of the run. Any executor may call it.
pub type DisturbanceProbe = Box<dyn Fn() -> bool + Send + Sync>;

impl Context {
    /// Creates a test case for a planned submission with its own limits; none if that test is not a case. Runs and
    /// look-ups both call it, so that they judge by the same limits.
    fn case(&self, submission: SubmissionIndex, ordinal: TestIndex, artifact: &Artifact) -> Option<Case> {
        let planned = &self.plan.submissions[submission];
        let of = &self.plan.problems[planned.problem];
        let (group, case) = of.test(ordinal)?.case()?;
        let case = self.resources.case(&of.problem, group.case_input(case), group.answer_of(case), artifact);
        Some(case.with_time_factor(planned.time_factor))
    }
}

/// A run that is ready to start.
pub struct Engine {
    shared: Arc<RunState>,
}

/// The state that the executors share.
struct RunState {
    context: Context,
    state: Mutex<LockedRunState>,
    changed: Condvar,
}

struct LockedRunState {
    schedule: Schedule,
    /// For each slot, the handle to cancel its current job, and that job.
    slots: Vec<(Canceller, Option<Job>)>,
    /// Results that wait for a second look, by submission and test.
    held: BTreeMap<(SubmissionIndex, TestIndex), HeldResult>,
}

/// A result over the time limit, for a test that must be accepted.
struct HeldResult {
    result: TestResult,
    /// None if the result is already in the store, or must not be stored.
    memory: Option<Memory>,
}

/// Ends a run early from another thread. It does not keep the engine alive: the thread that waits for signals never
/// ends, but the engine's temporary builds and store must be released with the run.
#[derive(Clone)]
pub struct Stopper(Weak<RunState>);

impl Stopper {
    /// Kills the running programs and stops handing out jobs.
    pub fn stop(&self) {
        let Some(shared) = self.0.upgrade() else { return };
        let mut state = shared.lock();
        state.schedule.cancel();
        for (canceller, _) in &state.slots {
            canceller.cancel();
        }
        drop(state);
        shared.changed.notify_all();
        shared.context.quiet.wake();
    }
}

impl Engine {
    /// Sets up a run without starting it.
    pub fn new(context: Context) -> Self {
        let schedule = Schedule::new(&context.plan, &context.last_walls);
        let state = Mutex::new(LockedRunState { schedule, slots: Vec::new(), held: BTreeMap::new() });
        Self { shared: Arc::new(RunState { context, state, changed: Condvar::new() }) }
    }

    /// Returns a handle that ends the run early.
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::downgrade(&self.shared))
    }

    /// Says that so many slots will build all programs of the run: preparing a compiler may be worth it.
    pub fn expect_builds(&self, slots: usize) {
        self.shared.context.resources.prepared.expect(self.shared.lock().schedule.builds(), slots);
    }

    /// Runs the whole plan with one executor for each sandbox, and waits for the end. Returns the control groups of each
    /// sandbox, and what they lack. Executors send their messages to `messages`.
    pub fn run(&self, sandboxes: Vec<Box<dyn Sandbox + '_>>, messages: &Sender<Message>) -> Vec<ControlGroups> {
        let slots: Vec<_> = sandboxes.iter().map(|sandbox| (sandbox.canceller(), None)).collect();
        let mut state = self.shared.lock();
        state.slots = slots;
        drop(state);
        let broken = AtomicBool::new(false);
        let groups = thread::scope(|scope| {
            let start = |(slot, sandbox)| {
                let shared = &*self.shared;
                let guard = Alarm { shared, broken: &broken };
                let messages = messages.clone();
                scope.spawn(move || {
                    let mut executor = Executor::new(&shared.context, sandbox, slot);
                    shared.work(slot, &mut executor, &messages);
                    std::mem::forget(guard);
                    executor.control_groups()
                })
            };
            let executors: Vec<_> = sandboxes.into_iter().enumerate().map(start).collect();
            // An executor that died has set `broken`.
            executors.into_iter().flat_map(|executor| executor.join().unwrap_or_default()).collect()
        });
        if broken.load(Ordering::Relaxed) {
            // If the receiver is gone, the main thread has given up and reports why.
            let message = "a thread of the run ended unexpectedly; the run is incomplete";
            let notice = Diagnostic::new(Severity::JudgeError, message).remedy("report this bug in grader");
            let _ = send(messages, Update::Notice(notice));
        }
        // If the receiver is gone, the rest is not needed.
        let _ = record(messages, self.shared.lock().schedule.close());
        groups
    }
}

/// Wakes all executors when one of them panics. Without this, the run would wait forever.
struct Alarm<'a> {
    shared: &'a RunState,
    broken: &'a AtomicBool,
}

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        self.broken.store(true, Ordering::Relaxed);
        self.shared.lock().schedule.cancel();
        self.shared.changed.notify_all();
        self.shared.context.quiet.wake();
    }
}

impl RunState {
    /// Locks the state, even if the lock is poisoned: every change of the schedule is a single step, and `Alarm`
    /// cancels the schedule.
    fn lock(&self) -> MutexGuard<'_, LockedRunState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs one executor until no work is left or the receiver is gone.
    fn work(&self, slot: usize, executor: &mut Executor<'_>, messages: &Sender<Message>) {
        while let Some(job) = self.take(slot) {
            let begun = self.context.quiet.begin();
            let done = match job {
                Job::Build(build) => self.build(build, executor, messages),
                Job::Recall { submission } => self.recall(submission, messages),
                Job::Validate { problem, ordinal } => self.validate(problem, ordinal, executor, messages),
                Job::Test { submission, ordinal } => self.test(slot, submission, ordinal, executor, messages),
                Job::Look { submission, ordinal } => self.look(slot, submission, ordinal, executor, messages),
                Job::Grade { submission, question } => self.grade(slot, submission, &question, executor, messages),
            };
            drop(begun);
            self.lock().slots[slot].1 = None;
            self.changed.notify_all();
            // The receiver is gone because the main thread has given up.
            if done.is_err() {
                return;
            }
        }
    }

    fn take(&self, slot: usize) -> Option<Job> {
        let mut state = self.lock();
        loop {
            match state.schedule.next() {
                Next::Job(job) => {
                    // Reset under the lock, so that a later cancellation applies to this job.
                    state.slots[slot].0.reset();
                    state.slots[slot].1 = Some(job.clone());
                    return Some(job);
                }
                Next::Wait => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Next::Finished => return None,
            }
        }
    }

    fn build(&self, build: BuildIndex, executor: &mut Executor<'_>, messages: &Sender<Message>) -> SendResult {
        let role = self.lock().schedule.role(build);
        if let Role::Submission(submission) = role {
            // Clear before the build is announced: after that, another slot may keep new files.
            failure_files::clear(&self.context, submission);
        }
        let result = Arc::new(executor.build(role));
        self.lock().schedule.finish_build(build, Arc::clone(&result));
        match role {
            Role::Submission(submission) => {
                self.complain(role, &result, messages)?;
                self.announce(submission, messages)
            }
            Role::OutputValidator(problem, _) | Role::StaticValidator(problem) | Role::Grader(problem) => {
                self.complain(role, &result, messages)?;
                let submissions = self.lock().schedule.submissions_of(problem);
                submissions.into_iter().try_for_each(|submission| self.announce(submission, messages))
            }
            Role::InputValidator(..) => self.complain(role, &result, messages),
        }
    }

    /// Reports the result of a submission's build, once the builds of its judges are known too.
    fn announce(&self, submission: SubmissionIndex, messages: &Sender<Message>) -> SendResult {
        let problem = self.context.plan.submissions[submission].problem;
        let (own, judges) = {
            let state = self.lock();
            let judges = state.schedule.judges_of(problem);
            let known = judges.map(|build| Some((state.schedule.role(build), state.schedule.built(build)?)));
            (state.schedule.built(state.schedule.build_of(submission)), known.collect::<Option<Vec<_>>>())
        };
        let (Some(own), Some(judges)) = (own, judges) else { return Ok(()) };
        let result = executor::build_result(&self.context, submission, &own, &judges);
        let Some(result) = result else { return Ok(()) };
        send(
            messages,
            Update::Built(BuildFinished {
                of: self.context.plan.submissions[submission].id.clone(),
                result: result.clone(),
            }),
        )?;
        let mut state = self.lock();
        record(messages, state.schedule.entry_mut(submission).built(result))
    }

    /// Sends notices about a build. A judge that cannot be built is a fault of the problem or of this machine. A
    /// submission may be built in another way than its author thinks.
    fn complain(&self, role: Role, result: &Build, messages: &Sender<Message>) -> SendResult {
        match executor::build_notice(&self.context, role, result) {
            Some(notice) => send(messages, Update::Notice(notice)),
            None => Ok(()),
        }
    }

    fn recall(&self, submission: SubmissionIndex, messages: &Sender<Message>) -> SendResult {
        let programs = self.programs(submission);
        let mut from = TestIndex(0);
        // A decisive failure moves the end of the loop forward.
        while from < self.lock().schedule.stop_of(submission) {
            let end = self.lock().schedule.stop_of(submission).0.min(from.0 + recall::AT_ONCE);
            let tests = TestIndex::each(from.0..end);
            from = TestIndex(end);
            let known = recall::recall(&self.context, submission, tests, &programs.own, &programs.output_validators);
            let mut state = self.lock();
            let mut held = Vec::new();
            let mut sure = Vec::new();
            for (ordinal, result) in known {
                match result.doubt() {
                    Doubt::Open if state.schedule.is_doubtful(submission, ordinal) => {
                        state.schedule.hold(submission, ordinal, false);
                        held.push((ordinal, result));
                        continue;
                    }
                    Doubt::Cleared => state.schedule.confirm(submission),
                    Doubt::Open | Doubt::None => {}
                }
                state.schedule.known(submission, ordinal, result.mark());
                sure.push((ordinal, result));
            }
            let needed: Vec<_> =
                sure.into_iter().filter(|(ordinal, _)| !state.schedule.is_needless(submission, *ordinal)).collect();
            drop(state);
            for (ordinal, result) in needed {
                let result = result.show(&self.context, submission, ordinal);
                self.finished(submission, ordinal, result, messages)?;
            }
            for (ordinal, result) in held {
                let result = result.show(&self.context, submission, ordinal);
                self.lock().held.insert((submission, ordinal), HeldResult { result, memory: None });
            }
        }
        let mut state = self.lock();
        state.schedule.finish_recall(submission);
        let released = state.release(submission);
        drop(state);
        self.believe(submission, released, messages)
    }

    fn validate(
        &self,
        problem: ProblemIndex,
        ordinal: TestIndex,
        executor: &mut Executor<'_>,
        messages: &Sender<Message>,
    ) -> SendResult {
        let validators: Vec<_> = {
            let state = self.lock();
            let builds = state.schedule.validators_of(problem);
            builds.iter().filter_map(|build| state.schedule.built(*build)).collect()
        };
        let notices = executor.validate(problem, ordinal, &validators);
        self.lock().schedule.finish_validation();
        notices.into_iter().try_for_each(|notice| send(messages, Update::Notice(notice)))
    }

    fn test(
        &self,
        slot: usize,
        submission: SubmissionIndex,
        ordinal: TestIndex,
        executor: &mut Executor<'_>,
        messages: &Sender<Message>,
    ) -> SendResult {
        send(messages, Update::TestStarted(self.test_ref(submission, ordinal)))?;
        let programs = self.programs(submission);
        let result = match executor.test(submission, ordinal, &programs) {
            FirstLook::Clear(result) => result,
            FirstLook::Near(first) => {
                let result = self.alone(|| executor.again(submission, ordinal, &programs, *first));
                let result = result.unwrap_or(TestResult::Cancelled);
                if Mark::of(&result).verdict() == Some(Verdict::TimeLimit) {
                    self.lock().schedule.confirm(submission);
                }
                result
            }
            FirstLook::Over(result, memory) => {
                let disturbed = self.context.is_disturbed.as_ref().is_some_and(|is_disturbed| is_disturbed());
                let mut state = self.lock();
                let schedule = &mut state.schedule;
                if schedule.is_doubtful(submission, ordinal) || (disturbed && schedule.wants_looks(submission)) {
                    schedule.hold(submission, ordinal, true);
                    state.held.insert(
                        (submission, ordinal),
                        HeldResult { result: *result, memory: memory.map(|memory| *memory) },
                    );
                    return Ok(());
                }
                drop(state);
                if let Some(memory) = memory {
                    memory.keep(&self.context.resources);
                }
                *result
            }
        };
        let mut state = self.lock();
        if state.schedule.finish_test(submission, ordinal, Mark::of(&result)) {
            state.cancel_behind(submission, slot);
        }
        let released = state.release(submission);
        drop(state);
        self.finished(submission, ordinal, result, messages)?;
        self.believe(submission, released, messages)
    }

    /// Gives a test that was over time its second look.
    fn look(
        &self,
        slot: usize,
        submission: SubmissionIndex,
        ordinal: TestIndex,
        executor: &mut Executor<'_>,
        messages: &Sender<Message>,
    ) -> SendResult {
        let held = self.lock().held.remove(&(submission, ordinal));
        let programs = self.programs(submission);
        let look = |held: HeldResult| self.alone(|| executor.look(submission, ordinal, &programs, held.result));
        let result = held.and_then(look).unwrap_or(TestResult::Cancelled);
        let mut state = self.lock();
        if state.schedule.finish_look(submission, ordinal, Mark::of(&result)) {
            state.cancel_behind(submission, slot);
        }
        let released = state.release(submission);
        drop(state);
        self.finished(submission, ordinal, result, messages)?;
        self.believe(submission, released, messages)
    }

    /// Reports results that were held back and no longer need a second look.
    fn believe(
        &self,
        submission: SubmissionIndex,
        released: Vec<(TestIndex, HeldResult)>,
        messages: &Sender<Message>,
    ) -> SendResult {
        for (ordinal, HeldResult { result, memory }) in released {
            if let Some(memory) = memory {
                memory.keep(&self.context.resources);
            }
            self.finished(submission, ordinal, result, messages)?;
        }
        Ok(())
    }

    /// Does `work` while no other program runs: no submission, no compiler and no validator. Returns none if the run
    /// was cancelled before.
    fn alone<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        self.context.quiet.alone(|| self.lock().schedule.is_cancelled(), work)
    }

    /// Asks the grader from the package about a group.
    fn grade(
        &self,
        slot: usize,
        submission: SubmissionIndex,
        question: &Question,
        executor: &mut Executor<'_>,
        messages: &Sender<Message>,
    ) -> SendResult {
        let build = {
            let state = self.lock();
            let grader = state.schedule.grader_of(self.context.plan.submissions[submission].problem);
            grader.and_then(|build| state.schedule.built(build))
        };
        let grade = executor.grade(submission, question, build.as_deref());
        let mut state = self.lock();
        if state.schedule.finish_grade(submission, question.group, grade.clone()) {
            state.cancel_behind(submission, slot);
        }
        let Some(grade) = grade else { return Ok(()) };
        let of = self.context.plan.submissions[submission].id.clone();
        send(messages, Update::Graded(GroupGraded { of, group: question.group, grade }))?;
        record(messages, state.schedule.entry_mut(submission).advanced())
    }

    /// Returns the finished builds of a submission and of the programs that judge it. The schedule hands out tests only
    /// when all of these are finished.
    fn programs(&self, submission: SubmissionIndex) -> Programs {
        let state = self.lock();
        let problem = self.context.plan.submissions[submission].problem;
        let built = |build| {
            let missing = || Arc::new(Build::Failed("not built".to_owned()));
            state.schedule.built(build).unwrap_or_else(missing)
        };
        Programs {
            own: built(state.schedule.build_of(submission)),
            output_validators: state.schedule.output_validators_of(problem).iter().map(|build| built(*build)).collect(),
            static_validator: state.schedule.static_validator_of(problem).map(built),
        }
    }

    fn finished(
        &self,
        submission: SubmissionIndex,
        ordinal: TestIndex,
        result: TestResult,
        messages: &Sender<Message>,
    ) -> SendResult {
        send(messages, Update::TestFinished { test: self.test_ref(submission, ordinal), result: result.clone() })?;
        let mut state = self.lock();
        record(messages, state.schedule.entry_mut(submission).finished(ordinal, result))
    }

    fn test_ref(&self, submission: SubmissionIndex, ordinal: TestIndex) -> TestRef {
        let planned = &self.context.plan.submissions[submission];
        let test = self.context.plan.problems[planned.problem].names[ordinal].clone();
        TestRef { of: planned.id.clone(), ordinal, test }
    }
}

impl LockedRunState {
    /// Returns the held results of a submission that is known to be too slow by itself. Call it under the same lock
    /// under which that became known. Otherwise another slot would give the next held test a look.
    fn release(&mut self, submission: SubmissionIndex) -> Vec<(TestIndex, HeldResult)> {
        let mut released = Vec::new();
        for ordinal in self.schedule.released(submission) {
            let Some(held) = self.held.remove(&(submission, ordinal)) else { continue };
            self.schedule.known(submission, ordinal, Mark::of(&held.result));
            released.push((ordinal, held));
        }
        released
    }

    /// Cancels the running tests of a submission that an earlier failure made unnecessary.
    fn cancel_behind(&mut self, submission: SubmissionIndex, except: usize) {
        for (slot, (canceller, job)) in self.slots.iter().enumerate() {
            let Some(Job::Test { submission: r, ordinal }) = job else { continue };
            if slot != except && *r == submission && self.schedule.is_needless(submission, *ordinal) {
                canceller.cancel();
            }
        }
    }
}

/// The result of sending an update: an error if the receiver is gone.
type SendResult = Result<(), NobodyListens>;

/// The error of a send whose receiver is gone: the main thread has given up.
struct NobodyListens;

fn send(messages: &Sender<Message>, update: Update) -> SendResult {
    messages.send(Message::Update(update)).map_err(|_| NobodyListens)
}

/// Sends events. Call it under the lock under which they were taken from the ledger: otherwise another slot could send
/// the next ones first.
fn record(messages: &Sender<Message>, events: Vec<Event>) -> SendResult {
    events.into_iter().try_for_each(|event| messages.send(Message::Event(event)).map_err(|_| NobodyListens))
}
