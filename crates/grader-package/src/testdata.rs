//! Finds the test data: `.in` files with their answers, in groups, from directory listings alone.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::document::Document;
use crate::metadata::legacy::StatedGrading;
use crate::metadata::{self, CaseConfig, GroupConfig};
use crate::reader::{Descend, Reader, VisitedEntry};
use crate::rules::{Answers, Rules};
use crate::{scoring, static_validation};
use grader_model::diagnostic::{Diagnostic, Kind};
use grader_model::limits::Bytes;
use grader_model::problem::{AnswerFile, JudgingProgram, Program, TestCase, TestGroup};

/// The role of a file in a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Input,
    Answer,
    Output,
    Config,
    Files,
    /// A file for statements and people.
    Extra,
}

/// The extensions in the package formats. Those with two dots come first, because `.in.statement` contains another one.
const PARTS: &[(&str, Part)] = &[
    (".in.statement", Part::Extra),
    (".ans.statement", Part::Extra),
    (".in.download", Part::Extra),
    (".ans.download", Part::Extra),
    (".in", Part::Input),
    (".ans", Part::Answer),
    (".out", Part::Output),
    (".yaml", Part::Config),
    (".interaction", Part::Extra),
    (".hint", Part::Extra),
    (".desc", Part::Extra),
    (".png", Part::Extra),
    (".jpg", Part::Extra),
    (".jpeg", Part::Extra),
    (".svg", Part::Extra),
];

/// Directories with data that tests validators and never runs (package format 2025-09, "Validation test data";
/// `invalid_inputs` of the legacy format, `invalid_answer` of BAPCtools).
pub const VALIDATION_DIRS: [&str; 5] =
    ["invalid_input", "invalid_inputs", "invalid_answer", "invalid_output", "valid_output"];

/// The base name of the case of a file or directory, judged by its name alone.
pub fn case_of(name: &str) -> Option<&str> {
    let endings = [".files"].into_iter().chain(PARTS.iter().map(|(ending, _)| *ending));
    let mut stems = endings.filter_map(|ending| name.strip_suffix(ending)).filter(|stem| !stem.is_empty());
    stems.next().filter(|_| !GROUP_FILES.contains(&name))
}

/// Whether a `.in` file is in a directory or a few levels below, judged by names alone. Unreadable parts do not count.
pub fn holds_input(dir: &Path, levels: usize) -> bool {
    let is_input = |path: &Path| path.extension().is_some_and(|extension| extension == "in");
    WalkDir::new(dir).max_depth(levels).into_iter().flatten().any(|entry| is_input(entry.path()))
}

/// Whether a file of this name is the configuration of a group.
pub fn is_group_file(name: &OsStr) -> bool {
    GROUP_FILES.iter().any(|file| name == *file)
}

/// The finding about a directory with the name of an input or an answer.
pub(super) const NOT_A_FILE: &str = "a directory, but inputs and answers must be files; ignored";

/// The largest total size of the additional files of a case.
const MOST_FILES: Bytes = Bytes::mib(256);

/// The names of the configuration files of a group.
pub(super) const GROUP_FILES: [&str; 3] = ["test_group.toml", "test_group.yaml", "testdata.yaml"];

/// The files of one directory.
#[derive(Debug, Default)]
struct Folder {
    parts: Vec<(Box<str>, Part)>,
    config: Vec<PathBuf>,
    strange: Vec<String>,
}

/// The content below the root of test data.
#[derive(Debug, Default)]
pub struct TestData {
    /// The groups that have tests, in the order of judging: the root itself, `sample`, then the others by name.
    pub groups: Vec<TestGroup>,
    /// The points in configuration files, by directory.
    pub points: Vec<scoring::FoundPoints>,
    /// The static validations in configuration files, by directory.
    pub static_validation: Vec<static_validation::FoundValidation>,
    /// How each directory of a legacy package is graded, including inherited values.
    pub grading: Vec<(String, StatedGrading)>,
}

/// Reads everything below `root`.
pub fn read_groups(reader: &Reader<'_>, root: &Path, rules: &Rules) -> TestData {
    let folders = collect(reader, root, rules.levels);
    let mut configs: BTreeMap<PathBuf, GroupConfig> = BTreeMap::new();
    let mut data = TestData::default();
    for (dir, folder) in folders {
        let above = dir.parent().and_then(|parent| configs.get(parent)).cloned().unwrap_or_default();
        let config = metadata::read_group(reader, &folder.config, rules).or(&above);
        let DirectoryCases { mut cases, stated } = pair(reader, &dir, folder, rules);
        // Joined, so that the root alone gets no `/` at the end.
        let below = dir.strip_prefix(root).unwrap_or(&dir).to_string_lossy();
        let parts = [rules.top, &below].into_iter().filter(|part| !part.is_empty());
        let name = parts.collect::<Vec<_>>().join("/");
        data.grading.push((name.clone(), config.grading.clone()));
        data.points.extend(config.points.clone().map(|stated| (name.clone(), stated)));
        data.static_validation.extend(config.static_validation.clone().map(|stated| (name.clone(), stated)));
        let static_validation = config.static_validation.as_ref().map(static_validation::StatedValidation::test);
        if !cases.is_empty() || static_validation.is_some() {
            let GroupConfig { limits, checker, arguments: of_group, .. } = config.clone();
            for (at, CaseConfig { arguments: stated, checker }) in stated {
                let own = cases[at].own.get_or_insert_default();
                own.checker = checker;
                own.arguments = Some(stated.or(&of_group).resolve(rules));
            }
            let arguments = of_group.resolve(rules);
            data.groups.push(TestGroup {
                limits,
                checker,
                arguments,
                static_validation,
                cases,
                ..TestGroup::empty(&name, dir.clone())
            });
        }
        configs.insert(dir, config);
    }
    sort_groups(&mut data.groups);
    if rules.top.is_empty() {
        check_groups(reader, root, &data.groups);
    }
    data
}

/// Sorts groups into the order of judging.
pub(super) fn sort_groups(groups: &mut [TestGroup]) {
    groups.sort_by(|a, b| rank(&a.name).cmp(&rank(&b.name)).then_with(|| a.name.split('/').cmp(b.name.split('/'))));
}

fn rank(group: &str) -> u8 {
    match group {
        "" => 0,
        "sample" => 1,
        _ if group.starts_with("sample/") => 1,
        _ => 2,
    }
}

/// Sorts everything below `root` into its directory. Parents come before their content.
fn collect(reader: &Reader<'_>, root: &Path, levels: usize) -> BTreeMap<PathBuf, Folder> {
    // Keys are bytes: comparing paths part by part would take most of the time of a search.
    let mut folders: HashMap<OsString, Folder> = HashMap::from([(root.into(), Folder::default())]);
    reader.walk(root, levels, &mut |met| {
        let parent = met.path().parent().unwrap_or(root).as_os_str();
        if !folders.contains_key(parent) {
            folders.insert(parent.to_owned(), Folder::default());
        }
        let Some(folder) = folders.get_mut(parent) else { return Descend::No };
        // In every version of the format, only these two contain test data.
        let outside = reader.foreign && met.depth() == 1 && !["sample", "secret"].contains(&met.name);
        if outside && met.is_dir() && !VALIDATION_DIRS.contains(&met.name) && met.name.strip_suffix(".files").is_none()
        {
            reader.warning(Kind::Ignored, met.path(), "ignored, because judges read only sample/ and secret/");
            return Descend::No;
        }
        if met.is_dir() { folder.meet_directory(reader, met) } else { folder.meet_file(met) }
    });
    folders.into_iter().map(|(dir, folder)| (PathBuf::from(dir), folder)).collect()
}

impl Folder {
    fn meet_directory(&mut self, reader: &Reader<'_>, met: &VisitedEntry<'_>) -> Descend {
        if let Some(stem) = met.name.strip_suffix(".files") {
            self.parts.push((stem.into(), Part::Files));
            return Descend::No;
        }
        if [".in", ".ans"].iter().any(|ending| met.name.ends_with(ending)) {
            reader.warning(Kind::Ignored, met.path(), NOT_A_FILE);
            return Descend::No;
        }
        let validation = met.depth() == 1 && VALIDATION_DIRS.contains(&met.name);
        if validation { Descend::No } else { Descend::Yes }
    }

    fn meet_file(&mut self, met: &VisitedEntry<'_>) -> Descend {
        let part = PARTS.iter().find_map(|(ending, part)| Some((met.name.strip_suffix(ending)?, *part)));
        match (met.name, part) {
            (name, _) if GROUP_FILES.contains(&name) => self.config.push(met.path().to_owned()),
            (_, Some((stem, part))) => self.parts.push((stem.into(), part)),
            (name, None) => self.strange.push(name.to_owned()),
        }
        Descend::No
    }
}

/// The cases of one directory by name, and the configurations of some of them by position.
#[derive(Default)]
struct DirectoryCases {
    cases: Vec<TestCase>,
    stated: Vec<(usize, CaseConfig)>,
}

fn pair(reader: &Reader<'_>, dir: &Path, mut folder: Folder, rules: &Rules) -> DirectoryCases {
    let answers = rules.answers;
    folder.parts.sort_unstable();
    let mut paired = DirectoryCases::default();
    let mut missing = Vec::new();
    for parts in folder.parts.chunk_by(|a, b| a.0 == b.0) {
        let name = &parts[0].0;
        let has = |part| parts.iter().any(|(_, other)| *other == part);
        if !has(Part::Input) {
            // Samples of interactive packages may consist of a conversation alone.
            let shown = reader.foreign && parts.iter().all(|(_, part)| *part == Part::Extra);
            let found = orphan(dir, name, &has, answers).filter(|_| !shown);
            missing.extend(found);
            continue;
        }
        let answer = match answers {
            _ if has(Part::Answer) => AnswerFile::Ans,
            Answers::Optional if has(Part::Output) => AnswerFile::Out,
            Answers::Optional | Answers::IfAny => AnswerFile::Missing,
            Answers::Required => {
                missing.push(without_answer(dir, name, has(Part::Output)));
                continue;
            }
        };
        if has(Part::Config) {
            let path = dir.join(format!("{name}.yaml"));
            paired.stated.push((paired.cases.len(), metadata::read_case(reader, Document::load(&path), rules)));
        }
        let mut case = TestCase::new(name.clone(), answer);
        if has(Part::Files) {
            case.own.get_or_insert_default().files = files_of(reader, &dir.join(format!("{name}.files")));
        }
        paired.cases.push(case);
    }
    reader.report_many(dir, missing);
    if answers == Answers::Optional {
        report_capitals(reader, dir, &folder.strange);
    } else {
        report_strange(reader, dir, &mut folder.strange);
    }
    paired
}

/// The additional files of a case (package format 2025-09, "Input"). They are copied before every execution.
pub(super) fn files_of(reader: &Reader<'_>, dir: &Path) -> Vec<PathBuf> {
    let files = reader.files_below(dir);
    // A file that cannot be examined is reported when it is copied.
    let size: u64 = files.iter().filter_map(|file| Some(std::fs::metadata(dir.join(file)).ok()?.len())).sum();
    if size > MOST_FILES.0 {
        let message = format!("contains {}; grader copies at most {MOST_FILES} for every run", Bytes(size));
        reader.error(dir, message, "make the files smaller");
    }
    files
}

fn without_answer(dir: &Path, name: &str, has_output: bool) -> Diagnostic {
    let input = dir.join(format!("{name}.in"));
    let remedy = if has_output {
        format!("rename {name}.out to {name}.ans")
    } else {
        format!("add {name}.ans, for example the output of the model solution")
    };
    Diagnostic::error(input, format!("no answer file {name}.ans")).remedy(remedy).unfinished()
}

/// Reports the files of a case without input.
fn orphan(dir: &Path, name: &str, has: &dyn Fn(Part) -> bool, answers: Answers) -> Option<Diagnostic> {
    if has(Part::Answer) {
        let file = dir.join(format!("{name}.ans"));
        let message = format!("answer without an input {name}.in");
        return Some(
            Diagnostic::error(file, message)
                .kind(Kind::Ignored)
                .remedy("add the input or remove the answer")
                .unfinished(),
        );
    }
    // In a plain folder these may be anything: compilers create `a.out`.
    if answers == Answers::Optional {
        return None;
    }
    let message = format!("files of a case, but no input {name}.in; ignored");
    Some(Diagnostic::warning(dir.join(name), message).kind(Kind::Ignored))
}

/// Reports files and arguments of cases that the input validators cannot use.
pub(crate) fn check_files(reader: &Reader<'_>, groups: &[TestGroup], validators: &[JudgingProgram]) {
    reader.check_cases(|| {
        check_collisions(reader, groups, validators);
        check_grammars(reader, groups, validators);
    });
}

/// Reports files of cases with the same name as a file of an input validator (package format 2025-09, "Working
/// directory").
fn check_collisions(reader: &Reader<'_>, groups: &[TestGroup], validators: &[JudgingProgram]) {
    let brought = |program: &Program| -> Vec<PathBuf> {
        match program {
            Program::Directory { files, .. } | Program::Scripts { files, .. } => files.clone(),
            other => other.path().and_then(Path::file_name).map(PathBuf::from).into_iter().collect(),
        }
    };
    let mut found = Vec::new();
    for JudgingProgram { program, .. } in validators {
        let own = brought(program);
        let path = program.path().unwrap_or(&reader.dir).display();
        let cases = groups.iter().flat_map(|group| group.cases.iter().map(move |case| (group, case)));
        for (group, case, file) in
            cases.flat_map(|(group, case)| case.files().iter().map(move |file| (group, case, file)))
        {
            if own.iter().any(|own| own.starts_with(file) || file.starts_with(own)) {
                let place = group.dir.join(format!("{}.files", case.name)).join(file);
                let message = format!("the input validator {path} also has a file of this name");
                found.push(Diagnostic::error(place, message).remedy("rename one of them"));
            }
        }
    }
    reader.report_many(&reader.dir, found);
}

/// Reports arguments for a grammar, which takes none and would lose them.
fn check_grammars(reader: &Reader<'_>, groups: &[TestGroup], validators: &[JudgingProgram]) {
    let grammars = validators.iter().filter_map(|judge| match &judge.program {
        Program::Grammar(path) => Some(path),
        _ => None,
    });
    let names: Vec<&OsStr> = grammars.flat_map(|path| [path.file_name(), path.file_stem()]).flatten().collect();
    if names.is_empty() {
        return;
    }
    let mut found = BTreeMap::new();
    for group in groups {
        let of_cases = group.cases.iter().filter_map(|case| {
            let arguments = case.own.as_ref()?.arguments.as_ref()?;
            Some((group.dir.join(format!("{}.yaml", case.name)), arguments))
        });
        let files = group.dir.ancestors().take(3).flat_map(|dir| GROUP_FILES.map(|name| dir.join(name)));
        let nearest = files.into_iter().find(|file| file.is_file());
        let of_group = (nearest.unwrap_or_else(|| group.dir.clone()), &group.arguments);
        for (file, stated) in of_cases.chain([of_group]) {
            let mut given = stated.of_input_validator.iter().filter(|(_, arguments)| !arguments.is_empty());
            if let Some((name, _)) = given.find(|(name, _)| names.contains(&OsStr::new(name))) {
                let message = format!("`input_validator_args` for `{name}`: a grammar takes no arguments");
                found.insert(file.clone(), Diagnostic::error(file, message).remedy("remove them"));
            }
        }
    }
    reader.report_many(&reader.dir, found.into_values().collect());
}

fn report_strange(reader: &Reader<'_>, dir: &Path, strange: &mut [String]) {
    strange.sort_unstable();
    if let [first, rest @ ..] = strange {
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        reader.warning(Kind::Ignored, &dir.join(first), format!("not part of a test case{more}; ignored"));
    }
}

/// Warns about names such as `01.IN`. A plain folder may contain anything, but such a file was probably intended as a
/// test. Without the warning, the other tests would pass unnoticed.
fn report_capitals(reader: &Reader<'_>, dir: &Path, strange: &[String]) {
    let in_capitals = |name: &&String| {
        let ending = Path::new(name.as_str()).extension().unwrap_or_default();
        ["in", "ans"].iter().any(|part| ending.eq_ignore_ascii_case(part))
    };
    if let Some(first) = strange.iter().filter(in_capitals).min() {
        let message = "not part of a test case: test data ends in `.in`, `.ans` or `.out`, in lower case; ignored";
        reader.report(Diagnostic::warning(dir.join(first), message).kind(Kind::Ignored).remedy("rename it"));
    }
}

/// Warns about groups that are not in the package format.
fn check_groups(reader: &Reader<'_>, root: &Path, groups: &[TestGroup]) {
    for group in groups {
        let top = group.name.split('/').next().unwrap_or_default();
        if !["", "sample", "secret"].contains(&top) {
            reader.warning(
                Kind::StrangeGroup,
                &group.dir,
                "outside sample/ and secret/; grader judges it as a separate group",
            );
        }
    }
    let loose = groups.iter().any(|group| group.name.is_empty());
    if loose && groups.len() > 1 {
        reader.warning(
            Kind::StrangeGroup,
            root,
            "cases both directly in the directory and in groups; grader judges all of them",
        );
    }
}
