//! Makes untrusted bytes visible: nothing that could control a terminal, or hide or reorder text, gets through.

use std::fmt::Write as _;

use super::{Screen, char_width};

/// How blanks are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whitespace {
    /// Spaces stay, a tab becomes four spaces: for text whose whitespace does not matter.
    Quiet,
    /// `·`, `→   `, `␍`, `⏎`: for a difference in whitespace.
    Visible,
    /// Spaces stay, `\t` and `\n` are escaped: for a word inside a sentence.
    Inline,
}

/// The most zero-width marks that one character may carry; more would paint over other lines.
const MAX_COMBINING: usize = 3;

/// Makes bytes printable on one line. Printable UTF-8 text stays; everything else becomes visible: `␛`, `␍`, `\x07`,
/// `\xff` for an invalid byte, `\u{202e}` for characters that hide or reorder text.
pub fn escape(bytes: &[u8], whitespace: Whitespace) -> String {
    let mut out = String::with_capacity(bytes.len());
    // How many more marks the last character may carry. None at the start, where a mark would combine with the text
    // before.
    let mut marks_left = 0;
    let is_plain = |byte: &u8| matches!(byte, b'!'..=b'~') || (*byte == b' ' && whitespace != Whitespace::Visible);
    for chunk in bytes.utf8_chunks() {
        let mut rest = chunk.valid();
        // Most of a text needs no look at its characters.
        while !rest.is_empty() {
            let (plain, other) = rest.split_at(rest.bytes().take_while(is_plain).count());
            if !plain.is_empty() {
                out.push_str(plain);
                marks_left = MAX_COMBINING;
            }
            let mut chars = other.chars();
            let Some(c) = chars.next() else { break };
            rest = chars.as_str();
            if char_width(c) == 0 && !must_hide(c) && marks_left > 0 {
                marks_left -= 1;
                out.push(c);
            } else {
                marks_left = if push_char(c, whitespace, &mut out) { MAX_COMBINING } else { 0 };
            }
        }
        for byte in chunk.invalid() {
            push_byte(*byte, &mut out);
            marks_left = 0;
        }
    }
    out
}

/// Appends `c` in its visible form. Returns whether that form is the character itself.
fn push_char(c: char, whitespace: Whitespace, out: &mut String) -> bool {
    match (c, whitespace) {
        (' ', Whitespace::Visible) => out.push_str(mark("·", "_")),
        ('\t', Whitespace::Quiet) => out.push_str("    "),
        ('\t', Whitespace::Visible) => out.push_str(mark("→   ", ">   ")),
        ('\t', Whitespace::Inline) => out.push_str("\\t"),
        ('\n', Whitespace::Quiet | Whitespace::Visible) => out.push_str(mark("⏎", "\\n")),
        ('\n', Whitespace::Inline) => out.push_str("\\n"),
        ('\r', Whitespace::Inline) => out.push_str("\\r"),
        ('\r', _) => out.push_str(mark("␍", "\\r")),
        ('\x1b', _) => out.push_str(mark("␛", "\\x1b")),
        ('\0'..' ' | '\x7f', _) => push_byte(c as u8, out),
        ('\u{3000}', Whitespace::Visible) => out.push_str("\\u{3000}"),
        _ if must_hide(c) || char_width(c) == 0 => {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
        _ => {
            out.push(c);
            return true;
        }
    }
    false
}

/// The form of a mark on the reader's screen. It stands among bytes of programs, whose signs stay.
fn mark(sign: &'static str, ascii: &'static str) -> &'static str {
    if Screen::current().ascii { ascii } else { sign }
}

fn push_byte(byte: u8, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = write!(out, "\\x{byte:02x}");
}

/// Whether a character controls, reorders or hides text, or looks like a plain space: C1 controls, bidi controls,
/// zero-width and other format characters (Unicode `Cf`), variation selectors, fillers, spaces other than U+0020 and
/// U+3000, non-characters.
fn must_hide(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{a0}' | '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
        | '\u{890}' | '\u{891}' | '\u{8e2}' | '\u{115f}' | '\u{1160}' | '\u{1680}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
        || u32::from(c) & 0xfffe == 0xfffe
        || matches!(c, '\u{fdd0}'..='\u{fdef}')
}
