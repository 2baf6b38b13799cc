//! Finds the cases of a problem whose `init.yml` does not list them, by the names of the files in its archive.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use regex::{Regex, RegexBuilder};

use super::{CaseOrBatch, TestFiles};
use crate::document::read::{Read, Unfit, points, text};
use crate::document::{Document, Value};
use grader_model::diagnostic::Severity;

/// The list that may be a table with these keys.
const LIST: &str = "test_cases";
const KEYS: [&str; 3] = ["input_format", "output_format", "case_points"];
/// The part of DMOJ's usual pattern that has the numbers of batch and case. DMOJ also looks ahead for `.in` or `.out`.
const USUAL: &str = r"^.*?(?:(?:^|\W)(?P<batch>\d+)[^\d\s]+)?(?P<case>\d+)[^\d\s]*$";

/// A pattern that finds the numbers of batch and case in the name of a file.
struct Pattern {
    regex: Regex,
    /// The word of the usual pattern that stands in the name after a full stop, or at its beginning.
    word: Option<&'static str>,
}

/// The number or the word of a batch or a case. Words come before numbers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Word(String),
    Number(u64),
}

/// The files of a batch, or of a single case, by the number of the case.
#[derive(Default)]
struct CaseGroup {
    is_batch: bool,
    cases: BTreeMap<Part, TestFiles>,
}

impl Pattern {
    /// The batch and the case that the name of a file states, as far as it does. None if the name does not match.
    fn place_of(&self, name: &str) -> Option<(Option<Part>, Option<Part>)> {
        let small = name.to_ascii_lowercase();
        let has_word = |word: &str| small.starts_with(word) || small.contains(&format!(".{word}"));
        let parts = self.regex.captures(name).filter(|_| self.word.is_none_or(has_word))?;
        let part = |group: &str| Some(Part::of(parts.name(group)?.as_str()));
        Some((part("batch"), part("case")))
    }
}

impl Part {
    fn of(text: &str) -> Self {
        text.parse().map_or_else(|_| Self::Word(text.to_owned()), Self::Number)
    }
}

/// The cases among these files of the archive; none of a problem without one. `usual`: the points of a case.
pub(super) fn entries(
    document: &mut Document,
    names: Option<&BTreeSet<PathBuf>>,
    usual: f64,
    batches: &mut usize,
) -> Vec<CaseOrBatch> {
    document.check_table(&[LIST], &KEYS, Severity::Warning);
    let Some(names) = names else {
        let message = "`test_cases` is not a list of cases, which only a problem with an `archive` may lack";
        document.report(&[LIST], Severity::Error, message);
        return Vec::new();
    };
    let mut of_key = |key: &str, word| {
        let stated = document.get_at(&[LIST, key], pattern);
        // The usual one is valid: a test reads it.
        let usual = || Some(Pattern { regex: regex(USUAL).ok()?, word: Some(word) });
        stated.map(|regex| Pattern { regex, word: None }).or_else(usual)
    };
    let (Some(inputs), Some(outputs)) = (of_key(KEYS[0], "in"), of_key(KEYS[1], "out")) else { return Vec::new() };
    let mut found: BTreeMap<Part, CaseGroup> = BTreeMap::new();
    for (pattern, is_input) in [(&inputs, true), (&outputs, false)] {
        for name in names.iter().filter_map(|name| name.to_str()) {
            let Some((batch, case)) = pattern.place_of(name) else { continue };
            let Some(case) = case else {
                document.report(&[LIST], Severity::Error, format!("`{name}` has no number of a case"));
                continue;
            };
            let group = found.entry(batch.clone().unwrap_or_else(|| case.clone())).or_default();
            group.is_batch |= batch.is_some();
            let files = group.cases.entry(case).or_default();
            *(if is_input { &mut files.input } else { &mut files.output }) = Some(name.to_owned());
        }
    }
    let stated = document.get_at(&[LIST, KEYS[2]], all_points);
    if stated.as_ref().is_some_and(|stated| stated.len() < found.len()) {
        let message = format!("`case_points` has fewer numbers than the {} batches and cases", found.len());
        document.report(&[LIST, KEYS[2]], Severity::Error, message);
    }
    let mut entries = Vec::new();
    for (at, (_, group)) in found.into_iter().enumerate() {
        if !group.is_batch && group.cases.len() > 1 {
            document.report(&[LIST], Severity::Error, "two cases have the same number");
        }
        *batches += usize::from(group.is_batch);
        entries.push(CaseOrBatch {
            batch: group.is_batch.then_some(*batches),
            points: stated.as_ref().and_then(|stated| stated.get(at)).copied().unwrap_or(usual),
            requires: Vec::new(),
            cases: group.cases.into_values().collect(),
        });
    }
    entries
}

fn all_points(value: &Value) -> Read<Vec<f64>> {
    match value {
        Value::List(items) => items.iter().map(|item| points(&item.value)).collect(),
        other => Err(Unfit::kind("a list of points", other)),
    }
}

/// A pattern that matches from the beginning of a name, without regard to upper and lower case.
fn pattern(value: &Value) -> Read<Regex> {
    let stated = text(value)?;
    regex(&format!("^(?:{stated})")).map_err(|error| Unfit::rule(format!("grader cannot use it: {error}")))
}

fn regex(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text).case_insensitive(true).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_pattern_finds_batch_and_case() {
        let pattern = Pattern { regex: regex(USUAL).unwrap(), word: Some("in") };
        let place = |name: &str| {
            let number = |part: Option<Part>| match part {
                Some(Part::Number(number)) => number,
                _ => 0,
            };
            pattern.place_of(name).map(|(batch, case)| (number(batch), number(case)))
        };
        // The examples of DMOJ's documentation.
        for (name, expect) in [
            ("test.1.in", Some((0, 1))),
            ("test-1.in", Some((0, 1))),
            ("test-case-1.in", Some((0, 1))),
            ("test-1-2.in", Some((1, 2))),
            ("test-batch-1-case-2.in", Some((1, 2))),
            ("1.2.in", Some((1, 2))),
            ("test.1.out", None),
            ("data.in", None),
        ] {
            assert_eq!(place(name), expect, "{name}");
        }
        assert!(Part::of("a") < Part::of("0") && Part::of("2") < Part::of("10"));
    }
}
