//! Reads `submissions/`: its programs, and the expectation of each from directory, file and annotation.

use std::path::Path;

use crate::document::{Document, is_there};
use crate::expectations;
use crate::reader::{ListedEntry, Reader};
use crate::submissions_yaml::{self, SubmissionSettings};
use grader_model::diagnostic::{Diagnostic, Kind, Severity};
use grader_model::problem::{Expectation, Program, Rule, ScoreRange, Submission, SubmissionId};
use grader_model::suggest;

/// The submissions of a problem, in the order in which they are shown.
#[derive(Debug, Default)]
pub(crate) struct Submissions {
    /// The submissions: accepted ones first, then by name.
    pub list: Vec<Submission>,
    /// The submissions that are marked `model_solution`.
    pub models: Vec<SubmissionId>,
}

/// Reads a file or directory as a submission; none if it is not one.
pub(crate) type ProgramOf<'a> = dyn Fn(&ListedEntry) -> Option<Program> + 'a;

/// Reads `submissions/` below the problem's directory.
pub(crate) fn read(reader: &Reader<'_>, root: &Path, program_of: &ProgramOf<'_>) -> Submissions {
    let file = root.join("submissions.yaml");
    let entries = if is_there(&file) { read_file(reader, &file) } else { Vec::new() };
    let mut found = Submissions::default();
    for directory in reader.list(root) {
        if !directory.is_dir {
            found.list.extend(loose(reader, &entries, &directory, program_of));
            continue;
        }
        let listed = enabled(reader, &directory);
        let named = |listed: &ListedEntry| Some((listed.name.clone(), program_of(listed)?));
        let submissions: Vec<Submission> = listed
            .iter()
            .filter_map(named)
            .map(|(name, program)| submission(reader, &entries, (&directory.name, &name), program))
            .collect();
        warn_of_unknown(reader, &directory, &entries, &submissions);
        found.list.extend(submissions);
    }
    let is_model = |id: &str| entries.iter().any(|entry| entry.model_solution && entry.matches(id));
    found.models = found.list.iter().map(|found| &found.id).filter(|id| is_model(id.as_str())).cloned().collect();
    for entry in &entries {
        if !found.list.iter().any(|submission| entry.matches(submission.id.as_str())) && !entry.names_default() {
            reader.warning(Kind::NoMatch, &file, format!("`{}` matches no submission", entry.pattern));
        }
    }
    sort(&mut found.list);
    found
}

/// Sorts submissions: accepted ones first, then by name.
pub(crate) fn sort(list: &mut [Submission]) {
    list.sort_by(|a, b| {
        let key = |submission: &Submission| !submission.expectation.wants_all_accepted();
        (key(a), &a.id).cmp(&(key(b), &b.id))
    });
}

fn read_file(reader: &Reader<'_>, file: &Path) -> Vec<SubmissionSettings> {
    let mut document = Document::load(file);
    let entries =
        submissions_yaml::read(&mut document, if reader.foreign { Severity::Warning } else { Severity::Error });
    document.finish().into_iter().for_each(|found| reader.report(found));
    entries
}

/// The entries of a directory without those named `….disabled`, which authors have given up.
fn enabled(reader: &Reader<'_>, directory: &ListedEntry) -> Vec<ListedEntry> {
    let listed = reader.list(&directory.path);
    if !reader.foreign {
        return listed;
    }
    let (disabled, enabled): (Vec<ListedEntry>, Vec<ListedEntry>) =
        listed.into_iter().partition(|listed| listed.name.ends_with(".disabled"));
    if let [first, rest @ ..] = &disabled[..] {
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        reader.warning(Kind::Ignored, &first.path, format!("disabled{more}; ignored"));
    }
    enabled
}

/// Reads a program directly in `submissions/`, where the format allows none.
fn loose(
    reader: &Reader<'_>,
    entries: &[SubmissionSettings],
    listed: &ListedEntry,
    program_of: &ProgramOf<'_>,
) -> Option<Submission> {
    if listed.name == "submissions.yaml" {
        return None;
    }
    let found = submission(reader, entries, ("", &listed.name), program_of(listed)?);
    if found.expectation.rules.is_empty() {
        reader.warning(
            Kind::NothingExpected,
            &listed.path,
            "in no directory with an expectation, so grader expects no verdict",
        );
    }
    Some(found)
}

fn submission(
    reader: &Reader<'_>,
    entries: &[SubmissionSettings],
    (directory, name): (&str, &str),
    program: Program,
) -> Submission {
    let id = if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") };
    let annotated = expectations::of_annotation(reader, directory, &program);
    let default = annotated.unwrap_or_else(|| expectations::of_directory(directory, reader.legacy));
    let matching: Vec<&SubmissionSettings> = entries.iter().filter(|entry| entry.matches(&id)).collect();
    let language = matching.iter().rev().find_map(|entry| entry.language.clone());
    let entry_point = matching.iter().rev().find_map(|entry| entry.entry_point.clone());
    let expectation = combined(default, &matching);
    Submission { id: id.into(), program, language, entry_point, expectation }
}

/// Combines the default, unless an entry replaces it, with the rules of the other entries.
fn combined(default: Expectation, matching: &[&SubmissionSettings]) -> Expectation {
    let stated: Vec<Rule> = matching.iter().flat_map(|entry| entry.rules()).collect();
    if stated.is_empty() {
        return default;
    }
    let replaced = matching.iter().any(|entry| entry.replaces_default());
    let mut kept = if replaced { Vec::new() } else { default.rules };
    // Stated points replace the points that the directory implies.
    if stated.iter().any(|rule| rule.cases.is_none() && matches!(rule.score, Some(ScoreRange::Between(..)))) {
        for rule in &mut kept {
            rule.score = None;
        }
    }
    let rules = kept.into_iter().chain(stated).collect();
    let overall = default.overall.filter(|_| !replaced);
    Expectation { rules, overall, ..Expectation::open("submissions.yaml") }
}

/// Warns about a directory with an unknown name, unless all of its submissions have expectations from elsewhere.
fn warn_of_unknown(
    reader: &Reader<'_>,
    directory: &ListedEntry,
    entries: &[SubmissionSettings],
    submissions: &[Submission],
) {
    let silent = submissions.iter().filter(|submission| submission.expectation.rules.is_empty()).count();
    let known = expectations::rule_in(&directory.name, reader.legacy).is_some()
        || entries.iter().any(|entry| entry.pattern == directory.name);
    if known || silent == 0 || directory.name == "__pycache__" {
        return;
    }
    let message = "grader expects no verdict of submissions in a directory of this name";
    let remedy = suggest::did_you_mean(&directory.name, expectations::directories());
    let remedy = remedy.unwrap_or_else(|| "write the expectations in submissions.yaml".to_owned());
    reader.report(Diagnostic::warning(&directory.path, message).kind(Kind::NothingExpected).remedy(remedy));
}
