//! Reporters: each renders the record of a run in one format.
//!
//! Reporters never run programs and decide nothing: verdicts and standings come from the record.

pub(crate) mod class;
pub(crate) mod csv;
pub(crate) mod diff;
pub(crate) mod document;
pub(crate) mod failure;
pub(crate) mod file_diff;
pub(crate) mod github;
pub(crate) mod grade;
pub(crate) mod gradebook;
pub(crate) mod gradescope;
pub(crate) mod html;
pub(crate) mod jsonl;
pub(crate) mod junit;
pub(crate) mod margins;
pub(crate) mod markdown;
pub(crate) mod student;
pub(crate) mod terminal;
pub(crate) mod text;
