//! The expected results of a submission, from the directory that it is in or from an annotation in its source.

use std::path::{Path, PathBuf};

use crate::reader::Reader;
use grader_model::diagnostic::{Diagnostic, Kind, TextPosition};
use grader_model::problem::grading::Grading;
use grader_model::problem::{Expectation, Program, Rule, ScoreRange, Submission};
use grader_model::verdict::{UnknownVerdict, Verdict, VerdictSet};

use Verdict::{
    Accepted as AC, CompileError as CE, MemoryLimit as MLE, OutputLimit as OLE, RunTimeError as RTE, TimeLimit as TLE,
    WrongAnswer as WA,
};

/// The names of directories with their permitted and required verdicts: package format 2025-09, "Default directories",
/// then those of older formats and of grader.
const DIRECTORIES: &[(&str, &[Verdict], &[Verdict])] = &[
    ("accepted", &[AC], &[]),
    ("rejected", &Verdict::ALL, &[RTE, TLE, WA]),
    ("wrong_answer", &[AC, WA], &[WA]),
    ("time_limit_exceeded", &[AC, TLE], &[TLE]),
    ("run_time_error", &[AC, RTE], &[RTE]),
    ("brute_force", &[AC, RTE, TLE], &[RTE, TLE]),
    // Legacy, for points: some points, but not all. Without points it means some failure.
    ("partially_accepted", &Verdict::ALL, &[RTE, TLE, WA]),
    ("runtime_error", &[AC, RTE], &[RTE]),
    ("memory_limit_exceeded", &[AC, MLE], &[MLE]),
    ("output_limit_exceeded", &[AC, OLE], &[OLE]),
    ("compile_error", &[CE], &[CE]),
    ("compiler_error", &[CE], &[CE]),
];

/// Directories whose submissions are not searched for annotations.
const STANDARD: [&str; 4] = ["accepted", "wrong_answer", "time_limit_exceeded", "run_time_error"];

/// The names of all known directories, the usual ones first.
pub(crate) fn directories() -> impl Iterator<Item = &'static str> {
    DIRECTORIES.iter().map(|(name, ..)| *name)
}

/// The rule of a directory; none if the directory is unknown.
pub(crate) fn rule_of_directory(name: &str) -> Option<Rule> {
    let (_, permitted, required) = DIRECTORIES.iter().find(|(known, ..)| *known == name)?;
    let score = match name {
        "accepted" => Some(ScoreRange::Full),
        "partially_accepted" => Some(ScoreRange::Partial),
        _ => None,
    };
    Some(Rule { score, ..Rule::of_verdicts(None, VerdictSet::of(permitted), VerdictSet::of(required)) })
}

/// Directories with another meaning in the legacy format ("Example submissions"), or known only to `DOMjudge`.
const LEGACY: &[(&str, &[Verdict], &[Verdict])] = &[
    ("time_limit_exceeded", &[AC, WA, TLE], &[TLE]),
    ("run_time_error", &[AC, WA, TLE, MLE, OLE, RTE], &[RTE]),
    ("no_output", &[AC, WA], &[WA]),
    ("output_limit", &[AC, OLE], &[OLE]),
];

/// The rule of a directory like `rule_of_directory`, in a package that may be of the legacy format.
pub fn rule_in(name: &str, legacy: bool) -> Option<Rule> {
    let Some((_, permitted, required)) = LEGACY.iter().find(|(known, ..)| legacy && *known == name) else {
        return rule_of_directory(name);
    };
    Some(Rule::of_verdicts(None, VerdictSet::of(permitted), VerdictSet::of(required)))
}

/// The expectation of a directory.
pub(crate) fn of_directory(name: &str, legacy: bool) -> Expectation {
    let rule = rule_in(name, legacy);
    let overall = rule.map(|rule| {
        let accepts = rule.permitted == VerdictSet::of(&[AC]) || rule.score == Some(ScoreRange::Partial);
        if accepts {
            VerdictSet::of(&[AC])
        } else {
            Verdict::ALL.into_iter().filter(|verdict| *verdict != AC).collect()
        }
    });
    let rules = rule_in(name, legacy).into_iter().collect();
    Expectation { rules, overall, ..Expectation::open(&format!("{name}/")) }
}

/// Adapts the expectations to a problem that gives points, or that gives none. `root`: the directory of the submissions.
pub(crate) fn fit_points(reader: &Reader<'_>, root: &Path, gives_points: bool, submissions: &mut [Submission]) {
    if gives_points {
        with_points(reader, submissions);
    } else {
        without_points(reader, root, submissions);
    }
}

/// Adapts the expectations of a problem to points. An expected partial score replaces the verdicts that a rule
/// requires. The points in an annotation replace the points of the directory.
fn with_points(reader: &Reader<'_>, submissions: &mut [Submission]) {
    for submission in submissions {
        let directory = submission.id.as_str().split_once('/').map_or("", |(directory, _)| directory);
        let stated = annotated(reader, directory, &submission.program, SCORE, parse_score);
        let rules = &mut submission.expectation.rules;
        if let Some(points) = stated {
            rules.retain(|rule| rule.score != Some(ScoreRange::Partial));
            let score = Some(ScoreRange::Between(points, points));
            let permitted = VerdictSet::of(&Verdict::ALL);
            rules.push(Rule { score, ..Rule::of_verdicts(None, permitted, VerdictSet::default()) });
        }
        for rule in rules.iter_mut().filter(|rule| rule.score == Some(ScoreRange::Partial)) {
            rule.required = VerdictSet::default();
        }
    }
}

/// Adapts the expectations of a legacy package to its graders. If the graders forgive failures, a directory of accepted
/// submissions or an annotation describes the final verdict, not the verdict of each case. Without graders, the first
/// failing case decides.
pub(crate) fn with_graders(reader: &Reader<'_>, grading: Option<&Grading>, submissions: &mut [Submission]) {
    let forgives = grading.is_some_and(Grading::is_lenient);
    for expectation in submissions.iter_mut().map(|submission| &mut submission.expectation) {
        expectation.first_failure_decides = reader.legacy && grading.is_none();
        if grading.is_none() {
            expectation.overall = None;
        }
        let annotated = expectation.source == RESULTS;
        let of_directory =
            |rule: &Rule| rule.score == Some(ScoreRange::Full) || rule.permitted == VerdictSet::of(&[AC]);
        let accepted = expectation.overall == Some(VerdictSet::of(&[AC]));
        for (at, rule) in expectation.rules.iter_mut().enumerate().filter(|_| forgives) {
            if annotated || (at == 0 && accepted && rule.cases.is_none() && of_directory(rule)) {
                rule.permitted = VerdictSet::of(&Verdict::ALL);
                rule.required = VerdictSet::default();
            }
        }
    }
}

/// Removes messages from the expectations of a problem whose programs cannot write any. Warns if there were any.
pub(crate) fn with_messages(reader: &Reader<'_>, root: &Path, has_validator: bool, submissions: &mut [Submission]) {
    let rules = submissions.iter_mut().flat_map(|submission| &mut submission.expectation.rules);
    let stated = rules.filter_map(|rule| if has_validator { None } else { rule.message.take() }).count();
    if stated > 0 {
        let file = root.join("submissions.yaml");
        reader.warning(Kind::NotChecked, &file, "`message` is not checked: no output validator can print it");
    }
}

/// Removes points from the expectations of a problem without points. Warns if there were any.
fn without_points(reader: &Reader<'_>, root: &Path, submissions: &mut [Submission]) {
    let rules = submissions.iter_mut().flat_map(|submission| &mut submission.expectation.rules);
    let stated = rules.filter_map(|rule| rule.score.take()).any(|score| matches!(score, ScoreRange::Between(..)));
    if stated {
        reader.warning(
            Kind::NotChecked,
            root,
            "points are expected, but the problem is not of type `scoring`; not checked",
        );
    }
}

/// The annotations of `DOMjudge` and `BAPCtools`.
const RESULTS: &str = "@EXPECTED_RESULTS@";
const SCORE: &str = "@EXPECTED_SCORE@";

/// Why an annotation in a source file is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum AnnotationError {
    /// The text is not a number of points.
    #[error("expected a number of points, found {0:?}")]
    NoPoints(String),
    /// A word is not a verdict.
    #[error(transparent)]
    UnknownVerdict(#[from] UnknownVerdict),
    /// The text names no verdict.
    #[error("it names no verdict")]
    NoVerdict,
}

/// The number of leading bytes of a source that are searched.
const SEARCHED: u64 = 1024 * 1024;

/// The expectation from an annotation in any source of a submission in the directory `name`. Reports errors.
pub(crate) fn of_annotation(reader: &Reader<'_>, name: &str, program: &Program) -> Option<Expectation> {
    if STANDARD.contains(&name) {
        warn_of_contradiction(reader, name, program);
        return None;
    }
    let rule = annotated(reader, name, program, RESULTS, parse_results)?;
    let overall = Some(if rule.required.is_empty() { rule.permitted } else { rule.required });
    Some(Expectation { rules: vec![rule], overall, ..Expectation::open(RESULTS) })
}

/// Warns of an annotation that no verdict of a standard directory can meet. The directory counts, as for other judges.
fn warn_of_contradiction(reader: &Reader<'_>, name: &str, program: &Program) {
    let deciding = |rule: &Rule| if rule.required.is_empty() { rule.permitted } else { rule.required };
    let Some(by_directory) = rule_in(name, reader.legacy).map(|rule| deciding(&rule)) else { return };
    for source in sources_of(reader, program) {
        // The build reports a file that cannot be read.
        let Ok(text) = read_start(&source) else { continue };
        let Some(end) = positions(&text, RESULTS).next() else { continue };
        let Ok(stated) = parse_results(&text[end..]).map(|rule| deciding(&rule)) else { continue };
        if !stated.iter().any(|verdict| by_directory.contains(verdict)) {
            let message = format!("{RESULTS} says {stated}, but {name}/ says {by_directory}; the directory counts");
            let found = Diagnostic::warning(&source, message).kind(Kind::Annotation);
            reader.report(found.remedy("move the submission, or remove the annotation"));
        }
    }
}

fn sources_of(reader: &Reader<'_>, program: &Program) -> Vec<PathBuf> {
    match program {
        Program::File(path) => vec![path.clone()],
        Program::Directory { path, files } | Program::Scripts { path, files } => {
            files.iter().filter(|file| (reader.is_source)(file)).map(|file| path.join(file)).collect()
        }
        Program::Grammar(_) | Program::Command(_) | Program::Outputs(_) | Program::PackedOutputs { .. } => Vec::new(),
    }
}

/// The value of an annotation, outside of the standard directories. Reports errors.
fn annotated<T>(
    reader: &Reader<'_>,
    name: &str,
    program: &Program,
    annotation: &str,
    parse: impl Fn(&[u8]) -> Result<T, AnnotationError>,
) -> Option<T> {
    if STANDARD.contains(&name) {
        return None;
    }
    let mut found: Option<T> = None;
    for source in sources_of(reader, program) {
        let text = match read_start(&source) {
            Ok(text) => text,
            Err(error) => {
                reader.report(Diagnostic::error(&source, format!("cannot read: {error}")));
                continue;
            }
        };
        for end in positions(&text, annotation) {
            let before = String::from_utf8_lossy(&text[..end - annotation.len() - 1]);
            let place = Some(TextPosition::of_offset(&before, before.len()));
            let complain = |message: String| {
                let found = Diagnostic::error(&source, message).kind(Kind::Annotation).at(place);
                reader.report(reader.mild(found));
            };
            if found.is_some() {
                complain(format!("a second {annotation}; keep one"));
                // Other judges ignore the annotations of such a submission.
                return found.filter(|_| !reader.foreign);
            }
            match parse(&text[end..]) {
                Ok(said) => found = Some(said),
                Err(error) => complain(format!("{annotation}: {error}")),
            }
        }
    }
    found
}

fn read_start(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(SEARCHED).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The positions after each occurrence of the annotation and its colon, in any case of letters.
fn positions(text: &[u8], annotation: &str) -> impl Iterator<Item = usize> {
    let length = annotation.len() + 1;
    let is_meant = move |window: &[u8]| {
        window[0] == b'@' && window.ends_with(b":") && window[..length - 1].eq_ignore_ascii_case(annotation.as_bytes())
    };
    text.windows(length).enumerate().filter(move |(_, window)| is_meant(window)).map(move |(at, _)| at + length)
}

/// The text after an annotation, up to the end of the line or of the comment.
fn rest_of_line(rest: &[u8]) -> String {
    let line = rest.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    let mut line = String::from_utf8_lossy(&line[..line.len().min(1000)]).into_owned();
    let end = ["*/", "-->", "*)", "-}", "\"\"\""].iter().filter_map(|close| line.find(close)).min();
    line.truncate(end.unwrap_or(line.len()));
    line
}

/// Reads points, which must not be negative.
fn parse_score(rest: &[u8]) -> Result<f64, AnnotationError> {
    let line = rest_of_line(rest);
    let points = line.trim().parse::<f64>().ok().filter(|points| points.is_finite() && *points >= 0.0);
    points.ok_or_else(|| AnnotationError::NoPoints(line.trim().to_owned()))
}

/// Turns the verdicts after the annotation into a rule. Every case must be accepted or have one of them. If AC is not
/// among them, at least one case must have one of them.
fn parse_results(rest: &[u8]) -> Result<Rule, AnnotationError> {
    let line = rest_of_line(rest);
    let words = line.split(',').map(str::trim).filter(|word| !word.is_empty());
    let listed: VerdictSet = words.map(str::parse::<Verdict>).collect::<Result<_, _>>()?;
    if listed.is_empty() {
        return Err(AnnotationError::NoVerdict);
    }
    let permitted = listed.iter().chain([AC]).collect();
    let required = if listed.contains(AC) { VerdictSet::default() } else { listed };
    Ok(Rule::of_verdicts(None, permitted, required))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_directory_s_rule() {
        for (name, summary, all_accepted) in [
            ("accepted", "AC", true),
            ("rejected", "WA or TLE or RTE", false),
            ("wrong_answer", "WA", false),
            ("time_limit_exceeded", "TLE", false),
            ("run_time_error", "RTE", false),
            ("brute_force", "TLE or RTE", false),
            ("compile_error", "CE", false),
            ("compiler_error", "CE", false),
            ("memory_limit_exceeded", "MLE", false),
            ("partially_accepted", "WA or TLE or RTE with some but not all points", false),
            ("mixed", "anything", false),
        ] {
            let expectation = of_directory(name, false);
            assert_eq!(
                (expectation.summary().as_str(), expectation.wants_all_accepted()),
                (summary, all_accepted),
                "{name}"
            );
        }
        let slow = rule_of_directory("time_limit_exceeded").unwrap();
        assert_eq!(slow.permitted, VerdictSet::of(&[AC, TLE]));
    }

    #[test]
    fn annotations_are_read_to_the_end_of_the_line() {
        let check = |text: &str, expect: Result<(&[Verdict], &[Verdict]), &str>| {
            let found = parse_results(text.as_bytes()).map_err(|error| error.to_string());
            let found = found.map(|rule| (rule.permitted, rule.required));
            let expect = expect.map(|(a, b)| (VerdictSet::of(a), VerdictSet::of(b))).map_err(str::to_owned);
            assert_eq!(found, expect, "{text}");
        };
        check(" WRONG-ANSWER\nTIMELIMIT", Ok((&[AC, WA], &[WA])));
        check("correct, run-error", Ok((&[AC, RTE], &[])));
        check(" TIMELIMIT , NO-OUTPUT */ int x, y;", Ok((&[AC, TLE, WA], &[TLE, WA])));
        check("\n", Err("it names no verdict"));
        let unknown = "unknown verdict `CHECK-MANUALLY`; known are AC, WA, TLE, MLE, OLE, RTE, CE and their long names";
        check("CHECK-MANUALLY", Err(unknown));
    }

    #[test]
    fn expected_points_are_a_number() {
        assert_eq!(parse_score(b" 35\nmore"), Ok(35.0));
        assert_eq!(parse_score(b"2.5 */"), Ok(2.5));
        for text in ["", "-1", "nan", "3 4", "many"] {
            assert!(parse_score(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn annotations_are_found_in_any_case_and_any_bytes() {
        let at = |text: &[u8]| positions(text, RESULTS).map(|end| end - RESULTS.len() - 1).collect::<Vec<_>>();
        assert_eq!(at(b"// @Expected_Results@: AC"), [3]);
        assert_eq!(at(b"\xff\x00@EXPECTED_RESULTS@:@EXPECTED_RESULTS@:"), [2, 21]);
        assert_eq!(at(b"@EXPECTED_RESULTS@"), [0_usize; 0]);
    }
}
