//! Reads the programs of a problem: each is a file, or a directory of files.

use std::io::Read as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::document::is_there;
use crate::protocol::judging;
use crate::reader::{ListedEntry, Reader};
use grader_model::diagnostic::{Diagnostic, Kind};
use grader_model::problem::{JudgingProgram, ProblemKind, Program, Protocol, VisualizerKind, Visualizers};

/// Reads the submission in a file or directory. Returns none, with a warning, if it holds no source. A directory with
/// an executable `build` is built by that script, as problemtools does.
pub(crate) fn submission_of(reader: &Reader<'_>, listed: &ListedEntry) -> Option<Program> {
    program_of(reader, listed, &|path| Path::new(path) == Path::new(BUILD) && is_executable(&listed.path.join(path)))
}

/// Reads the validator in a file or directory. If it has `build` or `run`, these scripts build and start it.
pub(crate) fn validator_of(reader: &Reader<'_>, listed: &ListedEntry) -> Option<Program> {
    program_of(reader, listed, &is_script)
}

fn program_of(reader: &Reader<'_>, listed: &ListedEntry, scripted: &dyn Fn(&Path) -> bool) -> Option<Program> {
    if !listed.is_dir {
        if is_program(reader, &listed.path) {
            return Some(Program::File(listed.path.clone()));
        }
        if !is_document(&listed.name) {
            reader.warning(Kind::Ignored, &listed.path, "no source file of a known language; ignored");
        }
        return None;
    }
    if listed.name == "__pycache__" {
        return None;
    }
    let files = reader.files_below(&listed.path);
    let path = listed.path.clone();
    if files.iter().any(|file| scripted(file)) {
        return Some(Program::Scripts { path, files });
    }
    if !files.iter().any(|file| is_program(reader, &path.join(file))) {
        reader.warning(Kind::Ignored, &listed.path, "directory without a source file of a known language; ignored");
        return None;
    }
    Some(Program::Directory { path, files })
}

/// Whether a file is a program by its name, or by a first line `#!` if its name has no extension. The build reads that
/// line and says if it knows no such language.
fn is_program(reader: &Reader<'_>, path: &Path) -> bool {
    (reader.is_source)(path) || path.extension().is_none() && starts_like_a_script(path)
}

fn starts_like_a_script(path: &Path) -> bool {
    let mut head = [0; 2];
    // An unreadable file is not a program. If its name says otherwise, the build reports it.
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == *b"#!"
}

/// The script that builds a program.
const BUILD: &str = "build";

/// A program of these files that the problem has made: scripts build it if they are among them.
pub(crate) fn built(path: PathBuf, files: Vec<PathBuf>) -> Program {
    if files.iter().any(|file| is_script(file)) {
        Program::Scripts { path, files }
    } else {
        Program::Directory { path, files }
    }
}

/// Whether a file is `build` or `run`, which make any directory a program (package format 2025-09, "Other programs").
fn is_script(file: &Path) -> bool {
    file == Path::new(BUILD) || file == Path::new("run")
}

fn is_executable(path: &Path) -> bool {
    // The build reports files that cannot be read here.
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o100 != 0)
}

/// Whether a file is documentation that people put beside programs.
fn is_document(name: &str) -> bool {
    let ending = Path::new(name).extension().unwrap_or_default();
    name.starts_with("README") || ["md", "txt", "yaml"].iter().any(|document| ending.eq_ignore_ascii_case(document))
}

/// Reads a validator of inputs or answers from a file or directory: a program or a grammar. Warns about grammars that
/// grader does not run.
fn data_validator_of(reader: &Reader<'_>, listed: &ListedEntry) -> Option<Program> {
    let ending = Path::new(&listed.name).extension().filter(|_| !listed.is_dir);
    if ending.is_some_and(|ending| ending.eq_ignore_ascii_case("ctd")) {
        return Some(Program::Grammar(listed.path.clone()));
    }
    if ending.is_some_and(|ending| ending.eq_ignore_ascii_case("viva")) {
        reader.warning(Kind::NotChecked, &listed.path, "grader does not run viva, so this validator checks nothing");
        return None;
    }
    validator_of(reader, listed)
}

/// The input validators: one in each file or directory.
pub(crate) fn input_validators(reader: &Reader<'_>, dir: &Path) -> Vec<JudgingProgram> {
    let deprecated = dir.join("input_format_validators");
    if deprecated.is_dir() {
        reader.warning(
            Kind::Deprecated,
            &deprecated,
            "grader ignores this deprecated directory; rename it to input_validators",
        );
    }
    data_validators(reader, &dir.join("input_validators"))
}

/// The validators of inputs or answers in a directory: one in each file or directory.
pub(super) fn data_validators(reader: &Reader<'_>, dir: &Path) -> Vec<JudgingProgram> {
    let programs = reader.list(dir).into_iter().filter_map(|listed| data_validator_of(reader, &listed));
    programs.map(|program| judging(reader, program)).collect()
}

/// The answer validators in `answer_validators/`, as in BAPCtools: one in each file or directory.
pub fn answer_validators(reader: &Reader<'_>) -> Vec<JudgingProgram> {
    data_validators(reader, &reader.dir.join("answer_validators"))
}

/// The output validator: exactly one program, if `output_validator/` exists.
pub(crate) fn output_validator(reader: &Reader<'_>, dir: &Path) -> Option<JudgingProgram> {
    let legacy = dir.join("output_validators");
    if reader.has_dir(&legacy) {
        let message = "grader ignores this directory of the legacy format";
        reader.error(&legacy, message, "keep one validator and rename the directory to output_validator");
    }
    let path = dir.join("output_validator");
    let program = if is_there(&path) { one_program(reader, &path, "output validator") } else { None };
    program.map(|program| judging(reader, program))
}

/// The programs that judge the outputs of a problem in the native layout.
#[derive(Debug, Default)]
pub(crate) struct OutputJudges {
    /// The program that talks to the submission, if the validator then judges what it wrote.
    pub interactor: Option<JudgingProgram>,
    /// The output validator; an interactor alone is one.
    pub validator: Option<JudgingProgram>,
}

/// Reads `output_validator/` and `interactor/`.
pub(crate) fn output_judges(reader: &Reader<'_>, kind: ProblemKind) -> OutputJudges {
    let validator = output_validator(reader, &reader.dir);
    let path = reader.dir.join("interactor");
    if !is_there(&path) {
        return OutputJudges { interactor: None, validator };
    }
    if kind != ProblemKind::Interactive {
        let message = "grader uses this only in a problem of type `interactive`";
        reader.warning(Kind::NotUsed, &path, message);
        return OutputJudges { interactor: None, validator };
    }
    let interactor = one_program(reader, &path, "interactor").map(|program| judging(reader, program));
    if validator.is_none() {
        return OutputJudges { interactor: None, validator: interactor };
    }
    let writes_none = |protocol| matches!(protocol, Protocol::Icpc | Protocol::Cms | Protocol::Dmoj(_));
    if interactor.as_ref().is_some_and(|interactor| writes_none(interactor.protocol.get())) {
        let message = "the interactor writes no file that output_validator/ could judge: only those of testlib do";
        let remedy = "remove output_validator/, or set `validator_protocol = \"testlib\"` in problem.toml";
        reader.error(&path, message, remedy);
    }
    OutputJudges { interactor, validator }
}

/// The folder of a visualiser with the drawing of its page, which is not a program.
pub const PAGE: &str = "page";

/// The visualisers. They decide nothing, so a folder without a program is not an error.
pub(crate) fn visualizers(reader: &Reader<'_>) -> Visualizers {
    let only = |kind: VisualizerKind| {
        for misspelt in kind.misspellings() {
            let path = reader.dir.join(misspelt);
            if path.is_dir() {
                let message = format!("ignored; did you mean {}?", kind.folder());
                reader.warning(Kind::Ignored, &path, message);
            }
        }
        let path = reader.dir.join(kind.folder());
        if !is_there(&path) {
            return None;
        }
        let listed: Vec<ListedEntry> = reader.list(&path).into_iter().filter(|listed| listed.name != PAGE).collect();
        let files = reader.files_below(&path).into_iter().filter(|file| !file.starts_with(PAGE)).collect();
        let found = programs_among(reader, &path, &listed, files).unwrap_or_default();
        let message = match found.len() {
            1 => return found.into_iter().next(),
            0 => "no program of a known language in it, so it draws nothing",
            _ => "several programs in it, so it draws nothing",
        };
        let remedy = "keep one program, with all its files in a directory below";
        reader.report(Diagnostic::warning(&path, message).kind(Kind::Ignored).remedy(remedy));
        None
    };
    Visualizers { input: only(VisualizerKind::Input), output: only(VisualizerKind::Output) }
}

/// The only program in a directory: one file, one directory below, or everything in it.
pub(super) fn one_program(reader: &Reader<'_>, path: &Path, what: &str) -> Option<Program> {
    let found = programs_in(reader, path, what);
    if let [first, second, ..] = &found[..] {
        let name =
            |program: &Program| program.path().and_then(Path::file_name).unwrap_or_default().display().to_string();
        let message = format!("several {what}s: {}, {}", name(first), name(second));
        reader.error(path, message, "keep one, or move the files of one program into a directory below");
        return None;
    }
    found.into_iter().next()
}

/// Returns the programs in a directory. Each consists of one file or of one directory below, or everything in the
/// directory is one program. Reports an error if there is none.
pub(super) fn programs_in(reader: &Reader<'_>, path: &Path, what: &str) -> Vec<Program> {
    let found = programs_among(reader, path, &reader.list(path), reader.files_below(path));
    found.unwrap_or_else(|| {
        reader.error(path, format!("no {what} in it"), "add one program, or remove the directory");
        Vec::new()
    })
}

/// Returns the programs among the entries of the directory `path`, in which they have these files; none if nothing
/// there looks like a program.
fn programs_among(
    reader: &Reader<'_>,
    path: &Path,
    listed: &[ListedEntry],
    files: Vec<PathBuf>,
) -> Option<Vec<Program>> {
    let is_program =
        |listed: &&ListedEntry| listed.is_dir && listed.name != "__pycache__" || (reader.is_source)(&listed.path);
    let programs: Vec<&ListedEntry> = listed.iter().filter(is_program).collect();
    // A package with `__main__.py`, or a `build` or `run` script, is one program of many files.
    let has = |wanted: &dyn Fn(&ListedEntry) -> bool| listed.iter().any(|listed| !listed.is_dir && wanted(listed));
    let path = path.to_owned();
    if has(&|listed| is_script(Path::new(&listed.name))) {
        return Some(vec![Program::Scripts { path, files }]);
    }
    if has(&|listed| listed.name.eq_ignore_ascii_case("__main__.py")) {
        return Some(vec![Program::Directory { path, files }]);
    }
    match programs[..] {
        [] => None,
        // A header beside the source belongs to it.
        [one]
            if !one.is_dir && listed.iter().any(|other| other != one && !other.is_dir && !is_document(&other.name)) =>
        {
            Some(vec![Program::Directory { path, files }])
        }
        _ => Some(programs.into_iter().filter_map(|listed| validator_of(reader, listed)).collect()),
    }
}

/// The program at any path: a file, or a directory with everything in it.
pub fn program_at(path: &Path) -> std::io::Result<Program> {
    if std::fs::metadata(path)?.is_file() {
        return Ok(Program::File(path.to_owned()));
    }
    let mut files = Vec::new();
    for entry in walkdir::WalkDir::new(path).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_file()
            && let Ok(below) = entry.path().strip_prefix(path)
        {
            files.push(below.to_owned());
        }
    }
    Ok(Program::Directory { path: path.to_owned(), files })
}
