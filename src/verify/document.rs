//! The findings of `grader verify` as one JSON document.

use std::path::PathBuf;

use serde::Serialize;

use super::problem_findings::{CoveredFile, Kills, ProblemFindings, TryKind};
use super::totals::Totals;
use crate::score::kills::Independence;
use crate::score::time_limit::{Margins, TestTime};
use crate::strength::bounds::{BoundEntry, Feature, ValidatorBounds};
use crate::verify::Finding;

/// The JSON document.
#[derive(Serialize)]
pub(crate) struct Document<'a> {
    errors: usize,
    warnings: usize,
    notes: usize,
    allowed: usize,
    problems: Vec<DocumentEntry<'a>>,
}

/// One problem. The name is empty for findings that belong to no problem.
#[derive(Serialize)]
struct DocumentEntry<'a> {
    problem: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    dir: Option<PathBuf>,
    findings: &'a [Finding],
    tries: Vec<TriesEntry<'a>>,
    bounds: Vec<BoundEntry>,
    features: Vec<FeatureEntry<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    coverage: &'a [CoveredFile],
    cases: Vec<CaseEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suite: Option<SuiteEntry<'a>>,
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
struct FeatureEntry<'a> {
    validator: &'a str,
    #[serde(flatten)]
    feature: &'a Feature,
}

#[derive(Serialize)]
struct CaseEntry<'a> {
    case: &'a str,
    kills: Vec<&'a str>,
    /// The submissions that no other secret case kills.
    alone: Vec<&'a str>,
}

/// The result of all secret cases together.
#[derive(Serialize)]
struct SuiteEntry<'a> {
    /// The number of wrong submissions that some secret case kills.
    killed: usize,
    /// The number of different sets of secret cases that they fail on.
    different: usize,
    /// The rank of the matrix of these sets.
    rank: usize,
    /// A small set of secret cases with the same kills.
    enough: Vec<&'a str>,
    /// Whether no smaller set exists.
    is_smallest: bool,
    /// The time of all submissions on the secret cases, in seconds.
    time: f64,
    /// The part of it that the small set takes, in seconds.
    time_of_enough: f64,
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
    let Totals { errors, warnings, notes, allowed, .. } = Totals::of(all_results);
    Document { errors, warnings, notes, allowed, problems: all_results.iter().map(entry).collect() }
}

fn entry(results: &ProblemFindings) -> DocumentEntry<'_> {
    let margins = results.margins.as_ref();
    DocumentEntry {
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
        bounds: results.reached.iter().flat_map(ValidatorBounds::entries).collect(),
        features: results.reached.iter().flat_map(features).collect(),
        coverage: &results.covered,
        cases: results.kills.as_ref().map(cases).unwrap_or_default(),
        suite: results.kills.as_ref().filter(|kills| !kills.submissions.is_empty()).map(suite),
        slowest: margins.and_then(|all| all.slowest.as_ref().map(|one| margin(all, one))),
        fastest_over_time: margins.and_then(|all| all.fastest.as_ref().map(|one| margin(all, one))),
        margins_safe: margins.map(Margins::are_safe),
    }
}

fn features(reached: &ValidatorBounds) -> impl Iterator<Item = FeatureEntry<'_>> {
    reached.log.features.iter().map(|feature| FeatureEntry { validator: &reached.validator, feature })
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

fn suite(kills: &Kills) -> SuiteEntry<'_> {
    let (Independence { killed, different, rank }, subset) = (kills.independence(), kills.subset());
    let (time, time_of_enough) = kills.times(&subset);
    SuiteEntry {
        killed,
        different,
        rank,
        enough: subset.cases.iter().map(|case| kills.cases[*case].as_str()).collect(),
        is_smallest: subset.is_smallest,
        time: time.as_secs_f64(),
        time_of_enough: time_of_enough.as_secs_f64(),
    }
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
