//! Decides what the author of a submission may read about a test. Every text for a student is made here, whatever
//! report it appears in.

use serde::{Deserialize, Serialize};

use super::class::{Cell, MISSING, Row, best_in};
use super::failure::{Block, Look, clean};
use super::grade::number;
use super::text::{Line, Style, Whitespace, escape};
use crate::course::LatePenalty;
use crate::event::{BuildResult, GroupScore, Judgement, ProblemHead, Standing, TestFinished, TestResult};
use crate::explain::sentence;
use crate::problem::{ProblemId, TestId};
use crate::record::{Report, SubmissionReport};
use crate::verdict::Verdict;

/// The most lines of compiler output that a student sees.
const COMPILER_LINES: usize = 40;
/// The most failing tests that are explained in full.
const EXPLAINED: usize = 5;

/// How much of the test data students may see.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeedbackLevel {
    /// Nothing about any test: only the verdict of the submission and its points.
    None,
    /// Samples in full, the verdict alone on secret tests.
    #[default]
    Samples,
    /// Every test in full: input, answer, and what differs.
    All,
}

/// How much of one test a student may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sight {
    /// Nothing.
    Hidden,
    /// The verdict, and the judge's message to teams.
    Verdict,
    /// Input, answer and difference.
    Full,
}

impl FeedbackLevel {
    /// Returns how much of a test of this problem students may see.
    pub fn sight(self, problem: &ProblemHead, test: &TestId) -> Sight {
        match self {
            Self::None => Sight::Hidden,
            Self::Samples if !problem.is_sample(test) => Sight::Verdict,
            Self::Samples | Self::All => Sight::Full,
        }
    }
}

/// Returns the text that a student may read about a test; nothing for a hidden test. It never contains the judges'
/// message (`judgemessage.txt`), a path on the judges' machine, or the text of an internal fault.
pub(crate) fn of_test(finished: &TestFinished, sight: Sight, look: &Look) -> Vec<Line> {
    if sight == Sight::Hidden {
        return Vec::new();
    }
    match &finished.result {
        TestResult::Judged(judgement) => judged(judgement, sight, look),
        missing if missing.is_missing() => vec![Line::from("not judged: no output was submitted for this test")],
        TestResult::NotJudged { .. } => vec![Line::from("not judged: this test has no answer for the comparison")],
        TestResult::JudgeError { .. } => vec![Line::from(OUR_FAULT)],
        TestResult::Cancelled => vec![Line::from("not judged: the run was interrupted")],
    }
}

/// Returns the whole text for a student about a submission: its result, the compiler's message, and its tests as far as
/// the level allows.
pub fn whole_text<'t>(
    submission: &SubmissionReport,
    tests: impl Iterator<Item = &'t TestFinished>,
    max_score: Option<f64>,
    feedback: FeedbackLevel,
    look: &Look,
) -> Vec<Line> {
    let mut lines = head(submission, max_score, feedback);
    if feedback != FeedbackLevel::None && fails_a_sample_with_all_points(submission) {
        lines.extend([Line::from(SAMPLE_FAILS), Line::new()]);
    }
    lines.extend(submission.head.remarks.iter().map(|remark| Line::from(format!("note: {}", clean(remark)).as_str())));
    if !submission.head.remarks.is_empty() {
        lines.push(Line::new());
    }
    if let Some(BuildResult::CompileError { message }) = &submission.built {
        let shown = message.lines().take(COMPILER_LINES);
        lines.extend(shown.map(|line| Line::from(format!("    {}", clean(line)).as_str())));
    }
    let mut explained = 0;
    for test in tests {
        let sight = feedback.sight(&submission.problem, &test.test.test);
        // Only the first few failing tests are explained. Messages of the validator to teams are always shown.
        let most = if explained < EXPLAINED { Sight::Full } else { Sight::Verdict };
        explained += usize::from(sight == Sight::Full && !is_accepted(test));
        let name = escape(test.test.test.as_str().as_bytes(), Whitespace::Inline);
        let mut name = format!("{name}{}: ", own_points(test, &submission.problem));
        for line in of_test(test, sight.min(most), look) {
            let mut named = Line::from(std::mem::take(&mut name).as_str());
            named.append(&line);
            lines.push(named);
        }
    }
    if explained > EXPLAINED {
        lines.push(Line::new());
        lines.push(Line::from(format!("Only the first {EXPLAINED} failing tests are explained.").as_str()));
    }
    lines
}

/// ` (2 of 3 points)`, if the test has points of its own.
fn own_points(test: &TestFinished, problem: &ProblemHead) -> String {
    let TestResult::Judged(judgement) = &test.result else { return String::new() };
    let points = judgement.score.zip(problem.test_points.get(&test.test.test));
    points.map(|(score, most)| format!(" ({} of {} points)", number(score), number(*most))).unwrap_or_default()
}

/// A student's result in an exercise, or in all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExerciseResult {
    /// The exercise; empty for the total.
    pub exercise: String,
    /// The result in words: `wrong answer`, `not submitted`.
    pub result: String,
    /// `2 of 3`; `?` if the points are unknown.
    pub points: String,
}

/// Returns a student's result in each exercise, also in those that the student did not submit, and the total.
pub fn marks(row: &Row, report: &Report) -> Vec<ExerciseResult> {
    let of = |points: Option<f64>, best: Option<f64>| {
        let best = best.map(|best| format!(" of {}", number(best))).unwrap_or_default();
        format!("{}{best}", points.map_or("?".to_owned(), number))
    };
    let mark = |(problem, cell): (&ProblemId, &Option<Cell>)| {
        let (result, points) = match cell {
            None if row.unmatched.is_some() => ("not found", None),
            None => ("not submitted", Some(0.0)),
            Some(cell) if cell.word == MISSING => ("not submitted", cell.grade),
            Some(Cell { verdict: Some(verdict), grade, .. }) => (name_of(*verdict), *grade),
            Some(cell) => (&*cell.word, cell.grade),
        };
        let late = cell.as_ref().filter(|cell| cell.is_late()).and_then(|cell| cell.late);
        let rule = late.zip(late_rule(report)).map(|(_, rule)| format!(" ({rule})")).unwrap_or_default();
        let late = late.map(|late| format!(", {late}{rule}")).unwrap_or_default();
        let notes = cell.iter().flat_map(|cell| &cell.notes);
        let changed: String = notes.flat_map(|note| [", ", note]).collect();
        ExerciseResult {
            exercise: clean(problem.as_str()),
            result: clean(&format!("{result}{late}{changed}")),
            points: match cell {
                Some(cell) if cell.is_excused() => "–".to_owned(),
                _ => of(points, best_in(problem, report)),
            },
        }
    };
    let problems = report.problems();
    let mut marks: Vec<ExerciseResult> = problems.into_iter().zip(&row.cells).map(mark).collect();
    let points = if row.is_excused() { row.total_in_words() } else { of(row.total(), row.best) };
    marks.push(ExerciseResult { exercise: String::new(), result: clean(&row.notes().join(", ")), points });
    marks
}

/// The cost of lateness in this run.
fn late_rule(report: &Report) -> Option<LatePenalty> {
    report.head.iter().flat_map(|head| &head.problems).find_map(|head| head.grading.late)
}

/// Whether a test that a student may see fails although the submission has all points.
pub(crate) fn fails_a_sample_with_all_points(submission: &SubmissionReport) -> bool {
    let has_all = submission.score().zip(submission.problem.max_score).is_some_and(|(score, most)| score >= most);
    has_all && submission.failures.iter().any(|test| submission.problem.is_sample(&test.test.test))
}

/// Returns the failed tests that are explained in full: the first of those that the level shows in full.
pub fn explained<'t>(
    submission: &SubmissionReport,
    tests: impl Iterator<Item = &'t TestFinished>,
    feedback: FeedbackLevel,
) -> Vec<&'t TestFinished> {
    let is_full = |test: &&TestFinished| feedback.sight(&submission.problem, &test.test.test) == Sight::Full;
    tests.filter(|test| !is_accepted(test)).filter(is_full).take(EXPLAINED).collect()
}

fn is_accepted(test: &TestFinished) -> bool {
    matches!(&test.result, TestResult::Judged(judgement) if judgement.verdict == Verdict::Accepted)
}

/// The first lines: `sum: wrong answer, 2 of 4 tests` and the points.
fn head(submission: &SubmissionReport, max_score: Option<f64>, feedback: FeedbackLevel) -> Vec<Line> {
    let clean = |text: &str| escape(text.as_bytes(), Whitespace::Inline);
    let verdict = submission.verdict().map_or("not judged", name_of);
    let tests = format!(", {} of {} tests", submission.accepted(), submission.tests.len());
    let tests = if feedback != FeedbackLevel::None && !submission.tests.is_empty() { tests } else { String::new() };
    let first = format!("{}: {verdict}{tests}", clean(submission.id.problem.as_str()));
    let mut lines = vec![Line::from(first.as_str())];
    if let Some(score) = submission.score() {
        let of = |most: Option<f64>| most.map(|most| format!(" of {}", number(most))).unwrap_or_default();
        lines.push(Line::from(format!("points: {}{}", number(score), of(max_score)).as_str()));
        // A group without a name is the whole problem.
        let groups = submission.groups().iter().filter(|of| feedback != FeedbackLevel::None && !of.group.is_empty());
        lines.extend(groups.map(|GroupScore { group, score, max_score, .. }| {
            Line::from(format!("  {}: {}{}", clean(group), number(*score), of(*max_score)).as_str())
        }));
    }
    lines.push(Line::new());
    lines
}

/// The notice if a sample fails although the submission has all points.
const SAMPLE_FAILS: &str = "note: you have all points, but a sample fails: look at it before you go on";

/// The text that a student reads after a judge error.
pub const OUR_FAULT: &str = "not judged: the judge failed, which is not your fault; please inform the staff";

/// Whether only the staff can help a submission that was not judged.
pub fn is_for_staff(submission: &SubmissionReport) -> bool {
    let has_advice = matches!(&submission.built, Some(BuildResult::NotJudged { advice, .. }) if !advice.is_empty());
    matches!(submission.standing(), Some(Standing::NotJudged { .. })) && !has_advice
}

/// The text that a student reads about a submission that has no result.
pub fn unjudged(submission: &SubmissionReport) -> String {
    match &submission.built {
        Some(BuildResult::NotJudged { advice, .. }) if !advice.is_empty() => format!("not judged: {advice}"),
        _ => OUR_FAULT.to_owned(),
    }
}

fn judged(judgement: &Judgement, sight: Sight, look: &Look) -> Vec<Line> {
    let mut block = Block::new(look);
    let style = if judgement.verdict == Verdict::Accepted { Style::GOOD } else { Style::BAD };
    let mut head = Line::new().with(name_of(judgement.verdict), style.bold());
    let is_over = matches!(judgement.verdict, Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit);
    // Nothing about a missing output is secret, and no limit is.
    if judgement.lacks_answer() {
        head.push(&format!(": {}", judgement.full_reason()), Style::PLAIN);
    } else if sight == Sight::Verdict && is_over {
        head.push(&format!(": {}", clean(&judgement.reason.without_figures())), Style::PLAIN);
    } else if sight == Sight::Full
        && let Some(reason) = reason(judgement)
    {
        head.push(&format!(": {}", clean(&reason)), Style::PLAIN);
    }
    block.lines.push(head);
    if let Some(message) = &judgement.team_message {
        block.words(message);
    }
    if sight == Sight::Full && judgement.verdict != Verdict::Accepted {
        block.shown(judgement);
    }
    block.lines
}

/// Returns the reason, unless it may quote the judges: the reason of an output validator comes from `judgemessage.txt`.
fn reason(judgement: &Judgement) -> Option<String> {
    let ours = judgement.checker.is_some() || judgement.verdict != Verdict::WrongAnswer;
    let reason = judgement.full_reason();
    if !ours || reason.is_empty() {
        return None;
    }
    let would = judgement.difference.as_deref().and_then(|it| sentence::would_accept(&it.would_accept));
    Some(would.map_or_else(|| reason.clone(), |would| format!("{reason}; {would}")))
}

/// The verdict in words, because not every student knows the codes.
pub fn name_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "accepted",
        Verdict::WrongAnswer => "wrong answer",
        Verdict::TimeLimit => "time limit exceeded",
        Verdict::MemoryLimit => "memory limit exceeded",
        Verdict::OutputLimit => "output limit exceeded",
        Verdict::RunTimeError => "run-time error",
        Verdict::CompileError => "compile error",
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::diff::DiffStyle;
    use crate::event::{Measurements, SubmissionIndex, SubmissionRef, TestIndex, TestRef};
    use crate::text::Paint;

    const LOOK: Look = Look { paint: Paint::Plain, width: 80, verbosity: 0, diff: DiffStyle::Auto, context: 3 };

    fn rejected(test: &str, verdict: Verdict) -> TestFinished {
        let judgement = Judgement {
            verdict,
            reason: "REASON".into(),
            remarks: vec!["REMARK".into()],
            difference: None,
            checker: None,
            feedback: Some("JUDGES ONLY".into()),
            team_message: Some("for \u{1b}[2Jteams".into()),
            score: None,
            others: Vec::new(),
            files: Some("/PLACE".into()),
            measured: Measurements::default(),
        };
        let id = SubmissionRef { index: SubmissionIndex(0), problem: "p".into(), submission: "s".into() };
        let test = TestRef { of: id, ordinal: TestIndex(0), test: test.into() };
        TestFinished { test, result: TestResult::Judged(Arc::new(judgement)), unexpected: false }
    }

    /// A problem with a sample among its secret cases.
    fn problem() -> ProblemHead {
        let head = r#"{"problem": "p", "title": "", "time_limit": 1, "memory": 1, "tests": 1, "submissions": [],
            "samples": ["secret/0/1"]}"#;
        serde_json::from_str(head).unwrap()
    }

    fn text(finished: &TestFinished, feedback: FeedbackLevel) -> String {
        let sight = feedback.sight(&problem(), &finished.test.test);
        of_test(finished, sight, &LOOK).iter().map(|line| line.plain() + "\n").collect()
    }

    #[test]
    fn each_level_shows_what_it_says() {
        use FeedbackLevel::{All, None, Samples};
        for (feedback, test, sight) in [
            (None, "sample/1", Sight::Hidden),
            (None, "secret/1", Sight::Hidden),
            (Samples, "sample/1", Sight::Full),
            (Samples, "secret/1", Sight::Verdict),
            (Samples, "secret/0/1", Sight::Full),
            (Samples, "1", Sight::Verdict),
            (Samples, "samples", Sight::Verdict),
            (All, "secret/1", Sight::Full),
        ] {
            assert_eq!(feedback.sight(&problem(), &test.into()), sight, "{feedback:?} {test}");
        }
    }

    #[test]
    fn the_judges_words_are_never_shown() {
        for test in ["sample/1", "secret/1"] {
            for feedback in [FeedbackLevel::None, FeedbackLevel::Samples, FeedbackLevel::All] {
                let text = text(&rejected(test, Verdict::WrongAnswer), feedback);
                assert!(!["JUDGES", "REASON", "REMARK", "PLACE"].iter().any(|word| text.contains(word)), "{text}");
                assert_eq!(
                    text.contains("for ␛[2Jteams"),
                    feedback.sight(&problem(), &test.into()) > Sight::Hidden,
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn the_facts_of_a_secret_test_are_shown_at_all_only() {
        let finished = rejected("secret/1", Verdict::RunTimeError);
        assert!(!text(&finished, FeedbackLevel::Samples).contains("REASON"));
        assert!(text(&finished, FeedbackLevel::All).contains("run-time error: REASON"));
    }

    #[test]
    fn a_fault_of_ours_is_no_verdict_and_tells_nothing() {
        let result = TestResult::fault("SECRET PATH".into());
        let finished = TestFinished { result, ..rejected("sample/1", Verdict::WrongAnswer) };
        assert_eq!(text(&finished, FeedbackLevel::All).trim_end(), OUR_FAULT);
    }
}
