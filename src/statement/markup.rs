//! Makes HTML of the parts of a statement, with its pictures, formulas and samples in it.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Tag, TagEnd, html};
use quick_xml::escape::escape;

use super::math::mathml;
use super::parts::{Notes, Part, Parts, PictureRef};
use super::width::is_too_wide;
use super::words::Words;
use crate::report::picture::{KINDS, MOST, Picture, PictureError};

/// The most bytes of all pictures of a statement.
const MOST_OF_ALL: usize = 16 << 20;

/// Why a picture is not in a statement.
#[derive(Debug, thiserror::Error)]
enum NoFigure {
    /// It is not beside the statement.
    #[error("the picture `{0}` is not beside the statement")]
    Outside(String),
    /// The file does not exist.
    #[error("there is no picture `{0}`")]
    Missing(String),
    /// It cannot be read.
    #[error("cannot read the picture `{name}`: {error}")]
    Read { name: String, error: io::Error },
    /// Browsers show no pictures of its kind.
    #[error("the picture `{0}` is of a kind that browsers do not show")]
    Unshown(String),
    /// It is not a picture.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// All of them are too large.
    #[error("the pictures are larger than {} MiB together", MOST_OF_ALL >> 20)]
    All,
}

/// The folders and samples of a statement, which its text refers to.
pub(super) struct Surroundings<'a> {
    /// The folder of the statement.
    pub(super) folder: &'a Path,
    /// The directory of the problem, beyond which no link leads.
    pub(super) problem: &'a Path,
    /// The samples, as HTML.
    pub(super) samples: VecDeque<String>,
    /// The words for blocks that are samples, such as `input1`; none if the format has no such blocks.
    pub(super) sample_blocks: Option<&'static Words>,
}

/// Makes HTML. Samples without a place of their own come last.
pub(super) fn html(parts: Parts, surroundings: &mut Surroundings<'_>, notes: &mut Notes<'_>) -> String {
    let mut room = MOST_OF_ALL;
    let mut events = Vec::with_capacity(parts.parts.len());
    let slug = surroundings.problem.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let own = |label: &str| CowStr::from(format!("{slug}-{label}"));
    for (offset, part) in parts.parts {
        match part {
            Part::Event(Event::InlineMath(source)) => events.push(formula(offset, &source, false, notes)),
            Part::Event(Event::DisplayMath(source)) => events.push(formula(offset, &source, true, notes)),
            Part::Event(Event::Start(Tag::Link { dest_url, .. })) => events.push(link(offset, &dest_url, notes)),
            Part::Event(Event::End(TagEnd::Link)) => events.push(Event::InlineHtml("</a>".into())),
            // In a booklet, the footnotes of one problem are not those of another.
            Part::Event(Event::FootnoteReference(label)) => events.push(Event::FootnoteReference(own(&label))),
            Part::Event(Event::Start(Tag::FootnoteDefinition(label))) => {
                events.push(Event::Start(Tag::FootnoteDefinition(own(&label))));
            }
            Part::Event(Event::Start(Tag::CodeBlock(kind))) => {
                let title = surroundings.sample_blocks.and_then(|words| title_of_block(&kind, words));
                events.extend(title.map(|title| Event::Html(format!("<h3>{title}</h3>\n").into())));
                events.push(Event::Start(Tag::CodeBlock(kind)));
            }
            Part::Event(event) => events.push(event),
            Part::Markup(markup) => events.push(Event::InlineHtml(markup.into())),
            Part::Made(markup) => events.push(Event::InlineHtml(markup.into())),
            Part::Picture(picture) => match figure(&picture, surroundings, &mut room) {
                Ok(markup) => events.push(Event::InlineHtml(markup.into())),
                Err(error) => {
                    refuse(&error, offset, notes);
                    events.push(Event::Text(format!("[{}]", picture.file).into()));
                }
            },
            Part::NextSample => match surroundings.samples.pop_front() {
                Some(sample) => events.push(Event::Html(sample.into())),
                None => notes.fail(offset, "there is no sample left for this place", "remove it, or add a sample"),
            },
            Part::RemainingSamples => {
                events.extend(surroundings.samples.drain(..).map(|sample| Event::Html(sample.into())));
            }
        }
    }
    events.extend(surroundings.samples.drain(..).map(|sample| Event::Html(sample.into())));
    let mut made = String::new();
    html::push_html(&mut made, events.into_iter());
    // The policy of the page permits no style in an element. Text is escaped, so only cells of tables have this one.
    for side in ["left", "center", "right"] {
        made = made.replace(&format!(" style=\"text-align: {side}\">"), &format!(" class=\"{side}\">"));
    }
    made
}

/// The title of a block that Hydro shows as a part of a sample: `input1`, `output1`.
fn title_of_block(kind: &CodeBlockKind<'_>, words: &Words) -> Option<String> {
    let CodeBlockKind::Fenced(name) = kind else { return None };
    let titles = [("input", words.input), ("output", words.output)];
    let (title, number) = titles.into_iter().find_map(|(word, title)| Some((title, name.strip_prefix(word)?)))?;
    let number: u32 = number.parse().ok()?;
    Some(format!("{title} {number}"))
}

/// A text within HTML.
pub(super) fn escaped(text: &str) -> String {
    escape(text).into_owned()
}

fn formula(offset: usize, source: &str, display: bool, notes: &mut Notes<'_>) -> Event<'static> {
    let short = || -> String {
        let words: Vec<&str> = source.split_whitespace().collect();
        words.join(" ").chars().take(60).collect()
    };
    match mathml(source, display) {
        Ok(markup) => {
            if is_too_wide(&markup) {
                let message = format!("the formula `{}…` is wider than a printed page, which cuts it", short());
                let remedy = "write it in several lines: \\begin{aligned} a \\\\ b \\end{aligned} in $$";
                notes.warn(offset, message, remedy);
            }
            Event::InlineHtml(markup.into())
        }
        Err(error) => {
            let message = format!("the formula `{}` is shown as text: {error}", short());
            notes.warn(offset, message, error.remedy());
            Event::Code(source.to_owned().into())
        }
    }
}

/// The begin of a link. One that leads to anything but a page or a place in this one leads nowhere.
fn link(offset: usize, target: &str, notes: &mut Notes<'_>) -> Event<'static> {
    let begins = |scheme: &str| target.get(..scheme.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(scheme));
    let is_fine = ["https://", "http://", "mailto:", "#"].into_iter().any(begins);
    let markup = if is_fine {
        format!("<a href=\"{}\" rel=\"noopener noreferrer\">", escaped(target))
    } else {
        let short: String = target.chars().take(60).collect();
        let remedy = "write the whole address, such as https://example.org, or remove the link";
        notes.warn(offset, format!("the link to `{short}` leads nowhere: it is not an address on the web"), remedy);
        "<a>".to_owned()
    };
    Event::InlineHtml(markup.into())
}

fn refuse(error: &NoFigure, offset: usize, notes: &mut Notes<'_>) {
    let remedy = match error {
        NoFigure::Outside(_) => "put it into the folder of the statement, and name it relative to that",
        NoFigure::Missing(_) => "add it to the folder of the statement, or correct its name",
        NoFigure::Read { .. } => "make it readable",
        NoFigure::Unshown(_) => {
            return notes.warn(offset, error.to_string(), "save it as PNG, JPEG or SVG beside it");
        }
        NoFigure::Picture(PictureError::Large { .. }) => {
            let remedy = format!("make it smaller than {} MiB", MOST >> 20);
            return notes.fail(offset, error.to_string(), &remedy);
        }
        NoFigure::Picture(_) => "save it as PNG, JPEG or SVG without scripts",
        NoFigure::All => "save them smaller",
    };
    notes.fail(offset, error.to_string(), remedy);
}

/// The picture as an element.
fn figure(wanted: &PictureRef, surroundings: &Surroundings<'_>, room: &mut usize) -> Result<String, NoFigure> {
    let picture = picture(&wanted.file, surroundings)?;
    *room = room.checked_sub(picture.bytes.len()).ok_or(NoFigure::All)?;
    let size = |name: &str, value: &Option<String>| {
        value.as_ref().map(|value| format!(" {name}=\"{}\"", escaped(value))).unwrap_or_default()
    };
    let sizes = size("width", &wanted.width) + &size("height", &wanted.height);
    Ok(format!("<img src=\"{}\" alt=\"{}\"{sizes}>", picture.address(), escaped(&wanted.alt)))
}

/// Reads a picture from the folder of the statement.
fn picture(name: &str, surroundings: &Surroundings<'_>) -> Result<Picture, NoFigure> {
    let path = Path::new(name);
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if name.is_empty() || !is_below || name.contains(['\0', ':']) {
        return Err(NoFigure::Outside(name.to_owned()));
    }
    let file = found(&surroundings.folder.join(path)).ok_or_else(|| NoFigure::Missing(name.to_owned()))?;
    let unreadable = |error| NoFigure::Read { name: name.to_owned(), error };
    let real = file.canonicalize().map_err(unreadable)?;
    if !real.starts_with(surroundings.problem.canonicalize().map_err(unreadable)?) {
        return Err(NoFigure::Outside(name.to_owned()));
    }
    let size = real.metadata().map_err(unreadable)?.len();
    let own = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if size > MOST {
        return Err(PictureError::Large { name: own }.into());
    }
    let bytes = fs::read(&real).map_err(unreadable)?;
    Picture::of(&own, bytes)?.ok_or(NoFigure::Unshown(name.to_owned()))
}

/// The file, or the one with an ending that TeX adds. A picture that browsers show comes before a PDF of the same name.
fn found(path: &Path) -> Option<PathBuf> {
    let endings = KINDS.iter().map(|(ending, _)| *ending);
    let is_pdf = path.extension().is_some_and(|ending| ending == "pdf" || ending == "eps");
    let stem = if is_pdf { path.with_extension("") } else { path.to_owned() };
    let with = |ending: &str| PathBuf::from(format!("{}.{ending}", stem.display()));
    let others = endings.map(with).chain([with("pdf")]);
    let mut all: Vec<PathBuf> = others.collect();
    if !is_pdf {
        all.insert(0, path.to_owned());
    }
    all.into_iter().find(|path| path.is_file())
}
