//! `grader list`: lists problems with their groups, cases and submissions.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use super::arguments::{Color, TestsetArgs, open, paint};
use crate::cli::exit::ExitStatus;
use crate::cli::output::{Format, clean, print, print_json, widest};
use crate::config::Options;
use crate::diagnostic::Diagnostic;
use crate::limits::{Bytes, seconds_short};
use crate::problem::{Pairing, ProblemKind, StandardChecker};
use crate::report::text::{Line, Style, count, pad};
use crate::session::listing::{GroupEntry, Listing, PointsEntry, ProblemEntry};

/// Lists problems; -v adds groups and submissions, -vv adds cases
#[derive(Debug, Args)]
#[command(
    after_help = "Selections work as for `grader run`: a problem, a test, a prefix, a glob or a path. `--format \
    json` always contains everything: problems with title, folder, layout, limits, groups and cases, and submissions \
    with language and expectation. Times are in seconds, sizes in bytes.\n\nExit status: 0, or 2 if a problem cannot \
    be read (the others are listed), nothing was found, or the usage is wrong."
)]
pub(super) struct ListArgs {
    /// Problems, tests, globs, paths, or problem packages as `.zip` or `.kpp`
    selection: Vec<String>,
    /// List only these submissions (repeatable)
    #[arg(short, long, value_name = "NAME")]
    submission: Vec<String>,
    /// List only these tests (repeatable)
    #[arg(short, long, value_name = "TEST")]
    test: Vec<String>,
    #[command(flatten)]
    testset: TestsetArgs,
    /// Show groups and submissions; -vv also shows cases
    #[arg(short, long, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Choose the output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Format,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
}

/// Lists the problems and returns the exit status.
pub(super) fn run(args: &ListArgs) -> Result<ExitStatus> {
    let options = Options { color: args.color.map(Into::into), ..Options::default() };
    let workspace = open(args.testset.add_to(options))?;
    let Listing { problems, found } = Listing::of(&workspace, &args.selection, &args.submission, &args.test)?;
    workspace.tell_found(&found);
    let broken = found.iter().any(Diagnostic::is_error);
    if problems.is_empty() && !broken {
        bail!("no problem was found\n  → go to a folder with a solver and `.in` files, or below a grader.toml");
    }
    match args.format {
        Format::Json => print_json(&problems)?,
        Format::Text => {
            let names = widest(problems.iter().map(|entry| entry.problem.as_str()), 28);
            let lines: Vec<Line> = problems.iter().flat_map(|entry| lines(entry, names, args.verbose)).collect();
            print(&lines, paint(&workspace))?;
        }
    }
    Ok(if broken { ExitStatus::Usage } else { ExitStatus::Success })
}

fn time(seconds: Option<f64>) -> String {
    let known = seconds.map(|seconds| seconds_short(std::time::Duration::from_secs_f64(seconds)));
    known.unwrap_or_else(|| "limit derived".to_owned())
}

fn lines(entry: &ProblemEntry, names: usize, verbose: u8) -> Vec<Line> {
    let cases: usize = entry.groups.iter().map(GroupEntry::cases_with_input).sum();
    let mut head = Line::new().with(&pad(&clean(&entry.problem), names), Style::STRONG);
    let limits = match entry.kind {
        ProblemKind::SubmitAnswer => String::new(),
        _ => format!("{} · {} · ", time(entry.limits.time_limit), Bytes(entry.limits.memory)),
    };
    let facts = format!("  {limits}{} · {}", count(cases, "case"), count(entry.submissions.len(), "submission"));
    head.push(&facts, Style::PLAIN);
    for helper in &entry.helpers {
        head.push(&format!(" · {} {}", helper.role.name(), clean(&helper.program)), Style::PLAIN);
    }
    if entry.kind != ProblemKind::PassFail {
        head.push(&format!(" · {}", entry.kind.name()), Style::PLAIN);
    }
    if let Some(label) = &entry.label {
        head.push(&format!("  {label}"), Style::FAINT);
    }
    if !entry.title.is_empty() && entry.title != entry.problem {
        head.push(&format!("  {}", clean(&entry.title)), Style::FAINT);
    }
    let reason = |pairing: Pairing| Line::new().with(&format!("  its tests: {}", pairing.reason()), Style::FAINT);
    let mut lines: Vec<Line> = std::iter::once(head).chain(entry.pairing.map(reason)).collect();
    if verbose > 0 {
        lines.extend(group_lines(entry, verbose > 1));
        lines.extend(submission_lines(entry));
        lines.extend(testset_line(&entry.testsets));
        let checker =
            |checker: StandardChecker| format!("  checker {checker} of testlib, built in: {}", checker.summary());
        lines.extend(entry.checker.map(|standard| Line::new().with(&checker(standard), Style::FAINT)));
        let document =
            |path: &PathBuf| Line::new().with(&format!("  {}", clean(&path.display().to_string())), Style::FAINT);
        lines.extend(entry.documents.iter().map(document));
    }
    lines
}

/// The names of the testsets, if there are several.
fn testset_line(testsets: &[String]) -> Option<Line> {
    let (judged, others) = testsets.split_first().filter(|(_, others)| !others.is_empty())?;
    let others: Vec<String> = others.iter().map(|name| clean(name)).collect();
    let text = format!("  testset {}; others: {} (--testset NAME)", clean(judged), others.join(", "));
    Some(Line::new().with(&text, Style::FAINT))
}

fn points(most: f64) -> String {
    format!("{most} {}", if (most - 1.0).abs() < 1e-9 { "point" } else { "points" })
}

fn group_lines(entry: &ProblemEntry, every_case: bool) -> Vec<Line> {
    let name_of = |group: &GroupEntry| if group.group.is_empty() { "(cases)".to_owned() } else { clean(&group.group) };
    let names: Vec<String> = entry.groups.iter().map(name_of).collect();
    let columns = widest(names.iter().map(String::as_str), 40);
    let mut lines = Vec::new();
    for (group, name) in entry.groups.iter().zip(&names) {
        let mut line =
            Line::from(format!("  {}  {}", pad(name, columns), count(group.cases_with_input(), "case")).as_str());
        match group.points {
            Some(PointsEntry { max_score: Some(most) }) => line.push(&format!(" · {}", points(most)), Style::PLAIN),
            Some(PointsEntry { max_score: None }) => line.push(" · unbounded points", Style::PLAIN),
            None => {}
        }
        if group.limits != entry.limits {
            let own = format!("  own limits: {} · {}", time(group.limits.time_limit), Bytes(group.limits.memory));
            line.push(&own, Style::FAINT);
        }
        let documents: BTreeSet<&Path> = group.cases.iter().filter_map(|case| case.answer_in.as_deref()).collect();
        for document in documents {
            line.push(&format!("  answers in {}", clean(&document.display().to_string())), Style::FAINT);
        }
        lines.push(line);
        for case in group.cases.iter().filter(|_| every_case) {
            let mut line = Line::from(format!("    {}", clean(&case.case)).as_str());
            match (&case.input, &case.answer) {
                (None, _) => line.push("  judges the sources", Style::FAINT),
                (_, None) => line.push("  no answer", Style::NOTICE),
                _ => {}
            }
            lines.push(line);
        }
    }
    lines
}

fn submission_lines(entry: &ProblemEntry) -> Vec<Line> {
    let names: Vec<String> = entry.submissions.iter().map(|found| clean(&found.submission)).collect();
    let columns = widest(names.iter().map(String::as_str), 60);
    let mut lines = Vec::new();
    for (submission, name) in entry.submissions.iter().zip(&names) {
        let mut line = Line::from(format!("  {}  ", pad(name, columns)).as_str());
        match (&submission.language, &submission.problem) {
            (Some(language), _) => line.push(&pad(language, 10), Style::PLAIN),
            (None, why) => line.push(&pad(why.as_deref().unwrap_or_default(), 10), Style::NOTICE),
        }
        line.push(&format!("  expected {}", submission.expected), Style::PLAIN);
        let differs = |(own, of_problem): (f64, f64)| (own - of_problem).abs() > 1e-9;
        if submission.time_limit.zip(entry.limits.time_limit).is_some_and(differs) {
            line.push(&format!(" · {}", time(submission.time_limit)), Style::PLAIN);
        }
        if submission.reference {
            line.push("  reference", Style::FAINT);
        }
        lines.push(line);
    }
    lines
}
