//! `grader list`: lists problems with their groups, cases and submissions.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;

use super::arguments::{Color, open, paint};
use crate::cli::exit::ExitStatus;
use crate::cli::output::{Format, clean, print, print_json, widest};
use crate::compile::language_of;
use crate::config::Options;
use crate::limits::{Bytes, seconds_short};
use crate::package::diagnostic::Diagnostic;
use crate::plan::PlannedProblem;
use crate::problem::{Label, Layout, Problem, ProblemKind, Program, Submission, TestGroup};
use crate::report::text::{Line, Style, count, pad};
use crate::session::archives::Unpacked;
use crate::session::select::{Choice, Chosen, Programs, choose};
use crate::workspace::Workspace;

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

/// A problem in the list.
#[derive(Serialize)]
struct ProblemEntry {
    problem: String,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<Label>,
    dir: PathBuf,
    layout: Layout,
    #[serde(rename = "type")]
    kind: ProblemKind,
    limits: LimitsEntry,
    groups: Vec<GroupEntry>,
    submissions: Vec<SubmissionEntry>,
}

#[derive(Serialize, PartialEq, Clone)]
struct LimitsEntry {
    /// In seconds; none if the limit is derived from the submissions.
    time_limit: Option<f64>,
    memory: u64,
    output: u64,
}

#[derive(Serialize)]
struct GroupEntry {
    group: String,
    limits: LimitsEntry,
    cases: Vec<CaseEntry>,
}

#[derive(Serialize)]
struct CaseEntry {
    case: String,
    /// None for the static validation of a group.
    input: Option<PathBuf>,
    answer: Option<PathBuf>,
}

#[derive(Serialize)]
struct SubmissionEntry {
    submission: String,
    path: Option<PathBuf>,
    /// None if the language cannot be determined; `problem` has the reason.
    language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    expected: String,
    reference: bool,
    /// In seconds, with the factor of its language; none if the limit is derived from the submissions.
    time_limit: Option<f64>,
}

/// Lists the problems and returns the exit status.
pub(super) fn run(args: &ListArgs) -> Result<ExitStatus> {
    let workspace = open(Options { color: args.color.map(Into::into), ..Options::default() })?;
    // The temporary directories must last as long as the listing.
    let unpacked = Unpacked::new(&workspace.start, &args.selection)?;
    let choice = Choice {
        start: &workspace.start,
        selection: &unpacked.words,
        submissions: &args.submission,
        tests: &args.test,
        command: None,
        output_validator: None,
        programs: Programs::List,
    };
    let Chosen { plan, found } = choose(&workspace.settings, &workspace.languages, &choice)?;
    let found = [workspace.settings.warnings.clone(), unpacked.archives.told(found)].concat();
    workspace.tell_found(&found);
    let broken = found.iter().any(Diagnostic::is_error);
    if plan.problems.is_empty() && !broken {
        bail!("no problem was found\n  → go to a folder with a solver and `.in` files, or below a grader.toml");
    }
    let entries: Vec<ProblemEntry> = plan
        .problems
        .iter()
        .map(|planned| ProblemEntry {
            submissions: plan.runs[planned.runs.clone()]
                .iter()
                .map(|run| {
                    let entry = submission_entry(&workspace, &planned.problem, &run.submission, run.reference);
                    SubmissionEntry { path: entry.path.map(|path| unpacked.archives.shown(&path)), ..entry }
                })
                .collect(),
            ..problem_entry(&workspace, planned, &unpacked)
        })
        .collect();
    match args.format {
        Format::Json => print_json(&entries)?,
        Format::Text => {
            let names = widest(entries.iter().map(|entry| entry.problem.as_str()), 28);
            let lines: Vec<Line> = entries.iter().flat_map(|entry| lines(entry, names, args.verbose)).collect();
            print(&lines, paint(&workspace))?;
        }
    }
    Ok(if broken { ExitStatus::Usage } else { ExitStatus::Success })
}

fn problem_entry(workspace: &Workspace, planned: &PlannedProblem, unpacked: &Unpacked) -> ProblemEntry {
    let problem = &planned.problem;
    let mut groups: Vec<GroupEntry> = Vec::new();
    for ordinal in 0..planned.tests.len() {
        let Some(test) = planned.test(ordinal) else { continue };
        let (group, case) = (test.group(), test.case());
        let shown = |path: PathBuf| unpacked.archives.shown(&path);
        let entry = CaseEntry {
            case: test.name().to_owned(),
            input: case.map(|(group, case)| shown(group.input_of(case))),
            answer: case.and_then(|(group, case)| group.answer_of(case)).map(shown),
        };
        match groups.last_mut() {
            Some(last) if last.group == *group.name => last.cases.push(entry),
            _ => {
                let limits = limits_entry(workspace, problem, group);
                groups.push(GroupEntry { group: group.name.to_string(), limits, cases: vec![entry] });
            }
        }
    }
    let limits = groups.first().map(|group| group.limits.clone());
    let general = &workspace.settings;
    ProblemEntry {
        problem: problem.id.to_string(),
        title: problem.title.clone(),
        label: problem.label.clone(),
        dir: unpacked.archives.shown(&problem.dir),
        layout: problem.layout,
        kind: problem.kind,
        limits: limits.unwrap_or(LimitsEntry {
            time_limit: Some(general.time_limit.as_secs_f64()),
            memory: general.memory.0,
            output: general.output.0,
        }),
        groups,
        submissions: Vec::new(),
    }
}

/// The limits of a group, without any language's factor.
fn limits_entry(workspace: &Workspace, problem: &Problem, group: &TestGroup) -> LimitsEntry {
    let limits = workspace.settings.limits_for(problem, group, "");
    let known = workspace.settings.knows_time_limit(problem, group);
    LimitsEntry {
        time_limit: known.then_some(limits.time.as_secs_f64()),
        memory: limits.memory.0,
        output: limits.output.0,
    }
}

fn submission_entry(
    workspace: &Workspace,
    problem: &Problem,
    submission: &Submission,
    reference: bool,
) -> SubmissionEntry {
    let detected = match &submission.program {
        Program::Command(_) => Ok("command".to_owned()),
        Program::Scripts { .. } => Ok("scripts".to_owned()),
        Program::Outputs(_) | Program::PackedOutputs { .. } => Ok("outputs".to_owned()),
        program => {
            language_of(&workspace.languages, program, submission.language.as_deref()).map(|found| found.id.clone())
        }
    };
    let language = detected.as_deref().unwrap_or_default();
    let first = problem.groups.first();
    let limits = first.map(|group| workspace.settings.limits_for(problem, group, language));
    let known = first.is_none_or(|group| workspace.settings.knows_time_limit(problem, group));
    SubmissionEntry {
        submission: submission.id.to_string(),
        path: submission.source(),
        expected: submission.expectation.summary(),
        reference,
        time_limit: known.then(|| limits.map_or(workspace.settings.time_limit, |limits| limits.time).as_secs_f64()),
        problem: detected.as_ref().err().map(ToString::to_string),
        language: detected.ok(),
    }
}

fn time(seconds: Option<f64>) -> String {
    let known = seconds.map(|seconds| seconds_short(std::time::Duration::from_secs_f64(seconds)));
    known.unwrap_or_else(|| "limit derived".to_owned())
}

fn lines(entry: &ProblemEntry, names: usize, verbose: u8) -> Vec<Line> {
    let cases: usize = entry.groups.iter().map(cases_of).sum();
    let mut head = Line::new().with(&pad(&clean(&entry.problem), names), Style::STRONG);
    let limits = match entry.kind {
        ProblemKind::SubmitAnswer => String::new(),
        _ => format!("{} · {} · ", time(entry.limits.time_limit), Bytes(entry.limits.memory)),
    };
    let facts = format!("  {limits}{} · {}", count(cases, "case"), count(entry.submissions.len(), "submission"));
    head.push(&facts, Style::PLAIN);
    if entry.kind != ProblemKind::PassFail {
        head.push(&format!(" · {}", entry.kind.name()), Style::PLAIN);
    }
    if let Some(label) = &entry.label {
        head.push(&format!("  {label}"), Style::FAINT);
    }
    if !entry.title.is_empty() && entry.title != entry.problem {
        head.push(&format!("  {}", clean(&entry.title)), Style::FAINT);
    }
    let mut lines = vec![head];
    if verbose > 0 {
        lines.extend(group_lines(entry, verbose > 1));
        lines.extend(submission_lines(entry));
    }
    lines
}

/// The number of cases with an input.
fn cases_of(group: &GroupEntry) -> usize {
    group.cases.iter().filter(|case| case.input.is_some()).count()
}

fn group_lines(entry: &ProblemEntry, every_case: bool) -> Vec<Line> {
    let name_of = |group: &GroupEntry| if group.group.is_empty() { "(cases)".to_owned() } else { clean(&group.group) };
    let names: Vec<String> = entry.groups.iter().map(name_of).collect();
    let columns = widest(names.iter().map(String::as_str), 40);
    let mut lines = Vec::new();
    for (group, name) in entry.groups.iter().zip(&names) {
        let mut line = Line::from(format!("  {}  {}", pad(name, columns), count(cases_of(group), "case")).as_str());
        if group.limits != entry.limits {
            let own = format!("  own limits: {} · {}", time(group.limits.time_limit), Bytes(group.limits.memory));
            line.push(&own, Style::FAINT);
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
