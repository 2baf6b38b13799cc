//! The page of a statement, and the booklet of a contest. The browser's PDF of a page is the printed statement.

use std::time::Duration;

use askama::Template;

use super::Statement;
use super::words::{Words, words_of};
use crate::limits::Bytes;
use crate::report::html::Frame;

/// The style, on the screen and in print.
const STYLE: &str = include_str!("statement.css");

/// Facts about a problem that a page shows besides the statement.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    /// The letter in the contest.
    pub(crate) label: Option<String>,
    /// The colour of the balloon: `#ff0000`, or a word.
    pub(crate) colour: Option<String>,
    /// The time limit, if it is known.
    pub(crate) time: Option<Duration>,
    /// The memory limit, if it is stated.
    pub(crate) memory: Option<Bytes>,
}

/// The texts of the title page of a contest.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cover {
    pub(crate) title: String,
    /// Below the title: the date.
    pub(crate) subtitle: String,
}

#[derive(Template)]
#[template(path = "statement.html")]
struct Page<'a> {
    frame: Frame,
    language: &'a str,
    title: &'a str,
    cover: Option<&'a Cover>,
    problems: Vec<Section<'a>>,
}

struct Section<'a> {
    statement: &'a Statement,
    label: &'a str,
    colour: String,
    limits: Vec<(&'static str, String)>,
}

/// The page of one problem, or of several with a title page.
///
/// # Errors
/// The template fails.
pub(crate) fn of(all: &[(Statement, Facts)], cover: Option<&Cover>) -> Result<String, askama::Error> {
    let language = all.first().map_or("en", |(statement, _)| &*statement.language);
    let words = words_of(language);
    let title = match (cover, all) {
        (Some(cover), _) => &*cover.title,
        (None, [(statement, _), ..]) => &*statement.title,
        (None, []) => "",
    };
    let problems = all.iter().map(|(statement, facts)| section(statement, facts, words)).collect();
    Page { frame: Frame::with_style(STYLE), language, title, cover, problems }.render()
}

/// The policy of these pages, for a server.
pub(crate) fn policy() -> String {
    Frame::with_style(STYLE).policy
}

fn section<'a>(statement: &'a Statement, facts: &'a Facts, words: &'static Words) -> Section<'a> {
    let time = facts.time.map(|time| (words.time_limit, format!("{} s", time.as_secs_f64())));
    let memory = facts.memory.map(|memory| (words.memory_limit, format!("{} MiB", memory.0.div_ceil(1 << 20))));
    Section {
        statement,
        label: facts.label.as_deref().unwrap_or_default(),
        colour: facts.colour.as_deref().map(css_colour).unwrap_or_default(),
        limits: time.into_iter().chain(memory).collect(),
    }
}

/// A colour in the words of CSS, which writes `dark blue` in one word. Empty if the text is not a colour.
fn css_colour(text: &str) -> String {
    let text = text.replace([' ', '-'], "");
    let is_code = |code: &str| matches!(code.len(), 3 | 4 | 6 | 8) && code.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_colour = text.strip_prefix('#').map_or_else(|| text.bytes().all(|byte| byte.is_ascii_alphabetic()), is_code);
    if is_colour { text } else { String::new() }
}
