//! Programs beside the solvers of a plain folder that are not submissions.

use serde::{Deserialize, Serialize};

use super::Submission;

/// A program beside the solvers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Helper {
    /// Its role.
    pub role: HelperRole,
    /// The program.
    pub program: Submission,
}

/// The role of a program beside the solvers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HelperRole {
    /// Prints a random input.
    Generator,
    /// Solves the problem slowly and surely: it is the reference.
    BruteForce,
}

impl HelperRole {
    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Generator => "generator",
            Self::BruteForce => "brute force",
        }
    }
}
