//! Hostile programs against the real `grader run`: each must get its verdict for its reason, in bounded time, leave
//! nothing alive, and spoil nothing for the test after it.
//!
//! `programs/` holds the programs, one file each, and `programs/interactive/` one directory for each pair; what is
//! expected stands in the first lines (`case.rs` reads them). `signals.rs` ends runs early, `flood.rs` moves much output.
//! Whether something outlives a run is looked for from outside, in `/proc`: everything of a run carries the path of its
//! workspace in its environment, arguments, executable or working directory.

mod case;
mod flood;
mod signals;
mod workspace;

use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let mut arguments = Arguments::from_args();
    // The programs burn cpu: more of them at a time than cores would only make each other late.
    arguments.test_threads.get_or_insert(2);
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/programs");
    let mut trials = case::trials(&programs);
    // An empty directory would pass for a clean bill of health.
    assert!(trials.len() > 50, "only {} programs in {}", trials.len(), programs.display());
    trials.extend(signals::trials(&programs));
    trials.extend(flood::trials());
    libtest_mimic::run(&arguments, trials).exit();
}

/// A test that counts as ignored where one of `tools` is missing.
fn trial(name: &str, tools: &[&str], run: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Trial {
    let missing = tools.iter().any(|tool| !workspace::is_installed(tool));
    Trial::test(name, run).with_ignored_flag(missing)
}
