//! What is expected of a submission by the directory that it is in, or by an annotation in its source.

use std::path::Path;

use crate::package::diagnostic::{Diagnostic, Place};
use crate::package::reader::Reader;
use crate::problem::{Expectation, Program, Rule};
use crate::verdict::{Verdict, VerdictSet};

use Verdict::{
    Accepted as AC, CompileError as CE, MemoryLimit as MLE, OutputLimit as OLE, RunTimeError as RTE, TimeLimit as TLE,
    WrongAnswer as WA,
};

/// Names of directories and their rules (permitted, required): package format 2025-09, "Default directories", then
/// those of older formats and ours.
const DIRECTORIES: &[(&str, &[Verdict], &[Verdict])] = &[
    ("accepted", &[AC], &[]),
    ("rejected", &Verdict::ALL, &[RTE, TLE, WA]),
    ("wrong_answer", &[AC, WA], &[WA]),
    ("time_limit_exceeded", &[AC, TLE], &[TLE]),
    ("run_time_error", &[AC, RTE], &[RTE]),
    ("brute_force", &[AC, RTE, TLE], &[RTE, TLE]),
    // Legacy, for scores: not the best one, which without scores is some failure.
    ("partially_accepted", &Verdict::ALL, &[RTE, TLE, WA]),
    ("runtime_error", &[AC, RTE], &[RTE]),
    ("memory_limit_exceeded", &[AC, MLE], &[MLE]),
    ("output_limit_exceeded", &[AC, OLE], &[OLE]),
    ("compile_error", &[CE], &[CE]),
    ("compiler_error", &[CE], &[CE]),
];

/// Directories whose submissions are not searched for annotations.
const STANDARD: [&str; 4] = ["accepted", "wrong_answer", "time_limit_exceeded", "run_time_error"];

/// The names of the directories that are known, the usual ones first.
pub fn directories() -> impl Iterator<Item = &'static str> {
    DIRECTORIES.iter().map(|(name, ..)| *name)
}

/// The rule of a directory; none for a directory of another name.
pub fn rule_of_directory(name: &str) -> Option<Rule> {
    let (_, permitted, required) = DIRECTORIES.iter().find(|(known, ..)| *known == name)?;
    Some(Rule { cases: None, permitted: VerdictSet::of(permitted), required: VerdictSet::of(required) })
}

/// The expectation by directory.
pub fn of_directory(name: &str) -> Expectation {
    let source = format!("{name}/");
    Expectation { source, rules: rule_of_directory(name).into_iter().collect() }
}

/// The annotation, as `DOMjudge` and `BAPCtools` have it.
const ANNOTATION: &[u8] = b"@EXPECTED_RESULTS@:";

/// Sources are searched this far.
const SEARCHED: u64 = 1024 * 1024;

/// The expectation by an annotation in any source of a submission in the directory `name`; errors are reported.
pub fn of_annotation(reader: &Reader<'_>, name: &str, program: &Program) -> Option<Expectation> {
    if STANDARD.contains(&name) {
        return None;
    }
    let mut found: Option<Expectation> = None;
    let sources = match program {
        Program::File(path) => vec![path.clone()],
        Program::Directory { path, files } => {
            files.iter().filter(|file| (reader.is_source)(file)).map(|file| path.join(file)).collect()
        }
        Program::Command(_) => Vec::new(),
    };
    for source in sources {
        let text = match read_start(&source) {
            Ok(text) => text,
            Err(error) => {
                reader.report(Diagnostic::error(&source, format!("cannot read: {error}")));
                continue;
            }
        };
        for offset in positions(&text) {
            let before = String::from_utf8_lossy(&text[..offset]);
            let place = Some(Place::of_offset(&before, before.len()));
            let complain = |message: String| reader.report(Diagnostic::error(&source, message).at(place));
            if found.is_some() {
                complain("a second @EXPECTED_RESULTS@; keep one".to_owned());
                return found;
            }
            match parse_annotation(&text[offset + ANNOTATION.len()..]) {
                Ok(rule) => found = Some(Expectation { source: "@EXPECTED_RESULTS@".to_owned(), rules: vec![rule] }),
                Err(message) => complain(format!("@EXPECTED_RESULTS@: {message}")),
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

/// Where the annotation begins, in any case of letters.
fn positions(text: &[u8]) -> impl Iterator<Item = usize> {
    let windows = text.windows(ANNOTATION.len()).enumerate();
    windows.filter(|(_, window)| window[0] == b'@' && window.eq_ignore_ascii_case(ANNOTATION)).map(|(at, _)| at)
}

/// The rule of the text after the annotation: verdicts up to the end of the line, every case accepted or one of them,
/// and, unless accepted is among them, at least one case that is.
fn parse_annotation(rest: &[u8]) -> Result<Rule, String> {
    let line = rest.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    let line = String::from_utf8_lossy(&line[..line.len().min(1000)]);
    // What closes a comment on the same line is not a verdict.
    let end = ["*/", "-->", "*)", "-}", "\"\"\""].iter().filter_map(|close| line.find(close)).min();
    let words = line[..end.unwrap_or(line.len())].split(',').map(str::trim).filter(|word| !word.is_empty());
    let listed = words.map(|word| word.parse::<Verdict>().map_err(|error| error.to_string()));
    let listed: VerdictSet = listed.collect::<Result<_, _>>()?;
    if listed.is_empty() {
        return Err("no verdict is named".to_owned());
    }
    let permitted = listed.iter().chain([AC]).collect();
    let required = if listed.contains(AC) { VerdictSet::default() } else { listed };
    Ok(Rule { cases: None, permitted, required })
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
            ("partially_accepted", "WA or TLE or RTE", false),
            ("mixed", "anything", false),
        ] {
            let expectation = of_directory(name);
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
            let found = parse_annotation(text.as_bytes()).map(|rule| (rule.permitted, rule.required));
            let expect = expect.map(|(a, b)| (VerdictSet::of(a), VerdictSet::of(b))).map_err(str::to_owned);
            assert_eq!(found, expect, "{text}");
        };
        check(" WRONG-ANSWER\nTIMELIMIT", Ok((&[AC, WA], &[WA])));
        check("correct, run-error", Ok((&[AC, RTE], &[])));
        check(" TIMELIMIT , NO-OUTPUT */ int x, y;", Ok((&[AC, TLE, WA], &[TLE, WA])));
        check("\n", Err("no verdict is named"));
        let unknown = "unknown verdict `CHECK-MANUALLY`; known are AC, WA, TLE, MLE, OLE, RTE, CE and their long names";
        check("CHECK-MANUALLY", Err(unknown));
    }

    #[test]
    fn annotations_are_found_in_any_case_and_any_bytes() {
        let at = |text: &[u8]| positions(text).collect::<Vec<_>>();
        assert_eq!(at(b"// @Expected_Results@: AC"), [3]);
        assert_eq!(at(b"\xff\x00@EXPECTED_RESULTS@:@EXPECTED_RESULTS@:"), [2, 21]);
        assert_eq!(at(b"@EXPECTED_RESULTS@"), [0_usize; 0]);
    }
}
