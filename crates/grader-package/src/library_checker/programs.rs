//! Finds the programs of a problem: their sources, and the headers of the problem that they include.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::description::Solution;
use super::{CORRECT, GRADER, ProblemFolder, SOLUTIONS};
use crate::document::small_text;
use crate::generators::below;
use crate::program_files::mentions::includes;
use crate::program_files::{LARGEST, normal};
use grader_model::diagnostic::{Kind, TextPosition};
use grader_model::problem::{Expectation, Program, Reference, Submission, SubmissionId};
use grader_model::verdict::Verdict;

/// The most files of one program.
const MOST_FILES: usize = 200;
/// The start of a path that leads out of the folder of a source. `params.h` is above generators and solutions.
const ABOVE: &str = "../";
/// The source of expectations, for messages.
const STATED: &str = super::FILE;

impl ProblemFolder<'_> {
    /// The program of a source, whose path is relative to the problem's directory, and of further sources. Reports a path
    /// without a file, and a link that leads elsewhere.
    pub(super) fn program(&self, source: &Path, with: &[PathBuf], place: Option<TextPosition>) -> Option<Program> {
        let program = match below(&self.reader.dir, source) {
            Ok(program @ Program::File(_)) => program,
            Ok(_) => {
                self.error(place, format!("{} is not a file", source.display()), "name a source file");
                return None;
            }
            Err(error) => {
                self.error(place, error.to_string(), "add the file, or correct its name in info.toml");
                return None;
            }
        };
        let files = self.closure(source, with);
        // Only the folder of the problem as a whole has the headers at the paths that the source names.
        let is_alone = files.len() == 1 && !self.includes_from_above(source);
        let whole = || Program::Directory { path: self.reader.dir.clone(), files: files.into_iter().collect() };
        Some(if is_alone { program } else { whole() })
    }

    /// The sources, and all files of the problem that they include by name.
    fn closure(&self, source: &Path, with: &[PathBuf]) -> BTreeSet<PathBuf> {
        let mut files: BTreeSet<PathBuf> = with.iter().cloned().chain([source.to_owned()]).collect();
        let mut open: Vec<PathBuf> = files.iter().cloned().collect();
        while let Some(file) = open.pop() {
            for included in self.included_by(&file) {
                if files.len() < MOST_FILES && files.insert(included.clone()) {
                    open.push(included);
                }
            }
        }
        files
    }

    /// The files of the problem that a file includes. Others are in `common/`, or the compiler reports them.
    fn included_by(&self, file: &Path) -> Vec<PathBuf> {
        let dir = &self.reader.dir;
        let path = dir.join(file);
        let (Some(text), Some(beside)) = (small_text(&path, LARGEST), path.parent()) else { return Vec::new() };
        let quoted = includes(&text).filter(|header| header.is_quoted);
        let inner = |name: &str| normal(&beside.join(name)).strip_prefix(dir).ok().map(Path::to_owned);
        let found = quoted.filter_map(|header| inner(header.name));
        found.filter(|included| matches!(below(dir, included), Ok(Program::File(_)))).collect()
    }

    fn includes_from_above(&self, source: &Path) -> bool {
        let text = small_text(&self.reader.dir.join(source), LARGEST).unwrap_or_default();
        includes(&text).any(|header| header.name.starts_with(ABOVE))
    }

    /// The solutions: the one that prints the answers first, then those that must be accepted, then the others. Reports
    /// solutions that are not listed.
    pub(super) fn submissions(&self, solutions: &[Solution]) -> (Vec<Submission>, Option<Reference>) {
        let mut submissions: Vec<Submission> =
            solutions.iter().filter_map(|solution| self.submission(solution)).collect();
        let is_correct = |submission: &Submission| submission.id.as_str() == CORRECT;
        submissions.sort_by_key(|submission| (!is_correct(submission), !submission.expectation.wants_all_accepted()));
        let reference = submissions.iter().position(is_correct).map(Reference::Chosen);
        self.warn_of_unlisted(solutions);
        (submissions, reference)
    }

    fn submission(&self, solution: &Solution) -> Option<Submission> {
        let path = Path::new(SOLUTIONS).join(&solution.name);
        let grader = if solution.is_function { self.grader_sources(solution) } else { Vec::new() };
        let program = self.program(&path, &grader, solution.place)?;
        let entry_point = matches!(program, Program::Directory { .. }).then(|| path.to_string_lossy().into_owned());
        Some(Submission {
            id: SubmissionId::from(solution.name.clone()),
            program,
            language: None,
            entry_point,
            expectation: expectation(solution),
        })
    }

    /// The program that calls a function.
    fn grader_sources(&self, solution: &Solution) -> Vec<PathBuf> {
        let path = Path::new(GRADER).join("grader.cpp");
        if self.reader.dir.join(&path).is_file() {
            return vec![path];
        }
        let message = format!("there is no {}, with which `{}` is built", path.display(), solution.name);
        self.error(solution.place, message, "add the file, or remove `function`");
        Vec::new()
    }

    fn warn_of_unlisted(&self, solutions: &[Solution]) {
        for entry in self.reader.list(&self.reader.dir.join(SOLUTIONS)) {
            let is_source = [".cpp", ".py"].iter().any(|ending| entry.name.ends_with(ending));
            if !entry.is_dir && is_source && !solutions.iter().any(|solution| solution.name == entry.name) {
                let message = "not judged: no [[solutions]] of info.toml names it";
                self.reader.warning(Kind::Ignored, &entry.path, message);
            }
        }
    }
}

/// The expectation of `generate.py`: the verdict `expect` must occur, and only AC and the permitted verdicts may.
fn expectation(solution: &Solution) -> Expectation {
    let required: Vec<Verdict> = solution.expected.into_iter().collect();
    let permitted: Vec<Verdict> =
        [Verdict::Accepted].into_iter().chain(required.clone()).chain(solution.allowed.clone()).collect();
    Expectation::simple(STATED, &permitted, &required)
}
