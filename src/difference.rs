//! The first difference between an output and an answer: plain data, bounded, written to the record.

mod excerpt;

use serde::{Deserialize, Serialize};

pub(crate) use excerpt::{Excerpt, Later};

/// The first difference that makes an output wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The kind of difference.
    pub kind: DifferenceKind,
    /// What the answer has there.
    pub expected: Found,
    /// What the output has there.
    pub actual: Found,
    /// What would have made the output right, all of it together; empty where nothing here would, or where the output
    /// was not compared to its end.
    pub would_accept: Vec<Would>,
}

/// What stands at a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Where it begins. The end is just behind the last token: "output ends after line k" is `at.line`.
    pub at: Place,
    /// What it is.
    pub what: Text,
    /// Where its first character stands that the other side does not have, or where it ends if it is the beginning of the
    /// other; none where one side has nothing to compare. Case counts only where the checker minds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differs: Option<Place>,
}

impl Found {
    /// The place to show: in a token, the first character that differs.
    pub fn focus(&self) -> Place {
        match self.what {
            Text::Token(_) => self.differs.unwrap_or(self.at),
            Text::Space(_) | Text::End => self.at,
        }
    }
}

/// The contents of a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Text {
    /// A token.
    Token(Excerpt),
    /// White space between tokens or at either end of the file; may be empty.
    Space(Excerpt),
    /// No further token.
    End,
}

/// The kinds of differences, the most telling that is true.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceKind {
    /// The tokens differ.
    Token,
    /// The tokens differ in the case of letters only.
    Case,
    /// The white space differs and is compared.
    WhiteSpace,
    /// The output ends while the answer goes on.
    Missing,
    /// The answer ends while the output goes on.
    Extra,
    /// The output has no token at all.
    Empty,
    /// A number beyond the tolerance.
    Number {
        /// |output − answer|, at most `f64::MAX`.
        absolute: f64,
        /// The same divided by |answer|; none where the answer is 0.
        relative: Option<f64>,
    },
    /// The answer is a number, the output's token is none, and numbers are compared.
    NotANumber,
    /// Equal to the answer modulo 2^bits, signed or unsigned: an integer that overflowed.
    Overflow {
        /// 32 or 64.
        bits: u8,
    },
    /// From here on the output has the answer's lines in another order.
    LineOrder,
    /// The output lacks consecutive lines of the answer here and is right otherwise.
    MissingLines {
        /// How many; blank lines count only where white space does.
        count: u64,
    },
    /// The output has consecutive lines too many here and is right otherwise.
    ExtraLines {
        /// How many; blank lines count only where white space does.
        count: u64,
    },
}

/// A laxer way of comparing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Would {
    /// Letters compared without case.
    IgnoreCase,
    /// White space compared only as a separator of tokens.
    IgnoreWhiteSpace,
    /// The output's lines put into the answer's order.
    SortLines,
    /// Numbers compared with this relative and absolute tolerance, where the checker's own is not larger; 0 means the
    /// same numbers, written otherwise.
    Tolerance(f64),
}

/// In what an accepted output differs from the answer: what some other judge would refuse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "four independent facts, each a yes or no")]
pub struct Leniency {
    /// Letters differ in case; CMS, testlib's `wcmp` and `diff` refuse that.
    pub case: bool,
    /// White space differs somewhere, be it at the end of the file.
    pub spacing: bool,
    /// The tokens are distributed otherwise over the lines; CMS' white-diff and every line-wise judge refuse that.
    pub lines: bool,
    /// Numbers are written otherwise but lie within the tolerance.
    pub numbers: bool,
}

impl Leniency {
    /// Whether the output is byte for byte the answer as far as was seen.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }
}

/// A position in an output or in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Lines end with a line feed; the first is 1.
    pub line: u64,
    /// In characters where the line is UTF-8 up to here, otherwise in bytes; the first is 1.
    pub column: u64,
    /// Whether the column counts bytes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_bytes: bool,
    /// In bytes; the first is 0.
    pub offset: u64,
}
