//! Problems whose cases are the unit tests of a file (`entry.tests`). The names of the tests come from the text of the file
//! alone. Each test runs by itself in the process of its runner, an interactor, and the solution in another.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::document::small_text;
use crate::program_files::LARGEST;
use crate::reader::Reader;
use grader_model::problem::{
    AnswerFile, HeldIn, IncludedFiles, JudgingProgram, OwnSetting, ProblemKind, Program, Protocol, TestCase, TestGroup,
};

mod javascript;
mod python;

/// A language of unit tests. Another language is a row of [`RUNNERS`] and a file with its row.
struct Runner {
    /// Its code in packages.
    code: &'static str,
    /// Its name for people.
    language: &'static str,
    /// The endings of the names of its files of tests.
    endings: &'static [&'static str],
    /// The tests in the text of a file, in its order.
    tests_in: fn(&str) -> Result<Vec<UnitTest>, Unnamed>,
    /// The name and the text of the program that runs one test, if it can run a file of tests with this name. It is an
    /// interactor whose input is the name of the test, and decides alone: nothing of the solution runs in its process.
    program: fn(&str) -> Option<(&'static str, String)>,
    /// The name and the text of the program beside a solution, which does what the runner asks.
    driver: fn() -> (&'static str, String),
    /// What a test looks like.
    example: &'static str,
    /// What the file has to name; empty if nothing. Tests of other libraries look alike.
    library: &'static str,
}

/// Runners that grader does not use, by the endings of files of tests. They load the solution into the process that decides.
const NOT_RUN: &[(&str, &str)] = &[
    ("java", "JUnit"),
    ("kt", "JUnit"),
    ("go", "go test"),
    ("rs", "cargo test"),
    ("cpp", "GoogleTest or Catch2"),
    ("cc", "GoogleTest or Catch2"),
    ("cxx", "GoogleTest or Catch2"),
    ("ts", "runners of TypeScript"),
];

const RUNNERS: &[Runner] = &[python::ROW, javascript::ROW];

/// The tests of a file.
pub(crate) struct UnitTests {
    pub(crate) group: TestGroup,
    /// Runs one test, and asks the solution.
    runner: Program,
    /// The code of the language.
    language: &'static str,
    /// What stands beside a solution.
    driver: IncludedFiles,
}

impl UnitTests {
    /// The kind of the problem, and what judges it.
    pub(crate) fn judge(&self) -> (ProblemKind, Option<JudgingProgram>) {
        (ProblemKind::Interactive, Some(JudgingProgram::stated(self.runner.clone(), Protocol::Icpc)))
    }

    /// What stands beside solutions in a language.
    pub(crate) fn include(self) -> (String, IncludedFiles) {
        (self.language.to_owned(), self.driver)
    }
}

/// Reads the tests in the file `stated`, relative to the problem. What is in its folder comes with it, unless that is the
/// problem's.
pub(crate) fn read(reader: &Reader<'_>, stated: &str) -> Option<UnitTests> {
    let path = reader.dir.join(stated);
    let refuse = |message: &str, remedy: &str| {
        reader.error(&path, message, remedy);
        None
    };
    let is_inside = Path::new(stated).components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let name = path.file_name().and_then(|name| name.to_str()).filter(|_| is_inside).unwrap_or_default();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    if let Some((_, runner)) = NOT_RUN.iter().find(|(other, _)| *other == ending) {
        let message = format!("grader runs no tests of {runner}, in whose process a solution could decide");
        return refuse(&message, "judge programs in this language by `entry.function` or by cases");
    }
    let language = RUNNERS.iter().find(|row| row.endings.contains(&ending));
    let Some((row, (runner, runner_text))) = language.and_then(|row| Some((row, (row.program)(name)?))) else {
        let known: Vec<&str> = RUNNERS.iter().map(|row| row.language).collect();
        let message = format!("`entry.tests` is no file of tests in {} below the problem", known.join(" or "));
        return refuse(&message, "name one: tests/test_stats.py");
    };
    let Some(text) = small_text(&path, LARGEST) else {
        return refuse("`entry.tests` names a file that cannot be read as text", "write the tests there");
    };
    let tests = match (row.tests_in)(&text) {
        Ok(tests) => tests,
        Err(Unnamed { line }) => {
            let message = format!("line {line}: a test whose name is not a text in quotes, or is that of another test");
            return refuse(&message, &format!("write tests like this: {}", row.example));
        }
    };
    if tests.is_empty() {
        return refuse("a file of unit tests without a test", &format!("write tests like this: {}", row.example));
    }
    if !text.contains(row.library) {
        let message = format!("the tests do not load `{}`; grader runs those of no other library", row.library);
        return refuse(&message, &format!("write tests like this: {}", row.example));
    }
    let dir = path.parent().unwrap_or(&reader.dir);
    let mut beside = if dir == reader.dir { Vec::new() } else { reader.files_below(dir) };
    beside.retain(|file| dir.join(file) != path);
    let mut files = vec![(runner.to_owned(), runner_text.into_bytes()), (name.to_owned(), text.into_bytes())];
    for file in beside {
        match (file.to_str(), std::fs::read(dir.join(&file))) {
            (Some(name), Ok(bytes)) => files.push((name.to_owned(), bytes)),
            (_, Err(error)) => {
                return refuse(&format!("cannot read {} beside it: {error}", file.display()), "remove it");
            }
            (None, Ok(_)) => return refuse("a file beside it has a name that is not UTF-8", "rename it"),
        }
    }
    let names = files.iter().map(|(name, _)| PathBuf::from(name)).collect();
    let inputs: Vec<(String, Vec<u8>)> =
        tests.iter().map(|test| (format!("{}.in", test.name), format!("{}\n", test.input).into_bytes())).collect();
    let (driver_name, driver) = (row.driver)();
    let driver = [(driver_name.to_owned(), driver.into_bytes())];
    let kept =
        (reader.derive)(&files).and_then(|runner| Ok((runner, (reader.derive)(&inputs)?, (reader.derive)(&driver)?)));
    let (program, inputs, driver) = match kept {
        Ok(dirs) => dirs,
        Err(error) => {
            return refuse(
                &format!("cannot write the program that runs its tests: {error}"),
                "make the folder writable",
            );
        }
    };
    let mut cases: Vec<TestCase> = tests.into_iter().map(UnitTest::case).collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    let document = Some(HeldIn::Cases(path));
    Some(UnitTests {
        group: TestGroup { cases, document, ..TestGroup::empty("", inputs) },
        runner: Program::Directory { path: program, files: names },
        language: row.code,
        driver: IncludedFiles { dir: driver, files: vec![PathBuf::from(driver_name)] },
    })
}

/// A test.
#[derive(Debug, PartialEq)]
struct UnitTest {
    /// The name of the case.
    name: String,
    /// What its runner reads.
    input: String,
    points: f64,
}

/// A test that cannot be known without running the file.
#[derive(Debug, PartialEq)]
struct Unnamed {
    line: usize,
}

impl UnitTest {
    fn case(self) -> TestCase {
        let own = OwnSetting { points: Some(self.points), ..OwnSetting::default() };
        TestCase { own: Some(Box::new(own)), ..TestCase::new(self.name, AnswerFile::Missing) }
    }
}

/// The points that a comment in a line states, such as `# points: 3`.
fn stated_points(line: &str) -> Option<f64> {
    static POINTS: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?:#|//)\s*points?:\s*([0-9]+(?:\.[0-9]+)?)").ok());
    POINTS.as_ref()?.captures(line)?.get(1)?.as_str().parse().ok()
}
