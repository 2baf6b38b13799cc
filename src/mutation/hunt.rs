//! Looks for inputs that distinguish survivors from their originals. In rounds, it makes inputs and judges the survivors on
//! them as on cases.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow::{Break, Continue};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use super::Effort;
use super::inputs::{Inputs, Makers, Supply};
use super::judging::Judging;
use crate::authoring::search::SearchFailure;
use crate::authoring::trial::{Trial, TrialResult};
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::bench::Bench;
use crate::judge::Fault;
use crate::problem::{Problem, Submission, SubmissionId};
use crate::score::kills::{enough, uses};
use crate::session::slot::{on_slots, slots_of};
use crate::shrink::shrink;
use crate::strength::{Fate, FoundInput};
use crate::verdict::Verdict;
use crate::workspace::Workspace;
use crate::workspace::listener::{Progress, Silent};

/// A hunt that has less time finds nothing worth telling.
const LEAST: Duration = Duration::from_secs(2);
/// The number of inputs of the first round. Each round has twice as many as the one before …
const FIRST: usize = 16;
/// … but no more than this, so that the end of the time cuts off little.
const LARGEST_ROUND: usize = 128;
/// The part of the time in which the inputs that were found are made smaller …
const SHRINKING: f64 = 0.2;
/// … and the part that is kept for it while none was found.
const KEPT: f64 = 0.05;

/// A hunt for inputs that kill survivors.
pub(super) struct Hunt<'a> {
    pub(super) workspace: &'a Workspace,
    /// With a time limit.
    pub(super) problem: &'a Arc<Problem>,
    pub(super) effort: &'a Effort,
    /// The submissions that are accepted on every case. They must agree on an input that kills.
    pub(super) accepted: &'a [Submission],
    pub(super) end: Instant,
}

/// The end of a hunt.
pub(super) enum HuntEnd {
    /// The fates of the survivors, in their order.
    Fates(Vec<Fate>),
    /// Nothing: there was no input to try. The text says why.
    Unexamined(String),
}

/// A survivor of the cases, and the outcome of the hunt for it.
struct HuntOutcome {
    program: Submission,
    /// The input that kills it, by its position among all inputs.
    killed: Option<(usize, Verdict)>,
    /// The number of inputs on which it agrees with the original.
    agreed: usize,
    /// Whether these are all inputs that can be made.
    on_all: bool,
}

/// An input that kills survivors.
struct Killer {
    from: String,
    bytes: Vec<u8>,
    /// The survivors that it kills, by position.
    kills: BTreeMap<usize, Verdict>,
}

impl Hunt<'_> {
    /// Hunts for inputs that the survivors fail, the first ones first. The files of inputs are kept in `scratch`.
    pub(super) fn run(&self, survivors: Vec<Submission>, scratch: &Path) -> Result<HuntEnd> {
        let dir = scratch.join("inputs");
        let inputs = match Inputs::of(self.workspace, self.problem, self.effort, dir)? {
            Makers::Found(inputs) => inputs,
            Makers::None(why) => return Ok(HuntEnd::Unexamined(why)),
        };
        let left = self.end.saturating_duration_since(Instant::now()).max(LEAST);
        let end = Instant::now() + left;
        let hunted = |program| HuntOutcome { program, killed: None, agreed: 0, on_all: false };
        let mut hunted: Vec<HuntOutcome> = survivors.into_iter().map(hunted).collect();
        match self.rounds(&inputs, &mut hunted, left)? {
            None => {}
            Some(broken @ SearchFailure::Broken(_)) => return Err(broken.error()),
            // The results of the earlier rounds stay true.
            Some(failed) if hunted.iter().any(|one| one.killed.is_some() || one.agreed > 0) => {
                let message = format!("the hunt ended early: {:#}", failed.error());
                self.workspace.tell(&Diagnostic::new(Severity::Warning, message).of(&self.problem.id));
            }
            Some(failed) => return Ok(HuntEnd::Unexamined(format!("{:#}", failed.error()))),
        }
        let killers = self.smaller(self.killers(&inputs, &hunted, end)?, &hunted, end)?;
        let found = |at| killers.iter().find_map(|killer| Some((killer, *killer.kills.get(&at)?)));
        let most = self.effort.inputs;
        let fate = |(at, one): (usize, &HuntOutcome)| {
            let inputs = most.min(one.agreed as u64);
            match found(at) {
                Some((killer, verdict)) => Fate::Survived { input: Some(killer.found(verdict)), inputs },
                None if inputs >= most || one.on_all => Fate::Equivalent { inputs },
                None => Fate::Survived { input: None, inputs },
            }
        };
        Ok(HuntEnd::Fates(hunted.iter().enumerate().map(fate).collect()))
    }

    /// Makes inputs and judges the survivors on them, until all are killed or agree on enough inputs, or the time is over:
    /// `left`, without the time for making inputs smaller. Returns what failed in place of a survivor.
    fn rounds(&self, inputs: &Inputs<'_>, hunted: &mut [HuntOutcome], left: Duration) -> Result<Option<SearchFailure>> {
        let begun = Instant::now();
        let most = usize::try_from(self.effort.inputs).unwrap_or(usize::MAX);
        let mut size = FIRST;
        let mut wrong = BTreeSet::new();
        loop {
            let from = inputs.count();
            let kept = if hunted.iter().any(|one| one.killed.is_some()) { SHRINKING } else { KEPT };
            let end = begun + left.mul_f64(1.0 - kept);
            self.workspace.listener().progress(Progress::Doing("inputs for the survivors"));
            let supply = inputs.make(most.min(from + size), end)?;
            if inputs.count() > from {
                self.round(inputs, from, hunted, &mut wrong, end)?;
            }
            let count = inputs.count();
            let is_enough = count >= most || hunted.iter().all(|one| one.killed.is_some());
            match supply {
                Supply::Failed(failed) => return Ok(Some(failed)),
                Supply::More if !is_enough && Instant::now() < end => {}
                Supply::More | Supply::Dry => return Ok(None),
                Supply::Exhausted => {
                    for one in hunted.iter_mut() {
                        one.on_all = one.killed.is_none() && one.agreed == count;
                    }
                    return Ok(None);
                }
            }
            size = LARGEST_ROUND.min(size * 2);
        }
    }

    /// Judges the survivors that are left on the inputs from this one on. Inputs on which an accepted submission fails are removed,
    /// and the others judge again: such an input may have ended the judging of a survivor.
    fn round(
        &self,
        inputs: &Inputs<'_>,
        from: usize,
        hunted: &mut [HuntOutcome],
        wrong: &mut BTreeSet<SubmissionId>,
        end: Instant,
    ) -> Result<()> {
        let left: Vec<usize> = (0..hunted.len()).filter(|at| hunted[*at].killed.is_none()).collect();
        let programs: Vec<Submission> = left.iter().map(|at| hunted[*at].program.clone()).collect();
        let fates = loop {
            if inputs.count() == from {
                return Ok(());
            }
            let mut judging = Judging::new(self.workspace, &inputs.as_cases(from..inputs.count()), false)?;
            let fates: Vec<Option<Fate>> =
                judging.fates(&programs, end)?.into_iter().map(|judged| judged.fate).collect();
            let killers: BTreeSet<usize> =
                fates.iter().filter_map(|fate| killer(fate.as_ref())).map(|(case, _)| from + case).collect();
            let disputed = self.disputed(inputs, &killers.into_iter().collect::<Vec<_>>(), wrong)?;
            if disputed.is_empty() {
                break fates;
            }
            inputs.remove(&disputed);
        };
        let made = inputs.count() - from;
        for (at, fate) in left.into_iter().zip(fates) {
            hunted[at].killed = killer(fate.as_ref()).map(|(case, verdict)| (from + case, verdict));
            // One that was not judged in time, or not at all, agrees on nothing.
            if let Some(Fate::Survived { .. }) = fate {
                hunted[at].agreed += made;
            }
        }
        Ok(())
    }

    /// The inputs on which an accepted submission fails. Their right answers are unknown. Reports each such submission once, which
    /// is in `wrong` then.
    fn disputed(
        &self,
        inputs: &Inputs<'_>,
        found: &[usize],
        wrong: &mut BTreeSet<SubmissionId>,
    ) -> Result<BTreeSet<usize>> {
        if found.is_empty() {
            return Ok(BTreeSet::new());
        }
        let problem = inputs.as_cases(found.iter().copied());
        let failures = Judging::new(self.workspace, &problem, true)?.failures(self.accepted, None)?;
        let mut disputed = BTreeSet::new();
        for (submission, failures) in self.accepted.iter().zip(failures) {
            for (case, verdict) in failures {
                disputed.insert(found[case]);
                let id = &submission.id;
                if !wrong.insert(id.clone()) {
                    continue;
                }
                let what = inputs.from(found[case]);
                let message = format!("{id} is {verdict} on an input by {what}, so such inputs kill no mutant");
                let remedy = format!("look for such an input: grader stress {} {id}", self.problem.id);
                let warning = Diagnostic::new(Severity::Warning, message).remedy(remedy);
                self.workspace.tell(&warning.of(&self.problem.id));
            }
        }
        Ok(disputed)
    }

    /// A few of the inputs that were found, which kill all survivors that any of them kills.
    fn killers(&self, inputs: &Inputs<'_>, hunted: &[HuntOutcome], end: Instant) -> Result<Vec<Killer>> {
        let killed: Vec<(usize, usize, Verdict)> = hunted
            .iter()
            .enumerate()
            .filter_map(|(at, one)| one.killed.map(|(by, verdict)| (at, by, verdict)))
            .collect();
        if killed.is_empty() {
            return Ok(Vec::new());
        }
        let found: Vec<usize> = killed.iter().map(|(_, by, _)| *by).collect::<BTreeSet<_>>().into_iter().collect();
        let problem = inputs.as_cases(found.iter().copied());
        let group = &problem.groups[0];
        let programs: Vec<Submission> = killed.iter().map(|(at, ..)| hunted[*at].program.clone()).collect();
        let mut failures = Judging::new(self.workspace, &problem, true)?.failures(&programs, Some(end))?;
        for (failures, (_, by, verdict)) in failures.iter_mut().zip(&killed) {
            // A kill that was not repeated in time is known from the rounds.
            failures.extend(found.binary_search(by).ok().map(|case| (case, *verdict)));
        }
        let fails = |case: usize, of: usize| failures[of].contains_key(&case);
        let chosen = enough(&uses(found.len(), killed.len(), fails, |_| true), |_| true);
        let mut left: Vec<usize> = (0..killed.len()).collect();
        let mut killers = Vec::new();
        for case in chosen {
            let (kills, others): (Vec<usize>, Vec<usize>) = left.into_iter().partition(|of| fails(case, *of));
            left = others;
            let path = group.input_of(&group.cases[case]);
            let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let kills = kills.into_iter().map(|of| (killed[of].0, failures[of][&case])).collect();
            killers.push(Killer { from: inputs.from(found[case]), bytes, kills });
        }
        Ok(killers)
    }

    /// Makes the inputs smaller, as long as they are valid, kill the same survivors, and all accepted submissions agree.
    fn smaller(&self, killers: Vec<Killer>, hunted: &[HuntOutcome], end: Instant) -> Result<Vec<Killer>> {
        if self.problem.input_validators.is_empty() || killers.is_empty() {
            return Ok(killers);
        }
        let count = slots_of(self.workspace).min(killers.len());
        let reference = self.problem.reference().context("no reference")?;
        let next = AtomicUsize::new(0);
        let killers: Vec<Mutex<Killer>> = killers.into_iter().map(Mutex::new).collect();
        on_slots(self.workspace, count, [&*self.problem.dir], |slots| {
            slots.at_once(|bench| {
                while let Some(killer) = killers.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let mut killer = killer.lock().unwrap_or_else(PoisonError::into_inner);
                    let survivors = killer.kills.keys().map(|at| &hunted[*at].program);
                    let programs: Vec<Submission> = survivors.chain(self.accepted).cloned().collect();
                    let trial = Trial::new(bench, self.problem, reference, &programs, None, &Silent)?;
                    // Each remaining input gets as much time as this one.
                    let left = killers.len().saturating_sub(next.load(Ordering::SeqCst)) / count + 1;
                    let share = end.saturating_duration_since(Instant::now()) / u32::try_from(left).unwrap_or(1);
                    killer.shrink(bench, &trial, Instant::now() + share);
                }
                Ok(())
            })
        })?;
        Ok(killers.into_iter().map(|killer| killer.into_inner().unwrap_or_else(PoisonError::into_inner)).collect())
    }
}

/// The first case that kills a program, and the verdict.
fn killer(fate: Option<&Fate>) -> Option<(usize, Verdict)> {
    match fate {
        Some(Fate::Killed { by, verdict, .. }) => by.first().map(|case| (*case, *verdict)),
        _ => None,
    }
}

impl Killer {
    /// Makes the input smaller. `trial` has the survivors that it kills, in their order, and then the accepted submissions.
    fn shrink(&mut self, bench: &mut Bench<'_>, trial: &Trial, end: Instant) {
        if !trial.has_validators() {
            return;
        }
        let kills = &self.kills;
        let small = shrink(&self.bytes, |candidate| {
            if Instant::now() >= end {
                return Break(());
            }
            match trial.prepare(bench, candidate) {
                Ok(None) => {}
                Err(Fault::Cancelled) => return Break(()),
                // If a judge fails on a candidate, this says nothing about the survivors.
                Ok(Some(_)) | Err(Fault::Judge(_)) => return Continue(false),
            }
            for (at, verdict) in kills.values().enumerate() {
                match trial.test_prepared(bench, at) {
                    Ok(TrialResult::Fails(failure)) if failure.kind.0 == *verdict => {}
                    Err(Fault::Cancelled) => return Break(()),
                    _ => return Continue(false),
                }
            }
            for accepted in kills.len()..trial.submissions().len() {
                match trial.test_prepared(bench, accepted) {
                    Ok(TrialResult::Fine) => {}
                    Err(Fault::Cancelled) => return Break(()),
                    _ => return Continue(false),
                }
            }
            Continue(true)
        });
        self.bytes = small;
    }

    fn found(&self, verdict: Verdict) -> FoundInput {
        FoundInput { verdict, from: self.from.clone(), size: self.bytes.len(), bytes: self.bytes.clone(), file: None }
    }
}
