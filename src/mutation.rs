//! Measures whether the test cases of a problem distinguish wrong programs from right ones. The wrong programs are mutants of
//! the accepted submissions, each the original with one small mistake.
//!
//! Its files, in the order of the work:
//!
//! - `mutants`: the mutants of a problem's accepted submissions, in the order in which they are tried
//! - `judging`: runs programs on the cases, each until the first case that it fails
//! - `hunt`: looks for inputs that distinguish the survivors from their originals
//! - `inputs`: makes such inputs
//! - `commands`: makes commands of generators for them
//! - `pool`: judges programs whose label is known

mod commands;
mod hunt;
mod inputs;
mod judging;
mod mutants;
pub(crate) mod pool;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::problem::{Problem, ProblemId, ProblemKind, SubmissionId, TestId};
use crate::session::derived_limits::time_limit_of;
use crate::session::scratch::Scratch;
use crate::shard::Shard;
use crate::store::Store;
use crate::strength::bounds::ValidatorBounds;
use crate::strength::{Fate, MutantResult, Strength, strength_key, suite_digest};
use crate::verify::reach::Constraints;
use crate::workspace::Workspace;
use crate::workspace::listener::Progress;
use hunt::{Hunt, HuntEnd};
use judging::{JudgedProgram, Judging};
use mutants::{Mutants, written};

/// The part of the time that is left for the hunt, if the mutants could take all of it.
const HUNT: f64 = 0.4;
/// The number of mutants that are judged together. After each batch, the cases are put in a new order.
const BATCH: usize = 48;

/// The bounds of the effort: mutants and time.
pub(crate) struct Effort {
    /// The time for everything.
    pub(crate) time: Duration,
    /// The most mutants to try; none for as many as there is time for.
    pub(crate) mutants: Option<usize>,
    /// The same seed tries the same mutants and inputs.
    pub(crate) seed: u64,
    /// Whether every case runs on every mutant, not only until the first that fails.
    pub(crate) all_tests: bool,
    /// A survivor is equivalent by evidence if it agrees with its original on so many inputs.
    pub(crate) inputs: u64,
    /// The part of the mutants to try; none for all.
    pub(crate) part: Option<Shard>,
    /// The commands that make inputs, as typed; empty for those of the problem.
    pub(crate) generators: Vec<String>,
}

/// Tries mutants of the problem's accepted submissions.
///
/// # Errors
/// The problem has nothing to mutate, a submission that should be accepted is not, or the judge fails.
pub(crate) fn strength(workspace: &Workspace, problem: &Arc<Problem>, effort: &Effort) -> Result<Strength> {
    if problem.kind == ProblemKind::SubmitAnswer {
        bail!("{} is of type submit-answer: it runs no programs, so there is nothing to mutate", problem.id);
    }
    let begun = Instant::now();
    let problem = time_limit_of(workspace, problem)?;
    let mut mutants = Mutants::of(workspace, &problem, effort.seed)?;
    let possible = mutants.list.len();
    if let Some(part) = effort.part {
        mutants.keep(part);
    }
    let scratch = Scratch::for_programs()?;
    let mut judging = Judging::new(workspace, &problem, effort.all_tests)?;
    let mut accepted = mutants.originals();
    judging.expect_accepted(&accepted)?;
    accepted.extend(judging.accepted(&mutants.not_mutated(&problem))?);
    let judged_until = begun + effort.time.mul_f64(1.0 - HUNT);
    let most = effort.mutants.unwrap_or(usize::MAX).min(mutants.list.len());
    let listener = workspace.listener();
    listener.progress(Progress::Begins(Some(most)));
    let MutantResults { mut results, survivors } =
        on_cases(&mutants, &mut judging, scratch.path(), most, judged_until)?;
    listener.progress(Progress::Ends);
    let hunt = Hunt { workspace, problem: &problem, effort, accepted: &accepted, end: begun + effort.time };
    let unexamined = on_inputs(&hunt, &mutants, scratch.path(), survivors, &mut results)?;
    keep_inputs(workspace, &problem.id, &mut results)?;
    let found = Strength {
        problem: problem.id.to_string(),
        seed: effort.seed,
        part: effort.part,
        suite: suite_digest(&problem)?,
        operators: mutants::version().to_owned(),
        programs: mutants.facts(),
        not_mutated: mutants.refused.clone(),
        possible,
        cases: judging.cases(&results),
        mutants: results,
        bounds: Constraints::of(workspace, &problem)?.reached.iter().flat_map(ValidatorBounds::entries).collect(),
        unexamined,
        all_tests: effort.all_tests,
        ignores_points: problem.scoring.is_some() && problem.output_judges().next().is_some(),
        seconds: begun.elapsed().as_secs_f64(),
    };
    if effort.part.is_none() {
        let (store, _) = Store::open(&workspace.settings.store_dir());
        store.put_outcome(strength_key(&problem), &found, None);
        store.flush();
    }
    Ok(found)
}

/// The results of the mutants on the cases.
struct MutantResults {
    /// The first mutants of the list.
    results: Vec<MutantResult>,
    /// The time of each survivor on all cases, and its position.
    survivors: Vec<(Duration, usize)>,
}

/// Judges the first `most` mutants on the cases, as many as there is time for.
fn on_cases(
    mutants: &Mutants,
    judging: &mut Judging,
    scratch: &Path,
    most: usize,
    until: Instant,
) -> Result<MutantResults> {
    let mut tried = MutantResults { results: Vec::new(), survivors: Vec::new() };
    while tried.results.len() < most && Instant::now() < until {
        let from = tried.results.len();
        let batch = &mutants.list[from..most.min(from + BATCH)];
        let programs = batch.iter().zip(from..).map(|(mutant, at)| written(mutants, mutant, scratch, at));
        let judged = judging.fates(&programs.collect::<Result<Vec<_>>>()?, until)?;
        for (mutant, JudgedProgram { fate, time }) in batch.iter().zip(judged) {
            // A mutant that was not judged in time counts as not tried, and so do those after it.
            let Some(fate) = fate else { return Ok(tried) };
            if let Fate::Survived { .. } = fate {
                tried.survivors.push((time, tried.results.len()));
            }
            tried.results.push(mutants.result(mutant, fate));
        }
    }
    Ok(tried)
}

/// Judges the survivors on other inputs. Returns why it cannot, if it cannot.
fn on_inputs(
    hunt: &Hunt<'_>,
    mutants: &Mutants,
    scratch: &Path,
    mut survivors: Vec<(Duration, usize)>,
    results: &mut [MutantResult],
) -> Result<Option<String>> {
    if survivors.is_empty() {
        return Ok(None);
    }
    // The fastest survivors come first, so that most are hunted if the time ends.
    survivors.sort_unstable();
    let programs = survivors.iter().map(|(_, at)| written(mutants, &mutants.list[*at], scratch, *at));
    match hunt.run(programs.collect::<Result<Vec<_>>>()?, scratch)? {
        HuntEnd::Fates(fates) => {
            for ((_, at), fate) in survivors.into_iter().zip(fates) {
                results[at].fate = fate;
            }
            Ok(None)
        }
        HuntEnd::Unexamined(why) => Ok(Some(why)),
    }
}

/// Keeps the inputs that kill survivors beside the files of failures: each once.
pub(crate) fn keep_inputs(workspace: &Workspace, problem: &ProblemId, results: &mut [MutantResult]) -> Result<()> {
    let inputs = results.iter_mut().filter_map(|result| match &mut result.fate {
        Fate::Survived { input: Some(input), .. } => Some(input),
        _ => None,
    });
    // The notices of the store were shown when the slots were opened.
    let (store, _) = Store::open(&workspace.settings.store_dir());
    let Some(last) = store.last_run() else { return Ok(()) };
    let submission = SubmissionId::from("strength");
    last.clear(problem, &submission).context("cannot remove the inputs of an earlier search")?;
    let mut known: BTreeMap<Vec<u8>, PathBuf> = BTreeMap::new();
    for input in inputs {
        // A large one of another machine is not here.
        input.file = None;
        if input.bytes.len() != input.size {
            continue;
        }
        if !known.contains_key(&input.bytes) {
            let name = TestId::from(format!("{}", known.len() + 1));
            let kept = last.create(problem, &submission, &name, "in");
            let (mut file, path) =
                kept.and_then(|(mut file, path)| file.write_all(&input.bytes).map(|()| (file, path)))?;
            file.flush()?;
            known.insert(input.bytes.clone(), path);
        }
        let path = &known[&input.bytes];
        input.file = Some(path.strip_prefix(&workspace.start).unwrap_or(path).to_owned());
    }
    Ok(())
}
