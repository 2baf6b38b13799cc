//! Reads statements in TeX: the commands that statements of the ICPC and Kattis formats use. A warning
//! names each unknown command, and its text stays.
//!
//! Its files:
//!
//! - `macros`: expands the macros that the statement defines
//! - `lex`: the text as tokens
//! - `commands`: the tables of commands and environments
//! - `table`, `columns`: tables
//! - `marks`: the marks of lists
//! - `sizes`: the sizes of pictures
//! - `references`: the texts that `\ref` shows

mod columns;
mod commands;
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

use super::parts::{Notes, Part, Parts, PictureRef};
use super::words::Words;
use commands::{ACCENTS, BLOCKS, Block, IGNORED, STYLES, SWITCHES, SYMBOLS, Style, instead_of};
use lex::{TexTokens, Token, lex};
pub(super) use lex::{braced, command_at};
use macros::{DEFINING, MARKS};
use marks::ListOptions;
use references::{CaptionKind, Captions, NUMBERED, labels};
use sizes::{PictureOptions, percent};

/// How deep groups and environments may be nested.
const DEEPEST: usize = 100;

/// The most characters of a title.
const MOST_OF_TITLE: usize = 1000;

/// The most tokens in brackets. Without a bound, many that do not end would take quadratic time.
const MOST_IN_BRACKETS: usize = 200;

/// Commands that show what a label names.
const REFERENCES: [&str; 5] = ["ref", "autoref", "cref", "Cref", "eqref"];

/// The begin of a constant in a formula.
const CONSTANT: &str = "\\constant{";

/// Options of verbatim text that show something, or let commands act in it. The others are about looks.
const SHOWN_BY_VERBATIM: [&str; 8] =
    ["caption", "title", "label", "escapeinside", "escapechar", "mathescape", "commandchars", "texcl"];

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

    /// Translates a command that is more than a symbol or a style. Returns whether it is known. `offset`: its place.
    fn known(&mut self, name: &'t str, offset: usize) -> bool {
        match name {
            "problemname" => {
                let title: String = plain(&self.apart(Mode::Inline));
                self.made.title.get_or_insert(title.trim().chars().take(MOST_OF_TITLE).collect());
            }
            "section" | "section*" | "subsection" | "subsection*" | "subsubsection" | "subsubsection*" => {
                self.heading(if name.starts_with("section") { ["<h2>", "</h2>\n"] } else { ["<h3>", "</h3>\n"] });
            }
            "paragraph" | "paragraph*" => {
                self.end_paragraph();
                self.styled(Style::Bold);
                self.text(" ");
            }
            "par" => self.end_paragraph(),
            "\\" | "newline" | "linebreak" | "\\*" => {
                self.skip_brackets();
                if self.mode != Mode::Block {
                    self.put(Part::Markup("<br>\n"));
                }
            }
            "item" => self.lost(offset, "\\item", "a list", "begin a list before it, such as \\begin{itemize}"),
            "multicolumn" | "cline" | "cmidrule" | "hhline" | "Xhline" | "hline" | "toprule" | "midrule"
            | "bottomrule" => {
                self.options();
                self.raw();
                self.lost(
                    offset,
                    &format!("\\{name}"),
                    "a table",
                    "begin a table before it, such as \\begin{tabular}{l}",
                );
            }
            "hspace" | "hspace*" => {
                self.raw();
                self.text(" ");
            }
            "url" | "nolinkurl" | "path" | "href" => self.link(name),
            "includegraphics" | "includegraphics*" => self.picture(offset),
            "illustration" => self.illustration(offset),
            "caption" | "caption*" => self.caption(name == "caption"),
            name if REFERENCES.contains(&name) => self.reference(name),
            "footnote" => self.footnote(),
            "epigraph" => self.epigraph(),
            "constant" => {
                let name = self.raw().first().copied().unwrap_or_default();
                self.notes.no_constant(offset, name);
                self.text(name.to_owned());
            }
            "input" | "include" => {
                let file = self.raw().first().copied().unwrap_or_default();
                let message = format!("grader does not read `{file}`: a statement is one file");
                self.notes.warn(offset, message, "write the text of that file here");
            }
            "pageref" => {
                self.raw();
                self.notes.warn(offset, "a page has no page numbers for `\\pageref`", "refer to a figure or a section");
                self.text("??");
            }
            name if DEFINING.contains(&name) => self.definition(offset, name),
            "textcolor" => {
                self.raw();
                self.argument();
            }
            "multirow" => {
                self.options();
                let rows = self.raw().first().and_then(|rows| rows.trim().parse().ok());
                self.rows_down = rows.filter(|rows| *rows != 0).unwrap_or(1);
                // The last argument may follow a length.
                self.skip_brackets();
                self.argument();
            }
            "nextsample" => self.sample(Part::NextSample),
            "remainingsamples" => self.sample(Part::RemainingSamples),
            _ => return false,
        }
        true
    }

    /// Reports a command that stands outside of what it belongs to.
    fn lost(&mut self, offset: usize, command: &str, of: &str, remedy: &str) {
        self.notes.warn(offset, format!("`{command}` is not in {of}"), remedy);
    }

    /// The formula with the names of constants that the problem does not have, which it reports.
    fn without_constants(&mut self, source: &str) -> String {
        let mut pieces = source.split(CONSTANT);
        let mut made = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            self.notes.no_constant(self.offset(), piece.split('}').next().unwrap_or_default());
            made += "\\text{";
            made += piece;
        }
        made
    }

    /// Reports a definition that was not expanded, and skips it.
    fn definition(&mut self, offset: usize, name: &str) {
        // The name is a token, in a group or not.
        let next = self.tokens[self.at..].iter().map(|(_, token)| *token).find(|token| *token != Token::Open);
        let (message, remedy) = match next {
            Some(Token::Command(own)) if MARKS.contains(&own) => (
                format!("grader does not read the marks of lists from `\\{own}`"),
                "write \\begin{enumerate}[label=(\\alph*)]",
            ),
            _ => (
                format!("grader cannot read this `\\{name}`"),
                "write \\newcommand{\\name}[1]{text}, or the text itself where it is used",
            ),
        };
        self.notes.warn(offset, message, remedy);
        self.skip_argument();
        // The numbers of arguments, as `[1]` or `#1`.
        while matches!(self.peek(), Some(Token::Text(_))) {
            self.at += 1;
        }
        if name == "let" {
            return self.skip_argument();
        }
        while self.peek() == Some(Token::Open) {
            self.skip_argument();
            self.skip_brackets();
        }
    }

    /// Skips the argument that follows: a group, or one token.
    fn skip_argument(&mut self) {
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            match token {
                Token::Open => depth += 1,
                Token::Close if depth == 0 => return,
                Token::Close => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 && token != Token::Space {
                return;
            }
        }
    }

    fn verbatim_options(&mut self, options: &str) {
        for option in options.split(',').map(str::trim) {
            let key = option.split('=').next().unwrap_or_default().trim();
            if SHOWN_BY_VERBATIM.contains(&key) {
                let remedy = "remove it, and write what it shows above or below the block";
                self.notes.warn(self.offset(), format!("grader does not know the option `{option}`"), remedy);
            }
        }
    }

    fn picture(&mut self, offset: usize) {
        let PictureOptions { width, height, alt, unknown } = PictureOptions::read(self.options().unwrap_or_default());
        for option in unknown {
            let message = format!("grader does not know the option `{option}` of `\\includegraphics`");
            let remedy =
                "write a size such as width=0.5\\textwidth or height=3cm, and save the picture as it should look";
            self.notes.warn(offset, message, remedy);
        }
        let file = self.raw().first().copied().unwrap_or_default();
        self.inline(Part::Picture(PictureRef { file: file.trim().to_owned(), width, height, alt: alt.to_owned() }));
    }

    /// `\epigraph{text}{source}`
    fn epigraph(&mut self) {
        self.end_paragraph();
        self.put(Part::Markup("<blockquote class=\"epigraph\">"));
        let text = self.apart(Mode::Inline);
        self.made.parts.extend(text);
        self.put(Part::Markup("<footer>"));
        let source = self.apart(Mode::Inline);
        self.made.parts.extend(source);
        self.put(Part::Markup("</footer></blockquote>\n"));
    }

    fn caption(&mut self, has_number: bool) {
        self.skip_brackets();
        self.end_paragraph();
        self.put(Part::Markup("<figcaption>"));
        let of = |until: &Until<'_>| if let Until::Environment(name) = until { CaptionKind::of(name) } else { None };
        if let Some(of) = self.open.iter().rev().find_map(of).filter(|_| has_number && self.has_references) {
            let number = self.captions.next(of);
            let word = if of == CaptionKind::Figure { self.words.figure } else { self.words.table };
            self.put(Part::Event(Event::Text(format!("{word} {number}: ").into())));
        }
        let caption = self.apart(Mode::Inline);
        self.made.parts.extend(caption);
        self.put(Part::Markup("</figcaption>\n"));
    }

    /// Shows what a label names.
    fn reference(&mut self, name: &str) {
        let offset = self.offset();
        for label in self.raw().first().copied().unwrap_or_default().split(',').map(str::trim) {
            if let Some(number) = self.labels.get(label).cloned() {
                self.text(number);
            } else {
                let message = format!("`\\{name}{{{label}}}` names no figure, table or item with a number");
                self.notes.warn(offset, message, "write what it refers to");
                self.text("??");
            }
        }
    }

    fn sample(&mut self, place: Part) {
        self.end_paragraph();
        self.put(place);
    }

    fn heading(&mut self, [begin, end]: [&'static str; 2]) {
        self.skip_brackets();
        self.end_paragraph();
        self.put(Part::Markup(begin));
        let heading = self.apart(Mode::Inline);
        self.made.parts.extend(heading);
        self.put(Part::Markup(end));
    }

    fn link(&mut self, name: &str) {
        self.options();
        let target = self.raw().first().copied().unwrap_or_default().trim().to_owned();
        let target = target.replace("\\%", "%").replace("\\#", "#").replace("\\_", "_").replace("\\&", "&");
        self.inline(Part::Event(Event::Start(pulldown_cmark::Tag::Link {
            link_type: pulldown_cmark::LinkType::Inline,
            dest_url: target.clone().into(),
            title: "".into(),
            id: "".into(),
        })));
        if name == "href" {
            self.argument();
        } else {
            self.text(target);
        }
        self.put(Part::Event(Event::End(pulldown_cmark::TagEnd::Link)));
    }

    /// `\illustration{width}{file}{caption}`, with the width as a share of the page.
    fn illustration(&mut self, offset: usize) {
        self.end_paragraph();
        let raw = self.raw();
        let [width, file] = [0, 1].map(|at| raw.get(at).copied().unwrap_or_default().trim());
        if percent(width).is_none() {
            let message = format!("the width `{width}` of `\\illustration` is not a number");
            self.notes.warn(offset, message, "write the share of the page, such as 0.4");
        }
        self.put(Part::Markup("<figure class=\"illustration\">"));
        let caption = self.apart(Mode::Inline);
        let picture = PictureRef { file: file.to_owned(), width: percent(width), height: None, alt: plain(&caption) };
        self.put(Part::Picture(picture));
        self.put(Part::Markup("<figcaption>"));
        self.made.parts.extend(caption);
        self.put(Part::Markup("</figcaption></figure>\n"));
    }

    fn footnote(&mut self) {
        self.skip_brackets();
        self.footnotes += 1;
        let number = self.footnotes;
        self.inline(Part::Made(format!("<sup>{number}</sup>")));
        let note = self.apart(Mode::Inline);
        let offset = self.offset();
        self.asides.push((offset, Part::Made(format!("<p><sup>{number}</sup> "))));
        self.asides.extend(note);
        self.asides.push((offset, Part::Markup("</p>\n")));
    }

    fn environment(&mut self, name: &'t str) {
        let offset = self.offset();
        self.at += 1;
        let options = self.options().unwrap_or_default();
        let raw = self.raw();
        match name {
            "itemize" | "enumerate" | "description" | "compactitem" | "compactenum" => {
                self.list(name, &ListOptions::read(options), offset);
            }
            "tabular" | "tabular*" | "tabularx" | "longtable" => {
                let columns = raw.last().copied().unwrap_or_default();
                self.table(name, columns, offset);
            }
            _ => self.block(name, offset),
        }
    }

    fn block(&mut self, name: &'t str, offset: usize) {
        let block = BLOCKS.iter().find(|(known, _)| *known == name).map(|(_, block)| *block);
        if block.is_none() {
            let remedy = instead_of(name)
                .unwrap_or("remove its \\begin and \\end, or write an environment that docs/statement.md lists");
            let message = format!("grader does not know the environment `{name}`: only the text in it is shown");
            self.notes.warn(offset, message, remedy);
        }
        let Block { begin, end, heading } = block.unwrap_or(Block { begin: "", end: "", heading: "" });
        if self.mode == Mode::Inline {
            return self.parts(Until::Environment(name), offset);
        }
        self.end_paragraph();
        if !heading.is_empty() {
            self.put(Part::Markup("<h2>"));
            self.put(Part::Event(Event::Text(heading.into())));
            self.put(Part::Markup("</h2>\n"));
        }
        self.put(Part::Markup(begin));
        self.parts(Until::Environment(name), offset);
        self.end_paragraph();
        self.put(Part::Markup(end));
    }

    /// A list. `offset` is the place of its begin.
    fn list(&mut self, name: &'t str, options: &ListOptions<'t>, offset: usize) {
        for option in &options.unknown {
            let message = format!("grader does not know the option `{option}` of a list");
            self.notes.warn(offset, message, "write a mark such as label=(\\alph*), or \\item[mark] at each item");
        }
        let outer = self.mode;
        self.end_paragraph();
        self.mode = Mode::Block;
        let [begin, end] = match name {
            "enumerate" | "compactenum" => ["<ol>\n", "</ol>\n"],
            "description" => ["<ul class=\"plain\">\n", "</ul>\n"],
            _ => ["<ul>\n", "</ul>\n"],
        };
        match options.start.filter(|_| NUMBERED.contains(&name)) {
            Some(start) => self.put(Part::Made(format!("<ol start=\"{start}\">\n"))),
            None => self.put(Part::Markup(begin)),
        }
        let kept = self.styles.len();
        let mut has_item = false;
        let mut items = 0;
        let mut end_item = |own: &mut Self| {
            own.end_paragraph();
            if mem::replace(&mut has_item, true) {
                own.put(Part::Markup("</li>\n"));
            }
        };
        let until = Until::Environment(name);
        self.begin(until, offset);
        while !self.is_end(until, offset) {
            match self.peek() {
                Some(Token::Command("item")) => {
                    end_item(self);
                    self.at += 1;
                    items += 1;
                    self.item(name, options.mark_of(items));
                }
                Some(token) => self.token(token),
                None => {}
            }
        }
        self.open.pop();
        self.close_styles(kept);
        end_item(self);
        self.put(Part::Markup(end));
        self.mode = if outer == Mode::Inline { Mode::Inline } else { Mode::Block };
    }

    /// The begin of an item, with its `[label]`, otherwise with the mark that the list states.
    fn item(&mut self, list: &str, mark: Option<String>) {
        while self.peek() == Some(Token::Space) {
            self.at += 1;
        }
        match mark {
            _ if self.peek() == Some(Token::Text("[")) => {}
            Some(mark) => {
                self.put(Part::Markup("<li class=\"own\">"));
                return self.text(format!("{mark} "));
            }
            None => return self.put(Part::Markup("<li>")),
        }
        // It stands in place of the mark or the number.
        self.put(Part::Markup("<li class=\"own\">"));
        self.at += 1;
        self.text("");
        let kept = self.styles.len();
        if list == "description" {
            self.open_style(Style::Bold);
        }
        while let Some(token) = self.peek().filter(|token| !matches!(token, Token::Close | Token::End(_))) {
            if token == Token::Text("]") {
                self.at += 1;
                break;
            }
            self.token(token);
        }
        self.close_styles(kept);
        self.text(" ");
    }
}

/// The text of some parts.
fn plain(parts: &[(usize, Part)]) -> String {
    let text = |part: &Part| match part {
        Part::Event(Event::Text(text) | Event::Code(text) | Event::InlineMath(text)) => Some(text.to_string()),
        _ => None,
    };
    parts.iter().filter_map(|(_, part)| text(part)).collect()
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
