//! Splits programs into tokens, roughly and for any language. No text is wrong, and the time is linear in its length.

use std::path::Path;

use crate::program_files::{Family, family};

/// The largest number of tokens that are read of one program. A hostile program cannot hold up a class.
pub(super) const MOST: usize = 200_000;

/// The kind of every name that is not a keyword. The kinds below it are the bytes of operators.
const NAME: u16 = 256;
/// The kind of every number.
const NUMBER: u16 = 257;
/// The kind of every string and every character in quotes.
const STRING: u16 = 258;
/// The kind of the first keyword. The others follow.
const KEYWORD: u16 = 259;

/// Words that keep their identity in every language, sorted. Without those that many use as names, such as `in` or `end`.
pub(super) const KEYWORDS: [&str; 79] = [
    "and", "as", "assert", "async", "auto", "await", "bool", "boolean", "break", "case", "catch", "char", "class",
    "const", "continue", "def", "default", "del", "delete", "do", "double", "elif", "else", "elseif", "elsif", "enum",
    "except", "export", "extends", "false", "final", "finally", "float", "fn", "for", "foreach", "function", "goto",
    "if", "impl", "int", "lambda", "let", "long", "mut", "new", "nil", "none", "not", "null", "or", "pass", "private",
    "public", "raise", "return", "self", "short", "signed", "sizeof", "static", "struct", "switch", "template", "then",
    "this", "throw", "trait", "true", "try", "typedef", "union", "unless", "unsigned", "until", "var", "void", "while",
    "yield",
];

/// A token has a kind and a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    /// Its kind. Equal kinds are the same to every comparison.
    pub(super) kind: u16,
    /// The number of its line, from 1.
    pub(super) line: usize,
}

/// How comments, strings and imports are written. Languages that the table does not know have none of them.
#[derive(Debug, Clone, Copy)]
struct Syntax(Option<Family>);

impl Syntax {
    /// How comments begin and end.
    fn comments(self) -> &'static [(&'static str, &'static str)] {
        let Some(family) = self.0 else { return &[] };
        match family {
            Family::C | Family::Java | Family::Go | Family::JavaScript | Family::D | Family::Rust => {
                &[("//", "\n"), ("/*", "*/")]
            }
            Family::Python | Family::Shell | Family::Nim => &[("#", "\n")],
            Family::Lua => &[("--[[", "]]"), ("--", "\n")],
            Family::Haskell => &[("--", "\n"), ("{-", "-}")],
            Family::OCaml => &[("(*", "*)")],
            Family::Pascal => &[("//", "\n"), ("{", "}"), ("(*", "*)")],
        }
    }

    /// Words that start a line that only names libraries. Such lines are alike in most programs.
    fn imports(self) -> &'static [&'static str] {
        let Some(family) = self.0 else { return &[] };
        match family {
            Family::C => &["include", "pragma", "using"],
            Family::Java => &["import", "package", "using"],
            Family::Go | Family::JavaScript | Family::D => &["import", "package", "use"],
            Family::Rust => &["use"],
            Family::Python | Family::Shell | Family::Nim => &["from", "import"],
            Family::Haskell => &["import"],
            Family::Pascal => &["uses"],
            Family::OCaml => &["open"],
            Family::Lua => &[],
        }
    }

    /// The quotes of strings that may span lines.
    fn long_strings(self) -> &'static [&'static str] {
        match self.0 {
            Some(Family::Python | Family::Shell | Family::Nim) => &["\"\"\"", "'''"],
            Some(Family::Java) => &["\"\"\""],
            Some(Family::Go | Family::JavaScript | Family::D) => &["`"],
            _ => &[],
        }
    }

    /// Whether an apostrophe may stand alone, as in `'a` and `x'`. Elsewhere it opens a string.
    fn has_lone_apostrophes(self) -> bool {
        matches!(self.0, None | Some(Family::Rust | Family::Haskell | Family::OCaml))
    }

    /// Whether an apostrophe may separate digits.
    fn has_apostrophes_in_numbers(self) -> bool {
        self.0 == Some(Family::C)
    }

    /// Bytes that give no token. Formatters add braces around single statements, and `#` starts an import.
    fn ignored(self) -> &'static [u8] {
        match self.0 {
            Some(Family::C) => b"{}#",
            Some(Family::Java | Family::Go | Family::JavaScript | Family::D) => b"{}",
            _ => b"",
        }
    }

    /// Whether names may contain apostrophes.
    fn has_primed_names(self) -> bool {
        matches!(self.0, Some(Family::Haskell | Family::OCaml))
    }
}

/// Reads the tokens of a file, at most so many. Comments, white space and imports give none.
pub(super) fn tokens(name: &str, text: &[u8], most: usize) -> Vec<Token> {
    let mut reader =
        Reader { syntax: Syntax(family(Path::new(name))), text, at: 0, line: 1, starts_line: true, tokens: Vec::new() };
    while reader.tokens.len() < most
        && let Some(byte) = reader.text.get(reader.at)
    {
        reader.step(*byte);
    }
    reader.tokens
}

/// Reads a text once, from its beginning to its end.
struct Reader<'a> {
    syntax: Syntax,
    text: &'a [u8],
    at: usize,
    line: usize,
    /// Whether no token of this line has been read.
    starts_line: bool,
    tokens: Vec<Token>,
}

impl Reader<'_> {
    /// Reads one token or skips something, at least one byte.
    fn step(&mut self, byte: u8) {
        if byte == b'\n' {
            self.skip_to(self.at + 1);
            self.starts_line = true;
        } else if byte <= b' ' || self.syntax.ignored().contains(&byte) {
            self.at += 1;
        } else if let Some(end) = self.comment() {
            self.skip_to(end);
        } else if let Some(end) = self.long_string() {
            // At the start of a line it documents the code.
            if self.starts_line { self.skip_to(end) } else { self.push(STRING, end) }
        } else if let Some(end) = self.short_string(byte) {
            self.push(STRING, end);
        } else if byte.is_ascii_digit() {
            self.push(NUMBER, self.number());
        } else if is_of_name(byte) {
            self.word();
        } else {
            self.push(byte.into(), self.at + 1);
        }
    }

    fn push(&mut self, kind: u16, end: usize) {
        self.tokens.push(Token { kind, line: self.line });
        self.starts_line = false;
        self.skip_to(end);
    }

    #[expect(clippy::naive_bytecount, reason = "a program is short")]
    fn skip_to(&mut self, end: usize) {
        self.line += self.text[self.at..end].iter().filter(|byte| **byte == b'\n').count();
        self.at = end;
    }

    fn rest(&self) -> &[u8] {
        &self.text[self.at..]
    }

    /// The first position from `from` on at which the text goes on like this, or else the end.
    fn find(&self, from: usize, is_there: impl Fn(&[u8]) -> bool) -> usize {
        (from..self.text.len()).find(|at| is_there(&self.text[*at..])).unwrap_or(self.text.len())
    }

    /// The end of the comment that starts here.
    fn comment(&self) -> Option<usize> {
        let is_here = |(start, _): &&(&str, &str)| self.rest().starts_with(start.as_bytes());
        let (start, end) = self.syntax.comments().iter().find(is_here)?;
        // `$#` and `${#` are lengths in shells.
        if *start == "#" && (self.text[..self.at].ends_with(b"$") || self.text[..self.at].ends_with(b"${")) {
            return None;
        }
        let found = self.find(self.at + start.len(), |rest| rest.starts_with(end.as_bytes()));
        Some(if *end == "\n" { found } else { self.text.len().min(found + end.len()) })
    }

    /// The end of the string that starts here and may span lines.
    fn long_string(&self) -> Option<usize> {
        let quote = self.syntax.long_strings().iter().find(|quote| self.rest().starts_with(quote.as_bytes()))?;
        let found = self.find(self.at + quote.len(), |rest| rest.starts_with(quote.as_bytes()));
        Some(self.text.len().min(found + quote.len()))
    }

    /// The end of the string that starts here. Without a closing quote it ends with its line, so the time stays linear.
    fn short_string(&self, quote: u8) -> Option<usize> {
        let is_string = match quote {
            b'"' => true,
            b'\'' if self.syntax.has_lone_apostrophes() => {
                matches!(self.rest(), [_, b'\\', ..] | [_, _, b'\'', ..])
            }
            other => other == b'\'',
        };
        let mut at = self.at + 1;
        while is_string && let Some(byte) = self.text.get(at) {
            match byte {
                b'\n' => return Some(at),
                b'\\' if self.text.get(at + 1).is_some_and(|next| *next != b'\n') => at += 2,
                _ if *byte == quote => return Some(at + 1),
                _ => at += 1,
            }
        }
        is_string.then_some(self.text.len())
    }

    /// The end of the number that starts here: `1_000`, `0x1f`, `1.5e3`, and `1'000` in C++.
    fn number(&self) -> usize {
        let mut at = self.at + 1;
        while let Some(byte) = self.text.get(at) {
            let joins = *byte == b'.' || (*byte == b'\'' && self.syntax.has_apostrophes_in_numbers());
            let goes_on = is_of_name(*byte) || (joins && self.text.get(at + 1).is_some_and(u8::is_ascii_digit));
            if !goes_on {
                break;
            }
            at += 1;
        }
        at
    }

    /// Reads a name or a keyword, or skips an import up to the end of its statement.
    fn word(&mut self) {
        let is_primed = self.syntax.has_primed_names();
        let length = self.rest().iter().position(|byte| !(is_of_name(*byte) || is_primed && *byte == b'\''));
        let word = &self.rest()[..length.unwrap_or(self.rest().len())];
        let end = self.at + word.len();
        if self.starts_line && self.syntax.imports().iter().any(|import| import.as_bytes() == word) {
            let end = self.find(end, |rest| rest[0] == b';' || rest[0] == b'\n');
            self.skip_to(end + usize::from(self.text.get(end) == Some(&b';')));
            return;
        }
        // Pascal ignores case, and Python writes `None`.
        let lower = || word.iter().map(u8::to_ascii_lowercase);
        let keyword = KEYWORDS.binary_search_by(|keyword| keyword.bytes().cmp(lower())).ok();
        let kind = keyword.and_then(|at| u16::try_from(at).ok()).map_or(NAME, |at| KEYWORD + at);
        self.push(kind, end);
    }
}

/// Whether a byte may be part of a name. All bytes outside of ASCII may.
fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}
