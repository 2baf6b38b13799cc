//! Writes a page for each student, with only what the feedback level allows.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use askama::Template;

use super::super::class::{Row, rows_of};
use super::super::document::write_whole;
use super::super::failure::{Look, clean};
use super::super::student::{FeedbackLevel, OUR_FAULT, whole_text};
use super::super::text::Line;
use super::Frame;
use super::details::spans;
use crate::event::Standing;
use crate::record::FinishedSubmission;
use crate::record::Report;
use crate::store::safe_name;

/// The folder of the pages, beside the page of the class.
pub(crate) const FOLDER: &str = "students";

/// The pages under construction.
#[derive(Debug)]
pub(super) struct StudentPages {
    feedback: FeedbackLevel,
    look: Look,
    /// The sections of each student's page, as HTML.
    sections: BTreeMap<String, String>,
}

/// One submission on a student's page.
#[derive(Template)]
#[template(path = "student_section.html")]
struct Section {
    problem: String,
    lines: Vec<Line>,
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
    frame: Frame,
    student: String,
    /// What else is known of the student: the name, the group.
    person: String,
    started: String,
    /// The sections, which were escaped when they were made.
    sections: &'a str,
}

impl StudentPages {
    pub(super) fn new(feedback: FeedbackLevel, look: Look) -> Self {
        Self { feedback, look, sections: BTreeMap::new() }
    }

    /// Adds the result of a submission.
    pub(super) fn add(&mut self, of: &FinishedSubmission<'_>) {
        let Some(student) = of.submission.head.student.as_deref() else { return };
        let lines = match of.submission.standing() {
            Some(Standing::Met | Standing::Missed { .. }) => {
                whole_text(of.submission, of.finished_tests(), of.problem.max_score, self.feedback, &self.look)
            }
            Some(Standing::NotJudged { .. } | Standing::JudgeError { .. }) => vec![Line::from(OUR_FAULT)],
            Some(Standing::Interrupted) | None => vec![Line::from("not judged: the run was interrupted")],
        };
        self.push(student, clean(of.submission.id.problem.as_str()), lines);
    }

    /// Adds what could not be judged, and the students who submitted nothing.
    pub(super) fn add_others(&mut self, report: &Report) {
        for out in report.left_out() {
            let problem = out.problem.as_ref().map_or("not judged".to_owned(), |problem| clean(problem.as_str()));
            self.push(&out.student, problem, vec![Line::from(clean(&out.text).as_str())]);
        }
        for student in report.without_submission() {
            let text = "We received no submission.";
            self.push(&student.student, "not judged".to_owned(), vec![Line::from(text)]);
        }
    }

    fn push(&mut self, student: &str, problem: String, lines: Vec<Line>) {
        let sections = self.sections.entry(student.to_owned()).or_default();
        // Writing to a string cannot fail.
        let _ = Section { problem, lines }.render_into(sections);
    }

    /// The file names of the pages by student.
    pub(super) fn names(&self) -> BTreeMap<String, String> {
        self.sections.keys().map(|student| (student.clone(), format!("{}.html", safe_name(student)))).collect()
    }

    /// The page of a student by its file name.
    pub(super) fn page(&self, name: &str, report: &Report) -> Option<io::Result<String>> {
        let student = self.names().into_iter().find(|(_, known)| known == name)?.0;
        let (_, rows) = rows_of(report);
        Some(self.render(&student, report, rows.iter().find(|row| row.student == student)))
    }

    fn render(&self, student: &str, report: &Report, row: Option<&Row>) -> io::Result<String> {
        let name = row.map(Row::name).filter(|name| !name.is_empty());
        let group = row.map(Row::group).filter(|group| !group.is_empty()).map(|group| format!("group {group}"));
        let page = Page {
            frame: Frame::without_script(),
            student: clean(student),
            person: clean(&name.map(str::to_owned).into_iter().chain(group).collect::<Vec<_>>().join(" · ")),
            started: report.head.as_ref().map(|head| super::day(&head.measured.started)).unwrap_or_default(),
            sections: self.sections.get(student).map_or("", String::as_str),
        };
        page.render().map_err(io::Error::other)
    }

    /// Writes all pages into a folder below `folder`.
    pub(super) fn write(&self, folder: &Path, report: &Report) -> io::Result<()> {
        let (_, rows) = rows_of(report);
        let rows: BTreeMap<&str, &Row> = rows.iter().map(|row| (&*row.student, row)).collect();
        for (student, name) in self.names() {
            let page = self.render(&student, report, rows.get(&*student).copied())?;
            write_whole(&folder.join(FOLDER).join(name), page.as_bytes())?;
        }
        Ok(())
    }
}
