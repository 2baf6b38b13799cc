//! Tests of the checkers that search: which outputs they accept, and which text they report as missing.

use grader_model::difference::{Excerpt, RelaxedRule};

use super::super::standard::{FaultReason, MeantLine, Mismatch};
use super::super::{Comparator, CompareError, Comparison};
use super::{contains, lines, pattern};

fn run(checker: &str, answer: &[u8], output: &[u8], size: usize) -> Result<Comparison, CompareError> {
    let mut comparator = Comparator::new(checker.parse().unwrap(), answer);
    output.chunks(size).for_each(|chunk| comparator.feed(chunk).unwrap());
    comparator.finish()
}

/// The mismatch; none if the output is accepted. The sizes of chunks must not change it.
#[track_caller]
fn mismatch(checker: &str, answer: impl AsRef<[u8]>, output: impl AsRef<[u8]>) -> Option<Mismatch> {
    let found = |size| {
        let comparison = run(checker, answer.as_ref(), output.as_ref(), size).unwrap();
        let mismatch = comparison.rejection.and_then(|rejection| rejection.mismatch);
        assert_eq!((comparison.accepted, comparison.difference), (mismatch.is_none(), None));
        mismatch
    };
    let whole = found(usize::MAX);
    for size in [1, 2, 3, 7] {
        assert_eq!(found(size), whole, "in chunks of {size}");
    }
    whole
}

#[track_caller]
fn accepts(checker: &str, answer: impl AsRef<[u8]>, outputs: &[&[u8]]) {
    for output in outputs {
        assert_eq!(mismatch(checker, answer.as_ref(), output), None, "{:?}", String::from_utf8_lossy(output));
    }
}

/// The part that was found, the line and the column behind it, and what is there.
#[track_caller]
fn part(checker: &str, answer: &str, output: impl AsRef<[u8]>) -> Option<(String, u64, u64, String)> {
    let (Mismatch::NotContained { part, .. } | Mismatch::NoMatch { part, .. }) =
        mismatch(checker, answer, output).expect("a mismatch")
    else {
        panic!("no search")
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let found = part?;
    let there = found.found.map_or_else(String::new, |found| text(&found.bytes));
    Some((text(&found.part.bytes), found.at.line, found.at.column, there))
}

#[track_caller]
fn fault(checker: &str, answer: &[u8]) -> (FaultReason, String) {
    match run(checker, answer, b"x\n", 1) {
        Err(CompareError::Answer { fault, .. }) => (fault.reason.clone(), fault.to_string()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_text_is_contained_anywhere() {
    accepts("contains", " Hello\n", &[b"Hello", b"Say Hello!", b"x\nHelloHello\n", b"HeHello"]);
    accepts("contains", "a\r\nb\n", &[b"a\nb", b"xa\r\nbx", b"a\ra\r\nb"]);
    accepts("contains", "a\rb", &[b"a\rb"]);
    accepts("contains", "aabaaab", &[b"aabaabaaab", b"aaabaabaaaab aabaaab"]);
    accepts("contains", b"\xff\xfe", &[b"\x00\xff\xfe"]);
    // The byte order mark of an answer does not belong to its text.
    accepts("contains", "\u{feff}x", &[b"x"]);
    let found = |output: &str| part("contains", "Hello, World!", output);
    assert_eq!(found(""), None);
    assert_eq!(found("abc"), None);
    let at = |part: &str, line, column, there: &str| Some((part.to_owned(), line, column, there.to_owned()));
    assert_eq!(found("x\n Hello, world!\n"), at("Hello, ", 2, 9, "world!\n"));
    assert_eq!(found("Hello, World"), at("Hello, World", 1, 13, ""));
    // Of parts that are equally long, the first one.
    assert_eq!(found("Hell Hello Helloo"), at("Hello", 1, 11, " Helloo"));
    assert_eq!(part("contains", "a\nbc", "x a\r\nbd"), at("a\nb", 2, 2, "d"));
}

#[test]
fn searching_is_the_search_of_the_standard_library() {
    let letters = |mut number: u32, length: usize| {
        let letter = |_| {
            let letter = char::from(b'a' + u8::try_from(number % 2).unwrap());
            number /= 2;
            letter
        };
        (0..length).map(letter).collect::<String>()
    };
    for answer in (0..32).map(|number| letters(number, 5)) {
        for output in (0..1024).map(|number| letters(number, 10)) {
            let accepted = run("contains", answer.as_bytes(), output.as_bytes(), 3).unwrap().accepted;
            assert_eq!(accepted, output.contains(&answer), "{answer} {output}");
        }
    }
}

#[test]
fn a_regular_expression_matches_anywhere() {
    accepts("regex", r"Total: \d+ €", &["Total: 5 €".as_bytes(), b"x\nTotal: 12 \xe2\x82\xac\n"]);
    accepts("regex", r"^\d+$", &[b"42", b" \n42\r\n\n", b"\xef\xbb\xbf42\n"]);
    accepts("regex", r"(?m)^b$", &[b"a\r\nb\r\nc\n"]);
    accepts("regex", r"(?i)yes|no", &[b"YES", b"No!"]);
    // `.` matches only characters. Invalid bytes may stand beside the match.
    accepts("regex", r"a.b", &["aäb".as_bytes(), b"\xff a-b \xff"]);
    assert!(mismatch("regex", "a.b", b"a\xffb").is_some());
    accepts("regex", r"(?-u)a\xffb", &[b"a\xffb"]);
    let at = |part: &str, line, column, there: &str| Some((part.to_owned(), line, column, there.to_owned()));
    let found = |output: &str| part("regex", r"Total: \d+ items", output);
    assert_eq!(found("\n  x\nTotal: 12 things\n"), at(r"Total: \d+", 3, 10, " things"));
    assert_eq!(found("Total: x"), at("Total: ", 1, 8, "x"));
    assert_eq!(found("total"), None);
    assert_eq!(part("regex", "yes|no", "maybe"), None);
    assert_eq!(part("regex", r"^\d+$", "12 x"), at(r"^\d+", 1, 3, " x"));
    assert_eq!(part("regex", r"(?i)a\s+[bc]{2}", "A b"), at(r"(?i)a\s+", 1, 3, "b"));
}

#[test]
fn lines_are_compared_in_any_order() {
    accepts("unordered", "a  b\nc\n\nc", &[b"c\na b\nc\n", b"\xef\xbb\xbfc\r\n\r\n c \r\na\tb"]);
    accepts("unordered", "", &[b"", b" \n\n"]);
    let line = |output: &[u8]| match mismatch("unordered", "a b\nc\nc\nd\n", output) {
        Some(Mismatch::Line { line, number, answer, .. }) => (line.bytes, number, answer),
        other => panic!("{other:?}"),
    };
    assert_eq!(line(b"c\n\nx  y\n"), (b"x y".to_vec(), 3, 0));
    assert_eq!(line(b"c\nC\n"), (b"C".to_vec(), 2, 0));
    assert_eq!(line(b"c\nc\nc"), (b"c".to_vec(), 3, 2));
    let missing = |output: &[u8]| match mismatch("unordered", "a b\nc\nc\nd\n", output) {
        Some(Mismatch::MissingLines { count, line, number, times }) => (count, line.bytes, number, times),
        other => panic!("{other:?}"),
    };
    assert_eq!(missing(b"d\nc\na b"), (1, b"c".to_vec(), 2, (1, 2)));
    assert_eq!(missing(b"\n"), (4, b"a b".to_vec(), 1, (0, 1)));
}

#[test]
fn the_line_that_was_meant_is_known() {
    let text = |meant: &Excerpt| String::from_utf8_lossy(&meant.bytes).into_owned();
    let meant = |output: &str| match mismatch("unordered", "Venus\n12\na: b\n", output) {
        Some(Mismatch::Line { meant: Some(MeantLine::OtherCase(meant)), .. }) => format!("case {}", text(&meant)),
        Some(Mismatch::Line { meant: Some(MeantLine::AfterPrompt(meant)), .. }) => format!("prompt {}", text(&meant)),
        Some(Mismatch::Line { meant: None, .. }) => "none".to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!(meant("12\nVENUS"), "case Venus");
    assert_eq!(meant("Enter a name: Venus"), "prompt Venus");
    assert_eq!(meant("How many?12"), "prompt 12");
    assert_eq!(meant("Which: a: b"), "prompt a: b");
    for output in ["3 12", "12:12", "n: 12 13", "name Venus", "12\n12"] {
        assert_eq!(meant(output), "none", "{output}");
    }
}

#[test]
fn relaxed_rules_that_would_accept_are_named() {
    let case = RelaxedRule::IgnoreCase;
    let space = RelaxedRule::IgnoreWhiteSpace;
    for (checker, answer, output, rules) in [
        ("contains", "Hello World", "say hello world!", vec![case]),
        ("contains", "Hello World", "Hello\r\n\t World", vec![space]),
        ("contains", "Hello World", "HELLO  WORLD", vec![case, space]),
        ("contains", "Hello World", "Hello Wor  ld", vec![]),
        ("contains", "a  b", "x a b", vec![space]),
        ("contains", "12", "1 2", vec![]),
        ("regex", r"Total: \d+", "TOTAL: 5", vec![case]),
        ("regex", r"Total: \d+", "Total:   5", vec![space]),
        ("regex", r"Total: \d+ x", "total:\n5  X", vec![case, space]),
        ("regex", r"Total: \d+", "Total: x", vec![]),
    ] {
        for size in [1, 2, usize::MAX] {
            let rejection = run(checker, answer.as_bytes(), output.as_bytes(), size).unwrap().rejection;
            assert_eq!(rejection.map(|rejection| rejection.would_accept), Some(rules.clone()), "{answer:?} {output:?}");
        }
    }
}

#[test]
fn an_answer_that_is_none_is_a_fault() {
    for checker in ["contains", "regex"] {
        assert_eq!(fault(checker, b" \r\n").0, FaultReason::Blank);
    }
    assert_eq!(fault("contains", &vec![b'x'; contains::MOST + 1]).0, FaultReason::TooLarge(contains::MOST));
    assert_eq!(fault("regex", &vec![b'x'; pattern::MOST + 1]).0, FaultReason::TooLarge(pattern::MOST));
    assert_eq!(fault("unordered", &vec![b'x'; lines::MOST + 1]).0, FaultReason::TooLarge(lines::MOST));
    for (expression, told) in [
        (&b"a\n (b"[..], "line 2, column 2 of the answer: no regular expression: unclosed group"),
        (b"(?=a)", "line 1, column 1 of the answer: no regular expression: look-around"),
        (br"(a)\1", "line 1, column 4 of the answer: no regular expression: backreferences are not supported"),
        (br"\p{Nothing}", "line 1, column 1 of the answer: no regular expression: Unicode property not found"),
        (br"(\w{100}){100}", "line 1, column 1 of the answer: no regular expression: it takes more than 1024 KiB"),
        (b"a\xff", "line 1, column 2 of the answer: no regular expression: not UTF-8"),
    ] {
        let (_, said) = fault("regex", expression);
        assert!(said.starts_with(told), "{said}");
    }
}

#[test]
fn what_is_kept_of_an_output_is_bounded() {
    let endless = |checker: &str, answer: &str, chunk: &[u8]| {
        let mut comparator = Comparator::new(checker.parse().unwrap(), answer.as_bytes());
        (0..300).for_each(|_| comparator.feed(chunk).unwrap());
        (comparator.decided_wrong(), comparator.finish().unwrap().rejection.and_then(|rejection| rejection.mismatch))
    };
    let chunk = vec![b'a'; 1 << 16];
    let (decided, found) = endless("regex", "b", &chunk);
    assert!(decided && found == Some(Mismatch::TooLong { most: 1 << 20 }), "{found:?}");
    let (decided, found) = endless("unordered", "b", &chunk);
    assert!(decided && matches!(found, Some(Mismatch::Line { number: 1, .. })), "{found:?}");
    let (decided, found) = endless("contains", "aab", &chunk);
    assert!(!decided && matches!(found, Some(Mismatch::NotContained { part: Some(_), .. })), "{found:?}");
}
