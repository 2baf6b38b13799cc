//! Unit tests in Python: methods of classes of `unittest`, and functions.

use super::{Points, Programs, Runner, UnitTest, stated_points};
use crate::driver::{self, DRIVER};

pub(super) const ROW: Runner = Runner {
    code: "python3",
    language: "Python",
    endings: &["py"],
    is_name: |name| name.strip_suffix(".py").is_some_and(driver::is_identifier),
    tests_in: |text| Ok(tests_in(text)),
    programs: |files| {
        let stem = files.name.trim_end_matches(".py");
        let names = serde_json::json!(files.tests.iter().map(|test| &test.name).collect::<Vec<_>>()).to_string();
        let runner = (DRIVER.to_owned(), driver::running_units(stem, &names).into_bytes());
        let tests = (files.name.to_owned(), files.text.as_bytes().to_vec());
        Ok(Programs {
            judge: [vec![runner, tests], files.beside.clone()].concat(),
            beside: vec![(DRIVER.to_owned(), driver::serving_units(&files.names_given()).into_bytes())],
        })
    },
    refusal: |_, _| None,
    example: "def test_mean(): …",
    library: "",
};

/// A line as Python reads it: it may go on after a line end in brackets or in a string.
#[derive(Default)]
struct Line {
    indent: usize,
    /// Without comments and what is in strings.
    code: String,
    has_comment: bool,
    /// The points that a comment states.
    points: Option<Points>,
}

fn lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut line = Line::default();
    let mut depth = 0_usize;
    let mut rest = text;
    let mut number = 1;
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        match first {
            '#' => {
                length = rest.find('\n').unwrap_or(rest.len());
                line.has_comment = true;
                let stated = stated_points(&rest[..length]).map(|worth| Points { worth, line: Some(number) });
                line.points = line.points.or(stated);
            }
            '\'' | '"' => {
                length = string_length(rest, first);
                line.code.push_str("''");
            }
            '\\' => length += rest[1..].chars().next().map_or(0, char::len_utf8),
            '\n' if depth == 0 => lines.push(std::mem::take(&mut line)),
            ' ' | '\t' if line.code.is_empty() && !line.has_comment => line.indent += 1,
            '\n' | '\r' => line.code.push(' '),
            _ => {
                match first {
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                line.code.push(first);
            }
        }
        number += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    lines.push(line);
    lines
}

/// The length of the string that begins here, with its quotes.
fn string_length(text: &str, quote: char) -> usize {
    let long = String::from(quote).repeat(3);
    let end = if text.starts_with(&long) { &*long } else { &long[..1] };
    let mut at = end.len();
    while let Some(next) = text[at..].chars().next() {
        if text[at..].starts_with(end) {
            return at + end.len();
        }
        if next == '\n' && end.len() == 1 {
            // A string without its end is not Python.
            return at;
        }
        let escaped = if next == '\\' { text[at + 1..].chars().next().map_or(0, char::len_utf8) } else { 0 };
        at += next.len_utf8() + escaped;
    }
    at
}

/// A class of a file of tests.
struct Class<'t> {
    /// Its name, after those of the classes around it.
    path: String,
    bases: Vec<&'t str>,
    /// Its methods that are tests, with their points.
    tests: Vec<(&'t str, Points)>,
    /// The class around it.
    around: Option<usize>,
    /// The value of `__test__`, if the class sets it.
    is_on: Option<bool>,
}

/// The classes of a file, and what they have from each other.
struct Classes<'t> {
    all: Vec<Class<'t>>,
}

impl<'t> Classes<'t> {
    fn bases(&self, class: usize) -> impl Iterator<Item = usize> {
        // A class is below those that it extends.
        let of = move |base: &&str| self.all[..class].iter().rposition(|other| other.path == **base);
        self.all[class].bases.iter().filter_map(of)
    }

    fn is_of_unittest(&self, class: usize) -> bool {
        let Class { path, bases, .. } = &self.all[class];
        let is_known = bases.iter().any(|base| base.ends_with("TestCase")) || path.contains("TestCase");
        is_known || self.bases(class).any(|base| self.is_of_unittest(base))
    }

    fn is_on(&self, class: usize) -> bool {
        let stated = |at: usize| self.all[at].is_on;
        stated(class).unwrap_or_else(|| self.bases(class).all(|base| self.is_on(base)))
    }

    /// Whether runners take its methods as tests: a class of unittest at the top, or one by its name for pytest.
    fn is_taken(&self, class: usize) -> bool {
        let Class { path, around, .. } = &self.all[class];
        let is_named = path.rsplit('.').next().is_some_and(|name| name.starts_with("Test"));
        let is_taken = match around {
            None => is_named || self.is_of_unittest(class),
            Some(around) => is_named && self.is_taken(*around) && !self.is_of_unittest(*around),
        };
        is_taken && self.is_on(class)
    }

    /// Its tests, and those that it inherits.
    fn tests(&self, class: usize) -> Vec<(&'t str, Points)> {
        let mut tests = self.all[class].tests.clone();
        for inherited in self.bases(class).flat_map(|base| self.tests(base)) {
            if tests.iter().all(|(name, _)| *name != inherited.0) {
                tests.push(inherited);
            }
        }
        tests
    }
}

/// The name behind a keyword of Python, and the rest: `def name(…`.
fn named<'l>(code: &'l str, keyword: &str) -> Option<(&'l str, &'l str)> {
    let rest = code.strip_prefix(keyword)?.strip_prefix(char::is_whitespace)?.trim_start();
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    Some(rest.split_at(end))
}

/// The tests of a file: `test_mean` or `TestMean.test_empty`. A comment `# points: 3` above a test or in its line states its points.
fn tests_in(text: &str) -> Vec<UnitTest> {
    let lines = lines(text);
    let mut functions: Vec<(&str, Points)> = Vec::new();
    let mut classes = Classes { all: Vec::new() };
    // The blocks that are open: how far they are indented, and the class; none for a function.
    let mut open: Vec<(usize, Option<usize>)> = Vec::new();
    let mut deleted: Vec<&str> = Vec::new();
    // The points that wait for their test, and how far their comment is indented.
    let mut points: Option<(Points, usize)> = None;
    for line in &lines {
        let code = line.code.trim();
        points = line.points.map(|stated| (stated, line.indent)).or(points);
        if code.is_empty() {
            continue;
        }
        while open.last().is_some_and(|(indent, _)| *indent >= line.indent) {
            open.pop();
        }
        let is_local = open.iter().any(|(_, class)| class.is_none());
        let around = open.last().and_then(|(_, class)| *class);
        let plain = code.strip_prefix("async").map_or(code, str::trim_start);
        if let Some((name, _)) = named(plain, "def") {
            let tests = match around {
                Some(class) => &mut classes.all[class].tests,
                None => &mut functions,
            };
            if !is_local && name.starts_with("test") && tests.iter().all(|(known, _)| *known != name) {
                // What is indented further is in the body of what is above.
                let own = points.filter(|(_, indent)| *indent <= line.indent);
                tests.push((name, own.map_or_else(Points::default, |(points, _)| points)));
            }
            open.push((line.indent, None));
        } else if let Some((name, rest)) = named(code, "class").filter(|_| !is_local) {
            let before = around.map(|class| format!("{}.", classes.all[class].path)).unwrap_or_default();
            let list = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')')).unwrap_or_default().0;
            let bases = list.split(',').map(str::trim).collect();
            open.push((line.indent, Some(classes.all.len())));
            classes.all.push(Class { path: before + name, bases, tests: Vec::new(), around, is_on: None });
        } else if let Some(class) = around.filter(|_| code.starts_with("__test__")) {
            classes.all[class].is_on = Some(code.ends_with("True"));
        } else if line.indent == 0 && code.starts_with("del ") {
            deleted.extend(code[4..].split(',').map(str::trim));
        }
        // Comments and decorators may stand between the points and the test.
        points = points.filter(|_| code.starts_with('@'));
    }
    let of_classes = (0..classes.all.len()).filter(|class| classes.is_taken(*class)).flat_map(|class| {
        let path = &classes.all[class].path;
        classes.tests(class).into_iter().map(move |(name, points)| (format!("{path}.{name}"), points))
    });
    let all = functions.iter().map(|(name, points)| ((*name).to_owned(), *points)).chain(of_classes);
    let mut tests: Vec<UnitTest> = Vec::new();
    for (name, points) in all {
        let is_deleted = name.split('.').next().is_some_and(|first| deleted.contains(&first));
        if !is_deleted && tests.iter().all(|test| test.name != name) {
            tests.push(UnitTest::new(name.clone(), name, points));
        }
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
            [("test_plain", 4.0), ("TestMean.test_one", 2.5), ("TestMean.test_two", 3.0), ("Means.test_three", 1.0)];
        let names: Vec<(&str, f64)> = found.iter().map(|(name, points)| (&**name, *points)).collect();
        assert_eq!(names, expected);
    }
    fn names(text: &str) -> Vec<String> {
        tests_in(text).into_iter().map(|test| test.name).collect()
    }

    #[test]
    fn tests_are_found_wherever_runners_find_them() {
        let text = r#"
class Common:
    def test_shared(self): pass
class TestStack(
    Common,  # points: 9
    unittest.TestCase,
):
    TEXT = """
def test_in_text(): pass
"""
    NUMBERS = [
1, 2,
]
    def test_push(self): pass
class Base(unittest.TestCase):
    __test__ = False
    def test_base(self): 'it\'s # no comment'; "(["
class Derived(Base):
    __test__ = True
    async def test_derived(self): pass
class Gone(unittest.TestCase):
    def test_gone(self): pass
del Gone
class TestOuter:
    def test_flat(self): pass
    class TestInner:
        def test_deep(self): pass
    class Other:
        def test_no(self): pass
if True:
    def test_in_if(): pass
else:
    pass
async def test_async(): pass
def helper():
    class TestLocal:
        def test_local(self): pass
    def test_inner(): pass
"#;
        let expected = [
            "test_in_if",
            "test_async",
            "TestStack.test_push",
            "TestStack.test_shared",
            "Derived.test_derived",
            "Derived.test_base",
            "TestOuter.test_flat",
            "TestOuter.TestInner.test_deep",
        ];
        assert_eq!(names(text), expected);
        // Reading text that is not Python ends, too.
        for text in ["'''", "\"", "'\\", "(((", "class", "def test", "class A(", "#", "\\"] {
            names(text);
        }
    }
}
