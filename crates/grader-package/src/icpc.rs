//! Reads ICPC and Kattis problem packages of every version: legacy, legacy-icpc, 2023-07 and 2025-09 with their drafts.
//! These packages were written for other tools. A mistake that those tools ignore is a warning here. An unsupported
//! feature that would change verdicts is an error of the problem.

mod describe;
mod grading;
mod programs;

use std::path::Path;
use std::sync::Arc;

use crate::metadata::Metadata;
use crate::native::check_rules;
use crate::programs::submission_of;
use crate::reader::Reader;
use crate::rules::{Answers, Rules};
use crate::static_validation::{self, GradingKind};
use crate::testdata::{TestData, check_files, read_groups};
use crate::{additions, answers, expectations, generators, reference, scoring, submissions};
use grader_model::diagnostic::{Diagnostic, Kind};
use grader_model::problem::{PackageLayout, Problem, ProblemKind, Reference, Scoring, TestGroup};

use describe::Description;

/// The deepest level of directories in test data. Legacy groups nest.
const LEVELS: usize = 12;

/// The directory with the test data of a package.
pub const DATA: &str = "data";

/// Reads the package in the reader's directory. `elsewhere` is the directory for the cases of a native problem.
pub fn read(reader: &mut Reader<'_>, elsewhere: &Path) -> Problem {
    let Description { legacy, mut metadata, grading: graded, ruleset, timing, distances } = describe::read(reader);
    reader.legacy = legacy;
    reader.constants = std::mem::take(&mut metadata.constants);
    reader.protocol = metadata.protocol;
    let reader = &*reader;
    let output_validators = programs::output_validators(reader, &metadata);
    let data = reader.dir.join(DATA);
    let led = metadata.kind.is_led_by_validator();
    let rules = Rules {
        own_validator: !output_validators.is_empty(),
        flags: metadata.validator_flags.clone(),
        legacy: true,
        ..Rules::new(if led { Answers::IfAny } else { Answers::Required }, LEVELS)
    };
    let found = read_groups(reader, &data, &rules);
    let graded = graded.filter(|_| legacy || grading::is_stated(&found));
    if graded.is_none() {
        reader.check_cases(|| grading::refuse(reader, metadata.scoring, &found));
    }
    let tree = |stated| reader.check_cases(|| grading::tree(reader, stated, metadata.scoring, &found));
    let grading = graded.as_ref().and_then(tree);
    let TestData { groups, points, static_validation: static_stated, .. } = found;
    check_data(reader, &data, elsewhere, &groups);
    let root = reader.dir.join("submissions");
    let mut submissions = match metadata.kind {
        ProblemKind::SubmitAnswer => reader.check_cases(|| answers::read(reader, &root, &groups)),
        _ => submissions::read(reader, &root, &|listed| submission_of(reader, listed)),
    };
    if submissions.list.is_empty() {
        reader.warning(Kind::Other, &root, "no submissions in it");
    }
    check_rules(reader, &submissions, &groups);
    let input_validators = programs::input_validators(reader);
    check_files(reader, &groups, &input_validators);
    // No program can run if submissions are outputs.
    let reference = match metadata.kind {
        ProblemKind::SubmitAnswer => None,
        _ => reference::choose(reader, metadata.reference.as_deref(), &submissions).map(Reference::Chosen),
    };
    let Metadata { name, kind, passes, scoring: gives_points, checker, .. } = metadata;
    if metadata.function.is_some() || metadata.unit_tests.is_some() {
        let message = "`entry` in a problem package, whose submissions are programs";
        reader.error(&reader.dir, message, "remove it, or write a problem of grader");
    }
    let Metadata { limits, validation, validator_flags, random_input, .. } = metadata;
    expectations::fit_points(reader, &root, gives_points, &mut submissions.list);
    expectations::with_graders(reader, grading.as_ref(), &mut submissions.list);
    let scoring = match grading {
        Some(grading) => Some(Scoring::Graded(Arc::new(grading))),
        None if gives_points && graded.is_none() => {
            let speaks = !output_validators.is_empty();
            let tree = reader.check_cases(|| scoring::tree(reader, &data, &groups, &points, speaks));
            tree.map(|tree| Scoring::Points(Arc::new(tree)))
        }
        None => None,
    };
    let by = GradingKind::of(scoring.as_ref(), gives_points);
    let static_validator = static_validation::validator(reader, kind, by, &groups, &static_stated);
    let speaks = !output_validators.is_empty() || static_validator.is_some();
    expectations::with_messages(reader, &root, speaks, &mut submissions.list);
    Problem {
        title: name.unwrap_or_else(|| reader.id.to_string()),
        kind,
        judged_as: Some(ruleset),
        passes: passes.unwrap_or(1),
        limits,
        validation,
        // A problem of outputs runs no program, so it has no time limit.
        timing: timing.filter(|_| kind != ProblemKind::SubmitAnswer),
        distances,
        checker: checker.filter(|_| output_validators.is_empty()).into(),
        input_validators,
        output_validators,
        static_validator,
        visualizers: crate::programs::visualizers(reader),
        random_input,
        validator_flags,
        groups,
        submissions: submissions.list,
        reference,
        scoring,
        additions: additions::of(reader),
        ..Problem::empty(reader.id.clone(), reader.dir.clone(), PackageLayout::Icpc)
    }
}

/// Reports packages without cases, and cases in two places.
fn check_data(reader: &Reader<'_>, data: &Path, elsewhere: &Path, groups: &[TestGroup]) {
    if groups.is_empty() {
        let has_own = elsewhere.parent().is_some_and(Path::is_dir);
        let by_hand = || {
            let add = "add cases to sample/ and secret/";
            let pairs = "each a .in with its .ans";
            if !has_own {
                return format!("{add}, {pairs}");
            }
            // It may be intended as a package with cases in differently named files.
            let elsewhere = elsewhere.display();
            format!("{add} there, {pairs}; a native problem of this workspace has them in {elsewhere}")
        };
        let remedy = generators::remedy(reader).unwrap_or_else(by_hand);
        let message = format!("problem package without test cases in {}", data.display());
        reader.report(Diagnostic::error(&reader.dir, message).remedy(remedy).unfinished());
    }
    if elsewhere.is_dir() {
        let message = format!("ignored: {} is a problem package and has its cases in data/", reader.dir.display());
        reader.warning(Kind::Ignored, elsewhere, message);
    }
}

#[cfg(test)]
mod tests;
