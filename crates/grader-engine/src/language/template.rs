//! Parses command templates: words with `{variables}`.

use thiserror::Error;

use crate::suggest;

/// Every variable of a command template. `{crate}` is allowed only in `project` tables, `{file}` only in compile steps.
pub(super) const VARIABLES: [&str; 11] =
    ["path", "files", "own", "added", "file", "binary", "mainfile", "mainclass", "Mainclass", "memlim", "crate"];

/// The variables that are several words.
pub(super) const LISTS: [&str; 3] = ["files", "own", "added"];

/// The variables that are allowed only in some places, with these places.
const SPECIAL: [(&str, &str); 2] = [("crate", "in `project` tables only"), ("file", "in steps of `compile` only")];

/// Why a command is not a valid template, with a remedy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum TemplateError {
    /// It has no words, or the first one is empty.
    #[error("a command needs at least one word")]
    Empty,
    /// The word contains a character that no command line can hold.
    #[error("`{}` contains a NUL character", .0.escape_debug())]
    Nul(String),
    /// A brace is part of neither a pair nor a variable.
    #[error("`{word}` has a single `{brace}`; write `{brace}{brace}` for a brace")]
    SingleBrace {
        /// The whole word.
        word: String,
        /// The brace.
        brace: String,
    },
    /// No variable has this name.
    #[error("unknown variable `{{{0}}}`{hint}; known are {all}, and `{{{{` for a brace", hint = hint(.0), all = all_in_braces())]
    UnknownVariable(String),
    /// A list of files stands within a word.
    #[error("`{{{name}}}` is several words and cannot be part of `{word}`")]
    FilesInWord {
        /// The list.
        name: &'static str,
        /// The whole word.
        word: String,
    },
    /// The variable is not allowed here.
    #[error("`{{{name}}}` is known {place}")]
    Misplaced {
        /// The variable.
        name: &'static str,
        /// Where it is allowed.
        place: &'static str,
    },
}

fn hint(name: &str) -> String {
    let closest = suggest::closest(name, VARIABLES);
    closest.map(|known| format!("; did you mean `{{{known}}}`?")).unwrap_or_default()
}

fn all_in_braces() -> String {
    VARIABLES.map(|name| format!("{{{name}}}")).join(" ")
}

/// A piece of a word.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Literal text.
    Text(&'a str),
    /// The name of a variable.
    Variable(&'a str),
}

/// Splits a word into pieces. `{{` and `}}` stand for braces.
pub(super) fn pieces(word: &str) -> Result<Vec<Piece<'_>>, TemplateError> {
    let mut pieces = Vec::new();
    let mut rest = word;
    while let Some(at) = rest.find(['{', '}']) {
        if at > 0 {
            pieces.push(Piece::Text(&rest[..at]));
        }
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(brace) {
            pieces.push(Piece::Text(brace));
            rest = after;
        } else if let Some((name, after)) = rest.split_once('}').filter(|_| brace == "{") {
            pieces.push(Piece::Variable(known(name)?));
            rest = after;
        } else {
            return Err(TemplateError::SingleBrace { word: word.to_owned(), brace: brace.to_owned() });
        }
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    Ok(pieces)
}

fn known(name: &str) -> Result<&str, TemplateError> {
    if VARIABLES.contains(&name) { Ok(name) } else { Err(TemplateError::UnknownVariable(name.to_owned())) }
}

/// Whether a command uses a variable.
pub(super) fn has(command: &[String], name: &str) -> bool {
    command.iter().any(|word| pieces(word).is_ok_and(|pieces| pieces.contains(&Piece::Variable(name))))
}

/// Checks a command: variables are known, `{files}` is a word of its own, and special variables are allowed here.
pub(super) fn check(command: &[String], special: &[&str]) -> Result<(), TemplateError> {
    if command.is_empty() || command[0].is_empty() {
        return Err(TemplateError::Empty);
    }
    for word in command {
        if word.contains('\0') {
            return Err(TemplateError::Nul(word.clone()));
        }
        let pieces = pieces(word)?;
        for name in LISTS {
            if pieces.contains(&Piece::Variable(name)) && pieces.len() > 1 {
                return Err(TemplateError::FilesInWord { name, word: word.clone() });
            }
        }
        for (name, place) in SPECIAL {
            if pieces.contains(&Piece::Variable(name)) && !special.contains(&name) {
                return Err(TemplateError::Misplaced { name, place });
            }
        }
    }
    Ok(())
}
