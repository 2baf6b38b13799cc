//! Reads plain folders: a solver and test cases, without any configuration.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::class_solution;
use crate::document::small_text;
use crate::expectations;
use crate::folder_cases::{CaseKey, CaseNames, FolderCases};
use crate::helpers;
use crate::named_inputs;
use crate::pairing::{self, Mentions, Stem};
use crate::part_argument::{self, PartArguments};
use crate::plain_cases;
use crate::program_files::{
    LARGEST, ModuleSystem, ProgramFile, ProgramFiles, family, is_main, is_same_language, is_test, module_system,
};
use crate::puzzle::Part;
use crate::puzzle_cases;
use crate::reader::{ListedEntry, Reader};
use crate::reference;
use crate::scoring;
use crate::stated_answers;
use crate::submissions;
use grader_model::diagnostic::{Diagnostic, Kind};
use grader_model::problem::{
    Additions, AnswerFile, Arguments, Expectation, FilePattern, Helper, HelperRole, JudgingProgram, OwnChecker,
    PackageLayout, Pairing, Problem, ProblemPart, Program, Protocol, Reference, Scoring, Submission, SubmissionId,
};

/// The most files of a folder that are searched for programs of several files.
const MOST_FILES: usize = 200;

/// Files that belong to a package or to a tool and solve nothing.
const NO_PROGRAMS: &[&str] =
    &["__init__.py", "conftest.py", "setup.py", "noxfile.py", "build.rs", "gulpfile.js", "Gruntfile.js", "magefile.go"];

/// Whether a file with this name solves nothing: `build.rs`, `jest.config.js`.
fn is_of_a_tool(name: &str) -> bool {
    NO_PROGRAMS.contains(&name) || stem_in(name).ends_with(".config")
}

/// The directory of a solver that is not directly in the folder.
pub const SOURCE_DIR: &str = "src";

/// Reads the folder of the reader, with its cases beside the solver, in `test/` or `tests/`, or in `data`. The folder is
/// several problems if its names say that programs have tests of their own, or solve different parts of a puzzle.
pub fn read(reader: &Reader<'_>, data: &Path) -> Vec<Problem> {
    let (submissions, helpers) = helpers::apart(solvers(reader));
    let mut stems: Vec<Stem> = submissions.iter().map(|submission| Stem::new(stem_of(submission))).collect();
    let mut cases = plain_cases::read(reader, data, &submissions, stems.iter().any(|stem| stem.part.is_some()));
    if submissions.is_empty() && cases.of_programs.len() > 1 {
        return of_named_programs(reader, &cases);
    }
    let is_day = |name: &str| Stem::new(name).is_named_day();
    cases.is_of_days = reader.dir.file_name().and_then(OsStr::to_str).is_some_and(is_day)
        || !stems.is_empty() && stems.iter().all(Stem::is_named_day);
    let names: Vec<String> = cases.owners(&reader.dir).collect();
    let owners: Vec<&str> = names.iter().map(String::as_str).collect();
    if cases.names == CaseNames::Puzzle {
        pairing::find_parts(&mut stems, &owners);
    } else {
        for stem in &mut stems {
            stem.part = None;
        }
    }
    let inputs: Vec<PathBuf> = cases.inputs().collect();
    let mentions = Mentions {
        of_programs: submissions.iter().map(|submission| named_inputs::mentioned(submission, &inputs)).collect(),
        deciding: (0..inputs.len()).filter(|at| cases.named.contains(&inputs[*at])).collect(),
    };
    let shares = pairing::share(&stems, &owners, &mentions);
    let arguments = |programs: &[Submission], part: Option<Part>| {
        let may_be_told = cases.names != CaseNames::Contest && part.is_none();
        part_argument::of_all(programs).filter(|_| may_be_told)
    };
    if shares.len() < 2 {
        // All programs solve the same part, if there are parts.
        let part = stems.first().and_then(|stem| stem.part);
        if let Some(arguments) = arguments(&submissions, part) {
            let of_part = |part| puzzle_cases::of_part(reader, &cases, Some(part), true);
            let name = |part: Part| format!("part{part}");
            let parts = by_argument(reader, &arguments, of_part, &submissions, &helpers);
            return parts.into_iter().map(|(part, whole)| as_part(whole, &name(part), Pairing::Puzzle)).collect();
        }
        let mut cases = puzzle_cases::of_part(reader, &cases, part, false);
        if pairing::are_letters(&stems) {
            without_shared_answer(reader, &mut cases);
        }
        return vec![problem(reader, cases, part, submissions, helpers)];
    }
    let keys: Vec<CaseKey> = cases.keys().collect();
    let names: Vec<&str> = submissions.iter().map(stem_of).collect();
    let has_both = [1, 2].into_iter().all(|part| stems.iter().any(|stem| stem.part == Some(part)));
    let mut problems = Vec::new();
    for share in shares {
        let own: Vec<Submission> = share.programs.iter().map(|at| submissions[*at].clone()).collect();
        let part = share.programs.first().and_then(|at| stems[*at].part);
        let kept: BTreeSet<&CaseKey> = share.tests.iter().map(|at| &keys[*at]).collect();
        let of_part = |part, has_both| puzzle_cases::of_part(reader, &cases, part, has_both).only(&kept);
        let its_cases = of_part(part, has_both);
        if its_cases.groups.is_empty() {
            let message =
                "neither its name nor its source gives it a test, and the tests here belong to other programs; not run";
            let found = own.first().and_then(Submission::source).unwrap_or_else(|| reader.dir.clone());
            reader.warning(Kind::Ignored, &found, message);
            continue;
        }
        let helpers = helpers::of_program(&helpers, &share.name, &names);
        if let Some(arguments) = arguments(&own, part) {
            let parts = by_argument(reader, &arguments, |part| of_part(Some(part), true), &own, &helpers);
            let name = |part: Part| format!("{}-part{part}", share.name);
            problems.extend(parts.into_iter().map(|(part, whole)| as_part(whole, &name(part), share.pairing)));
        } else {
            let whole = problem(reader, its_cases, part, own, helpers);
            problems.push(as_part(whole, &share.name, share.pairing));
        }
    }
    problems
}

/// A problem for each program that a document names, in a folder without programs: those of students come later.
fn of_named_programs(reader: &Reader<'_>, cases: &FolderCases) -> Vec<Problem> {
    let keys: Vec<CaseKey> = cases.keys().collect();
    let of_program = |name: &Arc<str>| {
        let is_its = |group: &Arc<str>| group == name || !cases.of_programs.contains(group);
        let kept: BTreeSet<&CaseKey> = keys.iter().filter(|(group, _)| is_its(group)).collect();
        let whole = problem(reader, cases.clone().only(&kept), None, Vec::new(), Vec::new());
        as_part(whole, name, Pairing::Names)
    };
    cases.of_programs.iter().map(of_program).collect()
}

/// Takes `output.txt` for no answer beside the programs of several problems: nothing says which of them it is about.
fn without_shared_answer(reader: &Reader<'_>, cases: &mut FolderCases) {
    for group in &mut cases.groups {
        let Some(naming) = group.naming.as_mut() else { continue };
        let [case] = &mut group.cases[..] else { continue };
        let is_fixed = naming.answer.of_case("a") == naming.answer.of_case("b");
        if is_fixed && case.answer == AnswerFile::Named {
            let answer = group.dir.join(naming.answer.of_case(&case.name));
            let message = "programs of several problems are here, and nothing says whose answer this is; not used";
            reader.report(
                Diagnostic::warning(&answer, message)
                    .kind(Kind::Ignored)
                    .remedy("give tests the names of their programs, for example A.in with A.out"),
            );
            case.answer = AnswerFile::Missing;
            naming.answer = FilePattern::new("*.ans");
        }
    }
}

/// Makes a problem one of several in its folder.
fn as_part(whole: Problem, name: &str, pairing: Pairing) -> Problem {
    let id = format!("{}/{name}", whole.id);
    let part = Some(ProblemPart { name: name.into(), pairing });
    Problem { title: id.clone(), id: id.into(), part, ..whole }
}

/// The two parts of a puzzle whose programs solve the part that their arguments choose. `cases` are those with the answers
/// of a part.
fn by_argument(
    reader: &Reader<'_>,
    arguments: &PartArguments,
    cases: impl Fn(Part) -> FolderCases,
    submissions: &[Submission],
    helpers: &[Helper],
) -> [(Part, Problem); 2] {
    [1, 2].map(|part| {
        let mut whole = problem(reader, cases(part), Some(part), submissions.to_vec(), helpers.to_vec());
        for group in &mut whole.groups {
            let with = |input: &str| Arguments { submission: arguments.of(part, input), ..Arguments::default() };
            group.arguments = if arguments.has_file() { Arguments::default() } else { with("") };
            let dir = group.clone();
            for case in &mut group.cases {
                let input = dir.input_of(case);
                let name = input.file_name().and_then(OsStr::to_str).filter(|_| arguments.has_file());
                case.own.get_or_insert_default().arguments = name.map(with);
            }
        }
        (part, whole)
    })
}

/// The name of a program without its extension.
fn stem_of(submission: &Submission) -> &str {
    let name = submission.id.as_str();
    stem_in(name.rsplit('/').next().unwrap_or(name))
}

/// The name of a file without its extension.
fn stem_in(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Reads a folder whose programs need no cases: one problem, or several if its generators and brute forces are those of
/// different programs.
pub fn read_without_cases(reader: &Reader<'_>) -> Vec<Problem> {
    let (submissions, helpers) = helpers::apart(solvers(reader));
    let names: Vec<&str> = submissions.iter().map(stem_of).collect();
    let mut shares: Vec<(Vec<Helper>, Vec<Submission>)> = Vec::new();
    for submission in &submissions {
        let own = helpers::of_program(&helpers, stem_of(submission), &names);
        let ids = |helpers: &[Helper]| helpers.iter().map(|helper| helper.program.id.clone()).collect::<Vec<_>>();
        match shares.iter_mut().find(|(helpers, _)| ids(helpers) == ids(&own)) {
            Some((_, submissions)) => submissions.push(submission.clone()),
            None => shares.push((own, vec![submission.clone()])),
        }
    }
    let whole = |(helpers, submissions)| problem(reader, FolderCases::default(), None, submissions, helpers);
    let problems: Vec<Problem> = shares.into_iter().map(whole).collect();
    if problems.len() < 2 {
        return problems;
    }
    let part = |problem: Problem| {
        let name = problem.submissions.first().map(|first| stem_of(first).to_owned()).unwrap_or_default();
        as_part(problem, &name, Pairing::Names)
    };
    problems.into_iter().map(part).collect()
}

/// Reads the folder as one problem.
pub fn read_whole(reader: &Reader<'_>, data: &Path) -> Problem {
    let (submissions, helpers) = helpers::apart(solvers(reader));
    let cases = plain_cases::read(reader, data, &submissions, false);
    problem(reader, cases, None, submissions, helpers)
}

/// The problem of some programs, which may solve one part of a puzzle.
fn problem(
    reader: &Reader<'_>,
    cases: FolderCases,
    part: Option<Part>,
    submissions: Vec<Submission>,
    helpers: Vec<Helper>,
) -> Problem {
    let FolderCases { mut groups, names, is_of_days, output_validators, .. } = cases;
    // Programs that share tests share what judges them.
    let icpc = |program| JudgingProgram::stated(program, Protocol::Icpc);
    let mut output_validators: Vec<JudgingProgram> =
        groups.iter().find_map(|group| output_validators.get(&group.name).cloned()).map(icpc).into_iter().collect();
    let mut additions = Additions::default();
    if let Some((driver, judge)) = class_solution::calls(reader, &submissions) {
        additions = driver;
        output_validators = vec![icpc(judge)];
    }
    if names != CaseNames::Contest {
        stated_answers::give(reader, &mut groups, &submissions, part);
    }
    let submissions = named_inputs::give(reader, &mut groups, submissions, names);
    Problem {
        checker: if names == CaseNames::Puzzle || is_of_days { OwnChecker::PUZZLE } else { OwnChecker::PLAIN },
        output_validators,
        random_input: helpers::random_input(reader, &helpers),
        scoring: scoring::of_cases(&groups).map(|tree| Scoring::Points(Arc::new(tree))),
        groups,
        reference: reference_of(&submissions, &helpers),
        helpers,
        additions,
        submissions,
        ..Problem::empty(reader.id.clone(), reader.dir.clone(), PackageLayout::Plain)
    }
}

/// The programs directly in the folder. They are expected to be accepted, unless an annotation says otherwise.
pub(crate) fn solvers(reader: &Reader<'_>) -> Vec<Submission> {
    let mut submissions = programs_in(reader, &reader.dir, "");
    // A generator and a brute force may lie beside the build file, and the solution in `src/`.
    if submissions.iter().all(is_helper) {
        submissions.extend(solvers_below(reader));
    }
    submissions::sort(&mut submissions);
    submissions
}

/// Whether the name of a program says that it is a generator or a brute force.
fn is_helper(submission: &Submission) -> bool {
    helpers::role_of_stem(stem_of(submission)).is_some()
}

/// The programs of a folder that has none directly in it: where build tools have them.
fn solvers_below(reader: &Reader<'_>) -> Vec<Submission> {
    let sources = reader.dir.join(SOURCE_DIR);
    let bins = sources.join("bin");
    let mut submissions = Vec::new();
    if reader.dir.join("Cargo.toml").is_file() {
        submissions = bins_of_cargo(reader, &bins);
    }
    if submissions.is_empty() && reader.has_dir(&sources) {
        submissions = programs_in(reader, &sources, "src/");
        // A main program beside other sources is one program of several files.
        let is_main = |found: &&Submission| found.program.path().and_then(Path::file_stem) == Some(OsStr::new("main"));
        let is_source = |listed: &ListedEntry| !listed.is_dir && (reader.is_source)(&listed.path);
        let has_others = || reader.list(&sources).iter().filter(|listed| is_source(listed)).count() > 1;
        if submissions.iter().filter(is_main).count() == 1 && has_others() {
            submissions.retain(is_helper);
            let apart: Vec<PathBuf> = submissions.iter().filter_map(Submission::source).collect();
            let files = reader.files_below(&sources);
            let files = files.into_iter().filter(|file| !apart.contains(&sources.join(file))).collect();
            submissions.push(solver(reader, SOURCE_DIR.into(), Program::Directory { path: sources, files }));
        }
    }
    // `src/bin/01.rs` without a crate.
    if submissions.is_empty() && reader.has_dir(&bins) {
        submissions = programs_in(reader, &bins, "src/bin/");
    }
    if submissions.is_empty() {
        let of_project = |path: PathBuf| {
            let id = path.strip_prefix(&reader.dir).ok()?.to_str()?.to_owned();
            Some(solver(reader, id.into(), Program::File(path)))
        };
        submissions = project_sources(&reader.dir).into_iter().filter_map(of_project).collect();
    }
    submissions
}

/// Where a build tool has the programs of a project, by the files that say so.
const PROJECTS: &[(&[&str], &[&str])] =
    &[(&["build.gradle", "build.gradle.kts"], &["src/main", "app/src/main"]), (&["go.mod"], &["cmd"])];

/// The deepest directory below these places that is searched: `src/main/java/org/example/app`.
const PROJECT_LEVELS: usize = 8;

/// The programs of a project in the places where its build tool has them, far below the folder, sorted.
pub fn project_sources(dir: &Path) -> Vec<PathBuf> {
    let is_it = |files: &[&str]| files.iter().any(|file| dir.join(file).is_file());
    let places = PROJECTS.iter().filter(|(files, _)| is_it(files)).flat_map(|(_, places)| places.iter().copied());
    let walk = |place: &'static str| {
        walkdir::WalkDir::new(dir.join(place))
            .max_depth(PROJECT_LEVELS)
            .sort_by_file_name()
            .into_iter()
            .take(MOST_FILES)
    };
    // An unreadable file does not count as a program.
    let files = places.flat_map(walk).flatten().filter(|entry| entry.file_type().is_file());
    let starts = |path: &PathBuf| {
        let is_known = ["java", "kt", "go"].iter().any(|ending| path.extension() == Some(OsStr::new(ending)));
        let text = is_known.then(|| small_text(path, LARGEST)).flatten();
        let file = |text| ProgramFile { path: path.clone(), text, is_source: true };
        text.is_some_and(|text| ProgramFiles::new(vec![file(text)]).has_main(0))
    };
    files.map(walkdir::DirEntry::into_path).filter(starts).collect()
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

/// Stems of programs that solve nothing, if another program is beside them.
const SIDE: &[&str] = &[
    "util",
    "utils",
    "helper",
    "helpers",
    "common",
    "lib",
    "library",
    "visualize",
    "visualise",
    "visualizer",
    "visualiser",
    "vis",
    "viz",
    "plot",
    "animate",
    "scratch",
    "template",
    "tmp",
    "playground",
    "benchmark",
    "bench",
    "timing",
    "download",
    "fetch",
    "fetch_input",
    "get_input",
    "new_day",
    "create_day",
    "submit",
    "debug",
    "run",
    "stress",
    "checker",
    "test",
    "runner",
    "run_all",
    "timer",
];

/// Whether the name of a program says that it solves nothing: `utils`, `day03_visualize`.
fn is_side_name(stem: &str) -> bool {
    const LAST: &[&str] = &[
        "visualize",
        "visualise",
        "visualizer",
        "visualiser",
        "viz",
        "vis",
        "plot",
        "animate",
        "debug",
        "bench",
        "helper",
        "helpers",
        "utils",
        "stress",
    ];
    let lower = stem.to_lowercase();
    let last = lower.rsplit(['_', '-', ' ', '.']).next().unwrap_or_default();
    SIDE.contains(&&*lower) || LAST.contains(&last)
}

/// A program of several files: the file that starts, such as `main.cpp`, and all files, such as `lib.h`.
type SeveralFiles = (String, Vec<PathBuf>);

/// The facts that the texts of the files of a folder show.
#[derive(Default)]
struct Code {
    /// The solvers of several files.
    several: Vec<SeveralFiles>,
    /// The files that are solvers although another one uses them: `part1.py`, from which `part2.py` imports.
    solutions: BTreeSet<String>,
    /// The files that cannot start, in languages whose compilers would say so, beside files that can.
    libraries: BTreeSet<String>,
}

/// Reads the files of a folder that may be programs or parts of one.
fn code_in(reader: &Reader<'_>, listed: &[ListedEntry]) -> Code {
    let is_code = |listed: &&ListedEntry| family(&listed.path).is_some();
    let code: Vec<&ListedEntry> = listed.iter().filter(is_code).take(MOST_FILES).collect();
    let read = |listed: &&ListedEntry| {
        // The build reports a file that cannot be read.
        let text = small_text(&listed.path, LARGEST).unwrap_or_default();
        ProgramFile { path: PathBuf::from(&listed.name), text, is_source: (reader.is_source)(&listed.path) }
    };
    let files = ProgramFiles::new(code.iter().map(read).collect());
    let names = |own: Vec<usize>| own.into_iter().map(|at| files.path(at).to_owned()).collect();
    let names_solution = |at: &usize| {
        let stem = files.path(*at).file_stem().and_then(OsStr::to_str);
        stem.is_some_and(pairing::names_a_solution)
    };
    // `index.js` loads `solution.js`; a day or a part starts by itself too.
    let mains: Vec<usize> = (0..code.len()).filter(|at| is_main(files.path(*at))).collect();
    let is_loaded = |at: &usize| {
        let is_whole = |stem: &str| pairing::names_whole(stem);
        let stem = files.path(*at).file_stem().and_then(OsStr::to_str);
        stem.is_some_and(is_whole) && mains.iter().any(|main| main != at && files.program(*main).contains(at))
    };
    let is_solution = |at: &usize| files.can_start(*at) && names_solution(at) && !is_loaded(at);
    let solutions: Vec<usize> = (0..code.len()).filter(is_solution).collect();
    let mut several = files.programs(&is_main);
    for at in &solutions {
        let own: Vec<usize> = files.program(*at).into_iter().collect();
        if own.len() > 1 {
            // Files with statements of their own belong to it too: `load.py` reads the input when it is imported.
            several.retain(|(entry, _)| entry != at);
            several.push((*at, own));
        }
    }
    let program = |(entry, own): (usize, Vec<usize>)| (code[entry].name.clone(), names(own));
    // A package of Go or a module of Haskell says that it is not a program; elsewhere another file must be one.
    let says_so =
        |at: &usize| ["go", "hs"].iter().any(|ending| files.path(*at).extension() == Some(OsStr::new(ending)));
    let starts = |other: usize, at: usize| is_same_language(files.path(other), files.path(at)) && files.has_main(other);
    let is_library = |at: &usize| {
        let is_compiled = !matches!(module_system(files.path(*at)), Some(ModuleSystem::Python | ModuleSystem::Script));
        is_compiled && !files.has_main(*at) && (says_so(at) || (0..code.len()).any(|other| starts(other, *at)))
    };
    Code {
        libraries: (0..code.len()).filter(is_library).map(|at| code[at].name.clone()).collect(),
        several: several.into_iter().map(program).collect(),
        solutions: solutions.iter().map(|at| code[*at].name.clone()).collect(),
    }
}

/// The programs directly in a folder. Files that belong together are one program, called like the file that starts.
fn programs_in(reader: &Reader<'_>, dir: &Path, prefix: &str) -> Vec<Submission> {
    let mut listed: Vec<ListedEntry> = reader.list(dir).into_iter().filter(|listed| !listed.is_dir).collect();
    let all = listed.clone();
    listed.retain(|listed| !is_of_a_tool(&listed.name));
    // Tests beside a program are not programs.
    let is_program = |listed: &ListedEntry| (reader.is_source)(&listed.path) && !is_test(Path::new(&listed.name));
    if listed.iter().any(is_program) {
        listed.retain(|listed| !is_test(Path::new(&listed.name)) || !(reader.is_source)(&listed.path));
    }
    let others: Vec<String> = listed.iter().map(|listed| listed.name.clone()).collect();
    let Code { several, solutions, libraries } = code_in(reader, &listed);
    let is_part = |listed: &&ListedEntry| {
        several.iter().any(|(entry, files)| listed.name != *entry && files.contains(&PathBuf::from(&listed.name)))
    };
    let is_own = |listed: &&ListedEntry| solutions.contains(&listed.name) || !is_part(listed);
    let is_started = |listed: &&ListedEntry| (reader.is_source)(&listed.path) && !libraries.contains(&listed.name);
    let mut sources: Vec<&ListedEntry> = listed.iter().filter(is_started).filter(is_own).collect();
    // A program that has a test of its own solves something, whatever it is called.
    let has_test = |listed: &ListedEntry| {
        let stem = stem_in(&listed.name);
        let is_its = |other: &String| {
            other.strip_prefix(stem).is_some_and(|rest| rest.rsplit_once('.').is_some_and(|(_, end)| end == "in"))
        };
        others.iter().any(is_its)
    };
    // A script such as `watch.sh`, which calls the program beside it, is not a submission.
    let is_shell = |listed: &ListedEntry| Path::new(&listed.name).extension() == Some(OsStr::new("sh"));
    let calls_another = |listed: &ListedEntry| {
        let text = small_text(&listed.path, LARGEST).unwrap_or_default();
        let is_called = |other: &ListedEntry| other.name != listed.name && text.contains(&other.name);
        all.iter().any(|other| (reader.is_source)(&other.path) && is_called(other))
    };
    let has_other = sources.iter().any(|listed| !is_shell(listed));
    let is_tool = |listed: &ListedEntry| {
        has_other && is_shell(listed) && !pairing::names_a_solution(stem_in(&listed.name)) && calls_another(listed)
    };
    let is_side = |listed: &ListedEntry| (is_side_name(stem_in(&listed.name)) || is_tool(listed)) && !has_test(listed);
    let is_helper = |listed: &ListedEntry| helpers::role_of_stem(stem_in(&listed.name)).is_some();
    if sources.iter().any(|listed| !is_side(listed) && !is_helper(listed)) {
        sources.retain(|listed| !is_side(listed));
    }
    sources
        .into_iter()
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

/// The brute force. Without one it is a guess: the only accepted Rust file, or else the only accepted solver. A plain folder
/// need not have a reference.
pub(super) fn reference_of(submissions: &[Submission], helpers: &[Helper]) -> Option<Reference> {
    if let Some(brute_force) = helpers.iter().position(|helper| helper.role == HelperRole::BruteForce) {
        return Some(Reference::BruteForce(brute_force));
    }
    let accepted = || (0..submissions.len()).filter(|at| submissions[*at].expectation.wants_all_accepted());
    let rust: Vec<usize> = accepted().filter(|at| reference::is_rust_file(&submissions[*at])).collect();
    match (&rust[..], &accepted().collect::<Vec<_>>()[..]) {
        ([one], _) | ([], [one]) => Some(Reference::Guess(*one)),
        _ => None,
    }
}
