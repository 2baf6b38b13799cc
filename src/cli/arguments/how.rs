//! How programs are run: a part for each thing that a command may obey, so that none offers what it does not.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum as _};

use super::{ArgumentError, parse_time};
use crate::cli::isolation::isolation_words;
use crate::config::{IsolationChoice, Jobs, JudgeChoice, Options};
use crate::language::Languages;
use crate::package::document::is_there;
use crate::problem::Checker;
use crate::ruleset::Ruleset;

/// How programs are run that are no submissions: neither limits nor checkers of problems are theirs.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct AloneArgs {
    /// Use no results or builds of earlier runs
    #[arg(long)]
    no_cache: bool,
    /// How programs are walled off
    #[arg(long, value_name = "MODE", value_parser = isolation_words())]
    isolation: Option<IsolationChoice>,
}

/// How many at once.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct JobsArgs {
    /// How many programs run at once [default: one for each physical core, less one where there are more than two]
    #[arg(short, long, value_name = "N", value_parser = read_jobs)]
    jobs: Option<Jobs>,
}

/// What judges outputs.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct CheckerArgs {
    /// How outputs are compared: `tokens`, `exact`, `float=1e-6`, flags, or the path of an output validator
    #[arg(long, value_name = "CHECKER")]
    checker: Option<String>,
}

/// What submissions are written in.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct LanguageArgs {
    /// The language of every submission, instead of detecting it
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<String>,
}

/// How submissions are run and judged, one program after the other.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct HandArgs {
    /// The cpu time limit, instead of the problem's own: `2s`, `500ms`, `1.5`
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time_limit: Option<Duration>,
    /// Multiply every time limit
    #[arg(long, value_name = "FACTOR", value_parser = parse_factor)]
    time_factor: Option<f64>,
    #[command(flatten)]
    pub(in crate::cli) checker: CheckerArgs,
    /// Whose rules hold where judges differ; `all` lists where they would [default: the judge that a package is for]
    #[arg(long = "as", value_name = "JUDGE", value_enum)]
    judge: Option<Judge>,
    #[command(flatten)]
    pub(in crate::cli) language: LanguageArgs,
    #[command(flatten)]
    alone: AloneArgs,
}

/// Whose rules hold.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Judge {
    Icpc,
    Kattis,
    Domjudge,
    All,
}

impl From<Judge> for JudgeChoice {
    fn from(judge: Judge) -> Self {
        match judge {
            Judge::Icpc => Self::As(Ruleset::Icpc),
            Judge::Kattis => Self::As(Ruleset::Kattis),
            Judge::Domjudge => Self::As(Ruleset::Domjudge),
            Judge::All => Self::All,
        }
    }
}

/// How the submissions of a plan are run and judged.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct HowArgs {
    #[command(flatten)]
    jobs: JobsArgs,
    /// Run every test N times
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: Option<u32>,
    #[command(flatten)]
    pub(in crate::cli) hand: HandArgs,
}

impl AloneArgs {
    /// The settings that were typed.
    pub(in crate::cli) fn options(&self) -> Options {
        Options { isolation: self.isolation, cache: self.no_cache.then_some(false), ..Options::default() }
    }
}

/// Reads `-j`; 0 is `auto` too.
pub(in crate::cli) fn read_jobs(text: &str) -> Result<Jobs, ArgumentError> {
    match text.parse() {
        _ if text == "auto" => Ok(Jobs::Auto),
        Ok(0) => Ok(Jobs::Auto),
        Ok(count) => Ok(Jobs::Count(count)),
        Err(_) => Err(ArgumentError::Jobs),
    }
}

impl AloneArgs {
    /// The words that a result depends on.
    pub(in crate::cli) fn again(&self) -> Vec<String> {
        let word = |choice| IsolationChoice::WORDS.iter().find(|(_, known)| *known == choice).map(|(word, _)| *word);
        option("--isolation", self.isolation.and_then(word))
    }
}

/// An option with its value as two words, where it was typed.
fn option(name: &str, value: Option<impl ToString>) -> Vec<String> {
    value.map(|value| vec![name.to_owned(), value.to_string()]).unwrap_or_default()
}

impl JobsArgs {
    /// Adds the setting that was typed.
    pub(in crate::cli) fn add_to(&self, options: Options) -> Options {
        Options { jobs: self.jobs, ..options }
    }
}

impl CheckerArgs {
    /// The words that a result depends on.
    pub(in crate::cli) fn again(&self) -> Vec<String> {
        option("--checker", self.checker.as_ref())
    }

    /// Adds the setting that was typed.
    pub(in crate::cli) fn add_to(&self, options: Options) -> Options {
        // What is no setting is a program, which `output_validator` returns.
        Options { checker: self.checker.as_deref().and_then(|text| text.parse::<Checker>().ok()), ..options }
    }

    /// `--checker PROGRAM`: a file or directory that exists, where it is no built-in checker.
    pub(in crate::cli) fn output_validator(&self, start: &Path) -> Result<Option<PathBuf>> {
        let Some(text) = &self.checker else { return Ok(None) };
        match text.parse::<Checker>() {
            Ok(_) => Ok(None),
            Err(_) if is_there(&start.join(text)) => Ok(Some(start.join(text))),
            Err(error) => bail!("`--checker {text}`: {error}; and there is no such program"),
        }
    }
}

impl LanguageArgs {
    /// `--lang`, where there is such a language.
    pub(in crate::cli) fn language(&self, languages: &Languages) -> Result<Option<String>> {
        match &self.lang {
            Some(language) if languages.get(language).is_none() => {
                let hint = languages.suggest(language).map(|id| format!("; did you mean `{id}`?")).unwrap_or_default();
                bail!("unknown language `{language}`{hint}");
            }
            wanted => Ok(wanted.clone()),
        }
    }
}

impl HandArgs {
    /// The words that a result depends on.
    pub(in crate::cli) fn again(&self) -> Vec<String> {
        let judge = self.judge.and_then(|judge| judge.to_possible_value());
        [
            option("--time-limit", self.time_limit.map(|limit| format!("{}s", limit.as_secs_f64()))),
            option("--time-factor", self.time_factor),
            option("--as", judge.as_ref().map(clap::builder::PossibleValue::get_name)),
            option("--lang", self.language.lang.as_ref()),
            self.checker.again(),
            self.alone.again(),
        ]
        .concat()
    }

    /// The settings that were typed.
    pub(in crate::cli) fn options(&self) -> Options {
        let options = self.checker.add_to(self.alone.options());
        let judge = self.judge.map(Into::into);
        Options { judge, time_factor: self.time_factor, time_limit: self.time_limit, ..options }
    }
}

impl HowArgs {
    /// The words that a result depends on.
    pub(in crate::cli) fn again(&self) -> Vec<String> {
        [self.hand.again(), option("--repeat", self.repeat)].concat()
    }

    /// The settings that were typed.
    pub(in crate::cli) fn options(&self) -> Options {
        Options { repeat: self.repeat, ..self.jobs.add_to(self.hand.options()) }
    }
}

fn parse_factor(text: &str) -> Result<f64, ArgumentError> {
    let factor = text.parse::<f64>().ok().filter(|factor| *factor > 0.0 && factor.is_finite());
    factor.ok_or(ArgumentError::Factor)
}
