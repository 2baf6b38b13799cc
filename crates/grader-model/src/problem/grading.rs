//! Describes how a submission gets its verdict and points in the legacy package format ("Graders"): a tree of groups,
//! each graded from its direct members. Plain data.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{CasePoints, Program};
use crate::verdict::Verdict;

/// The groups of a problem with the rules of the legacy format.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grading {
    /// The groups in the order of judging, each after its parent. The first group is all test data.
    pub groups: Vec<GradedGroup>,
    /// The rules for points. None in a pass-fail problem, where graders decide only the verdict.
    pub points: Option<LegacyPoints>,
    /// The grader from the package, if it has one.
    pub program: Option<Program>,
}

/// The rules for points of a whole legacy problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LegacyPoints {
    /// Whether more or fewer points are better.
    pub objective: Objective,
    /// Whether the output validator gives points to accepted cases.
    pub by_validator: ByValidator,
}

/// Whether an output validator gives points to an accepted case, in `score.txt`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ByValidator {
    /// It must not give points.
    #[default]
    Never,
    /// It may give points; otherwise the case gets the points of its group.
    Maybe,
    /// It must give points (`validation: custom score`).
    Always,
}

/// Which points are best.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Objective {
    /// The most points.
    #[default]
    Max,
    /// The fewest points.
    Min,
}

/// A directory of test data, with the rule that turns the results inside it into its own result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GradedGroup {
    /// The path below the data root; empty for the root itself.
    pub name: Arc<str>,
    /// The position of its parent; none for the root.
    pub parent: Option<usize>,
    /// Whether judging of the group stops after the first result that is not accepted (`on_reject: break`).
    pub breaks: bool,
    /// The grader of its result.
    pub grader: Grader,
    /// The points of an accepted case without points from an output validator.
    pub accept_score: f64,
    /// The points of any other case.
    pub reject_score: f64,
    /// The least and the most points that it may have; either may be infinite.
    pub range: (f64, f64),
    /// The number of cases directly in it.
    pub cases: usize,
}

/// The grader of a group's result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Grader {
    /// The default grader of the format.
    Default(DefaultGrader),
    /// The grader from the package, called with these arguments.
    Own(Vec<String>),
}

/// The flags of the default grader.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefaultGrader {
    /// How the verdict is chosen.
    pub verdict: VerdictMode,
    /// How the points are computed.
    pub score: ScoreMode,
    /// Whether only `secret` counts, of `sample` and `secret`.
    pub ignore_sample: bool,
    /// Whether one accepted result makes the group accepted.
    pub accept_if_any_accepted: bool,
}

/// The result of a case or group.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Grade {
    /// The verdict.
    pub verdict: Verdict,
    /// The points.
    pub score: f64,
}

impl DefaultGrader {
    /// Computes the result of a group from the results directly in it, in order. There must be at least one.
    pub fn grade(self, results: &[Grade]) -> Grade {
        let results = if self.ignore_sample { &results[results.len().saturating_sub(1)..] } else { results };
        let verdicts = || results.iter().map(|grade| grade.verdict);
        let verdict = match self.verdict {
            _ if self.accept_if_any_accepted && verdicts().any(|verdict| verdict == Verdict::Accepted) => None,
            VerdictMode::AlwaysAccept => None,
            VerdictMode::FirstError => verdicts().find(|verdict| *verdict != Verdict::Accepted),
            VerdictMode::WorstError => verdicts().min_by_key(|verdict| rank(*verdict)),
        };
        let scores = || results.iter().map(|grade| grade.score);
        #[expect(clippy::cast_precision_loss, reason = "nobody has 2^53 cases")]
        let count = results.len().max(1) as f64;
        let score = match self.score {
            ScoreMode::Sum => scores().sum(),
            ScoreMode::Average => scores().sum::<f64>() / count,
            ScoreMode::Min => scores().fold(f64::INFINITY, f64::min),
            ScoreMode::Max => scores().fold(f64::NEG_INFINITY, f64::max),
        };
        Grade { verdict: verdict.unwrap_or(Verdict::Accepted), score }
    }

    /// Whether it can accept a group with a result that is not accepted.
    pub fn is_lenient(self) -> bool {
        self.verdict == VerdictMode::AlwaysAccept || self.accept_if_any_accepted || self.ignore_sample
    }
}

/// The order of verdicts for `worst_error`, worst first.
fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::CompileError => 0,
        Verdict::RunTimeError => 1,
        Verdict::MemoryLimit => 2,
        Verdict::TimeLimit => 3,
        Verdict::OutputLimit => 4,
        Verdict::WrongAnswer => 5,
        Verdict::Accepted => 6,
    }
}

/// How the default grader chooses a verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum VerdictMode {
    /// The worst verdict: CE, RTE, MLE, TLE, OLE, WA, AC.
    #[default]
    WorstError,
    /// The first verdict that is not AC.
    FirstError,
    /// Always AC.
    AlwaysAccept,
}

/// How the default grader computes points.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScoreMode {
    /// The sum.
    #[default]
    Sum,
    /// The mean.
    Average,
    /// The minimum.
    Min,
    /// The maximum.
    Max,
}

impl Grading {
    /// The position of the group of a directory.
    pub fn group_of(&self, directory: &str) -> Option<usize> {
        self.groups.iter().position(|group| *group.name == *directory)
    }

    /// The positions of a group and its ancestors, the group itself first.
    pub fn lineage(&self, group: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(group), |at| self.groups[*at].parent)
    }

    /// The points that a case in this directory can get.
    pub fn points_of(&self, directory: &str) -> CasePoints {
        match (self.points, self.group_of(directory)) {
            (Some(points), Some(at)) => {
                let GradedGroup { accept_score, reject_score, .. } = self.groups[at];
                CasePoints::Legacy { by_validator: points.by_validator, accept_score, reject_score }
            }
            _ => CasePoints::Ignored,
        }
    }

    /// Whether more points are better.
    pub fn maximises(&self) -> bool {
        self.points.is_some_and(|points| points.objective == Objective::Max)
    }

    /// Whether a submission can be accepted although a case is not.
    pub fn is_lenient(&self) -> bool {
        self.groups.iter().any(|group| match &group.grader {
            Grader::Default(flags) => flags.is_lenient(),
            Grader::Own(_) => true,
        })
    }

    /// Returns the best points that a group can have: the best of its range. If more points are better, also at most
    /// the points with every case accepted. None if neither is known.
    pub fn most(&self, group: usize) -> Option<f64> {
        let stated = self.best_of(self.groups[group].range);
        let known = self.maximises() && self.points.is_some_and(|points| points.by_validator == ByValidator::Never);
        let reached = if known { self.full(group) } else { None };
        match (stated, reached) {
            (Some(stated), Some(reached)) => Some(stated.min(reached)),
            (stated, reached) => stated.or(reached),
        }
    }

    /// The points of a group if every case is accepted; none if only the grader from the package knows.
    fn full(&self, at: usize) -> Option<f64> {
        let group = &self.groups[at];
        let Grader::Default(flags) = group.grader else { return None };
        let grade = |score| Grade { verdict: Verdict::Accepted, score };
        let mut results = vec![grade(group.accept_score); group.cases];
        for below in (0..self.groups.len()).filter(|below| self.groups[*below].parent == Some(at)) {
            results.push(grade(self.full(below)?));
        }
        Some(flags.grade(&results).score).filter(|score| score.is_finite())
    }

    fn best_of(&self, (least, most): (f64, f64)) -> Option<f64> {
        let best = match self.points?.objective {
            Objective::Max => most,
            Objective::Min => least,
        };
        Some(best).filter(|best| best.is_finite())
    }
}
