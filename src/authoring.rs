//! The test cases of a problem: added, answered, generated, searched for by stress tests, and changed.

pub(crate) mod add;
pub(crate) mod answers;
pub(crate) mod desk;
pub(crate) mod draft;
pub(crate) mod generate;
pub(crate) mod hunt;
pub(crate) mod programs;
mod refusals;
mod sources;
pub(crate) mod time_limit;
pub(crate) mod trial;
