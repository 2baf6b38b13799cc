//! Points of cases → points of groups → points of a submission (package format 2025-09, "Result aggregation"). Pure.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::event::GroupScore;
use crate::problem::grading::ByValidator;
use crate::problem::{Aggregation, CasePoints, ScoreRange, ScoreTree, TestId};
use crate::verdict::Verdict;

/// A score file longer than this holds no number, in bytes.
const LONGEST: usize = 200;

/// A file in which an output validator leaves points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScoreFile {
    /// Points.
    Score,
    /// A factor of the points that the case can give.
    Multiplier,
}

impl fmt::Display for ScoreFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Score => "score.txt",
            Self::Multiplier => "score_multiplier.txt",
        })
    }
}

/// What an output validator did wrong with the points of a case, which is a judge error (package format 2025-09,
/// "Scoring test cases").
#[derive(Debug, Clone, PartialEq, Error)]
pub(crate) enum ScoreError {
    /// It left both files.
    #[error("both {} and {}", ScoreFile::Score, ScoreFile::Multiplier)]
    Both,
    /// It gives points to what it rejects.
    #[error("it writes {0} for an output that it rejects")]
    Rejected(ScoreFile),
    /// A legacy package whose `validation` promises no points.
    #[error("score.txt, but problem.yaml does not say `validation: custom score`")]
    Unannounced,
    /// A legacy package whose `validation` promises points.
    #[error("no score.txt, but `validation: custom score` needs one")]
    Promised,
    /// It gives points where only the group has some.
    #[error("{0} in a group that is `pass-fail`")]
    PassFail(ScoreFile),
    /// It gives no points where nothing else says how many there are.
    #[error("no score.txt, but an unbounded group needs one")]
    Unbounded,
    /// It leaves a factor where there is nothing to multiply.
    #[error("{} in an unbounded group, which has no points to multiply", ScoreFile::Multiplier)]
    NothingToMultiply,
    /// It gives more than the case can give.
    #[error("{file} says {number}, more than {}", tidy(*.most))]
    TooMany {
        /// Where it says so.
        file: ScoreFile,
        /// What it says.
        number: f64,
        /// What it may say at most.
        most: f64,
    },
    /// A legacy package: the file holds something else than a number.
    #[error("score.txt contains {0:?}, not one number")]
    NoNumber(String),
    /// The file holds something else than a number that is not negative.
    #[error("{0} contains {1:?}, not one number of at least 0")]
    NotFromZero(ScoreFile, String),
}

/// A group has more points than it can give, which is a judge error.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{} of {group}, which gives at most {most}", ScoreRange::Between(*.points, *.points))]
pub(crate) struct Excess {
    /// Its points.
    points: f64,
    /// Its name.
    group: String,
    /// The most that it can give.
    most: f64,
}

/// The points of one case: none where only its group has some. `score` and `multiplier` are the texts that the output
/// validator left in `score.txt` and `score_multiplier.txt`.
///
/// # Errors
/// What the output validator did wrong.
pub(crate) fn of_case(
    points: CasePoints,
    verdict: Verdict,
    score: Option<&str>,
    multiplier: Option<&str>,
) -> Result<Option<f64>, ScoreError> {
    if points == CasePoints::Ignored {
        return Ok(None);
    }
    // The legacy format knows no multiplier.
    let multiplier = multiplier.filter(|_| !matches!(points, CasePoints::Legacy { .. }));
    let file = match (score, multiplier) {
        (Some(_), Some(_)) => return Err(ScoreError::Both),
        (Some(text), None) => Some((ScoreFile::Score, text)),
        (None, text) => text.map(|text| (ScoreFile::Multiplier, text)),
    };
    if let (Some((file, _)), Verdict::WrongAnswer) = (file, verdict) {
        return Err(ScoreError::Rejected(file));
    }
    match (points, file) {
        (CasePoints::Legacy { by_validator, accept_score, reject_score }, file) => match (verdict, file) {
            (Verdict::Accepted, Some(_)) if by_validator == ByValidator::Never => Err(ScoreError::Unannounced),
            (Verdict::Accepted, Some((_, text))) => finite(text).map(Some),
            (Verdict::Accepted, None) if by_validator == ByValidator::Always => Err(ScoreError::Promised),
            (Verdict::Accepted, None) => Ok(Some(accept_score)),
            _ => Ok(Some(reject_score)),
        },
        (CasePoints::OfGroup, Some((file, _))) => Err(ScoreError::PassFail(file)),
        (CasePoints::Ignored | CasePoints::OfGroup, _) => Ok(None),
        // Whatever an interactor wrote before the submission failed otherwise.
        _ if verdict != Verdict::Accepted => Ok(Some(0.0)),
        (CasePoints::Bounded(max), None) => Ok(Some(max)),
        (CasePoints::Unbounded, None) => Err(ScoreError::Unbounded),
        (CasePoints::Bounded(max), Some((file, text))) => bounded(file, number(file, text)?, max).map(Some),
        (CasePoints::Unbounded, Some((file @ ScoreFile::Score, text))) => number(file, text).map(Some),
        (CasePoints::Unbounded, Some((ScoreFile::Multiplier, _))) => Err(ScoreError::NothingToMultiply),
    }
}

fn bounded(file: ScoreFile, number: f64, max: f64) -> Result<f64, ScoreError> {
    let (most, points) = match file {
        ScoreFile::Score => (max, number),
        ScoreFile::Multiplier => (1.0, number * max),
    };
    if over(number, most) { Err(ScoreError::TooMany { file, number, most }) } else { Ok(points.min(max)) }
}

/// Points of the legacy format, which may be below nought.
fn finite(text: &str) -> Result<f64, ScoreError> {
    let number = if text.len() > LONGEST { None } else { text.trim().parse::<f64>().ok() };
    number.filter(|number| number.is_finite()).ok_or_else(|| ScoreError::NoNumber(beginning(text)))
}

fn number(file: ScoreFile, text: &str) -> Result<f64, ScoreError> {
    let number = if text.len() > LONGEST { None } else { text.trim().parse::<f64>().ok() };
    // Negative zero is none.
    let number = number.filter(|number| number.is_finite() && *number >= 0.0).map(f64::abs);
    number.ok_or_else(|| ScoreError::NotFromZero(file, beginning(text)))
}

/// As much of a file as a message shows.
fn beginning(text: &str) -> String {
    text.trim().chars().take(40).collect()
}

/// Whether a number is more than another by more than sums of fractions are wrong.
fn over(number: f64, most: f64) -> bool {
    number > most + most.abs().max(1.0) * 1e-9
}

/// Points as people read them: to the millionth, so that three thirds are one.
pub(super) fn tidy(points: f64) -> f64 {
    let rounded = (points * 1e6).round() / 1e6;
    if rounded.is_finite() { rounded } else { points }
}

/// The points of a submission.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Points {
    /// Its own; none where not all of its tests were planned.
    pub score: Option<f64>,
    /// Those of each group with cases of its own, in order; without those of which not all tests were planned.
    pub groups: Vec<GroupScore>,
    /// The verdict, where graders decide it rather than the first failing test.
    pub verdict: Option<Verdict>,
    /// Groups that are not shown because the same is said by those in them.
    pub(super) hidden: Vec<GroupScore>,
    /// The best that it could have; none: unbounded.
    pub(super) most: Option<f64>,
    /// Fewer points are better.
    pub(super) fewest: bool,
    /// The name of the group whose points are its own.
    pub(super) total: &'static str,
}

impl Points {
    /// Adds the points of a group, which are shown or not.
    pub(super) fn push(&mut self, group: GroupScore, shown: bool) {
        if shown { self.groups.push(group) } else { self.hidden.push(group) }
    }

    /// What is wrong with these points, given what somebody says of those of a group, or of the submission; none where
    /// that is as it should be, or where the points are not known.
    pub(crate) fn miss(&self, group: Option<&str>, range: ScoreRange) -> Option<String> {
        let (score, most) = match group.filter(|group| *group != self.total) {
            None => (self.score?, self.most),
            Some(group) => {
                let found = self.groups.iter().chain(&self.hidden).find(|found| found.group == group)?;
                (found.score, found.max_score)
            }
        };
        let full = most.is_none_or(|most| if self.fewest { !over(score, most) } else { !over(most, score) });
        let fine = match range {
            ScoreRange::Full => full,
            // In the legacy format: accepted, but not with the best points.
            ScoreRange::Partial if self.verdict.is_some() => !(full && most.is_some()),
            ScoreRange::Partial => over(score, 0.0) && !(full && most.is_some()),
            ScoreRange::Between(least, most) => !over(least, score) && !over(score, most),
        };
        let wanted = match (range, most) {
            (ScoreRange::Full, Some(most)) => ScoreRange::Between(most, most),
            _ => range,
        };
        let place = group.map(|group| format!(" in {group}")).unwrap_or_default();
        let wanted = match (range, most) {
            (ScoreRange::Partial, Some(most)) if self.fewest => {
                format!("more than {}", ScoreRange::Between(most, most))
            }
            _ => wanted.to_string(),
        };
        (!fine).then(|| format!("expected {wanted}{place}, got {}", tidy(score)))
    }
}

/// What is known of one group.
#[derive(Debug, Clone)]
struct Mark {
    planned: usize,
    sum: f64,
    least: f64,
    /// The first test in plan order that is known to fail.
    failed: Option<usize>,
    /// A test of it was not judged.
    unknown: bool,
    /// Positions of all groups that it depends on, through others too.
    requires: Vec<usize>,
}

/// The results of one submission on a scoring problem.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    scoring: Arc<ScoreTree>,
    /// The group of each planned test, where it has one.
    group_of: Vec<Option<usize>>,
    marks: Vec<Mark>,
    /// A group that can get no points any more is left.
    early: bool,
}

impl Board {
    /// Nothing known yet. `early`: after a failure in a group that is `pass-fail` or `min`, in which no points are left to
    /// be had, the rest of it is not needed.
    pub(crate) fn new(scoring: &Arc<ScoreTree>, tests: &[TestId], early: bool) -> Self {
        let directory = |test: &TestId| {
            let (directory, _) = test.as_str().rsplit_once('/').unwrap_or_default();
            scoring.group_of(directory)
        };
        let group_of: Vec<Option<usize>> = tests.iter().map(directory).collect();
        let mark = |at| Mark {
            planned: group_of.iter().filter(|group| **group == Some(at)).count(),
            sum: 0.0,
            least: f64::INFINITY,
            failed: None,
            unknown: false,
            requires: requires(scoring, at),
        };
        let marks = (0..scoring.groups.len()).map(mark).collect();
        Self { scoring: Arc::clone(scoring), group_of, marks, early }
    }

    /// A test is known to have failed; returns whether that may have made others needless, which only the first failure of
    /// a group does.
    fn fail(&mut self, test: usize) -> bool {
        let Some(group) = self.group_of[test] else { return false };
        let failed = &mut self.marks[group].failed;
        let first = failed.is_none_or(|known| test < known);
        if first {
            *failed = Some(test);
        }
        first
    }

    /// Adds the verdict and the points of a test, in any order, once; returns whether that may have made others needless.
    pub(crate) fn add(&mut self, test: usize, verdict: Verdict, score: Option<f64>) -> bool {
        let news = verdict != Verdict::Accepted && self.fail(test);
        if let (Some(group), Some(score)) = (self.group_of[test], score) {
            let mark = &mut self.marks[group];
            mark.sum += score;
            mark.least = mark.least.min(score);
        }
        news
    }

    /// A test was not judged, for want of an answer or of an output.
    pub(crate) fn not_judged(&mut self, test: usize) {
        if let Some(group) = self.group_of[test] {
            self.marks[group].unknown = true;
        }
    }

    /// The failing test in whose light this one is not needed. What is needless stays so, whatever else becomes known:
    /// it makes no difference whether the failing test was itself needed.
    pub(crate) fn needless(&self, test: usize) -> Option<usize> {
        let group = self.group_of[test]?;
        let own = self.marks[group]
            .failed
            .filter(|_| self.early && self.scoring.groups[group].aggregation != Aggregation::Sum);
        own.into_iter().chain(self.unmet(group)).filter(|failed| *failed < test).min()
    }

    /// The failing tests of groups that this one requires.
    fn unmet(&self, group: usize) -> impl Iterator<Item = usize> {
        self.marks[group].requires.iter().filter_map(|required| self.marks[*required].failed)
    }

    /// The points of a submission that could not be run at all: none.
    pub(crate) fn nothing(&mut self) -> Points {
        for test in 0..self.group_of.len() {
            self.add(test, Verdict::CompileError, Some(0.0));
        }
        self.points().unwrap_or_default()
    }

    /// The points, once every needed test has been added.
    ///
    /// # Errors
    /// A group has more points than it can give.
    pub(crate) fn points(&self) -> Result<Points, Excess> {
        let mut points = Points { most: self.scoring.attainable(), total: "secret", ..Points::default() };
        for (at, group) in self.scoring.groups.iter().enumerate() {
            let Some(score) = self.of_group(at).filter(|_| self.scoring.counts(at)) else { continue };
            if let Some(most) = group.max_score.filter(|max| over(score, *max)) {
                return Err(Excess { points: tidy(score), group: group.name.to_string(), most });
            }
            if group.tests > 0 {
                let (group, max_score) = (group.name.to_string(), group.max_score);
                points.groups.push(GroupScore { group, score: tidy(score), max_score });
            }
        }
        points.score = self.of_group(self.scoring.total).map(tidy);
        Ok(points)
    }

    /// The points of a group; none where not all of its tests were planned, or judged.
    fn of_group(&self, at: usize) -> Option<f64> {
        let (group, mark) = (&self.scoring.groups[at], &self.marks[at]);
        let children: Vec<usize> = self.scoring.children(at).collect();
        let certain = mark.failed.is_some() && group.aggregation != Aggregation::Sum;
        if mark.planned < group.tests || (mark.unknown && !certain) {
            return None;
        }
        let below: Option<Vec<f64>> = children.iter().map(|child| self.of_group(*child)).collect();
        let below = below?;
        Some(match group.aggregation {
            _ if self.unmet(at).next().is_some() => 0.0,
            Aggregation::PassFail if self.passed(at) => group.max_score.unwrap_or_default(),
            Aggregation::PassFail => 0.0,
            Aggregation::Sum => below.iter().sum::<f64>() + mark.sum,
            Aggregation::Min if mark.failed.is_some() => 0.0,
            Aggregation::Min => Some(below.into_iter().fold(mark.least, f64::min)).filter(|least| least.is_finite())?,
        })
    }

    /// Whether no case of a group, or of those in it, failed or was not run.
    fn passed(&self, at: usize) -> bool {
        let own = self.marks[at].failed.is_none() && self.unmet(at).next().is_none();
        own && self.scoring.children(at).all(|child| self.passed(child))
    }
}

/// Positions of all groups that a group depends on: those that it requires, or what it is a part of does, and theirs.
fn requires(scoring: &ScoreTree, group: usize) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    let mut open = vec![group];
    while let Some(at) = open.pop() {
        for required in scoring.lineage(at).flat_map(|at| &scoring.groups[at].require_pass) {
            if !found.contains(required) {
                found.push(*required);
                open.push(*required);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
