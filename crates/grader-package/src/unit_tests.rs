//! Problems whose cases are the unit tests of a file (`entry.tests`). The names of the tests come from the text of the file
//! alone, and each test runs by itself. In Python, JavaScript and C++, it runs in the process of an interactor, and the solution in
//! another. In Go, Java and Rust, it runs in the process of the solution, which is held to code that cannot reach the report
//! ([`refusal`], `driver/units/GraderUnits.java`).

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::document::small_text;
use crate::program_files::LARGEST;
use crate::programs;
use crate::reader::Reader;
use grader_model::diagnostic::{Diagnostic, Kind, TextPosition};
use grader_model::problem::{
    AnswerFile, HeldIn, IncludedFiles, JudgingProgram, OwnSetting, ProblemKind, Program, Protocol, TestCase, TestGroup,
};

mod cpp;
mod go;
mod java;
mod javascript;
mod jest;
mod python;
mod rust;

/// Why a solution cannot be with tests: `(names and texts of its files, texts of the tests)`.
type Refusal = fn(&[(&Path, String)], &[String]) -> Option<String>;

/// A runner of unit tests. Another one is a row of [`RUNNERS`] and a file with its row; if it builds programs in its own way, also
/// `tests` in the row of its language in languages.toml.
struct Runner {
    /// The code of its language in packages.
    code: &'static str,
    /// Its language for people.
    language: &'static str,
    /// The endings of the names of its files of tests.
    endings: &'static [&'static str],
    /// Whether a file of tests can have this name.
    is_name: fn(&str) -> bool,
    /// The tests in the text of a file, in its order.
    tests_in: fn(&str) -> Result<Vec<UnitTest>, UnknownTest>,
    /// The programs that run the tests.
    programs: fn(&TestFiles<'_>) -> Result<Programs, Unfit>,
    /// Why a solution cannot be in the process of the tests, from the names and texts of its files, and the texts of the tests.
    refusal: Refusal,
    /// An example of a test, for messages.
    example: &'static str,
    /// A text that the file must contain; may be empty. Tests of several libraries look alike, and this text decides between
    /// rows.
    library: &'static str,
}

/// The files of the teacher.
struct TestFiles<'t> {
    /// The file of tests.
    name: &'t str,
    text: &'t str,
    tests: &'t [UnitTest],
    /// The files that come with it: names and contents.
    beside: Vec<Named>,
    /// The files that the problem itself puts beside solutions in this language (`include/`).
    given: Vec<Named>,
}

impl TestFiles<'_> {
    /// The names of the files that the problem itself puts beside solutions, as a list in JSON.
    fn names_given(&self) -> String {
        serde_json::json!(self.given.iter().map(|(name, _)| name).collect::<Vec<_>>()).to_string()
    }
}

/// The name and the contents of a file.
type Named = (String, Vec<u8>);

/// The programs that run the tests.
struct Programs {
    /// The interactor, whose input is that of a test.
    judge: Vec<Named>,
    /// The files beside a solution.
    beside: Vec<Named>,
}

/// A mistake in the files of the teacher.
struct Unfit {
    message: String,
    remedy: &'static str,
}

/// The folder beside a solution that holds the tests which run in its process. The files of a solution there are left out.
pub const FOLDER: &str = "graderunits";

/// Runners that grader does not use, by the endings of files of tests. They load the solution into the process that decides.
const NOT_RUN: &[(&str, &str)] = &[("kt", "JUnit in Kotlin"), ("ts", "runners of TypeScript")];

const RUNNERS: &[Runner] = &[python::ROW, javascript::ROW, jest::ROW, cpp::ROW, go::ROW, java::ROW, rust::ROW];

/// Why a solution cannot be in the process of the tests that are beside it, for its author. `code`: that of its language;
/// `files`: names and texts of its own; `tests`: texts of the tests.
pub fn refusal(code: &str, files: &[(&Path, String)], tests: &[String]) -> Option<String> {
    (RUNNERS.iter().find(|row| row.code == code)?.refusal)(files, tests)
}

/// The tests of a file.
pub(crate) struct UnitTests {
    pub(crate) group: TestGroup,
    /// Runs one test, and asks the solution.
    runner: Program,
    /// The code of the language.
    language: &'static str,
    /// The files beside a solution.
    driver: IncludedFiles,
}

impl UnitTests {
    /// The kind of the problem, and the program that judges it.
    pub(crate) fn judge(&self) -> (ProblemKind, Option<JudgingProgram>) {
        (ProblemKind::Interactive, Some(JudgingProgram::stated(self.runner.clone(), Protocol::Icpc)))
    }

    /// The code of a language, and the files beside solutions in it.
    pub(crate) fn include(self) -> (String, IncludedFiles) {
        (self.language.to_owned(), self.driver)
    }
}

/// Reads the tests in the file `stated`, relative to the problem. The files in its folder come with it, unless the folder is
/// that of the problem.
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
    let rows: Vec<&Runner> =
        RUNNERS.iter().filter(|row| row.endings.contains(&ending) && (row.is_name)(name)).collect();
    let Some(first) = rows.first() else {
        let known: Vec<&str> = RUNNERS.iter().map(|row| row.language).collect();
        let message = format!("`entry.tests` is not a file of tests in {} below the problem", known.join(", "));
        return refuse(&message, "name one: tests/test_stats.py");
    };
    let Some(text) = small_text(&path, LARGEST) else {
        return refuse("`entry.tests` names a file that cannot be read as text", "write the tests there");
    };
    let row = rows.iter().find(|row| text.contains(row.library)).unwrap_or(first);
    let tests = match (row.tests_in)(&text) {
        Ok(tests) => tests,
        Err(UnknownTest { line }) => {
            let message = format!(
                "line {line}: a test whose name is not a text in quotes, or is that of another test, or an end that is missing"
            );
            return refuse(&message, &format!("write tests like this: {}", row.example));
        }
    };
    if tests.is_empty() {
        return refuse("a file of unit tests without a test", &format!("write tests like this: {}", row.example));
    }
    if !text.contains(row.library) {
        let known: Vec<String> = rows.iter().map(|row| format!("`{}`", row.library)).collect();
        let message = format!("the tests do not use {}; grader runs those of no other library", known.join(" or "));
        return refuse(&message, &format!("write tests like this: {}", row.example));
    }
    for line in stray_points(&text, &tests) {
        let place = TextPosition { line: u32::try_from(line).unwrap_or(u32::MAX), column: 1 };
        let found = Diagnostic::warning(&path, "points that belong to no test");
        let found = found.kind(Kind::NotUsed).at(Some(place));
        reader.report(found.remedy("write a number, as in `points: 3`, above the test or in its first line"));
    }
    let dir = path.parent().unwrap_or(&reader.dir);
    let mut beside = if dir == reader.dir { Vec::new() } else { reader.files_below(dir) };
    beside.retain(|file| dir.join(file) != path);
    let programs = load(dir, beside).and_then(|beside| {
        let files = TestFiles { name, text: &text, tests: &tests, beside, given: given(reader, row.code)? };
        let Programs { judge, mut beside } = (row.programs)(&files)?;
        let is_free = |(name, _): &Named| beside.iter().all(|(own, _)| own != name);
        let given: Vec<Named> = files.given.into_iter().filter(is_free).collect();
        beside.extend(given);
        Ok(Programs { judge, beside })
    });
    let Programs { judge, beside } = match programs {
        Ok(programs) => programs,
        Err(Unfit { message, remedy }) => return refuse(&message, remedy),
    };
    let inputs: Vec<Named> =
        tests.iter().map(|test| (format!("{}.in", test.name), format!("{}\n", test.input).into_bytes())).collect();
    let kept =
        (reader.derive)(&judge).and_then(|runner| Ok((runner, (reader.derive)(&inputs)?, (reader.derive)(&beside)?)));
    let (program, inputs, driver) = match kept {
        Ok(dirs) => dirs,
        Err(error) => {
            return refuse(
                &format!("cannot write the program that runs its tests: {error}"),
                "make the folder writable",
            );
        }
    };
    let names = |files: &[Named]| {
        let mut names: Vec<PathBuf> = files.iter().map(|(name, _)| PathBuf::from(name)).collect();
        names.sort();
        names
    };
    let mut cases: Vec<TestCase> = tests.into_iter().map(UnitTest::case).collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    let document = Some(HeldIn::UnitTests(path));
    Some(UnitTests {
        group: TestGroup { cases, document, ..TestGroup::empty("", inputs) },
        runner: programs::built(program, names(&judge)),
        language: row.code,
        driver: IncludedFiles { dir: driver, files: names(&beside) },
    })
}

/// Reads the files of a folder.
fn load(dir: &Path, files: Vec<PathBuf>) -> Result<Vec<Named>, Unfit> {
    let read = |file: PathBuf| match (file.to_str(), std::fs::read(dir.join(&file))) {
        (Some(name), Ok(bytes)) => Ok((name.to_owned(), bytes)),
        (_, Err(error)) => {
            let message = format!("cannot read {} beside it: {error}", file.display());
            Err(Unfit { message, remedy: "remove it" })
        }
        (None, Ok(_)) => {
            Err(Unfit { message: "a file beside it has a name that is not UTF-8".to_owned(), remedy: "rename it" })
        }
    };
    files.into_iter().map(read).collect()
}

/// The files that the problem itself puts beside solutions in a language. The files for all languages are added when they are
/// built.
fn given(reader: &Reader<'_>, code: &str) -> Result<Vec<Named>, Unfit> {
    let dir = reader.dir.join("include").join(code);
    let files = if reader.has_dir(&dir) { reader.files_below(&dir) } else { Vec::new() };
    load(&dir, files)
}

/// A test.
#[derive(Debug, PartialEq)]
struct UnitTest {
    /// The name of the case.
    name: String,
    /// The input of its runner.
    input: String,
    points: f64,
    /// The line that states them. Lines count from 1.
    points_line: Option<usize>,
}

/// Points of a test, and the line that states them; 1 point if there is none.
#[derive(Debug, Clone, Copy)]
struct Points {
    worth: f64,
    line: Option<usize>,
}

impl Default for Points {
    fn default() -> Self {
        Self { worth: 1.0, line: None }
    }
}

/// A test that cannot be known without running the file.
#[derive(Debug, PartialEq)]
struct UnknownTest {
    line: usize,
}

impl UnitTest {
    fn new(name: String, input: String, Points { worth, line }: Points) -> Self {
        Self { name, input, points: worth, points_line: line }
    }

    fn case(self) -> TestCase {
        let own = OwnSetting { points: Some(self.points), ..OwnSetting::default() };
        TestCase { own: Some(Box::new(own)), ..TestCase::new(self.name, AnswerFile::Missing) }
    }
}

/// The points that the line of a test states, or the comments and annotations above it, also before empty lines. Lines count
/// from 1. A comment is about one test: those of the tests before, which may stand in the lines above, do not count again.
fn points_at(lines: &[&str], line: usize, before: &[UnitTest]) -> Points {
    let is_above = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with(['/', '@', '#', '*']);
    let above = (1..line).rev().take_while(|above| is_above(&lines[above - 1]));
    let is_free = |at: &usize| before.iter().all(|test| test.points_line != Some(*at));
    let stated = |at: usize| Some(Points { worth: stated_points(lines.get(at - 1)?)?, line: Some(at) });
    std::iter::once(line).chain(above).filter(is_free).find_map(stated).unwrap_or_default()
}

/// The number of the line with a word of the text.
fn line_of(text: &str, word: &str) -> usize {
    let offset = (word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    text[..offset].matches('\n').count() + 1
}

/// The points that a comment in a line states, such as `# points: 3` or `# 3 points`.
fn stated_points(line: &str) -> Option<f64> {
    static POINTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let number = r"([0-9]+(?:\.[0-9]+)?)";
        let end = r"(?:$|[\s#(,;*]|\.(?:\s|$))";
        // A sentence such as `2 points make a line` states nothing.
        Regex::new(&format!(r"(?i:{COMMENT}(?:{POINTS_FIRST}\s*{number}{end}|{number}{POINTS_LAST}))")).ok()
    });
    let found = POINTS.as_ref()?.captures(line)?;
    found.get(1).or_else(|| found.get(2))?.as_str().parse().ok()
}

/// Regular expressions for the beginning of a comment and for its points.
const COMMENT: &str = r"(?:#|//|/\*+|^\s*\*)\s*";
const POINTS_FIRST: &str = r"points?\s*:";
const POINTS_LAST: &str = r"\s*(?:points?|pts?)\s*[.:]?\s*(?:\*/\s*)?$";

/// The lines with a comment that looks like points of a test, but gives none of these its points.
fn stray_points(text: &str, tests: &[UnitTest]) -> Vec<usize> {
    static POINTS: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(&format!(r"(?i:{COMMENT}(?:{POINTS_FIRST}|[0-9.,/]+{POINTS_LAST}))")).ok());
    let looks_like = |line: &str| POINTS.as_ref().is_some_and(|comment| comment.is_match(line));
    let found = text.lines().enumerate().filter(|(_, line)| looks_like(line)).map(|(at, _)| at + 1);
    found.filter(|line| tests.iter().all(|test| test.points_line != Some(*line))).collect()
}
