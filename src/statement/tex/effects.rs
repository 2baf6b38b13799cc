//! Shows what each known command stands for: pictures, captions, links, footnotes.

use pulldown_cmark::Event;

use super::commands::Style;
use super::lex::Token;
use super::macros::{DEFINING, MARKS};
use super::references::CaptionKind;
use super::sizes::{PictureOptions, percent};
use super::{Mode, Translator, Until};
use crate::statement::parts::{Part, PictureRef};

/// The most characters of a title.
const MOST_OF_TITLE: usize = 1000;

/// Commands that show what a label names.
pub(super) const REFERENCES: [&str; 5] = ["ref", "autoref", "cref", "Cref", "eqref"];

/// The begin of a constant in a formula.
const CONSTANT: &str = "\\constant{";

/// Options of verbatim text that show something, or let commands act in it. The others are about looks.
const SHOWN_BY_VERBATIM: [&str; 8] =
    ["caption", "title", "label", "escapeinside", "escapechar", "mathescape", "commandchars", "texcl"];

impl<'t> Translator<'_, 't, '_> {
    /// Translates a command that is more than a symbol or a style. Returns whether it is known. `offset`: its place.
    pub(super) fn known(&mut self, name: &'t str, offset: usize) -> bool {
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
    pub(super) fn without_constants(&mut self, source: &str) -> String {
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

    pub(super) fn verbatim_options(&mut self, options: &str) {
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
}

/// The text of some parts.
fn plain(parts: &[(usize, Part)]) -> String {
    let text = |part: &Part| match part {
        Part::Event(Event::Text(text) | Event::Code(text) | Event::InlineMath(text)) => Some(text.to_string()),
        _ => None,
    };
    parts.iter().filter_map(|(_, part)| text(part)).collect()
}
