//! The standard checkers decide as the originals do: a table of facts that `examples/standard_checkers` recorded.
#![expect(clippy::unwrap_used, reason = "a test speaks by panicking")]

use grader_compare::{Comparator, CompareError};
use grader_model::problem::{Checker, StandardChecker};

const FACTS: &str = include_str!("standard.tsv");

/// A row of the table.
struct Fact {
    checker: StandardChecker,
    /// The exit code of the original.
    code: i32,
    answer: Vec<u8>,
    output: Vec<u8>,
}

fn facts() -> Vec<Fact> {
    let rows = FACTS.lines().filter(|line| !line.starts_with('#'));
    let fact = |row: &str| {
        let columns: Vec<&str> = row.split('\t').collect();
        let [checker, code, answer, output] = columns[..] else { panic!("{row}") };
        Fact {
            checker: StandardChecker::by_name(checker).unwrap(),
            code: code.parse().unwrap(),
            answer: bytes(answer),
            output: bytes(output),
        }
    };
    rows.map(fact).collect()
}

/// Undoes `escape_ascii`.
fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next().unwrap() {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'x' => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            other => other,
        });
    }
    bytes
}

/// The exit code of the original that our decision means, with the output in chunks of a size.
fn decide(fact: &Fact, size: usize) -> i32 {
    let mut comparator = Comparator::new(Checker::Standard(fact.checker), &*fact.answer);
    fact.output.chunks(size).for_each(|chunk| comparator.feed(chunk).unwrap());
    match comparator.finish() {
        Ok(comparison) if comparison.accepted => {
            assert!(comparison.difference.is_none() && comparison.rejection.is_none());
            assert_eq!(comparison.points.is_some(), fact.checker.gives_points());
            if fact.checker.gives_points() { 7 } else { 0 }
        }
        Ok(comparison) => {
            let rejection = comparison.rejection.unwrap();
            assert_eq!(comparison.difference.is_none(), rejection.mismatch.is_some());
            if rejection.malformed { 2 } else { 1 }
        }
        Err(CompareError::Answer { fault, .. }) => {
            assert!(fault.to_string().contains(" of the answer: expected "), "{fault}");
            3
        }
        Err(CompareError::Unreadable(error)) => panic!("{error}"),
    }
}

#[test]
fn decisions_are_those_of_the_originals() {
    let facts = facts();
    for fact in &facts {
        for size in [1, 3, usize::MAX] {
            let Fact { checker, code, answer, output } = fact;
            let shown = || format!("{checker} \"{}\" \"{}\"", answer.escape_ascii(), output.escape_ascii());
            assert_eq!(decide(fact, size), *code, "{} in chunks of {size}", shown());
        }
    }
}

#[test]
fn points_are_those_of_the_originals() {
    let given = |checker: StandardChecker, answer: &str, output: &str| {
        let mut comparator = Comparator::new(Checker::Standard(checker), answer.as_bytes());
        comparator.feed(output.as_bytes()).unwrap();
        let points = comparator.finish().unwrap().points.unwrap();
        (points.points, points.message)
    };
    let points = given(StandardChecker::Pointscmp, "2.5\n", "1\n");
    assert_eq!(points, (Some(1.5), "ja=2.5000 pa=1.0000".to_owned()));
    assert_eq!(given(StandardChecker::Pointscmp, "1", "1").0, Some(0.0));
    let info = given(StandardChecker::Pointsinfo, "2.5", "1");
    assert_eq!(info, (None, "points_info=pa=1.000000,ja=2.500000 d=1.500000".to_owned()));
}

#[test]
fn the_table_has_every_checker_with_every_decision() {
    let facts = facts();
    for checker in StandardChecker::ALL {
        let has = |code| facts.iter().any(|fact| fact.checker == *checker && fact.code == code);
        assert!(if checker.gives_points() { has(7) } else { has(0) && has(1) }, "{checker}");
        // These read any answer, and reject only what follows a right output as malformed.
        let reads_all = matches!(checker, StandardChecker::Fcmp | StandardChecker::Lcmp | StandardChecker::Wcmp);
        assert!(has(2) || *checker == StandardChecker::Wcmp, "{checker}");
        assert_eq!(has(3), !reads_all, "{checker}");
    }
}
