//! `grader history`: the runs there were.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};

use super::arguments::{Color, Setup};
use super::exit::ExitStatus;
use super::notice::{show_notice, store_notice};
use super::output::{Format, clean, count, print, print_json};
use super::records::{age, replay};
use crate::config::Options;
use crate::event::{Command, Event, Notice, Severity, TestFinished, TestResult, Verb};
use crate::glob::Glob;
use crate::limits::Bytes;
use crate::record::Report;
use crate::report::text::{Line, Style, pad};
use crate::store::{RunDigest, Store, Taken};
use crate::suggest;

/// What is read at the end of a run, at most: its own record, and others that nobody has read yet.
const AFTER_A_RUN: Bytes = Bytes::mib(32);

/// Lists earlier runs, newest first
#[derive(Debug, Args)]
#[command(
    after_help = "Each run saves a record. Name it to `grader compare`, `grader rerun` and other commands by its id, \
    the beginning or the last part of the id, `last` or `prev`. grader keeps the newest 1000 records (`keep_runs` in \
    grader.toml; 0 keeps all).\n\nPASS, FAIL: everything was as expected, or not. JUDGED: no verdict was expected. \
    INTERRUPTED: ended by a signal. UNFINISHED: the grader was killed. RUNNING: not finished yet.\n\nExit status: 0, \
    or 2 for no record or a usage error."
)]
pub(super) struct HistoryArgs {
    /// List only runs of these problems
    #[arg(value_name = "PROBLEM")]
    problems: Vec<String>,
    /// List at most N runs; 0 lists all
    #[arg(short, long, value_name = "N", default_value_t = 20)]
    number: usize,
    /// Choose the output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Format,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
}

/// What the index keeps of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Summary {
    started: String,
    verb: Verb,
    #[serde(default)]
    command: Command,
    isolation: String,
    problems: Vec<String>,
    submissions: usize,
    as_expected: usize,
    unexpected: usize,
    not_judged: usize,
    judge_errors: usize,
    not_finished: usize,
    errors: usize,
    results: usize,
    cached: usize,
    /// Seconds; none where the run has no end.
    wall: Option<f64>,
    interrupted: bool,
    /// What is wrong with the record itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    damage: Option<String>,
}

#[derive(Serialize)]
struct RunEntry {
    id: String,
    state: State,
    #[serde(flatten)]
    summary: Summary,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Passed,
    Failed,
    Interrupted,
    Unfinished,
    Running,
}

/// Lists, and returns how the process ends.
pub(super) fn run(args: &HistoryArgs) -> Result<ExitStatus> {
    let setup = Setup::new(Options { color: args.color.map(Into::into), ..Options::default() })?;
    let dir = setup.settings.store_dir();
    let taken = if dir.is_dir() { taken(&dir, &setup)? } else { Vec::new() };
    if taken.is_empty() {
        bail!("there is no record of a run in {}\n  → create one: grader run", dir.display());
    }
    let meant = patterns(&args.problems)?;
    let limit = if args.number == 0 { usize::MAX } else { args.number };
    let readable = taken.into_iter().filter_map(|taken| match summary_of(&taken) {
        Ok(summary) => Some(entry(taken, summary)),
        Err(error) => {
            let (message, remedy) = (format!("cannot read: {error}"), String::new());
            let path = Some(taken.record.path.clone());
            show_notice(&Notice { severity: Severity::Warning, problem: None, path, message, remedy }, setup.paint);
            None
        }
    });
    let entries: Vec<RunEntry> = readable.collect();
    if entries.is_empty() {
        bail!("no record of a run in {} can be read", dir.display());
    }
    let known: BTreeSet<&str> = entries.iter().flat_map(|entry| &entry.summary.problems).map(String::as_str).collect();
    let is_unknown = |(_, glob): &(&String, &Glob)| !known.iter().any(|problem| glob.matches(problem));
    if let Some((word, _)) = args.problems.iter().zip(&meant).find(is_unknown) {
        bail!("no run graded `{}`{}", clean(word), suggest::hint(word, known.iter().copied()));
    }
    let is_meant = |entry: &RunEntry| {
        meant.is_empty() || entry.summary.problems.iter().any(|problem| meant.iter().any(|glob| glob.matches(problem)))
    };
    let entries: Vec<RunEntry> = entries.into_iter().filter(is_meant).take(limit).collect();
    match args.format {
        Format::Json => print_json(&entries)?,
        Format::Text => print(&table(&entries, SystemTime::now()), setup.paint)?,
    }
    Ok(ExitStatus::Success)
}

fn taken(dir: &Path, setup: &Setup) -> Result<Vec<Taken>> {
    let (store, notices) = Store::open(dir);
    for notice in &notices {
        show_notice(&store_notice(notice), setup.paint);
    }
    if !store.is_enabled() {
        bail!("{} cannot be used", dir.display());
    }
    store.take_in_runs(Bytes(u64::MAX), digest).with_context(|| format!("cannot read {}", dir.join("runs").display()))
}

fn patterns(words: &[String]) -> Result<Vec<Glob>> {
    let parse = |word: &String| {
        Glob::any(word.trim_end_matches('/')).map_err(|why| anyhow::anyhow!("`{word}` is not a valid glob: {why}"))
    };
    words.iter().map(parse).collect()
}

/// What is known of a run. The index may have it from a program of another version: then it is made anew.
fn summary_of(taken: &Taken) -> std::io::Result<Summary> {
    let known = taken.summary.as_deref().and_then(|text| serde_json::from_str(text).ok());
    if let Some(known) = known {
        return Ok(known);
    }
    serde_json::from_str(&digest(taken.record.open()?).summary).map_err(std::io::Error::other)
}

fn entry(taken: Taken, summary: Summary) -> RunEntry {
    let failed = summary.unexpected + summary.judge_errors + summary.errors > 0 || summary.as_expected == 0;
    let state = match summary.wall {
        Some(_) if summary.interrupted => State::Interrupted,
        Some(_) if failed => State::Failed,
        Some(_) => State::Passed,
        None if taken.record.is_being_written() => State::Running,
        None => State::Unfinished,
    };
    RunEntry { id: taken.record.id, state, summary }
}

fn table(entries: &[RunEntry], now: SystemTime) -> Vec<Line> {
    let columns = entries.iter().map(|entry| entry.id.len()).max().unwrap_or(0);
    entries.iter().map(|entry| row(entry, columns, now)).collect()
}

fn row(entry: &RunEntry, columns: usize, now: SystemTime) -> Line {
    let Summary { started, problems, submissions, results, cached, wall, .. } = &entry.summary;
    let mut line = Line::new().with(&pad(&entry.id, columns), Style::FAINT);
    line.push(&format!("  {:>10}  ", age(started, now)), Style::PLAIN);
    let (word, style) = match entry.state {
        // Nothing was expected of it.
        State::Passed if entry.summary.verb == Verb::Judge => ("JUDGED", Style::PLAIN),
        State::Passed => ("PASS", Style::GOOD),
        State::Failed => ("FAIL", Style::BAD),
        State::Interrupted => ("INTERRUPTED", Style::NOTICE),
        State::Unfinished => ("UNFINISHED", Style::NOTICE),
        State::Running => ("RUNNING", Style::NOTICE),
    };
    line.push(&pad(word, 11), style.bold());
    let what = match &**problems {
        [] => "nothing".to_owned(),
        [problem] => clean(problem),
        several => format!("{} problems", several.len()),
    };
    line.push(&format!("  {what}, {}", count(*submissions, "submission")), Style::PLAIN);
    line.push(&format!(" · {}", outcome(&entry.summary)), Style::PLAIN);
    let cached = if *cached > 0 { format!(" ({cached} cached)") } else { String::new() };
    line.push(&format!(" · {}{cached}", count(*results, "result")), Style::PLAIN);
    if let Some(wall) = wall {
        line.push(&format!(" · {wall:.1} s"), Style::PLAIN);
    }
    if !matches!(entry.summary.command, Command::Run | Command::Judge) {
        line.push(&format!("  {}", entry.summary.command.name()), Style::FAINT);
    }
    if let Some(damage) = &entry.summary.damage {
        line.push(&format!("  the record is damaged: {}", clean(damage)), Style::NOTICE);
    }
    line
}

fn outcome(summary: &Summary) -> String {
    let fine = if summary.verb == Verb::Judge { "judged" } else { "as expected" };
    let mut parts = vec![format!("{} {fine}", summary.as_expected)];
    let rest = [
        (summary.unexpected, "unexpected"),
        (summary.not_judged, "not judged"),
        (summary.judge_errors, "with judge errors"),
        (summary.not_finished, "not finished"),
        (summary.errors, if summary.errors == 1 { "error" } else { "errors" }),
    ];
    parts.extend(rest.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
    parts.join(", ")
}

/// Makes the index know the run that has just ended, and removes records beyond those that are kept.
pub(super) fn keep(store: &Store, keep_runs: u32) {
    if keep_runs > 0 {
        store.prune_runs(keep_runs as usize);
    }
    // What cannot be read now is read when somebody asks.
    let _ = store.take_in_runs(AFTER_A_RUN, digest);
}

/// What is worth keeping of a record.
fn digest(file: File) -> RunDigest {
    let mut durations: BTreeMap<String, (Duration, u32)> = BTreeMap::new();
    let replayed = replay(file, |event, _| {
        if let Event::TestFinished(finished) = event
            && let Some((subject, wall)) = measured(finished)
        {
            let (sum, n) = durations.entry(subject).or_default();
            *sum += wall;
            *n += 1;
        }
    });
    let damage = replayed.damage.map(|damage| damage.to_string());
    let summary = summary(&replayed.report, replayed.finished, damage);
    let durations = durations.into_iter().map(|(subject, (sum, n))| (subject, sum / n)).collect();
    // Plain data always becomes JSON.
    RunDigest { summary: serde_json::to_string(&summary).unwrap_or_default(), durations }
}

/// The name under which the mean duration of a submission's tests is kept.
pub(super) fn subject(problem: &str, submission: &str) -> String {
    format!("{problem}/{submission}")
}

/// How long a test took, where it was run and not remembered.
fn measured(finished: &TestFinished) -> Option<(String, Duration)> {
    let measured = match &finished.result {
        TestResult::Judged(judgement) => &judgement.measured,
        TestResult::NotJudged { measured, .. } => measured,
        TestResult::JudgeError { .. } | TestResult::Cancelled => return None,
    };
    let run = &finished.test.run;
    (!measured.cached).then(|| (subject(run.problem.as_str(), run.submission.as_str()), measured.wall))
}

fn summary(report: &Report, finished: bool, damage: Option<String>) -> Summary {
    let counts = report.counts();
    let (results, cached) = report.results();
    let head = report.head.as_ref();
    Summary {
        started: head.map(|head| head.measured.started.clone()).unwrap_or_default(),
        verb: head.map(|head| head.verb).unwrap_or_default(),
        command: head.map(|head| head.command).unwrap_or_default(),
        isolation: head.map(|head| head.isolation.clone()).unwrap_or_default(),
        problems: head.into_iter().flat_map(|head| &head.problems).map(|found| found.problem.to_string()).collect(),
        submissions: report.runs.len(),
        as_expected: counts.met,
        unexpected: counts.missed,
        not_judged: counts.not_judged,
        judge_errors: counts.judge_errors,
        not_finished: counts.interrupted,
        errors: report.notices_from(Severity::Error),
        results,
        cached,
        wall: finished.then_some(report.wall.as_secs_f64()),
        interrupted: report.interrupted,
        damage,
    }
}
