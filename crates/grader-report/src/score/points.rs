//! Computes points of cases → points of groups → points of a submission (package format 2025-09, "Result aggregation").
//! Pure.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::event::{GroupScore, TestIndex};
use crate::problem::grading::ByValidator;
use crate::problem::{Aggregation, CasePoints, ScoreRange, ScoreTree, TestId};
use crate::verdict::Verdict;

/// The most points of a case or group. Sums of such numbers stay finite.
pub const MOST_POINTS: f64 = 1e100;
/// The longest score file that can hold a number, in bytes.
const LONGEST: usize = 200;

/// The way in which an output validator gives the points of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreFile {
    /// `score.txt`: points.
    Score,
    /// `quitp` of testlib: points.
    Quitp,
    /// `score_multiplier.txt`: a factor of the maximum points of the case.
    Multiplier,
    /// `quitp` of testlib where it states percent, as such a factor.
    Percent,
}

impl fmt::Display for ScoreFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Score => "score.txt",
            Self::Quitp | Self::Percent => "quitp",
            Self::Multiplier => "score_multiplier.txt",
        })
    }
}

/// A mistake of an output validator in the points of a case. It is a judge error (package format 2025-09, "Scoring test
/// cases").
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ScoreError {
    /// The validator wrote both files.
    #[error("both {} and {}", ScoreFile::Score, ScoreFile::Multiplier)]
    Both,
    /// The validator wrote points for an output that it rejects.
    #[error("it writes {0} for an output that it rejects")]
    Rejected(ScoreFile),
    /// In a legacy package, the validator wrote points, but `validation` does not announce them.
    #[error("score.txt, but problem.yaml does not say `validation: custom score`")]
    Unannounced,
    /// In a legacy package, the validator wrote no points, but `validation` announces them.
    #[error("no score.txt, but `validation: custom score` needs one")]
    Promised,
    /// The validator wrote points for a case of a `pass-fail` group. Only the group itself has points.
    #[error("{0} in a group that is `pass-fail`")]
    PassFail(ScoreFile),
    /// The validator wrote no points for a case of an unbounded group.
    #[error("no score.txt, but an unbounded group needs one")]
    Unbounded,
    /// The validator wrote a factor for a case of an unbounded group.
    #[error("{} in an unbounded group, which has no points to multiply", ScoreFile::Multiplier)]
    NothingToMultiply,
    /// The validator wrote a number above the maximum.
    #[error("{file} says {number}, more than {}", tidy(*.most))]
    TooMany {
        /// The file with the number.
        file: ScoreFile,
        /// The number.
        number: f64,
        /// The largest number allowed.
        most: f64,
    },
    /// The validator wrote a number that is too large for sums.
    #[error("{0} says {1:e}, more than {MOST_POINTS:e}")]
    TooLarge(ScoreFile, f64),
    /// In a legacy package, the file does not hold one number.
    #[error("score.txt contains {0:?}, not one number")]
    NoNumber(String),
    /// The file does not hold one number of at least 0.
    #[error("{0} contains {1:?}, not one number of at least 0")]
    NotFromZero(ScoreFile, String),
}

/// The points of a group exceed its maximum. This is a judge error.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{} of {group}, which gives at most {most}", ScoreRange::Between(*.points, *.points))]
pub struct Excess {
    /// The points of the group.
    points: f64,
    /// The name of the group.
    group: String,
    /// The maximum of the group.
    most: f64,
}

/// Returns the points of one case; none if only its group has points. `score` and `multiplier` are what the output
/// validator wrote, each with its file.
///
/// A checker of testlib may give points in a `pass-fail` group, `complete-group` of Polygon. Such a case has points here
/// only if it has fewer than all, and then it does not pass: <https://codeforces.com/blog/entry/60217> says that all tests
/// of the group must be passed, and partial points are not.
///
/// # Errors
/// The mistake of the output validator.
pub fn of_case(
    points: CasePoints,
    verdict: Verdict,
    score: Option<(ScoreFile, &str)>,
    multiplier: Option<(ScoreFile, &str)>,
) -> Result<Option<f64>, ScoreError> {
    if points == CasePoints::Ignored {
        return Ok(None);
    }
    // The legacy format has no multiplier.
    let multiplier = multiplier.filter(|_| !matches!(points, CasePoints::Legacy { .. }));
    let file = match (score, multiplier) {
        (Some(_), Some(_)) => return Err(ScoreError::Both),
        (Some(score), None) => Some(score),
        (None, multiplier) => multiplier,
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
        (CasePoints::OfGroup(all), Some((file @ (ScoreFile::Quitp | ScoreFile::Percent), text)))
            if verdict == Verdict::Accepted =>
        {
            let points = number(file, text)? * if file == ScoreFile::Percent { all } else { 1.0 };
            Ok(Some(points).filter(|points| over(all, *points)))
        }
        (CasePoints::OfGroup(_), Some((file @ (ScoreFile::Score | ScoreFile::Multiplier), _))) => {
            Err(ScoreError::PassFail(file))
        }
        (CasePoints::Ignored | CasePoints::OfGroup(_), _) => Ok(None),
        // An interactor may have written points before the submission failed in another way.
        _ if verdict != Verdict::Accepted => Ok(Some(0.0)),
        (CasePoints::Bounded(max), None) => Ok(Some(max)),
        (CasePoints::Unbounded, None) => Err(ScoreError::Unbounded),
        (CasePoints::Bounded(max), Some((file, text))) => bounded(file, number(file, text)?, max).map(Some),
        (CasePoints::Unbounded, Some((file @ (ScoreFile::Score | ScoreFile::Quitp), text))) => {
            number(file, text).map(Some)
        }
        (CasePoints::Unbounded, Some((ScoreFile::Multiplier | ScoreFile::Percent, _))) => {
            Err(ScoreError::NothingToMultiply)
        }
    }
}

fn bounded(file: ScoreFile, number: f64, max: f64) -> Result<f64, ScoreError> {
    let (most, points) = match file {
        ScoreFile::Score | ScoreFile::Quitp => (max, number),
        ScoreFile::Multiplier | ScoreFile::Percent => (1.0, number * max),
    };
    if over(number, most) { Err(ScoreError::TooMany { file, number, most }) } else { Ok(points.min(max)) }
}

/// Reads points of the legacy format, which may be negative.
fn finite(text: &str) -> Result<f64, ScoreError> {
    let number = parsed(text).ok_or_else(|| ScoreError::NoNumber(beginning(text)))?;
    summable(ScoreFile::Score, number)
}

fn number(file: ScoreFile, text: &str) -> Result<f64, ScoreError> {
    // Turns negative zero into zero.
    let number = parsed(text).filter(|number| *number >= 0.0).map(f64::abs);
    summable(file, number.ok_or_else(|| ScoreError::NotFromZero(file, beginning(text)))?)
}

/// Reads a finite number.
fn parsed(text: &str) -> Option<f64> {
    let number = if text.len() > LONGEST { None } else { text.trim().parse::<f64>().ok() };
    number.filter(|number| number.is_finite())
}

fn summable(file: ScoreFile, number: f64) -> Result<f64, ScoreError> {
    if number.abs() <= MOST_POINTS { Ok(number) } else { Err(ScoreError::TooLarge(file, number)) }
}

/// The first 40 characters of a file, for a message.
fn beginning(text: &str) -> String {
    text.trim().chars().take(40).collect()
}

/// Whether `number` exceeds `most` by more than the rounding error of sums of fractions.
pub(super) fn over(number: f64, most: f64) -> bool {
    number > most + most.abs().max(1.0) * 1e-9
}

/// Rounds points to millionths for people, so that three thirds make one.
pub(super) fn tidy(points: f64) -> f64 {
    let rounded = (points * 1e6).round() / 1e6;
    if rounded.is_finite() { rounded } else { points }
}

/// The points of a submission.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Points {
    /// The points of the submission; none if not all of its tests were planned or judged.
    pub score: Option<f64>,
    /// The points of each group with cases of its own, in order. Groups whose tests were not all planned or judged are
    /// left out.
    pub groups: Vec<GroupScore>,
    /// The verdict, if graders decide it and not the first failing test.
    pub verdict: Option<Verdict>,
    /// Groups without cases of their own. They are not shown.
    pub(super) hidden: Vec<GroupScore>,
    /// The maximum of the submission; none if it is unbounded.
    pub(super) most: Option<f64>,
    /// Whether fewer points are better.
    pub(super) fewest: bool,
    /// The name of the group whose points are the points of the submission.
    pub(super) total: &'static str,
}

impl Points {
    /// Adds the points of a group, either shown or hidden.
    pub(super) fn push(&mut self, group: GroupScore, shown: bool) {
        if shown { self.groups.push(group) } else { self.hidden.push(group) }
    }

    /// Describes how the points of a group, or of the submission, miss the expected range. Returns none if they are
    /// within it, or if they are not known.
    pub fn miss(&self, group: Option<&str>, range: ScoreRange) -> Option<String> {
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
            // In the legacy format, partial points mean accepted, but without the best points.
            ScoreRange::Partial if self.verdict.is_some() => !(full && most.is_some()),
            ScoreRange::Less => !full,
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

/// The known results of one group.
#[derive(Debug, Clone)]
struct GroupState {
    planned: usize,
    sum: f64,
    least: f64,
    /// The first test in plan order that is known to fail.
    failed: Option<TestIndex>,
    /// Whether a test of the group was not judged.
    unknown: bool,
    /// Positions of all groups that it requires, directly or through others.
    requires: Vec<usize>,
}

/// The results of one submission on a scoring problem.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    scoring: Arc<ScoreTree>,
    /// The group of each planned test, if it belongs to one.
    group_of: Vec<Option<usize>>,
    marks: Vec<GroupState>,
    /// Whether to leave a group that can no longer earn points.
    early: bool,
}

impl Board {
    /// Creates an empty board. `early`: after a failure in a `pass-fail` or `min` group, the rest of the group is not
    /// needed because it can no longer earn points.
    pub(crate) fn new(scoring: &Arc<ScoreTree>, tests: &[TestId], early: bool) -> Self {
        let directory = |test: &TestId| {
            let (directory, _) = test.as_str().rsplit_once('/').unwrap_or_default();
            scoring.group_of(directory)
        };
        let group_of: Vec<Option<usize>> = tests.iter().map(directory).collect();
        let mark = |at| GroupState {
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

    /// Forgets every test.
    pub(crate) fn clear(&mut self) {
        for mark in &mut self.marks {
            mark.sum = 0.0;
            mark.least = f64::INFINITY;
            mark.failed = None;
            mark.unknown = false;
        }
    }

    /// Records that a test failed. Returns whether other tests may have become unnecessary: only an earlier first
    /// failure of a group does that.
    fn fail(&mut self, test: TestIndex) -> bool {
        let Some(group) = self.group_of[test] else { return false };
        let failed = &mut self.marks[group].failed;
        let first = failed.is_none_or(|known| test < known);
        if first {
            *failed = Some(test);
        }
        first
    }

    /// Adds the verdict and points of a test, once and in any order. Returns whether other tests may have become
    /// unnecessary.
    pub(crate) fn add(&mut self, test: TestIndex, verdict: Verdict, score: Option<f64>) -> bool {
        // A case of a `pass-fail` group has points only if it has fewer than all.
        let is_complete = |group: usize| self.scoring.groups[group].aggregation == Aggregation::PassFail;
        let is_partial = score.is_some() && self.group_of[test].is_some_and(is_complete);
        let news = (verdict != Verdict::Accepted || is_partial) && self.fail(test);
        if let (Some(group), Some(score)) = (self.group_of[test], score) {
            let mark = &mut self.marks[group];
            mark.sum += score;
            mark.least = mark.least.min(score);
        }
        news
    }

    /// Records that a test was not judged because it has no answer or no output.
    pub(crate) fn not_judged(&mut self, test: TestIndex) {
        if let Some(group) = self.group_of[test] {
            self.marks[group].unknown = true;
        }
    }

    /// Returns the failing test that makes this one unnecessary. An unnecessary test stays unnecessary, even if the
    /// failing test was itself not needed.
    pub(crate) fn needless(&self, test: TestIndex) -> Option<TestIndex> {
        let group = self.group_of[test]?;
        self.lost(group).into_iter().chain(self.unmet(group)).filter(|failed| *failed < test).min()
    }

    /// The failing test after which a group can no longer earn points, if the rest of the group is left out then.
    fn lost(&self, group: usize) -> Option<TestIndex> {
        let aggregation = self.scoring.groups[group].aggregation;
        self.marks[group].failed.filter(|_| self.early && aggregation != Aggregation::Sum)
    }

    /// Whether a test is not needed only because its group can no longer earn points.
    pub(crate) fn is_left_out(&self, test: TestIndex) -> bool {
        let is_before = |failed: TestIndex| failed < test;
        let Some(group) = self.group_of[test] else { return false };
        self.lost(group).is_some_and(is_before) && !self.unmet(group).any(is_before)
    }

    /// The failing tests of the groups that this group requires.
    fn unmet(&self, group: usize) -> impl Iterator<Item = TestIndex> {
        self.marks[group].requires.iter().filter_map(|required| self.marks[*required].failed)
    }

    /// The points of a submission that could not run at all: no points.
    pub(crate) fn nothing(&mut self) -> Points {
        for test in TestIndex::each(0..self.group_of.len()) {
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

    /// The points of a group; none if not all of its tests were planned or judged.
    fn of_group(&self, at: usize) -> Option<f64> {
        let group = &self.scoring.groups[at];
        let mark = &self.marks[at];
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

    /// Whether no case failed in a group, in the groups below it, or in the groups that these require.
    fn passed(&self, at: usize) -> bool {
        let own = self.marks[at].failed.is_none() && self.unmet(at).next().is_none();
        own && self.scoring.children(at).all(|child| self.passed(child))
    }
}

/// Positions of all groups that a group depends on: those required by the group or by its ancestors, and their
/// requirements.
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
