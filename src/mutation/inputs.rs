//! Makes inputs that are not cases, with their answers: by the problem's generators, by commands like those of its cases, by
//! small changes of its cases, and by making cases as small as the input validators allow.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow::{Break, Continue};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use super::Effort;
use super::commands::ListedCommands;
use crate::authoring::generate::{self, build_generator, generate};
use crate::authoring::random_inputs::{build_generators, random_inputs};
use crate::authoring::search::{SearchFailure, seed_of};
use crate::authoring::trial::{Trial, TrialResult, group_of_inputs};
use crate::authoring::variants::{LARGEST, Seed, Variants};
use crate::compile::Artifact;
use crate::engine::bench::Bench;
use crate::judge;
use crate::package::generators::{Command, Generators};
use crate::problem::{AnswerFile, Problem, Submission, TestCase, TestGroup};
use crate::session::slot::{on_slots, slots_of};
use crate::shrink::shrink;
use crate::store::Digest;
use crate::workspace::Workspace;
use crate::workspace::listener::Silent;

/// The number of cases that are made as small as possible: the smallest ones.
const SHRUNK: u64 = 3;
/// The most tries to make one smaller …
const SHRINK_TRIES: u64 = 200;
/// … and the longest time, as a part of the time for everything.
const SHRINK_TIME: f64 = 1.0 / 30.0;
/// The numbers below are those of cases that are made smaller.
const SMALL_NUMBERS: u64 = SHRUNK * SHRINK_TRIES;
/// After so many tries without a new valid input, no more are made.
const FRUITLESS: u64 = 600;
/// If so many of these tries are inputs of generators that are known, the generators have made all that they can.
const REPEATED: u64 = 150;
/// So many different inputs are enough to believe that.
const DIFFERENT: usize = 50;
/// The number of made inputs that are changed again, beside the cases: the first ones.
const CHANGED_AGAIN: usize = 200;

/// Begins the description of an input that is the change of another.
const CHANGE: &str = "a change of ";

/// The makers of inputs of a problem.
pub(super) enum Makers<'a> {
    Found(Box<Inputs<'a>>),
    /// Nothing can; the text says why.
    None(String),
}

/// Whether more inputs can be found.
pub(super) enum Supply {
    More,
    /// Nothing new was found for long.
    Dry,
    /// The cases and the inputs that were made are all that the generators can make.
    Exhausted,
    /// A generator, the reference or a validator failed.
    Failed(SearchFailure),
}

/// An input that was made. Its files are `<file>.in` and `<file>.ans`.
struct MadeInput {
    file: u64,
    digest: [u8; 32],
}

/// The first maker of an input.
struct Maker {
    number: u64,
    words: String,
}

/// The inputs of one hunt.
pub(super) struct Inputs<'a> {
    workspace: &'a Workspace,
    problem: &'a Arc<Problem>,
    reference: &'a Submission,
    generators: Generators,
    commands: Vec<Command>,
    /// Whether commands like those of the cases make inputs.
    uses_listed: bool,
    /// The cases that are changed; empty if no validator decides which changes are valid.
    cases: Vec<Seed>,
    seed: u64,
    /// The longest time to make a case smaller.
    shrink_time: Duration,
    dir: PathBuf,
    state: Mutex<SearchState>,
}

#[derive(Default)]
struct SearchState {
    /// The turn of the next maker.
    next: u64,
    /// The tries since the last new input.
    fruitless: u64,
    /// The tries among them in which a generator made a known input.
    repeated: u64,
    /// The inputs that were tried, and the cases.
    known: HashMap<[u8; 32], Maker>,
    made: Vec<MadeInput>,
    failed: Option<SearchFailure>,
}

impl SearchState {
    /// Puts the inputs in order and forgets those beyond `wanted`: how many there are depends on which slot was faster. They
    /// are made again when their turn comes.
    fn keep(&mut self, wanted: usize) {
        self.made.sort_by_key(|input| self.known[&input.digest].number);
        for input in self.made.drain(wanted.min(self.made.len())..) {
            if let Some(maker) = self.known.remove(&input.digest) {
                self.next = self.next.min(maker.number.saturating_sub(SMALL_NUMBERS));
            }
        }
    }

    /// Whether nobody has made this input yet. Of several makers the one with the lowest number counts, whichever slot was
    /// faster.
    fn is_new(&mut self, digest: [u8; 32], maker: Maker) -> bool {
        match self.known.entry(digest) {
            Entry::Vacant(place) => {
                place.insert(maker);
                true
            }
            Entry::Occupied(mut known) => {
                if maker.number < known.get().number {
                    known.insert(maker);
                }
                false
            }
        }
    }
}

/// An input before it is tested.
struct Candidate {
    from: String,
    bytes: Vec<u8>,
    /// Whether it may be invalid without a fault of anybody.
    may_be_invalid: bool,
}

/// The makers of inputs on one slot.
struct InputMakers<'a> {
    random: Vec<(Command, Arc<Artifact>)>,
    /// The commands of the cases, and the programs that they name.
    listed: Option<(ListedCommands, BTreeMap<String, Arc<Artifact>>)>,
    changes: Option<&'a Variants>,
}

impl<'a> Inputs<'a> {
    /// Finds what makes inputs. The files are kept in `dir`.
    pub(super) fn of(
        workspace: &'a Workspace,
        problem: &'a Arc<Problem>,
        effort: &Effort,
        dir: PathBuf,
    ) -> Result<Makers<'a>> {
        let Some(reference) = problem.reference() else {
            return Ok(Makers::None(format!("{} has no {}", problem.id, problem.reference_word())));
        };
        let cases = texts(problem)?;
        let maker = |case: &Seed| Maker { number: 0, words: case.name.clone() };
        let known = cases.iter().map(|case| (digest(case.text.as_bytes()), maker(case))).collect();
        let cases = if problem.input_validators.is_empty() { Vec::new() } else { cases };
        let example = "gen --size 5 {seed}";
        let (generators, commands) = match random_inputs(workspace, problem, &effort.generators, example) {
            Ok(made) => made,
            Err(error) if !effort.generators.is_empty() => return Err(error),
            // Without generators there are the changes of the cases.
            Err(_) if !cases.is_empty() => (Generators::none(&problem.dir), Vec::new()),
            Err(error) => return Ok(Makers::None(format!("{error}"))),
        };
        std::fs::create_dir_all(&dir).with_context(|| format!("cannot create {}", dir.display()))?;
        let state = Mutex::new(SearchState { known, ..SearchState::default() });
        let seed = effort.seed;
        let shrink_time = effort.time.mul_f64(SHRINK_TIME);
        // They may make invalid inputs, so validators must judge them.
        let uses_listed = effort.generators.is_empty() && !problem.input_validators.is_empty();
        let made = Self {
            workspace,
            problem,
            reference,
            generators,
            commands,
            uses_listed,
            cases,
            seed,
            shrink_time,
            dir,
            state,
        };
        Ok(Makers::Found(Box::new(made)))
    }

    /// Makes inputs on all slots until there are `wanted`, the time is over, or no more can be found.
    pub(super) fn make(&self, wanted: usize, end: Instant) -> Result<Supply> {
        on_slots(self.workspace, slots_of(self.workspace), [&*self.problem.dir], |slots| {
            let stop = Arc::clone(&slots.stop);
            let variants = self.variants()?;
            // What is made in turn is compared with these, so they come first.
            let is_small_made = Mutex::new(self.lock().next > 0);
            slots.at_once(|bench| {
                let trial = Trial::new(bench, self.problem, self.reference, &[], None, &Silent)?;
                let makers = InputMakers {
                    random: build_generators(bench, &self.generators, &self.commands)?,
                    listed: self.listed(bench),
                    changes: variants.as_ref(),
                };
                {
                    let mut is_made = is_small_made.lock().unwrap_or_else(PoisonError::into_inner);
                    if !std::mem::replace(&mut *is_made, true) {
                        self.make_small(bench, &trial)?;
                    }
                }
                while !stop.is_set() && Instant::now() < end && self.is_wanting(wanted) {
                    self.try_one(bench, &trial, &makers)?;
                }
                Ok(())
            })
        })?;
        let mut state = self.lock();
        state.keep(wanted);
        Ok(match state.failed.take() {
            Some(failed) => Supply::Failed(failed),
            None if state.fruitless < FRUITLESS => Supply::More,
            None if state.repeated >= REPEATED && state.made.len() + self.problem.cases().count() >= DIFFERENT => {
                Supply::Exhausted
            }
            None => Supply::Dry,
        })
    }

    /// The number of inputs so far.
    pub(super) fn count(&self) -> usize {
        self.lock().made.len()
    }

    /// Removes inputs whose right answer is unknown, by position. They are not made again.
    pub(super) fn remove(&self, positions: &BTreeSet<usize>) {
        let mut at = 0..;
        self.lock().made.retain(|_| at.next().is_none_or(|at| !positions.contains(&at)));
    }

    /// The problem with some of the inputs as its cases, in this order.
    pub(super) fn as_cases(&self, positions: impl IntoIterator<Item = usize>) -> Arc<Problem> {
        let state = self.lock();
        let case = |at: usize| TestCase::new(state.made[at].file.to_string(), AnswerFile::Ans);
        let group = TestGroup {
            name: "input".into(),
            dir: self.dir.clone(),
            naming: None,
            static_validation: None,
            document: None,
            cases: positions.into_iter().map(case).collect(),
            ..self.problem.groups[group_of_inputs(self.problem)].clone()
        };
        Arc::new(Problem { groups: vec![group], ..Problem::clone(self.problem) })
    }

    /// The maker of an input, in words.
    pub(super) fn from(&self, at: usize) -> String {
        let state = self.lock();
        state.known[&state.made[at].digest].words.clone()
    }

    /// Changes of the cases and of the inputs that were made before. The same seed makes the same ones.
    fn variants(&self) -> Result<Option<Variants>> {
        let mut seeds = self.cases.clone();
        if !seeds.is_empty() {
            let state = self.lock();
            for input in state.made.iter().take(CHANGED_AGAIN) {
                let words = &state.known[&input.digest].words;
                seeds.extend(text(&self.dir.join(format!("{}.in", input.file)), words)?);
            }
        }
        Ok(Variants::of(seeds))
    }

    fn lock(&self) -> MutexGuard<'_, SearchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_wanting(&self, wanted: usize) -> bool {
        let state = self.lock();
        state.made.len() < wanted && state.fruitless < FRUITLESS && state.failed.is_none()
    }

    /// Makes the smallest cases smaller. Each step on the way is an input.
    fn make_small(&self, bench: &mut Bench<'_>, trial: &Trial) -> Result<()> {
        if !trial.has_validators() {
            return Ok(());
        }
        let mut cases = texts(self.problem)?;
        cases.sort_by_key(|case| case.text.len());
        for (at, case) in (0..SHRUNK).zip(cases) {
            let begun = Instant::now();
            let mut numbers = (SHRINK_TRIES * at)..(SHRINK_TRIES * (at + 1));
            let mut failed = Ok(());
            shrink(case.text.as_bytes(), |smaller| {
                let Some(number) = numbers.next().filter(|_| begun.elapsed() < self.shrink_time) else {
                    return Break(());
                };
                let from = format!("{}, made smaller", case.name);
                let candidate = Candidate { from, bytes: smaller.to_owned(), may_be_invalid: true };
                match self.tested(bench, trial, number, candidate) {
                    Ok(is_valid) => Continue(is_valid),
                    Err(error) => {
                        failed = Err(error);
                        Break(())
                    }
                }
            });
            failed?;
        }
        Ok(())
    }

    /// The commands of the cases, with their generators.
    fn listed(&self, bench: &mut Bench<'_>) -> Option<(ListedCommands, BTreeMap<String, Arc<Artifact>>)> {
        if !self.uses_listed {
            return None;
        }
        let programs = self.generators.recipes.iter().filter_map(|recipe| recipe.command.as_ref());
        let names: BTreeSet<&String> = programs.map(|command| &command.program).collect();
        // A generator that cannot be built makes nothing here. `grader gen` says why.
        let built = |name: &String| Some((name.clone(), build_generator(bench, &self.generators, name).ok()?));
        let built: BTreeMap<String, Arc<Artifact>> = names.into_iter().filter_map(built).collect();
        let listed = ListedCommands::of(&self.generators, |program| built.contains_key(program));
        listed.like(0).is_some().then_some((listed, built))
    }

    /// Makes the next input of some maker. The makers take turns.
    fn try_one(&self, bench: &mut Bench<'_>, trial: &Trial, makers: &InputMakers<'_>) -> Result<()> {
        let turn = {
            let mut state = self.lock();
            state.next += 1;
            state.fruitless += 1;
            state.next - 1
        };
        let random = makers.random.len();
        let count = (random + usize::from(makers.listed.is_some()) + usize::from(makers.changes.is_some())).max(1);
        let maker = usize::try_from(turn).unwrap_or(0) % count;
        let seed = seed_of(self.seed, turn / count as u64);
        let number = SMALL_NUMBERS + turn;
        let candidate = match (makers.random.get(maker), &makers.listed, makers.changes) {
            (Some((command, generator)), ..) => self.generated(bench, (command, generator), seed, false),
            (None, Some((listed, programs)), _) if maker == random => match listed.like(seed) {
                Some(command) => self.generated(bench, (&command, &programs[&command.program]), seed, true),
                None => None,
            },
            (None, _, Some(variants)) => {
                let (name, bytes) = variants.make(seed);
                // A change of a change is a change.
                let from = if name.starts_with(CHANGE) { name.to_owned() } else { format!("{CHANGE}{name}") };
                Some(Candidate { from, bytes, may_be_invalid: true })
            }
            (None, _, None) => None,
        };
        match candidate {
            Some(candidate) => self.tested(bench, trial, number, candidate).map(drop),
            None => Ok(()),
        }
    }

    /// The input that a command makes. None if it makes none: a command that may be invalid may fail.
    fn generated(
        &self,
        bench: &mut Bench<'_>,
        (command, generator): (&Command, &Artifact),
        seed: u32,
        may_be_invalid: bool,
    ) -> Option<Candidate> {
        let from = command.shown(seed);
        match generate(bench, generator, &command.arguments(seed)) {
            Ok(mut files) => {
                return Some(Candidate { from, bytes: files.remove("in").unwrap_or_default(), may_be_invalid });
            }
            Err(generate::Fault::Case { .. }) if may_be_invalid => {}
            Err(generate::Fault::Case { message, remedy }) => {
                self.fail(SearchFailure::Generator { command: from, message, remedy });
            }
            Err(generate::Fault::Broken(message) | generate::Fault::Foreign(message)) => {
                self.fail(SearchFailure::Broken(message));
            }
            Err(generate::Fault::Cancelled) => {}
        }
        None
    }

    /// Keeps the candidate if it is new, valid, and has an answer. Returns whether it is valid.
    fn tested(&self, bench: &mut Bench<'_>, trial: &Trial, number: u64, candidate: Candidate) -> Result<bool> {
        let Candidate { from, bytes, may_be_invalid } = candidate;
        let digest = digest(&bytes);
        {
            let mut state = self.lock();
            if !state.is_new(digest, Maker { number, words: from.clone() }) {
                state.repeated += u64::from(!may_be_invalid);
                return Ok(false);
            }
        }
        match trial.prepare(bench, &bytes) {
            Ok(None) => {}
            Ok(Some(TrialResult::Invalid(_) | TrialResult::ReferenceFails(_))) if may_be_invalid => return Ok(false),
            Ok(Some(TrialResult::Invalid(words))) => {
                self.fail(SearchFailure::Rejected { command: from, input: bytes, words });
                return Ok(false);
            }
            Ok(Some(TrialResult::ReferenceFails(words))) => {
                self.fail(SearchFailure::Reference { command: from, input: bytes, words });
                return Ok(false);
            }
            // An input on which the reference is too slow shows nothing.
            Ok(Some(_)) | Err(judge::Fault::Cancelled) => return Ok(false),
            Err(judge::Fault::Judge(error)) => {
                self.fail(SearchFailure::Broken(error.to_string()));
                return Ok(false);
            }
        }
        trial.save(&self.dir.join(format!("{number}.in")), &self.dir.join(format!("{number}.ans")))?;
        let mut state = self.lock();
        state.fruitless = 0;
        state.repeated = 0;
        state.made.push(MadeInput { file: number, digest });
        Ok(true)
    }

    fn fail(&self, failed: SearchFailure) {
        self.lock().failed.get_or_insert(failed);
    }
}

/// The cases that are text of a moderate size.
fn texts(problem: &Problem) -> Result<Vec<Seed>> {
    let mut seeds = Vec::new();
    for (group, case) in problem.cases() {
        seeds.extend(text(&group.case_input(case).path, group.id_of(case).as_str())?);
    }
    Ok(seeds)
}

/// A file, if it is text of a moderate size.
fn text(path: &Path, name: &str) -> Result<Option<Seed>> {
    let length = path.metadata().with_context(|| format!("cannot read {}", path.display()))?.len();
    if length > LARGEST as u64 {
        return Ok(None);
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    // A file that is not text has no words that could be changed.
    Ok(String::from_utf8(bytes).ok().map(|text| Seed { name: name.to_owned(), text }))
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    *Digest::of_bytes(bytes).as_bytes()
}
