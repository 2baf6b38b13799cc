//! Reads plain folders: a solver and `.in` files, without any configuration.

use std::path::{Path, PathBuf};

use crate::package::diagnostic::Diagnostic;
use crate::package::expectations;
use crate::package::reader::Reader;
use crate::package::reference;
use crate::package::rules::{Answers, Rules};
use crate::package::scoring;
use crate::package::static_validation;
use crate::package::submissions;
use crate::package::testdata::{self, TestData};
use crate::problem::{Expectation, Layout, Problem, ProblemKind, Program, Submission, TestGroup};

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
    let listed = reader.list(&reader.dir);
    let sources = listed.into_iter().filter(|listed| !listed.is_dir && (reader.is_source)(&listed.path));
    let mut submissions: Vec<Submission> = sources
        .map(|listed| {
            let program = Program::File(listed.path);
            let annotated = expectations::of_annotation(reader, "", &program);
            let expectation = annotated.unwrap_or_else(|| Expectation::accepted("plain folder"));
            Submission { id: listed.name.into(), program, language: None, entry_point: None, expectation }
        })
        .collect();
    submissions::sort(&mut submissions);
    submissions
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
