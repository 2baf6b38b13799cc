//! A statement as a sequence of parts, which Markdown and TeX become alike, and the notes about its text.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pulldown_cmark::Event;

use crate::diagnostic::{Diagnostic, Severity, TextPosition};

/// The most places of the same error that are named.
const MOST_PLACES: usize = 20;
/// The most errors, and the most warnings, about one statement.
const MOST_FOUND: usize = 200;

/// A part of a statement. What it says is untrusted, except for markup of grader itself.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    /// Text, or the begin or end of something. Never markup of the package.
    Event(Event<'static>),
    /// Markup that grader makes.
    Markup(&'static str),
    /// The same with numbers in it, such as those of a table cell.
    Made(String),
    Picture(PictureRef),
    /// The place of one sample.
    NextSample,
    /// The place of all samples that have no place yet.
    RemainingSamples,
}

/// A picture of a statement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PictureRef {
    /// Its file, relative to the statement.
    pub(super) file: String,
    /// Its width as HTML has it: `40%`, or a number of pixels.
    pub(super) width: Option<String>,
    /// Its height in pixels.
    pub(super) height: Option<String>,
    /// A description for readers who do not see it.
    pub(super) alt: String,
}

/// A statement that was read.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// Its own title.
    pub(super) title: Option<String>,
    /// The parts with their byte offsets in the text.
    pub(super) parts: Vec<(usize, Part)>,
}

/// The findings about the text of a statement.
#[derive(Debug)]
pub(super) struct Notes<'t> {
    file: PathBuf,
    text: &'t str,
    /// The number of times that each message was found. It limits how often the message is repeated.
    said: BTreeMap<String, usize>,
    pub(super) found: Vec<Diagnostic>,
}

impl<'t> Notes<'t> {
    pub(super) fn new(file: PathBuf, text: &'t str) -> Self {
        Self { file, text, said: BTreeMap::new(), found: Vec::new() }
    }

    /// Adds a finding about the text at this offset. A warning is added once, an error for at most `MOST_PLACES` lines.
    fn say(&mut self, severity: Severity, offset: usize, message: String, remedy: &str) {
        let known = self.found.iter().filter(|known| known.severity == severity).count();
        let times = self.said.entry(message.clone()).or_default();
        *times += 1;
        let most = if severity == Severity::Error { MOST_PLACES } else { 1 };
        if *times > most || known == MOST_FOUND {
            return;
        }
        let place = TextPosition::of_offset(self.text, offset);
        let is_same =
            |known: &Diagnostic| known.message == message && known.place.is_some_and(|at| at.line == place.line);
        if !self.found.iter().any(is_same) {
            let found = Diagnostic::new(severity, message).about(&self.file).remedy(remedy);
            self.found.push(found.at(Some(place)));
        }
    }

    pub(super) fn warn(&mut self, offset: usize, message: impl Into<String>, remedy: &str) {
        self.say(Severity::Warning, offset, message.into(), remedy);
    }

    /// Warns about a constant that the problem does not have.
    pub(super) fn no_constant(&mut self, offset: usize, name: &str) {
        let message = format!("the problem has no constant `{name}`");
        self.warn(offset, message, "add it to the `constants` of the problem, or correct its name");
    }

    pub(super) fn fail(&mut self, offset: usize, message: impl Into<String>, remedy: &str) {
        self.say(Severity::Error, offset, message.into(), remedy);
    }
}
