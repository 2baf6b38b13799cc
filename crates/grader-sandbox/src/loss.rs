//! Recovers from losses: something outside of grader killed a program, or the processes that watch it. One loss may be
//! chance, so the program gets a second attempt ([`once_more`]).

use std::io;

use super::{Refusal, SandboxError, refusal::Part};

/// How the keeper of a run was lost.
#[derive(Debug, thiserror::Error)]
pub enum Loss {
    /// It ended, with everything that it ran. It never does that by itself.
    #[error("it ended unexpectedly")]
    Ended,
    /// It did not answer in time. Something may have stopped it.
    #[error("it no longer answers")]
    Silent,
    /// It broke the protocol.
    #[error("it {0}")]
    Protocol(&'static str),
    /// A message to or from it failed.
    #[error("{0}")]
    Message(#[source] io::Error),
}

impl Loss {
    /// The loss that the failure of a message shows.
    pub(super) fn of(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset | io::ErrorKind::NotConnected => Self::Ended,
            _ => Self::Message(error),
        }
    }
}

/// An error of one attempt to run something.
pub trait AttemptError {
    /// Whether something outside of the grader ended the attempt: a signal, or the end of a process of the sandbox.
    fn is_from_outside(&self) -> bool;
}

impl AttemptError for SandboxError {
    fn is_from_outside(&self) -> bool {
        match self {
            Self::Keeper(Loss::Ended) => true,
            // The process outside of the walls ended first, and the init reported this before it ended too.
            Self::Refused(Refusal { part, .. }) => *part == Some(Part::Mounter),
            _ => false,
        }
    }
}

/// Runs something, and runs it once more if something from outside ended it: an error says so, or `is_struck` does of
/// the facts. The second run counts. One such act may be chance; a program that kills itself, or its keeper where it
/// can, does it again in the second run.
///
/// An attempt begins with its box: a box ends with its keeper.
pub fn once_more<T, E: AttemptError>(
    mut run: impl FnMut() -> Result<T, E>,
    is_struck: impl FnOnce(&T) -> bool,
) -> Result<T, E> {
    let first = run();
    let is_struck = match &first {
        Ok(ran) => is_struck(ran),
        Err(error) => error.is_from_outside(),
    };
    if is_struck { run() } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(error: fn() -> SandboxError) -> usize {
        let mut runs = 0;
        let ran: Result<(), _> = once_more(
            || {
                runs += 1;
                Err(error())
            },
            |()| false,
        );
        assert!(ran.is_err());
        runs
    }

    #[test]
    fn only_what_came_from_outside_is_tried_again() {
        let mounter = || SandboxError::Refused(Refusal { part: Some(Part::Mounter), ..Refusal::new("gone") });
        assert_eq!(runs(|| SandboxError::Keeper(Loss::of(io::ErrorKind::BrokenPipe.into()))), 2);
        assert_eq!(runs(mounter), 2);
        assert_eq!(runs(|| SandboxError::Keeper(Loss::of(io::Error::other("too long")))), 1);
        assert_eq!(runs(|| SandboxError::Keeper(Loss::Silent)), 1);
        assert_eq!(runs(|| SandboxError::Refused(Refusal::new("no room"))), 1);
    }
}
