//! Output of the small commands: lines for people, or one JSON document for programs.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde::Serialize;

use crate::cli::arguments::Color;
use crate::config::Options;
use crate::report::document::Target;
use crate::report::text::{Line, Paint, Whitespace, escape, width};
use crate::workspace::Workspace;

/// Standard output, which its errors name. Unlike [`io::stdout`], so that a full disk is not an error without a place.
pub(super) fn stdout() -> Stdout {
    Stdout(io::stdout())
}

/// Standard output whose errors say that they are about it.
#[derive(Debug)]
pub(super) struct Stdout(io::Stdout);

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(of_stdout)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(of_stdout)
    }
}

fn of_stdout(error: io::Error) -> io::Error {
    // `write_all` repeats an interrupted call.
    if error.kind() == io::ErrorKind::Interrupted {
        return error;
    }
    io::Error::new(error.kind(), format!("cannot write to standard output: {error}"))
}

/// The output format.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// For people
    #[default]
    Text,
    /// For programs: one JSON document
    Json,
}

/// The options of a command that shows findings, or one JSON document, and writes one kind of report.
#[derive(Debug, Args)]
pub(super) struct OutputArgs {
    /// Choose the output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub(super) format: Format,
    /// Also write the findings to this file as an HTML page: `html=FILE`
    #[arg(long, value_name = "html=FILE", value_parser = html_file)]
    report: Option<PathBuf>,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
}

impl OutputArgs {
    /// Adds these options to others.
    pub(super) fn add_to(&self, options: Options) -> Options {
        Options { color: self.color.map(Into::into), ..options }
    }

    /// Opens the file of the report, if there is one, before the work begins.
    pub(super) fn report(&self, workspace: &Workspace) -> Result<Option<Target>> {
        let open = |file: &PathBuf| {
            let file = workspace.start.join(file);
            Target::file(&file).with_context(|| format!("cannot write the report {}", file.display()))
        };
        self.report.as_ref().map(open).transpose()
    }
}

/// Prints lines on standard output.
pub(super) fn print(lines: &[Line], paint: Paint) -> Result<()> {
    let mut out = BufWriter::new(stdout());
    lines.iter().try_for_each(|line| writeln!(out, "{}", line.render(paint)))?;
    Ok(out.flush()?)
}

/// Prints a value as JSON on standard output.
pub(super) fn print_json<T: Serialize>(value: &T) -> Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(stdout().write_all(text.as_bytes())?)
}

/// Parses `html=FILE`, the only report of some commands besides `--format json`.
fn html_file(text: &str) -> Result<PathBuf> {
    match text.split_once('=') {
        Some(("html", file)) if !file.is_empty() && file != "-" => Ok(file.into()),
        _ => bail!("this command writes one kind of report: `--report html=FILE` (--format json prints JSON)"),
    }
}

/// Makes an untrusted name safe to print.
pub(super) fn clean(text: &str) -> String {
    escape(text.as_bytes(), Whitespace::Quiet)
}

/// The width in columns of the widest text, at most `most`.
pub(super) fn widest<'t>(texts: impl Iterator<Item = &'t str>, most: usize) -> usize {
    texts.map(width).max().unwrap_or(0).min(most)
}
