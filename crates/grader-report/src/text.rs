//! Styled text for people: escapes untrusted text, measures widths in columns, and keeps styles as spans. The same
//! lines can become ANSI or plain text.
//!
//! This module knows nothing about problems, verdicts or terminals: the caller decides whether to colour (`Paint`).

mod escape;
mod screen;

pub use escape::{Whitespace, escape};
pub use screen::Screen;

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar as _;

/// Columns that a character takes. Counted for each character alone, so that sums, cuts and paddings always agree.
pub(crate) fn char_width(c: char) -> usize {
    c.width().unwrap_or(1)
}

/// Columns that a text without control characters takes.
pub fn width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

/// Cuts `text` to at most `columns` columns; `…` stands for the part cut at the end.
pub fn truncate(text: &str, columns: usize) -> String {
    Line::from(text).window(0, columns).plain()
}

/// A count with its noun in the singular or plural: `1 case`, `2 cases`.
pub fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// The first names of a list, and the number of the others: `ann, bob, 3 more`.
pub fn first_of(names: impl ExactSizeIterator<Item = impl Into<String>>, most: usize) -> String {
    let more = names.len().saturating_sub(most);
    let shown = names.take(most).map(Into::into);
    shown.chain((more > 0).then(|| format!("{more} more"))).collect::<Vec<_>>().join(", ")
}

/// Pads `text` with spaces on the right to `columns` columns; longer text is unchanged.
pub fn pad(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(width(text));
    format!("{text}{:missing$}", "")
}

/// How yellow looks. The yellow of the 16 ANSI colours cannot be read on white.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Yellow {
    /// The yellow of the theme, for documents whose background is known.
    #[default]
    Theme,
    /// A brown of the 256 colours, which has a contrast of 4.5 on white and on black.
    Brown,
    /// No colour, but bold, on a terminal with 16 colours.
    Bold,
}

impl Yellow {
    const fn sgr(self) -> &'static str {
        match self {
            Self::Theme => "33",
            Self::Brown => "38;5;130",
            Self::Bold => "1",
        }
    }
}

/// The foreground colours in use. Red and green are from the 16 ANSI colours, which follow the user's own theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Colour {
    /// Unexpected. In a diff: the submission's output.
    Red,
    /// As expected. In a diff: the answer.
    Green,
    /// Deserves a second look.
    Yellow,
}

/// How a span looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Style {
    /// The foreground colour; none keeps the terminal's own.
    pub(crate) colour: Option<Colour>,
    /// Bold.
    pub bold: bool,
    /// Dim: gutters, elisions and other secondary text.
    pub dim: bool,
    /// Underlined: the changed words of a diff.
    pub underline: bool,
    /// Text of a program, which stays unchanged where our own signs become ASCII, and is never broken into lines.
    pub verbatim: bool,
}

impl Style {
    /// No styling.
    pub const PLAIN: Self = Self { colour: None, bold: false, dim: false, underline: false, verbatim: false };
    /// As expected.
    pub const GOOD: Self = Self::coloured(Colour::Green);
    /// Unexpected.
    pub const BAD: Self = Self::coloured(Colour::Red);
    /// Deserves a second look.
    pub const NOTICE: Self = Self::coloured(Colour::Yellow);
    /// Secondary text.
    pub const FAINT: Self = Self { dim: true, ..Self::PLAIN };
    /// Important text.
    pub const STRONG: Self = Self { bold: true, ..Self::PLAIN };

    /// A colour and nothing else.
    pub(crate) const fn coloured(colour: Colour) -> Self {
        Self { colour: Some(colour), ..Self::PLAIN }
    }

    /// Returns the same style in bold.
    #[must_use]
    pub const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// Returns the same style underlined.
    #[must_use]
    pub const fn underline(self) -> Self {
        Self { underline: true, ..self }
    }

    /// Returns the same style for text of a program.
    #[must_use]
    pub const fn verbatim(self) -> Self {
        Self { verbatim: true, ..self }
    }

    /// The parameters of the SGR sequence (ECMA-48), such as `1;4;31`; empty for plain text.
    fn sgr(self, yellow: Yellow) -> String {
        let colour = self.colour.map(|colour| match colour {
            Colour::Red => "31",
            Colour::Green => "32",
            Colour::Yellow => yellow.sgr(),
        });
        let codes = [self.bold.then_some("1"), self.dim.then_some("2"), self.underline.then_some("4"), colour];
        codes.into_iter().flatten().collect::<Vec<_>>().join(";")
    }
}

/// How styles are rendered. The caller decides, from the terminal, `NO_COLOR`, `CLICOLOR_FORCE` and `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// Text without styles.
    Plain,
    /// ANSI escape sequences.
    Ansi,
}

impl Paint {
    /// Chooses ANSI sequences if `colour` is true, otherwise plain text.
    pub fn new(colour: bool) -> Self {
        if colour { Self::Ansi } else { Self::Plain }
    }
}

/// A piece of text in one style. The text holds no control characters: see [`escape`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The text.
    pub text: String,
    /// How it looks.
    pub style: Style,
}

/// One line of styled text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    spans: Vec<Span>,
    /// Whether it must stay one line: a command or path to copy.
    is_whole: bool,
}

impl From<&str> for Line {
    fn from(text: &str) -> Self {
        Self::new().with(text, Style::PLAIN)
    }
}

impl Line {
    /// An empty line.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a span, merged with the last one if both have the same style.
    pub fn push(&mut self, text: &str, style: Style) {
        match self.spans.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if last.style == style => last.text.push_str(text),
            _ => self.spans.push(Span { text: text.to_owned(), style }),
        }
    }

    /// Appends a span and returns the line, for chains of calls.
    #[must_use]
    pub fn with(mut self, text: &str, style: Style) -> Self {
        self.push(text, style);
        self
    }

    /// Returns the line as one that is never broken, because users copy it.
    #[must_use]
    pub fn whole(self) -> Self {
        Self { is_whole: true, ..self }
    }

    /// Appends all spans of another line.
    pub fn append(&mut self, other: &Self) {
        for span in &other.spans {
            self.push(&span.text, span.style);
        }
    }

    /// The spans from left to right.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The width in columns.
    pub fn width(&self) -> usize {
        self.spans.iter().map(|span| width(&span.text)).sum()
    }

    /// Pads the line with spaces to `columns` columns; a longer line is unchanged.
    pub fn pad_to(&mut self, columns: usize) {
        let missing = columns.saturating_sub(self.width());
        self.push(&" ".repeat(missing), Style::PLAIN);
    }

    /// Returns the part from column `start` on, at most `columns` wide. A `…` stands for the part cut at either end.
    #[must_use]
    pub fn window(&self, start: usize, columns: usize) -> Self {
        let total = self.width();
        let end = start + columns;
        if columns == 0 || (start == 0 && total <= columns) {
            return if columns == 0 { Self::new() } else { self.clone() };
        }
        let from = if start == 0 { 0 } else { start + 1 };
        let to = if total <= end { total } else { end - 1 };
        let mut cut = Self::new();
        if start > 0 {
            cut.push("…", Style::FAINT);
        }
        self.copy_columns(from, to, &mut cut);
        if to < total && (columns > 1 || start == 0) {
            cut.push("…", Style::FAINT);
        }
        cut
    }

    /// Returns the part from column `from` up to column `to`.
    #[must_use]
    pub fn columns(&self, from: usize, to: usize) -> Self {
        let mut part = Self::new();
        self.copy_columns(from, to, &mut part);
        part
    }

    /// Breaks the line into lines of at most `columns` columns.
    pub fn folded(&self, columns: usize) -> Vec<Self> {
        let columns = columns.max(1);
        let starts = (0..self.width().max(1)).step_by(columns);
        starts.map(|from| self.columns(from, from + columns)).collect()
    }

    /// Appends columns `from..to` to `target`. A wide character that is cut in half becomes a space.
    fn copy_columns(&self, from: usize, to: usize, target: &mut Self) {
        let mut column = 0;
        for span in &self.spans {
            let mut kept = String::new();
            for c in span.text.chars() {
                let left = column;
                let right = column + char_width(c);
                column = right;
                // A zero-width character stays with the character before it.
                let inside = left >= from && right <= to && (right > left || left > from);
                match right.min(to).saturating_sub(left.max(from)) {
                    _ if inside => kept.push(c),
                    overlap => kept.extend(std::iter::repeat_n(' ', overlap)),
                }
            }
            target.push(&kept, span.style);
        }
    }

    /// The text without styles.
    pub fn plain(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// The text for the reader's screen: with or without escape sequences, broken into lines if it is too wide, and in
    /// ASCII if the screen shows nothing else. Spaces at the end are removed.
    pub fn render(&self, paint: Paint) -> String {
        let screen = Screen::current();
        let shown = self.in_signs_of(screen);
        let lines = match screen.columns {
            Some(columns) => shown.broken(columns()),
            None => vec![shown],
        };
        lines.iter().map(|line| line.styled(paint, screen.yellow)).collect::<Vec<_>>().join("\n")
    }

    /// The line with our own signs as the screen shows them.
    fn in_signs_of(&self, screen: Screen) -> Self {
        let text = |span: &Span| match span {
            Span { text, style } if style.verbatim => text.clone(),
            Span { text, .. } => screen.signs(text).into_owned(),
        };
        let shown = |span: &Span| Span { text: text(span), style: span.style };
        Self { spans: self.spans.iter().map(shown).collect(), is_whole: self.is_whole }
    }

    /// Breaks a sentence between words into lines of at most `columns` columns. Further lines are indented by two more
    /// than the first. A longer word stays whole.
    pub fn broken(&self, columns: usize) -> Vec<Self> {
        if self.width() <= columns || self.is_whole || self.spans.iter().any(|span| span.style.verbatim) {
            return vec![self.clone()];
        }
        let text = self.plain();
        let indent = (text.len() - text.trim_start_matches(' ').len() + 2).min(columns / 2);
        let mut from = 0;
        let mut end = 0;
        let mut lines = Vec::new();
        for (start, stop) in words(&text) {
            let room = if from == 0 { columns } else { columns - indent };
            if stop - from > room && end > from {
                lines.push(self.continued(from, end, indent));
                from = start;
            }
            end = stop;
        }
        lines.push(self.continued(from, end, indent));
        lines
    }

    /// Columns `from..to`, indented unless they begin the line.
    fn continued(&self, from: usize, to: usize, indent: usize) -> Self {
        let mut line = Self::from(" ".repeat(if from == 0 { 0 } else { indent }).as_str());
        self.copy_columns(from, to, &mut line);
        line
    }

    /// The text for output, with or without escape sequences; spaces at the end are removed.
    pub fn styled(&self, paint: Paint, yellow: Yellow) -> String {
        if paint == Paint::Plain {
            return self.plain().trim_end_matches(' ').to_owned();
        }
        let mut out = String::new();
        for span in &self.spans {
            match span.style.sgr(yellow) {
                sgr if sgr.is_empty() => out.push_str(&span.text),
                sgr => {
                    // Writing to a string cannot fail.
                    let _ = write!(out, "\x1b[{sgr}m{}\x1b[0m", span.text);
                }
            }
        }
        out.truncate(out.trim_end_matches(' ').len());
        out
    }
}

/// The columns at which each word of a text begins and ends.
fn words(text: &str) -> Vec<(usize, usize)> {
    let (mut column, mut words): (usize, Vec<(usize, usize)>) = (0, Vec::new());
    let mut is_inside = false;
    for c in text.chars() {
        let next = column + char_width(c);
        match words.last_mut() {
            _ if c == ' ' => {}
            Some(last) if is_inside => last.1 = next,
            _ => words.push((column, next)),
        }
        is_inside = c != ' ';
        column = next;
    }
    words
}

/// Quotes one word for a shell. A word with characters unsafe for a terminal is written as `$'…'`, which all but the
/// oldest shells read.
pub fn quote(word: &str) -> String {
    let quoted = shlex::try_quote(word).map_or_else(|_| word.to_owned(), std::borrow::Cow::into_owned);
    if escape(quoted.as_bytes(), Whitespace::Inline) == quoted {
        return quoted;
    }
    let mut text = "$'".to_owned();
    for c in word.chars() {
        let mut bytes = [0; 4];
        let encoded = c.encode_utf8(&mut bytes);
        match c {
            '\'' | '\\' => text.extend(['\\', c]),
            _ if escape(encoded.as_bytes(), Whitespace::Inline) == *encoded => text.push(c),
            _ => text.extend(encoded.bytes().map(|byte| format!("\\{byte:03o}"))),
        }
    }
    text + "'"
}

/// Quotes an option and its value for a shell. A value that begins with `-` is joined to the option with `=`.
pub fn quote_option(option: &str, value: &str) -> String {
    if value.starts_with('-') { quote(&format!("{option}={value}")) } else { format!("{option} {}", quote(value)) }
}

/// Quotes a path argument for a shell. A path that begins with `-` gets `./` in front.
pub fn quote_path(path: &str) -> String {
    if path.starts_with('-') { quote(&format!("./{path}")) } else { quote(path) }
}

#[cfg(test)]
mod tests;
