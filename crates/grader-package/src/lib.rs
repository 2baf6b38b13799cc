//! Reads problem directories, with one reader for each layout. Each turns a directory into a `Problem`, or reports why
//! it cannot.
//!
//! Reads configuration and sources where it must, never test data: finding ten thousand cases needs only directory
//! listings. Knows neither settings nor arguments, and starts no program.
//!
//! ```
//! use std::path::Path;
//!
//! use grader_package::{plain, reader::Reader};
//!
//! let folder = tempfile::tempdir()?;
//! for (name, text) in [("sum.py", "print(sum(map(int, input().split())))"), ("1.in", "1 2"), ("1.ans", "3")] {
//!     std::fs::write(folder.path().join(name), text)?;
//! }
//! let is_source = |path: &Path| path.extension().is_some_and(|ending| ending == "py");
//! let reader = Reader::new("sum".into(), folder.path(), folder.path(), &is_source);
//! let problems = plain::read(&reader, &folder.path().join("testcases"));
//! let [sum] = &problems[..] else { panic!("one problem") };
//! assert_eq!((sum.submissions.len(), sum.cases().count()), (1, 1));
//! assert!(reader.take_found().is_empty());
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Readers and what they share:
//!
//! - `icpc`, `native`, `plain`, `polygon`, `library_checker`, `hydro`, `dmoj`, `italy`, `foreign`, `archive`: one reader for each
//!   kind of problem: ICPC packages, native problems, plain folders, packages of Polygon, problems of Library Checker, of Hydro
//!   and of DMOJ, tasks of CMS, problems of other tools, archives
//! - `metadata`, `testdata`, `expectations`, `submissions`, `submissions_yaml`, `scoring`, `static_validation`,
//!   `validation`, `outputs`, `answers`: parts of packages
//! - `additions`, `contest`: included files and constants; order and letters of problems
//! - `generators`: the format of `generators.yaml`
//! - `cases`, `naming`, `pairing`, `folder_cases`, `plain_cases`, `tool_cases`: the cases of a folder: names, places
//!   and owners
//! - `puzzle`, `puzzle_cases`, `part_argument`, `stated_answers`: puzzles with parts and stated answers
//! - `data_files`, `named_inputs`, `program_input`, `patterns`: how a program gets its input
//! - `case_document`: documents with all cases
//! - `class_solution`, `helpers`: programs that are a class; generators and brute forces among programs
//! - `program_files`, `languages.toml`: which files are one program; the table of languages
//! - `driver`: programs in Python that call a solution
//! - `document`: TOML and YAML with places, and findings in them
//! - `glob`, `reader`: globs of the format, and what all readers use

pub(crate) mod additions;
pub(crate) mod answers;
pub mod archive;
pub(crate) mod case_document;
pub mod cases;
pub(crate) mod class_solution;
pub mod contest;
pub mod data_files;
pub mod dmoj;
pub mod document;
pub mod driver;
pub mod expectations;
pub(crate) mod folder_cases;
pub mod foreign;
mod functions;
pub mod generators;
pub mod glob;
pub mod group_template;
pub mod helpers;
pub mod hydro;
pub mod icpc;
pub mod italy;
pub mod library_checker;
pub mod metadata;
pub mod named_inputs;
pub mod naming;
pub mod native;
pub mod outputs;
pub mod pairing;
pub(crate) mod part_argument;
mod patterns;
pub mod plain;
pub mod plain_cases;
pub mod polygon;
pub mod program_files;
pub mod program_input;
pub mod programs;
pub mod protocol;
pub mod puzzle;
pub(crate) mod puzzle_cases;
pub mod reader;
pub mod reference;
pub mod rules;
pub(crate) mod scoring;
pub(crate) mod stated_answers;
pub mod static_validation;
pub(crate) mod submissions;
pub mod submissions_yaml;
pub mod testdata;
pub(crate) mod tool_cases;
pub mod unit_tests;
pub mod validation;
