//! The end of judging a class: the table, identical submissions, and the totals.

use std::io::{self, Write};

use crate::event::Verb;
use crate::intake::programs::Identical;
use crate::record::Report;
use crate::report::class::{Cell, Order, rows_of, sort};
use crate::report::grade;
use crate::report::terminal::TerminalOptions;
use crate::report::terminal::class::lines;
use crate::report::text::{Line, Style, Whitespace, count, escape, truncate};

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
    for row in &rows {
        let of = |(problem, cell): (&String, &Option<Cell>)| {
            let notes = cell.iter().flat_map(|cell| &cell.notes);
            notes.map(|note| format!("{problem}: {note}")).collect::<Vec<_>>()
        };
        for note in problems.iter().zip(&row.cells).flat_map(of).chain(row.notes()) {
            let text = escape(format!("{}  {note}", row.student).as_bytes(), Whitespace::Inline);
            writeln!(out, "{}", Line::new().with(&text, Style::FAINT).render(options.paint))?;
        }
    }
    Ok(())
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
    if let Some(text) = report.disturbance().filter(|_| options.verbosity >= 0) {
        writeln!(out, "\n{}", Line::new().with(&text, Style::NOTICE).render(options.paint))?;
    }
    writeln!(out, "\n{}", line.render(options.paint))
}
