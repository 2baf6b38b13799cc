//! Describes a first difference or a leniency in one sentence, for reasons, remarks and headings.
//!
//! The text contains words from the submission's output; code that prints it must escape them.

use std::fmt::Write as _;

use grader_compare::{FoundPart, MeantLine, Mismatch};
use unicode_width::UnicodeWidthChar as _;

use super::lookalikes;
use crate::difference::{Difference, DifferenceKind, Excerpt, Leniency, Position, RelaxedRule, SideText, Text};

/// The most characters of a token that are quoted.
const QUOTED: usize = 40;

/// How much of a longer token is quoted: characters before the first difference, and characters from there on.
const AROUND: (usize, usize) = (12, 20);

/// The difference as `line 2, column 11: expected "1", got "2"`, with its kind.
pub fn sentence(difference: &Difference) -> String {
    let expected = &difference.expected;
    let actual = &difference.actual;
    let place = place(expected, actual);
    match difference.kind {
        DifferenceKind::Empty => "nothing was printed".to_owned(),
        DifferenceKind::Blank => "only white space was printed".to_owned(),
        DifferenceKind::Missing => {
            format!("output ends after line {}, expected {} next", actual.at.line, quote(expected))
        }
        DifferenceKind::Extra => format!("{place}: {} after the end of the answer", quote(actual)),
        DifferenceKind::LineOrder => format!("{place}: the right lines in another order"),
        DifferenceKind::MissingLines { count } => {
            format!("{place}: {} missing, beginning with {}", lines(count), quote(expected))
        }
        DifferenceKind::ExtraLines { count } => {
            format!("{place}: {} too many, beginning with {}", lines(count), quote(actual))
        }
        kind => {
            let (place, wanted, got) = match (CasePlace::of(expected), CasePlace::of(actual)) {
                (Some(wanted), Some(got)) if wanted.is_long || got.is_long => {
                    (place_of(&wanted.place, &got.place), wanted.quote(), got.quote())
                }
                _ => (place, quote(expected), quote(actual)),
            };
            let mut text = format!("{place}: expected {wanted}, got {got}");
            text.push_str(&remark_of(kind));
            if wanted == got
                && let (Some(wanted), Some(got)) = (CasePlace::of(expected), CasePlace::of(actual))
                && let (Some(wanted), Some(got)) = (wanted.after.first(), got.after.first())
            {
                // Text that spells a byte, such as `\xff`, and that byte.
                let _ =
                    write!(text, " (they look the same: the answer has the byte {wanted:02x}, the output {got:02x})");
            }
            if let (DifferenceKind::Token | DifferenceKind::NotANumber, Some(wanted), Some(got)) =
                (kind, CasePlace::of(expected), CasePlace::of(actual))
                && let Some(remark) = lookalikes::remark((wanted.before, wanted.after), (got.before, got.after))
            {
                // Writing to a string cannot fail.
                let _ = write!(text, " ({remark})");
            }
            text
        }
    }
}

/// Describes a mismatch of an output that is not compared place by place: the missing part, and its place.
pub fn mismatch(mismatch: &Mismatch) -> String {
    match mismatch {
        Mismatch::Count { output, answer } => format!("{output} numbers, expected {answer}"),
        Mismatch::Number { value, output, answer } => {
            format!("{value} is there {}, expected {}", times(*output), times(*answer))
        }
        Mismatch::Line { line, number, answer: 0, meant } => {
            let meant = match meant {
                Some(MeantLine::OtherCase(meant)) => {
                    format!(", but {} is (only upper and lower case)", in_quotes(meant))
                }
                Some(MeantLine::AfterPrompt(meant)) => {
                    format!(", but {} at its end is: print the answer alone", in_quotes(meant))
                }
                None => String::new(),
            };
            format!("line {number}: {} is no line of the answer{meant}", in_quotes(line))
        }
        Mismatch::Line { line, number, answer, .. } => {
            format!("line {number}: {} once more, expected {}", in_quotes(line), times(*answer))
        }
        Mismatch::MissingLines { count: 1, line, number, times: (0, _) } => {
            format!("{} is missing (line {number} of the answer)", in_quotes(line))
        }
        Mismatch::MissingLines { count, line, number, times: (output, answer) } => {
            let times = format!("is there {}, expected {}", times(*output), times(*answer));
            match (count, output) {
                (1, _) => format!("{} {times} (line {number} of the answer)", in_quotes(line)),
                (_, 0) => {
                    format!(
                        "{count} lines are missing, beginning with {} (line {number} of the answer)",
                        in_quotes(line)
                    )
                }
                _ => format!(
                    "{count} lines are missing, beginning with {}, which {times} (line {number} of the answer)",
                    in_quotes(line)
                ),
            }
        }
        Mismatch::NotContained { text, part } => {
            format!("the output does not contain {}{}", in_quotes(text), after(part.as_ref()))
        }
        Mismatch::NoMatch { pattern, part } => {
            format!("nothing in the output matches {}{}", in_quotes(pattern), after(part.as_ref()))
        }
        Mismatch::Value { reason } => reason.clone(),
        Mismatch::TooLong { most } => format!(
            "the output is longer than {} KiB, which is the most that a regular expression searches",
            most >> 10
        ),
    }
}

/// Where the rest of a text or of a regular expression should follow its beginning.
fn after(part: Option<&FoundPart>) -> String {
    let Some(FoundPart { part, expected, at, found }) = part else { return String::new() };
    let unit = if at.in_bytes { "byte" } else { "column" };
    let found = found.as_ref().map_or_else(|| "the end".to_owned(), in_quotes);
    let (part, expected) = (in_quotes_from_end(part), in_quotes(expected));
    format!(": after {part}, line {}, {unit} {}: expected {expected}, got {found}", at.line, at.column)
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

/// Returns a text such as `would be AC if case were ignored`; none if no known leniency would accept the output.
pub fn would_accept(rules: &[RelaxedRule]) -> Option<String> {
    let parts: Vec<String> = rules
        .iter()
        .map(|would| match would {
            RelaxedRule::IgnoreCase => "case were ignored".to_owned(),
            RelaxedRule::IgnoreWhiteSpace => "white space were ignored".to_owned(),
            RelaxedRule::SortLines => "its lines were in order".to_owned(),
            RelaxedRule::Tolerance(epsilon) if *epsilon == 0.0 => "numbers were compared as numbers".to_owned(),
            RelaxedRule::Tolerance(epsilon) => format!("the tolerance were {}", rounded_up(*epsilon)),
        })
        .collect();
    (!parts.is_empty()).then(|| format!("would be AC if {}", parts.join(" and ")))
}

/// Rounds up to two digits, so that the printed tolerance really suffices.
fn rounded_up(epsilon: f64) -> String {
    let text = format!("{epsilon:.1e}");
    let Some((digits, power)) = text.split_once('e').filter(|_| text.parse::<f64>().is_ok_and(|shown| shown < epsilon))
    else {
        return text;
    };
    let tenths: u32 =
        digits.bytes().filter(u8::is_ascii_digit).fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'));
    match tenths + 1 {
        100 => format!("1.0e{}", power.parse::<i32>().unwrap_or_default() + 1),
        tenths => format!("{}.{}e{power}", tenths / 10, tenths % 10),
    }
}

/// Returns which other judges reject an accepted output, and why (docs/judges.md has their sources). Returns none if the
/// output differs from the answer only in numbers within their tolerance: every judge that compares numbers accepts that.
/// Byte-wise judges reject even a missing newline at the end.
pub fn leniency(leniency: Leniency) -> Option<String> {
    let mut parts = Vec::new();
    if leniency.case {
        parts.push("upper and lower case");
    }
    if leniency.lines {
        parts.push("line breaks");
    } else if leniency.spacing {
        parts.push("spacing");
    }
    let judges = match leniency {
        Leniency { case: true, .. } => "CMS, DMOJ and testlib's wcmp reject",
        Leniency { lines: true, .. } => "CMS, DMOJ and testlib's lcmp reject",
        _ => "byte-wise checkers reject",
    };
    (!parts.is_empty()).then(|| format!("differs from the answer in {}: {judges} that", parts.join(" and ")))
}

fn remark_of(kind: DifferenceKind) -> String {
    match kind {
        DifferenceKind::Case => " (only upper and lower case)".to_owned(),
        DifferenceKind::WhiteSpace => " (white space)".to_owned(),
        DifferenceKind::NotANumber => " (not a number)".to_owned(),
        DifferenceKind::NotAnInteger { bits: None } => " (not an integer, as testlib reads them)".to_owned(),
        DifferenceKind::NotAnInteger { bits: Some(bits) } => {
            format!(" (not an integer of {bits} bits, as testlib reads them)")
        }
        DifferenceKind::Overflow { bits } => format!(" (equal modulo 2^{bits}: an overflow)"),
        DifferenceKind::Number { absolute, relative: Some(relative) } => {
            format!(" (error {absolute:.1e} absolute, {relative:.1e} relative)")
        }
        DifferenceKind::Number { absolute, relative: None } => format!(" (error {absolute:.1e} absolute)"),
        _ => String::new(),
    }
}

fn place(expected: &SideText, actual: &SideText) -> String {
    place_of(&expected.at, &actual.at)
}

fn place_of(expected: &Position, actual: &Position) -> String {
    let unit = if actual.in_bytes { "byte" } else { "column" };
    let mut text = format!("line {}, {unit} {}", actual.line, actual.column);
    if expected.line != actual.line {
        let _ = write!(text, " (line {} of the answer)", expected.line);
    }
    text
}

/// A token or white space of one side, and its first character that the other side lacks.
struct CasePlace<'a> {
    /// The place of that character.
    place: Position,
    is_space: bool,
    /// The known part of the token before that character, and from it on.
    before: &'a [u8],
    after: &'a [u8],
    /// Whether more of the token precedes `before`, and follows `after`.
    cut: (bool, bool),
    is_long: bool,
}

impl<'a> CasePlace<'a> {
    fn of(found: &'a SideText) -> Option<Self> {
        let (excerpt, is_space) = match &found.what {
            Text::Token(excerpt) => (excerpt, false),
            Text::Space(excerpt) => (excerpt, true),
            Text::End => return None,
        };
        let place = found.differs?;
        let offset = place.offset.checked_sub(found.at.offset)?;
        let (before, after) = excerpt.around(offset);
        let cut = ((before.len() as u64) < offset, offset + (after.len() as u64) < excerpt.length);
        let is_long = excerpt.is_cut() || readable(&excerpt.bytes).chars().count() > QUOTED;
        Some(Self { place, is_space, before, after, cut, is_long })
    }

    /// The quoted difference: "`0` in `…0110…`", or "the end after `…011`".
    fn quote(&self) -> String {
        let before = readable(self.before);
        let after = readable(self.after);
        let left_off = before.chars().count().saturating_sub(AROUND.0);
        let head = if left_off > 0 || self.cut.0 { "…" } else { "" };
        let before: String = before.chars().skip(left_off).collect();
        if self.after.is_empty() && !self.cut.1 {
            return format!("the end after {}", self.in_quotes(&format!("{head}{before}")));
        }
        let tail = if after.chars().count() > AROUND.1 || self.cut.1 { "…" } else { "" };
        let after: String = after.chars().take(AROUND.1).collect();
        let character = match lookalikes::first_char(self.after) {
            Some(c) if !self.is_space && (c.width().unwrap_or(0) == 0 || lookalikes::unseen(c).is_some()) => {
                lookalikes::code_point(c)
            }
            Some(c) => self.in_quotes(&c.to_string()),
            None => self.after.first().map_or_else(String::new, |byte| format!("`\\x{byte:02x}`")),
        };
        format!("{character} in {}", self.in_quotes(&format!("{head}{before}{after}{tail}")))
    }

    fn in_quotes(&self, text: &str) -> String {
        if self.is_space { format!("{text:?}") } else { format!("`{text}`") }
    }
}

/// Bytes as text. Bytes that are not UTF-8 become `\xNN`, so that different bytes look different.
fn readable(bytes: &[u8]) -> String {
    bytes.utf8_chunks().fold(String::new(), |mut text, chunk| {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
        text
    })
}

fn lines(count: u64) -> String {
    if count == 1 { "a line".to_owned() } else { format!("{count} lines") }
}

/// The beginning of a text, in one line.
fn in_quotes(text: &Excerpt) -> String {
    format!("`{}`", shorten(text).replace('\n', "⏎"))
}

/// The end of a text, in one line.
fn in_quotes_from_end(text: &Excerpt) -> String {
    let bytes = text.later.as_ref().map_or(&text.bytes, |later| &later.bytes);
    let readable = readable(bytes).replace('\n', "⏎");
    let left_off = readable.chars().count().saturating_sub(QUOTED / 2);
    let is_cut = left_off > 0 || text.length > bytes.len() as u64;
    let end: String = readable.chars().skip(left_off).collect();
    format!("`{}{end}`", if is_cut { "…" } else { "" })
}

fn quote(found: &SideText) -> String {
    match &found.what {
        Text::Token(excerpt) => format!("`{}`", shorten(excerpt)),
        Text::Space(excerpt) if excerpt.length == 0 => "no white space".to_owned(),
        Text::Space(excerpt) => format!("{:?}", shorten(excerpt)),
        Text::End => "the end".to_owned(),
    }
}

fn shorten(excerpt: &Excerpt) -> String {
    let text = readable(&excerpt.bytes);
    let mut short: String = text.chars().take(QUOTED).collect();
    if excerpt.is_cut() || text.chars().count() > QUOTED {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use grader_compare::Comparator;

    fn check(checker: &str, answer: &str, output: &str, wanted: &str, would: Option<&str>) {
        let mut comparator = Comparator::new(checker.parse().unwrap(), answer.as_bytes());
        comparator.feed(output.as_bytes()).unwrap();
        let comparison = comparator.finish().unwrap();
        let difference = comparison.difference.unwrap();
        assert_eq!(sentence(&difference), wanted, "{answer:?} {output:?}");
        assert_eq!(would_accept(&difference.would_accept).as_deref(), would, "{answer:?} {output:?}");
    }

    #[test]
    fn differences_are_told() {
        check("tokens", "1 2\n3\n", "1 4\n3\n", "line 1, column 3: expected `2`, got `4`", None);
        check("tokens", "1 2\n", "", "nothing was printed", None);
        check("tokens", "1 2\n", " \n", "only white space was printed", None);
        check(
            "tokens",
            "a\n",
            "a\u{1b}\n",
            "line 1, column 1: expected `a`, got `a\u{1b}` (the output has U+001B, a control character: part of a token, not white space)",
            None,
        );
        check("tokens", "1 2\n", "1\n", "output ends after line 1, expected `2` next", None);
        check(
            "case_sensitive",
            "Yes\n",
            "yes\n",
            "line 1, column 1: expected `Yes`, got `yes` (only upper and lower case)",
            Some("would be AC if case were ignored"),
        );
        check(
            "float=1e-6",
            "1.0\n",
            "1.0001\n",
            "line 1, column 1: expected `1.0`, got `1.0001` (error 1.0e-4 absolute, 1.0e-4 relative)",
            Some("would be AC if the tolerance were 1.0e-4"),
        );
        // The sentence must suffice for the kind of tolerance that is stated.
        check(
            "float_absolute_tolerance 1e-3",
            "100.0\n",
            "100.009\n",
            "line 1, column 1: expected `100.0`, got `100.009` (error 9.0e-3 absolute, 9.0e-5 relative)",
            Some("would be AC if the tolerance were 9.1e-3"),
        );
        check(
            "tokens",
            "4294967296\n",
            "0\n",
            "line 1, column 1: expected `4294967296`, got `0` (equal modulo 2^32: an overflow)",
            None,
        );
    }

    #[test]
    fn a_tolerance_that_is_told_suffices() {
        for (epsilon, text) in [
            (1e-4, "1.0e-4"),
            (1.04e-4, "1.1e-4"),
            (9.99e-5, "1.0e-4"),
            (9.91e-3, "1.0e-2"),
            (f64::EPSILON, "2.3e-16"),
            (0.5, "5.0e-1"),
            (12.3, "1.3e1"),
        ] {
            assert_eq!(rounded_up(epsilon), text);
            assert!(text.parse::<f64>().unwrap() >= epsilon);
        }
    }

    #[test]
    fn leniency_is_told_only_where_some_judge_minds() {
        let told = |leniency| super::leniency(leniency).unwrap_or_default();
        let none = Leniency::default();
        let spacing = Leniency { spacing: true, ..Leniency::default() };
        assert_eq!(told(none), "");
        assert_eq!(told(Leniency { numbers: true, ..none }), "");
        assert!(told(spacing).contains("in spacing:"));
        assert!(told(Leniency { lines: true, ..spacing }).contains("in line breaks:"));
        assert!(told(Leniency { case: true, ..spacing }).contains("in upper and lower case and spacing:"));
    }
}
