//! Summarises each run for the index of the store, with the durations of its submissions.

use std::collections::BTreeMap;
use std::fs::File;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::records::replay;
use crate::diagnostic::Severity;
use crate::event::{Command, Event, TestFinished, TestResult, Verb};
use crate::limits::Bytes;
use crate::record::Report;
use crate::store::{IndexedRecord, RunDigest, Store};

/// The maximum amount that the end of a run reads: its own record, and earlier ones that are not in the index yet.
const AFTER_A_RUN: Bytes = Bytes::mib(32);

/// The summary of a run in the index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub(crate) started: String,
    pub(crate) verb: Verb,
    #[serde(default)]
    pub(crate) command: Command,
    pub(crate) isolation: String,
    pub(crate) problems: Vec<String>,
    pub(crate) submissions: usize,
    pub(crate) as_expected: usize,
    pub(crate) unexpected: usize,
    pub(crate) not_judged: usize,
    pub(crate) judge_errors: usize,
    pub(crate) not_finished: usize,
    pub(crate) errors: usize,
    pub(crate) results: usize,
    pub(crate) cached: usize,
    /// In seconds. None if the run did not end.
    pub(crate) wall: Option<f64>,
    pub(crate) interrupted: bool,
    /// The error in the record itself, if it is damaged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) damage: Option<String>,
}

impl Summary {
    /// Returns the summary of a run. If another version of grader wrote it into the index, recreates it from the
    /// record.
    pub(crate) fn of(taken: &IndexedRecord) -> std::io::Result<Self> {
        let known = taken.summary.as_deref().and_then(|text| serde_json::from_str(text).ok());
        if let Some(known) = known {
            return Ok(known);
        }
        serde_json::from_str(&digest(taken.record.open()?).summary).map_err(std::io::Error::other)
    }
}

/// Adds the run that has just ended to the index, and removes old records beyond the configured number.
pub(crate) fn keep(store: &Store, keep_runs: u32) {
    if keep_runs > 0 {
        store.prune_runs(keep_runs as usize);
    }
    // A record that cannot be read now is read on the next request for it.
    let _ = store.take_in_runs(AFTER_A_RUN, digest);
}

/// All recorded runs in the store, newest first.
pub(crate) fn take_in_all(store: &Store) -> std::io::Result<Vec<IndexedRecord>> {
    store.take_in_runs(Bytes(u64::MAX), digest)
}

/// Summarises a record.
fn digest(file: File) -> RunDigest {
    let mut durations: BTreeMap<String, (Duration, u32)> = BTreeMap::new();
    let replayed = replay(file, |event, report| {
        let is_sanitized = report.head.as_ref().is_some_and(|head| head.sanitize);
        if let Event::TestFinished(finished) = event
            && !is_sanitized
            && let Some((subject, wall)) = measured(finished)
        {
            let (sum, n) = durations.entry(subject).or_default();
            *sum += wall;
            *n += 1;
        }
    });
    let damage = replayed.damage.map(|damage| damage.to_string());
    let summary = summary(&replayed.report, replayed.finished, damage);
    let durations = durations.into_iter().map(|(subject, (sum, n))| (subject, sum / n)).collect();
    // Serialising plain data to JSON cannot fail.
    RunDigest { summary: serde_json::to_string(&summary).unwrap_or_default(), durations }
}

/// The key of a submission's mean test duration in the index.
pub(crate) fn subject(problem: &str, submission: &str) -> String {
    format!("{problem}/{submission}")
}

/// How long a test took. None if its result came from the store, or after a judge error or a cancellation.
fn measured(finished: &TestFinished) -> Option<(String, Duration)> {
    let measured = match &finished.result {
        TestResult::Judged(judgement) => &judgement.measured,
        TestResult::NotJudged { measured, .. } => measured,
        TestResult::JudgeError { .. } | TestResult::Cancelled => return None,
    };
    let submission = &finished.test.of;
    (!measured.cached).then(|| (subject(submission.problem.as_str(), submission.submission.as_str()), measured.wall))
}

fn summary(report: &Report, finished: bool, damage: Option<String>) -> Summary {
    let counts = report.counts();
    let (results, cached) = report.results();
    let head = report.head.as_ref();
    Summary {
        started: head.map(|head| head.measured.started.clone()).unwrap_or_default(),
        verb: head.map(|head| head.verb).unwrap_or_default(),
        command: head.map(|head| head.command).unwrap_or_default(),
        isolation: head.map(|head| head.isolation.clone()).unwrap_or_default(),
        problems: head.into_iter().flat_map(|head| &head.problems).map(|found| found.problem.to_string()).collect(),
        submissions: report.submissions.len(),
        as_expected: counts.met,
        unexpected: counts.missed,
        not_judged: counts.not_judged,
        judge_errors: counts.judge_errors,
        not_finished: counts.interrupted,
        errors: report.notices_from(Severity::Error),
        results,
        cached,
        wall: finished.then_some(report.wall.as_secs_f64()),
        interrupted: report.interrupted,
        damage,
    }
}
