//! The plain data that all rooms of grader share: problems and test cases, limits, verdicts, the judges of the field where they
//! differ, findings, the first difference of a wrong output, and suggestions for misspelt words. No I/O.
//!
//! ```
//! use grader_model::ruleset::Ruleset;
//! use grader_model::verdict::Verdict;
//!
//! // DOMjudge has no verdict for too much memory.
//! assert_eq!(Ruleset::Domjudge.calls(Verdict::MemoryLimit), Verdict::RunTimeError);
//! ```

pub mod course;
pub mod diagnostic;
pub mod difference;
pub mod limits;
pub mod problem;
pub mod ruleset;
pub mod suggest;
pub mod verdict;

use std::error::Error;

/// An error and its causes on one line.
pub fn error_chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        // Transparent wrappers repeat their cause.
        if !text.ends_with(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        next = cause.source();
    }
    text
}
