//! `grader statement --constraints`: shows the bounds that statements say, that validators declare, and that cases reach.

use std::sync::Arc;

use anyhow::Result;

use crate::cli::cases::{Page, clean};
use crate::cli::exit::ExitStatus;
use crate::cli::output::widest;
use crate::diagnostic::Diagnostic;
use crate::problem::Problem;
use crate::report::text::{Line, Style, pad};
use crate::session::archives::Archives;
use crate::session::completion::completed_problems;
use crate::strength::bounds::ValidatorBounds;
use crate::verify::reach::Constraints;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

const HEADINGS: [&str; 5] = ["variable", "in the statement", "declared", "in cases", "not reached"];
/// The most columns of a cell of the table.
const WIDEST: usize = 40;

/// Shows the table of each problem, for setters.
pub(super) fn show(workspace: &Workspace, mut archives: Archives, problems: Vec<Arc<Problem>>) -> Result<ExitStatus> {
    let completed = completed_problems(workspace, problems)?;
    archives.know(&completed.made);
    workspace.tell_found(&archives.told(completed.found.clone()));
    let page = Page::new(workspace);
    for problem in &completed.problems {
        page.print(&table(problem, &Constraints::of(workspace, problem)?))?;
    }
    if completed.found.iter().any(Diagnostic::is_error) {
        Err(EarlyEnd::Refused.into())
    } else {
        Ok(ExitStatus::Success)
    }
}

fn table(problem: &Problem, constraints: &Constraints) -> Vec<Line> {
    let mut lines = vec![Line::new().with(&clean(problem.id.as_str()), Style::STRONG)];
    let rows = constraints.rows();
    if rows.is_empty() {
        let text = "  no bounds: the statement says none that grader can read, and no input validator declares any";
        lines.push(Line::new().with(text, Style::FAINT));
        return lines;
    }
    let rows: Vec<[String; 5]> = rows
        .into_iter()
        .map(|row| [row.variable, row.stated, row.declared, row.seen, row.unreached.to_owned()])
        .map(|cells| cells.map(|cell| if cell.is_empty() { "-".to_owned() } else { cell }))
        .collect();
    let widths: [usize; 5] =
        std::array::from_fn(|at| widest(rows.iter().map(|row| &*row[at]).chain([HEADINGS[at]]), WIDEST));
    let line = |cells: [&str; 5], style: Style| {
        let mut line = Line::from("  ");
        for (cell, width) in cells.into_iter().zip(widths) {
            line.push(&pad(cell, width + 2), style);
        }
        line
    };
    lines.push(line(HEADINGS, Style::FAINT));
    lines.extend(rows.iter().map(|row| line(row.each_ref().map(String::as_str), Style::PLAIN)));
    let differing = constraints.reached.iter().flat_map(ValidatorBounds::differing);
    lines.extend(differing.map(|text| Line::new().with("  ! ", Style::NOTICE).with(&clean(&text), Style::PLAIN)));
    lines
}
