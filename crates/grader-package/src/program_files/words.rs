//! Splits Java and Kotlin texts into words: names, signs and strings, without comments and white space. Takes linear
//! time and does not recurse, because the text is untrusted.

/// The lexical rules that apply.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Java.
    Java,
    /// Kotlin: nested comments, raw strings without escapes, `${…}` in strings.
    Kotlin,
}

/// One word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word<'a> {
    /// An identifier, a keyword or a number.
    Name(&'a str),
    /// Any other character.
    Sign(char),
    /// The inside of a string or character literal, as written.
    Text(&'a str),
}

impl<'a> Word<'a> {
    /// The name, if it is one.
    pub fn name(&self) -> Option<&'a str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Sign(_) | Self::Text(_) => None,
        }
    }
}

/// Whether a character can be part of a name.
pub fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Splits `text` into words.
pub fn words(text: &str, dialect: Dialect) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (length, word) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), None)
        } else if rest.starts_with("/*") {
            (comment(rest, dialect), None)
        } else if c == '"' || c == '\'' {
            let quote = if rest.starts_with("\"\"\"") { "\"\"\"" } else { &rest[..1] };
            let (inside, length) = string(rest, quote, dialect);
            (length, Some(Word::Text(inside)))
        } else if is_part(c) {
            let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            (length, Some(Word::Name(&rest[..length])))
        } else {
            (c.len_utf8(), (!c.is_whitespace()).then_some(Word::Sign(c)))
        };
        words.extend(word);
        rest = &rest[length..];
    }
    words
}

/// The length of the comment that `text` starts with.
fn comment(text: &str, dialect: Dialect) -> usize {
    let mut depth = 1_usize;
    let mut at = 2;
    while depth > 0 {
        let Some(next) = text[at..].find(['*', '/']) else { return text.len() };
        at += next;
        let rest = &text[at..];
        if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
        } else if rest.starts_with("/*") && dialect == Dialect::Kotlin {
            depth += 1;
            at += 2;
        } else {
            at += 1;
        }
    }
    at
}

/// The inside and the whole length of the literal that `text` starts with. An unclosed literal ends with its line.
fn string<'a>(text: &'a str, quote: &str, dialect: Dialect) -> (&'a str, usize) {
    let is_block = quote.len() == 3;
    let has_escapes = dialect == Dialect::Java || !is_block;
    let mut at = quote.len();
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if rest.starts_with(quote) {
            // `""""` at the end of a block: the first quote belongs to the text.
            let extra = if is_block { rest.bytes().take_while(|b| *b == b'"').count() - 3 } else { 0 };
            return (&text[quote.len()..at + extra], at + extra + quote.len());
        }
        at += match c {
            '\\' if has_escapes => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            '\n' if !is_block => return (&text[quote.len()..at], at),
            '$' if dialect == Dialect::Kotlin && rest.starts_with("${") => interpolation(rest),
            _ => c.len_utf8(),
        };
    }
    (&text[quote.len().min(text.len())..], text.len())
}

/// The length of the `${…}` that `text` starts with. Does not look for further `${` in strings inside.
fn interpolation(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut is_quoted = false;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            '{' if !is_quoted => depth += 1,
            '}' if !is_quoted && depth == 1 => return at + 1,
            '}' if !is_quoted => depth -= 1,
            _ => {}
        }
    }
    // Never closed, which no compiler accepts. Scanning the rest again would make `${${${…` quadratic.
    text.len()
}
