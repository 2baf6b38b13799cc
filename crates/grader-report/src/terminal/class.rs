//! Shows the result table of a class on a terminal.

use super::clean;
use crate::class::{Cell, Row};
use crate::grade::number;
use crate::limits::seconds;
use crate::text::{Line, Style, pad, truncate, width};
use crate::verdict::Verdict;

/// How much of a cell is shown. Each level shows less than the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// `WA  3/10  0.214 s`.
    Time,
    /// `WA  3/10`.
    Score,
    /// `WA`, or the points if the problem has points.
    Short,
}

/// The gap between two columns of the table.
const GAP: usize = 2;
/// The most columns of a student's name; longer names are cut.
const NAME: usize = 32;

/// A heading, the text of a row below it, and whether that says something.
type PersonColumn = (&'static str, fn(&Row) -> &str, fn(&Row) -> bool);

/// The columns that say who a student is. Those after the first are there if they say something about any student.
struct Persons {
    /// The headings and the widths.
    heads: Vec<(&'static str, usize)>,
    rows: Vec<Vec<String>>,
}

impl Persons {
    fn new(rows: &[Row]) -> Self {
        let columns: [PersonColumn; 3] = [
            ("student", |row| &row.student, |_| true),
            ("name", Row::name, Row::has_another_name),
            ("group", Row::group, |row| !row.group().is_empty()),
        ];
        let mut persons = Self { heads: Vec::new(), rows: vec![Vec::new(); rows.len()] };
        for (heading, text, says_something) in columns {
            if !persons.heads.is_empty() && !rows.iter().any(says_something) {
                continue;
            }
            let texts: Vec<String> = rows.iter().map(|row| truncate(&clean(text(row)), NAME)).collect();
            let widest = texts.iter().map(|text| width(text)).max().unwrap_or(0).max(width(heading));
            persons.heads.push((heading, widest));
            persons.rows.iter_mut().zip(texts).for_each(|(row, text)| row.push(text));
        }
        persons
    }

    fn width(&self) -> usize {
        self.heads.iter().map(|(_, width)| width + GAP).sum()
    }

    /// Texts of a row in their columns.
    fn padded<'t>(&self, texts: impl Iterator<Item = &'t str>) -> String {
        let gap = " ".repeat(GAP);
        texts.zip(&self.heads).map(|(text, (_, width))| pad(text, *width) + &gap).collect()
    }
}

/// Renders the table in at most `room` columns, if a limit is given. To fit, it leaves out the times first, then the
/// counts, then the students' names and groups, then problems from the right.
pub fn lines(problems: &[String], rows: &[Row], room: Option<usize>) -> Vec<Line> {
    let problems: Vec<String> = problems.iter().map(|problem| clean(problem)).collect();
    let mut persons = Persons::new(rows);
    let totals: Vec<String> = rows.iter().map(Row::total_in_words).collect();
    let last = totals.iter().map(|total| width(total)).max().unwrap_or(0).max(width("total"));
    let widths_of =
        |detail| -> Vec<usize> { (0..problems.len()).map(|at| column(&problems, rows, at, detail)).collect() };
    let needed = |persons: &Persons, widths: &[usize]| {
        persons.width() + last + widths.iter().map(|width| width + GAP).sum::<usize>()
    };
    let fits = |persons: &Persons, detail| room.is_none_or(|room| needed(persons, &widths_of(detail)) <= room);
    let fitting = [Detail::Time, Detail::Score, Detail::Short].into_iter().find(|detail| fits(&persons, *detail));
    let detail = fitting.unwrap_or_else(|| {
        persons.heads.truncate(1);
        if fits(&persons, Detail::Score) { Detail::Score } else { Detail::Short }
    });
    let mut widths = widths_of(detail);
    while room.is_some_and(|room| needed(&persons, &widths) > room) && widths.len() > 1 {
        widths.pop();
    }
    let heads = persons.padded(persons.heads.iter().map(|(heading, _)| *heading));
    let mut head = Line::new().with(&heads, Style::STRONG);
    for (problem, width) in problems.iter().zip(&widths) {
        head.push(&format!("{}  ", pad(&truncate(problem, *width), *width)), Style::STRONG);
    }
    head.push(&format!("{:>last$}", "total"), Style::STRONG);
    let mut lines = vec![head];
    for ((row, person), total) in rows.iter().zip(&persons.rows).zip(&totals) {
        let mut line = Line::from(persons.padded(person.iter().map(String::as_str)).as_str());
        for (at, width) in widths.iter().enumerate() {
            push_cell(&mut line, row, at, detail, *width);
            line.push(&" ".repeat(GAP), Style::PLAIN);
        }
        line.push(&format!("{total:>last$}"), Style::STRONG);
        lines.push(line);
    }
    let cut = problems.len() - widths.len();
    if cut > 0 {
        let text = format!("{cut} more problems do not fit: make the terminal wider, or write the table to a file");
        lines.push(Line::new().with(&text, Style::FAINT));
    }
    lines
}

/// The width of a problem's column at a level of detail.
fn column(problems: &[String], rows: &[Row], at: usize, detail: Detail) -> usize {
    let head = if detail == Detail::Short { width(&problems[at]).min(8) } else { width(&problems[at]) };
    let cell =
        |row: &Row| row.cells[at].as_ref().map_or_else(|| missing(row).len(), |cell| width(&text_of(cell, detail)));
    rows.iter().map(cell).max().unwrap_or(0).max(head)
}

/// Why it is unknown whether the student submitted anything for a problem, if it is.
fn missing(row: &Row) -> &str {
    row.unmatched.as_deref().unwrap_or_default()
}

fn push_cell(line: &mut Line, row: &Row, at: usize, detail: Detail, width: usize) {
    let Some(cell) = &row.cells[at] else {
        return match missing(row) {
            "" => line.push(&pad("·", width), Style::FAINT),
            why => line.push(&pad(why, width), Style::NOTICE),
        };
    };
    let text = text_of(cell, detail);
    let style = match cell.verdict {
        Some(Verdict::Accepted) => Style::GOOD,
        Some(_) => Style::BAD,
        None => Style::NOTICE,
    };
    // Readers scan for the verdict, so it gets the colour; they read the rest.
    let (verdict, rest) = text.split_at(text.find("  ").unwrap_or(text.len()));
    line.push(verdict, style);
    line.push(&pad(rest, width.saturating_sub(super::width(verdict))), Style::PLAIN);
}

fn text_of(cell: &Cell, detail: Detail) -> String {
    let Some(verdict) = cell.verdict else {
        return cell.grade.map_or(cell.word.clone(), |points| format!("{}  {}", cell.word, number(points)));
    };
    let count = cell.figure();
    let attempt = cell.attempt.map(|attempt| format!(" #{attempt}")).unwrap_or_default();
    let late = if cell.is_late() { " late" } else { "" };
    let manual = if cell.notes.is_empty() { "" } else { " manual" };
    let count = format!("{count}{attempt}{late}{manual}");
    let time = cell.slowest.map(seconds).unwrap_or_default();
    match detail {
        Detail::Time => format!("{:3}  {count:>5}  {time:>8}", verdict.code()).trim_end().to_owned(),
        Detail::Score => format!("{:3}  {count}", verdict.code()).trim_end().to_owned(),
        Detail::Short => cell.score.map_or(verdict.code().to_owned(), |(score, _)| number(score)),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::class::{Order, sort};
    use crate::event::RosterStudent;

    fn cell(verdict: Verdict, passed: usize, score: Option<(f64, Option<f64>)>) -> Cell {
        let slowest = Some(Duration::from_millis(214));
        let grade = score.map_or(f64::from(u8::from(verdict == Verdict::Accepted)), |(points, _)| points);
        let passed = (passed, 10);
        Cell { verdict: Some(verdict), passed, score, grade: Some(grade), slowest, ..Cell::unjudged(String::new()) }
    }

    fn rows() -> Vec<Row> {
        let row = |student: &str, cells: [Option<Cell>; 3]| Row {
            student: student.into(),
            person: None,
            cells: cells.to_vec(),
            unmatched: None,
            changes: Vec::new(),
            best: None,
        };
        let points = |score| Some((score, Some(100.0)));
        let broken = Cell::unjudged("not judged".into());
        vec![
            row(
                "zoe",
                [Some(cell(Verdict::Accepted, 10, None)), Some(cell(Verdict::TimeLimit, 4, points(40.0))), None],
            ),
            row("Ann\x1b[2J", [Some(cell(Verdict::WrongAnswer, 3, None)), None, Some(broken)]),
            row(
                "bob",
                [None, Some(cell(Verdict::Accepted, 10, points(100.0))), Some(cell(Verdict::CompileError, 0, None))],
            ),
        ]
    }

    fn shown(room: Option<usize>, order: Order) -> String {
        let problems = ["sum", "graph", "a-very-long-name"].map(str::to_owned);
        let mut rows = rows();
        sort(&mut rows, order);
        lines(&problems, &rows, room).iter().map(|line| line.plain().trim_end().to_owned() + "\n").collect()
    }

    #[test]
    fn students_are_sorted_and_what_is_missing_is_seen() {
        insta::assert_snapshot!(shown(None, Order::Name), @r"
        student  sum                   graph                   a-very-long-name      total
        Ann␛[2J  WA    3/10   0.214 s  ·                       not judged                ?
        bob      ·                     AC   100/100   0.214 s  CE    0/10   0.214 s    100
        zoe      AC   10/10   0.214 s  TLE  40/100   0.214 s   ·                        41
        ");
    }

    #[test]
    fn names_and_groups_are_shown_where_they_fit() {
        let mut rows = rows();
        let person = |name: &str| {
            Some(RosterStudent { name: name.to_owned(), group: Some("Mon".to_owned()), ..RosterStudent::default() })
        };
        rows[0].person = person("Zoe Ray");
        // Where names are shown, they are shown for all.
        rows[2].person = person("bob");
        let problems = ["sum", "graph", "a-very-long-name"].map(str::to_owned);
        let head = |room| lines(&problems, &rows, room)[0].plain();
        assert!(head(None).starts_with("student  name     group  sum   "), "{}", head(None));
        assert!(head(Some(64)).starts_with("student  name     group  sum"), "{}", head(Some(64)));
        assert!(head(Some(50)).starts_with("student  sum"), "{}", head(Some(50)));
        let row = lines(&problems, &rows, None)[3].plain();
        assert!(row.starts_with("bob      bob      Mon    ·  "), "{row}");
    }

    #[test]
    fn the_best_come_first() {
        let shown = shown(None, Order::Score);
        let order: Vec<&str> = shown.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(order, ["bob", "zoe", "Ann␛[2J"]);
    }

    #[test]
    fn a_wide_table_is_cut_from_the_least_important_on() {
        for room in [70, 60, 50, 40, 30] {
            let shown = shown(Some(room), Order::Name);
            let table = shown.lines().filter(|line| !line.contains("more problems"));
            assert!(table.clone().all(|line| width(line) <= room), "{room}:\n{shown}");
            assert!(table.clone().count() == 4);
        }
        assert!(shown(Some(60), Order::Name).contains("3/10") && !shown(Some(60), Order::Name).contains("0.214"));
        assert!(shown(Some(30), Order::Name).contains("do not fit"));
    }
}
