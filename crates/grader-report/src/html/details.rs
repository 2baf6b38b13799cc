//! Explains on a page why tests failed, in the words and the diff of the terminal, and shows outputs that nothing judged.

use std::path::Path;

use super::super::failure::{self, Block, Look, Talk, Text, again, clean, input_of};
use super::super::text::{Colour, Line, Span, Style, count};
use super::source::Source;
use crate::event::{BuildResult, Standing, TestFinished, TestIndex, TestResult};
use crate::record::{FinishedSubmission, TestRow};
use crate::verdict::Verdict;

/// The most lines of one part of an explanation.
const MOST_LINES: usize = 80;
/// The most turns of a conversation.
const MOST_TURNS: usize = 200;
/// The most characters of a turn.
const MOST_SAID: usize = 500;
/// The lines of a program before and after the place of a failure.
const AROUND: usize = 4;
/// The lines of a program that are shown if no place is known.
const FIRST_LINES: usize = 20;
/// The most bytes of whole texts on a page. A page of a class may explain a thousand failures.
const MOST_UNFOLDED: usize = 8 << 20;

/// Why one test failed, or why a submission could not be run.
#[derive(Debug)]
pub(super) struct Explanation {
    /// The test; none if the explanation is about the submission.
    pub(super) test: Option<String>,
    /// The position of the test in the plan.
    pub(super) ordinal: Option<TestIndex>,
    /// The result in a word or two.
    pub(super) result: &'static str,
    /// The explanation of the terminal, and the files that it shows in part.
    pub(super) parts: Vec<Part>,
    /// The conversation of an interactive run.
    pub(super) talk: Option<Talk>,
    /// The command that repeats it; empty if there is none.
    pub(super) again: String,
    /// The verdict on the test, if there is one.
    pub(super) verdict: Option<Verdict>,
    /// Pictures of the test case and of the output.
    pub(super) shown: ShownParts,
}

/// The parts that an explanation shows.
#[derive(Debug, Default)]
pub(super) struct ShownParts {
    pub(super) figures: Vec<ShownFigure>,
    pub(super) missing: Vec<String>,
}

/// A figure of an explanation.
#[derive(Debug)]
pub(super) struct ShownFigure {
    pub(super) caption: String,
    /// The picture within the page; empty if it is not there.
    pub(super) data: String,
    /// The file beside the page, as the parts of its path; empty if there is none.
    pub(super) file: Vec<String>,
}

/// Some lines below a heading.
#[derive(Debug)]
pub(super) struct Part {
    /// The heading; empty for the first part.
    pub(super) heading: &'static str,
    lines: Vec<Line>,
    /// Which lines of a file these are: `lines 1–6 and 299–300 of 300`; empty for all.
    pub(super) extent: String,
    /// The file for unfolding and copying, and what part of it that is: `300 lines`.
    pub(super) whole: Option<(String, String)>,
}

/// The room on a page for texts that readers unfold.
#[derive(Debug)]
pub(super) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Self(MOST_UNFOLDED)
    }
}

impl Room {
    /// Takes room for a text; false if there is not enough.
    fn take(&mut self, text: &str) -> bool {
        let rest = self.0.checked_sub(text.len());
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }
}

impl Part {
    fn new(heading: &'static str, mut lines: Vec<Line>) -> Self {
        let more = lines.len().saturating_sub(MOST_LINES);
        if more > 0 {
            lines.truncate(MOST_LINES);
            lines.push(Line::new().with(&format!("    … {more} more lines"), Style::FAINT));
        }
        Self { heading, lines, extent: String::new(), whole: None }
    }

    /// The excerpt of a kept file, and the file itself if the page has room for it. None if the file was not kept.
    fn file(heading: &'static str, (stem, extension): (&Path, &str), look: &Look, room: &mut Room) -> Option<Self> {
        // Somebody may have removed the file since.
        let text = Text::kept(stem, extension).ok()?;
        let (lines, extent) = text.shown(look);
        let whole = Some(text.whole()).filter(|(whole, _)| !whole.is_empty() && room.take(whole));
        Some(Self { extent, whole, ..Self::new(heading, lines) })
    }

    /// The program around a line that a failure names, or its first lines. The whole one can be unfolded if there is room.
    fn program(source: &Source, place: Option<usize>, room: Option<&mut Room>) -> Self {
        let all = source.lines.len();
        let first = place.map_or(1, |place| place.saturating_sub(AROUND).max(1));
        let last = place.map_or(FIRST_LINES, |place| place + AROUND).min(all);
        let shown = source.lines.iter().enumerate().take(last).skip(first - 1);
        let lines = shown.map(|(at, line)| {
            let number = at + 1;
            let is_place = place == Some(number);
            let text = format!("{} {number:>4}  {}", if is_place { '→' } else { ' ' }, line.text);
            Line::new().with(&text, if is_place { Style::BAD } else { Style::PLAIN })
        });
        let text = || source.lines.iter().map(|line| &*line.text).collect::<Vec<_>>().join("\n");
        let whole = room.and_then(|room| Some(text()).filter(|text| !text.is_empty() && room.take(text)));
        let extent = format!("{}, lines {first}–{last} of {all}", source.name);
        Self { extent, whole: whole.map(|text| (text, count(all, "line"))), ..Self::new("program", lines.collect()) }
    }

    /// The lines, each as texts with the names of their classes.
    pub(super) fn lines(&self) -> impl Iterator<Item = Vec<(&'static str, &str)>> {
        self.lines.iter().map(spans)
    }
}

/// Adds the program to explanations of its failures: to the first the beginning or the place, to others only the place.
pub(super) fn add_program(
    explained: &mut [Explanation],
    of: &FinishedSubmission<'_>,
    mut source: Source,
    room: &mut Room,
) {
    for (at, one) in explained.iter_mut().enumerate() {
        let test = of.finished_tests().find(|test| Some(test.test.ordinal) == one.ordinal);
        let place = match test {
            Some(test) => source.mark_test(test),
            None => source.mark_compile_error(of.submission),
        };
        if at == 0 || place.is_some() {
            let program = Part::program(&source, place, (at == 0).then_some(&mut *room));
            one.parts.insert(one.parts.len().min(1), program);
        }
    }
}

/// The texts of a line, each with the name of its class.
pub(super) fn spans(line: &Line) -> Vec<(&'static str, &str)> {
    line.spans().iter().map(of_span).collect()
}

fn of_span(span: &Span) -> (&'static str, &str) {
    let Style { colour, bold, dim, underline, verbatim: _ } = span.style;
    let class = match (colour, dim, underline) {
        (Some(Colour::Red), _, false) => "bad",
        (Some(Colour::Red), _, true) => "bad word",
        (Some(Colour::Green), _, false) => "good",
        (Some(Colour::Green), _, true) => "good word",
        (Some(Colour::Yellow), ..) => "look",
        (None, true, _) => "dim",
        (None, false, true) => "word",
        (None, false, false) if bold => "strong",
        _ => "",
    };
    (class, &span.text)
}

/// Explains the first tests of a submission that failed or have no answer, or its compile error.
pub(super) fn of(of: &FinishedSubmission<'_>, look: &Look, most: usize, room: &mut Room) -> Vec<Explanation> {
    let submission = of.submission;
    let verb = of.head.verb;
    let again =
        |test| if submission.head.again.is_empty() { String::new() } else { clean(&again(submission, test, verb)) };
    let failed = of.tests.iter().filter_map(|row| {
        let TestRow::Finished(finished) = row else { return None };
        let result = match &finished.result {
            TestResult::Judged(judgement) if judgement.verdict != Verdict::Accepted => judgement.verdict.code(),
            TestResult::JudgeError { .. } => "judge error",
            TestResult::NotJudged { files: Some(_), .. } => "no answer",
            _ => return None,
        };
        let mut explained = of_test(finished, result, look, room);
        explained.again = again(Some(finished));
        Some(explained)
    });
    let mut explained: Vec<Explanation> = failed.take(most).collect();
    let whole = match (&submission.built, submission.standing()) {
        (Some(BuildResult::CompileError { .. }), _) => Some("compile error"),
        (Some(BuildResult::Failed { .. }), _) => Some("judge error"),
        (_, Some(Standing::JudgeError { .. })) if explained.is_empty() => Some("judge error"),
        _ => None,
    };
    if let Some(result) = whole {
        let parts = vec![Part::new("", failure::of_submission(submission, look))];
        let again = again(None);
        let shown = ShownParts::default();
        let whole = Explanation { test: None, ordinal: None, result, parts, talk: None, again, verdict: None, shown };
        explained.insert(0, whole);
    }
    explained
}

fn of_test(finished: &TestFinished, result: &'static str, look: &Look, room: &mut Room) -> Explanation {
    let stem = match &finished.result {
        TestResult::Judged(judgement) => judgement.files.as_deref(),
        TestResult::NotJudged { files, .. } => files.as_deref(),
        TestResult::JudgeError { .. } | TestResult::Cancelled => None,
    };
    let mut why = Block::for_page(look);
    match (&finished.result, stem) {
        (TestResult::NotJudged { .. }, Some(stem)) => why.stderr(stem),
        _ => why.test(finished),
    }
    let mut parts = vec![Part::new("", why.lines)];
    parts.retain(|part| part.lines().next().is_some());
    let talk = stem.and_then(|stem| Talk::kept(stem, MOST_TURNS, MOST_SAID));
    if let Some(stem) = stem {
        let files = [("input", input_of(stem)), ("answer", "ans"), ("output", "out")];
        // The two sides of a conversation are not an answer and an output.
        let shown = if talk.is_some() { &files[..1] } else { &files[..] };
        parts.extend(shown.iter().filter_map(|(heading, ending)| Part::file(heading, (stem, ending), look, room)));
    }
    let test = Some(clean(finished.test.test.as_str()));
    let verdict = match &finished.result {
        TestResult::Judged(judgement) => Some(judgement.verdict),
        _ => None,
    };
    let ordinal = Some(finished.test.ordinal);
    let again = String::new();
    let shown = ShownParts::default();
    Explanation { test, ordinal, result, parts, talk, again, verdict, shown }
}
