//! Recognises outputs that are right except for words before the values: `Part 1: 42` for `42`.

use super::Window;

/// The most lines that are looked at.
const MOST_LINES: usize = 20;

/// Whether each line of an output is a line of the answer, at least one of them behind other words.
pub(crate) fn are_the_difference(answer: &Window<'_>, output: &Window<'_>) -> bool {
    let is_whole = |window: &Window<'_>| window.first_line == 1 && !window.cut_before && !window.cut_after;
    is_whole(answer) && is_whole(output) && are_all(answer.bytes, output.bytes)
}

/// The same for a whole answer and a whole output.
pub(crate) fn are_all(answer: &[u8], output: &[u8]) -> bool {
    let (answers, mut outputs) = (lines(answer), lines(output));
    if outputs == answers {
        return false;
    }
    if outputs.len() > answers.len() && !answers.iter().any(|line| is_heading(line)) {
        outputs.retain(|line| !is_heading(line));
    }
    let is_value = |(output, answer): (&&[u8], &&[u8])| output == answer || has_value(output, answer);
    answers.len() == outputs.len() && answers.len() <= MOST_LINES && outputs.iter().zip(&answers).all(is_value)
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
    let Some(before) = line.strip_suffix(value) else { return false };
    let is_apart = before.last().is_none_or(|last| b" \t:=>".contains(last));
    let words = before.trim_ascii_end();
    // `41 42` is two values, and `the 41 42` too.
    let ends_in_word = words.last().is_none_or(|last| b":=>".contains(last) || last.is_ascii_alphabetic());
    // `Part 1: 9, Part 2: 3` has another value, and `error: not 3` says something else.
    let label = words.strip_suffix(b"->").or_else(|| words.strip_suffix(b"=>")).unwrap_or(words);
    let label = label.strip_suffix(b":").or_else(|| label.strip_suffix(b"=")).unwrap_or(label);
    let is_one = !label.iter().any(|byte| b":=,;|>".contains(byte));
    // `Part 1` is no answer 1.
    !is_heading(line)
        && is_apart
        && ends_in_word
        && is_one
        && (words.is_empty() || words.iter().any(u8::is_ascii_alphabetic))
}

/// An output with spaces for the words around its values, so that everything else keeps its place.
pub(crate) fn blanked(output: &[u8]) -> Vec<u8> {
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
            ("", ""),
        ] {
            assert!(!found(answer, output), "{output:?}");
        }
    }
}
