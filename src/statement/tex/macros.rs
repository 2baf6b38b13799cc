//! Expands the macros that a statement defines itself: `\newcommand` and its relatives, `\DeclareMathOperator` and `\def`. A
//! definition of another form stays in the text, where its command is reported.
//!
//! Lines keep their numbers, so that messages about the expanded text name the right line.

use std::collections::BTreeMap;

use super::lex::{braced, bracketed, command_at};

/// How often macros in bodies of macros are expanded.
const MOST_PASSES: usize = 8;
/// The most bytes of an expanded statement.
const MOST_BYTES: usize = 4 << 20;

/// A macro of a statement.
struct Macro {
    arguments: usize,
    /// The first argument of uses that do not state it in brackets.
    default: Option<String>,
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
    while let Some(found) = text[at..].find(['\\', '%']) {
        rest.push_str(&text[at..at + found]);
        at += found;
        if text[at..].starts_with('%') {
            let line = text[at..].find('\n').unwrap_or(text.len() - at);
            rest.push_str(&text[at..at + line]);
            at += line;
            continue;
        }
        let (name, after) = command_at(text, at);
        let form = FORMS.iter().find(|(known, _)| *known == name.trim_end_matches('*')).map(|(_, form)| *form);
        if let Some((name, own, end)) = form.and_then(|form| definition(text, after, form)) {
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

/// How a command defines macros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `\newcommand{\name}[1][default]{body}`
    Latex,
    /// `\def\name#1{body}`
    Tex,
    /// `\DeclareMathOperator{\name}{text}`
    Operator,
}

const FORMS: [(&str, Form); 5] = [
    ("newcommand", Form::Latex),
    ("renewcommand", Form::Latex),
    ("providecommand", Form::Latex),
    ("def", Form::Tex),
    ("DeclareMathOperator", Form::Operator),
];

/// Macros of LaTeX that style the marks of lists. Texts do not use them.
pub(super) const MARKS: [&str; 12] = [
    "labelenumi",
    "labelenumii",
    "labelenumiii",
    "labelenumiv",
    "labelitemi",
    "labelitemii",
    "labelitemiii",
    "labelitemiv",
    "theenumi",
    "theenumii",
    "theenumiii",
    "theenumiv",
];

/// Commands that define something, of which grader expands those in `FORMS`.
pub(super) const DEFINING: [&str; 14] = [
    "newcommand",
    "newcommand*",
    "renewcommand",
    "renewcommand*",
    "providecommand",
    "providecommand*",
    "def",
    "DeclareMathOperator",
    "DeclareMathOperator*",
    "let",
    "newenvironment",
    "renewenvironment",
    "newcolumntype",
    "newtheorem",
];

/// The name, the macro and the end of a definition whose command ends at `at`. None if it has another form.
fn definition(text: &str, at: usize, form: Form) -> Option<(String, Macro, usize)> {
    let skip = |at: usize| at + text[at..].len() - text[at..].trim_start().len();
    let at = skip(at);
    let (name, mut at) = match braced(text, at) {
        Some((inner, end)) if form != Form::Tex => (command_at(inner, inner.find('\\')?).0.to_owned(), end),
        _ if text[at..].starts_with('\\') => {
            let (name, end) = command_at(text, at);
            (name.to_owned(), end)
        }
        _ => return None,
    };
    (!MARKS.contains(&&*name)).then_some(())?;
    let mut arguments = 0;
    let mut default = None;
    match form {
        Form::Operator => {}
        Form::Latex => {
            if let Some((count, end)) = bracketed(text, skip(at)) {
                arguments = count.trim().parse().ok().filter(|count| *count <= 9)?;
                at = end;
            }
            if let Some((text, end)) = bracketed(text, skip(at)) {
                default = Some(text.to_owned());
                at = end;
            }
        }
        Form::Tex => {
            while text[at..].starts_with('#') {
                arguments += 1;
                at += 2.min(text[at..].len());
            }
            text.is_char_boundary(at).then_some(())?;
        }
    }
    let (body, end) = braced(text, skip(at))?;
    let body = body.replace('\n', " ");
    let body = if form == Form::Operator { format!("\\operatorname{{{body}}}") } else { body };
    Some((name, Macro { arguments, default, body }, end))
}

/// The text with every macro replaced once; none if it uses no macro.
fn once(text: &str, macros: &BTreeMap<String, Macro>) -> Option<String> {
    let mut made = String::with_capacity(text.len());
    let (mut at, mut done, mut is_changed) = (0, 0, false);
    while let Some(found) = text[at..].find('\\') {
        at += found;
        let (name, mut after) = command_at(text, at);
        if let Some(own) = macros.get(name)
            && let Some((arguments, end)) = arguments(text, after, own)
        {
            made.push_str(&text[done..at]);
            made.push_str(&filled(&own.body, &arguments, &text[end..]));
            (done, after, is_changed) = (end, end, true);
            if made.len() > MOST_BYTES {
                return Some(made);
            }
        }
        at = after;
    }
    made.push_str(&text[done..]);
    is_changed.then_some(made)
}

/// The arguments of a macro whose name ends at `at`, and where they end. None if one is missing.
fn arguments<'t>(text: &'t str, mut at: usize, own: &'t Macro) -> Option<(Vec<&'t str>, usize)> {
    let mut found = Vec::new();
    if let Some(default) = &own.default {
        let stated = bracketed(text, at);
        found.push(stated.map_or(&**default, |(stated, _)| stated));
        at = stated.map_or(at, |(_, end)| end);
    }
    while found.len() < own.arguments {
        let (argument, end) = argument(text, at)?;
        found.push(argument);
        at = end;
    }
    Some((found, at))
}

/// The argument at `at`, and where it ends: a group, or one command or character.
fn argument(text: &str, at: usize) -> Option<(&str, usize)> {
    let at = at + text[at..].len() - text[at..].trim_start().len();
    match text[at..].chars().next()? {
        '{' => braced(text, at),
        '\\' => {
            let (_, end) = command_at(text, at);
            Some((&text[at..end], end))
        }
        '}' | '$' | '&' | '%' => None,
        c => Some((&text[at..at + c.len_utf8()], at + c.len_utf8())),
    }
}

/// Whether a body is one command, which may take its argument from the text that follows.
fn is_command(body: &str) -> bool {
    let body = body.trim();
    body.starts_with('\\') && body.len() > 1 && body[1..].bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// The body with its arguments, before the text that follows. A name of a command must not grow by that text, so the body stands
/// in a group. One that begins or ends an environment stands before an empty group.
fn filled(body: &str, arguments: &[&str], following: &str) -> String {
    let is_part = body.matches("\\begin{").count() != body.matches("\\end{").count();
    let [open, close] = if is_part {
        ["", "{}"]
    } else if is_command(body) && following.trim_start().starts_with('{') {
        // As in `\newcommand{\code}{\texttt}`.
        ["", ""]
    } else {
        ["{", "}"]
    };
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
            ("\\newcommand{\\a}[2][b]{#1-#2}\\a{c} \\a[d] e \\\\a", "{b-c} {d-e} \\\\a"),
            ("\\DeclareMathOperator*{\\lcm}{lcm}$\\lcm$", "${\\operatorname{lcm}}$"),
            ("% \\newcommand{\\a}{1}\n\\a", "% \\newcommand{\\a}{1}\n\\a"),
            ("\\def \\b {45}\\b \\let\\c\\d", "{45} \\let\\c\\d"),
            ("\\renewcommand{\\labelenumi}{x}", "\\renewcommand{\\labelenumi}{x}"),
            ("\\newcommand{\\x}[1]{<#1>}\\x\\y {\\x}", "{<\\y>} {\\x}"),
            ("\\def\\bi{\\begin{itemize}}\\bi", "\\begin{itemize}{}"),
            ("\\newcommand{\\code}{\\texttt}\\code{x}", "\\texttt{x}"),
            ("\\newcommand{\\to}{\\rightarrow}a\\to b", "a{\\rightarrow} b"),
            ("no macro \\textbf{x", "no macro \\textbf{x"),
        ] {
            assert_eq!(expanded(text).as_deref(), Ok(expect), "{text}");
        }
        assert_eq!(expanded("\\def\\a{\\a\\a}\\a"), Err(Endless));
    }
}
