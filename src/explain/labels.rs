//! Recognises outputs that are right except for words before the values: `Part 1: 42` for `42`.

use super::Window;

/// The most lines that are looked at.
const MOST_LINES: usize = 20;

/// Whether each line of an output is a line of the answer, at least one of them behind other words.
pub(crate) fn are_the_difference(answer: &Window<'_>, output: &Window<'_>) -> bool {
    let is_whole = |window: &Window<'_>| window.first_line == 1 && !window.cut_before && !window.cut_after;
    let (answers, outputs) = (lines(answer.bytes), lines(output.bytes));
    let ends_with = |(output, answer): (&&[u8], &&[u8])| {
        let before = output.strip_suffix(*answer);
        before.is_some_and(|before| before.last().is_none_or(|last| b" \t:=".contains(last)))
    };
    is_whole(answer)
        && is_whole(output)
        && answers.len() == outputs.len()
        && answers.len() <= MOST_LINES
        && answers != outputs
        && outputs.iter().zip(&answers).all(ends_with)
}

/// The lines with text, without white space at their ends.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_before_the_answer() {
        let found = |answer: &str, output: &str| {
            are_the_difference(&Window::whole(answer.as_bytes()), &Window::whole(output.as_bytes()))
        };
        assert!(found("42\n", "Part 1: 42\n"));
        assert!(found("42\n43\n", "part1=42\n\n43"));
        for (answer, output) in
            [("42\n", "142\n"), ("42\n", "42\n"), ("42\n", "Part 1: 43\n"), ("4\n2\n", "a 4\n"), ("", "")]
        {
            assert!(!found(answer, output), "{output:?}");
        }
    }
}
