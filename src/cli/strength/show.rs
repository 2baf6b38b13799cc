//! Shows the results of `grader strength`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::cli::output::clean;
use crate::report::text::{Line, Style, count, first_of, pad};
use crate::strength::{Fate, FoundInput, LabelledPool, MutantResult, Strength, percent};

/// The most survivors that are shown without `-v`.
const SHOWN: usize = 5;
/// The most cases that are named.
const CASES: usize = 4;
/// Columns of the labels.
const LABEL: usize = 12;

/// The summary and the survivors.
pub(super) fn lines(found: &Strength, all: bool, adds: bool) -> Vec<Line> {
    let figures = found.figures();
    let programs: Vec<String> =
        found.programs.iter().map(|program| format!("{} ({})", program.submission, program.language)).collect();
    let tried = format!(
        " · {} of {} mutants of {} · {:.0} s",
        found.mutants.len(),
        found.possible,
        clean(&first_of(programs.into_iter(), 3)),
        found.seconds
    );
    let mut lines = vec![Line::new().with(&clean(&found.problem), Style::STRONG).with(&tried, Style::PLAIN)];
    for (submission, why) in &found.not_mutated {
        lines.push(row("not mutated", &clean(&format!("{submission}: {why}")), Style::NOTICE));
    }
    lines.push(row("killed", &figures.killed.to_string(), Style::PLAIN));
    let style = if figures.survived > 0 { Style::BAD } else { Style::PLAIN };
    let survived = match figures.survived {
        0 => "0".to_owned(),
        n => format!("{n}  no case of this problem tells them from the original"),
    };
    lines.push(row("survived", &survived, style));
    let undecided: Vec<u64> = found.mutants.iter().filter_map(undecided_after).collect();
    if let (Some(least), None) = (undecided.iter().min(), &found.unexamined) {
        let text = match undecided.len() {
            1 => format!("1 of them agrees with its original on {least} inputs, too few to call it equivalent"),
            more => {
                format!("{more} of them agree with their originals on {least} inputs, too few to call them equivalent")
            }
        };
        lines.push(row("", &text, Style::NOTICE));
    }
    let equivalent = found.mutants.iter().filter_map(|mutant| match mutant.fate {
        Fate::Equivalent { inputs } => Some(inputs),
        _ => None,
    });
    if let Some(least) = equivalent.min() {
        let others = match least {
            0 => "; the generators make no other inputs".to_owned(),
            _ => format!(" and on {least} other inputs"),
        };
        let text = format!("{}  the same on every case{others}", figures.equivalent);
        lines.push(row("equivalent", &text, Style::FAINT));
    }
    if let Some(why) = &found.unexamined {
        let text = format!("no input was tried on the survivors, so some may be equivalent: {}", clean(why));
        lines.extend(text.lines().map(|text| row("", text, Style::NOTICE)));
    }
    for (label, n) in [("not built", figures.not_built), ("not judged", figures.not_judged)] {
        if n > 0 {
            lines.push(row(label, &format!("{n}{}", reason(found, label)), Style::FAINT));
        }
    }
    if found.ignores_points {
        let text = "not compared: an output that is accepted with fewer points kills no mutant";
        lines.push(row("points", text, Style::NOTICE));
    }
    lines.push(strength(found));
    lines.extend(cases(found));
    lines.extend(survivors(found, all, adds));
    lines.push(Line::new());
    lines
}

/// The number of inputs on which a survivor agreed with its original, if they were too few to call it equivalent.
fn undecided_after(mutant: &MutantResult) -> Option<u64> {
    match mutant.fate {
        Fate::Survived { input: None, inputs } => Some(inputs),
        _ => None,
    }
}

fn row(label: &str, text: &str, style: Style) -> Line {
    Line::from("  ").with(&pad(label, LABEL), Style::FAINT).with(text, style)
}

/// The first reason why mutants were not judged.
fn reason(found: &Strength, label: &str) -> String {
    let first = found.mutants.iter().find_map(|mutant| match &mutant.fate {
        Fate::NotJudged { reason } => Some(clean(reason)),
        _ => None,
    });
    first.filter(|_| label == "not judged").map(|reason| format!("  {reason}")).unwrap_or_default()
}

fn strength(found: &Strength) -> Line {
    let figures = found.figures();
    let Some(strength) = figures.strength() else {
        return row("strength", "unknown: no mutant was tried that differs from its original", Style::NOTICE);
    };
    let interval = figures.interval().map(|(low, high)| {
        let of = figures.killed + figures.survived;
        format!(" of {of}, 95 % interval {} to {}", percent(low), percent(high))
    });
    let samples = figures.of_samples().filter(|_| found.cases.iter().any(|case| case.is_sample));
    let samples = samples.map(|samples| format!(" · samples alone {}", percent(samples)));
    let text = [Some(percent(strength)), interval, samples].into_iter().flatten().collect::<String>();
    row("strength", &text, if figures.survived == 0 { Style::GOOD } else { Style::STRONG })
}

/// The cases that kill most, and how many kill none.
fn cases(found: &Strength) -> Vec<Line> {
    let mut best: Vec<_> = found.cases.iter().filter(|case| case.kills > 0).collect();
    best.sort_by_key(|case| usize::MAX - case.kills);
    let names = best.iter().map(|case| format!("{} ({})", clean(&case.case), case.kills));
    let label = if found.all_tests { "kills" } else { "first kills" };
    let mut lines = Vec::new();
    if !best.is_empty() {
        lines.push(row(label, &first_of(names, CASES), Style::FAINT));
    }
    if found.all_tests {
        lines.extend(groups(found).map(|text| row("", &text, Style::FAINT)));
        let idle: Vec<_> = found.cases.iter().filter(|case| case.kills == 0).collect();
        if !idle.is_empty() {
            let of = if idle.iter().any(|case| case.not_run > 0) { " among those on which they ran" } else { "" };
            lines.push(row("", &format!("{} kill no mutant{of}", count(idle.len(), "case")), Style::FAINT));
        }
        if found.stopped() > 0 {
            let mutants = count(found.stopped(), "mutant");
            let text = format!("some cases did not run on {mutants}: over the time limit before, or no time was left");
            lines.push(row("not run", &text, Style::FAINT));
        }
    }
    lines
}

/// The share of the mutants that each group kills.
fn groups(found: &Strength) -> impl Iterator<Item = String> {
    let figures = found.figures();
    let of = figures.killed + figures.survived;
    let mut by_group: BTreeMap<&str, usize> = BTreeMap::new();
    for mutant in &found.mutants {
        if let Fate::Killed { by, .. } = &mutant.fate {
            let mut groups: Vec<&str> = by.iter().map(|case| &*found.cases[*case].group).collect();
            groups.sort_unstable();
            groups.dedup();
            for group in groups {
                *by_group.entry(group).or_default() += 1;
            }
        }
    }
    let at_least = if found.stopped() > 0 { "at least " } else { "" };
    let lines: Vec<String> = by_group
        .into_iter()
        .filter(|_| of > 0)
        .map(|(group, kills)| {
            #[expect(clippy::cast_precision_loss, reason = "counts are far below 2⁵²")]
            let share = kills as f64 / of as f64;
            format!("group {}: {at_least}{}", if group.is_empty() { "of all" } else { group }, percent(share))
        })
        .collect();
    lines.into_iter()
}

fn survivors(found: &Strength, all: bool, adds: bool) -> Vec<Line> {
    let survivors: Vec<_> = found.survivors().collect();
    let most = if all { survivors.len() } else { SHOWN };
    let mut lines = Vec::new();
    for (mutant, input) in survivors.iter().take(most) {
        lines.extend(survivor(mutant, *input));
    }
    if survivors.len() > most {
        let text = format!("and {} more (-v shows all)", survivors.len() - most);
        lines.push(Line::from("  ").with(&text, Style::FAINT));
    }
    if !adds && survivors.iter().any(|(_, input)| input.is_some()) {
        let text = format!("add the inputs: grader strength {} --add", clean(&found.problem));
        lines.push(Line::from("  → ").with(&text, Style::PLAIN));
    }
    lines
}

fn survivor(mutant: &MutantResult, input: Option<&FoundInput>) -> Vec<Line> {
    let place = format!("{}:{}", mutant.submission, mutant.line);
    let head = Line::from("  ").with("✗ ", Style::BAD).with(&clean(&place), Style::STRONG);
    let mut lines = vec![head.with(&format!("  {} ({})", clean(&mutant.explanation), mutant.operator), Style::PLAIN)];
    for (sign, text, style) in [("- ", &mutant.before, Style::BAD), ("+ ", &mutant.after, Style::GOOD)] {
        for text in text.lines() {
            lines.push(Line::from("      ").with(&format!("{sign}{}", clean(text.trim())), style));
        }
    }
    if let Some(input) = input {
        let at = input.file.as_deref().map(|file| format!(": {}", file.display())).unwrap_or_default();
        let text = format!("{} on an input of {} by {}{at}", input.verdict, count(input.size, "byte"), input.from);
        lines.push(Line::from("      ").with(&clean(&text), Style::PLAIN));
    }
    lines
}

/// The inputs that kill survivors, each with a note for its use as a case.
pub(super) fn to_add(found: &Strength) -> Vec<(&Path, String)> {
    let mut by_file: BTreeMap<&Path, Vec<&MutantResult>> = BTreeMap::new();
    for (mutant, input) in found.survivors() {
        if let Some(file) = input.and_then(|input| input.file.as_deref()) {
            by_file.entry(file).or_default().push(mutant);
        }
    }
    let note = |mutants: Vec<&MutantResult>| {
        let names = mutants.iter().map(|mutant| format!("{} ({}:{})", mutant.operator, mutant.submission, mutant.line));
        format!("kills {}", first_of(names.collect::<Vec<_>>().into_iter(), 3))
    };
    by_file.into_iter().map(|(file, mutants)| (file, note(mutants))).collect()
}

/// The line about a case that was added.
pub(super) fn added(id: &str, note: &str) -> Line {
    Line::new()
        .with("✓ ", Style::GOOD)
        .with("added ", Style::PLAIN)
        .with(&clean(id), Style::STRONG)
        .with(&format!("  {}", clean(note)), Style::FAINT)
}

/// The rates of pools, and the programs that were judged against their label.
pub(super) fn pools(problem: &str, pools: &[LabelledPool], all: bool) -> Vec<Line> {
    let mut lines = vec![Line::new().with(&clean(problem), Style::STRONG)];
    for pool in pools {
        let (label, verb) = if pool.should_pass { ("accepted", "accepts") } else { ("wrong", "rejects") };
        let text = match pool.rate() {
            Some((rate, (low, high))) => format!(
                "{verb} {} of {}: {}, 95 % interval {} to {}",
                pool.as_labelled,
                pool.judged,
                percent(rate),
                percent(low),
                percent(high)
            ),
            None => "no program was judged".to_owned(),
        };
        let style = if pool.against.is_empty() { Style::GOOD } else { Style::STRONG };
        lines.push(row(label, &text, style));
        if pool.not_built > 0 {
            lines.push(row("", &format!("{} not compile", does(pool.not_built)), Style::FAINT));
        }
        if let Some((name, why)) = pool.not_judged.first() {
            let text = format!("{} not judged; {name}: {why}", pool.not_judged.len());
            lines.push(row("", &clean(&text), Style::NOTICE));
        }
    }
    for pool in pools {
        let most = if all { pool.against.len() } else { SHOWN };
        for against in pool.against.iter().take(most) {
            let verdict = against.verdict.map_or_else(|| "no verdict".to_owned(), |verdict| verdict.to_string());
            let on = against.test.as_ref().map(|test| format!(" on {test}")).unwrap_or_default();
            let head = Line::from("  ").with("✗ ", Style::BAD).with(&clean(&against.program), Style::STRONG);
            let label = if pool.should_pass { "should be accepted" } else { "is wrong" };
            lines.push(head.with(&clean(&format!("  {label}, but is {verdict}{on}")), Style::PLAIN));
        }
        if pool.against.len() > most {
            let text = format!("and {} more (-v shows all)", pool.against.len() - most);
            lines.push(Line::from("  ").with(&text, Style::FAINT));
        }
    }
    lines
}

fn does(n: usize) -> String {
    if n == 1 { "1 program does".to_owned() } else { format!("{n} programs do") }
}

/// The same for programs.
pub(super) fn pool_document(pools: &[LabelledPool]) -> Value {
    let of = |pool: &LabelledPool| {
        let (rate, interval) = pool.rate().unzip();
        json!({ "rate": rate, "interval": interval, "pool": pool })
    };
    pools.iter().map(of).collect()
}

/// The result with its figures, for programs.
pub(super) fn document(found: &Strength) -> Value {
    let figures = found.figures();
    json!({
        "figures": figures,
        "strength": figures.strength(),
        "interval": figures.interval(),
        "samples": figures.of_samples(),
        "result": found,
    })
}

/// Reads the results from a document that [`document`] wrote.
pub(super) fn results(text: &str) -> serde_json::Result<Vec<Strength>> {
    #[derive(Deserialize)]
    struct Document {
        result: Strength,
    }
    let all: Vec<Document> = serde_json::from_str(text)?;
    Ok(all.into_iter().map(|document| document.result).collect())
}
