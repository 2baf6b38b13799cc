//! Scans over bytes: white space, common prefixes, line feeds. Knows nothing of checkers.
//!
//! Written so that the compiler turns the long loops into vector code; no scan looks at a byte twice.

/// What a byte is to the tokeniser.
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
}

/// The six white space bytes of package format 2025-09, "Output parsing": 20, and 09 to 0d.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// How many leading bytes are not white space.
pub(super) fn token_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| is_space(*byte)).unwrap_or(bytes.len())
}

/// How many leading bytes are white space.
pub(super) fn space_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !is_space(*byte)).unwrap_or(bytes.len())
}

/// How many trailing bytes are of the class of the last one.
pub(super) fn last_run(bytes: &[u8]) -> usize {
    /// Wide enough for vector code, short enough for usual tokens.
    const STRIDE: usize = 64;
    let Some(last) = bytes.last() else { return 0 };
    let class = Class::of(*last);
    let mut rest = bytes;
    while let Some((front, stride)) = rest.split_last_chunk::<STRIDE>() {
        let other = stride.iter().fold(false, |found, byte| found | (Class::of(*byte) != class));
        if other {
            break;
        }
        rest = front;
    }
    let boundary = rest.iter().rposition(|byte| Class::of(*byte) != class);
    bytes.len() - boundary.map_or(0, |at| at + 1)
}

/// How many leading bytes agree.
pub(super) fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    /// Worth a call of the system's `memcmp`.
    const BLOCK: usize = 1024;
    const WORD: usize = 8;
    let length = a.len().min(b.len());
    let (a, b) = (&a[..length], &b[..length]);
    let mut same = 0;
    // Words first, because after a difference the next one is usually near.
    while let (Some(x), Some(y)) = (a[same..].first_chunk::<WORD>(), b[same..].first_chunk::<WORD>()) {
        let difference = u64::from_le_bytes(*x) ^ u64::from_le_bytes(*y);
        if difference != 0 {
            return same + difference.trailing_zeros() as usize / 8;
        }
        same += WORD;
        if same == 8 * WORD {
            while length - same >= BLOCK && a[same..same + BLOCK] == b[same..same + BLOCK] {
                same += BLOCK;
            }
        }
    }
    same + a[same..].iter().zip(&b[same..]).take_while(|(x, y)| x == y).count()
}

/// How many line feeds there are.
pub(super) fn count_lines(bytes: &[u8]) -> u64 {
    // At most 255 to a stride, so that the count of one fits a byte and sixteen of them a vector.
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
