//! Shows which submissions to a problem are nearly identical. A hint for a person, never a verdict.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::super::failure::clean;
use super::super::file_diff::read;
use super::super::text::{count, first_of};
use super::Background;
use crate::problem::ProblemId;
use crate::record::{Report, SubmissionReport};
use crate::similarity::{self, DEFAULT_THRESHOLD, Mark, Options, Pair, Program, Similarities};

/// The most pairs of one problem on a page.
const MOST: usize = 50;
/// The most bytes of a source file, and the most files of a submission, that are compared.
const MOST_BYTES: u64 = 256 * 1024;
const MOST_FILES: usize = 30;
/// The most ranges of lines that a row of the table names for one program.
const MOST_RANGES: usize = 5;
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

/// Where the programs of a run are.
pub(super) struct Sources<'b> {
    recorded: Vec<Option<PathBuf>>,
    background: &'b Background,
}

impl<'b> Sources<'b> {
    /// The sources that the record names, and those that only the session knows.
    pub(super) fn new(report: &Report, background: &'b Background) -> Self {
        let submissions = report.head.iter().flat_map(|head| &head.problems).flat_map(|problem| &problem.submissions);
        Self { recorded: submissions.map(|submission| submission.source.clone()).collect(), background }
    }

    fn of(&self, submission: &SubmissionReport) -> Option<&Path> {
        let known = self.background.sources.get(&(submission.id.problem.clone(), submission.id.submission.clone()));
        known.or_else(|| self.recorded.get(submission.id.index.0)?.as_ref()).map(PathBuf::as_path)
    }

    /// The files that all students have been given.
    fn given(&self, problem: &ProblemId) -> Files {
        self.background.given.get(problem).into_iter().flatten().flat_map(|path| files_of(path)).collect()
    }
}

/// The names and the texts of files.
type Files = Vec<(String, Vec<u8>)>;

fn borrowed(files: &Files) -> Vec<(&str, &[u8])> {
    files.iter().map(|(name, text)| (name.as_str(), text.as_slice())).collect()
}

/// Compares the submissions to a problem.
pub(super) fn of(problem: &ProblemId, report: &Report, sources: &Sources<'_>) -> Similar {
    let submissions: Vec<&SubmissionReport> =
        report.submissions.iter().filter(|submission| submission.id.problem == *problem).collect();
    let read = submissions.iter().filter_map(|submission| {
        let files = files_of(sources.of(submission)?);
        (!files.is_empty()).then(|| (name(submission), files))
    });
    let read: Vec<(&str, Files)> = read.collect();
    let mut authors: BTreeMap<&str, usize> = BTreeMap::new();
    let programs = read.iter().map(|(name, files)| {
        let known = authors.len();
        Program { author: *authors.entry(name).or_insert(known), is_earlier: false, files: borrowed(files) }
    });
    let programs: Vec<Program<'_>> = programs.collect();
    let options = Options { threshold: DEFAULT_THRESHOLD, most: MOST };
    let found = similarity::similar(&programs, &borrowed(&sources.given(problem)), &options);
    let names: Vec<String> = read.iter().map(|(name, _)| clean(name)).collect();
    Similar::new(&found, &names, submissions.len() - read.len())
}

impl Similar {
    /// The similarities among the students with these names, and the number of unreadable submissions.
    fn new(found: &Similarities<'_>, names: &[String], unread: usize) -> Self {
        let all = |set: &Vec<usize>| (set.len(), first_of(set.iter().map(|at| names[*at].as_str()), NAMED));
        let pair = |pair: &Pair<'_>| SimilarPair {
            share: format!("{:.0} %", (pair.share * 100.0).floor()),
            left: names[pair.left].clone(),
            right: names[pair.right].clone(),
            left_lines: lines(&pair.marks[0]),
            right_lines: lines(&pair.marks[1]),
        };
        let remarks = [
            (found.more_pairs, "further pair", "not shown"),
            (found.too_short, "program", "too short to compare"),
            (found.too_common, "program", "made almost only of code that many students share, and not compared"),
            (unread, "submission", "not compared: the sources are no longer there"),
        ];
        let remark = |(n, what, why)| format!("{} {} {why}", count(n, what), if n == 1 { "is" } else { "are" });
        Self {
            identical: found.identical.iter().map(all).collect(),
            pairs: found.pairs.iter().map(pair).collect(),
            remarks: remarks.into_iter().filter(|(n, ..)| *n > 0).map(remark).collect(),
        }
    }
}

fn name(submission: &SubmissionReport) -> &str {
    submission.head.student.as_deref().unwrap_or(submission.id.submission.as_str())
}

/// The text files of a program. Links are not followed: a submission may contain any.
fn files_of(path: &Path) -> Files {
    // What cannot be read is missing from the comparison only.
    let entries = WalkDir::new(path).max_depth(6).sort_by_file_name().into_iter().filter_map(Result::ok);
    // A record of others may name any path; files of the kernel have no length, and reading them may wait for ever.
    let is_small = |entry: &walkdir::DirEntry| {
        entry.file_type().is_file() && entry.metadata().is_ok_and(|meta| (1..=MOST_BYTES).contains(&meta.len()))
    };
    let file = |entry: walkdir::DirEntry| {
        let bytes = read(entry.path(), 0, MOST_BYTES).ok().filter(|bytes| !bytes.contains(&0))?;
        let name = entry.path().strip_prefix(path).ok().filter(|name| !name.as_os_str().is_empty());
        let name = name.unwrap_or(Path::new(entry.file_name())).to_string_lossy().into_owned();
        Some((name, bytes))
    };
    entries.filter(is_small).filter_map(file).take(MOST_FILES).collect()
}

/// `3–20, 31–40`, or with the names of files if there are several.
fn lines(marks: &[Mark<'_>]) -> String {
    let several = marks.iter().any(|mark| mark.lines.file != marks[0].lines.file);
    let range = |mark: &Mark<'_>| {
        let file = if several { format!("{} ", clean(mark.lines.file)) } else { String::new() };
        format!("{file}{}–{}", mark.lines.first, mark.lines.last)
    };
    first_of(marks.iter().map(range), MOST_RANGES)
}
