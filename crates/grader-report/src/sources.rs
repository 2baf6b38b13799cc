//! Finds the programs of a class: those that students submitted, those of earlier courses, and the code that all students
//! were given.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::file_diff::read;
use crate::problem::{ProblemId, SubmissionId};
use crate::record::{Report, SubmissionReport};
use crate::similarity::DEFAULT_THRESHOLD;

/// The most bytes of a program, and the most files, that are read.
pub(super) const MOST_BYTES: u64 = 256 * 1024;
const MOST_FILES: usize = 30;
/// The most authors of earlier courses.
const MOST_EARLIER: usize = 10_000;

/// Facts about the programs of a class besides the record.
#[derive(Debug, Default)]
pub struct Programs {
    /// The file or folder of submissions that the record does not name, because they were in archives.
    pub sources: BTreeMap<(ProblemId, SubmissionId), PathBuf>,
    /// The files of each problem that its package gives to all students.
    pub given: BTreeMap<ProblemId, Vec<PathBuf>>,
    /// The comparison with each other and with earlier programs.
    pub comparison: Comparison,
    /// Whether grader wrote the record here. No file that a record of others names is read.
    pub is_own_record: bool,
}

/// Options of the comparison: the other programs, and the pairs that are shown.
#[derive(Debug)]
pub struct Comparison {
    /// The share of common code from which on a pair is shown.
    pub threshold: f64,
    /// Folders with programs of earlier courses.
    pub earlier: Vec<PathBuf>,
    /// Files and folders that all students were given.
    pub given: Vec<PathBuf>,
}

impl Default for Comparison {
    fn default() -> Self {
        Self { threshold: DEFAULT_THRESHOLD, earlier: Vec::new(), given: Vec::new() }
    }
}

/// The names and the texts of files.
pub(super) type Files = Vec<(String, Vec<u8>)>;

/// A program that counts for one student, or for several together.
#[derive(Debug)]
pub(super) struct AuthoredFiles {
    /// Everybody for whom it counts.
    pub(super) authors: Vec<String>,
    /// The team of the first author, or else this author. Members of a team work together.
    pub(super) written_by: String,
    pub(super) files: Files,
}

/// The programs of one problem, each with its author.
#[derive(Debug, Default)]
pub(super) struct ProgramsOfProblem {
    pub(super) submitted: Vec<AuthoredFiles>,
    pub(super) earlier: Vec<(String, Files)>,
    pub(super) given: Files,
    /// The number of submissions whose sources are no longer there.
    pub(super) missing: usize,
    /// The number of submissions without a text that is short enough.
    pub(super) unfit: usize,
}

impl Programs {
    /// The file or folder of a submission, if it is known.
    pub(super) fn source_of<'a>(&'a self, submission: &'a SubmissionReport) -> Option<&'a Path> {
        let known = self.sources.get(&(submission.id.problem.clone(), submission.id.submission.clone()));
        let recorded = submission.head.source.as_deref().filter(|_| self.is_own_record);
        known.map(PathBuf::as_path).or(recorded)
    }

    /// The same without data that names students: paths of submissions, and earlier courses.
    #[must_use]
    pub fn without_names(self) -> Self {
        let comparison = Comparison { earlier: Vec::new(), ..self.comparison };
        Self { sources: BTreeMap::new(), comparison, ..self }
    }

    /// Reads the programs of a problem.
    pub(super) fn of(&self, problem: &ProblemId, report: &Report) -> ProgramsOfProblem {
        let mut programs = ProgramsOfProblem::default();
        let is_meant =
            |submission: &&SubmissionReport| submission.id.problem == *problem && submission.head.is_of_first_author();
        for submission in report.submissions.iter().filter(is_meant) {
            match self.source_of(submission).filter(|path| path.exists()).map(files_of) {
                None => programs.missing += 1,
                Some(files) if files.is_empty() => programs.unfit += 1,
                Some(files) => programs.submitted.push(submitted(submission, report, files)),
            }
        }
        programs.earlier = self.comparison.earlier.iter().flat_map(|folder| earlier(folder, problem)).collect();
        let given = self.comparison.given.iter().map(|path| of_problem(path, problem));
        let given = given.chain(self.given.get(problem).into_iter().flatten().cloned());
        programs.given = given.flat_map(|path| files_of(&path)).collect();
        programs
    }
}

fn submitted(submission: &SubmissionReport, report: &Report, files: Files) -> AuthoredFiles {
    let authors: Vec<String> = submission.head.all_authors().into_iter().map(str::to_owned).collect();
    let first = authors.first().cloned().unwrap_or_default();
    let person = report.head.iter().flat_map(|head| &head.roster).find(|person| person.student == first);
    let team = person.and_then(|person| person.team.clone());
    AuthoredFiles { written_by: team.unwrap_or(first), authors, files }
}

/// The part of a folder that belongs to a problem: the first entry with its name, or the whole folder.
fn of_problem(folder: &Path, problem: &ProblemId) -> PathBuf {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let mut named: Vec<PathBuf> =
        entries.filter(|path| path.file_stem().is_some_and(|stem| stem == problem.as_str())).collect();
    named.sort();
    named.into_iter().next().unwrap_or_else(|| folder.to_owned())
}

/// The programs of an earlier course, each with the name of the folder and of its author.
fn earlier(folder: &Path, problem: &ProblemId) -> Vec<(String, Files)> {
    let course = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let authors = fs::read_dir(of_problem(folder, problem)).into_iter().flatten().filter_map(Result::ok);
    let mut authors: Vec<PathBuf> = authors.map(|entry| entry.path()).collect();
    authors.sort();
    authors.truncate(MOST_EARLIER);
    let program = |author: PathBuf| {
        let name = format!("{course}/{}", author.file_stem()?.to_string_lossy());
        let files = files_of(&of_problem(&author, problem));
        (!files.is_empty()).then_some((name, files))
    };
    authors.into_iter().filter_map(program).collect()
}

/// The text files of a program, as many as fit. Links are not followed: a submission may contain any.
fn files_of(path: &Path) -> Files {
    // Files that cannot be read are missing from the comparison only.
    let entries = WalkDir::new(path).max_depth(6).sort_by_file_name().into_iter().filter_map(Result::ok);
    let mut left = MOST_BYTES;
    let mut files = Vec::new();
    // A record of others may name any path; files of the kernel have no length, and reading them may wait for ever.
    for entry in entries.filter(|entry| entry.file_type().is_file()) {
        let is_small = entry.metadata().is_ok_and(|meta| (1..=left).contains(&meta.len()));
        if !is_small || files.len() == MOST_FILES {
            continue;
        }
        let Some(bytes) = read(entry.path(), 0, left).ok().filter(|bytes| !bytes.contains(&0)) else { continue };
        left -= u64::try_from(bytes.len()).unwrap_or(left).min(left);
        let name = entry.path().strip_prefix(path).ok().filter(|name| !name.as_os_str().is_empty());
        let name = name.unwrap_or(Path::new(entry.file_name())).to_string_lossy().into_owned();
        files.push((name, bytes));
    }
    files
}
