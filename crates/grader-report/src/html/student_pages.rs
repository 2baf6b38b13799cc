//! Writes a page for each student, with only what the feedback level allows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use askama::Template;

use super::super::class::{Row, rows_of};
use super::super::document::{folder_of, write_whole};
use super::super::failure::{Look, clean};
use super::super::student::{ExerciseResult, FeedbackLevel, explained, marks, unjudged, whole_text};
use super::super::student_folders::StudentFolders;
use super::super::text::Line;
use super::Frame;
use super::details::spans;
use super::source::Source;
use crate::diff::DiffStyle;
use crate::event::{Standing, TestFinished};
use crate::record::FinishedSubmission;
use crate::record::Report;
use crate::verdict::Verdict;

/// The folder of the pages of a server.
pub const FOLDER: &str = "students";
/// The file in a folder of pages that lists them. Its presence says that grader made the folder.
pub const LIST: &str = ".grader-pages";

/// The name of the folder for the pages beside this report: its own, so that two reports do not share one. A folder that
/// grader did not make is left alone.
pub(super) fn folder_for(report: &Path) -> String {
    let name = report.file_name().unwrap_or_default().to_string_lossy();
    let name = format!("{}-{FOLDER}", name.strip_suffix(".html").unwrap_or(&name));
    let is_free = |name: &String| {
        let path = folder_of(report).join(name);
        match fs::symlink_metadata(&path) {
            Ok(found) => found.is_dir() && path.join(LIST).is_file(),
            // If it cannot be looked at, it cannot be written, and that is an error then.
            Err(_) => true,
        }
    };
    let others = (2..).map(|n: u32| format!("{name}-{n}"));
    std::iter::once(name.clone()).chain(others).find(is_free).unwrap_or(name)
}

/// The pages that the list of a folder names. A list that grader did not write cannot name other files.
fn listed(folder: &Path) -> io::Result<BTreeSet<String>> {
    let text = match fs::read_to_string(folder.join(LIST)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        text => text?,
    };
    let is_html = |name: &str| Path::new(name).extension().is_some_and(|ending| ending == "html");
    let is_page = |name: &&str| is_html(name) && !name.starts_with('.') && !name.contains('/');
    Ok(text.lines().filter(is_page).map(str::to_owned).collect())
}

/// The width of explanations in columns. The program stands beside them.
const WIDTH: usize = 72;

/// The pages under construction.
#[derive(Debug)]
pub(super) struct StudentPages {
    /// The frame of every page, made once: its policy holds a digest of the style sheet.
    frame: Frame,
    feedback: FeedbackLevel,
    look: Look,
    /// The sections of each student's page.
    sections: BTreeMap<String, Sections>,
}

/// The sections of a student's page.
#[derive(Debug, Default)]
struct Sections {
    count: usize,
    html: String,
}

/// One submission on a student's page.
#[derive(Template)]
#[template(path = "student_section.html")]
struct Section {
    /// Which section of the page it is.
    at: usize,
    problem: String,
    lines: Vec<Line>,
    /// The failures at lines of the program: the failure in words, and the line.
    places: Vec<(String, usize)>,
    source: Option<Source>,
}

impl Section {
    /// The lines, each as texts with the names of their classes.
    fn lines(&self) -> impl Iterator<Item = Vec<(&'static str, &str)>> {
        self.lines.iter().map(spans)
    }
}

/// A whole page.
#[derive(Template)]
#[template(path = "student.html")]
struct Page<'a> {
    frame: &'a Frame,
    student: String,
    /// Further facts about the student: the name, the group.
    person: String,
    started: String,
    /// The result in each exercise, and the total.
    marks: Vec<ExerciseResult>,
    /// The sections, which were escaped when they were made.
    sections: &'a str,
}

impl StudentPages {
    pub(super) fn new(feedback: FeedbackLevel, look: Look) -> Self {
        // Two columns are unreadable on a phone.
        let diff = if look.diff == DiffStyle::Auto { DiffStyle::Unified } else { look.diff };
        let look = Look { width: WIDTH, diff, ..look };
        Self { frame: Frame::without_script(), feedback, look, sections: BTreeMap::new() }
    }

    /// Adds the result of a submission, whose program is at `path` if that is known.
    pub(super) fn add(&mut self, of: &FinishedSubmission<'_>, path: Option<&Path>) {
        let submission = of.submission;
        let Some(student) = submission.head.student.as_deref() else { return };
        let problem = clean(submission.id.problem.as_str());
        match submission.standing() {
            Some(Standing::Met | Standing::Missed { .. }) => {
                let tests = of.finished_tests();
                let lines = whole_text(submission, tests, of.problem.max_score, self.feedback, &self.look);
                let is_fine = submission.verdict() == Some(Verdict::Accepted);
                let mut source = path.filter(|_| !is_fine && !of.problem.outputs).and_then(Source::read);
                let mut places = Vec::new();
                if let Some(source) = &mut source {
                    let error = source.mark_compile_error(submission).map(|line| ("compile error".to_owned(), line));
                    let failed = explained(submission, of.finished_tests(), self.feedback).into_iter();
                    let name = |test: &TestFinished| clean(test.test.test.as_str());
                    places.extend(error);
                    places.extend(failed.filter_map(|test| Some((name(test), source.mark_test(test)?))));
                }
                self.push(student, Section { at: 0, problem, lines, places, source });
            }
            Some(Standing::NotJudged { .. } | Standing::JudgeError { .. }) => {
                self.say(student, problem, &clean(&unjudged(submission)));
            }
            Some(Standing::Interrupted) | None => self.say(student, problem, "not judged: the run was interrupted"),
        }
    }

    /// Adds submissions that could not be judged, and the students who submitted nothing.
    pub(super) fn add_others(&mut self, report: &Report) {
        for out in report.left_out() {
            let problem = out.problem.as_ref().map_or("not judged".to_owned(), |problem| clean(problem.as_str()));
            self.say(&out.student, problem, &clean(&out.text));
        }
        for student in report.without_submission() {
            self.say(&student.student, "not judged".to_owned(), "We received no submission.");
        }
    }

    fn say(&mut self, student: &str, problem: String, text: &str) {
        let lines = vec![Line::from(text)];
        self.push(student, Section { at: 0, problem, lines, places: Vec::new(), source: None });
    }

    fn push(&mut self, student: &str, section: Section) {
        let sections = self.sections.entry(student.to_owned()).or_default();
        // Writing to a string cannot fail.
        let _ = Section { at: sections.count, ..section }.render_into(&mut sections.html);
        sections.count += 1;
    }

    /// The file names of the pages by student.
    pub(super) fn names(&self) -> BTreeMap<String, String> {
        let students = self.sections.keys().map(String::as_str).collect();
        let folders = StudentFolders::new(StudentFolders::default(), &students);
        self.sections.keys().map(|student| (student.clone(), format!("{}.html", folders.of(student)))).collect()
    }

    /// The page of a student by its file name.
    pub(super) fn page(&self, name: &str, report: &Report) -> Option<io::Result<String>> {
        let student = self.names().into_iter().find(|(_, known)| known == name)?.0;
        let (_, rows) = rows_of(report);
        Some(self.render(&student, report, rows.iter().find(|row| row.student == student)))
    }

    fn render(&self, student: &str, report: &Report, row: Option<&Row>) -> io::Result<String> {
        let name = row.filter(|row| row.has_another_name()).map(Row::name);
        let group = row.map(Row::group).filter(|group| !group.is_empty()).map(|group| format!("group {group}"));
        let page = Page {
            frame: &self.frame,
            student: clean(student),
            person: clean(&name.map(str::to_owned).into_iter().chain(group).collect::<Vec<_>>().join(" · ")),
            started: report.head.as_ref().map(|head| super::day(&head.measured.started)).unwrap_or_default(),
            marks: row.map(|row| marks(row, report)).unwrap_or_default(),
            sections: self.sections.get(student).map_or("", |sections| &sections.html),
        };
        page.render().map_err(io::Error::other)
    }

    /// Writes all pages into a folder, and removes those of an earlier run that are no longer there.
    pub(super) fn write(&self, folder: &Path, report: &Report) -> io::Result<()> {
        let (_, rows) = rows_of(report);
        let rows: BTreeMap<&str, &Row> = rows.iter().map(|row| (&*row.student, row)).collect();
        let names = self.names();
        let pages: BTreeSet<String> = names.values().cloned().collect();
        let before = listed(folder)?;
        let list = |pages: &BTreeSet<String>| {
            let text: String = pages.iter().flat_map(|name| [name, "\n"]).collect();
            write_whole(&folder.join(LIST), text.as_bytes())
        };
        // The list names every page, even if this is interrupted.
        list(&(&before | &pages))?;
        for old in &before - &pages {
            match fs::remove_file(folder.join(old)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        for (student, name) in names {
            let page = self.render(&student, report, rows.get(&*student).copied())?;
            write_whole(&folder.join(name), page.as_bytes())?;
        }
        list(&pages)
    }
}
