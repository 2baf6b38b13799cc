//! Builds the tree of a YAML text from the events of a parser. Each key and each item keeps its place.
//!
//! Texts are read as YAML 1.2 in its core schema, with the merge key `<<` of YAML 1.1.

use std::collections::{HashMap, HashSet};

use granit_parser::{Event, Marker, Options, Parser, ScalarStyle, ScanError, Tag};

use super::parse::{ParsedDocument, SYNTAX_ERROR, one_line};
use super::{ListItem, TableEntry, Value};
use grader_model::diagnostic::TextPosition;

/// The most values in one file. Even the largest file has fewer, unless aliases multiply them.
const MOST_VALUES: usize = 200_000;

/// The deepest nesting of lists and tables.
const DEEPEST: usize = 128;

/// The key whose value is a table, or a list of tables, with more keys (YAML 1.1, "Merge Key Language-Independent Type").
const MERGE: &str = "<<";

/// Parses one YAML document; the parser stops at the first error.
pub(super) fn parse(text: &str) -> ParsedDocument {
    let mut builder = Builder::default();
    let mut options = Options::default();
    options.block_scalar_eof_without_line_feed = true;
    for event in Parser::new_from_str_with_options(text, options) {
        let added = event.map_err(|error| Mistake::from(&error)).and_then(|(event, span)| {
            builder
                .add(event, place_of(span.start))
                .map_err(|misfit| Mistake { place: place_of(span.start), message: misfit.to_string() })
        });
        if let Err(Mistake { place, message }) = added {
            return (Value::Null, vec![(Some(place), format!("{SYNTAX_ERROR}{}", one_line(&message)))]);
        }
    }
    (builder.root, Vec::new())
}

/// A syntax error.
struct Mistake {
    place: TextPosition,
    message: String,
}

impl From<&ScanError> for Mistake {
    fn from(error: &ScanError) -> Self {
        Self { place: place_of(*error.marker()), message: error.info() }
    }
}

fn place_of(marker: Marker) -> TextPosition {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    TextPosition { line: number(marker.line()), column: number(marker.col() + 1) }
}

/// Why an event has no place in the tree.
#[derive(Debug, thiserror::Error)]
enum Misfit {
    #[error("the file has more than one document")]
    SecondDocument,
    #[error("nested too deeply")]
    TooDeep,
    #[error("too many values; are aliases nested?")]
    TooMany,
    #[error("an alias refers to a value that contains it")]
    OpenAlias,
    #[error("a key must be a string, not {0}")]
    Key(&'static str),
    #[error("duplicate key `{0}`")]
    Duplicate(String),
    #[error("`{MERGE}` merges tables, not {0}")]
    Merge(&'static str),
    #[error("expected a value without a tag, found `{0}`")]
    LocalTag(String),
    #[error("`{text}` does not fit its tag `!!{tag}`")]
    Tag { text: String, tag: String },
}

type AddResult<T> = Result<T, Misfit>;

/// A list or a table whose end has not been read.
struct OpenNode {
    place: TextPosition,
    /// The anchor that names it; 0 for none.
    anchor: usize,
    /// The number of values before it, to know how many are in it.
    before: usize,
    kind: OpenKind,
}

enum OpenKind {
    List(Vec<ListItem>),
    Table(OpenTable),
}

#[derive(Default)]
struct OpenTable {
    entries: Vec<TableEntry>,
    merged: Vec<TableEntry>,
    keys: HashSet<String>,
    /// The key whose value comes next.
    key: Option<(String, TextPosition)>,
}

#[derive(Default)]
struct Builder {
    root: Value,
    open: Vec<OpenNode>,
    /// The values with anchors, with the number of values in each.
    anchored: HashMap<usize, (Value, usize)>,
    values: usize,
    documents: usize,
}

impl Builder {
    fn add(&mut self, event: Event<'_>, place: TextPosition) -> AddResult<()> {
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 { Err(Misfit::SecondDocument) } else { Ok(()) }
            }
            Event::Alias(anchor) => {
                let Some((value, size)) = self.anchored.get(&anchor) else {
                    return Err(Misfit::OpenAlias);
                };
                // Counted before it is copied: a small file can refer to one list a hundred thousand times.
                count(&mut self.values, *size)?;
                let value = value.clone();
                self.put(value, place)
            }
            Event::Scalar(text, style, anchor, tag) => {
                count(&mut self.values, 1)?;
                let value = scalar(&text, style, tag.as_deref())?;
                self.name(anchor, &value, 1)?;
                self.put(value, place)
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.begin(place, anchor, tag.as_deref(), OpenKind::List(Vec::new()))
            }
            Event::MappingStart(_, anchor, tag) => {
                self.begin(place, anchor, tag.as_deref(), OpenKind::Table(OpenTable::default()))
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(OpenNode { place, anchor, before, kind }) = self.open.pop() else { return Ok(()) };
                let value = match kind {
                    OpenKind::List(items) => Value::List(items),
                    OpenKind::Table(table) => Value::Table(table.whole()),
                };
                self.name(anchor, &value, self.values - before)?;
                self.put(value, place)
            }
            // The others are not values; those that come only by options do not come.
            _ => Ok(()),
        }
    }

    fn begin(&mut self, place: TextPosition, anchor: usize, tag: Option<&Tag>, kind: OpenKind) -> AddResult<()> {
        if let Some(tag) = tag.filter(|tag| is_local(tag)) {
            return Err(local_tag(tag));
        }
        if self.open.len() == DEEPEST {
            return Err(Misfit::TooDeep);
        }
        let before = self.values;
        count(&mut self.values, 1)?;
        self.open.push(OpenNode { place, anchor, before, kind });
        Ok(())
    }

    /// Keeps a value with an anchor. The copy counts too, or nested anchors would cost much memory.
    fn name(&mut self, anchor: usize, value: &Value, size: usize) -> AddResult<()> {
        if anchor != 0 {
            count(&mut self.values, size)?;
            self.anchored.insert(anchor, (value.clone(), size));
        }
        Ok(())
    }

    /// Adds a whole value where the parser stands: as a key, as the value of a key, as an item, or as the root.
    fn put(&mut self, value: Value, place: TextPosition) -> AddResult<()> {
        let Some(OpenNode { kind, .. }) = self.open.last_mut() else {
            self.root = value;
            return Ok(());
        };
        match kind {
            OpenKind::List(items) => items.push(ListItem { value, place: Some(place) }),
            OpenKind::Table(table) => table.put(value, place)?,
        }
        Ok(())
    }
}

impl OpenTable {
    fn put(&mut self, value: Value, place: TextPosition) -> AddResult<()> {
        let Some((key, at)) = self.key.take() else {
            let key = match value {
                Value::Text(key) => key,
                Value::Integer(key) => key.to_string(),
                Value::Bool(key) => key.to_string(),
                other => return Err(Misfit::Key(other.kind())),
            };
            if !self.keys.insert(key.clone()) {
                return Err(Misfit::Duplicate(key));
            }
            self.key = Some((key, place));
            return Ok(());
        };
        if key == MERGE {
            self.merged = merged(value, at)?;
        } else {
            self.entries.push(TableEntry { key, value, place: Some(at) });
        }
        Ok(())
    }

    /// The table's own keys outrank merged ones, and the first of several merged tables outranks the others.
    fn whole(mut self) -> Vec<TableEntry> {
        let keys = &mut self.keys;
        self.merged.retain(|entry| keys.insert(entry.key.clone()));
        self.merged.append(&mut self.entries);
        self.merged
    }
}

/// The entries that a value of the key `<<` brings. A mistake in one of them is at that key.
fn merged(value: Value, at: TextPosition) -> AddResult<Vec<TableEntry>> {
    let tables = match value {
        Value::List(items) => items.into_iter().map(|item| item.value).collect(),
        one => vec![one],
    };
    let mut all = Vec::new();
    for table in tables {
        match table {
            Value::Table(entries) => {
                all.extend(entries.into_iter().map(|entry| TableEntry { place: Some(at), ..entry }));
            }
            other => return Err(Misfit::Merge(other.kind())),
        }
    }
    Ok(all)
}

fn count(values: &mut usize, more: usize) -> AddResult<()> {
    *values += more;
    if *values > MOST_VALUES { Err(Misfit::TooMany) } else { Ok(()) }
}

/// Whether a program has given the tag its own meaning, as in `!fraction`.
fn is_local(tag: &Tag) -> bool {
    tag.handle().starts_with('!')
}

fn local_tag(tag: &Tag) -> Misfit {
    Misfit::LocalTag(format!("{}{}", tag.handle(), tag.suffix()))
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> AddResult<Value> {
    let Some(tag) = tag else {
        let is_plain = style == ScalarStyle::Plain;
        return Ok(if is_plain { plain(text) } else { Value::Text(text.to_owned()) });
    };
    if is_local(tag) {
        return Err(local_tag(tag));
    }
    let value = plain(text);
    match (if tag.is_yaml_core_schema() { tag.suffix() } else { "" }, value) {
        ("float", Value::Integer(_)) => Ok(decimal(text).map_or(Value::Other("a number out of range"), Value::Float)),
        ("bool", value @ Value::Bool(_))
        | ("int", value @ (Value::Integer(_) | Value::Other(_)))
        | ("float", value @ Value::Float(_))
        | ("null", value @ Value::Null) => Ok(value),
        (kind @ ("bool" | "int" | "float" | "null"), _) => {
            Err(Misfit::Tag { text: text.to_owned(), tag: kind.to_owned() })
        }
        _ => Ok(Value::Text(text.to_owned())),
    }
}

/// The value of a scalar without quotes (YAML 1.2, "Core Schema").
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    let (sign, digits) = match text.as_bytes().first() {
        Some(b'-') => ("-", &text[1..]),
        Some(b'+') => ("", &text[1..]),
        _ => ("", text),
    };
    let (radix, digits) = [("0x", 16), ("0o", 8), ("0b", 2)]
        .into_iter()
        .find_map(|(prefix, radix)| Some((radix, digits.strip_prefix(prefix)?)))
        .unwrap_or((10, digits));
    let is_whole = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    if is_whole && radix == 10 && digits.len() > 1 && digits.starts_with('0') {
        // A name such as `007`.
        return Value::Text(text.to_owned());
    }
    if is_whole {
        let number = i64::from_str_radix(&format!("{sign}{digits}"), radix);
        return number.map_or(Value::Other("a number out of range"), Value::Integer);
    }
    decimal(text).map_or_else(|| Value::Text(text.to_owned()), Value::Float)
}

fn decimal(text: &str) -> Option<f64> {
    match text.strip_prefix('+').unwrap_or(text) {
        ".inf" | ".Inf" | ".INF" => Some(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Some(f64::NEG_INFINITY),
        ".nan" | ".NaN" | ".NAN" => Some(f64::NAN),
        // Rust also reads `inf` and `nan`, which are strings here.
        number if !number.starts_with(['+', '-']) || number.len() == text.len() => {
            number.parse().ok().filter(|number: &f64| number.is_finite())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(text: &str) -> Value {
        let (value, errors) = parse(text);
        assert!(errors.is_empty(), "{text}: {errors:?}");
        value
    }

    #[test]
    fn scalars_are_those_of_the_core_schema() {
        let text = |text: &str| Value::Text(text.to_owned());
        for (written, value) in [
            ("~", Value::Null),
            ("", Value::Null),
            ("True", Value::Bool(true)),
            ("yes", text("yes")),
            ("'true'", text("true")),
            ("12", Value::Integer(12)),
            ("-0x1F", Value::Integer(-31)),
            ("+7", Value::Integer(7)),
            ("+-7", text("+-7")),
            ("0o17", Value::Integer(15)),
            ("0512", text("0512")),
            ("0", Value::Integer(0)),
            ("1e3", Value::Float(1000.0)),
            (".5", Value::Float(0.5)),
            ("-.inf", Value::Float(f64::NEG_INFINITY)),
            ("inf", text("inf")),
            ("1.2.3", text("1.2.3")),
            ("99999999999999999999", Value::Other("a number out of range")),
            ("!!str 5", text("5")),
            ("!!float 5", Value::Float(5.0)),
        ] {
            assert_eq!(root(written), value, "{written}");
        }
        assert!(parse("!!int x").1[0].1.contains("does not fit its tag `!!int`"));
        assert!(parse("!own x").1[0].1.contains("found `!own`"));
        assert!(parse("a: 1\n--- b").1[0].1.contains("more than one document"));
        assert!(parse("a: &a [*a]").1[0].1.contains("contains it"));
    }

    /// Adds the keys and items of a value with their places.
    fn places(value: &Value, seen: &mut Vec<String>) {
        let mut add = |key: &str, value: &Value, place: Option<TextPosition>| {
            let TextPosition { line, column } = place.unwrap();
            seen.push(format!("{key} {line}:{column}"));
            places(value, seen);
        };
        match value {
            Value::Table(entries) => {
                for TableEntry { key, value, place } in entries {
                    add(key, value, *place);
                }
            }
            Value::List(items) => items.iter().for_each(|ListItem { value, place }| add("-", value, *place)),
            _ => {}
        }
    }

    #[test]
    fn every_key_and_item_has_its_place() {
        let text = "# c\r\nä: {b: 1, \"c\": [x, 'y']}\r\nd:\r\n- e\r\n-\r\n  f: 2\r\n  ? g\r\n  : 3\r\n";
        let mut seen = Vec::new();
        places(&root(text), &mut seen);
        let expect = ["ä 2:1", "b 2:5", "c 2:11", "- 2:17", "- 2:20", "d 3:1", "- 4:3", "- 6:3", "f 6:3", "g 7:5"];
        assert_eq!(seen, expect);
    }
}
