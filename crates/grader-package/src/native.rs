//! Reads the native layout: `problems/<slug>/` is like a problem package, but its data is in `testcases/<slug>/`.

use std::path::Path;
use std::sync::Arc;

use crate::expectations;
use crate::glob::Glob;
use crate::helpers;
use crate::metadata::{self, Metadata};
use crate::programs::OutputJudges;
use crate::reader::Reader;
use crate::rules::{Answers, Rules};
use crate::static_validation::{self, GradingKind};
use crate::submissions::{self, Submissions};
use crate::testdata::{self, TestData};
use crate::unit_tests::{self, UnitTests};
use crate::{additions, answers, generators, programs, reference, scoring};
use crate::{functions, plain, plain_cases};
use grader_model::diagnostic::{Diagnostic, Kind};
use grader_model::problem::{PackageLayout, Problem, ProblemKind, Reference, Scoring, TestGroup};

/// The deepest level of directories in test data: `secret/group/deeper` and a few more.
const LEVELS: usize = 8;
/// The configuration of a workspace.
const CONFIGURATION: &str = "grader.toml";

/// Reads the problem in the reader's directory with the test data in `data`.
pub fn read(reader: &mut Reader<'_>, data: &Path) -> Problem {
    let mut metadata = metadata::read_problem(reader, &reader.dir);
    reader.constants = std::mem::take(&mut metadata.constants);
    reader.protocol = metadata.protocol;
    let reader = &*reader;
    let OutputJudges { interactor, validator: output_validator } = programs::output_judges(reader, metadata.kind);
    let rules = Rules {
        own_validator: output_validator.is_some(),
        flags: metadata.validator_flags.clone(),
        ..Rules::new(if metadata.kind.is_led_by_validator() { Answers::IfAny } else { Answers::Required }, LEVELS)
    };
    let TestData { mut groups, points, static_validation: static_stated, .. } =
        testdata::read_groups(reader, data, &rules);
    // A plain folder may describe itself. Nothing else about it changes.
    let is_plain =
        groups.is_empty() && !reader.dir.join("submissions").exists() && plain_cases::holds_cases(&reader.dir);
    if is_plain {
        groups = plain_cases::read(reader, data, &[], false).groups;
    } else {
        check_package_data(reader, data);
    }
    let units = unit_tests(reader, &metadata, &mut groups, output_validator.is_some());
    if groups.is_empty() && !is_plain && metadata.unit_tests.is_none() {
        report_no_cases(reader, data);
    }
    let root = reader.dir.join("submissions");
    let mut submissions = match metadata.kind {
        ProblemKind::SubmitAnswer => reader.check_cases(|| answers::read(reader, &root, &groups)),
        _ if reader.has_dir(&root) => {
            submissions::read(reader, &root, &|listed| programs::submission_of(reader, listed))
        }
        _ => beside(reader),
    };
    // The author of a plain folder need not move programs to describe it.
    let helpers = if is_plain {
        let (solvers, helpers) = helpers::apart(std::mem::take(&mut submissions.list));
        submissions.list = solvers;
        helpers
    } else {
        Vec::new()
    };
    // No program can run if submissions are outputs.
    let reference = match metadata.kind {
        ProblemKind::SubmitAnswer => None,
        _ if is_plain && metadata.reference.is_none() => plain::reference_of(&submissions.list, &helpers),
        _ => reference::choose(reader, metadata.reference.as_deref(), &submissions).map(Reference::Chosen),
    };
    let Metadata { name, kind, passes, scoring: gives_points, checker, .. } = metadata;
    let Metadata { limits, validation, validator_flags, random_input, function, .. } = metadata;
    let has_points = gives_points || units.is_some();
    expectations::fit_points(reader, &root, has_points, &mut submissions.list);
    let scoring = if has_points {
        let tree = || scoring::tree(reader, data, &groups, &points, output_validator.is_some());
        if units.is_some() { None } else { reader.check_cases(tree) }
    } else {
        reader.check_cases(|| scoring::refuse(reader, &points));
        None
    };
    let random_input = random_input.or_else(|| helpers::random_input(reader, &helpers));
    expectations::with_graders(reader, None, &mut submissions.list);
    check_kind(reader, kind, output_validator.is_some());
    check_checker(reader, checker.is_some(), output_validator.is_some());
    let (kind, output_validator) = units.as_ref().map_or((kind, output_validator), UnitTests::judge);
    let scoring = scoring.or_else(|| scoring::of_cases(&groups)).map(|tree| Scoring::Points(Arc::new(tree)));
    let by = GradingKind::of(scoring.as_ref(), gives_points);
    let static_validator = static_validation::validator(reader, kind, by, &groups, &static_stated);
    let speaks = output_validator.is_some() || static_validator.is_some();
    expectations::with_messages(reader, &root, speaks, &mut submissions.list);
    check_rules(reader, &submissions, &groups);
    let input_validators = programs::input_validators(reader, &reader.dir);
    testdata::check_files(reader, &groups, &input_validators);
    let mut additions = additions::of(reader);
    let checker = function.map_or(checker.into(), |function| {
        check_function(reader, kind, output_validator.is_some());
        functions::call(reader, &function, checker, &mut groups, &mut additions)
    });
    additions.include.extend(units.map(UnitTests::include));
    let layout = if is_plain { PackageLayout::Plain } else { PackageLayout::Native };
    Problem {
        title: name.unwrap_or_else(|| reader.id.to_string()),
        kind,
        passes: passes.unwrap_or(1),
        limits,
        validation,
        checker,
        input_validators,
        output_validators: output_validator.into_iter().collect(),
        interactor,
        static_validator,
        visualizers: programs::visualizers(reader),
        random_input,
        validator_flags,
        groups,
        submissions: submissions.list,
        helpers,
        reference,
        scoring,
        additions,
        ..Problem::empty(reader.id.clone(), reader.dir.clone(), layout)
    }
}

/// The unit tests, whose names become the cases.
fn unit_tests(
    reader: &Reader<'_>,
    metadata: &Metadata,
    groups: &mut Vec<TestGroup>,
    has_validator: bool,
) -> Option<UnitTests> {
    let units = unit_tests::read(reader, metadata.unit_tests.as_deref()?)?;
    if !groups.is_empty() || has_validator || metadata.kind != ProblemKind::PassFail {
        let message = "`entry.tests` with cases, an output validator or a `type`: the tests are the cases";
        reader.error(&reader.dir, message, "remove one of the two");
    }
    *groups = vec![units.group.clone()];
    Some(units)
}

fn report_no_cases(reader: &Reader<'_>, data: &Path) {
    let message = format!("problem without test cases in {}", data.display());
    let remedy = match other_workspace(reader) {
        Some(dir) => format!("it belongs to another workspace, whose cases are elsewhere: cd {}", dir.display()),
        None => generators::remedy(reader).unwrap_or_else(|| "add cases, each a .in with its .ans".to_owned()),
    };
    reader.report(Diagnostic::error(&reader.dir, message).remedy(remedy).unfinished());
}

/// The directory of the workspace to which the problem belongs, if it is not the one that reads it.
fn other_workspace<'r>(reader: &'r Reader<'_>) -> Option<&'r Path> {
    let own = reader.dir.ancestors().skip(1).find(|dir| dir.join(CONFIGURATION).is_file())?;
    (reader.top != Some(own)).then_some(own)
}

/// The solvers directly in the problem's directory, for a problem without `submissions/`.
fn beside(reader: &Reader<'_>) -> Submissions {
    Submissions { list: plain::solvers(reader), ..Submissions::default() }
}

/// Reports test data in the place of a problem package.
fn check_package_data(reader: &Reader<'_>, data: &Path) {
    let package_data = reader.dir.join("data");
    if reader.has_dir(&package_data) {
        let message = format!("test data in the place of a problem package; grader reads {}", data.display());
        reader.error(&package_data, message, "move sample/ and secret/ there");
    }
}

fn check_kind(reader: &Reader<'_>, kind: ProblemKind, has_validator: bool) {
    if kind.is_led_by_validator() && !has_validator {
        let remedy = if kind.is_interactive() {
            "add the program that talks to submissions"
        } else {
            "add the program that judges outputs and asks for another pass"
        };
        reader.error(&reader.dir, format!("{} problem without output_validator/", kind.name()), remedy);
    }
}

fn check_checker(reader: &Reader<'_>, is_stated: bool, has_validator: bool) {
    if is_stated && has_validator {
        let message = "`checker` has no effect, because the problem has an output validator";
        reader.warning(Kind::NotUsed, &reader.dir, message);
    }
}

fn check_function(reader: &Reader<'_>, kind: ProblemKind, has_validator: bool) {
    let wrong = match kind {
        ProblemKind::PassFail if has_validator => "an output validator".to_owned(),
        ProblemKind::PassFail => return,
        kind => format!("type `{}`", kind.name()),
    };
    let message = format!("`entry.function` with {wrong}: what a function returns is compared with the answer");
    reader.error(&reader.dir, message, "remove one of the two");
}

/// Reports rules of `submissions.yaml` for cases that do not exist.
pub(super) fn check_rules(reader: &Reader<'_>, submissions: &Submissions, groups: &[TestGroup]) {
    let rules = submissions.list.iter().flat_map(|submission| &submission.expectation.rules);
    let mut globs: Vec<&str> = rules.filter_map(|rule| rule.cases.as_deref()).collect();
    globs.sort_unstable();
    globs.dedup();
    for pattern in globs {
        // An invalid glob was reported when submissions.yaml was read.
        let Ok(glob) = Glob::package(pattern) else { continue };
        let covers = |group: &TestGroup| group.tests().any(|test| glob.matches(test.id().as_str()));
        if !groups.iter().any(covers) {
            let file = reader.dir.join("submissions").join("submissions.yaml");
            reader.warning(Kind::NoMatch, &file, format!("`{pattern}` matches no test case"));
        }
    }
}
