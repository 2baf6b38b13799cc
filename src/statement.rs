//! Statements of problems as pages: from Markdown, and from the subset of TeX that problem packages use.
//!
//! A package may be hostile. So its text never becomes markup: `markdown` and `tex` read it as parts, and `markup` makes HTML
//! of these. The policy of the page lets no script run.
//!
//! Its files:
//!
//! - `markdown`, `tex`: read a statement
//! - `parts`: the parts of a statement that they read, and the findings about it
//! - `markup`, `math`, `width`: HTML with pictures, formulas, and how wide these are
//! - `bounds`: the bounds of variables that it says
//! - `samples`, `words`: the samples, and the words that grader adds
//! - `page`, `cover`: the page of a problem, and the booklet of a contest with its title page
//! - `pdf`: prints a page

mod bounds;
mod cover;
mod markdown;
mod markup;
mod math;
pub(crate) mod page;
mod parts;
pub(crate) mod pdf;
mod samples;
mod tex;
mod width;
mod words;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pulldown_cmark::Event;

use crate::diagnostic::{Diagnostic, Severity, TextPosition};
use crate::export::statements::{lacks_title, pictures_of, plain_links, problem_file, statement_files, title_in};
use crate::problem::{PackageLayout, Problem};
use crate::strength::bounds::StatementBound;
pub(crate) use cover::cover_of;
use markup::Surroundings;
use parts::{Notes, Part, Parts};
use words::words_of;

/// The most bytes of a statement. Nobody writes longer ones.
const MOST: u64 = 512 << 10;
/// The language of a statement whose name has none.
const DEFAULT_LANGUAGE: &str = "en";
/// The longest name of a language, as in `sr-Latn-RS`.
const LONGEST_LANGUAGE: usize = 20;

/// The notation of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Markdown,
    Tex,
}

/// The file of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StatementFile {
    pub(crate) language: String,
    pub(crate) path: PathBuf,
    form: Form,
}

/// A statement as HTML.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) language: String,
    pub(crate) title: String,
    /// Its text, with everything in it that it shows.
    pub(crate) body: String,
}

/// The statements of a problem that can be shown, one for each language, sorted by language.
///
/// # Errors
/// A directory cannot be listed.
pub(crate) fn files_of(problem: &Problem) -> Result<Vec<StatementFile>, Diagnostic> {
    let files = statement_files(problem).map_err(|error| Diagnostic::error(&problem.dir, error.to_string()))?;
    let mut folders: Vec<(PathBuf, Vec<StatementFile>)> = Vec::new();
    for (name, path) in files {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let Some(file) = statement_at(&name, path) else { continue };
        match folders.iter_mut().find(|(known, _)| *known == folder) {
            Some((_, own)) => own.push(file),
            None => folders.push((folder, vec![file])),
        }
    }
    let mut found: Vec<StatementFile> = Vec::new();
    for (_, mut own) in folders {
        // In one folder Markdown comes before TeX, and a name with a language before one without.
        own.sort_by(|one, two| (one.form, &two.path).cmp(&(two.form, &one.path)));
        for file in own {
            if !found.iter().any(|known| known.language == file.language) {
                found.push(file);
            }
        }
    }
    found.sort_by(|one, two| one.language.cmp(&two.language));
    Ok(found)
}

/// The statement in a file with this name in the package format.
fn statement_at(name: &str, path: PathBuf) -> Option<StatementFile> {
    let (language, ending) = problem_file(name)?;
    let form = match ending {
        "md" => Form::Markdown,
        "tex" => Form::Tex,
        _ => return None,
    };
    let language = language.unwrap_or(DEFAULT_LANGUAGE).to_owned();
    let is_code = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let is_language = (1..=LONGEST_LANGUAGE).contains(&language.len()) && language.chars().all(is_code);
    is_language.then_some(StatementFile { language, path, form })
}

/// The file in English, otherwise the first.
pub(crate) fn main_file(files: &[StatementFile]) -> Option<&StatementFile> {
    files.iter().find(|file| file.language == DEFAULT_LANGUAGE).or_else(|| files.first())
}

/// Reads a statement. Returns no statement if there are errors among the findings.
pub(crate) fn read(problem: &Problem, file: &StatementFile) -> (Option<Statement>, Vec<Diagnostic>) {
    // The parser of formulas calls itself.
    let large = std::thread::Builder::new().stack_size(math::STACK);
    std::thread::scope(|scope| match large.spawn_scoped(scope, || made(problem, file)) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(error) => (None, vec![Diagnostic::error(&file.path, format!("cannot start a thread to read it: {error}"))]),
    })
}

/// The findings about all statements of a problem: an error prevents the page of its language.
pub(crate) fn findings(problem: &Problem) -> Vec<Diagnostic> {
    match files_of(problem) {
        Ok(files) => files.iter().flat_map(|file| read(problem, file).1).collect(),
        Err(found) => vec![found],
    }
}

fn made(problem: &Problem, file: &StatementFile) -> (Option<Statement>, Vec<Diagnostic>) {
    let text = match text_of(problem, file) {
        Ok(text) => text,
        Err(found) => return (None, vec![found]),
    };
    let mut notes = Notes::new(file.path.clone(), &text);
    let parts = parts_of(file, &text, &mut notes);
    let words = words_of(&file.language);
    let mut said = Vec::new();
    let has_own = match problem.layout {
        // grader writes those of DMOJ and Hydro with such headings, if the native statement has them.
        PackageLayout::Native | PackageLayout::Dmoj => has_examples(&parts.parts),
        // Statements of Hydro have their samples in such blocks.
        PackageLayout::Hydro => text.contains("```input") || has_examples(&parts.parts),
        _ => false,
    };
    let samples = if has_own {
        Vec::new()
    } else {
        match samples::html_of(problem, words, &file.path) {
            Ok((samples, notices)) => {
                said.extend(notices);
                samples
            }
            Err(error) => {
                said.push(error.found(&file.path));
                Vec::new()
            }
        }
    };
    let own = parts.title.clone().filter(|title| !title.is_empty());
    let stated = title_in(problem, &file.language);
    if let (Some(own), Some(stated)) = (&own, &stated)
        && straight(own) != straight(stated)
    {
        let message = format!("the statement has the title `{own}`, and the problem has the name `{stated}`");
        let found = Diagnostic::warning(&file.path, message);
        said.push(found.remedy("use one of them: judges show the name, and the page shows the title"));
    }
    if stated.is_none() && lacks_title(problem, &file.language) {
        let message = format!("the problem has no name in the language of this statement, `{}`", file.language);
        let found = Diagnostic::warning(&file.path, message);
        said.push(found.remedy(format!("add it to `name` in problem.yaml: `{}`", file.language)));
    }
    let title = own.or(stated).unwrap_or_else(|| problem.title.clone());
    let folder = &pictures_of(problem, &file.path);
    let sample_blocks = (problem.layout == PackageLayout::Hydro).then_some(words);
    let mut surroundings = Surroundings { folder, problem: &problem.dir, samples: samples.into(), sample_blocks };
    let body = markup::html(parts, &mut surroundings, &mut notes);
    said.append(&mut notes.found);
    said.sort_by_key(Diagnostic::order);
    let is_fine = !said.iter().any(Diagnostic::is_error);
    (is_fine.then(|| Statement { language: file.language.clone(), title, body }), said)
}

/// A title with the quotes that keyboards have: TeX shows others.
fn straight(title: &str) -> String {
    title.trim().replace(['‘', '’'], "'").replace(['“', '”'], "\"")
}

fn parts_of(file: &StatementFile, text: &str, notes: &mut Notes<'_>) -> Parts {
    match file.form {
        Form::Markdown => markdown::read(text, notes),
        Form::Tex => tex::read(text, words_of(&file.language), notes),
    }
}

/// The bounds of variables that the statement of a problem says, with its file: the one in English, otherwise the first.
/// None if the problem has no statement, or if the statement has errors.
pub(crate) fn stated_bounds(problem: &Problem) -> Option<(PathBuf, Vec<StatementBound>)> {
    // Errors of statements are shown by `grader statement`.
    let files = files_of(problem).ok()?;
    let file = main_file(&files)?;
    let text = text_of(problem, file).ok()?;
    let mut notes = Notes::new(file.path.clone(), &text);
    let stated = bounds::stated(&parts_of(file, &text, &mut notes).parts, &file.language);
    let is_whole = !notes.found.iter().any(Diagnostic::is_error);
    is_whole.then(|| (file.path.clone(), stated))
}

/// The titles that the statements of a problem have themselves, by language. A statement that cannot be read has none.
pub(crate) fn titles_of(problem: &Problem) -> BTreeMap<String, String> {
    let title = |file: StatementFile| {
        let text = text_of(problem, &file).ok()?;
        let parts = parts_of(&file, &text, &mut Notes::new(file.path.clone(), &text));
        Some((file.language, parts.title.filter(|title| !title.is_empty())?))
    };
    // Errors of statements are shown by `grader statement`.
    files_of(problem).unwrap_or_default().into_iter().filter_map(title).collect()
}

/// The text of a statement with its constants and its own macros replaced.
fn text_of(problem: &Problem, file: &StatementFile) -> Result<String, Diagnostic> {
    let error = |message: String, remedy: &str| Diagnostic::error(&file.path, message).remedy(remedy);
    let unreadable = |cause: io::Error| error(format!("cannot read it: {cause}"), "make it readable");
    let metadata = fs::metadata(&file.path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(error("it is not a plain file".to_owned(), "put the statement itself there"));
    }
    if metadata.len() > MOST {
        return Err(error(format!("the statement is larger than {} KiB", MOST >> 10), "shorten it"));
    }
    let bytes = fs::read(&file.path).map_err(unreadable)?;
    let text = String::from_utf8(bytes).map_err(|cause| {
        let valid = cause.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&cause.as_bytes()[..valid]).into_owned();
        error("it is not UTF-8".to_owned(), "save it as UTF-8").at(Some(TextPosition::of_offset(&before, valid)))
    })?;
    let text = plain_links(problem, text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n"));
    let constants = &problem.additions.constants;
    let text = match file.form {
        Form::Markdown => text,
        // The two ways to write a constant become one.
        Form::Tex => constants
            .iter()
            .fold(text, |text, (name, _)| text.replace(&format!("\\constant{{{name}}}"), &format!("{{{{{name}}}}}"))),
    };
    let replaced = constants.replace(text.as_bytes()).map_err(|cause| error(cause.to_string(), "shorten it"))?;
    // Constants are text, so the result is, too.
    let text = String::from_utf8_lossy(&replaced).into_owned();
    match file.form {
        Form::Markdown => Ok(text),
        Form::Tex => tex::expanded(&text).ok_or_else(|| {
            let message = "the macros of the statement call each other without end, or make too much text";
            error(message.to_owned(), "remove the calls of a macro from its own definition, or write the text itself")
        }),
    }
}

/// Whether a heading announces examples: native statements may have their own.
fn has_examples(parts: &[(usize, Part)]) -> bool {
    parts.windows(2).any(|pair| match (&pair[0].1, &pair[1].1) {
        (Part::Markup("<h2>" | "<h3>"), Part::Event(Event::Text(text))) => {
            ["Example", "Sample"].iter().any(|word| text.trim_start().starts_with(word))
        }
        _ => false,
    })
}

/// A finding that a problem has no statement that grader can show.
pub(crate) fn missing(problem: &Problem, language: Option<&str>, files: &[StatementFile]) -> Diagnostic {
    let has: Vec<&str> = files.iter().map(|file| &*file.language).collect();
    let message = match language {
        Some(language) if !has.is_empty() => {
            return Diagnostic::new(Severity::Error, format!("there is no statement in `{language}`"))
                .of(&problem.id)
                .remedy(format!("add one, or choose another language: {}", has.join(", ")));
        }
        _ => "there is no statement in Markdown or TeX",
    };
    let name = format!("statement/problem.{}.md", language.unwrap_or(DEFAULT_LANGUAGE));
    Diagnostic::new(Severity::Error, message).of(&problem.id).remedy(format!("write {name}"))
}
