//! Writes `result.json` for an autograder of Classroom 50. It contains the results of one student's program, and only what
//! students may see.
//!
//! Source: `schemas/result-v1.schema.json` of <https://github.com/foundation50/classroom50>.

use std::io;

use jiff::Timestamp;
use serde::Serialize;

use super::class::best_total;
use super::document::Document;
use super::gradescope::{Gradescope, GradescopeLine};
use crate::record::{FinishedSubmission, Report};

/// The variables that the runner of Classroom 50 sets, in the order of [`Identity`].
const VARIABLES: [&str; 8] =
    ["CLASSROOM", "ASSIGNMENT", "MODE", "OWNER", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL", "REVIEW_URL"];

/// The identity of a submission, as the runner states it.
#[derive(Debug, Serialize)]
pub struct Identity {
    classroom: String,
    assignment: String,
    assignment_type: String,
    owner: String,
    submission: String,
    commit: String,
    release: String,
    review: String,
}

impl Identity {
    /// Reads the variables of the runner.
    ///
    /// # Errors
    /// Some are not set; names all of them.
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> io::Result<Self> {
        let values = VARIABLES.map(|name| match (name, variable(name)) {
            ("MODE", None) => Some("individual".to_owned()),
            // Without anything to compare, the review is the commit.
            ("REVIEW_URL", None) => variable("COMMIT_URL"),
            (_, value) => value,
        });
        // That of the review is missing only together with that of the commit.
        let required = VARIABLES.iter().zip(&values).filter(|(name, _)| **name != "REVIEW_URL");
        let missing = required.filter(|(_, value)| value.is_none()).map(|(name, _)| *name);
        let missing = missing.collect::<Vec<_>>().join(", ");
        let [classroom, assignment, assignment_type, owner, submission, commit, release, review] =
            values.map(Option::unwrap_or_default);
        if !missing.is_empty() {
            let message =
                format!("only the runner of Classroom 50 knows whose result it is, and these are not set: {missing}");
            return Err(io::Error::other(message));
        }
        Ok(Self { classroom, assignment, assignment_type, owner, submission, commit, release, review })
    }
}

/// The report under construction: the lines are those of Gradescope.
#[derive(Debug)]
pub(crate) struct Classroom50 {
    identity: Identity,
    lines: Gradescope,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct TestLine<'a> {
    test_name: &'a str,
    passed: bool,
    score: u64,
    max_score: u64,
    #[serde(skip_serializing_if = "str::is_empty")]
    output: &'a str,
}

impl Classroom50 {
    pub(crate) fn new(identity: Identity, lines: Gradescope) -> Self {
        Self { identity, lines }
    }
}

impl Document for Classroom50 {
    fn submission(&mut self, of: &FinishedSubmission<'_>) {
        self.lines.submission(of);
    }

    fn text(&mut self, report: &Report) -> io::Result<Vec<u8>> {
        let score = self.lines.complete_lines(report)?;
        self.lines.messages_as_line();
        let most = best_total(report).unwrap_or(score);
        let lines: Vec<&GradescopeLine> = self.lines.visible().collect();
        let tests = lines.iter().map(|line| {
            let score = hundredths(line.score.unwrap_or_default());
            let max_score = line.max_score.map_or(score, hundredths).max(score);
            TestLine {
                test_name: &line.name,
                passed: line.status == Some("passed"),
                score,
                max_score,
                output: &line.output,
            }
        });
        let mut document = serde_json::to_value(&self.identity)?;
        let started = report.head.as_ref().map(|head| &*head.measured.started).unwrap_or_default();
        document["schema"] = "classroom50/result/v1".into();
        document["datetime"] = in_utc(started).into();
        document["score"] = hundredths(score).into();
        document["max-score"] = hundredths(most.max(score)).into();
        document["tests"] = serde_json::to_value(tests.collect::<Vec<_>>())?;
        let mut text = serde_json::to_vec_pretty(&document)?;
        text.push(b'\n');
        Ok(text)
    }
}

/// Points as Classroom 50 takes them: whole numbers. The unit is the same for all students, so the maximum is, too.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "points are few, and not below zero here")]
fn hundredths(points: f64) -> u64 {
    (points.max(0.0) * 100.0).round() as u64
}

/// A time as `2026-01-31T10:15:00Z`, the only form that Classroom 50 takes.
fn in_utc(time: &str) -> String {
    time.parse::<Timestamp>().map_or_else(|_| time.to_owned(), |time| time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}
