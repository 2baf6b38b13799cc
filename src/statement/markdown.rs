//! Reads statements in Markdown. Markup of HTML in them is shown as text: a package may be hostile.

use std::ops::Range;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

use super::parts::{Notes, Part, Parts, PictureRef};

/// How deep lists and quotes may be nested.
const DEEPEST: usize = 100;

/// Tags that do nothing but shape text, as authors write them.
const TAGS: &[&str] = &[
    "<b>",
    "</b>",
    "<i>",
    "</i>",
    "<u>",
    "</u>",
    "<br>",
    "<br/>",
    "<br />",
    "<em>",
    "</em>",
    "<kbd>",
    "</kbd>",
    "<strong>",
    "</strong>",
    "<sub>",
    "</sub>",
    "<sup>",
    "</sup>",
    "<tt>",
    "</tt>",
    "<code>",
    "</code>",
];

/// Reads a statement.
pub(super) fn read(text: &str, notes: &mut Notes<'_>) -> Parts {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH;
    let mut reader = Reader { notes, made: Parts::default(), depth: 0, title: None, picture: None };
    let mut is_code = false;
    let mut is_table = false;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match &event {
            Event::Start(Tag::CodeBlock(_)) => is_code = true,
            Event::End(TagEnd::CodeBlock) => is_code = false,
            Event::Start(Tag::Table(_)) => is_table = true,
            Event::End(TagEnd::Table) => is_table = false,
            Event::Text(_) if !is_code => {
                reader.no_formula(text, range.clone(), is_table);
                reader.no_constant(text, range.clone());
            }
            // The parser looks for an end without a space before it.
            Event::InlineMath(_) if range.len() > 2 => {
                reader.no_formula(text, range.start + 1..range.end - 1, is_table);
            }
            _ => {}
        }
        reader.event(event.into_static(), range.start);
        if reader.depth > DEEPEST {
            let message = format!("lists or quotes are nested more than {DEEPEST} deep");
            reader.notes.fail(range.start, message, "write it flatter");
            break;
        }
    }
    joined(&mut reader.made.parts);
    alone(&mut reader.made.parts);
    no_place(&reader.made.parts, reader.notes);
    reader.made
}

struct Reader<'a, 'n> {
    notes: &'a mut Notes<'n>,
    made: Parts,
    depth: usize,
    /// The first heading, while it is read.
    title: Option<String>,
    /// The picture whose description is read, with the offset of its begin.
    picture: Option<(usize, PictureRef)>,
}

impl Reader<'_, '_> {
    fn put(&mut self, offset: usize, part: Part) {
        self.made.parts.push((offset, part));
    }

    fn event(&mut self, event: Event<'static>, offset: usize) {
        match &event {
            Event::Start(_) => self.depth += 1,
            Event::End(_) => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if self.of_title(&event) || self.of_picture(&event, offset) {
            return;
        }
        match event {
            Event::Html(html) | Event::InlineHtml(html) => self.html(&html, offset),
            // The title is the only heading of its level.
            Event::Start(Tag::Heading { level, .. }) => self.put(offset, Part::Markup(heading(level, true))),
            Event::End(TagEnd::Heading(level)) => self.put(offset, Part::Markup(heading(level, false))),
            Event::Start(Tag::HtmlBlock) => self.put(offset, Part::Event(Event::Start(Tag::Paragraph))),
            Event::End(TagEnd::HtmlBlock) => self.put(offset, Part::Event(Event::End(TagEnd::Paragraph))),
            event => self.put(offset, Part::Event(event)),
        }
    }

    /// Reports each `$` in this part of the text, outside of braces: it begins or ends no formula.
    fn no_formula(&mut self, text: &str, range: Range<usize>, is_table: bool) {
        let mut depth = 0_usize;
        for (at, c) in text[range.clone()].char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if c != '$' || depth > 0 {
                continue;
            }
            let before = &text[..range.start + at];
            let slashes = before.len() - before.trim_end_matches('\\').len();
            if slashes.is_multiple_of(2) {
                let message = "this `$` has no other `$` with which it encloses a formula";
                let remedy = if is_table {
                    // A bar ends a cell, also in a formula.
                    "in a table, write `\\lvert x\\rvert` in place of bars, add the other `$`, or write `\\$` for a dollar sign"
                } else {
                    "add the other one, or write `\\$` for a dollar sign"
                };
                self.notes.fail(before.len(), message, remedy);
            }
        }
    }

    /// Reports each `{{name}}` in this part of the text that is neither a constant nor the place of a sample.
    fn no_constant(&mut self, text: &str, range: Range<usize>) {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'.';
        for (at, _) in text[range.clone()].match_indices("{{") {
            let inner = &text[range.start + at + 2..range.end];
            let (name, rest) = inner.split_at(inner.bytes().take_while(is_part).count());
            if !name.is_empty() && rest.starts_with("}}") && place_of(&format!("{{{{{name}}}}}")).is_none() {
                self.notes.no_constant(range.start + at, name);
            }
        }
    }

    /// Takes a heading that begins the statement as its title.
    fn of_title(&mut self, event: &Event<'static>) -> bool {
        let is_first = self.made.parts.is_empty() && self.made.title.is_none();
        match (event, &mut self.title) {
            (Event::Start(Tag::Heading { level: pulldown_cmark::HeadingLevel::H1, .. }), None) if is_first => {
                self.title = Some(String::new());
            }
            (Event::End(TagEnd::Heading(_)), Some(title)) => {
                self.made.title = Some(std::mem::take(title));
                self.title = None;
            }
            (Event::Text(text) | Event::Code(text) | Event::InlineMath(text), Some(title)) => title.push_str(text),
            (_, Some(_)) => {}
            (_, None) => return false,
        }
        true
    }

    fn of_picture(&mut self, event: &Event<'static>, offset: usize) -> bool {
        match (event, &mut self.picture) {
            (Event::Start(Tag::Image { dest_url, .. }), None) => {
                let file = dest_url.to_string();
                self.picture = Some((offset, PictureRef { file, alt: String::new(), ..PictureRef::default() }));
            }
            (Event::End(TagEnd::Image), Some(_)) => {
                if let Some((offset, picture)) = self.picture.take() {
                    self.put(offset, Part::Picture(picture));
                }
            }
            (Event::Text(text) | Event::Code(text) | Event::InlineMath(text), Some((_, picture))) => {
                picture.alt.push_str(text);
            }
            (_, Some(_)) => {}
            (_, None) => return false,
        }
        true
    }

    fn html(&mut self, html: &str, offset: usize) {
        let tag = html.trim();
        if let Some(known) = TAGS.iter().find(|known| known.eq_ignore_ascii_case(tag)) {
            self.put(offset, Part::Markup(known));
            return;
        }
        // The events are lines: a comment that begins in one may end in another, and is then shown.
        if tag.starts_with("<!--") && tag.ends_with("-->") {
            return;
        }
        let remedy = "write it in Markdown";
        self.notes.warn(offset, "markup of HTML is shown as text", remedy);
        self.put(offset, Part::Event(Event::Text(CowStr::from(html.to_owned()))));
    }
}

fn heading(level: pulldown_cmark::HeadingLevel, is_begin: bool) -> &'static str {
    match (level as usize, is_begin) {
        (1 | 2, true) => "<h2>",
        (1 | 2, false) => "</h2>\n",
        (_, true) => "<h3>",
        (_, false) => "</h3>\n",
    }
}

/// Joins neighbouring texts: the parser splits them at every special character.
fn joined(parts: &mut Vec<(usize, Part)>) {
    let mut made: Vec<(usize, Part)> = Vec::with_capacity(parts.len());
    let mut open: Option<(usize, String)> = None;
    let whole = |(offset, text): (usize, String)| (offset, Part::Event(Event::Text(text.into())));
    for (offset, part) in parts.drain(..) {
        if let Part::Event(Event::Text(text)) = part {
            open.get_or_insert_with(|| (offset, String::new())).1.push_str(&text);
        } else {
            made.extend(open.take().map(whole));
            made.push((offset, part));
        }
    }
    made.extend(open.map(whole));
    *parts = made;
}

/// Gives pictures the width that follows them, `{width=40%}`. A picture that is a paragraph becomes a figure with its
/// description below; a paragraph `{{nextsample}}` becomes the place of a sample.
fn alone(parts: &mut Vec<(usize, Part)>) {
    let is_begin = |part: &Part| *part == Part::Event(Event::Start(Tag::Paragraph));
    let is_end = |part: &Part| *part == Part::Event(Event::End(TagEnd::Paragraph));
    let mut made = Vec::with_capacity(parts.len());
    let mut rest = with_widths(std::mem::take(parts)).into_iter().peekable();
    let mut paragraph: Vec<(usize, Part)> = Vec::new();
    while let Some((offset, part)) = rest.next() {
        if is_begin(&part) {
            made.append(&mut paragraph);
            paragraph.push((offset, part));
        } else if paragraph.len() == 1 && rest.peek().is_some_and(|(_, next)| is_end(next)) {
            match part {
                Part::Picture(picture) => {
                    let caption = picture.alt.clone();
                    paragraph.clear();
                    rest.next();
                    made.push((offset, Part::Markup("<figure>")));
                    made.push((offset, Part::Picture(picture)));
                    if !caption.is_empty() {
                        made.push((offset, Part::Markup("<figcaption>")));
                        made.push((offset, Part::Event(Event::Text(caption.into()))));
                        made.push((offset, Part::Markup("</figcaption>")));
                    }
                    made.push((offset, Part::Markup("</figure>\n")));
                }
                Part::Event(Event::Text(text)) if place_of(&text).is_some() => {
                    paragraph.clear();
                    rest.next();
                    made.extend(place_of(&text).map(|place| (offset, place)));
                }
                part => {
                    made.append(&mut paragraph);
                    made.push((offset, part));
                }
            }
        } else {
            made.append(&mut paragraph);
            made.push((offset, part));
        }
    }
    made.append(&mut paragraph);
    *parts = made;
}

/// Gives pictures the width that follows them.
fn with_widths(parts: Vec<(usize, Part)>) -> Vec<(usize, Part)> {
    let mut made: Vec<(usize, Part)> = Vec::with_capacity(parts.len());
    for (offset, part) in parts {
        let part = match (made.last_mut(), part) {
            (Some((_, Part::Picture(picture))), Part::Event(Event::Text(text))) => match stated_width(&text) {
                Some((width, rest)) => {
                    picture.width = Some(width);
                    Part::Event(Event::Text(rest.into()))
                }
                None => Part::Event(Event::Text(text)),
            },
            (_, part) => part,
        };
        if part != Part::Event(Event::Text("".into())) {
            made.push((offset, part));
        }
    }
    made
}

/// Reports places of samples within other text, where no sample can stand.
fn no_place(parts: &[(usize, Part)], notes: &mut Notes<'_>) {
    let mut is_code = false;
    for (offset, part) in parts {
        match part {
            Part::Event(Event::Start(Tag::CodeBlock(_))) => is_code = true,
            Part::Event(Event::End(TagEnd::CodeBlock)) => is_code = false,
            Part::Event(Event::Text(text)) if !is_code => {
                for place in PLACES.iter().filter(|place| text.contains(**place)) {
                    let message = format!("`{place}` is shown as text: it is no paragraph");
                    notes.warn(*offset, message, "put it on a line of its own, with an empty line before and after it");
                }
            }
            _ => {}
        }
    }
}

/// How a statement names the places of samples.
const PLACES: [&str; 2] = [NEXT, REMAINING];
const NEXT: &str = "{{nextsample}}";
const REMAINING: &str = "{{remainingsamples}}";

/// The place of samples that a paragraph is.
fn place_of(text: &str) -> Option<Part> {
    match text.trim() {
        NEXT => Some(Part::NextSample),
        REMAINING => Some(Part::RemainingSamples),
        _ => None,
    }
}

/// The width in `{width=40%}` at the begin of a text, and the text behind it.
fn stated_width(text: &str) -> Option<(String, String)> {
    let (inner, rest) = text.strip_prefix('{')?.split_once('}')?;
    let width = inner.trim().strip_prefix("width=")?.trim_matches('"');
    let number = width.strip_suffix('%').or_else(|| width.strip_suffix("px")).unwrap_or(width);
    let number: f64 = number.parse().ok().filter(|number| *number > 0.0 && *number < 10_000.0)?;
    let percent = if width.ends_with('%') { "%" } else { "" };
    Some((format!("{number}{percent}"), rest.to_owned()))
}
