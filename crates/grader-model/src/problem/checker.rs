//! The built-in comparisons, and the words that select them.

use serde::{Deserialize, Serialize};

use super::StandardChecker;
use crate::ruleset::Numbers;
use crate::suggest;

/// A built-in comparison of an output with an answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Checker {
    /// The ICPC default output validator (package format 2025-09, "Default output validator").
    Tokens(TokenOptions),
    /// Byte for byte.
    Exact,
    /// The answer occurs somewhere in the output.
    Contains,
    /// The answer is a regular expression, which matches somewhere in the output.
    Regex,
    /// The lines of the answer in any order.
    Unordered,
    /// The answer and the output are values as JSON: results of a function.
    Value(ValueTolerance),
    /// A standard checker of testlib.
    Standard(StandardChecker),
}

/// The permitted difference of numbers in values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ValueTolerance {
    /// Relative to the expected number.
    pub relative: f64,
    /// The absolute difference.
    pub absolute: f64,
    /// Whether it applies to expected integers too, beside expected floats.
    pub integers: bool,
}

impl Default for ValueTolerance {
    fn default() -> Self {
        Self { relative: 1e-6, absolute: 1e-6, integers: false }
    }
}

impl Default for Checker {
    fn default() -> Self {
        Self::Tokens(TokenOptions::default())
    }
}

/// The built-in comparison of a problem, and whether the problem itself states it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnChecker {
    /// The problem states it. Only arguments and environment take precedence.
    Stated(Checker),
    /// It is not stated, so it is the usual one of the layout. The configuration file takes precedence too.
    Usual(Checker),
}

impl OwnChecker {
    /// The usual comparison of a plain folder: by tokens, and the case of letters matters, as for most online judges.
    pub const PLAIN: Self = Self::Usual(Checker::Tokens(TokenOptions {
        case_sensitive: true,
        space_change_sensitive: false,
        line_sensitive: false,
        float_relative: None,
        float_absolute: None,
        numbers: Numbers::Decimal,
        labels: false,
    }));

    /// The usual comparison of a puzzle: `Part 1: 42` is the answer 42 too.
    pub const PUZZLE: Self = match Self::PLAIN {
        Self::Usual(Checker::Tokens(options)) => Self::Usual(Checker::Tokens(TokenOptions { labels: true, ..options })),
        other => other,
    };
}

impl Default for OwnChecker {
    /// The default output validator of the package format, without flags.
    fn default() -> Self {
        Self::Usual(Checker::default())
    }
}

impl From<Option<Checker>> for OwnChecker {
    fn from(stated: Option<Checker>) -> Self {
        stated.map_or_else(Self::default, Self::Stated)
    }
}

/// The flags of the default output validator.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own, and recorded as one")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct TokenOptions {
    /// Whether the case of letters matters; otherwise ASCII letters are compared without case.
    pub case_sensitive: bool,
    /// Whether white space must agree byte for byte, also at the ends.
    pub space_change_sensitive: bool,
    /// Whether two words must be on one line, or on two, as in the answer: DMOJ's checker `standard`. White space at both ends
    /// does not count. The package format has no such flag.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub line_sensitive: bool,
    /// The tolerance relative to the number in the answer.
    pub float_relative: Option<f64>,
    /// The absolute tolerance.
    pub float_absolute: Option<f64>,
    /// Which tokens are numbers. No flag sets this; it follows from the ruleset.
    #[serde(default, skip_serializing_if = "Numbers::is_decimal")]
    pub numbers: Numbers,
    /// Whether words before the values are ignored: `Part 1: 42`. No flag sets this; it follows from the folder.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub labels: bool,
}

/// An invalid description of a checker.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckerError {
    /// An unknown word.
    #[error(
        "unknown checker word `{0}`{hint}; known are {known}, and the standard checkers of testlib: {standard}",
        hint = suggest::hint(.0, words()), known = KNOWN.join(", "), standard = names().join(", ")
    )]
    UnknownWord(String),
    /// A tolerance is not a non-negative number.
    #[error("`{0}` is not a valid tolerance; write a non-negative number such as 1e-6")]
    BadTolerance(String),
    /// The same flag appears twice, or `float_tolerance` with one of its parts.
    #[error("the tolerance is given twice")]
    Twice,
    /// A checker that is one word appears with a flag.
    #[error("`{0}` has its own rules and takes no other word")]
    WithFlags(&'static str),
    /// A checker that no other judge has appears among the flags of the default output validator.
    #[error("`{0}` is no flag of the default output validator; a problem of grader sets `checker = \"{0}\"`")]
    NoFlag(&'static str),
}

/// The words of the default output validator, as a message shows them.
const KNOWN: [&str; 12] = [
    "tokens",
    "exact",
    "contains",
    "regex",
    "unordered",
    "float=E",
    "float_tolerance E",
    "float_relative_tolerance E",
    "float_absolute_tolerance E",
    "case_sensitive",
    "space_change_sensitive",
    "line_sensitive",
];

/// The names of the standard checkers.
fn names() -> Vec<&'static str> {
    StandardChecker::ALL.iter().map(|checker| checker.name()).collect()
}

/// All words, without their values.
fn words() -> impl Iterator<Item = &'static str> {
    let word = |known: &'static str| known.split([' ', '=']).next().unwrap_or(known);
    KNOWN.into_iter().map(word).chain(names())
}

impl Checker {
    /// Reads the flags of the default output validator, as packages of the ICPC format state them.
    ///
    /// # Errors
    /// The text names a checker that no other judge would understand, or no checker at all.
    pub fn from_flags(text: &str) -> Result<Self, CheckerError> {
        match text.parse()? {
            Self::Tokens(options) if options.line_sensitive => Err(CheckerError::NoFlag("line_sensitive")),
            // No word means values.
            checker @ (Self::Tokens(_) | Self::Exact | Self::Value(_)) => Ok(checker),
            Self::Contains => Err(CheckerError::NoFlag("contains")),
            Self::Regex => Err(CheckerError::NoFlag("regex")),
            Self::Unordered => Err(CheckerError::NoFlag("unordered")),
            Self::Standard(checker) => Err(CheckerError::NoFlag(checker.name())),
        }
    }

    /// The checker of the results of functions, if this one is stated for them.
    ///
    /// # Errors
    /// The stated checker compares texts. Its name is returned.
    pub fn of_values(stated: Option<Self>) -> Result<Self, &'static str> {
        let tolerance = match stated {
            None => ValueTolerance::default(),
            Some(Self::Exact) => ValueTolerance { relative: 0.0, absolute: 0.0, integers: false },
            Some(Self::Tokens(options)) => ValueTolerance {
                relative: options.float_relative.unwrap_or(0.0),
                absolute: options.float_absolute.unwrap_or(0.0),
                integers: true,
            },
            Some(Self::Value(tolerance)) => tolerance,
            Some(Self::Contains) => return Err("contains"),
            Some(Self::Regex) => return Err("regex"),
            Some(Self::Unordered) => return Err("unordered"),
            Some(Self::Standard(checker)) => return Err(checker.name()),
        };
        Ok(Self::Value(tolerance))
    }

    /// The checkers that are one word and take no flag.
    fn of_one_word(word: &str) -> Option<(&'static str, Self)> {
        let own = [
            ("exact", Self::Exact),
            ("contains", Self::Contains),
            ("regex", Self::Regex),
            ("unordered", Self::Unordered),
        ];
        let standard = || StandardChecker::by_name(word).map(|checker| (checker.name(), Self::Standard(checker)));
        own.into_iter().find(|(name, _)| *name == word).or_else(standard)
    }
}

impl std::str::FromStr for Checker {
    type Err = CheckerError;

    /// Reads `tokens`, `exact`, `contains`, `regex`, `unordered`, `float=1e-6`, any combination of the flags of the
    /// default output validator, or the name of a standard checker of testlib.
    fn from_str(text: &str) -> Result<Self, CheckerError> {
        let words: Vec<&str> = text.split_ascii_whitespace().flat_map(|word| word.split('=')).collect();
        if let [word] = words[..]
            && let Some((_, checker)) = Self::of_one_word(word)
        {
            return Ok(checker);
        }
        let mut options = TokenOptions::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let mut tolerance = || {
                let text = words.next().unwrap_or_default();
                let value = text.parse::<f64>().ok().filter(|e| e.is_finite() && *e >= 0.0);
                value.ok_or_else(|| CheckerError::BadTolerance(text.to_owned()))
            };
            let set = |slot: &mut Option<f64>, value| match slot.replace(value) {
                None => Ok(()),
                Some(_) => Err(CheckerError::Twice),
            };
            match word {
                "tokens" => {}
                "case_sensitive" => options.case_sensitive = true,
                "space_change_sensitive" => options.space_change_sensitive = true,
                "line_sensitive" => options.line_sensitive = true,
                "float" | "float_tolerance" => {
                    let value = tolerance()?;
                    set(&mut options.float_relative, value)?;
                    set(&mut options.float_absolute, value)?;
                }
                "float_relative_tolerance" => set(&mut options.float_relative, tolerance()?)?,
                "float_absolute_tolerance" => set(&mut options.float_absolute, tolerance()?)?,
                unknown => {
                    let alone = Self::of_one_word(unknown).map(|(name, _)| CheckerError::WithFlags(name));
                    return Err(alone.unwrap_or_else(|| CheckerError::UnknownWord(unknown.to_owned())));
                }
            }
        }
        Ok(Self::Tokens(options))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkers_are_read_from_words() {
        assert_eq!("tokens".parse(), Ok(Checker::default()));
        assert_eq!("exact".parse(), Ok(Checker::Exact));
        let float = TokenOptions { float_relative: Some(1e-6), float_absolute: Some(1e-6), ..TokenOptions::default() };
        assert_eq!("float=1e-6".parse(), Ok(Checker::Tokens(float)));
        assert_eq!("rcmp6".parse(), Ok(Checker::Standard(StandardChecker::Rcmp6)));
        assert_eq!("float_tolerance 1e-6".parse(), Ok(Checker::Tokens(float)));
        let strict = TokenOptions { case_sensitive: true, space_change_sensitive: true, ..TokenOptions::default() };
        assert_eq!("case_sensitive space_change_sensitive".parse(), Ok(Checker::Tokens(strict)));
    }

    #[test]
    fn bad_checkers_are_refused() {
        let parse = |text: &str| text.parse::<Checker>();
        assert_eq!(parse("tokenz"), Err(CheckerError::UnknownWord("tokenz".into())));
        assert_eq!(parse("float=nan"), Err(CheckerError::BadTolerance("nan".into())));
        assert_eq!(parse("float"), Err(CheckerError::BadTolerance(String::new())));
        assert_eq!(parse("float_tolerance 1 float_relative_tolerance 1"), Err(CheckerError::Twice));
        assert_eq!(parse("exact case_sensitive"), Err(CheckerError::WithFlags("exact")));
        assert_eq!(parse("wcmp case_sensitive"), Err(CheckerError::WithFlags("wcmp")));
        assert_eq!(parse("float=1e-6 unordered"), Err(CheckerError::WithFlags("unordered")));
        assert_eq!(Checker::from_flags("wcmp"), Err(CheckerError::NoFlag("wcmp")));
        assert_eq!(Checker::from_flags("regex"), Err(CheckerError::NoFlag("regex")));
        assert_eq!(Checker::from_flags("line_sensitive"), Err(CheckerError::NoFlag("line_sensitive")));
        assert!(Checker::from_flags("float_tolerance 1e-6").is_ok());
    }

    #[test]
    fn the_nearest_word_is_suggested() {
        let said = |text: &str| text.parse::<Checker>().unwrap_err().to_string();
        assert!(said("wcpm").starts_with("unknown checker word `wcpm`; did you mean `wcmp`?; known are tokens,"));
        assert!(said("tokns").contains("did you mean `tokens`?"));
        assert!(said("rcmp7").ends_with("uncmp, wcmp, yesno"), "{}", said("rcmp7"));
    }
}
