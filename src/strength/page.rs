//! The strength of test cases as an HTML page.

use anyhow::Result;
use askama::Template;

use super::bounds::{BoundEntry, Span, StatementBound};
use super::{Fate, FoundInput, MutantResult, Strength, percent};
use crate::report::html::Frame;
use crate::report::text::{Whitespace, count, escape};

/// The most mutants that are columns: a wider table does not fit on a screen.
const MOST_MUTANTS: usize = 200;

#[derive(Template)]
#[template(path = "strength.html")]
struct Page {
    frame: Frame,
    headline: String,
    is_good: bool,
    problems: Vec<ProblemSection>,
}

struct ProblemSection {
    name: String,
    strength: String,
    /// The same as a number, 0 to 1.
    share: f64,
    is_good: bool,
    /// The most mutants that one case kills.
    most: usize,
    /// Each figure: its name, the count, and its meaning.
    figures: Vec<(&'static str, usize, String)>,
    survivors: Vec<Survivor>,
    cases_title: &'static str,
    /// The columns, if every case ran on every mutant.
    mutants: Vec<String>,
    cases: Vec<CaseRow>,
    bounds: Vec<BoundRow>,
}

/// A variable of an input validator. `bounds.html` shows it.
pub(crate) struct BoundRow {
    pub(crate) variable: String,
    /// The bounds in the statement; empty if they are not known.
    pub(crate) stated: String,
    pub(crate) declared: String,
    pub(crate) seen: String,
    /// The part of the declared range that cases have: begin and length, 0 to 100.
    pub(crate) covered: Option<(f64, f64)>,
    pub(crate) unreached: &'static str,
}

fn span(span: Option<Span>) -> String {
    span.map(|span| format!("{} to {}", span.min, span.max)).unwrap_or_default()
}

impl BoundRow {
    /// The row of a variable for which no validator declares bounds.
    pub(crate) fn of_stated(stated: &StatementBound) -> Self {
        Self {
            variable: clean(&stated.variable),
            stated: stated.as_written(),
            declared: String::new(),
            seen: String::new(),
            covered: None,
            unreached: "no validator declares it",
        }
    }

    pub(crate) fn of(bound: &BoundEntry) -> Self {
        Self {
            variable: clean(&bound.variable),
            stated: span(bound.stated),
            declared: match bound.declared {
                None if bound.is_varying => "other bounds in each case".to_owned(),
                None => "not in the log".to_owned(),
                declared => span(declared),
            },
            seen: span(bound.seen),
            // The smallest part is still seen.
            covered: bound.covered().map(|(begin, length)| (begin * 99.0, (length * 100.0).max(1.0))),
            unreached: match (bound.min_reached, bound.max_reached) {
                (true, true) => "",
                (false, true) => "the minimum",
                (true, false) => "the maximum",
                (false, false) => "the minimum and the maximum",
            },
        }
    }
}

struct Survivor {
    place: String,
    mistake: String,
    before: Vec<String>,
    after: Vec<String>,
    input: String,
}

struct CaseRow {
    name: String,
    kills: usize,
    /// For each column: × if it kills the mutant, · if not, and nothing if it did not run on it.
    signs: Vec<&'static str>,
}

/// The whole page.
pub(crate) fn of(all: &[Strength]) -> Result<String> {
    let survived: usize = all.iter().map(|found| found.figures().survived).sum();
    let page = Page {
        frame: Frame::without_script(),
        headline: format!("{} of {}", count(survived, "surviving mutant"), count(all.len(), "problem")),
        is_good: survived == 0,
        problems: all.iter().map(section).collect(),
    };
    Ok(page.render()?)
}

fn clean(text: &str) -> String {
    escape(text.as_bytes(), Whitespace::Quiet)
}

fn section(found: &Strength) -> ProblemSection {
    let figures = found.figures();
    let strength = match (figures.strength(), figures.interval()) {
        (Some(strength), Some((low, high))) => {
            format!("Strength {}, 95 % interval {} to {}", percent(strength), percent(low), percent(high))
        }
        _ => "Strength unknown: no mutant was tried that differs from its original".to_owned(),
    };
    let samples = figures.of_samples().map(|share| format!("the samples alone kill {}", percent(share)));
    let rows = [
        ("killed", figures.killed, samples.unwrap_or_default()),
        ("survived", figures.survived, "no case tells them from the original".to_owned()),
        ("equivalent by evidence", figures.equivalent, "the same on every case and on other inputs".to_owned()),
        ("not built", figures.not_built, "they do not compile".to_owned()),
        ("not judged", figures.not_judged, String::new()),
        ("not tried", found.possible - found.mutants.len(), "for lack of time".to_owned()),
    ];
    let columns: Vec<&MutantResult> = if found.all_tests {
        found.mutants.iter().filter(|mutant| matches!(mutant.fate, Fate::Killed { .. })).take(MOST_MUTANTS).collect()
    } else {
        Vec::new()
    };
    let sign = |case: usize, mutant: &MutantResult| match &mutant.fate {
        Fate::Killed { by, .. } if by.contains(&case) => "×",
        Fate::Killed { not_run, .. } if not_run.contains(&case) => "",
        _ => "·",
    };
    ProblemSection {
        name: clean(&found.problem),
        strength,
        share: figures.strength().unwrap_or(0.0),
        most: found.cases.iter().map(|case| case.kills).max().unwrap_or(0).max(1),
        is_good: figures.survived == 0,
        figures: rows.into_iter().filter(|(_, n, _)| *n > 0).collect(),
        survivors: found.survivors().map(|(mutant, input)| survivor(mutant, input)).collect(),
        cases_title: if found.all_tests {
            "What each case kills (×), and does not kill (·), as far as it ran"
        } else {
            "What each case kills that no earlier one does"
        },
        mutants: columns.iter().map(|mutant| place(mutant)).collect(),
        cases: (0..)
            .zip(&found.cases)
            .map(|(at, case)| CaseRow {
                name: clean(&case.case),
                kills: case.kills,
                signs: columns.iter().map(|mutant| sign(at, mutant)).collect(),
            })
            .collect(),
        bounds: found.bounds.iter().map(BoundRow::of).collect(),
    }
}

fn place(mutant: &MutantResult) -> String {
    clean(&format!("{}:{} {}", mutant.submission, mutant.line, mutant.operator))
}

fn survivor(mutant: &MutantResult, input: Option<&FoundInput>) -> Survivor {
    let lines = |text: &str| text.lines().map(clean).collect();
    let input = input.map(|input| {
        let at = input.file.as_deref().map(|file| format!(": {}", file.display())).unwrap_or_default();
        format!("{} on an input of {} by {}{at}", input.verdict, count(input.size, "byte"), input.from)
    });
    Survivor {
        place: clean(&format!("{}:{}", mutant.submission, mutant.line)),
        mistake: clean(&format!("{} ({})", mutant.explanation, mutant.operator)),
        before: lines(&mutant.before),
        after: lines(&mutant.after),
        input: clean(&input.unwrap_or_else(|| "No input was found that kills it.".to_owned())),
    }
}
