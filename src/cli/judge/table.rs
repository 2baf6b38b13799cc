//! The end of judging a class: the table, identical submissions, and the totals.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::event::{ProblemHead, Verb};
use crate::intake::programs::Identical;
use crate::intake::result_folder::slowest;
use crate::problem::ProblemId;
use crate::record::{Report, SubmissionReport};
use crate::report::grade::{self, grade};
use crate::report::terminal::TerminalOptions;
use crate::report::terminal::class::{Cell, Order, Row, lines, sort};
use crate::report::text::{Line, Style, Whitespace, count, escape, truncate};
use crate::verdict::Verdict;

/// The most students with identical submissions that are named, without `-v`.
const NAMED: usize = 6;

/// The most columns of a student's name in a list.
const NAME: usize = 32;

/// Shows the table of a class.
pub(super) fn show(out: &mut dyn Write, report: &Report, options: &TerminalOptions, order: Order) -> io::Result<()> {
    let (problems, mut rows) = rows_of(report);
    sort(&mut rows, order);
    for line in lines(&problems, &rows, options.fit) {
        writeln!(out, "{}", line.render(options.paint))?;
    }
    Ok(())
}

fn rows_of(report: &Report) -> (Vec<String>, Vec<Row>) {
    let heads: Vec<_> = report.head.iter().flat_map(|head| &head.problems).collect();
    let problems = report.problems();
    let column_of = |problem: &ProblemId| problems.iter().position(|known| *known == problem);
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let empty =
        |student: &str| Row { student: student.to_owned(), cells: vec![None; problems.len()], unmatched: false };
    for run in &report.runs {
        let student = run.student.as_deref().unwrap_or(run.run.submission.as_str());
        let Some(head) = heads.iter().find(|head| head.problem == run.run.problem) else { continue };
        let Some(column) = column_of(&head.problem) else { continue };
        rows.entry(student).or_insert_with(|| empty(student)).cells[column] = Some(cell(run, head));
    }
    for out in report.left_out() {
        let row = rows.entry(&out.student).or_insert_with(|| empty(&out.student));
        row.unmatched |= out.problem.is_none();
        let column = out.problem.as_ref().and_then(column_of);
        let Some(cell) = column.map(|column| &mut row.cells[column]) else { continue };
        cell.get_or_insert_with(|| Cell::unjudged(out.why.clone()));
    }
    for student in report.without_submission() {
        rows.entry(&student.student).or_insert_with(|| empty(&student.student));
    }
    (problems.iter().map(ToString::to_string).collect(), rows.into_values().collect())
}

fn cell(run: &SubmissionReport, head: &ProblemHead) -> Cell {
    let grade = match grade(head, run) {
        Ok(grade) => grade,
        Err(why) => return Cell { slowest: slowest(run), ..Cell::unjudged(why.to_owned()) },
    };
    let tests = if run.verdict == Some(Verdict::CompileError) { 0 } else { head.tests };
    let score = run.score.map(|score| (score, head.max_score));
    let passed = (run.accepted(), tests);
    Cell { verdict: run.verdict, word: String::new(), passed, score, grade: Some(grade), slowest: slowest(run) }
}

/// Shows groups of identical submissions. Each group is judged once, and the teacher may want to ask the students.
pub(super) fn show_identical(
    out: &mut dyn Write,
    identical: &[Identical],
    options: &TerminalOptions,
) -> io::Result<()> {
    if !identical.is_empty() {
        writeln!(out)?;
    }
    for same in identical {
        let told = if options.verbosity > 0 { usize::MAX } else { NAMED };
        let names: Vec<String> = same
            .students
            .iter()
            .take(told)
            .map(|name| truncate(&escape(name.as_bytes(), Whitespace::Inline), NAME))
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

/// The last line of judging a class.
pub(super) fn show_sum(
    out: &mut dyn Write,
    report: &Report,
    recalled: usize,
    options: &TerminalOptions,
) -> io::Result<()> {
    let (problems, rows) = rows_of(report);
    let solved = report.runs.iter().filter(|run| run.is_fine(Verb::Judge)).count();
    let (word, style) = match () {
        () if report.interrupted => ("INTERRUPTED", Style::NOTICE.bold()),
        () if report.runs.is_empty() => ("NOT JUDGED", Style::NOTICE.bold()),
        () => ("JUDGED", Style::GOOD.bold()),
    };
    let before = if recalled > 0 { format!(", {recalled} from an earlier run") } else { String::new() };
    let text = format!(
        "  {}, {}: {solved} of {} accepted{before}{} · {:.1} s",
        count(rows.len(), "student"),
        count(problems.len(), "problem"),
        count(report.runs.len(), "submission"),
        grade::policy(report).map(|policy| format!(", graded {policy}")).unwrap_or_default(),
        report.wall.as_secs_f64(),
    );
    let line = Line::new().with(word, style).with(&text, Style::PLAIN);
    if let Some(text) = report.disturbance().filter(|_| options.verbosity >= 0) {
        writeln!(out, "\n{}", Line::new().with(&text, Style::NOTICE).render(options.paint))?;
    }
    writeln!(out, "\n{}", line.render(options.paint))
}
