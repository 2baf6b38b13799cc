//! Joins the results of several machines, each of which tried a part of the mutants.

use std::collections::BTreeMap;

use anyhow::{Result, bail};

use super::{MutantResult, Strength};
use crate::shard::Shard;

/// Joins the parts of each problem.
///
/// # Errors
/// A result is of no part, a part is missing or there twice, or the parts are not of one suite.
pub(crate) fn joined(parts: Vec<Strength>) -> Result<Vec<Strength>> {
    let mut by_problem: BTreeMap<String, BTreeMap<u32, (Shard, Strength)>> = BTreeMap::new();
    for part in parts {
        let Some(shard) = part.part else {
            bail!("{}: this is a whole result, not one of `--shard`", part.problem);
        };
        let of_problem = by_problem.entry(part.problem.clone()).or_default();
        if let Some((_, other)) = of_problem.insert(shard.index, (shard, part)) {
            bail!("{}: part {shard} is there twice", other.problem);
        }
    }
    by_problem.into_values().map(|parts| join(parts.into_values().collect())).collect()
}

/// Joins the parts of one problem, sorted by their numbers.
fn join(parts: Vec<(Shard, Strength)>) -> Result<Strength> {
    let mut mutants: BTreeMap<usize, MutantResult> = BTreeMap::new();
    let mut whole: Option<(Shard, Strength)> = None;
    let mut count = 0;
    for (shard, mut part) in parts {
        if shard.index != count {
            bail!("{}: part {count}/{} is missing", part.problem, shard.of);
        }
        count += 1;
        for (at, mutant) in std::mem::take(&mut part.mutants).into_iter().enumerate() {
            mutants.insert(at * shard.of as usize + shard.index as usize, mutant);
        }
        let Some((first, known)) = &mut whole else {
            whole = Some((shard, part));
            continue;
        };
        let is_same = |a: &Strength, b: &Strength| {
            (&a.suite, &a.operators, a.seed, a.all_tests, a.possible, a.cases.len())
                == (&b.suite, &b.operators, b.seed, b.all_tests, b.possible, b.cases.len())
        };
        if first.of != shard.of || !is_same(known, &part) {
            bail!(
                "{}: parts {first} and {shard} do not belong together\n  → try all parts of the same files, with the same \
                 version and options",
                part.problem
            );
        }
        for (case, more) in known.cases.iter_mut().zip(&part.cases) {
            case.kills += more.kills;
            case.not_run += more.not_run;
        }
        known.unexamined = known.unexamined.take().or(part.unexamined);
        known.seconds = known.seconds.max(part.seconds);
    }
    let Some((shard, whole)) = whole else { bail!("there are no parts") };
    if count != shard.of {
        bail!("{}: part {count}/{} is missing", whole.problem, shard.of);
    }
    Ok(Strength { mutants: mutants.into_values().collect(), part: None, ..whole })
}
