//! Pictures of failed tests, which the visualisers of a problem draw when the run is over.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::super::document::write_whole;
use super::super::failure::clean;
use super::details::ShownFigure;
use super::grid::Grid;
use crate::event::{SubmissionIndex, TestIndex};
use crate::file_name::safe_name;
use crate::verdict::Verdict;

/// The end of the name of the folder with pages and large pictures, beside the page.
const FOLDER: &str = "-drawings";
/// The most bytes of a picture within the page, and of all of them.
const MOST: usize = 200 << 10;
const MOST_OF_ALL: usize = 8 << 20;
/// The most failures that are drawn for one page.
const MOST_FAILURES: usize = 300;

/// A failed test of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    /// The position of the submission among all of the run.
    pub submission: SubmissionIndex,
    /// The position of the test in the plan.
    pub ordinal: TestIndex,
    /// Its verdict.
    pub verdict: Verdict,
}

/// A picture, or a page that stands beside the report.
#[derive(Debug, Clone)]
pub struct Figure {
    /// Its subject: the test case, or the output.
    pub shows: &'static str,
    /// The names of the folders and of the file below the folder of drawings; not yet harmless.
    pub place: Vec<String>,
    /// The media type of a picture; none for a page.
    pub media: Option<&'static str>,
    /// The content of its file.
    pub bytes: Vec<u8>,
}

/// The pictures of a failure.
#[derive(Debug, Clone)]
pub struct DrawnFailure {
    /// The failure.
    pub failure: Failure,
    /// Its pictures and pages.
    pub figures: Vec<Figure>,
    /// The reason why pictures are missing.
    pub missing: Vec<String>,
}

/// Draws the failures of a run that is over.
pub trait Draw: fmt::Debug + Send {
    /// Draws these failures, as far as their problems have visualisers.
    fn draw(&mut self, failures: &[Failure]) -> Vec<DrawnFailure>;
}

/// Pictures and pages for the folder of a page.
#[derive(Debug, Default)]
pub(super) struct Files(BTreeMap<Vec<String>, Vec<u8>>);

impl Files {
    /// Writes all of them below `folder`.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        self.0.iter().try_for_each(|(place, bytes)| {
            let path = place.iter().fold(folder.to_owned(), |path, part| path.join(part));
            write_whole(&path, bytes)
        })
    }
}

/// The failures that a page explains, the first ones of each submission first.
pub(super) fn explained(grids: &[Grid]) -> Vec<Failure> {
    let rows = grids.iter().flat_map(|grid| &grid.rows);
    let mut failures: Vec<(usize, Failure)> = rows
        .flat_map(|row| {
            let of_test = row.explained.iter().filter_map(|explained| Some((explained.ordinal?, explained.verdict?)));
            let failure = |(ordinal, verdict)| Failure { submission: row.submission, ordinal, verdict };
            of_test.map(failure).enumerate().collect::<Vec<_>>()
        })
        .collect();
    failures.sort_by_key(|(nth, failure)| (*nth, failure.submission));
    failures.into_iter().map(|(_, failure)| failure).collect()
}

/// Adds figures to the explanations of failures. `page`: the file beside which others can stand. Returns these files.
pub(super) fn add(grids: &mut [Grid], drawn: Vec<DrawnFailure>, page: Option<&Path>) -> Files {
    let folder = page.and_then(Path::file_stem).map(|stem| format!("{}{FOLDER}", stem.to_string_lossy()));
    let mut files = Files::default();
    let mut room = MOST_OF_ALL;
    for DrawnFailure { failure, figures, missing } in drawn {
        let mut rows =
            grids.iter_mut().flat_map(|grid| &mut grid.rows).filter(|row| row.submission == failure.submission);
        let explained = rows.next().into_iter().flat_map(|row| &mut row.explained);
        let Some(explained) = explained.into_iter().find(|one| one.ordinal == Some(failure.ordinal)) else { continue };
        let shown = &mut explained.shown;
        shown.missing.extend(missing.iter().map(|why| clean(why)));
        for Figure { shows, place, media, bytes } in figures {
            let name = place.last().map(|name| clean(name)).unwrap_or_default();
            let caption = format!("{shows}: {name}");
            let small = media.filter(|_| bytes.len() <= MOST && bytes.len() <= room);
            let data = match small {
                Some(media) => {
                    room -= bytes.len();
                    format!("data:{media};base64,{}", STANDARD.encode(&bytes))
                }
                None => String::new(),
            };
            let mut file = Vec::new();
            if let (true, Some(folder)) = (data.is_empty(), &folder) {
                file = [folder.clone()].into_iter().chain(place.iter().map(|part| safe_name(part))).collect();
                files.0.insert(file.clone(), bytes);
            }
            if data.is_empty() && file.is_empty() {
                shown.missing.push(format!("{caption} needs a file beside the page: --report html=FILE"));
            } else {
                shown.figures.push(ShownFigure { caption, data, file });
            }
        }
    }
    files
}

/// The failures that are drawn, and a sentence about the others, if there are any.
pub(super) fn bounded(mut failures: Vec<Failure>) -> (Vec<Failure>, Option<String>) {
    let more = failures.len().saturating_sub(MOST_FAILURES);
    failures.truncate(MOST_FAILURES);
    let said = (more > 0).then(|| format!("{more} more failures are not drawn: `grader visualize` draws them"));
    (failures, said)
}
