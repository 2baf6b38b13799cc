//! Output of the small commands: lines for people, or one JSON document for programs.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde::Serialize;

use crate::report::document::Target;
use crate::report::text::{Line, Paint, Whitespace, escape, width};
use crate::workspace::Workspace;

/// The output format.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// For people
    #[default]
    Text,
    /// For programs: one JSON document
    Json,
}

/// Prints lines on standard output.
pub(super) fn print(lines: &[Line], paint: Paint) -> Result<()> {
    let mut out = io::stdout().lock();
    lines.iter().try_for_each(|line| writeln!(out, "{}", line.render(paint)))?;
    Ok(out.flush()?)
}

/// Prints a value as JSON on standard output.
pub(super) fn print_json<T: Serialize>(value: &T) -> Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(io::stdout().write_all(text.as_bytes())?)
}

/// Parses `html=FILE`, the only report of some commands besides `--format json`.
pub(super) fn html_file(text: &str) -> Result<PathBuf> {
    match text.split_once('=') {
        Some(("html", file)) if !file.is_empty() && file != "-" => Ok(file.into()),
        _ => bail!("this command writes one kind of report: `--report html=FILE` (--format json prints JSON)"),
    }
}

/// Opens the file of a report, before the work begins.
pub(super) fn report_target(file: Option<&Path>, workspace: &Workspace) -> Result<Option<Target>> {
    let open = |file| {
        let file = workspace.start.join(file);
        Target::file(&file).with_context(|| format!("cannot write the report {}", file.display()))
    };
    file.map(open).transpose()
}

/// Makes an untrusted name safe to print.
pub(super) fn clean(text: &str) -> String {
    escape(text.as_bytes(), Whitespace::Quiet)
}

/// The width in columns of the widest text, at most `most`.
pub(super) fn widest<'t>(texts: impl Iterator<Item = &'t str>, most: usize) -> usize {
    texts.map(width).max().unwrap_or(0).min(most)
}
