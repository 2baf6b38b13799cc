//! Shows the findings of `grader verify` as text.

use std::path::Path;

use crate::cli::output::{clean, widest};
use crate::limits::seconds;
use crate::problem::Problem;
use crate::report::margins;
use crate::report::text::{Line, Style, count, pad};
use crate::score::kills::{Independence, Subset, Use};
use crate::score::time_limit::Margins;
use crate::strength::bounds::ReachedCounts;
use crate::strength::{Strength, percent};
use crate::verify::problem_findings::{CoveredFile, Kills, ProblemFindings, Tries, TryKind};
use crate::verify::totals::Totals;
use crate::verify::{Code, Finding, Severity};
use crate::workspace::Workspace;

/// The most findings of one code that are shown; `--format json` has all.
const SHOWN: usize = 10;
/// The most names in one line.
const NAMES: usize = 6;

/// All lines about one problem.
pub(super) fn problem(results: &ProblemFindings, workspace: &Workspace, all_cases: bool) -> Vec<Line> {
    let mut lines = Vec::new();
    if results.findings.is_empty() && results.problem.is_none() {
        return lines;
    }
    lines.push(head(results));
    for code in Code::ALL {
        let of_code: Vec<&Finding> = results.findings.iter().filter(|finding| finding.code == *code).collect();
        for finding in of_code.iter().take(SHOWN) {
            lines.extend(finding_lines(finding, &workspace.start));
        }
        if of_code.len() > SHOWN {
            let text = format!("    and {} more of {} (--format json has all)", of_code.len() - SHOWN, code.name());
            lines.push(Line::new().with(&text, Style::FAINT));
        }
    }
    lines.extend(results.tries.iter().flat_map(tries));
    lines.extend(reached(&ReachedCounts::of(&results.reached)));
    lines.extend(covered(&results.covered));
    if let Some(kills) = &results.kills {
        lines.extend(use_of_cases(kills, all_cases));
    }
    lines.extend(results.strength.as_ref().and_then(strength));
    lines.extend(results.limit_from.as_ref().map(|from| row("limit", &clean(from), Style::FAINT)));
    lines.extend(results.margins.as_ref().map(limit));
    lines.extend(results.disturbance.as_ref().map(|text| row("", text, Style::NOTICE)));
    lines.push(Line::new());
    lines
}

fn head(results: &ProblemFindings) -> Line {
    // Notes are hints: a problem with nothing else is sound.
    let (sign, style) = match results.findings.iter().map(|finding| finding.found.severity).max() {
        Some(Severity::JudgeError | Severity::Error) => ("✗", Style::BAD),
        Some(Severity::Warning) => ("!", Style::NOTICE),
        Some(Severity::Info) | None => ("✓", Style::GOOD),
    };
    let name = if results.name.is_empty() { "other findings" } else { &results.name };
    let line = Line::new().with(sign, style).with(&format!(" {}", clean(name)), Style::STRONG);
    match &results.problem {
        Some(problem) => line.with(&format!("  {}", parts(problem)), Style::FAINT),
        None if results.name.is_empty() => line,
        None => line.with("  cannot be read; grader checked nothing else", Style::NOTICE),
    }
}

fn parts(problem: &Problem) -> String {
    let mut parts = vec![
        count(problem.cases().count(), "case"),
        count(problem.submissions.len(), "submission"),
        count(problem.input_validators.len(), "input validator"),
    ];
    parts.extend((!problem.output_validators.is_empty()).then(|| "an output validator".to_owned()));
    parts.extend(problem.static_validator.is_some().then(|| "a static validator".to_owned()));
    parts.join(" · ")
}

fn finding_lines(finding: &Finding, here: &Path) -> Vec<Line> {
    let style = match finding.found.severity {
        Severity::Info => Style::FAINT,
        Severity::Warning => Style::NOTICE,
        Severity::Error | Severity::JudgeError => Style::BAD,
    };
    let mut line = Line::from("  ").with(finding.found.severity.word(), style);
    line.push(&format!(" {}: ", finding.code.name()), Style::STRONG);
    if let Some(path) = &finding.found.path {
        let shown = path.strip_prefix(here).unwrap_or(path).display().to_string();
        line.push(&format!("{}: ", clean(&shown)), Style::PLAIN);
    }
    let mut message = finding.found.message.lines();
    line.push(&clean(message.next().unwrap_or_default()), Style::PLAIN);
    let mut lines = vec![line];
    lines.extend(message.take(20).map(|line| Line::from(format!("    {}", clean(line)).as_str())));
    if !finding.found.remedy.is_empty() {
        lines.push(Line::new().with(&format!("    → {}", clean(&finding.found.remedy)), Style::FAINT));
    }
    lines
}

/// A line with a label and its text.
fn row(label: &str, text: &str, style: Style) -> Line {
    Line::new().with(&format!("  {label:8}  "), Style::FAINT).with(text, style)
}

/// The line with the result of `grader strength`.
fn strength(found: &Strength) -> Option<Line> {
    let figures = found.figures();
    let survived = if figures.survived == 0 { String::new() } else { format!(", {} survive", figures.survived) };
    let text = format!("{} of the mutants that were tried are killed{survived}", percent(figures.strength()?));
    Some(row("strength", &text, if figures.survived == 0 { Style::GOOD } else { Style::NOTICE }))
}

fn tries(tries: &Tries) -> Vec<Line> {
    let Tries { kind, tried, odd } = tries;
    let (label, fine, strange, style) = match kind {
        TryKind::OwnTests => ("tests", "tests of validators have the required result", "not met:", Style::BAD),
        TryKind::Inputs => ("inputs", "kinds of corruption are rejected", "accepted", Style::NOTICE),
        TryKind::Outputs => ("outputs", "kinds of corruption are rejected", "accepted", Style::NOTICE),
        TryKind::Layout => ("layout", "changes of white space and case are accepted", "rejected", Style::PLAIN),
        TryKind::Junk => ("junk", "kinds of junk cause no failure", "fails on", Style::BAD),
        TryKind::Partners => ("partners", "kinds of misbehaving partners cause no failure", "fails on", Style::BAD),
    };
    if *tried == 0 {
        return Vec::new();
    }
    let head = row(label, &format!("{} of {tried} {fine}", tried - odd.len()), Style::PLAIN);
    let names = widest(odd.iter().map(|(name, _)| *name), 40);
    let each = odd.iter().take(SHOWN).map(|(name, case)| {
        row("", &format!("{strange} "), style)
            .with(&pad(name, names), Style::PLAIN)
            .with(&format!("  {}", clean(case)), Style::FAINT)
    });
    let more = odd.len().saturating_sub(SHOWN);
    let rest = (more > 0).then(|| row("", &format!("and {more} more (--format json has all)"), Style::FAINT));
    [head].into_iter().chain(each).chain(rest).collect()
}

/// How many lines of accepted submissions the cases execute; nothing unless that was measured.
fn covered(files: &[CoveredFile]) -> Option<Line> {
    let executed: usize = files.iter().map(|file| file.executed).sum();
    let lines: usize = files.iter().map(|file| file.lines).sum();
    let text = format!("{executed} of {lines} lines of {} are executed by some case", count(files.len(), "file"));
    (!files.is_empty()).then(|| row("coverage", &text, Style::PLAIN))
}

/// How many bounds and features the cases reach; nothing if no validator says.
fn reached(counts: &ReachedCounts) -> Vec<Line> {
    let ReachedCounts { variables, bounds, reached, features, hit, silent } = *counts;
    let mut lines = Vec::new();
    if variables > 0 {
        let text = format!("{reached} of {bounds} bounds of {} are reached by some case", count(variables, "variable"));
        lines.push(row("bounds", &text, Style::PLAIN));
    }
    if features > 0 {
        let label = if variables > 0 { "" } else { "bounds" };
        lines.push(row(label, &format!("{hit} of {} are in some case", count(features, "feature")), Style::PLAIN));
    }
    if silent > 0 {
        let text = format!("not counted: {}, about which the validator writes nothing", count(silent, "case"));
        lines.push(row("", &text, Style::NOTICE));
    }
    lines
}

/// The first names, and the number of the others.
fn some<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    let more = if names.len() > NAMES { format!(" and {} more", names.len() - NAMES) } else { String::new() };
    clean(&format!("{}{more}", names[..names.len().min(NAMES)].join(", ")))
}

/// The submissions that cases kill. Without `all`, only cases that alone kill some submission.
fn use_of_cases(kills: &Kills, all: bool) -> Vec<Line> {
    let Kills { submissions, cases, uses, counts, .. } = kills;
    if submissions.is_empty() {
        return vec![row("kills", "there is no wrong submission for the cases to kill", Style::NOTICE)];
    }
    let counting = counts.iter().filter(|counts| **counts).count();
    let spare = uses.iter().zip(counts).filter(|(used, counts)| **counts && used.alone.is_empty()).count();
    let subset = kills.subset();
    let names = some(subset.cases.iter().map(|case| cases[*case].as_str()));
    let text = match subset.cases.len() {
        0 => format!("no secret case kills any of {}", count(submissions.len(), "wrong submission")),
        1 => format!("1 secret case is enough: {names}"),
        n => format!("{n} secret cases are enough: {names}"),
    };
    let mut lines = vec![row("kills", &text, Style::PLAIN)];
    lines.extend(saved(kills, &subset).map(|text| row("", &text, Style::PLAIN)));
    lines.extend(mistakes(&kills.independence()).map(|text| row("", &text, Style::PLAIN)));
    if spare > 0 {
        let are = if counting == 1 { "is" } else { "are" };
        let text = format!(
            "{spare} of {} {are} redundant: other cases kill the same submissions",
            count(counting, "secret case")
        );
        lines.push(row("", &text, Style::PLAIN));
    }
    let is_shown = |used: &Use| all || !used.alone.is_empty();
    let rows = || cases.iter().zip(uses).zip(counts).filter(|((_, used), _)| is_shown(used));
    let width = widest(rows().map(|((case, _), _)| case.as_str()), 40);
    for ((case, used), counts) in rows() {
        let line = row("", &pad(&clean(case), width), Style::PLAIN);
        lines.push(match used {
            Use { kills, .. } if kills.is_empty() => line.with("  none", Style::FAINT),
            Use { alone, .. } if !all => {
                let names = some(alone.iter().map(|at| submissions[*at].as_str()));
                line.with("  alone ", Style::FAINT).with(&names, Style::PLAIN)
            }
            Use { kills, alone } => {
                let mark =
                    |at: &usize| format!("{}{}", submissions[*at], if alone.contains(at) { " (alone)" } else { "" });
                let names: Vec<String> = kills.iter().map(mark).collect();
                let sample = if *counts { "" } else { "  (sample)" };
                line.with(&format!("  {}", clean(&names.join(", "))), Style::PLAIN).with(sample, Style::FAINT)
            }
        });
    }
    if !all && spare < counting {
        lines.push(row("", "--cases shows every case", Style::FAINT));
    }
    lines
}

/// The time of a run of a subset of the secret cases alone; none if the subset saves nothing.
fn saved(kills: &Kills, subset: &Subset) -> Option<String> {
    let (all, part) = kills.times(subset);
    let others = kills.counts.iter().filter(|counts| **counts).count() - subset.cases.len();
    let fewest = if subset.is_smallest && subset.cases.len() > 1 { "; no fewer are enough" } else { "" };
    (others > 0 && !subset.cases.is_empty()).then(|| {
        let (part, all) = (seconds(part), seconds(all));
        format!("without the other {others}, all submissions together take {part} instead of {all}{fewest}")
    })
}

/// How many different mistakes the wrong submissions make; none if fewer than two are killed.
fn mistakes(independence: &Independence) -> Option<String> {
    let Independence { killed, different, rank } = *independence;
    (killed > 1).then(|| {
        let ways = if different == 1 { "1 way".to_owned() } else { format!("{different} different ways") };
        let independent = if rank < different { format!(", {rank} of them independent") } else { String::new() };
        format!("{killed} wrong submissions fail in {ways}{independent}")
    })
}

fn limit(margins: &Margins) -> Line {
    let style = if margins.are_safe() { Style::PLAIN } else { Style::NOTICE };
    row("limit", &clean(&margins::summary(margins)), style)
}

/// The last line: whether verification failed, with counts of findings.
pub(super) fn summary(all_results: &[ProblemFindings], strict: bool) -> Line {
    let totals = Totals::of(all_results);
    let style = if totals.fail(strict) { Style::BAD } else { Style::GOOD };
    Line::new().with(totals.word(strict), style.bold()).with(&format!("  {totals}"), Style::PLAIN)
}
