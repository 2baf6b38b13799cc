//! `grader`: finds problems, compiles the submissions that belong to them, runs each on every test case inside a
//! sandbox with limits, decides a verdict, and tells what happened and whether it is what was expected.
//!
//! ```text
//! arguments + grader.toml ─config→ Settings      roots ─discover/package→ [Problem]
//! [Problem] + selection ─plan→ Plan
//! Plan ─engine→ compile ─Artifact→ sandbox ─Outcome→ judge ─Judgement→ Event ─report→ Report, reporters, exit status
//! ```
//!
//! Four things never mix: an `Outcome` is facts about one execution, a `Verdict` is what they mean for the submission, a
//! judge error is a failure of ours, an `Event` is progress. `docs/architecture.md` has the map.

pub mod config;
pub mod discover;
pub mod glob;
pub mod language;
pub mod limits;
pub mod package;
pub mod problem;
pub mod sandbox;
pub mod store;
pub mod suggest;
pub mod verdict;

