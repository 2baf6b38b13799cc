//! The mutants of a problem's accepted submissions.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use grader_mutants::{Grammar, Mutant};
use similar::DiffTag;
use similar::algorithms::{Capture, myers};

use crate::compile::beginning;
use crate::language::Detection;
use crate::problem::{Expectation, Problem, Program, Submission, SubmissionId};
use crate::shard::Shard;
use crate::store::Digest;
use crate::strength::{Fate, MutantResult, ProgramFacts};
use crate::workspace::Workspace;

/// A mutant that never ends would take the time limit of every case. After so many of them, its other cases do not run.
const MOST_TIME_LIMITS: usize = 3;

/// All mutants of a problem's accepted submissions.
pub(super) struct Mutants {
    originals: Vec<Original>,
    /// In the order in which they are tried: each beginning of the list has all kinds of mistakes, from all submissions.
    pub(super) list: Vec<OneMutant>,
    /// The accepted submissions that have no mutants, and why.
    pub(super) refused: Vec<(String, String)>,
}

/// An accepted submission with its sources.
struct Original {
    submission: Submission,
    files: Vec<SourceFile>,
    mutants: usize,
}

/// A file that can be mutated.
struct SourceFile {
    /// The path in the directory of the submission; the name of a single file.
    name: PathBuf,
    grammar: Grammar,
    text: String,
}

/// One mutant.
pub(super) struct OneMutant {
    original: usize,
    file: usize,
    pub(super) mutant: Mutant,
}

impl OneMutant {
    /// A short name, for messages: `sum.py:3 off-by-one`.
    fn name(&self, all: &Mutants) -> String {
        let file = &all.originals[self.original].files[self.file];
        format!("{}:{} {}", file.name.display(), self.mutant.line, self.mutant.operator)
    }
}

impl Mutants {
    /// Finds the mutants of every accepted submission.
    ///
    /// # Errors
    /// No submission can be mutated. The error says why for each of them.
    pub(super) fn of(workspace: &Workspace, problem: &Problem, seed: u64) -> Result<Self> {
        let accepted = problem.submissions.iter().filter(|submission| submission.expectation.wants_all_accepted());
        let mut found = Self { originals: Vec::new(), list: Vec::new(), refused: Vec::new() };
        for submission in accepted {
            match sources(workspace, submission)? {
                Sources::Files(files) => {
                    found.originals.push(Original { submission: submission.clone(), files, mutants: 0 });
                }
                Sources::NotMutated(why) => found.refused.push((submission.id.to_string(), why)),
            }
        }
        found.mutate(seed)?;
        for original in found.originals.iter().filter(|original| original.mutants == 0) {
            found.refused.push((original.submission.id.to_string(), "no place for a mistake was found".to_owned()));
        }
        if found.list.is_empty() {
            let reasons = found.refused.iter().map(|(id, why)| format!("\n  {id}: {why}")).collect::<Vec<_>>().concat();
            let none = if found.refused.is_empty() && found.originals.is_empty() {
                "\n  no submission is labelled as accepted"
            } else {
                ""
            };
            bail!(
                "{} has nothing to mutate{none}{reasons}\n  → add an accepted submission in one of {}",
                problem.id,
                Grammar::ALL.map(Grammar::name).join(", ")
            );
        }
        Ok(found)
    }

    fn mutate(&mut self, seed: u64) -> Result<()> {
        let mut by_kind: BTreeMap<(usize, &'static str), Vec<(Digest, OneMutant)>> = BTreeMap::new();
        for (at, original) in self.originals.iter_mut().enumerate() {
            for (file, source) in original.files.iter().enumerate() {
                let mutants = grader_mutants::mutants(source.grammar, &source.text)
                    .with_context(|| format!("cannot mutate {}", original.submission.id))?;
                let normalised = |text: &str| grader_mutants::normalised(source.grammar, text);
                let mut known: HashSet<String> = normalised(&source.text).into_iter().collect();
                for mutant in mutants {
                    let text = mutant.apply(&source.text);
                    // A source with syntax errors cannot be compared with others.
                    if normalised(&text).is_some_and(|same| !known.insert(same)) {
                        continue;
                    }
                    original.mutants += 1;
                    let key = Digest::of_bytes(format!("{seed}\0{text}").as_bytes());
                    let kind = by_kind.entry((at, mutant.operator)).or_default();
                    kind.push((key, OneMutant { original: at, file, mutant }));
                }
            }
        }
        // One of each kind, then the next of each.
        let mut rounds: Vec<(usize, Digest, OneMutant)> = Vec::new();
        for mut kind in by_kind.into_values() {
            kind.sort_by(|(a, _), (b, _)| a.as_bytes().cmp(b.as_bytes()));
            rounds.extend(kind.into_iter().enumerate().map(|(round, (key, mutant))| (round, key, mutant)));
        }
        rounds.sort_by(|(a, key, _), (b, other, _)| a.cmp(b).then_with(|| key.as_bytes().cmp(other.as_bytes())));
        self.list = rounds.into_iter().map(|(_, _, mutant)| mutant).collect();
        Ok(())
    }

    /// Keeps a part of the mutants: every so many of them.
    pub(super) fn keep(&mut self, part: Shard) {
        let list = std::mem::take(&mut self.list).into_iter();
        self.list = list.skip(part.index as usize).step_by(part.of as usize).collect();
    }

    /// The submissions that are mutated.
    pub(super) fn originals(&self) -> Vec<Submission> {
        self.originals.iter().map(|original| original.submission.clone()).collect()
    }

    /// The other submissions of the problem that should be accepted.
    pub(super) fn not_mutated(&self, problem: &Problem) -> Vec<Submission> {
        let is_mutated = |id: &SubmissionId| self.originals.iter().any(|original| original.submission.id == *id);
        let accepted = problem.submissions.iter().filter(|submission| submission.expectation.wants_all_accepted());
        accepted.filter(|submission| !is_mutated(&submission.id)).cloned().collect()
    }

    /// The facts about each mutated submission: its name, its language, and the number of its mutants.
    pub(super) fn facts(&self) -> Vec<ProgramFacts> {
        let facts = |original: &Original| ProgramFacts {
            submission: original.submission.id.to_string(),
            language: original.files.first().map_or("", |file| file.grammar.name()).to_owned(),
            mutants: original.mutants,
        };
        self.originals.iter().map(facts).collect()
    }

    /// The result of a mutant that has this fate.
    pub(super) fn result(&self, one: &OneMutant, fate: Fate) -> MutantResult {
        let original = &self.originals[one.original];
        let file = &original.files[one.file];
        let mutant = &one.mutant;
        let (before, after) = hunk(&file.text, &mutant.span, &mutant.replacement);
        MutantResult {
            submission: original.submission.id.to_string(),
            file: file.name.clone(),
            line: mutant.line,
            operator: mutant.operator.to_owned(),
            explanation: as_part(mutant.explanation),
            before,
            after,
            slow: mutant.slow,
            fate,
        }
    }
}

/// The version of the mistakes that are tried.
pub(super) fn version() -> &'static str {
    grader_mutants::version()
}

/// The sources of a submission.
enum Sources {
    /// The files that can be mutated.
    Files(Vec<SourceFile>),
    /// No file can be mutated; the text says why.
    NotMutated(String),
}

fn sources(workspace: &Workspace, submission: &Submission) -> Result<Sources> {
    let not_mutated = |why: &str| Ok(Sources::NotMutated(why.to_owned()));
    let (dir, names) = match &submission.program {
        Program::File(path) => {
            let name = PathBuf::from(path.file_name().unwrap_or_default());
            (path.parent().unwrap_or(path).to_owned(), vec![name])
        }
        Program::Directory { path, files } => (path.clone(), files.clone()),
        Program::Scripts { .. } => return not_mutated("its own scripts build it"),
        _ => return not_mutated("it is not a program"),
    };
    let languages = &workspace.languages;
    let mut found = Vec::new();
    let mut others = Vec::new();
    for name in names {
        let path = dir.join(&name);
        let stated = submission.language.as_deref().and_then(|code| languages.get_code(code));
        let language = match stated {
            Some(language) => Some(language),
            None => match languages.detect(std::slice::from_ref(&name), &|_| beginning(&path)) {
                Detection::One(language) => Some(language),
                Detection::None(_) => None,
            },
        };
        let Some(language) = language else { continue };
        let Some(grammar) = Grammar::of(&language.id) else {
            others.push(language.name.clone());
            continue;
        };
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        match String::from_utf8(bytes) {
            Ok(text) => found.push(SourceFile { name, grammar, text }),
            Err(_) => return not_mutated(&format!("{} is not UTF-8", name.display())),
        }
    }
    others.dedup();
    match (found.is_empty(), others.is_empty()) {
        (false, _) => Ok(Sources::Files(found)),
        (true, false) => not_mutated(&format!("grader does not mutate {}", others.join(", "))),
        (true, true) => not_mutated("it has no source of a known language"),
    }
}

/// Writes a mutant as a program of its own below `scratch`, and returns it as a submission of which nothing is expected.
pub(super) fn written(all: &Mutants, mutant: &OneMutant, scratch: &Path, number: usize) -> Result<Submission> {
    let original = &all.originals[mutant.original];
    let file = &original.files[mutant.file];
    let dir = scratch.join(format!("mutant{number}"));
    let program = match &original.submission.program {
        Program::Directory { path, files } => {
            for other in files {
                let to = dir.join(other);
                make_parent(&to)?;
                fs::copy(path.join(other), &to).with_context(|| format!("cannot copy {}", other.display()))?;
            }
            Program::Directory { path: dir.clone(), files: files.clone() }
        }
        _ => Program::File(dir.join(&file.name)),
    };
    let to = dir.join(&file.name);
    make_parent(&to)?;
    fs::write(&to, mutant.mutant.apply(&file.text)).with_context(|| format!("cannot write {}", to.display()))?;
    Ok(Submission {
        id: SubmissionId::from(format!("{} #{number}", mutant.name(all))),
        program,
        expectation: Expectation { most_time_limits: Some(MOST_TIME_LIMITS), ..Expectation::open("a mutant") },
        ..original.submission.clone()
    })
}

fn make_parent(file: &Path) -> Result<()> {
    let dir = file.parent().unwrap_or(file);
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))
}

/// A sentence as a part of a line: without its capital and its full stop.
fn as_part(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}

/// The lines that a change removes, and those that it adds.
fn hunk(text: &str, span: &Range<usize>, replacement: &str) -> (String, String) {
    let from = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let to = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at);
    let new_text = format!("{}{replacement}{}", &text[from..span.start], &text[span.end..to]);
    let before: Vec<&str> = text[from..to].lines().collect();
    let after: Vec<&str> = new_text.lines().collect();
    let mut script = Capture::new();
    let Ok(()) = myers::diff(&mut script, &before, 0..before.len(), &after, 0..after.len());
    let changes = || script.ops().iter().filter(|op| op.tag() != DiffTag::Equal);
    let removed: Vec<&str> = changes().flat_map(|op| &before[op.old_range()]).copied().collect();
    let added: Vec<&str> = changes().flat_map(|op| &after[op.new_range()]).copied().collect();
    (removed.join("\n"), added.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_with_its_whole_lines() {
        let text = "a = 1\nfor i in range(n):\n  pass\n";
        let span = text.find("n)").unwrap()..text.find("):").unwrap();
        assert_eq!(hunk(text, &span, "n - 1"), ("for i in range(n):".to_owned(), "for i in range(n - 1):".to_owned()));
        assert_eq!(hunk("x", &(0..1), "y"), ("x".to_owned(), "y".to_owned()));
        // Of a change in several places, the lines between them are left out.
        let text = "long a;\nint n;\nlong b;\n";
        let (before, after) = hunk(text, &(0..text.len()), "int a;\nint n;\nint b;\n");
        assert_eq!((before.as_str(), after.as_str()), ("long a;\nlong b;", "int a;\nint b;"));
    }

    /// The rows of docs/strength.md.
    fn table() -> String {
        let mut rows: BTreeMap<&str, (String, Vec<&str>, String)> = BTreeMap::new();
        for grammar in Grammar::ALL {
            for operator in grader_mutants::operators(grammar) {
                let example = operator.examples(grammar).find(|example| !example.after.is_empty());
                let row = rows.entry(operator.name()).or_insert_with(|| {
                    let shown = example
                        .map(|example| format!("`{}` → `{}`", one_line(&example.before), one_line(&example.after[0])));
                    (operator.explanation().to_owned(), Vec::new(), shown.unwrap_or_default().replace('|', "\\|"))
                });
                row.1.push(grammar.name());
            }
        }
        let languages = |names: &[&str]| if names.len() == 8 { "all".to_owned() } else { names.join(", ") };
        let rows = rows.iter().map(|(name, (explanation, names, example))| {
            format!("| `{name}` | {explanation} | {} | {example} |\n", languages(names))
        });
        format!("| name | mistake | languages | example |\n|---|---|---|---|\n{}", rows.collect::<String>())
    }

    fn one_line(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_document_lists_every_mistake() {
        let text = include_str!("../../docs/strength.md");
        assert!(text.contains(&table()), "docs/strength.md lacks:\n{}", table());
    }
}
