//! Reports files whose names mean no problem, with the way out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Problems, wants_outputs};
use crate::diagnostic::Diagnostic;
use crate::intake::advice::cannot_be_program;
use crate::intake::members::{may_list_authors, members_option};
use crate::intake::names::{exercise_option, folded};
use crate::intake::reader::Intake;
use crate::package::archive::is_archive_name;
use crate::program_files::is_test;
use crate::report::text::quote_path;
use crate::suggest;

/// Reports the names of unknown and broken problems, with their submissions.
pub(super) fn tell_unknown(intake: &mut Intake<'_>, problems: &Problems, unknown: BTreeMap<String, Vec<PathBuf>>) {
    for (problem, places) in unknown {
        let more = if places.len() > 1 { format!(" ({} submissions)", places.len()) } else { String::new() };
        let broken: Vec<Diagnostic> = problems.errors_of(&problem).cloned().collect();
        if !broken.is_empty() {
            intake.found.extend(broken);
            intake.error(&places[0], format!("not judged: the problem `{problem}` is broken{more}"), "fix it first");
            continue;
        }
        if places.iter().all(|place| cannot_be_program(place)) && !problems.plan.problems.iter().any(wants_outputs) {
            let message = format!("is not a program, and no problem is called `{problem}`{more}; not judged");
            let file = places[0].file_name().unwrap_or_default().to_string_lossy();
            let remedy = format!("ask for the program if it is meant as one; if not: --ignore {}", quote_path(&file));
            intake.warning(&places[0], message, &remedy);
            continue;
        }
        let ending = places[0].extension().map(|ending| format!(".{}", ending.display())).unwrap_or_default();
        let file = format!("{problem}{ending}");
        if intake.members_name.is_empty() && may_list_authors(&file) {
            intake.error(&places[0], format!("no problem is called `{problem}`{more}"), &members_option(&file));
            continue;
        }
        let is_own_test =
            |place: &PathBuf| !is_archive_name(place) && place.file_name().is_some_and(|name| is_test(Path::new(name)));
        if places.iter().all(is_own_test) && !problems.plan.problems.iter().any(wants_outputs) {
            let message = format!("is a test by its name, and no problem is called `{problem}`{more}; not judged");
            let file = places[0].file_name().unwrap_or_default().to_string_lossy();
            let likely = problems.ids().first().copied().filter(|_| problems.ids().len() == 1);
            let remedy = format!(
                "leave it out: --ignore {}; if it is a submission, name its problem: {}",
                quote_path(&file),
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
        // Many students have the files of a template.
        let remedy = if places.len() > 1 || intake.met.get(&file).is_some_and(|count| *count > 1) {
            format!("{remedy}; if it is no submission, leave it out: --ignore {}", quote_path(&file))
        } else {
            remedy
        };
        intake.error(&places[0], format!("no problem is called `{problem}`{more}"), &remedy);
    }
}
