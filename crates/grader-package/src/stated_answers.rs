//! Finds the answers of puzzles that a program states in plain words: `# answer: 42`, `// Part 1: 42`, or
//! `assert part1("example.txt") == 42`.
//!
//! An answer is plain if nothing in the programs of the problem contradicts it. Anything else is not an answer.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::named_inputs::text_of;
use super::patterns::compiled;
use super::program_input;
use super::puzzle::{self, Part, take_part, words};
use super::puzzle_cases::derived_answer;
use super::reader::Reader;
use grader_model::problem::{AnswerFile, CaseNaming, HeldIn, Submission, TestCase, TestGroup};

/// A number, or a word in quotes.
const VALUE: &str = r#"(?P<value>[-+]?[0-9]{1,40}|"[^"\s]{1,200}"|'[^'\s]{1,200}'|`[^`\s]{1,200}`)"#;

/// A comment that says nothing but an answer.
static COMMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let marker = r#"(?:#+|//+|--|;+|%|/\*+|\*|"""|''')"#;
    let words = r"(?P<words>[\w \t()-]{1,60})";
    compiled(&format!(r"{marker}\s*{words}\s*(?::|=|->|=>|→|\bis\b)\s*{VALUE}\s*\.?\s*(?:\*/|\x22{{3}}|'{{3}})?\s*$"))
});

/// A comparison of the result of a function with a value.
static ASSERTION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let word = r"^\s*(?:assert_eq!|(?:assert|assertEquals|assert_equal|check|expect|console\.assert)\b)";
    compiled(&format!(r"{word}[\s(]+(?P<call>.+?)\s*(?:===?|,)\s*(?:Some\()?{VALUE}[\s);]*(?:(?:,|#|//).*)?$"))
});

/// A variable that gets the result of a function.
static KEPT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(r"^\s*(?:(?:let|const|var|val)\s+(?:mut\s+)?)?([A-Za-z_]\w*)\s*:?=\s*(\w.*\(.*\))\s*;?\s*$")
});

/// Words of a comment that say that it states an answer, whatever else it says.
const ANSWERS: &[&str] = &["answer", "answers", "expected", "solution", "result"];
/// Words for an example.
const EXAMPLES: &[&str] = &["example", "sample", "test"];
/// Further words that such a comment may have.
const MORE: &[&str] =
    &["the", "my", "correct", "right", "final", "puzzle", "input", "for", "to", "of", "should", "be", "day"];

/// The input whose answer a statement gives.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum About {
    /// The puzzle's own.
    Own,
    /// The only example.
    Example,
    /// The input with one of these names.
    Named(BTreeSet<String>),
}

/// An input that may have a stated answer.
#[derive(Debug, PartialEq, Eq)]
struct Input {
    /// The name of its file.
    name: String,
    is_example: bool,
}

/// An answer that a program states.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Statement {
    about: About,
    part: Option<Part>,
    answer: String,
}

/// Gives the cases without an answer those that the programs of the problem state.
pub(super) fn give(reader: &Reader<'_>, groups: &mut Vec<TestGroup>, programs: &[Submission], part: Option<Part>) {
    let is_missing = |case: &TestCase| case.answer == AnswerFile::Missing;
    if !groups.iter().any(|group| group.cases.iter().any(is_missing)) {
        return;
    }
    let texts: Vec<String> = programs.iter().map(text_of).collect();
    let stated: Vec<Statement> = texts.iter().flat_map(|text| statements(text)).collect();
    // An author who has solved only the first part states and prints one answer.
    let is_first = part.is_none()
        && stated.iter().all(|statement| statement.part == Some(1))
        && !texts.iter().any(|text| program_input::prints_twice(text));
    let part = if is_first { Some(1) } else { part };
    let Some(source) = programs.iter().find_map(Submission::source).filter(|_| !stated.is_empty()) else { return };
    let is_of_folder = |group: &TestGroup| EXAMPLES.iter().any(|word| group.name.starts_with(word));
    let has_folder = groups.iter().any(is_of_folder);
    let input_of = |group: &TestGroup, case: &TestCase| {
        let input = group.input_of(case);
        let name = input.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // Every file in `data/examples` is an example, and `data/inputs/01.txt` beside it is not.
        let is_example = if has_folder { is_of_folder(group) } else { !puzzle::is_own(&name) };
        Input { name, is_example }
    };
    let inputs: Vec<Input> =
        groups.iter().flat_map(|group| group.cases.iter().map(|case| input_of(group, case))).collect();
    let mut answered = Vec::new();
    for group in groups.iter_mut() {
        let mut kept = Vec::new();
        let cases = std::mem::take(&mut group.cases);
        for case in cases {
            let answer =
                is_missing(&case).then(|| answer_of(&input_of(group, &case), &inputs, &stated, part)).flatten();
            match answer.and_then(|answer| with_answer(reader, group, &case, &source, &answer)) {
                Some(of_case) => answered.push(of_case),
                None => kept.push(case),
            }
        }
        group.cases = kept;
    }
    groups.retain(|group| !group.cases.is_empty());
    groups.extend(answered);
}

/// A group with one case, whose answer is stated.
fn with_answer(
    reader: &Reader<'_>,
    group: &TestGroup,
    case: &TestCase,
    source: &Path,
    answer: &str,
) -> Option<TestGroup> {
    let answer = derived_answer(reader, source, answer)?;
    let naming = group.naming.as_ref().map(|naming| CaseNaming { answer, ..naming.clone() })?;
    let case = TestCase { answer: AnswerFile::Named, ..case.clone() };
    let document = Some(HeldIn::Answers(source.to_owned()));
    Some(TestGroup { naming: Some(naming), document, cases: vec![case], ..group.clone() })
}

/// The answer to an input: that for the part, or for the whole puzzle, or the answers for both parts as two lines.
fn answer_of(input: &Input, all_inputs: &[Input], stated: &[Statement], part: Option<Part>) -> Option<String> {
    let is_only = |is_example: bool| {
        all_inputs.iter().filter(|other| other.is_example == is_example).collect::<Vec<_>>() == [input]
    };
    let is_about = |statement: &&Statement| match &statement.about {
        About::Own => is_only(false),
        About::Example => is_only(true),
        About::Named(names) => names.contains(&input.name),
    };
    let of = |part: Option<Part>| -> BTreeSet<&str> {
        let of_part = stated.iter().filter(is_about).filter(|statement| statement.part == part);
        of_part.map(|statement| &*statement.answer).collect()
    };
    let only = |answers: &BTreeSet<&str>| match answers.iter().collect::<Vec<_>>()[..] {
        [one] => Some(format!("{one}\n")),
        _ => None,
    };
    let whole = of(None);
    let first = of(Some(1));
    let second = of(Some(2));
    match part {
        Some(1) if !first.is_empty() => only(&first),
        Some(2) if !second.is_empty() => only(&second),
        _ if first.is_empty() && second.is_empty() => only(&whole),
        None if whole.is_empty() => Some(only(&first)? + &only(&second)?),
        _ => None,
    }
}

/// The answers that a text states.
fn statements(text: &str) -> Vec<Statement> {
    // `let result = part_one(…); assert_eq!(result, Some(7));`
    let mut calls: BTreeMap<&str, &str> = BTreeMap::new();
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(kept) = KEPT.as_ref().and_then(|kept| kept.captures(line)) {
            let (_, [name, call]) = kept.extract();
            calls.insert(name, call);
        }
        found.extend(in_assertion(line, &calls).or_else(|| in_comment(line)));
    }
    found
}

fn in_comment(line: &str) -> Option<Statement> {
    let found = COMMENT.as_ref()?.captures(line)?;
    let mut words = words(&found["words"]);
    let part = take_part(&mut words);
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_known = |word: &String| [ANSWERS, EXAMPLES, MORE].iter().any(|known| known.contains(&&**word));
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&&**word));
    let is_statement = (part.is_some() || has(ANSWERS)) && words.iter().all(|word| is_known(word) || is_number(word));
    let about = if has(EXAMPLES) { About::Example } else { About::Own };
    is_statement.then(|| Statement { about, part, answer: value(&found) })
}

fn in_assertion(line: &str, calls: &BTreeMap<&str, &str>) -> Option<Statement> {
    let found = ASSERTION.as_ref()?.captures(line)?;
    let stated = &found["call"];
    let call = calls.get(stated).copied().unwrap_or(stated);
    // The template for Rust reads `data/examples/01.txt` by `read_file("examples", DAY)`.
    if let Some((before, _)) = call.split_once("read_file(\"examples\", DAY)") {
        let part = take_part(&mut words(before));
        return Some(Statement { about: About::Example, part, answer: value(&found) });
    }
    let strings = ['"', '\''].into_iter().flat_map(|quote| call.split(quote).skip(1).step_by(2));
    let names: BTreeSet<String> =
        strings.filter_map(|name| name.rsplit('/').next()).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let part = take_part(&mut words(call));
    // `solve("example.txt", 7)`: on the other input the program may take another number.
    let has_more = call.contains(',');
    // `assert run("a.txt") == (7, 4)` has two values, and the call ends before them.
    let is_call = !call.contains("==") && call.matches('(').count() >= call.matches(')').count();
    (!names.is_empty() && !has_more && is_call).then(|| Statement {
        about: About::Named(names),
        part,
        answer: value(&found),
    })
}

/// The value without its quotes.
fn value(found: &Captures<'_>) -> String {
    found["value"].trim_matches(['"', '\'', '`']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_statements() {
        let own = |part, answer: &str| Statement { about: About::Own, part, answer: answer.to_owned() };
        let example = |part, answer: &str| Statement { about: About::Example, ..own(part, answer) };
        let named = |name: &str, part, answer: &str| Statement {
            about: About::Named(BTreeSet::from([name.to_owned()])),
            ..own(part, answer)
        };
        for (line, expect) in [
            ("# answer: 42", Some(own(None, "42"))),
            ("    // Part 1: 42", Some(own(Some(1), "42"))),
            ("/* Part two answer = 42 */", Some(own(Some(2), "42"))),
            ("print(part1(x))  # part 1: 42", Some(own(Some(1), "42"))),
            ("-- The answer is \"CMZ\".", Some(own(None, "CMZ"))),
            ("# expected for the example: -7", Some(example(None, "-7"))),
            ("# sample answer part 2 -> 8", Some(example(Some(2), "8"))),
            ("assert part1('example.txt') == 11", Some(named("example.txt", Some(1), "11"))),
            ("assert solve(open(\"data/test.txt\").read()) == 11, 'x'", Some(named("test.txt", None, "11"))),
            (
                "assert_eq!(part_two(include_str!(\"../example.txt\")), Some(31));",
                Some(named("example.txt", Some(2), "31")),
            ),
            ("    check(part1(readInput(\"Day01_test\")) == 1)", Some(named("Day01_test", Some(1), "1"))),
            ("# answer: 42 or 43", None),
            ("# the answer of the queue is: 42", None),
            ("# the result of each row: 1", None),
            ("answer = 42", None),
            ("x = 3  # steps: 42", None),
            ("assert part1(EXAMPLE) == 11", None),
            ("assert len(rows) == 3", None),
            ("assert run('sample.txt')==(7,4)", None),
            ("assert run('sample.txt') == (7, 4)", None),
        ] {
            assert_eq!(statements(line), Vec::from_iter(expect), "{line}");
        }
    }

    #[test]
    fn assertions_about_variables() {
        let text = "        let result = part_one(&advent_of_code::template::read_file(\"examples\", DAY));\n\
                    assert_eq!(result, Some(7));\n\
                    let result = part_two(&advent_of_code::template::read_file(\"examples\", DAY));\n\
                    assert_eq!(result, None);\n\
                    got = solve(open('example.txt').read())\nassert got == 8\n";
        let found: Vec<_> = statements(text).into_iter().map(|one| (one.about, one.part, one.answer)).collect();
        let named = About::Named(BTreeSet::from(["example.txt".to_owned()]));
        assert_eq!(found, [(About::Example, Some(1), "7".to_owned()), (named, None, "8".to_owned())]);
    }

    #[test]
    fn only_what_nothing_contradicts_is_an_answer() {
        let input = || Input { name: "input.txt".to_owned(), is_example: false };
        let answer = |text: &str, part| answer_of(&input(), &[input()], &statements(text), part);
        for (text, part, expect) in [
            ("# answer: 42", None, Some("42\n")),
            ("# answer: 42\n# answer: 43", None, None),
            ("# part 1: 42\n# part 2: 43", None, Some("42\n43\n")),
            ("# part 1: 42\n# part 2: 43", Some(2), Some("43\n")),
            ("# part 1: 42", None, None),
            ("# part 1: 42", Some(2), None),
            ("# part 1: 42\n# answer: 43", None, None),
            ("# answer: 42", Some(2), Some("42\n")),
            ("# example answer: 42", None, None),
        ] {
            assert_eq!(answer(text, part).as_deref(), expect, "{text:?} {part:?}");
        }
    }
}
