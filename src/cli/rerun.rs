//! `grader rerun`: repeats the unexpected results of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::arguments::{HowArgs, ShowArgs, open, paint};
use crate::cli::exit::{ExitStatus, status_of};
use crate::cli::output::{clean, print};
use crate::event::{Command, Event, Notice, Severity, Standing, TestFinished, TestResult};
use crate::package::diagnostic::Diagnostic;
use crate::plan::Plan;
use crate::record::SubmissionReport;
use crate::report::terminal::Terminal;
use crate::report::text::{Line, Style, count};
use crate::session::records::{find, replay};
use crate::session::select::{Choice, Chosen, Programs, choose};
use crate::session::{Conducted, Role, Session};
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// Repeats only the unexpected results of the last run
#[derive(Debug, Args)]
#[command(
    after_help = "A submission that should be accepted runs again on the tests that it failed. A submission that \
    should fail runs again on all tests of that run, because it may now fail on another one. \
    Interrupted submissions and those with a judge error run completely. The repetition is a run like any other: a \
    second `rerun` repeats the unexpected results of the first.\n\ngrader does not remember options of that run such \
    as --checker or --time-limit: give them again.\n\nExit status: as for `grader run`; 0 if there is nothing to \
    repeat."
)]
pub(super) struct RerunArgs {
    /// Run to repeat: an id of `grader history`, a part of an id, `last` or `prev`
    #[arg(value_name = "RUN", default_value = "last")]
    run: String,
    /// Repeat the last run; the default
    #[arg(long, conflicts_with = "run")]
    last: bool,
    /// Print the plan and run nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten, next_help_heading = "Execution options")]
    how: HowArgs,
    #[command(flatten, next_help_heading = "Display options")]
    show: ShowArgs,
}

/// A submission to repeat.
struct Wanted {
    /// The word that selects its problem.
    problem: String,
    /// The submission's name, or the path of a program outside the problem.
    submission: String,
    /// The shell command, if the submission is one.
    command: Option<String>,
    /// The tests to repeat; none means all.
    tests: Option<BTreeSet<String>>,
}

/// Repeats the unexpected results and returns the exit status.
pub(super) fn run(args: &RerunArgs) -> Result<ExitStatus> {
    let workspace = open(args.show.add_to(args.how.options()))?;
    let language = args.how.hand.language.language(&workspace.languages)?;
    let path = find(&workspace.settings.store_dir(), &args.run)?;
    let wanted = read(&path)?;
    let id = clean(&path.file_stem().unwrap_or_default().to_string_lossy());
    if wanted.is_empty() {
        print(&[Line::from(format!("nothing was unexpected in {id}: nothing to repeat").as_str())], paint(&workspace))?;
        return Ok(ExitStatus::Success);
    }
    let (plan, found, missing) = plan(&workspace, args, language.as_deref(), &wanted)?;
    show_missing(&missing, &workspace);
    if plan.runs.is_empty() {
        workspace.tell_found(&found);
        bail!("nothing that was unexpected in {id} exists any more");
    }
    let plan = Plan { all_tests: workspace.settings.all_tests, ..plan };
    let head = format!("repeating {} of {id}", count(plan.runs.len(), "submission"));
    print(&[Line::new().with(&head, Style::FAINT)], paint(&workspace))?;
    if args.dry_run {
        workspace.tell_found(&found);
        print(&planned(&plan), paint(&workspace))?;
        return Ok(ExitStatus::Success);
    }
    let strict = workspace.settings.strict;
    let terminal = Box::new(Terminal::new(io::stdout(), args.show.terminal_options(&workspace)));
    let session = Session::new(workspace, Role::Asked(Command::Rerun), language, found, plan);
    let session = Session { options: args.how.again(), ..session }.with_time_limits()?;
    let Conducted { report, signal } = session.conduct(vec![terminal])?;
    Ok(status_of(&report, signal, strict))
}

/// The submissions of a record to repeat.
fn read(path: &Path) -> Result<Vec<Wanted>> {
    let shown = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {shown}"))?;
    let mut failed: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    let replayed = replay(file, |event, _| {
        if let Event::TestFinished(TestFinished { test, result }) = event
            && !is_accepted(result)
        {
            failed.entry(test.run.run).or_default().insert(test.test.to_string());
        }
    });
    if replayed.report.head.is_none() {
        return Err(replayed.nothing_in(path));
    }
    let wanted =
        replayed.report.runs.into_iter().enumerate().filter(|(_, run)| is_unexpected(run)).map(|(index, run)| {
            // grader wrote these words by the same rules. Without them, the submission is found by its name alone.
            let words = shlex::split(&run.again).unwrap_or_default();
            Wanted {
                problem: run.chosen_by.clone(),
                submission: value_of("-s", &words).unwrap_or_else(|| run.run.submission.to_string()),
                command: value_of("-c", &words),
                // Repeating some of the tests is enough only if each of them must be accepted.
                tests: failed
                    .remove(&index)
                    .filter(|_| run.expected == "AC" && run.verdict.is_some() && is_missed(&run)),
            }
        });
    Ok(wanted.collect())
}

/// The value of an option at the start of `words`: the next word, or the part after `=`.
fn value_of(option: &str, words: &[String]) -> Option<String> {
    match words {
        [first, value, ..] if first == option => Some(value.clone()),
        [first, ..] => first.strip_prefix(option)?.strip_prefix('=').map(str::to_owned),
        [] => None,
    }
}

fn is_accepted(result: &TestResult) -> bool {
    match result {
        TestResult::Judged(judgement) => judgement.verdict == Verdict::Accepted,
        TestResult::NotJudged { .. } => true,
        TestResult::JudgeError { .. } | TestResult::Cancelled => false,
    }
}

fn is_missed(run: &SubmissionReport) -> bool {
    matches!(run.standing, Some(Standing::Missed { .. }))
}

fn is_unexpected(run: &SubmissionReport) -> bool {
    !matches!(run.standing, Some(Standing::Met | Standing::NotJudged { .. }))
}

/// The plan, the findings about its problems, and the names that no longer exist.
fn plan(
    workspace: &Workspace,
    args: &RerunArgs,
    language: Option<&str>,
    wanted: &[Wanted],
) -> Result<(Plan, Vec<Diagnostic>, Vec<String>)> {
    let mut by_problem: BTreeMap<&str, Vec<&Wanted>> = BTreeMap::new();
    for one in wanted {
        by_problem.entry(&one.problem).or_default().push(one);
    }
    let (mut plan, mut found, mut missing) = (Plan::default(), Vec::new(), Vec::new());
    for (problem, of_it) in by_problem {
        let (commands, programs): (Vec<&Wanted>, Vec<&Wanted>) =
            of_it.into_iter().partition(|one| one.command.is_some());
        let outside = |one: &&Wanted| workspace.start.join(&one.submission).exists();
        let (outside, own): (Vec<&Wanted>, Vec<&Wanted>) = programs.into_iter().partition(outside);
        let mut add = |submissions: &[String], command: Option<&str>, of_it: &[&Wanted]| -> Result<()> {
            let selection = [problem.to_owned()];
            let choice = Choice {
                start: &workspace.start,
                selection: &selection,
                submissions,
                tests: &[],
                command,
                output_validator: args.how.hand.checker.output_validator(&workspace.start)?,
                programs: Programs::Run(language),
            };
            // Nothing has this name any more, so it is reported as missing.
            let Ok(Chosen { plan: whole, found: told }) = choose(&workspace.settings, &workspace.languages, &choice)
            else {
                missing.extend(of_it.iter().map(|one| format!("{problem}/{}", one.submission)));
                return Ok(());
            };
            found.extend(told);
            add_parts(&mut plan, &whole, of_it, &mut missing);
            Ok(())
        };
        if !own.is_empty() {
            add(&[], None, &own)?;
        }
        for one in outside {
            add(std::slice::from_ref(&one.submission), None, &[one])?;
        }
        for one in commands {
            add(&[], one.command.as_deref(), &[one])?;
        }
    }
    found.dedup();
    Ok((plan, found, missing))
}

/// Adds a problem to the plan once for each set of tests.
fn add_parts(plan: &mut Plan, whole: &Plan, wanted: &[&Wanted], missing: &mut Vec<String>) {
    let mut sets: BTreeMap<Option<&BTreeSet<String>>, Vec<&str>> = BTreeMap::new();
    for one in wanted {
        sets.entry(one.tests.as_ref()).or_default().push(&one.submission);
    }
    for (tests, submissions) in sets {
        for submission in &submissions {
            if !whole.runs.iter().any(|run| run.run.submission.as_str() == *submission) {
                missing.push(format!("{}/{submission}", wanted[0].problem));
            }
        }
        for (problem, planned) in whole.problems.iter().enumerate() {
            let is_meant = |run: &usize| submissions.contains(&whole.runs[*run].run.submission.as_str());
            let runs: Vec<usize> = planned.runs.clone().filter(is_meant).collect();
            let has_test = |name: &crate::problem::TestId| tests.is_none_or(|tests| tests.contains(name.as_str()));
            if !runs.is_empty() && planned.names.iter().any(has_test) {
                plan.add_part(whole, problem, &runs, has_test);
            } else if !runs.is_empty() {
                let names = tests.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(", ");
                missing.push(format!("{}: {names}", planned.problem.id));
            }
        }
    }
}

fn show_missing(missing: &[String], workspace: &Workspace) {
    for name in missing {
        let message = format!("{name} was unexpected and no longer exists");
        let notice = Notice { severity: Severity::Warning, problem: None, path: None, message, remedy: String::new() };
        workspace.tell(&notice);
    }
}

/// One line for each submission, with the tests that it would run on.
fn planned(plan: &Plan) -> Vec<Line> {
    let mut lines = Vec::new();
    for run in &plan.runs {
        let names: Vec<String> = plan.problems[run.problem].names.iter().map(|name| clean(name.as_str())).collect();
        let name = format!("{} · {}  ", clean(run.run.problem.as_str()), clean(run.run.submission.as_str()));
        lines.push(Line::from(name.as_str()).with(&names.join(", "), Style::FAINT));
    }
    lines
}
