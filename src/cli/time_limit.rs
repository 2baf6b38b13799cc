//! `grader time-limit`: measures submissions and recommends a time limit.

use std::io::Write as _;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::arguments::{AloneArgs, ArgumentError, Color, JobsArgs, LanguageArgs, open, paint, parse_time};
use crate::authoring::time_limit;
use crate::cli::exit::{ExitStatus, for_each};
use crate::cli::output::{clean, print};
use crate::config::Options;
use crate::diagnostic::{Diagnostic, Severity};

use crate::limits::{seconds, seconds_short};

use crate::plan::{PlannedProblem, PlannedSubmission};
use crate::problem::{Distances, Problem, ProblemKind, Submission, TooClose};
use crate::record::Report;
use crate::report::text::{Line, Paint, Style, count, quote, quote_option};
use crate::score::time_limit::Side;
use crate::session::bounds::{
    Bound, UP_TO, bound, bounding_above, bounding_below, is_safe, measure, stated_limit, uncounted,
};
use crate::session::select::{Choice, ChosenPlan, Programs, choose};
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// Measures submissions and recommends a time limit for each problem
#[derive(Debug, Args)]
#[command(
    after_help = "Selections work as for `grader run`. grader runs every selected submission that must not be too slow and every submission that must be. It stops \
    each test after `--up-to`. The limit is the smallest multiple of `--resolution` that is at least `--ac` times \
    the slowest accepted test. The fastest slow submission must take at least `--tle` times the limit. This is the \
    rule of the problem package format 2025-09. A package may set these three values itself; the options override \
    them. grader uses known times from earlier runs on this machine; `--no-cache` measures again.\n\nExit status: 0 \
    the stated limit keeps these distances (or was written), 1 it does not, or no limit does, 2 usage or problem \
    error, 3 judge error, 129/130/143 interrupted."
)]
pub(super) struct TimeLimitArgs {
    /// Problems, tests, globs or paths
    selection: Vec<String>,
    /// Measure only these submissions: a name, a path below `submissions/` or a glob (repeatable)
    #[arg(short, long, value_name = "NAME")]
    submission: Vec<String>,
    /// Measure only on these tests: a name, else a group, else a prefix; or a glob (repeatable)
    #[arg(short, long, value_name = "TEST")]
    test: Vec<String>,
    /// Write the limit to problem.toml, beside its other settings; for a package, grader says what to write
    #[arg(long)]
    write: bool,
    /// Stop each test after this time [default: five times the present limit, at least 10 s]
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    up_to: Option<Duration>,
    /// The limit is at least this many times the slowest accepted test [default: 2]
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    ac: Option<f64>,
    /// Submissions that must be too slow take at least this many times the limit [default: 1.5]
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    tle: Option<f64>,
    /// Round the limit up to a multiple of this time [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    resolution: Option<Duration>,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
    #[command(flatten, next_help_heading = "Execution options")]
    jobs: JobsArgs,
    /// Run every test N times; the slowest run counts
    #[arg(long, value_name = "N", help_heading = "Execution options", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: Option<u32>,
    #[command(flatten, next_help_heading = "Execution options")]
    language: LanguageArgs,
    #[command(flatten, next_help_heading = "Execution options")]
    alone: AloneArgs,
}

fn factor(text: &str) -> Result<f64, ArgumentError> {
    let factor = text.parse::<f64>().ok().filter(|factor| *factor >= 1.0 && factor.is_finite());
    factor.ok_or(ArgumentError::FactorFromOne)
}

impl TimeLimitArgs {
    /// The distances from the options, otherwise those of the problem.
    fn distances(&self, problem: &Problem) -> Distances {
        let own = problem.distances;
        Distances {
            ac_to_time_limit: self.ac.unwrap_or(own.ac_to_time_limit),
            time_limit_to_tle: self.tle.unwrap_or(own.time_limit_to_tle),
            resolution: self.resolution.unwrap_or(own.resolution),
            ..own
        }
    }
}

/// The options as typed, with this time limit of each test.
fn typed(args: &TimeLimitArgs, time_limit: Option<Duration>) -> Options {
    Options {
        color: args.color.map(Into::into),
        time_limit,
        repeat: args.repeat,
        ..args.jobs.add_to(args.alone.options())
    }
}

/// Measures each selected problem and returns the worst exit status.
pub(super) fn run(args: &TimeLimitArgs) -> Result<ExitStatus> {
    let workspace = open(typed(args, None))?;
    let choice = Choice {
        submissions: &args.submission,
        tests: &args.test,
        ..Choice::problems(&workspace, &args.selection, Programs::Own)
    };
    let ChosenPlan { plan, found } = choose(&workspace, &choice)?;
    workspace.tell_found(&found);
    let is_refused = plan.problems.is_empty() || found.iter().any(Diagnostic::is_error);
    let refused = if is_refused { ExitStatus::Usage } else { ExitStatus::Success };
    let of_problem =
        |planned| SelectedSubmissions { planned, submissions: &plan.submissions[planned.submissions.clone()] };
    // One that is named is refused; among others it has nothing to measure.
    let is_measured =
        |planned: &&PlannedProblem| planned.problem.kind != ProblemKind::SubmitAnswer || plan.problems.len() == 1;
    let selected = plan.problems.iter().filter(is_measured).map(of_problem).collect();
    Ok(for_each(selected, |selected| measured(args, &workspace, &selected))?.max(refused))
}

/// A problem with the selected submissions and tests.
struct SelectedSubmissions<'a> {
    planned: &'a PlannedProblem,
    submissions: &'a [PlannedSubmission],
}

impl SelectedSubmissions<'_> {
    /// The bounding submissions that are selected.
    fn only(&self, bounding: Vec<Submission>) -> Vec<Submission> {
        let is_selected =
            |found: &Submission| self.submissions.iter().any(|submission| submission.submission.id == found.id);
        bounding.into_iter().filter(is_selected).collect()
    }

    /// Whether every submission and every test is selected.
    fn is_whole(&self) -> bool {
        let Problem { submissions, .. } = &*self.planned.problem;
        self.submissions.len() == submissions.len() && self.planned.tests.len() == self.planned.problem.test_count()
    }
}

/// Measures the submissions of one problem, and shows the recommended limit.
fn measured(args: &TimeLimitArgs, workspace: &Workspace, selected: &SelectedSubmissions<'_>) -> Result<ExitStatus> {
    let problem = &selected.planned.problem;
    if args.write && !selected.is_whole() {
        bail!(
            "--write needs every submission and every test of {}, but only some are selected\n  → write it without a \
             selection of them: grader time-limit {} --write",
            problem.id,
            problem.id
        );
    }
    if problem.kind == ProblemKind::SubmitAnswer {
        bail!("{} is of type submit-answer: it runs no programs, so it needs no time limit", problem.id);
    }
    let distances = args.distances(problem);
    let stated = stated_limit(&workspace.settings, problem);
    let up_to = args.up_to.unwrap_or(stated.map_or(UP_TO, |stated| (stated * 5).max(Duration::from_secs(10))));
    if let Some(stated) = stated.filter(|stated| up_to < stated.mul_f64(distances.time_limit_to_tle)) {
        bail!(
            "--up-to {} is too short to check the stated limit of {}\n  → measure up to at least {}",
            seconds_short(up_to),
            seconds_short(stated),
            seconds_short(stated.mul_f64(distances.time_limit_to_tle))
        );
    }
    let lower = selected.only(bounding_below(problem));
    let upper = selected.only(bounding_above(problem));
    if lower.is_empty() {
        bail!(
            "{}: there is no accepted submission to measure\n  → add one to {}",
            problem.id,
            problem.dir.join("submissions/accepted").display()
        );
    }
    let head = format!(
        "{}  {}, {} up to {}",
        problem.id,
        stated.map_or("no limit stated".to_owned(), |stated| format!("limit {}", seconds_short(stated))),
        count(lower.len() + upper.len(), "submission"),
        seconds_short(up_to)
    );
    print(&[Line::new().with(&clean(&head), Style::STRONG)], paint(workspace))?;
    let fast = lower.len();
    let report = measure(
        open(typed(args, Some(up_to)))?,
        args.language.language(&workspace.languages)?,
        selected.planned,
        lower,
        upper,
    )?;
    check(workspace, &report, fast)?;
    let (below, above) = report.submissions.split_at(fast);
    let slowest = below.iter().filter_map(|submission| bound(&workspace.settings, submission, Side::Within));
    let slowest = slowest.max_by_key(Bound::unstretched);
    let fastest = above.iter().filter_map(|submission| bound(&workspace.settings, submission, Side::Over));
    let fastest = fastest.min_by_key(Bound::unstretched);
    let slowest = slowest.context("no test was measured")?;
    let limit = distances.limit(slowest.unstretched(), fastest.as_ref().map(Bound::unstretched));
    let mut lines = vec![line("slowest", &slowest)];
    lines.extend(fastest.as_ref().map(|bound| line("fastest TLE", bound)));
    let status = match limit {
        Ok(limit) if args.write => {
            let file = time_limit::write(problem, limit)?;
            let shown = file.strip_prefix(&workspace.start).unwrap_or(&file).display().to_string();
            lines.push(labelled(
                "limit",
                &format!("{}, written to {}", seconds_short(limit), clean(&shown)),
                Style::GOOD,
            ));
            ExitStatus::Success
        }
        limit => {
            // The measured times decide about a stated limit, with and without a proposal, as in `grader run`.
            let safe = stated.map(|stated| (stated, is_safe(stated, &slowest, fastest.as_ref(), distances)));
            let safe = safe.filter(|_| !args.write);
            lines.push(proposed(&limit, safe.map(|(_, is_safe)| is_safe), fastest.as_ref(), distances));
            lines.extend(safe.map(|(stated, is_safe)| judged(stated, is_safe, limit.is_ok())));
            let is_success = safe.map_or(limit.is_ok(), |(_, is_safe)| is_safe);
            if is_success { ExitStatus::Success } else { ExitStatus::Unexpected }
        }
    };
    print(&lines, paint(workspace))?;
    Ok(status)
}

/// The line about the limit that the distances give. `stated_is_safe`: none if the problem states no limit.
fn proposed(
    limit: &Result<Duration, TooClose>,
    stated_is_safe: Option<bool>,
    fastest: Option<&Bound>,
    distances: Distances,
) -> Line {
    match (limit, stated_is_safe) {
        (Ok(limit), None) => labelled("derived", &format!("{}, which grader uses", seconds_short(*limit)), Style::GOOD),
        (Ok(limit), Some(true)) => labelled("proposal", &seconds_short(*limit), Style::PLAIN),
        (Ok(limit), Some(false)) => labelled("proposal", &seconds_short(*limit), Style::NOTICE),
        (Err(error), _) => {
            let is_cut_off = fastest.is_some_and(|bound| bound.killed);
            let why = format!(
                "{} is {} × the slowest test, and the fastest TLE takes less than {} × that{}",
                seconds_short(error.least),
                distances.ac_to_time_limit,
                distances.time_limit_to_tle,
                if is_cut_off { ", but its time is cut off: try a larger --up-to" } else { "" }
            );
            let style = if stated_is_safe == Some(true) { Style::PLAIN } else { Style::BAD };
            Line::new().with(&format!("  no limit: {why}"), style)
        }
    }
}

/// The line about the stated limit.
fn judged(stated: Duration, is_safe: bool, is_writable: bool) -> Line {
    let (words, style) = match (is_safe, is_writable) {
        (true, _) => ("keeps its distances", Style::GOOD),
        (false, true) => ("does not keep its distances (--write changes it)", Style::BAD),
        (false, false) => ("does not keep its distances", Style::BAD),
    };
    labelled("stated", &format!("{} {words}", seconds_short(stated)), style)
}

fn line(label: &str, bound: &Bound) -> Line {
    let least = if bound.killed { ">" } else { "" };
    labelled(
        label,
        &clean(&format!("{least}{}  {}  {}", seconds(bound.time), bound.submission, bound.test)),
        Style::PLAIN,
    )
}

fn labelled(label: &str, text: &str, style: Style) -> Line {
    Line::new().with(&format!("  {label:11}  "), Style::FAINT).with(text, style)
}

/// Fails if an accepted submission had an unexpected result, or any a judge error: its times would not count.
fn check(workspace: &Workspace, report: &Report, fast: usize) -> Result<()> {
    let wrong = uncounted(report, fast);
    if wrong.is_empty() {
        return Ok(());
    }
    report
        .notices
        .iter()
        .filter(|notice| notice.severity == Severity::JudgeError)
        .for_each(|notice| workspace.tell(notice));
    let mut err = std::io::stderr().lock();
    for (submission, why) in &wrong {
        let _ = writeln!(err, "error: {}", clean(&format!("{submission}: {why}")));
    }
    // Every test was run here, so the command that shows the reason runs them all.
    let problem = report.submissions.first().map(|summary| quote(summary.id.problem.as_str())).unwrap_or_default();
    let named = wrong.iter().map(|(submission, _)| quote_option("-s", submission.as_str()));
    let words: Vec<String> = std::iter::once(problem).chain(named).collect();
    let command = clean(&format!("grader run -a {}", words.join(" ")));
    let remedy = format!("  → fix these first, because their times do not count until then: {command}");
    let remedy = Line::from(remedy.as_str());
    let _ = writeln!(err, "{}", remedy.render(Paint::Plain));
    let ended = if report.has_judge_errors() { EarlyEnd::JudgeError } else { EarlyEnd::Unexpected };
    Err(ended.into())
}
