//! Reads `submissions/submissions.yaml`: the expectations of authors about their example submissions (package format
//! 2025-09, "Example submissions").

use crate::document::read::{self, Read, Unfit};
use crate::document::{Document, Syntax, Value};
use crate::expectations;
use crate::glob::Glob;
use grader_model::diagnostic::Severity;
use grader_model::problem::{Rule, ScoreRange};
use grader_model::verdict::{Verdict, VerdictSet};
use std::path::Path;

use Verdict::{Accepted as AC, RunTimeError as RTE, TimeLimit as TLE, WrongAnswer as WA};

/// One key of the file, with the settings for the submissions that it matches.
#[derive(Debug)]
pub struct SubmissionSettings {
    /// The key as written.
    pub pattern: String,
    glob: Glob,
    /// The language named for the submissions.
    pub language: Option<String>,
    /// The file or class to start.
    pub entry_point: Option<String>,
    /// Whether the submissions are model solutions.
    pub model_solution: bool,
    /// The settings for all cases.
    pub whole: StatedRule,
    /// Rules for groups or globs of cases.
    pub cases: Vec<Rule>,
}

/// The stated parts of a rule.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StatedRule {
    permitted: Option<VerdictSet>,
    required: Option<VerdictSet>,
    score: Option<ScoreRange>,
    message: Option<String>,
    bounds: Option<Bounds>,
}

/// The values of `use_for_time_limit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bounds {
    /// The side of the limit follows from the verdicts.
    ByVerdicts,
    /// The times do not bound the limit.
    No,
    /// The limit must be above the times.
    Lower,
    /// The limit must be below the slowest time.
    Upper,
}

impl StatedRule {
    /// Returns the rules, completed by `below`; empty if nothing is stated.
    fn rules(&self, cases: Option<&str>, below: Option<&Rule>) -> Vec<Rule> {
        let any = VerdictSet::of(&Verdict::ALL);
        // Package format 2025-09, "Timelimit inference": each side also requires verdicts.
        let side = match self.bounds {
            Some(Bounds::Lower) => Some((VerdictSet::of(&[AC, WA, RTE]), VerdictSet::default())),
            Some(Bounds::Upper) => Some((any, VerdictSet::of(&[TLE]))),
            Some(Bounds::ByVerdicts | Bounds::No) | None => None,
        };
        let bound = side.map(|(permitted, required)| Rule::of_verdicts(cases.map(str::to_owned), permitted, required));
        self.rule(cases, below).into_iter().chain(bound).collect()
    }

    fn rule(&self, cases: Option<&str>, below: Option<&Rule>) -> Option<Rule> {
        let says_nothing = *self == (Self { bounds: self.bounds, ..Self::default() });
        if below.is_none() && says_nothing {
            return None;
        }
        let any = VerdictSet::of(&Verdict::ALL);
        let permitted = self.permitted.unwrap_or_else(|| below.map_or(any, |rule| rule.permitted));
        let required = self.required.unwrap_or_else(|| below.map_or_else(VerdictSet::default, |rule| rule.required));
        let score = self.score.or_else(|| below.and_then(|rule| rule.score));
        let timed = self.bounds != Some(Bounds::No);
        Some(Rule { cases: cases.map(str::to_owned), permitted, required, timed, score, message: self.message.clone() })
    }
}

impl SubmissionSettings {
    /// Whether it matches the submission with this id.
    pub(crate) fn matches(&self, submission: &str) -> bool {
        self.glob.matches(submission)
    }

    /// Whether it replaces the default rule of its directory and does not only add to it.
    pub(crate) fn replaces_default(&self) -> bool {
        self.whole != StatedRule::default() && self.names_default()
    }

    /// Whether the key is the name of a default directory, which need not exist.
    pub(crate) fn names_default(&self) -> bool {
        expectations::rule_of_directory(&self.pattern).is_some()
    }

    /// The rules that it states. For the name of a default directory, missing parts come from that directory.
    pub(crate) fn rules(&self) -> Vec<Rule> {
        let default = expectations::rule_of_directory(&self.pattern).filter(|_| self.replaces_default());
        let whole = self.whole.rules(None, default.as_ref());
        whole.into_iter().chain(self.cases.iter().cloned()).collect()
    }
}

/// Keys for all or for some cases.
const RULE_KEYS: [&str; 5] = ["permitted", "required", "score", "message", "use_for_time_limit"];

/// Keys for a submission as a whole.
const SUBMISSION_KEYS: [&str; 4] = ["language", "entrypoint", "authors", "model_solution"];

/// Reads the file and reports mistakes into the document. An unknown key is an error, because a misspelt `permitted`
/// would remove an expectation. In a package that was written for other tools, it is a warning.
pub(crate) fn read(document: &mut Document, unknown: Severity) -> Vec<SubmissionSettings> {
    let patterns: Vec<String> = document.entries().iter().map(|entry| entry.key.clone()).collect();
    patterns.iter().filter_map(|pattern| read_entry(document, pattern, unknown)).collect()
}

fn read_entry(document: &mut Document, pattern: &str, unknown: Severity) -> Option<SubmissionSettings> {
    let glob = match Glob::package(pattern) {
        Ok(glob) => glob,
        Err(error) => {
            document.report(&[pattern], Severity::Error, format!("`{pattern}`: {error}"));
            return None;
        }
    };
    document.get_at(&[pattern], |value| match value {
        Value::Table(_) => Ok(()),
        other => Err(Unfit::kind("keys such as `permitted`", other)),
    })?;
    let path = [pattern];
    let mut entry = SubmissionSettings {
        language: document.get_at(&[pattern, "language"], read::text),
        entry_point: document.get_at(&[pattern, "entrypoint"], read::text),
        model_solution: document.get_at(&[pattern, "model_solution"], read::flag).unwrap_or_default(),
        whole: stated(document, &path),
        cases: Vec::new(),
        glob,
        pattern: pattern.to_owned(),
    };
    let known = [&RULE_KEYS[..], &SUBMISSION_KEYS[..]].concat();
    let nested = |entry: &&super::document::TableEntry| {
        matches!(entry.value, Value::Table(_)) && !known.contains(&entry.key.as_str())
    };
    let cases: Vec<String> = document.entries_of(&path).iter().filter(nested).map(|entry| entry.key.clone()).collect();
    for cases in &cases {
        entry.cases.extend(read_cases(document, pattern, cases, unknown));
    }
    // A group or a glob may contain a dot, so the check of keys cannot name it.
    document.check_entries(&path, &known, &cases, unknown);
    Some(entry)
}

/// Reads the rules for some cases. The key is a group or a glob, relative to the test data.
fn read_cases(document: &mut Document, pattern: &str, cases: &str, unknown: Severity) -> Vec<Rule> {
    let path = [pattern, cases];
    if let Err(error) = Glob::package(cases) {
        document.report(&path, Severity::Error, format!("`{cases}`: {error}"));
        return Vec::new();
    }
    let stated = stated(document, &path);
    if stated.score.is_some() && cases.contains(['*', '?', '{']) {
        let message = format!("`score` is about the points of a group, but `{cases}` is a glob");
        document.report(&[pattern, cases, "score"], Severity::Error, message);
    }
    document.check_table(&path, &RULE_KEYS, unknown);
    stated.rules(Some(cases), None)
}

fn stated(document: &mut Document, path: &[&str]) -> StatedRule {
    let at = |key| [path, &[key]].concat();
    StatedRule {
        permitted: document.get_at(&at("permitted"), verdicts),
        required: document.get_at(&at("required"), verdicts),
        score: document.get_at(&at("score"), score),
        message: document.get_at(&at("message"), read::text).filter(|message| !message.is_empty()),
        bounds: document.get_at(&at("use_for_time_limit"), bounds),
    }
}

/// Reads `use_for_time_limit`: a boolean, or the side.
fn bounds(value: &Value) -> Read<Bounds> {
    match value {
        Value::Bool(true) => Ok(Bounds::ByVerdicts),
        Value::Bool(false) => Ok(Bounds::No),
        Value::Text(_) => read::word(value, &[("lower", Bounds::Lower), ("upper", Bounds::Upper)]),
        other => Err(Unfit::kind("true, false, `lower` or `upper`", other)),
    }
}

/// Reads a number of points, or a list of the least and the most.
fn score(value: &Value) -> Read<ScoreRange> {
    match value {
        Value::List(ends) => match &ends[..] {
            [least, most] => {
                let (least, most) = (read::points(&least.value)?, read::points(&most.value)?);
                let range = ScoreRange::Between(least, most);
                if least <= most { Ok(range) } else { Err(Unfit::rule(format!("{least} is more than {most}"))) }
            }
            _ => Err(Unfit::rule("expected a number of points, or a list of the least and the most")),
        },
        other => read::points(other).map(|points| ScoreRange::Between(points, points)),
    }
}

/// Reads a list of verdicts, which must not be empty.
fn verdicts(value: &Value) -> Read<VerdictSet> {
    let words = read::texts(value)?;
    let set: VerdictSet = words.iter().map(|word| word.parse::<Verdict>()).collect::<Result<_, _>>()?;
    if set.is_empty() { Err(Unfit::rule("it names no verdict")) } else { Ok(set) }
}

/// Reads any bytes as `submissions.yaml`, as the fuzz target does.
pub fn read_any(data: &[u8]) {
    let text = String::from_utf8_lossy(data).into_owned();
    let mut document = Document::parse(Path::new("submissions.yaml"), text, Syntax::Yaml);
    for entry in read(&mut document, Severity::Error) {
        let _ = (entry.matches("accepted/reference.rs"), entry.rules());
    }
    let _ = document.finish().iter().map(ToString::to_string).collect::<String>();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (Vec<SubmissionSettings>, Vec<String>) {
        let mut document = Document::parse(Path::new("s.yaml"), text.to_owned(), Syntax::Yaml);
        let entries = read(&mut document, Severity::Error);
        (entries, document.finish().iter().map(ToString::to_string).collect())
    }

    /// The rules of a submission, as `cases: permitted / required`.
    fn rules(text: &str, submission: &str) -> Vec<String> {
        let (entries, found) = parse(text);
        assert_eq!(found, [""; 0], "{text}");
        let matching = entries.iter().filter(|entry| entry.matches(submission));
        let show =
            |rule: Rule| format!("{}: {} / {}", rule.cases.as_deref().unwrap_or("all"), rule.permitted, rule.required);
        matching.flat_map(SubmissionSettings::rules).map(show).collect()
    }

    #[test]
    fn rules_are_stated_inherited_and_nested() {
        let any = "AC or WA or TLE or MLE or OLE or RTE or CE";
        let check =
            |text: &str, expect: &[String]| assert_eq!(rules(text, "time_limit_exceeded/a.py"), expect, "{text}");
        check("'time_limit_exceeded/*':\n  permitted: [AC, TLE]\n", &["all: AC or TLE / ".into()]);
        check("time_limit_exceeded:\n  permitted: [AC, WA, TLE]\n", &["all: AC or WA or TLE / TLE".into()]);
        check("'*/a.{py,cpp}':\n  required: TLE\n", &[format!("all: {any} / TLE")]);
        check("'*/a.py':\n  language: python3\n  model_solution: true\n  authors: {name: A}\n", &[]);
        check("accepted:\n  permitted: [WA]\n", &[]);
        check("'{time_limit_exceeded, accepted}/*':\n  required: TLE\n", &[format!("all: {any} / TLE")]);
        check("'*/a.py':\n  use_for_time_limit: lower\n", &["all: AC or WA or RTE / ".into()]);
        check(
            "time_limit_exceeded:\n  use_for_time_limit: upper\n",
            &["all: AC or TLE / TLE".into(), format!("all: {any} / TLE")],
        );
        check("'*/a.py':\n  use_for_time_limit: false\n", &[]);
        check(
            "time_limit_exceeded/a.py:\n  sample:\n    permitted: [AC]\n  secret/*-hard:\n    required: [TLE]\n",
            &["sample: AC / ".into(), format!("secret/*-hard: {any} / TLE")],
        );
    }

    #[test]
    fn mistakes_are_told_with_their_places() {
        let check = |text: &str, expect: &[&str]| assert_eq!(parse(text).1, expect, "{text}");
        check(
            "accepted/*:\n  permited: [AC]\n  required: [ACC]\n'[ab].py':\n  required: AC\nmixed: 3\n",
            &[
                "s.yaml:2:3: unknown key `permited`; did you mean `permitted`?",
                "s.yaml:3:3: `accepted/*.required`: unknown verdict `ACC`; known are AC, WA, TLE, MLE, OLE, RTE, CE and \
                 their long names",
                "s.yaml:4:1: `[ab].py`: `[` is not supported in globs of the package format",
                "s.yaml:6:1: `mixed`: expected keys such as `permitted`, found a whole number",
            ],
        );
        check(
            "a.py:\n  secret/**:\n    permitted: [AC]\n  sample:\n    model_solution: true\n    required: []\n",
            &[
                "s.yaml:2:3: `secret/**`: `**` is not supported in globs of the package format",
                "s.yaml:5:5: unknown key `model_solution`",
                "s.yaml:6:5: `a.py.sample.required`: it names no verdict",
            ],
        );
        check(
            "a.py:\n  use_for_time_limit: 3\n",
            &["s.yaml:2:3: `a.py.use_for_time_limit`: expected true, false, `lower` or `upper`, found a whole number"],
        );
        check("a.py:\n", &[]);
    }

    #[test]
    fn any_bytes_are_survived() {
        for data in [
            &b"\xff"[..],
            b"a: {b: {c: {d: e}}}",
            b"? [a]\n: b",
            b"{a,b: {permitted: [AC]}}",
            b"'': {x.y: 1}",
            b"&a a: *a",
        ] {
            read_any(data);
        }
    }
}
