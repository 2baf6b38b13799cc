//! Looks for inputs that tell survivors from their originals, on all slots at once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use super::Effort;
use crate::authoring::random_inputs::random_inputs;
use crate::authoring::search::{Bounds, Counterexample, Search, SearchEnd};
use crate::authoring::trial::{Trial, TrialResult};
use crate::authoring::variants::{LARGEST, Seed, Variants};
use crate::engine::bench::Bench;
use crate::package::generators::{Command, Generators};
use crate::problem::{Problem, Submission};
use crate::score::kills::{enough, uses};
use crate::session::slot::{OpenSlots, on_slots, slots_of};
use crate::strength::{Fate, FoundInput};
use crate::verdict::Verdict;
use crate::workspace::Workspace;
use crate::workspace::ending::Ended;
use crate::workspace::listener::Silent;

/// A hunt that has less time finds nothing worth telling.
const LEAST: Duration = Duration::from_secs(2);

/// What to look for.
pub(super) struct Hunt<'a> {
    pub(super) workspace: &'a Workspace,
    /// With a time limit.
    pub(super) problem: &'a Arc<Problem>,
    pub(super) effort: &'a Effort,
    pub(super) end: Instant,
}

/// Where inputs come from.
struct Origins {
    generators: Generators,
    commands: Vec<Command>,
    variants: Option<Arc<Variants>>,
}

impl Hunt<'_> {
    /// Hunts for inputs that the survivors fail. Returns their fates, in their order. The inner error says why there is
    /// nothing to hunt with.
    pub(super) fn run(&self, survivors: &[Submission]) -> Result<Result<Vec<Fate>, String>> {
        let Some(reference) = self.problem.reference() else {
            return Ok(Err(format!("{} has no {}", self.problem.id, self.problem.reference_word())));
        };
        let origins = match self.origins()? {
            Ok(origins) => origins,
            Err(why) => return Ok(Err(why)),
        };
        let left = self.end.saturating_duration_since(Instant::now()).max(LEAST);
        let count = slots_of(self.workspace).min(survivors.len());
        let share = survivors.len().div_ceil(count);
        let searched = on_slots(self.workspace, count, [&*self.problem.dir], |OpenSlots { benches, .. }| {
            std::thread::scope(|scope| {
                let parts = benches.into_iter().zip(survivors.chunks(share));
                let started: Vec<_> = parts
                    .map(|(mut bench, part)| {
                        let origins = &origins;
                        scope.spawn(move || self.search(&mut bench, reference, part, origins, left))
                    })
                    .collect();
                let ended = started
                    .into_iter()
                    .map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
                ended.collect::<Result<Vec<_>>>()
            })
        })?;
        Ok(Ok(searched.into_iter().flatten().collect()))
    }

    /// The generators of the problem, and its own inputs, which are changed if validators tell which changes are valid.
    fn origins(&self) -> Result<Result<Origins, String>> {
        let variants = if self.problem.input_validators.is_empty() { None } else { Variants::of(self.seeds()?) };
        let example = "gen --size 5 {seed}";
        let made = random_inputs(self.workspace, self.problem, &self.effort.generators, example);
        let (generators, commands) = match made {
            Ok(made) => made,
            Err(error) if !self.effort.generators.is_empty() => return Err(error),
            // Without generators there are the changes of the cases.
            Err(_) if variants.is_some() => (Generators::none(&self.problem.dir), Vec::new()),
            Err(error) => return Ok(Err(format!("{error}"))),
        };
        Ok(Ok(Origins { generators, commands, variants: variants.map(Arc::new) }))
    }

    fn seeds(&self) -> Result<Vec<Seed>> {
        let mut seeds = Vec::new();
        for (group, case) in self.problem.cases() {
            let path = group.case_input(case).path;
            let length = path.metadata().with_context(|| format!("cannot read {}", path.display()))?.len();
            if length > LARGEST as u64 {
                continue;
            }
            let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            if let Ok(text) = String::from_utf8(bytes) {
                seeds.push(Seed { name: group.id_of(case).to_string(), text });
            }
        }
        Ok(seeds)
    }

    /// Hunts for inputs that some of the survivors fail, on one slot.
    fn search(
        &self,
        bench: &mut Bench<'_>,
        reference: &Submission,
        survivors: &[Submission],
        origins: &Origins,
        time: Duration,
    ) -> Result<Vec<Fate>> {
        let trial = Trial::new(bench, self.problem, reference, survivors, None, &Silent)?;
        let bounds = Bounds { time: Some(time), count: None, tested: Some(self.effort.inputs), shrink: true };
        let Origins { generators, commands, variants } = origins;
        let listener = self.workspace.listener();
        let mut search = Search::new(bench, trial, generators, commands, self.effort.seed, bounds, listener)?;
        if let Some(variants) = variants {
            search.also_try(Arc::clone(variants));
        }
        let mut found: Vec<Option<Counterexample>> = survivors.iter().map(|_| None).collect();
        loop {
            match search.run() {
                SearchEnd::Found(more) => {
                    for one in more {
                        let at = one.submission;
                        found[at] = Some(one);
                    }
                }
                SearchEnd::Nothing => break,
                SearchEnd::Failed(failed) => return Err(failed.told()),
            }
        }
        if search.interrupted {
            return Err(Ended::JudgeError.into());
        }
        let inputs = search.tested;
        let rest = || {
            if inputs >= self.effort.inputs {
                Fate::Equivalent { inputs }
            } else {
                Fate::Survived { input: None, inputs }
            }
        };
        let mut few = few_inputs(&mut search, found);
        let fate = |at| few.remove(&at).map_or_else(rest, |input| Fate::Survived { input: Some(input), inputs });
        Ok((0..survivors.len()).map(fate).collect())
    }
}

/// A few of the inputs that were found kill all the survivors that any of them kills. Returns one of these for each of those
/// survivors, by its position.
fn few_inputs(search: &mut Search<'_, '_>, found: Vec<Option<Counterexample>>) -> BTreeMap<usize, FoundInput> {
    let found: Vec<Counterexample> = found.into_iter().flatten().collect();
    let mut kills: Vec<BTreeMap<usize, Verdict>> = Vec::new();
    for own in &found {
        let mut killed = BTreeMap::from([(own.submission, own.kind.0)]);
        // What cannot be tried again kills its own survivor alone.
        if let Ok(None) = search.trial.prepare(search.bench, &own.input) {
            for other in found.iter().filter(|other| other.submission != own.submission) {
                if let Ok(TrialResult::Fails(failure)) = search.trial.test_prepared(search.bench, other.submission) {
                    killed.insert(other.submission, failure.kind.0);
                }
            }
        }
        kills.push(killed);
    }
    let fails = |input: usize, at: usize| kills[input].contains_key(&found[at].submission);
    let chosen = enough(&uses(found.len(), found.len(), fails, |_| true), |_| true);
    let mut few = BTreeMap::new();
    for input in chosen {
        for (submission, verdict) in &kills[input] {
            few.entry(*submission).or_insert_with(|| kept(&found[input], *verdict));
        }
    }
    few
}

fn kept(found: &Counterexample, verdict: Verdict) -> FoundInput {
    let bytes = found.input.clone();
    FoundInput { verdict, from: found.command.clone(), size: bytes.len(), bytes, file: None }
}
