//! Searches for the inputs on which submissions take longest. No answer is computed and no output is judged: a program
//! may be slow and wrong.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use crate::authoring::generate::{Fault, generate};
use crate::authoring::programs::{Judges, Solver, TimedExecution};
use crate::authoring::random_inputs::build_generators;
use crate::authoring::search::{Bounds, SearchFailure, seed_of};
use crate::authoring::trial::group_of_inputs;
use crate::compile::Artifact;
use crate::engine::bench::Bench;
use crate::judge::{self, Response};
use crate::package::generators::{Command, Generators};
use crate::problem::{CaseInput, Problem, Submission};
use crate::verify::validators::{InputValidator, build_input_validators};
use crate::workspace::ending::no_submission;
use crate::workspace::listener::{Listener, Progress};

/// The input on which a submission takes longest.
pub(crate) struct SlowestInput {
    pub(crate) run: TimedExecution,
    pub(crate) input: Vec<u8>,
    /// The command that made it.
    pub(crate) command: String,
}

/// The state of a search.
pub(crate) struct SlowestSearch {
    problem: Arc<Problem>,
    validators: Vec<InputValidator>,
    judges: Judges,
    solvers: Vec<Solver>,
    generators: Vec<(Command, Arc<Artifact>)>,
    seed: u64,
    bounds: Bounds,
    begun: Instant,
    dir: TempDir,
    /// The slowest input of each submission so far; none before it has run to an end.
    pub(crate) slowest: Vec<Option<SlowestInput>>,
    /// The number of inputs tried.
    pub(crate) tries: u64,
    /// Whether a signal arrived.
    pub(crate) interrupted: bool,
}

impl SlowestSearch {
    /// Builds all programs; fails if one cannot be built.
    #[expect(clippy::too_many_arguments, reason = "one for each option of the command")]
    pub(crate) fn new(
        bench: &mut Bench<'_>,
        problem: &Arc<Problem>,
        submissions: &[Submission],
        language: Option<&str>,
        generators: &Generators,
        commands: &[Command],
        seed: u64,
        bounds: Bounds,
        listener: &dyn Listener,
    ) -> Result<Self> {
        let validators = build_input_validators(bench, problem, listener)?;
        let solver =
            |submission: &Submission| Solver::build(bench, problem, submission, language).map_err(no_submission);
        let solvers: Vec<Solver> = submissions.iter().map(solver).collect::<Result<_>>()?;
        Ok(Self {
            problem: Arc::clone(problem),
            validators,
            judges: Judges::build(bench, problem)?,
            slowest: solvers.iter().map(|_| None).collect(),
            solvers,
            generators: build_generators(bench, generators, commands)?,
            seed,
            bounds,
            begun: Instant::now(),
            dir: tempfile::tempdir().context("cannot create a temporary directory")?,
            tries: 0,
            interrupted: false,
        })
    }

    /// The time of the search so far.
    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Tries inputs until a limit is reached or a signal arrives. The generators take turns.
    pub(crate) fn run(&mut self, bench: &mut Bench<'_>, listener: &dyn Listener) -> Result<(), SearchFailure> {
        listener.progress(Progress::Begins(None));
        let mut ended = Ok(());
        while ended.is_ok() && self.goes_on() {
            listener.progress(Progress::Doing(&format!(
                "{} tried · {:.0} s",
                self.tries,
                self.elapsed().as_secs_f64()
            )));
            ended = self.attempt(bench);
        }
        listener.progress(Progress::Ends);
        ended
    }

    fn goes_on(&self) -> bool {
        let in_count = self.bounds.count.is_none_or(|count| self.tries < count);
        let in_time = self.bounds.time.is_none_or(|time| self.elapsed() < time);
        // A program that was stopped cannot be slower.
        let is_open = |slowest: &Option<SlowestInput>| slowest.as_ref().is_none_or(|slowest| !slowest.run.killed);
        in_count && in_time && !self.interrupted && self.slowest.iter().any(is_open)
    }

    /// Generates one input and runs every submission on it.
    fn attempt(&mut self, bench: &mut Bench<'_>) -> Result<(), SearchFailure> {
        let sources = self.generators.len().max(1) as u64;
        let Some((command, generator)) = self.generators.get(usize::try_from(self.tries % sources).unwrap_or(0)) else {
            return Ok(());
        };
        let seed = seed_of(self.seed, self.tries / sources);
        let shown = command.shown(seed);
        let arguments = command.arguments(seed);
        let input = match generate(bench, generator, &arguments) {
            Ok(mut files) => files.remove("in").unwrap_or_default(),
            Err(Fault::Cancelled) => {
                self.interrupted = true;
                return Ok(());
            }
            Err(Fault::Case { message, remedy }) => {
                return Err(SearchFailure::Generator { command: shown, message, remedy });
            }
            Err(Fault::Broken(message) | Fault::Foreign(message)) => return Err(SearchFailure::Broken(message)),
        };
        self.tries += 1;
        match self.test(bench, &input, &shown) {
            Ok(None) => Ok(()),
            Ok(Some(words)) => Err(SearchFailure::Rejected { command: shown, input, words }),
            Err(judge::Fault::Cancelled) => {
                self.interrupted = true;
                Ok(())
            }
            Err(failed) => Err(SearchFailure::Broken(failed.to_string())),
        }
    }

    /// Runs every submission on an input. Returns the words of a validator that rejects it.
    fn test(&mut self, bench: &mut Bench<'_>, input: &[u8], command: &str) -> Result<Option<String>, judge::Fault> {
        let broken = |error: std::io::Error| judge::Fault::other(format!("cannot keep an input: {error}"));
        let path = self.path("input");
        fs::write(&path, input).and_then(|()| fs::write(self.path("answer"), "")).map_err(broken)?;
        let problem = Arc::clone(&self.problem);
        let group = &problem.groups[group_of_inputs(&problem)];
        for validator in &self.validators {
            if let Response::Rejects(words) = validator.check_once(bench, Some(&group.arguments), &path)? {
                return Ok(Some(words));
            }
        }
        let case = CaseInput { group, setting: group.setting(), path };
        for at in 0..self.solvers.len() {
            let best = self.slowest[at].as_ref().map(|slowest| slowest.run);
            if best.is_some_and(|best| best.killed) {
                continue;
            }
            let is_slower = |run: &TimedExecution| best.is_none_or(|best| run.is_slower_than(&best));
            let once = |bench: &mut Bench<'_>| self.judges.time(bench, &self.solvers[at], &case, &self.path("answer"));
            let Some(first) = once(bench)?.filter(is_slower) else { continue };
            // Disturbance only adds time, so the faster of two runs counts.
            let Some(second) = once(bench)?.filter(is_slower) else { continue };
            let run = if second.is_slower_than(&first) { first } else { second };
            self.slowest[at] = Some(SlowestInput { run, input: input.to_owned(), command: command.to_owned() });
        }
        Ok(None)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }
}
