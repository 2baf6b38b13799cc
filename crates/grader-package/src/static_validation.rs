//! Reads the static validation in `test_group.yaml`, and the program in `static_validator/` (package format 2025-09,
//! "Static validator").

use std::path::PathBuf;

use crate::document::read::{self, Read, Unfit};
use crate::document::{Document, Value};
use crate::programs::one_program;
use crate::reader::Reader;
use crate::scoring::is_group;
use grader_model::diagnostic::{Diagnostic, Kind, Severity, TextPosition};
use grader_model::problem::{
    Aggregation, ProblemKind, Program, STATIC_VALIDATION, ScoreTree, Scoring, StaticValidation, TestGroup,
};

/// Keys of a group that concern static validation.
pub(crate) const KEYS: &[&str] = &[SCORE, ARGUMENTS, DRAFT];

const SCORE: &str = "static_validation_score";
const ARGUMENTS: &str = "static_validator_args";
/// The key in drafts of 2023-07.
const DRAFT: &str = "static_validation";

/// The directory of the program.
pub const DIRECTORY: &str = "static_validator";

/// The static validation that one file states.
#[derive(Debug, Clone, PartialEq)]
pub struct StatedValidation {
    file: PathBuf,
    place: Option<TextPosition>,
    max_score: Option<f64>,
    arguments: Vec<String>,
}

/// The static validation in a file, with the file's directory relative to the test data.
pub(crate) type FoundValidation = (String, StatedValidation);

/// Reads the keys of one file; none if it requests no static validation.
pub(crate) fn read(document: &mut Document) -> Option<StatedValidation> {
    let arguments = document.get(ARGUMENTS, read::words);
    if document.get(DRAFT, |value| Ok(*value != Value::Bool(false))) == Some(true) {
        let message = format!("`{DRAFT}` is a key of older drafts of the format");
        let remedy = format!("write `{SCORE}` (a number of points, or `pass-fail`) and `{ARGUMENTS}` instead");
        document.report_with(&[DRAFT], Severity::Error, message, Some(remedy));
    }
    if !document.has(SCORE) {
        if arguments.is_some() {
            let remedy = format!("add `{SCORE}` (a number of points, or `pass-fail`), or remove the key");
            let message = format!("`{ARGUMENTS}` has no effect without `{SCORE}`");
            document.report_with(&[ARGUMENTS], Severity::Error, message, Some(remedy));
        }
        return None;
    }
    Some(StatedValidation {
        file: document.file().to_owned(),
        place: document.place(&[SCORE]),
        max_score: document.get(SCORE, max_score)?,
        arguments: arguments.unwrap_or_default(),
    })
}

/// Reads whole, non-negative points, or `pass-fail` (none).
fn max_score(value: &Value) -> Read<Option<f64>> {
    match value {
        Value::Text(word) if word == "pass-fail" => Ok(None),
        Value::Integer(_) => read::count_or_zero(value).map(|points| Some(points.into())),
        other => Err(Unfit::kind("a whole number of points or `pass-fail`", other)),
    }
}

impl StatedValidation {
    /// The static validation as a test of its group.
    pub(crate) fn test(&self) -> StaticValidation {
        StaticValidation { arguments: self.arguments.clone(), max_score: self.max_score }
    }

    fn error(&self, message: impl Into<String>, remedy: &str) -> Diagnostic {
        Diagnostic::error(&self.file, message).at(self.place).remedy(remedy)
    }
}

/// Refuses static validation in the files of a plain folder.
pub(crate) fn refuse(reader: &Reader<'_>, stated: &[FoundValidation]) {
    for (_, stated) in stated {
        let message = format!("`{SCORE}` is not possible in a plain folder, which has no {DIRECTORY}/");
        reader.report(stated.error(message, "write a problem.toml to make it a problem, or remove the key"));
    }
}

/// How a problem is graded.
#[derive(Debug, Clone, Copy)]
pub(crate) enum GradingKind<'a> {
    /// Every test must be accepted, and there are no points.
    PassFail,
    /// By points.
    Points(&'a ScoreTree),
    /// By the graders of the legacy format.
    Graders,
    /// By points, but the points are invalid, which was already reported.
    Unknown,
}

impl<'a> GradingKind<'a> {
    /// `wanted`: whether the problem should give points.
    pub(crate) fn of(scoring: Option<&'a Scoring>, wanted: bool) -> Self {
        match scoring {
            Some(Scoring::Points(tree)) => Self::Points(tree),
            Some(Scoring::Graded(_)) => Self::Graders,
            None if wanted => Self::Unknown,
            None => Self::PassFail,
        }
    }
}

/// Reads the static validator of a problem, if a group requests it. Reports everything that the format forbids.
pub(crate) fn validator(
    reader: &Reader<'_>,
    kind: ProblemKind,
    graded: GradingKind<'_>,
    groups: &[TestGroup],
    stated: &[FoundValidation],
) -> Option<Program> {
    let dir = reader.dir.join(DIRECTORY);
    let is_there = !reader.files_below(&dir).is_empty();
    reader.check_cases(|| {
        for (name, stated) in stated {
            if let Some(found) = misplaced(stated, name, groups).or_else(|| mispriced(stated, name, graded)) {
                reader.report(found);
            }
            if !is_there {
                let message = format!("`{SCORE}`, but the problem has no {DIRECTORY}/");
                reader.report(stated.error(message, "add the program, or remove the key"));
            }
        }
    });
    if !is_there {
        return None;
    }
    if kind == ProblemKind::SubmitAnswer {
        let message =
            format!("{DIRECTORY}/ has no effect, because submissions of type `submit-answer` have no sources");
        reader.error(&dir, message, "remove it");
        return None;
    }
    if stated.is_empty() {
        let message = format!("never run: no test_group.yaml requests static validation with `{SCORE}`");
        reader.warning(Kind::NotUsed, &dir, message);
        return None;
    }
    one_program(reader, &dir, "static validator")
}

/// Checks that the group may have a static validation, and that no case has its name.
fn misplaced(stated: &StatedValidation, name: &str, groups: &[TestGroup]) -> Option<Diagnostic> {
    if !["sample", "secret"].contains(&name) && !is_group(name) {
        let message = format!("`{SCORE}` is possible only in sample, in secret, or in a group directly below secret");
        return Some(stated.error(message, "move it to one of these"));
    }
    let group = groups.iter().find(|group| *group.name == *name)?;
    let taken = group.cases.iter().any(|case| *case.name == *STATIC_VALIDATION);
    let message = format!("a case of this group has the name of its static validation, {STATIC_VALIDATION}");
    taken.then(|| stated.error(message, "rename the case"))
}

/// Checks that the points of a static validation suit those of its group.
fn mispriced(stated: &StatedValidation, name: &str, graded: GradingKind<'_>) -> Option<Diagnostic> {
    let pass_fail = "write `pass-fail`";
    let tree = match (graded, stated.max_score) {
        (GradingKind::Points(tree), _) => tree,
        (GradingKind::Unknown, _) | (GradingKind::PassFail, None) => return None,
        (GradingKind::PassFail, Some(_)) => {
            let message = format!("`{SCORE}` is a number of points, but the problem is not of type `scoring`");
            return Some(stated.error(message, pass_fail));
        }
        (GradingKind::Graders, _) => {
            let message = format!("`{SCORE}`: the legacy format, which grades this problem, has no static validation");
            return Some(stated.error(message, "remove the key"));
        }
    };
    let group = &tree.groups[tree.group_of(name)?];
    if name == "secret" && tree.children(tree.total).next().is_some() {
        let message = format!("`{SCORE}` is not possible in secret, because only its groups give points");
        return Some(stated.error(message, "move it to one of the groups"));
    }
    let (message, remedy) = match (group.aggregation, stated.max_score, group.max_score) {
        (Aggregation::PassFail, None, _) => return None,
        (Aggregation::PassFail, Some(_), _) => {
            (format!("`{SCORE}` is a number of points, but {name} is `pass-fail`"), pass_fail.to_owned())
        }
        (_, None, _) => (
            format!("`{SCORE}` is `pass-fail`, but {name} gives partial points"),
            "write how many of the points it gives".to_owned(),
        ),
        (_, Some(_), None) => {
            (format!("`{SCORE}` is bounded, but {name} is unbounded"), "give the group a number of points".to_owned())
        }
        (Aggregation::Sum, Some(own), Some(most)) if own > most => {
            (format!("`{SCORE}` gives {own} points, but {name} gives at most {most}"), format!("write at most {most}"))
        }
        // The minimum of all tests decides.
        (Aggregation::Min, Some(own), Some(most)) if (own - most).abs() > 0.5 => (
            format!("`{SCORE}` gives at most {own} points, but {name} gives {most} and counts the worst test"),
            format!("write {most}"),
        ),
        (Aggregation::Sum | Aggregation::Min, Some(_), Some(_)) => return None,
    };
    Some(stated.error(message, &remedy))
}
