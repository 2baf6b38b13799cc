//! The command line, end to end: the real binary on real submissions, each test in a directory and a store of its own.
//!
//! A test that needs what this machine has not (a compiler, root) is reported as ignored, with the reason.

/// The tests of a module: `listed![first, second: [Need::Root]]`.
macro_rules! listed {
    ($($name:ident $(: $needs:expr)?),* $(,)?) => {
        /// Every test of this module.
        pub(crate) fn tests() -> Vec<crate::cli::Test> {
            vec![$(crate::cli::Test { name: stringify!($name), needs: listed!(@needs $($needs)?), body: $name }),*]
        }
    };
    (@needs $needs:expr) => { $needs };
    (@needs) => { &[] };
}

mod add;
mod again;
mod answers;
mod answers_class;
mod assertions;
mod bad_input;
mod cases;
mod classes;
mod commands;
mod conversation;
mod doctor;
mod endings;
mod entry;
mod expected;
mod explanations;
mod farm;
mod generate;
mod grammars;
mod history;
mod import;
mod interactive;
mod interpreters;
mod judge;
mod judges;
mod labels;
mod layer;
mod layouts;
mod legacy;
mod libraries;
mod list;
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
mod selection;
mod setters;
mod shapes;
mod shard;
mod sources;
mod static_validation;
mod store;
mod stream;
mod stress;
mod surroundings;
mod terminal;
mod time_limit;
mod timing;
mod unreadable;
mod validators;
mod verdicts;
mod verify;
mod verify_findings;
mod visualize;
mod walls;
mod watch;
mod workspace;

use libtest_mimic::{Completion, Trial};

use need::Need;

/// One test and what it needs.
pub(crate) struct Test {
    name: &'static str,
    needs: &'static [Need],
    body: fn(),
}

impl Test {
    fn trial(self, module: &str) -> Trial {
        let Self { name, needs, body } = self;
        let run = move || {
            if let Some(missing) = needs.iter().find_map(Need::missing) {
                return Ok(Completion::ignored_with(missing));
            }
            body();
            Ok(Completion::Completed)
        };
        Trial::ignorable_test(format!("cli::{module}::{name}"), run)
    }
}

/// All tests of the command line: `judge::…`.
pub(crate) fn trials() -> Vec<Trial> {
    let modules = [
        ("add", add::tests()),
        ("again", again::tests()),
        ("answers", answers::tests()),
        ("answers_class", answers_class::tests()),
        ("assertions", assertions::tests()),
        ("bad_input", bad_input::tests()),
        ("cases", cases::tests()),
        ("classes", classes::tests()),
        ("doctor", doctor::tests()),
        ("endings", endings::tests()),
        ("entry", entry::tests()),
        ("history", history::tests()),
        ("import", import::tests()),
        ("expected", expected::tests()),
        ("explanations", explanations::tests()),
        ("generate", generate::tests()),
        ("grammars", grammars::tests()),
        ("commands", commands::tests()),
        ("conversation", conversation::tests()),
        ("interactive", interactive::tests()),
        ("interpreters", interpreters::tests()),
        ("new", new::tests()),
        ("labels", labels::tests()),
        ("layer", layer::tests()),
        ("layouts", layouts::tests()),
        ("legacy", legacy::tests()),
        ("libraries", libraries::tests()),
        ("list", list::tests()),
        ("judge", judge::tests()),
        ("judges", judges::tests()),
        ("numbers", numbers::tests()),
        ("options", options::tests()),
        ("other_limits", other_limits::tests()),
        ("outside", outside::tests()),
        ("packages", packages::tests()),
        ("packages_programs", packages_programs::tests()),
        ("pages", pages::tests()),
        ("passes", passes::tests()),
        ("plain", plain::tests()),
        ("projects", projects::tests()),
        ("puzzles", puzzles::tests()),
        ("points", points::tests()),
        ("prepared", prepared::tests()),
        ("record", record::tests()),
        ("reports", reports::tests()),
        ("remote", remote::tests()),
        ("remote_faults", remote_faults::tests()),
        ("remote_stream", remote_stream::tests()),
        ("rerun", rerun::tests()),
        ("sanitize", sanitize::tests()),
        ("selection", selection::tests()),
        ("shapes", shapes::tests()),
        ("shard", shard::tests()),
        ("sources", sources::tests()),
        ("static_validation", static_validation::tests()),
        ("store", store::tests()),
        ("stream", stream::tests()),
        ("setters", setters::tests()),
        ("stress", stress::tests()),
        ("surroundings", surroundings::tests()),
        ("terminal", terminal::tests()),
        ("time_limit", time_limit::tests()),
        ("timing", timing::tests()),
        ("unreadable", unreadable::tests()),
        ("validators", validators::tests()),
        ("verdicts", verdicts::tests()),
        ("walls", walls::tests()),
        ("verify", verify::tests()),
        ("verify_findings", verify_findings::tests()),
        ("visualize", visualize::tests()),
        ("watch", watch::tests()),
    ];
    modules.into_iter().flat_map(|(module, tests)| tests.into_iter().map(move |test| test.trial(module))).collect()
}
