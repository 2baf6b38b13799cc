//! Writes the gradebook: a row for each student and a column for each problem, as a table of its own and in the forms that
//! learning platforms take back.

use std::io;

use super::class::{Cell, MISSING, Row, best_in, best_total, rows_of};
use super::csv::{cell, write};
use super::document::Document;
use super::grade::{Scale, number, policy};
use crate::course::{Lateness, begun_minutes};
use crate::event::{GradeColumn, RosterStudent};
use crate::problem::ProblemId;
use crate::record::{FinishedSubmission, Report};

/// A gradebook in one of the forms of [`FORMS`].
#[derive(Debug)]
pub(crate) struct Gradebook(&'static Form);

/// A form of gradebooks.
#[derive(Debug)]
pub struct Form {
    /// Its name in `--report`.
    pub name: &'static str,
    /// The platform's name.
    pub title: &'static str,
    /// Whether it has a column of totals.
    pub has_total: bool,
    /// The platform's reaction to points above the maximum, if it does not take them.
    pub above_maximum: Option<&'static str>,
    /// Whether the file begins with a byte order mark. Without one, Excel reads letters such as `é` as others.
    mark: bool,
    rows: fn(&Grades<'_>) -> Vec<Vec<String>>,
}

const fn form(name: &'static str, rows: fn(&Grades<'_>) -> Vec<Vec<String>>) -> Form {
    Form { name, title: "", has_total: false, above_maximum: None, mark: false, rows }
}

/// The forms, in the order of the help.
pub static FORMS: [Form; 6] = [
    Form { title: "grader", has_total: true, ..form("gradebook", own) },
    // `mod/assign/feedback/offline`: rows are found by the identifier, and the grade is read by its heading. Without the
    // time of the last grade, Moodle refuses the file; it skips rows whose grade is newer than this time.
    Form {
        title: "Moodle",
        mark: true,
        has_total: true,
        above_maximum: Some("Moodle skips these rows when it reads the file"),
        ..form("moodle", moodle)
    },
    // Gradebook, Import: assignments are found by their heading; a new heading is a new assignment.
    Form { title: "Canvas", ..form("canvas", canvas) },
    // Grade Center, Work Offline, Upload: students are found by `Username`.
    Form { title: "Blackboard", mark: true, ..form("blackboard", blackboard) },
    // Grades, Import: `#` before the id, and the last column, are part of the form.
    Form { title: "Brightspace", mark: true, ..form("brightspace", brightspace) },
    // The status file of `Multi-Feedback`.
    Form { title: "ILIAS", mark: true, has_total: true, ..form("ilias", ilias) },
];

impl Gradebook {
    pub(crate) fn new(name: &str) -> Self {
        Self(FORMS.iter().find(|form| form.name == name).unwrap_or(&FORMS[0]))
    }
}

impl Document for Gradebook {
    fn submission(&mut self, _: &FinishedSubmission<'_>) {}

    fn text(&mut self, report: &Report) -> io::Result<Vec<u8>> {
        let (problems, rows) = rows_of(report);
        let grades = Grades { platform: self.0.name, report, problems, rows };
        let rows = (self.0.rows)(&grades);
        let text = write(rows.iter().map(Vec::as_slice))?;
        Ok(if self.0.mark { ["\u{feff}".as_bytes(), &text].concat() } else { text })
    }
}

/// The grades that all forms show.
pub struct Grades<'r> {
    /// The name of the form.
    platform: &'static str,
    report: &'r Report,
    problems: Vec<String>,
    rows: Vec<Row>,
}

impl Grades<'_> {
    /// The column of a problem, or of the total, in the list of this platform.
    fn column(&self, problem: Option<&str>) -> Option<&GradeColumn> {
        let mut columns = self.report.head.iter().flat_map(|head| &head.grade_columns);
        columns.find(|column| {
            column.platform == self.platform && column.problem.as_ref().map(ProblemId::as_str) == problem
        })
    }

    /// The best possible points in each column of a problem, as the platform counts them; empty if they have no bound.
    fn most(&self) -> impl Iterator<Item = String> {
        self.report.problems().into_iter().map(|problem| {
            let most = self.column(Some(problem.as_str())).and_then(|column| column.most);
            shown(most.or(best_in(problem, self.report)))
        })
    }

    /// The most points that a student can have in total at the platform; none if its list does not say it.
    fn stated_most(&self, row: &Row) -> Option<f64> {
        self.column(None)?.most.or_else(|| row.person.as_ref()?.most)
    }

    /// Whether the list states the most points of each student, and does not know this one.
    fn is_unknown(&self, row: &Row) -> bool {
        let has_own = |student: &RosterStudent| student.most.is_some();
        self.stated_most(row).is_none() && self.report.head.iter().flat_map(|head| &head.roster).any(has_own)
    }

    fn most_in_total(&self, row: &Row) -> String {
        shown(self.stated_most(row).or(best_total(self.report)).filter(|_| !self.is_unknown(row)))
    }

    /// The headings of the columns of problems: those of the platform's list, or else these.
    fn headings(&self, of: impl Fn(&str, &str) -> String) -> Vec<String> {
        let problems = self.problems.iter().zip(self.most());
        let heading = |(problem, most): (&String, String)| {
            cell(&self.column(Some(problem)).map_or_else(|| of(problem, &most), |column| column.heading.clone()))
        };
        problems.map(heading).collect()
    }

    /// The points of a student in each problem, as the platform counts them.
    fn points(&self, row: &Row) -> Vec<String> {
        let points = |(at, problem): (usize, &ProblemId)| {
            let grade = row.cells[at].as_ref().and_then(|of| of.grade);
            let column = self.column(Some(problem.as_str()));
            if column.is_some() && row.cells[at].as_ref().is_some_and(Cell::is_excused) {
                // As Canvas reads it.
                return "EX".to_owned();
            }
            scaled(grade, column.and_then(|column| column.most), best_in(problem, self.report))
        };
        self.report.problems().into_iter().enumerate().map(points).collect()
    }

    fn total(&self, row: &Row) -> String {
        let total = row.total().filter(|_| !self.is_unknown(row));
        scaled(total, self.stated_most(row), best_total(self.report))
    }

    /// A heading of the platform's list, which is called this in English.
    fn heading(&self, english: &str) -> String {
        let known = self.column(None).and_then(|column| column.headings.get(english));
        known.map_or_else(|| english.to_owned(), |heading| cell(heading))
    }

    /// A number as the platform's list writes it.
    fn written(&self, number: String) -> String {
        let has_comma = self.column(None).is_some_and(|column| column.decimal_comma);
        if has_comma { number.replace('.', ",") } else { number }
    }

    /// The identifier of Moodle: that of its list, or one like the others there. None if the ids of the roster are others.
    fn identifier(&self, row: &Row) -> Option<String> {
        let listed = |person: &RosterStudent| person.listed_as.clone();
        let people = || self.report.head.iter().flat_map(|head| &head.roster);
        let like_others = || {
            let word = people().find_map(RosterStudent::listed_word).unwrap_or("Participant ");
            Some(format!("{word}{}", id(row))).filter(|_| !people().any(RosterStudent::has_other_number))
        };
        row.person.as_ref().and_then(listed).or_else(like_others).map(|identifier| cell(&identifier))
    }

    /// The verdicts, the overrides, and the suggested fixes for submissions that could not be judged, in words.
    fn comment(&self, row: &Row) -> String {
        let own = self.report.left_out().iter().filter(|out| out.student == row.student && !out.staff);
        let advice = |problem: Option<&str>| {
            own.clone().find(|out| out.problem.as_ref().map(ProblemId::as_str) == problem).map(|out| out.text.clone())
        };
        let of = |(problem, cell): (&String, &Option<Cell>)| {
            let Some(cell) = cell.as_ref().filter(|cell| cell.word != MISSING || !cell.notes.is_empty()) else {
                // Something that belongs to no problem may be meant for this one.
                return row.open_unmatched().is_none().then(|| format!("{problem}: not submitted"));
            };
            // What people decided makes the advice pointless.
            let advice = advice(Some(problem)).filter(|_| cell.verdict.is_none() && cell.notes.is_empty());
            let words = [cell.comment()].into_iter().chain(advice).collect::<Vec<_>>().join(", ");
            Some(format!("{problem}: {words}"))
        };
        let cells = self.problems.iter().zip(&row.cells).filter_map(of);
        let unmatched = row.open_unmatched().map(|why| advice(None).unwrap_or_else(|| why.to_owned()));
        cell(&cells.chain(unmatched).chain(row.notes()).collect::<Vec<_>>().join("; "))
    }
}

/// The name of a student, or else the name in reports.
fn name(row: &Row) -> &str {
    row.person.as_ref().map(|person| &*person.name).filter(|name| !name.is_empty()).unwrap_or(&row.student)
}

fn id(row: &Row) -> &str {
    row.person.as_ref().map_or(&*row.student, |person| &*person.id)
}

/// Points as a platform counts them whose maximum is `most` there, and `best` here.
fn scaled(points: Option<f64>, most: Option<f64>, best: Option<f64>) -> String {
    let scale = most.and_then(|most| Scale::of(most, best));
    shown(points.map(|points| scale.map_or(points, |scale| scale.apply(points))))
}

fn shown(points: Option<f64>) -> String {
    points.map(number).unwrap_or_default()
}

fn points(of: Option<&Cell>) -> String {
    shown(of.and_then(|cell| cell.grade))
}

fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).to_vec()
}

/// A column that is there only if it says something about any student: its heading, and the cell.
type Field = (&'static str, fn(&Grades<'_>, &Row) -> Option<String>);

/// The columns after the student.
const FIELDS: [Field; 3] = [
    ("name", |_, row| Some(row.person.as_ref()?.name.clone()).filter(|name| !name.is_empty())),
    ("id", |_, row| Some(row.person.as_ref()?.id.clone())),
    ("group", |_, row| row.person.as_ref()?.group.clone()),
];
/// The columns after the verdicts.
const LAST_FIELDS: [Field; 4] = [
    ("attempts", |_, row| {
        let attempts = row.cells.iter().map(|cell| cell.as_ref().and_then(|cell| cell.attempt));
        let shown = |attempt: Option<u32>| attempt.map_or("·".to_owned(), |attempt| attempt.to_string());
        attempts.clone().any(|attempt| attempt.is_some()).then(|| attempts.map(shown).collect::<Vec<_>>().join(" "))
    }),
    // Without a deadline, the time says nothing about the grade. Of several attempts, that of those that count is meant.
    ("submitted", |_, row| {
        let counted = row.cells.iter().flatten().filter_map(|cell| cell.submitted.clone()).max();
        counted.or_else(|| row.person.as_ref()?.submitted.clone()).filter(|_| late(row).is_some())
    }),
    ("minutes late", |grades, row| match late(row)? {
        Lateness::By(late) => Some(begun_minutes(late).to_string()),
        // Without a deadline, no student has minutes.
        Lateness::Unknown => {
            let has_minutes = |row: &Row| matches!(late(row), Some(Lateness::By(_)));
            grades.rows.iter().any(has_minutes).then(|| "unknown".to_owned())
        }
    }),
    ("note", |grades, row| {
        let why_open = row.why_open().map(|why| format!("total: {why}"));
        let notes: Vec<String> = row.remarks(&grades.problems).into_iter().chain(why_open).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }),
];

/// How late the latest submission is.
fn late(row: &Row) -> Option<Lateness> {
    let of_submissions = row.cells.iter().flatten().filter_map(|cell| cell.late).max();
    of_submissions.or(row.person.as_ref().and_then(|person| person.late).map(Lateness::By))
}

/// The form of grader. Columns: the student, with name, id and group if they are known; a score for each problem, the total,
/// a verdict for each problem; with a deadline, how late the submission is; how problems without points are graded, and the
/// isolation under which the programs ran.
///
/// The score is the grade (`report::grade`). A missing submission is an empty cell and counts 0. A submission that could
/// not be judged is an empty cell and leaves the total empty, because it is still unknown. So does a submission that
/// belongs to no problem, and the verdicts of the problems without a submission say so. Without students, as in
/// `grader run`, each submission has a row.
fn own(grades: &Grades<'_>) -> Vec<Vec<String>> {
    let fields = |fields: &[Field]| -> Vec<Field> {
        let any = |(_, cell): &&Field| grades.rows.iter().any(|row| cell(grades, row).is_some());
        fields.iter().filter(any).copied().collect()
    };
    let (first, last) = (fields(&FIELDS), fields(&LAST_FIELDS));
    let headings = |fields: &[Field]| fields.iter().map(|(heading, _)| (*heading).to_owned()).collect::<Vec<_>>();
    let mut head = texts(["student"]);
    head.extend(headings(&first));
    head.extend(grades.problems.iter().map(|problem| cell(problem)));
    head.extend(texts(["total"]));
    head.extend(grades.problems.iter().map(|problem| cell(&format!("{problem} verdict"))));
    head.extend(headings(&last));
    head.extend(texts(["grading", "isolation"]));
    let grading = policy(grades.report).unwrap_or("by points");
    let isolation = grades.report.head.as_ref().map(|head| cell(&head.isolation)).unwrap_or_default();
    let rows = grades.rows.iter().map(|row| {
        let of = |fields: &[Field]| -> Vec<String> {
            fields.iter().map(|(_, text)| text(grades, row).map(|text| cell(&text)).unwrap_or_default()).collect()
        };
        let verdict = |of: &Option<Cell>| match of {
            Some(of) => of.word(),
            None => row.unmatched.clone().unwrap_or_default(),
        };
        let mut cells = vec![cell(&row.student)];
        cells.extend(of(&first));
        cells.extend(row.cells.iter().map(|of| points(of.as_ref())));
        cells.push(shown(row.total()));
        cells.extend(row.cells.iter().map(verdict));
        cells.extend(of(&last));
        cells.extend([grading.to_owned(), isolation.clone()]);
        cells
    });
    std::iter::once(head).chain(rows).collect()
}

/// The text of Moodle for the time of a grade that does not exist.
const NEVER: &str = "-";

/// The grade that Moodle's worksheet states for a student without any submission, where this leaves cells blank. A zero would
/// replace it.
pub fn kept_grade(row: &Row) -> Option<String> {
    let has_nothing = row.cells.iter().all(Option::is_none) && row.unmatched.is_none() && row.changes.is_empty();
    row.person.as_ref()?.stated_grade.as_deref().filter(|_| has_nothing).map(cell)
}

fn moodle(grades: &Grades<'_>) -> Vec<Vec<String>> {
    let head = ["Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)", "Feedback comments"];
    let head = head.map(|heading| grades.heading(heading)).to_vec();
    let rows = grades.rows.iter().filter_map(|row| {
        let stated = row.person.as_ref().and_then(|person| person.graded.as_deref());
        let last_change = stated.filter(|stated| *stated != NEVER).map_or_else(|| NEVER.to_owned(), cell);
        let total = kept_grade(row).unwrap_or_else(|| grades.written(grades.total(row)));
        let most = grades.written(grades.most_in_total(row));
        Some(vec![grades.identifier(row)?, cell(name(row)), total, most, last_change, grades.comment(row)])
    });
    std::iter::once(head).chain(rows).collect()
}

fn canvas(grades: &Grades<'_>) -> Vec<Vec<String>> {
    let mut head = texts(["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]);
    head.extend(grades.headings(|problem, _| problem.to_owned()));
    let mut most = texts(["    Points Possible", "", "", "", ""]);
    most.extend(grades.most());
    let rows = grades.rows.iter().map(|row| {
        let id = id(row);
        // Canvas' own ids are numbers. Other ids are logins.
        let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        let (number, login) = if is_number { (id, "") } else { ("", id) };
        let person =
            |of: fn(&RosterStudent) -> Option<&String>| row.person.as_ref().and_then(of).map(|text| cell(text));
        let login = person(|person| person.login.as_ref()).unwrap_or_else(|| cell(login));
        let sis_id = person(|person| person.sis_id.as_ref()).unwrap_or_default();
        let mut cells = vec![cell(name(row)), cell(number), sis_id, login, cell(row.group())];
        cells.extend(grades.points(row));
        cells
    });
    [head, most].into_iter().chain(rows).collect()
}

fn blackboard(grades: &Grades<'_>) -> Vec<Vec<String>> {
    let mut head = texts(["Username"]);
    head.extend(grades.headings(|problem, most| format!("{problem} [Total Pts: {most} Score]")));
    let rows = grades.rows.iter().map(|row| {
        let mut cells = vec![cell(id(row))];
        cells.extend(grades.points(row));
        cells
    });
    std::iter::once(head).chain(rows).collect()
}

fn brightspace(grades: &Grades<'_>) -> Vec<Vec<String>> {
    let columns = grades.report.head.iter().flat_map(|head| &head.grade_columns);
    let mut own = columns.filter(|column| column.platform == grades.platform);
    let key = own.find_map(|column| column.headings.get("OrgDefinedId"));
    let mut head = vec![key.map_or_else(|| "OrgDefinedId".to_owned(), |key| cell(key))];
    head.extend(grades.headings(|problem, _| format!("{problem} Points Grade")));
    head.extend(texts(["End-of-Line Indicator"]));
    let rows = grades.rows.iter().map(|row| {
        let mut cells = vec![format!("#{}", cell(id(row)))];
        cells.extend(grades.points(row));
        cells.push("#".to_owned());
        cells
    });
    std::iter::once(head).chain(rows).collect()
}

fn ilias(grades: &Grades<'_>) -> Vec<Vec<String>> {
    let head = texts(["update", "login", "lastname", "firstname", "status", "mark", "notice", "comment"]);
    let rows = grades.rows.iter().map(|row| {
        let name = name(row);
        // The roster may state another name than the export.
        let by_platform = || {
            let last = row.person.as_ref()?.last_name.as_deref()?;
            Some((last, name.strip_suffix(last)?.strip_suffix(' ')?))
        };
        let by_space = || name.rsplit_once(' ').map(|(first, last)| (last, first));
        let (last, first) = name.split_once(", ").or_else(by_platform).or_else(by_space).unwrap_or((name, ""));
        // ILIAS changes the rows with a 1 only.
        let update = if row.total().is_some() { "1" } else { "0" };
        vec![
            update.to_owned(),
            cell(id(row)),
            cell(last),
            cell(first),
            String::new(),
            shown(row.total()),
            String::new(),
            grades.comment(row),
        ]
    });
    std::iter::once(head).chain(rows).collect()
}
