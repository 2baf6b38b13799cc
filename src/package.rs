//! One reader per layout of problem directories: a directory becomes a `Problem`, or it is said why not.
//!
//! Reads configuration and sources where it must, never test data: discovery of ten thousand cases is a matter of
//! directory listings. Knows neither settings nor arguments; starts nothing.

pub mod additions;
pub mod answers;
pub mod archive;
pub mod cases;
pub mod contest;
pub mod diagnostic;
pub mod document;
pub mod expectations;
pub mod generators;
pub mod icpc;
pub mod metadata;
pub mod native;
pub mod outputs;
pub mod plain;
pub mod programs;
pub mod prospect;
pub mod reader;
pub mod reference;
pub mod rules;
pub mod scoring;
pub mod static_validation;
pub mod submissions;
pub mod submissions_yaml;
pub mod testdata;
pub mod validation;
