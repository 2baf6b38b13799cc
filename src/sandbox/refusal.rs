//! Explains why a part of a sandbox could not be set up: the message, and the facts that decide the remedy.

use std::io;

use serde::{Deserialize, Serialize};

/// Something that could not be set up, as a keeper reports it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The part of the sandbox, if the remedy depends on it.
    pub part: Option<Part>,
    /// Whether the system forbids it (`EPERM`, `EACCES`).
    pub is_forbidden: bool,
    /// What happened, in words.
    pub message: String,
}

/// A part of a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// A user namespace.
    UserNamespace,
    /// A `/proc` of its own.
    Proc,
    /// The filter of system calls.
    Filter,
    /// Landlock.
    Landlock,
    /// The directory of the user ids that are taken.
    Locks,
    /// The program itself.
    Program,
}

impl Refusal {
    /// Something of no special part, in words.
    pub fn new(message: impl Into<String>) -> Self {
        Self { part: None, is_forbidden: false, message: message.into() }
    }

    /// An error of this part in other words. What is known of it stays known.
    pub(super) fn told(error: &io::Error, part: Option<Part>, message: String) -> io::Error {
        let part = part.or_else(|| error.get_ref()?.downcast_ref::<Self>()?.part);
        Self { part, is_forbidden: is_forbidden(error), message }.into()
    }
}

/// Whether the system forbids something.
pub(super) fn is_forbidden(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> Self {
        let kind = if refusal.is_forbidden { io::ErrorKind::PermissionDenied } else { io::ErrorKind::Other };
        Self::new(kind, refusal)
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        let known = error.get_ref().and_then(|inner| inner.downcast_ref::<Self>());
        let new = || Self { part: None, is_forbidden: is_forbidden(&error), message: error.to_string() };
        known.cloned().unwrap_or_else(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_an_error_stays_known_in_other_words() {
        let forbidden = || io::Error::from_raw_os_error(libc::EPERM);
        let inner = Refusal::told(&forbidden(), Some(Part::Proc), forbidden().to_string());
        let outer = Refusal::told(&inner, None, format!("cannot make the file system: {inner}"));
        let refusal = Refusal::from(outer);
        assert_eq!((refusal.part, refusal.is_forbidden), (Some(Part::Proc), true));
        assert_eq!(refusal.message, format!("cannot make the file system: {}", forbidden()));
        assert!(!Refusal::from(io::Error::other("else")).is_forbidden);
    }
}
