//! Reads plain folders: a solver and `.in` files, without any configuration.

use std::path::{Path, PathBuf};

use crate::package::diagnostic::Diagnostic;
use crate::package::expectations;
use crate::package::reader::{Listed, Reader};
use crate::package::reference;
use crate::package::rules::{Answers, Rules};
use crate::package::scoring;
use crate::package::static_validation;
use crate::package::submissions;
use crate::package::testdata::{self, TestData};
use crate::problem::{Expectation, Layout, Problem, ProblemKind, Program, Submission, TestGroup};
use crate::program_files::{LARGEST, ProgramFile, ProgramFiles, family, is_main};

/// The most files of a folder that are searched for programs of several files.
const MOST_FILES: usize = 200;

/// The directories that may contain cases, relative to the solver.
pub(crate) const CASE_DIRS: [&str; 3] = ["", "test", "tests"];

/// Reads the folder of the reader, with its cases beside the solver, in `test/` or `tests/`, or in `data`.
pub(crate) fn read(reader: &Reader<'_>, data: &Path) -> Problem {
    let groups = groups(reader, data);
    let submissions = solvers(reader);
    Problem {
        id: reader.id.clone(),
        title: reader.id.to_string(),
        label: None,
        dir: reader.dir.clone(),
        layout: Layout::Plain,
        kind: ProblemKind::PassFail,
        judged_as: None,
        passes: 1,
        validation: <_>::default(),
        limits: <_>::default(),
        timing: None,
        distances: <_>::default(),
        checker: None,
        input_validators: Vec::new(),
        output_validators: Vec::new(),
        static_validator: None,
        validator_flags: Vec::new(),
        groups,
        reference: reference_of(&submissions),
        scoring: None,
        additions: <_>::default(),
        submissions,
    }
}

/// Reads the cases, which must be in one place only.
fn groups(reader: &Reader<'_>, data: &Path) -> Vec<TestGroup> {
    let beside = CASE_DIRS.map(|name| (if name.is_empty() { reader.dir.clone() } else { reader.dir.join(name) }, 1));
    let places = beside.into_iter().chain([(data.to_owned(), 8)]);
    let read = |(dir, levels): (PathBuf, usize)| {
        let TestData { groups, points, static_validation, .. } =
            testdata::read_groups(reader, &dir, &Rules::new(Answers::Optional, levels));
        scoring::refuse(reader, &points);
        static_validation::refuse(reader, &static_validation);
        (!groups.is_empty()).then_some((dir, groups))
    };
    let mut found: Vec<(PathBuf, Vec<TestGroup>)> = places.filter_map(read).collect();
    if let [(first, _), (second, _), ..] = &found[..] {
        let message = format!("test cases both here and in {}", second.display());
        reader.report(Diagnostic::error(first, message).remedy("keep the cases in one place"));
    }
    if found.is_empty() {
        let message = format!("problem without test cases, neither beside the solver nor in {}", data.display());
        reader.error(&reader.dir, message, "add cases, each a .in with its .ans or .out");
        return Vec::new();
    }
    found.swap_remove(0).1
}

/// The programs directly in the folder. They are expected to be accepted, unless an annotation says otherwise.
pub(crate) fn solvers(reader: &Reader<'_>) -> Vec<Submission> {
    let listed: Vec<Listed> = reader.list(&reader.dir).into_iter().filter(|listed| !listed.is_dir).collect();
    let is_source = |listed: &&Listed| (reader.is_source)(&listed.path);
    let several = several_files(reader, &listed);
    let is_part = |listed: &&Listed| {
        !several.iter().any(|(entry, files)| listed.name != *entry && files.contains(&PathBuf::from(&listed.name)))
    };
    let mut submissions: Vec<Submission> = listed
        .iter()
        .filter(is_source)
        .filter(is_part)
        .map(|listed| {
            let program = match several.iter().find(|(entry, _)| *entry == listed.name) {
                Some((_, files)) => Program::Directory { path: reader.dir.clone(), files: files.clone() },
                None => Program::File(listed.path.clone()),
            };
            let entry_point = matches!(program, Program::Directory { .. }).then(|| listed.name.clone());
            let annotated = expectations::of_annotation(reader, "", &program);
            let expectation = annotated.unwrap_or_else(|| Expectation::accepted("plain folder"));
            Submission { id: listed.name.clone().into(), program, language: None, entry_point, expectation }
        })
        .collect();
    submissions::sort(&mut submissions);
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

/// The only accepted Rust file, or else the only accepted solver. A plain folder need not have a reference.
fn reference_of(submissions: &[Submission]) -> Option<usize> {
    let accepted = || (0..submissions.len()).filter(|at| submissions[*at].expectation.wants_all_accepted());
    let rust: Vec<usize> = accepted().filter(|at| reference::is_rust_file(&submissions[*at])).collect();
    match (&rust[..], &accepted().collect::<Vec<_>>()[..]) {
        ([one], _) | ([], [one]) => Some(*one),
        _ => None,
    }
}
