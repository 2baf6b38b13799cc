//! The file of a part: the head, then the events of each of its submissions. Every line is a JSON object.
//!
//! A part that was killed leaves complete submissions, and then perhaps the beginning of one. The reader drops that
//! beginning, and the next attempt overwrites it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::mistake::{Damage, Mistake, Unlike};
use super::{SCHEMA, Shard};
use crate::diagnostic::Diagnostic;
use crate::event::{
    BuildResult, Event, HostFacts, RunFacts, RunStarted, Standing, SubmissionFinished, SubmissionIndex, SubmissionRef,
    SubmissionResult,
};
use crate::session::fingerprints::{Fingerprints, Piece};
use crate::store::Key;

/// A line of a part besides the events of the run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event")]
pub(super) enum Line {
    /// Always first.
    #[serde(rename = "part_started")]
    Started(Box<Head>),
    /// An attempt begins; a part that was killed has several.
    #[serde(rename = "part_begun")]
    Begun(AttemptStart),
    /// All submissions of the part are there.
    #[serde(rename = "part_finished")]
    Finished { measured: RunFacts },
}

/// The head of a part, which all attempts share.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) schema: u32,
    pub(super) index: u32,
    pub(super) of: u32,
    /// The key of everything that decides the results of the run.
    pub(super) run: Key,
    /// The key of its plan file, if it has one.
    pub(super) plan: Option<Key>,
    /// The submissions of this part, as positions in the whole run.
    pub(super) jobs: Vec<SubmissionIndex>,
    /// The head of the whole run, without isolation and slots.
    pub(super) whole: RunStarted,
    /// The fingerprints of everything that decides its results; empty in parts of older versions.
    #[serde(default)]
    pub(super) contents: Fingerprints,
}

impl Head {
    /// The difference from the head of a part of another run.
    pub(super) fn unlike(&self, other: &Self) -> Unlike {
        let (a, b) = (&self.whole, &other.whole);
        if a.version != b.version {
            return Unlike::Version(a.version.clone(), b.version.clone());
        }
        if a.command != b.command {
            return Unlike::Command(a.command.name(), b.command.name());
        }
        if self.plan != other.plan {
            return Unlike::Plan;
        }
        let problems = |head: &RunStarted| {
            let names: Vec<String> = head.problems.iter().map(|problem| problem.problem.to_string()).collect();
            names.join(", ")
        };
        if problems(a) != problems(b) {
            return Unlike::Problems(problems(a), problems(b));
        }
        let submissions = a.submissions();
        let others = b.submissions();
        if submissions.len() != others.len() {
            return Unlike::Submissions(submissions.len(), others.len());
        }
        let name = |submission: &SubmissionRef| format!("{}/{}", submission.problem, submission.submission);
        if let Some((submission, other)) =
            submissions.iter().zip(&others).find(|(submission, other)| submission != other)
        {
            return Unlike::Submission(submission.index.0, name(submission), name(other));
        }
        let limits = a.problems.iter().zip(&b.problems);
        let mut differing =
            limits.filter(|(a, b)| (a.time_limit, a.memory, a.tests) != (b.time_limit, b.memory, b.tests));
        if let Some((problem, other)) = differing.next() {
            if problem.tests != other.tests {
                return Unlike::Tests(problem.problem.to_string(), problem.tests, other.tests);
            }
            return Unlike::Settings(problem.problem.to_string());
        }
        let named = |piece: Piece| match piece {
            Piece::Submission(submission) => {
                format!("submission {}", submissions.get(submission).map(name).unwrap_or_default())
            }
            other => other.to_string(),
        };
        Unlike::Contents(self.contents.differences(&other.contents).into_iter().map(named).collect())
    }
}

/// The start of an attempt: the facts about its machine.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct AttemptStart {
    pub(super) isolation: String,
    pub(super) caveat: String,
    pub(super) measured: HostFacts,
}

/// The content of the file of a part.
#[derive(Debug)]
pub(super) struct PartFile {
    pub(super) path: PathBuf,
    pub(super) head: Head,
    pub(super) attempts: Vec<AttemptStart>,
    /// The place of the events of each submission, by its position in the whole run.
    pub(super) blocks: BTreeMap<SubmissionIndex, Block>,
    /// The notices before the first submission of an attempt, and the later ones.
    pub(super) notices: [Vec<Diagnostic>; 2],
    /// The compilers and interpreters that built the programs, with their versions.
    pub(super) tools: BTreeSet<(String, String)>,
    /// The end of the last attempt that reached it.
    pub(super) end: Option<RunFacts>,
    /// The length of the file without an incomplete submission at its end, in bytes.
    pub(super) length: u64,
}

/// The place of the events of one submission in the file.
#[derive(Debug)]
pub(super) struct Block {
    start: u64,
    end: u64,
    /// The verdict in words, or the reason why it is missing.
    pub(super) result: String,
    /// Whether another attempt would do no better: the submission has a result.
    pub(super) is_result: bool,
}

#[derive(Deserialize)]
struct Tag<'a> {
    #[serde(borrow)]
    event: std::borrow::Cow<'a, str>,
}

impl PartFile {
    /// Whether the kernel limited the memory of programs; none if that is not known.
    pub(super) fn limits_memory(&self) -> Option<bool> {
        self.end.as_ref()?.limits_memory
    }

    pub(super) fn shard(&self) -> Shard {
        Shard { index: self.head.index, of: self.head.of }
    }

    /// Reads the file of a part; none if it has no complete line.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, Mistake> {
        let unreadable = |error| Mistake::Read { file: path.to_owned(), error };
        let damaged = |line, cause| Mistake::Damaged { file: path.to_owned(), line, cause };
        let mut input = BufReader::new(File::open(path).map_err(unreadable)?);
        let mut text = Vec::new();
        let mut next = |text: &mut Vec<u8>| {
            text.clear();
            let read = input.read_until(b'\n', text).map_err(unreadable)?;
            // A line without its end was cut off while it was written.
            Ok(text.ends_with(b"\n").then_some(read as u64))
        };
        let Some(length) = next(&mut text)? else { return Ok(None) };
        let head = match serde_json::from_slice(&text) {
            Ok(Line::Started(head)) => *head,
            // A later schema may have other keys.
            _ => match serde_json::from_slice(&text) {
                Ok(SchemaOnly { schema, .. }) if schema != SCHEMA => {
                    return Err(Mistake::Schema { file: path.to_owned(), schema });
                }
                _ => return Err(damaged(1, Damage::NoHead)),
            },
        };
        if head.schema != SCHEMA {
            return Err(Mistake::Schema { file: path.to_owned(), schema: head.schema });
        }
        let mut reading = Reading {
            submissions: head.whole.submissions(),
            jobs: head.jobs.iter().copied().collect(),
            open: None,
            place: length,
            has_begun: false,
            file: Self {
                path: path.to_owned(),
                head,
                attempts: Vec::new(),
                blocks: BTreeMap::new(),
                notices: [Vec::new(), Vec::new()],
                tools: BTreeSet::new(),
                end: None,
                length,
            },
        };
        for line in 2.. {
            let Some(read) = next(&mut text)? else { break };
            reading.take(&text, read).map_err(|cause| damaged(line, cause))?;
        }
        Ok(Some(reading.file))
    }

    /// Reads the events of a submission again.
    pub(super) fn events(&self, file: &mut File, block: &Block) -> Result<Vec<Event>, Mistake> {
        let unreadable = |error| Mistake::Read { file: self.path.clone(), error };
        file.seek(SeekFrom::Start(block.start)).map_err(unreadable)?;
        let lines = BufReader::new(file.take(block.end - block.start)).split(b'\n');
        let event = |line: io::Result<Vec<u8>>| {
            let changed = |error: serde_json::Error| unreadable(error.into());
            Event::from_line(&line.map_err(unreadable)?).map_err(changed)
        };
        lines.map(event).collect()
    }
}

#[derive(Deserialize)]
struct SchemaOnly {
    schema: u32,
}

/// The state of reading a file.
struct Reading {
    submissions: Vec<SubmissionRef>,
    jobs: BTreeSet<SubmissionIndex>,
    /// The submission whose events are being read, and the place of its first event.
    open: Option<(SubmissionIndex, u64)>,
    /// The bytes read so far.
    place: u64,
    /// Whether this attempt has begun a submission.
    has_begun: bool,
    file: PartFile,
}

impl Reading {
    fn take(&mut self, text: &[u8], read: u64) -> Result<(), Damage> {
        let start = self.place;
        self.place += read;
        let Tag { event } = serde_json::from_slice(text)?;
        if event.starts_with("part_") {
            let line = serde_json::from_slice(text)?;
            if self.open.is_some() {
                return Err(Damage::Place);
            }
            match line {
                Line::Started(_) => return Err(Damage::Place),
                Line::Begun(begun) => {
                    self.has_begun = false;
                    self.file.attempts.push(begun);
                }
                Line::Finished { measured } => self.file.end = Some(measured),
            }
        } else {
            self.event(Event::from_line(text)?, start)?;
        }
        if self.open.is_none() {
            self.file.length = self.place;
        }
        Ok(())
    }

    fn event(&mut self, event: Event, start: u64) -> Result<(), Damage> {
        let Some(of) = event.of() else {
            let Event::Notice(notice) = event else { return Err(Damage::Place) };
            self.file.notices[usize::from(self.has_begun)].push(notice);
            return Ok(());
        };
        if !self.jobs.contains(&of.index) || self.submissions.get(of.index.0) != Some(of) {
            return Err(Damage::Stranger);
        }
        let (submission, start) = *self.open.get_or_insert((of.index, start));
        if submission != of.index {
            return Err(Damage::Place);
        }
        self.has_begun = true;
        match event {
            Event::Built(built) => {
                if let BuildResult::Ready { language, version, .. } = built.result {
                    self.file.tools.insert((language, version));
                }
            }
            Event::SubmissionFinished(SubmissionFinished {
                result: SubmissionResult { standing, verdict, .. },
                ..
            }) => {
                self.open = None;
                let result = match (&standing, verdict) {
                    (Standing::Interrupted, _) => return Ok(()),
                    (Standing::NotJudged { .. }, _) => "not judged",
                    (Standing::JudgeError { .. }, _) => "a judge error",
                    (_, verdict) => verdict.map_or("without a verdict", |verdict| verdict.code()),
                };
                let is_result = matches!(standing, Standing::Met | Standing::Missed { .. });
                let block = Block { start, end: self.place, result: result.to_owned(), is_result };
                self.file.blocks.insert(submission, block);
            }
            _ => {}
        }
        Ok(())
    }
}
