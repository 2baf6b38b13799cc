//! Judges a stream of requests: one JSON object a line comes in, one result a line goes out.
//!
//! A reader fills a bounded queue. Each slot takes a request, builds its program, and runs its tests one after another.
//! The caller's thread writes the results. Equal requests that wait at the same time are carried out once. Earlier
//! measurements come from the store. `docs/stream.md` describes both sides.
//!
//! Its files:
//!
//! - `request`, `result`: the lines that come in and go out
//! - `queue`: the bounded queue between reader, slots and writer
//! - `problems`: problems of the workspace, and problems in requests
//! - `work`: one request on one slot
//! - `elsewhere`: a stream whose requests go to workers

#[cfg_attr(not(feature = "nats"), allow(dead_code, reason = "workers alone use it"))]
mod elsewhere;
mod mistake;
mod problems;
mod queue;
mod request;
mod result;
mod work;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context as _, Result};

use crate::engine::Quiet;
use crate::engine::bench::Bench;
use crate::session::slot::{OpenSlots, on_slots, slots_of};
use crate::store::Key;
use crate::workspace::Workspace;
#[cfg(feature = "nats")]
pub(crate) use elsewhere::carry_out;
use mistake::Mistake;
#[cfg(feature = "nats")]
pub(crate) use problems::StreamProblem;
use problems::{KnownProblems, Source};
use queue::{LinePlace, Queue, ReadyResult};
use request::{BrokenRequest, Id, StreamRequest, Task};
use result::{Answer, FailureKind};
use work::Court;

/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 256 << 20;

/// Options for judging a stream.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Options {
    /// Whether all tests of a request are run, also after one has failed.
    pub all_tests: bool,
    /// Whether results come in the order of the requests.
    pub ordered: bool,
}

/// The summary of a stream: its requests by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Requests with a verdict.
    pub judged: u64,
    /// Requests with a mistake, and requests that this machine cannot judge.
    pub refused: u64,
    /// Requests for which a checker, a validator or grader itself failed.
    pub faults: u64,
}

impl Summary {
    fn add(&mut self, answer: &Answer) {
        *match answer {
            Answer::Judged(_) => &mut self.judged,
            Answer::Error(failure) if failure.kind == FailureKind::Judge => &mut self.faults,
            Answer::Error(_) => &mut self.refused,
        } += 1;
    }
}

/// Judges the requests of `input`, and writes their results to `output` as soon as they are known.
///
/// # Errors
/// The sandbox or the broker cannot be used, `input` cannot be read, `output` cannot be written, or a signal came
/// ([`crate::workspace::ending::EarlyEnd`]). All results until then are written.
pub(crate) fn judge(
    workspace: &Workspace,
    options: Options,
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
) -> Result<Summary> {
    match workspace.elsewhere() {
        Some(machines) => elsewhere::judge(workspace, &**machines, options, input, output),
        None => here(workspace, options, input, output),
    }
}

/// Judges the requests on the slots of this machine.
fn here(
    workspace: &Workspace,
    options: Options,
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
) -> Result<Summary> {
    on_slots(workspace, slots_of(workspace), [], |OpenSlots { benches, scratch, stop }| {
        let queue = Arc::new(Queue::default());
        let stopped = Arc::clone(&queue);
        stop.calls(move || stopped.stop());
        let parsed = |line: &[u8]| StreamRequest::parse(line).map(|StreamRequest { id, task }| (id, task.key, task));
        let lines = Lines::read_in_background(input, Arc::clone(&queue), parsed)?;
        let quiet = Quiet::default();
        let problems = Source::Here(workspace, KnownProblems::default());
        let court = Court { all_tests: options.all_tests, problems, quiet: &quiet };
        let slots = benches.len();
        let (mut writer, written) = thread::scope(|scope| {
            for (slot, mut bench) in benches.into_iter().enumerate() {
                let court = &court;
                let queue = &*queue;
                scope.spawn(move || {
                    let alarm = Alarm(queue);
                    serve(court, &mut bench, queue, &scratch.join(format!("request{slot}")), slots);
                    std::mem::forget(alarm);
                });
            }
            Writer::write_until_the_end(output, options.ordered, &queue)
        });
        // All slots have ended; some may have brought results since.
        let summary = writer.write_rest(written)?;
        lines.end().map(|()| summary)
    })
}

/// Stops the stream when a slot's thread panics. Without this, the writer would wait forever.
struct Alarm<'a, T>(&'a Queue<T>);

impl<T> Drop for Alarm<'_, T> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Carries out requests until the last one.
fn serve(court: &Court<'_>, bench: &mut Bench<'_>, queue: &Queue<Task>, dir: &Path, slots: usize) {
    while let Some(job) = queue.next() {
        bench.resources.prepared.expect(queue.waiting() + 1, slots);
        let answer = match fs::create_dir(dir) {
            Ok(()) => court.judge(bench, &job.task, dir),
            Err(error) => Some(scratch_failed(&error)),
        };
        let answer = match (answer, fs::remove_dir_all(dir)) {
            (None, _) => continue,
            (Some(answer), Ok(())) => answer,
            (Some(_), Err(error)) => scratch_failed(&error),
        };
        queue.answer(job, &answer);
    }
}

fn scratch_failed(error: &io::Error) -> Answer {
    Answer::error(FailureKind::Judge, format!("cannot use the scratch directory: {error}"))
}

/// The lines that come in, read by a thread of their own.
struct Lines {
    /// The error that ended reading, if one did.
    unread: Arc<Mutex<Option<io::Error>>>,
}

impl Lines {
    /// Starts a thread that fills the queue with the requests that `parsed` makes of the lines. The program does not
    /// wait for its end, because nothing can interrupt a blocked read.
    fn read_in_background<T: Send + 'static>(
        input: impl Read + Send + 'static,
        queue: Arc<Queue<T>>,
        parsed: impl Fn(&[u8]) -> Result<(Id, Key, T), BrokenRequest> + Send + 'static,
    ) -> Result<Self> {
        let unread: Arc<Mutex<Option<io::Error>>> = Arc::default();
        let failure = Arc::clone(&unread);
        let read = move || {
            if let Err(error) = read_lines(&mut BufReader::with_capacity(1 << 16, input), &queue, parsed) {
                *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
            queue.complete();
        };
        thread::Builder::new().name("requests".to_owned()).spawn(read).context("cannot start a thread")?;
        Ok(Self { unread })
    }

    /// Fails if the lines could not be read to the end.
    fn end(self) -> Result<()> {
        match self.unread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error).context("cannot read requests"),
            None => Ok(()),
        }
    }
}

fn read_lines<T>(
    input: &mut impl BufRead,
    queue: &Queue<T>,
    parsed: impl Fn(&[u8]) -> Result<(Id, Key, T), BrokenRequest>,
) -> io::Result<()> {
    let mut line = Vec::new();
    let mut ordinal = 0;
    for number in 1.. {
        line.clear();
        if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let is_whole = line.ends_with(b"\n") || (line.len() as u64) < LONGEST_LINE;
        let text = line.trim_ascii();
        if text.is_empty() {
            continue;
        }
        if !queue.makes_room(line.len()) {
            break;
        }
        let place = LinePlace { ordinal, line: number, bytes: line.len() };
        if is_whole {
            queue.add(place, parsed(text));
        } else {
            let mistake = Mistake::TooLong(LONGEST_LINE >> 20);
            queue.add(place, Err(BrokenRequest { id: None, mistake }));
            input.skip_until(b'\n')?;
        }
        ordinal += 1;
    }
    Ok(())
}

/// Writes results as they come, or in the order of the requests.
struct Writer<'a, T> {
    output: &'a mut dyn Write,
    /// Results whose turn has not come, by their ordinal; none if they are written as they come.
    waiting: Option<BTreeMap<u64, ReadyResult>>,
    /// The ordinal of the next result.
    next: u64,
    queue: &'a Queue<T>,
    summary: Summary,
}

impl<'a, T> Writer<'a, T> {
    /// Writes all results, and stops the stream after the last, or when the reader is gone.
    fn write_until_the_end(output: &'a mut dyn Write, ordered: bool, queue: &'a Queue<T>) -> (Self, io::Result<()>) {
        let waiting = ordered.then(BTreeMap::new);
        let mut writer = Self { output, waiting, next: 0, queue, summary: Summary::default() };
        let written = writer.write_all();
        queue.stop();
        (writer, written)
    }

    fn write_all(&mut self) -> io::Result<()> {
        while let Some(done) = self.queue.result() {
            let Some(waiting) = &mut self.waiting else {
                self.write(&done)?;
                continue;
            };
            waiting.insert(done.place.ordinal, done);
            while let Some(done) = self.waiting.as_mut().and_then(|waiting| waiting.remove(&self.next)) {
                self.next += 1;
                self.write(&done)?;
            }
        }
        Ok(())
    }

    /// Writes the remaining results after the end: those that waited for a result that never came, and the last ones.
    /// `written` is the outcome of writing so far.
    fn write_rest(&mut self, written: io::Result<()>) -> Result<Summary> {
        let mut rest = self.waiting.take().unwrap_or_default();
        while let Some(done) = self.queue.result() {
            rest.insert(done.place.ordinal, done);
        }
        written.and_then(|()| rest.values().try_for_each(|done| self.write(done))).context("cannot write results")?;
        Ok(self.summary)
    }

    fn write(&mut self, done: &ReadyResult) -> io::Result<()> {
        let mut line = serde_json::to_vec(&done.result)?;
        line.push(b'\n');
        self.output.write_all(&line)?;
        self.output.flush()?;
        self.summary.add(&done.result.answer);
        self.queue.written(done.place);
        Ok(())
    }
}
