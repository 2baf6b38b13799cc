//! The work of a run: a plan of submissions and test cases → programs that are built, run in the sandbox and judged, with what
//! is known already taken from the store.
//!
//! ```
//! use grader_engine::language::Languages;
//!
//! let languages = Languages::builtin();
//! assert!(languages.iter().any(|language| language.id == "python3"));
//! ```
//!
//! Its files:
//!
//! - `config`: layers of options → settings with their origins
//! - `language`: detection and commands of languages, from a table
//! - `plan`: the work of a run, in order
//! - `engine`: carries out a plan on slots: schedule, executors, cache, second looks
//! - `compile`: a program → an artifact
//! - `judge`: a program on a test case → a judgement
//! - `ledger`: the state of each submission: updates in any order → events in plan order
//! - `making`: inputs and answers that a package lacks, by its own generators and reference
//! - `store`: `.grader/`: artifacts, outcomes, records, and the keys of all that is cached

pub mod compile;
pub mod config;
pub mod engine;
pub mod judge;
pub mod language;
pub mod ledger;
pub mod making;
pub mod plan;
pub mod store;

use grader_model::{course, diagnostic, difference, error_chain, limits, problem, ruleset, suggest, verdict};
use grader_package::{self as package, driver, program_files, protocol, unit_tests};
use grader_record::{event, reason, signal};
use grader_report::{self as report, explain, score, similarity};
use grader_sandbox as sandbox;
