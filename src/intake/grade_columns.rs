//! Finds the columns of grades in the list of a platform, so that the file for this platform has them again: their headings,
//! the problems that they are about, and the most points there.

use std::sync::LazyLock;

use csv::StringRecord;
use regex::Regex;

use super::names::{NamedProblem, ProblemNames, folded};
use crate::event::GradeColumn;
use crate::problem::ProblemId;

/// A column of grades as the list has it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FoundColumn {
    platform: &'static str,
    heading: String,
    /// The name of the assignment; none for the grade of the whole list.
    name: Option<String>,
    most: Option<f64>,
}

/// A platform, and what its headings of assignments look like.
type Heading = (&'static str, Regex);

static HEADINGS: LazyLock<[Heading; 3]> = LazyLock::new(|| {
    [
        ("canvas", r"^(?<name>.+) \(\d+\)$"),
        ("blackboard", r"^(?<name>.+) \[Total Pts: (?:up to )?(?<most>[\d.,]+)[^\]]*\](?: \|\d+)?$"),
        ("brightspace", r"^(?<name>.+) (?:Points|Numeric) Grade(?: <.*?MaxPoints:(?<most>[\d.,]+).*>)?$"),
    ]
    .map(|(platform, form)| (platform, Regex::new(form).expect("the forms of headings are valid")))
});

/// The first cell of the line with the most points in a gradebook of Canvas.
pub(super) const POINTS_POSSIBLE: &str = "Points Possible";

/// The columns of grades by the headings and the rows of a list.
pub(super) fn found<'r>(head: &StringRecord, rows: impl Iterator<Item = &'r StringRecord>) -> Vec<FoundColumn> {
    let rows: Vec<&StringRecord> = rows.collect();
    let possible = rows.iter().find(|row| row.get(0) == Some(POINTS_POSSIBLE));
    // No number is no maximum: scales of Moodle are words.
    let number = |text: &str| without_grouping(text).parse::<f64>().ok().filter(|most| *most > 0.0 && most.is_finite());
    let column = |(at, heading): (usize, &str)| {
        let found = |platform, name, most| FoundColumn { platform, heading: heading.to_owned(), name, most };
        if folded(heading) == "maximumgrade" {
            return Some(found("moodle", None, rows.first().and_then(|row| number(row.get(at)?))));
        }
        let (platform, parts) =
            HEADINGS.iter().find_map(|(platform, form)| Some((platform, form.captures(heading)?)))?;
        let most = match *platform {
            "canvas" => number((*possible?).get(at).unwrap_or_default()),
            _ => parts.name("most").and_then(|most| number(most.as_str())),
        };
        Some(found(platform, Some(parts["name"].to_owned()), most))
    };
    head.iter().enumerate().filter_map(column).collect()
}

/// A number with a point before its fraction: `25.00` for `25,00`, and `1000.00` for `1,000.00`. A comma before three digits
/// groups them.
fn without_grouping(number: &str) -> String {
    match number.rsplit_once([',', '.']) {
        Some((whole, part)) if part.len() != 3 || !number.contains(',') => {
            format!("{}.{part}", whole.replace([',', '.'], ""))
        }
        _ => number.replace(',', ""),
    }
}

/// The columns that are about problems of this run, and those of totals.
pub(super) fn of_problems(found: Vec<FoundColumn>, names: &ProblemNames) -> Vec<GradeColumn> {
    let column = |FoundColumn { platform, heading, name, most }: FoundColumn| {
        let problem = match name.as_deref().map(|name| names.meant(name)) {
            None => None,
            Some(NamedProblem::Exactly(id) | NamedProblem::Forgivingly(id)) => Some(ProblemId::from(id.to_owned())),
            Some(NamedProblem::Several | NamedProblem::None) => return None,
        };
        Some(GradeColumn { platform: platform.to_owned(), heading, problem, most })
    };
    found.into_iter().filter_map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_languages_are_read() {
        for (text, expect) in [
            ("25.00", "25.00"),
            ("25,00", "25.00"),
            ("10,5", "10.5"),
            ("1,000.00", "1000.00"),
            ("1.000,00", "1000.00"),
            ("1,000", "1000"),
            ("100", "100"),
            ("0.125", "0.125"),
        ] {
            assert_eq!(without_grouping(text), expect, "{text}");
        }
    }
}
