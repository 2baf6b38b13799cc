//! The command line, end to end: the real binary on real submissions, each test in a directory and a store of its own.
//!
//! A test that needs what this machine has not (a compiler, root) is reported as ignored, with the reason.

/// Makes a function a test of this module, as `#[apply(cli_test)]`. `#[needs(…)]` below says what the machine must have.
macro_rules! cli_test {
    ($(#[doc = $doc:expr])* $(#[expect($($lint:tt)*)])* #[needs($needs:expr)] fn $name:ident() $body:block) => {
        $(#[doc = $doc])* $(#[expect($($lint)*)])*
        fn $name() $body

        inventory::submit! {
            crate::cli::Test { module: module_path!(), name: stringify!($name), needs: $needs, body: $name }
        }
    };
    ($(#[doc = $doc:expr])* $(#[expect($($lint:tt)*)])* fn $name:ident() $body:block) => {
        cli_test! { $(#[doc = $doc])* $(#[expect($($lint)*)])* #[needs(&[])] fn $name() $body }
    };
}

mod add;
mod again;
mod anonymous;
mod answers;
mod answers_class;
mod assertions;
mod attempts;
mod bad_input;
mod cases;
mod ci;
mod class_exports;
mod classes;
mod classrooms;
mod commands;
mod conversation;
mod courses;
mod dmoj;
mod doctor;
mod endings;
mod entry;
mod exercises;
mod expected;
mod explanations;
mod export;
mod fair;
mod farm;
mod functions;
mod generate;
mod googletest;
mod gradebooks;
mod grades;
mod grammars;
mod history;
mod hydro;
mod import;
mod inputs;
mod interactive;
mod interpreters;
mod italy;
mod judge;
mod judges;
mod labels;
mod layer;
mod layouts;
mod legacy;
mod libraries;
mod library_checker;
mod list;
mod losses;
mod need;
mod new;
mod numbers;
mod options;
mod other_limits;
mod outside;
mod packages;
mod packages_programs;
mod pages;
mod passes;
mod plain;
mod points;
mod polygon;
mod prepared;
mod projects;
mod puzzles;
mod record;
mod remote;
mod remote_faults;
mod remote_stream;
mod reports;
mod rerun;
mod run;
mod sanitize;
mod searches;
mod selection;
mod setters;
mod shapes;
mod shard;
mod similar;
mod sources;
mod standard_checkers;
mod statement;
mod statement_findings;
mod statement_out;
mod statement_tex;
mod static_validation;
mod store;
mod stream;
mod strength;
mod stress;
mod surroundings;
mod terminal;
mod testlib;
mod testlib_header;
mod time_limit;
mod timing;
mod unit_aliases;
mod unit_errors;
mod unit_looking;
mod unit_objects;
mod unit_problems;
mod unit_runner_jest;
mod unit_runner_pytest;
mod unit_runner_rust;
mod unit_runners;
mod units;
mod unreadable;
mod upgrade;
mod validators;
mod verdicts;
mod verify;
mod verify_coverage;
mod verify_findings;
mod verify_reach;
mod visualize;
mod walls;
mod watch;
mod workspace;

use libtest_mimic::{Completion, Trial};

use need::Need;

/// One test and what it needs.
pub(crate) struct Test {
    /// Its path in this crate: `suite::cli::judge`.
    module: &'static str,
    name: &'static str,
    needs: &'static [Need],
    body: fn(),
}

inventory::collect!(Test);

impl Test {
    fn trial(&'static self) -> Trial {
        let Self { module, name, needs, body } = self;
        let module = module.split_once("::").map_or(*module, |(_, module)| module);
        let run = move || {
            if let Some(missing) = needs.iter().find_map(Need::missing) {
                return Ok(Completion::ignored_with(missing));
            }
            body();
            Ok(Completion::Completed)
        };
        Trial::ignorable_test(format!("{module}::{name}"), run)
    }
}

/// All tests of the command line: `cli::judge::…`.
pub(crate) fn trials() -> Vec<Trial> {
    inventory::iter::<Test>.into_iter().map(Test::trial).collect()
}
