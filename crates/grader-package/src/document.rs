//! Reads configuration files key by key, in TOML or YAML. Reports every mistake in a file with its place, and ignores
//! nothing silently. This module does not know the meaning of any key: see `read` for units and the callers for names.

mod parse;
pub mod read;
mod source;
mod yaml;

use std::path::{Path, PathBuf};

use serde::ser::{Error as _, Serialize, SerializeMap as _, Serializer};

use grader_model::diagnostic::{Diagnostic, Kind, Severity, TextPosition};
use grader_model::problem::Constants;
use grader_model::suggest;

pub use source::{is_there, load_text, small_bytes, small_text, stays_in, too_large};

/// The syntax of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// TOML 1.0.
    Toml,
    /// YAML 1.2 with merge keys, one document.
    Yaml,
}

/// A value of a file, of either syntax.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Value {
    /// YAML's empty value, treated as a missing key.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Float(f64),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<ListItem>),
    /// Keys and their values.
    Table(Vec<TableEntry>),
    /// A value that no key accepts, by name: a date, a tagged value.
    Other(&'static str),
}

impl Serialize for Value {
    /// Serializes the value. Fails for `Other`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Integer(value) => serializer.serialize_i64(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::List(items) => serializer.collect_seq(items.iter().map(|item| &item.value)),
            Self::Table(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                entries.iter().try_for_each(|entry| map.serialize_entry(&entry.key, &entry.value))?;
                map.end()
            }
            Self::Other(name) => Err(S::Error::custom(format!("{name} cannot be written"))),
        }
    }
}

/// One key of a table with its value.
#[derive(Debug, Clone)]
pub struct TableEntry {
    /// The key, unquoted.
    pub key: String,
    /// The value.
    pub value: Value,
    /// The place of the key. None: the table is not from a file.
    pub place: Option<TextPosition>,
}

/// One value of a list.
#[derive(Debug, Clone)]
pub struct ListItem {
    /// The value.
    pub value: Value,
    /// Its place. None: the list is not from a file.
    pub place: Option<TextPosition>,
}

// Values are equal wherever they stand.
impl PartialEq for TableEntry {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.value == other.value
    }
}

impl PartialEq for ListItem {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl From<Value> for ListItem {
    /// An item that is not from a file.
    fn from(value: Value) -> Self {
        Self { value, place: None }
    }
}

impl Value {
    /// The kind of the value, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "a boolean",
            Self::Integer(_) => "a whole number",
            Self::Float(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Other(name) => name,
        }
    }

    /// The value of a key. In a list, a key is the position, from 0.
    fn child(&self, key: &str) -> Option<(&Self, Option<TextPosition>)> {
        match self {
            Self::Table(entries) => entries.iter().find(|entry| entry.key == key).map(|it| (&it.value, it.place)),
            Self::List(items) => items.get(key.parse::<usize>().ok()?).map(|item| (&item.value, item.place)),
            _ => None,
        }
    }

    /// The value at a path of keys.
    fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |value, key| Some(value.child(key)?.0))
    }
}

/// The longest list of tables in a file: no author writes more test cases.
const LONGEST: usize = 10_000;

/// The most unknown keys that are reported. A file with more is of another kind, and not misspelt.
pub(crate) const MOST_UNKNOWN: usize = 100;

/// One file with its keys, and the findings so far.
#[derive(Debug)]
pub struct Document {
    file: PathBuf,
    text: String,
    root: Value,
    /// The lines with syntax errors.
    garbled: Vec<u32>,
    found: Vec<Diagnostic>,
}

impl Document {
    /// Reads and parses a file, `.yaml` as YAML and all else as TOML. A file that cannot be read is an empty document
    /// with an error.
    pub fn load(file: &Path) -> Self {
        Self::load_with(file, &Constants::default())
    }

    /// Reads a file like `load`, with constants replaced in the text.
    pub(crate) fn load_with(file: &Path, constants: &Constants) -> Self {
        let yaml = file.extension().is_some_and(|extension| extension == "yaml");
        let syntax = if yaml { Syntax::Yaml } else { Syntax::Toml };
        match load_text(file).and_then(|text| replaced(file, &text, constants)) {
            Ok(text) => Self::parse(file, text, syntax),
            Err(error) => Self {
                file: file.to_owned(),
                text: String::new(),
                root: Value::Table(Vec::new()),
                garbled: Vec::new(),
                found: vec![error],
            },
        }
    }

    /// Reads a file like `load`, which may contain a list instead of keys.
    pub(crate) fn load_list(file: &Path) -> Self {
        let mut document = Self::load(file);
        let is_yaml = file.extension().is_some_and(|extension| extension == "yaml");
        let list = if is_yaml { yaml::parse(&document.text).0 } else { Value::Null };
        if matches!(list, Value::List(_)) {
            document.root = list;
            document.garbled.clear();
            document.found.clear();
        }
        document
    }

    /// Whether anything was found so far.
    pub(crate) fn is_broken(&self) -> bool {
        !self.found.is_empty()
    }

    /// Parses `text`; `file` is its name in messages. Records syntax errors and keeps the parts that could be read.
    pub fn parse(file: &Path, text: String, syntax: Syntax) -> Self {
        let (root, errors) = match syntax {
            Syntax::Toml => parse::toml(&text),
            Syntax::Yaml => yaml::parse(&text),
        };
        let garbled = errors.iter().filter_map(|(place, _)| Some(place.as_ref()?.line)).collect();
        let found = errors.into_iter().map(|(place, message)| Diagnostic::error(file, message).at(place)).collect();
        let mut document = Self { file: file.to_owned(), text, root: Value::Table(Vec::new()), garbled, found };
        match root {
            Value::Null => {}
            Value::Table(_) => document.root = root,
            other => document.report(&[], Severity::Error, format!("expected keys and values, found {}", other.kind())),
        }
        document
    }

    /// The file's name.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// The file's text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The whole tree.
    pub(crate) fn root(&self) -> &Value {
        &self.root
    }

    /// The keys of the top level.
    pub(crate) fn entries(&self) -> &[TableEntry] {
        self.entries_of(&[])
    }

    /// The keys of the table at `path`; empty if it does not exist.
    pub fn entries_of(&self, path: &[&str]) -> &[TableEntry] {
        match self.root.at(path) {
            Some(Value::Table(entries)) => entries,
            _ => &[],
        }
    }

    /// The value at `path`, if there is one.
    pub fn value(&self, path: &[&str]) -> Option<&Value> {
        self.root.at(path)
    }

    /// Returns the value of a dotted key such as `limits.memory`, converted by `read`. A value that `read` refuses is
    /// recorded as an error.
    pub fn get<T>(&mut self, key: &str, read: impl FnOnce(&Value) -> read::Read<T>) -> Option<T> {
        let path: Vec<&str> = key.split('.').collect();
        self.get_at(&path, read)
    }

    /// Returns a value like `get`, for keys that may contain a dot.
    pub fn get_at<T>(&mut self, path: &[&str], read: impl FnOnce(&Value) -> read::Read<T>) -> Option<T> {
        let value = self.root.at(path).filter(|value| **value != Value::Null)?;
        match read(value) {
            Ok(value) => Some(value),
            Err(unfit) => {
                self.report(path, Severity::Error, format!("`{}`: {unfit}", path.join(".")));
                None
            }
        }
    }

    /// The number of items of the list at `path`; 0, with an error, if there is something else.
    pub(crate) fn length(&mut self, path: &[&str]) -> usize {
        let length = self.get_at(path, |value| match value {
            Value::List(items) if items.len() > LONGEST => {
                Err(read::Unfit::rule(format!("more than {LONGEST} entries")))
            }
            Value::List(items) => Ok(items.len()),
            other => Err(read::Unfit::kind("a list", other)),
        });
        length.unwrap_or_default()
    }

    /// Whether the key exists with a value other than null.
    pub(crate) fn has(&self, key: &str) -> bool {
        let path: Vec<&str> = key.split('.').collect();
        self.root.at(&path).is_some_and(|value| *value != Value::Null)
    }

    /// Reports every key that is not in `known`. Keys in `known` may be dotted. Everything below a known key is
    /// accepted.
    pub fn check_keys(&mut self, known: &[&str], severity: Severity) {
        self.check_table(&[], known, severity);
    }

    /// Checks keys like `check_keys`, for the table at `path`; `known` is relative to it.
    pub fn check_table(&mut self, path: &[&str], known: &[&str], severity: Severity) {
        let mut unknown = Vec::new();
        unknown_keys(self.entries_of(path), "", known, &mut unknown);
        for UnknownKey { path: below, message, remedy } in unknown {
            let full: Vec<&str> = path.iter().copied().chain(below.iter().map(String::as_str)).collect();
            self.push(&full, (severity, Kind::UnknownKey), message, remedy);
        }
    }

    /// Checks keys like `check_table`, without tables below; `also` are more keys that are known in this file.
    pub(crate) fn check_entries(&mut self, path: &[&str], known: &[&str], also: &[String], severity: Severity) {
        let is_known = |key: &str| also.iter().any(|more| more == key);
        let unknown: Vec<(String, Option<String>)> = unknown_entries(self.entries_of(path), known)
            .filter(|(entry, _)| !is_known(&entry.key))
            .map(|(entry, remedy)| (entry.key.clone(), remedy))
            .take(MOST_UNKNOWN)
            .collect();
        for (key, remedy) in unknown {
            self.push(&[path, &[&key]].concat(), (severity, Kind::UnknownKey), format!("unknown key `{key}`"), remedy);
        }
    }

    /// Adds a finding about the key at `path`.
    pub fn report(&mut self, path: &[&str], severity: Severity, message: impl Into<String>) {
        self.report_with(path, severity, message.into(), None);
    }

    /// Adds a finding like `report`, with a remedy.
    pub(crate) fn report_with(&mut self, path: &[&str], severity: Severity, message: String, remedy: Option<String>) {
        self.push(path, (severity, Kind::Other), message, remedy);
    }

    /// Warns that the key at `path` is known but not applied.
    pub(crate) fn not_applied(&mut self, path: &[&str]) {
        let message = format!("`{}` is not applied", path.join("."));
        self.push(path, (Severity::Warning, Kind::UnknownKey), message, None);
    }

    fn push(&mut self, path: &[&str], (severity, kind): (Severity, Kind), message: String, remedy: Option<String>) {
        let place = self.place(path);
        // The parser's reading of a broken line is not worth a second message.
        if place.is_some_and(|place| self.garbled.contains(&place.line)) {
            return;
        }
        let found = Diagnostic::new(severity, message).about(&self.file).kind(kind).at(place);
        self.found.push(found.remedy(remedy.unwrap_or_default()));
    }

    /// The place of the key or item at `path`.
    pub fn place(&self, path: &[&str]) -> Option<TextPosition> {
        let (last, parents) = path.split_last()?;
        self.root.at(parents)?.child(last)?.1
    }

    /// The findings so far.
    pub fn found(&self) -> &[Diagnostic] {
        &self.found
    }

    /// All findings, in order of place.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.found.sort_by_key(Diagnostic::order);
        self.found
    }
}

fn replaced(file: &Path, text: &str, constants: &Constants) -> Result<String, Diagnostic> {
    let bytes = constants.replace(text.as_bytes()).map_err(|error| Diagnostic::error(file, error.to_string()))?;
    if too_large(bytes.len()) {
        return Err(Diagnostic::error(file, "too large after replacing its constants"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The entries whose keys are not in `known`, each with a suggestion.
pub(crate) fn unknown_entries<'e>(
    entries: &'e [TableEntry],
    known: &[&str],
) -> impl Iterator<Item = (&'e TableEntry, Option<String>)> {
    let unknown = entries.iter().filter(move |entry| !known.contains(&entry.key.as_str()));
    unknown.map(move |entry| (entry, suggest::did_you_mean(&entry.key, known.iter().copied())))
}

/// An unknown key.
struct UnknownKey {
    path: Vec<String>,
    message: String,
    remedy: Option<String>,
}

fn unknown_keys(entries: &[TableEntry], prefix: &str, known: &[&str], unknown: &mut Vec<UnknownKey>) {
    for entry in entries {
        if unknown.len() == MOST_UNKNOWN {
            return;
        }
        let full = format!("{prefix}{}", entry.key);
        let below = format!("{full}.");
        // A quoted key with a dot looks like a known path, but the reader does not look it up.
        let dotted = entry.key.contains('.');
        if !dotted && known.contains(&full.as_str()) {
            continue;
        }
        let path = || below[..full.len()].split('.').map(str::to_owned).collect::<Vec<_>>();
        if !dotted && known.iter().any(|known| known.starts_with(&below)) {
            match &entry.value {
                Value::Table(entries) => unknown_keys(entries, &below, known, unknown),
                Value::Null => {}
                other => {
                    let message = format!("`{full}` is a table of keys, not {}", other.kind());
                    unknown.push(UnknownKey { path: path(), message, remedy: None });
                }
            }
            continue;
        }
        let mut path: Vec<String> = prefix.split_terminator('.').map(str::to_owned).collect();
        path.push(entry.key.clone());
        let remedy = suggestion(&full, &entry.key, prefix, known);
        unknown.push(UnknownKey { path, message: format!("unknown key `{full}`"), remedy });
    }
}

/// Suggests a known key for an unknown one: a similar key in the same table, or the same key in another table.
fn suggestion(full: &str, key: &str, prefix: &str, known: &[&str]) -> Option<String> {
    if known.contains(&full) {
        return Some(format!("write `{full}` without quotes"));
    }
    let below: Vec<&str> = known.iter().filter_map(|known| known.strip_prefix(prefix)).collect();
    let siblings = below.iter().map(|&rest| rest.split_once('.').map_or(rest, |(head, _)| head));
    if let Some(near) = suggest::closest(key, siblings) {
        return Some(format!("did you mean `{prefix}{near}`?"));
    }
    let elsewhere = known.iter().find(|known| known.rsplit('.').next() == Some(key));
    elsewhere
        .map(|known| format!("did you mean `{known}`?"))
        .or_else(|| suggest::did_you_mean(full, known.iter().copied()).filter(|_| below.is_empty()))
}

#[cfg(test)]
mod tests;
