//! Tests of the facts beside the decisions, which `tests/standard.rs` checks: places, kinds, and the kept output.

use std::io::{self, Read};

use grader_model::difference::{Difference, DifferenceKind, Position, Text};
use grader_model::problem::Checker;

use super::super::{Capture, Comparator, CompareError, Comparison};
use super::{FaultReason, Form, Mismatch};

fn run(checker: &str, answer: &[u8], output: &[u8], size: usize) -> Result<Comparison, CompareError> {
    let checker: Checker = checker.parse().unwrap();
    let mut comparator = Comparator::new(checker, answer);
    output.chunks(size).for_each(|chunk| comparator.feed(chunk).unwrap());
    comparator.finish()
}

/// The difference, which must not depend on the sizes of chunks.
#[track_caller]
fn difference(checker: &str, answer: &str, output: &str) -> Difference {
    let found = |size| run(checker, answer.as_bytes(), output.as_bytes(), size).unwrap().difference.unwrap();
    let whole = found(usize::MAX);
    for size in [1, 2, 5] {
        assert_eq!(found(size), whole, "in chunks of {size}");
    }
    whole
}

fn place(position: Position) -> (u64, u64, u64) {
    (position.line, position.column, position.offset)
}

#[test]
fn differences_have_places_and_kinds() {
    use DifferenceKind as Kind;
    for (checker, answer, output, kind, of_answer, of_output) in [
        ("wcmp", "a b\nc\n", "a\nb d\n", Kind::Token, (2, 1, 4), (2, 3, 4)),
        ("wcmp", "a B\n", "ä b\n", Kind::Token, (1, 1, 0), (1, 1, 0)),
        ("wcmp", "ä B\n", "ä b\n", Kind::Case, (1, 3, 3), (1, 3, 3)),
        ("wcmp", "a b\n", "a  \n", Kind::Missing, (1, 3, 2), (1, 2, 1)),
        ("wcmp", "a\n", "a\n b\n", Kind::Extra, (1, 2, 1), (2, 2, 3)),
        ("wcmp", "a\n", "", Kind::Empty, (1, 1, 0), (1, 1, 0)),
        ("wcmp", "a\n", " \n", Kind::Blank, (1, 1, 0), (1, 1, 0)),
        ("ncmp", "1 2\n", "1 +2\n", Kind::NotAnInteger { bits: Some(64) }, (1, 3, 2), (1, 3, 2)),
        ("ncmp", "4294967296\n", "0\n", Kind::Overflow { bits: 32 }, (1, 1, 0), (1, 1, 0)),
        ("ncmp", "1 2 3\n", "1\n", Kind::Missing, (1, 3, 2), (1, 2, 1)),
        ("hcmp", "5\n", "05\n", Kind::NotAnInteger { bits: None }, (1, 1, 0), (1, 1, 0)),
        ("rcmp6", "1 2\n", "1 x\n", Kind::NotANumber, (1, 3, 2), (1, 3, 2)),
        ("rcmp6", "4\n", "6\n", Kind::Number { absolute: 2.0, relative: Some(0.5) }, (1, 1, 0), (1, 1, 0)),
        ("rcmp6", "1\n", "1 2\n", Kind::Extra, (1, 2, 1), (1, 3, 2)),
        ("fcmp", "a b\nc\n", "a b\nd\n", Kind::Token, (2, 1, 4), (2, 1, 4)),
        ("fcmp", "a b\n", "a  b\n", Kind::Token, (1, 3, 2), (1, 3, 2)),
        ("fcmp", "a\nb\n", "a\n", Kind::Missing, (2, 1, 2), (1, 2, 1)),
        ("lcmp", "a b\nc\n", " a  b\nc d\n", Kind::Token, (2, 2, 5), (2, 3, 8)),
        ("casencmp", "Case 1: 5\n", "Case 1: 6\n", Kind::Token, (1, 9, 8), (1, 9, 8)),
        ("caseicmp", "Case 1: 5\n", "Case 1: 5\nCase 2: 6\n", Kind::Extra, (1, 10, 9), (2, 9, 18)),
        ("yesno", "YES\n", "no\n", Kind::Token, (1, 1, 0), (1, 1, 0)),
    ] {
        let found = difference(checker, answer, output);
        let places = (place(found.expected.at), place(found.actual.at));
        assert_eq!((found.kind, places), (kind, (of_answer, of_output)), "{checker} {answer:?} {output:?}");
    }
}

#[test]
fn long_tokens_show_what_differs() {
    let long = |end: &str| format!("{}{end}\n", "a".repeat(100_000));
    let found = difference("wcmp", &long("b"), &long("c"));
    let Text::Token(excerpt) = &found.actual.what else { panic!("a token") };
    assert_eq!((excerpt.length, found.actual.focus().offset), (100_001, 100_000));
    assert!(excerpt.later.as_ref().unwrap().bytes.ends_with(b"aac"));
}

#[test]
fn comparisons_without_order_say_what_is_not_there() {
    let unordered = |answer: &str, output: &str| {
        let comparison = run("uncmp", answer.as_bytes(), output.as_bytes(), 3).unwrap();
        assert!(comparison.difference.is_none());
        comparison.rejection.unwrap().mismatch.unwrap()
    };
    assert_eq!(unordered("1 2", "2"), Mismatch::Count { output: 1, answer: 2 });
    assert_eq!(unordered("1 2 2 3", "3 1 3 2"), Mismatch::Number { value: 2, output: 1, answer: 2 });
    assert_eq!(unordered("5 5", "-7 5"), Mismatch::Number { value: -7, output: 1, answer: 0 });
}

#[test]
fn an_answer_that_cannot_be_kept_is_a_fault_and_no_verdict() {
    let many = b"1 ".repeat((1 << 24) + 1);
    let Err(CompareError::Answer { fault, .. }) = run("uncmp", &many, b"1", 1) else { panic!("a fault") };
    assert_eq!(fault.reason, FaultReason::TooManyNumbers(1 << 24));
    let Err(CompareError::Answer { fault, capture }) = run("icmp", b"\n x\n", b"7\n", 1) else { panic!("a fault") };
    assert_eq!((&fault.reason, place(fault.at)), (&FaultReason::Expected(Form::Integer { bits: 32 }), (2, 2, 2)));
    assert_eq!(fault.to_string(), "line 2, column 2 of the answer: expected an integer of 32 bits, found `x`");
    assert_eq!(capture.total(), 2);
}

#[test]
fn tokens_longer_than_testlib_reads_are_malformed() {
    let long = vec![b'x'; (32 << 20) + 1];
    assert!(run("wcmp", b"x", &long, 1 << 16).unwrap().rejection.unwrap().malformed);
    assert!(!run("wcmp", b"x", &long[1..], 1 << 16).unwrap().rejection.unwrap().malformed);
    let Err(CompareError::Answer { fault, .. }) = run("wcmp", &long, b"x", 1) else { panic!("a fault") };
    assert_eq!(fault.reason, FaultReason::TooLong);
}

#[test]
fn a_decision_comes_as_early_as_it_can_and_stays() {
    let mut comparator = Comparator::new("wcmp".parse().unwrap(), &b"1 2 3\n"[..]);
    comparator.feed(b"1 4 ").unwrap();
    assert!(comparator.decided_wrong());
    comparator.feed(&vec![b'5'; 3 << 20]).unwrap();
    let cut = comparator.cut_off();
    assert!(!cut.accepted && cut.difference.is_some());
    assert_eq!((cut.capture.kept().len(), cut.capture.total()), (Capture::MAX, 4 + (3 << 20)));
    let undecided = Comparator::new("wcmp".parse().unwrap(), &b"1\n"[..]).cut_off();
    assert!(!undecided.accepted && undecided.difference.is_none() && undecided.rejection.is_none());
}

#[test]
fn the_output_around_a_late_difference_is_kept() {
    let mut output = b"1\n".repeat(2 << 20);
    let answer = output.clone();
    let late = output.len() - 2;
    output[late] = b'2';
    let comparison = run("ncmp", &answer, &output, 1 << 16).unwrap();
    assert_eq!(comparison.difference.unwrap().actual.at.offset, late as u64);
    assert!(comparison.capture.near().unwrap().ends_with(b"1\n2\n"));
}

#[test]
fn an_unreadable_answer_is_an_error_whoever_asks() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("disk on fire"))
        }
    }
    let mut comparator = Comparator::new("wcmp".parse().unwrap(), Broken);
    assert_eq!(comparator.feed(b"x").unwrap_err().to_string(), "disk on fire");
    assert!(comparator.feed(b"x").is_err());
    assert!(matches!(comparator.finish(), Err(CompareError::Unreadable(_))));
}

/// Tokens with their offsets, as testlib separates them.
fn tokens(text: &[u8]) -> Vec<(u64, &[u8])> {
    let is_blank = |byte: &u8| b" \t\n\r".contains(byte);
    let mut at = 0;
    let mut found = Vec::new();
    for token in text.split(is_blank) {
        if !token.is_empty() {
            found.push((at, token));
        }
        at += token.len() as u64 + 1;
    }
    found
}

#[test]
fn skipping_equal_tokens_changes_no_decision() {
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    for round in 0..3000 {
        // Every hundredth pair is longer than the blocks of the answer.
        let length = if round % 100 == 0 { 150_000 } else { random(24) };
        let answer: Vec<u8> = (0..length).map(|_| b"ab  \n\r\x0c"[random(7)]).collect();
        let mut output = answer.clone();
        for _ in 0..random(3) {
            let at = random(output.len() + 1);
            let change = b"ab \n\r"[random(5)];
            if random(2) == 0 {
                output.insert(at, change);
            } else {
                output.splice(at..(at + 1).min(output.len()), [change]);
            }
        }
        let wanted = tokens(&answer);
        let got = tokens(&output);
        let first = wanted.iter().zip(&got).position(|(a, b)| a.1 != b.1).unwrap_or(wanted.len().min(got.len()));
        for size in [usize::MAX, 1 + random(9), 4096] {
            let found = run("wcmp", &answer, &output, size).unwrap().difference;
            let is_equal = first == wanted.len() && first == got.len();
            assert_eq!(found.is_none(), is_equal, "{:?}", (round, size));
            if let Some(found) = found.filter(|_| first < wanted.len().min(got.len())) {
                let at = (found.expected.at.offset, found.actual.at.offset);
                assert_eq!(at, (wanted[first].0, got[first].0), "{:?}", (round, size));
            }
        }
    }
}
