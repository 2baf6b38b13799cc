//! What makes a problem sound: the findings that `grader verify` may have, the corruptions, the junk and the partners that
//! validators are tried with, what bytes of test data deserve a look, and what each case is good for. Pure.

pub mod code;
pub mod corrupt;
pub mod junk;
pub mod kills;
pub mod partner;
pub mod texture;

pub use code::{Code, Finding, Severity};
