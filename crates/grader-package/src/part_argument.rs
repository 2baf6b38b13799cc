//! Recognises programs of puzzles whose first argument chooses the part to solve: `main.py 2`, or
//! `main.py part2`.

use std::sync::LazyLock;

use regex::Regex;

use super::named_inputs::text_of;
use super::stated_answers::compiled;
use grader_model::problem::Submission;

/// The first argument, in the languages in which people solve puzzles.
const ARGUMENT: &str =
    r"(?:sys\.argv\[1\]|process\.argv\[2\]|os\.Args\[1\]|argv\[1\]|args\[0\]|ARGV\[0\]|args\(\)\.nth\(1\)|\$1\b)";

/// A comparison of the first argument with the number of a part.
static COMPARED: LazyLock<Option<Regex>> = LazyLock::new(|| compiled(&format!("{ARGUMENT}{COMPARISON}")));
/// A variable for the part, which gets the first argument.
static KEPT: LazyLock<Option<Regex>> = LazyLock::new(|| compiled(&format!(r"\bpart\w*\s*:?=[^\n=]*{ARGUMENT}")));
/// A comparison of such a variable.
static PART: LazyLock<Option<Regex>> = LazyLock::new(|| compiled(&format!(r"\bpart\w*{COMPARISON}")));

const COMPARISON: &str = r#"["')\]\s]*(?:===?|=|-eq)\s*["']?(?P<word>part)?[12]\b"#;

/// The first argument for each part. None if the programs are not told their part in the same way.
pub(super) fn of_all(programs: &[Submission]) -> Option<[&'static str; 2]> {
    let mut found = programs.iter().map(|program| of_text(&text_of(program)));
    let first = found.next()??;
    found.all(|other| other == Some(first)).then_some(first)
}

fn of_text(text: &str) -> Option<[&'static str; 2]> {
    let compared = || COMPARED.as_ref()?.captures(text);
    let kept = || KEPT.as_ref()?.find(text).and_then(|_| PART.as_ref()?.captures(text));
    let has_word = compared().or_else(kept)?.name("word").is_some();
    Some(if has_word { ["part1", "part2"] } else { ["1", "2"] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_choose_a_part() {
        for (text, expect) in [
            ("print(a if sys.argv[1] == '1' else b)", Some(["1", "2"])),
            ("if int(sys.argv[1]) == 2:", Some(["1", "2"])),
            ("if (process.argv[2] === 'part1')", Some(["part1", "part2"])),
            ("part = int(sys.argv[1])\nif part == 1:", Some(["1", "2"])),
            ("if [ \"$1\" = 2 ]; then", Some(["1", "2"])),
            ("print(open(sys.argv[1]).read())", None),
            ("if len(sys.argv) == 2:\n  f = sys.argv[1]", None),
            ("if args[0] == 12 {", None),
        ] {
            assert_eq!(of_text(text), expect, "{text}");
        }
    }
}
