//! Command templates: words with `{variables}`.

use crate::suggest;

/// Every variable of a command template. `{crate}` is known in `project` tables only, `{file}` in compile steps.
pub(super) const VARIABLES: [&str; 9] =
    ["path", "files", "file", "binary", "mainfile", "mainclass", "Mainclass", "memlim", "crate"];

/// Those that are not known everywhere, and where they are.
const SPECIAL: [(&str, &str); 2] = [("crate", "in `project` tables only"), ("file", "in steps of `compile` only")];

/// A piece of a word.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Text to be taken as it is.
    Text(&'a str),
    /// The name of a variable.
    Variable(&'a str),
}

/// Splits a word into pieces. `{{` and `}}` stand for braces; a brace that is part of neither a pair nor a variable is
/// an error, told with its remedy.
pub(super) fn pieces(word: &str) -> Result<Vec<Piece<'_>>, String> {
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
            return Err(format!("`{word}` has a single `{brace}`; write `{brace}{brace}` for a brace"));
        }
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    Ok(pieces)
}

fn known(name: &str) -> Result<&str, String> {
    if VARIABLES.contains(&name) {
        return Ok(name);
    }
    let hint = suggest::closest(name, VARIABLES).map(|known| format!("; did you mean `{{{known}}}`?"));
    let all = VARIABLES.map(|name| format!("{{{name}}}")).join(" ");
    Err(format!("unknown variable `{{{name}}}`{}; known are {all}, and `{{{{` for a brace", hint.unwrap_or_default()))
}

/// Whether a command has a variable.
pub(super) fn has(command: &[String], name: &str) -> bool {
    command.iter().any(|word| pieces(word).is_ok_and(|pieces| pieces.contains(&Piece::Variable(name))))
}

/// Checks a command: known variables only, `{files}` a word of its own, the special ones only where they are allowed.
pub(super) fn check(command: &[String], special: &[&str]) -> Result<(), String> {
    if command.is_empty() || command[0].is_empty() {
        return Err("a command needs at least one word".to_owned());
    }
    for word in command {
        if word.contains('\0') {
            return Err(format!("`{}` contains a NUL", word.escape_debug()));
        }
        let pieces = pieces(word)?;
        if pieces.contains(&Piece::Variable("files")) && pieces.len() > 1 {
            return Err(format!("`{{files}}` is several words and cannot be a part of `{word}`"));
        }
        for (name, place) in SPECIAL {
            if pieces.contains(&Piece::Variable(name)) && !special.contains(&name) {
                return Err(format!("`{{{name}}}` is known {place}"));
            }
        }
    }
    Ok(())
}
