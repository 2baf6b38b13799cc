//! Runs one part: finds its submissions, leaves out those that an earlier attempt has finished, and writes each result
//! to the file of the part at once.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use super::file::{AttemptStart, Head, Line, PartFile};
use super::{PlanFile, SCHEMA, Shard, assign};
use crate::event::{Event, RunFacts, RunFinished, RunStarted, SubmissionIndex, SubmissionRef};
use crate::record::{Report, Reporter};
use crate::session::Session;
use crate::session::history_entry::subject;
use crate::store::Key;

/// A part that is ready to run.
pub(crate) struct Part {
    /// The session with the submissions that have no result yet.
    pub(crate) session: Session,
    pub(crate) writer: PartWriter,
    pub(crate) counts: Counts,
}

/// The sizes of a part, in submissions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counts {
    /// Of the whole run.
    pub(crate) run: usize,
    /// Of this part.
    pub(crate) part: usize,
    /// Of this part, known from earlier attempts.
    pub(crate) known: usize,
}

/// Prepares a part of a run. `dir` is the folder of all parts.
///
/// # Errors
/// The folder or the file of the part cannot be used, it belongs to another run, or another process writes it.
pub(crate) fn begin(session: Session, shard: Shard, dir: &Path, plan: Option<&PlanFile>) -> Result<Part> {
    let jobs = session.keyed_jobs()?;
    let keys: Vec<Key> = jobs.iter().map(|keys| keys.job).collect();
    let contents = session.fingerprints(jobs.iter().map(|keys| keys.source))?;
    let submissions = &session.plan().submissions;
    let duration = |submission: &crate::plan::PlannedSubmission| {
        let tests = session.plan().problems[submission.problem].names.len();
        let one = plan?.duration(&subject(submission.id.problem.as_str(), submission.id.submission.as_str()))?;
        Some(one * u32::try_from(tests).unwrap_or(u32::MAX))
    };
    let durations: Vec<Option<Duration>> = submissions.iter().map(duration).collect();
    let parts = assign(&keys, &durations, shard.of);
    let own = |submission: &SubmissionIndex| parts[*submission] == shard.index;
    let jobs: Vec<SubmissionIndex> = SubmissionIndex::each(0..submissions.len()).filter(own).collect();
    let whole = session.expected_head();
    let plan = plan.map(PlanFile::key);
    let run = session.run_key(&keys, plan.as_ref());
    let head = Head { schema: SCHEMA, index: shard.index, of: shard.of, run, plan, jobs, whole, contents };
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    let path = dir.join(shard.file_name());
    let writing = || format!("cannot write {}", path.display());
    let mut file =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).with_context(writing)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            bail!("another process is writing {}\n  → wait for it, or end it", path.display())
        }
        // Some network file systems have no locks. Then nothing keeps two processes apart, as without this check.
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    let earlier = PartFile::read(&path)?;
    if let Some(earlier) = &earlier
        && (earlier.shard() != shard || earlier.head.run != head.run)
    {
        bail!(
            "{} is a part of another run: {}\n  → name another folder, or delete the file",
            path.display(),
            head.unlike(&earlier.head)
        );
    }
    let isolation = earlier.as_ref().and_then(|earlier| earlier.attempts.last()).map(|begun| begun.isolation.clone());
    let known: BTreeSet<SubmissionIndex> = earlier
        .iter()
        .flat_map(|earlier| &earlier.blocks)
        .filter(|(_, block)| block.is_result)
        .map(|(submission, _)| *submission)
        .collect();
    let left: Vec<SubmissionIndex> =
        head.jobs.iter().copied().filter(|submission| !known.contains(submission)).collect();
    let length = earlier.as_ref().map_or(0, |earlier| earlier.length);
    file.set_len(length).with_context(writing)?;
    file.seek(SeekFrom::End(0)).with_context(writing)?;
    let counts = Counts { run: keys.len(), part: head.jobs.len(), known: known.len() };
    let is_finished = earlier.as_ref().is_some_and(|earlier| earlier.end.is_some());
    let places = left.iter().map(|submission| submissions[*submission].id.clone()).collect();
    let mut writer = PartWriter { path: path.clone(), out: BufWriter::new(file), places, isolation };
    if earlier.is_none() {
        writer.line(&Line::Started(Box::new(head))).with_context(writing)?;
    }
    if left.is_empty() && !is_finished {
        let measured = RunFacts::new(Duration::ZERO, None);
        writer.line(&Line::Finished { measured }).with_context(writing)?;
    }
    writer.out.flush().with_context(writing)?;
    Ok(Part { session: session.keep_only(&left), writer, counts })
}

/// Writes the events of a part to its file.
pub(crate) struct PartWriter {
    path: PathBuf,
    out: BufWriter<File>,
    /// The submissions of this attempt, as the whole run names them.
    places: Vec<SubmissionRef>,
    /// The isolation of earlier attempts.
    isolation: Option<String>,
}

impl PartWriter {
    /// The file of the part.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn line(&mut self, line: &Line) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        self.out.write_all(b"\n")
    }

    fn write(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::RunStarted(RunStarted { isolation, caveat, measured, .. }) => {
                let isolation = isolation.clone();
                let caveat = caveat.clone();
                self.line(&Line::Begun(AttemptStart { isolation, caveat, measured: measured.clone() }))?;
                return self.out.flush();
            }
            Event::RunFinished(RunFinished { interrupted: true, .. }) => return Ok(()),
            Event::RunFinished(RunFinished { measured, .. }) => {
                return self.line(&Line::Finished { measured: measured.clone() });
            }
            _ => {}
        }
        let event = match event.of() {
            Some(of) => event.clone().about(self.places[of.index].clone()),
            None => event.clone(),
        };
        self.out.write_all(&event.to_line()?)?;
        // After a kill, only the submission in progress is lost.
        if matches!(event, Event::SubmissionFinished(_)) { self.out.flush() } else { Ok(()) }
    }

    fn with_path(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("cannot write {}: {error}", self.path.display()))
    }
}

impl Reporter for PartWriter {
    fn recorded(&mut self, event: &Event, _: &Report) -> io::Result<()> {
        if let (Event::RunStarted(head), Some(earlier)) = (event, &self.isolation)
            && *earlier != head.isolation
        {
            return Err(io::Error::other(format!(
                "{} began in isolation layer {earlier}, and here programs run in layer {}\n  → run it on a machine with \
                 layer {earlier}, or delete the file",
                self.path.display(),
                head.isolation
            )));
        }
        self.write(event).map_err(|error| self.with_path(&error))
    }

    fn finish(&mut self, _: &Report) -> io::Result<()> {
        self.out.flush().and_then(|()| self.out.get_ref().sync_data()).map_err(|error| self.with_path(&error))
    }
}
