//! The test cases of a problem: added, answered, generated, searched for by stress tests, and changed.

pub(crate) mod add;
pub(crate) mod answers;
pub(crate) mod case_editor;
pub(crate) mod draft;
pub(crate) mod generate;
pub(crate) mod programs;
mod refusals;
pub(crate) mod search;
mod sources;
pub(crate) mod time_limit;
pub(crate) mod trial;
