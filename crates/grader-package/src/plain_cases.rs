//! Finds the test cases of plain folders: beside the solver, in folders for cases, and above folders of days.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, Kind};
use crate::document::small_text;
use crate::folder_cases::{CaseNames, FolderCases};
use crate::named_inputs;
use crate::naming::{self, CaseFolders, Fit, Named, Row};
use crate::pairing;
use crate::program_input;
use crate::puzzle::{self, Part, PuzzleCase, Where};
use crate::reader::{Descend, Reader};
use crate::rules::{Answers, Rules};
use crate::scoring;
use crate::static_validation;
use crate::testdata::{self, TestData};
use crate::tool_cases;
use grader_model::problem::{AnswerFile, CaseNaming, FilePattern, HeldIn, Submission, TestCase, TestGroup};

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

/// The largest file that may hold the answers of two parts, in bytes.
const LONGEST_ANSWERS: u64 = 4096;

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

/// Whether the names in a folder tell that it has test cases, in any of the places and with any of the names.
pub fn holds_cases(dir: &Path) -> bool {
    let is_case_dir = |inside: &str| naming::fit_in(&dir.join(inside), case_folders(inside)) != Fit::None;
    CASE_DIRS.into_iter().chain(GROUP_DIRS.iter().map(|(dir, ..)| *dir)).any(is_case_dir)
        || PuzzlePlace::all(dir).iter().any(|place| !place.find(None).is_empty())
        || ["secret", "data/secret"].iter().any(|inside| testdata::holds_input(&dir.join(inside), LEVELS))
        || tool_cases::are_in(dir)
}

/// Further directories that may contain the inputs of puzzles, each with the name of its group.
const PUZZLE_DIRS: &[(&str, &str)] = &[
    ("inputs", ""),
    ("input", ""),
    ("puzzle_input", ""),
    ("puzzle_inputs", ""),
    ("data/inputs", ""),
    ("data/input", ""),
    ("data/examples", "example"),
    ("data", ""),
    ("examples", "example"),
    ("samples", "sample"),
    ("src", ""),
    ("resources", ""),
];

/// A directory that may contain the inputs of puzzles.
struct PuzzlePlace {
    dir: PathBuf,
    place: Where<'static>,
    /// The only files there that are inputs, because sources name them. Empty: names decide.
    named: BTreeSet<String>,
    /// The name of the group.
    top: &'static str,
    /// Whether the table of names is read there too.
    is_known: bool,
    /// The day whose inputs are meant, if the directory has those of all days.
    day: Option<String>,
}

impl PuzzlePlace {
    /// The directories of a folder, and those of the folders above it if its name is that of a day.
    fn all(dir: &Path) -> Vec<Self> {
        let own = std::iter::once(&("", "")).chain(PUZZLE_DIRS).map(|(inside, top)| Self {
            dir: dir.join(inside),
            place: if inside.is_empty() { Where::Beside } else { Where::InputFolder },
            named: BTreeSet::new(),
            top: *top,
            is_known: CASE_DIRS.contains(inside) || GROUP_DIRS.iter().any(|(known, ..)| known == inside),
            day: None,
        });
        own.chain(Self::above(dir)).collect()
    }

    /// `inputs/01.txt` for `day01/`, and `inputs/2023/01.txt` for `2023/day01/`.
    fn above(dir: &Path) -> Vec<Self> {
        let name = |dir: &Path| dir.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        let Some(parent) = dir.parent() else { return Vec::new() };
        let is_year = |name: &String| name.len() == 4 && name.bytes().all(|byte| byte.is_ascii_digit());
        // `inputs/2022/day1.txt` for `2022/day1.py`.
        if let Some(year) = name(dir).filter(is_year) {
            let place = |&(inside, top): &(&'static str, &'static str)| Self {
                dir: parent.join(inside).join(&year),
                place: Where::InputFolder,
                named: BTreeSet::new(),
                top,
                is_known: false,
                day: None,
            };
            return PUZZLE_DIRS.iter().map(place).collect();
        }
        let Some(day) = name(dir).and_then(|name| pairing::day_of(&name)) else { return Vec::new() };
        let of_year = name(parent).filter(is_year).and_then(|year| Some((parent.parent()?, year)));
        let at = |&(inside, top): &(&'static str, &'static str)| {
            let dirs = [Some(parent.join(inside)), of_year.as_ref().map(|(all, year)| all.join(inside).join(year))];
            let day = day.clone();
            dirs.into_iter().flatten().map(move |dir| Self {
                dir,
                place: Where::InputFolder,
                named: BTreeSet::new(),
                top,
                is_known: false,
                day: Some(day.clone()),
            })
        };
        PUZZLE_DIRS.iter().flat_map(at).collect()
    }

    /// The directories of files that sources name.
    fn named(files: &BTreeSet<PathBuf>) -> Vec<Self> {
        let mut names: BTreeMap<&Path, BTreeSet<String>> = BTreeMap::new();
        for file in files {
            if let (Some(dir), Some(name)) = (file.parent(), file.file_name().and_then(|name| name.to_str())) {
                names.entry(dir).or_default().insert(name.to_owned());
            }
        }
        let place = |(dir, named): (&Path, BTreeSet<String>)| Self {
            dir: dir.to_owned(),
            place: Where::InputFolder,
            named,
            top: "",
            is_known: false,
            day: None,
        };
        names.into_iter().map(place).collect()
    }

    /// The inputs there, with the answers for a part.
    fn find(&self, part: Option<Part>) -> Vec<PuzzleCase> {
        let place = if self.named.is_empty() { self.place } else { Where::Named(&self.named) };
        puzzle::find(&self.files(), place, part)
    }

    /// The names of its files that count.
    fn files(&self) -> BTreeSet<String> {
        let mut files = naming::names_in(&self.dir);
        if let Some(day) = &self.day {
            files.retain(|file| pairing::day_of(file.split('.').next().unwrap_or(file)).as_ref() == Some(day));
        }
        files
    }
}

/// Beside a solver, a folder may be anything, unless it is called like a case. In a folder for cases, it may be a case.
fn case_folders(inside: &str) -> CaseFolders {
    if inside.is_empty() { CaseFolders::Numbered } else { CaseFolders::Any }
}

/// The cases with the answers of a part. `has_both`: whether the folder has programs for both parts.
pub(crate) fn of_part(reader: &Reader<'_>, cases: &FolderCases, part: Option<Part>, has_both: bool) -> FolderCases {
    let Some(part) = part else { return cases.clone() };
    let wanted = Wanted::Part { part, has_both };
    match puzzle_groups(reader, wanted, true, &cases.written) {
        PuzzleGroups::Puzzle(groups) => with_named(reader, groups, cases, wanted),
        _ if !cases.named.is_empty() => with_named(reader, Vec::new(), cases, wanted),
        _ => cases.clone(),
    }
}

/// Whose answers are wanted.
#[derive(Debug, Clone, Copy)]
enum Wanted {
    /// Those of programs that solve the whole puzzle. `joins`: whether the answers of two parts are the two lines that a
    /// program prints.
    Whole { joins: bool },
    /// Those of a part. `has_both`: whether the folder has programs for both parts.
    Part { part: Part, has_both: bool },
}

impl Wanted {
    fn part(self) -> Option<Part> {
        match self {
            Self::Whole { .. } => None,
            Self::Part { part, .. } => Some(part),
        }
    }
}

/// Adds the cases whose inputs sources name.
fn with_named(reader: &Reader<'_>, mut groups: Vec<TestGroup>, cases: &FolderCases, wanted: Wanted) -> FolderCases {
    for place in PuzzlePlace::named(&cases.named) {
        for case in place.find(wanted.part()) {
            add_puzzle(reader, &mut groups, &place, case, wanted);
        }
    }
    FolderCases { groups, names: CaseNames::Puzzle, ..cases.clone() }
}

/// Reads the cases of the folder of a reader, whose sources may name inputs that no name tells to be one. `has_parts`:
/// whether names of its programs say that it is a puzzle.
pub(crate) fn read(reader: &Reader<'_>, data: &Path, programs: &[Submission], has_parts: bool) -> FolderCases {
    let prints_both = |programs: &[Submission]| match programs {
        [program] => program_input::prints_twice(&named_inputs::text_of(program)),
        _ => false,
    };
    let whole = Wanted::Whole { joins: prints_both(programs) };
    let written: BTreeSet<String> = programs.iter().flat_map(named_inputs::written_by).collect();
    let is_sure = has_parts || programs.iter().any(|program| named_inputs::reads_by_name(reader, program));
    let names = match puzzle_groups(reader, whole, is_sure, &written) {
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
            return with_named(reader, found.groups, &of_sources, whole);
        }
        PuzzleGroups::Either => CaseNames::Either,
        PuzzleGroups::None => CaseNames::Contest,
    };
    if has_answers_alone(reader) {
        let of_sources = FolderCases::naming(named_inputs::unknown(reader, programs, &[]));
        if !of_sources.named.is_empty() {
            return with_named(reader, Vec::new(), &of_sources, whole);
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
            return with_named(reader, Vec::new(), &of_sources, whole);
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

/// The cases of a folder that may be those of a puzzle.
enum PuzzleGroups {
    /// No name is that of an input of a puzzle.
    None,
    /// The table of names knows the files too, with as many answers.
    Either,
    /// The cases.
    Puzzle(Vec<TestGroup>),
}

/// The cases of a puzzle. `is_sure`: whether something else than the names of the files says that it is one.
fn puzzle_groups(reader: &Reader<'_>, wanted: Wanted, is_sure: bool, written: &BTreeSet<String>) -> PuzzleGroups {
    let mut groups: Vec<TestGroup> = Vec::new();
    for place in PuzzlePlace::all(&reader.dir) {
        let mut cases = place.find(wanted.part());
        if place.dir == reader.dir {
            cases.retain(|case| !written.contains(&case.naming.input.of_case(&case.name)));
        }
        let folders = if place.place == Where::Beside { CaseFolders::Numbered } else { CaseFolders::Any };
        // Only in these directories are other names read.
        let answered = match naming::fit_in(&place.dir, folders) {
            _ if !place.is_known => 0,
            Fit::Package { .. } => return PuzzleGroups::None,
            // The table covers the inputs without answers too.
            Fit::Named(named)
                if !is_sure && !named.is_common && cases.len() <= named.answered.len() + named.unanswered.len() =>
            {
                return if cases.is_empty() { PuzzleGroups::None } else { PuzzleGroups::Either };
            }
            Fit::Named(named) => named.answered.len(),
            Fit::None => 0,
        };
        let is_better = cases.iter().filter(|case| case.is_answered).count() >= answered;
        if answered > 0 && (!is_better || cases.len() == answered && !is_sure) {
            return if cases.is_empty() { PuzzleGroups::None } else { PuzzleGroups::Either };
        }
        for case in cases {
            add_puzzle(reader, &mut groups, &place, case, wanted);
        }
    }
    if groups.is_empty() { PuzzleGroups::None } else { PuzzleGroups::Puzzle(groups) }
}

/// Adds a case of a puzzle to the group with its names.
fn add_puzzle(reader: &Reader<'_>, groups: &mut Vec<TestGroup>, place: &PuzzlePlace, case: PuzzleCase, wanted: Wanted) {
    let PuzzleCase { name, mut naming, is_own, mut is_answered, is_of_all_parts } = case;
    let shared = place.dir.join(naming.answer.of_case(&name));
    let line = wanted.part().filter(|_| is_of_all_parts).and_then(|part| line_for(reader, &shared, part));
    if let Wanted::Part { part: 2, has_both: true } = wanted
        && is_of_all_parts
        && line.is_none()
        && is_own
    {
        // A single line is the answer of the first part. That of the second is not known yet.
        (is_answered, naming.answer) = (false, puzzle::new_answer(Some(2)));
    }
    let mut document = line.is_some().then_some(HeldIn::Answers(shared));
    if let Some(line) = line {
        naming.answer = line;
    }
    if let Wanted::Whole { joins: true } = wanted
        && !is_answered
        && let Some((first, both)) = both_answers(reader, place, &name)
    {
        (naming.answer, is_answered, document) = (both, true, Some(HeldIn::Answers(first)));
    }
    let case = TestCase::new(name, if is_answered { AnswerFile::Named } else { AnswerFile::Missing });
    let is_its = |group: &&mut TestGroup| {
        group.dir == place.dir && group.naming.as_ref() == Some(&naming) && group.document == document
    };
    match groups.iter_mut().find(is_its) {
        Some(group) => group.cases.push(case),
        None => groups.push(TestGroup {
            naming: Some(naming),
            document,
            cases: vec![case],
            ..TestGroup::empty(place.top, place.dir.clone())
        }),
    }
}

/// The answers of both parts as one, for a program that prints both, with the file of the first: `part1.ans` and
/// `part2.ans`.
fn both_answers(reader: &Reader<'_>, place: &PuzzlePlace, name: &str) -> Option<(PathBuf, FilePattern)> {
    let of = |part: Part| {
        let mut cases = place.find(Some(part)).into_iter();
        let case = cases.find(|case| case.name == name && case.is_answered && !case.is_of_all_parts)?;
        Some(place.dir.join(case.naming.answer.of_case(name)))
    };
    let [first, second] = [of(1)?, of(2)?];
    // An answer that is no short text is reported where a part of its own has it.
    let text = |path: &Path| Some(small_text(path, LONGEST_ANSWERS)?.trim_end().to_owned() + "\n");
    let both = text(&first)? + &text(&second)?;
    let pattern = derived_answer(reader, &first, &both)?;
    Some((first, pattern))
}

/// The file with the answer for a part, if the answers of both parts are the two lines of a file.
fn line_for(reader: &Reader<'_>, answers: &Path, part: Part) -> Option<FilePattern> {
    let is_small = answers.metadata().is_ok_and(|found| found.is_file() && found.len() <= LONGEST_ANSWERS);
    // Whoever compares with the answer reports a file that cannot be read.
    let text = is_small.then(|| std::fs::read_to_string(answers).ok()).flatten()?;
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let [_, _] = lines[..] else { return None };
    let line = lines.get(usize::from(part).checked_sub(1)?)?;
    derived_answer(reader, answers, &format!("{line}\n"))
}

/// The file of an answer that stands in a document.
pub(super) fn derived_answer(reader: &Reader<'_>, document: &Path, answer: &str) -> Option<FilePattern> {
    let derived = (reader.derive)(&[("answer".to_owned(), answer.as_bytes().to_vec())]);
    match derived {
        Ok(dir) => Some(FilePattern::only(dir.join("answer").to_str()?)),
        Err(error) => {
            let message = format!("cannot write an answer in it as a file: {error}");
            reader.error(document, message, "make the folder writable");
            None
        }
    }
}

/// Reads the cases beside the solver, in the folders for cases, and in `data`.
fn groups(reader: &Reader<'_>, data: &Path) -> Vec<TestGroup> {
    let at = |inside: &str| if inside.is_empty() { reader.dir.clone() } else { reader.dir.join(inside) };
    let mut found: Vec<Place> = CASE_DIRS.iter().map(|inside| Place::new(at(inside), inside, "", 1)).collect();
    found.push(Place::new(data.to_owned(), "testcases", "", LEVELS));
    found.extend(GROUP_DIRS.iter().map(|(inside, top, levels)| Place::new(at(inside), inside, top, *levels)));
    // A folder of test cases can be named as the problem itself. It is then no second place.
    let mut dirs = BTreeSet::new();
    found.retain(|place| dirs.insert(place.dir.canonicalize().unwrap_or_else(|_| place.dir.clone())));
    let mut found: Vec<(Place, Vec<TestGroup>)> =
        found.into_iter().map(|place| (place.read(reader), place)).map(|(groups, place)| (place, groups)).collect();
    found.retain(|(_, groups)| !groups.is_empty());
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
struct Place {
    dir: PathBuf,
    /// The name of its group.
    top: &'static str,
    levels: usize,
    case_folders: CaseFolders,
}

impl Place {
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
        let (mut files, mut dirs) = (BTreeSet::new(), Vec::new());
        reader.walk(&self.dir, 2, &mut |met| {
            if met.is_dir() {
                dirs.push(met.name.to_owned());
                let enter = self.case_folders.may_hold(met.name);
                return if enter { Descend::Yes } else { Descend::No };
            }
            // Every visited path is below the directory.
            let path = met.path().strip_prefix(&self.dir).ok().and_then(Path::to_str);
            files.extend(path.map(str::to_owned));
            Descend::No
        });
        if let Fit::Named(Named { naming, .. }) = naming::fit(&files, self.case_folders) {
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
    fn tell_unused(&self, reader: &Reader<'_>, named: &Named) {
        let CaseNaming { input, answer } = &named.naming;
        let tell = |files: &mut dyn ExactSizeIterator<Item = (String, String)>| {
            let Some((file, message)) = files.next() else { return };
            let more =
                if files.len() == 0 { String::new() } else { format!(" ({} more files like this)", files.len()) };
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
