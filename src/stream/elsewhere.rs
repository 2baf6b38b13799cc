//! Streams whose requests other machines carry out: the side of the client, and the side of such a machine.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context as _, Result};

use super::problems::{KnownProblems, Source, StreamProblem};
use super::queue::{Job, Queue};
use super::request::{ProblemWanted, StreamRequest};
use super::result::{Answer, Failure, FailureKind};
use super::work::Court;
use super::{Lines, Options, Summary, Writer};
use crate::engine::Quiet;
use crate::engine::bench::Bench;
use crate::interrupt::Handlers;
use crate::problem::LimitOptions;
use crate::store::Key;
use crate::verdict::Verdict;
use crate::workspace::Workspace;
use crate::workspace::elsewhere::{Elsewhere, Errand, Errands, Reply};
use crate::workspace::ending::EarlyEnd;

/// A request as the client keeps it until it has the answer.
struct PendingRequest {
    /// The name of its problem; none if it carries its tests.
    problem: Option<String>,
    limits: LimitOptions,
    line: Vec<u8>,
}

/// Judges the requests of `input` on other machines.
pub(super) fn judge(
    workspace: &Workspace,
    machines: &dyn Elsewhere,
    options: Options,
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
) -> Result<Summary> {
    let queue = Arc::new(Queue::default());
    let stopped = Arc::clone(&queue);
    let stop = machines.stopper();
    let handlers = Handlers::of_this_process().context("cannot install signal handlers")?;
    handlers.cancels(move || {
        stopped.stop();
        stop();
    });
    let parsed = |line: &[u8]| {
        let StreamRequest { id, task } = StreamRequest::parse(line)?;
        let problem = match task.problem {
            ProblemWanted::Named(name) => Some(name),
            _ => None,
        };
        Ok((id, task.key, PendingRequest { problem, limits: task.limits, line: line.to_owned() }))
    };
    let lines = Lines::read_in_background(input, Arc::clone(&queue), parsed)?;
    let desk = Desk {
        queue: &queue,
        problems: Source::Here(workspace, KnownProblems::default()),
        carried: Arc::new(StreamProblem::of_carried()),
        away: Mutex::default(),
    };
    let (mut writer, written, sent) = thread::scope(|scope| {
        let sending = scope.spawn(|| machines.carry_out(workspace, options.all_tests, &desk));
        let (writer, written) = Writer::write_until_the_end(output, options.ordered, &queue);
        let sent = sending.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (writer, written, sent)
    });
    let summary = writer.write_rest(written);
    if let Some(signal) = handlers.signal() {
        return Err(EarlyEnd::Interrupted(signal).into());
    }
    sent?;
    let summary = summary?;
    lines.end().map(|()| summary)
}

/// The requests of a client: those that wait, and those that another machine has.
struct Desk<'a> {
    queue: &'a Queue<PendingRequest>,
    problems: Source<'a>,
    carried: Arc<StreamProblem>,
    away: Mutex<HashMap<Key, Job<PendingRequest>>>,
}

impl Desk<'_> {
    fn problem_of(&self, sent: &PendingRequest) -> Result<Arc<StreamProblem>, Failure> {
        let Some(name) = &sent.problem else { return Ok(Arc::clone(&self.carried)) };
        let problem = self.problems.get(name)?;
        // Mistakes in the limits are found before the request is sent.
        problem.with_limits(&sent.limits)?;
        Ok(problem)
    }

    fn away(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Job<PendingRequest>>> {
        self.away.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Errands for Desk<'_> {
    fn next(&self) -> Option<Errand> {
        loop {
            let mut job = self.queue.next()?;
            match self.problem_of(&job.task) {
                Ok(problem) => {
                    let key = job.key;
                    let line = std::mem::take(&mut job.task.line);
                    self.away().insert(key, job);
                    return Some(Errand { key, problem: problem.planned.clone(), line });
                }
                Err(failure) => self.queue.answer(job, &Answer::Error(failure)),
            }
        }
    }

    fn answer(&self, key: Key, reply: Reply) {
        let Some(job) = self.away().remove(&key) else { return };
        let unreadable = |error| Answer::error(FailureKind::Judge, format!("its result cannot be read: {error}"));
        let answer = match reply {
            Reply::Said(text) => serde_json::from_str(&text).unwrap_or_else(unreadable),
            Reply::Failed(why) => Answer::error(FailureKind::Judge, why),
        };
        self.queue.answer(job, &answer);
    }

    fn stop(&self) {
        self.queue.stop();
    }
}

/// The answer of a machine to a request.
pub(crate) struct MachineAnswer {
    /// The answer, for the client that sent the request.
    pub(crate) text: String,
    /// The verdicts in short, to compare with those of another machine.
    pub(crate) verdicts: String,
    /// The judge error, if there is one.
    pub(crate) fault: Option<String>,
}

/// Carries out the request of a client. `dir` is an empty directory. None: it was cancelled.
pub(crate) fn carry_out(
    bench: &mut Bench<'_>,
    problem: &Arc<StreamProblem>,
    line: &[u8],
    all_tests: bool,
    quiet: &Quiet,
    dir: &Path,
) -> Option<MachineAnswer> {
    let court = Court { all_tests, problems: Source::Sent(problem), quiet };
    let answer = match StreamRequest::parse(line) {
        Ok(StreamRequest { task, .. }) => court.judge(bench, &task, dir)?,
        // The client has read it, so only another version can come here.
        Err(broken) => Answer::error(FailureKind::Request, broken.mistake.to_string()),
    };
    let (verdicts, fault) = match &answer {
        Answer::Judged(judged) if judged.verdict == Verdict::CompileError => ("CE".to_owned(), None),
        Answer::Judged(judged) => {
            let codes = judged.tests.iter().map(|test| format!("{}:{}", test.test, test.verdict.code()));
            (codes.collect::<Vec<_>>().join(" "), None)
        }
        Answer::Error(Failure { kind: FailureKind::Judge, message }) => ("JE".to_owned(), Some(message.clone())),
        Answer::Error(_) => ("not judged".to_owned(), None),
    };
    let text = serde_json::to_string(&answer).unwrap_or_else(|error| unreachable!("an answer is plain data: {error}"));
    Some(MachineAnswer { text, verdicts, fault })
}
