//! Reads an XML document as a tree, with the place of every element. Refuses document types, so that no entity can grow
//! or lead to another file, and bounds the size of the document.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use roxmltree::{Document, Node, ParsingOptions};

use super::CORRECT_IT;
use crate::document::stays_in;
use grader_model::diagnostic::{Diagnostic, TextPosition};

/// The largest document, in bytes: that of a hundred thousand tests is smaller.
pub(super) const MOST_BYTES: u64 = 32 << 20;
/// The most elements and texts of a document.
const MOST_NODES: u32 = 600_000;

/// The text of a document and where its lines begin.
pub(super) struct XmlText {
    file: PathBuf,
    text: String,
    /// The offsets at which lines begin.
    lines: Vec<usize>,
}

impl XmlText {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// The file is not a regular file, is a link to another directory, is too large, or is not UTF-8.
    pub(super) fn load(file: &Path) -> Result<Self, Diagnostic> {
        let cannot = |error: std::io::Error| Diagnostic::error(file, format!("cannot read: {error}"));
        // Opening a named pipe would wait for its writer forever.
        if !std::fs::metadata(file).map_err(cannot)?.is_file() {
            return Err(Diagnostic::error(file, "not a regular file"));
        }
        if !stays_in(file.parent().unwrap_or(Path::new("/")), file).map_err(cannot)? {
            let found = Diagnostic::error(file, "a link that leads out of the package");
            return Err(found.remedy("copy the file into the package"));
        }
        let mut bytes = Vec::new();
        File::open(file).and_then(|open| open.take(MOST_BYTES + 1).read_to_end(&mut bytes)).map_err(cannot)?;
        if bytes.len() as u64 > MOST_BYTES {
            let found = Diagnostic::error(file, format!("larger than {} MiB", MOST_BYTES >> 20));
            return Err(found.remedy("remove some tests"));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let before = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
            let found = Diagnostic::error(file, "not UTF-8").at(Some(TextPosition::of_offset(&before, valid)));
            found.remedy("save it as UTF-8, as Polygon does")
        })?;
        // The parser counts from here, and so do places.
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Ok(Self { file: file.to_owned(), text, lines })
    }

    /// Parses the text.
    ///
    /// # Errors
    /// It is not XML, it has a document type, or it is too large.
    pub(super) fn parse(&self) -> Result<Document<'_>, Diagnostic> {
        let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
        Document::parse_with_options(&self.text, options).map_err(|error| match error {
            roxmltree::Error::NodesLimitReached => {
                let message = format!("more than {MOST_NODES} elements and texts");
                Diagnostic::error(&self.file, message).at(self.first("<testset")).remedy("remove some tests")
            }
            roxmltree::Error::DtdDetected => {
                let found = Diagnostic::error(&self.file, "has a document type, which could hide other files");
                found.at(self.first("<!DOCTYPE")).remedy("remove the <!DOCTYPE>: Polygon writes none")
            }
            error => {
                let pos = error.pos();
                let place = match error {
                    // The parser places these at the start.
                    roxmltree::Error::UnexpectedEndOfStream | roxmltree::Error::UnclosedRootNode => {
                        self.place(self.text.trim_end().len())
                    }
                    _ => TextPosition { line: pos.row, column: pos.col },
                };
                let found = Diagnostic::error(&self.file, format!("not XML: {}", without_place(&error)));
                found.at(Some(place)).remedy(CORRECT_IT)
            }
        })
    }

    /// The place where these characters first occur.
    fn first(&self, tag: &str) -> Option<TextPosition> {
        self.text.find(tag).map(|at| self.place(at))
    }

    /// The place of an element.
    pub(super) fn place_of(&self, node: Node<'_, '_>) -> TextPosition {
        self.place(node.range().start)
    }

    fn place(&self, offset: usize) -> TextPosition {
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = line.checked_sub(1).map_or(0, |at| self.lines[at]);
        let column = self.text.get(start..offset).map_or(0, |before| before.chars().count()) + 1;
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        TextPosition { line: number(line), column: number(column) }
    }
}

/// The message of an error without ` at 3:4` at its end.
fn without_place(error: &roxmltree::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at ") {
        Some((message, place)) if place.chars().all(|c| c.is_ascii_digit() || c == ':') => message.to_owned(),
        _ => text,
    }
}

/// The elements directly in an element with this name.
pub(super) fn children<'a, 'x: 'a>(node: Node<'a, 'x>, name: &'static str) -> impl Iterator<Item = Node<'a, 'x>> {
    node.children().filter(move |child| child.has_tag_name(name))
}

/// The first element directly in an element with this name.
pub(super) fn child<'a, 'x: 'a>(node: Node<'a, 'x>, name: &'static str) -> Option<Node<'a, 'x>> {
    children(node, name).next()
}

/// The elements at the end of a path of names.
pub(super) fn at<'a, 'x: 'a>(node: Node<'a, 'x>, path: &[&'static str]) -> Vec<Node<'a, 'x>> {
    path.iter().fold(vec![node], |nodes, name| nodes.into_iter().flat_map(|node| children(node, name)).collect())
}

/// The value of an attribute that is not empty.
pub(super) fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.attribute(name).map(str::trim).filter(|value| !value.is_empty())
}
