//! Line ends of Windows. Polygon writes packages for Windows with them, and judges on Linux without them.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// How much of a file is searched for its first line end.
const SEARCHED: u64 = 64 * 1024;

/// Whether the first line of a file ends with CR LF, as on Windows. False for an unreadable file: its use reports it.
pub fn is_windows(file: &Path) -> bool {
    let mut head = Vec::new();
    let is_read = File::open(file).and_then(|file| file.take(SEARCHED).read_to_end(&mut head)).is_ok();
    let end = head.iter().position(|byte| *byte == b'\n');
    is_read && end.is_some_and(|end| end > 0 && head[end - 1] == b'\r')
}

/// The text with line ends of Linux.
pub fn to_unix(text: &[u8]) -> Vec<u8> {
    let mut unix = Vec::with_capacity(text.len());
    for (at, byte) in text.iter().enumerate() {
        if *byte != b'\r' || text.get(at + 1) != Some(&b'\n') {
            unix.push(*byte);
        }
    }
    unix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_line_ends_change() {
        for (text, unix) in
            [("a\r\nb\r\n", "a\nb\n"), ("a\rb\n", "a\rb\n"), ("\r", "\r"), ("a\r\r\n", "a\r\n"), ("", "")]
        {
            assert_eq!(to_unix(text.as_bytes()), unix.as_bytes(), "{text:?}");
        }
    }

    #[test]
    fn the_first_line_says_where_a_file_is_from() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for (text, expect) in [("a\r\nb", true), ("a\nb\r\n", false), ("a", false), ("\n", false), ("\r\n", true)] {
            std::fs::write(file.path(), text).unwrap();
            assert_eq!(is_windows(file.path()), expect, "{text:?}");
        }
    }
}
