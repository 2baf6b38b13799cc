//! Scans bytes for white space, common prefixes and line feeds. Knows nothing about checkers.
//!
//! The long loops are written so that the compiler makes vector code of them. No scan looks at a byte twice.

/// The role of a byte for the tokeniser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// White space between tokens.
    Space,
    /// Part of a token.
    Token,
}

impl Class {
    pub(super) const fn of(byte: u8) -> Self {
        if is_space(byte) { Self::Space } else { Self::Token }
    }

    /// The class of the first byte. The end counts as white space because it also ends a token.
    pub(super) const fn next(bytes: &[u8]) -> Self {
        match bytes.first() {
            Some(byte) => Self::of(*byte),
            None => Self::Space,
        }
    }
}

/// Whether a byte is one of the six white space bytes of package format 2025-09, "Output parsing": 20 and 09 to 0d.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The number of leading bytes that are not white space.
#[inline]
pub(super) fn token_length(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((word, after)) = rest.split_first_chunk() {
        let spaces = spaces_of(u64::from_le_bytes(*word));
        if spaces != 0 {
            return bytes.len() - rest.len() + spaces.trailing_zeros() as usize / 8;
        }
        rest = after;
    }
    bytes.len() - rest.len() + rest.iter().position(|byte| is_space(*byte)).unwrap_or(rest.len())
}

/// The same byte, eight times.
const fn all(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Sets the top bit of each of the eight bytes that lies in a range of ASCII. Branch-free: sums of seven-bit numbers
/// carry into the top bit of their own byte and no further.
const fn between(word: u64, first: u8, last: u8) -> u64 {
    let low = word & all(0x7f);
    (low + all(0x80 - first)) & !(low + all(0x7f - last)) & !word & all(0x80)
}

/// Sets the top bit of each of the eight bytes that is white space.
const fn spaces_of(word: u64) -> u64 {
    between(word, b' ', b' ') | between(word, b'\t', b'\r')
}

/// Folds ASCII letters of eight bytes to lower case.
const fn folded(word: u64) -> u64 {
    word | (between(word, b'A', b'Z') >> 2)
}

/// How similar two tokens are as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    Same,
    /// Equal except for the case of ASCII letters.
    Folded,
    Different,
}

/// Returns the lengths of the first token of each text, and how similar the two are.
#[inline]
pub(super) fn first_tokens(a: &[u8], b: &[u8]) -> (usize, usize, Likeness) {
    let mut length = 0;
    let mut likeness = Likeness::Same;
    while let (Some(x), Some(y)) = (a[length..].first_chunk(), b[length..].first_chunk()) {
        let x = u64::from_le_bytes(*x);
        let y = u64::from_le_bytes(*y);
        let end = first_of(spaces_of(x));
        if end != first_of(spaces_of(y)) {
            break;
        }
        // The bits before the end, or all bits if the token does not end here.
        let token = (end >> 7).wrapping_sub(1);
        if (x ^ y) & token != 0 {
            likeness = likeness.max(Likeness::of_different((folded(x) ^ folded(y)) & token == 0));
        }
        if end != 0 {
            length += end.trailing_zeros() as usize / 8;
            return (length, length, likeness);
        }
        length += 8;
    }
    let a = &a[length..];
    let b = &b[length..];
    let a = &a[..token_length(a)];
    let b = &b[..token_length(b)];
    let rest = if same(a, b) { Likeness::Same } else { Likeness::of_different(same_folded(a, b)) };
    (length + a.len(), length + b.len(), likeness.max(rest))
}

/// The lowest set bit.
const fn first_of(bits: u64) -> u64 {
    bits & bits.wrapping_neg()
}

impl Likeness {
    fn of_different(folded: bool) -> Self {
        if folded { Self::Folded } else { Self::Different }
    }
}

/// Whether two tokens are equal byte for byte. Optimised for short tokens.
#[inline]
pub(super) fn same(a: &[u8], b: &[u8]) -> bool {
    words_agree(a, b, |x, y| x == y)
}

/// Whether two tokens are equal except for the case of ASCII letters.
#[inline]
pub(super) fn same_folded(a: &[u8], b: &[u8]) -> bool {
    words_agree(a, b, |x, y| folded(x) == folded(y))
}

#[inline]
fn words_agree(mut a: &[u8], mut b: &[u8], agree: impl Fn(u64, u64) -> bool) -> bool {
    if a.len() != b.len() {
        return false;
    }
    while let (Some((x, a_rest)), Some((y, b_rest))) = (a.split_first_chunk(), b.split_first_chunk()) {
        if !agree(u64::from_le_bytes(*x), u64::from_le_bytes(*y)) {
            return false;
        }
        a = a_rest;
        b = b_rest;
    }
    if let (Some((x, a_rest)), Some((y, b_rest))) = (a.split_first_chunk(), b.split_first_chunk()) {
        if !agree(u32::from_le_bytes(*x).into(), u32::from_le_bytes(*y).into()) {
            return false;
        }
        a = a_rest;
        b = b_rest;
    }
    a.iter().zip(b).all(|(x, y)| agree((*x).into(), (*y).into()))
}

/// The number of leading bytes that are equal except for the case of ASCII letters, in whole units: tokens and runs of
/// white space.
pub(super) fn folded_units(a: &[u8], b: &[u8]) -> usize {
    /// Wide enough for vector code. The rest of a block is better judged token by token.
    const BLOCK: usize = 32;
    let agree = |(x, y): &(&[u8; BLOCK], &[u8; BLOCK])| {
        let apart = |x: &u8, y: &u8| x.to_ascii_lowercase() ^ y.to_ascii_lowercase();
        // No early exit, so that this becomes vector code.
        x.iter().zip(*y).fold(0, |any, (x, y)| any | apart(x, y)) == 0
    };
    let blocks = a.as_chunks().0.iter().zip(b.as_chunks().0).take_while(agree).count();
    let agreed = &a[..blocks * BLOCK];
    // The last unit may continue differently in the two texts.
    agreed.len() - last_run(agreed)
}

/// The number of leading bytes that are white space, and the number of line feeds among them.
#[inline]
pub(super) fn first_space(bytes: &[u8]) -> (usize, u64) {
    let mut lines = 0;
    for (length, byte) in bytes.iter().enumerate() {
        if !is_space(*byte) {
            return (length, lines);
        }
        lines += u64::from(*byte == b'\n');
    }
    (bytes.len(), lines)
}

/// The number of trailing bytes that have the class of the last byte.
pub(super) fn last_run(bytes: &[u8]) -> usize {
    let Some(last) = bytes.last() else { return 0 };
    let class = Class::of(*last);
    bytes.len() - last_position(bytes, |byte| Class::of(byte) != class).map_or(0, |at| at + 1)
}

/// The position of the last line feed.
pub(super) fn last_line_feed(bytes: &[u8]) -> Option<usize> {
    last_position(bytes, |byte| byte == b'\n')
}

/// The position of the last byte that is wanted.
pub(super) fn last_position(bytes: &[u8], wanted: impl Fn(u8) -> bool) -> Option<usize> {
    /// Wide enough for vector code, short enough for usual tokens and lines.
    const STRIDE: usize = 64;
    let mut rest = bytes;
    while let Some((front, stride)) = rest.split_last_chunk::<STRIDE>() {
        // No early exit, so that this becomes vector code.
        if stride.iter().fold(false, |found, byte| found | wanted(*byte)) {
            break;
        }
        rest = front;
    }
    rest.iter().rposition(|byte| wanted(*byte))
}

/// The number of leading bytes that are equal.
pub(super) fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    /// Wide enough for vector code.
    const BLOCK: usize = 256;
    const WORD: usize = 8;
    let length = a.len().min(b.len());
    let a = &a[..length];
    let b = &b[..length];
    let mut same = 0;
    // Compare words first, because after one difference the next is usually near.
    while let (Some(x), Some(y)) = (a[same..].first_chunk::<WORD>(), b[same..].first_chunk::<WORD>()) {
        let difference = u64::from_le_bytes(*x) ^ u64::from_le_bytes(*y);
        if difference != 0 {
            return same + difference.trailing_zeros() as usize / 8;
        }
        same += WORD;
        if same == 8 * WORD {
            let blocks = a[same..].as_chunks::<BLOCK>().0.iter().zip(b[same..].as_chunks().0);
            same += BLOCK * blocks.take_while(|(x, y)| is_same(x, y)).count();
        }
    }
    same + a[same..].iter().zip(&b[same..]).take_while(|(x, y)| x == y).count()
}

/// Whether two blocks are equal. The `memcmp` of some C libraries, which `==` calls, looks at one byte after the other.
#[inline]
fn is_same<const BLOCK: usize>(a: &[u8; BLOCK], b: &[u8; BLOCK]) -> bool {
    // No early exit, so that this becomes vector code.
    a.iter().zip(b).fold(0, |any, (x, y)| any | (x ^ y)) == 0
}

/// The number of line feeds.
pub(super) fn count_lines(bytes: &[u8]) -> u64 {
    if bytes.len() < 16 {
        return bytes.iter().map(|byte| u64::from(*byte == b'\n')).sum();
    }
    // A stride has at most 255 bytes, so its count fits a byte, and sixteen counts fit a vector.
    bytes.chunks(192).map(|stride| u64::from(stride.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_the_six_bytes_of_the_format() {
        let spaces: Vec<u8> = (0..=255).filter(|byte| is_space(*byte)).collect();
        assert_eq!(spaces, [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20]);
    }

    #[test]
    fn tokens_of_every_length_and_byte() {
        for length in 0..30 {
            for end in 0..=255 {
                let mut bytes = vec![b'x'; length];
                bytes.extend([end, b'y', b' ']);
                assert_eq!(token_length(&bytes), if is_space(end) { length } else { length + 2 }, "{length} {end}");
                assert_eq!(token_length(&bytes[..length]), length);
            }
        }
    }

    #[track_caller]
    fn check_likeness(a: &[u8], b: &[u8]) {
        assert_eq!(same(a, b), a == b);
        assert_eq!(same_folded(a, b), a.eq_ignore_ascii_case(b), "{a:?} {b:?}");
        for end in ["", " ", " xxxxxxxxxxx"] {
            let a = [a, end.as_bytes()].concat();
            let b = [b, end.as_bytes()].concat();
            let token = |bytes: &[u8]| bytes.split(|byte| is_space(*byte)).next().unwrap_or_default().to_vec();
            let x = token(&a);
            let y = token(&b);
            let likeness = match x.eq_ignore_ascii_case(&y) {
                true if x == y => Likeness::Same,
                true => Likeness::Folded,
                false => Likeness::Different,
            };
            assert_eq!(first_tokens(&a, &b), (x.len(), y.len(), likeness), "{a:?} {b:?}");
        }
    }

    #[test]
    fn tokens_are_the_same_with_and_without_case() {
        for length in 1..20 {
            for at in 0..length {
                for byte in 0..=255_u8 {
                    let mut a = vec![b'm'; length];
                    let mut b = a.clone();
                    a[at] = byte;
                    for other in [byte, byte ^ 0x20, byte ^ 0x80] {
                        b[at] = other;
                        check_likeness(&a, &b);
                    }
                }
            }
            assert!(!same(&vec![b'm'; length], &vec![b'm'; length + 1]));
        }
    }

    #[test]
    fn units_agree_but_for_case_up_to_the_block_with_a_difference() {
        let text: Vec<u8> = b"Yes no\n@`[{ \xc4\xe4 x\r\n".iter().copied().cycle().take(150).collect();
        // The text repeats after 18 bytes, so that a token begins at 126 and the last whole block ends in it.
        assert_eq!(folded_units(&text, &text.to_ascii_uppercase()), 126);
        for at in 0..text.len() {
            for flip in [0x20, 0x80, 0xff] {
                let mut other = text.to_ascii_lowercase();
                other[at] ^= flip;
                let alike = other.eq_ignore_ascii_case(&text);
                let blocks = if alike { 128 } else { at.min(128) / 32 * 32 };
                let units = blocks - last_run(&text[..blocks]);
                assert_eq!(folded_units(&text, &other), units, "{at} {flip}");
                assert_eq!(folded_units(&other, &text), units, "{at} {flip}");
            }
        }
    }

    #[test]
    fn white_space_is_measured_and_its_lines_counted() {
        for (bytes, expected) in [(&b""[..], (0, 0)), (b"x ", (0, 0)), (b" \r\n\n x\n", (5, 2)), (b"\n ", (2, 1))] {
            assert_eq!(first_space(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn common_prefixes_of_every_length() {
        for length in (0..200).chain([1023, 1024, 1088, 5000]) {
            let a: Vec<u8> = (0..length + 9).map(|i| u8::try_from(i % 251).unwrap()).collect();
            let mut b = a.clone();
            b[length] ^= 0x80;
            assert_eq!(common_prefix(&a, &b), length);
            assert_eq!(common_prefix(&a, &b[..length]), length);
        }
    }

    #[test]
    fn last_runs_of_every_length() {
        for length in [0, 1, 5, 63, 64, 65, 127, 128, 129, 300] {
            for front in [0, 1, 70, 200] {
                let mut bytes = vec![b' '; front];
                bytes.extend(vec![b'x'; length]);
                assert_eq!(last_run(&bytes), if length == 0 { front } else { length }, "{front} {length}");
            }
        }
    }

    #[test]
    fn lines_are_counted() {
        assert_eq!(count_lines(&[b'\n'; 1000]), 1000);
        assert_eq!(count_lines(b"a\r\n\nb"), 2);
    }
}
