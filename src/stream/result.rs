//! The lines that go out. `docs/stream.schema.json` describes them.

use serde::{Deserialize, Serialize};

use super::request::Id;
use crate::limits::Usage;
use crate::verdict::Verdict;

/// The version of requests and results. Raise it when a field changes its meaning or is removed.
pub(super) const SCHEMA: u32 = 1;
/// The most bytes of each text of a failed test.
const TEXT: usize = 2048;
/// The most bytes of a compiler's messages.
const COMPILER: usize = 8192;

/// The result of one request.
#[derive(Debug, Clone, Serialize)]
pub(super) struct StreamResult {
    pub(super) schema: u32,
    /// The name of the request; none if the line has none that can be read.
    pub(super) id: Option<Id>,
    /// The number of the line in the stream, from 1.
    pub(super) line: u64,
    #[serde(flatten)]
    pub(super) answer: Answer,
}

/// The answer to a request.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub(super) enum Answer {
    /// The program was judged.
    Judged(Box<JudgedRequest>),
    /// It was not judged.
    Error(Failure),
}

/// A verdict with the results of the tests behind it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct JudgedRequest {
    pub(super) verdict: Verdict,
    /// One line for people.
    pub(super) summary: String,
    /// A remark: which of several files was run, and which ones do not belong to the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
    /// The number of accepted tests.
    pub(super) passed: usize,
    /// The number of tests of the problem, also of those that were not run.
    pub(super) total: usize,
    /// The tests that were run, in order.
    pub(super) tests: Vec<TestLine>,
    /// The messages of the compiler, if it rejected the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) compiler: Option<TextStart>,
    /// The first failed test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failed: Option<Box<FailedTest>>,
}

/// One test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct TestLine {
    /// The name in its problem; the number, from 1, for tests of a request.
    pub(super) test: String,
    pub(super) verdict: Verdict,
    /// CPU time in seconds.
    pub(super) cpu: f64,
    /// Elapsed time in seconds.
    pub(super) wall: f64,
    /// Peak memory in bytes.
    pub(super) memory: u64,
    /// Whether the figures were measured in an earlier run.
    pub(super) cached: bool,
    /// The judge, if it was not grader: then a hostile program may have influenced the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) judged_by: Option<JudgedBy>,
}

/// The judge of a test that grader did not judge itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum JudgedBy {
    /// The assertions ran in the program's process, because they could not be split into calls.
    #[serde(rename = "assertions in the program's process")]
    AssertionsInside,
}

impl TestLine {
    pub(super) fn new(test: String, verdict: Verdict, usage: &Usage, cached: bool) -> Self {
        let cpu = usage.cpu.as_secs_f64();
        let wall = usage.wall.as_secs_f64();
        let memory = usage.memory.0;
        Self { test, verdict, cpu, wall, memory, cached, judged_by: None }
    }
}

/// A failed test, bounded.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct FailedTest {
    pub(super) test: String,
    pub(super) reason: String,
    pub(super) input: TextStart,
    pub(super) expected: TextStart,
    pub(super) output: TextStart,
    pub(super) stderr: TextStart,
}

/// The beginning of a text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct TextStart {
    pub(super) text: String,
    /// Whether it goes on.
    pub(super) cut: bool,
}

impl TextStart {
    /// The beginning of a compiler's messages.
    pub(super) fn of_compiler(words: &str) -> Self {
        Self::at(words.as_bytes(), COMPILER)
    }

    /// The beginning of some bytes. Invalid UTF-8 is replaced.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self::at(bytes, TEXT)
    }

    /// Bytes of which only the beginning was read, with one byte more than is shown if there are more.
    fn at(bytes: &[u8], most: usize) -> Self {
        let cut = bytes.len() > most;
        let mut end = most.min(bytes.len());
        if cut {
            // Not within a character: at most three bytes follow its first.
            let is_within = |at: usize| bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
            end = (end.saturating_sub(3)..=end).rev().find(|at| !is_within(*at)).unwrap_or(end);
        }
        Self { text: String::from_utf8_lossy(&bytes[..end]).into_owned(), cut }
    }

    /// The most bytes worth reading of something that is shown.
    pub(super) const WORTH: usize = TEXT + 1;
}

/// Why a request was not judged. Never the fault of the program.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Failure {
    pub(super) kind: FailureKind,
    pub(super) message: String,
}

/// The cause of a request that was not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FailureKind {
    /// The request is wrong: another one is needed.
    Request,
    /// This machine lacks something, such as a compiler.
    Machine,
    /// A checker, a validator or grader itself failed.
    Judge,
}

impl Answer {
    pub(super) fn error(kind: FailureKind, message: impl Into<String>) -> Self {
        Self::Error(Failure { kind, message: message.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_characters() {
        let cut = |bytes: &[u8], most| {
            let TextStart { text, cut } = TextStart::at(bytes, most);
            (text, cut)
        };
        assert_eq!(cut(b"abc", 3), ("abc".to_owned(), false));
        assert_eq!(cut(b"abcd", 3), ("abc".to_owned(), true));
        assert_eq!(cut("aä€".as_bytes(), 5), ("aä".to_owned(), true));
        assert_eq!(cut("aä€".as_bytes(), 2), ("a".to_owned(), true));
        assert_eq!(cut(b"\xff\xfe", 5), ("\u{fffd}\u{fffd}".to_owned(), false));
        assert!(cut(&[0x80; 10], 5).1);
    }
}
