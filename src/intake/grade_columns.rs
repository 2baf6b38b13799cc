//! Finds the columns of grades in the list of a platform, so that the file for this platform has them again: their headings,
//! the problems that they are about, and the most points there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use csv::StringRecord;
use regex::Regex;

use super::csv_table::CsvTable;
use super::moodle_languages::heading_in_language;
use super::names::{NamedProblem, ProblemNames, exercise_option, folded};
use super::platforms::MOODLE;
use super::reader::listed;
use crate::diagnostic::Diagnostic;
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
    /// Other headings of Moodle's worksheet, by what they are called in English.
    headings: BTreeMap<String, String>,
    decimal_comma: bool,
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

/// The most lines that a message lists.
const LINES: usize = 5;

/// The most points of each row in Moodle's grading worksheet.
pub(super) struct Maxima {
    /// The position of the column; none if there is none.
    at: Option<usize>,
    /// The maximum of all rows, if they agree.
    common: Option<f64>,
}

impl Maxima {
    pub(super) fn of(table: &CsvTable<'_>) -> Self {
        let at = table.words.iter().position(|word| word == MAXIMUM);
        let mut all = table.rows().map(|(_, row)| number(row.get(at?)?));
        let first = all.next().flatten();
        Self { at, common: first.filter(|first| all.all(|most| most == Some(*first))) }
    }

    /// The maximum of a row, if the rows differ.
    pub(super) fn of_row(&self, row: &StringRecord) -> Option<f64> {
        number(row.get(self.at?)?).filter(|_| self.common.is_none())
    }
}

/// The heading of Moodle's column with the most points, folded.
const MAXIMUM: &str = "maximumgrade";

/// A number of points. The scales of Moodle are words.
fn number(text: &str) -> Option<f64> {
    without_grouping(text).parse::<f64>().ok().filter(|most| *most > 0.0 && most.is_finite())
}

/// An error for each text in Moodle's worksheet that is not a maximum of points, such as the words of a scale.
pub(super) fn without_maximum(table: &CsvTable<'_>) -> Vec<Diagnostic> {
    let column = |word: &str| table.words.iter().position(|known| known == word);
    let scale = || column("identifier").and(column("fullname")).and_then(|_| column("scale"));
    let Some(at) = column(MAXIMUM).or_else(scale) else { return Vec::new() };
    let mut lines: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (line, row) in table.rows() {
        lines.entry(row.get(at).unwrap_or_default()).or_default().push(*line);
    }
    // A column without any text states nothing.
    let is_stated = lines.keys().any(|text| !text.is_empty());
    let wrong = lines.into_iter().filter(|(text, _)| is_stated && number(text).is_none());
    let told = |(text, lines): (&str, Vec<usize>)| {
        let heading = &table.headings[at];
        let what = if text.is_empty() { "nothing".to_owned() } else { format!("`{text}`") };
        let listed: Vec<String> = lines.iter().take(LINES).map(ToString::to_string).collect();
        let more = if lines.len() > LINES { format!(" and {} more", lines.len() - LINES) } else { String::new() };
        let all = if lines.len() > 1 { format!(" (lines {}{more})", listed.join(", ")) } else { String::new() };
        let message = format!("`{heading}` says {what}, which is not a number of points{all}");
        let remedy = "let Moodle grade the assignment with points, or do not scale them: --points raw";
        table.error(lines[0], message, remedy)
    };
    wrong.map(told).collect()
}

/// A warning if Moodle's worksheet has no column with the most points: the points in the file for Moodle are then not scaled.
pub(super) fn lacks_maximum(table: &CsvTable<'_>) -> Option<Diagnostic> {
    let has = |word: &str| table.words.iter().any(|known| known == word);
    let is_worksheet = has("identifier") && (has("lastmodifiedgrade") || has("fullname") && has("grade"));
    if !is_worksheet || has(MAXIMUM) || has("scale") {
        return None;
    }
    let heading = heading_in_language(&table.headings, "Maximum Grade");
    let message = format!("has no column `{heading}`, so points are not scaled to the maximum at Moodle");
    let remedy = format!("call the column with the most points `{heading}`, or do not scale points: --points raw");
    Some(table.warning(table.head_line, message, &remedy))
}

/// What Canvas writes instead of the grade of a student who need not submit.
const EXCUSED: &str = "EX";

/// The columns of grades of Canvas, each with its position and its heading.
pub(super) fn positions(table: &CsvTable<'_>) -> Vec<(usize, String)> {
    let (_, canvas) = &HEADINGS[0];
    let columns = table.headings.iter().enumerate().filter(|(_, heading)| canvas.is_match(heading));
    columns.map(|(at, heading)| (at, heading.to_owned())).collect()
}

/// The headings of the columns that excuse the student of a row.
pub(super) fn excused(columns: &[(usize, String)], row: &StringRecord) -> Vec<String> {
    let is_excused = |(at, _): &&(usize, String)| row.get(*at).is_some_and(|cell| cell.eq_ignore_ascii_case(EXCUSED));
    columns.iter().filter(is_excused).map(|(_, heading)| heading.clone()).collect()
}

/// The columns of grades in a list.
pub(super) fn found(table: &CsvTable<'_>) -> Vec<FoundColumn> {
    let possible = table.rows().map(|(_, row)| row).find(|row| row.get(0) == Some(POINTS_POSSIBLE));
    let column = |(at, heading): (usize, &str)| {
        let (platform, parts) =
            HEADINGS.iter().find_map(|(platform, form)| Some((platform, form.captures(heading)?)))?;
        let most = match *platform {
            "canvas" => number(possible?.get(at).unwrap_or_default()),
            _ => parts.name("most").and_then(|most| number(most.as_str())),
        };
        let heading = heading.to_owned();
        let name = Some(parts["name"].to_owned());
        let headings = if *platform == "brightspace" { key_of_brightspace(table) } else { BTreeMap::new() };
        Some(FoundColumn { platform, heading, name, most, headings, decimal_comma: false })
    };
    let of_assignments = table.headings.iter().enumerate().filter_map(column);
    of_assignments.chain(of_worksheet(table)).collect()
}

/// The column by which Brightspace finds students, if its list has only their user names.
fn key_of_brightspace(table: &CsvTable<'_>) -> BTreeMap<String, String> {
    let has = |word: &str| table.words.iter().any(|known| known == word);
    let is_by_name = has("username") && !has("orgdefinedid");
    is_by_name.then(|| ("OrgDefinedId".to_owned(), "Username".to_owned())).into_iter().collect()
}

/// The headings of Moodle's worksheet that the file for Moodle has again.
const WORKSHEET: [&str; 6] =
    ["Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)", "Feedback comments"];

/// The position of the grades in Moodle's worksheet, if the list is one.
pub(super) fn of_grade(table: &CsvTable<'_>) -> Option<usize> {
    of_worksheet(table).and(table.words.iter().position(|word| word == "grade"))
}

/// The column of grades of Moodle's worksheet, if the list is one.
fn of_worksheet(table: &CsvTable<'_>) -> Option<FoundColumn> {
    let position = |word: &str| table.words.iter().position(|known| known == word);
    let heading = |english: &&str| {
        let as_listed = position(&folded(english)).and_then(|at| table.headings.get(at))?;
        (as_listed != *english).then(|| ((*english).to_owned(), as_listed.to_owned()))
    };
    let beside = position("fullname").or(position("lastmodifiedgrade"));
    position("identifier").and(beside).or(position(MAXIMUM))?;
    let numbers = ["grade", MAXIMUM].map(position);
    let cells = table.rows().flat_map(|(_, row)| numbers.map(|at| row.get(at?)));
    Some(FoundColumn {
        platform: MOODLE,
        heading: position("grade").and_then(|at| table.headings.get(at)).unwrap_or("Grade").to_owned(),
        name: None,
        most: Maxima::of(table).common,
        headings: WORKSHEET.iter().filter_map(heading).collect(),
        decimal_comma: cells.flatten().any(has_decimal_comma),
    })
}

/// Whether a number has a comma before its fraction: `25,00`, `25,00000`. The words of a scale are not numbers.
fn has_decimal_comma(text: &str) -> bool {
    let is_number = without_grouping(text).parse::<f64>().is_ok();
    let fraction =
        text.rsplit_once([',', '.']).map(|(whole, part)| text.as_bytes()[whole.len()] == b',' && part.len() != 3);
    is_number && fraction.unwrap_or(false)
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

/// The columns of grades in a list, by what their headings mean.
#[derive(Debug, Default)]
pub(super) struct ReadColumns {
    /// Those that are about problems of this run, and those of totals.
    pub(super) known: Vec<GradeColumn>,
    /// The others: the heading, and the name of the assignment in it.
    pub(super) others: Vec<(String, String)>,
}

/// Finds the problem of each column.
pub(super) fn of_problems(found: Vec<FoundColumn>, names: &ProblemNames) -> ReadColumns {
    let mut read = ReadColumns::default();
    for FoundColumn { platform, heading, name, most, headings, decimal_comma } in found {
        let problem = match name.as_deref().map(|name| names.meant(name)) {
            None => None,
            Some(NamedProblem::Exactly(id) | NamedProblem::Forgivingly(id)) => Some(ProblemId::from(id.to_owned())),
            Some(NamedProblem::Several | NamedProblem::None) => {
                read.others.push((heading, name.unwrap_or_default()));
                continue;
            }
        };
        let platform = platform.to_owned();
        read.known.push(GradeColumn { platform, heading, problem, most, headings, decimal_comma });
    }
    read
}

/// A warning for each problem of the run with several columns in the list: the file for the platform has the first.
pub(super) fn doubled(columns: &[GradeColumn], problems: &BTreeSet<&ProblemId>, roster: &Path) -> Vec<Diagnostic> {
    let mut by_problem: BTreeMap<(&str, &ProblemId), Vec<PathBuf>> = BTreeMap::new();
    for column in columns {
        if let Some(problem) = column.problem.as_ref().filter(|problem| problems.contains(problem)) {
            by_problem.entry((&column.platform, problem)).or_default().push(PathBuf::from(&column.heading));
        }
    }
    let several = by_problem.into_iter().filter(|(_, headings)| headings.len() > 1);
    let warning = |((platform, problem), headings): ((&str, &ProblemId), Vec<PathBuf>)| {
        let message = format!("several columns may be for `{problem}`: {}", listed(&headings));
        let first = listed(&headings[..1]);
        let remedy = format!("the file for {platform} has {first}; if it is another, delete the others from this list");
        Diagnostic::warning(roster, message).remedy(remedy)
    };
    several.map(warning).collect()
}

/// A warning if the list has no column of a problem of the run, and other columns that may be of this problem: the file for
/// the platform would then make a new assignment.
pub(super) fn without_column<'p>(
    columns: &[GradeColumn],
    others: &[(String, String)],
    problems: impl Iterator<Item = &'p ProblemId>,
    roster: &Path,
) -> Option<Diagnostic> {
    let has_column = |problem: &&ProblemId| columns.iter().any(|column| column.problem.as_ref() == Some(*problem));
    let lacking: Vec<&str> = problems.filter(|problem| !has_column(problem)).map(ProblemId::as_str).collect();
    let is_alike = |name: &str, problem: &str| folded(name).contains(&folded(problem));
    let pairs = || others.iter().flat_map(|(_, name)| lacking.iter().map(move |problem| (&**name, *problem)));
    let (name, first) = pairs().find(|(name, problem)| is_alike(name, problem)).or_else(|| pairs().next())?;
    let likely = Some(first).filter(|problem| lacking.len() == 1 || is_alike(name, problem));
    let paths = |names: &mut dyn Iterator<Item = &str>| listed(&names.map(PathBuf::from).collect::<Vec<_>>());
    let lacking = paths(&mut lacking.iter().copied());
    let headings = paths(&mut others.iter().map(|(heading, _)| &**heading));
    let message = format!("has no column for {lacking}; these columns name no problem of this run: {headings}");
    let remedy = format!("if one is for a problem, say so: {}", exercise_option(name, likely));
    Some(Diagnostic::warning(roster, message).remedy(remedy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_before_fractions_are_found() {
        for (text, expect) in
            [("25,00", true), ("0,50000", true), ("25.00", false), ("1,000", false), ("Fail,Pass", false)]
        {
            assert_eq!(has_decimal_comma(text), expect, "{text}");
        }
    }

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
