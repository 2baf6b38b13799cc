//! Shows cases, answers and the differences between them.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::arguments::paint;
use super::console::show_notice;
use crate::cli::{environment, output};
use crate::config::DiffStyle;
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::bench::Assessment;

use crate::explain::excerpt;
use crate::problem::Checker;
use crate::report::diff;
use crate::report::file_diff::{FileDiff, Source};
use crate::report::text::{Line, Paint, Style, Whitespace, escape};
use crate::workspace::Workspace;

/// The most bytes of a file that are read to show it.
const HEAD: u64 = 64 * 1024;
/// The most lines of a file that are shown.
const LINES: usize = 8;
/// Columns of the labels.
const LABEL: usize = 10;

/// The width, colours and diff style of the output.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page {
    paint: Paint,
    width: usize,
    style: DiffStyle,
    context: usize,
}

/// Two files that differ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sides<'a> {
    /// The heading of the first file.
    pub(super) answer: &'a str,
    /// The path of the first file.
    pub(super) answer_file: &'a Path,
    /// The heading of the second file.
    pub(super) output: &'a str,
    /// The path of the second file.
    pub(super) output_file: &'a Path,
}

impl Page {
    /// Takes the width from the terminal and the rest from the settings.
    pub(super) fn new(workspace: &Workspace) -> Self {
        let paint = paint(workspace);
        let settings = &workspace.settings;
        let style = settings.diff;
        let context = settings.context as usize;
        Self { paint, width: environment::width(), style, context }
    }

    /// Prints to standard output.
    pub(super) fn print(&self, lines: &[Line]) -> anyhow::Result<()> {
        output::print(lines, self.paint)
    }

    /// An excerpt of a file behind a label.
    pub(super) fn file(&self, label: &str, path: &Path) -> Vec<Line> {
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut bytes));
        if let Err(error) = read {
            return vec![labelled(label, &format!("cannot be read: {error}"))];
        }
        let columns = self.width.saturating_sub(LABEL + 2).max(20);
        let mut lines = diff::excerpt(&excerpt(&bytes, LINES, columns), columns);
        let size = path.metadata().map_or(0, |meta| meta.len());
        if size > HEAD {
            lines.push(Line::new().with(&format!("… {size} bytes in all"), Style::FAINT));
        }
        let mut shown = Vec::new();
        for (n, line) in lines.into_iter().enumerate() {
            let mut whole = labelled(if n == 0 { label } else { "" }, "");
            whole.append(&line);
            shown.push(whole);
        }
        shown
    }

    /// The difference that the judge found: a diff for the built-in checker, otherwise both files.
    pub(super) fn difference(&self, sides: &Sides<'_>, assessment: &Assessment, checker: Checker) -> Vec<Line> {
        let mut lines = Vec::new();
        if let Some((_, reason)) = &assessment.rejection {
            lines.push(Line::from(format!("  {}", clean(&reason.to_string())).as_str()));
        }
        if let Some(difference) = &assessment.difference {
            let columns = self.width.saturating_sub(4).max(20);
            let &Self { style, context, paint, .. } = self;
            let &Sides { answer, output, .. } = sides;
            let diff = FileDiff { answer, output, checker, style, context, columns, paint };
            for line in diff.lines(&Source::file(sides.answer_file), &Source::file(sides.output_file), difference) {
                let mut indented = Line::from("    ");
                indented.append(&line);
                lines.push(indented);
            }
        } else {
            for (name, file) in [(sides.answer, sides.answer_file), (sides.output, sides.output_file)] {
                lines.push(Line::new().with(&format!("  {}", clean(name)), Style::FAINT));
                lines.extend(self.file("", file));
            }
        }
        lines
    }

    /// Shows a notice on standard error.
    pub(super) fn notice(&self, severity: Severity, about: Option<&str>, message: &str, remedy: &str) {
        show_notice(&Diagnostic::new(severity, message).about_any(about).remedy(remedy), self.paint);
    }
}

/// Formats `  label     text`.
pub(super) fn labelled(label: &str, text: &str) -> Line {
    Line::from("  ").with(&format!("{label:LABEL$}"), Style::FAINT).with(text, Style::PLAIN)
}

/// Makes untrusted text safe to print on one line.
pub(super) fn clean(text: &str) -> String {
    escape(text.as_bytes(), Whitespace::Inline)
}
