//! The kinds of findings, each with a stable code.

use std::path::PathBuf;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::diagnostic::{Diagnostic, Severity};
use crate::suggest;

macro_rules! codes {
    ($($variant:ident = $name:literal, $severity:ident, $doc:literal;)*) => {
        /// The kinds of findings.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) enum Code {
            $(#[doc = concat!("`", $name, "`.")] $variant,)*
        }

        impl Code {
            /// Every code, in the order in which findings are shown.
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),*];

            /// The code in words, such as `input-rejected`.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// The severity of its findings.
            pub(crate) const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity),* }
            }

            /// A description of the finding. docs/verify.md has the same words.
            pub(crate) const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $doc),* }
            }
        }
    };
}

codes! {
    ProblemInvalid = "problem-invalid", Error, "the problem has errors and cannot be read";
    CaseIncomplete = "case-incomplete", Error, "the test cases are incomplete, or do not fit their groups";
    CaseUnreachable = "case-unreachable", Error, "an input that is not a case: no submission ever runs on it";
    FileUnreadable = "file-unreadable", Error, "a file of the test data cannot be read";
    ValidatorBroken = "validator-broken", JudgeError, "a validator does not compile, cannot be run, or fails on a case";
    ValidatorCrash = "validator-crash", JudgeError, "the output validator fails on junk, or on a partner, instead of rejecting it";
    JudgeError = "judge-error", JudgeError, "a part of the judge failed while a submission was judged";
    SanitizerReport = "sanitizer-report", Error, "a sanitizer reports an error in a program (only with --sanitize)";
    StatementInvalid = "statement-invalid", Error, "a statement has an error, so `grader statement` writes no page of it";
    InputRejected = "input-rejected", Error, "an input validator rejects a case";
    AnswerInvalid = "answer-invalid", Error, "an answer validator rejects the answer of a case";
    AnswerRejected = "answer-rejected", Error, "the output validator rejects the answer of a case as an output";
    InvalidInputAccepted = "invalid-input-accepted", Error, "an input that must be invalid is accepted: of invalid_input/, or a test of a validator";
    ValidInputRejected = "valid-input-rejected", Error, "a validator rejects an input of its own tests that must be valid";
    InvalidAnswerAccepted = "invalid-answer-accepted", Error, "nothing rejects an answer of invalid_answer/";
    InvalidOutputAccepted = "invalid-output-accepted", Error, "an output that must be rejected is accepted: of invalid_output/, or a test of the checker";
    ValidOutputRejected = "valid-output-rejected", Error, "an output that must be accepted is rejected: of valid_output/, or a test of the checker";
    CheckerFailureMissed = "checker-failure-missed", Error, "the checker decides a test of its own on which it must fail";
    ValidationDataIncomplete = "validation-data-incomplete", Error, "validation data that lacks a file or is untested";
    NoAcceptedSubmission = "no-accepted-submission", Error, "no submission is expected to be accepted";
    SubmissionUnexpected = "submission-unexpected", Error, "a submission does not behave as its author expects";
    ProblemUntidy = "problem-untidy", Warning, "another warning from reading the problem";
    KeyIgnored = "key-ignored", Warning, "a key or flag that is unknown or has no effect";
    NameIgnored = "name-ignored", Warning, "a name that the package format does not allow";
    FileIgnored = "file-ignored", Warning, "a file or directory that grader does not use";
    NotUsed = "not-used", Warning, "a setting or file that has no effect here";
    NotChecked = "not-checked", Warning, "grader skips a check that other judges do";
    NothingExpected = "nothing-expected", Warning, "a submission without an expectation";
    AnnotationIgnored = "annotation-ignored", Warning, "an annotation that is invalid, appears twice or contradicts its directory";
    PatternUnmatched = "pattern-unmatched", Warning, "a pattern that matches nothing";
    GroupUnusual = "group-unusual", Warning, "cases outside the groups of the package format";
    NameDeprecated = "name-deprecated", Warning, "a name from an older version of the format";
    NoInputValidator = "no-input-validator", Warning, "nothing checks the inputs";
    NoSecretCase = "no-secret-case", Warning, "there are no cases except samples";
    NoSample = "no-sample", Warning, "there is no sample";
    NoStatement = "no-statement", Warning, "there is no statement";
    DuplicateInput = "duplicate-input", Warning, "two cases have the same input";
    EmptyInput = "empty-input", Warning, "an input is empty";
    TwoAnswers = "two-answers", Warning, "a case has an `.ans` and a different `.out`";
    NoFinalNewline = "no-final-newline", Warning, "a file does not end with a newline";
    CarriageReturn = "carriage-return", Warning, "a file has carriage returns (CRLF)";
    NonAscii = "non-ascii", Warning, "a file has bytes outside ASCII";
    ControlCharacter = "control-character", Warning, "a file has control characters";
    LargeFile = "large-file", Warning, "a file is larger than 20 MiB";
    AnswerNearOutputLimit = "answer-near-output-limit", Warning, "an answer is more than half of the output limit";
    InputCorruptionAccepted = "input-corruption-accepted", Warning, "no input validator rejects a corrupted input";
    OutputCorruptionAccepted = "output-corruption-accepted", Warning, "the output validator accepts a corrupted answer";
    NotAllTried = "not-all-tried", Warning, "the time for corruptions, junk or partners ran out";
    TimeLimitTight = "time-limit-tight", Warning, "a submission that must not be slow takes more of the limit than `ac_to_time_limit` allows";
    TimeLimitLoose = "time-limit-loose", Warning, "a submission that must be over time takes less than `time_limit_to_tle` limits";
    KilledBySampleOnly = "killed-by-sample-only", Warning, "a wrong submission fails only on samples";
    StrengthOutdated = "strength-outdated", Warning, "the cases, an accepted submission or a validator changed after `grader strength` ran";
    SubmissionNotJudged = "submission-not-judged", Warning, "a submission cannot be judged on this machine";
    StatementBoundDiffers = "statement-bound-differs", Warning, "the statement says other bounds of a variable than an input validator declares";
    StatementUntidy = "statement-untidy", Info, "a warning of `grader statement`: its page shows something otherwise than it is written, or under another title";
    BoundNotReached = "bound-not-reached", Info, "no case reaches a bound that an input validator declares";
    NotCovered = "code-not-covered", Info, "no case executes some lines of an accepted submission (`--coverage`)";
    CoverageUnknown = "coverage-unknown", Info, "the lines that an accepted submission executes cannot be known (`--coverage`)";
    FeatureNotHit = "feature-not-hit", Info, "no case has a feature that an input validator of testlib names";
    SameAnswer = "same-answer", Info, "all answers of a group, or of all secret cases, are the same";
    AnswerGuessable = "answer-guessable", Info, "a program that prints a constant or its input is right on more than two thirds of the secret cases";
    AnswerPermutesInput = "answer-permutes-input", Info, "every secret answer has the words of its input in some order";
}

impl Code {
    /// Whether users may suppress it. Codes that can hide other findings must stay.
    pub(crate) fn can_be_allowed(self) -> bool {
        !matches!(self, Self::ValidatorBroken | Self::JudgeError | Self::ProblemInvalid | Self::CaseIncomplete)
    }
}

/// An unknown code, or one that cannot be suppressed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CodeError {
    /// No code has this name.
    #[error("unknown code `{0}`{1}")]
    Unknown(String, String),
    /// Findings with this code can hide others, so it cannot be suppressed.
    #[error("`{0}` cannot be allowed, because it can hide other findings")]
    Essential(&'static str),
}

impl FromStr for Code {
    type Err = CodeError;

    /// Parses a code that may be suppressed.
    fn from_str(text: &str) -> Result<Self, CodeError> {
        let Some(code) = Self::ALL.iter().find(|code| code.name() == text) else {
            let hint = suggest::hint(text, Self::ALL.iter().map(|code| code.name()));
            return Err(CodeError::Unknown(text.to_owned(), hint));
        };
        if code.can_be_allowed() { Ok(*code) } else { Err(CodeError::Essential(code.name())) }
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A defect that verification found, with its code. The severity is that of the code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// The kind of the finding.
    pub code: Code,
    /// The finding itself, with its place.
    #[serde(flatten)]
    pub found: Diagnostic,
}

impl Finding {
    /// Creates a finding about a submission or the problem as a whole.
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, found: Diagnostic::new(code.severity(), message) }
    }

    /// Creates a finding of a diagnostic about the problem that is shown.
    pub(crate) fn of(code: Code, found: Diagnostic) -> Self {
        Self { code, found: Diagnostic { problem: None, severity: code.severity(), ..found.placed_in_words() } }
    }

    /// Adds the file or directory of the finding.
    #[must_use]
    pub(crate) fn at(self, path: impl Into<PathBuf>) -> Self {
        self.at_any(Some(path))
    }

    /// Adds the file or directory of the finding, if it has one.
    #[must_use]
    pub(crate) fn at_any(self, path: Option<impl Into<PathBuf>>) -> Self {
        Self { found: self.found.about_any(path), ..self }
    }

    /// Adds a suggested fix.
    #[must_use]
    pub(crate) fn remedy(self, remedy: impl Into<String>) -> Self {
        Self { found: self.found.remedy(remedy), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_words_and_each_is_there_once() {
        let mut names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        assert!(names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
    }

    #[test]
    fn unknown_codes_are_refused_with_a_suggestion() {
        assert_eq!("crlf".parse::<Code>().map_err(|error| error.to_string()), Err("unknown code `crlf`".to_owned()));
        let error = "no-sampel".parse::<Code>().unwrap_err();
        assert_eq!(error.to_string(), "unknown code `no-sampel`; did you mean `no-sample`?");
        assert_eq!("no-sample".parse::<Code>(), Ok(Code::NoSample));
        assert_eq!("validator-broken".parse::<Code>(), Err(CodeError::Essential("validator-broken")));
    }

    #[test]
    fn every_code_is_in_the_documentation() {
        let page = include_str!("../../docs/verify.md");
        for code in Code::ALL {
            let row = format!("| `{}` | {} | {} |", code.name(), code.severity().word(), code.meaning());
            assert!(page.contains(&row), "docs/verify.md lacks\n{row}");
        }
    }
}
