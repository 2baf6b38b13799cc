//! Divides groups whose cases have different points: package formats give all cases of a group the same.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::subject::only_group;
use crate::problem::{Aggregation, CasePoints, Problem, ScoreGroup, ScoreTree, Scoring, TestCase, TestGroup};

/// The problem with a group for each run of cases with equal points, in place of groups that add up and have cases with
/// points of their own. None if it has no such group, or if groups at this place cannot be divided.
pub(super) fn divided(problem: &Problem) -> Option<Problem> {
    let Some(Scoring::Points(tree)) = &problem.scoring else { return None };
    // These rules name groups, which would vanish.
    let names_groups =
        problem.submissions.iter().any(|one| one.expectation.rules.iter().any(|rule| rule.cases.is_some()));
    if names_groups || only_group(problem).is_some() {
        return None;
    }
    let mut tree = ScoreTree::clone(tree);
    let mut groups = Vec::new();
    for group in &problem.groups {
        match parts(&mut tree, group) {
            Some(parts) => groups.extend(parts),
            None => groups.push(group.clone()),
        }
    }
    let is_divided = groups.len() > problem.groups.len();
    is_divided.then(|| Problem { groups, scoring: Some(Scoring::Points(Arc::new(tree))), ..problem.clone() })
}

/// Divides a group, which the tree then has in parts too. None if its cases have equal points, or if it must stay whole.
fn parts(tree: &mut ScoreTree, group: &TestGroup) -> Option<Vec<TestGroup>> {
    let at = tree.group_of(&group.name)?;
    let CasePoints::Bounded(share) = tree.points_of(&group.name) else { return None };
    let points = |case: &TestCase| group.setting_of(case).points.unwrap_or(share);
    let whole = tree.groups[at].clone();
    let is_total = at == tree.total;
    let is_below = whole.parent == Some(tree.total) && tree.groups[tree.total].aggregation == Aggregation::Sum;
    let is_needed = tree.groups.iter().any(|other| other.require_pass.contains(&at));
    let may = whole.aggregation == Aggregation::Sum
        && *whole.name == *group.name
        && whole.static_score.is_none()
        && whole.tests == group.cases.len()
        && whole.max_score.is_some_and(|most| (group.cases.iter().map(points).sum::<f64>() - most).abs() < 1e-6)
        && tree.children(at).next().is_none()
        && (is_total || is_below && !is_needed);
    let runs: Vec<&[TestCase]> = group.cases.chunk_by(|one, next| (points(one) - points(next)).abs() < 1e-6).collect();
    if !may || runs.len() < 2 {
        return None;
    }
    let separator = if is_total { '/' } else { '-' };
    let digits = runs.len().to_string().len();
    let names: Vec<Arc<str>> =
        (1..=runs.len()).map(|number| format!("{}{separator}{number:0digits$}", group.name).into()).collect();
    let taken: BTreeSet<&str> = tree.groups.iter().map(|other| &*other.name).collect();
    if names.iter().any(|name| taken.contains(&**name)) {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "nobody has 2^53 cases")]
    let scores = names.iter().zip(&runs).map(|(name, cases)| ScoreGroup {
        name: Arc::clone(name),
        parent: Some(tree.total),
        max_score: Some(points(&cases[0]) * cases.len() as f64),
        tests: cases.len(),
        ..whole.clone()
    });
    let mut scores: Vec<ScoreGroup> = scores.collect();
    if is_total {
        tree.groups[at].tests = 0;
    } else {
        // The first part takes the place of the group, so that no position of another changes.
        tree.groups[at] = scores.remove(0);
    }
    tree.groups.extend(scores);
    let part = |(name, cases): (Arc<str>, &[TestCase])| TestGroup { name, cases: cases.to_vec(), ..group.clone() };
    Some(names.into_iter().zip(runs).map(part).collect())
}
