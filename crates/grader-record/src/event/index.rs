//! Positions in a plan. Each kind is a type of its own, so that a submission cannot be taken for a test.

use std::fmt;
use std::ops::{Index, IndexMut, Range};

use serde::{Deserialize, Serialize};

/// Defines the type of one kind of position. Lists and slices can be indexed by it.
macro_rules! index {
    ($(#[$attribute:meta])* $visibility:vis $name:ident) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        $visibility struct $name(pub usize);

        impl $name {
            /// The position behind this one.
            #[must_use]
            pub fn next(self) -> Self {
                Self(self.0 + 1)
            }

            /// All positions of a range, in order.
            pub fn each(range: Range<usize>) -> impl Iterator<Item = Self> + Clone {
                range.map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl<T> Index<$name> for [T] {
            type Output = T;

            fn index(&self, index: $name) -> &T {
                &self[index.0]
            }
        }

        impl<T> IndexMut<$name> for [T] {
            fn index_mut(&mut self, index: $name) -> &mut T {
                &mut self[index.0]
            }
        }

        impl<T> Index<$name> for Vec<T> {
            type Output = T;

            fn index(&self, index: $name) -> &T {
                &self[index.0]
            }
        }

        impl<T> IndexMut<$name> for Vec<T> {
            fn index_mut(&mut self, index: $name) -> &mut T {
                &mut self[index.0]
            }
        }
    };
}

index! {
    /// The position of a problem among all problems of the plan.
    pub ProblemIndex
}

index! {
    /// The position of a submission among all planned submissions.
    pub SubmissionIndex
}

index! {
    /// The position of a test among the planned tests of its problem.
    pub TestIndex
}

index! {
    /// The position of a program among all programs that a run builds.
    pub BuildIndex
}
