//! Finds the inputs of puzzles, with their answers: beside the programs, in folders for inputs, above folders of days, and
//! where sources name them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::document::small_text;
use crate::folder_cases::{CaseNames, FolderCases};
use crate::naming::{self, CaseFolders, Fit};
use crate::pairing;
use crate::program_files::family;
use crate::puzzle::{self, Part, PuzzleCase, Where};
use crate::reader::Reader;
use grader_model::problem::{AnswerFile, CaseNaming, FilePattern, HeldIn, TestCase, TestGroup};

/// The largest file that may hold the answers of two parts, in bytes.
const LONGEST_ANSWERS: u64 = 4096;

/// The most entries of a directory that are searched for those of days.
const MOST_DAYS: usize = 100;

/// The directories that may contain the inputs of puzzles, relative to the folder: each with the name of its group, and whether
/// other names of cases are read there too.
const PUZZLE_DIRS: &[(&str, &str, bool)] = &[
    ("", "", true),
    ("inputs", "", false),
    ("input", "", false),
    ("puzzle_input", "", false),
    ("puzzle_inputs", "", false),
    ("data/inputs", "", false),
    ("data/input", "", false),
    ("data/examples", "example", false),
    ("data", "", true),
    ("examples", "example", true),
    ("samples", "sample", true),
    ("src", "", false),
    ("resources", "", false),
];

/// Whether the names in a folder show that it has inputs of a puzzle.
pub(crate) fn are_in(dir: &Path) -> bool {
    inputs_in(dir).next().is_some()
}

/// The inputs of a puzzle that the names in a folder show.
pub(crate) fn inputs_in(dir: &Path) -> impl Iterator<Item = PathBuf> {
    PuzzlePlace::all(dir).into_iter().flat_map(|place| {
        let input = |case: PuzzleCase| place.dir.join(case.naming.input.of_case(&case.name));
        place.find(None).into_iter().map(input).collect::<Vec<_>>()
    })
}

/// A choice among the files of a directory.
#[derive(Debug, Clone)]
enum Whose {
    /// All of them.
    All,
    /// The files of these days, if the directory has the inputs of all days.
    OfDays(BTreeSet<String>),
    /// The files with this name and any ending.
    Called(String),
}

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
    /// Which of its files count.
    whose: Whose,
}

impl PuzzlePlace {
    /// A folder in which a number is enough for the name of an input.
    fn folder(dir: PathBuf, top: &'static str) -> Self {
        Self { dir, place: Where::InputFolder, named: BTreeSet::new(), top, is_known: false, whose: Whose::All }
    }

    /// The directories of a folder, and those of the folders above it if its name is that of a day or a year.
    fn all(dir: &Path) -> Vec<Self> {
        let own = PUZZLE_DIRS.iter().map(|&(inside, top, is_known)| {
            let place = if inside.is_empty() { Where::Beside } else { Where::InputFolder };
            Self { place, is_known, ..Self::folder(dir.join(inside), top) }
        });
        own.chain(Self::of_days(dir, None)).chain(Self::above(dir)).collect()
    }

    /// The directories of days in those for inputs: `data/day01/`. `day`: only those of this day.
    fn of_days(dir: &Path, day: Option<&str>) -> Vec<Self> {
        let is_day = |found: &PathBuf| {
            let name = found.file_name().and_then(|name| name.to_str()).and_then(pairing::day_of);
            name.is_some_and(|name| day.is_none_or(|day| name == day)) && found.is_dir()
        };
        let folders = PUZZLE_DIRS.iter().filter(|(inside, ..)| !["", "src"].contains(inside));
        let inside = folders.flat_map(|&(inside, top, _)| {
            // The reader of the problem reports a directory that cannot be read.
            let entries = std::fs::read_dir(dir.join(inside)).into_iter().flatten().flatten().take(MOST_DAYS);
            let days: BTreeSet<PathBuf> = entries.map(|entry| entry.path()).filter(is_day).collect();
            days.into_iter().map(move |found| Self::folder(found, top))
        });
        inside.collect()
    }

    /// `inputs/01.txt` for `day01/`, `inputs/2023/01.txt` for `2023/day01/`, and `inputs/2023/day01.txt` for `2023/day01.py`.
    fn above(dir: &Path) -> Vec<Self> {
        let name = |dir: &Path| dir.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        let Some(parent) = dir.parent() else { return Vec::new() };
        let is_year = |name: &String| name.len() == 4 && name.bytes().all(|byte| byte.is_ascii_digit());
        let folders = || PUZZLE_DIRS.iter().filter(|(inside, ..)| !inside.is_empty());
        if let Some(year) = name(dir).filter(is_year) {
            return folders().map(|(inside, top, _)| Self::folder(parent.join(inside).join(&year), top)).collect();
        }
        let Some(day) = name(dir).and_then(|name| pairing::day_of(&name)) else {
            // `day01/python/part1.py` has `day01/input.txt`.
            let is_word = |name: &String| name.chars().all(char::is_alphabetic);
            let is_day = |name: &String| name.starts_with(char::is_alphabetic) && pairing::day_of(name).is_some();
            let is_below_day =
                name(dir).is_some_and(|name| is_word(&name)) && name(parent).is_some_and(|name| is_day(&name));
            let beside = || Self { place: Where::Beside, ..Self::folder(parent.to_owned(), "") };
            if is_below_day {
                return vec![beside()];
            }
            // `solutions/day01.py` has `inputs/day01.txt`.
            let days = days_of_programs(dir);
            if !days.is_empty() {
                let of_days = |&(inside, top, _): &(&'static str, &'static str, bool)| Self {
                    whose: Whose::OfDays(days.clone()),
                    ..Self::folder(parent.join(inside), top)
                };
                return folders().map(of_days).collect();
            }
            // `days/6-1/main.go` has `inputs/6-1.txt`.
            let Some(name) = name(dir).filter(|name| name.starts_with(|first: char| first.is_ascii_digit())) else {
                return Vec::new();
            };
            let called = |&(inside, top, _): &(&'static str, &'static str, bool)| {
                let whose = Whose::Called(name.clone());
                let dirs = [Some(parent), parent.parent()].into_iter().flatten().map(move |above| above.join(inside));
                dirs.map(move |dir| Self { whose: whose.clone(), ..Self::folder(dir, top) })
            };
            return folders().flat_map(called).collect();
        };
        let of_year = name(parent).filter(is_year).and_then(|year| Some((parent.parent()?, year)));
        let at = |&(inside, top, _): &(&'static str, &'static str, bool)| {
            let dirs = [Some(parent.join(inside)), of_year.as_ref().map(|(all, year)| all.join(inside).join(year))];
            let whose = Whose::OfDays(BTreeSet::from([day.clone()]));
            dirs.into_iter().flatten().map(move |dir| Self { whose: whose.clone(), ..Self::folder(dir, top) })
        };
        let parents = [Some(parent), of_year.as_ref().map(|(all, _)| *all)].into_iter().flatten();
        let of_days = parents.flat_map(|parent| Self::of_days(parent, Some(&day)));
        folders().flat_map(at).chain(of_days).collect()
    }

    /// The directories of files that sources name.
    fn named(files: &BTreeSet<PathBuf>) -> Vec<Self> {
        let mut names: BTreeMap<&Path, BTreeSet<String>> = BTreeMap::new();
        for file in files {
            if let (Some(dir), Some(name)) = (file.parent(), file.file_name().and_then(|name| name.to_str())) {
                names.entry(dir).or_default().insert(name.to_owned());
            }
        }
        names.into_iter().map(|(dir, named)| Self { named, ..Self::folder(dir.to_owned(), "") }).collect()
    }

    /// The inputs there, with the answers for a part.
    fn find(&self, part: Option<Part>) -> Vec<PuzzleCase> {
        let place = if self.named.is_empty() { self.place } else { Where::Named(&self.named) };
        puzzle::find(&self.files(), place, part)
    }

    /// Whether each `.in` file is one of these inputs, and files have the answers of their parts: `input.in` with `part1.ans`.
    fn has_parts_beside_inputs(&self) -> bool {
        let whole = self.find(None);
        let inputs: BTreeSet<String> = whole.iter().map(|case| case.naming.input.of_case(&case.name)).collect();
        let is_input = |file: &String| Path::new(file).extension().is_some_and(|ending| ending == "in");
        let is_of_part = |case: PuzzleCase| case.is_answered && !case.is_of_all_parts;
        self.files().iter().filter(|file| is_input(file)).all(|file| inputs.contains(file))
            && self.find(Some(1)).into_iter().any(is_of_part)
            && !whole.iter().any(|case| case.is_answered)
    }

    /// The answer to an input in the folder of answers beside that of inputs: `answers/2023/01.txt` to
    /// `inputs/2023/01.txt`, with the part that its name says.
    fn answer_elsewhere(&self, reader: &Reader<'_>, input: &str, part: Option<Part>) -> Option<(String, Option<Part>)> {
        let top = reader.top.unwrap_or(&reader.dir);
        let above = self.dir.ancestors().take_while(|dir| *dir != top && dir.starts_with(top));
        let folders = above.flat_map(|inputs| {
            let name = inputs.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            naming::answer_folders(name).filter_map(move |answers| {
                let inside = self.dir.strip_prefix(inputs).ok()?;
                Some(inputs.with_file_name(answers).join(inside))
            })
        });
        let found = |folder: PathBuf| {
            let (file, of) = puzzle::find_answer(&naming::names_in(&folder), input, part)?;
            Some((folder.join(file).to_str()?.to_owned(), of))
        };
        folders.into_iter().find_map(found)
    }

    /// The names of its files that count.
    fn files(&self) -> BTreeSet<String> {
        let mut files = naming::names_in(&self.dir);
        let stem = |file: &str| file.split('.').next().unwrap_or_default().to_owned();
        match &self.whose {
            Whose::All => {}
            Whose::OfDays(days) => {
                files.retain(|file| pairing::day_of(&stem(file)).is_some_and(|day| days.contains(&day)));
            }
            Whose::Called(name) => files.retain(|file| stem(file) == *name),
        }
        files
    }
}

/// The days that the programs in a folder solve by their names.
fn days_of_programs(dir: &Path) -> BTreeSet<String> {
    let day_of = |file: &String| {
        let is_program = family(Path::new(file)).is_some();
        pairing::day_of(file.split('.').next()?).filter(|_| is_program)
    };
    naming::names_in(dir).iter().filter_map(day_of).collect()
}

/// The cases with the answers of a part. `has_both`: whether the folder has programs for both parts.
pub(crate) fn of_part(reader: &Reader<'_>, cases: &FolderCases, part: Option<Part>, has_both: bool) -> FolderCases {
    let Some(part) = part else { return cases.clone() };
    let wanted = AnswersOf::Part { part, has_both };
    match puzzle_groups(reader, wanted, true, &cases.written) {
        PuzzleGroups::Puzzle(groups) => with_named(reader, groups, cases, wanted),
        _ if !cases.named.is_empty() => with_named(reader, Vec::new(), cases, wanted),
        _ => cases.clone(),
    }
}

/// The programs whose answers are wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AnswersOf {
    /// Answers of programs that solve the whole puzzle. `joins`: whether the answers of two parts are the two lines that a
    /// program prints.
    Whole { joins: bool },
    /// Answers to a part. `has_both`: whether the folder has programs for both parts.
    Part { part: Part, has_both: bool },
}

impl AnswersOf {
    fn part(self) -> Option<Part> {
        match self {
            Self::Whole { .. } => None,
            Self::Part { part, .. } => Some(part),
        }
    }
}

/// Adds the cases whose inputs sources name.
pub(crate) fn with_named(
    reader: &Reader<'_>,
    mut groups: Vec<TestGroup>,
    cases: &FolderCases,
    wanted: AnswersOf,
) -> FolderCases {
    for place in PuzzlePlace::named(&cases.named) {
        for case in place.find(wanted.part()) {
            add_puzzle(reader, &mut groups, &place, case, wanted);
        }
    }
    FolderCases { groups, names: CaseNames::Puzzle, ..cases.clone() }
}

/// The cases of a folder that may be those of a puzzle.
pub(crate) enum PuzzleGroups {
    /// No name is that of an input of a puzzle.
    None,
    /// The table of names knows the files too, with as many answers.
    Either,
    /// The cases.
    Puzzle(Vec<TestGroup>),
}

/// The cases of a puzzle. `is_sure`: whether something else than the names of the files says that it is one.
pub(crate) fn puzzle_groups(
    reader: &Reader<'_>,
    wanted: AnswersOf,
    is_sure: bool,
    written: &BTreeSet<String>,
) -> PuzzleGroups {
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
            Fit::Package { .. } if is_sure && place.has_parts_beside_inputs() => 0,
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
fn add_puzzle(
    reader: &Reader<'_>,
    groups: &mut Vec<TestGroup>,
    place: &PuzzlePlace,
    case: PuzzleCase,
    wanted: AnswersOf,
) {
    let PuzzleCase { name, mut naming, is_own, mut is_answered, mut is_of_all_parts } = case;
    let mut document = None;
    if !is_answered
        && let Some((file, of)) = place.answer_elsewhere(reader, &naming.input.of_case(&name), wanted.part())
    {
        naming.answer = FilePattern::only(&file);
        is_answered = true;
        is_of_all_parts = wanted.part().is_some() && of.is_none();
    }
    let shared = place.dir.join(naming.answer.of_case(&name));
    // No puzzle has an empty answer: the user has made the file and waits for the site.
    is_answered &= !small_text(&shared, LONGEST_ANSWERS).is_some_and(|text| text.trim().is_empty());
    if let AnswersOf::Whole { .. } = wanted
        && is_answered
        && let Some(values) = labelled_values(reader, &shared)
    {
        naming.answer = values;
        document = Some(HeldIn::Answers(shared.clone()));
    }
    let line = wanted.part().filter(|_| is_of_all_parts).map(|part| line_for(reader, &shared, part));
    if let Some(Line::Absent) = line {
        is_answered = false;
        naming.answer = puzzle::new_answer(wanted.part());
    }
    let line = line.and_then(|line| if let Line::Of(line) = line { Some(line) } else { None });
    if let AnswersOf::Part { part: 2, has_both: true } = wanted
        && is_of_all_parts
        && line.is_none()
        && is_own
    {
        // A single line is the answer of the first part. That of the second is not known yet.
        is_answered = false;
        naming.answer = puzzle::new_answer(Some(2));
    }
    document = document.or(line.is_some().then_some(HeldIn::Answers(shared)));
    if let Some(line) = line {
        naming.answer = line;
    }
    if let AnswersOf::Whole { joins: true } = wanted
        && !is_answered
        && let Some((first, both)) = both_answers(reader, place, &name)
    {
        naming.answer = both;
        is_answered = true;
        document = Some(HeldIn::Answers(first));
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
    // An answer that is not a short text is reported where a part of its own has it.
    let text = |path: &Path| Some(small_text(path, LONGEST_ANSWERS)?.trim_end().to_owned() + "\n");
    let both = text(&first)? + &text(&second)?;
    let pattern = derived_answer(reader, &first, &both)?;
    Some((first, pattern))
}

/// A group with one case, whose program reads several inputs in one run: with the answers to all of them as its answer, or
/// with the answer to the whole puzzle if no input has one of its own.
pub(super) fn with_all_answers(reader: &Reader<'_>, mut whole: TestGroup, answers: &[Option<PathBuf>]) -> TestGroup {
    let text = |path: &PathBuf| Some(small_text(path, LONGEST_ANSWERS)?.trim_end().to_owned() + "\n");
    let all: Option<String> = answers.iter().map(|answer| text(answer.as_ref()?)).collect();
    let Some(case) = whole.cases.first_mut() else { return whole };
    let naming = whole
        .naming
        .clone()
        .unwrap_or_else(|| CaseNaming { input: FilePattern::new("*"), answer: puzzle::new_answer(None) });
    let input = BTreeSet::from([naming.input.of_case(&case.name)]);
    let found = || puzzle::find(&naming::names_in(&whole.dir), Where::Named(&input), None).into_iter().next();
    let first = answers.iter().flatten().next();
    (whole.naming, case.answer) = match (all, first) {
        (Some(all), Some(first)) => {
            whole.document = Some(HeldIn::Answers(first.clone()));
            let answer = derived_answer(reader, first, &all).unwrap_or_else(|| puzzle::new_answer(None));
            (Some(CaseNaming { answer, ..naming }), AnswerFile::Named)
        }
        (None, None) => match found() {
            Some(found) if found.is_answered => (Some(found.naming), AnswerFile::Named),
            _ => (Some(naming), AnswerFile::Missing),
        },
        // With one answer missing, that of the whole run is not known.
        _ => (Some(CaseNaming { answer: puzzle::new_answer(None), ..naming }), AnswerFile::Missing),
    };
    whole
}

/// The line for a part in a file with the answers of a puzzle.
enum Line {
    /// The file with the answer, which is a line of that file.
    Of(FilePattern),
    /// The lines name their parts, and none is for this one.
    Absent,
    /// It has no lines for parts: the whole file is one answer.
    Whole,
}

/// The answer for a part if the answers of all parts, two or three, are the lines of a file, or if lines name their parts.
fn line_for(reader: &Reader<'_>, answers: &Path, part: Part) -> Line {
    let is_small = answers.metadata().is_ok_and(|found| found.is_file() && found.len() <= LONGEST_ANSWERS);
    // The comparison with the answer reports a file that cannot be read.
    let text = is_small.then(|| std::fs::read_to_string(answers).ok()).flatten().unwrap_or_default();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let labelled = puzzle::labelled_answers(&text);
    let line = if !labelled.is_empty() {
        let Some((_, line)) = labelled.into_iter().find(|(of, _)| *of == part) else { return Line::Absent };
        line
    } else if let [_, _] | [_, _, _] = lines[..]
        && let Some(line) = lines.get(usize::from(part).saturating_sub(1))
    {
        line
    } else {
        return Line::Whole;
    };
    derived_answer(reader, answers, &format!("{line}\n")).map_or(Line::Absent, Line::Of)
}

/// The answers of both parts, without the names of the parts, if the lines of a file name them: `part 1: 35`.
fn labelled_values(reader: &Reader<'_>, answers: &Path) -> Option<FilePattern> {
    let text = small_text(answers, LONGEST_ANSWERS)?;
    let values: Vec<&str> = puzzle::labelled_answers(&text).into_iter().flat_map(|(_, value)| [value, "\n"]).collect();
    let values = values.concat();
    (!values.is_empty()).then(|| derived_answer(reader, answers, &values)).flatten()
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
