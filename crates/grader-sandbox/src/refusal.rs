//! Explains why a part of a sandbox could not be set up: the message, and the facts that decide the remedy.

use std::io;

use serde::{Deserialize, Serialize};

/// A part of the sandbox that a keeper could not set up, as it reports this.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The part of the sandbox, if the remedy depends on it.
    pub part: Option<Part>,
    /// Whether the system forbids it (`EPERM`, `EACCES`).
    pub is_forbidden: bool,
    /// The error in words.
    pub message: String,
}

/// A part of a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// A user namespace.
    UserNamespace,
    /// A separate `/proc`.
    Proc,
    /// The filter of system calls.
    Filter,
    /// Landlock.
    Landlock,
    /// The capabilities of root that a container may lack.
    Capabilities,
    /// The directory with the lock files of leased user ids.
    Locks,
    /// The program itself.
    Program,
    /// The process that mounts for the keeper.
    Mounter,
}

impl Refusal {
    /// Creates a refusal that concerns no particular part.
    pub fn new(message: impl Into<String>) -> Self {
        Self { part: None, is_forbidden: false, message: message.into() }
    }

    /// Returns the error with a new message. Keeps its part if `part` is None.
    pub(super) fn with_message(error: &io::Error, part: Option<Part>, message: String) -> io::Error {
        let part = part.or_else(|| error.get_ref()?.downcast_ref::<Self>()?.part);
        Self { part, is_forbidden: is_forbidden(error), message }.into()
    }
}

/// Whether the system forbids the operation.
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
        let inner = Refusal::with_message(&forbidden(), Some(Part::Proc), forbidden().to_string());
        let outer = Refusal::with_message(&inner, None, format!("cannot make the file system: {inner}"));
        let refusal = Refusal::from(outer);
        assert_eq!((refusal.part, refusal.is_forbidden), (Some(Part::Proc), true));
        assert_eq!(refusal.message, format!("cannot make the file system: {}", forbidden()));
        assert!(!Refusal::from(io::Error::other("else")).is_forbidden);
    }
}
