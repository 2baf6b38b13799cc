//! Creates a small problem that already passes, as a starting point. Its files are templates below `new_problem/templates/`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::generate::remember;
use crate::config::FILE_NAME;
use crate::discover::{Discovery, discover};
use crate::package::cases::{Staging, move_all};
use crate::package::driver::is_identifier;
use crate::problem::ProblemId;
use crate::report::text::{Whitespace, escape};
use crate::session::searching::searching;
use crate::store::{Digest, Store};
use crate::workspace::Workspace;

/// The longest name of a problem. Names are also names of directories, files and exported packages.
const LONGEST: usize = 64;

/// The number of the sample.
const SAMPLE: u32 = 7;

/// The language of the programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lang {
    Rust,
    Python,
    Cpp,
    /// For functions and unit tests alone.
    JavaScript,
    /// For functions and unit tests alone.
    Java,
    /// For unit tests alone.
    Go,
    /// C++, where the programs of the judge use testlib.
    Testlib,
}

/// The kind of problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind<'a> {
    Sum,
    Checker,
    Interactive,
    /// The tests call a function of this name.
    Function(&'a str),
    /// The tests are unit tests.
    UnitTests,
}

/// The files of a new problem.
pub(crate) struct NewProblem {
    /// The configuration file; none if the workspace had one.
    pub(crate) config: Option<PathBuf>,
    /// The files of the problem, and those of its cases.
    pub(crate) files: Vec<PathBuf>,
}

/// Why no problem is created.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NewProblemError {
    /// The name does not fit.
    #[error(
        "`{}` cannot be the name of a problem\n  → write at most {LONGEST} lower-case letters, digits and `-`",
        escape(.0.as_bytes(), Whitespace::Inline)
    )]
    Name(String),
    /// A function that no language could define.
    #[error("`{}` cannot be the name of a function", escape(.0.as_bytes(), Whitespace::Inline))]
    Function(String),
    /// The configuration names no directory for it.
    #[error("grader.toml names no directory of problems\n  → set `problems`")]
    NoRoot,
    /// The directory of the problem or of its cases exists.
    #[error("{} exists already; grader overwrites nothing\n  → choose another name", .0.display())]
    PathExists(PathBuf),
    /// Another problem has the name.
    #[error("a problem `{name}` exists already: {}\n  → choose another name", .place.display())]
    ProblemExists {
        /// The name.
        name: String,
        /// The directory of that problem, or the file that prevents reading it.
        place: PathBuf,
    },
}

/// The programs of one kind in one language.
struct Programs {
    reference: &'static str,
    wrong: &'static str,
    output_validator: Option<&'static str>,
}

/// A file of unit tests in one language, and what it tests.
struct UnitTests {
    /// The path of the file below the problem.
    path: &'static str,
    tests: &'static str,
    reference: &'static str,
    wrong: &'static str,
    /// The name of the tested function.
    function: &'static str,
    /// The task of students, in words.
    what: &'static str,
    /// The path and text of a file beside the tests that they need.
    beside: Option<(&'static str, &'static str)>,
}

/// The text of a template below `new_problem/templates/`; the parts of its path are concatenated.
macro_rules! template {
    ($($part:expr),+) => {
        include_str!(concat!("new_problem/templates/", $($part),+))
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
            Self::Cpp | Self::Testlib => "cpp",
            Self::JavaScript => "js",
            Self::Java => "java",
            Self::Go => "go",
        }
    }

    /// The language of the programs of the judge.
    fn of_judge(self, kind: Kind<'_>) -> Self {
        if matches!(kind, Kind::Function(_)) { Self::Python } else { self }
    }

    fn programs(self, kind: Kind<'_>) -> Programs {
        let [sum, checker, interactive] = match self {
            Self::Rust => programs!("rs"),
            Self::Python | Self::JavaScript | Self::Java | Self::Go => programs!("py"),
            Self::Cpp | Self::Testlib => programs!("cpp"),
        };
        match kind {
            Kind::Sum => sum,
            Kind::Checker => checker,
            Kind::Interactive => interactive,
            Kind::Function(_) => self.functions(),
            Kind::UnitTests => {
                let UnitTests { reference, wrong, .. } = self.unit_tests();
                Programs { reference, wrong, output_validator: None }
            }
        }
    }

    fn functions(self) -> Programs {
        macro_rules! functions {
            ($ending:literal) => {
                (template!("function/reference.", $ending), template!("function/wrong.", $ending))
            };
        }
        let (reference, wrong) = match self {
            Self::JavaScript => functions!("js"),
            Self::Java => functions!("java"),
            Self::Cpp | Self::Testlib => functions!("cpp"),
            Self::Python | Self::Rust | Self::Go => functions!("py"),
        };
        Programs { reference, wrong, output_validator: None }
    }

    fn unit_tests(self) -> UnitTests {
        macro_rules! units {
            ($tests:literal, $ending:literal, $function:literal, $what:literal) => {
                UnitTests {
                    path: concat!("tests/", $tests),
                    tests: template!("units/", $tests),
                    reference: template!("units/reference.", $ending),
                    wrong: template!("units/wrong.", $ending),
                    function: $function,
                    what: $what,
                    beside: None,
                }
            };
        }
        match self {
            Self::JavaScript => {
                units!("sums.test.js", "js", "sumTo", "a module `sums.js` that exports a function `sumTo(n)`")
            }
            Self::Java => {
                units!("SumsTest.java", "java", "Sums.sumTo", "a class `Sums` with a static method `int sumTo(int n)`")
            }
            Self::Go => units!("sums_test.go", "go", "SumTo", "a package `sums` with a function `SumTo(n int) int`"),
            Self::Python => units!("test_sums.py", "py", "sum_to", "a function `sum_to(n)` in `sums.py`"),
            Self::Rust => units!("sums.rs", "rs", "sum_to", "a function `pub fn sum_to(n: u32) -> u32` in `sums.rs`"),
            Self::Cpp | Self::Testlib => UnitTests {
                beside: Some(("tests/sums.h", template!("units/sums.h"))),
                ..units!("test_sums.cpp", "cpp", "sum_to", "the function `int sum_to(int n)` of `sums.h` in `sums.cpp`")
            },
        }
    }

    /// The program that judges outputs or talks to submissions, with its path.
    fn judge(self, kind: Kind<'_>) -> Option<(String, &'static str)> {
        let ending = self.ending();
        match (self, kind) {
            (_, Kind::Sum | Kind::Function(_) | Kind::UnitTests) => None,
            (Self::Testlib, Kind::Checker) => {
                Some(("output_validator/check.cpp".into(), template!("testlib/check.cpp")))
            }
            (Self::Testlib, Kind::Interactive) => {
                Some(("interactor/interact.cpp".into(), template!("testlib/interact.cpp")))
            }
            (_, Kind::Checker | Kind::Interactive) => {
                let name = if kind == Kind::Interactive { "talk" } else { "validate" };
                let text = self.programs(kind).output_validator?;
                Some((format!("output_validator/{name}.{ending}"), text))
            }
        }
    }

    /// The input that the generator makes from `gen random {seed}`.
    fn random_input(self) -> u32 {
        match self {
            Self::Rust => 531,
            Self::Python | Self::JavaScript | Self::Java | Self::Go => 650,
            Self::Cpp => 16,
            Self::Testlib => 71,
        }
    }

    /// The input validator and the generator.
    fn about_inputs(self, kind: Kind<'_>) -> [&'static str; 2] {
        match self {
            _ if matches!(kind, Kind::Function(_)) => [template!("function/validate.py"), template!("function/gen.py")],
            Self::Rust => [template!("common/validate.rs"), template!("common/gen.rs")],
            Self::Python | Self::JavaScript | Self::Java | Self::Go => {
                [template!("common/validate.py"), template!("common/gen.py")]
            }
            Self::Cpp => [template!("common/validate.cpp"), template!("common/gen.cpp")],
            Self::Testlib => [template!("testlib/validate.cpp"), template!("testlib/gen.cpp")],
        }
    }
}

impl Kind<'_> {
    fn statement(self) -> &'static str {
        match self {
            Self::Sum => template!("sum/problem.en.md"),
            Self::Checker => template!("checker/problem.en.md"),
            Self::Interactive => template!("interactive/problem.en.md"),
            Self::Function(_) => template!("function/problem.en.md"),
            Self::UnitTests => template!("units/problem.en.md"),
        }
    }

    /// The input of a number.
    fn input(self, n: u32) -> String {
        if matches!(self, Self::Function(_)) { format!("[{n}]\n") } else { format!("{n}\n") }
    }

    /// The answer to an input.
    fn answer(self, n: u32) -> String {
        match self {
            Self::Sum | Self::Function(_) | Self::UnitTests => format!("{}\n", n * (n + 1) / 2),
            Self::Checker => format!("1 {}\n", n - 1),
            Self::Interactive => String::new(),
        }
    }
}

/// The ending of a sample that shows a conversation.
const CONVERSATION: &str = "interaction";

/// The configuration of a workspace.
pub(crate) const CONFIGURATION: &str = "problems = [\"problems\"]\ntestcases = \"testcases\"\n";

/// Creates a problem where the configuration says, or with a configuration if there is none. Overwrites nothing: either
/// all files are created or none.
pub(crate) fn create(workspace: &Workspace, name: &str, kind: Kind<'_>, lang: Lang) -> Result<NewProblem> {
    check_name(name)?;
    if let Kind::Function(function) = kind
        && !is_identifier(function)
    {
        return Err(NewProblemError::Function(function.to_owned()).into());
    }
    let roots = workspace.settings.problem_roots();
    let root = roots.first().ok_or(NewProblemError::NoRoot)?;
    let problem = root.join(name);
    let cases = workspace.settings.testcases_dir().join(name);
    refuse_existing(workspace, name, &[&problem, &cases])?;
    let of_problem = problem_files(name, kind, lang);
    let of_cases = case_files(kind, lang);
    let staged = [Staging::new(root), Staging::new(&cases)].map(|staging| staging.context("cannot create the problem"));
    let [near_root, near_cases] = staged;
    let (near_root, near_cases) = (near_root?, near_cases?);
    write_all(&near_root.path("problem"), &of_problem)?;
    write_all(&near_cases.path("cases"), &of_cases)?;
    let mut moves = vec![(near_root.path("problem"), problem.clone())];
    if !of_cases.is_empty() {
        moves.insert(0, (near_cases.path("cases"), cases.clone()));
    }
    let config = workspace.settings.file.is_none().then(|| workspace.settings.base.join(FILE_NAME));
    if let Some(config) = &config {
        fs::write(near_root.path(FILE_NAME), CONFIGURATION)?;
        moves.push((near_root.path(FILE_NAME), config.clone()));
    }
    move_all(&moves).context("nothing was created")?;
    // `grader gen` makes these cases, so they are not hand-made. `gen` records by itself what the store cannot keep.
    let (store, _) = Store::open(&workspace.settings.store_dir());
    for (path, text) in of_cases.iter().filter(|(path, _)| !path.ends_with(CONVERSATION)) {
        remember(&store, &cases.join(path), &Digest::of_bytes(text.as_bytes()).to_string());
    }
    let of_problem = of_problem.iter().map(|(path, _)| problem.join(path));
    let of_cases = of_cases.iter().map(|(path, _)| cases.join(path));
    Ok(NewProblem { config, files: of_problem.chain(of_cases).collect() })
}

fn check_name(name: &str) -> Result<(), NewProblemError> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.len() > LONGEST || !name.chars().all(fits) || name.starts_with('-') {
        return Err(NewProblemError::Name(name.to_owned()));
    }
    Ok(())
}

/// Fails if a problem or a path with this name exists already.
fn refuse_existing(workspace: &Workspace, name: &str, paths: &[&PathBuf]) -> Result<(), NewProblemError> {
    for path in paths {
        if path.symlink_metadata().is_ok() {
            return Err(NewProblemError::PathExists((*path).clone()));
        }
    }
    let Discovery { problems, unfinished, diagnostics } = searching(workspace, discover);
    let id = ProblemId::from(name);
    let found = problems.iter().chain(&unfinished).find(|problem| problem.slug() == name).map(|problem| &problem.dir);
    let broken =
        || diagnostics.iter().find(|found| found.problem.as_ref() == Some(&id)).and_then(|found| found.path.as_ref());
    match found.or_else(broken) {
        Some(place) => Err(NewProblemError::ProblemExists { name: name.to_owned(), place: place.clone() }),
        None => Ok(()),
    }
}

type Files = Vec<(String, String)>;

fn problem_files(name: &str, kind: Kind<'_>, lang: Lang) -> Files {
    let ending = lang.ending();
    let Programs { reference, wrong, .. } = lang.programs(kind);
    let title = title_of(name);
    let units = lang.unit_tests();
    let (says, function) = match kind {
        Kind::Interactive => ("type = \"interactive\"\n".to_owned(), ""),
        Kind::Function(function) => (format!("entry.function = \"{function}\"\n"), function),
        Kind::UnitTests => (format!("entry.tests = \"{}\"\n", units.path), units.function),
        Kind::Sum | Kind::Checker => <_>::default(),
    };
    let filled =
        |text: &str| text.replace("{title}", &title).replace("{function}", function).replace("{what}", units.what);
    // Starting the runner of unit tests takes time.
    let limits = if kind == Kind::UnitTests { "time_limit = 5.0\n" } else { "time_limit = 1.0\nmemory = 256\n" };
    let named = format!("reference = \"accepted/reference.{ending}\"\n");
    let mut files = vec![
        ("problem.toml".to_owned(), format!("name = \"{title}\"\n{says}{named}\n[limits]\n{limits}")),
        ("statement/problem.en.md".to_owned(), filled(kind.statement())),
        (format!("submissions/accepted/reference.{ending}"), filled(reference)),
        (format!("submissions/wrong_answer/{}.{ending}", wrong_name(kind)), filled(wrong)),
    ];
    files.extend(match kind {
        Kind::UnitTests => {
            let files = [(units.path, units.tests)].into_iter().chain(units.beside);
            files.map(|(path, text)| (path.to_owned(), text.to_owned())).collect::<Files>()
        }
        _ => about_cases(kind, lang),
    });
    files.extend(lang.judge(kind).map(|(path, text)| (path, text.to_owned())));
    files
}

/// The input validator, the generator and the recipes of the cases.
fn about_cases(kind: Kind<'_>, lang: Lang) -> Files {
    let of_judge = lang.of_judge(kind).ending();
    let [validator, generator] = lang.about_inputs(kind);
    let recipes = template!("common/generators.yaml")
        .replace("{ending}", of_judge)
        .replace("{solution_ending}", lang.ending())
        .replace("{sample}", kind.input(SAMPLE).trim_end());
    vec![
        (format!("input_validators/validate.{of_judge}"), validator.to_owned()),
        ("generators/generators.yaml".to_owned(), recipes),
        (format!("generators/gen.{of_judge}"), generator.to_owned()),
    ]
}

fn wrong_name(kind: Kind<'_>) -> &'static str {
    match kind {
        Kind::Sum | Kind::Function(_) | Kind::UnitTests => "off_by_half",
        Kind::Checker => "only_odd",
        Kind::Interactive => "one_by_one",
    }
}

/// The cases exactly as `grader gen` makes them. Unit tests are cases already.
fn case_files(kind: Kind<'_>, lang: Lang) -> Files {
    if kind == Kind::UnitTests {
        return Files::new();
    }
    let cases = [("sample/1", SAMPLE), ("secret/01", 1000), ("secret/02", lang.of_judge(kind).random_input())];
    let files =
        |(name, n): (&str, u32)| [(format!("{name}.in"), kind.input(n)), (format!("{name}.ans"), kind.answer(n))];
    let mut files: Files = cases.into_iter().flat_map(files).collect();
    if kind == Kind::Interactive {
        // The statement shows it. The input is the judge's secret.
        files.push((format!("sample/1.{CONVERSATION}"), template!("interactive/sample.interaction").to_owned()));
    }
    files
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
