//! Short excerpts of untrusted bytes, with a lossless spelling in JSON.

use serde::{Deserialize, Serialize};

/// An excerpt of a token or of white space: its first bytes, and bytes around the first difference if that comes later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// At most [`Excerpt::MAX`] bytes from the start. In JSON, a string with `\\` for a backslash and `\xNN` for other
    /// bytes.
    #[serde(with = "escaped")]
    pub bytes: Vec<u8>,
    /// The length of the whole token or white space in bytes.
    pub length: u64,
    /// The bytes around the first difference, if `bytes` does not reach that far.
    pub later: Option<Later>,
}

/// A part of a long token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Later {
    /// The offset of the part from the start of the token, in bytes.
    pub offset: u64,
    /// At most [`Later::MAX`] bytes, with the same spelling in JSON.
    #[serde(with = "escaped")]
    pub bytes: Vec<u8>,
}

impl Excerpt {
    /// The most bytes kept from the start.
    pub const MAX: usize = 200;

    /// Whether `bytes` lacks a part of the whole.
    pub fn is_cut(&self) -> bool {
        self.length > self.bytes.len() as u64
    }

    /// The kept bytes before an offset, and from it on.
    pub fn around(&self, offset: u64) -> (&[u8], &[u8]) {
        let (from, bytes) = match &self.later {
            Some(later) if later.offset <= offset => (later.offset, &later.bytes),
            _ => (0, &self.bytes),
        };
        let at = usize::try_from(offset - from).unwrap_or(usize::MAX);
        bytes.split_at(at.min(bytes.len()))
    }
}

impl Later {
    /// The most bytes kept of a later part.
    pub const MAX: usize = Self::BEFORE + 100;
    /// The most bytes kept before the first difference.
    pub const BEFORE: usize = 64;
}

/// The spelling in JSON: `\\` for a backslash, `\xNN` for control characters and bytes that are not UTF-8. Other text
/// is unchanged.
mod escaped {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&escape(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        unescape(&text)
            .ok_or_else(|| D::Error::custom(format!("`{text}` has a backslash without `\\` or `xNN` after it")))
    }

    pub(super) fn escape(bytes: &[u8]) -> String {
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            for character in chunk.valid().chars() {
                match character {
                    '\\' => text.push_str("\\\\"),
                    c if c.is_control() => push_hex(&mut text, c.encode_utf8(&mut [0; 4]).as_bytes()),
                    c => text.push(c),
                }
            }
            push_hex(&mut text, chunk.invalid());
        }
        text
    }

    fn push_hex(text: &mut String, bytes: &[u8]) {
        for byte in bytes {
            text.push_str("\\x");
            for digit in [byte >> 4, byte & 15] {
                text.push(char::from_digit(u32::from(digit), 16).unwrap_or('?'));
            }
        }
    }

    pub(super) fn unescape(text: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(text.len());
        let mut rest = text;
        while let Some((plain, escape)) = rest.split_once('\\') {
            bytes.extend_from_slice(plain.as_bytes());
            if let Some(after) = escape.strip_prefix('\\') {
                bytes.push(b'\\');
                rest = after;
            } else {
                let hex = escape.strip_prefix('x')?;
                bytes.push(u8::from_str_radix(hex.get(..2)?, 16).ok()?);
                rest = hex.get(2..)?;
            }
        }
        bytes.extend_from_slice(rest.as_bytes());
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::escaped::{escape, unescape};

    #[test]
    fn every_byte_survives_json() {
        let all: Vec<u8> = (0..=255).collect();
        for bytes in [&all[..], b"", b"\\", b"\\x41", "Zürich \u{85} 😀".as_bytes(), b"\xf0\x9f\x98"] {
            assert_eq!(unescape(&escape(bytes)).as_deref(), Some(bytes), "{}", escape(bytes));
        }
        assert_eq!(escape("a\\b\n\u{7f}ü\u{85}".as_bytes()), "a\\\\b\\x0a\\x7fü\\xc2\\x85");
        assert_eq!(escape(b"\xffZ"), "\\xffZ");
    }

    #[test]
    fn bad_escapes_are_refused() {
        for text in ["\\", "\\n", "\\x", "\\x4", "\\xzz", "\\x4ü"] {
            assert_eq!(unescape(text), None, "{text}");
        }
    }
}
