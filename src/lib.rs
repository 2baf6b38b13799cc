//! `grader`: finds problems, compiles the submissions that belong to them, runs each on every test case inside a
//! sandbox with limits, decides a verdict, and reports what happened and whether that was expected.
//!
//! ```text
//! arguments + grader.toml ─config→ Settings      roots ─discover/package→ [Problem]
//! [Problem] + selection ─plan→ Plan
//! Plan ─engine→ compile ─Artifact→ sandbox ─Outcome→ judge ─Judgement→ ledger ─Event→ record, Report ─report→ reporters, exit status
//! ```
//!
//! Four things never mix: an `Outcome` is facts about one execution, a `Verdict` is what they mean for the submission, a
//! judge error is a failure of ours, an `Update` is progress. `docs/architecture.md` has the map.
//!
//! To run every submission of a folder of problems:
//!
//! ```standalone_crate
//! use std::{env, error::Error, process::ExitCode};
//!
//! # fn folder() -> std::path::PathBuf {
//! #     let folder = env::temp_dir().join(format!("grader-example-{}", std::process::id())).join("echo");
//! #     std::fs::create_dir_all(&folder).unwrap();
//! #     std::fs::write(folder.join("echo.sh"), "#!/bin/sh\nexec cat\n").unwrap();
//! #     std::fs::write(folder.join("1.in"), "1\n").unwrap();
//! #     std::fs::write(folder.join("1.ans"), "1\n").unwrap();
//! #     folder
//! # }
//! fn main() -> Result<ExitCode, Box<dyn Error>> {
//!     // The sandbox starts this program again to watch over others.
//!     if let Some(status) = grader::serve_role(env::args_os()) {
//!         return Ok(status);
//!     }
//!     let around = grader::Surroundings::new(folder(), env::current_exe()?, env::vars_os());
//!     let workspace = grader::Workspace::open(around)?;
//!     let session = grader::Session::open(workspace, &grader::Selection::default())?;
//!     let report = session.run(|event| println!("{event:?}"))?;
//!     assert_eq!(report.counts().met, 1);
//! #   std::fs::remove_dir_all(folder().parent().unwrap())?;
//!     Ok(ExitCode::SUCCESS)
//! }
//! ```

mod authoring;
pub mod cli;
mod discover;
mod doctor;
mod export;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod import;
pub mod intake;
mod interrupt;
mod mutation;
#[cfg(feature = "nats")]
mod remote;
mod session;
mod shard;
mod shrink;
mod statement;
mod stream;
mod strength;
mod verify;
mod view;
mod visualize;
mod watch;
pub mod workspace;

pub use grader_engine::{judge, language, store};
pub use grader_model::{limits, problem, verdict};
pub use grader_record::event;
pub use grader_sandbox::{self as sandbox, serve_role};

pub(crate) use grader_engine::{compile, config, engine, ledger, making, plan};
pub(crate) use grader_model::{course, diagnostic, error_chain, ruleset, suggest};
pub(crate) use grader_package::{self as package, driver, glob, program_files, protocol};
pub(crate) use grader_report::{self as report, explain, record, score};

pub use config::Options;
pub use diagnostic::Diagnostic;
pub use plan::Plan;
pub use record::{Counts, DisputedTest, Report, SubmissionReport, TestSummary};
pub use report::failure::Look;
pub use report::student::FeedbackLevel;
pub use session::{Selection, Session};
pub use workspace::{Surroundings, Workspace};

/// The examples of `docs/library.md`.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
mod library {}
