//! Reads the tests of the checker and of validators: inputs, outputs and answers in `files/tests/`, with the verdict that
//! the program must give.

use std::path::{Path, PathBuf};

use super::document::{Description, OwnTest, OwnTests, quoted};
use super::pattern::PathPattern;
use super::{CORRECT_IT, Package};
use crate::document::is_there;
use crate::generators::below;
use grader_model::problem::{Arguments, Purpose, TestTarget, ValidationCase};

/// The verdicts of tests of the checker. grader does not distinguish a presentation error from a wrong answer.
const OF_CHECKER: &[(&str, Purpose)] = &[
    ("ok", Purpose::ValidOutput),
    ("wrong-answer", Purpose::InvalidOutput),
    ("presentation-error", Purpose::InvalidOutput),
    ("crashed", Purpose::CheckerFailure),
];
/// The verdicts of tests of validators.
const OF_VALIDATOR: &[(&str, Purpose)] = &[("valid", Purpose::ValidInput), ("invalid", Purpose::InvalidInput)];

impl Package<'_> {
    /// The tests of the validators and of the checker.
    pub(super) fn validation_cases(&self, description: &Description) -> Vec<ValidationCase> {
        let of_validators = description.validators.iter().flat_map(|validator| {
            let tested = TestTarget::InputValidator(self.reader.dir.join(&validator.source.path));
            self.own_tests(&validator.tests, &tested, OF_VALIDATOR)
        });
        let of_checker = description.checker.iter();
        let of_checker =
            of_checker.flat_map(|checker| self.own_tests(&checker.tests, &TestTarget::Checker, OF_CHECKER));
        of_validators.chain(of_checker).collect()
    }

    fn own_tests(&self, tests: &OwnTests, tested: &TestTarget, verdicts: &[(&str, Purpose)]) -> Vec<ValidationCase> {
        let numbered = (1..).zip(&tests.tests);
        numbered.filter_map(|(number, test)| self.own_test((number, test), tests, tested, verdicts)).collect()
    }

    /// A test; none if it states no verdict, because then nothing can be checked.
    fn own_test(
        &self,
        (number, test): (usize, &OwnTest),
        tests: &OwnTests,
        tested: &TestTarget,
        verdicts: &[(&str, Purpose)],
    ) -> Option<ValidationCase> {
        let stated = test.verdict.as_ref()?;
        let word = stated.to_lowercase().replace('_', "-");
        let Some((_, purpose)) = verdicts.iter().find(|(known, _)| *known == word) else {
            let known: Vec<&str> = verdicts.iter().map(|(known, _)| *known).collect();
            let message = format!("unknown verdict {}; known are {}", quoted(stated), known.join(", "));
            self.error(test.place, message, CORRECT_IT);
            return None;
        };
        let file = |pattern: &PathPattern| self.own_file(&pattern.of(number), test);
        let option =
            |name: &str, value: &Option<String>| value.iter().flat_map(|v| [name.to_owned(), v.clone()]).collect();
        let named: [Vec<String>; 2] = [option("--testset", &test.testset), option("--group", &test.group)];
        Some(ValidationCase {
            purpose: *purpose,
            tested: tested.clone(),
            input: file(&tests.inputs)?,
            answer: file(&tests.answers)?,
            output: file(&tests.outputs)?,
            arguments: Arguments { input_validators: named.concat(), ..Arguments::default() },
            files: Vec::new(),
            checker: None,
        })
    }

    /// The place of a file, which need not exist. Reports a link that leads out of the package.
    fn own_file(&self, path: &Path, test: &OwnTest) -> Option<PathBuf> {
        let place = self.reader.dir.join(path);
        if let (true, Err(error)) = (is_there(&place), below(&self.reader.dir, path)) {
            self.error(test.place, error.to_string(), "copy the file into the package");
            return None;
        }
        Some(place)
    }
}
