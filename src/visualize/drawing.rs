//! Reads and saves the pictures and pages that a visualiser wrote.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::page::{self, PageError, Subject};
use crate::package::reader::is_package_name;
use crate::problem::{TestCase, TestGroup, VisualizerKind};
use crate::report::document::write_whole;
use crate::report::file_name::safe_name;
use crate::report::picture::{KINDS, MOST, Picture, PictureError};

/// The most pictures of one test case.
const MOST_PICTURES: usize = 100;

/// The pictures and pages of one test case or output, by name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Drawing {
    pub(crate) pictures: Vec<Picture>,
    /// Pages: the names of their files, and their texts.
    pub(crate) pages: Vec<(String, String)>,
}

/// Why the files of a visualiser cannot be used as a drawing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DrawingError {
    /// A file is not a picture.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// There are too many pictures.
    #[error("it wrote more than {MOST_PICTURES} pictures")]
    Many,
    /// Markup from a program that has read the output of a contestant, which may be hostile.
    #[error("it wrote {name}, but an output visualiser may write only pictures and .json")]
    Markup {
        /// The file.
        name: String,
    },
    /// A body that could load another page.
    #[error("{name} has `http-equiv`, which could lead whoever opens it elsewhere")]
    Leads {
        /// The file.
        name: String,
    },
    /// A page cannot be made.
    #[error(transparent)]
    Page(#[from] PageError),
    /// A file cannot be read.
    #[error("cannot read {name}: {error}")]
    Io {
        /// The file.
        name: String,
        /// The cause.
        error: io::Error,
    },
}

/// The stems of the files that grader reads. The format defines those of outputs; BAPCtools defines that of cases.
fn stems(kind: VisualizerKind) -> &'static [&'static str] {
    match kind {
        VisualizerKind::Input => &["testcase"],
        VisualizerKind::Output => &["judgeimage", "teamimage"],
    }
}

/// The files that a visualiser should write, for messages.
pub(super) fn expected_names(kind: VisualizerKind) -> &'static str {
    match kind {
        VisualizerKind::Input => "testcase.svg, .png, .jpg, .jpeg, .json or .html into its working directory",
        VisualizerKind::Output => {
            "judgeimage or teamimage with .svg, .png, .jpg, .jpeg or .json into its feedback directory"
        }
    }
}

impl Drawing {
    /// Reads the files that a visualiser left in a directory. `page` has the script of its pages.
    pub(super) fn read(
        dir: &Path,
        kind: VisualizerKind,
        page: &Path,
        subject: &Subject<'_>,
    ) -> Result<Self, DrawingError> {
        let mut drawing = Self::default();
        // The data and the body of each page.
        let mut pages: BTreeMap<String, [Option<Vec<u8>>; 2]> = BTreeMap::new();
        for name in names(dir, kind)? {
            let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
            let read = || fs::read(dir.join(&name)).map_err(|error| DrawingError::Io { name: name.clone(), error });
            match (ending, kind) {
                ("json", _) => pages.entry(stem.to_owned()).or_default()[0] = Some(read()?),
                ("html", VisualizerKind::Input) => {
                    let body = read()?;
                    if body.to_ascii_lowercase().windows(10).any(|part| part == b"http-equiv") {
                        return Err(DrawingError::Leads { name });
                    }
                    pages.entry(stem.to_owned()).or_default()[1] = Some(body);
                }
                ("html", VisualizerKind::Output) => return Err(DrawingError::Markup { name }),
                _ => drawing.pictures.extend(Picture::of(&name, read()?)?),
            }
            if drawing.pictures.len() + pages.len() > MOST_PICTURES {
                return Err(DrawingError::Many);
            }
        }
        for (stem, [data, body]) in pages {
            let text = page::make(&stem, data.as_deref(), body.as_deref(), page, subject)?;
            drawing.pages.push((format!("{stem}.html"), text));
        }
        Ok(drawing)
    }

    /// A drawing that consists of the illustration of a case.
    pub(super) fn of_illustration(picture: Picture) -> Self {
        let ending = picture.name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let picture = Picture { name: format!("testcase.{ending}"), ..picture };
        Self { pictures: vec![picture], pages: Vec::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pictures.is_empty() && self.pages.is_empty()
    }

    /// Writes each file atomically: `testcase.svg` to `<folder>/<stem>.svg`, any other to `<folder>/<stem>/<name>`. The
    /// parts of the path `stem` may be any text; the files stay below `folder`. Returns their paths.
    pub(crate) fn save(&self, folder: &Path, stem: &str) -> io::Result<Vec<PathBuf>> {
        let parts: Vec<String> = stem.split('/').filter(|part| !part.is_empty()).map(safe_name).collect();
        let stem = folder.join(parts.join("/"));
        let pictures = self.pictures.iter().map(|picture| (&picture.name, &picture.bytes[..]));
        let pages = self.pages.iter().map(|(name, text)| (name, text.as_bytes()));
        let save = |(name, bytes): (&String, &[u8])| {
            let path = match name.strip_prefix("testcase.") {
                Some(ending) => stem.with_file_name(format!("{}.{ending}", parts.last().map_or("", |last| last))),
                None => stem.join(name),
            };
            write_whole(&path, bytes).map(|()| path)
        };
        pictures.chain(pages).map(save).collect()
    }

    /// The number of bytes.
    pub(super) fn size(&self) -> usize {
        let pages: usize = self.pages.iter().map(|(_, text)| text.len()).sum();
        pages + self.pictures.iter().map(|picture| picture.bytes.len()).sum::<usize>()
    }
}

/// The names of the files that grader reads, in their order.
fn names(dir: &Path, kind: VisualizerKind) -> Result<Vec<String>, DrawingError> {
    let unreadable = |error| DrawingError::Io { name: "what it wrote".to_owned(), error };
    let mut names = Vec::new();
    for entry in fs::read_dir(dir).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        // grader reads only files with certain names, and all of these are UTF-8.
        let Ok(name) = entry.file_name().into_string() else { continue };
        let counts = |stem: &str| name.strip_prefix(stem).is_some_and(|rest| rest.starts_with(['.', '-']));
        // The name becomes a part of paths and addresses.
        let is_file = entry.file_type().map_err(unreadable)?.is_file() && is_package_name(&name);
        if is_file && stems(kind).iter().any(|stem| counts(stem)) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// The other files that a visualiser wrote, in words for a message; empty without such files.
pub(super) fn others(dir: &Path) -> String {
    // This only completes a message.
    let names = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let own = |name: &String| !["case", "said"].contains(&name.as_str());
    let names: Vec<String> = names.filter_map(|name| name.into_string().ok()).filter(own).take(3).collect();
    if names.is_empty() { String::new() } else { format!(", but {}", names.join(", ")) }
}

/// The illustration of a case in its package, beside its input: a picture of the same name (package format 2025-09,
/// "Illustrations"). One that cannot be shown counts as none.
pub(crate) fn illustration_of(group: &TestGroup, case: &TestCase) -> Option<Picture> {
    let path = KINDS.iter().map(|(ending, _)| group.dir.join(format!("{}.{ending}", case.name)));
    let path = path.into_iter().find(|path| fs::symlink_metadata(path).is_ok_and(|found| found.is_file()))?;
    let name = path.file_name()?.to_str()?.to_owned();
    if path.metadata().ok()?.len() > MOST {
        return None;
    }
    Picture::of(&name, fs::read(&path).ok()?).ok()?
}
