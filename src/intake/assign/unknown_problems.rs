//! Reports files whose names mean no problem, with the way out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{Problems, wants_outputs};
use crate::diagnostic::Diagnostic;
use crate::intake::advice::cannot_be_program;
use crate::intake::members::{may_list_authors, members_option};
use crate::intake::names::{exercise_option, folded, ignore_option};
use crate::intake::reader::Intake;
use crate::package::archive::is_archive_name;
use crate::program_files::is_test;
use crate::suggest;

/// A submission with the name of no problem.
pub(super) struct WithoutProblem {
    pub(super) student: String,
    pub(super) place: PathBuf,
    /// Whether it is a text, which no program can be.
    pub(super) is_text: bool,
}

/// Reports the names of unknown and broken problems, with their submissions.
pub(super) fn tell_unknown(
    intake: &mut Intake<'_>,
    problems: &Problems,
    unknown: BTreeMap<String, Vec<WithoutProblem>>,
) {
    for (problem, submissions) in unknown {
        let is_text = submissions.iter().all(|submission| submission.is_text);
        let (students, places): (BTreeSet<String>, Vec<PathBuf>) =
            submissions.into_iter().map(|submission| (submission.student, submission.place)).unzip();
        let more = if places.len() > 1 { format!(" ({} submissions)", places.len()) } else { String::new() };
        let broken: Vec<Diagnostic> = problems.errors_of(&problem).cloned().collect();
        if !broken.is_empty() {
            intake.found.extend(broken);
            let message = format!("not judged: the problem `{problem}` is broken{more}");
            intake.error_about(students, Diagnostic::error(&places[0], message).remedy("fix it first"));
            continue;
        }
        if (is_text || places.iter().all(|place| cannot_be_program(place)))
            && !problems.plan.problems.iter().any(wants_outputs)
        {
            let message = format!("is not a program, and no problem is called `{problem}`{more}; not judged");
            let file = places[0].file_name().unwrap_or_default().to_string_lossy();
            let remedy = format!("ask for the program if it is meant as one; if not: {}", ignore_option(&file));
            intake.warning(&places[0], message, &remedy);
            continue;
        }
        let file = file_called(&problem, &places[0]);
        if intake.members_name.is_empty() && may_list_authors(&file) {
            let message = format!("no problem is called `{problem}`{more}");
            intake.error_about(students, Diagnostic::error(&places[0], message).remedy(members_option(&file)));
            continue;
        }
        let is_own_test =
            |place: &PathBuf| !is_archive_name(place) && place.file_name().is_some_and(|name| is_test(Path::new(name)));
        if places.iter().all(is_own_test) && !problems.plan.problems.iter().any(wants_outputs) {
            let message = format!("is a test by its name, and no problem is called `{problem}`{more}; not judged");
            let file = places[0].file_name().unwrap_or_default().to_string_lossy();
            let likely = problems.ids().first().copied().filter(|_| problems.ids().len() == 1);
            let remedy = format!(
                "leave it out: {}; if it is a submission, name its problem: {}",
                ignore_option(&file),
                exercise_option(&file, likely)
            );
            intake.warning(&places[0], message, &remedy);
            continue;
        }
        let ids = problems.ids();
        let near = suggest::did_you_mean(&problem, ids.iter().copied());
        let remedy = near.unwrap_or_else(|| match &ids[..] {
            [] => "go to a problem's folder or below a grader.toml: no problem was found here".to_owned(),
            [only] => format!("use the only problem: {only}"),
            several => format!("choose one of {}", several[..several.len().min(8)].join(", ")),
        });
        let words = folded(&problem);
        let only = ids.first().filter(|_| ids.len() == 1);
        let likely = ids.iter().find(|id| words.contains(&folded(id))).or(only).copied();
        let remedy = if ids.is_empty() {
            remedy
        } else {
            format!("{remedy}; or name its problem: {}", exercise_option(&file, likely))
        };
        let remedy = format!("{remedy}; if it is no submission, leave it out: {}", ignore_option(&file));
        let message = format!("no problem is called `{problem}`{more}");
        intake.error_about(students, Diagnostic::error(&places[0], message).remedy(remedy));
    }
}

/// The name of a file or folder whose name means a problem of this name: its own, or what the student gave to it, without what
/// platforms and layouts put before it.
fn file_called(problem: &str, place: &Path) -> String {
    let own = place.file_name().unwrap_or_default().to_string_lossy();
    if own.strip_prefix(problem).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')) {
        return own.into_owned();
    }
    let ending = place.extension().map(|ending| format!(".{}", ending.display())).unwrap_or_default();
    format!("{problem}{ending}")
}
