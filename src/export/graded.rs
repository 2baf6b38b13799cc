//! Says the graders of the legacy format with the points of 2025-09, if that gives every submission the same points.
//!
//! In the legacy format, a submission that is not accepted has no points, whatever its groups have. So a group that gives
//! some of its points must be accepted whenever it has any; otherwise only all points count.

use std::sync::Arc;

use super::draft::{Draft, Loss};
use super::labels::STEP;
use super::subject::Subject;
use crate::problem::grading::{
    ByValidator, DefaultGrader, GradedGroup, Grader, Grading, Objective, ScoreMode, VerdictMode,
};
use crate::problem::{Aggregation, Problem, ScoreGroup, ScoreRange, ScoreTree, Scoring};
use crate::verdict::{Verdict, VerdictSet};

const SAMPLE: &str = "sample";
const SECRET: &str = "secret";

/// The problem with points of 2025-09 in place of its graders. Reports rules that these points cannot express; then the
/// points are the nearest ones, or absent.
pub(super) fn translated(subject: &Subject<'_>, grading: &Grading, draft: &mut Draft) -> Problem {
    let mut losses = Losses::default();
    let mut tree = grading.points.and_then(|_| tree(grading, &mut losses));
    let by_validator = match grading.points.map(|points| points.by_validator) {
        Some(ByValidator::Always) => true,
        Some(ByValidator::Maybe) => subject.validator_sets_points(),
        Some(ByValidator::Never) | None => false,
    };
    // Without bounds, the words of labels about points have no meaning.
    let some = tree.as_ref().filter(|_| by_validator).and_then(ScoreTree::attainable).filter(|most| *most > 2.0 * STEP);
    if let Some(tree) = tree.as_mut().filter(|_| by_validator) {
        losses.add("ranges of points", "the output validator sets the points, and then the format has no bounds");
        unbound(tree);
    }
    if grading.points.is_none() {
        pass_fail(grading, &mut losses);
    }
    for Loss { what, why } in losses.0 {
        draft.lose(what, why);
    }
    let mut problem = subject.problem.clone();
    for submission in &mut problem.submissions {
        let expectation = &mut submission.expectation;
        let overall = expectation.overall.take();
        let is_accepted = overall == Some(VerdictSet::of(&[Verdict::Accepted]));
        for rule in expectation.rules.iter_mut().filter(|rule| rule.cases.is_none()) {
            let is_open = rule.permitted == VerdictSet::of(&Verdict::ALL) && rule.required.is_empty();
            match rule.score {
                // Graders forgave failures: the folder was about the verdict of the submission.
                Some(ScoreRange::Full) if is_open => rule.permitted = VerdictSet::of(&[Verdict::Accepted]),
                Some(ScoreRange::Partial) if tree.is_none() => {
                    rule.required = VerdictSet::of(&[Verdict::WrongAnswer, Verdict::TimeLimit, Verdict::RunTimeError]);
                }
                Some(ScoreRange::Partial) => {
                    rule.score = some.map_or(rule.score, |most| Some(ScoreRange::Between(STEP, most - STEP)));
                }
                None if is_open && is_accepted => rule.permitted = VerdictSet::of(&[Verdict::Accepted]),
                // A submission that is not accepted has no points.
                None if is_open && overall.is_some() => {
                    rule.score = tree.as_ref().map(|_| ScoreRange::Between(0.0, 0.0));
                }
                _ => {}
            }
            rule.score = rule.score.filter(|_| tree.is_some());
        }
    }
    problem.scoring = tree.map(|tree| Scoring::Points(Arc::new(tree)));
    problem
}

/// Leaves the points of all groups to the output validator.
fn unbound(tree: &mut ScoreTree) {
    let counts: Vec<bool> = (0..tree.groups.len()).map(|at| tree.counts(at)).collect();
    for (group, _) in tree.groups.iter_mut().zip(counts).filter(|(_, counts)| *counts) {
        group.max_score = None;
        if group.aggregation == Aggregation::PassFail {
            group.aggregation = Aggregation::Min;
        }
    }
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

/// The groups with points; none if the format cannot have these groups.
fn tree(grading: &Grading, losses: &mut Losses) -> Option<ScoreTree> {
    if grading.points.is_some_and(|points| points.objective == Objective::Min) {
        losses.add("grading.objective: min", "more points are always better");
    }
    let root = &grading.groups[0];
    let root_flags = losses.flags(root);
    let of = |name: &str| grading.group_of(name).map(|at| &grading.groups[at]);
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
    let Some(secret) = of(SECRET) else {
        losses.add("all points", "only the cases in secret give any, and there are none");
        return None;
    };
    if secret.cases > 0 && children(grading, secret).next().is_some() {
        losses.add("all points", "there are cases directly in secret beside groups, which the format forbids");
        return None;
    }
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
    Some(ScoreTree { groups, total })
}

/// How the points of a group follow from those inside it, and the most points.
type GroupPoints = (Aggregation, f64);
type Parts<'g> = Vec<(&'g GradedGroup, GroupPoints)>;

fn group_of(group: &GradedGroup, parent: Option<usize>, (aggregation, most): GroupPoints) -> ScoreGroup {
    ScoreGroup {
        name: Arc::clone(&group.name),
        parent,
        max_score: Some(most.max(0.0)),
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
    // If one group fails, nothing counts.
    let whole = is_strict(flags);
    let mut parts = Parts::new();
    for group in below {
        let (aggregation, mut most) = of_cases(group, whole || is_strict(losses.flags(group)), losses);
        for inner in children(grading, group) {
            losses.add(format!("group {}", inner.name), "groups do not nest");
            most += of_cases(inner, whole, losses).1;
        }
        parts.push((group, (aggregation, most)));
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
            (Aggregation::Sum, maxima().sum())
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
    let most = match (&group.grader, flags.score) {
        // Only the package's own grader knows its points, so the stated maximum counts.
        (Grader::Own(_), _) if group.range.1.is_finite() => group.range.1,
        (_, ScoreMode::Sum) => cases * group.accept_score,
        (_, ScoreMode::Average | ScoreMode::Min | ScoreMode::Max) => group.accept_score,
    };
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
