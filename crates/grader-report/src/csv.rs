//! Writes every result as a row of a CSV file (RFC 4180), for spreadsheets and scripts.

use std::io;

use super::document::Document;
use super::failure::clean;
use super::grade::number;
use crate::event::{BuildResult, Measurements, Standing, TestResult};
use crate::record::Report;
use crate::record::{FinishedSubmission, TestRow};

/// The columns, in order. Times are in seconds, memory in bytes.
pub const COLUMNS: [&str; 11] = [
    "problem",
    "submission",
    "student",
    "test",
    "verdict",
    "score",
    "cpu_seconds",
    "wall_seconds",
    "memory_bytes",
    "reason",
    "isolation",
];

/// One row for each test. A submission without tests, for example after a compile error, has one row with an empty test
/// name.
#[derive(Debug, Default)]
pub struct Results {
    rows: Vec<[String; 11]>,
}

/// The result columns of one row.
#[derive(Default)]
struct Result {
    verdict: String,
    score: Option<f64>,
    measured: Option<Measurements>,
    reason: String,
}

impl Document for Results {
    fn submission(&mut self, of: &FinishedSubmission<'_>) {
        for test in of.tests {
            self.rows.push(row(of, test.name(), result_of(test)));
        }
        if of.tests.is_empty() {
            self.rows.push(row(of, "", result_of_submission(of)));
        }
    }

    fn text(&mut self, report: &Report) -> io::Result<Vec<u8>> {
        self.rows.extend(report.left_out().iter().map(|out| {
            let mut row = <[String; 11]>::default();
            row[0] = out.problem.as_ref().map(|problem| cell(problem.as_str())).unwrap_or_default();
            row[2] = cell(&out.student);
            "not judged".clone_into(&mut row[4]);
            row[9] = cell(&out.why);
            row
        }));
        self.rows.extend(report.without_submission().into_iter().map(|student| {
            let mut row = <[String; 11]>::default();
            row[2] = cell(&student.student);
            "not submitted".clone_into(&mut row[4]);
            row
        }));
        write(
            std::iter::once(COLUMNS.map(str::to_owned).as_slice())
                .chain(self.rows.iter().map(<[String; 11]>::as_slice)),
        )
    }
}

fn row(of: &FinishedSubmission<'_>, test: &str, result: Result) -> [String; 11] {
    let Result { verdict, score, measured, reason } = result;
    let figure = |get: &dyn Fn(&Measurements) -> String| measured.as_ref().map(get).unwrap_or_default();
    [
        cell(of.submission.id.problem.as_str()),
        cell(of.submission.id.submission.as_str()),
        cell(of.submission.head.student.as_deref().unwrap_or_default()),
        cell(test),
        verdict,
        score.map(number).unwrap_or_default(),
        figure(&|measured| measured.cpu.as_secs_f64().to_string()),
        figure(&|measured| measured.wall.as_secs_f64().to_string()),
        figure(&|measured| measured.memory.0.to_string()),
        cell(&reason),
        of.head.isolation.clone(),
    ]
}

fn result_of(test: &TestRow) -> Result {
    let finished = match test {
        TestRow::Finished(finished) => &finished.result,
        TestRow::Skipped(skipped) => {
            let reason = format!("not needed after {}", skipped.after);
            return Result { verdict: "skipped".to_owned(), reason, ..Result::default() };
        }
    };
    match finished {
        TestResult::Judged(judgement) => Result {
            verdict: judgement.verdict.code().to_owned(),
            score: judgement.score,
            measured: Some(judgement.measured.clone()),
            reason: judgement.full_reason(),
        },
        TestResult::NotJudged { reason, measured, .. } => Result {
            verdict: "not judged".to_owned(),
            measured: Some(measured.clone()),
            reason: reason.as_str().to_owned(),
            score: None,
        },
        TestResult::JudgeError { message, .. } => {
            Result { verdict: "judge error".to_owned(), reason: message.clone(), ..Result::default() }
        }
        TestResult::Cancelled => Result { verdict: "interrupted".to_owned(), ..Result::default() },
    }
}

fn result_of_submission(of: &FinishedSubmission<'_>) -> Result {
    let words = match &of.submission.built {
        Some(BuildResult::CompileError { message } | BuildResult::Failed { message }) => message.as_str(),
        _ => "",
    };
    let first = words.lines().next().unwrap_or_default();
    let (verdict, reason) = match (of.submission.standing(), of.submission.verdict()) {
        (Some(Standing::JudgeError { message }), _) => ("judge error", message.as_str()),
        (Some(Standing::NotJudged { reason }), _) => ("not judged", reason.as_str()),
        (Some(Standing::Interrupted) | None, _) => ("interrupted", ""),
        (_, Some(verdict)) => (verdict.code(), first),
        _ => ("not judged", ""),
    };
    Result { verdict: verdict.to_owned(), score: of.submission.score(), reason: reason.to_owned(), measured: None }
}

/// Escapes untrusted text for a cell: control characters become visible, and a spreadsheet never evaluates it.
///
/// A cell that begins like a formula gets a leading apostrophe, which marks it as text; plain numbers are unchanged.
/// Source: OWASP, "CSV Injection".
pub fn cell(text: &str) -> String {
    let text = clean(text);
    let formula = text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    if formula && !is_number(&text) { format!("'{text}") } else { text }
}

/// Whether a text is a plain number, such as `-5` or `+3.25`.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let all = digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    all && digits.chars().filter(|c| *c == '.').count() <= 1 && digits.contains(|c: char| c.is_ascii_digit())
}

/// Writes rows as CSV text.
pub(super) fn write<'a>(rows: impl Iterator<Item = &'a [String]>) -> io::Result<Vec<u8>> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).map_err(io::Error::other)?;
    }
    writer.into_inner().map_err(::csv::IntoInnerError::into_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_text_and_numbers_stay() {
        for (text, expect) in [
            ("=1+1", "'=1+1"),
            ("  @SUM(A1)", "'  @SUM(A1)"),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
            ("-inf", "'-inf"),
            ("-5", "-5"),
            ("+3.25", "+3.25"),
            ("-1.2.3", "'-1.2.3"),
            ("-", "'-"),
            ("\t=1", "'    =1"),
            ("＝1", "'＝1"),
            ("name", "name"),
            ("a\nb\u{1b}", "a⏎b␛"),
            ("", ""),
        ] {
            assert_eq!(cell(text), expect, "{text:?}");
        }
    }
}
