//! `grader`: finds problems, compiles the submissions that belong to them, runs each on every test case inside a
//! sandbox with limits, decides a verdict, and tells what happened and whether it is what was expected.
//!
//! ```text
//! arguments + grader.toml ─config→ Settings      roots ─discover/package→ [Problem]
//! [Problem] + selection ─plan→ Plan
//! Plan ─engine→ compile ─Artifact→ sandbox ─Outcome→ judge ─Judgement→ Event ─record→ Report ─report→ reporters, exit status
//! ```
//!
//! Four things never mix: an `Outcome` is facts about one execution, a `Verdict` is what they mean for the submission, a
//! judge error is a failure of ours, an `Event` is progress. `docs/architecture.md` has the map.

use std::error::Error;

pub mod cli;
pub mod compile;
pub mod config;
pub mod difference;
pub mod discover;
pub mod engine;
pub mod event;
pub mod explain;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
pub mod glob;
pub mod interrupt;
pub mod judge;
pub mod language;
pub mod limits;
pub mod package;
pub mod plan;
pub mod problem;
pub mod reason;
pub mod record;
pub mod report;
pub mod ruleset;
pub mod sandbox;
pub mod score;
pub mod shrink;
pub mod signal;
pub mod store;
pub mod suggest;
pub mod verdict;
pub mod verify;

/// An error and its causes on one line.
fn error_chain(error: &dyn Error) -> String {
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
