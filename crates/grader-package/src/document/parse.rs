//! Parses TOML and YAML text into one kind of tree, with every syntax error that the parsers report.

use std::cell::Cell;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use toml::de::{DeTable, DeValue};

use super::{Entry, Value};
use crate::diagnostic::Place;

/// The beginning of every syntax error.
const SYNTAX_ERROR: &str = "syntax error: ";

/// The readable part of the tree, and the syntax errors.
pub(super) type Parsed = (Value, Vec<(Option<Place>, String)>);

/// The most values in one file. Even the largest file has fewer, unless YAML aliases multiply them.
const MOST_VALUES: usize = 200_000;

/// Parses TOML and continues after errors.
pub(super) fn toml(text: &str) -> Parsed {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut errors: Vec<_> = errors
        .into_iter()
        .map(|error| {
            let place = error.span().map(|span| Place::of_offset(text, span.start));
            (place, format!("{SYNTAX_ERROR}{}", one_line(error.message())))
        })
        .collect();
    // The second error on a line usually follows from the first.
    errors.dedup_by_key(|(place, _)| place.map(|place| place.line));
    (toml_table(table.get_ref()), errors)
}

fn toml_table(table: &DeTable<'_>) -> Value {
    let entry = |(key, value): (&toml::Spanned<toml::de::DeString<'_>>, &toml::Spanned<DeValue<'_>>)| Entry {
        key: key.get_ref().to_string(),
        value: toml_value(value.get_ref()),
        offset: Some(key.span().start),
    };
    Value::Table(table.iter().map(entry).collect())
}

fn toml_value(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Integer(value) => i64::from_str_radix(value.as_str(), value.radix())
            .map_or(Value::Other("a number out of range"), Value::Integer),
        DeValue::Float(value) => value.as_str().parse().map_or(Value::Other("a number out of range"), Value::Float),
        DeValue::String(value) => Value::Text(value.to_string()),
        DeValue::Array(values) => Value::List(values.iter().map(|value| toml_value(value.get_ref())).collect()),
        DeValue::Table(table) => toml_table(table),
        DeValue::Datetime(_) => Value::Other("a date"),
    }
}

/// Parses one YAML document; the parser stops at the first error.
pub(super) fn yaml(text: &str) -> Parsed {
    if text.trim().is_empty() {
        return (Value::Null, Vec::new());
    }
    if nested_too_deeply(text) {
        return (Value::Null, vec![(None, format!("{SYNTAX_ERROR}nested too deeply"))]);
    }
    let budget = Cell::new(MOST_VALUES);
    match (Tree { budget: &budget }).deserialize(yaml_serde::Deserializer::from_str(text)) {
        Ok(value) => (value, Vec::new()),
        Err(error) => (Value::Null, vec![yaml_error(&error)]),
    }
}

/// Whether brackets nest too deeply. The parser checks every open bracket for every token, so a file of brackets alone
/// would take minutes. Brackets in strings count too, which does not matter for real files.
fn nested_too_deeply(text: &str) -> bool {
    let mut depth = 0_u32;
    text.bytes().any(|byte| {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > 200
    })
}

fn yaml_error(error: &yaml_serde::Error) -> (Option<Place>, String) {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let place = error.location().map(|at| Place { line: number(at.line()), column: number(at.column()) });
    (place, format!("{SYNTAX_ERROR}{}", one_line(&error.to_string())))
}

/// The place of the key at `path`. The YAML parser reports places only with errors, so this provokes one there.
///
/// The place of a merged key is that of the `<<` that brings it.
pub(super) fn yaml_place(text: &str, path: &[&str]) -> Option<Place> {
    let merged = (0..path.len()).rev().map(|depth| [&path[..depth], &[MERGE]].concat());
    probed_place(text, path).or_else(|| merged.into_iter().find_map(|path| probed_place(text, &path)))
}

fn probed_place(text: &str, path: &[&str]) -> Option<Place> {
    let probed = (Probe { path }).deserialize(yaml_serde::Deserializer::from_str(text));
    let error = probed.err()?;
    yaml_error(&error).0
}

/// A parser's message on one line, with at most 300 characters.
fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(300).collect()
}

/// Builds a `Value` with a limited number of values: a small file can refer to one list a hundred thousand times.
#[derive(Clone, Copy)]
struct Tree<'a> {
    budget: &'a Cell<usize>,
}

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let left = self.budget.get().checked_sub(1);
        self.budget.set(left.ok_or_else(|| de::Error::custom("too many values; are aliases nested?"))?);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value without a tag")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Other("a number out of range"), Value::Integer))
    }

    fn visit_i128<E>(self, _: i128) -> Result<Value, E> {
        Ok(Value::Other("a number out of range"))
    }

    fn visit_u128<E>(self, _: u128) -> Result<Value, E> {
        Ok(Value::Other("a number out of range"))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = access.next_element_seed(self)? {
            values.push(value);
        }
        Ok(Value::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let (mut entries, mut merged) = (Vec::new(), Vec::new());
        let mut seen = std::collections::HashSet::new();
        while let Some(key) = access.next_key_seed(self)? {
            let key = match key {
                Value::Text(key) => key,
                Value::Integer(key) => key.to_string(),
                Value::Bool(key) => key.to_string(),
                other => return Err(de::Error::custom(format!("a key must be a string, not {}", other.kind()))),
            };
            if !seen.insert(key.clone()) {
                return Err(de::Error::custom(format!("duplicate key `{key}`")));
            }
            let value = access.next_value_seed(self)?;
            if key == MERGE {
                merged = merged_entries(value)?;
            } else {
                entries.push(Entry { key, value, offset: None });
            }
        }
        // The table's own keys outrank merged ones, and the first of several merged tables outranks the others.
        merged.retain(|entry| seen.insert(entry.key.clone()));
        merged.append(&mut entries);
        Ok(Value::Table(merged))
    }
}

/// The key whose value is a table, or a list of tables, with more keys (YAML 1.1, "Merge Key Language-Independent Type").
const MERGE: &str = "<<";

/// The entries that a value of the key `<<` brings.
fn merged_entries<E: de::Error>(value: Value) -> Result<Vec<Entry>, E> {
    let tables = if let Value::List(tables) = value { tables } else { vec![value] };
    let entries = tables.into_iter().map(|table| match table {
        Value::Table(entries) => Ok(entries),
        other => Err(E::custom(format!("`{MERGE}` merges tables, not {}", other.kind()))),
    });
    entries.collect::<Result<Vec<_>, _>>().map(|tables| tables.into_iter().flatten().collect())
}

/// Walks to the key at `path` and fails there.
struct Probe<'a> {
    path: &'a [&'a str],
}

impl<'de> DeserializeSeed<'de> for Probe<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.path.is_empty() {
            // The wanted item of a list begins here. The parser adds the place to an error of the visitor.
            return deserializer.deserialize_any(Here);
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Probe<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table or a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        let Some((wanted, rest)) = self.path.split_first() else { return Ok(()) };
        for _ in 0..wanted.parse().unwrap_or(0) {
            access.next_element::<de::IgnoredAny>()?;
        }
        access.next_element_seed(Probe { path: rest }).map(drop)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        let Some((wanted, rest)) = self.path.split_first() else { return Ok(()) };
        let key = ProbeKey { wanted, last: rest.is_empty() };
        while let Some(found) = access.next_key_seed(key)? {
            if found {
                return access.next_value_seed(Probe { path: rest });
            }
            access.next_value::<de::IgnoredAny>()?;
        }
        Ok(())
    }
}

/// Accepts no value, whatever it is.
struct Here;

impl Visitor<'_> for Here {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing")
    }
}

/// Checks whether a key is the wanted one. If it is also the last of the path, fails to reveal its place.
#[derive(Clone, Copy)]
struct ProbeKey<'a> {
    wanted: &'a str,
    last: bool,
}

impl<'de> DeserializeSeed<'de> for ProbeKey<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for ProbeKey<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<bool, E> {
        match key == self.wanted {
            true if self.last => Err(E::custom("here")),
            found => Ok(found),
        }
    }
}
