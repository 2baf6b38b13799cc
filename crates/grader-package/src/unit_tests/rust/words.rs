//! A text in Rust as words without comments, by the lexer of `proc-macro2`. It does not recurse, because the text is untrusted.

use proc_macro2::{Delimiter, LexError, TokenStream, TokenTree};

/// The crates that come with Rust.
pub(super) const CRATES: &[&str] = &["std", "core", "alloc"];

/// Names that are there without an import. A crate whose names are imported with `*` could replace them.
pub(super) const PRELUDE: &[&str] = &[
    "AsMut",
    "AsRef",
    "Box",
    "Clone",
    "Copy",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Into",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Vec",
    "bool",
    "char",
    "f32",
    "f64",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "isize",
    "str",
    "u128",
    "u16",
    "u32",
    "u64",
    "u8",
    "usize",
];

/// A word and its line, which counts from 1.
pub(super) struct Piece {
    pub(super) word: Word,
    pub(super) line: usize,
}

#[derive(PartialEq)]
pub(super) enum Word {
    /// A name or a keyword; a raw one begins with `r#`.
    Name(String),
    Sign(char),
    Literal,
    Open(char),
    Close(char),
}

impl Piece {
    pub(super) fn name(&self) -> Option<&str> {
        match &self.word {
            Word::Name(name) => Some(name),
            _ => None,
        }
    }

    pub(super) fn is_name(&self, name: &str) -> bool {
        self.name() == Some(name)
    }

    pub(super) fn is_sign(&self, sign: char) -> bool {
        self.word == Word::Sign(sign)
    }

    pub(super) fn is_open(&self, bracket: char) -> bool {
        self.word == Word::Open(bracket)
    }

    pub(super) fn is_close(&self, bracket: char) -> bool {
        self.word == Word::Close(bracket)
    }
}

/// The words of a text. A documentation comment is an attribute.
///
/// # Errors
/// The line where the text is not Rust.
pub(super) fn words(text: &str) -> Result<Vec<Piece>, usize> {
    let stream: TokenStream = text.parse().map_err(|error: LexError| error.span().start().line)?;
    let mut pieces = Vec::new();
    let mut open = vec![(stream.into_iter(), None)];
    while let Some((rest, close)) = open.last_mut() {
        let (word, line) = match rest.next() {
            None => {
                pieces.extend(close.take());
                open.pop();
                continue;
            }
            Some(TokenTree::Group(group)) => {
                let (start, end) = match group.delimiter() {
                    Delimiter::Brace => ('{', '}'),
                    Delimiter::Bracket => ('[', ']'),
                    Delimiter::Parenthesis | Delimiter::None => ('(', ')'),
                };
                let close = Piece { word: Word::Close(end), line: group.span_close().start().line };
                open.push((group.stream().into_iter(), Some(close)));
                (Word::Open(start), group.span_open().start().line)
            }
            Some(TokenTree::Ident(name)) => (Word::Name(name.to_string()), name.span().start().line),
            Some(TokenTree::Punct(sign)) => (Word::Sign(sign.as_char()), sign.span().start().line),
            Some(TokenTree::Literal(literal)) => (Word::Literal, literal.span().start().line),
        };
        pieces.push(Piece { word, line });
    }
    // The texts of all words would stay in memory.
    proc_macro2::extra::invalidate_current_thread_spans();
    Ok(pieces)
}
