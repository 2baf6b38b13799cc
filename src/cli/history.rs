//! `grader history`: lists earlier runs.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde::Serialize;

use super::arguments::{Color, open, paint};
use crate::cli::exit::ExitStatus;
use crate::cli::output::{Format, clean, print, print_json};
use crate::config::Options;
use crate::diagnostic::Diagnostic;
use crate::event::Verb;
use crate::glob::Glob;
use crate::report::text::{Line, Style, count, pad};
use crate::session::history_entry::{self, Summary};
use crate::session::records::age;
use crate::store::{IndexedRecord, Store};
use crate::suggest;
use crate::workspace::Workspace;
use crate::workspace::notices::store_notice;

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

#[derive(Serialize)]
struct RunEntry {
    id: String,
    state: RunStatus,
    #[serde(flatten)]
    summary: Summary,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum RunStatus {
    Passed,
    Failed,
    Interrupted,
    Unfinished,
    Running,
}

/// Lists the runs and returns the exit status.
pub(super) fn run(args: &HistoryArgs) -> Result<ExitStatus> {
    let workspace = open(Options { color: args.color.map(Into::into), ..Options::default() })?;
    let dir = workspace.settings.store_dir();
    let taken = if dir.is_dir() { taken(&dir, &workspace)? } else { Vec::new() };
    if taken.is_empty() {
        bail!("there is no record of a run in {}\n  → create one: grader run, or grader judge", dir.display());
    }
    let meant = patterns(&args.problems)?;
    let limit = if args.number == 0 { usize::MAX } else { args.number };
    let readable = taken.into_iter().filter_map(|taken| match Summary::of(&taken) {
        Ok(summary) => Some(entry(taken, summary)),
        Err(error) => {
            workspace.tell(&Diagnostic::warning(&taken.record.path, format!("cannot read: {error}")));
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
        Format::Text => print(&table(&entries, SystemTime::now()), paint(&workspace))?,
    }
    Ok(ExitStatus::Success)
}

fn taken(dir: &Path, workspace: &Workspace) -> Result<Vec<IndexedRecord>> {
    let (store, notices) = Store::open(dir);
    for notice in &notices {
        workspace.tell(&store_notice(notice));
    }
    if !store.is_enabled() {
        bail!("{} cannot be used", dir.display());
    }
    history_entry::take_in_all(&store).with_context(|| format!("cannot read {}", dir.join("runs").display()))
}

fn patterns(words: &[String]) -> Result<Vec<Glob>> {
    let parse = |word: &String| {
        Glob::any(word.trim_end_matches('/')).map_err(|why| anyhow::anyhow!("`{word}` is not a valid glob: {why}"))
    };
    words.iter().map(parse).collect()
}

fn entry(taken: IndexedRecord, summary: Summary) -> RunEntry {
    let failed = summary.unexpected + summary.judge_errors + summary.errors > 0 || summary.as_expected == 0;
    let state = match summary.wall {
        Some(_) if summary.interrupted => RunStatus::Interrupted,
        Some(_) if failed => RunStatus::Failed,
        Some(_) => RunStatus::Passed,
        None if taken.record.is_being_written() => RunStatus::Running,
        None => RunStatus::Unfinished,
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
        // A run of `judge` has no expected results.
        RunStatus::Passed if entry.summary.verb == Verb::Judge => ("JUDGED", Style::PLAIN),
        RunStatus::Passed => ("PASS", Style::GOOD),
        RunStatus::Failed => ("FAIL", Style::BAD),
        RunStatus::Interrupted => ("INTERRUPTED", Style::NOTICE),
        RunStatus::Unfinished => ("UNFINISHED", Style::NOTICE),
        RunStatus::Running => ("RUNNING", Style::NOTICE),
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
    line.push(&format!("  {}", entry.summary.command.name()), Style::FAINT);
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
