//! Copies statements and attachments under the names that a format gives them.

use std::path::{Path, PathBuf};

use super::ExportError;
use super::description::{Description, LANGUAGES};
use super::draft::Draft;
use super::placed::{files_below, unicode};
use super::subject::Subject;
use crate::problem::{Constants, PackageLayout, Problem};

/// The directories of statements, in 2025-09 and before.
pub(crate) const FOLDERS: [&str; 2] = ["statement", "problem_statement"];

/// The directories with the statements of a problem. What grader writes for Polygon has them among the documents.
pub(super) fn folders(problem: &Problem) -> Vec<PathBuf> {
    let of_documents = FOLDERS.map(|folder| format!("documents/{folder}"));
    let of_polygon = of_documents.iter().filter(|_| problem.layout == PackageLayout::Polygon);
    FOLDERS.into_iter().chain(of_polygon.map(String::as_str)).map(|folder| problem.dir.join(folder)).collect()
}

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
    for dir in folders(problem) {
        for file in files_below(&dir)? {
            let name = match problem_file(&file) {
                Some((language, ending)) if endings.contains(&ending) => {
                    written += 1;
                    format!("problem.{}.{ending}", language.unwrap_or("en"))
                }
                Some(_) => {
                    unshown.push(shown(problem, &dir.join(&file)));
                    continue;
                }
                None => file.clone(),
            };
            draft.source(&format!("{to}/{name}"), &dir.join(&file), constants)?;
        }
    }
    // Polygon's own statement in a language comes with the title.
    if problem.layout == PackageLayout::Polygon && endings.contains(&"tex") {
        written += polygon_statements(problem, draft, to)?;
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

/// The path of a file in messages.
pub(super) fn shown(problem: &Problem, file: &Path) -> String {
    file.strip_prefix(&problem.dir).unwrap_or(file).display().to_string()
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

/// The parts of a statement of Polygon in `statement-sections/LANGUAGE/`, each with its heading in English and Russian.
const SECTIONS: [(&str, &str, &str); 6] = [
    ("legend", "", ""),
    ("input", "Input", "Входные данные"),
    ("output", "Output", "Выходные данные"),
    ("interaction", "Interaction", "Протокол взаимодействия"),
    ("scoring", "Scoring", "Система оценки"),
    ("notes", "Notes", "Замечание"),
];

/// Puts the parts of each statement of Polygon together, with the pictures beside them. Reports statements that have no
/// parts, and parts that have no place. Returns the number of statements.
fn polygon_statements(problem: &Problem, draft: &mut Draft, to: &str) -> Result<usize, ExportError> {
    let mut written = 0;
    for (language, code) in LANGUAGES {
        let folder = format!("statement-sections/{language}");
        let dir = problem.dir.join(&folder);
        let part = |name: &str| match std::fs::read_to_string(dir.join(name).with_extension("tex")) {
            Ok(text) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ExportError::Read { path: dir.join(name).with_extension("tex"), error }),
        };
        let source = format!("statements/{language}/problem.tex");
        if part("legend")?.is_none() {
            if problem.dir.join(&source).is_file() {
                draft.leave_out(&*source, "grader reads the parts of statements in statement-sections/");
            }
            continue;
        }
        let mut text = part("name")?.map(|name| format!("\\problemname{{{name}}}\n\n")).unwrap_or_default();
        for (name, english, russian) in SECTIONS {
            let Some(content) = part(name)? else { continue };
            let heading = if *code == "ru" { russian } else { english };
            if !heading.is_empty() {
                text += &["\\section*{", heading, "}\n"].concat();
            }
            text += &(content + "\n\n");
        }
        draft.text(&format!("{to}/problem.{code}.tex"), text);
        written += 1;
        for file in files_below(&dir)? {
            let (stem, ending) = file.rsplit_once('.').unwrap_or((&file, ""));
            let is_part = ending == "tex" && (stem == "name" || SECTIONS.iter().any(|(name, ..)| *name == stem));
            // The samples are tests.
            if is_part || file.starts_with("example.") {
                continue;
            }
            let path = format!("{to}/{file}");
            let is_known = draft.is_file(&path, &dir.join(&file));
            let is_known = is_known.map_err(|error| ExportError::Read { path: dir.join(&file), error })?;
            match (ending, draft.has(&path)) {
                ("tex", _) => draft.leave_out(format!("{folder}/{file}"), "no part of the statement"),
                (_, false) => draft.copy(&path, &dir.join(&file)),
                (_, true) if is_known => {}
                (_, true) => draft.lose(format!("{folder}/{file}"), "another language has another file of this name"),
            }
        }
    }
    Ok(written)
}

/// The name of a statement of Polygon: `statements/.pdf/english/problem.pdf`.
fn of_polygon(document: &Path, endings: &[&str]) -> Option<String> {
    let ending = document.extension()?.to_str().filter(|ending| endings.contains(ending))?;
    let is_statement = document.file_stem().is_some_and(|stem| stem == "problem");
    let language = document.parent()?.file_name()?.to_str()?;
    let (_, code) = LANGUAGES.iter().find(|(name, _)| is_statement && *name == language)?;
    Some(format!("problem.{code}.{ending}"))
}

/// The files for contestants, each with its name without directories.
///
/// # Errors
/// The directory cannot be listed.
pub(super) fn attachment_files(problem: &Problem) -> Result<Vec<(String, PathBuf)>, ExportError> {
    let dir = problem.dir.join("attachments");
    let own = files_below(&dir)?.into_iter().map(|file| dir.join(file));
    // Polygon lists them beside its statements.
    let statements = ["statements", "documents"].map(|folder| problem.dir.join(folder));
    let is_attached = |path: &&PathBuf| !statements.iter().any(|folder| path.starts_with(folder));
    let listed = problem.documents.iter().filter(|_| problem.layout == PackageLayout::Polygon).filter(is_attached);
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    for path in own.chain(listed.cloned()) {
        let name = unicode(Path::new(path.file_name().unwrap_or_default()))?.to_owned();
        if !files.iter().any(|(_, known)| *known == path) {
            files.push((name, path));
        }
    }
    Ok(files)
}

/// Writes the files for contestants below `to`, without directories.
pub(super) fn attachments(subject: &Subject<'_>, draft: &mut Draft, to: &str) -> Result<(), ExportError> {
    for (name, from) in attachment_files(subject.problem)? {
        draft.copy(&format!("{to}/{name}"), &from);
    }
    Ok(())
}
