//! The descriptive information of a package, which judging does not need: names in several languages, authors, licence, uuid.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::package::document::{Document, ListItem, Value};
use crate::package::polygon;
use crate::problem::{PackageLayout, Problem};

/// The languages of Polygon with their codes (ISO 639-1).
pub(super) const LANGUAGES: &[(&str, &str)] = &[
    ("arabic", "ar"),
    ("armenian", "hy"),
    ("azerbaijani", "az"),
    ("belarusian", "be"),
    ("bulgarian", "bg"),
    ("chinese", "zh"),
    ("croatian", "hr"),
    ("czech", "cs"),
    ("danish", "da"),
    ("dutch", "nl"),
    ("english", "en"),
    ("estonian", "et"),
    ("finnish", "fi"),
    ("french", "fr"),
    ("georgian", "ka"),
    ("german", "de"),
    ("greek", "el"),
    ("hebrew", "he"),
    ("hindi", "hi"),
    ("hungarian", "hu"),
    ("indonesian", "id"),
    ("italian", "it"),
    ("japanese", "ja"),
    ("kazakh", "kk"),
    ("korean", "ko"),
    ("kyrgyz", "ky"),
    ("latvian", "lv"),
    ("lithuanian", "lt"),
    ("macedonian", "mk"),
    ("mongolian", "mn"),
    ("norwegian", "no"),
    ("persian", "fa"),
    ("polish", "pl"),
    ("portuguese", "pt"),
    ("romanian", "ro"),
    ("russian", "ru"),
    ("serbian", "sr"),
    ("slovak", "sk"),
    ("slovene", "sl"),
    ("spanish", "es"),
    ("swedish", "sv"),
    ("tajik", "tg"),
    ("thai", "th"),
    ("turkish", "tr"),
    ("turkmen", "tk"),
    ("ukrainian", "uk"),
    ("uzbek", "uz"),
    ("vietnamese", "vi"),
];

/// The information about a problem that grader does not use itself.
#[derive(Debug, Default)]
pub(super) struct Description {
    /// Its titles by language; `en` if the language is unknown.
    pub(super) names: BTreeMap<String, String>,
    /// Whether the package states these names. Otherwise the name of its directory stands for one.
    pub(super) states_names: bool,
    /// Its uuid: that of the package, otherwise one that depends only on the name of its folder.
    pub(super) uuid: String,
    /// Its authors.
    pub(super) authors: Vec<String>,
    /// Where it comes from.
    pub(super) source: Option<Source>,
    /// Whether it states how far the time limit is from submissions, in the words of the legacy version.
    pub(super) states_distances: bool,
    /// The other keys, as the package states them.
    values: BTreeMap<&'static str, Value>,
}

/// The contest or book that a problem comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) url: Option<String>,
}

/// The keys that every version of the package format has, or that 2025-09 has.
const KEYS: &[&str] = &[
    "uuid",
    "credits",
    "version",
    "license",
    "rights_owner",
    "embargo_until",
    "keywords",
    "languages",
    "allow_file_writing",
    "limits.code",
    "limits.compilation_time",
    "limits.compilation_memory",
];

/// The same for the legacy version alone.
const LEGACY_KEYS: &[&str] = &[SHOW_GROUPS];

/// Whether contestants see groups.
pub(super) const SHOW_GROUPS: &str = "grading.show_test_data_groups";

impl Description {
    /// Reads `problem.yaml` or `problem.toml` of the problem. It was read before, so its errors are known.
    pub(super) fn of(problem: &Problem) -> Self {
        let candidates: &[&str] = match problem.layout {
            PackageLayout::Icpc | PackageLayout::Hydro => &["problem.yaml"],
            PackageLayout::Native => &["problem.toml", "problem.yaml"],
            // The `name` of a task of CMS is not a title.
            PackageLayout::Plain
            | PackageLayout::Polygon
            | PackageLayout::LibraryChecker
            | PackageLayout::Dmoj
            | PackageLayout::ItalyYaml => &[],
        };
        let file = candidates.iter().map(|name| problem.dir.join(name)).find(|file| file.is_file());
        let document = file.map(|file| Document::load(&file));
        let value = |path: &[&str]| document.as_ref().and_then(|document| document.value(path)).cloned();
        // An error of its document was reported when the problem was read.
        let of_polygon = (problem.layout == PackageLayout::Polygon)
            .then(|| polygon::beyond(&problem.dir.join(polygon::FILE)).ok())
            .flatten();
        let tags = of_polygon.as_ref().map(|beyond| beyond.tags.clone()).filter(|tags| !tags.is_empty());
        let tags = tags.map(|tags| ("keywords", list(tags)));
        let of_polygon = of_polygon.and_then(|beyond| titles(beyond.titles));
        let of_title = || BTreeMap::from([("en".to_owned(), problem.title.clone())]);
        let stated = value(&["name"]).and_then(|value| names(&value));
        Self {
            states_names: stated.is_some(),
            names: stated.or(of_polygon).unwrap_or_else(of_title),
            uuid: value(&["uuid"])
                .and_then(|value| text(&value))
                .unwrap_or_else(|| Uuid::new_v5(&Uuid::NAMESPACE_OID, problem.whole_name().as_bytes()).to_string()),
            authors: match (value(&["author"]), value(&["credits"])) {
                (Some(legacy), _) => authors(&legacy).iter().flat_map(|text| legacy_authors(text)).collect(),
                (None, credits) => credits.map(|value| authors(&value)).unwrap_or_default(),
            },
            source: value(&["source"]).and_then(|value| source(&value, value_of(document.as_ref(), "source_url"))),
            states_distances: value(&["limits", "time_multiplier"]).is_some()
                || value(&["limits", "time_safety_margin"]).is_some(),
            values: KEYS
                .iter()
                .chain(LEGACY_KEYS)
                .filter_map(|key| Some((*key, value(&in_file(problem, key).split('.').collect::<Vec<_>>())?)))
                .chain(tags)
                .collect(),
        }
    }

    /// The value of a key as the package states it.
    pub(super) fn value(&self, key: &str) -> Option<&Value> {
        self.values.get(key)
    }

    /// The keys that the package states, in the words of 2025-09; `authors` and `titles` if these are all that a key says.
    pub(super) fn stated_keys(&self) -> impl Iterator<Item = &'static str> {
        let others = |key: &&str| *key != "credits";
        let stated = self.values.keys().copied().filter(others);
        let titles = (self.names.len() > 1).then_some("titles");
        let source = self.source.is_some().then_some("source");
        let credits = match self.values.get("credits") {
            Some(value) if has_others(value, "authors") => Some("credits"),
            Some(_) => Some("authors"),
            None => (!self.authors.is_empty()).then_some("authors"),
        };
        stated.chain(titles).chain(source).chain(credits).collect::<Vec<_>>().into_iter()
    }

    /// The value of a key as text.
    pub(super) fn text(&self, key: &str) -> Option<String> {
        self.value(key).and_then(text)
    }

    /// The words of a list, or of a text with blanks between them.
    pub(super) fn words(&self, key: &str) -> Vec<String> {
        match self.value(key) {
            Some(Value::List(items)) => items.iter().filter_map(|item| text(&item.value)).collect(),
            Some(other) => text(other).iter().flat_map(|text| text.split_whitespace()).map(str::to_owned).collect(),
            None => Vec::new(),
        }
    }

    /// The keywords as a list, which 2025-09 wants: the legacy version separates them by blanks.
    pub(super) fn keywords(&self) -> Option<Value> {
        match self.value("keywords")? {
            Value::Text(_) => Some(list(self.words("keywords"))),
            other => Some(other.clone()),
        }
    }

    /// The title: in English if there is one.
    pub(super) fn title(&self) -> &str {
        let english = self.names.get("en").or_else(|| self.names.values().next());
        english.map(String::as_str).unwrap_or_default()
    }
}

/// A key as the description of a problem calls it: keywords are tags in Hydro.
fn in_file<'k>(problem: &Problem, key: &'k str) -> &'k str {
    if problem.layout == PackageLayout::Hydro && key == "keywords" { "tag" } else { key }
}

/// Whether a value of a document has entries other than `known`.
fn has_others(value: &Value, known: &str) -> bool {
    matches!(value, Value::Table(entries) if entries.iter().any(|entry| entry.key != known))
}

/// The texts as a value of a document.
fn list(texts: Vec<String>) -> Value {
    Value::List(texts.into_iter().map(|text| ListItem::from(Value::Text(text))).collect())
}

/// The titles in a package of Polygon, each with its language.
fn titles(titles: Vec<(String, String)>) -> Option<BTreeMap<String, String>> {
    let code = |name: &str| LANGUAGES.iter().find(|(known, _)| *known == name).map(|(_, code)| (*code).to_owned());
    let titles: BTreeMap<String, String> =
        titles.into_iter().filter_map(|(language, title)| Some((code(&language)?, title))).collect();
    (!titles.is_empty()).then_some(titles)
}

fn value_of(document: Option<&Document>, key: &str) -> Option<String> {
    text(document?.value(&[key])?)
}

/// The text of a scalar; none for lists and tables.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        _ => None,
    }
}

fn names(value: &Value) -> Option<BTreeMap<String, String>> {
    let Value::Table(entries) = value else { return Some(BTreeMap::from([("en".to_owned(), text(value)?)])) };
    let names: BTreeMap<String, String> =
        entries.iter().filter_map(|entry| Some((entry.key.clone(), text(&entry.value)?))).collect();
    (!names.is_empty()).then_some(names)
}

/// The authors in `author` (legacy) or `credits` (2025-09): a name, a list, or a table with `authors`.
fn authors(value: &Value) -> Vec<String> {
    match value {
        Value::List(items) => items.iter().flat_map(|item| authors(&item.value)).collect(),
        Value::Table(entries) => {
            let of = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value);
            of("authors").or_else(|| of("name")).map(authors).unwrap_or_default()
        }
        other => text(other).into_iter().collect(),
    }
}

/// The authors in a text of the legacy version, which separates them by commas and `and`.
fn legacy_authors(text: &str) -> Vec<String> {
    let parts = text.split(',').flat_map(|part| part.split(" and "));
    let names = parts.map(str::trim).map(|part| part.strip_prefix("and ").unwrap_or(part).trim());
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The first source in `source`: a name, a table with `name` and `url`, or a list of them.
fn source(value: &Value, url: Option<String>) -> Option<Source> {
    match value {
        Value::List(items) => source(&items.first()?.value, url),
        Value::Table(entries) => {
            let of = |key: &str| entries.iter().find(|entry| entry.key == key).and_then(|entry| text(&entry.value));
            Some(Source { name: of("name")?, url: of("url").or(url) })
        }
        other => Some(Source { name: text(other)?, url }),
    }
}
