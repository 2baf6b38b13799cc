//! The table of disagreements between judges: a row for each disputed test of a submission, a column for each judge.

use super::{TerminalOptions, clean};
use crate::record::{DisputedTest, Report};
use crate::ruleset::Ruleset;
use crate::text::{Line, Style, count, pad, width};

/// The most rows shown without `-v`.
const ROWS: usize = 30;

/// The table of disputed tests. Without any, a line that all judges agree if the user asked for it, otherwise nothing.
pub(super) fn lines(report: &Report, options: &TerminalOptions) -> Vec<Line> {
    let rows: Vec<([String; 2], &DisputedTest)> = report
        .submissions
        .iter()
        .flat_map(|submission| {
            let name = clean(&format!("{} · {}", submission.id.problem, submission.id.submission));
            submission.disputed.iter().map(move |test| ([name.clone(), clean(test.test.as_str())], test))
        })
        .collect();
    if !options.every_judge && rows.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![Line::new()];
    if rows.is_empty() {
        let judges: Vec<&str> = Ruleset::OF_PACKAGES.iter().map(|judge| judge.name()).collect();
        lines.push(Line::new().with(&format!("{} agree on every test that was run", judges.join(", ")), Style::FAINT));
        return lines;
    }
    let tests = count(rows.len(), "test");
    let has_unknown = rows.iter().any(|(_, test)| test.others.iter().any(|other| other.is_unknown));
    let unknown = if has_unknown { ", or it is unknown what one would say (?)" } else { "" };
    let head = format!("judges disagree on {tests}{unknown}");
    lines.push(Line::new().with(&head, Style::NOTICE.bold()));
    let columns = [0, 1].map(|at| rows.iter().map(|(names, _)| width(&names[at])).max().unwrap_or(0));
    let is_shown = |judge: &Ruleset| *judge != Ruleset::Codeforces || rows.iter().any(|(_, test)| own(test) == *judge);
    let judges = |line: Line, word: &dyn Fn(Ruleset) -> (&'static str, Style)| {
        Ruleset::ALL.into_iter().filter(is_shown).fold(line, |line, judge| {
            let (word, style) = word(judge);
            line.with("  ", Style::PLAIN).with(&pad(word, judge.name().len().max(5)), style)
        })
    };
    let indent = format!("  {}", " ".repeat(columns[0] + columns[1] + 2));
    lines.push(judges(Line::new().with(&indent, Style::PLAIN), &|judge| (judge.name(), Style::FAINT)));
    let most = if options.verbosity > 0 { rows.len() } else { ROWS };
    for (names, test) in rows.iter().take(most) {
        let text = format!("  {}  {}", pad(&names[0], columns[0]), pad(&names[1], columns[1]));
        lines.push(judges(Line::new().with(&text, Style::PLAIN), &|judge| match test
            .others
            .iter()
            .find(|other| other.judge == judge)
        {
            Some(other) => (other.word(), Style::PLAIN),
            None if own(test) == judge => (judge.word(test.verdict), Style::STRONG),
            None => ("", Style::PLAIN),
        }));
    }
    if rows.len() > most {
        let more = format!("  and {} more  (-v lists them)", rows.len() - most);
        lines.push(Line::new().with(&more, Style::FAINT));
    }
    lines
}

/// The judge by whose rules the test was judged: the one that gives no opinion beside the verdict.
fn own(test: &DisputedTest) -> Ruleset {
    let is_own = |judge: &Ruleset| test.others.iter().all(|other| other.judge != *judge);
    Ruleset::OF_PACKAGES.into_iter().find(is_own).unwrap_or(Ruleset::Codeforces)
}
