//! The table of report formats: the name of each, and how its reporter is made.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use super::artemis::Artemis;
use super::classroom50::{Classroom50, Identity};
use super::csv::Results;
use super::document::{Document, DocumentReporter, Target};
use super::failure::Look;
use super::github::Github;
use super::gradebook::Gradebook;
use super::gradescope::Gradescope;
use super::html::{Background, Html, HtmlOptions};
use super::jplag::Jplag;
use super::jsonl::Jsonl;
use super::junit::Junit;
use super::markdown::Markdown;
use super::student::FeedbackLevel;
use super::text::Paint;
use crate::record::Reporter;

/// A format of reports.
#[derive(Debug)]
pub struct ReportFormat {
    /// Its name in `--report`.
    pub name: &'static str,
    /// Where its reports can go.
    pub goes_to: GoesTo,
    /// Whether one student sees the whole report, so that it must not contain others.
    pub is_for_one_student: bool,
    /// Makes the reporter. Opens its file now, so that an unusable file is an early error.
    pub make: fn(&ReportRequest<'_>) -> io::Result<Box<dyn Reporter>>,
}

/// Where reports of a format can go.
#[derive(Debug, PartialEq, Eq)]
pub enum GoesTo {
    /// To a file or to standard output.
    File,
    /// Only to standard output, below everything else. The help says what for.
    Output(&'static str),
}

/// One requested report.
pub struct ReportRequest<'a> {
    /// The file; none means standard output.
    pub file: Option<PathBuf>,
    /// The style of explanations.
    pub look: Look,
    /// How much of the tests students may see.
    pub feedback: FeedbackLevel,
    /// Whether warnings and unjudged submissions count as failures.
    pub strict: bool,
    /// The directory to which the paths in most reports are relative.
    pub start: &'a Path,
    /// The root of the repository that GitHub checked out, to which the paths of annotations are relative.
    pub repository: &'a Path,
    /// Reads a variable of the environment; none if it is not set.
    pub variable: fn(&str) -> Option<String>,
    /// How a page without pages of students is made.
    pub html: HtmlOptions,
    /// Collects what a page shows besides the run.
    pub background: &'a dyn Fn() -> Background,
}

/// All formats, in the order of the help.
pub const FORMATS: &[ReportFormat] = &[
    ReportFormat::to_file("jsonl", |request| {
        // Written during the run, so that a reader can follow it.
        Ok(match &request.file {
            Some(file) => Box::new(Jsonl::new(BufWriter::new(File::create(file)?))),
            None => Box::new(Jsonl::new(io::stdout())),
        })
    }),
    ReportFormat::to_file("csv", |request| request.whole(Results::default())),
    ReportFormat::to_file("gradebook", |request| request.whole(Gradebook::new("gradebook"))),
    ReportFormat::to_file("moodle", |request| request.whole(Gradebook::new("moodle"))),
    ReportFormat::to_file("canvas", |request| request.whole(Gradebook::new("canvas"))),
    ReportFormat::to_file("blackboard", |request| request.whole(Gradebook::new("blackboard"))),
    ReportFormat::to_file("brightspace", |request| request.whole(Gradebook::new("brightspace"))),
    ReportFormat::to_file("ilias", |request| request.whole(Gradebook::new("ilias"))),
    ReportFormat::to_file("junit", |request| {
        request.whole(Junit::new(request.look, request.strict, request.start.to_owned()))
    }),
    ReportFormat {
        is_for_one_student: true,
        ..ReportFormat::to_file("gradescope", |request| {
            // Gradescope shows colours.
            request.whole(Gradescope::new(request.feedback, Look { paint: Paint::Ansi, ..request.look }))
        })
    },
    ReportFormat {
        is_for_one_student: true,
        ..ReportFormat::to_file("classroom50", |request| {
            let lines = Gradescope::new(request.feedback, request.look);
            request.whole(Classroom50::new(Identity::of(request.variable)?, lines))
        })
    },
    ReportFormat {
        is_for_one_student: true,
        ..ReportFormat::to_file("artemis", |request| {
            let lines = Gradescope::new(request.feedback, request.look);
            Ok(Box::new(Artemis::new(request.folder("artemis")?, lines)?))
        })
    },
    ReportFormat::to_file("markdown", |request| {
        request.whole(Markdown::new(request.look, request.feedback, request.start.to_owned()))
    }),
    ReportFormat::to_file("html", |request| {
        let has_student_pages = request.file.as_deref().is_some_and(is_or_becomes_a_file);
        request.whole(Html::new(HtmlOptions { has_student_pages, ..request.html }, (request.background)()))
    }),
    ReportFormat::to_file("jplag", |request| {
        Ok(Box::new(Jplag::new(request.folder("jplag")?, (request.background)().programs)?))
    }),
    ReportFormat {
        goes_to: GoesTo::Output("for annotations in GitHub Actions"),
        ..ReportFormat::to_file("github", |request| {
            Ok(Box::new(Github::new(io::stdout(), request.look, request.repository.to_owned())))
        })
    },
];

impl ReportFormat {
    const fn to_file(name: &'static str, make: fn(&ReportRequest<'_>) -> io::Result<Box<dyn Reporter>>) -> Self {
        Self { name, goes_to: GoesTo::File, is_for_one_student: false, make }
    }
}

impl ReportRequest<'_> {
    /// The folder of a report that is one.
    fn folder(&self, format: &str) -> io::Result<&Path> {
        let unnamed = || io::Error::other(format!("it is a folder, which needs a name: --report {format}=DIR"));
        self.file.as_deref().ok_or_else(unnamed)
    }

    /// A report that is written when the run is over.
    fn whole<D: Document + 'static>(&self, document: D) -> io::Result<Box<dyn Reporter>> {
        let target = self.file.as_deref().map_or(Ok(Target::Stdout), Target::file)?;
        Ok(Box::new(DocumentReporter::new(document, target)))
    }
}

/// Whether a path names a regular file, beside which others can be written, and no pipe or device.
fn is_or_becomes_a_file(path: &Path) -> bool {
    path.metadata().map_or(true, |meta| meta.is_file())
}
