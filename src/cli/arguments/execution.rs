//! Options for running programs, in parts: each command takes only the parts that it obeys.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum as _};

use crate::cli::arguments::{ArgumentError, parse_time};
use crate::config::{IsolationChoice, Jobs, JudgeChoice, Options};
use crate::language::Languages;
use crate::package::document::is_there;
use crate::problem::Checker;
use crate::ruleset::Ruleset;

/// Options for running programs other than submissions, to which limits and checkers of problems do not apply.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct AloneArgs {
    #[command(flatten)]
    testset: TestsetArgs,
    /// Build and run everything again instead of reading the cache; the results are saved as usual
    #[arg(long)]
    no_cache: bool,
    /// Choose the sandbox: root (namespaces, needs root), user (namespaces), users (root in a container), weak (no namespaces), none (no protection), or auto for the strongest that works; see docs/sandbox.md [default: auto]
    #[arg(long, value_name = "MODE", value_parser = isolation_words())]
    isolation: Option<IsolationChoice>,
}

/// Parses the words of `--isolation`, which are those of the setting.
pub(in crate::cli) fn isolation_words() -> impl TypedValueParser<Value = IsolationChoice> {
    let words = IsolationChoice::WORDS;
    let meaning = |word: String| words.iter().find(|(known, _)| *known == word).map(|(_, choice)| *choice);
    PossibleValuesParser::new(words.iter().map(|(word, _)| *word))
        .try_map(move |word| meaning(word).ok_or("no such layer"))
}

/// Option for the number of programs at once.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct JobsArgs {
    /// Run N programs at once [default: one per physical core, minus one if there are more than two]
    #[arg(short, long, value_name = "N", value_parser = read_jobs)]
    jobs: Option<Jobs>,
}

/// Option for the checker.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct CheckerArgs {
    /// Compare outputs with `tokens`, `exact`, `float=1e-6` (absolute or relative), `contains`, `regex`, `unordered` (lines in any order), flags of the package format such as `'float_tolerance 1e-6'`, a standard checker of testlib such as `wcmp`, or the output validator at this path [default: the problem's own]
    #[arg(long, value_name = "CHECKER")]
    checker: Option<String>,
}

/// Option for the list of tests of a package that has several.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct TestsetArgs {
    /// Judge the testset with this name in packages of Polygon; `grader list -v` names them [default: `tests`, else the first]
    #[arg(long, value_name = "NAME")]
    testset: Option<String>,
}

impl TestsetArgs {
    /// The options to repeat in a command line because results depend on them.
    pub(in crate::cli) fn again(&self) -> Vec<String> {
        option("--testset", self.testset.as_ref())
    }

    /// Adds the testset, if given.
    pub(in crate::cli) fn add_to(&self, options: Options) -> Options {
        Options { testset: self.testset.clone(), ..options }
    }
}

/// Option for the reference.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct ReferenceArgs {
    /// Compute answers with this submission instead of the problem's reference: a path below `submissions/`
    #[arg(long, value_name = "SUBMISSION")]
    pub(in crate::cli) reference: Option<String>,
}

impl ReferenceArgs {
    /// The options to repeat in a command line because results depend on them.
    pub(in crate::cli) fn again(&self) -> Vec<String> {
        option("--reference", self.reference.as_ref())
    }
}

/// Option for the language of submissions.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct LanguageArgs {
    /// Set the language of every submission instead of detecting it
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<String>,
}

/// Options for running and judging submissions one after the other.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct HandArgs {
    /// Set the CPU time limit (`2s`, `500ms`, `1.5`) instead of the problem's own
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    time_limit: Option<Duration>,
    /// Multiply every time limit by this factor, also that of --time-limit
    #[arg(long, value_name = "FACTOR", value_parser = parse_factor, allow_hyphen_values = true)]
    time_factor: Option<f64>,
    #[command(flatten)]
    pub(in crate::cli) checker: CheckerArgs,
    /// Follow the rules of this judging system, where they differ (limits, first reason, names of verdicts); `all` also lists the tests on which they disagree [default: the system that the package is for, else icpc]
    #[arg(long = "as", value_name = "JUDGE", value_enum)]
    judge: Option<Judge>,
    #[command(flatten)]
    pub(in crate::cli) language: LanguageArgs,
    #[command(flatten)]
    alone: AloneArgs,
}

/// Value of `--as`: the judge whose rules apply.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Judge {
    Icpc,
    Kattis,
    Domjudge,
    Codeforces,
    All,
}

impl From<Judge> for JudgeChoice {
    fn from(judge: Judge) -> Self {
        match judge {
            Judge::Icpc => Self::As(Ruleset::Icpc),
            Judge::Kattis => Self::As(Ruleset::Kattis),
            Judge::Domjudge => Self::As(Ruleset::Domjudge),
            Judge::Codeforces => Self::As(Ruleset::Codeforces),
            Judge::All => Self::All,
        }
    }
}

/// Options for running and judging the submissions of a plan.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct HowArgs {
    #[command(flatten)]
    jobs: JobsArgs,
    /// Run every test N times; a rejection counts before an acceptance, then the slowest run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: Option<u32>,
    #[command(flatten)]
    pub(in crate::cli) hand: HandArgs,
}

impl AloneArgs {
    /// The settings given on the command line.
    pub(in crate::cli) fn options(&self) -> Options {
        let options = self.testset.add_to(Options::default());
        Options { isolation: self.isolation, cache: self.no_cache.then_some(false), ..options }
    }
}

/// Parses `-j`.
pub(in crate::cli) fn read_jobs(text: &str) -> Result<Jobs, ArgumentError> {
    match text.parse() {
        _ if text == "auto" => Ok(Jobs::Auto),
        Ok(count @ 1..) => Ok(Jobs::Count(count)),
        Ok(0) | Err(_) => Err(ArgumentError::Jobs),
    }
}

impl AloneArgs {
    /// The options to repeat in a command line because results depend on them.
    pub(in crate::cli) fn again(&self) -> Vec<String> {
        let word = |choice| IsolationChoice::WORDS.iter().find(|(_, known)| *known == choice).map(|(word, _)| *word);
        [self.testset.again(), option("--isolation", self.isolation.and_then(word))].concat()
    }
}

/// An option and its value as two words, if it was given.
fn option(name: &str, value: Option<impl ToString>) -> Vec<String> {
    value.map(|value| vec![name.to_owned(), value.to_string()]).unwrap_or_default()
}

impl JobsArgs {
    /// Adds the number of jobs, if given.
    pub(in crate::cli) fn add_to(&self, options: Options) -> Options {
        Options { jobs: self.jobs, ..options }
    }
}

impl CheckerArgs {
    /// The options to repeat in a command line because results depend on them.
    pub(in crate::cli) fn again(&self) -> Vec<String> {
        option("--checker", self.checker.as_ref())
    }

    /// Adds the checker, if given.
    pub(in crate::cli) fn add_to(&self, options: Options) -> Options {
        // A value that is not a built-in checker is a program, which `output_validator` returns.
        Options { checker: self.checker.as_deref().and_then(|text| text.parse::<Checker>().ok()), ..options }
    }

    /// The program in `--checker PROGRAM`: an existing file or directory, unless the value names a built-in checker.
    pub(in crate::cli) fn output_validator(&self, start: &Path) -> Result<Option<PathBuf>> {
        let Some(text) = &self.checker else { return Ok(None) };
        match text.parse::<Checker>() {
            Ok(_) => Ok(None),
            Err(_) if is_there(&start.join(text)) => Ok(Some(start.join(text))),
            Err(error) => bail!("`--checker {text}`: {error}; there is no such program either"),
        }
    }
}

impl LanguageArgs {
    /// The language in `--lang`; fails if it is unknown.
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
    /// The options to repeat in a command line because results depend on them.
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

    /// The settings given on the command line.
    pub(in crate::cli) fn options(&self) -> Options {
        let options = self.checker.add_to(self.alone.options());
        let judge = self.judge.map(Into::into);
        Options { judge, time_factor: self.time_factor, time_limit: self.time_limit, ..options }
    }
}

impl HowArgs {
    /// The options to repeat in a command line because results depend on them.
    pub(in crate::cli) fn again(&self) -> Vec<String> {
        [self.hand.again(), option("--repeat", self.repeat)].concat()
    }

    /// The settings given on the command line.
    pub(in crate::cli) fn options(&self) -> Options {
        Options { repeat: self.repeat, ..self.jobs.add_to(self.hand.options()) }
    }
}

fn parse_factor(text: &str) -> Result<f64, ArgumentError> {
    let factor = text.parse::<f64>().ok().filter(|factor| *factor > 0.0 && factor.is_finite());
    factor.ok_or(ArgumentError::Factor)
}
