//! `grader new`: creates a small problem that already passes, as a starting point.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};

use super::arguments::{Color, open};
use super::cases::{Page, clean, labelled};
use crate::cli::exit::ExitStatus;
use crate::config::{FILE_NAME, Options};
use crate::discover::{Discovery, Search, discover};
use crate::language::Detection;
use crate::package::cases::{Staging, move_all};
use crate::problem::ProblemId;
use crate::report::text::{Line, Style};
use crate::workspace::Workspace;

/// The longest name of a problem. Names are also names of directories, files and exported packages.
const LONGEST: usize = 64;

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
    /// Write its programs in this language
    #[arg(long, value_enum, default_value_t = Lang::Rust)]
    lang: Lang,
    /// Create an interactive problem: the interactor talks to the submission
    #[arg(long)]
    interactive: bool,
    /// Add an output validator, for problems with several right answers (interactive problems always have one)
    #[arg(long, alias = "checker")]
    output_validator: bool,
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
}

/// The kind of problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sum,
    Checker,
    Interactive,
}

/// The programs of one kind in one language.
struct Programs {
    reference: &'static str,
    wrong: &'static str,
    output_validator: Option<&'static str>,
}

/// The text of a template below `new/`; the parts of its path are concatenated.
macro_rules! template {
    ($($part:expr),+) => {
        include_str!(concat!("new/", $($part),+))
    };
}

macro_rules! programs {
    ($ending:literal) => {
        [
            Programs {
                reference: template!("sum/reference.", $ending),
                wrong: template!("sum/wrong.", $ending),
                output_validator: None,
            },
            Programs {
                reference: template!("checker/reference.", $ending),
                wrong: template!("checker/wrong.", $ending),
                output_validator: Some(template!("checker/output.", $ending)),
            },
            Programs {
                reference: template!("interactive/reference.", $ending),
                wrong: template!("interactive/wrong.", $ending),
                output_validator: Some(template!("interactive/output.", $ending)),
            },
        ]
    };
}

impl Lang {
    fn ending(self) -> &'static str {
        match self {
            Self::Rust => "rs",
            Self::Python => "py",
            Self::Cpp => "cpp",
        }
    }

    fn programs(self, kind: Kind) -> Programs {
        let [sum, checker, interactive] = match self {
            Self::Rust => programs!("rs"),
            Self::Python => programs!("py"),
            Self::Cpp => programs!("cpp"),
        };
        match kind {
            Kind::Sum => sum,
            Kind::Checker => checker,
            Kind::Interactive => interactive,
        }
    }

    /// The input that the generator makes from `gen random {seed}`.
    fn random_input(self) -> u32 {
        match self {
            Self::Rust => 531,
            Self::Python => 650,
            Self::Cpp => 16,
        }
    }

    /// The input validator and the generator, which are the same for every kind.
    fn common(self) -> [&'static str; 2] {
        match self {
            Self::Rust => [template!("common/validate.rs"), template!("common/gen.rs")],
            Self::Python => [template!("common/validate.py"), template!("common/gen.py")],
            Self::Cpp => [template!("common/validate.cpp"), template!("common/gen.cpp")],
        }
    }
}

impl Kind {
    fn statement(self) -> &'static str {
        match self {
            Self::Sum => template!("sum/problem.en.md"),
            Self::Checker => template!("checker/problem.en.md"),
            Self::Interactive => template!("interactive/problem.en.md"),
        }
    }

    /// The answer to an input.
    fn answer(self, n: u32) -> String {
        match self {
            Self::Sum => format!("{}\n", n * (n + 1) / 2),
            Self::Checker => format!("1 {}\n", n - 1),
            Self::Interactive => String::new(),
        }
    }
}

/// Creates the problem and returns the exit status.
pub(super) fn run(args: &NewArgs) -> Result<ExitStatus> {
    let workspace = open(Options { color: args.color.map(Into::into), ..Options::default() })?;
    check_name(&args.problem)?;
    let roots = workspace.settings.problem_roots();
    let root = roots.first().context("grader.toml names no directory of problems\n  → set `problems`")?;
    let (problem, cases) = (root.join(&args.problem), workspace.settings.testcases_dir().join(&args.problem));
    refuse_existing(&workspace, &args.problem, &[&problem, &cases])?;
    let kind = match (args.interactive, args.output_validator) {
        (true, _) => Kind::Interactive,
        (false, true) => Kind::Checker,
        (false, false) => Kind::Sum,
    };
    let (of_problem, of_cases) = (problem_files(&args.problem, kind, args.lang), case_files(kind, args.lang));
    let staged = [Staging::new(root), Staging::new(&cases)].map(|staging| staging.context("cannot create the problem"));
    let [near_root, near_cases] = staged;
    let (near_root, near_cases) = (near_root?, near_cases?);
    write_all(&near_root.path("problem"), &of_problem)?;
    write_all(&near_cases.path("cases"), &of_cases)?;
    let mut moves = vec![(near_cases.path("cases"), cases.clone()), (near_root.path("problem"), problem.clone())];
    let config = workspace.settings.base.join(FILE_NAME);
    let without_config = workspace.settings.file.is_none();
    if without_config {
        fs::write(near_root.path(FILE_NAME), "problems = [\"problems\"]\ntestcases = \"testcases\"\n")?;
        moves.push((near_root.path(FILE_NAME), config.clone()));
    }
    move_all(&moves).context("nothing was created")?;
    let shown = |path: &Path| clean(&path.strip_prefix(&workspace.start).unwrap_or(path).display().to_string());
    let mut lines =
        vec![Line::new().with("✓ ", Style::GOOD).with("made ", Style::PLAIN).with(&args.problem, Style::STRONG)];
    if without_config {
        lines.push(labelled("config", &shown(&config)));
    }
    lines.extend(of_problem.iter().map(|(path, _)| labelled("", &shown(&problem.join(path)))));
    lines.extend(of_cases.iter().map(|(path, _)| labelled("", &shown(&cases.join(path)))));
    lines.push(labelled("try", &format!("grader run {}", args.problem)));
    Page::new(&workspace).print(&lines)?;
    Ok(ExitStatus::Success)
}

fn check_name(name: &str) -> Result<()> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.len() > LONGEST || !name.chars().all(fits) || name.starts_with('-') {
        bail!(
            "`{}` cannot be the name of a problem\n  → write at most {LONGEST} lower-case letters, digits and `-`",
            clean(name)
        );
    }
    Ok(())
}

/// Fails if a problem or a path with this name exists already.
fn refuse_existing(workspace: &Workspace, name: &str, paths: &[&PathBuf]) -> Result<()> {
    for path in paths {
        if path.symlink_metadata().is_ok() {
            bail!("{} exists already; grader overwrites nothing\n  → choose another name", path.display());
        }
    }
    let is_source =
        |path: &Path| matches!(workspace.languages.detect(&[path.to_owned()], &|_| None), Detection::One(_));
    let (roots, testcases) = (workspace.settings.problem_roots(), workspace.settings.testcases_dir());
    let roots: Vec<PathBuf> = roots.into_iter().filter(|root| root.is_dir()).collect();
    let Discovery { problems, unfinished, diagnostics } =
        discover(&Search { roots: &roots, testcases: &testcases, is_source: &is_source });
    let id = ProblemId::from(name);
    let found = problems.iter().chain(&unfinished).find(|problem| problem.slug() == name).map(|problem| &problem.dir);
    let broken = || diagnostics.iter().find(|found| found.problem.as_ref() == Some(&id)).map(|found| &found.path);
    match found.or_else(broken) {
        Some(place) => bail!("a problem `{name}` exists already: {}\n  → choose another name", place.display()),
        None => Ok(()),
    }
}

type Files = Vec<(String, String)>;

fn problem_files(name: &str, kind: Kind, lang: Lang) -> Files {
    let ending = lang.ending();
    let Programs { reference, wrong, output_validator } = lang.programs(kind);
    let [validator, generator] = lang.common();
    let title = title_of(name);
    let talks = if kind == Kind::Interactive { "type = \"interactive\"\n" } else { "" };
    let named = format!("reference = \"accepted/reference.{ending}\"\n");
    let problem = format!("name = \"{title}\"\n{talks}{named}\n[limits]\ntime_limit = 1.0\nmemory = 256\n");
    let recipes = template!("common/generators.yaml").replace("{ending}", ending);
    let mut files = vec![
        ("problem.toml".to_owned(), problem),
        ("statement/problem.en.md".to_owned(), kind.statement().replace("{title}", &title)),
        (format!("submissions/accepted/reference.{ending}"), reference.to_owned()),
        (format!("submissions/wrong_answer/{}.{ending}", wrong_name(kind)), wrong.to_owned()),
        (format!("input_validators/validate.{ending}"), validator.to_owned()),
        ("generators/generators.yaml".to_owned(), recipes),
        (format!("generators/gen.{ending}"), generator.to_owned()),
    ];
    if let Some(text) = output_validator {
        let program = if kind == Kind::Interactive { "talk" } else { "validate" };
        files.push((format!("output_validator/{program}.{ending}"), text.to_owned()));
    }
    files
}

fn wrong_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Sum => "off_by_half",
        Kind::Checker => "only_odd",
        Kind::Interactive => "one_by_one",
    }
}

/// The cases exactly as `grader gen` makes them.
fn case_files(kind: Kind, lang: Lang) -> Files {
    let cases = [("sample/1", 7), ("secret/01", 1000), ("secret/02", lang.random_input())];
    let files =
        |(name, n): (&str, u32)| [(format!("{name}.in"), format!("{n}\n")), (format!("{name}.ans"), kind.answer(n))];
    cases.into_iter().flat_map(files).collect()
}

/// The title of a name: `two-sums` becomes `Two sums`.
fn title_of(name: &str) -> String {
    let words = name.replace('-', " ");
    let mut letters = words.trim().chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

fn write_all(dir: &Path, files: &Files) -> Result<()> {
    for (name, text) in files {
        let path = dir.join(name);
        let parent = path.parent().unwrap_or(dir);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, text))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_titles() {
        assert_eq!(title_of("two-sums"), "Two sums");
        assert!(check_name("a-1").is_ok() && check_name(&"x".repeat(64)).is_ok());
        for name in ["", "A", "a_b", "a b", "../x", "-x", "é", ".", &"x".repeat(65)] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
