//! Reads the points in `test_group.toml` and `test_group.yaml`, and builds the tree of groups from them (package format
//! 2025-09, "Test data configuration" and "Result aggregation").

use std::path::{Path, PathBuf};

use crate::document::read::{self, Read, Unfit};
use crate::document::{Document, Value};
use crate::generators;
use crate::reader::Reader;
use grader_model::diagnostic::{Diagnostic, Severity, TextPosition};
use grader_model::problem::{Aggregation, ScoreGroup, ScoreTree, TestGroup};
use grader_model::suggest;

/// Keys of a group that concern points.
pub(crate) const KEYS: &[&str] = &["max_score", "score_aggregation", "require_pass"];

/// Keys that the format forbids in `sample` and in pass-fail problems.
const RESTRICTED: [&str; 3] = ["max_score", "score_aggregation", "require_pass"];

/// The points of `secret` if none are stated.
const DEFAULT_TOTAL: f64 = 100.0;

/// The points in one file.
#[derive(Debug, Clone, PartialEq)]
pub struct StatedPoints {
    file: PathBuf,
    max_score: Option<MaxScore>,
    aggregation: Option<Aggregation>,
    require_pass: Vec<String>,
    /// The restricted keys in the file, each with its place.
    places: Vec<(&'static str, Option<TextPosition>)>,
}

/// The maximum points of a group.
#[derive(Debug, Clone, Copy, PartialEq)]
enum MaxScore {
    Points(f64),
    Unbounded,
}

impl MaxScore {
    fn points(self) -> Option<f64> {
        match self {
            Self::Points(points) => Some(points),
            Self::Unbounded => None,
        }
    }
}

/// The points of a plain folder whose cases state theirs: their sum.
pub(crate) fn of_cases(groups: &[TestGroup]) -> Option<ScoreTree> {
    let [group] = groups else { return None };
    let points = group.cases.iter().filter_map(|case| case.own.as_ref()?.points);
    let stated = points.clone().next().is_some();
    stated.then(|| ScoreTree {
        groups: vec![ScoreGroup {
            name: group.name.clone(),
            parent: None,
            max_score: Some(points.sum()),
            aggregation: Aggregation::Sum,
            require_pass: Vec::new(),
            tests: group.cases.len(),
            static_score: None,
        }],
        total: 0,
    })
}

/// The points in a file, with the file's directory relative to the test data.
pub(crate) type FoundPoints = (String, StatedPoints);

/// Reads the keys of one file.
pub(crate) fn read(document: &mut Document) -> StatedPoints {
    let places = RESTRICTED.into_iter().filter(|key| document.has(key)).map(|key| (key, document.place(&[key])));
    StatedPoints {
        file: document.file().to_owned(),
        places: places.collect(),
        max_score: document.get("max_score", max_score),
        aggregation: document.get("score_aggregation", aggregation),
        require_pass: document.get("require_pass", read::texts).unwrap_or_default(),
    }
}

/// Reads whole, non-negative points, or `unbounded`.
fn max_score(value: &Value) -> Read<MaxScore> {
    match value {
        Value::Text(word) if word == "unbounded" => Ok(MaxScore::Unbounded),
        Value::Integer(_) => read::count_or_zero(value).map(|points| MaxScore::Points(points.into())),
        other => Err(Unfit::kind("a whole number of points or `unbounded`", other)),
    }
}

fn aggregation(value: &Value) -> Read<Aggregation> {
    let words = [("pass-fail", Aggregation::PassFail), ("sum", Aggregation::Sum), ("min", Aggregation::Min)];
    read::word(value, &words)
}

impl StatedPoints {
    fn place(&self, key: &str) -> Option<TextPosition> {
        self.places.iter().find(|(known, _)| *known == key).and_then(|(_, place)| *place)
    }

    fn error(&self, key: &str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(&self.file, message).at(self.place(key))
    }

    /// Refuses every restricted key for the same reason.
    fn refuse(&self, reader: &Reader<'_>, why: &str, remedy: &str) {
        for (key, _) in &self.places {
            reader.report(self.error(key, format!("`{key}` {why}")).remedy(remedy));
        }
    }
}

/// Checks the files of a problem without points: every statement about points is an error.
pub(crate) fn refuse(reader: &Reader<'_>, stated: &[FoundPoints]) {
    for (_, stated) in stated {
        let remedy = "write `type = \"scoring\"` in problem.toml, or remove the key";
        stated.refuse(reader, "needs a problem of type `scoring`", remedy);
    }
}

/// Builds the tree of groups of a scoring problem with its data in `root`. Returns none if the problem has no secret
/// cases. Reports everything that the format forbids.
pub(crate) fn tree(
    reader: &Reader<'_>,
    root: &Path,
    groups: &[TestGroup],
    stated: &[FoundPoints],
    has_validator: bool,
) -> Option<ScoreTree> {
    let mut tree = Tree { reader, root, stated, scoring: ScoreTree { groups: Vec::new(), total: 0 } };
    tree.refuse_elsewhere(groups);
    if !groups.iter().any(|group| top(&group.name) == "secret") {
        // A problem without any case was already reported.
        if !groups.is_empty() {
            let message = format!("scoring problem without secret cases in {}", root.display());
            let by_hand = || "add cases to secret/ or to groups below it".to_owned();
            reader.error(&reader.dir, message, &generators::remedy(reader).unwrap_or_else(by_hand));
        }
        return None;
    }
    tree.add("sample", None, groups);
    tree.scoring.total = tree.add("secret", None, groups);
    let below: Vec<&str> = stated.iter().map(|(name, _)| name.as_str()).filter(|name| is_group(name)).collect();
    for name in &below {
        tree.add(name, Some(tree.scoring.total), groups);
    }
    if !below.is_empty() {
        tree.check_loose(groups);
    }
    tree.count(groups);
    tree.check_bounds(has_validator);
    tree.check_sum();
    tree.resolve();
    Some(tree.scoring)
}

fn top(name: &str) -> &str {
    name.split('/').next().unwrap_or_default()
}

/// Whether a name is a group with points: `secret/small`, but not `secret/small/deeper`.
pub(super) fn is_group(name: &str) -> bool {
    name.strip_prefix("secret/").is_some_and(|rest| !rest.contains('/'))
}

/// A tree that is being built.
struct Tree<'a> {
    reader: &'a Reader<'a>,
    root: &'a Path,
    stated: &'a [FoundPoints],
    scoring: ScoreTree,
}

impl Tree<'_> {
    fn stated(&self, name: &str) -> Option<&StatedPoints> {
        self.stated.iter().find(|(known, _)| known == name).map(|(_, stated)| stated)
    }

    /// Refuses keys and cases in places without points.
    fn refuse_elsewhere(&self, groups: &[TestGroup]) {
        for (name, stated) in self.stated.iter().filter(|(name, _)| name != "secret" && !is_group(name)) {
            let (why, remedy) = match name.as_str() {
                "sample" => ("in sample, which has no points", "remove the key"),
                _ if top(name) == "secret" => {
                    ("below a group: groups do not nest", "move it to the group directly below secret/")
                }
                _ => ("neither in secret nor in a group below it", "move it to secret/ or to a group below it"),
            };
            stated.refuse(self.reader, why, remedy);
        }
        for group in groups.iter().filter(|group| !["sample", "secret"].contains(&top(&group.name))) {
            let message = "cases outside sample/ and secret/ give no points";
            self.reader.error(&group.dir, message, "move them to secret/ or to a group below it");
        }
    }

    /// Adds a group with the values in its file and the defaults of the format. Returns its position.
    fn add(&mut self, name: &str, parent: Option<usize>, groups: &[TestGroup]) -> usize {
        let stated = self.stated(name).filter(|_| name != "sample");
        let (max_score, aggregation) = match name {
            "secret" => (Some(DEFAULT_TOTAL), Aggregation::Sum),
            "sample" => (Some(0.0), Aggregation::PassFail),
            _ => (None, Aggregation::PassFail),
        };
        let group = ScoreGroup {
            name: name.into(),
            parent,
            max_score: stated.and_then(|stated| stated.max_score).map_or(max_score, MaxScore::points),
            aggregation: stated.and_then(|stated| stated.aggregation).unwrap_or(aggregation),
            require_pass: Vec::new(),
            tests: 0,
            static_score: None,
        };
        let below = format!("{name}/");
        let is_empty = !groups.iter().any(|group| *group.name == *name || group.name.starts_with(&below));
        if let (true, true, Some(stated)) = (parent.is_some(), is_empty, stated) {
            let message = format!("group {name} has no test cases");
            let by_hand = || "add cases or remove the directory".to_owned();
            self.reader.error(&stated.file, message, &generators::remedy(self.reader).unwrap_or_else(by_hand));
        }
        self.scoring.groups.push(group);
        self.scoring.groups.len() - 1
    }

    /// Checks that every case is in a group, if `secret` has groups.
    fn check_loose(&self, groups: &[TestGroup]) {
        for group in groups.iter().filter(|group| top(&group.name) == "secret") {
            let belongs = self.scoring.group_of(&group.name).is_some_and(|at| at != self.scoring.total);
            if belongs {
                continue;
            }
            let (message, remedy) = if &*group.name == "secret" {
                ("cases directly in secret/ beside groups", "move them into a group".to_owned())
            } else {
                let first = group.name.split('/').take(2).collect::<Vec<_>>().join("/");
                let file = self.root.join(first).join("test_group.toml");
                (
                    "this directory is beside groups but is not a group",
                    format!("add {} with `max_score`", file.display()),
                )
            };
            self.reader.error(&group.dir, message, &remedy);
        }
    }

    fn count(&mut self, groups: &[TestGroup]) {
        for group in groups {
            if let Some(at) = self.scoring.group_of(&group.name) {
                self.scoring.groups[at].tests += group.test_count();
                if let Some(own) = &group.static_validation {
                    self.scoring.groups[at].static_score = Some(own.max_score.unwrap_or_default());
                }
            }
        }
    }

    fn check_bounds(&self, has_validator: bool) {
        let total = &self.scoring.groups[self.scoring.total];
        for at in self.scoring.lineage(self.scoring.total).chain(self.scoring.children(self.scoring.total)) {
            let group = &self.scoring.groups[at];
            let Some(stated) = self.stated(&group.name) else { continue };
            let complain = |key, message: String, remedy: &str| {
                self.reader.report(stated.error(key, message).remedy(remedy));
            };
            let name = &group.name;
            let pass_fail = group.aggregation == Aggregation::PassFail;
            if total.aggregation == Aggregation::PassFail && !pass_fail {
                let message = format!("{name} gives partial points, but secret is `pass-fail`");
                complain("score_aggregation", message, "write `pass-fail` here, or `sum` or `min` in secret");
            }
            // An unreadable value was already reported.
            let unread = stated.max_score.is_none() && stated.places.iter().any(|(key, _)| *key == "max_score");
            if group.max_score.is_some() || unread {
                continue;
            }
            if pass_fail && stated.max_score.is_none() {
                complain("max_score", format!("{name} does not say how many points it gives"), "add `max_score`");
            } else if pass_fail {
                let message = format!("{name} is `pass-fail`, and cannot be unbounded");
                complain("max_score", message, "give it a number of points");
            } else if total.max_score.is_some() {
                let message = format!(
                    "{name} is unbounded, but secret gives at most {} points",
                    total.max_score.unwrap_or_default()
                );
                complain("max_score", message, "add a number of points, or make secret `unbounded`");
            } else if !has_validator && group.tests > 0 {
                let message = format!(
                    "{name} is unbounded, but the problem has no output validator that sets the points of a case"
                );
                complain("max_score", message, "add output_validator/, which writes score.txt, or give it a number");
            }
        }
    }

    /// Reports groups whose points do not add up to those of `secret`.
    fn check_sum(&self) {
        let total = &self.scoring.groups[self.scoring.total];
        let maxima: Option<Vec<f64>> =
            self.scoring.children(self.scoring.total).map(|at| self.scoring.groups[at].max_score).collect();
        let (Some(maxima), Some(most)) = (maxima.filter(|maxima| !maxima.is_empty()), total.max_score) else { return };
        let sum: f64 = maxima.iter().sum();
        if total.aggregation != Aggregation::Sum || (sum - most).abs() < 0.5 {
            return;
        }
        let stated = self.stated("secret");
        let file = stated.map_or_else(|| self.root.join("secret"), |stated| stated.file.clone());
        let message = format!("the groups give {sum} points together, but secret gives {most}");
        let severity = if sum > most { Severity::Error } else { Severity::Warning };
        let found =
            Diagnostic::new(severity, message).about(&file).at(stated.and_then(|stated| stated.place("max_score")));
        self.reader
            .report(found.remedy(format!("write `max_score = {sum}` in secret/test_group.toml, or change the groups")));
    }

    /// Resolves the groups that other groups require.
    fn resolve(&mut self) {
        for at in 0..self.scoring.groups.len() {
            let name = self.scoring.groups[at].name.clone();
            let Some(stated) = self.stated(&name).filter(|_| &*name != "sample") else { continue };
            let required = stated.require_pass.iter().filter_map(|wanted| match self.required(&name, wanted) {
                Ok(found) => Some(found),
                Err((message, remedy)) => {
                    let found = stated.error("require_pass", message);
                    self.reader.report(found.remedy(remedy.unwrap_or_default()));
                    None
                }
            });
            self.scoring.groups[at].require_pass = required.collect();
        }
    }

    /// The group that `name` requires as `wanted`. The error is a message with a remedy.
    fn required(&self, name: &str, wanted: &str) -> Result<usize, (String, Option<String>)> {
        let known = || self.scoring.groups.iter().map(|group| &*group.name).filter(|known| *known != "secret");
        let Some(at) = self.scoring.groups.iter().position(|group| *group.name == *wanted) else {
            let full = known().find(|known| known.strip_prefix("secret/") == Some(wanted));
            let hint = full.map(|full| format!("did you mean `{full}`?"));
            let remedy = hint.or_else(|| suggest::did_you_mean(wanted, known()));
            return Err((format!("`require_pass`: there is no group `{wanted}`"), remedy));
        };
        if wanted == "secret" || (name == "secret" && wanted != "sample") {
            let message = format!("`require_pass`: {name} cannot require `{wanted}`");
            return Err((message, Some("name `sample` or, in a group, an earlier group".to_owned())));
        }
        if self.scoring.groups[at].aggregation != Aggregation::PassFail {
            let message = format!("`require_pass`: `{wanted}` gives partial points, so it has no pass or fail");
            return Err((message, Some(format!("write `score_aggregation = \"pass-fail\"` in {wanted}"))));
        }
        if wanted != "sample" && wanted >= name {
            let message = format!("`require_pass`: `{wanted}` does not come before {name}");
            return Err((message, Some("rename one of them: groups run in the order of their names".to_owned())));
        }
        Ok(at)
    }
}
