//! Describes the margins of a time limit in words.

use std::fmt::Write as _;

use crate::limits::{seconds, seconds_short};
use crate::problem::Distances;
use crate::score::time_limit::{Gap, LabelledSubmission, Margins, TestTime};
use crate::verdict::Verdict;

/// The most submissions named for one reason.
const NAMED: usize = 3;

/// `margins safe`, with a note if no submission of one side was run; or `margins not safe: ` with the submissions that
/// cause it.
pub fn words(margins: &Margins) -> String {
    let unknown = |(_, gap): &(LabelledSubmission, Gap)| matches!(gap, Gap::NotRun | Gap::Stopped(_) | Gap::Unknown);
    if !margins.are_safe() {
        let what = if margins.gaps.iter().all(unknown) { "margins not known" } else { "margins not safe" };
        return format!("{what}: {}", gaps(margins).join("; "));
    }
    match (margins.within, margins.over) {
        (_, 0) => "margins safe (no submission labelled TLE was run)".to_owned(),
        (0, _) => "margins safe (no submission labelled AC was run)".to_owned(),
        _ => "margins safe".to_owned(),
    }
}

/// The reasons why the margins are not safe or not known, with the submissions for each.
fn gaps(margins: &Margins) -> Vec<String> {
    let Distances { ac_to_time_limit, time_limit_to_tle, .. } = margins.distances;
    let of = |gap: Gap| margins.gaps.iter().filter(move |(_, other)| *other == gap).map(|(labelled, _)| labelled);
    let text = |gap: Gap| {
        let all: Vec<&LabelledSubmission> = of(gap).collect();
        let first = all.first()?;
        let more = all.len() > 1;
        let mut names: Vec<&str> = all.iter().take(NAMED).map(|labelled| &*labelled.submission).collect();
        let rest = format!("{} more", all.len().saturating_sub(NAMED));
        if all.len() > NAMED {
            names.push(&rest);
        }
        let mut text = names.join(", ");
        if let (Some(timed), false) = (&first.slowest, more) {
            let bound = if timed.killed { ">" } else { "" };
            // Writing into a string cannot fail.
            let _ = write!(text, " ({bound}{} on {})", seconds(timed.time), timed.test);
        }
        let verb = |one: &'static str, many: &'static str| if more { many } else { one };
        let over = margins.over;
        Some(match gap {
            Gap::TooSlow => {
                let share = share(ac_to_time_limit);
                format!("{text} {} more than {share}", verb("takes", "take"))
            }
            Gap::Passes => {
                format!("{} of {over} labelled TLE {} in time: {text}", all.len(), verb("is", "are"))
            }
            Gap::TooFast => format!("{text} {} less than {time_limit_to_tle} × the limit", verb("takes", "take")),
            Gap::Unknown => format!(
                "{text} {} stopped before {time_limit_to_tle} × the limit was seen (grader time-limit measures it)",
                verb("was", "were")
            ),
            Gap::NotRun => format!("{text} {} not run", verb("was", "were")),
            Gap::Stopped(verdict) => {
                format!("{text} {} stopped with {verdict}, which shows no time", verb("was", "were"))
            }
        })
    };
    let gaps = [Gap::TooSlow, Gap::Passes, Gap::TooFast, Gap::Unknown, Gap::NotRun];
    gaps.into_iter().chain(Verdict::ALL.map(Gap::Stopped)).filter_map(text).collect()
}

/// The part of the limit that an accepted submission may use, in words.
pub fn share(ac_to_time_limit: f64) -> String {
    if (ac_to_time_limit - 2.0).abs() < 1e-9 {
        "half of the limit".to_owned()
    } else {
        format!("the limit / {ac_to_time_limit}")
    }
}

/// The figures and the words: `slowest 0.004 s of 2 s; margins safe`.
pub fn summary(margins: &Margins) -> String {
    let figures = figures(margins, |_| "slowest".to_owned(), true);
    if figures.is_empty() { words(margins) } else { format!("{figures}; {}", words(margins)) }
}

/// `slowest AC 0.004 s, fastest TLE >1.500 s`. `slowest` returns the label for the submission of that name.
pub fn figures(margins: &Margins, slowest: impl Fn(&str) -> String, with_limit: bool) -> String {
    let figure = |what: String, (_, timed): &(String, TestTime)| {
        let bound = if timed.killed { ">" } else { "" };
        let limit = if with_limit { format!(" of {}", seconds_short(timed.limit)) } else { String::new() };
        format!("{what} {bound}{}{limit}", seconds(timed.time))
    };
    let slowest = margins.slowest.as_ref().map(|one| figure(slowest(&one.0), one));
    let fastest = margins.fastest.as_ref().map(|one| figure("fastest TLE".to_owned(), one));
    slowest.into_iter().chain(fastest).collect::<Vec<_>>().join(", ")
}
