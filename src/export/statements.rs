//! Copies statements and attachments under the names that a format gives them.

use std::path::Path;

use super::ExportError;
use super::description::Description;
use super::draft::Draft;
use super::placed::files_below;
use super::subject::Subject;
use crate::problem::{Constants, PackageLayout, Problem};

/// The directories of statements, in 2025-09 and before.
pub(crate) const FOLDERS: [&str; 2] = ["statement", "problem_statement"];

/// The languages of Polygon with their codes (ISO 639-1).
pub(super) const LANGUAGES: &[(&str, &str)] = &[
    ("armenian", "hy"),
    ("azerbaijani", "az"),
    ("chinese", "zh"),
    ("english", "en"),
    ("french", "fr"),
    ("german", "de"),
    ("italian", "it"),
    ("japanese", "ja"),
    ("kazakh", "kk"),
    ("polish", "pl"),
    ("portuguese", "pt"),
    ("romanian", "ro"),
    ("russian", "ru"),
    ("spanish", "es"),
    ("turkish", "tr"),
    ("ukrainian", "uk"),
    ("vietnamese", "vi"),
];

/// Writes the statements that the package has as files of the format, into `to`. `endings`: those that the target shows.
/// Figures and other files beside them are copied too. Returns the number of statements.
pub(super) fn statements(
    subject: &Subject<'_>,
    draft: &mut Draft,
    to: &str,
    endings: &[&str],
    constants: &Constants,
) -> Result<usize, ExportError> {
    let problem = subject.problem;
    let mut written = 0;
    let mut unshown = Vec::new();
    for folder in FOLDERS {
        let dir = problem.dir.join(folder);
        for file in files_below(&dir)? {
            let name = match problem_file(&file) {
                Some((language, ending)) if endings.contains(&ending) => {
                    written += 1;
                    format!("problem.{}.{ending}", language.unwrap_or("en"))
                }
                Some(_) => {
                    unshown.push(format!("{folder}/{file}"));
                    continue;
                }
                None => file.clone(),
            };
            draft.source(&format!("{to}/{name}"), &dir.join(&file), constants)?;
        }
    }
    for document in problem.documents.iter().filter(|_| problem.layout == PackageLayout::Polygon) {
        if let Some(name) = of_polygon(document, endings).filter(|name| !draft.has(&format!("{to}/{name}"))) {
            draft.copy(&format!("{to}/{name}"), document);
            written += 1;
        }
    }
    // A statement in another form of the same text is no loss.
    if written == 0 {
        for file in unshown {
            draft.lose(file, format!("the judge shows statements in {}", endings.join(", ")));
        }
    }
    Ok(written)
}

/// The language and ending of a statement: `problem.tex`, `problem.en.md`.
pub(crate) fn problem_file(name: &str) -> Option<(Option<&str>, &str)> {
    let rest = name.strip_prefix("problem.")?;
    match rest.split_once('.') {
        None => Some((None, rest)),
        Some((language, ending)) if !ending.contains('.') => Some((Some(language), ending)),
        Some(_) => None,
    }
}

/// The title that a package states for a language.
pub(crate) fn title_in(problem: &Problem, language: &str) -> Option<String> {
    let Description { mut names, states_names, .. } = Description::of(problem);
    names.remove(language).filter(|_| states_names)
}

/// The name of a statement of Polygon: `statements/.pdf/english/problem.pdf`.
fn of_polygon(document: &Path, endings: &[&str]) -> Option<String> {
    let ending = document.extension()?.to_str().filter(|ending| endings.contains(ending))?;
    let is_statement = document.file_stem().is_some_and(|stem| stem == "problem");
    let language = document.parent()?.file_name()?.to_str()?;
    let (_, code) = LANGUAGES.iter().find(|(name, _)| is_statement && *name == language)?;
    Some(format!("problem.{code}.{ending}"))
}

/// Writes the files for contestants into `attachments/`, without directories.
pub(super) fn attachments(subject: &Subject<'_>, draft: &mut Draft) -> Result<(), ExportError> {
    let dir = subject.problem.dir.join("attachments");
    for file in files_below(&dir)? {
        let name = file.rsplit('/').next().unwrap_or_default();
        draft.copy(&format!("attachments/{name}"), &dir.join(&file));
    }
    Ok(())
}
