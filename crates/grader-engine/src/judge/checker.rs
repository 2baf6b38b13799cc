//! The built-in checker on a test case: turns the comparison with the answer into a rejection.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::case::{Case, Terms};
use super::compare::{AnswerFault, Comparator, CompareError, Comparison, GivenPoints, Json, Rejection};
use super::feedback::Feedback;
use super::judged::{Assessment, JudgedExecution, Stdout, Streams};
use super::other_judges::{OtherCheckers, opinions};
use super::sinks::{Compare, ComparedOutput};
use super::{JudgeError, JudgeErrorKind};
use crate::difference::Difference;
use crate::explain::{labels, sentence};
use crate::problem::{Checker, TokenOptions, named};
use crate::sandbox::{Outcome, Sink as _};
use crate::verdict::Verdict;

/// Compares a file with the answer, up to the output limit.
pub(super) fn compare_file(
    case: &Case,
    outcome: Outcome,
    output: File,
    stderr: Vec<u8>,
) -> Result<JudgedExecution, JudgeError> {
    let unreadable = |error: io::Error| JudgeError::other(format!("cannot read an answer: {error}"));
    let mut sink = Compare::new(case)?;
    let mut output = output.take(case.limits.kill.output.0);
    let mut chunk = vec![0; 64 << 10];
    loop {
        let read = output.read(&mut chunk);
        match read.map_err(|error| JudgeError::other(format!("cannot read an output: {error}")))? {
            0 => break,
            n => sink.stdout(&chunk[..n]),
        }
    }
    let compared = sink.finish().map_err(unreadable)?;
    judge_comparison(case, outcome, ComparedOutput { stderr, ..compared })
}

/// Turns a comparison into a rejection. An answer that the checker cannot read is a judge error, unless the facts
/// decide alone.
pub(super) fn judge_comparison(
    case: &Case,
    outcome: Outcome,
    compared: ComparedOutput,
) -> Result<JudgedExecution, JudgeError> {
    let ComparedOutput { comparison, others, stderr } = compared;
    let mut assessment = Assessment { rejection: case.rejection_by_facts(&outcome), ..Assessment::default() };
    if assessment.rejection.is_some() && matches!(case.checker, Checker::Value(_)) {
        check_arguments(case)?;
    }
    let comparison = match comparison {
        Ok(comparison) => comparison,
        Err((_, capture)) if assessment.rejection.is_some() || case.answer.is_none() => {
            assessment.others = if case.answer.is_some() { opinions(case, &outcome, |_| None) } else { Vec::new() };
            return Ok(JudgedExecution {
                outcome,
                assessment,
                streams: Streams::new(Stdout::Capture(*capture), stderr),
            });
        }
        Err((fault, _)) => return Err(unfit_answer(case, &fault)),
    };
    let accepts = |terms: &Terms| others.by(&terms.checker).or(Some(comparison.accepted));
    assessment.others = if case.answer.is_some() { opinions(case, &outcome, accepts) } else { Vec::new() };
    if assessment.rejection.is_none() && case.answer.is_some() {
        let labelled = if comparison.accepted { None } else { LabelledLines::read(case, &comparison) };
        if let Some(GivenPoints { points, message }) = comparison.points {
            let Some(points) = points else { return Err(no_points(case, &message)) };
            // As for a checker that is a program: an output without points is rejected.
            if points <= 0.0 {
                assessment.rejection = Some((Verdict::WrongAnswer, format!("points 0 {message}").into()));
            }
            assessment.feedback = Feedback {
                score: (points > 0.0).then(|| points.to_string()),
                gives_points: true,
                message: Some(format!("points {points} {message}")),
                ..Feedback::default()
            };
        } else if comparison.accepted || labelled.as_ref().is_some_and(LabelledLines::is_right) {
            let mut leniency = comparison.leniency;
            // Submissions here do not print carriage returns. Other differences in spacing are too common for a remark.
            leniency.spacing &= leniency.lines || !case.answer.as_deref().is_some_and(has_returns);
            assessment.remarks.extend(sentence::leniency(leniency));
        } else {
            // Words before the values do not count as a difference, so the sentence is not about them.
            let between_values = labelled.and_then(|labelled| labelled.difference(case));
            let reason = match (&comparison.rejection, between_values.as_ref().or(comparison.difference.as_ref())) {
                (Some(rejection), difference) => rejection_sentence(rejection, difference),
                (None, difference) => difference.map(sentence::sentence).unwrap_or_default(),
            };
            assessment.rejection = Some((Verdict::WrongAnswer, reason.into()));
            assessment.difference = comparison.difference.map(Box::new);
        }
    }
    Ok(JudgedExecution { outcome, assessment, streams: Streams::new(Stdout::Capture(comparison.capture), stderr) })
}

/// The sentence of a checker with rules of its own: the difference, with testlib's words for a presentation error.
fn rejection_sentence(rejection: &Rejection, difference: Option<&Difference>) -> String {
    let what = match &rejection.mismatch {
        Some(mismatch) => {
            let would_accept = sentence::would_accept(&rejection.would_accept);
            let would_accept = would_accept.map(|would| format!("; {would}")).unwrap_or_default();
            format!("{}{would_accept}", sentence::mismatch(mismatch))
        }
        None => difference.map(sentence::sentence).unwrap_or_default(),
    };
    if rejection.malformed { format!("wrong output format: {what}") } else { what }
}

/// The judge error for a checker that leaves the points to a scorer.
fn no_points(case: &Case, message: &str) -> JudgeError {
    let checker = if let Checker::Standard(standard) = case.checker { standard.name() } else { "the checker" };
    let remedy = "choose a checker that gives points, such as one with quitp; grader runs no scorer";
    JudgeError::protocol(format!("{checker}: gives no number of points (`{message}`)\n  → {remedy}"))
}

/// The judge error for an answer that the checker cannot read.
fn unfit_answer(case: &Case, fault: &AnswerFault) -> JudgeError {
    let checker = match case.checker {
        Checker::Standard(standard) => standard.name(),
        Checker::Contains => "contains",
        Checker::Regex => "regex",
        Checker::Unordered => "unordered",
        Checker::Value(_) => "the expected value",
        // The default output validator accepts any answer.
        Checker::Tokens(_) | Checker::Exact => "the checker",
    };
    let answer = named(case.answer());
    let message = format!("{checker}: {fault} ({answer})\n  → correct the answer, or choose another checker");
    JudgeError { kind: JudgeErrorKind::UnfitAnswer, message }
}

/// Reports an input that is no list of arguments, and no object of them. No function was called with it, so the facts of the
/// execution say nothing about the program.
fn check_arguments(case: &Case) -> Result<(), JudgeError> {
    let input = named(&case.input);
    let unfit = |why: String| {
        let remedy = "write the arguments of the function as a list in JSON, such as `[[2, 7], 9]`";
        JudgeError::other(format!("the input has no arguments: {why} ({input})\n  → {remedy}"))
    };
    let text = fs::read_to_string(&case.input).map_err(|error| unfit(error.to_string()))?;
    match Json::parse(&text).map_err(|error| unfit(format!("it is not JSON: {error}")))? {
        Json::List(_) | Json::Object(_) => Ok(()),
        _ => Err(unfit("a value that is not a list".to_owned())),
    }
}

/// The largest output in which words before the values are ignored, in bytes.
const LARGEST_LABELLED: u64 = 4096;

/// An answer and an output whose words before the values the checker ignores.
struct LabelledLines {
    answer: Vec<u8>,
    output: Vec<u8>,
}

impl LabelledLines {
    /// None if the checker does not ignore such words, or a text is large.
    fn read(case: &Case, comparison: &Comparison) -> Option<Self> {
        let Checker::Tokens(TokenOptions { labels: true, .. }) = case.checker else { return None };
        let capture = &comparison.capture;
        let is_short = |path: &Path| path.metadata().is_ok_and(|found| found.len() <= LARGEST_LABELLED);
        let path = case.answer.as_deref().filter(|path| is_short(path))?;
        if capture.truncated() || capture.total() > LARGEST_LABELLED {
            return None;
        }
        // The comparison has just read the answer. If it cannot be read again, the words stay a difference.
        let answer = fs::read(path).ok()?;
        let mut output = Vec::new();
        capture.write_to(&mut &*answer, &mut output).ok()?;
        Some(Self { answer, output })
    }

    /// Whether nothing but such words is different.
    fn is_right(&self) -> bool {
        labels::are_all(&self.answer, &self.output)
    }

    /// The first difference besides such words.
    fn difference(&self, case: &Case) -> Option<Difference> {
        let values = labels::blanked(&self.output);
        let mut comparator = Comparator::new(case.checker, &*self.answer);
        // Reading memory does not fail.
        comparator.feed(&values).ok()?;
        comparator.finish().ok()?.difference
    }
}

/// Whether the first lines of a file end in a carriage return and a line feed.
fn has_returns(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4096).read_to_end(&mut head));
    // Only a remark on the spacing depends on this, so a read error does not matter.
    read.is_ok() && head.windows(2).any(|pair| pair == b"\r\n")
}

/// Compares an output in memory with the answer. Fails if the answer is missing or unreadable, or if the checker cannot
/// read it.
pub(crate) fn compare_bytes(case: &Case, checker: Checker, output: &[u8]) -> Result<Comparison, CompareError> {
    let answer = case.answer.as_ref().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
    let mut comparator = Comparator::new(checker, File::open(answer)?);
    comparator.feed(output)?;
    comparator.finish()
}

/// Judges an output in memory that a program printed earlier. Fails if the answer is missing or unreadable, or if the
/// checker cannot read it.
pub(crate) fn judge_bytes(
    case: &Case,
    outcome: Outcome,
    output: &[u8],
    stderr: Vec<u8>,
) -> Result<JudgedExecution, JudgeError> {
    let comparison = match compare_bytes(case, case.checker, output) {
        Ok(comparison) => Ok(comparison),
        Err(CompareError::Answer { fault, capture }) => Err((fault, capture)),
        Err(CompareError::Unreadable(error)) => {
            return Err(JudgeError::other(format!("{}: {error}", named(case.answer()))));
        }
    };
    judge_comparison(case, outcome, ComparedOutput { comparison, others: OtherCheckers::default(), stderr })
}
