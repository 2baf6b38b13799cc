//! The tests that start the grader and wait for it, in one process: while one waits, another runs.
//!
//! A test is named by its module: `cargo test --test suite cli::judge` runs those of `cli/judge.rs`.

#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod cli;
mod exports;
mod hostile;
mod packages;
mod readme;
mod under_test;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;

use libtest_mimic::Arguments;

const GROUPS: [&str; 4] = ["cli", "hostile", "packages", "readme"];

fn main() {
    hostile::container::serve_role();
    under_test::in_memory();
    // The message is in the harness's own report; what is missing there is the place.
    std::panic::set_hook(Box::new(|panic| {
        if let Some(place) = panic.location() {
            let _ = writeln!(std::io::stderr(), "failed at {place}");
        }
    }));
    let mut arguments = Arguments::from_args();
    // More than half of the time tests wait for programs that sleep.
    arguments.test_threads.get_or_insert(std::thread::available_parallelism().map_or(4, |cores| 3 * cores.get()));
    // A filter that begins with another group spares the preparations of this one.
    let first = arguments.filter.as_deref().and_then(|filter| filter.split("::").next());
    let named = first.filter(|first| GROUPS.contains(first)).map(ToOwned::to_owned);
    let wanted = |group: &str| named.as_deref().is_none_or(|named| named == group);
    let mut trials = Vec::new();
    if wanted("cli") {
        trials.extend(cli::trials());
    }
    if wanted("readme") {
        trials.extend(readme::trials());
    }
    let packages = wanted("packages").then(packages::trials);
    let (of_packages, stores) = packages.unzip();
    trials.extend(of_packages.unwrap_or_default());
    let hostile = wanted("hostile").then(hostile::trials);
    let (of_hostile, lent) = hostile.unzip();
    trials.extend(of_hostile.unwrap_or_default());
    // What waits and what computes stand beside each other, in the same order on every machine.
    trials.sort_by_cached_key(|trial| {
        let mut hasher = DefaultHasher::new();
        trial.name().hash(&mut hasher);
        (!hostile::LONGEST.iter().any(|name| trial.name().ends_with(name)), hasher.finish())
    });
    let conclusion = libtest_mimic::run(&arguments, trials);
    drop((stores, lent));
    conclusion.exit();
}
