//! Writes a run as one page: HTML that needs no network and no other file.
//!
//! All texts of contestants, packages and platforms are treated as hostile. The template engine escapes every value, charts
//! come from a library that escapes its text, and the page's own policy (Content Security Policy 3, W3C) lets nothing but the
//! style and the script of this module take effect, each named by its digest.
//!
//! Templates, style and script lie beside these files. A report knows no findings: their page is `verify/page`.
//!
//! - `grid`, `cell`: one problem: submissions and tests
//! - `details`: why tests failed
//! - `chart`: charts as SVG
//! - `history`: earlier runs
//! - `class`, `clusters`, `similar`, `student_pages`: the pages of `judge`
//! - `source`: the program on a student's page
//! - `pictures`: pictures of failures
//! - `policy`: the rules about what a page may do
//! - `live`: the page of a run that goes on

mod cell;
mod chart;
mod class;
mod clusters;
mod details;
mod grid;
mod history;
pub mod live;
pub mod pictures;
pub mod policy;
mod similar;
mod sole;
mod source;
mod student_pages;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use askama::Template;
use serde::Serialize;

use super::class::help::PastGrades;
use super::document::{Document, folder_of};
use super::failure::{Look, clean};
use super::markdown::headline;
use super::sources::Programs;
use super::student::FeedbackLevel;
use super::text::{Paint, count};
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::{RunStarted, Standing, SubmissionIndex, Verb};
use crate::limits::seconds_short;
use crate::record::FinishedSubmission;
use crate::record::{Report, SubmissionReport};
use crate::verdict::Verdict;
use class::Class;
use clusters::{Cluster, Clusters};
use details::Room;
use grid::Grid;
pub use history::PastRun;
use history::{History, changes};
use pictures::{Draw, Failure};
use similar::Similar;
use source::Source;
use student_pages::StudentPages;
pub use student_pages::{FOLDER as STUDENTS, LIST as STUDENT_PAGES};

/// The style of every page.
const STYLE: &str = include_str!("html/page.css");
/// The script of every page.
const SCRIPT: &str = include_str!("html/page.js");

/// The content of a page besides the events of the run.
#[derive(Debug, Default)]
pub struct Background {
    /// Earlier runs, newest first.
    pub past: Vec<PastRun>,
    /// The programs of a class.
    pub programs: Programs,
    /// Draws failures when the run is over; none if no problem has visualisers.
    pub draw: Option<Box<dyn Draw>>,
}

/// How a page is made.
#[derive(Debug, Clone, Copy)]
pub struct HtmlOptions {
    /// The style of explanations.
    pub look: Look,
    /// The number of failing tests of each submission that are explained.
    pub explained: usize,
    /// The same for the only submission of a run.
    pub explained_alone: usize,
    /// How much students may see on their own pages.
    pub feedback: FeedbackLevel,
    /// Whether students get pages of their own, to which the page links.
    pub has_student_pages: bool,
}

/// The page under construction.
#[derive(Debug)]
pub struct Html {
    options: HtmlOptions,
    background: Background,
    grids: Vec<Grid>,
    clusters: Clusters,
    pages: StudentPages,
    /// The folder of those pages, beside this page.
    folder: String,
    room: Room,
    /// The remark about failures that were not drawn.
    undrawn: Option<String>,
}

impl Html {
    /// An empty page.
    pub fn new(options: HtmlOptions, background: Background) -> Self {
        // Changed words are underlined, so nothing needs to point at them.
        let look = Look { paint: Paint::Ansi, ..options.look };
        let pages = StudentPages::new(options.feedback, look);
        let options = HtmlOptions { look, ..options };
        let clusters = Clusters::default();
        let room = Room::default();
        let folder = STUDENTS.to_owned();
        Self { options, background, grids: Vec::new(), clusters, pages, folder, room, undrawn: None }
    }

    /// Adds the plan, once.
    fn start(&mut self, head: &RunStarted) {
        if !self.grids.is_empty() {
            return;
        }
        let mut first = SubmissionIndex::default();
        for problem in &head.problems {
            self.grids.push(Grid::new(problem, first, head));
            first.0 += problem.submissions.len();
        }
    }

    fn grid(&mut self, submission: SubmissionIndex) -> Option<&mut Grid> {
        self.grids.iter_mut().find(|grid| grid.has(submission))
    }

    /// Computes the parts that need all submissions.
    fn finish(&mut self, report: &Report) -> io::Result<()> {
        if let Some(head) = &report.head {
            self.start(head);
        }
        self.grids.iter_mut().try_for_each(|grid| grid.finish(report))?;
        if self.has_student_pages(report) {
            self.pages.add_others(report);
        }
        Ok(())
    }

    /// Returns the drawer, which works once, and the failures that it draws.
    fn take_drawing(&mut self) -> Option<(Box<dyn Draw>, Vec<Failure>)> {
        let draw = self.background.draw.take()?;
        let (failures, undrawn) = pictures::bounded(pictures::explained(&self.grids));
        self.undrawn = undrawn;
        Some((draw, failures))
    }

    fn has_student_pages(&self, report: &Report) -> bool {
        self.options.has_student_pages && report.verb() == Verb::Judge
    }

    /// The progress of a run that goes on.
    fn progress(&self, report: &Report) -> Progress {
        let rows = || self.grids.iter().flat_map(|grid| &grid.rows);
        let results = self.grids.iter().map(Grid::results).sum();
        let done = rows().filter(|row| !row.is_waiting()).count();
        let look = rows().filter(|row| needs_a_look(row, report)).count();
        let parts = [
            Some(format!("{} so far", count(results, "result"))),
            Some(format!("{done} of {} finished", count(rows().count(), "submission"))),
            (look > 0).then(|| if look == 1 { "1 needs a look".to_owned() } else { format!("{look} need a look") }),
        ];
        let mood = if look > 0 || report.notices_from(Severity::Error) > 0 { ATTENTION } else { PLAIN };
        Progress { words: parts.into_iter().flatten().collect::<Vec<_>>().join(", "), mood }
    }

    /// The page so far, for a server. A browser asks for what changed after `version`.
    fn page(&self, report: &Report, is_over: bool, version: u64) -> io::Result<String> {
        let page = Page::new(self, report, is_over, Some(version))?;
        page.render().map_err(io::Error::other)
    }
}

impl Document for Html {
    fn submission(&mut self, of: &FinishedSubmission<'_>) {
        self.start(of.head);
        let submissions: usize = of.head.problems.iter().map(|problem| problem.submissions.len()).sum();
        let HtmlOptions { explained, explained_alone, .. } = self.options;
        let most = if submissions == 1 { explained_alone } else { explained };
        let mut explained = details::of(of, &self.options.look, most, &mut self.room);
        let path = self.background.programs.source_of(of.submission).map(Path::to_owned);
        if of.head.verb == Verb::Judge
            && !of.problem.outputs
            && !explained.is_empty()
            && let Some(source) = path.as_deref().and_then(Source::read)
        {
            details::add_program(&mut explained, of, source, &mut self.room);
        }
        if let Some(grid) = self.grid(of.submission.id.index) {
            grid.add(of, explained);
        }
        if of.head.verb == Verb::Judge {
            self.clusters.add(of);
            if self.options.has_student_pages {
                self.pages.add(of, path.as_deref());
            }
        }
    }

    fn complete(&mut self, file: Option<&Path>, report: &Report) -> io::Result<()> {
        self.finish(report)?;
        if let Some((mut draw, failures)) = self.take_drawing() {
            let files = pictures::add(&mut self.grids, draw.draw(&failures), file);
            // The page is worth more than its pictures.
            if let Err(error) = files.write(file.map_or(Path::new("."), folder_of)) {
                self.undrawn = Some(format!("some drawings are missing: {error}"));
            }
        }
        match file {
            Some(file) if self.has_student_pages(report) => {
                self.folder = student_pages::folder_for(file);
                self.pages.write(&folder_of(file).join(&self.folder), report)
            }
            _ => Ok(()),
        }
    }

    fn text(&mut self, report: &Report) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        self.write(report, &mut text)?;
        Ok(text)
    }

    fn write(&mut self, report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
        Page::new(self, report, true, None)?.write_into(out)
    }
}

/// The class of a title above something that needs a look.
const ATTENTION: &str = "attention";
/// The mood of a page on which nothing is good or bad news.
const PLAIN: &str = "plain";

/// The progress of a run that goes on.
#[derive(Debug, Serialize)]
struct Progress {
    /// `20 results so far, 1 of 2 submissions finished`.
    #[serde(rename = "progress")]
    words: String,
    /// The class of the title.
    mood: &'static str,
}

/// Whether a row needs attention: in a class only if a person must repair something, because its failures are in
/// its table.
fn needs_a_look(row: &grid::Row, report: &Report) -> bool {
    if is_class(report) { row.standing == "broken" } else { row.is_unexpected() }
}

/// Whether the page is about several people's programs.
fn is_class(report: &Report) -> bool {
    report.verb() == Verb::Judge && sole::of(report).is_none()
}

/// Everything that the template shows.
#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    frame: Frame,
    /// The result in one line.
    headline: String,
    /// The class of the headline: `fine`, `attention` or `plain`.
    mood: &'static str,
    /// Whether the page is about one program.
    is_sole: bool,
    /// Facts about the run, its place and its options: names and values.
    facts: Vec<(&'static str, String)>,
    /// Reasons to doubt the figures.
    doubts: Vec<String>,
    unexpected: Vec<Attention<'a>>,
    /// The submission whose first failure is open.
    opened: Option<(SubmissionIndex, usize)>,
    /// The submissions whose result changed: problem, submission, earlier and present result.
    changes: Vec<[String; 4]>,
    notices: Vec<NoticeRow>,
    class: Option<Class>,
    /// The folder of the students' pages.
    folder: &'a str,
    problems: Vec<Section<'a>>,
    /// The progress of a run that goes on; empty once it is over.
    progress: String,
    /// The version of a page from a server.
    version: Option<u64>,
}

/// The frame of every page around its content.
#[derive(Debug)]
pub struct Frame {
    /// The policy of the page.
    pub policy: String,
    /// Its style sheet.
    pub style: &'static str,
    /// Its script; empty if it has none.
    pub script: &'static str,
}

impl Frame {
    /// The frame of a page from a file, or of one that a server on this machine fills.
    pub fn new(is_live: bool) -> Self {
        Self { policy: policy(SCRIPT, is_live), style: STYLE, script: SCRIPT }
    }

    /// The frame of a page that only shows text.
    pub fn without_script() -> Self {
        Self::with_style(STYLE)
    }

    /// The frame of a page without scripts that has this style.
    pub fn with_style(style: &'static str) -> Self {
        Self { policy: policy::policy(&[], &[style], "'none'"), style, script: "" }
    }
}

/// One problem.
struct Section<'a> {
    grid: &'a Grid,
    history: Option<History>,
    clusters: Vec<Cluster>,
    similar: Option<Similar>,
    /// The number of submissions by verdict, in words; for a class.
    results: String,
}

/// A submission that needs attention.
struct Attention<'a> {
    problem: &'a str,
    row: &'a grid::Row,
}

/// A notice of the run.
struct NoticeRow {
    severity: &'static str,
    text: String,
    remedy: String,
}

impl<'a> Page<'a> {
    fn new(html: &'a Html, report: &Report, is_over: bool, version: Option<u64>) -> io::Result<Self> {
        let verb = report.verb();
        let now = PastRun::of(report).filter(|_| is_over && verb == Verb::Run);
        let past = &html.background.past[..];
        let past_grades: Vec<&PastGrades> = past.iter().filter_map(|run| run.grades.as_ref()).collect();
        let sole = sole::of(report);
        let is_class = is_class(report);
        let pages = if html.has_student_pages(report) { html.pages.names() } else { BTreeMap::new() };
        let problems = html.grids.iter().map(|grid| Section {
            grid,
            history: now.as_ref().and_then(|now| History::of(&grid.problem, past, now)),
            clusters: html.clusters.of(&grid.problem),
            similar: (is_class && is_over).then(|| similar::of(&grid.problem, report, &html.background.programs)),
            results: if is_class { results(grid) } else { String::new() },
        });
        let unexpected = html.grids.iter().flat_map(|grid| {
            let rows = grid.rows.iter().filter(|row| needs_a_look(row, report));
            rows.map(|row| Attention { problem: &grid.name, row })
        });
        let unexpected: Vec<Attention<'_>> = unexpected.collect();
        let is_good = unexpected.is_empty()
            && !report.interrupted
            && report.notices_from(Severity::Error) == 0
            && report
                .submissions
                .iter()
                .all(|submission| matches!(submission.standing(), Some(Standing::Met | Standing::NotJudged { .. })));
        let progress = html.progress(report);
        // Submissions of students may be wrong, and an output without an answer is neither right nor wrong.
        let is_fine = |submission: &SubmissionReport| match verb {
            Verb::Judge => submission.verdict() == Some(Verdict::Accepted),
            Verb::Run => submission.standing() == Some(&Standing::Met),
        };
        let mood = match () {
            () if !is_good => ATTENTION,
            () if report.submissions.iter().all(is_fine) => "fine",
            () => PLAIN,
        };
        let (headline, mood) = match sole {
            _ if !is_over => ("the run goes on".to_owned(), progress.mood),
            Some(submission) => (sole::headline(submission, report), mood),
            None => (headline(report, verb), mood),
        };
        Ok(Self {
            frame: Frame::new(version.is_some()),
            headline,
            mood,
            is_sole: sole.is_some(),
            facts: report.head.as_ref().map_or_else(Vec::new, |head| facts(head, report, is_over)),
            doubts: doubts(report).into_iter().chain(html.undrawn.clone()).collect(),
            // The title of a page about one program says it; while the run goes on, the map and its counts do.
            unexpected: if sole.is_some() || !is_over { Vec::new() } else { unexpected },
            opened: if is_over { opened(&html.grids, sole) } else { None },
            changes: now.as_ref().map(|now| changes(past, now)).unwrap_or_default(),
            notices: notices(report),
            class: if is_class && is_over { Some(Class::new(report, &pages, &past_grades)?) } else { None },
            folder: &html.folder,
            problems: problems.collect(),
            progress: if is_over { String::new() } else { progress.words },
            version,
        })
    }

    /// The target of the buttons, in words.
    fn step(&self) -> &'static str {
        let is_unanswered =
            !self.problems.is_empty() && self.problems.iter().all(|section| section.grid.is_unanswered());
        if is_unanswered { "output" } else { "failure" }
    }

    /// Whether one of the problem's explanations is open.
    fn opens(&self, grid: &Grid) -> bool {
        self.opened.is_some_and(|(submission, _)| grid.has(submission))
    }

    /// Whether one of the row's explanations is open, by its position.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates pass references")]
    fn is_opened(&self, row: &grid::Row, at: &usize) -> bool {
        self.opened == Some((row.submission, *at))
    }

    /// Whether a list of the problems helps.
    fn has_contents(&self) -> bool {
        self.problems.len() > 1
    }
}

/// The only submission that failed although it should not have, or that is alone, with the position of the explanation
/// that is open: the one that the headline names, or the first.
fn opened(grids: &[Grid], sole: Option<&SubmissionReport>) -> Option<(SubmissionIndex, usize)> {
    let rows = || grids.iter().flat_map(|grid| &grid.rows);
    let is_alone = rows().count() == 1;
    let mut failed = rows().filter(|row| !row.explained.is_empty() && (is_alone || row.is_unexpected()));
    let row = failed.next().filter(|_| failed.next().is_none())?;
    let named = sole.and_then(sole::decisive).map(|failure| failure.test.ordinal);
    let at = row.explained.iter().position(|one| one.ordinal.is_some() && one.ordinal == named);
    Some((row.submission, at.unwrap_or(0)))
}

/// `12 AC, 3 WA, 1 not judged`.
fn results(grid: &Grid) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &grid.rows {
        *counts.entry(&row.result).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    counts.into_iter().map(|(result, n)| format!("{n} {result}")).collect::<Vec<_>>().join(", ")
}

fn notices(report: &Report) -> Vec<NoticeRow> {
    let shown = report.notices.iter().filter(|notice| notice.severity > Severity::Info);
    let row = |notice: &Diagnostic| {
        let problem = notice.problem.as_ref().map(ToString::to_string);
        let path = notice.path.as_ref().map(|path| path.display().to_string());
        let parts = [problem, path, Some(notice.message.clone())];
        NoticeRow {
            severity: notice.severity.word(),
            text: clean(&parts.into_iter().flatten().collect::<Vec<_>>().join(": ")),
            remedy: clean(&notice.remedy),
        }
    };
    shown.map(row).collect()
}

fn facts(head: &RunStarted, report: &Report, is_over: bool) -> Vec<(&'static str, String)> {
    let (results, cached) = report.results();
    let from_cache = if cached > 0 { format!(", {cached} of them from the cache") } else { String::new() };
    let languages = report.languages().into_iter().map(|(name, (version, _))| format!("{name}: {version}"));
    let languages: Vec<String> = languages.map(|text| clean(&text)).collect();
    let what = [count(head.problems.len(), "problem"), count(report.submissions.len(), "submission")].join(", ");
    let mut facts = vec![("started", day(&head.measured.started))];
    let took = (!report.wall.is_zero()).then(|| format!(" in {}", seconds_short(report.wall)));
    let results = format!(", {}{}{from_cache}", count(results, "result"), took.unwrap_or_default());
    // While the run goes on, the page counts its results below.
    facts.push(("run", if is_over { what + &results } else { what }));
    facts.push(("isolation", head.isolation_with_caveat()));
    facts.push(("machine", machine(head)));
    facts.extend((!languages.is_empty()).then(|| ("languages", languages.join(" · "))));
    facts.push(("command", format!("grader {}, version {}", head.command.name(), head.version)));
    facts
}

/// `2026-11-24 08:33:00 UTC` for a time in RFC 3339.
fn day(started: &str) -> String {
    clean(&started.replace('T', " ").replace('Z', " UTC"))
}

fn machine(head: &RunStarted) -> String {
    let facts = &head.measured;
    let slots = format!("{} at a time", facts.slots);
    let parts = [clean(&facts.machine), count(facts.cores, "core"), slots, clean(&facts.hosts_in_words())];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

fn doubts(report: &Report) -> Vec<String> {
    let interrupted = report.interrupted.then(|| "the run was interrupted: unfinished results are missing".to_owned());
    interrupted.into_iter().chain(report.disturbance()).collect()
}

/// The policy of a page from a server on this machine.
pub fn live_policy() -> String {
    policy(SCRIPT, true)
}

/// The page's policy: only this style and script, and no request. A live page may ask its own server.
fn policy(script: &str, is_live: bool) -> String {
    let scripts: &[&str] = if script.is_empty() { &[] } else { &[script] };
    policy::policy(scripts, &[STYLE], if is_live { "'self'" } else { "'none'" })
}
