//! `grader compare`: shows what changed between two runs.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde::Serialize;

use super::arguments::{Color, open, paint};
use crate::cli::exit::ExitStatus;
use crate::cli::output::{Format, clean, print, print_json};
use crate::config::Options;
use crate::event::{Event, Notice, RunStarted, Severity, Standing, TestResult};
use crate::limits::seconds;
use crate::report::text::{Line, Style, count};
use crate::session::records::{age, find, replay};
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// Threshold for a test: its CPU time must differ by more than a quarter and by more than this duration.
const TEST_NOISE: (f64, Duration) = (1.25, Duration::from_millis(50));
/// Threshold for all tests of a submission together: more than a tenth, because noise averages out over many tests.
const SUM_NOISE: (f64, Duration) = (1.1, Duration::from_millis(50));

/// Compares two runs: changed verdicts, and slower or quicker programs
#[derive(Debug, Args)]
#[command(
    after_help = "A run is an id of `grader history`, the beginning or the last part of an id, `last`, `prev` (the \
    run before the last), or the path of a record. Without arguments, grader compares `prev` and `last`.\n\ngrader \
    compares two times only if both runs measured them (not from the cache), with the same isolation and kind of \
    processor, and if the program ran to its end. A test is slower if its CPU time grew by more than 25 % and more \
    than 50 ms. A submission is slower if the CPU time of all its tests together grew by more than 10 % and more \
    than 50 ms. Smaller changes are noise.\n\nExit status: 0, 1 something was as expected and no longer is (with \
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

/// One run with its results by submission.
struct Side {
    id: String,
    head: RunStarted,
    submissions: BTreeMap<(String, String), SubmissionResult>,
}

/// One submission in a run.
#[derive(Default)]
struct SubmissionResult {
    /// The result; none if the submission was not finished, and then it is not compared.
    told: Option<&'static str>,
    met: bool,
    /// The first failing test.
    failure: Option<String>,
    tests: BTreeMap<String, Test>,
}

struct Test {
    verdict: Option<Verdict>,
    /// The CPU time; none if it came from the cache or the program was killed.
    cpu: Option<Duration>,
}

/// The differences between the two runs.
#[derive(Serialize)]
struct Differences {
    before: String,
    after: String,
    changed: Vec<Change>,
    slower: Vec<Pace>,
    quicker: Vec<Pace>,
    added: Vec<String>,
    removed: Vec<String>,
    /// The reason why times were not compared, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    times_not_compared: Option<String>,
    /// The number of submissions in both runs.
    compared: usize,
    /// The number of tests measured in both runs.
    times_compared: usize,
}

#[derive(Serialize)]
struct Change {
    problem: String,
    submission: String,
    before: &'static str,
    after: &'static str,
    /// The test that fails now, or that failed before.
    test: Option<String>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// It was as expected and no longer is.
    Worse,
    /// It is as expected and was not.
    Better,
    /// The verdict changed, but it is as expected in both runs or in neither.
    Other,
}

#[derive(Serialize)]
struct Pace {
    problem: String,
    submission: String,
    /// None stands for all tests of the submission together.
    test: Option<String>,
    /// In seconds.
    before: f64,
    /// In seconds.
    after: f64,
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
    let found = differences(&before, &after);
    match args.format {
        Format::Json => print_json(&found)?,
        Format::Text => print(&text(&found, &before, &after), paint(&workspace))?,
    }
    let worse = found.changed.iter().any(|change| change.kind == Kind::Worse);
    let bad = worse || (args.times && !found.slower.is_empty());
    Ok(if bad { ExitStatus::Unexpected } else { ExitStatus::Success })
}

fn read(path: &Path, workspace: &Workspace) -> Result<Side> {
    let shown = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {shown}"))?;
    let mut tests: Vec<(usize, String, Test)> = Vec::new();
    let replayed = replay(file, |event, _| {
        if let Event::TestFinished(finished) = event {
            tests.push((finished.test.run.run, finished.test.test.to_string(), test(&finished.result)));
        }
    });
    let Some(head) = replayed.report.head.clone() else { return Err(replayed.nothing_in(path)) };
    if let Some(damage) = replayed.damage {
        let message = format!("grader compares only the part before the damage: {damage}");
        let path = Some(path.to_owned());
        let notice = Notice { severity: Severity::Warning, problem: None, path, message, remedy: String::new() };
        workspace.tell(&notice);
    }
    let mut judged: Vec<SubmissionResult> = Vec::new();
    for run in &replayed.report.runs {
        let failure = run.failure().map(|failure| failure.test.test.to_string());
        let met = run.standing == Some(Standing::Met);
        judged.push(SubmissionResult { told: run.told(), met, failure, tests: BTreeMap::new() });
    }
    for (run, name, test) in tests {
        judged[run].tests.insert(name, test);
    }
    let names = replayed.report.runs.iter().map(|run| (run.run.problem.to_string(), run.run.submission.to_string()));
    let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Side { id, head, submissions: names.zip(judged).collect() })
}

fn test(result: &TestResult) -> Test {
    let (verdict, measured) = match result {
        TestResult::Judged(judgement) => (Some(judgement.verdict), Some(&judgement.measured)),
        TestResult::NotJudged { measured, .. } => (None, Some(measured)),
        TestResult::JudgeError { .. } | TestResult::Cancelled => (None, None),
    };
    let cpu = measured.filter(|measured| !measured.cached && !measured.killed).map(|measured| measured.cpu);
    Test { verdict, cpu }
}

fn differences(before: &Side, after: &Side) -> Differences {
    let name = |(problem, submission): &(String, String)| format!("{problem}/{submission}");
    let only = |one: &Side, other: &Side| {
        one.submissions.keys().filter(|key| !other.submissions.contains_key(*key)).map(name).collect()
    };
    let mut found = Differences {
        before: before.id.clone(),
        after: after.id.clone(),
        changed: Vec::new(),
        slower: Vec::new(),
        quicker: Vec::new(),
        added: only(after, before),
        removed: only(before, after),
        times_not_compared: incomparable(&before.head, &after.head),
        compared: 0,
        times_compared: 0,
    };
    for (key, new) in &after.submissions {
        let Some(old) = before.submissions.get(key) else { continue };
        found.compared += 1;
        found.changed.extend(change(key, old, new));
        if found.times_not_compared.is_none() {
            paces(key, old, new, &mut found);
        }
    }
    found.changed.sort_by_key(|change| change.kind);
    found
}

/// The reason why the times of these runs cannot be compared, if any.
fn incomparable(before: &RunStarted, after: &RunStarted) -> Option<String> {
    if before.isolation != after.isolation {
        return Some(format!("the isolation was {} and is {}", clean(&before.isolation), clean(&after.isolation)));
    }
    let (old, new) = (&before.measured.machine, &after.measured.machine);
    (old != new).then(|| format!("the processor was `{}` and is `{}`", clean(old), clean(new)))
}

fn change(key: &(String, String), old: &SubmissionResult, new: &SubmissionResult) -> Option<Change> {
    let (before, after) = (old.told?, new.told?);
    let kind = match (old.met, new.met) {
        (true, false) => Kind::Worse,
        (false, true) => Kind::Better,
        _ => Kind::Other,
    };
    if before == after && kind == Kind::Other {
        return None;
    }
    let test = new.failure.clone().or_else(|| old.failure.clone());
    Some(Change { problem: key.0.clone(), submission: key.1.clone(), before, after, test, kind })
}

/// Whether `new` exceeds `old` by more than noise.
fn beyond(old: Duration, new: Duration, (factor, least): (f64, Duration)) -> bool {
    new > old.mul_f64(factor) && new > old + least
}

fn paces(key: &(String, String), old: &SubmissionResult, new: &SubmissionResult, found: &mut Differences) {
    let both = new.tests.iter().filter_map(|(name, new)| {
        let old = old.tests.get(name).filter(|old| old.verdict == new.verdict)?;
        Some((name, old.cpu?, new.cpu?))
    });
    let both: Vec<(&String, Duration, Duration)> = both.collect();
    found.times_compared += both.len();
    let sum = |which: fn(&(&String, Duration, Duration)) -> Duration| both.iter().map(which).sum::<Duration>();
    let pace = |test: Option<&String>, before: Duration, after: Duration| Pace {
        problem: key.0.clone(),
        submission: key.1.clone(),
        test: test.cloned(),
        before: before.as_secs_f64(),
        after: after.as_secs_f64(),
    };
    let (before, after) = (sum(|test| test.1), sum(|test| test.2));
    for (list, swapped) in [(&mut found.slower, false), (&mut found.quicker, true)] {
        let is_beyond = |old, new, noise| if swapped { beyond(new, old, noise) } else { beyond(old, new, noise) };
        if is_beyond(before, after, SUM_NOISE) {
            list.push(pace(None, before, after));
        }
        let worst = both.iter().filter(|(_, old, new)| is_beyond(*old, *new, TEST_NOISE));
        // Only the test with the largest difference is shown.
        if let Some((name, old, new)) = worst.max_by_key(|(_, old, new)| old.abs_diff(*new)) {
            list.push(pace(Some(name), *old, *new));
        }
    }
}

fn text(found: &Differences, before: &Side, after: &Side) -> Vec<Line> {
    let now = SystemTime::now();
    let told = |side: &Side| format!("{} ({})", clean(&side.id), age(&side.head.measured.started, now));
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
    lines.extend(found.slower.iter().map(|pace| pace_line(pace, "slower", Style::NOTICE)));
    lines.extend(found.quicker.iter().map(|pace| pace_line(pace, "quicker", Style::GOOD)));
    for (names, word) in [(&found.added, "only after"), (&found.removed, "only before")] {
        lines.extend(names.iter().map(|name| Line::new().with(&format!("  {word}: {}", clean(name)), Style::FAINT)));
    }
    if let Some(why) = &found.times_not_compared {
        lines.push(Line::new().with(&format!("  times are not compared: {why}"), Style::FAINT));
    }
    let (changed, slower) = (found.changed.len(), found.slower.len());
    let worse = found.changed.iter().filter(|change| change.kind == Kind::Worse).count();
    let compared = count(found.compared, "submission");
    let text = format!("{compared}: {changed} changed, {worse} of them worse; {slower} slower");
    let times = format!(" (times of {} compared)", count(found.times_compared, "test"));
    lines.push(Line::from(text.as_str()).with(&times, Style::FAINT));
    lines
}

fn pace_line(pace: &Pace, word: &str, style: Style) -> Line {
    let (before, after) = (Duration::from_secs_f64(pace.before), Duration::from_secs_f64(pace.after));
    let of = pace.test.as_ref().map_or("all tests".to_owned(), |test| clean(test));
    let name = format!("  {} · {}  ", clean(&pace.problem), clean(&pace.submission));
    let mut line = Line::from(name.as_str()).with(&format!("{word}: {} → {}", seconds(before), seconds(after)), style);
    line.push(&format!("  {of}"), Style::FAINT);
    line
}
