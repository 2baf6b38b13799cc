//! Options that nothing in the submissions matches: they may be misspelt.

use std::cmp::Reverse;
use std::path::PathBuf;

use super::found_submission::{Aim, FoundSubmission};
use super::members::{may_list_authors, members_option};
use super::names::literal_glob;
use super::reader::{Intake, listed};
use crate::diagnostic::{Diagnostic, Severity};
use crate::report::text::{Whitespace, escape};
use crate::suggest;
use crate::workspace::Workspace;

/// Reports the globs of `ignore` and the names of `exercises` that no file or folder has, with the names that there are. In
/// `grader.toml` they are for the whole course, so there they may match nothing.
pub(super) fn unmatched_options(intake: &mut Intake<'_>, workspace: &Workspace, exercises: Vec<String>) {
    let (origins, added_to) = (&workspace.settings.origins, &workspace.settings.added_to);
    let is_glob_stated = |glob: &String| origins.ignore.outranks_problem() && !added_to.ignore.contains(glob);
    let is_name_stated = |name: &String| origins.exercises.outranks_problem() && !added_to.exercises.contains(name);
    let globs = intake.ignore.iter().filter(|ignore| !ignore.has_matched).map(|ignore| ignore.text.clone());
    let globs = globs.map(|glob| ("--ignore", "ignore", is_glob_stated(&glob), glob));
    let exercises = exercises.into_iter().map(|name| ("--exercise", "exercises", is_name_stated(&name), name));
    // Files that the user names one by one have no other names.
    if intake.met.is_empty() {
        return;
    }
    let mut frequent: Vec<(&String, &usize)> = intake.met.iter().collect();
    frequent.sort_by_key(|(_, count)| Reverse(**count));
    let here = listed(&frequent.into_iter().map(|(name, _)| PathBuf::from(name)).collect::<Vec<_>>());
    let tell = |(option, key, is_stated, text): (&str, &str, bool, String)| {
        let (severity, place) = if is_stated {
            (Severity::Warning, format!("`{option}`"))
        } else {
            (Severity::Info, format!("`{key}` in grader.toml"))
        };
        // Names may have characters of globs.
        let known: Vec<String> =
            intake.met.keys().map(|name| if key == "ignore" { literal_glob(name) } else { name.clone() }).collect();
        let near = suggest::did_you_mean(&text, known.iter().map(String::as_str));
        let remedy = near.unwrap_or_else(|| format!("correct it or leave it out: here are {here}"));
        let text = escape(text.as_bytes(), Whitespace::Inline);
        Diagnostic::new(severity, format!("{place}: `{text}` matches no file or folder")).remedy(remedy)
    };
    let told: Vec<Diagnostic> = globs.chain(exercises).map(tell).collect();
    intake.found.extend(told);
}

/// A notice if no file has the name of those that list authors. In `grader.toml` it is for the whole course, so there it may
/// match nothing.
pub(super) fn unmatched_members(intake: &Intake<'_>, workspace: &Workspace) -> Option<Diagnostic> {
    // Files that the user names one by one have no lists of authors beside them.
    if intake.members_name.is_empty() || intake.has_members || intake.met.is_empty() {
        return None;
    }
    let (severity, place) = if workspace.settings.origins.members.outranks_problem() {
        (Severity::Warning, "`--members`")
    } else {
        (Severity::Info, "`members` in grader.toml")
    };
    let near = suggest::did_you_mean(intake.members_name, intake.met.keys().map(String::as_str));
    let remedy = near.unwrap_or_else(|| "correct it or leave it out".to_owned());
    let name = escape(intake.members_name.as_bytes(), Whitespace::Inline);
    Some(Diagnostic::new(severity, format!("{place}: `{name}` matches no file")).remedy(remedy))
}

/// A warning if a file in a submission is called as lists of authors are, and no option names it: the others whom it names would
/// have zeros.
pub(super) fn unnamed_members(intake: &Intake<'_>, taken: &[FoundSubmission]) -> Option<Diagnostic> {
    if !intake.members_name.is_empty() {
        return None;
    }
    // Where names say the problem, such a file alone is an error elsewhere.
    let list = |found: &FoundSubmission| {
        if matches!(found.aim, Aim::Unknown(_)) {
            return None;
        }
        let name = |file: PathBuf| Some(file.file_name()?.to_string_lossy().into_owned());
        found.received().into_iter().filter_map(name).find(|name| may_list_authors(name))
    };
    let mut students = taken.iter().filter(|found| found.has_student());
    let (found, name) = students.find_map(|found| Some((found, list(found)?)))?;
    let message = format!("`{name}` may name other authors, who get no grade for it");
    Some(Diagnostic::warning(&found.place, message).remedy(members_option(&name)))
}
