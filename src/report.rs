//! Reporters: each renders the record of a run in one format.
//!
//! Reporters never run programs and decide nothing: verdicts and standings come from the record.
//!
//! Its files:
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
//! - `class`, `grade`, `margins`: what several of them share: the table of a class, grades, margins of the time limit

pub(crate) mod anonymous;
pub(crate) mod artemis;
pub(crate) mod class;
pub(crate) mod classroom50;
pub(crate) mod csv;
pub(crate) mod diff;
pub(crate) mod document;
pub(crate) mod failure;
pub(crate) mod file_diff;
pub(crate) mod file_report;
pub(crate) mod formats;
pub(crate) mod github;
pub(crate) mod grade;
pub(crate) mod gradebook;
pub(crate) mod gradescope;
pub(crate) mod html;
pub(crate) mod jplag;
pub(crate) mod jsonl;
pub(crate) mod junit;
pub(crate) mod margins;
pub(crate) mod markdown;
pub(crate) mod picture;
pub(crate) mod sources;
pub(crate) mod student;
pub(crate) mod student_folders;
pub(crate) mod terminal;
pub(crate) mod text;
