//! The content of `problem.xml`, typed. Every mistake is reported with its line, and the rest is read.
//!
//! Polygon documents no schema. This follows what Polygon writes, and what the readers of ejudge, VNOJ and
//! `Polygon2DOMjudge` accept. Elements that do not concern judging are ignored.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use roxmltree::Node;

use super::CORRECT_IT;
use super::pattern::{PathPattern, inner_path};
use super::xml::{XmlText, at, attribute, child, children};
use crate::reader::Reader;
use grader_model::diagnostic::{Diagnostic, TextPosition};
use grader_model::problem::StandardChecker;

/// The most tests of a testset.
const MOST_TESTS: usize = 100_000;
/// The tag of problems with two runs.
pub(super) const RUN_TWICE: &str = "run-twice";
/// Where the tests of a checker are.
const CHECKER_TESTS: &str = "files/tests/checker-tests";
/// Where the tests of a validator are.
const VALIDATOR_TESTS: &str = "files/tests/validator-tests";
/// The language whose name is the title.
const TITLE_LANGUAGE: &str = "english";

/// The description of a problem.
#[derive(Debug, Default)]
pub(super) struct Description {
    pub(super) title: Option<String>,
    pub(super) judging: Judging,
    pub(super) testsets: Vec<Testset>,
    /// Whether a testset cannot be read, which is reported.
    pub(super) has_broken_testset: bool,
    pub(super) resources: Vec<Resource>,
    pub(super) executables: Vec<Executable>,
    pub(super) checker: Option<Checker>,
    pub(super) interactor: Option<Interactor>,
    /// Whether a tag calls it a problem with two runs, as old packages do.
    pub(super) is_tagged_run_twice: bool,
    /// The place of a scorer, if there is one.
    pub(super) scorer: Option<TextPosition>,
    pub(super) validators: Vec<Validator>,
    pub(super) solutions: Vec<Solution>,
    /// The paths of statements (HTML, PDF) and attachments.
    pub(super) documents: Vec<PathBuf>,
}

/// How a submission runs.
#[derive(Debug, Default)]
pub(super) struct Judging {
    pub(super) place: Option<TextPosition>,
    /// The file that a submission reads; none for standard input.
    pub(super) input_file: Option<PathBuf>,
    /// The file that a submission writes; none for standard output.
    pub(super) output_file: Option<PathBuf>,
    /// The number of runs on each test, if it is stated.
    pub(super) runs: Option<u32>,
    /// Whether the points of the checker are percents of those of the test.
    pub(super) percent: bool,
}

/// A list of tests with its limits.
#[derive(Debug)]
pub(super) struct Testset {
    pub(super) name: String,
    pub(super) place: TextPosition,
    /// In milliseconds.
    pub(super) time_limit: Option<u64>,
    /// In bytes.
    pub(super) memory_limit: Option<u64>,
    pub(super) inputs: PathPattern,
    pub(super) answers: PathPattern,
    pub(super) tests: Vec<Test>,
    pub(super) groups: Vec<Group>,
}

/// A test of a testset.
#[derive(Debug)]
pub(super) struct Test {
    pub(super) place: TextPosition,
    pub(super) command: Option<String>,
    pub(super) from_file: Option<String>,
    pub(super) sample: bool,
    pub(super) group: Option<String>,
    pub(super) points: f64,
}

/// A group of tests.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) place: TextPosition,
    pub(super) name: String,
    pub(super) points: Option<f64>,
    pub(super) policy: PointsPolicy,
    pub(super) dependencies: Vec<String>,
}

/// How a group gives points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PointsPolicy {
    /// All points or none.
    CompleteGroup,
    /// The points of each accepted test.
    EachTest,
}

/// A source file.
#[derive(Debug, Clone)]
pub(super) struct Source {
    pub(super) place: TextPosition,
    pub(super) path: PathBuf,
    /// The language in the words of Polygon, such as `cpp.g++17`.
    pub(super) kind: String,
}

/// A file that is added to programs.
#[derive(Debug)]
pub(super) struct Resource {
    pub(super) file: Source,
    /// Whether Polygon adds it to solutions.
    pub(super) for_solutions: bool,
}

/// A generator or another program of the package.
#[derive(Debug)]
pub(super) struct Executable {
    /// The name that commands use.
    pub(super) name: String,
    /// None if the package has only a program for Windows.
    pub(super) source: Option<Source>,
}

/// The checker.
#[derive(Debug)]
pub(super) struct Checker {
    /// The standard checker that it is, by its name.
    pub(super) standard: Option<StandardChecker>,
    pub(super) place: TextPosition,
    pub(super) kind: Option<String>,
    pub(super) source: Option<Source>,
    pub(super) tests: OwnTests,
}

/// The program that talks to solutions.
#[derive(Debug)]
pub(super) struct Interactor {
    pub(super) source: Source,
    /// The runs in which it talks, in the words of Polygon, if they are stated.
    pub(super) runs: Option<Vec<String>>,
}

/// A program that accepts or rejects inputs.
#[derive(Debug)]
pub(super) struct Validator {
    pub(super) source: Source,
    pub(super) tests: OwnTests,
}

/// The tests of a checker or of a validator itself.
#[derive(Debug)]
pub(super) struct OwnTests {
    pub(super) inputs: PathPattern,
    pub(super) outputs: PathPattern,
    pub(super) answers: PathPattern,
    pub(super) tests: Vec<OwnTest>,
}

/// A test of a checker or of a validator.
#[derive(Debug)]
pub(super) struct OwnTest {
    pub(super) place: TextPosition,
    /// The verdict that the program must give.
    pub(super) verdict: Option<String>,
    /// The testset and the group that the validator gets as arguments.
    pub(super) testset: Option<String>,
    pub(super) group: Option<String>,
}

/// A solution with its tags.
#[derive(Debug)]
pub(super) struct Solution {
    pub(super) place: TextPosition,
    pub(super) tag: String,
    pub(super) source: Option<Source>,
    pub(super) extra_tags: Vec<ExtraTag>,
}

/// The tag of a solution for a part of the tests.
#[derive(Debug)]
pub(super) struct ExtraTag {
    pub(super) place: TextPosition,
    pub(super) tag: String,
    pub(super) group: Option<String>,
    pub(super) testset: Option<String>,
}

/// Reads the description below the element `problem`.
pub(super) fn read(reader: &Reader<'_>, file: &Path, text: &XmlText, root: Node<'_, '_>) -> Description {
    Parser { reader, file, text }.description(root)
}

struct Parser<'a> {
    reader: &'a Reader<'a>,
    file: &'a Path,
    text: &'a XmlText,
}

impl Parser<'_> {
    fn description(&self, root: Node<'_, '_>) -> Description {
        let judging = self.only(root, "judging");
        let assets = child(root, "assets");
        let testsets = judging.map(|node| self.testsets(node)).unwrap_or_default();
        let asset = |path: &[&'static str]| assets.map(|assets| at(assets, path)).unwrap_or_default();
        Description {
            title: title(root),
            judging: judging.map(|node| self.judging(node)).unwrap_or_default(),
            has_broken_testset: judging.is_some_and(|node| testsets.len() < at(node, &["testset"]).len()),
            testsets,
            resources: at(root, &["files", "resources", "file"]).into_iter().filter_map(|n| self.resource(n)).collect(),
            executables: self.executables(root),
            checker: assets
                .and_then(|assets| self.only(assets, "checker"))
                .map(|node| self.checker(node, !asset(&["interactor"]).is_empty())),
            interactor: assets
                .and_then(|assets| self.only(assets, "interactor"))
                .and_then(|node| self.interactor(node)),
            is_tagged_run_twice: at(root, &["tags", "tag"])
                .iter()
                .any(|tag| attribute(*tag, "value") == Some(RUN_TWICE)),
            scorer: asset(&["scorer"]).first().map(|node| self.text.place_of(*node)),
            validators: asset(&["validators", "validator"])
                .into_iter()
                .filter_map(|node| self.validator(node))
                .collect(),
            solutions: asset(&["solutions", "solution"]).into_iter().map(|node| self.solution(node)).collect(),
            documents: self.documents(root),
        }
    }

    fn error(&self, node: Node<'_, '_>, message: impl Into<String>, remedy: &str) {
        let found = Diagnostic::error(self.file, message).at(Some(self.text.place_of(node)));
        self.reader.report(found.remedy(remedy));
    }

    /// The only element of this name. Reports others.
    fn only<'a, 'x: 'a>(&self, node: Node<'a, 'x>, name: &'static str) -> Option<Node<'a, 'x>> {
        let mut all = children(node, name);
        let first = all.next();
        for other in all {
            self.error(other, format!("a second <{name}>; a problem has only one"), "remove one of them");
        }
        first
    }

    /// The number in an attribute, if it has one.
    fn number<T: FromStr>(&self, node: Node<'_, '_>, name: &str, what: &str) -> Option<T> {
        let value = attribute(node, name)?;
        let number = value.parse().ok();
        if number.is_none() {
            self.error(node, format!("`{name}` is {}, not {what}", quoted(value)), CORRECT_IT);
        }
        number
    }

    /// Finite points of at least 0 in an attribute.
    fn points(&self, node: Node<'_, '_>) -> Option<f64> {
        let points: f64 = self.number(node, "points", "a number of points")?;
        let fits = points.is_finite() && (0.0..=1e9).contains(&points);
        if !fits {
            self.error(node, format!("{points} points; a test or group has 0 to 1e9"), CORRECT_IT);
        }
        fits.then_some(points)
    }

    /// The number in an element.
    fn counted(&self, node: Node<'_, '_>, name: &'static str) -> Option<u64> {
        let element = child(node, name)?;
        let text = element.text().unwrap_or_default().trim();
        let number = text.parse().ok();
        if number.is_none() {
            self.error(element, format!("<{name}> is {}, not a whole number", quoted(text)), CORRECT_IT);
        }
        number
    }

    /// The path in an attribute. Reports one that leads out of the package.
    fn path(&self, node: Node<'_, '_>, name: &str) -> Option<PathBuf> {
        let Some(value) = attribute(node, name) else {
            self.error(node, format!("<{}> without `{name}`", node.tag_name().name()), CORRECT_IT);
            return None;
        };
        let path = inner_path(value);
        if path.is_none() {
            self.error(node, format!("the path {} leads out of the package", quoted(value)), CORRECT_IT);
        }
        path
    }

    /// A name for a file in the working directory of submissions.
    fn file_name(&self, node: Node<'_, '_>, name: &str) -> Option<PathBuf> {
        // Polygon's word for standard input and output in old packages.
        let value = attribute(node, name).filter(|value| !["stdin", "stdout"].contains(value))?;
        let path = inner_path(value).filter(|path| path.components().count() == 1);
        if path.is_none() {
            self.error(node, format!("`{name}` is {}, not the name of a file", quoted(value)), CORRECT_IT);
        }
        path
    }

    fn source(&self, node: Node<'_, '_>) -> Option<Source> {
        let path = self.path(node, "path")?;
        let kind = attribute(node, "type").unwrap_or_default().to_owned();
        Some(Source { place: self.text.place_of(node), path, kind })
    }

    /// The source of a program that must have one.
    fn own_source(&self, node: Node<'_, '_>, what: &str) -> Option<Source> {
        let source = child(node, "source");
        if source.is_none() {
            self.error(node, format!("{what} has no source"), "download the package again");
        }
        source.and_then(|source| self.source(source))
    }

    fn judging(&self, node: Node<'_, '_>) -> Judging {
        Judging {
            place: Some(self.text.place_of(node)),
            input_file: self.file_name(node, "input-file"),
            output_file: self.file_name(node, "output-file"),
            runs: self.number(node, "run-count", "a number of runs"),
            percent: attribute(node, "treat-points-from-checker-as-percent") == Some("true"),
        }
    }

    fn testsets(&self, judging: Node<'_, '_>) -> Vec<Testset> {
        let mut testsets: Vec<Testset> = Vec::new();
        for node in children(judging, "testset") {
            let Some(testset) = self.testset(node) else { continue };
            if testsets.iter().any(|known| known.name == testset.name) {
                self.error(node, format!("a second testset {}", quoted(&testset.name)), "rename one of them");
                continue;
            }
            testsets.push(testset);
        }
        testsets
    }

    fn testset(&self, node: Node<'_, '_>) -> Option<Testset> {
        let inputs = self.pattern(node, "input-path-pattern", "tests/%02d");
        let answers = self.pattern(node, "answer-path-pattern", "tests/%02d.a");
        let listed = at(node, &["tests", "test"]);
        if listed.len() > MOST_TESTS {
            let message = format!("{} tests; grader judges at most {MOST_TESTS}", listed.len());
            self.error(node, message, "remove some");
            return None;
        }
        if let Some(stated) = self.counted(node, "test-count").filter(|stated| *stated != listed.len() as u64) {
            let message = format!("states {stated} tests, but lists {}", listed.len());
            self.error(node, message, "download the package again, or correct <test-count>");
        }
        Some(Testset {
            name: attribute(node, "name").unwrap_or("tests").to_owned(),
            place: self.text.place_of(node),
            time_limit: self.counted(node, "time-limit"),
            memory_limit: self.counted(node, "memory-limit"),
            inputs: inputs?,
            answers: answers?,
            tests: listed.into_iter().map(|node| self.test(node)).collect(),
            groups: self.groups(node),
        })
    }

    fn groups(&self, testset: Node<'_, '_>) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for node in at(testset, &["groups", "group"]) {
            let Some(group) = self.group(node) else { continue };
            if groups.iter().any(|known| known.name == group.name) {
                self.error(node, format!("a second group {}", quoted(&group.name)), "remove one of them");
                continue;
            }
            groups.push(group);
        }
        groups
    }

    fn pattern(&self, testset: Node<'_, '_>, name: &'static str, usual: &str) -> Option<PathPattern> {
        let element = child(testset, name);
        let text = element.and_then(|element| element.text()).map_or(usual, str::trim);
        match text.parse() {
            Ok(pattern) => Some(pattern),
            Err(error) => {
                self.error(element.unwrap_or(testset), format!("<{name}> {}: {error}", quoted(text)), CORRECT_IT);
                None
            }
        }
    }

    fn test(&self, node: Node<'_, '_>) -> Test {
        let is_generated = attribute(node, "method") != Some("manual");
        Test {
            place: self.text.place_of(node),
            command: attribute(node, "cmd").filter(|_| is_generated).map(str::to_owned),
            from_file: attribute(node, "from-file")
                .and_then(|_| Some(self.path(node, "from-file")?.to_str()?.to_owned())),
            sample: attribute(node, "sample") == Some("true"),
            group: attribute(node, "group").map(str::to_owned),
            points: self.points(node).unwrap_or(0.0),
        }
    }

    fn group(&self, node: Node<'_, '_>) -> Option<Group> {
        let Some(name) = attribute(node, "name") else {
            self.error(node, "a group without `name`", CORRECT_IT);
            return None;
        };
        let policy = match attribute(node, "points-policy") {
            Some("complete-group") => PointsPolicy::CompleteGroup,
            None | Some("each-test") => PointsPolicy::EachTest,
            Some(other) => {
                let known = "known are `complete-group` and `each-test`";
                self.error(node, format!("unknown points-policy {}; {known}", quoted(other)), CORRECT_IT);
                PointsPolicy::EachTest
            }
        };
        let dependencies = at(node, &["dependencies", "dependency"]);
        let dependencies = dependencies.into_iter().filter_map(|node| attribute(node, "group")).map(str::to_owned);
        Some(Group {
            place: self.text.place_of(node),
            name: name.to_owned(),
            points: self.points(node),
            policy,
            dependencies: dependencies.collect(),
        })
    }

    fn resource(&self, node: Node<'_, '_>) -> Option<Resource> {
        let file = self.source(node)?;
        let for_solutions =
            at(node, &["assets", "asset"]).iter().any(|asset| asset.attribute("name") == Some("solution"));
        Some(Resource { file, for_solutions })
    }

    fn executables(&self, root: Node<'_, '_>) -> Vec<Executable> {
        let executables = at(root, &["files", "executables", "executable"]);
        let executable = |node: Node<'_, '_>| {
            let source = child(node, "source").and_then(|node| self.source(node));
            let binary = || self.path(child(node, "binary")?, "path");
            let path = source.as_ref().map(|source| source.path.clone()).or_else(binary)?;
            Some(Executable { name: path.file_stem()?.to_str()?.to_owned(), source })
        };
        executables.into_iter().filter_map(executable).collect()
    }

    /// `relays`: an interactor writes what the checker judges, which only a program does.
    fn checker(&self, node: Node<'_, '_>, relays: bool) -> Checker {
        let name = attribute(node, "name");
        let standard = name.filter(|_| !relays).and_then(StandardChecker::by_polygon_name);
        let name = name.map(|name| format!(" {}", quoted(name))).unwrap_or_default();
        let source = || self.own_source(node, &format!("the checker{name}"));
        Checker {
            standard,
            place: self.text.place_of(node),
            kind: attribute(node, "type").map(str::to_owned),
            source: if standard.is_some() { None } else { source() },
            tests: self.own_tests(node, CHECKER_TESTS),
        }
    }

    fn interactor(&self, node: Node<'_, '_>) -> Option<Interactor> {
        let source = self.source(child(node, "source").unwrap_or(node))?;
        let text = |run: Node<'_, '_>| run.text().unwrap_or_default().trim().to_owned();
        let runs = child(node, "runs").map(|runs| children(runs, "run").map(text).collect());
        Some(Interactor { source, runs })
    }

    fn validator(&self, node: Node<'_, '_>) -> Option<Validator> {
        let source = self.source(child(node, "source")?)?;
        Some(Validator { source, tests: self.own_tests(node, VALIDATOR_TESTS) })
    }

    /// The tests of a checker or validator, which are in this directory if nothing else is stated.
    fn own_tests(&self, program: Node<'_, '_>, dir: &str) -> OwnTests {
        let testset = child(program, "testset");
        let pattern = |name: &'static str, ending: &str| {
            let usual = format!("{dir}/%02d{ending}");
            let stated = testset.and_then(|testset| self.pattern(testset, name, &usual));
            stated.unwrap_or_else(|| PathPattern::of_parts(&format!("{dir}/"), ending))
        };
        let listed = testset.map(|testset| at(testset, &["tests", "test"])).unwrap_or_default();
        if listed.len() > MOST_TESTS {
            let message = format!("{} tests; grader runs at most {MOST_TESTS}", listed.len());
            self.error(program, message, "remove some");
        }
        let test = |node: &Node<'_, '_>| OwnTest {
            place: self.text.place_of(*node),
            verdict: attribute(*node, "verdict").map(str::to_owned),
            testset: attribute(*node, "testset").map(str::to_owned),
            group: attribute(*node, "group").map(str::to_owned),
        };
        OwnTests {
            inputs: pattern("input-path-pattern", ""),
            outputs: pattern("output-path-pattern", ".o"),
            answers: pattern("answer-path-pattern", ".a"),
            tests: listed.iter().take(MOST_TESTS).map(test).collect(),
        }
    }

    fn solution(&self, node: Node<'_, '_>) -> Solution {
        let extra_tag = |node: Node<'_, '_>| ExtraTag {
            place: self.text.place_of(node),
            tag: attribute(node, "tag").unwrap_or_default().to_owned(),
            group: attribute(node, "group").map(str::to_owned),
            testset: attribute(node, "testset").map(str::to_owned),
        };
        Solution {
            place: self.text.place_of(node),
            tag: attribute(node, "tag").unwrap_or_default().to_owned(),
            source: self.own_source(node, "a solution"),
            extra_tags: at(node, &["extra-tags", "extra-tag"]).into_iter().map(extra_tag).collect(),
        }
    }

    fn documents(&self, root: Node<'_, '_>) -> Vec<PathBuf> {
        let is_shown = |node: &Node<'_, '_>| matches!(attribute(*node, "type"), Some("text/html" | "application/pdf"));
        let statements = at(root, &["statements", "statement"]).into_iter().filter(is_shown);
        let attachments = at(root, &["files", "attachments", "file"]);
        statements.chain(attachments).filter_map(|node| self.path(node, "path")).collect()
    }
}

/// The English name, or else the first one.
fn title(root: Node<'_, '_>) -> Option<String> {
    let names = at(root, &["names", "name"]);
    let is_english = |node: &&Node<'_, '_>| attribute(**node, "language") == Some(TITLE_LANGUAGE);
    let name = names.iter().find(is_english).or(names.first())?;
    attribute(*name, "value").map(str::to_owned)
}

/// A text of the document in a message.
pub(super) fn quoted(text: &str) -> String {
    let short: String = text.chars().take(80).collect();
    format!("{short:?}")
}
