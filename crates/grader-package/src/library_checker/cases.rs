//! Turns the tests of an `info.toml` into groups of cases, with a recipe for each case.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::checksums::StatedChecksums;
use super::description::{Description, Origin, Tests, case_name};
use super::{GENERATORS, ProblemFolder};
use crate::document::is_there;
use grader_model::problem::{
    AnswerFile, AnswerRecipe, GeneratorCommand, InputRecipe, Program, Recipe, Recipes, TestCase, TestGroup,
};

/// The name of the inputs that the statement shows.
const EXAMPLE: &str = "example";
/// The group of cases that a statement shows.
const SAMPLE: &str = "sample";

/// The tests of a problem.
pub(super) struct Cases {
    /// One group for each `[[tests]]`, in document order.
    pub(super) groups: Vec<TestGroup>,
    /// How their files come about.
    pub(super) recipes: Recipes,
}

impl ProblemFolder<'_> {
    /// Reads the tests. Reports missing files, and files that no test uses.
    pub(super) fn cases(&self, description: &Description, checksums: &StatedChecksums) -> Cases {
        let dir = self.reader.dir.join(GENERATORS);
        let mut groups = Vec::new();
        let mut cases = BTreeMap::new();
        let mut generators = BTreeMap::new();
        for tests in &description.tests {
            let mut group = TestGroup::empty(group_name(tests), dir.clone());
            for index in 0..tests.number {
                let case = TestCase::new(case_name(&tests.stem, index), AnswerFile::Out);
                cases.insert(group.id_of(&case), recipe(tests, index, checksums));
                group.cases.push(case);
            }
            match tests.origin {
                Origin::Files => self.demand_inputs(tests, &group),
                Origin::Generator => generators.extend(self.generator(tests)),
            }
            groups.push(group);
        }
        self.refuse_unused(&description.tests);
        checksums.compare(self.reader, &groups);
        let document = self.file.to_owned();
        let checksums = checksums.document();
        let recipes = Recipes { document, generators, cases, converts_line_ends: false, checksums };
        Cases { groups, recipes }
    }

    fn generator(&self, tests: &Tests) -> Option<(String, Program)> {
        let program = self.program(&Path::new(GENERATORS).join(format!("{}.cpp", tests.stem)), &[], tests.place)?;
        Some((tests.stem.clone(), program))
    }

    /// Reports the first input that is not there.
    fn demand_inputs(&self, tests: &Tests, group: &TestGroup) {
        let missing = group.cases.iter().map(|case| group.input_of(case)).find(|input| !is_there(input));
        if let Some(input) = missing {
            let name = input.file_name().unwrap_or_default().display();
            let remedy = "add the file, or correct `number`: inputs are counted from 0";
            self.error(tests.place, format!("there is no {GENERATORS}/{name}"), remedy);
        }
    }

    /// Reports generators and inputs that no test uses, as `generate.py` does.
    fn refuse_unused(&self, tests: &[Tests]) {
        let names = |tests: &Tests| -> Vec<String> {
            match tests.origin {
                Origin::Generator => vec![format!("{}.cpp", tests.stem)],
                Origin::Files => (0..tests.number).map(|at| format!("{}.in", case_name(&tests.stem, at))).collect(),
            }
        };
        let used: BTreeSet<String> = tests.iter().flat_map(names).collect();
        let is_data = |name: &str| [".cpp", ".in"].iter().any(|ending| name.ends_with(ending));
        for entry in self.reader.list(&self.reader.dir.join(GENERATORS)) {
            if !entry.is_dir && is_data(&entry.name) && !used.contains(&entry.name) {
                let remedy = "name it in a [[tests]] of info.toml, correct its `number`, or remove the file";
                self.reader.error(&entry.path, "no test uses this file", remedy);
            }
        }
    }
}

/// The name of a group. The statement shows the inputs called `example`.
fn group_name(tests: &Tests) -> &str {
    let is_shown = tests.stem == EXAMPLE && tests.origin == Origin::Files;
    if is_shown { SAMPLE } else { &tests.stem }
}

fn recipe(tests: &Tests, index: u32, checksums: &StatedChecksums) -> Recipe {
    let input = match tests.origin {
        Origin::Files => InputRecipe::File,
        Origin::Generator => InputRecipe::Command(GeneratorCommand {
            text: format!("{} {index}", tests.stem),
            program: tests.stem.clone(),
            arguments: vec![index.to_string()],
            file: None,
        }),
    };
    Recipe {
        input,
        answer: AnswerRecipe::Reference,
        line: tests.place.map_or(0, |place| place.line),
        checksums: checksums.of(&case_name(&tests.stem, index)),
    }
}
