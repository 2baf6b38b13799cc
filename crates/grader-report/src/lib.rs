//! The meaning of a run, and how people see it: outcomes of test cases → verdicts and points of submissions, the record of
//! a run → reports. This crate runs no programs and knows no settings.
//!
//! ```
//! use grader_model::problem::{Expectation, TestId};
//! use grader_model::ruleset::Ruleset;
//! use grader_model::verdict::Verdict;
//! use grader_record::event::TestIndex;
//! use grader_report::score::mark::Mark;
//! use grader_report::score::results::Results;
//!
//! // The first failure of an accepted submission makes the tests behind it unnecessary.
//! let tests = ["sample/1", "secret/1", "secret/2"].map(TestId::from).into();
//! let expected = Expectation::accepted("accepted/");
//! let all_tests = false;
//! let fail_fast = true;
//! let mut results = Results::new(tests, &expected, Ruleset::Icpc, None, all_tests, fail_fast);
//! results.add(TestIndex(1), Mark::Judged(Verdict::WrongAnswer, None));
//! assert_eq!(results.needless(TestIndex(2)), Some(TestIndex(1)));
//! assert_eq!(results.verdict(), Some(Verdict::WrongAnswer));
//! ```
//!
//! Its files:
//!
//! - `score`: verdicts of cases → verdict, points and standing of a submission
//! - `record`: the events of all submissions, one after the other → the report
//! - `explain`: why an output is not the answer
//! - `similarity`: nearly identical programs
//!
//! and reporters. Each renders the record of a run in one format, and decides nothing: verdicts and standings come from the record.
//!
//! - `formats`: the table of formats, each with the constructor of its reporter
//! - `text`: styled lines, and what the screen of the reader can show
//! - `terminal`: progress and results of a run
//! - `document`: reports that are one whole file: `csv`, `gradebook`, `junit`, `gradescope`, `classroom50`, `markdown`, `html`
//! - `jplag`, `sources`: the programs of a class, and a folder of them for another tool
//! - `jsonl`, `github`: reports that are written line by line
//! - `failure`, `student`: why a test failed, and how much of that students see
//! - `student_folders`: the names of their folders and pages
//! - `diff`, `file_diff`: a diff as lines, and the diff of two files
//! - `picture`: pictures that pages may show
//! - `class`, `grade`, `margins`: shared by several formats: the table of a class, grades, margins of the time limit
//! - `file_name`: names of files for anything that has a name

pub mod anonymous;
pub mod artemis;
pub mod class;
pub mod classroom50;
pub mod csv;
pub mod diff;
pub mod document;
pub mod explain;
pub mod failure;
pub mod file_diff;
pub mod file_name;
pub mod file_report;
pub mod formats;
pub mod github;
pub mod grade;
pub mod gradebook;
pub mod gradescope;
pub mod html;
pub mod jplag;
pub mod jsonl;
pub mod junit;
pub mod margins;
pub mod markdown;
pub mod picture;
pub mod record;
pub mod score;
pub mod similarity;
pub mod sources;
pub mod student;
pub mod student_folders;
pub mod terminal;
pub mod text;

use grader_model::{course, diagnostic, difference, limits, problem, ruleset, verdict};
use grader_package::{glob, program_files};
use grader_record::event;
