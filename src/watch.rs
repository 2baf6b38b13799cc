//! What a saved file means for a plan: `files` reports saves, `affected` says which submissions they affect.

pub(crate) mod affected;
pub(crate) mod files;
