//! The shapes of data sets: which keys their rows have, and what they mean.

mod apps;
mod code_contests;
mod code_contests_plus;
mod human_eval;
mod live_code_bench;
mod mbpp;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::mistake::Mistake;
use super::problem::ImportedProblem;

/// The shape of a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// APPS (arXiv:2105.09938)
    Apps,
    /// TACO (arXiv:2312.14852): APPS with limits
    Taco,
    /// `CodeContests` (arXiv:2203.07814), as on Hugging Face
    CodeContests,
    /// `CodeContests+` (arXiv:2506.05817), with or without its tests
    CodeContestsPlus,
    /// `LiveCodeBench` (arXiv:2403.07974), the set of code generation
    LiveCodeBench,
    /// `HumanEval` (arXiv:2107.03374)
    HumanEval,
    /// MBPP (arXiv:2108.07732), also sanitized
    Mbpp,
}

impl Shape {
    /// Reads a row. The error names the mistake in the row.
    pub(super) fn read(self, row: &str) -> Result<ImportedProblem, Mistake> {
        let imported = match self {
            Self::Apps => apps::read(row, "APPS"),
            Self::Taco => apps::read(row, "TACO"),
            Self::CodeContests => code_contests::read(row),
            Self::CodeContestsPlus => code_contests_plus::read(row),
            Self::LiveCodeBench => live_code_bench::read(row),
            Self::HumanEval => human_eval::read(row),
            Self::Mbpp => mbpp::read(row),
        }?;
        if imported.tests.is_empty() && !imported.judge.makes_tests() { Err(Mistake::NoTests) } else { Ok(imported) }
    }
}

/// Reads the keys of a row.
fn keys<T: DeserializeOwned>(row: &str) -> Result<T, Mistake> {
    serde_json::from_str(row).map_err(Mistake::Keys)
}

/// Reads a value that is written as itself, or as a string with its JSON.
fn embedded<T: DeserializeOwned>(key: &'static str, raw: &RawValue) -> Result<T, Mistake> {
    let wrong = |error| Mistake::Value { key, error };
    if raw.get().starts_with('"') {
        let text: String = serde_json::from_str(raw.get()).map_err(wrong)?;
        return serde_json::from_str(&text).map_err(wrong);
    }
    serde_json::from_str(raw.get()).map_err(wrong)
}

/// The text of an input or output, which is a string or a list of lines.
fn text_of(key: &'static str, raw: &RawValue) -> Result<String, Mistake> {
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum Text {
        Whole(String),
        Lines(Vec<String>),
    }
    match serde_json::from_str(raw.get()) {
        Ok(Text::Whole(text)) => Ok(text),
        Ok(Text::Lines(lines)) => Ok(lines.join("\n")),
        Err(_) => Err(Mistake::NoText(key)),
    }
}

/// The name of a function, checked.
fn function(name: &str) -> Result<String, Mistake> {
    let is_name = crate::driver::is_identifier(name);
    is_name.then(|| name.to_owned()).ok_or_else(|| Mistake::FunctionName(name.to_owned()))
}

/// The first line of a text that is not empty, without marks of Markdown: a title for a problem without one.
fn title_of(text: &str, otherwise: &str) -> String {
    let line = text.lines().map(|line| line.trim().trim_start_matches(['#', '*', ' '])).find(|line| !line.is_empty());
    let short: String = line.unwrap_or(otherwise).chars().take(80).collect();
    short
}
