//! `problem.toml`, `problem.yaml`, `test_group.toml` and `test_group.yaml`: what a problem says about itself.
//!
//! Keys are those of the package format (2025-09, "Problem metadata" and "Test data configuration"; legacy where noted)
//! and a few of ours. In TOML an unknown key is an error; in YAML, which other tools extend freely, a warning.

use std::path::{Path, PathBuf};

use crate::package::diagnostic::Severity;
use crate::package::document::read::{self, Read};
use crate::package::document::{Document, Value};
use crate::package::reader::Reader;
use crate::problem::{Checker, LimitOptions, ProblemKind};

/// What a problem states.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metadata {
    /// The title, in English where there are several.
    pub name: Option<String>,
    /// `pass-fail` or `interactive`.
    pub kind: ProblemKind,
    /// The model solution, as it is written.
    pub reference: Option<String>,
    /// How outputs are compared.
    pub checker: Option<Checker>,
    /// Limits of submissions.
    pub limits: LimitOptions,
}

/// What a group states.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GroupConfig {
    /// Limits of submissions on the cases of the group.
    pub limits: LimitOptions,
    /// How outputs are compared.
    pub checker: Option<Checker>,
}

impl GroupConfig {
    /// What `self` states, and `above` where it is silent.
    #[must_use]
    pub fn or(self, above: &Self) -> Self {
        Self { limits: self.limits.or(&above.limits), checker: self.checker.or(above.checker) }
    }
}

/// Keys of a problem that are applied.
pub const PROBLEM_KEYS: &[&str] = &[
    "name",
    "type",
    "reference",
    "checker",
    "limits.time_limit",
    "limits.wall_limit",
    "limits.memory",
    "limits.output",
    "limits.processes",
];

/// Keys of the package formats that say nothing about judging.
const INFORMATION: &[&str] = &[
    "problem_format_version",
    "uuid",
    "version",
    "credits",
    "source",
    "source_url",
    "author",
    "license",
    "rights_owner",
    "embargo_until",
    "keywords",
    "limits.time_multipliers",
    "limits.time_multiplier",
    "limits.time_safety_margin",
    "limits.time_resolution",
    "limits.validation_passes",
];

/// Keys of the package formats that judging here does not follow; the package may be judged otherwise elsewhere.
const NOT_APPLIED: &[&str] = &[
    "languages",
    "allow_file_writing",
    "constants",
    "grading",
    "limits.code",
    "limits.compilation_time",
    "limits.compilation_memory",
    "limits.validation_time",
    "limits.validation_memory",
    "limits.validation_output",
];

/// Legacy keys that are applied.
const LEGACY: &[&str] = &["validation", "validator_flags"];

/// Keys of a group that are applied.
pub const GROUP_KEYS: &[&str] = &[
    "output_validator_args",
    "checker",
    "limits.time_limit",
    "limits.wall_limit",
    "limits.memory",
    "limits.output",
    "limits.processes",
];

/// Keys of a group or case for statements, validators of inputs and visualisers.
const GROUP_INFORMATION: &[&str] = &[
    "input_validator_args",
    "static_validator_args",
    "input_visualizer_args",
    "output_visualizer_args",
    "full_feedback",
    "hint",
    "description",
];

/// Keys of a group for scores, which are not computed.
const GROUP_SCORING: &[&str] = &["max_score", "score_aggregation", "static_validation_score", "require_pass"];

/// Reads the file of the problem in `dir`: at most one of `problem.toml` and `problem.yaml`.
pub fn read_problem(reader: &Reader<'_>, dir: &Path) -> Metadata {
    let [toml, yaml] = ["problem.toml", "problem.yaml"].map(|name| dir.join(name));
    match (present(&toml), present(&yaml)) {
        (true, true) => {
            let message = "problem.toml beside problem.yaml: which of them holds is not clear";
            reader.error(&toml, message, "keep one of the two");
            Metadata::default()
        }
        (true, false) => problem_of(reader, Document::load(&toml), Severity::Error),
        (false, true) => problem_of(reader, Document::load(&yaml), Severity::Warning),
        (false, false) => Metadata::default(),
    }
}

/// Whether something of this name is there, readable or not.
fn present(file: &Path) -> bool {
    file.symlink_metadata().is_ok()
}

/// Reads a problem's keys from a document; `unknown` is how bad an unknown key is.
pub fn problem_of(reader: &Reader<'_>, mut document: Document, unknown: Severity) -> Metadata {
    let legacy = document.get("validation", read::text).unwrap_or_default();
    let metadata = Metadata {
        name: document.get("name", name),
        kind: document.get("type", kind).unwrap_or_default(),
        reference: document.get("reference", read::text),
        checker: document.get("checker", read::checker).or_else(|| legacy_checker(&mut document, &legacy)),
        limits: read_limits(&mut document, &["limits"]),
    };
    let kind = if legacy.split_whitespace().any(|word| word == "interactive") {
        ProblemKind::Interactive
    } else {
        metadata.kind
    };
    if legacy.split_whitespace().any(|word| word == "score") {
        document.report(&["validation"], Severity::Error, "problems with scores are not supported");
    }
    for key in NOT_APPLIED.iter().filter(|key| document.has(key)).collect::<Vec<_>>() {
        let path: Vec<&str> = key.split('.').collect();
        let means_nothing = document.get(key, |value| Ok(states_default(value))).unwrap_or_default();
        if !means_nothing {
            document.report(&path, Severity::Warning, format!("`{key}` is not applied"));
        }
    }
    document.check_keys(&[PROBLEM_KEYS, INFORMATION, NOT_APPLIED, LEGACY].concat(), unknown);
    document.finish().into_iter().for_each(|found| reader.report(found));
    Metadata { kind, ..metadata }
}

/// `languages: all` and `allow_file_writing: false` ask for nothing.
fn states_default(value: &Value) -> bool {
    matches!(value, Value::Bool(false)) || matches!(value, Value::Text(text) if text == "all")
}

/// Legacy `validator_flags`, which are flags of the default output validator unless there is an own one.
fn legacy_checker(document: &mut Document, validation: &str) -> Option<Checker> {
    if validation.starts_with("custom") {
        if document.get("validator_flags", read::text).is_some_and(|flags| !flags.trim().is_empty()) {
            let message = "`validator_flags` for an own output validator are not supported";
            document.report(&["validator_flags"], Severity::Error, message);
        }
        return None;
    }
    document.get("validator_flags", read::checker)
}

/// The limits that a table can state.
pub const LIMIT_KEYS: &[&str] = &["time_limit", "wall_limit", "memory", "output", "processes"];

/// Reads the limits that the table at `path` states.
pub fn read_limits(document: &mut Document, path: &[&str]) -> LimitOptions {
    let at = |key| [path, &[key]].concat();
    LimitOptions {
        time: document.get_at(&at("time_limit"), read::seconds),
        wall: document.get_at(&at("wall_limit"), read::seconds),
        memory: document.get_at(&at("memory"), read::mebibytes),
        output: document.get_at(&at("output"), read::mebibytes),
        processes: document.get_at(&at("processes"), read::count),
    }
}

/// A title: a string, or one per language.
fn name(value: &Value) -> Read<String> {
    let Value::Table(entries) = value else { return read::text(value) };
    let english = entries.iter().find(|entry| entry.key == "en").or_else(|| entries.first());
    english.map_or_else(|| Err("no name in any language".to_owned()), |entry| read::text(&entry.value))
}

/// A type: one word or several.
fn kind(value: &Value) -> Read<ProblemKind> {
    let mut kind = ProblemKind::PassFail;
    for word in read::texts(value)? {
        match word.as_str() {
            "pass-fail" => {}
            "interactive" => kind = ProblemKind::Interactive,
            "scoring" | "multi-pass" | "submit-answer" => {
                return Err(format!("problems of type `{word}` are not supported"));
            }
            unknown => return Err(format!("expected `pass-fail` or `interactive`, found `{unknown}`")),
        }
    }
    Ok(kind)
}

/// Reads the configuration files that were met in one directory of test data.
pub fn read_group(reader: &Reader<'_>, files: &[PathBuf]) -> GroupConfig {
    let is_legacy = |file: &&PathBuf| file.ends_with("testdata.yaml");
    for file in files.iter().filter(is_legacy) {
        reader.error(file, "configuration of the legacy format is not supported", "write test_group.yaml");
    }
    let current: Vec<&PathBuf> = files.iter().filter(|file| !is_legacy(file)).collect();
    match current[..] {
        [] => GroupConfig::default(),
        [file] => {
            let yaml = file.extension().is_some_and(|extension| extension == "yaml");
            let unknown = if yaml { Severity::Warning } else { Severity::Error };
            group_of(reader, Document::load(file), unknown)
        }
        [first, ..] => {
            let message = "test_group.toml beside test_group.yaml: which of them holds is not clear";
            reader.error(first, message, "keep one of the two");
            GroupConfig::default()
        }
    }
}

fn group_of(reader: &Reader<'_>, mut document: Document, unknown: Severity) -> GroupConfig {
    let flags = document.get("output_validator_args", read::checker);
    let checker = document.get("checker", read::checker);
    if flags.is_some() && checker.is_some() {
        document.report(&["checker"], Severity::Error, "`checker` beside `output_validator_args`; keep one of the two");
    }
    let config = GroupConfig { limits: read_limits(&mut document, &["limits"]), checker: checker.or(flags) };
    refuse_arguments(&mut document);
    for key in GROUP_SCORING {
        if document.has(key) {
            document.report(&[key], Severity::Warning, format!("`{key}` is not applied: scores are not computed"));
        }
    }
    document.check_keys(&[GROUP_KEYS, GROUP_INFORMATION, GROUP_SCORING, &["args"]].concat(), unknown);
    document.finish().into_iter().for_each(|found| reader.report(found));
    config
}

/// Reads the configuration of a single case, which may hold nothing that changes how it is judged.
pub fn read_case(reader: &Reader<'_>, mut document: Document) {
    refuse_arguments(&mut document);
    if document.has("output_validator_args") {
        let message = "`output_validator_args` for a single case are not supported; put the case into a group";
        document.report(&["output_validator_args"], Severity::Error, message);
    }
    document.check_keys(&[GROUP_INFORMATION, &["args", "output_validator_args"]].concat(), Severity::Warning);
    document.finish().into_iter().for_each(|found| reader.report(found));
}

fn refuse_arguments(document: &mut Document) {
    let given = document.get("args", read::texts).is_some_and(|args| !args.is_empty());
    if given {
        document.report(&["args"], Severity::Error, "`args`: arguments for submissions are not supported");
    }
}
