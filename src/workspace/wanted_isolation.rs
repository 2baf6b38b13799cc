//! The isolation that the user wants, and the layers to try for it.

use crate::config::IsolationChoice;
use crate::sandbox::Isolation;

/// The isolation that the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WantedIsolation {
    /// The strongest layer that works.
    Auto,
    /// The strongest layer that is safe for programs of other people.
    Strong,
    /// Exactly this layer.
    Exactly(Isolation),
}

impl From<IsolationChoice> for WantedIsolation {
    fn from(choice: IsolationChoice) -> Self {
        match choice {
            IsolationChoice::Auto => Self::Auto,
            IsolationChoice::Root => Self::Exactly(Isolation::Root),
            IsolationChoice::User => Self::Exactly(Isolation::User),
            IsolationChoice::Users => Self::Exactly(Isolation::Users),
            IsolationChoice::Weak => Self::Exactly(Isolation::Weak),
            IsolationChoice::None => Self::Exactly(Isolation::None),
        }
    }
}

impl WantedIsolation {
    /// The isolation for programs of other people. It is a layer that is not strong only if the user names that layer.
    pub(crate) fn for_strangers(self) -> Self {
        if self == Self::Auto { Self::Strong } else { self }
    }

    /// The layers to try, in order.
    pub(crate) fn candidates(self) -> Vec<Isolation> {
        match self {
            Self::Exactly(isolation) => vec![isolation],
            Self::Auto => Isolation::ALL.to_vec(),
            Self::Strong => Isolation::ALL.into_iter().filter(|layer| layer.is_strong()).collect(),
        }
    }

    /// Adds advice to the error if no layer works.
    pub(crate) fn refuse(self, error: anyhow::Error) -> anyhow::Error {
        match self {
            Self::Strong => error.context(
                "grader does not run programs of other people with weak isolation unless you ask for it: `grader \
                 doctor` shows how to get strong isolation, `--isolation weak` allows weak isolation",
            ),
            Self::Auto | Self::Exactly(_) => error,
        }
    }

    /// The candidates for this user. Excludes a layer that only other users can use, unless it was named.
    pub(crate) fn candidates_of(self, is_root: bool) -> Vec<Isolation> {
        let mut candidates = self.candidates();
        candidates.retain(|isolation| matches!(self, Self::Exactly(_)) || isolation.is_for(is_root));
        candidates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_strangers_get_a_strong_layer_or_the_one_that_was_named() {
        assert_eq!(WantedIsolation::Strong.candidates_of(true), [Isolation::Root, Isolation::Users]);
        assert_eq!(WantedIsolation::Strong.candidates_of(false), [Isolation::User]);
        let named = WantedIsolation::Exactly(Isolation::Weak).for_strangers();
        assert_eq!(named.candidates_of(true), [Isolation::Weak]);
    }

    #[test]
    fn a_layer_for_other_users_is_no_candidate_of_auto() {
        let names =
            |is_root| WantedIsolation::Auto.candidates_of(is_root).into_iter().map(Isolation::name).collect::<Vec<_>>();
        assert_eq!(names(true), ["root", "users", "weak", "none"]);
        assert_eq!(names(false), ["user", "weak", "none"]);
        assert_eq!(WantedIsolation::Exactly(Isolation::Root).candidates_of(false), [Isolation::Root]);
    }
}
