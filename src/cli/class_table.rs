//! The end of judging a class: the table, who needs help, identical submissions, and the totals.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use crate::event::{GradeColumn, RosterStudent, Standing, Verb};
use crate::intake::programs::Identical;
use crate::record::Report;
use crate::report::class::help::{ABSENT, PastGrades, compared, needing};
use crate::report::class::{Order, Row, best_in, best_total, rows_of, sort};
use crate::report::grade::{self, Scale, number};
use crate::report::gradebook::{FORMS, Form, kept_grade};
use crate::report::terminal::TerminalOptions;
use crate::report::terminal::class::lines;
use crate::report::text::{Line, Style, Whitespace, count, escape, first_of, truncate};
use crate::session::past::EarlierRuns;

/// The most students with identical submissions that are named, without `-v`.
const NAMED: usize = 6;

/// The most columns of a student's name in a list.
const NAME: usize = 32;

/// The most students who need help that are named each in a line, without `-v`.
const HELPED: usize = 10;

/// The results of a class for the terminal: its report, the requested files of grades and earlier runs.
pub(super) struct ClassTable<'a> {
    pub(super) report: &'a Report,
    pub(super) options: &'a TerminalOptions,
    /// The requested files of grades.
    pub(super) files: Vec<&'static Form>,
    pub(super) earlier: EarlierRuns,
}

impl ClassTable<'_> {
    /// The files of grades that the class is about: the requested ones, and that of the platform whose list is the roster.
    fn files(&self) -> Vec<&'static Form> {
        let columns = self.report.head.iter().flat_map(|head| &head.grade_columns);
        let is_meant = |form: &&Form| {
            self.files.iter().any(|file| file.name == form.name)
                || columns.clone().any(|column| column.platform == form.name)
        };
        FORMS.iter().filter(is_meant).collect()
    }
}

/// Shows the table of a class.
pub(super) fn show(out: &mut dyn Write, table: &ClassTable<'_>, order: Order) -> io::Result<()> {
    let ClassTable { report, options, .. } = *table;
    let (problems, mut rows) = rows_of(report);
    sort(&mut rows, order);
    for line in lines(&problems, &rows, options.fit) {
        writeln!(out, "{}", line.render(options.paint))?;
    }
    for row in &rows {
        for note in row.remarks(&problems) {
            let text = escape(format!("{}  {note}", row.student).as_bytes(), Whitespace::Inline);
            writeln!(out, "{}", Line::new().with(&text, Style::FAINT).render(options.paint))?;
        }
    }
    show_not_judged(out, report, options)?;
    show_without_totals(out, table)?;
    if report.interrupted { Ok(()) } else { show_help(out, table, &problems, &rows) }
}

/// Names the students who may need help, and says why.
fn show_help(out: &mut dyn Write, table: &ClassTable<'_>, problems: &[String], rows: &[Row]) -> io::Result<()> {
    let ClassTable { report, options, earlier, .. } = table;
    let past = earlier.grades(compared(rows, problems));
    let past: Vec<&PastGrades> = past.iter().collect();
    let (absent, others): (Vec<_>, Vec<_>) =
        needing(rows, problems, report, &past).into_iter().partition(|(_, reasons)| *reasons == [ABSENT]);
    if absent.is_empty() && others.is_empty() {
        return Ok(());
    }
    let head = report.head.as_ref();
    let called = |at: usize| head.map_or(rows[at].student.clone(), |head| head.called(&rows[at].student));
    let told = if options.verbosity > 0 { usize::MAX } else { HELPED };
    let shown_names = if options.verbosity > 0 { usize::MAX } else { NAMED };
    let mut lines: Vec<String> =
        others.iter().take(told).map(|(at, reasons)| format!("{}: {}", called(*at), reasons.join(", "))).collect();
    if others.len() > told {
        lines.push(format!("{} (-v)", count(others.len() - told, "more student")));
    }
    if !absent.is_empty() {
        let names: Vec<String> = absent.iter().map(|(at, _)| called(*at)).collect();
        lines.push(format!("{ABSENT}: {}", first_of(names.iter(), shown_names)));
    }
    writeln!(out, "\n{}", Line::new().with("needs help", Style::STRONG).render(options.paint))?;
    for line in lines {
        let text = escape(format!("  {line}").as_bytes(), Whitespace::Inline);
        writeln!(out, "{}", Line::new().with(&text, Style::PLAIN).render(options.paint))?;
    }
    Ok(())
}

/// Names the files that have no place for overrides of totals.
fn show_without_totals(out: &mut dyn Write, table: &ClassTable<'_>) -> io::Result<()> {
    let ClassTable { report, options, .. } = table;
    let mut overrides = report.head.iter().flat_map(|head| &head.overrides);
    let platforms: Vec<&str> = table.files().iter().filter(|form| !form.has_total).map(|form| form.title).collect();
    if platforms.is_empty() || !overrides.any(|change| change.problem.is_none()) {
        return Ok(());
    }
    let text = format!(
        "the file for {} has no total, so it lacks what the overrides say of totals",
        platforms.join(" and the file for ")
    );
    writeln!(out, "{}", Line::new().with(&text, Style::NOTICE).render(options.paint))
}

/// Says why submissions were not judged on this machine, and what failed of ours, each reason once.
fn show_not_judged(out: &mut dyn Write, report: &Report, options: &TerminalOptions) -> io::Result<()> {
    let mut reasons: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for submission in &report.submissions {
        let reason = match submission.standing() {
            Some(Standing::NotJudged { reason }) => ("not judged", &**reason),
            Some(Standing::JudgeError { message }) => ("judge error", message.lines().next().unwrap_or_default()),
            _ => continue,
        };
        let student = submission.head.student.as_deref().unwrap_or(submission.id.submission.as_str());
        reasons.entry(reason).or_default().push(student);
    }
    for ((what, reason), students) in reasons {
        let text = format!("{what}: {}: {reason}", first_of(students.iter().copied(), NAMED));
        let text = escape(text.as_bytes(), Whitespace::Inline);
        writeln!(out, "{}", Line::new().with(&text, Style::NOTICE).render(options.paint))?;
    }
    Ok(())
}

/// Shows groups of identical submissions. Each group is judged once, and the teacher may want to ask the students.
pub(super) fn show_identical(out: &mut dyn Write, identical: &[Identical], table: &ClassTable<'_>) -> io::Result<()> {
    let ClassTable { report, options, .. } = table;
    let called = |student: &String| report.head.as_ref().map_or(student.clone(), |head| head.called(student));
    if !identical.is_empty() {
        writeln!(out)?;
    }
    for same in identical {
        let told = if options.verbosity > 0 { usize::MAX } else { NAMED };
        let names: Vec<String> = same
            .students
            .iter()
            .take(told)
            .map(|student| truncate(&escape(called(student).as_bytes(), Whitespace::Inline), NAME))
            .collect();
        let more = same.students.len() - names.len();
        let more = if more > 0 { format!(" and {more} more (-v)") } else { String::new() };
        let text = format!("{} identical: {}{more}", same.students.len(), names.join(", "));
        let problem = escape(same.problem.as_bytes(), Whitespace::Inline);
        let line = Line::new().with(&format!("{problem}: "), Style::STRONG).with(&text, Style::PLAIN);
        writeln!(out, "{}", line.render(options.paint))?;
    }
    Ok(())
}

/// Says which points are scaled in files for platforms.
fn show_scales(out: &mut dyn Write, report: &Report, options: &TerminalOptions) -> io::Result<()> {
    let is_of_run =
        |column: &&GradeColumn| column.problem.as_ref().is_none_or(|problem| report.problems().contains(&problem));
    // Of several columns of a problem, the file has the first.
    let mut known = BTreeSet::new();
    let columns = report.head.iter().flat_map(|head| &head.grade_columns).filter(is_of_run);
    for column in columns {
        if !known.insert((&column.platform, &column.problem)) {
            continue;
        }
        let best = match &column.problem {
            Some(problem) => best_in(problem, report),
            None => best_total(report),
        };
        let what = column.problem.as_ref().map_or("the total", |problem| problem.as_str());
        let platform = &column.platform;
        let has_own = |student: &RosterStudent| student.most.is_some();
        let is_by_row = column.most.is_none() && column.problem.is_none();
        let text = match column.most.and_then(|most| Scale::of(most, best)) {
            None if is_by_row && report.head.iter().flat_map(|head| &head.roster).any(has_own) => {
                format!("--report {platform}: {what} is scaled to the maximum of each student in the roster")
            }
            None => continue,
            Some(Scale { most, best: Some(best) }) => {
                let most = number(most);
                let best = number(best);
                format!("--report {platform}: {what} is scaled from {best} to {most} points, the maximum in the roster")
            }
            Some(Scale { .. }) => {
                format!("--report {platform}: {what} is not scaled, because its points have no maximum")
            }
        };
        let text = escape(text.as_bytes(), Whitespace::Inline);
        writeln!(out, "{}", Line::new().with(&text, Style::NOTICE).render(options.paint))?;
    }
    Ok(())
}

/// Says how many students without a submission keep a grade of Moodle's worksheet.
fn show_kept(out: &mut dyn Write, rows: &[Row], table: &ClassTable<'_>) -> io::Result<()> {
    let kept = rows.iter().filter(|row| kept_grade(row).is_some()).count();
    if kept == 0 || table.files.iter().all(|form| form.name != "moodle") {
        return Ok(());
    }
    let who = count(kept, "student");
    let text = format!(
        "--report moodle: {who} without a submission: the grade in the worksheet stays (0 with --missing zero)"
    );
    writeln!(out, "{}", Line::new().with(&text, Style::NOTICE).render(table.options.paint))
}

/// Names the students whose total is below 0.
fn show_below(out: &mut dyn Write, rows: &[Row], table: &ClassTable<'_>) -> io::Result<()> {
    let is_below = |row: &&Row| row.total().is_some_and(|total| total < -1e-9);
    let below: Vec<&str> = rows.iter().filter(is_below).map(|row| &*row.student).collect();
    if below.is_empty() {
        return Ok(());
    }
    let text = format!("a total below 0: {}", first_of(below.into_iter(), NAMED));
    let text = escape(text.as_bytes(), Whitespace::Inline);
    writeln!(out, "{}", Line::new().with(&text, Style::NOTICE).render(table.options.paint))
}

/// Names the students whose total is above the maximum.
fn show_above(out: &mut dyn Write, rows: &[Row], table: &ClassTable<'_>) -> io::Result<()> {
    let is_above = |row: &&Row| row.total().zip(row.best).is_some_and(|(total, best)| total > best + 1e-9);
    let above: Vec<&str> = rows.iter().filter(is_above).map(|row| &*row.student).collect();
    if above.is_empty() {
        return Ok(());
    }
    let names = first_of(above.into_iter(), NAMED);
    let of_files: String =
        table.files().iter().filter_map(|form| form.above_maximum).flat_map(|effect| ["; ", effect]).collect();
    let text = format!("above the maximum of the total: {names}{of_files}");
    let text = escape(text.as_bytes(), Whitespace::Inline);
    writeln!(out, "{}", Line::new().with(&text, Style::NOTICE).render(table.options.paint))
}

/// The last line of judging a class.
pub(super) fn show_sum(out: &mut dyn Write, table: &ClassTable<'_>, recalled: usize) -> io::Result<()> {
    let ClassTable { report, options, .. } = *table;
    let (problems, rows) = rows_of(report);
    let solved = report.submissions.iter().filter(|submission| submission.is_fine(Verb::Judge)).count();
    let (word, style) = match () {
        () if report.interrupted => ("INTERRUPTED", Style::NOTICE.bold()),
        () if report.submissions.is_empty() => ("NOT JUDGED", Style::NOTICE.bold()),
        () => ("JUDGED", Style::GOOD.bold()),
    };
    let before = if recalled > 0 { format!(", {recalled} from an earlier run") } else { String::new() };
    let text = format!(
        "  {}, {}: {solved} of {} accepted{before}{} · {:.1} s",
        count(rows.len(), "student"),
        count(problems.len(), "problem"),
        count(report.submissions.len(), "submission"),
        grade::policy(report).map(|policy| format!(", graded {policy}")).unwrap_or_default(),
        report.wall.as_secs_f64(),
    );
    let line = Line::new().with(word, style).with(&text, Style::PLAIN);
    show_scales(out, report, options)?;
    show_kept(out, &rows, table)?;
    show_above(out, &rows, table)?;
    show_below(out, &rows, table)?;
    if let Some(text) = report.disturbance().filter(|_| options.verbosity >= 0) {
        writeln!(out, "\n{}", Line::new().with(&text, Style::NOTICE).render(options.paint))?;
    }
    writeln!(out, "\n{}", line.render(options.paint))
}
