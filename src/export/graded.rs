//! Says the graders of the legacy format with the points of 2025-09, if that gives every submission the same points.
//!
//! In the legacy format, a submission that is not accepted has no points, whatever its groups have. So a group that gives
//! some of its points must be accepted whenever it has any; otherwise only all points count.

use std::sync::Arc;

use super::draft::{Draft, Loss};
use crate::problem::grading::{
    ByValidator, DefaultGrader, GradedGroup, Grader, Grading, Objective, ScoreMode, VerdictMode,
};
use crate::problem::{Aggregation, Problem, ScoreGroup, ScoreRange, ScoreTree, Scoring};
use crate::verdict::{Verdict, VerdictSet};

const SAMPLE: &str = "sample";
const SECRET: &str = "secret";

/// The problem with points of 2025-09 in place of its graders. None if these cannot say the same: the draft gets the
/// reasons.
pub(super) fn translated(problem: &Problem, grading: &Grading, draft: &mut Draft) -> Option<Problem> {
    let mut losses = Losses::default();
    let by_validator = match grading.points.map(|points| points.by_validator) {
        Some(ByValidator::Always) => true,
        Some(ByValidator::Maybe) => !problem.output_validators.is_empty() || problem.interactor.is_some(),
        Some(ByValidator::Never) | None => false,
    };
    if by_validator {
        losses.add("points of the output validator", "they have other bounds in the version 2025-09");
    }
    let tree = grading.points.map(|_| tree(grading, &mut losses));
    if tree.is_none() {
        pass_fail(grading, &mut losses);
    }
    if !losses.0.is_empty() {
        for Loss { what, why } in losses.0 {
            draft.lose(what, why);
        }
        return None;
    }
    let mut problem = problem.clone();
    for submission in &mut problem.submissions {
        let expectation = &mut submission.expectation;
        let overall = expectation.overall.take();
        for rule in expectation.rules.iter_mut().filter(|rule| rule.cases.is_none()) {
            let is_open = rule.permitted == VerdictSet::of(&Verdict::ALL) && rule.required.is_empty();
            match rule.score {
                // Graders forgave failures: the folder was about the verdict of the submission.
                Some(ScoreRange::Full) if is_open => rule.permitted = VerdictSet::of(&[Verdict::Accepted]),
                Some(ScoreRange::Partial) => rule.score = tree.as_ref().and_then(partial).or(rule.score),
                // A submission that is not accepted has no points.
                None if is_open && overall.is_some_and(|set| !set.contains(Verdict::Accepted)) => {
                    rule.score = tree.as_ref().map(|_| ScoreRange::Between(0.0, 0.0));
                }
                _ => {}
            }
        }
    }
    problem.scoring = tree.map(|tree| Scoring::Points(Arc::new(tree)));
    Some(problem)
}

/// Some points but not all, as a range; none if the points need not be whole.
fn partial(tree: &ScoreTree) -> Option<ScoreRange> {
    let most = tree.attainable()?;
    let is_whole = |group: &ScoreGroup| group.tests == 0 || group.aggregation != Aggregation::Sum;
    (most > 1.0 && tree.groups.iter().all(is_whole)).then_some(ScoreRange::Between(1.0, most - 1.0))
}

#[derive(Default)]
struct Losses(Vec<Loss>);

impl Losses {
    fn add(&mut self, what: impl Into<String>, why: &str) {
        self.0.push(Loss { what: what.into(), why: why.to_owned() });
    }

    /// Reports a key of `testdata.yaml` in a group.
    fn key(&mut self, key: &str, group: &GradedGroup, why: &str) {
        let name = if group.name.is_empty() { "data" } else { &group.name };
        self.add(format!("{key} of {name}"), why);
    }

    /// The flags of a group. Reports a grader from the package.
    fn flags(&mut self, group: &GradedGroup) -> DefaultGrader {
        match &group.grader {
            Grader::Default(flags) => *flags,
            Grader::Own(_) => {
                let graders = Loss { what: "graders".into(), why: "the format has points of groups instead".into() };
                if !self.0.contains(&graders) {
                    self.0.push(graders);
                }
                DefaultGrader::default()
            }
        }
    }

    /// Reports points that the range of a group excludes.
    fn check_range(&mut self, group: &GradedGroup, most: f64) {
        let (least, greatest) = group.range;
        if most < least || most > greatest {
            self.key("range", group, "it excludes all points of the group, and the format has no such error");
        }
    }
}

/// Whether every part of a group must be accepted.
fn is_strict(flags: DefaultGrader) -> bool {
    flags.verdict != VerdictMode::AlwaysAccept && !flags.accept_if_any_accepted
}

/// Checks that a problem without points accepts only submissions that pass every case.
fn pass_fail(grading: &Grading, losses: &mut Losses) {
    for group in &grading.groups {
        if losses.flags(group).is_lenient() {
            losses.key("grader_flags", group, "every case must be accepted in a pass-fail problem");
        }
    }
}

/// The groups with points.
fn tree(grading: &Grading, losses: &mut Losses) -> ScoreTree {
    if grading.points.is_some_and(|points| points.objective == Objective::Min) {
        losses.add("grading.objective: min", "more points are always better");
    }
    let root = &grading.groups[0];
    let (root_flags, of) = (losses.flags(root), |name: &str| grading.group_of(name).map(|at| &grading.groups[at]));
    if root_flags.verdict == VerdictMode::AlwaysAccept || root_flags.accept_if_any_accepted {
        losses.key("grader_flags", root, "the points of secret count only if it is accepted");
    }
    let sample = of(SAMPLE).filter(|sample| cases_below(grading, sample) > 0);
    let mut groups = Vec::new();
    if let Some(sample) = sample {
        let is_needed = root.breaks || !root_flags.ignore_sample;
        if is_needed && !is_strict(losses.flags(sample)) {
            losses.key("grader_flags", sample, "every sample must be accepted if the other cases depend on them");
        }
        if !root_flags.ignore_sample && (sample.accept_score != 0.0 || sample.reject_score != 0.0) {
            losses.key("accept_score and reject_score", sample, "samples give no points");
        }
        groups.push(group_of(sample, None, (Aggregation::PassFail, 0.0)));
    }
    let total = groups.len();
    if let Some(secret) = of(SECRET) {
        let (points, parts) = secret_groups(grading, secret, losses);
        losses.check_range(secret, points.1);
        losses.check_range(root, points.1);
        let mut whole = group_of(secret, None, points);
        if sample.is_some() && (root.breaks || !root_flags.ignore_sample) {
            whole.require_pass = vec![0];
        }
        groups.push(whole);
        let is_chained = secret.breaks && points.0 != Aggregation::PassFail;
        for (at, (part, points)) in parts.into_iter().enumerate() {
            let mut part = group_of(part, Some(total), points);
            if is_chained && at > 0 {
                // After a group that is not accepted, the next ones are not judged.
                part.require_pass = vec![total + at];
            }
            groups.push(part);
        }
    }
    ScoreTree { groups, total }
}

/// How the points of a group follow from those inside it, and the most points.
type GroupPoints = (Aggregation, f64);
type Parts<'g> = Vec<(&'g GradedGroup, GroupPoints)>;

fn group_of(group: &GradedGroup, parent: Option<usize>, (aggregation, most): GroupPoints) -> ScoreGroup {
    ScoreGroup {
        name: Arc::clone(&group.name),
        parent,
        max_score: Some(most),
        aggregation,
        require_pass: Vec::new(),
        tests: group.cases,
        static_score: None,
    }
}

/// The points of `secret`, and of the groups in it.
fn secret_groups<'g>(grading: &'g Grading, secret: &'g GradedGroup, losses: &mut Losses) -> (GroupPoints, Parts<'g>) {
    let flags = losses.flags(secret);
    let below: Vec<&GradedGroup> = children(grading, secret).collect();
    if below.is_empty() {
        return (of_cases(secret, is_strict(flags), losses), Vec::new());
    }
    if secret.cases > 0 {
        losses.add("cases directly in secret beside groups", "every case is in a group");
    }
    // If one group fails, nothing counts.
    let whole = is_strict(flags);
    let mut parts = Parts::new();
    for group in below {
        for inner in children(grading, group) {
            losses.add(format!("group {}", inner.name), "groups do not nest");
        }
        parts.push((group, of_cases(group, whole || is_strict(losses.flags(group)), losses)));
        let (aggregation, _) = parts[parts.len() - 1].1;
        if secret.breaks && !whole && aggregation != Aggregation::PassFail {
            losses.key("on_reject: break", secret, "a group with some points does not stop the next ones");
        }
        let loses_points = !whole && group.cases > 1 && is_strict(losses.flags(group));
        if loses_points && losses.flags(group).score != ScoreMode::Min {
            losses.key("grader_flags", group, "some of its points count if another group is accepted");
        }
    }
    let maxima = || parts.iter().map(|(_, (_, most))| *most);
    let least = maxima().fold(f64::INFINITY, f64::min);
    let (aggregation, most) = match flags.score {
        ScoreMode::Sum => (Aggregation::Sum, maxima().sum()),
        ScoreMode::Min => (Aggregation::Min, least),
        ScoreMode::Average | ScoreMode::Max => {
            losses.key("grader_flags", secret, "the points of groups are only added, or the least counts");
            (Aggregation::Sum, least)
        }
    };
    ((if whole { Aggregation::PassFail } else { aggregation }, most), parts)
}

/// The groups with cases directly in a group.
fn children<'g>(grading: &'g Grading, group: &'g GradedGroup) -> impl Iterator<Item = &'g GradedGroup> {
    let at = grading.group_of(&group.name);
    grading.groups.iter().filter(move |below| below.parent == at && cases_below(grading, below) > 0)
}

fn cases_below(grading: &Grading, group: &GradedGroup) -> usize {
    let is_below = |other: &&GradedGroup| {
        other.name.strip_prefix(&*group.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    grading.groups.iter().filter(is_below).map(|group| group.cases).sum()
}

/// The points of a group of cases. `whole`: only all of its points count.
fn of_cases(group: &GradedGroup, whole: bool, losses: &mut Losses) -> GroupPoints {
    let flags = losses.flags(group);
    #[expect(clippy::cast_precision_loss, reason = "nobody has 2^53 cases")]
    let cases = group.cases as f64;
    let most = if flags.score == ScoreMode::Sum { cases * group.accept_score } else { group.accept_score };
    if group.reject_score != 0.0 {
        losses.key("reject_score", group, "a case that is not accepted has no points");
    }
    if group.accept_score < 0.0 {
        losses.key("accept_score", group, "points are not negative");
    }
    losses.check_range(group, most);
    if whole || group.cases == 1 {
        return (Aggregation::PassFail, most);
    }
    match flags.score {
        ScoreMode::Min => return (Aggregation::PassFail, most),
        ScoreMode::Max => {
            losses.key("grader_flags: max", group, "the points of cases are only added, or the least counts");
        }
        ScoreMode::Sum | ScoreMode::Average if group.breaks => {
            losses.key("on_reject: break", group, "a failed case does not take the points of the next ones");
        }
        ScoreMode::Sum | ScoreMode::Average => {}
    }
    (Aggregation::Sum, most)
}
