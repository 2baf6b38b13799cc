//! Writes `--out DIR`: one result for each student and problem, complete as soon as it is known. A later run reuses
//! them.
//!
//! `DIR/students/<student>/<problem>.txt` is for the student. `DIR/staff/<student>/<problem>.json` is for the instructor
//! and for the next run: it has secret tests and the judges' messages. The text is written first, so an existing result is
//! complete. With several problems, and where lateness or people change a grade,
//! `DIR/students/<student>/all exercises.txt` has the result in each, and the total.
//! `DIR/moodle-feedback.zip` has the texts in the form that Moodle takes back, if the submissions are an export
//! of Moodle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::origins::{Origin, Origins, ResultScope};
use super::platforms::{Identity, moodle_feedback};
use crate::event::{
    BuildFinished, BuildResult, GroupScore, RunStarted, Standing, SubmissionHead, SubmissionRef, TestIndex, TestRef,
    TestResult, Update,
};
use crate::problem::{ProblemId, TestId};
use crate::record::{FinishedSubmission, Report, Reporter};
use crate::report::class::{Cell, rows_of};
use crate::report::document::write_whole;
use crate::report::failure::Look;
use crate::report::file_name::safe_name;
use crate::report::html::STUDENT_PAGES;
use crate::report::student::{ExerciseResult, FeedbackLevel, marks, unjudged, whole_text};
use crate::report::student_folders::StudentFolders;
use crate::report::text::{Paint, Whitespace, escape};
use crate::session::kept_files::KeptFiles;
use crate::store::Key;
use crate::verdict::Verdict;

/// The name of the file that Moodle takes back.
pub(crate) const MOODLE_FEEDBACK: &str = "moodle-feedback.zip";
/// The version of the file format. Results of other versions are judged again.
const SCHEMA: u32 = 1;
/// The width of texts for students, in columns.
const WIDTH: usize = 100;

/// One result as saved in a file.
#[derive(Debug, Serialize, Deserialize)]
struct SavedResult {
    schema: u32,
    /// The key of everything that determines the result.
    key: Key,
    grader: String,
    student: String,
    problem: String,
    submission: String,
    verdict: Option<Verdict>,
    /// The number of accepted tests, of `tests`.
    accepted: usize,
    tests: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_score: Option<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    groups: Vec<GroupScore>,
    /// Other students with an identical submission.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    identical: Vec<String>,
    /// The time of writing. The files of failed tests in the store belong to this result if they are not newer.
    #[serde(default)]
    written: Option<SystemTime>,
    built: BuildResult,
    results: Vec<KeptTest>,
}

#[derive(Debug, Serialize, Deserialize)]
struct KeptTest {
    test: TestId,
    #[serde(flatten)]
    result: TestResult,
}

/// The directory of results.
#[derive(Debug, Clone)]
pub(crate) struct OutDir {
    /// The texts that students may get.
    texts: PathBuf,
    /// The results, for the staff only.
    results: PathBuf,
    /// The texts in the form that Moodle takes back.
    moodle: PathBuf,
    folders: StudentFolders,
    /// The directory of the store, which holds the files of failed tests.
    store: PathBuf,
}

/// Whether a directory is one that `--out` made, or the pages of students beside a page.
pub(crate) fn is_result_folder(dir: &Path) -> bool {
    let is_of_out = dir.join("staff/students.csv").is_file() && dir.join("students").is_dir();
    is_of_out || dir.join(STUDENT_PAGES).is_file()
}

/// Whether this is a directory that is not empty.
fn has_entries(dir: &Path) -> io::Result<bool> {
    match fs::read_dir(dir) {
        Ok(mut entries) => Ok(entries.next().is_some()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

impl OutDir {
    /// Creates the directory if it does not exist, and names the folders of these students.
    ///
    /// # Errors
    /// The directory cannot be used, or an older version of grader wrote it.
    pub(crate) fn open(dir: &Path, store: PathBuf, students: &BTreeSet<&str>) -> io::Result<Self> {
        if dir.is_file() {
            return Err(io::Error::other("it is a file\n  → name a folder, which grader creates"));
        }
        if let Some(mixed) = mixed_result(dir)? {
            let message = format!(
                "an older version of grader wrote {}, beside the texts for students\n  → name a new folder; this one is \
                 kept as it is",
                mixed.display()
            );
            return Err(io::Error::other(message));
        }
        let texts = dir.join("students");
        let results = dir.join("staff");
        let list = results.join("students.csv");
        if !list.exists() && has_entries(&texts)? {
            let message =
                "grader did not write the folder `students` in it\n  → name a new folder; this one is kept as it is";
            return Err(io::Error::other(message));
        }
        fs::create_dir_all(&texts)?;
        fs::create_dir_all(&results)?;
        let folders = StudentFolders::new(StudentFolders::read(&list)?, students);
        write_whole(&list, &folders.text()?)?;
        Ok(Self { texts, results, moodle: dir.join(MOODLE_FEEDBACK), folders, store })
    }

    /// The text for a student about a problem. Names may be arbitrary text, so they are changed to safe names that stay
    /// distinct.
    fn text(&self, student: &str, problem: &str) -> PathBuf {
        self.texts_of(student).join(text_name(problem))
    }

    /// The folder of the texts for a student.
    fn texts_of(&self, student: &str) -> PathBuf {
        self.texts.join(self.folders.of(student))
    }

    /// The result of a student in a problem.
    fn result(&self, student: &str, problem: &str) -> PathBuf {
        self.results.join(self.result_name(student, problem))
    }

    /// The path of this result in the folder of results.
    fn result_name(&self, student: &str, problem: &str) -> PathBuf {
        Path::new(&self.folders.of(student)).join(format!("{}.json", safe_name(problem)))
    }

    /// The list of where results came from.
    fn origins(&self) -> PathBuf {
        self.results.join("received.json")
    }

    /// The problems that had a submission in one of these paths in an earlier run.
    pub(crate) fn earlier_exercises(&self, paths: &BTreeSet<PathBuf>) -> io::Result<BTreeSet<String>> {
        Ok(Origins::read(&self.origins())?.exercises_of(paths))
    }

    /// Removes a result, its text, and the folder of texts if only the total is left in it.
    fn remove(&self, result: &Path) -> io::Result<()> {
        remove_if_there(&self.results.join(result))?;
        let text = self.texts.join(result).with_extension("txt");
        remove_if_there(&text)?;
        let dir = text.parent().filter(|dir| dir.is_dir()).map(fs::read_dir).transpose()?;
        let others =
            dir.into_iter().flatten().filter(|file| file.as_ref().is_ok_and(|file| file.file_name() != OVERVIEW));
        if others.count() == 0 {
            remove_if_there(&text.with_file_name(OVERVIEW))?;
        }
        Ok(())
    }

    /// Returns the results of an earlier run for exactly this submission. None if there is no readable result that still
    /// holds: then the submission is judged again.
    pub(crate) fn recall(
        &self,
        Owner { student, problem, key, .. }: &Owner,
        submission: &SubmissionRef,
        names: &[TestId],
    ) -> Option<Vec<Update>> {
        // Somebody may have removed the text alone.
        let bytes = fs::read(self.result(student, problem)).ok().filter(|_| self.text(student, problem).is_file())?;
        let kept: SavedResult = serde_json::from_slice(&bytes).ok()?;
        let same_tests = kept.results.iter().map(|test| &test.test).eq(names);
        let compiled = matches!(kept.built, BuildResult::Ready { .. });
        if kept.schema != SCHEMA || kept.key != *key || kept.student != *student || (compiled && !same_tests) {
            return None;
        }
        let built = Update::Built(BuildFinished { of: submission.clone(), result: kept.built });
        let files = KeptFiles::new(&self.store, kept.written.map(|written| (UNIX_EPOCH, written)));
        let tests = kept.results.into_iter().enumerate().map(|(ordinal, mut kept)| {
            let test = TestRef { of: submission.clone(), ordinal: TestIndex(ordinal), test: kept.test };
            files.check(&mut kept.result);
            Update::TestFinished { test, result: from_before(kept.result) }
        });
        Some([built].into_iter().chain(tests).collect())
    }

    /// Writes the text for a student whose submission has no result. Without a problem, it is about everything that
    /// belongs to none.
    fn refuse(&self, student: &str, problem: Option<&ProblemId>, text: &str) -> io::Result<()> {
        let Some(problem) = problem.map(ProblemId::as_str) else {
            return write_whole(&self.unmatched(student), format!("not judged\n\n{text}\n").as_bytes());
        };
        // An earlier result no longer holds, and resuming must not find it.
        remove_if_there(&self.result(student, problem))?;
        let name = escape(problem.as_bytes(), Whitespace::Inline);
        write_whole(&self.text(student, problem), format!("{name}: not judged\n\n{text}\n").as_bytes())
    }

    /// The text about files that belong to no problem.
    fn unmatched(&self, student: &str) -> PathBuf {
        self.texts_of(student).join(UNMATCHED)
    }
}

/// The label of the grade in a text about a problem, if this grade is not that of the tests.
const COUNTS: &str = "\nGrade: ";

/// The name of the text about files that belong to no problem. No problem has this name, which contains a space.
const UNMATCHED: &str = "not judged.txt";

/// The name of the text about all problems of a run, which no problem has either.
const OVERVIEW: &str = "all exercises.txt";

fn remove_if_there(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Replaces the grade at the end of a text, if the text exists. An empty one removes it.
fn set_grade(file: &Path, grade: &str) -> io::Result<()> {
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        text => text?,
    };
    let own = text.split(COUNTS).next().unwrap_or_default();
    let with_grade = format!("{own}{grade}");
    if text == with_grade { Ok(()) } else { write_whole(file, with_grade.as_bytes()) }
}

fn text_name(problem: &str) -> String {
    format!("{}.txt", safe_name(problem))
}

/// Finds a result that an older version wrote: it lies beside the texts, where it must not be returned to students.
fn mixed_result(dir: &Path) -> io::Result<Option<PathBuf>> {
    let folders = match fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        folders => folders?,
    };
    for folder in folders {
        let folder = folder?.path();
        if !folder.is_dir() {
            continue;
        }
        for file in fs::read_dir(&folder)? {
            let file = file?.path();
            if file.extension().is_some_and(|ending| ending == "json") && file.with_extension("txt").is_file() {
                return Ok(Some(file));
            }
        }
    }
    Ok(None)
}

/// Marks a result as measured in an earlier run.
fn from_before(mut result: TestResult) -> TestResult {
    match &mut result {
        TestResult::Judged(judgement) => Arc::make_mut(judgement).measured.cached = true,
        TestResult::NotJudged { measured, .. } => measured.cached = true,
        TestResult::JudgeError { .. } | TestResult::Cancelled => {}
    }
    result
}

/// The data for the files of one submission.
#[derive(Debug, Clone)]
pub(crate) struct Owner {
    /// The student.
    pub(crate) student: String,
    /// The problem, with the attempt if several attempts of the student have results.
    pub(crate) problem: String,
    /// The key of everything that determines the result.
    pub(crate) key: Key,
    /// Other students with an identical submission.
    pub(crate) identical: Vec<String>,
    /// Where it came from; none if the user named several files.
    pub(crate) origin: Option<Origin>,
}

/// Writes each result as soon as it is known.
pub(crate) struct OutWriter {
    out: OutDir,
    /// The owner of each submission, by its position.
    owners: BTreeMap<usize, Owner>,
    /// The submissions whose results exist already.
    written: BTreeSet<usize>,
    level: FeedbackLevel,
    look: Look,
    /// The students of an export of Moodle.
    of_moodle: BTreeMap<String, Identity>,
    scope: ResultScope,
}

impl OutWriter {
    pub(crate) fn new(
        out: OutDir,
        owners: BTreeMap<usize, Owner>,
        written: BTreeSet<usize>,
        level: FeedbackLevel,
        look: Look,
        of_moodle: BTreeMap<String, Identity>,
        scope: ResultScope,
    ) -> Self {
        let look = Look { paint: Paint::Plain, width: WIDTH, verbosity: -1, ..look };
        Self { out, owners, written, level, look, of_moodle, scope }
    }

    /// Writes the texts about the problems of this run in the form that Moodle takes back.
    ///
    /// An interrupted run writes nothing: some texts would be about earlier submissions.
    fn write_moodle_feedback(&self, report: &Report) -> io::Result<()> {
        if report.interrupted {
            return Ok(());
        }
        let names = report.problems().into_iter().map(|problem| text_name(problem.as_str()));
        let names: BTreeSet<String> = names.chain([UNMATCHED, OVERVIEW].map(str::to_owned)).collect();
        let folders: Vec<(&Identity, PathBuf)> =
            self.of_moodle.iter().map(|(student, identity)| (identity, self.out.texts_of(student))).collect();
        let zip = moodle_feedback(folders.iter().map(|(identity, dir)| (*identity, dir.as_path())), &names)?;
        zip.map_or(Ok(()), |zip| write_whole(&self.out.moodle, &zip))
    }

    /// Writes the result of each student in every problem, also in those that the student did not submit.
    fn write_overviews(&self, report: &Report) -> io::Result<()> {
        let is_of_class = report.head.as_ref().is_some_and(RunStarted::is_of_class);
        if report.interrupted || !is_of_class {
            return Ok(());
        }
        let is_one = report.problems().len() < 2;
        let rows = rows_of(report).1;
        // Until somebody submits something, texts have the id of the roster as the name.
        let known: BTreeSet<&str> = rows.iter().map(|row| &*row.student).collect();
        let roster = report.head.iter().flat_map(|head| &head.roster);
        for student in roster.filter(|student| !student.id.is_empty() && !known.contains(&*student.id)) {
            let old = self.out.texts_of(&student.id);
            remove_if_there(&old.join(UNMATCHED))?;
            remove_if_there(&old.join(OVERVIEW))?;
        }
        for row in rows {
            let file = self.out.texts_of(&row.student).join(OVERVIEW);
            let is_plain = |cell: &Cell| !cell.is_late() && cell.notes.is_empty();
            if is_one && row.changes.is_empty() && row.cells.iter().flatten().all(is_plain) {
                remove_if_there(&file)?;
                continue;
            }
            let line = |ExerciseResult { exercise, result, points }: &ExerciseResult| match &**exercise {
                "" if result.is_empty() => format!("\ntotal: {points}\n"),
                "" => format!("\ntotal: {points}, {result}\n"),
                _ => format!("{exercise}: {result}, {points} points\n"),
            };
            let text: String = marks(&row, report).iter().map(line).collect();
            write_whole(&file, text.as_bytes())?;
        }
        Ok(())
    }

    /// Says in the text about each problem which grade counts, if lateness or people changed what the tests give.
    fn write_grades(&self, report: &Report) -> io::Result<()> {
        let is_of_class = report.head.as_ref().is_some_and(RunStarted::is_of_class);
        if report.interrupted || !is_of_class {
            return Ok(());
        }
        let attempts = self.attempts(report);
        for row in rows_of(report).1 {
            for ((problem, of), mark) in report.problems().into_iter().zip(&row.cells).zip(marks(&row, report)) {
                let is_changed = of.as_ref().is_some_and(|of| of.is_late() || !of.notes.is_empty());
                let ExerciseResult { result, points, .. } = mark;
                let counts = format!("{COUNTS}{points} points: {result}");
                let text = if is_changed { format!("{counts}\n") } else { String::new() };
                set_grade(&self.out.text(&row.student, problem.as_str()), &text)?;
                for (head, file) in attempts.get(&(&row.student, problem)).into_iter().flatten() {
                    let counted = of.as_ref().and_then(|of| of.attempt);
                    let text = match counted {
                        Some(_) if counted == head.attempt => format!("{counts} (this attempt counts)\n"),
                        Some(counted) => {
                            let late = head.lateness().filter(|late| late.is_late());
                            let late = late.map(|late| format!(", which was {late}")).unwrap_or_default();
                            format!("{COUNTS}attempt {counted} counts, not this one{late}\n")
                        }
                        None => String::new(),
                    };
                    set_grade(file, &text)?;
                }
            }
        }
        Ok(())
    }

    /// The attempts of students of whom several have results, with their texts.
    fn attempts<'r>(
        &self,
        report: &'r Report,
    ) -> BTreeMap<(&'r str, &'r ProblemId), Vec<(&'r SubmissionHead, PathBuf)>> {
        let mut attempts: BTreeMap<_, Vec<(&SubmissionHead, PathBuf)>> = BTreeMap::new();
        for submission in &report.submissions {
            let owner = self.owners.get(&submission.id.index.0);
            let of_attempt = owner.filter(|owner| owner.problem != *submission.id.problem.as_str());
            if let Some(owner) = of_attempt {
                let of = (submission.head.student.as_deref().unwrap_or_default(), &submission.id.problem);
                attempts
                    .entry(of)
                    .or_default()
                    .push((&*submission.head, self.out.text(&owner.student, &owner.problem)));
            }
        }
        attempts
    }

    /// Removes the texts and results of submissions that a student of this run has withdrawn. Students who are not in this run may be
    /// judged in another.
    fn remove_withdrawn(&self, report: &Report) -> io::Result<()> {
        let is_of_class = report.head.as_ref().is_some_and(RunStarted::is_of_class);
        if report.interrupted || !is_of_class {
            return Ok(());
        }
        let submitted = report.submissions.iter();
        let submitted = submitted.map(|submission| (submission.head.student.as_deref(), Some(&submission.id.problem)));
        let refused = report.left_out().iter().map(|out| (Some(&*out.student), out.problem.as_ref()));
        let present: BTreeSet<_> = submitted.chain(refused).collect();
        for student in rows_of(report).1.iter().map(|row| &*row.student) {
            for problem in report.problems() {
                if !present.contains(&(Some(student), Some(problem))) {
                    remove_if_there(&self.out.text(student, problem.as_str()))?;
                    remove_if_there(&self.out.result(student, problem.as_str()))?;
                }
            }
        }
        Ok(())
    }

    /// Removes the results that came from the same paths before, and are not there any more.
    fn remove_vanished(&self, report: &Report) -> io::Result<()> {
        if report.interrupted {
            return Ok(());
        }
        let received = self
            .owners
            .values()
            .filter_map(|owner| Some((self.out.result_name(&owner.student, &owner.problem), owner.origin.clone()?)));
        let list = self.out.origins();
        let mut origins = Origins::read(&list)?;
        let withdrawn = origins.update(received.collect(), &self.scope);
        // These have a text that says why they are not judged.
        let refused = report.left_out().iter();
        let refused: BTreeSet<PathBuf> = refused
            .filter_map(|out| Some(self.out.result_name(&out.student, out.problem.as_ref()?.as_str())))
            .collect();
        for result in withdrawn.into_iter().filter(|result| !refused.contains(result)) {
            self.out.remove(&result)?;
        }
        origins.write(&list)
    }

    fn write(&self, of: &FinishedSubmission<'_>) -> io::Result<()> {
        let report = of.submission;
        let Some(owner) = self.owners.get(&report.id.index.0) else { return Ok(()) };
        // A judge error is not a result, so the next run tries again.
        let is_result = matches!(report.standing(), Some(Standing::Met | Standing::Missed { .. }));
        if matches!(report.standing(), Some(Standing::NotJudged { .. } | Standing::JudgeError { .. })) {
            return self.out.refuse(&owner.student, Some(&report.id.problem), &unjudged(report));
        }
        let Some(built) = &report.built else { return Ok(()) };
        if !is_result || self.written.contains(&report.id.index.0) {
            return Ok(());
        }
        let max_score = of.problem.max_score;
        let problem = report.id.problem.as_str();
        let lines = whole_text(report, of.finished_tests(), max_score, self.level, &self.look);
        let text: String = lines.iter().map(|line| line.plain().trim_end().to_owned() + "\n").collect();
        write_whole(&self.out.text(&owner.student, &owner.problem), text.as_bytes())?;
        let results =
            of.finished_tests().map(|test| KeptTest { test: test.test.test.clone(), result: test.result.clone() });
        let kept = SavedResult {
            schema: SCHEMA,
            key: owner.key,
            grader: env!("CARGO_PKG_VERSION").to_owned(),
            student: owner.student.clone(),
            problem: problem.to_owned(),
            submission: report.id.submission.to_string(),
            verdict: report.verdict(),
            accepted: report.accepted(),
            tests: report.tests.len(),
            score: report.score(),
            max_score,
            groups: report.groups().to_vec(),
            identical: owner.identical.clone(),
            written: Some(SystemTime::now()),
            built: built.clone(),
            results: results.collect(),
        };
        let mut json = serde_json::to_vec_pretty(&kept)?;
        json.push(b'\n');
        write_whole(&self.out.result(&owner.student, &owner.problem), &json)
    }
}

impl Reporter for OutWriter {
    fn wants_tests(&self) -> bool {
        true
    }

    fn submission(&mut self, of: &FinishedSubmission<'_>) -> io::Result<()> {
        self.write(of)
    }

    fn finish(&mut self, report: &Report) -> io::Result<()> {
        for out in report.left_out() {
            self.out.refuse(&out.student, out.problem.as_ref(), &out.text)?;
        }
        for student in report.without_submission() {
            self.out.refuse(&student.student, None, "We received no submission.")?;
        }
        // Texts of earlier runs that no longer hold.
        for submission in &report.submissions {
            let student = submission.head.student.as_deref().filter(|student| !report.has_unmatched(student));
            if let Some(student) = student {
                remove_if_there(&self.out.unmatched(student))?;
            }
        }
        self.remove_withdrawn(report)?;
        self.remove_vanished(report)?;
        self.write_overviews(report)?;
        self.write_grades(report)?;
        self.write_moodle_feedback(report)
    }
}
