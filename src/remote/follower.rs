//! One run as its client sees it: sends files and jobs, collects results, and asks again for what is missing.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use serde_json::json;

use super::broker::{Broker, BrokerError, Found, MOST_BYTES, Stored};
use super::cache::{end_of, piece_of, pieces};
use super::pack::{Content, files_of, pack};
use super::pools::pools;
use super::streams::{end, make_streams};
use super::wire::{
    Blob, Complaint, Entrant, Job, JobResult, Kept, Outcome, Pack, Progress, RunNote, SCHEMA, decode, encode, short,
    stream,
};
use super::{consumer, lane, notice, parts};
use crate::config::Ranked;
use crate::event::{BuildResult, Built, Event, Notice, Severity, TestFinished, TestRef, TestResult};
use crate::plan::PlannedProblem;
use crate::problem::{Problem, Program, Test};
use crate::store::{Digest, Key, Store};
use crate::workspace::elsewhere::Jobs;

/// How often a missing job is sent again before it gets a judge error.
const MOST_TRIES: u32 = 3;
/// The most bytes of an input or an answer that are kept beside a failed output.
const COPY_CAP: u64 = 64 << 20;
/// How many jobs are sent before results are read again.
const AT_ONCE: usize = 512;
/// How often a job is handed out at most. Long before that, a worker stores a judge error.
const MOST_DELIVERIES: u64 = 10;

/// What a command says about its run.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    /// How long a worker may be silent before another one gets its job.
    pub(crate) lease: Duration,
    /// The command line, to come back to the run.
    pub(crate) words: Vec<String>,
}

/// What a job is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    /// The inputs of a problem.
    Inputs { problem: usize },
    /// A submission, by its position in the plan.
    Submission { run: usize },
}

/// One run.
pub(super) struct Follower<'a> {
    terms: &'a Terms,
    broker: &'a Broker,
    jobs: &'a Jobs<'a>,
    events: &'a Sender<Event>,
    run: String,
    pool: String,
    is_urgent: bool,
    /// Distinguishes these jobs from those of an earlier run with the same jobs.
    epoch: u64,
    store: Store,
    /// What the jobs of each problem share.
    packs: Vec<Blob>,
    /// Where the bytes of all blobs come from.
    contents: BTreeMap<Blob, Content>,
    /// The blobs that the broker has, as far as this client knows.
    sent: BTreeSet<Blob>,
    tasks: Vec<(String, Task)>,
    /// The positions of the tasks by their names.
    names: HashMap<String, usize>,
    /// The tasks without a result.
    open: BTreeSet<usize>,
    /// The tasks that are to be sent, each with what makes its message unique.
    unsent: VecDeque<(usize, String)>,
    /// How often each missing task was sent again.
    tries: HashMap<usize, u32>,
    /// The notices that were passed on: every job of a problem repeats what is wrong with its judges.
    told: Vec<Notice>,
    /// The next sequence number of results to read.
    next: u64,
    /// Whether it was told that nobody works on the run.
    is_lonely: bool,
}

impl<'a> Follower<'a> {
    /// Names the jobs of a run, and packs the files of its problems.
    pub(super) fn new(
        terms: &'a Terms,
        broker: &'a Broker,
        jobs: &'a Jobs<'a>,
        events: &'a Sender<Event>,
        (run, pool, is_urgent): (String, String, bool),
    ) -> Result<Self> {
        let (store, _) = Store::open(&jobs.workspace.settings.store_dir());
        let (mut packs, mut contents, mut tasks) = (Vec::new(), BTreeMap::new(), Vec::new());
        for (at, planned) in jobs.plan.problems.iter().enumerate() {
            let pack = pack_of(jobs, planned, &store, &mut contents)?;
            packs.push(pack);
            if !planned.problem.input_validators.is_empty() {
                let key = Key::of("remote inputs v1").field("pack", pack.digest.as_bytes()).finish();
                tasks.push((short(&key, 32), Task::Inputs { problem: at }));
            }
            for run in planned.runs.clone() {
                let submission = &jobs.plan.runs[run].submission;
                if matches!(submission.program, Program::Command(_)) {
                    bail!("a command (`-c`) runs on this machine alone\n  → leave out --engine");
                }
                // Two submissions with the same files may be expected to end differently, and stop at other tests.
                let key = Key::of("remote job v1")
                    .field("job", jobs.keys[run].as_bytes())
                    .field("pack", pack.digest.as_bytes())
                    .field("submission", submission.id.as_str())
                    .field("position", run.to_string())
                    .finish();
                tasks.push((short(&key, 32), Task::Submission { run }));
            }
        }
        store.flush();
        Ok(Self {
            terms,
            broker,
            jobs,
            events,
            run,
            pool,
            is_urgent,
            epoch: 0,
            store,
            packs,
            contents,
            sent: BTreeSet::new(),
            names: tasks.iter().enumerate().map(|(at, (name, _))| (name.clone(), at)).collect(),
            open: (0..tasks.len()).collect(),
            tasks,
            unsent: VecDeque::new(),
            tries: HashMap::new(),
            told: Vec::new(),
            next: 1,
            is_lonely: false,
        })
    }

    /// Announces the run, reads what is known of it from before, and sends the files that the broker lacks.
    pub(super) fn begin(&mut self) -> Result<()> {
        self.announce()?;
        self.make_consumers()?;
        self.read_results()?;
        self.send_ahead()?;
        let epoch = self.epoch.to_string();
        self.unsent = self.open.iter().map(|task| (*task, epoch.clone())).collect();
        Ok(())
    }

    /// Sends the files that the broker lacks, and lets idle workers fetch them.
    pub(super) fn send_ahead(&mut self) -> Result<()> {
        self.send_blobs()?;
        for pack in &self.packs {
            let payload = serde_json::to_vec(pack).unwrap_or_default();
            self.broker.tell(&format!("ctl.fetch.{}", self.pool), payload);
        }
        Ok(())
    }

    /// Finds or makes the note about the run.
    fn announce(&mut self) -> Result<(), BrokerError> {
        let subject = format!("run.{}", self.run);
        let note = RunNote {
            epoch: now(),
            jobs: self.tasks.len(),
            words: self.terms.words.clone(),
            start: self.jobs.workspace.start.clone(),
            host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
        };
        let text = serde_json::to_vec(&note).unwrap_or_default();
        if self.broker.store(&subject, None, text)? == Stored::Known
            && let Some(found) = self.broker.last(stream::RUNS, &subject)?
            && let Ok(earlier) = serde_json::from_slice::<RunNote>(&found.payload)
        {
            self.epoch = earlier.epoch;
        } else {
            self.epoch = note.epoch;
        }
        Ok(())
    }

    fn make_consumers(&self) -> Result<(), BrokerError> {
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        for is_urgent in [true, false] {
            let config = json!({
                "durable_name": consumer(is_urgent, &self.pool),
                "filter_subject": format!("job.{}.{}.>", lane(is_urgent), self.pool),
                "deliver_policy": "all", "ack_policy": "explicit", "ack_wait": nanoseconds(self.terms.lease),
                "max_deliver": MOST_DELIVERIES, "max_ack_pending": 100_000, "max_waiting": 10_000,
                "replay_policy": "instant",
            });
            self.broker.make_consumer(stream::JOBS, &consumer(is_urgent, &self.pool), &config)?;
        }
        Ok(())
    }

    /// Follows the run until every job has a result, or `stopped` is set.
    pub(super) fn follow(&mut self, stopped: &AtomicBool) -> Result<()> {
        let run = &self.run;
        let subjects = [format!("res.{run}.*"), format!("prog.{run}"), format!("complain.{run}")];
        let messages = self.broker.listen(&subjects)?;
        let patience = self.terms.lease.max(Duration::from_secs(1));
        let (mut progress, mut silent, mut is_lost) = (Instant::now(), None, false);
        while !stopped.load(Ordering::SeqCst) {
            let before = self.open.len();
            let is_stalled = is_lost || progress.elapsed() >= patience;
            match self.step(is_stalled) {
                Ok(()) => (silent, is_lost) = (None, false),
                Err(error) => is_lost = self.bear(&error, &mut silent)?,
            }
            if self.open.is_empty() {
                return Ok(());
            }
            if self.open.len() < before || is_stalled {
                progress = Instant::now();
            }
            let pause = if self.unsent.is_empty() { 200 } else { 5 };
            if let Some(why) = self.hear(&messages, Duration::from_millis(pause)) {
                is_lost = self.bear(&why, &mut silent)?;
            }
        }
        Ok(())
    }

    /// Sends some jobs, reads all results, and looks for what was lost if nothing has come for a while.
    fn step(&mut self, is_stalled: bool) -> Result<(), BrokerError> {
        if is_stalled {
            self.reconcile()?;
        }
        self.send_some()?;
        self.read_results()
    }

    /// A broker that does not answer may do so again. Anything else ends the client. Returns whether the broker has lost
    /// its disk.
    fn bear(&self, error: &BrokerError, silent: &mut Option<Instant>) -> Result<bool> {
        // No stream takes the message: the broker has lost its disk, and the client brings everything again.
        let is_lost = matches!(error, BrokerError::Refused { code: 10059, .. });
        if !is_lost && !matches!(error, BrokerError::Silent | BrokerError::NoJetStream { .. }) {
            return Err(error.clone().into());
        }
        if silent.is_none() {
            *silent = Some(Instant::now());
            let words =
                "the broker does not answer; waiting for it. Nothing is lost: the same command continues the run";
            if !is_lost {
                self.jobs.workspace.tell(&notice(Severity::Warning, words.to_owned()));
            }
        }
        std::thread::sleep(Duration::from_millis(200));
        Ok(is_lost)
    }

    /// Handles what workers tell, for a while. Returns what went wrong.
    fn hear(&mut self, messages: &Receiver<(String, Vec<u8>)>, pause: Duration) -> Option<BrokerError> {
        let mut next = messages.recv_timeout(pause).ok();
        while let Some((subject, payload)) = next {
            if subject.starts_with("prog.") {
                self.show_progress(&payload);
            } else if subject.starts_with("complain.")
                && let Ok(complaint) = decode::<Complaint>(&payload)
                && let Err(error) = self.settle(complaint)
            {
                return Some(error);
            }
            next = messages.try_recv().ok();
        }
        None
    }

    fn show_progress(&self, payload: &[u8]) {
        let Ok(Progress { job, ordinal }) = decode::<Progress>(payload) else { return };
        let Some(at) = self.names.get(&job).filter(|at| self.open.contains(at)) else { return };
        let Task::Submission { run } = self.tasks[*at].1 else { return };
        let planned = &self.jobs.plan.runs[run];
        let Some(test) = self.jobs.plan.problems[planned.problem].names.get(ordinal).cloned() else { return };
        // Without a listener, the run ends soon.
        let _ = self.events.send(Event::TestStarted(TestRef { run: planned.run.clone(), ordinal, test }));
    }

    fn settle(&mut self, complaint: Complaint) -> Result<(), BrokerError> {
        match complaint {
            Complaint::Blob(digest) => {
                if self.contents.keys().any(|blob| blob.digest == digest) {
                    self.broker.purge(stream::BLOBS, &format!("blob.{digest}.>"))?;
                    self.sent.retain(|blob| blob.digest != digest);
                    self.send_blobs()?;
                }
            }
            Complaint::Unstable { job, kept, other } => {
                let name = self.names.get(&job).map(|at| self.name_of(*at)).unwrap_or(job);
                let message = format!("unstable: {name}: kept {kept}; another worker had {other}");
                let _ = self.events.send(Event::Notice(notice(Severity::Warning, message)));
            }
        }
        Ok(())
    }

    fn name_of(&self, task: usize) -> String {
        match self.tasks[task].1 {
            Task::Inputs { problem } => format!("the inputs of {}", self.jobs.plan.problems[problem].problem.id),
            Task::Submission { run } => {
                let run = &self.jobs.plan.runs[run].run;
                format!("{}/{}", run.problem, run.submission)
            }
        }
    }

    /// Sends the blobs that the broker does not have.
    fn send_blobs(&mut self) -> Result<(), BrokerError> {
        let blobs: Vec<Blob> = self.contents.keys().filter(|blob| !self.sent.contains(blob)).copied().collect();
        let ends = blobs.iter().map(|blob| end_of(&blob.digest));
        let known = self.broker.last_of_all(stream::BLOBS, ends)?;
        for (blob, known) in blobs.into_iter().zip(known) {
            if known.is_none() {
                self.send_blob(blob)?;
            }
            self.sent.insert(blob);
        }
        Ok(())
    }

    fn send_blob(&self, blob: Blob) -> Result<(), BrokerError> {
        let Some(content) = self.contents.get(&blob) else { return Ok(()) };
        let (mut at, mut is_told) = (0, false);
        let sent = content.pieces(MOST_BYTES, |piece| {
            let subject = piece_of(&blob.digest, at);
            at += 1;
            while self.broker.store(&subject, None, piece.clone())? == Stored::Full {
                if !is_told {
                    is_told = true;
                    let words = "the broker has no room for files; waiting until there is some".to_owned();
                    self.jobs.workspace.tell(&notice(Severity::Warning, words));
                }
                std::thread::sleep(Duration::from_millis(200));
            }
            Ok(())
        });
        sent.map_err(|error| match error.downcast::<BrokerError>() {
            Ok(error) => error,
            Err(error) => BrokerError::Unsendable(format!("{error:#}")),
        })?;
        if at != pieces(blob) {
            return Err(BrokerError::Unsendable("a file changed during the run".to_owned()));
        }
        self.broker.store(&end_of(&blob.digest), None, Vec::new()).map(drop)
    }

    /// Sends some of the jobs that wait to be sent.
    fn send_some(&mut self) -> Result<(), BrokerError> {
        let some: Vec<(usize, String)> = self.unsent.drain(..self.unsent.len().min(AT_ONCE)).collect();
        let some: Vec<(usize, String)> = some.into_iter().filter(|(task, _)| self.open.contains(task)).collect();
        if some.is_empty() {
            return Ok(());
        }
        let mut messages = Vec::new();
        for (task, epoch) in &some {
            match self.job_of(*task).and_then(|job| Ok(encode(&job)?)) {
                Ok(message) => {
                    let name = &self.tasks[*task].0;
                    let (lane, pool, run) = (lane(self.is_urgent), &self.pool, &self.run);
                    let id = format!("{run}/{name}/{epoch}");
                    messages.push((format!("job.{lane}.{pool}.{run}.{name}"), Some(id), message));
                }
                Err(error) => {
                    self.open.remove(task);
                    self.fail(*task, &format!("its files cannot be sent: {error:#}"));
                }
            }
        }
        // Its files come before a job.
        if let Err(error) = self.send_blobs() {
            self.unsent.extend(some);
            return Err(error);
        }
        let sent = self.broker.store_all(messages.into_iter());
        let known: HashMap<String, (usize, String)> =
            some.into_iter().map(|(task, epoch)| (self.tasks[task].0.clone(), (task, epoch))).collect();
        let mut first = Ok(());
        let mut is_full = false;
        for (subject, stored) in sent {
            let unsent = match stored {
                Ok(Stored::New | Stored::Known) => continue,
                Ok(Stored::Full) => {
                    is_full = true;
                    true
                }
                Err(error) => {
                    first = first.and(Err(error));
                    true
                }
            };
            let name = subject.rsplit('.').next().unwrap_or_default();
            if let Some(again) = known.get(name).filter(|_| unsent) {
                self.unsent.push_back(again.clone());
            }
        }
        self.broker.tell(&format!("ctl.wake.{}", self.pool), Vec::new());
        if is_full {
            // Workers make room.
            std::thread::sleep(Duration::from_millis(200));
        }
        first
    }

    fn job_of(&mut self, task: usize) -> Result<Job> {
        let (key, task) = &self.tasks[task];
        let (problem, submission) = match *task {
            Task::Inputs { problem } => (problem, None),
            Task::Submission { run } => {
                let planned = &self.jobs.plan.runs[run];
                let files = planned.submission.program.files();
                let entrant = Entrant {
                    submission: planned.submission.clone(),
                    reference: planned.reference,
                    first: planned.first.clone(),
                    time_factor: planned.time_factor,
                    files: pack(files, true, &self.store, &mut self.contents)?,
                };
                (planned.problem, Some(entrant))
            }
        };
        let (pack, lease) = (self.packs[problem], self.terms.lease);
        Ok(Job { schema: SCHEMA, run: self.run.clone(), key: key.clone(), pack, submission, lease })
    }

    /// Reads all results that have come.
    fn read_results(&mut self) -> Result<(), BrokerError> {
        let filter = format!("res.{}.*", self.run);
        while let Some(found) = self.broker.next(stream::RESULTS, &filter, self.next)? {
            self.next = found.sequence + 1;
            self.receive(&found)?;
        }
        Ok(())
    }

    fn receive(&mut self, found: &Found) -> Result<(), BrokerError> {
        let name = found.subject.rsplit('.').next().unwrap_or_default();
        let Some(task) = self.names.get(name).copied().filter(|task| self.open.contains(task)) else { return Ok(()) };
        let message = parts::open(self.broker, &found.subject, &found.payload)?;
        self.open.remove(&task);
        match message.as_deref().map(decode::<JobResult>) {
            Some(Ok(JobResult { outcome: Outcome::Events(lines), kept, .. })) => self.tell(task, &lines, &kept),
            Some(Ok(JobResult { outcome: Outcome::Failed(message), .. })) => self.fail(task, &message),
            Some(Err(error)) => self.fail(task, &format!("its result cannot be read: {error}")),
            None => self.fail(task, "its result is not whole"),
        }
        Ok(())
    }

    /// Passes on the events of a job.
    fn tell(&mut self, task: usize, lines: &[String], kept: &[Kept]) {
        let run = match self.tasks[task].1 {
            Task::Submission { run } => Some(self.jobs.plan.runs[run].run.clone()),
            Task::Inputs { .. } => None,
        };
        if let (Some(last), Some(run)) = (self.jobs.last, &run) {
            // A file that stays is overwritten later, and changes no result.
            let _ = last.clear(&run.problem, &run.submission);
        }
        for line in lines {
            let event = match serde_json::from_str::<Event>(line) {
                Ok(event) => event,
                Err(error) => return self.fail(task, &format!("its result cannot be read: {error}")),
            };
            let event = match (event, &run) {
                (Event::Notice(notice), _) => {
                    if self.told.contains(&notice) {
                        continue;
                    }
                    self.told.push(notice.clone());
                    Event::Notice(notice)
                }
                (event, Some(run)) => self.with_files(event.about(run.clone()), run.run, kept),
                (_, None) => continue,
            };
            // Without a listener, the run ends soon.
            let _ = self.events.send(event);
        }
    }

    /// Keeps the files of a failed test, as a run on this machine would.
    fn with_files(&self, mut event: Event, run: usize, kept: &[Kept]) -> Event {
        let Event::TestFinished(TestFinished { test, result }) = &mut event else { return event };
        let files = match result {
            TestResult::Judged(judgement) => &mut judgement.files,
            TestResult::NotJudged { files, .. } => files,
            TestResult::JudgeError { .. } | TestResult::Cancelled => return event,
        };
        if files.take().is_some() {
            let own = kept.iter().filter(|kept| kept.ordinal == test.ordinal);
            // What cannot be kept is not shown. It changes no verdict.
            *files = self.keep(test, run, own).ok();
        }
        event
    }

    fn keep<'k>(&self, test: &TestRef, run: usize, kept: impl Iterator<Item = &'k Kept>) -> io::Result<PathBuf> {
        let none = || io::Error::from(io::ErrorKind::NotFound);
        let last = self.jobs.last.ok_or_else(none)?;
        let (problem, submission) = (&test.run.problem, &test.run.submission);
        let create = |extension: &str| last.create(problem, submission, &test.test, extension);
        let planned = &self.jobs.plan.problems[self.jobs.plan.runs[run].problem];
        let Some(Test::Case(group, case)) = planned.test(test.ordinal) else { return Err(none()) };
        let (to, path) = create("in")?;
        copy(&group.input_of(case), to)?;
        if let Some(answer) = group.answer_of(case) {
            copy(&answer, create("ans")?.0)?;
        }
        for kept in kept {
            create(&kept.extension)?.0.write_all(&kept.content)?;
        }
        Ok(path.with_extension(""))
    }

    /// A judge error for a job without a result.
    fn fail(&self, task: usize, message: &str) {
        let event = match self.tasks[task].1 {
            Task::Submission { run } => {
                let run = self.jobs.plan.runs[run].run.clone();
                Event::Built(Built { run, result: BuildResult::Failed { message: message.to_owned() } })
            }
            Task::Inputs { .. } => {
                Event::Notice(notice(Severity::JudgeError, format!("{}: {message}", self.name_of(task))))
            }
        };
        // Without a listener, the run ends soon.
        let _ = self.events.send(event);
    }

    /// Brings back what the broker has lost, and sends again what nobody has.
    fn reconcile(&mut self) -> Result<(), BrokerError> {
        make_streams(self.broker)?;
        self.announce_again()?;
        self.make_consumers()?;
        if self.broker.last_sequence(stream::RESULTS)?.is_none_or(|last| last + 1 < self.next) {
            self.next = 1;
        }
        self.tell_if_lonely()?;
        let name = consumer(self.is_urgent, &self.pool);
        let backlog = self.broker.backlog(stream::JOBS, &name)?.unwrap_or_default();
        if backlog >= self.open.len() as u64 {
            return Ok(());
        }
        // The broker may have lost them.
        self.sent.clear();
        self.send_blobs()?;
        let filter = format!("job.*.{}.{}.*", self.pool, self.run);
        let waiting = self.broker.subjects(stream::JOBS, &filter)?;
        let waiting: BTreeSet<&str> = waiting.iter().filter_map(|subject| subject.rsplit('.').next()).collect();
        // A job leaves the queue after its result has come.
        self.read_results()?;
        let unsent: BTreeSet<usize> = self.unsent.iter().map(|(task, _)| *task).collect();
        let is_missing = |task: &usize| backlog == 0 || !waiting.contains(&*self.tasks[*task].0);
        let missing: Vec<usize> =
            self.open.iter().copied().filter(|task| !unsent.contains(task)).filter(is_missing).collect();
        for task in missing {
            let tries = self.tries.entry(task).or_default();
            *tries += 1;
            if *tries > MOST_TRIES {
                self.open.remove(&task);
                self.fail(task, &format!("it got no result in {MOST_TRIES} attempts"));
            } else {
                self.unsent.push_back((task, now().to_string()));
            }
        }
        Ok(())
    }

    /// Tells that no worker of the pool is there, once each time.
    fn tell_if_lonely(&mut self) -> Result<(), BrokerError> {
        let is_lonely = !pools(self.broker)?.iter().any(|pool| pool.name == self.pool);
        if is_lonely && !self.is_lonely {
            let message = format!("no worker of pool {} is there; waiting for one: grader worker URL", self.pool);
            self.jobs.workspace.tell(&notice(Severity::Warning, message));
        }
        self.is_lonely = is_lonely;
        Ok(())
    }

    fn announce_again(&mut self) -> Result<(), BrokerError> {
        let epoch = self.epoch;
        self.announce()?;
        self.epoch = epoch;
        Ok(())
    }

    /// Removes what nobody needs after the run.
    pub(super) fn tidy(&self) {
        // What stays is removed by its age.
        let _ = end(self.broker, &self.run);
    }
}

/// What the jobs of a problem share, as a blob.
fn pack_of(
    jobs: &Jobs<'_>,
    planned: &PlannedProblem,
    store: &Store,
    contents: &mut BTreeMap<Blob, Content>,
) -> Result<Blob> {
    let problem = Problem { submissions: Vec::new(), reference: None, ..Problem::clone(&planned.problem) };
    let pack = Pack {
        problem,
        tests: planned.tests.clone(),
        settings: Ranked::of(&jobs.workspace.settings),
        language: jobs.language.map(ToOwned::to_owned),
        all_tests: jobs.plan.all_tests,
        wants_looks: !jobs.is_urgent,
        files: pack(files_of(planned), false, store, contents)?,
    };
    let bytes = encode(&pack)?;
    let blob = Blob { digest: Digest::of_bytes(&bytes), size: bytes.len() as u64 };
    contents.insert(blob, Content::Bytes(bytes));
    Ok(blob)
}

/// Copies the beginning of a file.
fn copy(from: &Path, mut to: File) -> io::Result<()> {
    io::copy(&mut File::open(from)?.take(COPY_CAP), &mut to).map(drop)
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
