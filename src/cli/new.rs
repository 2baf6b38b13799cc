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
pub(super) struct NewArgs {
    /// Name of the new problem: lower-case letters, digits and `-`
    problem: String,
    /// Write its programs in this language [default: rust, with --testlib cpp, with --function python]
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
    /// Only with --function
    #[value(name = "javascript", alias = "js")]
    JavaScript,
    /// Only with --function
    Java,
}

/// The languages of the programs.
fn languages(args: &NewArgs) -> Result<new_problem::Lang, LanguageMismatch> {
    match (args.testlib, args.lang) {
        (_, Some(Lang::Rust)) if args.function.is_some() => Err(LanguageMismatch::NoFunctions),
        (_, None) if args.function.is_some() => Ok(new_problem::Lang::Python),
        (true, None | Some(Lang::Cpp)) => Ok(new_problem::Lang::Testlib),
        (true, Some(_)) => Err(LanguageMismatch::OtherThanCpp),
        (false, None | Some(Lang::Rust)) => Ok(new_problem::Lang::Rust),
        (false, Some(Lang::Python)) => Ok(new_problem::Lang::Python),
        (false, Some(Lang::Cpp)) => Ok(new_problem::Lang::Cpp),
        (false, Some(Lang::JavaScript | Lang::Java)) if args.function.is_none() => Err(LanguageMismatch::FunctionsOnly),
        (false, Some(Lang::JavaScript)) => Ok(new_problem::Lang::JavaScript),
        (false, Some(Lang::Java)) => Ok(new_problem::Lang::Java),
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
        "grader writes programs of the judge in Rust, Python and C++\n  → add --function NAME, or write --lang python"
    )]
    FunctionsOnly,
}

/// Creates the problem and returns the exit status.
pub(super) fn run(args: &NewArgs) -> Result<ExitStatus> {
    let workspace = open(Options { color: args.color.map(Into::into), ..Options::default() })?;
    let lang = languages(args)?;
    let kind = match (&args.function, args.interactive, args.output_validator) {
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
