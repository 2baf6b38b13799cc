//! Points of cases → points of groups → points of a submission (package format 2025-09, "Result aggregation"). Pure.

use std::sync::Arc;

use crate::event::GroupScore;
use crate::problem::grading::ByValidator;
use crate::problem::{Aggregation, CasePoints, ScoreRange, ScoreTree, TestId};
use crate::verdict::Verdict;

/// A score file longer than this holds no number, in bytes.
const LONGEST: usize = 200;

/// The points of one case: none where only its group has some. `score` and `multiplier` are the texts that the output
/// validator left in `score.txt` and `score_multiplier.txt`.
///
/// # Errors
/// What the output validator did wrong, which is a judge error (package format 2025-09, "Scoring test cases").
pub fn of_case(
    points: CasePoints,
    verdict: Verdict,
    score: Option<&str>,
    multiplier: Option<&str>,
) -> Result<Option<f64>, String> {
    if points == CasePoints::Ignored {
        return Ok(None);
    }
    // The legacy format knows no multiplier.
    let multiplier = multiplier.filter(|_| !matches!(points, CasePoints::Legacy { .. }));
    let file = match (score, multiplier) {
        (Some(_), Some(_)) => return Err("score.txt beside score_multiplier.txt".to_owned()),
        (Some(text), None) => Some(("score.txt", text)),
        (None, text) => text.map(|text| ("score_multiplier.txt", text)),
    };
    if let (Some((name, _)), Verdict::WrongAnswer) = (file, verdict) {
        return Err(format!("{name} for an output that it rejects"));
    }
    match (points, file) {
        (CasePoints::Legacy { by_validator, accept_score, reject_score }, file) => match (verdict, file) {
            (Verdict::Accepted, Some(_)) if by_validator == ByValidator::Never => {
                Err("score.txt, but problem.yaml does not say `validation: custom score`".to_owned())
            }
            (Verdict::Accepted, Some((_, text))) => finite(text).map(Some),
            (Verdict::Accepted, None) if by_validator == ByValidator::Always => {
                Err("no score.txt, which `validation: custom score` needs".to_owned())
            }
            (Verdict::Accepted, None) => Ok(Some(accept_score)),
            _ => Ok(Some(reject_score)),
        },
        (CasePoints::OfGroup, Some((name, _))) => Err(format!("{name} in a group that is `pass-fail`")),
        (CasePoints::Ignored | CasePoints::OfGroup, _) => Ok(None),
        // Whatever an interactor wrote before the submission failed otherwise.
        _ if verdict != Verdict::Accepted => Ok(Some(0.0)),
        (CasePoints::Bounded(max), None) => Ok(Some(max)),
        (CasePoints::Unbounded, None) => Err("no score.txt, which an unbounded group needs".to_owned()),
        (CasePoints::Bounded(max), Some((name, text))) => bounded(name, number(name, text)?, max).map(Some),
        (CasePoints::Unbounded, Some((name, text))) => match score {
            Some(_) => number(name, text).map(Some),
            None => Err(format!("{name} in an unbounded group, where there is nothing to multiply")),
        },
    }
}

fn bounded(name: &str, number: f64, max: f64) -> Result<f64, String> {
    let most = if name == "score.txt" { max } else { 1.0 };
    if over(number, most) {
        return Err(format!("{name} says {number}, more than {}", tidy(most)));
    }
    let points = if name == "score.txt" { number } else { number * max };
    Ok(points.min(max))
}

/// Points of the legacy format, which may be below nought.
fn finite(text: &str) -> Result<f64, String> {
    let number = if text.len() > LONGEST { None } else { text.trim().parse::<f64>().ok() };
    number.filter(|number| number.is_finite()).ok_or_else(|| {
        let shown: String = text.trim().chars().take(40).collect();
        format!("score.txt holds {shown:?}, not one number")
    })
}

fn number(name: &str, text: &str) -> Result<f64, String> {
    let number = if text.len() > LONGEST { None } else { text.trim().parse::<f64>().ok() };
    // Negative zero is none.
    number.filter(|number| number.is_finite() && *number >= 0.0).map(f64::abs).ok_or_else(|| {
        let shown: String = text.trim().chars().take(40).collect();
        format!("{name} holds {shown:?}, not one number from 0 on")
    })
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
pub struct Points {
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
pub struct Board {
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
    pub fn new(scoring: &Arc<ScoreTree>, tests: &[TestId], early: bool) -> Self {
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
    pub fn add(&mut self, test: usize, verdict: Verdict, score: Option<f64>) -> bool {
        let news = verdict != Verdict::Accepted && self.fail(test);
        if let (Some(group), Some(score)) = (self.group_of[test], score) {
            let mark = &mut self.marks[group];
            mark.sum += score;
            mark.least = mark.least.min(score);
        }
        news
    }

    /// A test was not judged, for want of an answer or of an output.
    pub fn not_judged(&mut self, test: usize) {
        if let Some(group) = self.group_of[test] {
            self.marks[group].unknown = true;
        }
    }

    /// The failing test in whose light this one is not needed. What is needless stays so, whatever else becomes known:
    /// it makes no difference whether the failing test was itself needed.
    pub fn needless(&self, test: usize) -> Option<usize> {
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
    pub fn nothing(&mut self) -> Points {
        for test in 0..self.group_of.len() {
            self.add(test, Verdict::CompileError, Some(0.0));
        }
        self.points().unwrap_or_default()
    }

    /// The points, once every needed test has been added.
    ///
    /// # Errors
    /// A group has more points than it may have, which is a judge error.
    pub fn points(&self) -> Result<Points, String> {
        let mut points = Points { most: self.scoring.attainable(), total: "secret", ..Points::default() };
        for (at, group) in self.scoring.groups.iter().enumerate() {
            let Some(score) = self.of_group(at).filter(|_| self.scoring.counts(at)) else { continue };
            if let Some(max) = group.max_score.filter(|max| over(score, *max)) {
                let points = ScoreRange::Between(tidy(score), tidy(score));
                return Err(format!("{points} of {}, which gives at most {max}", group.name));
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
