//! Describes the points that a problem, a group and a case can give.

use std::sync::Arc;

use serde::Serialize;

use super::grading::{ByValidator, Grading};

/// How the results of cases become that of a submission, by the rules of either generation of the package format.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Scoring {
    /// Points by the rules of 2025-09.
    Points(Arc<ScoreTree>),
    /// Verdict and points by the graders of the legacy format.
    Graded(Arc<Grading>),
}

/// How the points of a scoring problem come about (package format 2025-09, "Result aggregation"): a tree of groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoreTree {
    /// The groups, each behind the one that it is a part of.
    pub groups: Vec<ScoreGroup>,
    /// Position of the group whose points are those of the submission: `secret`.
    pub total: usize,
}

/// A group of test cases, or of groups, that has points.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoreGroup {
    /// The path below the data root: `secret/small`.
    pub name: Arc<str>,
    /// Position of the group that it is a part of; none for `sample` and `secret`.
    pub parent: Option<usize>,
    /// The most points that it gives; none: unbounded.
    pub max_score: Option<f64>,
    /// How its points follow from those of what is in it.
    pub aggregation: Aggregation,
    /// Positions of the groups whose every case must be accepted before this one is run.
    pub require_pass: Vec<usize>,
    /// Tests in it, those in groups below not counted.
    pub tests: usize,
    /// The most points of its static validation, nought where that is passed or failed; none where it has none.
    pub static_score: Option<f64>,
}

/// How the points of a group follow from those of what is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Aggregation {
    /// All points when every case is accepted, else none.
    PassFail,
    /// The sum.
    Sum,
    /// The least.
    Min,
}

/// What points a case can get.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub enum CasePoints {
    /// It has no points, and points from the output validator are ignored: in a pass-fail problem, and in `sample`.
    Ignored,
    /// Only its group has points. If the output validator gives the case points, that is a fault of the validator.
    OfGroup,
    /// Up to so many.
    Bounded(f64),
    /// As many as the output validator says, which must say.
    Unbounded,
    /// By the rules of the legacy format.
    Legacy {
        /// Whether it is the output validator that says for an accepted case.
        by_validator: ByValidator,
        /// For an accepted case of which the output validator says nothing.
        accept_score: f64,
        /// For any other case.
        reject_score: f64,
    },
}

impl ScoreTree {
    /// Position of the group that a directory of cases belongs to: the directory itself, or the nearest above it that is
    /// a group.
    pub fn group_of(&self, directory: &str) -> Option<usize> {
        let holds = |group: &ScoreGroup| {
            directory.strip_prefix(&*group.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let found = self.groups.iter().enumerate().filter(|(_, group)| holds(group));
        found.max_by_key(|(_, group)| group.name.len()).map(|(at, _)| at)
    }

    /// Positions of a group and those that it is a part of, itself first.
    pub fn lineage(&self, group: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(group), |at| self.groups[*at].parent)
    }

    /// Whether the points of a group are among those of the submission.
    pub fn counts(&self, group: usize) -> bool {
        self.lineage(group).any(|above| above == self.total)
    }

    /// Positions of the groups that a group consists of.
    pub fn children(&self, group: usize) -> impl Iterator<Item = usize> {
        (0..self.groups.len()).filter(move |at| self.groups[*at].parent == Some(group))
    }

    /// What points a case in this directory can get: in a `min` group as many as the group, in a `sum` group its
    /// share of what the static validation leaves.
    pub fn points_of(&self, directory: &str) -> CasePoints {
        let Some(at) = self.group_of(directory) else { return CasePoints::Ignored };
        let group = &self.groups[at];
        if !self.counts(at) {
            return CasePoints::Ignored;
        }
        let cases = group.tests - usize::from(group.static_score.is_some() && group.tests > 0);
        #[expect(clippy::cast_precision_loss, reason = "nobody has 2^53 cases")]
        let cases = cases.max(1) as f64;
        let shared = |max: f64| (max - group.static_score.unwrap_or_default()) / cases;
        match (group.aggregation, group.max_score) {
            (Aggregation::PassFail, _) => CasePoints::OfGroup,
            (_, None) => CasePoints::Unbounded,
            (Aggregation::Sum, Some(max)) => CasePoints::Bounded(shared(max)),
            (Aggregation::Min, Some(max)) => CasePoints::Bounded(max),
        }
    }

    /// What points the static validation of this directory can get.
    pub fn static_points_of(&self, directory: &str) -> CasePoints {
        let Some(at) = self.group_of(directory).filter(|at| self.counts(*at)) else { return CasePoints::Ignored };
        match self.groups[at].aggregation {
            Aggregation::PassFail => CasePoints::OfGroup,
            _ => CasePoints::Bounded(self.groups[at].static_score.unwrap_or_default()),
        }
    }

    /// Returns the most points that a submission can get; none if unbounded. This is less than the maximum of `secret`
    /// if its groups do not add up to that.
    pub fn attainable(&self) -> Option<f64> {
        let (total, children) = (&self.groups[self.total], || self.children(self.total));
        let maxima = || children().map(|at| self.groups[at].max_score.unwrap_or(f64::INFINITY));
        let most = match total.aggregation {
            _ if children().next().is_none() => total.max_score,
            Aggregation::PassFail => total.max_score,
            Aggregation::Sum => Some(maxima().sum()),
            Aggregation::Min => Some(maxima().fold(f64::INFINITY, f64::min)),
        };
        most.map(|most| most.min(total.max_score.unwrap_or(f64::INFINITY))).filter(|most| most.is_finite())
    }
}
