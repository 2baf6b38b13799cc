//! Detects characters that look alike or are invisible, and names their code points.
//!
//! Sources: UAX #15 for the normal forms (`unicode-normalization`), UTS #39 for characters that look alike
//! (`unicode-security`).

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::canonical_combining_class;
use unicode_security::confusable_detection::skeleton;

/// One side of a first difference: the part of the token before it, and the part from it on.
pub(super) type Side<'a> = (&'a [u8], &'a [u8]);

/// The most combining marks on one character that are examined.
const MAX_MARKS: usize = 16;

/// Explains a first difference between two tokens that the eye cannot see; none if it is visible.
pub(super) fn remark(answer: Side<'_>, output: Side<'_>) -> Option<String> {
    let wanted = first_char(answer.1);
    let got = first_char(output.1);
    for (who, other) in [("output", got), ("answer", wanted)] {
        if let Some((c, name)) = other.and_then(|c| Some((c, unseen(c)?))) {
            return Some(format!("the {who} has {}, {name}: part of a token, not white space", code_point(c)));
        }
    }
    let a = character(answer);
    let b = character(output);
    if a != b && a.nfc().eq(b.nfc()) && !a.is_empty() {
        return Some(normal_forms(&a, &b));
    }
    let wanted = wanted?;
    let got = got?;
    let look_alike = !(wanted.is_ascii() && got.is_ascii()) && wanted != got && shape(wanted) == shape(got);
    look_alike.then(|| format!("they look the same: the answer has {}, the output {}", named(wanted), named(got)))
}

/// Explains that both sides spell the same character differently.
fn normal_forms(answer: &str, output: &str) -> String {
    let form = |text: &str| match (text.nfc().eq(text.chars()), text.nfd().eq(text.chars())) {
        (true, false) => Some("composed characters (NFC)"),
        (false, true) => Some("decomposed characters (NFD)"),
        _ => None,
    };
    match (form(answer), form(output)) {
        (Some(answer), Some(output)) if answer != output => {
            format!("they look the same: the answer uses {answer}, the output {output}")
        }
        _ => "they look the same: the output spells the character with other code points".to_owned(),
    }
}

/// The first character, if the bytes begin with valid UTF-8.
pub(super) fn first_char(bytes: &[u8]) -> Option<char> {
    bytes[..bytes.len().min(4)].utf8_chunks().next()?.valid().chars().next()
}

/// The character at the difference with all its combining marks.
fn character((before, after): Side<'_>) -> String {
    let joins = |c: &char| canonical_combining_class(*c) != 0 || matches!(c, '\u{1160}'..='\u{11ff}');
    let after = after.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let mut text = String::new();
    if after.chars().next().as_ref().is_some_and(joins) {
        // The known part may begin in the middle of a character.
        let known = before.utf8_chunks().filter(|chunk| chunk.invalid().is_empty()).last().map_or("", |c| c.valid());
        let marks = known.chars().rev().take(MAX_MARKS).take_while(joins).count();
        let from = known.char_indices().rev().nth(marks).map_or(0, |(at, _)| at);
        text.push_str(&known[from..]);
    }
    text.extend(after.chars().enumerate().take(MAX_MARKS).take_while(|(i, c)| *i == 0 || joins(c)).map(|(_, c)| c));
    text
}

/// The skeleton of a character, which look-alikes share (UTS #39).
fn shape(c: char) -> String {
    skeleton(c.encode_utf8(&mut [0; 4])).collect()
}

/// A code point as `U+00A0`.
pub(super) fn code_point(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

/// The name of a character that is invisible or blank, but not white space by the package format.
pub(super) fn unseen(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{a0}' => "a no-break space",
        '\u{ad}' => "a soft hyphen",
        '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' => "a space of another width",
        '\u{200b}' => "a zero-width space",
        '\u{200c}' | '\u{200d}' => "a zero-width joiner",
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => "a mark of direction",
        '\u{2028}' | '\u{2029}' | '\u{85}' => "a line separator of Unicode",
        '\u{2060}' => "a word joiner",
        '\u{3000}' => "an ideographic space",
        '\u{fe00}'..='\u{fe0f}' => "a variation selector",
        '\u{feff}' => "a byte order mark",
        '\0' => "a null character",
        c if c.is_control() => "a control character",
        _ => return None,
    })
}

/// A code point with the kind of character, if known.
fn named(c: char) -> String {
    let kind = match c {
        '\u{2010}' | '\u{2011}' => "a hyphen",
        '\u{2012}'..='\u{2015}' => "a dash",
        '\u{2018}'..='\u{201f}' => "a quotation mark",
        '\u{2212}' => "a minus sign",
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => "Greek",
        '\u{400}'..='\u{52f}' => "Cyrillic",
        '\u{530}'..='\u{58f}' => "Armenian",
        '\u{ff01}'..='\u{ff5e}' => "full-width",
        _ => return code_point(c),
    };
    format!("{} ({kind})", code_point(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: &str, output: &str, wanted: Option<&str>) {
        let same = answer.bytes().zip(output.bytes()).take_while(|(a, b)| a == b).count();
        let same = (0..=same).rev().find(|at| answer.is_char_boundary(*at) && output.is_char_boundary(*at)).unwrap();
        let side = |text: &'static str| text.as_bytes().split_at(same);
        let (answer, output): (&'static str, &'static str) = (answer.to_owned().leak(), output.to_owned().leak());
        assert_eq!(remark(side(answer), side(output)).as_deref(), wanted, "{answer:?} {output:?}");
    }

    #[test]
    fn what_looks_the_same_is_told_apart() {
        let forms =
            "they look the same: the answer uses composed characters (NFC), the output decomposed characters (NFD)";
        check("caf\u{e9}", "cafe\u{301}", Some(forms));
        check("\u{ac00}x", "\u{1100}\u{1161}x", Some(forms));
        let other = "they look the same: the output spells the character with other code points";
        check("a\u{323}\u{302}", "a\u{302}\u{323}", Some(other));
        let cyrillic = "they look the same: the answer has U+0061, the output U+0430 (Cyrillic)";
        check("abc", "\u{430}bc", Some(cyrillic));
        let minus = "they look the same: the answer has U+002D, the output U+2212 (a minus sign)";
        check("-5", "\u{2212}5", Some(minus));
        check("12", "\u{ff11}2", Some("they look the same: the answer has U+0031, the output U+FF11 (full-width)"));
    }

    #[test]
    fn what_shows_nothing_is_named() {
        let unseen = |text: &str| Some(format!("the output has {text}: part of a token, not white space"));
        check("1", "1\u{a0}2", unseen("U+00A0, a no-break space").as_deref());
        check("1", "\u{feff}1", unseen("U+FEFF, a byte order mark").as_deref());
        check("ab", "a\u{200b}b", unseen("U+200B, a zero-width space").as_deref());
        check("a\u{200b}b", "ab", Some("the answer has U+200B, a zero-width space: part of a token, not white space"));
    }

    #[test]
    fn what_is_plain_to_see_is_not_told() {
        for (answer, output) in
            [("1", "2"), ("l", "1"), ("O", "0"), ("\u{e9}", "e"), ("ab", "a"), ("\u{e9}", "\u{e8}"), ("", "\u{301}")]
        {
            check(answer, output, None);
        }
    }
}
