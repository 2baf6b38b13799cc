//! Unit tests in Java: `JUnit` 5. They run in the process of the solution. The class loader of `driver/units/GraderUnits.java` takes
//! only classes of a solution that use no reflection, files, processes or loaders, which keeps them from the report.

use std::path::Path;

use super::{FOLDER, Named, Programs, Runner, TestFiles, Unfit, UnitTest, UnknownTest, line_of, points_at};
use crate::driver;
use crate::program_files::words::{Dialect, Word, words};

pub(super) const ROW: Runner = Runner {
    code: "java",
    language: "Java",
    endings: &["java"],
    is_name: |name| name.strip_suffix(".java").is_some_and(driver::is_identifier),
    tests_in,
    programs,
    refusal,
    example: "@Test void meanOfTwo() { … }",
    library: "org.junit.jupiter",
};

/// The annotations of tests.
const TESTS: &[&str] = &["Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate"];
/// Packages of which no class is one of the solution.
const LIBRARIES: &[&str] = &["java.", "javax.", "org.junit.", "org.hamcrest.", "org.assertj.", "org.mockito."];

/// A class that is open.
struct Class<'t> {
    name: &'t str,
    /// How many braces are open inside it.
    depth: usize,
}

/// The tests of a file, in its order: `meanOfTwo`, or `Empty.throwsError` in a class inside the first.
fn tests_in(text: &str) -> Result<Vec<UnitTest>, UnknownTest> {
    let lines: Vec<&str> = text.lines().collect();
    let words = words(text, Dialect::Java);
    let package = statements(&words, "package").next().map(|package| format!("{package}.")).unwrap_or_default();
    let mut open: Vec<Class<'_>> = Vec::new();
    let mut tests: Vec<UnitTest> = Vec::new();
    let mut depth = 0_usize;
    // Inside the parentheses of an annotation or of parameters, nothing is a test.
    let mut nested = 0_usize;
    let mut is_test = false;
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| words[at]);
        match (word, words.get(at + 1)) {
            (Word::Sign('('), _) => nested += 1,
            (Word::Sign(')'), _) => nested = nested.saturating_sub(1),
            _ if nested > 0 => {}
            (Word::Sign('{'), _) => depth += 1,
            (Word::Sign('}'), _) => {
                depth = depth.saturating_sub(1);
                open.retain(|class| class.depth <= depth);
            }
            (Word::Name(name), _) if before == Some(Word::Sign('@')) => is_test |= TESTS.contains(name),
            (Word::Name("class" | "interface" | "enum" | "record"), Some(Word::Name(name)))
                if before != Some(Word::Sign('.')) =>
            {
                open.push(Class { name, depth: depth + 1 });
                is_test = false;
            }
            (Word::Name(name), Some(Word::Sign('('))) if is_test => {
                is_test = false;
                let path: Vec<&str> = open.iter().map(|class| class.name).collect();
                let short = [path.get(1..).unwrap_or_default(), &[*name]].concat().join(".");
                let line = line_of(text, name);
                if tests.iter().any(|test| test.name == short) {
                    return Err(UnknownTest { line });
                }
                let input = format!("{package}{} {name}", path.join("$"));
                let points = points_at(&lines, line, &tests);
                tests.push(UnitTest::new(short, input, points));
            }
            _ => {}
        }
    }
    Ok(tests)
}

/// Why tests find no class of a solution: all are in packages that no test names. What its classes do is seen by the class loader.
fn refusal(files: &[(&Path, String)], tests: &[String]) -> Option<String> {
    let own = files.iter().filter(|(name, _)| name.extension().is_some_and(|ending| ending == "java"));
    let package_of = |(name, text): &(&Path, String)| {
        let package = statements(&words(text, Dialect::Java), "package").next()?;
        let is_known = tests.iter().any(|test| test.contains(&package));
        (!is_known).then(|| (name.display().to_string(), package))
    };
    let unknown: Option<Vec<(String, String)>> = own.map(package_of).collect();
    let (name, package) = unknown?.into_iter().next()?;
    Some(format!(
        "{name}: says `package {package}`, where the tests do not look for it: remove this line, or name the package as the exercise says"
    ))
}

/// The names in the statements that begin with this word: `java.util.*` for `import`.
fn statements<'w>(words: &'w [Word<'_>], keyword: &'static str) -> impl Iterator<Item = String> + 'w {
    let starts = words.iter().enumerate().filter(move |(_, word)| word.name() == Some(keyword));
    starts.map(|(at, _)| {
        let rest = words[at + 1..].iter().take_while(|word| **word != Word::Sign(';'));
        let text = |word: &Word<'_>| match word {
            Word::Name("static") => "static ".to_owned(),
            Word::Name(name) => (*name).to_owned(),
            Word::Sign(sign) => sign.to_string(),
            Word::Text(_) => String::new(),
        };
        rest.map(text).collect()
    })
}

fn programs(files: &TestFiles<'_>) -> Result<Programs, Unfit> {
    if let Some((name, _)) = files.given.first() {
        // A solution is compiled where no other text in Java is found.
        let message = format!("include/java/{name} cannot be beside a solution in Java, which is compiled by itself");
        return Err(Unfit { message, remedy: "remove it; students submit all classes that theirs use" });
    }
    let own = (files.name, files.text.as_bytes());
    let all = [own].into_iter().chain(files.beside.iter().map(|(name, bytes)| (&**name, &**bytes)));
    let mut beside: Vec<Named> = Vec::new();
    // A class of the solution in the package of the tests would go before one of these.
    let mut packages = vec!["java.lang".to_owned(), "org.junit.jupiter.api".to_owned()];
    for (name, bytes) in all {
        if Path::new(name).extension().is_some_and(|ending| ending == "java") {
            let text = String::from_utf8_lossy(bytes);
            for import in statements(&words(&text, Dialect::Java), "import") {
                let Some(whole) = import.strip_suffix(".*") else { continue };
                match whole.strip_prefix("static ") {
                    Some(class) if LIBRARIES.iter().all(|library| !class.starts_with(library)) => {
                        return Err(Unfit {
                            message: format!(
                                "{name} imports all that the solution's class {class} has, such as an `assertEquals` of its own"
                            ),
                            remedy: "import its methods by name",
                        });
                    }
                    Some(_) => {}
                    None => packages.push(whole.to_owned()),
                }
            }
        }
        beside.push((format!("{FOLDER}/{name}"), bytes.to_vec()));
    }
    let packages: Vec<String> = packages.iter().map(|package| format!("{package:?}")).collect();
    let runner = driver::UNITS_IN_JAVA.replace("\"@PACKAGES@\"", &packages.join(", "));
    beside.push((format!("{FOLDER}/GraderUnits.java"), runner.into_bytes()));
    Ok(Programs { judge: driver::judging_units(), beside })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_gives_points_to_one_test() {
        let text = "class T {\n// points: 5\n@Test void a() { f(); }\n@Test void b() { f(); } // points: 2\n@Test void c() {}\n\n\
            @Test\nvoid d() {\n}\n}\n";
        let points: Vec<f64> = tests_in(text).unwrap().iter().map(|test| test.points).collect();
        assert_eq!(points, [5.0, 2.0, 1.0, 1.0]);
    }

    #[test]
    fn tests_have_annotations() {
        let text = r#"package edu.stats;
import org.junit.jupiter.api.*;
class StatsTest {
    static final int[] NUMBERS = { 1, 2 };
    // points: 3
    @Test
    @DisplayName("mean(of) two")
    void meanOfTwo() { assertEquals(1.5, mean(NUMBERS)); }
    @Nested class Empty {
        @ParameterizedTest @ValueSource(ints = {1, 2})
        void throwsError(int n) {} // points: 2.5
    }
    @BeforeEach void setUp() {}
    @org.junit.jupiter.api.Test public void whole() {}
    void helper() { class Inner {} }
}
"#;
        let found = tests_in(text).unwrap();
        let found: Vec<(&str, &str, f64)> = found.iter().map(|one| (&*one.name, &*one.input, one.points)).collect();
        let expected = [
            ("meanOfTwo", "edu.stats.StatsTest meanOfTwo", 3.0),
            ("Empty.throwsError", "edu.stats.StatsTest$Empty throwsError", 2.5),
        ];
        assert_eq!(found, expected);
    }
}
