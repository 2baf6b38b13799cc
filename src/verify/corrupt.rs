//! Changes that make most inputs and outputs invalid, to test whether validators notice. Deterministic.

use super::junk::{letters, random};

/// A way to corrupt a text.
pub(crate) struct Corruption {
    /// A short description.
    pub name: &'static str,
    how: How,
}

enum How {
    /// Replaces the whole text with these bytes.
    Instead(fn() -> Vec<u8>),
    /// Edits the text; none if nothing would change.
    Edit(fn(&[u8]) -> Option<Vec<u8>>),
}

impl Corruption {
    const fn instead(name: &'static str, bytes: fn() -> Vec<u8>) -> Self {
        Self { name, how: How::Instead(bytes) }
    }

    const fn edit(name: &'static str, edit: fn(&[u8]) -> Option<Vec<u8>>) -> Self {
        Self { name, how: How::Edit(edit) }
    }

    /// The corrupted text; none if it would be unchanged.
    pub(crate) fn apply(&self, text: &[u8]) -> Option<Vec<u8>> {
        let spoilt = match self.how {
            How::Instead(bytes) => Some(bytes()),
            How::Edit(edit) => edit(text),
        };
        spoilt.filter(|spoilt| spoilt != text)
    }
}

/// Corruptions that an input validator should reject.
pub(crate) const INPUT: &[Corruption] = &[
    Corruption::instead("nothing", Vec::new),
    Corruption::instead("one newline", || b"\n".to_vec()),
    Corruption::instead("random letters", || letters(200)),
    Corruption::instead("random bytes", || random(1024)),
    Corruption::instead("a NUL", || b"\0\n".to_vec()),
    Corruption::instead("a delete character", || b"\x7f\n".to_vec()),
    Corruption::instead("bytes that are not UTF-8", || b"\x80\xff\xfe\n".to_vec()),
    Corruption::instead("unicode", || "😀 \u{fdfd}\n".as_bytes().to_vec()),
    Corruption::edit("no final newline", |text| text.strip_suffix(b"\n").map(<[u8]>::to_vec)),
    Corruption::edit("a blank line at the end", |text| Some([text, b"\n"].concat())),
    Corruption::edit("a blank line at the start", |text| Some([b"\n", text].concat())),
    Corruption::edit("a space at the start", |text| Some([b" ", text].concat())),
    Corruption::edit("a space at the end of the last line", |text| before_end(text, b" ")),
    Corruption::edit("a space at the end of every line", |text| Some(replace(text, b'\n', b" \n"))),
    Corruption::edit("double spaces", |text| Some(replace(text, b' ', b"  "))),
    Corruption::edit("tabs for spaces", |text| Some(replace(text, b' ', b"\t"))),
    Corruption::edit("double newlines", |text| Some(replace(text, b'\n', b"\n\n"))),
    Corruption::edit("newlines for spaces", |text| Some(replace(text, b' ', b"\n"))),
    Corruption::edit("CRLF", |text| Some(replace(text, b'\n', b"\r\n"))),
    Corruption::edit("a leading zero", |text| number(text, |number| [b"0", number].concat())),
    Corruption::edit("a leading plus", |text| number(text, |number| [b"+", number].concat())),
    Corruption::edit("a minus zero", zero),
    Corruption::edit("an integer as a fraction", |text| number(text, |number| [number, b".0"].concat())),
    Corruption::edit("a number of 30 digits", |text| number(text, |_| b"9".repeat(30))),
    Corruption::edit("a word for the first number", |text| number(text, |_| b"xyzzy".to_vec())),
    Corruption::edit("a number more in the last line", |text| before_end(text, b" 1")),
    Corruption::edit("a word more in the last line", |text| before_end(text, b" xyzzy")),
    Corruption::edit("a line with a number more", |text| Some([text, b"1\n"].concat())),
    Corruption::edit("a line with a word more", |text| Some([text, b"xyzzy\n"].concat())),
    Corruption::edit("random letters at the end", |text| Some([text, &letters(200)].concat())),
    Corruption::edit("other case of letters", |text| Some(other_case(text))),
];

/// Corruptions of an accepted output that an output validator should reject.
pub(crate) const OUTPUT: &[Corruption] = &[
    Corruption::instead("nothing", Vec::new),
    Corruption::instead("one newline", || b"\n".to_vec()),
    Corruption::instead("random letters", || letters(200)),
    Corruption::instead("random bytes", || random(1024)),
    Corruption::instead("unicode", || "😀 \u{fdfd}\n".as_bytes().to_vec()),
    Corruption::edit("a number of 30 digits", |text| number(text, |_| b"9".repeat(30))),
    Corruption::edit("a word for the first number", |text| number(text, |_| b"xyzzy".to_vec())),
    Corruption::edit("a number more in the last line", |text| before_end(text, b" 1")),
    Corruption::edit("a word more in the last line", |text| before_end(text, b" xyzzy")),
    Corruption::edit("a line with a number more", |text| Some([text, b"1\n"].concat())),
    Corruption::edit("a line with a word more", |text| Some([text, b"xyzzy\n"].concat())),
    Corruption::edit("random letters at the end", |text| Some([text, &letters(200)].concat())),
    Corruption::edit("twice the same", |text| Some(text.repeat(2))),
    Corruption::edit("without its last word", last_word_dropped),
];

/// Changes that most output validators ignore. Rejecting them is not a defect, but worth knowing.
pub(crate) const LAYOUT: &[Corruption] = &[
    Corruption::edit("no final newline", |text| text.strip_suffix(b"\n").map(<[u8]>::to_vec)),
    Corruption::edit("a blank line at the end", |text| Some([text, b"\n"].concat())),
    Corruption::edit("a space at the start", |text| Some([b" ", text].concat())),
    Corruption::edit("a space at the end of the last line", |text| before_end(text, b" ")),
    Corruption::edit("newlines for spaces", |text| Some(replace(text, b' ', b"\n"))),
    Corruption::edit("spaces for newlines", |text| Some(replace(text, b'\n', b" "))),
    Corruption::edit("CRLF", |text| Some(replace(text, b'\n', b"\r\n"))),
    Corruption::edit("other case of letters", |text| Some(other_case(text))),
];

fn replace(text: &[u8], from: u8, to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() * 2);
    for byte in text {
        if *byte == from { out.extend_from_slice(to) } else { out.push(*byte) }
    }
    out
}

fn other_case(text: &[u8]) -> Vec<u8> {
    let other =
        |byte: &u8| if byte.is_ascii_lowercase() { byte.to_ascii_uppercase() } else { byte.to_ascii_lowercase() };
    text.iter().map(other).collect()
}

/// Inserts bytes before the newline at the end; none without such a newline or without text before it.
fn before_end(text: &[u8], more: &[u8]) -> Option<Vec<u8>> {
    let head = text.strip_suffix(b"\n").filter(|head| !head.is_empty())?;
    Some([head, more, b"\n"].concat())
}

/// The text without its last word and the white space before it.
fn last_word_dropped(text: &[u8]) -> Option<Vec<u8>> {
    let end = text.iter().rposition(|byte| !byte.is_ascii_whitespace())? + 1;
    let word = text[..end].iter().rposition(u8::is_ascii_whitespace).map_or(0, |at| at + 1);
    let mut rest = text[..word].trim_ascii_end().to_vec();
    if !rest.is_empty() {
        rest.push(b'\n');
    }
    Some(rest)
}

/// Changes the first word that consists of digits.
fn number(text: &[u8], change: impl FnOnce(&[u8]) -> Vec<u8>) -> Option<Vec<u8>> {
    integer(text, |word| word.iter().all(u8::is_ascii_digit), change)
}

/// Puts a minus sign before the first word that is `0`.
fn zero(text: &[u8]) -> Option<Vec<u8>> {
    integer(text, |word| word == b"0", |_| b"-0".to_vec())
}

fn integer(text: &[u8], is_meant: impl Fn(&[u8]) -> bool, change: impl FnOnce(&[u8]) -> Vec<u8>) -> Option<Vec<u8>> {
    let mut start = 0;
    while start < text.len() {
        let length = text[start..].iter().position(u8::is_ascii_whitespace).unwrap_or(text.len() - start);
        let word = &text[start..start + length];
        if !word.is_empty() && is_meant(word) {
            return Some([&text[..start], &change(word), &text[start + length..]].concat());
        }
        start += length + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn of(name: &str, text: &str) -> Option<String> {
        let mut all = INPUT.iter().chain(OUTPUT).chain(LAYOUT);
        let corruption = all.find(|corruption| corruption.name == name).unwrap();
        corruption.apply(text.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn edits_spoil_what_they_name() {
        for (name, text, spoilt) in [
            ("no final newline", "1\n", Some("1")),
            ("no final newline", "1", None),
            ("a space at the end of the last line", "1\n2\n", Some("1\n2 \n")),
            ("a space at the end of every line", "1\n2\n", Some("1 \n2 \n")),
            ("double spaces", "1 2\n", Some("1  2\n")),
            ("double spaces", "1\n", None),
            ("CRLF", "1\n", Some("1\r\n")),
            ("a leading zero", "a 12 3\n", Some("a 012 3\n")),
            ("a leading plus", "-4 5\n", Some("-4 +5\n")),
            ("a leading zero", "a b\n", None),
            ("a minus zero", "10 0\n", Some("10 -0\n")),
            ("an integer as a fraction", "7", Some("7.0")),
            ("without its last word", "1 2\n3 4\n", Some("1 2\n3\n")),
            ("without its last word", "1\n", Some("")),
            ("other case of letters", "aB1\n", Some("Ab1\n")),
            ("a word more in the last line", "\n", None),
            ("spaces for newlines", "1\n2\n", Some("1 2 ")),
            ("twice the same", "1\n", Some("1\n1\n")),
            ("nothing", "", None),
        ] {
            assert_eq!(of(name, text).as_deref(), spoilt, "{name}: {text:?}");
        }
    }

    #[test]
    fn names_are_there_once_in_each_list() {
        for list in [INPUT, OUTPUT, LAYOUT] {
            let names: BTreeSet<&str> = list.iter().map(|corruption| corruption.name).collect();
            assert_eq!(names.len(), list.len());
        }
    }

    #[test]
    fn nothing_in_a_text_is_too_odd() {
        for text in [&b""[..], b"\n", b" ", b"\0", b"\xff 1", b"  1"] {
            for corruption in INPUT.iter().chain(OUTPUT).chain(LAYOUT) {
                assert_ne!(corruption.apply(text).as_deref(), Some(text), "{}", corruption.name);
            }
        }
    }
}
