//! `--report KIND=FILE`: writes reports to files, for every command that has results.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use crate::cli::environment;
use crate::config::Origin;
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
    #[arg(long, value_name = "KIND=FILE", value_parser = parse, help = help())]
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
#[derive(Debug, Clone)]
struct ReportTo {
    format: &'static ReportFormat,
    /// The file; none means standard output.
    file: Option<PathBuf>,
}

/// A format of reports.
#[derive(Debug)]
struct ReportFormat {
    name: &'static str,
    goes_to: GoesTo,
    /// Whether one student sees the whole report, so that it must not contain others.
    is_for_one_student: bool,
    make: fn(&Making<'_>) -> io::Result<Box<dyn Reporter>>,
}

#[derive(Debug, PartialEq, Eq)]
enum GoesTo {
    File,
    /// Only to standard output, below everything else. The help says what for.
    Output(&'static str),
}

/// What a report is made from.
struct Making<'a> {
    args: &'a ReportArgs,
    workspace: &'a Workspace,
    file: Option<PathBuf>,
    background: &'a dyn Fn() -> Background,
}

/// All formats, in the order of the help.
const FORMATS: &[ReportFormat] = &[
    ReportFormat::to_file("jsonl", |making| {
        // Written during the run, so that a reader can follow it.
        Ok(match &making.file {
            Some(file) => Box::new(Jsonl::new(BufWriter::new(File::create(file)?))),
            None => Box::new(Jsonl::new(io::stdout())),
        })
    }),
    ReportFormat::to_file("csv", |making| making.whole(Results::default())),
    ReportFormat::to_file("gradebook", |making| making.whole(Gradebook::default())),
    ReportFormat::to_file("junit", |making| {
        making.whole(Junit::new(making.look(), making.workspace.settings.strict, making.workspace.start.clone()))
    }),
    ReportFormat {
        is_for_one_student: true,
        ..ReportFormat::to_file("gradescope", |making| {
            making.whole(Gradescope::new(making.args.feedback(), making.look()))
        })
    },
    ReportFormat::to_file("markdown", |making| {
        making.whole(Markdown::new(making.look(), making.args.feedback(), making.workspace.start.clone()))
    }),
    ReportFormat::to_file("html", |making| {
        let has_student_pages = making.file.as_deref().is_some_and(is_or_becomes_a_file);
        let options = making.args.html_options(making.workspace, has_student_pages);
        making.whole(Html::new(options, (making.background)()))
    }),
    ReportFormat {
        goes_to: GoesTo::Output("for annotations in GitHub Actions"),
        ..ReportFormat::to_file("github", |making| {
            let root = environment::github_workspace().unwrap_or_else(|| making.workspace.start.clone());
            Ok(Box::new(Github::new(io::stdout(), making.look(), root)))
        })
    },
];

impl ReportFormat {
    const fn to_file(name: &'static str, make: fn(&Making<'_>) -> io::Result<Box<dyn Reporter>>) -> Self {
        Self { name, goes_to: GoesTo::File, is_for_one_student: false, make }
    }
}

impl Making<'_> {
    fn look(&self) -> Look {
        look(self.workspace)
    }

    /// A report that is written when the run is over.
    fn whole<D: Document + 'static>(&self, document: D) -> io::Result<Box<dyn Reporter>> {
        let target = self.file.as_deref().map_or(Ok(Target::Stdout), Target::file)?;
        Ok(Box::new(Written::new(document, target)))
    }
}

/// The help of `--report`.
fn help() -> String {
    let of = |to_file: bool| FORMATS.iter().filter(move |format| (format.goes_to == GoesTo::File) == to_file);
    let mut files = of(true).map(|format| format.name).collect::<Vec<_>>().join(", ");
    if let Some(last) = files.rfind(", ") {
        files.replace_range(last..=last, " or");
    }
    let others = of(false).map(|format| match format.goes_to {
        GoesTo::Output(what_for) => format!(", or {} {what_for}", format.name),
        GoesTo::File => String::new(),
    });
    let others: String = others.collect();
    format!("Write a report (repeatable): {files} with `=FILE` (`-` is standard output){others}")
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

fn names() -> Vec<&'static str> {
    FORMATS.iter().map(|format| format.name).collect()
}

/// Parses `junit=report.xml`, `csv=-` or `github`.
fn parse(text: &str) -> Result<ReportTo, ReportError> {
    let (word, file) = text.split_once('=').map_or((text, None), |(word, file)| (word, Some(file)));
    let Some(format) = FORMATS.iter().find(|format| format.name == word) else {
        return Err(ReportError::Unknown(word.to_owned()));
    };
    match (&format.goes_to, file) {
        (GoesTo::Output(_), None) | (_, Some("-")) => Ok(ReportTo { format, file: None }),
        (GoesTo::Output(_), Some(_)) => Err(ReportError::ToFile),
        (GoesTo::File, None | Some("")) => Err(ReportError::NoFile(word.to_owned())),
        (GoesTo::File, Some(file)) => Ok(ReportTo { format, file: Some(file.into()) }),
    }
}

impl ReportArgs {
    /// Whether any report was requested.
    pub(super) fn any(&self) -> bool {
        !self.report.is_empty()
    }

    /// Whether a report goes to standard output, so that text for the user must go to standard error.
    pub(super) fn takes_stdout(&self) -> bool {
        self.report.iter().any(|to| to.file.is_none() && to.format.goes_to == GoesTo::File)
    }

    /// Whether a requested report is shown whole to one student, so that it must not contain others.
    pub(super) fn is_for_one_student(&self) -> bool {
        self.report.iter().any(|to| to.format.is_for_one_student)
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
        let (first, last): (Vec<_>, Vec<_>) = self.report.iter().partition(|to| to.format.goes_to == GoesTo::File);
        for to in first.into_iter().chain(last) {
            let file = to.file.as_ref().map(|file| workspace.start.join(file));
            match (to.format.make)(&Making { args: self, workspace, file, background }) {
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
        let settings = &workspace.settings;
        let explained = settings.report_failures as usize;
        let is_default = settings.origins.report_failures == Origin::Default;
        let explained_alone = if is_default { EXPLAINED_ALONE } else { explained };
        let look = look(workspace);
        HtmlOptions { look, explained, explained_alone, feedback: self.feedback(), has_student_pages }
    }
}

/// How many failures of the only program of a run are explained, if the configuration does not say.
const EXPLAINED_ALONE: usize = 50;

/// The style of explanations in files.
fn look(workspace: &Workspace) -> Look {
    let context = workspace.settings.context as usize;
    Look { paint: Paint::Plain, width: WIDTH, verbosity: -1, diff: workspace.settings.diff, context }
}

/// Whether a path names a regular file, beside which others can be written, and no pipe or device.
fn is_or_becomes_a_file(path: &Path) -> bool {
    path.metadata().map_or(true, |meta| meta.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_named_with_their_places() {
        for (text, name, file) in
            [("junit=a=b.xml", "junit", Some("a=b.xml")), ("csv=-", "csv", None), ("github", "github", None)]
        {
            let ReportTo { format, file: to } = parse(text).unwrap();
            assert_eq!((format.name, to), (name, file.map(PathBuf::from)));
        }
        assert_eq!(
            help(),
            "Write a report (repeatable): jsonl, csv, gradebook, junit, gradescope, markdown or html with `=FILE` (`-` is \
             standard output), or github for annotations in GitHub Actions"
        );
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
