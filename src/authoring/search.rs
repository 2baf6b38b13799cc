//! Searches for inputs that submissions fail, and shrinks them.

use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::authoring::generate::{Fault, generate};
use crate::authoring::random_inputs::build_generators;
use crate::authoring::trial::{Failure, Trial, TrialResult};
use crate::compile::Artifact;
use crate::engine::bench::Bench;
use crate::judge;
use crate::package::generators::{Command, Generators};
use crate::shrink::shrink;
use crate::store::Digest;
use crate::verdict::Verdict;
use crate::workspace::ending::{self, fault};
use crate::workspace::listener::{Listener, Progress};

/// The most candidates tried to shrink an input.
const SHRINK_TRIES: u64 = 4000;
/// The time limit for shrinking, if the search has a time limit.
const SHRINK_TIME: Duration = Duration::from_secs(60);
/// The number of seeds tried with each smaller argument.
const SEEDS_PER_ARGUMENT: u64 = 3;
/// The most candidates made by smaller arguments, if the input itself can be shrunk too, which achieves more.
const ARGUMENT_TRIES: u64 = 40;

/// The limits of a search.
pub(crate) struct Bounds {
    /// The time limit; none for no limit.
    pub(crate) time: Option<Duration>,
    /// The most inputs to try; none for no limit. With a limit, generators take turns, so that the same seed tries the
    /// same inputs. Without one, they share the time.
    pub(crate) count: Option<u64>,
    /// Whether to shrink the input that was found.
    pub(crate) shrink: bool,
}

/// The result of a search.
pub(crate) enum SearchEnd {
    /// At least one submission fails on an input. The search can go on for the others.
    Found(Vec<Counterexample>),
    /// No further difference was found, in the limits or before a signal.
    Nothing,
    /// Something other than a submission fails.
    Failed(SearchFailure),
}

/// An input that a submission fails.
pub(crate) struct Counterexample {
    /// The position of the submission.
    pub(crate) submission: usize,
    /// The number of inputs tried until then.
    pub(crate) after: u64,
    /// The smallest known input.
    pub(crate) input: Vec<u8>,
    /// The kind of failure: the verdict, and the reason of a run-time error.
    pub(crate) kind: (Verdict, String),
    /// The command that made the original input.
    pub(crate) first: String,
    /// The command with the smallest arguments.
    pub(crate) command: String,
    /// The size of the original input in bytes.
    pub(crate) bytes: usize,
    /// The number of candidates tried while shrinking.
    pub(crate) tries: u64,
    /// Whether a signal ended shrinking early.
    pub(crate) interrupted: bool,
}

impl Counterexample {
    fn progress(&self, bytes: usize) -> String {
        format!("{} found, shrinking it: {bytes} bytes, {} tries", self.kind.0, self.tries)
    }

    /// Whether to continue shrinking.
    fn goes_on(&self, deadline: Option<Instant>) -> bool {
        let in_time = deadline.is_none_or(|deadline| Instant::now() < deadline);
        self.tries < SHRINK_TRIES && !self.interrupted && in_time
    }
}

/// A failure of something other than a submission.
pub(crate) enum SearchFailure {
    /// A generator failed.
    Generator { command: String, message: String, remedy: String },
    /// An input validator rejects a generated input.
    Rejected { command: String, input: Vec<u8>, words: String },
    /// The reference failed on this input.
    Reference { command: String, input: Vec<u8>, words: String },
    /// A checker, a validator or the sandbox failed.
    Broken(String),
}

impl SearchFailure {
    /// The failure as an error, without the input.
    pub(crate) fn error(&self) -> anyhow::Error {
        match self {
            Self::Generator { command, message, remedy } => anyhow::anyhow!("{command}: {message}\n  → {remedy}"),
            Self::Rejected { command, words, .. } => {
                anyhow::anyhow!("the input of `{command}` is {words}\n  → fix the generator or the validator")
            }
            Self::Reference { command, words, .. } => {
                anyhow::anyhow!("the reference fails on the input of `{command}`: {words}\n  → fix it first")
            }
            Self::Broken(message) => fault(message),
        }
    }

    pub(crate) fn ended(&self) -> ending::EarlyEnd {
        if matches!(self, Self::Broken(_)) { ending::EarlyEnd::JudgeError } else { ending::EarlyEnd::Refused }
    }
}

/// A command with its generator.
struct Source {
    command: Command,
    generator: Arc<Artifact>,
    /// The number of inputs that it has made.
    made: u64,
    /// The time that its inputs have taken.
    spent: Duration,
}

/// The outcome of one input.
enum Attempt {
    /// The submissions that fail on it.
    Tested(Vec<(usize, Box<Failure>)>),
    /// An input validator rejects it, with this message.
    Invalid(String),
    /// The reference exceeds the time limit.
    ReferenceSlow,
    /// The reference fails in another way, described here.
    ReferenceFails(String),
}

/// The state of a search.
pub(crate) struct Search<'a, 'b> {
    pub(crate) bench: &'a mut Bench<'b>,
    pub(crate) trial: Trial,
    /// The submissions without a difference so far.
    pub(crate) left: Vec<usize>,
    sources: Vec<Source>,
    seed: u64,
    bounds: Bounds,
    begun: Instant,
    /// The time spent on shrinking, which does not count.
    shrinking: Duration,
    /// The number of inputs tried.
    pub(crate) tries: u64,
    /// The number of inputs on which the reference exceeded its time limit.
    pub(crate) slow: u64,
    listener: Arc<dyn Listener>,
    /// Whether a signal arrived.
    pub(crate) interrupted: bool,
}

impl<'a, 'b> Search<'a, 'b> {
    pub(crate) fn new(
        bench: &'a mut Bench<'b>,
        trial: Trial,
        generators: &Generators,
        commands: &[Command],
        seed: u64,
        bounds: Bounds,
        listener: Arc<dyn Listener>,
    ) -> Result<Self> {
        let sources = build_generators(bench, generators, commands)?.into_iter();
        let sources =
            sources.map(|(command, generator)| Source { command, generator, made: 0, spent: Duration::ZERO }).collect();
        Ok(Self {
            left: (0..trial.submissions().len()).collect(),
            bench,
            trial,
            sources,
            seed,
            bounds,
            begun: Instant::now(),
            shrinking: Duration::ZERO,
            tries: 0,
            slow: 0,
            listener,
            interrupted: false,
        })
    }

    /// The time of the search so far, without shrinking.
    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed().saturating_sub(self.shrinking)
    }

    fn goes_on(&self) -> bool {
        let in_count = self.bounds.count.is_none_or(|count| self.tries < count);
        let in_time = self.bounds.time.is_none_or(|time| self.elapsed() < time);
        in_count && in_time && !self.left.is_empty() && !self.interrupted
    }

    /// The next generator: the one that has had the least time, or whose turn it is. A slow one starves no other.
    fn next_source(&self) -> usize {
        let sources = self.sources.iter().enumerate();
        let at = match self.bounds.count {
            Some(_) => sources.min_by_key(|(_, source)| source.made),
            None => sources.min_by_key(|(_, source)| source.spent),
        };
        at.map_or(0, |(at, _)| at)
    }

    /// Tries inputs until one shows a difference, or a limit is reached. Call it again to look for differences of the
    /// submissions that are left.
    pub(crate) fn run(&mut self) -> SearchEnd {
        let mut ended = SearchEnd::Nothing;
        self.listener.progress(Progress::Begins(None));
        while self.goes_on() {
            let at = self.next_source();
            let command = self.sources[at].command.clone();
            let seed = seed_of(self.seed, self.sources[at].made);
            self.listener.progress(Progress::Doing(&self.rate()));
            self.tries += 1;
            self.sources[at].made += 1;
            let begun = Instant::now();
            let attempt = self.attempt_all(at, &command, seed);
            self.sources[at].spent += begun.elapsed();
            match attempt {
                Ok((input, Attempt::Tested(failures))) if !failures.is_empty() => {
                    let begun = Instant::now();
                    let found = failures
                        .iter()
                        .map(|(submission, failure)| self.found(at, &command, seed, &input, *submission, failure));
                    ended = SearchEnd::Found(found.collect());
                    self.left.retain(|left| !failures.iter().any(|(submission, _)| submission == left));
                    self.shrinking += begun.elapsed();
                    break;
                }
                Ok((_, Attempt::Tested(_))) => {}
                Ok((_, Attempt::ReferenceSlow)) => self.slow += 1,
                Ok((input, Attempt::Invalid(words))) => {
                    ended = SearchEnd::Failed(SearchFailure::Rejected { command: command.shown(seed), input, words });
                    break;
                }
                Ok((input, Attempt::ReferenceFails(words))) => {
                    ended = SearchEnd::Failed(SearchFailure::Reference { command: command.shown(seed), input, words });
                    break;
                }
                Err(Fault::Cancelled) => {
                    self.tries -= 1;
                    self.interrupted = true;
                    break;
                }
                Err(Fault::Case { message, remedy }) => {
                    ended =
                        SearchEnd::Failed(SearchFailure::Generator { command: command.shown(seed), message, remedy });
                    break;
                }
                Err(Fault::Broken(message) | Fault::Foreign(message)) => {
                    ended = SearchEnd::Failed(SearchFailure::Broken(message));
                    break;
                }
            }
        }
        self.listener.progress(Progress::Ends);
        ended
    }

    fn generated(&mut self, at: usize, command: &Command, seed: u32) -> Result<Vec<u8>, Fault> {
        let generator = Arc::clone(&self.sources[at].generator);
        let mut files = generate(self.bench, &generator, &command.arguments(seed))?;
        Ok(files.remove("in").unwrap_or_default())
    }

    /// Generates an input and tests it on all submissions that are left.
    fn attempt_all(&mut self, at: usize, command: &Command, seed: u32) -> Result<(Vec<u8>, Attempt), Fault> {
        let input = self.generated(at, command, seed)?;
        let mut result = self.trial.prepare(self.bench, &input)?;
        let mut failures = Vec::new();
        for submission in &self.left {
            if result.is_none() {
                match self.trial.test_prepared(self.bench, *submission)? {
                    TrialResult::Fine => {}
                    TrialResult::Fails(failure) => failures.push((*submission, failure)),
                    other => result = Some(other),
                }
            }
        }
        let attempt = match result {
            Some(TrialResult::Invalid(words)) => Attempt::Invalid(words),
            Some(TrialResult::ReferenceFails(words)) => Attempt::ReferenceFails(words),
            Some(TrialResult::ReferenceSlow) => Attempt::ReferenceSlow,
            Some(TrialResult::Fine | TrialResult::Fails(_)) | None => Attempt::Tested(failures),
        };
        Ok((input, attempt))
    }

    /// Generates an input and tests it on one submission.
    fn attempt(
        &mut self,
        at: usize,
        command: &Command,
        seed: u32,
        submission: usize,
    ) -> Result<(Vec<u8>, TrialResult), Fault> {
        let input = self.generated(at, command, seed)?;
        let tested = self.trial.test(self.bench, &input, submission)?;
        Ok((input, tested))
    }

    /// Records an input that a submission fails, and shrinks it if requested.
    fn found(
        &mut self,
        at: usize,
        command: &Command,
        seed: u32,
        input: &[u8],
        submission: usize,
        failure: &Failure,
    ) -> Counterexample {
        let mut found = Counterexample {
            submission,
            after: self.tries,
            bytes: input.len(),
            input: input.to_owned(),
            kind: failure.kind.clone(),
            first: command.shown(seed),
            command: command.shown(seed),
            tries: 0,
            interrupted: self.interrupted,
        };
        if self.bounds.shrink && !found.interrupted {
            let share = u32::try_from(self.trial.submissions().len()).unwrap_or(u32::MAX).max(1);
            let deadline = self.bounds.time.map(|_| Instant::now() + SHRINK_TIME / share);
            self.shrink_arguments(at, command.clone(), seed, &mut found, deadline);
            if self.trial.has_validators() && !found.interrupted {
                self.shrink_input(&mut found, deadline);
            }
        }
        self.interrupted = found.interrupted;
        found
    }

    /// Tries smaller numbers in the generator's arguments, each with a few seeds.
    fn shrink_arguments(
        &mut self,
        at: usize,
        mut command: Command,
        mut seed: u32,
        found: &mut Counterexample,
        deadline: Option<Instant>,
    ) {
        let most = if self.trial.has_validators() { ARGUMENT_TRIES } else { SHRINK_TRIES };
        let mut smaller = true;
        while smaller {
            smaller = false;
            let numbers: Vec<(usize, i64)> = command.numbers().collect();
            for (place, number) in numbers {
                let mut candidates = vec![1, number / 8, number / 2, number - number.signum()];
                candidates.retain(|candidate| candidate.unsigned_abs() < number.unsigned_abs());
                candidates.dedup();
                let tries =
                    candidates.iter().flat_map(|candidate| (0..SEEDS_PER_ARGUMENT).map(move |n| (*candidate, n)));
                for (candidate, n) in tries {
                    if !found.goes_on(deadline) || found.tries >= most {
                        return;
                    }
                    let other = command.with_word(place, &candidate.to_string());
                    let other_seed = if n == 0 { seed } else { seed_of(u64::from(seed), n) };
                    found.tries += 1;
                    self.listener.progress(Progress::Doing(&found.progress(found.input.len())));
                    match self.attempt(at, &other, other_seed, found.submission) {
                        Ok((input, TrialResult::Fails(failure)))
                            if failure.kind == found.kind && input.len() <= found.input.len() =>
                        {
                            command = other;
                            seed = other_seed;
                            found.command = command.shown(seed);
                            found.input = input;
                            smaller = true;
                            break;
                        }
                        Err(Fault::Cancelled) => found.interrupted = true,
                        _ => {}
                    }
                }
            }
        }
    }

    /// Shrinks the input itself. Each smaller input must be valid and fail in the same way.
    fn shrink_input(&mut self, found: &mut Counterexample, deadline: Option<Instant>) {
        let first = found.input.clone();
        let small = shrink(&first, |candidate| {
            if !found.goes_on(deadline) {
                return Break(());
            }
            found.tries += 1;
            self.listener.progress(Progress::Doing(&found.progress(candidate.len())));
            match self.trial.test(self.bench, candidate, found.submission) {
                Ok(TrialResult::Fails(failure)) => Continue(failure.kind == found.kind),
                Err(judge::Fault::Cancelled) => {
                    found.interrupted = true;
                    Break(())
                }
                // If the checker fails on a candidate, this says nothing about the submission.
                _ => Continue(false),
            }
        });
        found.input = small;
    }

    fn rate(&self) -> String {
        let seconds = self.elapsed().as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "shown with no decimals")]
        let rate = self.tries as f64 / seconds.max(0.001);
        let done = self.trial.submissions().len() - self.left.len();
        let found = if done > 0 { format!(" · {done} fail") } else { String::new() };
        format!("{} tried · {seconds:.0} s · {rate:.0}/s{found}", self.tries)
    }
}

/// The seed of one try, below 2³¹.
pub(crate) fn seed_of(base: u64, number: u64) -> u32 {
    let digest = Digest::of_bytes(format!("{base}:{number}").as_bytes());
    let [a, b, c, d, ..] = *digest.as_bytes();
    u32::from_be_bytes([a, b, c, d]) & 0x7fff_ffff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_the_same_each_time_and_small_enough_for_every_language() {
        let seeds: Vec<u32> = (0..1000).map(|n| seed_of(7, n)).collect();
        assert_eq!(seeds, (0..1000).map(|n| seed_of(7, n)).collect::<Vec<_>>());
        assert!(seeds.iter().all(|seed| *seed < 1 << 31));
        let different: std::collections::BTreeSet<_> = seeds.iter().collect();
        assert!(different.len() > 995, "{} of 1000", different.len());
        assert_ne!(seed_of(7, 1), seed_of(8, 1));
    }

    #[test]
    fn shrinking_ends_with_its_tries_its_time_and_a_signal() {
        let found = |tries, interrupted| Counterexample {
            submission: 0,
            after: 1,
            input: Vec::new(),
            kind: (Verdict::WrongAnswer, String::new()),
            first: String::new(),
            command: String::new(),
            bytes: 0,
            tries,
            interrupted,
        };
        let later = Instant::now() + Duration::from_secs(600);
        assert!(found(0, false).goes_on(None) && found(SHRINK_TRIES - 1, false).goes_on(Some(later)));
        assert!(!found(SHRINK_TRIES, false).goes_on(None));
        assert!(!found(0, true).goes_on(None));
        assert!(!found(0, false).goes_on(Some(Instant::now())));
    }
}
