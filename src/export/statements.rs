//! Copies statements and attachments under the names that a format gives them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::ExportError;
use super::description::{Description, LANGUAGES};
use super::draft::Draft;
use super::listing::{files_below, is_file_of, is_large, read, read_text, unicode};
use super::samples::{ShownSample, samples};
use super::subject::Subject;
use crate::package::{dmoj, italy};
use crate::problem::{Constants, PackageLayout, Problem};

/// The directories of statements, in 2025-09 and before.
const FOLDERS: [&str; 2] = ["statement", "problem_statement"];

/// The directories with the statements of a problem. In packages that grader writes for Polygon, they are among the
/// documents.
fn folders(problem: &Problem) -> Vec<PathBuf> {
    let of_documents = FOLDERS.map(|folder| format!("documents/{folder}"));
    let of_polygon = of_documents.iter().filter(|_| problem.layout == PackageLayout::Polygon);
    let usual = if problem.layout == PackageLayout::ItalyYaml { italy::STATEMENTS } else { FOLDERS };
    usual.into_iter().chain(of_polygon.map(String::as_str)).map(|folder| problem.dir.join(folder)).collect()
}

/// The directory of attachments and pictures of Hydro.
pub(super) const HYDRO_FILES: &str = "additional_file";

/// How a statement of Hydro refers to a file in [`HYDRO_FILES`].
pub(super) const HYDRO_LINK: &str = "](file://";

/// The name of a statement of CMS or task-maker as in the package format: `english.md` is `problem.en.md`. Their TeX is
/// another language.
fn of_italy(file: &str) -> Option<String> {
    let (stem, ending) = file.rsplit_once('.').filter(|(_, ending)| ["md", "pdf"].contains(ending))?;
    if italy::STATEMENTS.contains(&stem) {
        return Some(format!("problem.{ending}"));
    }
    let (_, code) = LANGUAGES.iter().find(|(name, _)| *name == stem)?;
    Some(format!("problem.{code}.{ending}"))
}

/// The statements of a problem and the files beside them: each name as in the package format, with its file. Hydro has
/// `problem_en.md` beside `problem.yaml`, and DMOJ `statement.md` if grader wrote it. Leaves out a page that grader made if
/// its statement exists, because the statement may be newer.
///
/// # Errors
/// A directory cannot be listed.
pub(crate) fn statement_files(problem: &Problem) -> Result<Vec<(String, PathBuf)>, ExportError> {
    let mut found = Vec::new();
    let is_italy = problem.layout == PackageLayout::ItalyYaml;
    for dir in folders(problem) {
        let name = |file: &str| of_italy(file).filter(|_| is_italy).unwrap_or_else(|| file.to_owned());
        found.extend(files_below(problem, &dir)?.into_iter().map(|file| (name(&file), dir.join(&file))));
    }
    let of_dmoj = problem.dir.join(dmoj::STATEMENT);
    if problem.layout == PackageLayout::Dmoj && is_file_of(problem, &of_dmoj)? {
        found.push(("problem.md".to_owned(), of_dmoj));
    }
    let language_of = |name: &str, endings: &[&str]| {
        let (language, ending) = problem_file(name)?;
        endings.contains(&ending).then(|| language.unwrap_or("en").to_owned())
    };
    let texts: Vec<String> = found.iter().filter_map(|(name, _)| language_of(name, &["md", "tex"])).collect();
    found.retain(|(name, path)| {
        !language_of(name, &["html"]).is_some_and(|language| texts.contains(&language) && is_made_page(path))
    });
    if problem.layout != PackageLayout::Hydro {
        return Ok(found);
    }
    let failed = |error| ExportError::Read { path: problem.dir.clone(), error };
    let mut of_hydro = Vec::new();
    for entry in std::fs::read_dir(&problem.dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let language = name.strip_prefix("problem").and_then(|rest| rest.strip_suffix(".md"));
        if let Some(language) = language.filter(|language| language.is_empty() || language.starts_with('_'))
            && is_file_of(problem, &path)?
        {
            of_hydro.push((format!("problem{}.md", language.replacen('_', ".", 1)), path.clone()));
        }
    }
    of_hydro.sort();
    found.extend(of_hydro);
    Ok(found)
}

/// Whether `grader statement` made this file. False if it cannot be read, because copying it reports the error.
fn is_made_page(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && String::from_utf8_lossy(&head).contains(GENERATOR)
}

/// The tag that marks pages of grader, and how many bytes are searched for it.
const GENERATOR: &str = "<meta name=\"generator\" content=\"grader statement\">";
const HEAD: u64 = 1000;

/// The directory of the pictures of a statement.
pub(crate) fn pictures_of(problem: &Problem, statement: &Path) -> PathBuf {
    let folder = statement.parent().unwrap_or(Path::new("."));
    let is_hydro = problem.layout == PackageLayout::Hydro && folder == problem.dir;
    if is_hydro { folder.join(HYDRO_FILES) } else { folder.to_owned() }
}

/// The text of a statement with links as in the package format.
pub(crate) fn plain_links(problem: &Problem, text: String) -> String {
    if problem.layout == PackageLayout::Hydro { text.replace(HYDRO_LINK, "](") } else { text }
}

/// Writes a statement of Hydro with the pictures that it shows.
fn hydro_statement(problem: &Problem, draft: &mut Draft, to: &str, name: &str, from: &Path) -> Result<(), ExportError> {
    let text = read_text(from)?;
    let pictures = pictures_of(problem, from);
    for file in
        files_below(problem, &pictures)?.into_iter().filter(|file| text.contains(&format!("{HYDRO_LINK}{file}")))
    {
        draft.copy(&format!("{to}/{file}"), &pictures.join(&file));
    }
    draft.text(&format!("{to}/{name}"), without_samples(&plain_links(problem, text), &texts_of_samples(problem)?));
    Ok(())
}

/// The inputs and answers of the samples. Leaves out files that are too large for a statement.
fn texts_of_samples(problem: &Problem) -> Result<Vec<String>, ExportError> {
    let mut texts = Vec::new();
    for sample in samples(problem)? {
        let ShownSample::Files { input, answer, .. } = sample else { continue };
        for path in std::iter::once(input).chain(answer) {
            let failed = |error| ExportError::Read { path: path.clone(), error };
            if !is_large(&path).map_err(failed)? {
                texts.push(String::from_utf8_lossy(&read(&path).map_err(failed)?).trim_end().to_owned());
            }
        }
    }
    Ok(texts)
}

/// A statement of Hydro without the blocks of its samples, such as ```` ```input1 ````, that say what the test data says:
/// other formats show that.
fn without_samples(text: &str, samples: &[String]) -> String {
    let begins = |line: &str| line.starts_with("```input") || line.starts_with("```output");
    let mut made = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !begins(line) {
            made.extend([line, "\n"]);
            continue;
        }
        let content = lines.by_ref().take_while(|line| line.trim_end() != "```").collect::<Vec<_>>().join("\n");
        if !samples.iter().any(|sample| sample == content.trim_end()) {
            made.extend([line, "\n", &content, "\n```\n"]);
        }
    }
    made.trim_end().to_owned() + "\n"
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
    for (file, from) in statement_files(problem)? {
        let name = match problem_file(&file) {
            Some((language, ending)) if endings.contains(&ending) => {
                written += 1;
                format!("problem.{}.{ending}", language.unwrap_or("en"))
            }
            Some(_) => {
                unshown.push(shown(problem, &from));
                continue;
            }
            None => file.clone(),
        };
        if problem.layout == PackageLayout::Hydro && from.parent() == Some(&problem.dir) {
            hydro_statement(problem, draft, to, &name, &from)?;
        } else {
            draft.source(&format!("{to}/{name}"), &from, constants)?;
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
    // An unwritten form of a statement is not a loss if another form was written.
    if written == 0 {
        for file in unshown {
            draft.lose(file, format!("the judge shows statements in {}", endings.join(", ")));
        }
    }
    Ok(written)
}

/// Whether the statements that a draft has in `folder` are in Markdown alone.
pub(super) fn is_only_markdown(draft: &Draft, folder: &str) -> bool {
    let files = draft.paths().filter_map(|path| path.strip_prefix(folder)?.strip_prefix('/'));
    let endings: BTreeSet<&str> = files.filter_map(problem_file).map(|(_, ending)| ending).collect();
    endings.contains("md") && !endings.contains("tex") && !endings.contains("pdf")
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

/// Whether a problem package states titles, and none in this language: judges then show the statement without a title.
pub(crate) fn lacks_title(problem: &Problem, language: &str) -> bool {
    let Description { names, states_names, .. } = Description::of(problem);
    problem.layout == PackageLayout::Icpc && states_names && !names.contains_key(language)
}

/// The titles for the statements that a draft has in `folder`. Since 2023-07 the format wants one for the language of each
/// statement, and no others. A statement without a title gets another one of the problem, which is reported.
pub(super) fn titles(subject: &Subject<'_>, draft: &mut Draft, folder: &str) -> BTreeMap<String, String> {
    let description = &subject.description;
    let names = draft.paths().filter_map(|path| path.strip_prefix(folder)?.strip_prefix('/'));
    let languages: BTreeSet<String> =
        names.filter_map(problem_file).map(|(language, _)| language.unwrap_or("en").to_owned()).collect();
    if languages.is_empty() {
        return description.names.clone();
    }
    let mut titles = BTreeMap::new();
    let several = languages.len() > 1 || description.names.len() > 1;
    for language in languages {
        let own = description.names.get(&language).or_else(|| subject.titles.get(&language));
        if own.is_none() && several {
            let why = "the format wants one for each language, so another title stands there";
            draft.miss(format!("a title in `{language}`"), why);
        }
        let title = own.map_or_else(|| description.title().to_owned(), Clone::clone);
        titles.insert(language, title);
    }
    let is_stated = description.states_names || description.names.len() > 1;
    for (language, title) in description.names.iter().filter(|_| is_stated) {
        if !titles.values().any(|used| used == title) {
            draft.leave_out(format!("the title in `{language}`"), "there is no statement in this language");
        }
    }
    titles
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
    unknown_languages(problem, draft)?;
    for (language, code) in LANGUAGES {
        let folder = format!("statement-sections/{language}");
        let dir = problem.dir.join(&folder);
        let files = files_below(problem, &dir)?;
        let part = |name: &str| -> Result<Option<String>, ExportError> {
            let Some(file) = files.iter().find(|file| **file == format!("{name}.tex")) else { return Ok(None) };
            let text = read_text(&dir.join(file))?;
            Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty()))
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
        for file in &files {
            let (stem, ending) = file.rsplit_once('.').unwrap_or((file.as_str(), ""));
            let is_part = ending == "tex" && (stem == "name" || SECTIONS.iter().any(|(name, ..)| *name == stem));
            // The samples are tests.
            if is_part || file.starts_with("example.") {
                continue;
            }
            let path = format!("{to}/{file}");
            let is_known = draft.is_file(&path, &dir.join(file));
            let is_known = is_known.map_err(|error| ExportError::Read { path: dir.join(file), error })?;
            match (ending, draft.has(&path)) {
                ("tex", _) => draft.leave_out(format!("{folder}/{file}"), "no part of the statement"),
                (_, false) => draft.copy(&path, &dir.join(file)),
                (_, true) if is_known => {}
                (_, true) => draft.lose(format!("{folder}/{file}"), "another language has another file of this name"),
            }
        }
    }
    Ok(written)
}

/// Reports statements of Polygon in languages whose code grader does not know.
fn unknown_languages(problem: &Problem, draft: &mut Draft) -> Result<(), ExportError> {
    const FOLDER: &str = "statement-sections";
    for file in files_below(problem, &problem.dir.join(FOLDER))? {
        if let Some(language) = file.strip_suffix("/legend.tex")
            && !LANGUAGES.iter().any(|(known, _)| *known == language)
        {
            draft.lose(format!("{FOLDER}/{language}/"), "grader does not know the code of this language");
        }
    }
    Ok(())
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
    let is_hydro = problem.layout == PackageLayout::Hydro;
    let dir = problem.dir.join(match problem.layout {
        PackageLayout::Hydro => HYDRO_FILES,
        PackageLayout::ItalyYaml => italy::ATTACHMENTS,
        _ => "attachments",
    });
    let shown = if is_hydro { hydro_links(problem)? } else { String::new() };
    let is_picture = |file: &String| shown.contains(&format!("{HYDRO_LINK}{file})"));
    let own = files_below(problem, &dir)?.into_iter().filter(|file| !is_picture(file)).map(|file| dir.join(file));
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

/// The texts of Hydro's statements. Files that they show are pictures, not attachments.
fn hydro_links(problem: &Problem) -> Result<String, ExportError> {
    let mut texts = String::new();
    for (_, path) in statement_files(problem)?.into_iter().filter(|(_, path)| path.parent() == Some(&problem.dir)) {
        texts += &read_text(&path)?;
    }
    Ok(texts)
}

/// Writes the files for contestants below `to`, without directories.
pub(super) fn attachments(subject: &Subject<'_>, draft: &mut Draft, to: &str) -> Result<(), ExportError> {
    for (name, from) in attachment_files(subject.problem)? {
        draft.copy(&format!("{to}/{name}"), &from);
    }
    Ok(())
}
