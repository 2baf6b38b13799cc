//! Expands the macros that a statement defines itself: `\newcommand`, `\renewcommand` and `\def`.
//!
//! Lines keep their numbers, so that messages about the expanded text name the right line.

use std::collections::BTreeMap;

use super::lex::{braced, command_at};

/// How often macros in bodies of macros are expanded.
const MOST_PASSES: usize = 8;
/// The most bytes of an expanded statement.
const MOST_BYTES: usize = 4 << 20;

/// A macro of a statement.
struct Macro {
    arguments: usize,
    /// Without line breaks.
    body: String,
}

/// The macros of a statement are nested too deeply, or their expansion is too large.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Endless;

/// The text with its own macros expanded.
pub(super) fn expanded(text: &str) -> Result<String, Endless> {
    let (macros, mut text) = defined(text);
    if macros.is_empty() {
        return Ok(text);
    }
    for _ in 0..MOST_PASSES {
        let Some(next) = once(&text, &macros) else { return Ok(text) };
        if next.len() > MOST_BYTES {
            return Err(Endless);
        }
        text = next;
    }
    Err(Endless)
}

/// The definitions, and the text without them.
fn defined(text: &str) -> (BTreeMap<String, Macro>, String) {
    let mut macros = BTreeMap::new();
    let mut rest = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(found) = text[at..].find('\\') {
        rest.push_str(&text[at..at + found]);
        at += found;
        let (name, after) = command_at(text, at);
        let end = match name {
            "newcommand" | "renewcommand" | "providecommand" | "newcommand*" | "renewcommand*" => {
                definition(text, after, true)
            }
            "def" => definition(text, after, false),
            _ => None,
        };
        if let Some((name, own, end)) = end {
            macros.insert(name, own);
            rest.extend(text[at..end].chars().filter(|c| *c == '\n'));
            at = end;
        } else {
            rest.push_str(&text[at..after]);
            at = after;
        }
    }
    rest.push_str(&text[at..]);
    (macros, rest)
}

/// The name, the macro and the end of a definition whose command ends at `at`.
fn definition(text: &str, at: usize, is_latex: bool) -> Option<(String, Macro, usize)> {
    let skip = |at: usize| at + text[at..].len() - text[at..].trim_start().len();
    let at = skip(at);
    let (name, mut at) = match braced(text, at) {
        Some((inner, end)) if is_latex => (command_at(inner, inner.find('\\')?).0.to_owned(), end),
        _ if text[at..].starts_with('\\') => {
            let (name, end) = command_at(text, at);
            (name.to_owned(), end)
        }
        _ => return None,
    };
    let mut arguments = 0;
    if is_latex {
        at = skip(at);
        if let Some(rest) = text[at..].strip_prefix('[') {
            let length = rest.find(']')?;
            arguments = rest[..length].trim().parse().ok().filter(|count| *count <= 9)?;
            at += length + 2;
        }
        // A default of the first argument is beyond this subset.
        if text[at..].starts_with('[') {
            return None;
        }
    } else {
        while text[at..].starts_with('#') {
            arguments += 1;
            at += 2.min(text[at..].len());
        }
        text.is_char_boundary(at).then_some(())?;
    }
    let (body, end) = braced(text, skip(at))?;
    Some((name, Macro { arguments, body: body.replace('\n', " ") }, end))
}

/// The text with every macro replaced once; none if there is no macro.
fn once(text: &str, macros: &BTreeMap<String, Macro>) -> Option<String> {
    let mut made = String::with_capacity(text.len());
    let (mut at, mut done, mut is_changed) = (0, 0, false);
    while let Some(found) = text[at..].find('\\') {
        at += found;
        let (name, mut after) = command_at(text, at);
        if let Some(own) = macros.get(name) {
            let mut arguments = Vec::new();
            for _ in 0..own.arguments {
                let Some((inner, end)) = braced(text, after) else { break };
                arguments.push(inner);
                after = end;
            }
            if arguments.len() == own.arguments {
                made.push_str(&text[done..at]);
                made.push_str(&filled(&own.body, &arguments));
                done = after;
                is_changed = true;
            }
            if made.len() > MOST_BYTES {
                return Some(made);
            }
        }
        at = after;
    }
    made.push_str(&text[done..]);
    is_changed.then_some(made)
}

/// The body with its arguments. A name of a command must not grow by the text that follows, so the body stands in a group. One
/// that begins or ends an environment stands before an empty group.
fn filled(body: &str, arguments: &[&str]) -> String {
    let is_part = body.matches("\\begin{").count() != body.matches("\\end{").count();
    let [open, close] = if is_part { ["", "{}"] } else { ["{", "}"] };
    let mut made = open.to_owned();
    let mut rest = body;
    while let Some(at) = rest.find('#') {
        made.push_str(&rest[..at]);
        let number = rest[at + 1..].chars().next().and_then(|c| c.to_digit(10)).unwrap_or(0) as usize;
        if let Some(argument) = number.checked_sub(1).and_then(|index| arguments.get(index)) {
            made.push_str(argument);
            rest = &rest[at + 2..];
        } else {
            made.push('#');
            rest = &rest[at + 1..];
        }
    }
    made.push_str(rest);
    made.push_str(close);
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_are_expanded_and_lines_stay() {
        for (text, expect) in [
            ("\\newcommand{\\maxn}{10^5}\n$n \\le \\maxn$", "\n$n \\le {10^5}$"),
            ("\\newcommand\\x[2]{#2#1}\\x{a}{b} \\xy", "{ba} \\xy"),
            ("\\def\\y{1}\\def\\z#1{<#1\\y>}\\z{2}", "{<2{1}>}"),
            ("\\newcommand{\\a}[1][b]{c} \\\\a", "\\newcommand{\\a}[1][b]{c} \\\\a"),
            ("\\def\\bi{\\begin{itemize}}\\bi", "\\begin{itemize}{}"),
            ("no macro \\textbf{x", "no macro \\textbf{x"),
        ] {
            assert_eq!(expanded(text).as_deref(), Ok(expect), "{text}");
        }
        assert_eq!(expanded("\\def\\a{\\a\\a}\\a"), Err(Endless));
    }
}
