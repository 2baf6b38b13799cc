//! Finds the submissions that must run again after a save: `files` reports saves, `affected` finds the submissions that
//! they affect, and `last_results` decides which of them run first.

pub(crate) mod affected;
pub(crate) mod files;
pub(crate) mod last_results;
