//! Reads how a legacy package is graded: its groups with their `testdata.yaml` files, and its own grader.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use crate::document::Document;
use crate::document::read;
use crate::programs::one_program;
use crate::reader::Reader;
use crate::testdata::TestData;
use grader_model::diagnostic::{Diagnostic, Kind, Severity};
use grader_model::problem::grading::{
    ByValidator, DefaultGrader, GradedGroup, Grader, Grading, LegacyPoints, Objective, ScoreMode, VerdictMode,
};

use crate::metadata::legacy::StatedGrading;

/// Keys of `grading` in `problem.yaml`. Some of them are older than the format.
const KEYS: [&str; 7] =
    ["objective", "show_test_data_groups", "accept_score", "reject_score", "range", "on_reject", "custom_scoring"];

/// The directory of a package's own grader.
const DIR: &str = "graders";

/// The settings in `problem.yaml`.
#[derive(Debug, Default)]
pub(super) struct GradingSettings {
    objective: Objective,
    by_validator: ByValidator,
    /// Settings that apply to every group, whatever `testdata.yaml` says.
    everywhere: StatedGrading,
}

impl GradingSettings {
    /// The settings of a draft, whose `problem.yaml` cannot state them: an output validator may give points.
    pub(super) fn of_draft() -> Self {
        Self { by_validator: ByValidator::Maybe, ..Self::default() }
    }
}

/// Reads `grading`, and the part of `validation` that concerns points.
pub(super) fn read(document: &mut Document) -> GradingSettings {
    let objectives = [("max", Objective::Max), ("min", Objective::Min)];
    let validation = document.get("validation", read::words).unwrap_or_default();
    let by_validator = validation.iter().any(|word| word == "score");
    let kinds = document.get("type", read::texts).unwrap_or_default();
    if by_validator && validation.first().is_none_or(|first| first != "custom") {
        document.report(&["validation"], Severity::Error, "`score` needs `custom` validation");
    } else if by_validator && !kinds.iter().any(|kind| kind == "scoring") {
        document.report(&["validation"], Severity::Error, "`score` needs `type: scoring`");
    }
    let on_reject = [("first_error", true), ("worst_error", false), ("grade", false)];
    let stated = GradingSettings {
        objective: document.get("grading.objective", |value| read::word(value, &objectives)).unwrap_or_default(),
        by_validator: if by_validator { ByValidator::Always } else { ByValidator::Never },
        everywhere: StatedGrading {
            breaks: document.get("grading.on_reject", |value| read::word(value, &on_reject)),
            ..StatedGrading::of(document, &["grading"])
        },
    };
    if document.has("grading") {
        document.check_table(&["grading"], &KEYS, Severity::Warning);
    }
    stated
}

/// Whether the test data state how they are graded, and nothing else about points. Drafts of 2023-07 do so; later
/// drafts replaced `testdata.yaml` by `test_group.yaml`.
pub(super) fn is_stated(data: &TestData) -> bool {
    data.points.is_empty() && data.grading.iter().any(|(_, grading)| *grading != StatedGrading::default())
}

/// Returns how the reader's package is graded. None if grading means that every case must be accepted, without points.
pub(super) fn tree(
    reader: &Reader<'_>,
    stated: &GradingSettings,
    is_scoring: bool,
    data: &TestData,
) -> Option<Grading> {
    let mut names: BTreeSet<Vec<&str>> = BTreeSet::from([Vec::new()]);
    for group in &data.groups {
        let parts: Vec<&str> = parts(&group.name).collect();
        names.extend((1..=parts.len()).map(|n| parts[..n].to_vec()));
    }
    let names: Vec<String> = names.iter().map(|parts| parts.join("/")).collect();
    let position = |name: &str| names.iter().position(|known| known == name);
    let mut groups = Vec::new();
    for name in &names {
        let config = data.grading.iter().find(|(known, _)| known == name).map(|(_, config)| config.clone());
        let config = stated.everywhere.clone().or(&config.unwrap_or_default());
        let parent = name.rsplit_once('/').map_or("", |(above, _)| above);
        groups.push(GradedGroup {
            name: Arc::from(name.as_str()),
            parent: if name.is_empty() { None } else { position(parent) },
            breaks: config.breaks.unwrap_or(true),
            grader: grader(reader, name, &config),
            accept_score: config.accept_score.unwrap_or(1.0),
            reject_score: config.reject_score.unwrap_or(0.0),
            range: config.range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY)),
            cases: data.groups.iter().find(|group| *group.name == **name).map_or(0, |group| group.cases.len()),
        });
    }
    let points = is_scoring.then_some(LegacyPoints { objective: stated.objective, by_validator: stated.by_validator });
    let mut grading = Grading { groups, points, program: None };
    check_samples(reader, &grading, data);
    grading.program = program(reader, &grading);
    let strict = grading.groups.iter().all(|group| group.breaks) && !grading.is_lenient();
    if points.is_none() && strict { None } else { Some(grading) }
}

fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split('/').filter(|part| !part.is_empty())
}

/// Reports settings for graders in a package of another version. Only the legacy format has graders; elsewhere a
/// failure stays a failure, and points follow other rules.
pub(super) fn refuse(reader: &Reader<'_>, is_scoring: bool, data: &TestData) {
    let lenient = |grading: &StatedGrading| {
        let mut words = grading.flags.iter().flat_map(|flags| &flags.words);
        words.any(|word| ["always_accept", "accept_if_any_accepted", "ignore_sample"].contains(&word.as_str()))
    };
    let matters = |grading: &StatedGrading| {
        grading.own == Some(true) || lenient(grading) || (is_scoring && *grading != StatedGrading::default())
    };
    if let Some((name, _)) = data.grading.iter().find(|(_, grading)| matters(grading)) {
        let file = reader.dir.join(super::DATA).join(name).join("testdata.yaml");
        let message = "configures graders, which exist only in the legacy format";
        reader.error(&file, message, "write test_group.yaml, or `problem_format_version: legacy` in problem.yaml");
    }
    let dir = reader.dir.join(DIR);
    if !reader.files_below(&dir).is_empty() {
        reader.error(&dir, "graders exist only in the legacy format", "remove the directory");
    }
}

/// The file that configures the whole test data.
fn root_file(reader: &Reader<'_>) -> PathBuf {
    reader.dir.join(super::DATA).join("testdata.yaml")
}

/// The grader of a group.
fn grader(reader: &Reader<'_>, group: &str, config: &StatedGrading) -> Grader {
    let words = config.flags.as_ref().map(|flags| &flags.words[..]).unwrap_or_default();
    if config.own == Some(true) {
        return Grader::Own(words.to_vec());
    }
    let mut grader = DefaultGrader::default();
    for word in words {
        match word.as_str() {
            "worst_error" | "no_errors" => grader.verdict = VerdictMode::WorstError,
            "first_error" => grader.verdict = VerdictMode::FirstError,
            "always_accept" => grader.verdict = VerdictMode::AlwaysAccept,
            "sum" => grader.score = ScoreMode::Sum,
            "avg" => grader.score = ScoreMode::Average,
            "min" => grader.score = ScoreMode::Min,
            "max" => grader.score = ScoreMode::Max,
            "ignore_sample" => grader.ignore_sample = true,
            "accept_if_any_accepted" => grader.accept_if_any_accepted = true,
            unknown => complain(
                reader,
                config,
                Severity::Warning,
                &format!("unknown flag `{unknown}` of the default grader"),
                "",
            ),
        }
    }
    if grader.ignore_sample && !group.is_empty() {
        let is_inherited = config.flags.as_ref().is_some_and(|flags| flags.file == root_file(reader));
        let others: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != "ignore_sample").collect();
        let remedy = if is_inherited {
            let others = others.join(" ");
            format!("write `grader_flags: '{others}'` in data/{group}/testdata.yaml, which inherits the flag")
        } else {
            "remove it here, or write it in data/testdata.yaml".to_owned()
        };
        let message = format!("`ignore_sample` in {group}: the flag is only for the whole test data");
        complain(reader, config, Severity::Error, &message, &remedy);
    }
    Grader::Default(grader)
}

fn complain(reader: &Reader<'_>, config: &StatedGrading, severity: Severity, message: &str, remedy: &str) {
    let Some(flags) = &config.flags else { return };
    let found = Diagnostic::new(severity, format!("`grader_flags`: {message}")).about(&flags.file);
    let found = found.kind(Kind::UnknownKey).at(flags.place);
    reader.report(if remedy.is_empty() { found } else { found.remedy(remedy) });
}

/// Checks that the test data consist of `sample` and `secret` if `ignore_sample` skips the first of two results.
fn check_samples(reader: &Reader<'_>, grading: &Grading, data: &TestData) {
    let Grader::Default(DefaultGrader { ignore_sample: true, .. }) = grading.groups[0].grader else { return };
    let top = |group: &&GradedGroup| group.parent == Some(0) && !["sample", "secret"].contains(&&*group.name);
    let other = grading.groups.iter().find(top).map(|group| group.name.to_string());
    let loose = (grading.groups[0].cases > 0).then(|| "cases directly in data/".to_owned());
    if let Some(other) = other.or(loose) {
        let config = data.grading.iter().find(|(name, _)| name.is_empty()).map(|(_, config)| config);
        let message = format!("`ignore_sample` needs test data with only sample/ and secret/, but there is {other}");
        complain(reader, config.unwrap_or(&StatedGrading::default()), Severity::Error, &message, "move it to secret/");
    }
}

/// The grader from the package, if a group needs it.
fn program(reader: &Reader<'_>, grading: &Grading) -> Option<grader_model::problem::Program> {
    let dir = reader.dir.join(DIR);
    let present = !reader.files_below(&dir).is_empty();
    let group = grading.groups.iter().find(|group| matches!(group.grader, Grader::Own(_)));
    match (group, present) {
        (None, false) => None,
        (None, true) => {
            reader.warning(Kind::NotUsed, &dir, "not used: no testdata.yaml says `grading: custom`");
            None
        }
        (Some(_), _) if grading.points.is_none() => {
            let message = "`grading: custom` in a pass-fail problem: custom graders are only for problems with points";
            reader.error(&dir, message, "write `type: scoring` in problem.yaml, or remove `grading: custom`");
            None
        }
        (Some(group), false) => {
            let message = format!("contains no grader, but {} needs one (`grading: custom`)", place(group));
            reader.error(&dir, message, "add the program, or remove `grading: custom`");
            None
        }
        (Some(_), true) => one_program(reader, &dir, "grader"),
    }
}

fn place(group: &GradedGroup) -> String {
    if group.name.is_empty() { "data".to_owned() } else { format!("data/{}", group.name) }
}
