//! What a run tells: every reporter is a view of the record.
//!
//! Knows no sandbox and decides nothing: verdicts and standings are in the record.

pub mod csv;
pub mod diff;
pub mod document;
pub mod failure;
pub mod files;
pub mod github;
pub mod gradebook;
pub mod gradescope;
pub mod jsonl;
pub mod junit;
pub mod margins;
pub mod markdown;
pub mod student;
pub mod terminal;
pub mod text;
