//! Finds the test cases of plain folders: beside the solver and in folders for cases.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::case_document;
use crate::folder_cases::{CaseNames, FolderCases};
use crate::named_inputs;
use crate::naming::{self, CaseFolders, Fit, NamedCases, Row};
use crate::pairing;
use crate::program_input;
use crate::puzzle;
use crate::puzzle_cases::{self, AnswersOf, PuzzleGroups};
use crate::reader::{Descend, Reader};
use crate::rules::{Answers, Rules};
use crate::scoring;
use crate::static_validation;
use crate::testdata::{self, TestData};
use crate::tool_cases;
use grader_model::diagnostic::{Diagnostic, Kind};
use grader_model::problem::{AnswerFile, CaseNaming, Submission, TestCase, TestGroup};

/// The directories that may contain cases, relative to the solver. Cases in several of them are an error.
const CASE_DIRS: [&str; 3] = ["", "test", "tests"];

/// Further directories that may contain cases, each with the name of its group and the levels of directories that are
/// read. Their cases are judged together.
const GROUP_DIRS: &[(&str, &str, usize)] = &[
    ("sample", "sample", 1),
    ("samples", "sample", 1),
    ("example", "sample", 1),
    ("examples", "sample", 1),
    ("data/sample", "sample", 1),
    ("data/samples", "sample", 1),
    ("secret", "secret", LEVELS),
    ("data/secret", "secret", LEVELS),
    ("data", "data", 1),
    ("cases", "cases", 1),
    ("testcases", "testcases", 1),
    ("testdata", "testdata", 1),
];

/// The deepest level of directories in a place that may have groups of its own.
const LEVELS: usize = 8;

/// Whether a path relative to a solver is a directory for its cases.
pub fn is_case_dir(inside: &Path) -> bool {
    let known = || CASE_DIRS.into_iter().chain(GROUP_DIRS.iter().map(|(dir, ..)| *dir));
    let is_half = |dir: &str| {
        let below = inside.strip_prefix(dir).ok().and_then(Path::to_str);
        below.is_some_and(|below| naming::is_half(below) || dir == "data/secret" || dir == "secret")
    };
    known().any(|dir| inside == Path::new(dir) || is_half(dir))
}

/// Whether the names in a folder show that it has test cases, in any of the places and with any of the names.
pub fn holds_cases(dir: &Path) -> bool {
    let is_case_dir = |inside: &str| naming::fit_in(&dir.join(inside), case_folders(inside)) != Fit::None;
    CASE_DIRS.into_iter().chain(GROUP_DIRS.iter().map(|(dir, ..)| *dir)).any(is_case_dir)
        || puzzle_cases::are_in(dir)
        || ["secret", "data/secret"].iter().any(|inside| testdata::holds_input(&dir.join(inside), LEVELS))
        || tool_cases::are_in(dir)
}

/// The files in a folder that look like inputs of test cases, sorted.
fn inputs_in(dir: &Path) -> Vec<PathBuf> {
    let places = CASE_DIRS.into_iter().chain(GROUP_DIRS.iter().map(|(dir, ..)| *dir));
    let named = places.flat_map(|inside| {
        let place = dir.join(inside);
        let names = naming::inputs_in(&place, case_folders(inside));
        names.into_iter().map(move |name| place.join(name))
    });
    let all: BTreeSet<PathBuf> = named.chain(puzzle_cases::inputs_in(dir)).collect();
    all.into_iter().collect()
}

/// Beside a solver, a folder may be anything, unless it is called like a case. In a folder for cases, it may be a case.
fn case_folders(inside: &str) -> CaseFolders {
    if inside.is_empty() { CaseFolders::Numbered } else { CaseFolders::Any }
}

/// Reads the cases of the folder of a reader, whose sources may name inputs that do not look like inputs. `has_parts`:
/// whether names of its programs say that it is a puzzle.
pub(crate) fn read(reader: &Reader<'_>, data: &Path, programs: &[Submission], has_parts: bool) -> FolderCases {
    if let Some(found) = case_document::read_alone(reader, || inputs_in(&reader.dir)) {
        return found;
    }
    let prints_both = |programs: &[Submission]| match programs {
        [program] => program_input::prints_twice(&named_inputs::text_of(program)),
        _ => false,
    };
    let whole = AnswersOf::Whole { joins: prints_both(programs) };
    let written: BTreeSet<String> = programs.iter().flat_map(named_inputs::written_by).collect();
    // The folder `day01` is that of a puzzle; `1` may be any problem.
    let is_day = reader
        .dir
        .file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| name.starts_with(char::is_alphabetic) && pairing::day_of(name).is_some());
    let is_sure = has_parts || is_day || programs.iter().any(|program| named_inputs::reads_by_name(reader, program));
    let names = match puzzle_cases::puzzle_groups(reader, whole, is_sure, &written) {
        PuzzleGroups::Puzzle(groups) => {
            for file in naming::names_in(&reader.dir) {
                if let Some(meant) = puzzle::meant_by(&file) {
                    reader.warning(
                        Kind::Ignored,
                        &reader.dir.join(&file),
                        format!("not read; did you mean `{meant}`?"),
                    );
                }
            }
            let found = FolderCases { groups, ..FolderCases::default() };
            let known: Vec<PathBuf> = found.inputs().collect();
            let named = named_inputs::unknown(reader, programs, &known);
            let of_sources = FolderCases { written, ..FolderCases::naming(named) };
            return puzzle_cases::with_named(reader, found.groups, &of_sources, whole);
        }
        PuzzleGroups::Either => CaseNames::Either,
        PuzzleGroups::None => CaseNames::Contest,
    };
    if has_answers_alone(reader) {
        let of_sources = FolderCases::naming(named_inputs::unknown(reader, programs, &[]));
        if !of_sources.named.is_empty() {
            return puzzle_cases::with_named(reader, Vec::new(), &of_sources, whole);
        }
    }
    let groups = self::groups(reader, data);
    if !groups.is_empty() {
        return FolderCases { groups, names, ..FolderCases::default() };
    }
    let found = tool_cases::read(reader);
    if found.groups.is_empty() && !tool_cases::are_in(&reader.dir) {
        let of_sources = FolderCases::naming(named_inputs::unknown(reader, programs, &[]));
        if !of_sources.named.is_empty() {
            return puzzle_cases::with_named(reader, Vec::new(), &of_sources, whole);
        }
        let message = format!("problem without test cases, neither beside the solver nor in {}", data.display());
        reader.error(&reader.dir, message, &format!("add cases, for example {}", naming::EXAMPLES));
    }
    found
}

/// Whether the files beside the programs are answers (`part1.ans`) without any `.in`, and no folder for cases has any.
fn has_answers_alone(reader: &Reader<'_>) -> bool {
    let is_beside = |inside: &str| inside.is_empty();
    let all = || CASE_DIRS.into_iter().chain(GROUP_DIRS.iter().map(|(dir, ..)| *dir));
    let fits = |inside: &str| naming::fit_in(&reader.dir.join(inside), case_folders(inside));
    let files = naming::names_in(&reader.dir);
    let has_ending =
        |ending: &str| files.iter().any(|file| file.rsplit_once('.').is_some_and(|(_, end)| end == ending));
    !matches!(fits(""), Fit::Named(_))
        && has_ending("ans")
        && !has_ending("in")
        && all().filter(|inside| !is_beside(inside)).all(|inside| fits(inside) == Fit::None)
}

/// Reads the cases beside the solver, in the folders for cases, and in `data`.
fn groups(reader: &Reader<'_>, data: &Path) -> Vec<TestGroup> {
    let at = |inside: &str| if inside.is_empty() { reader.dir.clone() } else { reader.dir.join(inside) };
    let mut found: Vec<CaseFolder> =
        CASE_DIRS.iter().map(|inside| CaseFolder::new(at(inside), inside, "", 1)).collect();
    found.push(CaseFolder::new(data.to_owned(), "testcases", "", LEVELS));
    found.extend(GROUP_DIRS.iter().map(|(inside, top, levels)| CaseFolder::new(at(inside), inside, top, *levels)));
    // A folder of test cases can be named as the problem itself. It is then no second place.
    let mut dirs = BTreeSet::new();
    found.retain(|place| dirs.insert(place.dir.canonicalize().unwrap_or_else(|_| place.dir.clone())));
    let mut found: Vec<(CaseFolder, Vec<TestGroup>)> =
        found.into_iter().map(|place| (place.read(reader), place)).map(|(groups, place)| (place, groups)).collect();
    found.retain(|(_, groups)| !groups.is_empty());
    // `tests/1.in` with `want/1.out` are cases beside the solver, and `tests/` is not a second place.
    let beside: Vec<CaseNaming> = match found.first() {
        Some((place, groups)) if place.dir == reader.dir => {
            groups.iter().filter_map(|group| group.naming.clone()).collect()
        }
        _ => Vec::new(),
    };
    let is_half = |place: &CaseFolder| {
        let inside =
            place.dir.strip_prefix(&reader.dir).ok().and_then(Path::to_str).filter(|inside| !inside.is_empty());
        inside.is_some_and(|inside| {
            beside.iter().any(|naming| naming.input.to_string().starts_with(&format!("{inside}/")))
        })
    };
    found.retain(|(place, _)| !is_half(place));
    for (at, (second, _)) in found.iter().enumerate() {
        if let Some((first, _)) = found[..at].iter().find(|(first, _)| first.top == second.top) {
            let message = format!("test cases both here and in {}", second.dir.display());
            reader.report(Diagnostic::error(&first.dir, message).remedy("keep the cases in one place"));
        }
    }
    let mut seen = BTreeSet::new();
    let mut groups: Vec<TestGroup> =
        found.into_iter().filter(|(place, _)| seen.insert(place.top)).flat_map(|(_, groups)| groups).collect();
    testdata::sort_groups(&mut groups);
    groups
}

/// A directory that may contain cases.
struct CaseFolder {
    dir: PathBuf,
    /// The name of its group.
    top: &'static str,
    levels: usize,
    case_folders: CaseFolders,
}

impl CaseFolder {
    fn new(dir: PathBuf, inside: &str, top: &'static str, levels: usize) -> Self {
        Self { dir, top, levels, case_folders: case_folders(inside) }
    }

    fn read(&self, reader: &Reader<'_>) -> Vec<TestGroup> {
        match naming::fit_in(&self.dir, self.case_folders) {
            Fit::Named(_) => self.read_named(reader),
            Fit::None if self.levels == 1 && !self.top.is_empty() => Vec::new(),
            fit => {
                if let Fit::Package { also } = &fit {
                    self.tell_others(reader, "`*.in`", also);
                }
                self.read_package(reader)
            }
        }
    }

    fn read_package(&self, reader: &Reader<'_>) -> Vec<TestGroup> {
        let rules = Rules { top: self.top, ..Rules::new(Answers::Optional, self.levels) };
        let TestData { groups, points, static_validation, .. } = testdata::read_groups(reader, &self.dir, &rules);
        reader.check_cases(|| scoring::refuse(reader, &points));
        static_validation::refuse(reader, &static_validation);
        groups
    }

    fn read_named(&self, reader: &Reader<'_>) -> Vec<TestGroup> {
        // The names decided which naming to look for. Only what the reader lets pass becomes a case.
        let files = self.visible_files(reader);
        let Fit::Named(named) = naming::fit(&files, self.case_folders) else { return Vec::new() };
        self.tell_unused(reader, &named);
        self.tell_others(reader, &format!("`{}` with `{}`", named.naming.input, named.naming.answer), &named.also);
        let mut cases: Vec<TestCase> = Vec::new();
        cases.extend(named.answered.into_iter().map(|name| TestCase::new(name, AnswerFile::Named)));
        if !named.is_common {
            cases.extend(named.unanswered.into_iter().map(|name| TestCase::new(name, AnswerFile::Missing)));
        }
        cases.sort_by(|a, b| a.name.cmp(&b.name));
        vec![TestGroup { naming: Some(named.naming), cases, ..TestGroup::empty(self.top, self.dir.clone()) }]
    }

    fn visible_files(&self, reader: &Reader<'_>) -> BTreeSet<String> {
        let mut files = BTreeSet::new();
        let mut dirs = Vec::new();
        let folders = naming::folders_in(&self.dir);
        reader.walk(&self.dir, 2, &mut |met| {
            if met.is_dir() {
                dirs.push(met.name.to_owned());
                let enter = self.case_folders.may_hold(met.name, &folders);
                return if enter { Descend::Yes } else { Descend::No };
            }
            // Every visited path is below the directory.
            let path = met.path().strip_prefix(&self.dir).ok().and_then(Path::to_str);
            files.extend(path.map(str::to_owned));
            Descend::No
        });
        if let Fit::Named(NamedCases { naming, .. }) = naming::fit(&files, self.case_folders) {
            let is_case =
                |dir: &&String| [&naming.input, &naming.answer].iter().any(|part| part.case_of(dir).is_some());
            let strange = dirs
                .iter()
                .filter(is_case)
                .map(|dir| Diagnostic::warning(self.dir.join(dir), testdata::NOT_A_FILE).kind(Kind::Ignored));
            reader.report_many(&self.dir, strange.collect());
        }
        files
    }

    /// Reports files that look like half of a case.
    fn tell_unused(&self, reader: &Reader<'_>, named: &NamedCases) {
        let CaseNaming { input, answer } = &named.naming;
        let tell = |files: &mut dyn ExactSizeIterator<Item = (String, String)>| {
            let Some((file, message)) = files.next() else { return };
            let more = if files.len() == 0 { String::new() } else { format!(" ({} more like this)", files.len()) };
            reader.warning(Kind::Ignored, &self.dir.join(file), format!("{message}{more}"));
        };
        tell(&mut named.unanswered.iter().map(|name| {
            let missing = answer.of_case(name);
            let message = if named.is_common {
                format!("not a test case, because there is no answer {missing}; ignored")
            } else {
                format!("input without an answer {missing}; its output is shown, not judged")
            };
            (input.of_case(name), message)
        }));
        tell(
            &mut named.unused.iter().map(|name| {
                (answer.of_case(name), format!("answer without an input {}; ignored", input.of_case(name)))
            }),
        );
    }

    /// Says which naming was chosen if the folder has files of several.
    fn tell_others(&self, reader: &Reader<'_>, chosen: &str, also: &[Row]) {
        let [first, ..] = also else { return };
        let CaseNaming { input, answer } = &first.naming;
        let cases = if first.pairs == 1 { "1 case".to_owned() } else { format!("{} cases", first.pairs) };
        let message =
            format!("grader reads the cases called {chosen}, and ignores {cases} called `{input}` with `{answer}`");
        reader.report(
            Diagnostic::warning(&self.dir, message).kind(Kind::Ignored).remedy("give all cases the same kind of names"),
        );
    }
}
