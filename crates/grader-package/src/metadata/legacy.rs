//! Reads `testdata.yaml`, the configuration of groups in the legacy format. Groups below inherit it.

use std::path::PathBuf;

use crate::document::read::{self, Read, Unfit};
use crate::document::{Document, Value};
use crate::metadata::GroupConfig;
use crate::reader::Reader;
use crate::rules::Rules;
use grader_model::diagnostic::{Severity, TextPosition};

/// Keys that are applied.
const KEYS: [&str; 8] = [
    "output_validator_flags",
    "input_validator_flags",
    "on_reject",
    "accept_score",
    "reject_score",
    "range",
    "grading",
    "grader_flags",
];

/// The grading that a group states. Missing values are inherited.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StatedGrading {
    /// Whether judging stops at the first failure (`on_reject: break`).
    pub(crate) breaks: Option<bool>,
    /// Whether the grader from the package computes the result.
    pub(crate) own: Option<bool>,
    /// The arguments of the grader.
    pub(crate) flags: Option<Flags>,
    /// The points of an accepted case.
    pub(crate) accept_score: Option<f64>,
    /// The points of any other case.
    pub(crate) reject_score: Option<f64>,
    /// The least and the most points.
    pub(crate) range: Option<(f64, f64)>,
}

/// The arguments of a grader, with their place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Flags {
    pub(crate) words: Vec<String>,
    pub(crate) file: PathBuf,
    pub(crate) place: Option<TextPosition>,
}

impl StatedGrading {
    /// Merges the two: values in `self` win, and `above` fills in missing ones.
    #[must_use]
    pub(crate) fn or(self, above: &Self) -> Self {
        Self {
            breaks: self.breaks.or(above.breaks),
            own: self.own.or(above.own),
            flags: self.flags.or_else(|| above.flags.clone()),
            accept_score: self.accept_score.or(above.accept_score),
            reject_score: self.reject_score.or(above.reject_score),
            range: self.range.or(above.range),
        }
    }

    /// Reads the points in the table at `path`: in `testdata.yaml`, or in `grading` of older `problem.yaml` files.
    pub(crate) fn of(document: &mut Document, path: &[&str]) -> Self {
        let at = |key| [path, &[key]].concat();
        Self {
            accept_score: document.get_at(&at("accept_score"), read::finite),
            reject_score: document.get_at(&at("reject_score"), read::finite),
            range: document.get_at(&at("range"), range),
            ..Self::default()
        }
    }
}

/// Reads the file of one directory.
pub(crate) fn read(reader: &Reader<'_>, mut document: Document, rules: &Rules) -> GroupConfig {
    let mut config = GroupConfig::of_legacy(&mut document, rules);
    let flags = document.get("grader_flags", read::words).map(|words| Flags {
        words,
        file: document.file().to_owned(),
        place: document.place(&["grader_flags"]),
    });
    config.grading = StatedGrading {
        breaks: document.get("on_reject", |value| read::word(value, &[("break", true), ("continue", false)])),
        own: document.get("grading", |value| read::word(value, &[("default", false), ("custom", true)])),
        flags,
        ..StatedGrading::of(&mut document, &[])
    };
    document.check_keys(&KEYS, Severity::Warning);
    document.finish().into_iter().for_each(|found| reader.report(found));
    config
}

/// Reads two numbers; either may be infinite.
fn range(value: &Value) -> Read<(f64, f64)> {
    let words = read::words(value)?;
    let ends: Vec<f64> = words.iter().filter_map(|word| word.parse().ok()).filter(|end: &f64| !end.is_nan()).collect();
    match (&ends[..], words.len()) {
        ([least, most], 2) if least <= most => Ok((*least, *most)),
        ([least, most], 2) => Err(Unfit::rule(format!("{least} is more than {most}"))),
        _ => Err(Unfit::expected("the least and the most points, such as `0 100`", format!("`{}`", words.join(" ")))),
    }
}
