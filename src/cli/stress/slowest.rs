//! `grader stress --slowest`: the inputs on which submissions take longest, beside the slowest case of the suite.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};

use super::{SECONDS, StressArgs, Subject, any_seed};
use crate::authoring::programs::TimedExecution;
use crate::authoring::random_inputs::random_inputs;
use crate::authoring::search::{Bounds, SearchFailure};
use crate::authoring::slowest::{SlowestInput, SlowestSearch};
use crate::cli::exit::ExitStatus;
use crate::cli::output::{clean, print};
use crate::cli::stress::show::offer;
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::Verb;
use crate::limits::{seconds, seconds_short};
use crate::plan::Plan;
use crate::problem::{PackageLayout, Problem, Submission, SubmissionId, TestId};
use crate::report::text::{Line, Style, count, quote_path};
use crate::session::archives::Archives;
use crate::session::bounds::bounding_above;
use crate::session::derived_limits::time_limit_of;
use crate::session::slot::by_hand;
use crate::session::{Role, RunEnd, Session, chosen_by};
use crate::store::LastRun;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// An input is slower than the suite from this part of the time limit on: less may be noise.
const LEAST_PART: f64 = 0.05;

/// The submissions to time: all selected ones if they are named, otherwise those whose labels say that they are right, or
/// that they are slow.
pub(super) fn timed<'a>(
    problem: &Problem,
    selected: impl Iterator<Item = &'a Submission>,
    is_named: bool,
) -> Result<Vec<Submission>> {
    let slow: BTreeSet<SubmissionId> = bounding_above(problem).into_iter().map(|submission| submission.id).collect();
    let is_timed = |submission: &&Submission| {
        let is_meant = is_named || submission.expectation.wants_all_accepted() || slow.contains(&submission.id);
        is_meant && !submission.program.is_outputs()
    };
    let timed: Vec<Submission> = selected.filter(is_timed).cloned().collect();
    if timed.is_empty() {
        bail!("{} has no submission that is labelled as accepted or as slow\n  → name one: -s NAME", problem.id);
    }
    Ok(timed)
}

/// The slowest case of the suite for one submission.
struct SlowestCase {
    test: TestId,
    time: Duration,
    killed: bool,
}

/// Searches for the slowest inputs of a problem and shows them.
pub(super) fn search(args: &StressArgs, workspace: &Workspace, subject: &Subject) -> Result<ExitStatus> {
    let problem = time_limit_of(workspace, &subject.problem)?;
    let submissions = &subject.submissions;
    let paint = crate::cli::arguments::paint(workspace);
    let (generators, commands) = random_inputs(workspace, &problem, &args.generator, "gen --size 5 {seed}")?;
    let seed = args.seed.unwrap_or_else(any_seed);
    let language = args.how.language.language(&workspace.languages)?;
    let bounds = Bounds {
        time: args.seconds.or(if args.count.is_some() { None } else { Some(Duration::from_secs(SECONDS)) }),
        count: args.count,
        shrink: false,
    };
    let name = format!("{} · {}", problem.id, count(submissions.len(), "submission"));
    print(&[Line::new().with(&clean(&name), Style::STRONG).with(": the slowest inputs", Style::PLAIN)], paint)?;
    let suite = of_suite(workspace, &problem, submissions, language.clone())?;
    let (summary, offered) = by_hand(workspace, [&*problem.dir], |bench| {
        let listener = workspace.listener();
        let mut search = SlowestSearch::new(
            bench,
            &problem,
            submissions,
            language.as_deref(),
            &generators,
            &commands,
            seed,
            bounds,
            &*listener,
        )?;
        if let Err(failed) = search.run(bench, &*listener) {
            tell(workspace, &problem, &failed);
            return Err(failed.ended().into());
        }
        let last = bench.resources.store.last_run();
        let page = Page { workspace, problem: &problem, last: last.as_ref() };
        let mut lines = Vec::new();
        let mut offered = Vec::new();
        for (at, submission) in submissions.iter().enumerate() {
            let (shown, words) = page.of_submission(submission, suite[at].as_ref(), search.slowest[at].as_ref());
            lines.extend(shown);
            offered.extend(words);
        }
        print(&lines, paint)?;
        let number = offered.len();
        let words = if number == 0 {
            "no input is slower than the suite".to_owned()
        } else {
            format!("{} for which an input is slower than the suite", count(number, "submission"))
        };
        let tried = format!(
            "{words}: {} in {:.1} s",
            count(usize::try_from(search.tries)?, "input"),
            search.elapsed().as_secs_f64()
        );
        let (mark, style) = match (search.interrupted, number) {
            (true, _) => ("– ", Style::NOTICE),
            (false, 0) => ("✓ ", Style::GOOD),
            (false, _) => ("! ", Style::NOTICE),
        };
        let line =
            Line::new().with(mark, style).with(&tried, Style::PLAIN).with(&format!(" · --seed {seed}"), Style::FAINT);
        Ok((line, offered))
    })?;
    print(&[summary], paint)?;
    offer(offered.last().map_or(&[], Vec::as_slice))?;
    Ok(if offered.is_empty() { ExitStatus::Success } else { ExitStatus::Unexpected })
}

/// Runs the submissions on every case, or recalls it, and returns the slowest case of each.
fn of_suite(
    workspace: &Workspace,
    problem: &Arc<Problem>,
    submissions: &[Submission],
    language: Option<String>,
) -> Result<Vec<Option<SlowestCase>>> {
    if problem.cases().next().is_none() {
        return Ok(submissions.iter().map(|_| None).collect());
    }
    let mut plan = Plan { all_tests: true, ..Plan::default() };
    plan.add(Arc::clone(problem), |_| true, submissions.iter().map(|submission| (submission.clone(), false)));
    let session = Session::new(workspace.clone(), Role::Inner(Verb::Run), language, Vec::new(), plan);
    let RunEnd { report, signal } = session.conduct(Vec::new())?;
    if let Some(signal) = signal {
        return Err(EarlyEnd::Interrupted(signal).into());
    }
    let slowest = report.submissions.iter().map(|submission| {
        let (test, summary) = submission.slowest.clone()?;
        Some(SlowestCase { test, time: summary.cpu(), killed: summary.killed })
    });
    Ok(slowest.collect())
}

fn tell(workspace: &Workspace, problem: &Problem, failed: &SearchFailure) {
    let (severity, message, remedy) = match failed {
        SearchFailure::Generator { command, message, remedy } => {
            (Severity::Error, format!("{command}: {message}"), remedy.as_str())
        }
        SearchFailure::Rejected { command, words, .. } => {
            (Severity::Error, format!("the input of `{command}` is {words}"), "fix the generator or the validator")
        }
        SearchFailure::Reference { command, words, .. } => {
            (Severity::Error, format!("the reference fails on the input of `{command}`: {words}"), "")
        }
        SearchFailure::Broken(message) => (Severity::JudgeError, message.clone(), ""),
    };
    workspace.tell(&Diagnostic::new(severity, message).of(&problem.id).remedy(remedy));
}

/// Shows what was found.
struct Page<'a> {
    workspace: &'a Workspace,
    problem: &'a Problem,
    last: Option<&'a LastRun>,
}

impl Page<'_> {
    /// The lines about one submission, and the words of the command that adds its input if that is slower than the suite.
    fn of_submission(
        &self,
        submission: &Submission,
        suite: Option<&SlowestCase>,
        found: Option<&SlowestInput>,
    ) -> (Vec<Line>, Option<Vec<String>>) {
        let name = clean(submission.id.as_str());
        let of_suite = match suite {
            Some(case) => {
                format!("the suite's slowest: {} on {}", shown(case.time, case.killed), clean(case.test.as_str()))
            }
            None => "the suite has no time of it".to_owned(),
        };
        let Some(SlowestInput { run, input, command }) = found else {
            let line = Line::from("  ")
                .with(&name, Style::STRONG)
                .with(": no time, because it crashes or exceeds another limit on every input", Style::NOTICE);
            return (vec![line], None);
        };
        let is_slower = is_slower(run, suite);
        let is_fault = run.is_over() && submission.expectation.wants_all_accepted();
        let (mark, style) = match (is_slower, is_fault) {
            (true, true) => ("✗ ", Style::BAD),
            (true, false) => ("! ", Style::NOTICE),
            (false, _) => ("✓ ", Style::GOOD),
        };
        let time = format!(": {} of {}", shown(run.time, run.killed), seconds_short(run.limit));
        let line = Line::new().with(mark, style).with(&name, Style::STRONG).with(&time, Style::PLAIN);
        let line = line.with(&format!("; {of_suite}"), Style::PLAIN);
        let mut lines = vec![line, labelled("input", &format!("{} bytes by {command}", input.len()))];
        if !is_slower {
            return (lines, None);
        }
        let kept = self.keep(submission, input);
        let Some(kept) =
            kept.map(|path| path.strip_prefix(&self.workspace.start).unwrap_or(&path).display().to_string())
        else {
            return (lines, Some(Vec::new()));
        };
        let word = self.word();
        lines.push(labelled("add it", &format!("grader add {} {}", quote_path(&word), quote_path(&kept))));
        (lines, Some(["grader", "add", &word, &kept].map(str::to_owned).to_vec()))
    }

    /// The word that selects the problem.
    fn word(&self) -> String {
        let Problem { id, dir, .. } = self.problem;
        if self.problem.part.is_none() && self.problem.layout == PackageLayout::Plain {
            return super::show::path_of(self.workspace, dir);
        }
        chosen_by(self.workspace, &Archives::default(), id, dir).unwrap_or_else(|| id.to_string())
    }

    /// Keeps an input in `.grader/last/`; none if it cannot be kept, which is a convenience.
    fn keep(&self, submission: &Submission, input: &[u8]) -> Option<PathBuf> {
        let name = SubmissionId::from(format!("stress/{}", submission.id));
        let (mut file, path) = self.last?.create(&self.problem.id, &name, &TestId::from("slowest"), "in").ok()?;
        file.write_all(input).ok()?;
        Some(path)
    }
}

fn labelled(label: &str, text: &str) -> Line {
    Line::from("  ").with(&format!("{label:9}"), Style::FAINT).with(&clean(text), Style::PLAIN)
}

/// The time, with `>` if it is a lower bound.
fn shown(time: Duration, killed: bool) -> String {
    format!("{}{}", if killed { ">" } else { "" }, seconds(time))
}

/// Whether a run takes clearly longer than every case.
fn is_slower(run: &TimedExecution, suite: Option<&SlowestCase>) -> bool {
    let (time, killed) = suite.map_or((Duration::ZERO, false), |case| (case.time, case.killed));
    !killed && run.time >= time + run.limit.mul_f64(LEAST_PART)
}
