//! The file of `grader plan`: time limits and durations that one machine has measured for all parts of a run.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::problem::ProblemId;
use crate::session::Session;
use crate::session::history_entry::subject;
use crate::store::{Key, Store};

/// The version of the file's format.
const VERSION: u32 = 1;

/// The time limits that follow from submissions, and the durations of submissions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlanFile {
    /// `VERSION`.
    plan: u32,
    /// The limits of problems that state none.
    limits: BTreeMap<String, PlannedLimit>,
    /// How long a test of a submission takes, in seconds, by `problem/submission`.
    durations: BTreeMap<String, f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlannedLimit {
    /// In seconds.
    time_limit: f64,
    /// The source, in words.
    from: String,
}

/// Why a plan cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlanError {
    #[error("cannot read the plan {}: {error}", .file.display())]
    Read { file: PathBuf, error: io::Error },
    #[error("{} is not a plan of grader: {error}\n  → write one: grader plan --out {}", .file.display(), .file.display())]
    Form { file: PathBuf, error: serde_json::Error },
    #[error("{} is a plan of version {version}; this grader reads version {VERSION}\n  → write it again: grader plan --out {}", .file.display(), .file.display())]
    Version { file: PathBuf, version: u32 },
    #[error("{}: {what} is {seconds}, which is not a time", .file.display())]
    Time { file: PathBuf, what: String, seconds: f64 },
}

impl PlanFile {
    /// Collects a plan.
    fn new(
        limits: impl IntoIterator<Item = (ProblemId, Duration, String)>,
        durations: impl IntoIterator<Item = (String, Duration)>,
    ) -> Self {
        let limit = |(problem, time, from): (ProblemId, Duration, String)| {
            (problem.to_string(), PlannedLimit { time_limit: time.as_secs_f64(), from })
        };
        Self {
            plan: VERSION,
            limits: limits.into_iter().map(limit).collect(),
            durations: durations.into_iter().map(|(subject, time)| (subject, time.as_secs_f64())).collect(),
        }
    }

    /// The plan of a session whose time limits are known. The durations come from earlier runs on this machine.
    pub(crate) fn of(session: &Session) -> Self {
        let head = session.expected_head();
        let limits = head.problems.iter().filter_map(|problem| {
            let from = session.limits_from.get(&problem.problem)?;
            let planned = session.plan().problems.iter().find(|planned| planned.problem.id == problem.problem)?;
            Some((problem.problem.clone(), planned.problem.timing?.derived?, from.clone()))
        });
        let (store, _) = Store::open(&session.workspace.settings.store_dir());
        let subjects: Vec<String> = head
            .submissions()
            .iter()
            .map(|submission| subject(submission.problem.as_str(), submission.submission.as_str()))
            .collect();
        let durations = store.durations(&subjects);
        let known = subjects.into_iter().zip(durations).filter_map(|(subject, time)| Some((subject, time?)));
        Self::new(limits, known)
    }

    /// Reads a plan.
    pub(crate) fn read(path: &Path) -> Result<Self, PlanError> {
        let file = || path.to_owned();
        let text = fs::read(path).map_err(|error| PlanError::Read { file: file(), error })?;
        let plan: Self = serde_json::from_slice(&text).map_err(|error| PlanError::Form { file: file(), error })?;
        if plan.plan != VERSION {
            return Err(PlanError::Version { file: file(), version: plan.plan });
        }
        let limits = plan.limits.iter().map(|(problem, limit)| (problem, limit.time_limit));
        let durations = plan.durations.iter().map(|(subject, seconds)| (subject, *seconds));
        for (what, seconds) in limits.chain(durations) {
            if Duration::try_from_secs_f64(seconds).is_err() {
                return Err(PlanError::Time { file: file(), what: what.clone(), seconds });
            }
        }
        Ok(plan)
    }

    /// Writes the plan: whole, or not at all.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(dir)?;
        serde_json::to_writer_pretty(&mut file, self)?;
        file.write_all(b"\n")?;
        file.persist(path)?;
        Ok(())
    }

    /// The limits, with their sources in words.
    pub(crate) fn limits(&self) -> BTreeMap<ProblemId, (Duration, String)> {
        let limit = |(problem, limit): (&String, &PlannedLimit)| {
            let time = Duration::from_secs_f64(limit.time_limit);
            (ProblemId::from(problem.clone()), (time, limit.from.clone()))
        };
        self.limits.iter().map(limit).collect()
    }

    /// How long a test of this submission takes.
    pub(super) fn duration(&self, subject: &str) -> Option<Duration> {
        self.durations.get(subject).copied().map(Duration::from_secs_f64)
    }

    /// The numbers of limits and of durations.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.limits.len(), self.durations.len())
    }

    /// Equal for equal plans.
    pub(super) fn key(&self) -> Key {
        Key::of("plan file v1").value("plan", self).finish()
    }
}
