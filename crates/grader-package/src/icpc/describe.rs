//! Reads `problem.yaml` with the defaults of its version, and time limits in files beside it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::document::read::{self, Read, Unfit};
use crate::document::{Document, Value, is_there, load_text};
use crate::metadata::{self, Metadata};
use crate::reader::Reader;
use grader_model::diagnostic::{Diagnostic, Kind, Severity};
use grader_model::problem::{Distances, Timing};
use grader_model::ruleset::Ruleset;
use grader_model::suggest;

use super::grading;

/// The file that describes a package.
pub(super) const FILE: &str = "problem.yaml";

/// The file of `DOMjudge`.
const INI: &str = "domjudge-problem.ini";

/// The file in which Kattis and others keep the time limit of a legacy package.
const TIME_LIMIT: &str = ".timelimit";

/// The generations of the package format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Generation {
    /// The format with graders.
    Legacy,
    /// The predecessor of 2025-09. Tools also accept graders in it.
    Draft,
    /// The format with points for groups.
    Current,
}

/// The versions, each with its generation.
const VERSIONS: &[(&str, Generation)] = &[
    ("legacy", Generation::Legacy),
    ("legacy-icpc", Generation::Legacy),
    ("2023-07", Generation::Draft),
    ("2023-07-draft", Generation::Draft),
    ("2025-09", Generation::Current),
    ("2025-09-draft", Generation::Current),
];

/// The description of a package.
pub(super) struct Description {
    /// Whether the legacy format applies.
    pub(super) legacy: bool,
    /// The settings of the problem.
    pub(super) metadata: Metadata,
    /// How it is graded, if its format has graders.
    pub(super) grading: Option<grading::GradingSettings>,
    /// The judge whose rules apply, if the user names none.
    pub(super) ruleset: Ruleset,
    /// How it gets a time limit, if it states none.
    pub(super) timing: Option<Timing>,
    /// The required distances between time limit and submissions.
    pub(super) distances: Distances,
}

/// Reads the description of the reader's package.
pub(super) fn read(reader: &Reader<'_>) -> Description {
    let file = reader.dir.join(FILE);
    metadata::refuse_both(reader, &reader.dir);
    let document = if is_there(&file) {
        Document::load(&file)
    } else {
        Document::parse(&file, String::new(), crate::document::Syntax::Yaml)
    };
    let ini = read_ini(reader);
    let has_ini = is_there(&reader.dir.join(INI));
    let (legacy, mut metadata, grading, distances) = of_document(reader, document);
    metadata.limits.time = time_limit(reader, &file, metadata.limits.time, ini.as_ref());
    let timing = metadata.limits.time.is_none().then_some(Timing::default());
    let ruleset = match (has_ini, legacy) {
        (true, _) => Ruleset::Domjudge,
        (false, true) => Ruleset::Kattis,
        (false, false) => Ruleset::Icpc,
    };
    Description { legacy, metadata, grading, ruleset, timing, distances }
}

/// Returns the required distances between a time limit and the submissions: the keys and defaults of the generation.
fn distances(document: &mut Document, legacy: bool) -> Distances {
    let default = Distances::default();
    if legacy {
        let [ac, tle] = ["limits.time_multiplier", "limits.time_safety_margin"];
        Distances {
            ac_to_time_limit: document.get(ac, read::factor).unwrap_or(5.0),
            time_limit_to_tle: document.get(tle, read::factor).unwrap_or(2.0),
            accepted_only: true,
            ..default
        }
    } else {
        let [ac, tle] = ["limits.time_multipliers.ac_to_time_limit", "limits.time_multipliers.time_limit_to_tle"];
        Distances {
            ac_to_time_limit: document.get(ac, read::factor_from_one).unwrap_or(default.ac_to_time_limit),
            time_limit_to_tle: document.get(tle, read::factor_from_one).unwrap_or(default.time_limit_to_tle),
            resolution: document.get("limits.time_resolution", read::seconds).unwrap_or(default.resolution),
            ..default
        }
    }
}

fn of_document(
    reader: &Reader<'_>,
    mut document: Document,
) -> (bool, Metadata, Option<grading::GradingSettings>, Distances) {
    let generation = document.get("problem_format_version", version).unwrap_or(Generation::Legacy);
    let legacy = generation == Generation::Legacy;
    if legacy && document.has("constants") {
        let message = "the legacy format does not have `constants`".to_owned();
        let remedy = Some("remove them, or state `problem_format_version: 2025-09`".to_owned());
        document.report_with(&["constants"], Severity::Error, message, remedy);
    }
    if document.has("grading.custom_scoring") {
        document.report(&["grading"], Severity::Error, "custom graders of the package are not supported yet");
    }
    let grading = match generation {
        Generation::Legacy => Some(grading::read(&mut document)),
        Generation::Draft => Some(grading::GradingSettings::of_draft()),
        Generation::Current => None,
    };
    let distances = distances(&mut document, legacy);
    let applied = if legacy { &["grading"][..] } else { &[] };
    (legacy, metadata::problem_of(reader, document, Severity::Warning, applied), grading, distances)
}

/// Reads a version and returns its generation.
fn version(value: &Value) -> Read<Generation> {
    let text = read::text(value)?;
    if let Some((_, generation)) = VERSIONS.iter().find(|(known, _)| *known == text) {
        return Ok(*generation);
    }
    let known: Vec<&str> = VERSIONS.iter().map(|(known, _)| *known).collect();
    let hint = suggest::hint(&text, known.iter().copied());
    Err(Unfit::rule(format!("unknown version `{text}`{hint}; known are {}", known.join(", "))))
}

/// The time limit in problem.yaml, or else in another file. None if it depends on the judge.
fn time_limit(reader: &Reader<'_>, file: &Path, stated: Option<Duration>, ini: Option<&Ini>) -> Option<Duration> {
    let path = reader.dir.join(TIME_LIMIT);
    let own = is_there(&path).then(|| seconds_of(reader, &path)).flatten().map(|time| (path, time));
    let ini = ini.and_then(|ini| Some((ini.file.clone(), ini.time?)));
    let stated = stated.map(|time| (file.to_owned(), time));
    let mut found = [stated, own, ini].into_iter().flatten();
    let (place, time) = found.next()?;
    for (other, differs) in found.filter(|(_, other)| *other != time) {
        let differs = differs.as_secs_f64();
        let time = time.as_secs_f64();
        let message = format!(
            "states a time limit of {differs} s, but {} states {time} s; grader uses the latter",
            place.display()
        );
        reader.warning(Kind::NotUsed, &other, message);
    }
    Some(time)
}

/// Reads a file that contains a number of seconds.
fn seconds_of(reader: &Reader<'_>, path: &Path) -> Option<Duration> {
    let text = or_report(reader, load_text(path))?;
    or_report(reader, seconds(text.trim()).map_err(|unfit| Diagnostic::error(path, unfit.to_string())))
}

fn seconds(text: &str) -> Read<Duration> {
    let number: f64 = text.parse().map_err(|_| Unfit::expected("a time limit in seconds", format!("{text:?}")))?;
    read::seconds(&Value::Float(number))
}

/// The value of a result; an error is reported.
fn or_report<T>(reader: &Reader<'_>, result: Result<T, Diagnostic>) -> Option<T> {
    result.map_err(|found| reader.report(found)).ok()
}

/// The values of `domjudge-problem.ini` that are used.
struct Ini {
    file: PathBuf,
    time: Option<Duration>,
}

/// Keys that do not concern judging.
const INI_INFORMATION: [&str; 6] = ["name", "short-name", "probid", "externalid", "color", "allow_submit"];

fn read_ini(reader: &Reader<'_>) -> Option<Ini> {
    let file = reader.dir.join(INI);
    let text = is_there(&file).then(|| or_report(reader, load_text(&file))).flatten()?;
    let mut time = None;
    for (key, value) in pairs(&text) {
        let Some(value) = value else {
            reader.warning(Kind::UnknownKey, &file, format!("`{key}` has no `=`, so DOMjudge ignores it"));
            continue;
        };
        match key {
            "timelimit" => {
                time = or_report(reader, seconds(value).map_err(|unfit| Diagnostic::error(&file, unfit.to_string())));
            }
            _ if INI_INFORMATION.contains(&key) => {}
            _ => reader.warning(Kind::UnknownKey, &file, format!("`{key}` is not applied")),
        }
    }
    Some(Ini { file, time })
}

/// Reads lines `key = value` as PHP's `parse_ini_file` does; a line without `=` has no value.
fn pairs(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with([';', '#', '[']));
    lines.map(|line| match line.split_once('=') {
        Some((key, value)) => (key.trim(), Some(ini_value(value.trim()))),
        None => (line.split(';').next().unwrap_or(line).trim(), None),
    })
}

/// Removes the quotation marks of a value. A comment begins with `;` outside of them.
fn ini_value(text: &str) -> &str {
    let quoted = ['"', '\''].into_iter().find_map(|mark| text.strip_prefix(mark)?.split_once(mark));
    let plain = || text.split(';').next().unwrap_or(text).trim().trim_matches(['\'', '"']);
    quoted.map_or_else(plain, |(inside, _)| inside)
}
