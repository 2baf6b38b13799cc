//! Hostile programs against the real `grader run`, in every layer of isolation that the machine offers: each must get
//! its verdict for its reason, in bounded time, leave nothing behind, and spoil nothing for the test after it.
//!
//! `programs/` holds them: a file is a submission, a directory with a `submission` in it a submission and its judge. What
//! is expected stands in the first lines (`case.rs` reads them). `signals.rs` ends runs early, `flood.rs` moves much
//! output, `assertions.rs` judges programs that cheat assertions, `outside.rs` looks for what was left, from outside and not by asking the grader.
//!
//! Which program runs in which layer: how programs are watched, ended and cleaned up after differs between root (control
//! groups), user (a pid namespace and `/proc`) and none (`/proc` alone), so that these three are what a program gets that
//! says nothing; weak shares all of that with none. What is about walls says `only: root user users weak`, what needs an
//! exact count `only: root`, and what must not be disturbed names all five. A layer that the machine does not offer counts as
//! ignored, never as passed, and why is said; `HOSTILE_LAYERS="root user weak none"` makes it a failure.
//!
//! Layer users is for containers, so its tests run in one (`container.rs`). `class.rs` judges a class with attackers there.
//!
//! As root the user layer runs under a user id of its own for each workspace, in a place that it can enter: what bears
//! that id afterwards was left by this run and no other. It is lent root's Rust compiler, so that programs in Rust are
//! tried there too.

mod assertions;
mod case;
mod class;
pub(crate) mod container;
mod flood;
mod layer;
mod outside;
mod signals;
mod workspace;

use std::path::Path;

use libtest_mimic::{Failed, Trial};

use layer::Layer;
use tempfile::TempDir;

/// Tests that mostly wait, up to a minute. They begin first, or the last of them would run alone at the end.
pub(crate) const LONGEST: &[&str] = &[
    "/processes/stop-keeper.c",
    "/signals/kill-grader-at-any-moment",
    "/interactive/both-wait",
    "/interactive/kill-keeper",
    "/compilers/fork-bomb.sh",
];

/// Every program in each of its layers, with what they need on this machine: it lasts as long as the second value.
pub(crate) fn trials() -> (Vec<Trial>, Option<TempDir>) {
    let lent = layer::lend_rust().expect("the Rust compiler can be lent");
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/programs");
    let mut trials = case::trials(&programs);
    // An empty directory would pass for a clean bill of health.
    assert!(trials.len() > 300, "only {} programs in {}", trials.len(), programs.display());
    trials.extend(signals::trials(&programs));
    trials.extend(flood::trials());
    trials.extend(assertions::trials());
    trials.extend(class::trials());
    if container::is_inside() {
        // Outside, each of them is one test that starts these.
        trials.retain(|trial| trial.name().starts_with(&format!("hostile::{}/", Layer::Users.name())));
        return (trials, lent);
    }
    layer::demand();
    (trials, lent)
}

/// A test that counts as ignored where the layer is not offered or one of `tools` is missing.
fn trial(layer: Layer, name: &str, tools: &[&str], run: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Trial {
    let missing = tools.iter().any(|tool| !layer.has_tool(tool));
    let full = format!("hostile::{}/{name}", layer.name());
    if container::is_inside() {
        return Trial::test(full, run);
    }
    if layer == Layer::Users && !container::is_also_tried_outside(name) {
        let test = full.clone();
        return Trial::test(full, move || container::run(&test)).with_ignored_flag(missing || !layer.is_offered());
    }
    Trial::test(full, run).with_ignored_flag(missing || !layer.is_offered())
}
