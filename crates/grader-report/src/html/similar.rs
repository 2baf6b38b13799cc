//! Shows which submissions to a problem are nearly identical, side by side. A hint for a person, never a verdict.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::super::failure::clean;
use super::super::sources::{Files, Programs};
use super::super::text::{count, first_of};
use crate::problem::ProblemId;
use crate::record::Report;
use crate::similarity::{self, Options, Pair, Program, SharedPart, Similarities};

/// The most pairs of one problem on a page.
const MOST: usize = 50;
/// The most ranges of lines that the head of a pair names for one program.
const MOST_RANGES: usize = 5;
/// The most students named in a set of identical programs.
const NAMED: usize = 60;
/// The most programs of a set of identical ones that are shown.
const MOST_SIDES: usize = 6;
/// The most bytes of all programs that a problem shows side by side.
const ROOM: usize = 3 << 20;
/// The most lines of a program that are shown, and the most characters of a line.
const MOST_LINES: usize = 600;
const MOST_COLUMNS: usize = 300;
/// The number of colours of marked parts. Each part also has a letter.
const COLOURS: usize = 6;

/// The similar submissions of one problem.
#[derive(Debug, Default)]
pub(super) struct Similar {
    /// The number of programs that were compared.
    pub(super) compared: usize,
    /// The number of programs that could be read.
    pub(super) programs: usize,
    /// The share from which on pairs are shown, in percent.
    pub(super) threshold: String,
    /// The shares from which on a reader can choose to see pairs, in percent.
    pub(super) steps: Vec<u32>,
    /// The number of programs of earlier courses.
    pub(super) earlier: usize,
    pub(super) identical: Vec<EqualPrograms>,
    pub(super) pairs: Vec<SimilarPair>,
    /// Remarks about programs that were not compared.
    pub(super) remarks: Vec<String>,
}

/// Programs that are equal but for names, layout and comments.
#[derive(Debug)]
pub(super) struct EqualPrograms {
    pub(super) count: usize,
    pub(super) students: String,
    /// Whether names, layout and comments are the same, too.
    pub(super) is_same: bool,
    /// The first programs.
    pub(super) sides: Vec<Side>,
}

/// Two similar submissions.
#[derive(Debug)]
pub(super) struct SimilarPair {
    /// In percent.
    pub(super) share: String,
    /// The steps of the page that the share does not reach.
    pub(super) below: Vec<u32>,
    pub(super) sides: [Side; 2],
}

/// One of two programs.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) name: String,
    /// The shared lines in words.
    pub(super) lines: String,
    /// Its files; none if the page has no room.
    pub(super) files: Vec<ShownFile>,
}

/// A file of a program.
#[derive(Debug)]
pub(super) struct ShownFile {
    pub(super) name: String,
    pub(super) lines: Vec<ShownLine>,
}

/// A line of a program.
#[derive(Debug)]
pub(super) struct ShownLine {
    pub(super) number: usize,
    pub(super) text: String,
    /// The part that both programs share.
    pub(super) part: Option<Part>,
}

/// A part that two programs share.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) colour: usize,
    /// `A` to `Z`, then `A2`.
    pub(super) label: String,
}

impl Similar {
    /// Whether nothing was found.
    pub(super) fn is_empty(&self) -> bool {
        self.identical.is_empty() && self.pairs.is_empty()
    }

    /// The similarities among some programs with these names.
    fn new(found: &Similarities<'_>, read: &[(String, &Files)], threshold: f64) -> Self {
        let names: Vec<String> = read.iter().map(|(name, _)| clean(name)).collect();
        let least = percent(threshold);
        let steps: Vec<u32> =
            std::iter::once(least).chain((1..10).map(|ten| ten * 10).filter(|step| *step > least)).collect();
        let mut room = ROOM;
        let equal = |set: &Vec<usize>| {
            let texts = |at: usize| read[at].1.iter().map(|(_, text)| text);
            let side = |at: &usize| Side {
                name: names[*at].clone(),
                lines: String::new(),
                files: shown(read[*at].1, &[], &mut room),
            };
            EqualPrograms {
                count: set.len(),
                students: first_of(set.iter().map(|at| names[*at].as_str()), NAMED),
                is_same: set.iter().all(|at| texts(*at).eq(texts(set[0]))),
                sides: set.iter().take(MOST_SIDES).map(side).collect(),
            }
        };
        let identical = found.identical.iter().map(equal).collect();
        let pair = |pair: &Pair<'_>| {
            let share = percent(pair.share);
            let mut side = |program: usize, marks: &[SharedPart<'_>]| Side {
                name: names[program].clone(),
                lines: lines(marks),
                files: shown(read[program].1, marks, &mut room),
            };
            SimilarPair {
                share: format!("{share} %"),
                below: steps.iter().copied().filter(|step| share < *step).collect(),
                sides: [side(pair.left, &pair.marks[0]), side(pair.right, &pair.marks[1])],
            }
        };
        Self {
            identical,
            pairs: found.pairs.iter().map(pair).collect(),
            threshold: least.to_string(),
            steps,
            ..Self::default()
        }
    }
}

/// The author of a program. Programs of one author are not compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Author<'a> {
    /// A student or a team.
    Student(&'a str),
    /// An author of an earlier course.
    Earlier(&'a str),
}

/// Compares the submissions to a problem, with each other and with those of earlier courses.
pub(super) fn of(problem: &ProblemId, report: &Report, programs: &Programs) -> Similar {
    let sources = programs.of(problem, report);
    let threshold = programs.comparison.threshold;
    let called = |author: &String| report.head.as_ref().map_or(author.clone(), |head| head.called(author));
    let submitted = sources.submitted.iter().map(|program| {
        let names: Vec<String> = program.authors.iter().map(called).collect();
        (names.join(" + "), Author::Student(&program.written_by), &program.files)
    });
    let earlier =
        sources.earlier.iter().map(|(name, files)| (format!("{name} (earlier)"), Author::Earlier(name), files));
    let all: Vec<(String, Author<'_>, &Files)> = submitted.chain(earlier).collect();
    let mut authors: BTreeMap<Author<'_>, usize> = BTreeMap::new();
    let compared = all.iter().map(|(_, author, files)| {
        let known = authors.len();
        let is_earlier = matches!(author, Author::Earlier(_));
        Program { author: *authors.entry(*author).or_insert(known), is_earlier, files: borrowed(files) }
    });
    let compared: Vec<Program<'_>> = compared.collect();
    let found = similarity::similar(&compared, &borrowed(&sources.given), &Options { threshold, most: MOST });
    let remarks = [
        (found.more_pairs, "further pair", "not shown"),
        (found.too_short, "program", "too short to compare"),
        (found.too_common, "program", "made almost only of code that many students share, and not compared"),
        (sources.missing, "submission", "not compared: the sources are no longer there"),
        (sources.unfit, "submission", "not compared: it contains no text of at most 256 KiB"),
    ];
    let remark = |(n, what, why)| format!("{} {} {why}", count(n, what), if n == 1 { "is" } else { "are" });
    let remarks = remarks.into_iter().filter(|(n, ..)| *n > 0).map(remark).collect();
    let read: Vec<(String, &Files)> = all.iter().map(|(name, _, files)| (name.clone(), *files)).collect();
    let compared = read.len().saturating_sub(found.too_short + found.too_common);
    let earlier = sources.earlier.len();
    Similar { compared, programs: read.len(), earlier, remarks, ..Similar::new(&found, &read, threshold) }
}

fn borrowed(files: &Files) -> Vec<(&str, &[u8])> {
    files.iter().map(|(name, text)| (name.as_str(), text.as_slice())).collect()
}

/// A share in percent, rounded down.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share is from 0 to 1")]
fn percent(share: f64) -> u32 {
    // 0.6 × 100 is a little less than 60.
    (share * 100.0 + 1e-9).floor() as u32
}

/// The files of a program with their marked lines.
fn shown(files: &Files, marks: &[SharedPart<'_>], room: &mut usize) -> Vec<ShownFile> {
    let bytes: usize = files.iter().map(|(_, text)| text.len().min(MOST_LINES * MOST_COLUMNS)).sum();
    if bytes > *room {
        return Vec::new();
    }
    *room -= bytes;
    let file = |(name, text): &(String, Vec<u8>)| {
        let parts: Vec<(RangeInclusive<usize>, usize)> = marks
            .iter()
            .filter(|mark| mark.lines.file == name)
            .map(|mark| (mark.lines.first..=mark.lines.last, mark.part))
            .collect();
        let line = |(at, text): (usize, &str)| {
            let number = at + 1;
            let part = parts.iter().find(|(lines, _)| lines.contains(&number)).map(|(_, part)| part_of(*part));
            // Tabs would make columns of any width.
            let text: String = text.chars().take(MOST_COLUMNS).collect();
            ShownLine { number, text: clean(&text.replace('\t', "    ")), part }
        };
        let text = String::from_utf8_lossy(text);
        ShownFile { name: clean(name), lines: text.lines().enumerate().take(MOST_LINES).map(line).collect() }
    };
    files.iter().map(file).collect()
}

fn part_of(part: usize) -> Part {
    let letter = char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[part % 26]);
    let round = part / 26 + 1;
    let label = if round == 1 { letter.to_string() } else { format!("{letter}{round}") };
    Part { colour: part % COLOURS, label }
}

/// `3–20, 31–40`, or with the names of files if there are several.
fn lines(marks: &[SharedPart<'_>]) -> String {
    let several = marks.iter().any(|mark| mark.lines.file != marks[0].lines.file);
    let range = |mark: &SharedPart<'_>| {
        let file = if several { format!("{} ", clean(mark.lines.file)) } else { String::new() };
        format!("{file}{}–{}", mark.lines.first, mark.lines.last)
    };
    first_of(marks.iter().map(range), MOST_RANGES)
}
