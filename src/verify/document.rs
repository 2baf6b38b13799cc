//! The findings of `grader verify` as one JSON document.

use std::path::PathBuf;

use serde::Serialize;

use super::problem_findings::{Kills, ProblemFindings, TryKind};
use super::totals::Totals;
use crate::score::time_limit::{Margins, TestTime};
use crate::verify::Finding;

/// The JSON document.
#[derive(Serialize)]
pub(crate) struct Document<'a> {
    errors: usize,
    warnings: usize,
    allowed: usize,
    problems: Vec<Entry<'a>>,
}

/// One problem. The name is empty for findings that belong to no problem.
#[derive(Serialize)]
struct Entry<'a> {
    problem: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    dir: Option<PathBuf>,
    findings: &'a [Finding],
    tries: Vec<TriesEntry<'a>>,
    cases: Vec<CaseEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slowest: Option<MarginEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fastest_over_time: Option<MarginEntry<'a>>,
    /// Whether every labelled submission is on its side of the limit, with the distance that the problem requires.
    #[serde(skip_serializing_if = "Option::is_none")]
    margins_safe: Option<bool>,
}

#[derive(Serialize)]
struct TriesEntry<'a> {
    kind: &'static str,
    tried: usize,
    /// Surprising results: accepted corruptions; in `layout` rejections; in `tests` other results than required; in `junk` and `partners` failures of the
    /// validator.
    odd: Vec<OddEntry<'a>>,
}

#[derive(Serialize)]
struct OddEntry<'a> {
    name: &'static str,
    case: &'a str,
}

#[derive(Serialize)]
struct CaseEntry<'a> {
    case: &'a str,
    kills: Vec<&'a str>,
    /// The submissions that no other secret case kills.
    alone: Vec<&'a str>,
}

#[derive(Serialize)]
struct MarginEntry<'a> {
    submission: &'a str,
    case: &'a str,
    /// In seconds.
    time: f64,
    /// In seconds.
    limit: f64,
    killed: bool,
    safe: bool,
}

/// Builds the document for all problems.
pub(crate) fn of(all_results: &[ProblemFindings]) -> Document<'_> {
    let Totals { errors, warnings, allowed, .. } = Totals::of(all_results);
    Document { errors, warnings, allowed, problems: all_results.iter().map(entry).collect() }
}

fn entry(results: &ProblemFindings) -> Entry<'_> {
    let margins = results.margins.as_ref();
    Entry {
        problem: &results.name,
        dir: results.dir(),
        findings: &results.findings,
        tries: results
            .tries
            .iter()
            .map(|tries| TriesEntry {
                kind: word(tries.kind),
                tried: tries.tried,
                odd: tries.odd.iter().map(|(name, case)| OddEntry { name, case }).collect(),
            })
            .collect(),
        cases: results.kills.as_ref().map(cases).unwrap_or_default(),
        slowest: margins.and_then(|all| all.slowest.as_ref().map(|one| margin(all, one))),
        fastest_over_time: margins.and_then(|all| all.fastest.as_ref().map(|one| margin(all, one))),
        margins_safe: margins.map(Margins::are_safe),
    }
}

fn word(kind: TryKind) -> &'static str {
    match kind {
        TryKind::OwnTests => "tests",
        TryKind::Inputs => "inputs",
        TryKind::Outputs => "outputs",
        TryKind::Layout => "layout",
        TryKind::Junk => "junk",
        TryKind::Partners => "partners",
    }
}

fn cases(kills: &Kills) -> Vec<CaseEntry<'_>> {
    let names = |of: &[usize]| of.iter().map(|at| kills.submissions[*at].as_str()).collect();
    kills
        .cases
        .iter()
        .zip(&kills.uses)
        .map(|(case, used)| CaseEntry { case, kills: names(&used.kills), alone: names(&used.alone) })
        .collect()
}

fn margin<'a>(margins: &Margins, (submission, timed): &'a (String, TestTime)) -> MarginEntry<'a> {
    MarginEntry {
        submission,
        case: &timed.test,
        time: timed.time.as_secs_f64(),
        limit: timed.limit.as_secs_f64(),
        killed: timed.killed,
        safe: !margins.gaps.iter().any(|(labelled, _)| labelled.submission == *submission),
    }
}
