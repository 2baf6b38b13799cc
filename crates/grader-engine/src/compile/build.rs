//! The result of a build.

use super::Artifact;
use crate::problem::Protocol;

/// The result of a build.
#[derive(Debug, Clone)]
pub enum Build {
    /// The program can run.
    Ready(Box<Artifact>),
    /// The compiler rejected the program with this message.
    CompileError(String),
    /// The program cannot be judged on this machine, for this reason.
    NotJudged(String),
    /// The program is in a language that the problem has no driver for.
    NoDriver {
        /// The message for the staff.
        reason: String,
        /// The remedy for the author.
        advice: String,
    },
    /// The build failed through no fault of the program.
    Failed(String),
    /// The run was cancelled before the build ended.
    Cancelled,
}

/// Why a program cannot be run.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{name} {}", .cause.in_words(.reason))]
pub struct BuildFailure {
    /// The name of the program in messages.
    pub name: String,
    /// The cause.
    pub cause: UnbuiltCause,
    /// The message of the compiler, the missing tool, or the failure.
    pub reason: String,
}

impl BuildFailure {
    /// The failure as a phrase after the name: `does not compile: …`.
    pub fn message(&self) -> String {
        self.cause.in_words(&self.reason)
    }
}

/// The cause of a failed build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnbuiltCause {
    /// The program: the compiler rejects it.
    Program,
    /// The machine lacks its language.
    Missing,
    /// A failure of grader.
    Grader,
    /// Nothing failed: the run was cancelled.
    Cancelled,
}

impl UnbuiltCause {
    fn in_words(self, reason: &str) -> String {
        match self {
            Self::Program => format!("does not compile:\n{reason}"),
            Self::Missing => format!("cannot be run: {reason}"),
            Self::Grader => format!("cannot be built: {reason}"),
            Self::Cancelled => format!("was not built: {reason}"),
        }
    }
}

impl Build {
    /// Returns the artifact. Messages call the program `name`.
    ///
    /// # Errors
    /// The program cannot run.
    pub fn ready(self, name: impl Into<String>) -> Result<Box<Artifact>, BuildFailure> {
        let unbuilt = |cause, reason| Err(BuildFailure { name: name.into(), cause, reason });
        match self {
            Self::Ready(artifact) => Ok(artifact),
            Self::CompileError(words) => unbuilt(UnbuiltCause::Program, words.trim_end().to_owned()),
            Self::NotJudged(reason) | Self::NoDriver { reason, .. } => unbuilt(UnbuiltCause::Missing, reason),
            Self::Failed(message) => unbuilt(UnbuiltCause::Grader, message),
            Self::Cancelled => unbuilt(UnbuiltCause::Cancelled, "interrupted".to_owned()),
        }
    }

    /// The build of a judging program, with its protocol.
    #[must_use]
    pub fn under(self, protocol: Protocol) -> Self {
        match self {
            Self::Ready(artifact) => Self::Ready(Box::new(artifact.under(protocol))),
            other => other,
        }
    }

    /// The artifact, if the program can run.
    pub fn artifact(&self) -> Option<&Artifact> {
        match self {
            Self::Ready(artifact) => Some(artifact),
            _ => None,
        }
    }
}
