//! Reads statements in TeX: the commands that statements of the ICPC and Kattis formats use. A warning
//! names each unknown command, and its text stays.
//!
//! Its files:
//!
//! - `macros`: expands the macros that the statement defines
//! - `lex`: the text as tokens
//! - `commands`: the tables of commands and environments
//! - `effects`, `environments`: what each of them shows
//! - `table`, `columns`: tables
//! - `marks`: the marks of lists
//! - `sizes`: the sizes of pictures
//! - `references`: the texts that `\ref` shows

mod columns;
mod commands;
mod effects;
mod environments;
mod lex;
mod macros;
mod marks;
mod references;
mod sizes;
mod table;

use std::collections::BTreeMap;
use std::mem;

use pulldown_cmark::{CowStr, Event};
use unicode_normalization::UnicodeNormalization as _;

use super::parts::{Notes, Part, Parts};
use super::words::Words;
use commands::{ACCENTS, IGNORED, STYLES, SWITCHES, SYMBOLS, Style, instead_of};
use effects::REFERENCES;
use lex::{TexTokens, Token, lex};
pub(super) use lex::{braced, command_at};
use references::{Captions, labels};

/// How deep groups and environments may be nested.
const DEEPEST: usize = 100;

/// The most tokens in brackets. Without a bound, many that do not end would take quadratic time.
const MOST_IN_BRACKETS: usize = 200;

/// Expands the macros of a statement.
pub(super) fn expanded(text: &str) -> Option<String> {
    macros::expanded(text).ok()
}

/// Reads a statement whose macros are expanded.
pub(super) fn read(text: &str, words: &Words, notes: &mut Notes<'_>) -> Parts {
    let TexTokens { tokens, errors } = lex(text);
    for (at, error) in errors {
        notes.fail(at, error.to_string(), &error.remedy());
    }
    let mut translator = Translator {
        tokens: &tokens,
        words,
        labels: labels(&tokens),
        has_references: tokens
            .iter()
            .any(|(_, token)| matches!(token, Token::Command(name) if REFERENCES.contains(name))),
        captions: Captions::default(),
        at: 0,
        end: text.len(),
        notes,
        made: Parts::default(),
        mode: Mode::Block,
        styles: Vec::new(),
        footnotes: 0,
        rows_down: 1,
        asides: Vec::new(),
        open: Vec::new(),
        is_over: false,
    };
    translator.document();
    translator.made
}

/// Where a part of the text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Between paragraphs.
    Block,
    /// In a paragraph, which the next block ends.
    Paragraph,
    /// In a heading or a cell, where there are no paragraphs.
    Inline,
}

/// The end of a part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until<'t> {
    File,
    Brace,
    Environment(&'t str),
    /// One token.
    Argument,
}

struct Translator<'a, 't, 'n> {
    tokens: &'a [(usize, Token<'t>)],
    words: &'a Words,
    /// The text that a reference to each label shows.
    labels: BTreeMap<&'t str, String>,
    /// Whether the text refers to labels. Captions have numbers only then.
    has_references: bool,
    captions: Captions,
    at: usize,
    /// The length of the text.
    end: usize,
    notes: &'a mut Notes<'n>,
    made: Parts,
    mode: Mode,
    /// The open styles. They end with a paragraph and go on in the next.
    styles: Vec<Style>,
    footnotes: usize,
    /// The number of rows of the current cell of a table ([`table`]).
    rows_down: i64,
    /// The footnotes, which come last.
    asides: Vec<(usize, Part)>,
    /// The ends of the open parts of the text.
    open: Vec<Until<'t>>,
    /// Whether the rest is skipped.
    is_over: bool,
}

impl<'t> Translator<'_, 't, '_> {
    fn document(&mut self) {
        self.parts(Until::File, 0);
        self.end_paragraph();
        if !self.asides.is_empty() {
            self.put(Part::Markup("<section class=\"footnotes\">"));
            let asides = mem::take(&mut self.asides);
            self.made.parts.extend(asides);
            self.put(Part::Markup("</section>"));
        }
    }

    /// The next token.
    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).map(|(_, token)| *token)
    }

    /// The place of the next token in the text.
    fn offset(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |(offset, _)| *offset)
    }

    fn put(&mut self, part: Part) {
        let offset = self.offset();
        self.made.parts.push((offset, part));
    }

    /// Adds something that stands in a paragraph.
    fn inline(&mut self, part: Part) {
        if self.mode == Mode::Block {
            self.put(Part::Markup("<p>"));
            self.mode = Mode::Paragraph;
            for style in self.styles.clone() {
                self.put(Part::Markup(style.begin()));
            }
        }
        self.put(part);
    }

    fn text(&mut self, text: impl Into<CowStr<'static>>) {
        self.inline(Part::Event(Event::Text(text.into())));
    }

    fn end_paragraph(&mut self) {
        if self.mode == Mode::Paragraph {
            for style in self.styles.clone().into_iter().rev() {
                self.put(Part::Markup(style.end()));
            }
            self.put(Part::Markup("</p>\n"));
            self.mode = Mode::Block;
        }
    }

    /// Begins a part of the text. Returns whether it is nested too deeply, and then skips the rest.
    fn begin(&mut self, until: Until<'t>, begun: usize) -> bool {
        self.open.push(until);
        let is_deep = self.open.len() > DEEPEST;
        if is_deep {
            self.notes.fail(begun, format!("nested more than {DEEPEST} deep"), "write it flatter");
            self.at = self.tokens.len();
            self.is_over = true;
        }
        is_deep
    }

    /// Whether the next token ends the part of the text that `until` ends. `begun` is the place of its begin. Reports what
    /// ends nothing, and skips it.
    fn is_end(&mut self, until: Until<'t>, begun: usize) -> bool {
        loop {
            let (found, (message, opening)) = match self.peek() {
                None => {
                    self.unfinished(until, begun);
                    return true;
                }
                Some(Token::Close) => (Until::Brace, ("`}` ends no group".to_owned(), "`{`".to_owned())),
                Some(Token::End(name)) => {
                    let message = format!("`\\end{{{name}}}` ends no environment");
                    (Until::Environment(name), (message, format!("`\\begin{{{name}}}`")))
                }
                Some(_) => return false,
            };
            if found == until {
                self.at += 1;
                return true;
            }
            if self.open.contains(&found) {
                self.unfinished(until, begun);
                return true;
            }
            let offset = self.offset();
            self.notes.fail(offset, message, &format!("remove it, or add {opening} before it"));
            self.at += 1;
        }
    }

    /// Translates up to the end of a group, an environment or the text. `begun` is the place of its begin.
    fn parts(&mut self, until: Until<'t>, begun: usize) {
        let kept = self.styles.len();
        self.begin(until, begun);
        while !self.is_end(until, begun) {
            if let Some(token) = self.peek() {
                self.token(token);
            }
        }
        self.close_styles(kept);
        self.open.pop();
    }

    fn unfinished(&mut self, until: Until<'t>, begun: usize) {
        if self.is_over {
            return;
        }
        match until {
            Until::File | Until::Argument => {}
            Until::Brace => {
                self.notes.fail(begun, "the `{` here has no `}`", "add `}` where it ends, or write `\\{` for a brace");
            }
            Until::Environment(name) => {
                self.notes.fail(
                    begun,
                    format!("`\\begin{{{name}}}` has no `\\end{{{name}}}`"),
                    &format!("add `\\end{{{name}}}` where it ends"),
                );
            }
        }
    }

    /// Opens a style, unless it is open: thousands of `\bf` would be thousands of marks in each paragraph.
    fn open_style(&mut self, style: Style) {
        if self.styles.contains(&style) {
            return;
        }
        if self.mode != Mode::Block {
            self.put(Part::Markup(style.begin()));
        }
        self.styles.push(style);
    }

    fn close_styles(&mut self, kept: usize) {
        while self.styles.len() > kept {
            if let (Some(style), true) = (self.styles.pop(), self.mode != Mode::Block) {
                self.put(Part::Markup(style.end()));
            }
        }
    }

    fn token(&mut self, token: Token<'t>) {
        match token {
            Token::Text(text) => {
                let text = if self.styles.contains(&Style::Code) { text.to_owned() } else { typeset(text) };
                self.text(text);
            }
            Token::Space if self.mode == Mode::Block => {}
            Token::Space => self.text(" "),
            Token::Paragraph if self.mode == Mode::Inline => self.text(" "),
            Token::Paragraph => self.end_paragraph(),
            Token::Tie => self.text("\u{a0}"),
            // Outside of a table it aligns nothing.
            Token::Align => self.text("&"),
            Token::Math { source, display } => {
                let source = CowStr::from(self.without_constants(source));
                self.inline(Part::Event(if display { Event::DisplayMath(source) } else { Event::InlineMath(source) }));
            }
            Token::Verbatim { text, is_block: false, .. } => {
                self.inline(Part::Event(Event::Code(text.to_owned().into())));
            }
            Token::Verbatim { text, options, .. } => {
                self.verbatim_options(options);
                self.end_paragraph();
                self.put(Part::Markup("<pre>"));
                self.put(Part::Event(Event::Text(text.to_owned().into())));
                self.put(Part::Markup("</pre>\n"));
            }
            Token::Drawing(name) => {
                let message = format!("grader does not draw the environment `{name}`");
                let remedy = "save the picture as SVG or PNG, and show it with \\includegraphics";
                self.notes.warn(self.offset(), message, remedy);
                self.text(format!("[{name}]"));
            }
            Token::Open => return self.group(),
            Token::Begin(name) => return self.environment(name),
            Token::Command(name) => return self.command(name),
            // `is_end` handles the ends; other arguments without a command are left over.
            Token::End(_) | Token::Close | Token::Raw(_) | Token::Options(_) => {}
        }
        self.at += 1;
    }

    /// The raw arguments of the command or environment before the next token.
    fn raw(&mut self) -> Vec<&'t str> {
        let mut raw = Vec::new();
        while let Some(Token::Raw(text)) = self.peek() {
            raw.push(text);
            self.at += 1;
        }
        raw
    }

    fn options(&mut self) -> Option<&'t str> {
        let Some(Token::Options(options)) = self.peek() else { return None };
        self.at += 1;
        Some(options)
    }

    /// Translates the argument that follows: a group, or one token.
    fn argument(&mut self) {
        while self.peek() == Some(Token::Space) {
            self.at += 1;
        }
        let offset = self.offset();
        match self.peek() {
            Some(Token::Open) => self.group(),
            Some(Token::Close | Token::End(_)) | None => {}
            // Arguments of arguments are nested, too.
            Some(token) => {
                if !self.begin(Until::Argument, offset) {
                    self.token(token);
                }
                self.open.pop();
            }
        }
    }

    /// Translates the group that begins here.
    fn group(&mut self) {
        let offset = self.offset();
        self.at += 1;
        self.parts(Until::Brace, offset);
    }

    /// Translates the argument on its own, in the mode that is given.
    fn apart(&mut self, mode: Mode) -> Vec<(usize, Part)> {
        let before = (mem::take(&mut self.made.parts), mem::replace(&mut self.mode, mode), mem::take(&mut self.styles));
        self.argument();
        let parts = mem::replace(&mut self.made.parts, before.0);
        (self.mode, self.styles) = (before.1, before.2);
        parts
    }

    /// Skips `[…]` in the text.
    fn skip_brackets(&mut self) {
        if self.peek() == Some(Token::Text("[")) {
            let rest = self.tokens[self.at..].iter().take(MOST_IN_BRACKETS);
            if let Some(length) = rest.map(|(_, token)| token).position(|token| *token == Token::Text("]")) {
                self.at += length + 1;
            }
        }
    }

    fn command(&mut self, name: &'t str) {
        let offset = self.offset();
        self.at += 1;
        if let Some((_, symbol)) = SYMBOLS.iter().find(|(known, _)| *known == name) {
            self.text(*symbol);
            // A space after a word ends its name, and nothing else.
            if name.starts_with(|c: char| c.is_ascii_alphabetic()) && self.peek() == Some(Token::Space) {
                self.at += 1;
            }
            return;
        }
        if let Some((_, style)) = STYLES.iter().find(|(known, _)| *known == name) {
            self.styled(*style);
        } else if let Some((_, style)) = SWITCHES.iter().find(|(known, _)| *known == name) {
            self.open_style(*style);
        } else if let Some((mark, accent)) = ACCENTS.iter().find(|(known, _)| *known == name) {
            self.accent(mark, *accent);
        } else if IGNORED.contains(&name) {
            self.options();
            self.raw();
        } else if !self.known(name, offset) {
            let remedy = instead_of(name)
                .unwrap_or("remove it, define it with \\newcommand, or write a command that docs/statement.md lists");
            self.notes.warn(
                offset,
                format!("grader does not know `\\{name}`: only the text in its braces is shown"),
                remedy,
            );
        }
    }

    fn styled(&mut self, style: Style) {
        if self.mode == Mode::Block {
            // The paragraph begins with the style in it.
            self.inline(Part::Event(Event::Text("".into())));
        }
        let kept = self.styles.len();
        self.open_style(style);
        self.argument();
        self.close_styles(kept);
    }

    /// Sets an accent on the letter that follows. Without one, the accent stands alone.
    fn accent(&mut self, mark: &str, accent: char) {
        let mut parts = self.apart(Mode::Inline);
        let first = parts.iter_mut().find_map(|(_, part)| match part {
            Part::Event(Event::Text(text)) if !text.is_empty() => Some(text),
            _ => None,
        });
        if let Some(text) = first {
            let mut letters = text.chars();
            let letter = match letters.next().unwrap_or_default() {
                // These have no dot below an accent.
                'ı' => 'i',
                'ȷ' => 'j',
                other => other,
            };
            let accented: String = [letter, accent].into_iter().nfc().collect();
            *text = format!("{accented}{}", letters.as_str()).into();
        } else {
            match mark {
                "^" | "~" | "`" => self.text(mark.to_owned()),
                _ => self.text(format!("\u{a0}{accent}")),
            }
        }
        for (_, part) in parts {
            self.inline(part);
        }
    }
}

/// Text with the dashes and quotes that TeX writes with several characters.
fn typeset(text: &str) -> String {
    let mut made = text.to_owned();
    for (from, to) in
        [("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("<<", "«"), (">>", "»"), ("`", "‘"), ("'", "’")]
    {
        if made.contains(from) {
            made = made.replace(from, to);
        }
    }
    made
}
