//! Finds unusual bytes in test data.

/// The size in bytes above which a file counts as large.
pub(crate) const LARGE: u64 = 20 << 20;

/// Unusual bytes of a file. The file is read in pieces, in constant memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ByteCheck {
    /// The size of the file in bytes.
    pub size: u64,
    /// The line of the first carriage return, counted from 1.
    pub carriage_return: Option<u64>,
    /// The line of the first byte outside of ASCII.
    pub non_ascii: Option<u64>,
    /// The line of the first control character other than tab, newline and carriage return.
    pub control: Option<u64>,
    last: Option<u8>,
    lines: u64,
}

impl ByteCheck {
    /// Takes the next bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.size += bytes.len() as u64;
        for byte in bytes {
            let line = self.lines + 1;
            let first = match byte {
                b'\n' => {
                    self.lines += 1;
                    continue;
                }
                b'\r' => &mut self.carriage_return,
                0x80.. => &mut self.non_ascii,
                b'\t' => continue,
                0..0x20 | 0x7f => &mut self.control,
                _ => continue,
            };
            first.get_or_insert(line);
        }
        self.last = bytes.last().copied().or(self.last);
    }

    /// Whether the file ends without a newline; false for an empty file.
    pub(crate) fn lacks_final_newline(&self) -> bool {
        self.last.is_some_and(|last| last != b'\n')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peculiar_bytes_are_found_with_their_line() {
        let of = |pieces: &[&[u8]]| {
            let mut byte_check = ByteCheck::default();
            for piece in pieces {
                byte_check.feed(piece);
            }
            byte_check
        };
        let plain = of(&[b"1 2\n", b"\t3\n", b""]);
        assert_eq!((plain.carriage_return, plain.non_ascii, plain.control), (None, None, None));
        assert!(!plain.lacks_final_newline() && !of(&[]).lacks_final_newline());
        let odd = of(&[b"1\n2", b"\r\n\xc3\xa9\n\0"]);
        assert_eq!((odd.carriage_return, odd.non_ascii, odd.control), (Some(2), Some(3), Some(4)));
        assert!(odd.lacks_final_newline());
    }
}
