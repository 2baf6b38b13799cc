//! `grader new`: creates a small problem that already passes, as a starting point.

use std::path::Path;

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::arguments::{Color, open};
use super::cases::{Page, clean, labelled};
use crate::authoring::new_problem::{self, Kind, NewProblem, create};
use crate::cli::exit::ExitStatus;
use crate::config::Options;
use crate::report::text::{Line, Style};

/// Creates a problem that already passes: statement, submissions, validator, generator and three cases
#[derive(Debug, Args)]
#[command(
    after_help = "grader creates the problem where grader.toml says. If there is no grader.toml, grader creates one \
    in the current directory, with the problem in problems/ and its cases in testcases/. It overwrites nothing.\n\n\
    Exit status: 0 created, 2 not created (the error says why)."
)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(super) struct NewArgs {
    /// Name of the new problem: lower-case letters, digits and `-`
    problem: String,
    /// Write its programs in this language [default: rust, with --testlib cpp, with --function and --unit-tests python]
    #[arg(long, visible_alias = "language", value_enum)]
    lang: Option<Lang>,
    /// Write checker, interactor, validator and generator with testlib, in C++
    #[arg(long)]
    testlib: bool,
    /// Create an interactive problem: the interactor talks to the submission
    #[arg(long)]
    interactive: bool,
    /// Add an output validator, for problems with several right answers (interactive problems always have one)
    #[arg(long, visible_alias = "checker")]
    output_validator: bool,
    /// Create a problem whose tests call a function of this name, in Python, JavaScript, Java or C++
    #[arg(long, value_name = "NAME", conflicts_with_all = ["testlib", "interactive", "output_validator"])]
    function: Option<String>,
    /// Create a problem whose tests are unit tests, in Python, JavaScript, C++, Rust, Go or Java
    #[arg(long, conflicts_with_all = ["testlib", "interactive", "output_validator", "function"])]
    unit_tests: bool,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Lang {
    Rust,
    Python,
    #[value(alias = "c++")]
    Cpp,
    /// Only with --function or --unit-tests
    #[value(name = "javascript", alias = "js")]
    JavaScript,
    /// Only with --function or --unit-tests
    Java,
    /// Only with --unit-tests
    Go,
}

impl From<Lang> for new_problem::Lang {
    fn from(lang: Lang) -> Self {
        match lang {
            Lang::Rust => Self::Rust,
            Lang::Python => Self::Python,
            Lang::Cpp => Self::Cpp,
            Lang::JavaScript => Self::JavaScript,
            Lang::Java => Self::Java,
            Lang::Go => Self::Go,
        }
    }
}

/// The languages of the programs.
fn languages(args: &NewArgs) -> Result<new_problem::Lang, LanguageMismatch> {
    use new_problem::Lang::{Cpp, Java, JavaScript, Python, Rust, Testlib};
    // The usual language of a kind of problem, and the others.
    let one_of = |usual, others: &[new_problem::Lang], mismatch| match args.lang.map(Into::into) {
        None => Ok(usual),
        Some(lang) if lang == usual || others.contains(&lang) => Ok(lang),
        Some(_) => Err(mismatch),
    };
    if args.function.is_some() {
        one_of(Python, &[JavaScript, Java, Cpp], LanguageMismatch::NoFunctions)
    } else if args.unit_tests {
        Ok(args.lang.map_or(Python, Into::into))
    } else if args.testlib {
        one_of(Cpp, &[], LanguageMismatch::OtherThanCpp).map(|_| Testlib)
    } else {
        one_of(Rust, &[Python, Cpp], LanguageMismatch::NoJudge)
    }
}

/// An option does not fit the language.
#[derive(Debug, thiserror::Error)]
enum LanguageMismatch {
    #[error("testlib is a library of C++\n  → write --lang cpp, or leave out --testlib")]
    OtherThanCpp,
    #[error(
        "grader calls functions in Python, JavaScript, Java and C++\n  → write --lang python, javascript, java or cpp"
    )]
    NoFunctions,
    #[error(
        "grader writes programs of the judge in Rust, Python and C++\n  → add --function NAME or --unit-tests, or \
         write --lang python"
    )]
    NoJudge,
}

/// Creates the problem and returns the exit status.
pub(super) fn run(args: &NewArgs) -> Result<ExitStatus> {
    let workspace = open(Options { color: args.color.map(Into::into), ..Options::default() })?;
    let lang = languages(args)?;
    let kind = match (&args.function, args.interactive, args.output_validator) {
        _ if args.unit_tests => Kind::UnitTests,
        (Some(function), ..) => Kind::Function(function),
        (None, true, _) => Kind::Interactive,
        (None, false, true) => Kind::Checker,
        (None, false, false) => Kind::Sum,
    };
    let NewProblem { config, files } = create(&workspace, &args.problem, kind, lang)?;
    let shown = |path: &Path| clean(&path.strip_prefix(&workspace.start).unwrap_or(path).display().to_string());
    let mut lines =
        vec![Line::new().with("✓ ", Style::GOOD).with("made ", Style::PLAIN).with(&args.problem, Style::STRONG)];
    lines.extend(config.map(|config| labelled("config", &shown(&config))));
    lines.extend(files.iter().map(|path| labelled("", &shown(path))));
    lines.push(labelled("try", &format!("grader run {}", args.problem)));
    Page::new(&workspace).print(&lines)?;
    Ok(ExitStatus::Success)
}
