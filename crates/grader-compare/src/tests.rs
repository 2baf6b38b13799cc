//! Examples and properties of the comparator.

use std::io::{self, Read};

use proptest::prelude::*;

use grader_model::difference::{DifferenceKind, Later, Position, RelaxedRule, SideText, Text};
use grader_model::problem::{Checker, TokenOptions};

use super::oracle::check;
use super::*;

fn checker(words: &str) -> Checker {
    words.parse().unwrap()
}

/// Compares in chunks and reads of several sizes and expects the same result each time.
#[track_caller]
fn compare(words: &str, output: &[u8], answer: &[u8]) -> Comparison {
    let whole = check(checker(words), output, answer, &[usize::MAX], usize::MAX);
    for (chunk, reads) in [(1, usize::MAX), (usize::MAX, 1), (1, 1), (2, 3), (7, 5)] {
        let pieces = check(checker(words), output, answer, &[chunk], reads);
        assert_eq!(pieces, whole, "in chunks of {chunk} and reads of {reads}");
    }
    whole
}

#[test]
fn verdicts_of_the_default_output_validator() {
    let rocket = format!("1.4{}", "🚀".repeat(40));
    for (words, answer, output, accepted) in [
        ("tokens", "1 2 3\n", "1 2 3\n", true),
        ("tokens", "1 2 3\n", "\t1\r\n2\x0b\x0c3", true),
        ("tokens", "1 2 3\n", "1 2 4\n", false),
        ("tokens", "1 2 3\n", "1 2\n", false),
        ("tokens", "1 2 3\n", "1 2 3 4\n", false),
        ("tokens", "1 23\n", "12 3\n", false),
        ("tokens", "", "", true),
        ("tokens", "", " \n", true),
        ("tokens", "\n", "", true),
        ("tokens", "", "x", false),
        ("tokens", "x", "", false),
        ("tokens", "x", "\n\n", false),
        ("tokens", "Yes", "yEs", true),
        ("tokens", "ä", "Ä", false),
        ("tokens", "a\0b", "a\0c", false),
        ("tokens", "a\u{a0}b", "a b", false),
        ("tokens", "1.0", "1.00", false),
        ("tokens", "7", "007", false),
        ("case_sensitive", "Yes", "yes", false),
        ("case_sensitive", "Yes", " Yes\n\n", true),
        ("space_change_sensitive", "a b\n", "A B\n", true),
        ("space_change_sensitive", "a b\n", "a b", false),
        ("space_change_sensitive", "a b\n", "a  b\n", false),
        ("space_change_sensitive", "a b\n", "a\tb\n", false),
        ("space_change_sensitive", "a b\n", " a b\n", false),
        ("space_change_sensitive", "hello\nworld", "hello\n world", false),
        ("space_change_sensitive float=1", "1 2\n", "1.5 2.00\n", true),
        // As DMOJ's checker `standard`.
        ("line_sensitive", "a b\nc\n", " a  b\n\nc", true),
        ("line_sensitive", "a b\nc\n", "\n a\tb \n c\n\n", true),
        ("line_sensitive", "a b\nc\n", "a b c\n", false),
        ("line_sensitive", "a b\nc\n", "a\nb\nc\n", false),
        ("line_sensitive", "a\nb\n", "a\n\nb\n", true),
        ("line_sensitive", "\n\na", "a\n", true),
        ("line_sensitive float=1", "1 2\n", "1.5\n2\n", false),
        ("exact", "a b\n", "a b\n", true),
        ("exact", "a b\n", "a B\n", false),
        ("exact", "a b\n", "a b", false),
        ("exact", "", "\n", false),
        ("float=1e-6", "1.0", "1.0000005", true),
        ("float=1e-6", "1.0", "1.00001", false),
        ("float=1e-6", "1", "1.", true),
        ("float=1e-6", "1e6", "1000000.9", true),
        ("float=1e-6", "inf", "INF", true),
        ("float=0.5", "inf", "0", false),
        ("float=0.5", "1e999", "0", false),
        ("float=0.5", "1", "nan", false),
        ("float=0.5", "1", "1e999", false),
        ("float=0.5", "1", "0x1", false),
        ("float=0.5", "0x1", "1", false),
        ("float=0.5", "1", &rocket, false),
        ("float=0.5", "pi", "PI", true),
        ("float=0", "1e2", "100.0", true),
        ("float_relative_tolerance 0.01", "0", "1", false),
        ("float_relative_tolerance 0.01", "0", "-0.0", true),
        ("float_relative_tolerance 0.01", "100", "101", true),
        ("float_relative_tolerance 0.01", "101", "100", true),
        ("float_relative_tolerance 0.01", "100", "101.5", false),
        ("float_absolute_tolerance 0.01", "100", "101", false),
        ("float_absolute_tolerance 0.5", "-1", "-1.5", true),
        ("float=0.5 case_sensitive", "a 1", "A 1", false),
    ] {
        let comparison = compare(words, output.as_bytes(), answer.as_bytes());
        assert_eq!(comparison.accepted, accepted, "{words}: {answer:?} {output:?} {comparison:?}");
    }
}

#[test]
fn the_kind_tells_what_is_wrong() {
    use DifferenceKind as Kind;
    use RelaxedRule::{IgnoreCase, IgnoreWhiteSpace, SortLines, Tolerance};
    for (words, answer, output, kind, would) in [
        ("tokens", "1 2 3", "1 5 3", Kind::Token, vec![]),
        ("case_sensitive", "Yes No", "yes NO", Kind::Case, vec![IgnoreCase]),
        ("case_sensitive", "Yes No", "yes On", Kind::Case, vec![]),
        ("exact", "Yes No\n", "yes  No", Kind::Case, vec![IgnoreCase, IgnoreWhiteSpace]),
        ("exact", "a b\n", "a b", Kind::WhiteSpace, vec![IgnoreWhiteSpace]),
        ("exact", "a b\n", "a", Kind::Missing, vec![]),
        ("tokens", "a b", "a\n", Kind::Missing, vec![]),
        ("tokens", "a b", "a b c", Kind::Extra, vec![]),
        ("tokens", "a b", " \n ", Kind::Blank, vec![]),
        ("tokens", "a b", "", Kind::Empty, vec![]),
        ("tokens", "1.5 x", "1.50 x", Kind::Token, vec![Tolerance(0.0)]),
        ("tokens", "1.5 x", "1.50 y", Kind::Token, vec![]),
        ("tokens", "1234567890123456789", "1234567890123456788", Kind::Token, vec![]),
        ("tokens", "1234567890123456789", "+01234567890123456789", Kind::Token, vec![Tolerance(0.0)]),
        ("tokens", "1234567890123456789.0", "1234567890123456788.0", Kind::Token, vec![Tolerance(f64::EPSILON)]),
        ("tokens", "1000", "1e3", Kind::Token, vec![Tolerance(0.0)]),
        ("tokens", "0", "-0", Kind::Token, vec![Tolerance(0.0)]),
        ("tokens", "5", "+5", Kind::Token, vec![Tolerance(0.0)]),
        ("tokens", "16", "0x10", Kind::Token, vec![]),
        ("tokens", "1000", "1_000", Kind::Token, vec![]),
        ("tokens", "nan", "NaN(1)", Kind::Token, vec![]),
        ("tokens", "inf", "1e999", Kind::Token, vec![]),
        ("float=1e-9", "2 4.0", "2 4.5", Kind::Number { absolute: 0.5, relative: Some(0.125) }, vec![]),
        ("float=1e-9", "0.0", "3", Kind::Number { absolute: 3.0, relative: None }, vec![]),
        (
            "float=1e-9",
            "512.0",
            "513.0",
            Kind::Number { absolute: 1.0, relative: Some(0.001_953_125) },
            vec![Tolerance(0.001_953_125)],
        ),
        ("float=1e-9", "512", "513", Kind::Number { absolute: 1.0, relative: Some(0.001_953_125) }, vec![]),
        ("float=1e-9", "1", "one", Kind::NotANumber, vec![]),
        ("tokens", "3000000000", "-1294967296", Kind::Overflow { bits: 32 }, vec![]),
        ("float=1e-9", "3000000000", "-1294967296", Kind::Overflow { bits: 32 }, vec![]),
        ("tokens", "1\n2\n3\n", "1\n3\n2\n", Kind::LineOrder, vec![SortLines]),
        ("tokens", "1\n2 x\n3\n", "3\n2 X\n1", Kind::LineOrder, vec![SortLines]),
        ("tokens", "1 2\n3\n", "1 3\n2\n", Kind::Token, vec![]),
        ("tokens", "1\n2\n3\n4\n", "1\n4\n", Kind::MissingLines { count: 2 }, vec![]),
        ("tokens", "1\n4\n", "1\n\n2\n3\n4\n", Kind::ExtraLines { count: 2 }, vec![]),
        ("exact", "1\n2\n3\n", "2\n3\n1\n", Kind::LineOrder, vec![SortLines]),
        ("exact", "1\n2\n3\n", "2\n3\n1", Kind::Token, vec![]),
    ] {
        let comparison = compare(words, output.as_bytes(), answer.as_bytes());
        let difference = comparison.difference.unwrap();
        assert_eq!((difference.kind, difference.would_accept), (kind, would), "{words}: {answer:?} {output:?}");
    }
}

#[test]
fn places_are_those_of_the_tokens() {
    let comparison = compare("tokens", "grün ja\n  x 1\n".as_bytes(), "grün ja\nx 2\n".as_bytes());
    let difference = comparison.difference.unwrap();
    assert_eq!(difference.expected.at, Position { line: 2, column: 3, in_bytes: false, offset: 11 });
    assert_eq!(difference.actual.at, Position { line: 2, column: 5, in_bytes: false, offset: 13 });
    let comparison = compare("tokens", b"1\n2\n\n\n", b"1\n2\n3\n");
    let difference = comparison.difference.unwrap();
    assert_eq!(
        difference.actual,
        SideText { at: Position { line: 2, column: 2, in_bytes: false, offset: 3 }, differs: None, what: Text::End }
    );
}

#[test]
fn leniency_tells_what_another_judge_would_refuse() {
    let none = Leniency::default();
    for (words, answer, output, leniency) in [
        ("tokens", "a b\n", "a b\n", none),
        ("tokens", "a b\n", "A b\n", Leniency { case: true, ..none }),
        ("tokens", "a b\n", "a b", Leniency { spacing: true, ..none }),
        ("tokens", "a b\n", "a b\n\n\n", Leniency { spacing: true, ..none }),
        ("tokens", "a b\n", "a\nb\n", Leniency { spacing: true, lines: true, ..none }),
        ("tokens", "a b\n", "\na b\n", Leniency { spacing: true, lines: true, ..none }),
        ("float=1", "a 1\n", "a 2\n", Leniency { numbers: true, ..none }),
    ] {
        let comparison = compare(words, output.as_bytes(), answer.as_bytes());
        assert!(comparison.accepted);
        assert_eq!(comparison.leniency, leniency, "{answer:?} {output:?}");
    }
}

#[test]
fn a_cut_output_is_neither_accepted_nor_explained() {
    let mut comparator = Comparator::new(Checker::default(), &b"1\n2\n3\n"[..]);
    comparator.feed(b"1\n2\n3\n").unwrap();
    let comparison = comparator.cut_off();
    assert!(!comparison.accepted && !comparison.identical && comparison.difference.is_none());
    let mut comparator = Comparator::new(Checker::default(), &b"1\n2\n3\n"[..]);
    comparator.feed(b"1\n3\n2\n").unwrap();
    assert!(comparator.decided_wrong());
    assert_eq!(comparator.cut_off().difference.unwrap().kind, DifferenceKind::Token);
}

#[test]
fn an_unreadable_answer_is_an_error_and_no_verdict() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("disk on fire"))
        }
    }
    let mut comparator = Comparator::new(Checker::default(), Broken);
    assert!(comparator.feed(b"").is_ok());
    assert_eq!(comparator.feed(b"x").unwrap_err().to_string(), "disk on fire");
    assert!(Comparator::new(Checker::default(), Broken).finish().is_err());
}

#[test]
fn a_shortened_answer_is_noticed_when_the_output_is_rebuilt() {
    let comparison = compare("tokens", b"1 2 3", b"1 2 4");
    let error = comparison.capture.write_to(&mut &b"1 2"[..], &mut Vec::new()).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
}

/// Returns `front`, then enough copies of `middle` to exceed any buffer, then `end`.
fn long(front: &str, middle: &str, end: &str) -> Vec<u8> {
    [front, &middle.repeat(300_000 / middle.len()), end].concat().into_bytes()
}

#[test]
fn tokens_longer_than_any_buffer() {
    let digits = |end: &str| long("0.", "3", end);
    for (words, answer, output, accepted) in [
        ("tokens", long("x", "ab", "c d"), long("x", "ab", "c d"), true),
        ("tokens", long("x", "ab", "c d"), long("X", "aB", "C D"), true),
        ("case_sensitive", long("x", "ab", "c d"), long("X", "aB", "C D"), false),
        ("tokens", long("x", "ab", "c d"), long("x", "ab", "e d"), false),
        ("tokens", long("x", "ab", "c d"), long("x", "ab", "cc d"), false),
        ("tokens", long("x", " ", "y"), long("x", "\n", "y"), true),
        ("space_change_sensitive", long("x", " ", "y"), long("x", " ", "  y"), false),
        ("float=1e-9", digits("4 a"), digits("9 a"), true),
        ("float=1e-9", digits("4"), b"0.3333333333".to_vec(), true),
        ("float=1e-9", b"0.3333333333".to_vec(), digits("4"), true),
        ("float=1e-9", digits("4"), digits("4e1"), false),
        ("float=1e-9", digits("4"), digits("x"), false),
        ("float=1e-9", long("", "0", "7"), b"7.0".to_vec(), true),
        ("float=1e-9", long("1", "0", "e-300000"), b"1".to_vec(), true),
        ("float=1e-9", long("1", "0", ""), b"1".to_vec(), false),
    ] {
        for (chunk, reads) in [(usize::MAX, usize::MAX), (4096, 65536), (65536, 1000), (1009, 7919)] {
            let comparison = check(checker(words), &output, &answer, &[chunk], reads);
            assert_eq!(comparison.accepted, accepted, "{words}, chunks of {chunk}: {:?}", comparison.difference);
        }
    }
}

#[test]
fn a_difference_deep_in_a_token_is_shown() {
    let comparison = check(Checker::default(), &long("", "ab", "!?"), &long("", "ab", "c"), &[4096], 65536);
    let difference = comparison.difference.unwrap();
    let Text::Token(excerpt) = difference.actual.what else { panic!("no token") };
    let around = [&b"ab".repeat(32)[..], b"!?"].concat();
    assert_eq!(excerpt.later, Some(Later { offset: 300_000 - 64, bytes: around }));
    assert_eq!(difference.actual.differs.map(|place| (place.column, place.offset)), Some((300_001, 300_000)));
    assert!(excerpt.is_cut());
}

#[test]
fn differences_survive_json() {
    let comparison = compare("float=1e-9", b"1\n\xff2.5\\", b"1\n2.5\n");
    let difference = comparison.difference.unwrap();
    let json = serde_json::to_string(&difference).unwrap();
    assert!(
        json.starts_with(r#"{"kind":"not_a_number","expected":{"at":{"line":2,"column":1,"offset":2},"what":{"token""#),
        "{json}"
    );
    assert_eq!(serde_json::from_str::<Difference>(&json).unwrap(), difference);
}

/// The approximate memory that a comparator has allocated.
fn footprint(comparator: &Comparator<'_>) -> usize {
    match &comparator.0 {
        Kind::Lockstep(comparison) => {
            size_of_val(&**comparison)
                + comparison.capture.footprint()
                + comparison.answer.footprint()
                + comparison.output.footprint()
        }
        Kind::Standard(comparison) => comparison.footprint(),
    }
}

#[test]
fn memory_does_not_grow_with_the_output() {
    let size = 4 << 20;
    for (words, byte, other) in
        [("tokens", b'x', b'X'), ("float=1", b'1', b'2'), ("tokens", b' ', b'\n'), ("exact", b'x', b'y')]
    {
        for begin in [&b""[..], b"1", b" ", b"a\nb"] {
            let mut comparator = Comparator::new(checker(words), io::repeat(byte).take(size));
            comparator.feed(begin).unwrap();
            let chunk = vec![other; 1 << 16];
            for _ in 0..size >> 16 {
                comparator.feed(&chunk).unwrap();
            }
            assert!(footprint(&comparator) < 2 << 20, "{words} {begin:?}: {}", footprint(&comparator));
            comparator.finish().unwrap();
        }
    }
}

fn token() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => "[a-zA-Z]{1,6}",
        4 => "-?[0-9]{1,4}",
        4 => "[+-]?([0-9]{0,3}\\.[0-9]{1,6}|[0-9]{1,3}\\.)([eE][+-]?[0-9]{1,3})?",
        1 => "[0-9.eE+-]{1,8}",
        1 => prop_oneof![Just("nan"), Just("inf"), Just("0x10"), Just("1e999"), Just("4294967295"), Just("-1"), Just("é"), Just("😀")]
            .prop_map(str::to_owned),
        1 => ("[a-z]", 190_usize..600).prop_map(|(letter, count)| letter.repeat(count)),
        1 => ("[0-9]", 190_usize..600).prop_map(|(digit, count)| format!("0.{}", digit.repeat(count))),
    ]
    .prop_map(String::into_bytes)
    .prop_flat_map(|token| prop_oneof![20 => Just(token), 1 => prop::collection::vec(any::<u8>(), 1..5)])
}

/// Two spellings of integers of up to 300 digits, which are equal or differ a little, and whether they are equal.
fn integers() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let spelling =
        ("0{0,3}", prop_oneof![3 => Just(""), 1 => Just("."), 1 => Just(".00"), 1 => Just("e0"), 1 => Just("0e-1")]);
    let digits = prop_oneof![2 => "[0-9]{15,20}", 1 => "[0-9]{190,300}", 1 => "[0-9]{1,4}"];
    let change = prop::option::of((any::<prop::sample::Index>(), 0_u8..10));
    (digits, "[+-]?", spelling, change, "[+-]?").prop_map(|(digits, sign, (zeros, end), change, other_sign)| {
        let mut other = digits.clone().into_bytes();
        if let Some((index, digit)) = change {
            *index.get_mut(&mut other) = b'0' + digit;
        }
        let other = [other_sign.as_bytes(), zeros.as_bytes(), &other, end.as_bytes()].concat();
        (format!("{sign}{digits}").into_bytes(), other)
    })
}

fn space() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        8 => Just(" "),
        8 => Just("\n"),
        2 => Just("\r\n"),
        1 => "[ \n\t\r\x0b\x0c]{1,4}".prop_map(|space| &*String::leak(space)),
        1 => Just("\n\n"),
    ]
    .prop_map(|space| space.as_bytes().to_vec())
}

/// A change to the answer that makes an output.
#[derive(Debug, Clone)]
enum Edit {
    Case,
    Space(Vec<u8>),
    Replace(Vec<u8>),
    Remove,
    Repeat,
    Swap,
    /// Multiplies a number by about 1 + ε.
    Nudge(f64),
    CutAfter,
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        3 => Just(Edit::Case),
        4 => space().prop_map(Edit::Space),
        1 => token().prop_map(Edit::Replace),
        1 => Just(Edit::Remove),
        1 => Just(Edit::Repeat),
        1 => Just(Edit::Swap),
        4 => prop_oneof![Just(0.0), Just(1e-6), Just(-1e-6), Just(0.999_999e-6), Just(1.000_001e-6), Just(0.25), Just(-0.5)]
            .prop_map(Edit::Nudge),
        1 => Just(Edit::CutAfter),
    ]
}

type Words = Vec<(Vec<u8>, Vec<u8>)>;

fn apply(words: &mut Words, edits: &[(prop::sample::Index, Edit)]) {
    for (index, edit) in edits {
        if words.is_empty() {
            return;
        }
        let i = index.index(words.len());
        match edit {
            Edit::Case => words[i].0.iter_mut().for_each(|byte| {
                *byte = if byte.is_ascii_lowercase() { byte.to_ascii_uppercase() } else { byte.to_ascii_lowercase() }
            }),
            Edit::Space(space) => words[i].1.clone_from(space),
            Edit::Replace(token) => words[i].0.clone_from(token),
            Edit::Remove => drop(words.remove(i)),
            Edit::Repeat => words.insert(i, words[i].clone()),
            Edit::Swap => {
                let j = (i + 1) % words.len();
                words.swap(i, j);
            }
            Edit::Nudge(epsilon) => {
                let number = str::from_utf8(&words[i].0).ok().and_then(|text| text.parse::<f64>().ok());
                if let Some(number) = number {
                    words[i].0 = format!("{:?}", number + epsilon * number.abs().max(1.0)).into_bytes();
                }
            }
            Edit::CutAfter => words.truncate(i + 1),
        }
    }
}

fn text(front: &[u8], words: &Words, end: bool) -> Vec<u8> {
    let mut text = front.to_vec();
    for (token, space) in words {
        text.extend(token);
        text.extend(space);
    }
    if !end {
        text.pop();
    }
    text
}

fn any_checker() -> impl Strategy<Value = Checker> {
    let epsilon = prop_oneof![3 => Just(None), 2 => Just(Some(1e-6)), 1 => Just(Some(0.25)), 1 => Just(Some(0.0))];
    let tokens = (any::<bool>(), 0..3, epsilon.clone(), epsilon).prop_map(|(case, space, relative, absolute)| {
        Checker::Tokens(TokenOptions {
            case_sensitive: case,
            space_change_sensitive: space == 1,
            line_sensitive: space == 2,
            float_relative: relative,
            float_absolute: absolute,
            numbers: <_>::default(),
            labels: false,
        })
    });
    prop_oneof![1 => Just(Checker::Exact), 8 => tokens]
}

fn sizes() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![
        Just(vec![1]),
        Just(vec![usize::MAX]),
        prop::collection::vec(1_usize..20, 1..5),
        prop::collection::vec(1_usize..400, 1..5)
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4 * ProptestConfig::default().cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn near_misses_are_judged_as_the_slow_way_judges_them(
        checker in any_checker(),
        words in prop::collection::vec((token(), space()), 0..12),
        fronts in (prop_oneof![4 => Just(Vec::new()), 1 => space()], prop_oneof![4 => Just(Vec::new()), 1 => space()]),
        ends in (any::<bool>(), any::<bool>()),
        edits in prop::collection::vec((any::<prop::sample::Index>(), edit()), 0..4),
        chunks in sizes(),
        reads in prop_oneof![Just(1), Just(usize::MAX), 1_usize..50],
    ) {
        let answer = text(&fronts.0, &words, ends.0);
        let mut words = words;
        apply(&mut words, &edits);
        let output = text(&fronts.1, &words, ends.1);
        let comparison = check(checker, &output, &answer, &chunks, reads);
        prop_assert_eq!(check(checker, &output, &answer, &[usize::MAX], usize::MAX), comparison);
    }

    #[test]
    fn case_of_every_token_is_judged_as_the_slow_way_judges_it(
        checker in any_checker(),
        words in prop::collection::vec((prop_oneof![4 => token(), 1 => "[@`\\[{é]{1,9}".prop_map(String::into_bytes)], space()), 20..60),
        flips in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
        edits in prop::collection::vec((any::<prop::sample::Index>(), edit()), 0..3),
        chunks in sizes(),
        reads in prop_oneof![Just(usize::MAX), 1_usize..400],
    ) {
        let answer = text(b"", &words, true);
        let mut words = words;
        apply(&mut words, &edits);
        let mut output = text(b"", &words, true).to_ascii_uppercase();
        if !output.is_empty() {
            // The bit that distinguishes upper and lower case, in any byte: `@` and a backtick are not letters.
            for index in flips {
                *index.get_mut(&mut output) ^= 0x20;
            }
        }
        let comparison = check(checker, &output, &answer, &chunks, reads);
        prop_assert_eq!(check(checker, &output, &answer, &[usize::MAX], usize::MAX), comparison);
    }

    #[test]
    fn numbers_are_said_to_be_the_same_exactly_where_they_are((answer, output) in integers(), sizes in sizes()) {
        let comparison = check(checker("tokens"), &output, &answer, &sizes, 7);
        let same = oracle::by_hand(&output) == oracle::by_hand(&answer);
        let would = comparison.difference.map_or_else(Vec::new, |difference| difference.would_accept);
        prop_assert_eq!(would == [RelaxedRule::Tolerance(0.0)], same && output != answer);
    }

    #[test]
    fn few_bytes_in_every_combination(
        checker in any_checker(),
        answer in "[aA1.e \n\t\0]{0,9}",
        output in "[aA1.e \n\t\0]{0,9}",
        chunks in sizes(),
        reads in 1_usize..5,
    ) {
        check(checker, output.as_bytes(), answer.as_bytes(), &chunks, reads);
    }

    #[test]
    fn arbitrary_bytes_never_panic(
        checker in any_checker(),
        answer in prop::collection::vec(any::<u8>(), 0..300),
        output in prop::collection::vec(any::<u8>(), 0..300),
        chunks in sizes(),
    ) {
        check(checker, &output, &answer, &chunks, 7);
    }
}
