//! The standard checkers of testlib, by name.
//!
//! Source: the directory `checkers` of testlib.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a name of Polygon begins.
const POLYGON: &str = "std::";

macro_rules! standard_checkers {
    ($($(#[doc = $summary:literal])* $variant:ident = $name:literal,)*) => {
        /// A standard checker of testlib.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum StandardChecker {
            $($(#[doc = $summary])* #[serde(rename = $name)] $variant,)*
        }

        impl StandardChecker {
            /// All of them, in the order of their names.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Its name: `wcmp`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The things that it compares, as a line of help.
            pub fn summary(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($summary),*).trim_start(),)*
                }
            }
        }
    };
}

standard_checkers! {
    /// One number; absolute error at most 1.5e-6.
    Acmp = "acmp",
    /// An integer of 64 bits after each `Case N:`.
    Caseicmp = "caseicmp",
    /// Integers of 64 bits after each `Case N:`.
    Casencmp = "casencmp",
    /// Tokens after each `Case N:`.
    Casewcmp = "casewcmp",
    /// One number; absolute or relative error at most 1e-6.
    Dcmp = "dcmp",
    /// Lines, byte for byte.
    Fcmp = "fcmp",
    /// One integer of any length.
    Hcmp = "hcmp",
    /// One integer of 32 bits.
    Icmp = "icmp",
    /// Lines, token by token.
    Lcmp = "lcmp",
    /// Integers of 64 bits.
    Ncmp = "ncmp",
    /// Any number of `YES` and `NO`, in any case.
    Nyesno = "nyesno",
    /// One number; the absolute error is the points.
    Pointscmp = "pointscmp",
    /// One number; reports both numbers to a scorer, which gives the points.
    Pointsinfo = "pointsinfo",
    /// One number; absolute error at most 1.5e-6.
    Rcmp = "rcmp",
    /// Numbers; absolute or relative error at most 1e-4.
    Rcmp4 = "rcmp4",
    /// Numbers; absolute or relative error at most 1e-6.
    Rcmp6 = "rcmp6",
    /// Numbers; absolute or relative error at most 1e-9.
    Rcmp9 = "rcmp9",
    /// Numbers; absolute error at most 1.5e-5.
    Rncmp = "rncmp",
    /// Integers of 64 bits, in any order.
    Uncmp = "uncmp",
    /// Tokens.
    Wcmp = "wcmp",
    /// `YES` or `NO`, in any case.
    Yesno = "yesno",
}

impl StandardChecker {
    /// The checker with this name, such as `wcmp`.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|checker| checker.name() == name)
    }

    /// The checker with this name in a package of Polygon, such as `std::wcmp.cpp`.
    pub fn by_polygon_name(name: &str) -> Option<Self> {
        Self::by_name(name.strip_prefix(POLYGON)?.strip_suffix(".cpp")?)
    }

    /// How `yesno` and `nyesno` compare: without the case of letters.
    pub const fn ignores_case(self) -> bool {
        matches!(self, Self::Yesno | Self::Nyesno)
    }

    /// Whether it gives points, and no verdict, to an output that it can read.
    pub const fn gives_points(self) -> bool {
        matches!(self, Self::Pointscmp | Self::Pointsinfo)
    }

    /// The permitted difference of numbers, if it compares numbers with one.
    pub const fn tolerance(self) -> Option<Tolerance> {
        Some(match self {
            Self::Acmp | Self::Rcmp => Tolerance { epsilon: 1.5e-6, is_relative_too: false },
            Self::Rncmp => Tolerance { epsilon: 1.5e-5, is_relative_too: false },
            Self::Rcmp4 => Tolerance { epsilon: 1e-4, is_relative_too: true },
            Self::Dcmp | Self::Rcmp6 => Tolerance { epsilon: 1e-6, is_relative_too: true },
            Self::Rcmp9 => Tolerance { epsilon: 1e-9, is_relative_too: true },
            _ => return None,
        })
    }
}

/// The permitted difference of two numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// The largest permitted difference, before testlib adds 1e-15.
    pub epsilon: f64,
    /// Whether it is enough that the difference is small in relation to the answer.
    pub is_relative_too: bool,
}

impl fmt::Display for StandardChecker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_with_and_without_the_words_of_polygon() {
        for checker in StandardChecker::ALL.iter().copied() {
            assert_eq!(StandardChecker::by_name(checker.name()), Some(checker));
            assert_eq!(StandardChecker::by_polygon_name(&format!("std::{checker}.cpp")), Some(checker));
            assert!(checker.summary().ends_with('.'), "{checker}");
        }
        assert!(StandardChecker::ALL.is_sorted_by_key(|checker| checker.name()));
        for other in ["wcmp", "std::wcmp", "std::pointscmp", "wcmp.cpp", "std::Wcmp.cpp", ""] {
            assert_eq!(StandardChecker::by_polygon_name(other), None, "{other}");
        }
    }
}
