//! Says points and graders with `testdata.yaml`.

use std::collections::BTreeMap;

use super::{Dialect, GroupKeys, own_grader};
use crate::export::ExportError;
use crate::export::draft::Draft;
use crate::export::placed::{SECRET, plain};
use crate::export::subject::{Subject, only_group};
use crate::export::yaml::Number;
use crate::problem::grading::{
    ByValidator, DefaultGrader, GradedGroup, Grader, Grading, Objective, ScoreMode, VerdictMode,
};
use crate::problem::{Aggregation, CasePoints, Problem, ScoreGroup, ScoreTree, Scoring};

/// Whether submissions get points.
pub(super) fn gives_points(scoring: &Scoring) -> bool {
    match scoring {
        Scoring::Points(_) => true,
        Scoring::Graded(grading) => grading.points.is_some(),
    }
}

/// Whether the output validator gives points to every accepted case.
pub(super) fn by_validator(problem: &Problem) -> bool {
    match &problem.scoring {
        None => false,
        Some(Scoring::Graded(grading)) => {
            grading.points.is_some_and(|points| points.by_validator == ByValidator::Always)
        }
        Some(Scoring::Points(tree)) => tree.groups.iter().any(|group| group.max_score.is_none()),
    }
}

/// The `objective` in `problem.yaml`, if fewer points are better.
pub(super) fn objective(problem: &Problem) -> Option<&'static str> {
    let Some(Scoring::Graded(grading)) = &problem.scoring else { return None };
    let is_min = grading.points.is_some_and(|points| points.objective == Objective::Min);
    is_min.then_some("min")
}

/// Adds the points and graders of each folder.
pub(super) fn add(
    subject: &Subject<'_>,
    draft: &mut Draft,
    dialect: Dialect,
    folders: &mut BTreeMap<String, GroupKeys>,
) -> Result<(), ExportError> {
    match &subject.problem.scoring {
        None => Ok(()),
        Some(Scoring::Graded(grading)) => graded(draft, dialect, grading, folders),
        Some(Scoring::Points(tree)) => {
            of_tree(subject, draft, tree, folders);
            Ok(())
        }
    }
}

/// The folder of a group; that of the root is empty.
fn folder_of(name: &str) -> String {
    name.split('/').map(|part| if part.is_empty() { String::new() } else { plain(part) }).collect::<Vec<_>>().join("/")
}

/// The keys of a folder. A folder without cases has the flags of validators from above.
fn keys_of<'k>(folders: &'k mut BTreeMap<String, GroupKeys>, folder: &str) -> &'k mut GroupKeys {
    if !folders.contains_key(folder) {
        let mut above = folder;
        let inherited = loop {
            if above.is_empty() {
                break folders.get("").cloned().unwrap_or_default();
            }
            above = above.rsplit_once('/').map_or("", |(above, _)| above);
            if let Some(keys) = folders.get(above) {
                break keys.clone();
            }
        };
        let GroupKeys { input_validator_flags, output_validator_flags, .. } = inherited;
        folders.insert(
            folder.to_owned(),
            GroupKeys { input_validator_flags, output_validator_flags, ..GroupKeys::default() },
        );
    }
    folders.entry(folder.to_owned()).or_default()
}

fn graded(
    draft: &mut Draft,
    dialect: Dialect,
    grading: &Grading,
    folders: &mut BTreeMap<String, GroupKeys>,
) -> Result<(), ExportError> {
    for group in &grading.groups {
        let keys = keys_of(folders, &folder_of(&group.name));
        let GradedGroup { breaks, grader, accept_score, reject_score, range, .. } = group;
        keys.on_reject = Some(if *breaks { "break" } else { "continue" });
        match grader {
            Grader::Default(flags) => keys.grader_flags = Some(words(*flags)),
            Grader::Own(arguments) => {
                keys.grading = Some("custom");
                keys.grader_flags = Some(arguments.join(" "));
            }
        }
        if grading.points.is_some() {
            keys.accept_score = Some((*accept_score).into());
            keys.reject_score = Some((*reject_score).into());
            keys.range = Some(range_of(if dialect == Dialect::Domjudge {
                domjudge_range(draft, &group.name, *range)
            } else {
                *range
            }));
            if dialect == Dialect::Domjudge && *accept_score < 0.0 {
                draft.lose(format!("accept_score of {}", shown(&group.name)), "DOMjudge has no points below 0");
            }
        }
    }
    if let Some(program) = &grading.program {
        if dialect == Dialect::Icpc {
            own_grader(draft, program)?;
        } else {
            draft.lose("graders/", "the judge has only the default grader");
        }
    }
    Ok(())
}

/// The range of a group for DOMjudge, whose bounds are numbers from 0. Reports another range.
fn domjudge_range(draft: &mut Draft, name: &str, (least, most): (f64, f64)) -> (f64, f64) {
    let is_usual = least <= 0.0 && least.is_infinite() || least == 0.0;
    if !is_usual && (least < 0.0 || most.is_infinite()) || most < 0.0 {
        draft.lose(
            format!("range of {}", shown(name)),
            "DOMjudge has only ranges between two numbers that are not negative",
        );
        return (f64::NEG_INFINITY, f64::INFINITY);
    }
    (least.max(0.0), most)
}

/// The name of a group in messages.
fn shown(name: &str) -> &str {
    if name.is_empty() { "data" } else { name }
}

/// The flags of the default grader.
fn words(flags: DefaultGrader) -> String {
    let verdict = match flags.verdict {
        VerdictMode::WorstError => None,
        VerdictMode::FirstError => Some("first_error"),
        VerdictMode::AlwaysAccept => Some("always_accept"),
    };
    let score = match flags.score {
        ScoreMode::Sum => None,
        ScoreMode::Average => Some("avg"),
        ScoreMode::Min => Some("min"),
        ScoreMode::Max => Some("max"),
    };
    let ignores = flags.ignore_sample.then_some("ignore_sample");
    let any = flags.accept_if_any_accepted.then_some("accept_if_any_accepted");
    [verdict, score, ignores, any].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn range_of((least, most): (f64, f64)) -> String {
    let end = |end: f64| match end {
        f64::INFINITY => "+inf".to_owned(),
        f64::NEG_INFINITY => "-inf".to_owned(),
        end => end.to_string(),
    };
    format!("{} {}", end(least), end(most))
}

/// Translates the points of 2025-09. A submission is accepted if some group is, as usual for problems with points.
fn of_tree(subject: &Subject<'_>, draft: &mut Draft, tree: &ScoreTree, folders: &mut BTreeMap<String, GroupKeys>) {
    let problem = subject.problem;
    let is_bounded = tree.groups.iter().all(|group| group.max_score.is_some());
    if is_bounded && subject.validator_gives_points() {
        draft.lose("points of the output validator", "it must give points to all accepted cases or to none");
    }
    let root = keys_of(folders, "");
    root.on_reject = Some("continue");
    root.grader_flags = Some("ignore_sample".to_owned());
    root.range = Some(range_of((0.0, tree.groups[tree.total].max_score.unwrap_or(f64::INFINITY))));
    let any = "accept_if_any_accepted";
    for (at, group) in tree.groups.iter().enumerate().filter(|(at, _)| tree.counts(*at)) {
        let ScoreGroup { name, max_score, aggregation, require_pass, .. } = group;
        if !require_pass.is_empty() {
            draft.lose(format!("require_pass of {name}"), "groups do not depend on others");
        }
        let most = max_score.unwrap_or(f64::INFINITY);
        let of_groups = tree.children(at).next().is_some();
        let folder = only_group(problem).map_or_else(|| folder_of(name), |_| SECRET.to_owned());
        let keys = keys_of(folders, &folder);
        keys.range = Some(range_of((0.0, most)));
        let (on_reject, flags, score) = match (aggregation, of_groups) {
            (Aggregation::Sum, true) => ("continue", any, None),
            (Aggregation::PassFail | Aggregation::Min, true) => ("continue", "min", None),
            (Aggregation::Sum, false) => ("continue", any, Some(share(tree, name))),
            (Aggregation::PassFail | Aggregation::Min, false) => ("break", "min", Some(most)),
        };
        keys.on_reject = Some(on_reject);
        keys.grader_flags = Some(flags.to_owned());
        keys.accept_score = score.filter(|score| score.is_finite()).map(Number::from);
    }
    for group in &problem.groups {
        let CasePoints::Bounded(share) = tree.points_of(&group.name) else { continue };
        let differs = |points: f64| (points - share).abs() > 1e-6;
        if group.cases.iter().any(|case| group.setting_of(case).points.is_some_and(differs)) {
            draft.lose(format!("points of the cases in {}", group.name), "all cases of a group have the same points");
        }
    }
}

/// The points of each case of a group that adds up.
fn share(tree: &ScoreTree, name: &str) -> f64 {
    match tree.points_of(name) {
        CasePoints::Bounded(points) => points,
        _ => f64::INFINITY,
    }
}
