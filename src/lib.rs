//! `grader`: finds problems, compiles the submissions that belong to them, runs each on every test case inside a
//! sandbox with limits, decides a verdict, and tells what happened and whether it is what was expected.

pub mod config;
pub mod discover;
pub mod explain;
pub mod judge;
pub mod language;
pub mod limits;
pub mod package;
pub mod problem;
pub mod report;
pub mod sandbox;
pub mod store;
pub mod verdict;
