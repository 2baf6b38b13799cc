//! The first difference between an output and an answer, as bounded plain data for the record.

mod excerpt;

use serde::{Deserialize, Serialize};

pub use excerpt::{Excerpt, Later};

/// The first difference that makes an output wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The kind of difference.
    pub kind: DifferenceKind,
    /// The answer's text at this place.
    pub expected: SideText,
    /// The output's text at this place.
    pub actual: SideText,
    /// Relaxed rules that together would accept the output. Empty if none of them would, or if the output was not
    /// compared to its end.
    pub would_accept: Vec<RelaxedRule>,
}

/// The text of one side at a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideText {
    /// Where it begins. The end of the text is just after the last token: "output ends after line k" is `at.line`.
    pub at: Position,
    /// The text, or [`Text::End`] if no token follows.
    pub what: Text,
    /// The first character that the other side lacks, or the end if this text is a prefix of the other. None if one
    /// side has nothing to compare. Case counts only if the checker compares it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differs: Option<Position>,
}

impl SideText {
    /// Changes the known bytes, such as to hide a name.
    pub fn change(&mut self, changed: impl Fn(&[u8]) -> Vec<u8>) {
        if let Text::Token(excerpt) | Text::Space(excerpt) = &mut self.what {
            excerpt.bytes = changed(&excerpt.bytes);
            if let Some(later) = &mut excerpt.later {
                later.bytes = changed(&later.bytes);
            }
        }
    }

    /// The place to show: in a token, the first character that differs.
    pub fn focus(&self) -> Position {
        match self.what {
            Text::Token(_) => self.differs.unwrap_or(self.at),
            Text::Space(_) | Text::End => self.at,
        }
    }
}

/// The content at a place.
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

/// The kinds of differences. If several apply, the most informative one is used.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceKind {
    /// The tokens differ.
    Token,
    /// The tokens differ only in case.
    Case,
    /// The white space differs and is compared.
    WhiteSpace,
    /// The output ends but the answer continues.
    Missing,
    /// The answer ends but the output continues.
    Extra,
    /// The output is empty.
    Empty,
    /// The output has only white space.
    Blank,
    /// A number beyond the tolerance.
    Number {
        /// |output − answer|, at most `f64::MAX`.
        absolute: f64,
        /// The same divided by |answer|; none if the answer is 0.
        relative: Option<f64>,
    },
    /// The answer is a number but the output's token is not, and numbers are compared by value.
    NotANumber,
    /// The checker reads an integer, and the output's token is not an integer of this size.
    NotAnInteger {
        /// 32 or 64; none if the size does not matter.
        bits: Option<u8>,
    },
    /// Equal to the answer modulo 2^bits, signed or unsigned, which suggests an integer overflow.
    Overflow {
        /// 32 or 64.
        bits: u8,
    },
    /// From here on the output has the answer's lines in another order.
    LineOrder,
    /// The output lacks consecutive lines of the answer here and is right otherwise.
    MissingLines {
        /// The number of lines; blank lines count only if white space counts.
        count: u64,
    },
    /// The output has extra consecutive lines here and is right otherwise.
    ExtraLines {
        /// The number of lines; blank lines count only if white space counts.
        count: u64,
    },
}

/// A relaxed rule of comparison.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RelaxedRule {
    /// Letters compared without case.
    IgnoreCase,
    /// White space compared only as a separator of tokens.
    IgnoreWhiteSpace,
    /// The output's lines sorted into the answer's order.
    SortLines,
    /// Numbers compared with this relative and absolute tolerance, if the checker's own is not larger. 0 means equal
    /// numbers in different spelling.
    Tolerance(f64),
}

/// Differences between an accepted output and the answer, which some other judge would reject.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "four independent facts, each a yes or no")]
pub struct Leniency {
    /// Letters differ in case. CMS, testlib's `wcmp` and `diff` reject that.
    pub case: bool,
    /// White space differs somewhere, possibly only at the end of the file.
    pub spacing: bool,
    /// Tokens are split differently into lines. CMS' white-diff and every line-based judge reject that.
    pub lines: bool,
    /// Numbers are spelt differently but lie within the tolerance.
    pub numbers: bool,
}

impl Leniency {
    /// Whether the output equals the answer byte for byte, as far as it was compared.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }
}

/// A position in an output or in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The line, from 1. Lines end with a line feed.
    pub line: u64,
    /// The column, from 1: in characters if the line is UTF-8 up to here, otherwise in bytes.
    pub column: u64,
    /// Whether the column counts bytes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_bytes: bool,
    /// The offset in bytes, from 0.
    pub offset: u64,
}
