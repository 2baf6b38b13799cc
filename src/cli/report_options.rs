//! `--report KIND=FILE`: writes reports to files, for every command that has results.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use crate::cli::environment;
use crate::record::Reporter;
use crate::report::csv::Results;
use crate::report::document::{Document, Target, Written};
use crate::report::failure::Look;
use crate::report::github::Github;
use crate::report::gradebook::Gradebook;
use crate::report::gradescope::Gradescope;
use crate::report::html::{Background, Html, HtmlOptions};
use crate::report::jsonl::Jsonl;
use crate::report::junit::Junit;
use crate::report::markdown::Markdown;
use crate::report::student::FeedbackLevel;
use crate::report::terminal::{Terminal, TerminalOptions};
use crate::report::text::Paint;
use crate::suggest;
use crate::workspace::Workspace;

/// The width of explanations in files: as wide as a web page shows without a scroll bar.
const WIDTH: usize = 100;

/// What is written besides what is shown.
#[derive(Debug, Default, Args)]
pub(super) struct ReportArgs {
    /// Write a report (repeatable): jsonl, csv, gradebook, junit, gradescope, markdown or html with `=FILE` (`-` is
    /// standard output), or github for annotations in GitHub Actions
    #[arg(long, value_name = "KIND=FILE", value_parser = parse)]
    report: Vec<ReportTo>,
    /// Choose what students see in `judge --out`, gradescope and markdown of `judge`: none (the result alone), samples
    /// (samples in full, and the verdicts of secret tests) or all (every test in full) [default: samples]
    #[arg(long, value_name = "LEVEL", value_enum)]
    feedback: Option<Level>,
}

/// Value of `--feedback`.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Level {
    None,
    Samples,
    All,
}

impl From<Level> for FeedbackLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::None => Self::None,
            Level::Samples => Self::Samples,
            Level::All => Self::All,
        }
    }
}

/// One requested report.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ReportTo {
    kind: Kind,
    /// The file; none means standard output.
    file: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Jsonl,
    Csv,
    Gradebook,
    Junit,
    Gradescope,
    Markdown,
    Html,
    Github,
}

impl Kind {
    const ALL: [(&str, Self); 8] = [
        ("jsonl", Self::Jsonl),
        ("csv", Self::Csv),
        ("gradebook", Self::Gradebook),
        ("junit", Self::Junit),
        ("gradescope", Self::Gradescope),
        ("markdown", Self::Markdown),
        ("html", Self::Html),
        ("github", Self::Github),
    ];
}

/// Errors of a `--report` argument.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum ReportError {
    /// No report kind has this name.
    #[error("unknown report `{0}`{hint}; known are {known}", hint = suggest::hint(.0, names()), known = names().join(", "))]
    Unknown(String),
    /// GitHub annotations can only go to standard output.
    #[error("GitHub reads annotations only from standard output: write `github`")]
    ToFile,
    /// This kind needs a file.
    #[error("it needs a file: `--report {0}=FILE`, or `{0}=-`")]
    NoFile(String),
}

fn names() -> [&'static str; Kind::ALL.len()] {
    Kind::ALL.map(|(name, _)| name)
}

/// Parses `junit=report.xml`, `csv=-` or `github`.
fn parse(text: &str) -> Result<ReportTo, ReportError> {
    let (word, file) = text.split_once('=').map_or((text, None), |(word, file)| (word, Some(file)));
    let Some((_, kind)) = Kind::ALL.into_iter().find(|(name, _)| *name == word) else {
        return Err(ReportError::Unknown(word.to_owned()));
    };
    match (kind, file) {
        (Kind::Github, None | Some("-")) => Ok(ReportTo { kind, file: None }),
        (Kind::Github, Some(_)) => Err(ReportError::ToFile),
        (_, None | Some("")) => Err(ReportError::NoFile(word.to_owned())),
        (_, Some("-")) => Ok(ReportTo { kind, file: None }),
        (_, Some(file)) => Ok(ReportTo { kind, file: Some(file.into()) }),
    }
}

impl ReportArgs {
    /// Whether any report was requested.
    pub(super) fn any(&self) -> bool {
        !self.report.is_empty()
    }

    /// Whether a report goes to standard output, so that text for the user must go to standard error.
    pub(super) fn takes_stdout(&self) -> bool {
        self.report.iter().any(|to| to.file.is_none() && to.kind != Kind::Github)
    }

    /// Whether a requested report is shown whole to one student, so that it must not contain others.
    pub(super) fn is_for_one_student(&self) -> bool {
        self.report.iter().any(|to| to.kind == Kind::Gradescope)
    }

    /// How much of the tests students may see.
    pub(super) fn feedback(&self) -> FeedbackLevel {
        self.feedback.map(Into::into).unwrap_or_default()
    }

    /// The terminal reporter and the requested ones. Opens their files now, so that an unusable file is an early error.
    /// If a report goes to standard output, the terminal reporter writes to standard error.
    pub(super) fn reporters(
        &self,
        workspace: &Workspace,
        options: TerminalOptions,
        background: &dyn Fn() -> Background,
    ) -> Result<Vec<Box<dyn Reporter>>> {
        let mut reporters: Vec<Box<dyn Reporter>> = if self.takes_stdout() {
            vec![Box::new(Terminal::new(io::stderr(), TerminalOptions { fit: None, ..options }))]
        } else {
            vec![Box::new(Terminal::new(io::stdout(), options))]
        };
        reporters.extend(self.files(workspace, background)?);
        Ok(reporters)
    }

    /// Only the requested reporters. `background` is asked if a page is among them.
    pub(super) fn files(
        &self,
        workspace: &Workspace,
        background: &dyn Fn() -> Background,
    ) -> Result<Vec<Box<dyn Reporter>>> {
        let mut wrong = self.clashes(&workspace.start);
        let mut reporters = Vec::new();
        // GitHub comes last: its annotations must appear below the other output.
        let (last, first): (Vec<_>, Vec<_>) = self.report.iter().partition(|to| to.kind == Kind::Github);
        for to in first.into_iter().chain(last) {
            match self.reporter(to, workspace, background) {
                Ok(reporter) => reporters.push(reporter),
                Err(error) => {
                    let file = to.file.as_deref().unwrap_or(Path::new("-")).display();
                    wrong.push(format!("cannot write the report {file}: {error}"));
                }
            }
        }
        if !wrong.is_empty() {
            bail!("{}", wrong.join("\n"));
        }
        Ok(reporters)
    }

    /// Errors about reports that would overwrite each other.
    fn clashes(&self, start: &Path) -> Vec<String> {
        let place = |to: &ReportTo| to.file.as_ref().map(|file| start.join(file).components().collect::<PathBuf>());
        let mut wrong = Vec::new();
        for (n, to) in self.report.iter().enumerate() {
            if self.report[..n].iter().any(|other| place(other) == place(to)) {
                let name = to.file.as_deref().map_or("standard output".to_owned(), |file| file.display().to_string());
                wrong.push(format!("two reports go to {name}: give each its own file"));
            }
        }
        wrong
    }

    /// How pages are made.
    pub(super) fn html_options(&self, workspace: &Workspace, has_student_pages: bool) -> HtmlOptions {
        let (look, explained) = (look(workspace), workspace.settings.report_failures as usize);
        HtmlOptions { look, explained, feedback: self.feedback(), has_student_pages }
    }

    fn reporter(
        &self,
        to: &ReportTo,
        workspace: &Workspace,
        background: &dyn Fn() -> Background,
    ) -> io::Result<Box<dyn Reporter>> {
        let settings = &workspace.settings;
        let look = look(workspace);
        let file = to.file.as_ref().map(|file| workspace.start.join(file));
        Ok(match to.kind {
            Kind::Jsonl => jsonl(file.as_deref())?,
            Kind::Csv => written(Results::default(), file.as_deref())?,
            Kind::Gradebook => written(Gradebook::default(), file.as_deref())?,
            Kind::Junit => written(Junit::new(look, settings.strict, workspace.start.clone()), file.as_deref())?,
            Kind::Gradescope => written(Gradescope::new(self.feedback(), look), file.as_deref())?,
            Kind::Markdown => written(Markdown::new(look, self.feedback(), workspace.start.clone()), file.as_deref())?,
            Kind::Html => {
                let options = self.html_options(workspace, file.as_deref().is_some_and(is_or_becomes_a_file));
                written(Html::new(options, background()), file.as_deref())?
            }
            Kind::Github => {
                let root = environment::github_workspace().unwrap_or_else(|| workspace.start.clone());
                Box::new(Github::new(io::stdout(), look, root))
            }
        })
    }
}

/// The style of explanations in files.
fn look(workspace: &Workspace) -> Look {
    let context = workspace.settings.context as usize;
    Look { paint: Paint::Plain, width: WIDTH, verbosity: -1, diff: workspace.settings.diff, context }
}

/// Whether a path names a regular file, beside which others can be written, and no pipe or device.
fn is_or_becomes_a_file(path: &Path) -> bool {
    path.metadata().map_or(true, |meta| meta.is_file())
}

/// Written during the run, so that a reader can follow it.
fn jsonl(file: Option<&Path>) -> io::Result<Box<dyn Reporter>> {
    Ok(match file {
        Some(file) => Box::new(Jsonl::new(BufWriter::new(File::create(file)?))),
        None => Box::new(Jsonl::new(io::stdout())),
    })
}

fn written<D: Document + 'static>(document: D, file: Option<&Path>) -> io::Result<Box<dyn Reporter>> {
    let target = file.map_or(Ok(Target::Stdout), Target::file)?;
    Ok(Box::new(Written::new(document, target)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_named_with_their_places() {
        let to = |kind, file: Option<&str>| Ok(ReportTo { kind, file: file.map(PathBuf::from) });
        assert_eq!(parse("junit=a=b.xml"), to(Kind::Junit, Some("a=b.xml")));
        assert_eq!(parse("csv=-"), to(Kind::Csv, None));
        assert_eq!(parse("github"), to(Kind::Github, None));
        for (text, says) in [
            (
                "junt=a",
                "did you mean `junit`?; known are jsonl, csv, gradebook, junit, gradescope, markdown, html, github",
            ),
            ("xml=a", "unknown report `xml`; known are jsonl"),
            ("junit", "it needs a file: `--report junit=FILE`"),
            ("junit=", "it needs a file"),
            ("github=a", "write `github`"),
            ("", "unknown report ``"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
