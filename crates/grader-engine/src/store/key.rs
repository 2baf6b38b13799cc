//! Hashes that serve as names. A `Digest` identifies the content of a file. A `Key` identifies everything that a cached
//! value depends on. This module never accesses the disk.

use std::borrow::Cow;
use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Read};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

macro_rules! hash_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 32]);

        impl $name {
            /// The 32 bytes of the hash.
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }

            /// Parses the output of `Display`. None unless the text is exactly 64 hexadecimal digits.
            pub fn from_hex(text: &str) -> Option<Self> {
                blake3::Hash::from_hex(text).ok().map(|hash| Self(hash.into()))
            }
        }

        impl AsRef<[u8]> for $name {
            fn as_ref(&self) -> &[u8] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            /// Writes 64 lower-case hexadecimal digits.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&blake3::Hash::from_bytes(self.0).to_hex())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = Cow::<str>::deserialize(deserializer)?;
                Self::from_hex(&text).ok_or_else(|| de::Error::custom("not 64 hexadecimal digits"))
            }
        }
    };
}

hash_type! {
    /// The BLAKE3 hash of a file's content.
    Digest
}
hash_type! {
    /// The hash of everything that a cached value depends on. Build it with [`Key::of`].
    Key
}

impl Digest {
    /// The digest of bytes in memory, equal to that of a file with this content.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(blake3::hash(bytes).into())
    }

    /// The digest of all bytes from a reader.
    pub fn of_reader(from: impl Read) -> io::Result<Self> {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(from)?;
        Ok(Self(hasher.finalize().into()))
    }

    pub(super) const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl Key {
    /// Starts the key of a value of this kind. Include the version of the stored value's shape in the kind (`outcome
    /// v1`), so that values of another shape are never found.
    pub fn of(kind: &str) -> KeyBuilder {
        KeyBuilder(blake3::Hasher::new_derive_key("batch-grader store key v1")).field("kind", kind)
    }
}

/// Collects the named fields of a key. Names and values are length-prefixed and lists carry their length, so no two
/// different sequences of fields give the same bytes to hash.
#[derive(Clone)]
pub struct KeyBuilder(blake3::Hasher);

impl KeyBuilder {
    /// Adds a field. The order of fields matters.
    #[must_use]
    pub fn field(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.0.update(b"f");
        self.sized(name.as_bytes());
        self.sized(value.as_ref());
        self
    }

    /// Adds a value, encoded by `serde` and postcard. If a value cannot be encoded (such as a path that is not UTF-8),
    /// the key is random and never found again.
    #[must_use]
    pub fn value<T: Serialize + ?Sized>(self, name: &str, value: &T) -> Self {
        match postcard::to_stdvec(value) {
            Ok(bytes) => self.field(name, bytes),
            // Two different values must not share a key, so this key is random.
            Err(_) => self.field(name, RandomState::new().hash_one(name).to_le_bytes()),
        }
    }

    /// Adds a list of values as one field.
    #[must_use]
    pub fn list<T: AsRef<[u8]>>(mut self, name: &str, values: impl IntoIterator<Item = T>) -> Self {
        let values: Vec<T> = values.into_iter().collect();
        self.0.update(b"l");
        self.sized(name.as_bytes());
        self.0.update(&(values.len() as u64).to_le_bytes());
        for value in &values {
            self.sized(value.as_ref());
        }
        self
    }

    /// Computes the key.
    pub fn finish(self) -> Key {
        Key(self.0.finalize().into())
    }

    fn sized(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }
}

impl fmt::Debug for KeyBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyBuilder(…)")
    }
}

/// The first 8 bytes of a hash as an `SQLite` integer.
pub(super) fn short(hash: &[u8; 32]) -> i64 {
    hash.first_chunk().map_or(0, |bytes| i64::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn field_boundaries_never_collide() {
        let none: [&str; 0] = [];
        let keys = vec![
            Key::of("k"),
            Key::of("kind"),
            Key::of("k").field("", ""),
            Key::of("k").field("a", ""),
            Key::of("k").field("", "a"),
            Key::of("k").field("ab", "c"),
            Key::of("k").field("a", "bc"),
            Key::of("k").field("a", "b").field("c", "d"),
            Key::of("k").field("c", "d").field("a", "b"),
            Key::of("k").field("a", "bcd"),
            Key::of("k").list("a", none),
            Key::of("k").list("a", [""]),
            Key::of("k").list("a", ["b"]),
            Key::of("k").list("a", ["b", ""]),
            Key::of("k").list("a", ["b", "c"]),
            Key::of("k").list("a", ["bc"]),
            Key::of("k").list("a", ["b"]).list("c", none),
            Key::of("k").field("a", "b").list("c", none),
            Key::of("k").field("a", [1, 0, 0, 0, 0, 0, 0, 0, b'b']),
        ];
        let distinct: HashSet<Key> = keys.iter().cloned().map(KeyBuilder::finish).collect();
        assert_eq!(distinct.len(), keys.len());
    }

    #[test]
    fn values_are_told_apart_and_what_cannot_be_written_is_never_found() {
        use std::os::unix::ffi::OsStrExt as _;
        let key = |value: &dyn Fn(KeyBuilder) -> KeyBuilder| value(Key::of("k")).finish();
        let some = key(&|key| key.value("a", &Some(vec![1.5, 0.0])));
        assert_eq!(some, key(&|key| key.value("a", &Some(vec![1.5, 0.0]))));
        assert_ne!(some, key(&|key| key.value("a", &Some(vec![1.5, -0.0]))));
        assert_ne!(some, key(&|key| key.value("a", &None::<Vec<f64>>)));
        let odd = std::path::Path::new(std::ffi::OsStr::from_bytes(b"\xff"));
        assert_ne!(key(&|key| key.value("a", odd)), key(&|key| key.value("a", odd)));
    }

    #[test]
    fn the_same_fields_give_the_same_key() {
        let build = || Key::of("outcome v1").field("input", Digest::of_bytes(b"1\n")).finish();
        assert_eq!(build(), build());
    }

    #[test]
    fn text_and_back() {
        let digest = Digest::of_bytes(b"");
        let text = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
        assert_eq!(digest.to_string(), text, "the published hash of nothing");
        assert_eq!(Digest::from_hex(text), Some(digest));
        assert_eq!(Digest::from_hex(&text[1..]), None);
        assert_eq!(Digest::from_hex(&text.replace('a', "g")), None);
        let json = serde_json::to_string(&digest).unwrap();
        assert_eq!(json, format!("\"{text}\""));
        assert_eq!(serde_json::from_str::<Digest>(&json).unwrap(), digest);
        assert!(serde_json::from_str::<Digest>("\"é\"").is_err());
    }
}
