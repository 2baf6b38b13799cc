//! Runs the programs that compute and judge answers, on one slot. `add`, `accept` and `stress` share them.

use std::fs::{self, File};
use std::io::{self, Seek};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::compile::{Artifact, BuildFailure, BuildOrder};
use crate::engine::bench::{Assessment, Bench, Case, JudgedExecution};
use crate::judge::{Fault, Rejection};
use crate::problem::{CaseInput, JudgingProgram, Problem, Submission};
use crate::report::text::{Whitespace, escape};
use crate::sandbox::Kill;
use crate::verdict::Verdict;
use crate::workspace::ending::no_validator;

/// A built submission.
pub(crate) struct Solver {
    /// The submission's id.
    pub(crate) name: String,
    artifact: Box<Artifact>,
}

/// The built output validators of a problem, which judge answers.
pub(crate) struct Judges {
    problem: Arc<Problem>,
    output_validators: Vec<Artifact>,
}

/// The time of a solver on an input.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimedExecution {
    /// User + system time.
    pub(crate) time: Duration,
    /// The time limit.
    pub(crate) limit: Duration,
    /// Whether it was killed, so that the time is a lower bound.
    pub(crate) killed: bool,
}

impl TimedExecution {
    /// Whether it takes longer. A killed run is as slow as runs get.
    pub(crate) fn is_slower_than(&self, other: &Self) -> bool {
        !other.killed && (self.killed || self.time > other.time)
    }

    /// Whether it exceeds the limit.
    pub(crate) fn is_over(&self) -> bool {
        self.killed || self.time > self.limit
    }
}

/// The result of running a solver on an input.
pub(crate) enum SolverAnswer {
    /// It printed an output.
    Output {
        /// User + system time.
        time: Duration,
        output: Output,
    },
    /// It failed.
    Fails(Rejection),
}

/// An output that is not saved yet.
pub(crate) struct Output(File);

impl Output {
    /// Copies the output into a new file.
    pub(crate) fn save(mut self, to: &Path) -> io::Result<()> {
        self.0.rewind()?;
        io::copy(&mut self.0, &mut File::create_new(to)?).map(drop)
    }
}

impl Solver {
    /// Builds a submission in this language; none: in the language that it states, or that its files show.
    pub(crate) fn build(
        bench: &mut Bench<'_>,
        problem: &Problem,
        submission: &Submission,
        language: Option<&str>,
    ) -> Result<Self, BuildFailure> {
        let name = submission.id.to_string();
        let memory = bench.resources.memory_for(problem, submission, language);
        let order = BuildOrder::submission(problem, submission, memory).in_language(language);
        let artifact = bench.build(&order).ready(&name)?;
        Ok(Self { name, artifact })
    }

    /// Builds a submission of the problem that the user did not name: `language` is for those that state none.
    pub(crate) fn build_own(
        bench: &mut Bench<'_>,
        problem: &Problem,
        submission: &Submission,
        language: Option<&str>,
    ) -> Result<Self, BuildFailure> {
        Self::build(bench, problem, submission, language.filter(|_| submission.language.is_none()))
    }
}

impl Judges {
    /// Builds the output validators.
    pub(crate) fn build(bench: &mut Bench<'_>, problem: &Arc<Problem>) -> Result<Self> {
        let programs = problem.output_judges();
        let output_validators =
            programs.map(|judge| build_judge(bench, problem, judge).map(|built| *built)).collect::<Result<_>>()?;
        Ok(Self { problem: Arc::clone(problem), output_validators })
    }

    /// Whether the output validator runs the submission (interactive or multi-pass), so that no output is kept.
    pub(crate) fn lead(&self) -> bool {
        self.problem.kind.is_led_by_validator()
    }

    /// The problem whose outputs are judged.
    pub(crate) fn problem(&self) -> &Problem {
        &self.problem
    }

    fn artifacts(&self) -> Vec<&Artifact> {
        self.output_validators.iter().collect()
    }

    fn case(&self, bench: &Bench<'_>, input: &CaseInput<'_>, answer: &Path, solver: &Solver) -> Case {
        bench.resources.case(&self.problem, input.clone(), Some(answer.to_owned()), &solver.artifact)
    }

    /// Runs a solver on an input.
    pub(crate) fn answer(
        &self,
        bench: &mut Bench<'_>,
        solver: &Solver,
        CaseInput { group, setting, path }: &CaseInput<'_>,
    ) -> Result<SolverAnswer, Fault> {
        let limits = bench.resources.limits_for(&self.problem, group, &solver.artifact.language);
        let arguments: Vec<_> = setting.arguments.submission.iter().map(Into::into).collect();
        let from = File::open(path).map_err(unreadable(path))?;
        let printed = bench
            .runner(None)
            .execute(&solver.artifact, &arguments, &setting.work, &limits, &from)?
            .unless_cancelled()?;
        if let Some(rejection) = printed.rejection {
            return Ok(SolverAnswer::Fails(rejection));
        }
        Ok(SolverAnswer::Output { time: printed.outcome.usage.cpu, output: Output(printed.output) })
    }

    /// Runs a solver on an input for its time alone. None if it crashes or exceeds a limit other than that of time: such
    /// a run may be short for this. `answer` is empty, for the output validator of an interactive or multi-pass problem.
    pub(crate) fn time(
        &self,
        bench: &mut Bench<'_>,
        solver: &Solver,
        input: &CaseInput<'_>,
        answer: &Path,
    ) -> Result<Option<TimedExecution>, Fault> {
        let CaseInput { group, setting, path } = input;
        let limits = bench.resources.limits_for(&self.problem, group, &solver.artifact.language);
        let (outcome, rejection) = if self.lead() {
            let (_, judged) = self.judge(bench, solver, input, answer)?;
            (judged.outcome, judged.assessment.rejection)
        } else {
            let arguments: Vec<_> = setting.arguments.submission.iter().map(Into::into).collect();
            let from = File::open(path).map_err(unreadable(path))?;
            let run = bench.runner(None).execute(&solver.artifact, &arguments, &setting.work, &limits, &from)?;
            let run = run.unless_cancelled()?;
            (run.outcome, run.rejection)
        };
        let ends = rejection.is_none_or(|(verdict, _)| matches!(verdict, Verdict::TimeLimit | Verdict::WrongAnswer));
        let killed = outcome.killed == Some(Kill::Cpu);
        // A program that waits takes no time of the processor.
        let ends = ends && (killed || outcome.killed.is_none());
        Ok(ends.then_some(TimedExecution { time: outcome.usage.cpu, limit: limits.time, killed }))
    }

    /// Judges an output in a file against an answer in a file.
    pub(crate) fn check(
        &self,
        bench: &mut Bench<'_>,
        input: &CaseInput<'_>,
        answer: &Path,
        output: &Path,
        solver: Option<&Solver>,
    ) -> Result<Assessment, Fault> {
        let case = match solver {
            Some(solver) => self.case(bench, input, answer, solver),
            None => bench.resources.case_of_output(&self.problem, input.clone(), Some(answer.to_owned())),
        };
        let file = File::open(output).map_err(unreadable(output))?;
        Ok(bench.runner(None).judge_output(&case, file, &self.artifacts())?.unless_cancelled()?.assessment)
    }

    /// Like [`Self::judge`], and keeps what the output validator leaves in its feedback directory.
    pub(crate) fn judge_for_visualizer(
        &self,
        bench: &mut Bench<'_>,
        solver: &Solver,
        input: &CaseInput<'_>,
        answer: Option<&Path>,
    ) -> Result<(Case, JudgedExecution), Fault> {
        let answer = answer.map(Path::to_owned);
        let case = bench.resources.case(&self.problem, input.clone(), answer, &solver.artifact);
        let case = Case { keeps_feedback: true, ..case };
        let judged = bench
            .runner(Some(solver.artifact.key))
            .judge(&case, &solver.artifact, &self.artifacts())?
            .unless_cancelled()?;
        Ok((case, judged))
    }

    /// Judges an output in a file, and keeps what the output validator leaves in its feedback directory.
    pub(crate) fn check_for_visualizer(
        &self,
        bench: &mut Bench<'_>,
        input: &CaseInput<'_>,
        answer: Option<&Path>,
        output: &Path,
    ) -> Result<(Case, JudgedExecution), Fault> {
        let case = bench.resources.case_of_output(&self.problem, input.clone(), answer.map(Path::to_owned));
        let case = Case { keeps_feedback: true, ..case };
        let file = File::open(output).map_err(unreadable(output))?;
        let judged = bench.runner(None).judge_output(&case, file, &self.artifacts())?.unless_cancelled()?;
        Ok((case, judged))
    }

    /// Runs a solver on a case and judges it, together with the output validator if that leads. Also returns the case.
    pub(crate) fn judge(
        &self,
        bench: &mut Bench<'_>,
        solver: &Solver,
        input: &CaseInput<'_>,
        answer: &Path,
    ) -> Result<(Case, JudgedExecution), Fault> {
        let case = self.case(bench, input, answer, solver);
        let judged = bench
            .runner(Some(solver.artifact.key))
            .judge(&case, &solver.artifact, &self.artifacts())?
            .unless_cancelled()?;
        Ok((case, judged))
    }
}

fn unreadable(file: &Path) -> impl Fn(io::Error) -> Fault {
    move |error| Fault::other(format!("cannot read {}: {error}", file.display()))
}

/// Builds a problem's output validator.
fn build_judge(bench: &mut Bench<'_>, problem: &Problem, judge: &JudgingProgram) -> Result<Box<Artifact>> {
    let memory = bench.resources.output_validation_limits(problem).kill.memory;
    let name = format!("{}: the output validator", problem.id);
    bench.build(&BuildOrder::judge(problem, judge, memory)).ready(name).map_err(no_validator)
}

/// Copies at most `most` bytes into a new file and returns their number. Fails if there are more.
pub(crate) fn keep(from: &mut dyn io::Read, to: &Path, most: u64) -> Result<u64> {
    let size = io::copy(&mut io::Read::take(from, most + 1), &mut File::create_new(to)?)?;
    if size > most {
        fs::remove_file(to)?;
        bail!("larger than {} MiB", most >> 20);
    }
    Ok(size)
}

/// A rejection in words, such as `TLE: 2.1 s > 2.0 s`.
pub(crate) fn rejection_words((verdict, reason): &Rejection) -> String {
    format!("{verdict}: {}", escape(reason.to_string().as_bytes(), Whitespace::Inline))
}
