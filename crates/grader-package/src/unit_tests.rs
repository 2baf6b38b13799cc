//! Problems whose cases are the unit tests of a file in Python (`entry.tests`). The names of the tests come from the text of
//! the file alone. Each test runs by itself in the runner's process (`driver/runner.py`), and the solution in another.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::document::small_text;
use crate::driver::{self, DRIVER};
use crate::program_files::LARGEST;
use crate::reader::Reader;
use grader_model::problem::{
    AnswerFile, HeldIn, IncludedFiles, JudgingProgram, OwnSetting, ProblemKind, Program, Protocol, TestCase, TestGroup,
};

/// The code of the language.
pub(crate) const PYTHON: &str = "python3";

/// The tests of a file.
pub(crate) struct UnitTests {
    pub(crate) group: TestGroup,
    /// Runs one test, and asks the solution.
    pub(crate) runner: Program,
    /// What stands beside a solution.
    pub(crate) driver: IncludedFiles,
}

impl UnitTests {
    /// The kind of the problem, and what judges it.
    pub(crate) fn judge(&self) -> (ProblemKind, Option<JudgingProgram>) {
        (ProblemKind::Interactive, Some(JudgingProgram::stated(self.runner.clone(), Protocol::Icpc)))
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
    let stem = Path::new(stated).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let is_inside = Path::new(stated).components().all(|part| matches!(part, std::path::Component::Normal(_)));
    if !is_inside || path.extension().is_none_or(|ending| ending != "py") || !driver::is_identifier(stem) {
        return refuse(
            "`entry.tests` is no file of tests in Python below the problem",
            "name one: tests/test_stats.py",
        );
    }
    let Some(text) = small_text(&path, LARGEST) else {
        return refuse("`entry.tests` names a file that cannot be read as text", "write the tests there");
    };
    let tests = tests_in(&text);
    if tests.is_empty() {
        return refuse("a file of unit tests without a test", "call functions and methods of tests `test_…`");
    }
    let dir = path.parent().unwrap_or(&reader.dir);
    let mut beside = if dir == reader.dir { Vec::new() } else { reader.files_below(dir) };
    beside.retain(|file| dir.join(file) != path);
    let mut files = vec![
        ("__main__.py".to_owned(), driver::running_units(stem).into_bytes()),
        (format!("{stem}.py"), text.into_bytes()),
    ];
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
        tests.iter().map(|test| (format!("{}.in", test.name), format!("{}\n", test.name).into_bytes())).collect();
    let driver = [(DRIVER.to_owned(), driver::serving_units().into_bytes())];
    let kept =
        (reader.derive)(&files).and_then(|runner| Ok((runner, (reader.derive)(&inputs)?, (reader.derive)(&driver)?)));
    let (runner, inputs, driver) = match kept {
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
        runner: Program::Directory { path: runner, files: names },
        driver: IncludedFiles { dir: driver, files: vec![PathBuf::from(DRIVER)] },
    })
}

/// A test: a function `test_mean`, or a method `TestMean.test_empty`.
#[derive(Debug, PartialEq)]
struct UnitTest {
    name: String,
    points: f64,
}

impl UnitTest {
    fn case(self) -> TestCase {
        let own = OwnSetting { points: Some(self.points), ..OwnSetting::default() };
        TestCase { own: Some(Box::new(own)), ..TestCase::new(self.name, AnswerFile::Missing) }
    }
}

/// The tests of a file, in its order. A comment `# points: 3` above a test or in its line states its points.
fn tests_in(text: &str) -> Vec<UnitTest> {
    static POINTS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"#\s*points?:\s*([0-9]+(?:\.[0-9]+)?)").ok());
    let stated = |line: &str| POINTS.as_ref()?.captures(line)?.get(1)?.as_str().parse::<f64>().ok();
    let mut tests: Vec<UnitTest> = Vec::new();
    // The class, and how far its methods are indented, once one is seen.
    let mut class: Option<(&str, Option<usize>)> = None;
    let mut points = None;
    for line in text.lines() {
        let inside = line.trim_start();
        let word = |keyword: &str| {
            let rest = inside.strip_prefix(keyword)?;
            Some(rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default())
        };
        let is_top = inside.len() == line.len();
        if is_top && !inside.is_empty() && !inside.starts_with(['#', '@', ')']) {
            let name = word("class ").filter(|name| name.starts_with("Test") || inside.contains("TestCase"));
            class = name.map(|name| (name, None));
        }
        let indent = line.len() - inside.len();
        if let Some((_, methods @ None)) = &mut class
            && word("def ").is_some()
        {
            *methods = Some(indent);
        }
        points = stated(line).or(points);
        let Some(function) = word("def ").filter(|name| name.starts_with("test")) else {
            // Comments and decorators may stand between the points and the test.
            points = points.filter(|_| inside.starts_with(['#', '@']));
            continue;
        };
        let name = match class {
            Some((class, Some(methods))) if indent == methods => format!("{class}.{function}"),
            _ if is_top => function.to_owned(),
            _ => continue,
        };
        if tests.iter().all(|test| test.name != name) {
            tests.push(UnitTest { name, points: points.take().unwrap_or(1.0) });
        }
        points = None;
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_functions_and_methods() {
        let text = "import unittest\n\nclass TestMean(unittest.TestCase):\n    # points: 2.5\n    @slow\n    def test_one(self):\n        def test_inner(): pass\n\n    def helper(self): # points: 9\n        pass\n\n    def test_two(self): # points: 3\n        pass\n\n# points: 4\ndef test_plain():\n    pass\n\nclass Helper:\n    def test_nothing(self): pass\n\ndef helper():\n    def test_local(): pass\n\ndef test_plain(): pass\nclass Means(TestCase):\n    def test_three(self): pass\n";
        let found: Vec<(String, f64)> = tests_in(text).into_iter().map(|test| (test.name, test.points)).collect();
        let expected =
            [("TestMean.test_one", 2.5), ("TestMean.test_two", 3.0), ("test_plain", 4.0), ("Means.test_three", 1.0)];
        let names: Vec<(&str, f64)> = found.iter().map(|(name, points)| (&**name, *points)).collect();
        assert_eq!(names, expected);
    }
}
