//! Junk outputs, to test that output validators do not fail on them. The bytes are the same each time.

/// The length in bytes of the longest line.
const LONG: usize = 10 << 20;

/// A junk output with a name.
pub(crate) struct Junk {
    /// A short description.
    pub name: &'static str,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// All junk outputs for testing an output validator.
pub(crate) fn outputs() -> Vec<Junk> {
    let small: [(&'static str, &[u8]); 24] = [
        ("nothing", b""),
        ("one newline", b"\n"),
        ("white space", b" \t\r\n \x0b\x0c\n"),
        ("no final newline", b"1"),
        ("-1", b"-1\n"),
        ("0", b"0\n"),
        ("1", b"1\n"),
        ("1.0", b"1.0\n"),
        ("2^31-1", b"2147483647\n"),
        ("2^31", b"2147483648\n"),
        ("2^63", b"9223372036854775808\n"),
        ("1e400", b"1e400\n"),
        ("NaN", b"NaN\n"),
        ("inf", b"inf\n"),
        ("a word", b"a\n"),
        ("a count without its list", b"1000000000\n"),
        ("a list that is too short", b"3\n1 2\n"),
        ("a negative count", b"-3\n1 2 3\n"),
        ("parentheses", b"(()\n"),
        ("a quotient", b"1/0\n"),
        ("NULs", b"\0\0\0\n"),
        ("bytes that are not UTF-8", b"\x80\xff\xfe\n"),
        ("unicode", "😀 \u{fdfd} ١٢ −1\n".as_bytes()),
        ("a format string", b"%s%n{0}$(id)\\x\n"),
    ];
    let mut all: Vec<Junk> = small.iter().map(|(name, bytes)| Junk { name, bytes: bytes.to_vec() }).collect();
    let mut large = |name, bytes| all.push(Junk { name, bytes });
    large("random bytes", random(1024));
    large("random letters", letters(200));
    large("a huge number", [&b"9".repeat(1000)[..], b"\n"].concat());
    large("a very long word", [&b"a".repeat(100_000)[..], b"\n"].concat());
    large("many lines", b"1\n".repeat(50_000));
    large("10 MiB in one line", b"1 ".repeat(LONG / 2));
    all
}

/// Pseudo-random bytes, the same each time (xorshift64).
pub(super) fn random(count: usize) -> Vec<u8> {
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_be_bytes()[0]
    };
    (0..count).map(next).collect()
}

/// Pseudo-random printable ASCII and a newline.
pub(super) fn letters(count: usize) -> Vec<u8> {
    let mut letters: Vec<u8> = random(count).into_iter().map(|byte| b' ' + byte % 95).collect();
    letters.push(b'\n');
    letters
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn junk_is_the_same_each_time_and_named_once() {
        let one = outputs();
        let other = outputs();
        assert!(one.iter().zip(&other).all(|(a, b)| a.bytes == b.bytes));
        let names: BTreeSet<&str> = one.iter().map(|junk| junk.name).collect();
        assert_eq!(names.len(), one.len());
        assert!(random(1024).iter().collect::<BTreeSet<_>>().len() > 200);
        assert!(letters(200).iter().all(|byte| (b' '..0x7f).contains(byte) || *byte == b'\n'));
    }
}
