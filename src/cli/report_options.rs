//! `--report KIND=FILE`: writes reports to files, for every command that has results.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use crate::cli::environment;
use crate::cli::output::stdout;
use crate::config::Origin;
use crate::record::Reporter;
use crate::report::anonymous::Anonymous;
use crate::report::document::folder_of;
use crate::report::failure::Look;
use crate::report::file_report::FileReport;
use crate::report::formats::{FORMATS, GoesTo, ReportFormat, ReportRequest};
use crate::report::gradebook::{FORMS, Form};
use crate::report::html::{Background, HtmlOptions};
use crate::report::student::FeedbackLevel;
use crate::report::terminal::{Terminal, TerminalOptions};
use crate::report::text::Paint;
use crate::store;
use crate::suggest;
use crate::workspace::Workspace;

/// The width of explanations in files: as wide as a web page shows without a scroll bar.
const WIDTH: usize = 100;

/// The options for reports in files.
#[derive(Debug, Default, Args)]
pub(super) struct ReportArgs {
    #[arg(long, value_name = "KIND=FILE", value_parser = parse, help = help())]
    report: Vec<ReportTo>,
    /// Choose what students see in `judge --out`, their pages, gradescope and markdown of `judge`: none (the result alone),
    /// samples (samples in full, and the verdicts of secret tests) or all (every test in full) [default: samples]
    #[arg(long, value_name = "LEVEL", value_enum)]
    feedback: Option<Level>,
    /// Replace students by pseudonyms in all reports; `staff/pseudonyms.csv` beside the first report says who is who
    #[arg(long, requires = "report")]
    anonymous: bool,
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

    /// The requested files of grades.
    pub(super) fn gradebooks(&self) -> Vec<&'static Form> {
        let is_requested = |form: &&Form| self.report.iter().any(|to| to.format.name == form.name);
        FORMS.iter().filter(is_requested).collect()
    }

    /// Whether a report goes to standard output, so that text for the user must go to standard error.
    pub(super) fn takes_stdout(&self) -> bool {
        self.report.iter().any(|to| to.file.is_none() && to.format.goes_to == GoesTo::File)
    }

    /// The output for the user: standard output, or standard error if a report takes that.
    pub(super) fn output(&self) -> Box<dyn Write> {
        if self.takes_stdout() { Box::new(io::stderr()) } else { Box::new(stdout()) }
    }

    /// Whether a requested report is shown whole to one student, so that it must not contain others.
    pub(super) fn is_for_one_student(&self) -> bool {
        self.report.iter().any(|to| to.format.is_for_one_student)
    }

    /// Whether reports have no names.
    pub(super) fn is_anonymous(&self) -> bool {
        self.anonymous
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
            vec![Box::new(Terminal::new(stdout(), options))]
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
        // Earlier runs, programs and drawings know the students by their names.
        let without_names = || Background { programs: background().programs.without_names(), ..Background::default() };
        let mut reporters = Vec::new();
        let repository = environment::github_workspace().unwrap_or_else(|| workspace.start.clone());
        let (first, last): (Vec<_>, Vec<_>) = self.report.iter().partition(|to| to.format.goes_to == GoesTo::File);
        for to in first.into_iter().chain(last) {
            let file = to.file.as_ref().map(|file| workspace.start.join(file));
            let request = ReportRequest {
                file,
                look: look(workspace),
                feedback: self.feedback(),
                strict: workspace.settings.strict,
                start: &workspace.start,
                repository: &repository,
                variable: environment::variable,
                html: self.html_options(workspace, false),
                background: if self.anonymous { &without_names } else { background },
            };
            match (to.format.make)(&request) {
                Ok(reporter) => reporters.push(match &to.file {
                    Some(file) => Box::new(FileReport::new(file.clone(), reporter)),
                    None => reporter,
                }),
                Err(error) => {
                    let file = to.file.as_deref().unwrap_or(Path::new("-")).display();
                    let is_missing = error.kind() == io::ErrorKind::NotFound;
                    let remedy = if is_missing { "\n  → create its folder first" } else { "" };
                    wrong.push(format!("cannot write the report {file}: {error}{remedy}"));
                }
            }
        }
        if !wrong.is_empty() {
            bail!("{}", wrong.join("\n"));
        }
        if self.anonymous {
            let first = self.report.iter().find_map(|to| to.file.as_ref());
            let file = workspace.start.join(first.map_or(Path::new("report"), PathBuf::as_path));
            let secret = store::secret(&workspace.settings.store_dir())?;
            let staff = folder_of(&file).join("staff");
            let sources = background().programs.sources;
            return Ok(vec![Box::new(Anonymous::new(reporters, secret, staff, sources))]);
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
            "Write a report (repeatable): jsonl, csv, gradebook, moodle, canvas, blackboard, brightspace, ilias, junit, \
             gradescope, classroom50, artemis, markdown, html or jplag with `=FILE` (`-` is standard output), or github for annotations in GitHub Actions"
        );
        for (text, says) in [
            (
                "junt=a",
                "did you mean `junit`?; known are jsonl, csv, gradebook, moodle, canvas, blackboard, brightspace, ilias, \
                 junit, gradescope, classroom50, artemis, markdown, html, jplag, github",
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
