//! The points that a problem, a group and a case can give.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::grading::{ByValidator, Grading};

/// How results of cases become the result of a submission, by the rules of either version of the package format.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Scoring {
    /// Points by the rules of 2025-09.
    Points(Arc<ScoreTree>),
    /// Verdict and points from the graders of the legacy format.
    Graded(Arc<Grading>),
}

/// The groups of a scoring problem as a tree (package format 2025-09, "Result aggregation").
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoreTree {
    /// The groups, each after its parent.
    pub groups: Vec<ScoreGroup>,
    /// The position of the group whose points are those of the submission: `secret`.
    pub total: usize,
}

/// A group, of test cases or of groups, that has points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoreGroup {
    /// The path below the data root: `secret/small`.
    pub name: Arc<str>,
    /// The position of its parent; none for `sample` and `secret`.
    pub parent: Option<usize>,
    /// The most points that it gives; none if unbounded.
    pub max_score: Option<f64>,
    /// How its points follow from the points inside it.
    pub aggregation: Aggregation,
    /// The positions of the groups in which every case must be accepted before this group runs.
    pub require_pass: Vec<usize>,
    /// The number of tests directly in it.
    pub tests: usize,
    /// The most points of its static validation, 0 if that only passes or fails. None if it has no static validation.
    pub static_score: Option<f64>,
}

/// How the points of a group follow from the points inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Aggregation {
    /// All points if every case is accepted, otherwise no points.
    PassFail,
    /// The sum.
    Sum,
    /// The minimum.
    Min,
}

/// The points that a case can get.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub enum CasePoints {
    /// It has no points, and points from the output validator are ignored: in a pass-fail problem, and in `sample`.
    Ignored,
    /// Only its group has points. If the output validator gives the case points, that is a fault of the validator. A
    /// checker of testlib may give them: the case then passes with this many.
    OfGroup(f64),
    /// At most this many points.
    Bounded(f64),
    /// Any number of points. The output validator must give them.
    Unbounded,
    /// By the rules of the legacy format.
    Legacy {
        /// Whether the output validator gives points to an accepted case.
        by_validator: ByValidator,
        /// The points of an accepted case without points from the output validator.
        accept_score: f64,
        /// The points of any other case.
        reject_score: f64,
    },
}

impl ScoreTree {
    /// The position of the group of a directory: the directory itself, or its nearest ancestor that is a group.
    pub fn group_of(&self, directory: &str) -> Option<usize> {
        let holds = |group: &ScoreGroup| {
            directory.strip_prefix(&*group.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let found = self.groups.iter().enumerate().filter(|(_, group)| holds(group));
        found.max_by_key(|(_, group)| group.name.len()).map(|(at, _)| at)
    }

    /// The positions of a group and its ancestors, the group itself first.
    pub fn lineage(&self, group: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(group), |at| self.groups[*at].parent)
    }

    /// Whether the points of a group count for the submission.
    pub fn counts(&self, group: usize) -> bool {
        self.lineage(group).any(|above| above == self.total)
    }

    /// The positions of the groups directly in a group.
    pub fn children(&self, group: usize) -> impl Iterator<Item = usize> {
        (0..self.groups.len()).filter(move |at| self.groups[*at].parent == Some(group))
    }

    /// The points that a case in this directory can get. In a `min` group as many as the group; in a `sum` group an
    /// equal share of what the static validation leaves.
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
            (Aggregation::PassFail, max) => CasePoints::OfGroup(max.unwrap_or_default()),
            (_, None) => CasePoints::Unbounded,
            (Aggregation::Sum, Some(max)) => CasePoints::Bounded(shared(max)),
            (Aggregation::Min, Some(max)) => CasePoints::Bounded(max),
        }
    }

    /// The points that the static validation of this directory can get.
    pub fn static_points_of(&self, directory: &str) -> CasePoints {
        let Some(at) = self.group_of(directory).filter(|at| self.counts(*at)) else { return CasePoints::Ignored };
        match self.groups[at].aggregation {
            Aggregation::PassFail => CasePoints::OfGroup(self.groups[at].max_score.unwrap_or_default()),
            _ => CasePoints::Bounded(self.groups[at].static_score.unwrap_or_default()),
        }
    }

    /// Returns the most points that a submission can get; none if unbounded. This is less than the maximum of `secret`
    /// if its groups do not add up to that.
    pub fn attainable(&self) -> Option<f64> {
        let total = &self.groups[self.total];
        let children = || self.children(self.total);
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
