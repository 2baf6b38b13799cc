//! A second comparison that is slow and obvious: whole files in memory, split and compared. Property tests and fuzzing
//! check `Comparator` against it. They share only the public types.
#![expect(clippy::unwrap_used, reason = "an oracle speaks by panicking")]

use std::collections::BTreeMap;
use std::io::{self, Read};

use num_bigint::BigInt;

use grader_model::problem::{Checker, TokenOptions};

use super::{Comparator, Comparison};
use grader_model::difference::{DifferenceKind, Leniency, Position, RelaxedRule, Text};

/// The expected differences of a comparison.
#[derive(Debug, Default)]
struct ExpectedDifferences {
    leniency: Leniency,
    /// The kind of the difference, and its offsets in the answer and in the output.
    difference: Option<(DifferenceKind, usize, usize)>,
}

/// A file as alternating white space and tokens, with white space first and last.
struct Pieces<'a> {
    spaces: Vec<&'a [u8]>,
    tokens: Vec<&'a [u8]>,
}

impl<'a> Pieces<'a> {
    fn of(file: &'a [u8]) -> Self {
        let space = |byte: &u8| [0x20, 0x0c, 0x0a, 0x0d, 0x09, 0x0b].contains(byte);
        let mut pieces = Self { spaces: Vec::new(), tokens: Vec::new() };
        let mut rest = file;
        loop {
            let (gap, after) = rest.split_at(rest.iter().position(|byte| !space(byte)).unwrap_or(rest.len()));
            pieces.spaces.push(gap);
            if after.is_empty() {
                return pieces;
            }
            let (token, after) = after.split_at(after.iter().position(space).unwrap_or(after.len()));
            pieces.tokens.push(token);
            rest = after;
        }
    }
}

/// Reads a finite number of the form `[+-]? (d*.d+ | d+. | d+) ([eE][+-]?d+)?`.
fn number(token: &[u8]) -> Option<f64> {
    let text = str::from_utf8(token).ok()?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = |text: &'_ str| text.strip_prefix(['+', '-']).unwrap_or(text).to_owned();
    let (significand, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let significand = unsigned(significand);
    let exponent = unsigned(exponent);
    let (whole, fraction) = significand.split_once('.').unwrap_or((&significand, ""));
    let good = digits(whole) && digits(fraction) && digits(&exponent);
    let enough = whole.len() + fraction.len() > 0 && !exponent.is_empty();
    (good && enough).then(|| text.parse().unwrap()).filter(|value: &f64| value.is_finite())
}

/// A number written for comparison by hand: its sign, its digits without leading and trailing zeros, and the power of
/// ten of the first digit. Nothing is rounded.
pub(crate) fn by_hand(token: &[u8]) -> Option<(bool, String, i64)> {
    let text = str::from_utf8(token).ok()?.to_ascii_lowercase();
    let (significand, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let unsigned = significand.strip_prefix(['+', '-']).unwrap_or(significand);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent_digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if !is_digits(whole) || !is_digits(fraction) || whole.len() + fraction.len() == 0 {
        return None;
    }
    if !is_digits(exponent_digits) || exponent_digits.is_empty() {
        return None;
    }
    let digits = format!("{whole}{fraction}");
    let leading = digits.bytes().take_while(|digit| *digit == b'0').count();
    let trimmed = digits.trim_matches('0').to_owned();
    if trimmed.is_empty() {
        return Some((false, trimmed, 0));
    }
    let power = exponent.parse::<i64>().ok()? + i64::try_from(whole.len()).ok()? - i64::try_from(leading).ok()?;
    Some((significand.starts_with('-'), trimmed, power))
}

/// Whether a token is written as an integer.
fn is_integer(token: &[u8]) -> bool {
    let digits = token.strip_prefix(b"-").or_else(|| token.strip_prefix(b"+")).unwrap_or(token);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// Checks the claims about numbers without rounding: the same numbers need no tolerance, and different integers need
/// more than a small one.
fn check_numbers(epsilon: f64, options: &TokenOptions, output: &[u8], answer: &[u8]) {
    let s = Pieces::of(output);
    let a = Pieces::of(answer);
    let tolerant = options.float_absolute.is_some() || options.float_relative.is_some();
    for (s, a) in s.tokens.iter().zip(&a.tokens).filter(|(s, a)| folded(s) != folded(a)) {
        let same = by_hand(s).is_some() && by_hand(s) == by_hand(a);
        let shown = || (String::from_utf8_lossy(s).into_owned(), String::from_utf8_lossy(a).into_owned());
        assert!(same || tolerant || epsilon > 0.0, "no numbers that are the same: {:?}", shown());
        assert!(same || tolerant || !(is_integer(s) && is_integer(a)), "integers that differ: {:?}", shown());
    }
}

fn folded(token: &[u8]) -> Vec<u8> {
    token.to_ascii_lowercase()
}

fn options(checker: Checker) -> TokenOptions {
    match checker {
        Checker::Tokens(options) => options,
        Checker::Exact => {
            TokenOptions { case_sensitive: true, space_change_sensitive: true, ..TokenOptions::default() }
        }
        other => panic!("{other:?} has other rules"),
    }
}

/// Compares two tokens. Returns the rule that they break, if any.
fn compare_tokens(options: &TokenOptions, s: &[u8], a: &[u8], leniency: &mut Leniency) -> Option<DifferenceKind> {
    let tolerant = options.float_absolute.is_some() || options.float_relative.is_some();
    if s == a {
        return None;
    }
    if tolerant && let Some(answer) = number(a) {
        let Some(output) = number(s) else { return Some(DifferenceKind::NotANumber) };
        let (within, exact) = within(options, s, a);
        let error = match (output - answer).abs() {
            0.0 => exact,
            error => error,
        };
        leniency.numbers |= within;
        let relative = if answer == 0.0 { None } else { Some((error / answer.abs()).min(f64::MAX)) };
        return (!within).then_some(DifferenceKind::Number { absolute: error.min(f64::MAX), relative });
    }
    if folded(s) == folded(a) {
        leniency.case = true;
        return options.case_sensitive.then_some(DifferenceKind::Case);
    }
    Some(DifferenceKind::Token)
}

/// Whether two numbers differ by at most a tolerance, and by how much, as fractions of integers.
fn within(options: &TokenOptions, s: &[u8], a: &[u8]) -> (bool, f64) {
    const PLACES: i64 = 1500;
    let scaled = |token: &[u8]| {
        let (negative, digits, power) = by_hand(token).unwrap();
        // Digits after these places matter to no tolerance.
        let kept = usize::try_from(power + PLACES).unwrap_or_default().min(digits.len());
        let zeros = power + PLACES - i64::try_from(kept).unwrap();
        let size = digits[..kept].parse::<BigInt>().unwrap_or_default();
        let size = size * BigInt::from(10).pow(u32::try_from(zeros).unwrap_or_default());
        if negative { -size } else { size }
    };
    let error = (scaled(s) - scaled(a)).magnitude().clone();
    let answer = scaled(a).magnitude().clone();
    let tolerance = |epsilon: f64| scaled(format!("{epsilon:e}").as_bytes()).magnitude().clone();
    let one = scaled(b"1").magnitude().clone();
    let within = options.float_absolute.is_some_and(|e| error <= tolerance(e))
        || options.float_relative.is_some_and(|e| &error * one <= tolerance(e) * answer);
    (within, format!("{error}e-{PLACES}").parse().unwrap())
}

fn expect(options: &TokenOptions, output: &[u8], answer: &[u8]) -> ExpectedDifferences {
    let s = Pieces::of(output);
    let a = Pieces::of(answer);
    let offset = |file: &[u8], piece: &[u8]| piece.as_ptr() as usize - file.as_ptr() as usize;
    let line_feeds = |space: &[u8]| space.split(|byte| *byte == b'\n').count() - 1;
    let mut found = ExpectedDifferences::default();
    let length = s.tokens.len().max(a.tokens.len());
    for i in 0..=length {
        let token_s = s.tokens.get(i);
        let token_a = a.tokens.get(i);
        if token_s.is_some() == token_a.is_some() && s.spaces[i] != a.spaces[i] {
            found.leniency.spacing = true;
            found.leniency.lines |= token_s.is_some() && line_feeds(s.spaces[i]) != line_feeds(a.spaces[i]);
            let is_broken = |space: &[u8]| line_feeds(space) > 0;
            let is_between = i > 0 && token_s.is_some();
            let breaks_line = is_between && is_broken(s.spaces[i]) != is_broken(a.spaces[i]);
            if options.space_change_sensitive || options.line_sensitive && breaks_line {
                let at = (offset(answer, a.spaces[i]), offset(output, s.spaces[i]));
                found.difference = Some((DifferenceKind::WhiteSpace, at.0, at.1));
                return found;
            }
        }
        let (kind, at_a, at_s) = match (token_s, token_a) {
            (None, None) => return found,
            (None, Some(token)) if output.is_empty() => (Some(DifferenceKind::Empty), *token, s.spaces[i]),
            (None, Some(token)) if s.tokens.is_empty() => (Some(DifferenceKind::Blank), *token, s.spaces[i]),
            (None, Some(token)) => (Some(DifferenceKind::Missing), *token, s.spaces[i]),
            (Some(token), None) => (Some(DifferenceKind::Extra), a.spaces[i], *token),
            (Some(s), Some(a)) => (compare_tokens(options, s, a, &mut found.leniency), *a, *s),
        };
        if let Some(kind) = kind {
            found.difference = Some((kind, offset(answer, at_a), offset(output, at_s)));
            return found;
        }
    }
    found
}

fn place(file: &[u8], offset: usize) -> Position {
    let before = &file[..offset];
    let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let on_line = &before[line_start..];
    let text = str::from_utf8(on_line);
    let characters = text.map_or(on_line.len(), |text| text.chars().count());
    let line = before.split(|byte| *byte == b'\n').count();
    Position { line: line as u64, column: characters as u64 + 1, in_bytes: text.is_err(), offset: offset as u64 }
}

/// The position of the character that contains the byte at an offset.
fn place_of_character(file: &[u8], offset: usize) -> Position {
    let line_start = file[..offset].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let start = match str::from_utf8(&file[line_start..offset]) {
        Err(error) if error.error_len().is_none() => line_start + error.valid_up_to(),
        _ => offset,
    };
    place(file, start)
}

/// The number of leading bytes in which two pieces agree.
fn agreeing(s: &[u8], a: &[u8], case_sensitive: bool) -> usize {
    let agree = |(s, a): &(&u8, &u8)| if case_sensitive { s == a } else { s.eq_ignore_ascii_case(a) };
    s.iter().zip(a).take_while(agree).count()
}

/// A reader that returns less than requested, and sometimes only an interruption.
struct Dribble<'a> {
    rest: &'a [u8],
    size: usize,
    turn: usize,
}

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.turn += 1;
        if self.turn.is_multiple_of(5) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let length = self.size.min(buffer.len());
        self.rest.read(&mut buffer[..length])
    }
}

/// Compares in both ways and panics if the results disagree. `chunks` are the sizes of the output's chunks, repeated as
/// needed. `reads` is the size of each read from the answer.
pub(crate) fn check(checker: Checker, output: &[u8], answer: &[u8], chunks: &[usize], reads: usize) -> Comparison {
    let comparison = run(checker, output, answer, chunks, reads);
    let options = options(checker);
    let expected = expect(&options, output, answer);
    assert_eq!(comparison.accepted, expected.difference.is_none(), "{comparison:?} {expected:?}");
    assert_eq!(comparison.identical, output == answer);
    if checker == Checker::Exact {
        assert_eq!(comparison.accepted, output == answer);
    }
    if comparison.accepted {
        assert_eq!(comparison.leniency, expected.leniency);
        assert_eq!(comparison.leniency.is_none(), output == answer);
    }
    check_difference(&comparison, &expected, &options, output, answer);
    check_claims(&comparison, &options, output, answer, expected.leniency);
    check_capture(&comparison, output, answer);
    comparison
}

fn run(checker: Checker, output: &[u8], answer: &[u8], chunks: &[usize], reads: usize) -> Comparison {
    let reader = Dribble { rest: answer, size: reads.max(1), turn: 0 };
    let mut comparator = Comparator::new(checker, reader);
    let mut rest = output;
    for size in chunks.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (chunk, after) = rest.split_at((*size).clamp(1, rest.len()));
        comparator.feed(chunk).unwrap();
        rest = after;
    }
    let decided = comparator.decided_wrong();
    let comparison = comparator.finish().unwrap();
    assert!(!(decided && comparison.accepted));
    comparison
}

fn check_difference(
    comparison: &Comparison,
    expected: &ExpectedDifferences,
    options: &TokenOptions,
    output: &[u8],
    answer: &[u8],
) {
    let (Some(difference), Some((kind, in_answer, in_output))) = (&comparison.difference, expected.difference) else {
        return;
    };
    match difference.kind {
        DifferenceKind::Overflow { .. } => {
            assert!(matches!(kind, DifferenceKind::Token | DifferenceKind::Number { .. }), "{kind:?}");
        }
        DifferenceKind::LineOrder | DifferenceKind::MissingLines { .. } | DifferenceKind::ExtraLines { .. } => {
            check_lines(difference.kind, output, answer, expected.leniency);
        }
        actual => assert_eq!(actual, kind),
    }
    let in_both = [&difference.expected, &difference.actual].iter().all(|found| found.what != Text::End);
    assert!(in_both || (difference.expected.differs, difference.actual.differs) == (None, None));
    let whole = |file: &[u8], offset: usize| {
        let rest = Pieces::of(&file[offset..]);
        if rest.spaces[0].is_empty() && !rest.tokens.is_empty() { rest.tokens[0].len() } else { rest.spaces[0].len() }
    };
    if in_both {
        let s = &output[in_output..][..whole(output, in_output)];
        let a = &answer[in_answer..][..whole(answer, in_answer)];
        let is_space = matches!(difference.actual.what, Text::Space(_));
        let agreeing = agreeing(s, a, options.case_sensitive || is_space);
        // Equal numbers may differ only in the case of a letter.
        if agreeing < s.len().max(a.len()) {
            assert_eq!(difference.actual.differs, Some(place_of_character(output, in_output + agreeing)));
            assert_eq!(difference.expected.differs, Some(place_of_character(answer, in_answer + agreeing)));
        }
    }
    for (found, file, offset) in [(&difference.expected, answer, in_answer), (&difference.actual, output, in_output)] {
        assert_eq!(found.at, place(file, offset), "{found:?}");
        let rest = Pieces::of(&file[offset..]);
        let (excerpt, whole) = match &found.what {
            Text::End => {
                assert!(rest.tokens.is_empty(), "{found:?}");
                continue;
            }
            Text::Token(excerpt) => (excerpt, rest.tokens[0]),
            Text::Space(excerpt) => (excerpt, rest.spaces[0]),
        };
        assert_eq!(excerpt.length, whole.len() as u64);
        assert_eq!(excerpt.bytes, whole[..whole.len().min(200)]);
        if let Some(later) = &excerpt.later {
            let from = usize::try_from(later.offset).unwrap();
            assert_eq!(later.bytes, whole[from..whole.len().min(from + later.bytes.len())]);
            let differs = usize::try_from(found.differs.unwrap().offset).unwrap() - offset;
            assert!(later.bytes.len() >= 100.min(whole.len() - from) && differs >= from && differs <= from + 64);
        }
    }
}

/// The lines that contain a token, as tokens in lower case.
fn lines(file: &[u8]) -> Vec<Vec<Vec<u8>>> {
    let lines = file.split(|byte| *byte == b'\n');
    let lines = lines.map(|line| Pieces::of(line).tokens.into_iter().map(folded).collect::<Vec<_>>());
    lines.filter(|line| !line.is_empty()).collect()
}

fn check_lines(kind: DifferenceKind, output: &[u8], answer: &[u8], leniency: Leniency) {
    let s = lines(output);
    let a = lines(answer);
    if leniency.lines || leniency.numbers {
        // The parts before the difference are equal by the rules, but not line by line.
        return;
    }
    let count = |lines: &[Vec<Vec<u8>>]| {
        lines.iter().fold(BTreeMap::<_, usize>::new(), |mut counts, line| {
            *counts.entry(line.clone()).or_default() += 1;
            counts
        })
    };
    let cut = |long: &[Vec<Vec<u8>>], short: &[Vec<Vec<u8>>]| {
        let gone = long.len() - short.len();
        (0..=short.len()).any(|at| long[..at] == short[..at] && long[at + gone..] == short[at..])
    };
    match kind {
        DifferenceKind::LineOrder => assert_eq!(count(&s), count(&a)),
        DifferenceKind::MissingLines { .. } => assert!(cut(&a, &s), "{s:?} {a:?}"),
        _ => assert!(cut(&s, &a), "{s:?} {a:?}"),
    }
}

/// Checks that the claimed leniencies suffice, and that case and white space are claimed whenever they suffice.
fn check_claims(comparison: &Comparison, options: &TokenOptions, output: &[u8], answer: &[u8], leniency: Leniency) {
    let Some(difference) = &comparison.difference else { return };
    let lax = TokenOptions { case_sensitive: false, space_change_sensitive: false, line_sensitive: false, ..*options };
    let would = &difference.would_accept;
    let mut granted = *options;
    for would in would {
        match would {
            RelaxedRule::IgnoreCase => granted.case_sensitive = false,
            RelaxedRule::IgnoreWhiteSpace => {
                (granted.space_change_sensitive, granted.line_sensitive) = (false, false);
            }
            RelaxedRule::Tolerance(e) => {
                check_numbers(*e, options, output, answer);
                for own in [&mut granted.float_absolute, &mut granted.float_relative] {
                    *own = Some(own.unwrap_or(0.0).max(*e));
                }
            }
            RelaxedRule::SortLines => return check_lines(DifferenceKind::LineOrder, output, answer, leniency),
        }
    }
    let accepts = |options: &TokenOptions| expect(options, output, answer).difference.is_none();
    if would.is_empty() {
        assert!(!accepts(&lax), "{comparison:?}");
    } else {
        assert!(accepts(&granted), "{comparison:?}");
    }
}

fn check_capture(comparison: &Comparison, output: &[u8], answer: &[u8]) {
    let capture = &comparison.capture;
    let shared = output.iter().zip(answer).take_while(|(s, a)| s == a).count();
    assert_eq!(capture.shared_prefix(), shared as u64);
    assert_eq!(capture.total(), output.len() as u64);
    let mut written = Vec::new();
    capture.write_to(&mut &*answer, &mut written).unwrap();
    let kept = output.len().min(shared + super::Capture::MAX);
    assert!(written == output[..kept]);
    assert_eq!(capture.truncated(), kept < output.len());
}
