//! Reads the solutions in `sol/`, with what their comments `@check-…` expect of them in task-maker.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use super::subtasks::{Subtask, TaskSubtasks};
use super::{SOLUTIONS, Task};
use crate::document::small_text;
use crate::program_files::LARGEST;
use crate::submissions;
use grader_model::diagnostic::{Diagnostic, Kind, TextPosition};
use grader_model::problem::{Expectation, Program, Rule, ScoreRange, Submission};
use grader_model::verdict::{Verdict, VerdictSet};

/// The names of the official solution without ending.
pub(super) const OFFICIAL: [&str; 2] = ["solution", "soluzione"];
/// The names without ending of files that are not solutions: files built with solutions, and templates for contestants.
const OTHERS: [&str; 3] = ["grader", "stub", "template"];
/// The source of expectations, for messages.
const STATED: &str = "@check";

/// A comment that expects something, such as `// @check-wrong-answer: small large*`.
static CHECK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"@check-([a-z-]*)(:?)((?:\s*\S+)*)").expect("the expression is valid"));

/// The demand of a check on the tests of a subtask.
#[derive(Debug, Clone, Copy)]
enum Check {
    Accepted,
    Partial,
    /// A test with one of these verdicts.
    Fails(&'static [Verdict]),
}

/// The checks by their words.
const CHECKS: [(&str, Check); 8] = [
    ("accepted", Check::Accepted),
    ("partial-score", Check::Partial),
    ("wrong-answer", Check::Fails(&[Verdict::WrongAnswer])),
    ("time-limit-exceeded", Check::Fails(&[Verdict::TimeLimit])),
    ("wall-time-limit-exceeded", Check::Fails(&[Verdict::TimeLimit])),
    ("memory-limit-exceeded", Check::Fails(&[Verdict::MemoryLimit])),
    // Too much output ends a program there.
    ("runtime-error", Check::Fails(&[Verdict::RunTimeError, Verdict::OutputLimit])),
    ("zero", Check::Fails(&FAILURES)),
];
const FAILURES: [Verdict; 5] =
    [Verdict::WrongAnswer, Verdict::TimeLimit, Verdict::MemoryLimit, Verdict::RunTimeError, Verdict::OutputLimit];

impl Task<'_> {
    /// The solutions. Reports mistakes in their comments.
    pub(super) fn solutions(&self, subtasks: &TaskSubtasks) -> Vec<Submission> {
        let mut list: Vec<Submission> = Vec::new();
        for entry in self.reader.list(&self.reader.dir.join(SOLUTIONS)) {
            let path = Path::new(&entry.name);
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            if entry.is_dir || OTHERS.contains(&stem) || !(self.reader.is_source)(path) {
                continue;
            }
            if self.has_other_grader(path) {
                let message = "not judged: grader does not build the grader in this language";
                self.reader.warning(Kind::NotUsed, &entry.path, message);
                continue;
            }
            let is_official = OFFICIAL.contains(&stem);
            list.push(Submission {
                id: entry.name.clone().into(),
                expectation: self.expectation(&entry.path, is_official, subtasks),
                program: Program::File(entry.path),
                language: None,
                entry_point: None,
            });
        }
        submissions::sort(&mut list);
        list
    }

    fn expectation(&self, path: &Path, is_official: bool, subtasks: &TaskSubtasks) -> Expectation {
        let text = small_text(path, LARGEST).unwrap_or_default();
        let mut rules = Vec::new();
        for (line, content) in (1..).zip(text.lines()) {
            let Some(parts) = CHECK.captures(content) else { continue };
            let place = Some(TextPosition { line, column: 1 });
            let warn = |message: String, remedy: &str| {
                let found = Diagnostic::warning(path, message).kind(Kind::Annotation).at(place);
                self.reader.report(found.remedy(remedy));
            };
            let known = CHECKS.iter().find(|(word, _)| *word == &parts[1]).filter(|_| &parts[2] == ":");
            let Some((_, check)) = known else {
                let words: Vec<&str> = CHECKS.iter().map(|(word, _)| *word).collect();
                warn(
                    format!("no check: `@check-{}{}`", &parts[1], &parts[2]),
                    &format!("write `@check-WORD:` with one of {}", words.join(", ")),
                );
                continue;
            };
            let patterns: Vec<&str> = parts[3].split_whitespace().collect();
            let covered: Vec<&Subtask> = subtasks
                .list
                .iter()
                .filter(|subtask| patterns.iter().any(|pattern| is_named(subtask, pattern)))
                .collect();
            if covered.is_empty() && !patterns.is_empty() {
                let message = format!("no subtask has such a name: {}", patterns.join(" "));
                warn(message, "name subtasks with `#STNAME:` in gen/GEN: task-maker checks only those with names");
            }
            rules.extend(check.rules(&covered, subtasks));
        }
        match rules.is_empty() {
            false => Expectation { rules, ..Expectation::open(STATED) },
            true if is_official => Expectation::accepted("the official solution"),
            true => Expectation::open(SOLUTIONS),
        }
    }
}

/// Whether a pattern with `*` and `?` matches the name of a subtask. A subtask without a name has no checks.
fn is_named(subtask: &Subtask, pattern: &str) -> bool {
    let text = regex::escape(pattern).replace("\\*", ".*").replace("\\?", ".");
    let pattern = Regex::new(&format!("^{text}$"));
    // Nothing else is special in it; only a very long one fails.
    pattern.is_ok_and(|pattern| subtask.name.as_deref().is_some_and(|name| pattern.is_match(name)))
}

impl Check {
    /// The rules for these subtasks.
    fn rules(self, covered: &[&Subtask], all: &TaskSubtasks) -> Vec<Rule> {
        let has_all = covered.len() == all.list.len();
        if has_all && (covered.len() == 1 || matches!(self, Self::Accepted)) {
            return vec![self.rule(None, covered.iter().any(|subtask| subtask.points > 0.0))];
        }
        covered.iter().map(|subtask| self.rule(Some(subtask.group.clone()), subtask.points > 0.0)).collect()
    }

    /// The rule for the tests of a group; `has_points`: whether the group has points.
    fn rule(self, cases: Option<String>, has_points: bool) -> Rule {
        let accepted = VerdictSet::of(&[Verdict::Accepted]);
        let (permitted, required, score) = match self {
            Self::Accepted => (accepted, VerdictSet::of(&[]), Some(ScoreRange::Full)),
            Self::Partial => (accepted, VerdictSet::of(&[]), Some(ScoreRange::Partial)),
            Self::Fails(verdicts) => (VerdictSet::of(&Verdict::ALL), VerdictSet::of(verdicts), None),
        };
        Rule { score: score.filter(|_| has_points), ..Rule::of_verdicts(cases, permitted, required) }
    }
}
