//! Fingerprints of everything that decides the results of a run, in pieces: they show in which piece two runs differ.

use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use super::{Session, result_key};
use crate::report::student::FeedbackLevel;
use crate::store::{Key, Store};

/// The pieces of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fingerprints {
    problems: BTreeMap<String, OfProblem>,
    /// The first digits of a key of each submission's files, in plan order.
    submissions: Vec<String>,
}

/// The pieces of a problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct OfProblem {
    /// The files of its tests.
    tests: Key,
    /// The files of its judges, and those that are added to submissions.
    judges: Key,
    /// All of it, with limits and settings.
    whole: Key,
}

/// A piece that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Tests(String),
    Judges(String),
    Settings(String),
    /// A submission, by its position in the plan.
    Submission(usize),
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tests(problem) => write!(f, "the tests of {problem}"),
            Self::Judges(problem) => write!(f, "the validators or included files of {problem}"),
            Self::Settings(problem) => write!(f, "a limit, checker or other setting of {problem}"),
            Self::Submission(submission) => write!(f, "submission {submission}"),
        }
    }
}

impl Fingerprints {
    /// The pieces that both have and that differ.
    pub(crate) fn differences(&self, other: &Self) -> Vec<Piece> {
        let mut differing = Vec::new();
        for (name, own) in &self.problems {
            let Some(other) = other.problems.get(name) else { continue };
            let before = differing.len();
            differing.extend((own.tests != other.tests).then(|| Piece::Tests(name.clone())));
            differing.extend((own.judges != other.judges).then(|| Piece::Judges(name.clone())));
            if differing.len() == before && own.whole != other.whole {
                differing.push(Piece::Settings(name.clone()));
            }
        }
        let submissions = self.submissions.iter().zip(&other.submissions).enumerate();
        differing.extend(
            submissions.filter(|(_, (own, other))| own != other).map(|(submission, _)| Piece::Submission(submission)),
        );
        differing
    }
}

impl Session {
    /// The pieces of this run. `sources`: the keys of its submissions' files.
    ///
    /// # Errors
    /// A file of a problem cannot be read.
    pub(crate) fn fingerprints(&self, sources: impl Iterator<Item = Key>) -> Result<Fingerprints> {
        let (store, _) = Store::open(&self.workspace.settings.store_dir());
        let of_problem = |planned| -> Result<OfProblem, result_key::KeyError> {
            let [tests, judges] = result_key::of_files(planned, &store)?;
            let whole = result_key::of_problem(&self.workspace, planned, "", FeedbackLevel::default(), &store)?;
            Ok(OfProblem { tests, judges, whole })
        };
        let problems = self.plan.problems.iter().map(|planned| {
            let name = planned.problem.id.to_string();
            Ok((name.clone(), of_problem(planned).context(name)?))
        });
        Ok(Fingerprints {
            problems: problems.collect::<Result<_>>()?,
            submissions: sources.map(|key| key.to_string().chars().take(8).collect()).collect(),
        })
    }
}
