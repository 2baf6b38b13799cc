//! The title page of a contest, from its `contest.yaml` (contest control system specification; `DOMjudge`, `BAPCtools`).

use std::path::Path;

use super::page::Cover;
use crate::package::document::{Document, Value};

/// The title page of the contest whose problems are in this directory. `name` is its title if it states none.
pub(crate) fn cover_of(dir: Option<&Path>, name: String) -> Cover {
    let file = dir.map(|dir| dir.join("contest.yaml")).filter(|file| file.is_file());
    let Some(document) = file.map(|file| Document::load(&file)) else {
        return Cover { title: name, ..Cover::default() };
    };
    let text = |keys: [&str; 2]| {
        keys.into_iter().find_map(|key| match document.value(&[key]) {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        })
    };
    // `2026-11-24T10:00:00+01:00`: the day alone.
    let day = text(["start_time", "start-time"]).and_then(|time| Some(time.get(..10)?.to_owned()));
    Cover { title: text(["formal_name", "name"]).unwrap_or(name), subtitle: day.unwrap_or_default() }
}
