//! The test cases of a problem: added, answered, generated, searched for by stress tests, and changed.

pub mod add;
pub mod answers;
pub mod desk;
pub(crate) mod draft;
pub mod generate;
pub mod hunt;
pub mod programs;
mod refusals;
mod sources;
pub mod time_limit;
pub mod trial;
