//! Reads `grader.toml`: its keys, and its settings for languages.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::settings::show;
use super::{KEYS, Options, Origin, SYNTAX, SettingEntry};
use crate::diagnostic::{Diagnostic, Severity};
use crate::package::document::read::{self, Read, Unfit};
use crate::package::document::{Document, Value, load_text};
use crate::package::metadata::{LIMIT_KEYS, read_limits};
use crate::problem::LimitOptions;

/// The values in `grader.toml`.
#[derive(Debug, Default)]
pub(super) struct FileLayer {
    pub(super) options: Options,
    /// The line of every key in the file.
    pub(super) lines: BTreeMap<&'static str, u32>,
    pub(super) languages: Languages,
}

/// The settings for languages in `grader.toml`: the unchanged parts for the language table, and the limits, which are
/// used here.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Languages {
    /// The table `[language]`, without `time_factor` and `limits` of its languages.
    pub table: toml::Table,
    /// `time_factor` and `limits` of `[language.<id>]`.
    pub limits: BTreeMap<String, LanguageLimits>,
}

/// Limits for all programs of one language.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LanguageLimits {
    /// Multiplies the time limit, on top of the general factor.
    pub time_factor: Option<f64>,
    /// The limits, used if the problem sets none.
    pub limits: LimitOptions,
    /// The line of its table in the file.
    line: u32,
}

const FACTOR_DOC: &str = "multiplies the time limit of programs of this language";
const LIMITS_DOC: &str = "as the general limit, for programs of this language";

impl Languages {
    /// Renames the limits by `id_of`, because the names in the file may be aliases.
    pub fn name_limits<'a>(&mut self, id_of: impl Fn(&str) -> Option<&'a str>) {
        let stated = std::mem::take(&mut self.limits);
        self.limits = stated
            .into_iter()
            .map(|(word, limits)| (id_of(&word).map_or_else(|| word.clone(), ToOwned::to_owned), limits))
            .collect();
    }

    /// The limits as entries of `grader config`.
    pub(super) fn entries(&self, file: Option<&Path>) -> Vec<SettingEntry> {
        let mut entries = Vec::new();
        for (id, LanguageLimits { time_factor, limits, line }) in &self.limits {
            let origin = Origin::File { path: file.unwrap_or(Path::new("")).to_owned(), line: *line };
            let mut push = |key: &str, value: Option<String>, doc| {
                let key = format!("language.{id}.{key}");
                entries.extend(value.map(|value| SettingEntry { key, value, origin: origin.clone(), doc }));
            };
            push("time_factor", time_factor.map(|factor| factor.to_string()), FACTOR_DOC);
            push("limits.time_limit", limits.time.as_ref().map(show::seconds), LIMITS_DOC);
            push("limits.wall_limit", limits.wall.as_ref().map(show::seconds), LIMITS_DOC);
            push("limits.memory", limits.memory.map(show::mebibytes), LIMITS_DOC);
            push("limits.output", limits.output.map(show::mebibytes), LIMITS_DOC);
            push("limits.processes", limits.processes.map(|count| count.to_string()), LIMITS_DOC);
        }
        entries
    }
}

/// Checks a table `[language]`. Returns each error with the keys that lead to its place in the table.
pub type LanguageCheck = fn(&toml::Table) -> Vec<(Vec<String>, String)>;

/// Reads a configuration file. Returns all of its errors and warnings.
pub(super) fn load(path: &Path, check: Option<LanguageCheck>) -> (FileLayer, Vec<Diagnostic>) {
    match load_text(path) {
        Ok(text) => parse(path, text, check),
        Err(error) => (FileLayer::default(), vec![error]),
    }
}

pub(super) fn parse(path: &Path, text: String, check: Option<LanguageCheck>) -> (FileLayer, Vec<Diagnostic>) {
    let mut document = Document::parse(path, text, SYNTAX);
    let mut layer = FileLayer::default();
    for key in KEYS {
        let keys: Vec<&str> = key.name.split('.').collect();
        if document.get_at(&keys, |value| layer.options.set(key.name, value)).is_some() {
            let place = document.place(&keys);
            layer.lines.insert(key.name, place.map_or(1, |place| place.line));
        }
    }
    layer.languages = languages(&mut document, path.parent().unwrap_or(path));
    for (keys, message) in check.map(|check| check(&layer.languages.table)).unwrap_or_default() {
        let path: Vec<&str> = ["language"].into_iter().chain(keys.iter().map(String::as_str)).collect();
        document.report(&path, Severity::Error, message);
    }
    let known: Vec<&str> = KEYS.iter().map(|key| key.name).chain(["language"]).collect();
    document.check_keys(&known, Severity::Error);
    (layer, document.finish())
}

/// Reads the table `[language]` of a file in `base`.
fn languages(document: &mut Document, base: &Path) -> Languages {
    let mut languages = Languages::default();
    document.get("language", table);
    let ids: Vec<String> = document.entries_of(&["language"]).iter().map(|entry| entry.key.clone()).collect();
    for id in &ids {
        let line = document.place(&["language", id]).map_or(1, |place| place.line);
        let path = ["language", id, "limits"];
        let limits = LanguageLimits {
            time_factor: document.get_at(&["language", id, "time_factor"], read::factor),
            limits: read_limits(document, &path),
            line,
        };
        // `[language.cpp]` would be no example here.
        document.get_at(&path, |value| table(value).map_err(|_| Unfit::kind("a table", value)));
        document.check_table(&path, LIMIT_KEYS, Severity::Error);
        if limits != (LanguageLimits { line, ..LanguageLimits::default() }) {
            languages.limits.insert(id.clone(), limits);
        }
        document.get_at(&["language", id], table_or_name);
    }
    // A syntax error is reported already; without one the same text parses again.
    let mut raw: toml::Table = document.text().parse().unwrap_or_default();
    if let Some(toml::Value::Table(mut table)) = raw.remove("language") {
        // Values of another type are already reported.
        table.retain(|_, language| language.is_table() || language.is_str());
        for (_, language) in &mut table {
            if let toml::Value::Table(language) = language {
                language.remove("time_factor");
                language.remove("limits");
                let folders = language.get_mut("include").and_then(toml::Value::as_array_mut);
                for folder in folders.into_iter().flatten() {
                    if let toml::Value::String(folder) = folder {
                        *folder = base.join(&*folder).to_string_lossy().into_owned();
                    }
                }
            }
        }
        languages.table = table;
    }
    languages
}

/// Accepts a table of keys.
fn table(value: &Value) -> Read<()> {
    match value {
        Value::Table(_) => Ok(()),
        other => Err(Unfit::kind("a table such as [language.cpp]", other)),
    }
}

/// Accepts a table of keys, or the name of the language to use instead: `python = "pypy3"`.
fn table_or_name(value: &Value) -> Read<()> {
    if matches!(value, Value::Text(_)) { Ok(()) } else { table(value) }
}

/// Reads any bytes as `grader.toml`: the body of a fuzz target.
pub fn read_any(data: &[u8]) {
    let text = String::from_utf8_lossy(data).into_owned();
    let (_, found) = parse(Path::new("grader.toml"), text, None);
    // Messages contain parts of the input, so formatting them is fuzzed too.
    let _ = found.iter().map(ToString::to_string).collect::<String>();
}
