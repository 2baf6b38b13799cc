//! Keeps the page of a run that goes on: the state so far, and its changes for a browser that shows an older state.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askama::Template;
use serde::Serialize;

use super::cell::Cell;
use super::grid::{Grid, Row};
use super::{Background, Html, HtmlOptions, Progress, pictures};
use crate::document::Document as _;
use crate::event::{Event, SubmissionIndex, TestIndex, TestRef, TestResult};
use crate::record::{FinishedSubmission, Report, Reporter};

/// The page of a run, for any number of readers in other threads.
#[derive(Debug, Clone)]
pub struct LivePage {
    state: Arc<Mutex<LiveState>>,
}

#[derive(Debug)]
struct LiveState {
    html: Html,
    /// The folded events, for pages of an unfinished run.
    report: Report,
    /// The changes so far, as JSON objects. Their number is the version.
    changes: Vec<String>,
    /// The whole page, once the run is over.
    page: Option<Arc<Vec<u8>>>,
}

/// The part of an answer before the changes.
#[derive(Debug, Serialize)]
struct News {
    version: u64,
    #[serde(flatten)]
    progress: Progress,
}

/// One change for a browser.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Change<'a> {
    /// The result of a test: submission, position and name of the test, letter, class, and figures as in a page.
    Cell {
        submission: SubmissionIndex,
        test: TestIndex,
        name: &'a str,
        letter: char,
        class: &'a str,
        figures: [f64; 2],
    },
    /// A finished submission: its row, and the explanations of its failures, as HTML.
    Row { submission: SubmissionIndex, row: &'a str, whys: &'a str },
    /// The page is another one: load it again.
    Reload { reload: bool },
}

/// The row of a submission, and its explanations.
#[derive(Template)]
#[template(path = "live_row.html")]
struct RowFragment<'a> {
    grid: &'a Grid,
    row: &'a Row,
}

#[derive(Template)]
#[template(path = "live_whys.html")]
struct WhysFragment<'a> {
    row: &'a Row,
}

impl LivePage {
    /// A page before its run.
    pub fn new(options: HtmlOptions) -> Self {
        let state = LiveState {
            html: Html::new(options, Background::default()),
            report: Report::default(),
            changes: Vec::new(),
            page: None,
        };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// The current page, as HTML.
    pub fn page(&self) -> io::Result<Vec<u8>> {
        let state = self.state();
        match &state.page {
            Some(page) => Ok(page.to_vec()),
            None => state.html.page(&state.report, false, state.version()).map(String::into_bytes),
        }
    }

    /// A student's page by its file name; none if the page does not exist, or the run goes on.
    pub fn student_page(&self, name: &str) -> Option<io::Result<Vec<u8>>> {
        let state = self.state();
        state.page.as_ref()?;
        state.html.pages.page(name, &state.report).map(|page| page.map(String::into_bytes))
    }

    /// The changes after a version as JSON: the version they lead to, and a list. None if there are none.
    pub fn changes(&self, since: u64) -> Option<String> {
        let state = self.state();
        let version = state.version();
        // A browser with a version that this process never had shows the page of an earlier process.
        let from = if since > version { 0 } else { usize::try_from(since).ok()? };
        let changes = state.changes.get(from..).filter(|changes| !changes.is_empty())?;
        // A list of texts and a number always have a form as JSON.
        let news = serde_json::to_string(&News { version, progress: state.html.progress(&state.report) }).ok()?;
        Some(format!("{},\"changes\":[{}]}}", news.strip_suffix('}')?, changes.join(",")))
    }

    fn state(&self) -> MutexGuard<'_, LiveState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LiveState {
    fn version(&self) -> u64 {
        self.changes.len() as u64
    }

    fn push(&mut self, change: &Change<'_>) -> io::Result<()> {
        self.changes.push(serde_json::to_string(change)?);
        Ok(())
    }

    /// Forgets an earlier run.
    fn begin(&mut self, options: HtmlOptions, background: Background) {
        self.html = Html::new(options, background);
        self.report = Report::default();
        self.page = None;
    }

    fn test(&mut self, test: &TestRef, result: &TestResult) -> io::Result<()> {
        let submission = test.of.index;
        let cell = Cell::new(result, self.report.submissions.get(submission.0));
        let Some(grid) = self.html.grid(submission) else { return Ok(()) };
        grid.set(submission, test.ordinal, test.test.as_str(), cell);
        let name = grid.tests[test.ordinal].clone();
        let letter = cell.letter();
        let class = cell.class();
        let figures = cell.figures();
        self.push(&Change::Cell { submission, test: test.ordinal, name: &name, letter, class, figures })
    }

    fn submission(&mut self, of: &FinishedSubmission<'_>) -> io::Result<()> {
        self.html.submission(of);
        let submission = of.submission.id.index;
        let Some(grid) = self.html.grids.iter().find(|grid| grid.has(submission)) else { return Ok(()) };
        let Some(row) = grid.rows.iter().find(|row| row.submission == submission) else { return Ok(()) };
        let html = RowFragment { grid, row }.render().map_err(io::Error::other)?;
        let whys = WhysFragment { row }.render().map_err(io::Error::other)?;
        self.push(&Change::Row { submission, row: html.trim(), whys: whys.trim() })
    }
}

/// Updates the page of a run.
pub struct Live {
    page: LivePage,
    options: HtmlOptions,
    /// Taken when the run starts.
    background: Option<Background>,
    /// Wakes the readers.
    changed: Box<dyn Fn()>,
}

impl Live {
    /// Updates `page`, and calls `changed` after each change.
    pub fn new(page: LivePage, options: HtmlOptions, background: Background, changed: impl Fn() + 'static) -> Self {
        Self { page, options, background: Some(background), changed: Box::new(changed) }
    }
}

impl Reporter for Live {
    fn test_finished(&mut self, test: &TestRef, result: &TestResult) -> io::Result<()> {
        self.page.state().test(test, result)?;
        (self.changed)();
        Ok(())
    }

    fn recorded(&mut self, event: &Event, _: &Report) -> io::Result<()> {
        let mut state = self.page.state();
        if let Event::RunStarted(head) = event {
            state.begin(self.options, self.background.take().unwrap_or_default());
            state.html.start(head);
            // Browsers that show an earlier run load the page again.
            state.push(&Change::Reload { reload: true })?;
        }
        state.report.apply(event);
        drop(state);
        if matches!(event, Event::RunStarted(_)) {
            (self.changed)();
        }
        Ok(())
    }

    fn wants_tests(&self) -> bool {
        true
    }

    fn submission(&mut self, of: &FinishedSubmission<'_>) -> io::Result<()> {
        self.page.state().submission(of)?;
        (self.changed)();
        Ok(())
    }

    fn finish(&mut self, report: &Report) -> io::Result<()> {
        let to_draw = self.page.state().html.take_drawing();
        // Drawing takes a while, in which browsers still read the page.
        let drawn = to_draw.map(|(mut draw, failures)| draw.draw(&failures)).unwrap_or_default();
        let mut state = self.page.state();
        state.html.finish(report)?;
        pictures::add(&mut state.html.grids, drawn, None);
        state.push(&Change::Reload { reload: true })?;
        let page = state.html.page(report, true, state.version())?;
        state.page = Some(Arc::new(page.into_bytes()));
        drop(state);
        (self.changed)();
        Ok(())
    }
}
