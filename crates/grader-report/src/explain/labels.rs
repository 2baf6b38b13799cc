//! Recognises outputs that are right except for words before the values: `Part 1: 42` for `42`.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::Window;

/// The most lines that are looked at.
const MOST_LINES: usize = 20;

/// Whether each line of an output is a line of the answer, at least one of them behind other words.
pub(crate) fn are_the_difference(answer: &Window<'_>, output: &Window<'_>) -> bool {
    let is_whole = |window: &Window<'_>| window.first_line == 1 && !window.cut_before && !window.cut_after;
    is_whole(answer) && is_whole(output) && are_all(answer.bytes, output.bytes)
}

/// The same for a whole answer and a whole output.
pub fn are_all(answer: &[u8], output: &[u8]) -> bool {
    let answers = lines(answer);
    let mut outputs = lines(output);
    if outputs == answers {
        return false;
    }
    if answers.is_empty() || answers.len() > MOST_LINES || outputs.len() > MOST_LINES {
        return false;
    }
    if parts_of(&outputs).is_some_and(|parts| are_parts(&parts, &answers)) || is_tuple(&outputs, &answers) {
        return true;
    }
    if outputs.len() > answers.len() && !answers.iter().any(|line| is_heading(line)) {
        outputs.retain(|line| !is_heading(line) && !matches(&TIMING, line));
    }
    let is_value = |(output, answer): (&&[u8], &&[u8])| output == answer || has_value(output, answer);
    answers.len() == outputs.len() && outputs.iter().zip(&answers).all(is_value)
}

/// The longest prompt that is quoted, in bytes.
const LONGEST_PROMPT: usize = 80;

/// The first prompt of an output: words up to `:`, `?` or `>`, as in `Enter a number: 42`. None if the answer has such a
/// mark itself: then words before it may belong to the answer.
pub(crate) fn prompt<'o>(answer: &Window<'_>, output: &Window<'o>) -> Option<&'o [u8]> {
    let is_mark = |byte: &u8| b":?>".contains(byte);
    if answer.bytes.iter().any(is_mark) {
        return None;
    }
    let of_line = |line: &'o [u8]| {
        let end = line.iter().position(is_mark)? + 1;
        let words = line[..end].trim_ascii_start();
        let letters = words.iter().filter(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii()).count();
        let ends = line.get(end).is_none_or(u8::is_ascii_whitespace);
        (letters > 1 && ends && words.len() <= LONGEST_PROMPT).then_some(words)
    };
    lines(output.bytes).into_iter().find_map(of_line)
}

/// The name of a part: `Part 1`, `part-two`, `p2`.
static PART: LazyLock<Option<Regex>> =
    LazyLock::new(|| compiled(r"(?i)\b(?:part[ _-]?(1|2|3|one|two|three|a|b)|p([123]))\b"));
/// The text after it: words, and a value with a remark or a stop after it.
static VALUE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"^(?P<label>[^0-9:=]*?)\s*(?::|=>|->|=|\bis\b)?\s*(?P<value>[^\s(),;|:=]+)\s*(?:\([^()]*\))?\s*[.,;|]?\s*$",
    )
});
/// A line that only says how long something took.
static TIMING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let unit = r"(?:[num\xB5]|\xC2\xB5|\xCE\xBC)?s(?:ec|econds?)?";
    compiled(&format!(
        r"(?i-u)^(?:total |run(?:ning)? ?|execution |elapsed )?(?:time|elapsed|took|runtime|duration|finished in)\b[^0-9]*[0-9.]+ ?{unit}\.?$"
    ))
});

/// A pattern of this file. None never happens: the tests use each.
fn compiled(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

fn matches(pattern: &LazyLock<Option<Regex>>, text: &[u8]) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// Words that say that a value is that of an example.
const EXAMPLES: &[&str] = &["example", "examples", "sample", "test"];
/// Words that say that a value is not the answer.
const DENIALS: &[&str] = &["not", "no", "wrong", "error", "expected", "instead", "than", "failed"];

fn has_word(text: &[u8], known: &[&str]) -> bool {
    let words = text.split(|byte| !byte.is_ascii_alphabetic());
    words.into_iter().any(|word| known.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(word)))
}

/// The values that an output gives with the names of their parts, in order, besides those of examples. None if a part has
/// something else than a value behind it.
fn parts_of<'o>(outputs: &[&'o [u8]]) -> Option<Vec<(u8, &'o [u8])>> {
    let mut found = Vec::new();
    for line in outputs {
        let names: Vec<_> = PART.as_ref()?.captures_iter(line).filter_map(|name| Some((name.get(0)?, name))).collect();
        for (at, (whole, name)) in names.iter().enumerate() {
            let before = &line[if at == 0 { 0 } else { whole.start() }..whole.start()];
            let after = &line[whole.end()..names.get(at + 1).map_or(line.len(), |(next, _)| next.start())];
            let value = VALUE.as_ref()?.captures(after)?;
            let label = value.name("label")?.as_bytes();
            let value = value.name("value")?.as_bytes();
            if has_word(label, DENIALS) || has_word(before, DENIALS) {
                return None;
            }
            let part = match name.get(1).or_else(|| name.get(2))?.as_bytes().to_ascii_lowercase().as_slice() {
                b"1" | b"one" | b"a" => 1,
                b"2" | b"two" | b"b" => 2,
                _ => 3,
            };
            if !has_word(label, EXAMPLES) && !has_word(before, EXAMPLES) && !has_word(after, EXAMPLES) {
                found.push((part, value.strip_suffix(b".").unwrap_or(value)));
            }
        }
    }
    Some(found)
}

/// Whether named values are the answers: one for each part, or a single one.
fn are_parts(parts: &[(u8, &[u8])], answers: &[&[u8]]) -> bool {
    let numbers = parts.iter().map(|(part, _)| *part);
    let are_all = numbers.eq(1..=u8::try_from(answers.len()).unwrap_or(u8::MAX)) || parts.len() == 1;
    are_all && parts.iter().map(|(_, value)| *value).eq(answers.iter().copied())
}

/// Whether the only line is a tuple of the answers: `(60, 30)`.
fn is_tuple(outputs: &[&[u8]], answers: &[&[u8]]) -> bool {
    let [line] = outputs else { return false };
    let inside = |open: &[u8], close: &[u8]| line.strip_prefix(open)?.strip_suffix(close);
    let Some(values) = inside(b"(", b")").or_else(|| inside(b"[", b"]")) else { return false };
    answers.len() > 1 && values.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).eq(answers.iter().copied())
}

/// Words of a heading, which may have a number: `Day 1`, `=== Part 2 ===`, `Advent of Code 2023`.
const HEADINGS: &[&str] = &["day", "part", "year", "puzzle", "quest", "advent", "of", "code", "aoc"];

/// Whether a line is a heading or a rule: it has no value.
fn is_heading(line: &[u8]) -> bool {
    let is_rule = line.iter().all(|byte| b"-=*~_".contains(byte));
    let is_inside = |byte: &u8| byte.is_ascii_alphanumeric();
    let begin = line.iter().position(is_inside).unwrap_or(0);
    let end = line.iter().rposition(is_inside).map_or(0, |last| last + 1);
    let plain = line.get(begin..end).unwrap_or_default().to_ascii_lowercase();
    let has_separator = plain.iter().any(|byte| b":=>".contains(byte));
    let mut words = plain.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let is_known = |word: &[u8]| {
        let letters = word.iter().rposition(u8::is_ascii_alphabetic).map_or(0, |last| last + 1);
        HEADINGS.iter().any(|known| known.as_bytes() == &word[..letters])
    };
    let begins = words.clone().next().is_some_and(is_known);
    is_rule || !has_separator && begins && words.all(|word| is_known(word) || word.iter().all(u8::is_ascii_digit))
}

/// Whether a line is words and then the value, possibly with a remark in parentheses after it.
fn has_value(line: &[u8], value: &[u8]) -> bool {
    let remark = line.ends_with(b")").then(|| line.iter().rposition(|byte| *byte == b'(')).flatten();
    let line = remark.map_or(line, |at| line[..at].trim_ascii_end());
    // `The total is 60.`
    let stopped = line.strip_suffix(b".").filter(|line| line.ends_with(value) && !value.ends_with(b"."));
    let line = stopped.unwrap_or(line);
    let Some(before) = line.strip_suffix(value) else { return false };
    let is_apart = before.last().is_none_or(|last| b" \t:=>".contains(last));
    let words = before.trim_ascii_end();
    // `41 42` is two values, and `the 41 42` too.
    let ends_in_word = words.last().is_none_or(|last| b":=>".contains(last) || last.is_ascii_alphabetic());
    // `Part 1: 9, Part 2: 3` has another value, and `error: not 3` says something else.
    let label = words.strip_suffix(b"->").or_else(|| words.strip_suffix(b"=>")).unwrap_or(words);
    let label = label.strip_suffix(b":").or_else(|| label.strip_suffix(b"=")).unwrap_or(label);
    let has_number = label.iter().any(u8::is_ascii_digit);
    let is_one = !label.iter().any(|byte| b":=;|>".contains(byte) || *byte == b',' && has_number);
    // Advent of Code gives stars: `*: 60`, `**: 30`.
    let are_stars = !label.is_empty() && label.iter().all(|byte| *byte == b'*');
    // `Part 1` is not an answer 1.
    !is_heading(line)
        && is_apart
        && ends_in_word
        && is_one
        && !has_word(label, DENIALS)
        && (words.is_empty() || are_stars || words.iter().any(u8::is_ascii_alphabetic))
}

/// An output with spaces for the words around its values, so that everything else keeps its place.
pub fn blanked(output: &[u8]) -> Vec<u8> {
    let line = |line: &[u8]| -> Vec<u8> {
        let values = line.trim_ascii();
        let remark = values.ends_with(b")").then(|| values.iter().rposition(|byte| *byte == b'(')).flatten();
        let values = remark.map_or(values, |at| values[..at].trim_ascii_end());
        let value = values.rsplit(|byte| b" \t:=>".contains(byte)).next().unwrap_or_default();
        let kept = match () {
            () if is_heading(line.trim_ascii()) => &[],
            () if !value.is_empty() && has_value(line.trim_ascii(), value) => value,
            () => return line.to_vec(),
        };
        let Some(at) = line.windows(kept.len().max(1)).rposition(|part| part == kept).filter(|_| !kept.is_empty())
        else {
            return vec![b' '; line.len()];
        };
        let blank = |(place, byte): (usize, &u8)| if (at..at + kept.len()).contains(&place) { *byte } else { b' ' };
        line.iter().enumerate().map(blank).collect()
    };
    output.split(|byte| *byte == b'\n').map(line).collect::<Vec<_>>().join(&b'\n')
}

/// The lines with text, without white space at their ends.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_alone() {
        let text = "Day 1\nPart 1: 42 (3 ms)\nPart 2: 7\n41 42\nplain\n";
        let expect = "     \n        42       \n        7\n41 42\nplain\n";
        assert_eq!(String::from_utf8(blanked(text.as_bytes())).unwrap(), expect);
    }

    #[test]
    fn a_prompt_is_found_where_the_answer_has_none() {
        let found = |answer: &str, output: &str| {
            let output = Window::whole(output.as_bytes());
            let prompt = prompt(&Window::whole(answer.as_bytes()), &output);
            prompt.map(|prompt| String::from_utf8_lossy(prompt).into_owned())
        };
        for (answer, output, expect) in [
            ("3\n", "Enter a number: 4\n", "Enter a number:"),
            ("3\n", "1\nYour name? Bob\n", "Your name?"),
            ("3\n", "  n>\n", ""),
            ("3\n", "größe: 3", "größe:"),
            ("3\n", "4:5\n", ""),
            ("3\n", "ab:5\n", ""),
            ("Case #1: 3\n", "case #1: 3\n", ""),
        ] {
            assert_eq!(found(answer, output).unwrap_or_default(), expect, "{output:?}");
        }
        assert_eq!(found("3\n", &format!("{}: 3", "x".repeat(81))), None);
    }

    #[test]
    fn labels_before_the_answer() {
        let found = |answer: &str, output: &str| {
            are_the_difference(&Window::whole(answer.as_bytes()), &Window::whole(output.as_bytes()))
        };
        for (answer, output) in [
            ("42\n", "Part 1: 42\n"),
            ("42\n43\n", "part1=42\n\n43"),
            ("42\n", "The answer is 42\n"),
            ("42\n", "Part 1 -> 42 (3.1 ms)\n"),
            ("42\n", "42 (3.1 ms)\n"),
            ("42\n43\n", "Day 1\n-----\nPart 1: 42\nPart 2: 43\n"),
            ("42\n43\n", "=== Advent of Code 2023, Day 1 ===\nPart 1:\n42\nPart 2:\n43\n"),
            ("60\n30\n", "Part 1 (example): 3\nPart 2 (example): 2\nPart 1: 60\nPart 2: 30\n"),
            ("60\n30\n", "Test 1: 3\nPart 1: 60\nPart 2: 30\nElapsed 0.1s\n"),
            ("60\n30\n", "60\n30\nElapsed time: 12.3 ms\n"),
            ("60\n30\n", "Part 1: 60 Part 2: 30\n"),
            ("60\n30\n", "P1 60, P2 30\n"),
            ("60\n30\n", "part1 60\npart2 30\n"),
            ("60\n30\n", "(60, 30)\n"),
            ("60\n30\n", "*:  60\n**:  30\n"),
            ("60\n", "The total is 60.\n"),
            ("3\n2\n", "The minimal fuel is 3\nWith the new understanding, the fuel is 2\n"),
            ("30\n", "Part 2: 30\n"),
        ] {
            assert!(found(answer, output), "{output:?}");
        }
        for (answer, output) in [
            ("42\n", "142\n"),
            ("42\n", "42\n"),
            ("42\n", "Part 1: 43\n"),
            ("42\n", "41 42\n"),
            ("42\n", "the 41 42\n"),
            ("1\n", "Part 1\n"),
            ("1\n2\n", "Part 1\nPart 2\n"),
            ("42\n43\n", "Part 1\n42\nrows\n43\n"),
            ("42\n", "Day 1: 41\n42\n"),
            ("42\n", "-: 42\n"),
            ("2\n", "x = -2\n"),
            ("3\n", "Part 1: 9, Part 2: 3\n"),
            ("13\n", "Part 1: 42 Part 2: 13\n"),
            ("42\n", "error: expected something other than 42\n"),
            ("4\n2\n", "a 4\n"),
            ("60\n30\n", "Part 1: 60\nPart 2: 31\n"),
            ("60\n30\n", "Part 2: 30\nPart 1: 60\n"),
            ("60\n30\n", "Part 1: 30 Part 2: 60\n"),
            ("60\n30\n", "Part 1: 60\n"),
            ("60\n30\n", "Part 1: 60\nPart 1: 61\nPart 2: 30\n"),
            ("60\n30\n", "Part 1 is not 60\nPart 2: 30\n"),
            ("60\n30\n", "Part 1 (example): 60\nPart 2 (example): 30\nPart 1: 61\nPart 2: 30\n"),
            ("60\n30\n", "(60, 31)\n"),
            ("60\n", "(60, 30)\n"),
            ("60\n", "Part 1: 60\nPart 2: 30\n"),
            ("3\n", "the answer is not 3\n"),
            ("3\n", "x is 13.\n"),
            ("60\n30\n", "60\n31\nElapsed 30 s\n"),
            ("", ""),
        ] {
            assert!(!found(answer, output), "{output:?}");
        }
    }
}
