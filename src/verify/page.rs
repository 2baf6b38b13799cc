//! The findings of `grader verify` as an HTML page.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use askama::Template;

use super::problem_findings::{Kills, ProblemFindings, Tries, TryKind};
use super::totals::Totals;
use crate::report::html::Frame;
use crate::report::margins;
use crate::report::text::{Whitespace, count, escape};
use crate::score::kills::{Use, enough};
use crate::strength::bounds::ValidatorBounds;
use crate::strength::page::BoundRow;
use crate::verify::{Finding, Severity};

/// The most submissions and cases of a table: a larger one does not fit on a screen.
const MOST_SUBMISSIONS: usize = 200;
const MOST_CASES: usize = 1000;

#[derive(Template)]
#[template(path = "verify.html")]
struct Page {
    frame: Frame,
    headline: String,
    is_good: bool,
    problems: Vec<ProblemSection>,
}

struct ProblemSection {
    name: String,
    /// The number of errors and warnings in words.
    counts: String,
    findings: Vec<FindingRow>,
    tries: Vec<TriesRow>,
    kills: Option<KillsTable>,
    /// The time limit's margins, and whether they are safe.
    limit: Option<(String, bool)>,
    bounds: Vec<BoundRow>,
    disturbance: String,
}

struct FindingRow {
    severity: &'static str,
    /// The class of the severity.
    class: &'static str,
    code: &'static str,
    path: String,
    message: Vec<String>,
    remedy: String,
}

struct TriesRow {
    what: &'static str,
    tried: usize,
    fine: usize,
    /// The mistake of the validator on the surprising ones.
    odd_is: &'static str,
    odd: Vec<(&'static str, String)>,
}

struct KillsTable {
    summary: String,
    submissions: Vec<String>,
    cases: Vec<CaseRow>,
}

struct CaseRow {
    name: String,
    /// The class and the words of its use.
    class: &'static str,
    usage: String,
    /// The class and the letter for each submission.
    kills: Vec<(&'static str, char)>,
}

/// The whole page. Paths are relative to `start`. With `strict`, warnings fail.
pub(crate) fn of(all_results: &[ProblemFindings], start: &Path, strict: bool) -> Result<String> {
    let totals = Totals::of(all_results);
    let errors = |results: &ProblemFindings| results.count(Severity::Error) + results.count(Severity::JudgeError);
    let counts = |results: &ProblemFindings| {
        let notes = results.count(Severity::Info);
        let notes = if notes > 0 { format!(", {}", count(notes, "note")) } else { String::new() };
        format!("{}, {}{notes}", count(errors(results), "error"), count(results.count(Severity::Warning), "warning"))
    };
    let shown = all_results.iter().filter(|results| results.problem.is_some() || !results.findings.is_empty());
    let problems = shown.map(|results| ProblemSection {
        name: if results.name.is_empty() { "other findings".to_owned() } else { clean(&results.name) },
        counts: counts(results),
        findings: results.findings.iter().map(|finding| row(finding, start)).collect(),
        tries: results.tries.iter().filter(|tries| tries.tried > 0).map(tries_row).collect(),
        kills: results.kills.as_ref().map(table),
        limit: results.margins.as_ref().map(|found| (clean(&margins::summary(found)), found.are_safe())),
        bounds: results.reached.iter().flat_map(ValidatorBounds::entries).map(|bound| BoundRow::of(&bound)).collect(),
        disturbance: results.disturbance.clone().unwrap_or_default(),
    });
    let page = Page {
        frame: Frame::without_script(),
        headline: format!("{}  {totals}", totals.word(strict)),
        is_good: !totals.fail(strict),
        problems: problems.collect(),
    };
    Ok(page.render()?)
}

fn clean(text: &str) -> String {
    escape(text.as_bytes(), Whitespace::Quiet)
}

fn row(finding: &Finding, start: &Path) -> FindingRow {
    let path = finding.found.path.as_ref().map(|path| path.strip_prefix(start).unwrap_or(path).display().to_string());
    FindingRow {
        severity: finding.found.severity.word(),
        class: match finding.found.severity {
            Severity::Info => "dim",
            Severity::Warning => "look",
            Severity::Error | Severity::JudgeError => "bad",
        },
        code: finding.code.name(),
        path: clean(&path.unwrap_or_default()),
        message: finding.found.message.lines().map(clean).collect(),
        remedy: clean(&finding.found.remedy),
    }
}

fn tries_row(tries: &Tries) -> TriesRow {
    let (what, odd_is) = match tries.kind {
        TryKind::OwnTests => ("tests of validators, which have a required result", "not met:"),
        TryKind::Inputs => ("corrupted inputs, to be rejected", "accepted"),
        TryKind::Outputs => ("corrupted outputs, to be rejected", "accepted"),
        TryKind::Layout => ("outputs with other white space and case", "rejected"),
        TryKind::Junk => ("junk outputs, which must not crash a validator", "fails on"),
        TryKind::Partners => ("misbehaving partners, which must not crash an interactor", "fails on"),
    };
    let odd: Vec<(&str, String)> = tries.odd.iter().map(|(name, case)| (*name, clean(case))).collect();
    TriesRow { what, tried: tries.tried, fine: tries.tried - odd.len(), odd_is, odd }
}

fn table(kills: &Kills) -> KillsTable {
    let Kills { submissions, cases, uses, counts, .. } = kills;
    if submissions.is_empty() {
        let summary = "There is no wrong submission for the cases to kill.".to_owned();
        return KillsTable { summary, submissions: Vec::new(), cases: Vec::new() };
    }
    let few = enough(uses, |case| counts[case]);
    let left_out = submissions.len().saturating_sub(MOST_SUBMISSIONS) + cases.len().saturating_sub(MOST_CASES);
    let more = if left_out > 0 { " The table does not show all: --format json has them." } else { "" };
    let counting = uses.iter().zip(counts).filter(|(_, counts)| **counts);
    let killed: BTreeSet<usize> = counting.flat_map(|(used, _)| used.kills.iter().copied()).collect();
    let enough = format!(
        "{} {} enough to kill {} of {}.",
        count(few.len(), "secret case"),
        if few.len() == 1 { "is" } else { "are" },
        killed.len(),
        count(submissions.len(), "wrong submission"),
    );
    let rest = if killed.len() < submissions.len() { " No secret case kills the others." } else { "" };
    let summary = format!("{enough}{rest}{more}");
    let rows = cases.iter().zip(uses).zip(counts).enumerate().take(MOST_CASES);
    let row = |(at, ((case, used), counts)): (usize, ((&String, &Use), &bool))| {
        let (class, usage) = match used {
            Use { kills, .. } if kills.is_empty() => ("dim", "kills none".to_owned()),
            _ if !counts => ("dim", "sample".to_owned()),
            Use { alone, .. } if !alone.is_empty() => ("good", format!("alone kills {}", alone.len())),
            _ if few.contains(&at) => ("good", "useful".to_owned()),
            _ => ("dim", "redundant".to_owned()),
        };
        let kill = |of: usize| match used {
            Use { alone, .. } if alone.contains(&of) => ("t", '!'),
            Use { kills, .. } if kills.contains(&of) => ("w", '×'),
            _ => ("n", '·'),
        };
        let kills = (0..submissions.len().min(MOST_SUBMISSIONS)).map(kill).collect();
        CaseRow { name: clean(case), class, usage, kills }
    };
    KillsTable {
        summary,
        submissions: submissions.iter().take(MOST_SUBMISSIONS).map(|name| clean(name)).collect(),
        cases: rows.map(row).collect(),
    }
}
