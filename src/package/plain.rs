//! Reads plain folders: a solver and test cases, without any configuration.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::package::diagnostic::{Diagnostic, Kind};
use crate::package::expectations;
use crate::package::named_inputs;
use crate::package::naming::{self, CaseFolders, Fit, Named, Row};
use crate::package::pairing::{self, Stem};
use crate::package::puzzle::{self, Part, PuzzleCase, Where};
use crate::package::reader::{Descend, Listed, Reader};
use crate::package::reference;
use crate::package::rules::{Answers, Rules};
use crate::package::scoring;
use crate::package::static_validation;
use crate::package::submissions;
use crate::package::testdata::{self, TestData};
use crate::problem::{
    AnswerFile, CaseNaming, Expectation, Layout, Problem, ProblemKind, Program, Submission, SubmissionId, TestCase,
    TestGroup,
};
use crate::program_files::{LARGEST, ProgramFile, ProgramFiles, family, is_main};

/// The most files of a folder that are searched for programs of several files.
const MOST_FILES: usize = 200;

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

/// The directory of a solver that is not directly in the folder.
pub(crate) const SOURCE_DIR: &str = "src";

/// Whether a path relative to a solver is a directory for its cases.
pub(crate) fn is_case_dir(inside: &Path) -> bool {
    let known = || CASE_DIRS.into_iter().chain(GROUP_DIRS.iter().map(|(dir, ..)| *dir));
    let is_half = |dir: &str| {
        let below = inside.strip_prefix(dir).ok().and_then(Path::to_str);
        below.is_some_and(|below| naming::is_half(below) || dir == "data/secret" || dir == "secret")
    };
    known().any(|dir| inside == Path::new(dir) || is_half(dir))
}

/// Whether the names in a folder tell that it has test cases, in any of the places and with any of the names.
pub(crate) fn holds_cases(dir: &Path) -> bool {
    let is_case_dir = |inside: &str| naming::fit_in(&dir.join(inside), case_folders(inside)) != Fit::None;
    CASE_DIRS.into_iter().chain(GROUP_DIRS.iter().map(|(dir, ..)| *dir)).any(is_case_dir)
        || puzzle_places(dir)
            .any(|(dir, inside, ..)| !puzzle::find(&naming::names_in(&dir), place_of(inside), None).is_empty())
        || ["secret", "data/secret"].iter().any(|inside| testdata::holds_input(&dir.join(inside), LEVELS))
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
];

/// The directories of a folder that may contain the inputs of puzzles: each path, its path in the folder, and its group.
fn puzzle_places(dir: &Path) -> impl Iterator<Item = (PathBuf, &'static str, &'static str)> {
    let beside = std::iter::once((dir.to_owned(), "", ""));
    beside.chain(PUZZLE_DIRS.iter().map(move |(inside, top)| (dir.join(inside), *inside, *top)))
}

fn place_of(inside: &str) -> Where {
    if inside.is_empty() { Where::Beside } else { Where::InputFolder }
}

/// Beside a solver, a folder may be anything. In a folder for cases, it may be a case.
fn case_folders(inside: &str) -> CaseFolders {
    if inside.is_empty() { CaseFolders::Ignored } else { CaseFolders::Allowed }
}

/// Reads the folder of the reader, with its cases beside the solver, in `test/` or `tests/`, or in `data`. The folder is
/// several problems if its names say that programs have tests of their own, or solve different parts of a puzzle.
pub(crate) fn read(reader: &Reader<'_>, data: &Path) -> Vec<Problem> {
    let submissions = solvers(reader);
    let mut stems: Vec<Stem> = submissions.iter().map(|submission| Stem::new(stem_of(submission))).collect();
    let cases = all_groups(reader, data, None);
    let (groups, is_puzzle) = &cases;
    let names: Vec<&str> = groups.iter().flat_map(|group| &group.cases).map(|case| &*case.name).collect();
    if *is_puzzle {
        pairing::find_parts(&mut stems, &names);
    } else {
        for stem in &mut stems {
            stem.part = None;
        }
    }
    let shares = pairing::share(&stems, &names);
    if shares.len() < 2 {
        // All programs solve the same part, if there are parts.
        let part = stems.first().and_then(|stem| stem.part);
        let cases = if part.is_some() { all_groups(reader, data, part) } else { cases };
        return vec![problem(reader, cases, submissions)];
    }
    let mut problems = Vec::new();
    for share in shares {
        let own: Vec<Submission> = share.programs.iter().map(|at| submissions[*at].clone()).collect();
        let part = share.programs.first().and_then(|at| stems[*at].part);
        let names: BTreeSet<&str> = share.tests.iter().map(|at| names[*at]).collect();
        // The findings are those of the first reading.
        let known = reader.take_found();
        let mut groups = all_groups(reader, data, part).0;
        reader.take_found();
        for found in known {
            reader.report(found);
        }
        for group in &mut groups {
            group.cases.retain(|case| names.contains(&*case.name));
        }
        groups.retain(|group| !group.cases.is_empty());
        if groups.is_empty() {
            let message = "its name gives it no test, and the tests here have the names of other programs; not run";
            let found = own.first().and_then(Submission::source).unwrap_or_else(|| reader.dir.clone());
            reader.warning(Kind::Ignored, &found, message);
            continue;
        }
        let whole = problem(reader, (groups, *is_puzzle), own);
        let id = format!("{}/{}", whole.id, share.name);
        problems.push(Problem { title: id.clone(), id: id.into(), part: Some(share.name.into()), ..whole });
    }
    problems
}

/// The name of a program without its extension.
fn stem_of(submission: &Submission) -> &str {
    let name = submission.id.as_str();
    let name = name.rsplit('/').next().unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Reads the folder as one problem.
pub(crate) fn read_whole(reader: &Reader<'_>, data: &Path) -> Problem {
    problem(reader, all_groups(reader, data, None), solvers(reader))
}

fn problem(reader: &Reader<'_>, (mut groups, is_puzzle): Cases, submissions: Vec<Submission>) -> Problem {
    let submissions = named_inputs::give(reader, &mut groups, submissions, is_puzzle);
    Problem {
        id: reader.id.clone(),
        title: reader.id.to_string(),
        label: None,
        dir: reader.dir.clone(),
        layout: Layout::Plain,
        kind: ProblemKind::PassFail,
        judged_as: None,
        part: None,
        passes: 1,
        validation: <_>::default(),
        limits: <_>::default(),
        timing: None,
        distances: <_>::default(),
        checker: None,
        input_validators: Vec::new(),
        output_validators: Vec::new(),
        static_validator: None,
        visualizers: <_>::default(),
        random_input: None,
        validator_flags: Vec::new(),
        groups,
        reference: reference_of(&submissions),
        scoring: None,
        additions: <_>::default(),
        submissions,
    }
}

/// The cases of a folder, and whether they are inputs of a puzzle.
type Cases = (Vec<TestGroup>, bool);

/// Reads the cases of the folder.
pub(super) fn all_groups(reader: &Reader<'_>, data: &Path, part: Option<Part>) -> Cases {
    let groups = puzzle_groups(reader, part);
    if groups.is_empty() { (self::groups(reader, data), false) } else { (groups, true) }
}

/// The cases of a puzzle. None if the files have names that the table of names knows, with as many answers.
fn puzzle_groups(reader: &Reader<'_>, part: Option<Part>) -> Vec<TestGroup> {
    let mut groups: Vec<TestGroup> = Vec::new();
    for (dir, inside, top) in puzzle_places(&reader.dir) {
        let files = naming::names_in(&dir);
        let cases = puzzle::find(&files, place_of(inside), part);
        // Only in these directories are other names read.
        let is_known = CASE_DIRS.contains(&inside) || GROUP_DIRS.iter().any(|(known, ..)| *known == inside);
        let answered = match naming::fit_in(&dir, case_folders(inside)) {
            _ if !is_known => 0,
            Fit::Package { .. } => return Vec::new(),
            // The table covers the inputs without answers too.
            Fit::Named(named) if !named.is_common && cases.len() <= named.answered.len() + named.unanswered.len() => {
                return Vec::new();
            }
            Fit::Named(named) => named.answered.len(),
            Fit::None => 0,
        };
        let is_better = cases.iter().filter(|case| case.is_answered).count() >= answered;
        if answered > 0 && (!is_better || cases.len() == answered && part.is_none()) {
            return Vec::new();
        }
        for PuzzleCase { name, naming, is_answered } in cases {
            let answer = if is_answered { AnswerFile::Named } else { AnswerFile::Missing };
            let at = groups.iter_mut().find(|group| group.dir == dir && group.naming.as_ref() == Some(&naming));
            match at {
                Some(group) => group.cases.push(TestCase::new(name, answer)),
                None => groups.push(TestGroup {
                    naming: Some(naming),
                    cases: vec![TestCase::new(name, answer)],
                    ..TestGroup::empty(top, dir.clone())
                }),
            }
        }
    }
    groups
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
    if found.is_empty() {
        let message = format!("problem without test cases, neither beside the solver nor in {}", data.display());
        reader.error(&reader.dir, message, &format!("add cases, for example {}", naming::EXAMPLES));
        return Vec::new();
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
        vec![TestGroup {
            name: self.top.into(),
            dir: self.dir.clone(),
            naming: Some(named.naming),
            limits: <_>::default(),
            checker: None,
            arguments: <_>::default(),
            static_validation: None,
            cases,
        }]
    }

    fn visible_files(&self, reader: &Reader<'_>) -> BTreeSet<String> {
        let (mut files, mut dirs) = (BTreeSet::new(), Vec::new());
        reader.walk(&self.dir, 2, &mut |met| {
            if met.is_dir() {
                dirs.push(met.name.to_owned());
                let enter = self.case_folders == CaseFolders::Allowed || naming::is_half(met.name);
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

/// The programs directly in the folder. They are expected to be accepted, unless an annotation says otherwise.
pub(crate) fn solvers(reader: &Reader<'_>) -> Vec<Submission> {
    let mut submissions = programs_in(reader, &reader.dir, "");
    let sources = reader.dir.join(SOURCE_DIR);
    if submissions.is_empty() && reader.dir.join("Cargo.toml").is_file() {
        submissions = bins_of_cargo(reader, &sources.join("bin"));
    }
    if submissions.is_empty() && reader.has_dir(&sources) {
        submissions = programs_in(reader, &sources, "src/");
        // A main program beside other sources is one program of several files.
        let is_main = |found: &&Submission| found.program.path().and_then(Path::file_stem) == Some(OsStr::new("main"));
        if submissions.len() > 1 && submissions.iter().filter(is_main).count() == 1 {
            let files = reader.files_below(&sources);
            submissions = vec![solver(reader, SOURCE_DIR.into(), Program::Directory { path: sources, files })];
        }
    }
    submissions::sort(&mut submissions);
    submissions
}

/// The programs of a package of Cargo that has several (The Cargo Book, "Target auto-discovery"). `src/main.rs` is then no
/// solver, but what its author uses beside them.
fn bins_of_cargo(reader: &Reader<'_>, dir: &Path) -> Vec<Submission> {
    if !dir.is_dir() {
        return Vec::new();
    }
    let mut submissions = programs_in(reader, dir, "src/bin/");
    for listed in reader.list(dir).into_iter().filter(|listed| listed.is_dir) {
        let main = listed.path.join("main.rs");
        if main.is_file() {
            let program = Program::Directory { files: reader.files_below(&listed.path), path: listed.path };
            let id = format!("src/bin/{}", listed.name).into();
            submissions.push(Submission { entry_point: Some("main.rs".to_owned()), ..solver(reader, id, program) });
        }
    }
    submissions
}

/// The solvers of several files: the file that starts, such as `main.cpp`, and all files, such as `lib.h`.
fn several_files(reader: &Reader<'_>, listed: &[Listed]) -> Vec<(String, Vec<PathBuf>)> {
    let is_code = |listed: &&Listed| family(&listed.path).is_some();
    let code: Vec<&Listed> = listed.iter().filter(is_code).take(MOST_FILES).collect();
    if code.len() < 2 {
        return Vec::new();
    }
    let read = |listed: &&Listed| {
        let is_small = listed.path.metadata().is_ok_and(|found| found.is_file() && found.len() <= LARGEST);
        // Whoever builds the program reports a file that cannot be read.
        let bytes = if is_small { std::fs::read(&listed.path).unwrap_or_default() } else { Vec::new() };
        ProgramFile {
            path: PathBuf::from(&listed.name),
            text: String::from_utf8_lossy(&bytes).into_owned(),
            is_source: (reader.is_source)(&listed.path),
        }
    };
    let files = ProgramFiles::new(code.iter().map(read).collect());
    let names = |own: Vec<usize>| own.into_iter().map(|at| files.path(at).to_owned()).collect();
    files.programs(&is_main).into_iter().map(|(entry, own)| (code[entry].name.clone(), names(own))).collect()
}

/// The programs directly in a folder. Files that belong together are one program, called like the file that starts.
fn programs_in(reader: &Reader<'_>, dir: &Path, prefix: &str) -> Vec<Submission> {
    let listed: Vec<Listed> = reader.list(dir).into_iter().filter(|listed| !listed.is_dir).collect();
    let several = several_files(reader, &listed);
    let is_part = |listed: &&Listed| {
        !several.iter().any(|(entry, files)| listed.name != *entry && files.contains(&PathBuf::from(&listed.name)))
    };
    let sources = listed.iter().filter(|listed| (reader.is_source)(&listed.path)).filter(is_part);
    sources
        .map(|listed| {
            let id = format!("{prefix}{}", listed.name).into();
            match several.iter().find(|(entry, _)| *entry == listed.name) {
                Some((entry, files)) => {
                    let program = Program::Directory { path: dir.to_owned(), files: files.clone() };
                    Submission { entry_point: Some(entry.clone()), ..solver(reader, id, program) }
                }
                None => solver(reader, id, Program::File(listed.path.clone())),
            }
        })
        .collect()
}

fn solver(reader: &Reader<'_>, id: SubmissionId, program: Program) -> Submission {
    let annotated = expectations::of_annotation(reader, "", &program);
    let expectation = annotated.unwrap_or_else(|| Expectation::accepted("plain folder"));
    Submission { id, program, language: None, entry_point: None, expectation }
}

/// The only accepted Rust file, or else the only accepted solver. A plain folder need not have a reference.
pub(super) fn reference_of(submissions: &[Submission]) -> Option<usize> {
    let accepted = || (0..submissions.len()).filter(|at| submissions[*at].expectation.wants_all_accepted());
    let rust: Vec<usize> = accepted().filter(|at| reference::is_rust_file(&submissions[*at])).collect();
    match (&rust[..], &accepted().collect::<Vec<_>>()[..]) {
        ([one], _) | ([], [one]) => Some(*one),
        _ => None,
    }
}
