//! Reads problem directories, with one reader for each layout. Each turns a directory into a `Problem`, or reports why
//! it cannot.
//!
//! Reads configuration and sources where it must, never test data: finding ten thousand cases needs only directory
//! listings. Knows neither settings nor arguments, and starts no program.

pub(crate) mod additions;
pub(crate) mod answers;
pub(crate) mod archive;
pub(crate) mod case_document;
pub(crate) mod cases;
pub(crate) mod class_solution;
pub(crate) mod contest;
pub(crate) mod data_files;
pub(crate) mod diagnostic;
pub(crate) mod document;
pub(crate) mod expectations;
pub(crate) mod folder_cases;
pub(crate) mod foreign;
pub(crate) mod generators;
pub(crate) mod group_template;
pub(crate) mod helpers;
pub(crate) mod icpc;
pub(crate) mod metadata;
pub(crate) mod named_inputs;
pub(crate) mod naming;
pub(crate) mod native;
pub(crate) mod outputs;
pub(crate) mod pairing;
pub(crate) mod part_argument;
pub(crate) mod plain;
pub(crate) mod plain_cases;
pub(crate) mod programs;
pub(crate) mod puzzle;
pub(crate) mod reader;
pub(crate) mod reference;
pub(crate) mod rules;
pub(crate) mod scoring;
pub(crate) mod stated_answers;
pub(crate) mod static_validation;
pub(crate) mod submissions;
pub(crate) mod submissions_yaml;
pub(crate) mod testdata;
pub(crate) mod tool_cases;
pub(crate) mod validation;
