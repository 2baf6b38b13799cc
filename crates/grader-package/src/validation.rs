//! Reads the data that tests the validators (package format 2025-09, "Validation test data"): cases that they must
//! reject, and cases that they must accept.

use std::path::Path;

use crate::reader::Reader;
use crate::rules::{Answers, Rules};
use crate::testdata::{VALIDATION_DIRS, read_groups};
use grader_model::problem::{Arguments, Problem, Purpose, TestGroup, TestTarget, ValidationCase};

/// The number of directory levels that are read.
const LEVELS: usize = 8;

/// The purpose of the cases of a directory.
fn purpose_of(directory: &str) -> Purpose {
    match directory {
        "invalid_answer" => Purpose::InvalidAnswer,
        "invalid_output" => Purpose::InvalidOutput,
        "valid_output" => Purpose::ValidOutput,
        _ => Purpose::InvalidInput,
    }
}

/// Reads everything below the validation directories of `data`, in the order of `VALIDATION_DIRS`.
pub fn read(reader: &Reader<'_>, problem: &Problem, data: &Path) -> Vec<ValidationCase> {
    let rules = Rules {
        own_validator: !problem.output_validators.is_empty(),
        legacy: true,
        ..Rules::new(Answers::Optional, LEVELS)
    };
    let common = common_arguments(&problem.groups);
    let checker = problem.groups.first().and_then(|group| group.checker);
    let checker = checker.filter(|_| problem.groups.iter().all(|group| group.checker == checker));
    let mut cases = Vec::new();
    for directory in VALIDATION_DIRS {
        for group in read_groups(reader, &data.join(directory), &rules).groups {
            cases.extend(group.cases.iter().map(|case| {
                let input = group.input_of(case);
                let setting = group.setting_of(case);
                ValidationCase {
                    purpose: purpose_of(directory),
                    tested: TestTarget::All,
                    answer: input.with_extension("ans"),
                    output: input.with_extension("out"),
                    arguments: or(setting.arguments, &common),
                    files: setting.work.files,
                    checker: setting.checker.or(checker),
                    input,
                }
            }));
        }
    }
    cases
}

/// Returns the arguments that all groups share, because they are stated above all of them.
fn common_arguments(groups: &[TestGroup]) -> Arguments {
    let Some(first) = groups.first() else { return Arguments::default() };
    let mut common = first.arguments.clone();
    for arguments in groups.iter().map(|group| &group.arguments) {
        if arguments.output_validator != common.output_validator {
            common.output_validator.clear();
        }
        let same = arguments.input_validators == common.input_validators
            && arguments.of_input_validator == common.of_input_validator;
        if !same {
            common.input_validators.clear();
            common.of_input_validator.clear();
        }
    }
    common
}

/// The arguments of a case, completed by the common ones.
fn or(own: &Arguments, common: &Arguments) -> Arguments {
    let mut all = own.clone();
    if all.output_validator.is_empty() {
        all.output_validator.clone_from(&common.output_validator);
    }
    if all.input_validators.is_empty() && all.of_input_validator.is_empty() {
        all.input_validators.clone_from(&common.input_validators);
        all.of_input_validator.clone_from(&common.of_input_validator);
    }
    all
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn what_is_stated_above_all_groups_holds_for_validation_data() {
        let group = |output: &[&str]| TestGroup {
            arguments: Arguments {
                output_validator: output.iter().map(ToString::to_string).collect(),
                input_validators: vec!["--n".to_owned()],
                ..Arguments::default()
            },
            ..TestGroup::empty("secret", PathBuf::new())
        };
        let same = common_arguments(&[group(&["a"]), group(&["a"])]);
        assert_eq!(
            (&same.output_validator[..], &same.input_validators[..]),
            (&["a".to_owned()][..], &["--n".to_owned()][..])
        );
        let other = common_arguments(&[group(&["a"]), group(&["b"])]);
        assert!(other.output_validator.is_empty() && other.input_validators == ["--n"]);
        let own = Arguments { output_validator: vec!["c".to_owned()], ..Arguments::default() };
        let found = or(&own, &same);
        assert_eq!(
            (&found.output_validator[..], &found.input_validators[..]),
            (&["c".to_owned()][..], &["--n".to_owned()][..])
        );
    }
}
