//! Shows which submissions to a problem are nearly identical. A hint for a person, never a verdict.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::super::failure::clean;
use super::super::text::count;
use super::Background;
use crate::problem::ProblemId;
use crate::record::{Report, SubmissionReport};
use crate::similarity::{self, Lines, Options, Program};

/// The share of common text from which on a pair is shown.
const THRESHOLD: f64 = 0.8;
/// The most pairs of one problem on a page.
const MOST: usize = 50;
/// The most bytes of a source file, and the most files of a submission, that are compared.
const MOST_BYTES: u64 = 256 * 1024;
const MOST_FILES: usize = 30;
/// The most students named in a set of identical programs.
const NAMED: usize = 60;

/// The similar submissions of one problem.
#[derive(Debug, Default)]
pub(super) struct Similar {
    /// The students of each set of programs that are equal but for names, layout and comments.
    pub(super) identical: Vec<(usize, String)>,
    pub(super) pairs: Vec<SimilarPair>,
    /// What was not compared, in words.
    pub(super) remarks: Vec<String>,
}

/// Two similar submissions.
#[derive(Debug)]
pub(super) struct SimilarPair {
    /// In percent.
    pub(super) share: String,
    pub(super) left: String,
    pub(super) right: String,
    pub(super) left_lines: String,
    pub(super) right_lines: String,
}

impl Similar {
    /// Whether nothing was found and nothing left out.
    pub(super) fn is_empty(&self) -> bool {
        self.identical.is_empty() && self.pairs.is_empty()
    }
}

/// A submission with its files.
struct Read<'r> {
    run: &'r SubmissionReport,
    files: Vec<(String, Vec<u8>)>,
}

/// Compares the submissions to a problem.
pub(super) fn of(problem: &ProblemId, report: &Report, background: &Background) -> Similar {
    let runs: Vec<&SubmissionReport> = report.runs.iter().filter(|run| run.run.problem == *problem).collect();
    let recorded = recorded_sources(report);
    let source = |run: &SubmissionReport| {
        let known = background.sources.get(run.run.run).or_else(|| recorded.get(run.run.run));
        known.cloned().flatten()
    };
    let read = runs.iter().filter_map(|run| {
        let files = files_of(&source(run)?);
        (!files.is_empty()).then_some(Read { run, files })
    });
    let read: Vec<Read<'_>> = read.collect();
    let unread = runs.len() - read.len();
    let mut authors: BTreeMap<&str, usize> = BTreeMap::new();
    let programs = read.iter().map(|submission| {
        let known = authors.len();
        let author = *authors.entry(name(submission.run)).or_insert(known);
        let files = submission.files.iter().map(|(name, text)| (name.as_str(), text.as_slice())).collect();
        Program { author, files }
    });
    let programs: Vec<Program<'_>> = programs.collect();
    let given: Vec<(String, Vec<u8>)> =
        background.given.get(problem).into_iter().flatten().flat_map(|path| files_of(path)).collect();
    let given: Vec<(&str, &[u8])> = given.iter().map(|(name, text)| (name.as_str(), text.as_slice())).collect();
    let found = similarity::similar(&programs, &given, &Options { threshold: THRESHOLD, most: MOST });
    let of = |at: usize| clean(name(read[at].run));
    let identical = found.identical.iter().map(|set| {
        let more = set.len().saturating_sub(NAMED);
        let named = set.iter().take(NAMED).map(|at| of(*at)).chain((more > 0).then(|| format!("{more} more")));
        (set.len(), named.collect::<Vec<_>>().join(", "))
    });
    let pairs = found.pairs.iter().map(|pair| SimilarPair {
        share: format!("{:.0} %", (pair.share * 100.0).floor()),
        left: of(pair.left),
        right: of(pair.right),
        left_lines: lines(&pair.left_lines),
        right_lines: lines(&pair.right_lines),
    });
    let remarks = [
        (found.more_pairs, "further pair", "not shown"),
        (found.too_short, "program", "too short to compare"),
        (found.too_common, "program", "made almost only of code that many students share, and not compared"),
        (unread, "submission", "not compared: the sources are no longer there"),
    ];
    let remarks = remarks.into_iter().filter(|(n, ..)| *n > 0);
    Similar {
        identical: identical.collect(),
        pairs: pairs.collect(),
        remarks: remarks
            .map(|(n, what, why)| format!("{} {} {why}", count(n, what), if n == 1 { "is" } else { "are" }))
            .collect(),
    }
}

fn name(run: &SubmissionReport) -> &str {
    run.student.as_deref().unwrap_or(run.run.submission.as_str())
}

/// The sources that the record names, by the position of the submission.
fn recorded_sources(report: &Report) -> Vec<Option<PathBuf>> {
    let problems = report.head.iter().flat_map(|head| &head.problems);
    problems.flat_map(|problem| problem.submissions.iter().map(|submission| submission.source.clone())).collect()
}

/// The text files of a program. Links are not followed: a submission may contain any.
fn files_of(path: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = WalkDir::new(path).max_depth(6).sort_by_file_name().into_iter().filter_map(Result::ok);
    let is_small = |entry: &walkdir::DirEntry| {
        entry.file_type().is_file() && entry.metadata().is_ok_and(|meta| meta.len() <= MOST_BYTES)
    };
    let file = |entry: walkdir::DirEntry| {
        // A file that cannot be read is missing from the comparison only.
        let bytes = fs::read(entry.path()).ok().filter(|bytes| !bytes.contains(&0))?;
        let name = entry.path().strip_prefix(path).ok().filter(|name| !name.as_os_str().is_empty());
        let name = name.unwrap_or(Path::new(entry.file_name())).to_string_lossy().into_owned();
        Some((name, bytes))
    };
    entries.filter(is_small).filter_map(file).take(MOST_FILES).collect()
}

/// `lines 3–20, 31–40`, or with the names of files if there are several.
fn lines(ranges: &[Lines<'_>]) -> String {
    let several = ranges.iter().any(|range| range.file != ranges[0].file);
    let range = |range: &Lines<'_>| {
        let file = if several { format!("{} ", clean(range.file)) } else { String::new() };
        format!("{file}{}–{}", range.first, range.last)
    };
    ranges.iter().map(range).collect::<Vec<_>>().join(", ")
}
