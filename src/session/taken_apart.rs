//! Finds out which assertions are taken apart, so that what they expect never comes near a submission.

use std::fs;
use std::io::BufReader;

use anyhow::{Context as _, Result, bail};

use super::slot::by_hand;
use crate::compile::{Artifact, BuildOrder};
use crate::driver::{self, EVALUATOR};
use crate::engine::bench::Bench;
use crate::problem::{Program, WorkFiles};
use crate::workspace::Workspace;

/// The most problems about whose tests the evaluator is asked at once.
const AT_ONCE: usize = 1000;

/// Returns how many problems have only tests that are taken apart. `problems` are the programs of assertions of each.
///
/// # Errors
/// The evaluator cannot run here, or a signal came.
pub(crate) fn count_taken_apart(workspace: &Workspace, problems: &[Vec<String>]) -> Result<usize> {
    by_hand(workspace, [], |bench| {
        let dir = tempfile::tempdir().context("cannot create a directory")?;
        let path = dir.path().join(EVALUATOR);
        fs::write(&path, driver::evaluator()).context("cannot write the evaluator")?;
        let program = Program::File(path);
        let order = BuildOrder::new(&program, bench.resources.validation_limits().kill.memory);
        let evaluator = bench.build(&order).ready("the evaluator of assertions")?;
        let counts = problems.chunks(AT_ONCE).map(|some| ask(bench, &evaluator, some));
        counts.sum()
    })
}

/// Asks the evaluator about some problems.
fn ask(bench: &mut Bench<'_>, evaluator: &Artifact, problems: &[Vec<String>]) -> Result<usize> {
    let mut input = tempfile::tempfile().context("cannot create a file")?;
    let tests: Vec<&String> = problems.iter().flatten().collect();
    serde_json::to_writer(&mut input, &tests)?;
    let limits = bench.resources.validation_limits();
    let ran = bench
        .runner(None)
        .execute(evaluator, &["--where".into()], &WorkFiles::default(), &limits, &input)?
        .unless_cancelled()?;
    if let Some((_, reason)) = ran.rejection {
        let words = String::from_utf8_lossy(&ran.stderr);
        bail!("the evaluator of assertions failed: {reason}: {}", words.trim_end());
    }
    let answers: Vec<bool> = serde_json::from_reader(BufReader::new(ran.output)).context("its answer is not JSON")?;
    let mut answers = answers.into_iter();
    let all_apart =
        |tests: &&Vec<String>| answers.by_ref().take(tests.len()).filter(|apart| *apart).count() == tests.len();
    Ok(problems.iter().filter(all_apart).count())
}
