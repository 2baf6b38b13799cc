//! `grader compare`: shows what changed between two runs.

use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Result, bail};
use clap::Args;

use super::arguments::{Color, open, paint};
use crate::cli::exit::ExitStatus;
use crate::cli::output::{Format, clean, print, print_json};
use crate::config::Options;
use crate::diagnostic::Diagnostic;
use crate::limits::seconds;
use crate::report::grade::number;
use crate::report::text::{Line, Style, count};
use crate::session::comparison::{Differences, Kind, Pace, PointsChange, Side};
use crate::session::records::{age, find};
use crate::workspace::Workspace;

/// Compares two runs: changed verdicts and points, and slower or quicker programs
#[derive(Debug, Args)]
#[command(
    after_help = "A run is an id of `grader history`, the beginning or the last part of an id, `last`, `prev` (the \
    run before the last), or the path of a record. Without arguments, grader compares `prev` and `last`.\n\ngrader \
    compares two times only if both runs measured them (not from the cache), with the same isolation and kind of \
    processor, and if the program ran to its end. A test is slower if its CPU time grew by more than 25 % and more \
    than 50 ms. A submission is slower if the CPU time of all its tests together grew by more than 10 % and more \
    than 50 ms. Smaller changes are noise.\n\nExit status: 0, 1 something was as expected and no longer is, or in `judge` AC (with \
    --times also: something became slower), 2 usage error or a record that cannot be read."
)]
pub(super) struct CompareArgs {
    /// Earlier run
    #[arg(value_name = "OLD", default_value = "prev")]
    before: String,
    /// Later run
    #[arg(value_name = "NEW", default_value = "last")]
    after: String,
    /// Exit with 1 also if a program became slower
    #[arg(long)]
    times: bool,
    /// Choose the output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Format,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
}

/// Compares the runs and returns the exit status.
pub(super) fn run(args: &CompareArgs) -> Result<ExitStatus> {
    let workspace = open(Options { color: args.color.map(Into::into), ..Options::default() })?;
    let dir = workspace.settings.store_dir();
    let paths = [find(&dir, &args.before)?, find(&dir, &args.after)?];
    if paths[0] == paths[1] {
        bail!("both are the same run");
    }
    let [before, after] = [read(&paths[0], &workspace)?, read(&paths[1], &workspace)?];
    let found = Differences::between(&before, &after);
    match args.format {
        Format::Json => print_json(&found)?,
        Format::Text => print(&text(&found, &before, &after), paint(&workspace))?,
    }
    let bad = found.worse() > 0 || (args.times && !found.slower.is_empty());
    Ok(if bad { ExitStatus::Unexpected } else { ExitStatus::Success })
}

/// Reads one run, and warns if its record is damaged.
fn read(path: &Path, workspace: &Workspace) -> Result<Side> {
    let side = Side::read(path)?;
    if let Some(damage) = &side.damage {
        let message = format!("grader compares only the part before the damage: {damage}");
        workspace.tell(&Diagnostic::warning(path, message));
    }
    Ok(side)
}

fn text(found: &Differences, before: &Side, after: &Side) -> Vec<Line> {
    let now = SystemTime::now();
    let told = |side: &Side| format!("{} ({})", clean(&side.id), age(&side.started, now));
    let mut lines = vec![Line::new().with(&format!("{} → {}", told(before), told(after)), Style::FAINT)];
    for change in &found.changed {
        let (mark, style) = match change.kind {
            Kind::Worse => ("✗", Style::BAD),
            Kind::Better => ("✓", Style::GOOD),
            Kind::Other => ("~", Style::NOTICE),
        };
        let name = format!(" {} · {}  ", clean(&change.problem), clean(&change.submission));
        let mut line = Line::new().with(mark, style).with(&name, Style::PLAIN);
        line.push(&format!("{} → {}", change.before, change.after), style.bold());
        line.push(&change.test.as_ref().map(|test| format!("  {}", clean(test))).unwrap_or_default(), Style::FAINT);
        lines.push(line);
    }
    lines.extend(found.points.iter().map(points_line));
    lines.extend(found.slower.iter().map(|pace| pace_line(pace, "slower", Style::NOTICE)));
    lines.extend(found.quicker.iter().map(|pace| pace_line(pace, "quicker", Style::GOOD)));
    for (names, word) in [(&found.added, "only in the later run"), (&found.removed, "only in the earlier run")] {
        lines.extend(names.iter().map(|name| Line::new().with(&format!("  {word}: {}", clean(name)), Style::FAINT)));
    }
    if let Some(why) = &found.times_not_compared {
        lines.push(Line::new().with(&format!("  times are not compared: {why}"), Style::FAINT));
    }
    let changed = found.changed.len();
    let worse = found.worse();
    let slower = found.slower.len();
    let compared = count(found.compared, "submission");
    let points = match found.points.len() {
        0 => String::new(),
        more => format!("; points changed in {}", count(more, "cell")),
    };
    let text = format!("{compared}: {changed} changed, {worse} of them worse{points}; {slower} slower");
    let times = format!(" (times of {} compared)", count(found.times_compared, "test"));
    lines.push(Line::from(text.as_str()).with(&times, Style::FAINT));
    lines
}

fn points_line(change: &PointsChange) -> Line {
    let shown = |points: Option<f64>| points.map_or("none".to_owned(), number);
    let problem = change.problem.as_deref().map_or("total".to_owned(), clean);
    let name = format!("  {problem} · {}  ", clean(&change.student));
    let (before, after) = (shown(change.before), shown(change.after));
    Line::from(name.as_str()).with(&format!("points: {before} → {after}"), Style::NOTICE)
}

fn pace_line(pace: &Pace, word: &str, style: Style) -> Line {
    let (before, after) = (Duration::from_secs_f64(pace.before), Duration::from_secs_f64(pace.after));
    let of = pace.test.as_ref().map_or("all tests".to_owned(), |test| clean(test));
    let name = format!("  {} · {}  ", clean(&pace.problem), clean(&pace.submission));
    let mut line = Line::from(name.as_str()).with(&format!("{word}: {} → {}", seconds(before), seconds(after)), style);
    line.push(&format!("  {of}"), Style::FAINT);
    line
}
