//! Unit tests in Python: methods of classes of `unittest`, and functions.

use super::{Programs, Runner, UnitTest, stated_points};
use crate::driver::{self, DRIVER};

pub(super) const ROW: Runner = Runner {
    code: "python3",
    language: "Python",
    endings: &["py"],
    is_name: |name| name.strip_suffix(".py").is_some_and(driver::is_identifier),
    tests_in: |text| Ok(tests_in(text)),
    programs: |files| {
        let stem = files.name.trim_end_matches(".py");
        let runner = (DRIVER.to_owned(), driver::running_units(stem).into_bytes());
        let tests = (files.name.to_owned(), files.text.as_bytes().to_vec());
        Ok(Programs {
            judge: [vec![runner, tests], files.beside.clone()].concat(),
            beside: vec![(DRIVER.to_owned(), driver::serving_units(&files.names_given()).into_bytes())],
        })
    },
    refusal: |_| None,
    example: "def test_mean(): …",
    library: "",
};

/// The tests of a file, in its order: `test_mean` or `TestMean.test_empty`. A comment `# points: 3` above a test or in its line states its points.
fn tests_in(text: &str) -> Vec<UnitTest> {
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
        points = stated_points(line).or(points);
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
            tests.push(UnitTest { input: name.clone(), name, points: points.take().unwrap_or(1.0) });
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
