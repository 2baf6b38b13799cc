//! Creates problems, and changes their test cases: adds, answers and generates them, and finds some by stress tests.
//!
//! Its files:
//!
//! - `new_problem`: a problem from templates
//! - `case_editor`: the problem whose cases change
//! - `add`, `sources`, `draft`, `answers`, `makers`, `refusal_log`: new cases
//! - `accept`: compares answers with the output of the reference
//! - `remove`: removes and renames cases
//! - `generate`: cases by generators
//! - `search`, `slowest`, `trial`, `random_inputs`, `variants`, `chance`: stress tests
//! - `programs`: the programs that answer and judge
//! - `time_limit`: writes a time limit
//! - `workflow`: the file of a CI platform
//! - `autograder`: the archive for Gradescope

pub(crate) mod accept;
pub(crate) mod add;
pub(crate) mod answers;
pub(crate) mod autograder;
pub(crate) mod case_editor;
pub(crate) mod chance;
pub(crate) mod draft;
pub(crate) mod generate;
mod makers;
pub(crate) mod new_problem;
pub(crate) mod programs;
pub(crate) mod random_inputs;
pub(crate) mod reference;
mod refusal_log;
pub(crate) mod remove;
pub(crate) mod search;
pub(crate) mod slowest;
mod sources;
pub(crate) mod time_limit;
pub(crate) mod trial;
pub(crate) mod variants;
pub(crate) mod workflow;
