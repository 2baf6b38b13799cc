//! What a saved file means for a plan: `files` reports saves, `affected` says which submissions they affect, and
//! `last_results` which of them run first.

pub(crate) mod affected;
pub(crate) mod files;
pub(crate) mod last_results;
