//! Parses TOML text into a tree, with every syntax error that the parser reports.

use toml::de::{DeTable, DeValue};

use super::{ListItem, TableEntry, Value};
use grader_model::diagnostic::TextPosition;

/// The beginning of every syntax error.
pub(super) const SYNTAX_ERROR: &str = "syntax error: ";

/// The readable part of the tree, and the syntax errors.
pub(super) type ParsedDocument = (Value, Vec<(Option<TextPosition>, String)>);

/// Parses TOML and continues after errors.
pub(super) fn toml(text: &str) -> ParsedDocument {
    let (table, errors) = DeTable::parse_recoverable(text);
    let lines = Lines::of(text);
    let mut errors: Vec<_> = errors
        .into_iter()
        .map(|error| {
            let place = error.span().map(|span| lines.place(span.start));
            (place, format!("{SYNTAX_ERROR}{}", one_line(error.message())))
        })
        .collect();
    // The second error on a line usually follows from the first.
    errors.dedup_by_key(|(place, _)| place.map(|place| place.line));
    (lines.table(table.get_ref()), errors)
}

/// A text with the beginnings of its lines, because each key needs its place.
struct Lines<'t> {
    text: &'t str,
    begins: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        Self { text, begins: std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect() }
    }

    fn place(&self, offset: usize) -> TextPosition {
        let line = self.begins.partition_point(|begin| *begin <= offset);
        let in_line = TextPosition::of_offset(&self.text[self.begins[line - 1]..], offset - self.begins[line - 1]);
        TextPosition { line: u32::try_from(line).unwrap_or(u32::MAX), ..in_line }
    }

    fn table(&self, table: &DeTable<'_>) -> Value {
        let entry = |(key, value): (&toml::Spanned<toml::de::DeString<'_>>, &toml::Spanned<DeValue<'_>>)| TableEntry {
            key: key.get_ref().to_string(),
            value: self.value(value.get_ref()),
            place: Some(self.place(key.span().start)),
        };
        Value::Table(table.iter().map(entry).collect())
    }

    fn value(&self, value: &DeValue<'_>) -> Value {
        match value {
            DeValue::Boolean(value) => Value::Bool(*value),
            DeValue::Integer(value) => i64::from_str_radix(value.as_str(), value.radix())
                .map_or(Value::Other("a number out of range"), Value::Integer),
            DeValue::Float(value) => value.as_str().parse().map_or(Value::Other("a number out of range"), Value::Float),
            DeValue::String(value) => Value::Text(value.to_string()),
            DeValue::Array(values) => {
                let item = |value: &toml::Spanned<DeValue<'_>>| ListItem {
                    value: self.value(value.get_ref()),
                    place: Some(self.place(value.span().start)),
                };
                Value::List(values.iter().map(item).collect())
            }
            DeValue::Table(table) => self.table(table),
            DeValue::Datetime(_) => Value::Other("a date"),
        }
    }
}

/// A parser's message on one line, with at most 300 characters.
pub(super) fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(300).collect()
}
